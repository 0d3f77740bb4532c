// Runs a script with a shell of this system, in an empty directory and as a user without rights.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

namespace nacre::flow::testing {

// What the shell prints, piece by piece: each ends with an `@`, which no value holds.
inline std::vector<std::string> run_for_values(const std::string& shell,
                                               const std::string& script) {
  namespace fs = std::filesystem;
  char directory[] = "/tmp/nacre-soundness-XXXXXX";
  REQUIRE(mkdtemp(directory) != nullptr);
  const std::string home = directory;
  std::ofstream(home + "/script.sh") << script;
  fs::create_directory(home + "/empty");
  for (const std::string& each : {home, home + "/empty"}) {
    fs::permissions(each, fs::perms::others_read | fs::perms::others_write |
                              fs::perms::others_exec | fs::perms::owner_all);
  }
  const std::string user =
      geteuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups " : "";
  const std::string command = "cd " + home + "/empty && " + user + "timeout 5 " + shell +
                              " ../script.sh 2>/dev/null </dev/null";
  std::vector<std::string> values;
  {
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
    REQUIRE(pipe != nullptr);
    std::string value;
    for (int c = std::fgetc(pipe.get()); c != EOF; c = std::fgetc(pipe.get())) {
      if (c == '@')
        values.push_back(std::exchange(value, {}));
      else
        value += static_cast<char>(c);
    }
  }
  fs::remove_all(home);
  return values;
}

}  // namespace nacre::flow::testing
