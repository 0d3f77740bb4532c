#include "project/glob.h"

#include <cstdio>
#include <cstdlib>
#include <doctest/doctest.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <random>
#include <set>
#include <string>
#include <unistd.h>

#include "base/memory_files.h"
#include "project/ignore.h"

using nacre::Files;
using nacre::MemoryFiles;
using nacre::project::Glob;
using nacre::project::IgnoreRules;
namespace fs = std::filesystem;

namespace {

void write_file(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::FILE* file = std::fopen(path.c_str(), "w");
  REQUIRE(file != nullptr);
  std::fwrite(text.data(), 1, text.size(), file);
  std::fclose(file);
}

std::string output_of(const std::string& command) {
  std::string output;
  std::FILE* pipe = popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  char buffer[4096];
  while (size_t count = std::fread(buffer, 1, sizeof buffer, pipe)) output.append(buffer, count);
  pclose(pipe);
  return output;
}

// A git repository in a directory of its own.
class Repository {
 public:
  Repository() {
    REQUIRE(mkdtemp(path_) != nullptr);
    REQUIRE(std::system(fmt::format("git init -q {}", path_).c_str()) == 0);
  }
  ~Repository() { fs::remove_all(path_); }
  Repository(const Repository&) = delete;
  Repository& operator=(const Repository&) = delete;
  [[nodiscard]] fs::path path() const { return path_; }

  // What git keeps, and what a walk by IgnoreRules keeps.
  [[nodiscard]] std::set<std::string> kept_by_git() const {
    std::set<std::string> kept;
    std::string listed = output_of(fmt::format(
        "git -C {} -c core.excludesFile=/dev/null ls-files -co -z --exclude-standard", path_));
    for (size_t begin = 0; begin < listed.size();) {
      size_t end = listed.find('\0', begin);
      kept.insert(listed.substr(begin, end - begin));
      begin = end + 1;
    }
    return kept;
  }
  [[nodiscard]] std::set<std::string> kept_by_us() const {
    MemoryFiles files;
    for (const auto& entry : fs::recursive_directory_iterator(path_)) {
      std::ifstream file(entry.path(), std::ios::binary);
      if (entry.is_regular_file())
        files.put(entry.path(), {std::istreambuf_iterator<char>(file), {}});
    }
    std::set<std::string> kept;
    walk(files, path_, "", IgnoreRules::at(files, path_), kept);
    return kept;
  }

 private:
  static void walk(const Files& files, const fs::path& directory, const std::string& prefix,
                   const IgnoreRules::Handle& rules, std::set<std::string>& kept) {
    for (const auto& entry : fs::directory_iterator(directory)) {
      std::string name = entry.path().filename();
      if (name == ".git" || rules->ignores(name, entry.is_directory())) continue;
      if (entry.is_directory()) {
        walk(files, entry, prefix + name + "/", IgnoreRules::below(files, rules, name), kept);
      } else {
        kept.insert(prefix + name);
      }
    }
  }

  char path_[32] = "/tmp/nacre-ignore-XXXXXX";
};

}  // namespace

TEST_CASE("globs have git's meaning") {
  CHECK(Glob("a*c").matches("abbc"));
  CHECK_FALSE(Glob("a*c").matches("a/c"));
  CHECK(Glob("**/x").matches("x"));
  CHECK(Glob("**/x").matches("a/b/x"));
  CHECK_FALSE(Glob("**/x").matches("a/bx"));
  CHECK(Glob("a/**/b").matches("a/b"));
  CHECK(Glob("a/**/b").matches("a/x/y/b"));
  CHECK(Glob("a/**").matches("a/b/c"));
  CHECK_FALSE(Glob("a/**").matches("a"));
  CHECK_FALSE(Glob("a**b").matches("a/b"));
  CHECK(Glob("[[:digit:]]?[!a-c]").matches("1xd"));
  CHECK_FALSE(Glob("[!a]").matches("/"));
  CHECK(Glob("[]a]").matches("]"));
  CHECK(Glob("\\*").matches("*"));
  CHECK_FALSE(Glob("[a").matches("[a"));
  CHECK_FALSE(Glob("a\\").matches("a\\"));
}

TEST_CASE("a pattern cannot make matching slow") {
  std::string stars;
  for (int i = 0; i < 200; i++) stars += "*a";
  CHECK_FALSE(Glob(stars + "b").matches(std::string(2000, 'a')));
}

TEST_CASE("nested ignore files are read as git reads them") {
  Repository repository;
  fs::path root = repository.path();
  for (const char* path : {"a.o", "b.sh", "sub/a.o", "sub/keep.o", "sub/deep/x.log", "build/out.sh",
                           "sub/build/out.sh", "doc/x.txt", "doc/y/x.txt", "#hash", "!bang", "sp ",
                           "foo/bar/baz", "excluded"}) {
    write_file(root / path, "");
  }
  write_file(root / ".gitignore",
             "# comment\n*.o\n/build/\n!sub/keep.o\ndoc/*.txt\n\\#hash\n\\!bang\nsp\\ \nfoo/**\n"
             "trailing   \n");
  write_file(root / "sub/.gitignore", "*.log\n!*.o\na.o\n");
  write_file(root / ".git/info/exclude", "excluded\n");
  CHECK(repository.kept_by_us() == repository.kept_by_git());
}

TEST_CASE("random ignore files are read as git reads them") {
  std::mt19937 random(1);
  auto pick = [&](std::string_view letters) { return letters[random() % letters.size()]; };
  auto name = [&] {
    std::string text;
    for (unsigned i = 0; i <= random() % 2; i++) text += pick("ab");
    return text;
  };
  for (int round = 0; round < 20; round++) {
    Repository repository;
    for (int i = 0; i < 25; i++) {
      std::string path = name();
      while (random() % 2 == 0) path += "/" + name();
      std::error_code occupied;  // a file where a directory is wanted: leave it out
      fs::create_directories((repository.path() / path).parent_path(), occupied);
      if (occupied || fs::exists(repository.path() / path)) continue;
      write_file(repository.path() / path, "");
    }
    std::vector<fs::path> directories{repository.path()};
    for (const auto& entry : fs::directory_iterator(repository.path())) {
      if (entry.is_directory() && entry.path().filename() != ".git") directories.push_back(entry);
    }
    std::string all_rules;
    for (const fs::path& directory : directories) {
      std::string rules;
      for (unsigned i = 0; i < 4; i++) {
        if (random() % 4 == 0) rules += '!';
        for (unsigned j = 0; j <= random() % 5; j++) rules += pick("ab/**?[a]");
        rules += '\n';
      }
      write_file(directory / ".gitignore", rules);
      all_rules += directory.filename().string() + ":\n" + rules;
    }
    CAPTURE(all_rules);
    CAPTURE(fmt::format("{}", fmt::join(repository.kept_by_us(), " ")));
    CAPTURE(fmt::format("{}", fmt::join(repository.kept_by_git(), " ")));
    CHECK(repository.kept_by_us() == repository.kept_by_git());
  }
}
