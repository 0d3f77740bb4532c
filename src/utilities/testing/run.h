// One utility, run alone in a small simulated world, for tests.
//
//   Ran ran = run({"tac"}, "a\nb\n");                       // ran.output == "b\na\n"
//   World world; world.file("/f", "text"); world.run({"rm", "/f"});
#pragma once

#include <string>
#include <vector>

#include "world/tree.h"

namespace nacre::utilities::testing {

struct Ran {
  int status = -1;
  std::string output;
  std::string errors;
};

class World {
 public:
  World();
  void file(const std::string& path, std::string_view text, unsigned mode = 0644);
  void directory(const std::string& path);
  // As root in "/", with `input` as standard input.
  Ran run(const std::vector<std::string>& words, std::string_view input = "");
  // Its contents, or "(missing)".
  [[nodiscard]] std::string text(const std::string& path);
  [[nodiscard]] bool exists(const std::string& path);

 private:
  world::FileTree tree_;
  world::Actor root_;
};

[[nodiscard]] Ran run(const std::vector<std::string>& words, std::string_view input = "");

}  // namespace nacre::utilities::testing
