// Runs a fuzz target without a fuzzer: replay [--mutate N] FILE|DIRECTORY...
//
// Each file is an input; with --mutate, N inputs are made of them as well, by cutting, repeating,
// joining and changing bytes. The same files give the same inputs. The target aborts if it fails;
// the input is then in ./failed-TARGET.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data,
                                      size_t size);  // NOLINT: the name that libFuzzer calls

namespace {

constexpr size_t kMaxInput = 20'000;

std::string read(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<std::filesystem::path> files_of(int count, char** arguments) {
  std::vector<std::filesystem::path> result;
  for (int i = 0; i < count; ++i) {
    const std::filesystem::path path = arguments[i];
    if (!std::filesystem::is_directory(path)) {
      result.push_back(path);
      continue;
    }
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path)) {
      if (entry.is_regular_file()) result.push_back(entry.path());
    }
  }
  std::sort(result.begin(), result.end());
  return result;
}

class Mutator {
 public:
  explicit Mutator(const std::vector<std::string>& seeds) : seeds_(seeds) {}

  std::string next() {
    std::string text = seeds_[below(seeds_.size())];
    for (size_t changes = 1 + below(6); changes > 0; --changes) change(text);
    text.resize(std::min(text.size(), kMaxInput));
    return text;
  }

 private:
  // The generators of the standard are the same everywhere, its distributions are not.
  size_t below(size_t limit) { return limit == 0 ? 0 : random_() % limit; }

  void change(std::string& text) {
    const size_t at = below(text.size() + 1);
    const size_t length = std::min(below(40), text.size() - at);
    switch (below(6)) {
      case 0: text.erase(at, length); break;
      case 1: text.insert(below(text.size() + 1), text.substr(at, length)); break;
      case 2: {
        const std::string& other = seeds_[below(seeds_.size())];
        text.insert(at, other.substr(below(other.size() + 1), below(200)));
        break;
      }
      case 3:
        if (at < text.size()) text[at] = static_cast<char>(below(256));
        break;
      case 4: {
        constexpr std::string_view kSharp = "$`'\"\\(){}[]<>|&;#*?~!\n\t -=/:.,0a%@+^";
        text.insert(at, 1, kSharp[below(kSharp.size())]);
        break;
      }
      default: {
        const std::string piece = text.substr(at, length);
        for (size_t times = below(30); times > 0; --times) text.insert(at, piece);
      }
    }
  }

  const std::vector<std::string>& seeds_;
  std::mt19937 random_{20'261'119};
};

void run(const std::string& kept, const std::string& text) {
  std::ofstream(kept, std::ios::binary) << text;
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(text.data()), text.size());
}

}  // namespace

int main(int count, char** arguments) {
  int first = 1;
  unsigned long mutations = 0;
  if (count > 2 && std::string_view(arguments[1]) == "--mutate") {
    mutations = std::strtoul(arguments[2], nullptr, 10);
    first = 3;
  }
  const std::string kept = "failed-" + std::filesystem::path(arguments[0]).filename().string();
  std::vector<std::string> seeds;
  for (const auto& path : files_of(count - first, arguments + first)) {
    seeds.push_back(read(path));
    run(kept, seeds.back());
  }
  if (seeds.empty()) {
    std::fprintf(stderr, "usage: %s [--mutate N] FILE|DIRECTORY...\n", arguments[0]);
    return 2;
  }
  Mutator mutator(seeds);
  for (unsigned long i = 0; i < mutations; ++i) run(kept, mutator.next());
  std::filesystem::remove(kept);
  return 0;
}
