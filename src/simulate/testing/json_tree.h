// A directory of a simulated world as JSON, for tests: a directory is an object, a file
// "f:CONTENTS", a link "l:TARGET".
//
//   build(scene.tree, scene.actor, "/home/user/t", json::parse(R"({"a": {}, "b": "f:text"})"));
//   CHECK(dump(scene.tree, scene.actor.directory) == expected);
#pragma once

#include <doctest/doctest.h>
#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <string>

#include "world/tree.h"

namespace nacre::simulate::testing {

inline void build(world::FileTree& tree, const world::Actor& actor, const std::string& path,
                  const nlohmann::json& entries) {
  for (const auto& [name, value] : entries.items()) {
    const std::string child = path + "/" + name;
    if (value.is_object()) {
      REQUIRE(tree.make_directory(actor, child, 0755) == 0);
      build(tree, actor, child, value);
      continue;
    }
    const std::string text = value.get<std::string>();
    if (text.starts_with("l:")) {
      REQUIRE(tree.make_symbolic_link(actor, text.substr(2), child) == 0);
      continue;
    }
    world::InodeId id = world::kNoInode;
    REQUIRE(tree.open(actor, child, O_WRONLY | O_CREAT, 0644, id) == 0);
    tree.write(actor, id, 0, text.substr(2));
  }
}

inline nlohmann::json dump(world::FileTree& tree, world::InodeId directory) {
  nlohmann::json result = nlohmann::json::object();
  for (const auto& [name, id] : tree.entries(directory)) {
    switch (tree.at(id).kind) {
      case world::FileKind::kDirectory: result[name] = dump(tree, id); break;
      case world::FileKind::kLink: result[name] = "l:" + tree.bytes(id); break;
      default: result[name] = "f:" + tree.bytes(id);
    }
  }
  return result;
}

}  // namespace nacre::simulate::testing
