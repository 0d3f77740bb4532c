#include "system/host_files.h"

#include <cstdlib>
#include <doctest/doctest.h>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

#include "base/path.h"

using namespace nacre;
using nacre::system::HostFiles;

namespace {

class Directory {
 public:
  Directory() {
    std::string pattern = (std::filesystem::temp_directory_path() / "nacre-files-XXXXXX").string();
    path_ = ::mkdtemp(pattern.data());
  }
  Directory(const Directory&) = delete;
  Directory& operator=(const Directory&) = delete;
  ~Directory() { std::filesystem::remove_all(path_); }
  [[nodiscard]] std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

}  // namespace

TEST_CASE("regular files are read up to the limit") {
  const Directory directory;
  std::ofstream(directory / "a") << "hello";
  const HostFiles files;
  CHECK(files.read(directory / "a", 5) == "hello");
  CHECK_FALSE(files.read(directory / "a", 4));
  CHECK(files.read_beginning(directory / "a", 2) == "he");
  CHECK(files.read(directory / "missing", 5).error().message == "no such file or directory");
  CHECK(files.read(directory / ".", 5).error().message == "is a directory");
  CHECK(files.kind(directory / "a") == FileKind::kRegular);
}

TEST_CASE("pipes and devices are refused without waiting") {
  const Directory directory;
  REQUIRE(::mkfifo((directory / "pipe").c_str(), 0600) == 0);
  const HostFiles files;
  CHECK(files.read(directory / "pipe", 5).error().message == "not a regular file");
  CHECK(files.read_beginning(directory / "pipe", 5).empty());
  CHECK(files.read("/dev/zero", 5).error().message == "not a regular file");
  CHECK(files.read("/dev/tty", 5).error().message == "not a regular file");
  CHECK(files.kind(directory / "pipe") == FileKind::kOther);
  CHECK(files.read("/dev/null", 5) == "");  // NOLINT(readability-container-size-empty)
  (void)files.read("/proc/kmsg", 1000);     // whatever it says, it does not wait for a message
}

TEST_CASE("directories are listed in the order of names, with what links point to") {
  const Directory directory;
  std::ofstream(directory / "b") << "";
  std::filesystem::create_directory(directory / "c");
  std::filesystem::create_symlink("c", directory / "a");
  std::filesystem::create_symlink("nowhere", directory / "d");
  CHECK(HostFiles().list(directory / ".") ==
        std::vector<DirectoryEntry>{{"a", FileKind::kDirectory, true},
                                    {"b", FileKind::kRegular, false},
                                    {"c", FileKind::kDirectory, false},
                                    {"d", FileKind::kMissing, true}});
}

TEST_CASE("descriptors have names") {
  CHECK(nacre::system::descriptor_named("/dev/stdin") == 0);
  CHECK(nacre::system::descriptor_named("/dev/fd/63") == 63);
  CHECK(nacre::system::descriptor_named("/proc/self/fd/3") == 3);
  for (const char* path : {"/dev/fd/", "/dev/fd/x", "/dev/fd/-1", "/tmp/fd/3", "-"})
    CHECK_FALSE(nacre::system::descriptor_named(path));
}
