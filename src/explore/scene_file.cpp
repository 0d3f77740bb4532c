#include "explore/scene_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "explore/open_scene.h"
#include "world/tree_diff.h"

namespace nacre::explore {

using nlohmann::ordered_json;
using world::Actor;
using world::FileKind;
using world::FileTree;
using world::InodeId;

namespace {

constexpr std::pair<FileKind, std::string_view> kKinds[] = {{FileKind::kRegular, "file"},
                                                            {FileKind::kDirectory, "directory"},
                                                            {FileKind::kLink, "link"},
                                                            {FileKind::kFifo, "fifo"}};

ordered_json file_json(FileTree& tree, InodeId id, const std::string& path) {
  const world::Inode& inode = tree.at(id);
  ordered_json result;
  result["path"] = path;
  for (const auto& [kind, name] : kKinds) {
    if (kind == inode.kind) result["kind"] = name;
  }
  result["mode"] = fmt::format("{:04o}", inode.mode);
  result["owner"] = inode.owner;
  result["group"] = inode.group;
  if (inode.kind == FileKind::kLink) result["target"] = inode.bytes;
  // Contents that were never read are told apart by the name that they had.
  if (inode.kind == FileKind::kRegular)
    result["contents"] = inode.open != nullptr ? "# " + *inode.open + "\n" : inode.bytes;
  return result;
}

void place_file(FileTree& tree, const ordered_json& file) {
  const std::string path = file.at("path");
  const std::string kind = file.at("kind");
  const auto mode =
      static_cast<unsigned>(std::stoul(file.value("mode", std::string("0644")), nullptr, 8));
  const Actor root = root_actor();
  if (const size_t slash = path.rfind('/'); slash != std::string::npos && slash > 0)
    add_directory(tree, path.substr(0, slash), false);
  if (kind == "absent") {
    tree.unlink(root, path);
    return;
  }
  if (kind == "directory") tree.make_directory(root, path, mode);
  if (kind == "link") tree.make_symbolic_link(root, file.at("target").get<std::string>(), path);
  if (kind == "fifo") tree.make_node(root, path, FileKind::kFifo, mode);
  if (kind == "file") add_file(tree, path, file.value("contents", std::string()), mode);
  InodeId id = world::kNoInode;
  if (tree.find(root, path, false, id) < 0) return;
  if (kind != "link") tree.set_mode(root, id, mode);
  tree.set_owner(root, id, file.value("owner", 0u), file.value("group", 0u));
}

}  // namespace

std::string scene_json(const Script& script, const World& start,
                       const std::vector<Decision>& decisions, const Memory& memory) {
  ordered_json result;
  result["nacre"] = "scene";
  result["version"] = 1;
  result["script"] = script.name;
  result["options"] = script.options;
  std::vector<std::string> arguments = script.arguments;
  std::vector<std::string> environment = script.environment;
  ordered_json commands = ordered_json::array();
  for (const Decision& each : decisions) {
    if (each.kind != Decision::kValue || each.answer().contents == kUnset) continue;
    const bool is_argument = each.subject[0] >= '1' && each.subject[0] <= '9';
    if (is_argument)
      arguments.push_back(each.answer().contents);
    else
      environment.push_back(each.subject + "=" + each.answer().contents);
  }
  for (const auto& [line, outcome] : memory.commands)
    commands.push_back({{"line", line}, {"status", outcome.status}, {"output", outcome.output}});
  result["arguments"] = arguments;
  result["environment"] = environment;
  result["user"] = script.actor.user;
  result["group"] = script.actor.group;
  FileTree tree = first_tree(start.tree, decisions, memory);
  result["directory"] = tree.path_of(script.actor.directory);
  FileTree base = open_world().tree;
  ordered_json files = ordered_json::array();
  for (const world::Change& change : world::compare(base, tree)) {
    if (change.after != world::kNoInode)
      files.push_back(file_json(tree, change.after, change.path));
    else
      files.push_back({{"path", change.path}, {"kind", "absent"}});
  }
  result["files"] = std::move(files);
  result["commands"] = std::move(commands);
  return result.dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

Result<simulate::Scene> load_scene(std::string_view text) {
  simulate::Scene scene;
  try {
    const ordered_json document = ordered_json::parse(text);
    if (document.value("nacre", std::string()) != "scene")
      return fail({}, "this is not a scene of `nacre explore --save`");
    scene.tree = open_world().tree;
    for (const ordered_json& file : document.at("files")) place_file(scene.tree, file);
    scene.actor.user = document.value("user", 0u);
    scene.actor.group = document.value("group", 0u);
    scene.actor.groups = {scene.actor.group};
    scene.options = document.value("options", std::vector<std::string>());
    scene.arguments = document.value("arguments", std::vector<std::string>());
    scene.environment = document.value("environment", std::vector<std::string>());
    std::map<std::string, simulate::StubResult> commands;
    for (const ordered_json& each : document.value("commands", ordered_json::array()))
      commands[each.at("line")] = {each.value("status", 0), each.value("output", std::string())};
    scene.stub =
        [commands](const std::vector<std::string>& words) -> std::optional<simulate::StubResult> {
      auto found = commands.find(fmt::format("{}", fmt::join(words, " ")));
      return found == commands.end() ? std::nullopt : std::optional(found->second);
    };
    const std::string directory = document.value("directory", std::string("/"));
    if (simulate::enter(scene, directory) < 0)
      return fail({}, fmt::format("the scene has no directory {}", directory));
  } catch (const ordered_json::parse_error&) {
    return fail({}, "this is not a scene of `nacre explore --save`: it is not JSON");
  } catch (const std::exception& problem) {
    return fail({}, fmt::format("this is not a scene: {}", problem.what()));
  }
  return scene;
}

}  // namespace nacre::explore
