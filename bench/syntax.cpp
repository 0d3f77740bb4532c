// Syntax on real scripts: whether our verdicts are those of the shells, and what parsing costs
// beside dash, bash, shfmt and ShellCheck. bench/syntax.sh drives it and says how to use it.

#include <algorithm>
#include <cstdlib>
#include <fmt/core.h>
#include <functional>
#include <malloc.h>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/source_file.h"
#include "shell/parse.h"
#include "shell/testing/corpus.h"
#include "shell/testing/differences.h"
#include "shell/testing/process.h"
#include "shell/testing/real_shell.h"

namespace {

size_t live_bytes = 0;
size_t peak_bytes = 0;

}  // namespace

// Every allocation is counted: the peak is exact, also for small files.
void* operator new(size_t size) {
  void* memory = std::malloc(size);
  if (memory == nullptr) throw std::bad_alloc();
  live_bytes += malloc_usable_size(memory);
  peak_bytes = std::max(peak_bytes, live_bytes);
  return memory;
}

void operator delete(void* memory) noexcept {
  live_bytes -= malloc_usable_size(memory);
  std::free(memory);
}

void operator delete(void* memory, size_t) noexcept { operator delete(memory); }

namespace nacre::shell {
namespace {

constexpr size_t kMegabyte = 1'000'000;

ParseResult parse_text(std::string text, Dialect dialect) {
  return parse_file(SourceFile("script", std::move(text)), dialect);
}

double cpu_of(const std::function<void()>& work) {
  const double before = own_cpu_seconds();
  work();
  return own_cpu_seconds() - before;
}

double best_of(int rounds, const std::function<double()>& measure) {
  double best = measure();
  for (int i = 1; i < rounds; ++i) best = std::min(best, measure());
  return best;
}

int verdicts(const std::string& list, const std::string& cache, const std::string& report) {
  const std::vector<Script> scripts = read_scripts(list);
  TruthCache truth(cache);
  const std::vector<Difference> differences = find_differences(scripts, truth);
  write_differences(differences, report);
  fmt::print("verdicts: {} scripts, {} differences from `dash -n` and `bash -n`{}\n",
             scripts.size(), differences.size(), differences.empty() ? "" : "; see " + report);
  return differences.empty() ? 0 : 1;
}

// --------------------------------------------------------------------------------------- speed

// Joins neighbours into files of about a megabyte, so that starting a shell does not drown what it
// does. A script that does not bear a neighbour (its last here-document has no end) stays alone.
class Joiner {
 public:
  explicit Joiner(std::string directory) : directory_(std::move(directory)) {}

  void join(std::span<const Script> scripts) {
    std::string text;
    for (const Script& script : scripts) text += read_file(script.path) + "\n";
    const Script whole = {fmt::format("{}/{}", directory_, joined_.size()), scripts[0].dialect};
    write_file(whole.path, text);
    if (text.size() < kMegabyte && ask_shell(whole.dialect, whole.path).is_valid) {
      joined_.push_back(whole);
    } else if (scripts.size() > 1) {
      join(scripts.first(scripts.size() / 2));
      join(scripts.subspan(scripts.size() / 2));
    }
  }
  [[nodiscard]] const std::vector<Script>& joined() const { return joined_; }

