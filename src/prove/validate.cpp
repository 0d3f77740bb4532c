#include "prove/validate.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "explore/open_scene.h"
#include "shell/builtins.h"
#include "shell/parse.h"
#include "shell/visitor.h"
#include "simulate/scene.h"
#include "world/tree_diff.h"

namespace nacre::prove {

namespace {

constexpr std::string_view kKinds[] = {"absent", "a file", "a directory", "an empty file",
                                       "a link to a directory"};
const std::vector<std::vector<std::string>> kArguments = {
    {}, {"a"}, {"a b", "c"}, {""}, {"-x"}, {"12"}, {"*"}, {"x.gz", "y"}, {"a\\nb"}, {"0"}};
constexpr std::string_view kInputs[] = {"", "one\ntwo words\n", "open end"};

// Relative and absolute names that the script writes out.
std::vector<std::string> paths_of(const SourceFile& file) {
  std::set<std::string> found;
  const shell::ParseResult parsed = shell::parse_file(file, shell::Dialect::kBash);
  const auto add = [&](const shell::Word& word) {
    if (!word.is_literal()) return;
    const std::string_view text = word.literal();
    const bool is_name = !text.empty() && text.size() < 100 && text[0] != '-' &&
                         text.find_first_of(" \n\t*?[]{}()$;|&<>'\"=%\\") == std::string_view::npos;
    if (is_name && text != "/" && text != "." && text != ".." && !text.starts_with("/dev/"))
      found.emplace(text);
  };
  shell::walk(parsed.tree.program(), shell::Visitor{[&](const shell::Command& command) {
                if (const auto* simple = std::get_if<shell::SimpleCommand>(&command.node)) {
                  for (size_t i = 1; i < simple->words.size(); i++) add(simple->words[i]);
                  for (const shell::Assignment& each : simple->assignments) add(each.value);
                }
                for (const shell::Redirection& each : command.redirections) add(each.target);
                return true;
              }});
  constexpr size_t kMaxPaths = 12;
  std::vector<std::string> result(found.begin(), found.end());
  if (result.size() > kMaxPaths) result.resize(kMaxPaths);
  return result;
}

// Variables that the script reads and does not set, roughly: those in capitals.
std::vector<std::string> variables_of(const SourceFile& file) {
  std::set<std::string> found;
  const shell::ParseResult parsed = shell::parse_file(file, shell::Dialect::kBash);
  shell::walk(parsed.tree.program(), shell::Visitor{[&](const shell::Parameter& node) {
                const bool is_plain = node.kind == shell::ParameterKind::kVariable &&
                                      node.name != "HOME" && node.name != "PATH" &&
                                      node.name != "IFS" && node.name != "PWD";
                if (is_plain) found.emplace(node.name);
                return true;
              }});
  return {found.begin(), found.end()};
}

// The simulated shell has not all of bash: a script that uses one of these decides nothing.
bool is_beyond_simulation(const Side& side) {
  if (!side.is_bash) return false;
  constexpr std::string_view kVariables[] = {"EUID", "UID", "HOSTNAME", "RANDOM", "SECONDS"};
  bool result = false;
  const shell::ParseResult parsed = shell::parse_file(side.file, shell::Dialect::kBash);
  shell::walk(
      parsed.tree.program(),
      shell::Visitor{
          [&](const shell::Part& part) {
            result |= part.kind == shell::PartKind::kArray ||
                      part.kind == shell::PartKind::kExtGlob ||
                      part.kind == shell::PartKind::kProcess;
            return true;
          },
          [&](const shell::Parameter& node) {
            result |= node.subscript != nullptr || node.name.starts_with("BASH") ||
                      std::find(std::begin(kVariables), std::end(kVariables), node.name) !=
                          std::end(kVariables);
            return true;
          },
          [&](const shell::Command& command) {
            const auto* simple = std::get_if<shell::SimpleCommand>(&command.node);
            if (simple == nullptr || simple->words.empty() || !simple->words[0].is_literal())
              return true;
            const std::string_view name = simple->words[0].literal();
            const shell::BuiltinInfo* info = shell::builtin_named(name);
            const bool is_foreign = info != nullptr && !info->is_in(shell::Dialect::kDash) &&
                                    name != "let" && name != "source";
            const bool has_options = (name == "printf" || name == "type" || name == "read") &&
                                     simple->words.size() > 1 && simple->words[1].is_literal() &&
                                     simple->words[1].literal().starts_with('-');
            result |= is_foreign || has_options;
            return true;
          }});
  return result;
}

struct World {
  simulate::Scene scene;
  std::string text;
};

World make_world(const std::vector<std::string>& paths, const std::vector<std::string>& variables,
                 size_t number) {
  World world;
  world.scene = simulate::default_scene();
  const bool is_root = number % 3 != 1;
  simulate::become(world.scene, is_root ? "root" : "user");
  const std::string home = is_root ? "/work" : "/home/user";
  if (is_root) world.scene.tree.make_directory({}, "/work", 0755);
  simulate::enter(world.scene, home);
  world.text = is_root ? "root" : "user";
  for (size_t i = 0; i < paths.size(); i++) {
    // Each pair of kinds of two paths comes up within a few worlds.
    const size_t kind = number == 0 ? 0 : (number * (i + 1) + i + number / 5) % std::size(kKinds);
    const std::string path = paths[i].starts_with('/') ? paths[i] : home + "/" + paths[i];
    world::InodeId there = world::kNoInode;
    const bool is_taken = world.scene.tree.find(world.scene.actor, path, false, there) == 0;
    if (kind == 0 || is_taken) continue;
    if (kind == 1) explore::add_file(world.scene.tree, path, "one\ntwo words\n", 0644);
    if (kind == 3) explore::add_file(world.scene.tree, path, "", 0644);
    if (kind == 2) explore::add_directory(world.scene.tree, path, false);
    if (kind == 4) {
      explore::add_directory(world.scene.tree, home + "/%d", false);
      world.scene.tree.make_symbolic_link(world.scene.actor, home + "/%d", path);
    }
    world.text += fmt::format(", {} is {}", paths[i], kKinds[kind]);
  }
  const auto& arguments = kArguments[number % kArguments.size()];
  for (const std::string& each : arguments) world.text += fmt::format(", argument '{}'", each);
  for (size_t i = 0; i < variables.size(); i++) {
    constexpr std::string_view kValues[] = {"", "a b", "x", "*"};
    if ((number + i) % 2 == 0) continue;
    const std::string_view value = kValues[(number / 2 + i) % std::size(kValues)];
    world.scene.environment.push_back(fmt::format("{}={}", variables[i], value));
    world.text += fmt::format(", {}='{}'", variables[i], value);
  }
  world.scene.arguments = arguments;
  world.scene.arguments.insert(world.scene.arguments.begin(), "script");
  world.scene.limits.fuel = 200'000;
  return world;
}

struct Played {
  simulate::Outcome outcome;
  std::vector<std::string> calls;
  bool is_decided = true;
};

Played play(const Side& side, simulate::Scene scene, std::string_view input) {
  Played result;
  scene.script_name = "script";
  scene.script = std::string(side.file.bytes());
  if (side.is_bash) scene.options = {"-o", "bash"};
  auto stream = std::make_shared<world::Stream>();
  stream->read = [text = std::string(input)](char* buffer, size_t size) mutable {
    const size_t count = text.copy(buffer, size);
    text.erase(0, count);
    return count;
  };
  scene.input = stream;
  scene.stub =
      [&result](const std::vector<std::string>& words) -> std::optional<simulate::StubResult> {
    std::string call;
    for (const std::string& word : words) call += word + '\x1f';
    result.calls.push_back(call);
    const size_t hash = std::hash<std::string>()(call);
    return simulate::StubResult{hash % 5 == 0 ? 1 : 0, fmt::format("out{}\n", hash % 97)};
  };
  result.outcome = simulate::play(scene);
  const bool says_unknown = result.outcome.errors.find("not supported") != std::string::npos ||
                            result.outcome.errors.find("bad substitution") != std::string::npos;
  result.is_decided = result.outcome.has_ended &&
                      result.outcome.ending == world::Ending::kFinished &&
                      result.outcome.not_modelled.empty() && !says_unknown;
  return result;
}

std::optional<std::string> difference_of(Played& a, Played& b) {
  if (a.outcome.status != b.outcome.status)
    return fmt::format("the status is {} and {}", a.outcome.status, b.outcome.status);
  if (a.outcome.output != b.outcome.output)
    return fmt::format("the output is '{}' and '{}'", a.outcome.output.substr(0, 80),
                       b.outcome.output.substr(0, 80));
  if (a.calls != b.calls) return "other commands are called, or with other words";
  for (const world::Change& each : world::compare(a.outcome.tree, b.outcome.tree)) {
    if (each.path.starts_with("/tmp/tmp.")) continue;
    return fmt::format("{} differs", each.path);
  }
  return std::nullopt;
}

}  // namespace

Comparison compare_in_worlds(const Side& original, const Side& rewritten, size_t worlds) {
  Comparison result;
  std::vector<std::string> paths = paths_of(original.file);
  for (std::string& each : paths_of(rewritten.file)) {
    if (std::find(paths.begin(), paths.end(), each) == paths.end())
      paths.push_back(std::move(each));
  }
  if (is_beyond_simulation(original) || is_beyond_simulation(rewritten)) {
    result.undecided = worlds;
    return result;
  }
  const std::vector<std::string> variables = variables_of(original.file);
  for (size_t i = 0; i < worlds && !result.difference; i++) {
    const World world = make_world(paths, variables, i);
    const std::string_view input = kInputs[i % std::size(kInputs)];
    Played a = play(original, world.scene, input);
    Played b = play(rewritten, world.scene, input);
    result.recorded += a.calls.size();
    if (!a.is_decided || !b.is_decided) {
      result.undecided++;
      continue;
    }
    result.worlds++;
    if (auto what = difference_of(a, b))
      result.difference = Difference{world.text, std::move(*what)};
  }
  return result;
}

}  // namespace nacre::prove