 private:
  std::string directory_;
  std::vector<Script> joined_;
};

double run_seconds(std::vector<std::string> command, std::span<const Script> scripts) {
  for (const Script& script : scripts) command.push_back(script.path);
  return run_process(command).cpu_seconds;
}

constexpr int kRounds = 9;  // the best counts; the more, the less a busy machine shows

struct Peer {
  std::string name;
  std::vector<std::string> command;
  size_t batch;  // files that are given to one process
  int rounds;
};

// CPU seconds, net of starting the program.
double peer_seconds(const Peer& peer, std::span<const Script> scripts) {
  const ScratchFile file;
  const Script empty = {file.path(), Dialect::kSh};
  double start = 0;
  for (int i = 0; i < 20; ++i) start += run_seconds(peer.command, {&empty, 1}) / 20;
  return best_of(peer.rounds, [&] {
    double total = 0;
    for (size_t begin = 0; begin < scripts.size(); begin += peer.batch)
      total += run_seconds(peer.command,
                           scripts.subspan(begin, std::min(peer.batch, scripts.size() - begin))) -
               start;
    return total;
  });
}

double nacre_seconds(std::span<const Script> scripts) {
  return best_of(kRounds, [&] {
    return cpu_of([&] {
      for (const Script& script : scripts) (void)parse_text(read_file(script.path), script.dialect);
    });
  });
}

void race(const Peer& peer, const std::vector<Script>& scripts) {
  if (run_process({peer.command[0], "--version"}).status == 127) {
    fmt::print("  {:<12} is not installed\n", peer.name);
    return;
  }
  double size = 0;
  for (const Script& script : scripts)
    size += static_cast<double>(read_file(script.path).size()) / kMegabyte;
  const double ours = size / nacre_seconds(scripts);
  const double theirs = size / peer_seconds(peer, scripts);
  fmt::print("  {:<12} {:>8.1f} {:>10.2f} {:>10.2f} {:>10.1f}\n", peer.name, size, theirs, ours,
             ours / theirs);
}

int speed(const std::string& list, const std::string& cache, const std::string& directory) {
  std::vector<Script> scripts = read_scripts(list);
  {
    TruthCache truth(cache);
    std::erase_if(scripts, [&](const Script& script) {
      return !truth.ask(script, read_file(script.path)).is_valid;
    });
  }
  const auto bash = std::stable_partition(scripts.begin(), scripts.end(), [](const Script& script) {
    return script.dialect != Dialect::kBash;
  });
  Joiner sh_joiner(directory + "/sh"), bash_joiner(directory + "/bash");
  if (bash != scripts.begin()) sh_joiner.join({scripts.begin(), bash});
  if (bash != scripts.end()) bash_joiner.join({bash, scripts.end()});
  std::vector<Script> sample;
  for (size_t i = 0; i < scripts.size(); i += 50) sample.push_back(scripts[i]);

  fmt::print("speed: megabytes per second of CPU, net of process start\n");
  fmt::print("  {:<12} {:>8} {:>10} {:>10} {:>10}\n", "peer", "MB", "peer", "nacre", "ratio");
  race({"dash -n", {"dash", "-n"}, 1, kRounds}, sh_joiner.joined());
  race({"bash -n", {"bash", "-O", "extglob", "-n"}, 1, kRounds}, bash_joiner.joined());
  race({"shfmt -l", {"shfmt", "-l"}, 200, 2}, scripts);
  race({"shellcheck", {"shellcheck"}, 1, 1}, sample);
  return 0;
}

// -------------------------------------------------------------------------------------- memory

size_t peak_of_parsing(std::string text, Dialect dialect) {
  peak_bytes = live_bytes;
  const size_t before = live_bytes - malloc_usable_size(text.data());
  (void)parse_text(std::move(text), dialect);
  return peak_bytes - before;
}

// Peak of the heap while a script is parsed, its own text included, as a multiple of its size.
int memory(const std::string& list) {
  double bytes = 0, peaks = 0, worst = 0;
  std::string worst_path;
  for (const Script& script : read_scripts(list)) {
    std::string text = read_file(script.path);
    const auto size = static_cast<double>(text.size());
    const auto peak = static_cast<double>(peak_of_parsing(std::move(text), script.dialect));
    bytes += size;
    peaks += peak;
    if (size < 10'000 || peak / size < worst) continue;
    worst = peak / size;
    worst_path = script.path;
  }
  fmt::print(
      "memory: peak {:.1f} times the text on average, at most {:.1f} times from 10 kB on ({})\n",
      peaks / bytes, worst, worst_path);
  return worst < 12 ? 0 : 1;
}

// ------------------------------------------------------------------------------------- scaling

std::string repeated(std::string_view unit, size_t size) {
  std::string text;
  text.reserve(size + unit.size());
  while (text.size() < size) text += unit;
  return text;
}

// `opening` and `closing` around each other as deep as `size` allows.
std::string nested(std::string_view opening, std::string_view closing, size_t size) {
  const size_t depth = size / (opening.size() + closing.size());
  return repeated(opening, depth * opening.size()) + repeated(closing, depth * closing.size());
}

struct Shape {
  std::string name;
  std::function<std::string(size_t size)> text;
};

Shape nesting(std::string_view opening, std::string_view closing) {
  return {fmt::format("{0}{0}{0}...", opening),
          [=](size_t size) { return nested(opening, closing, size); }};
}

Shape repetition(std::string_view unit) {
  return {fmt::format("many `{}`", unit.substr(0, unit.find('\n'))),
          [=](size_t size) { return repeated(unit, size); }};
}

std::vector<Shape> shapes(const std::string& scripts) {
  std::vector<Shape> all;
  all.push_back({"scripts", [=](size_t size) { return repeated(scripts, size); }});
  for (const auto& [opening, closing] :
       std::initializer_list<std::pair<const char*, const char*>>{{"( ", ")"},
                                                                  {"((", "))"},
                                                                  {"{ ", "}\n"},
                                                                  {"$(", ")"},
                                                                  {"\"$(", ")\""},
                                                                  {"$((", "))"},
                                                                  {"$(( (", ") ))"},
                                                                  {"${x:-", "}"},
                                                                  {"\"${x:-", "}\""},
                                                                  {"`", "`"},
                                                                  {"if ", "fi\n"},
                                                                  {"while ", "done "},
                                                                  {"case x in (x) ", "esac "},
                                                                  {"f() ", ""},
                                                                  {"! ", ""},
                                                                  {"[[ ( ", ") ]]"},
                                                                  {"a[", "]"},
                                                                  {"@(", ")"},
                                                                  {"{a,", "}"},
                                                                  {"<(", ")"},
                                                                  {"coproc x \"$(", ")\""},
                                                                  {"x=$((a) ", ")"},
                                                                  {"'", ""},
                                                                  {"cat <<A\n$(", ")\nA\n"},
                                                                  {"a=(", ")"},
                                                                  {"x && ", ""},
                                                                  {"x | ", ""},
                                                                  {"a;", ""}})
    all.push_back(nesting(opening, closing));
  for (const char* unit : {"((a) )\n", "$((a) )\n", "cat <<A <<B <<C\na\nA\nb\nB\nc\nC\n", "x=1 ",
                           "a\\\n", "# comment\n", ")\n", "fi\n", "if x\n", "<<A ", "\n", "\\", "$",
                           "\"a\"'b'", "${x", "{1..9}", "[a-", "\1"})
    all.push_back(repetition(unit));
  return all;
}

// Pages that are new to the process cost as much as parsing, so there are none left from the round
// before: only small texts would find theirs there.
double nanoseconds_per_byte(const Shape& shape, size_t size) {
  const std::string text = shape.text(size);
  const double seconds = best_of(size == kMegabyte ? 3 : 2, [&] {
    malloc_trim(0);
    return cpu_of([&] { (void)parse_text(text, Dialect::kBash); });
  });
  return seconds * 1e9 / static_cast<double>(size);
}

// About a megabyte of scripts that may be repeated: each is whole, no here-document at its end
// swallows the next.
std::string whole_scripts(const std::string& list) {
  std::string scripts;
  for (const Script& script : read_scripts(list)) {
    const std::string text = read_file(script.path) + "\n";
    const bool is_whole = parse_text(text, Dialect::kBash).is_valid() &&
                          !parse_text(text + ")\n", Dialect::kBash).is_valid();
    if (is_whole) scripts += text;
    if (scripts.size() > kMegabyte) break;
  }
  return scripts;
}

// The time per byte must not grow with the text, sound or broken: 1 MB and 50 MB of real scripts,
// 1 MB and 10 MB of everything that nests or repeats.
int scaling(const std::string& list) {
  fmt::print("scaling: nanoseconds per byte of a small and of a large text\n");
  bool grows = false;
  for (const Shape& shape : shapes(whole_scripts(list))) {
    const size_t size = shape.name == "scripts" ? 50 * kMegabyte : 10 * kMegabyte;
    const double small = nanoseconds_per_byte(shape, kMegabyte);
    const double large = nanoseconds_per_byte(shape, size);
    const bool is_bad = large > 2 * small + 5;
    grows = grows || is_bad;
    fmt::print("  {:<44} {:>8.1f} {:>8.1f}{}\n", shape.name, small, large, is_bad ? "  grows" : "");
  }
  return grows ? 1 : 0;
}

int usage() {
  fmt::print(stderr,
             "usage: bench_syntax find LIST DIRECTORY... | verdicts LIST CACHE REPORT |\n"
             "       speed LIST CACHE DIRECTORY | memory LIST | scaling LIST\n");
  return 2;
}

int run(std::span<const std::string> arguments) {
  if (arguments.size() < 2) return usage();
  const std::string& verb = arguments[0];
  const std::string& list = arguments[1];
  if (verb == "find") {
    write_scripts(find_scripts({arguments.begin() + 2, arguments.end()}), list);
    return 0;
  }
  if (verb == "verdicts" && arguments.size() == 4)
    return verdicts(list, arguments[2], arguments[3]);
  if (verb == "speed" && arguments.size() == 4) return speed(list, arguments[2], arguments[3]);
  if (verb == "memory") return memory(list);
  if (verb == "scaling") return scaling(list);
  return usage();
}

}  // namespace
}  // namespace nacre::shell

int main(int argc, char** argv) {
  return nacre::shell::run(std::vector<std::string>(argv + 1, argv + argc));
}
