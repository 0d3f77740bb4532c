#include "colis/original_formulas.h"

#include <fmt/format.h>

namespace nacre::colis::original {

std::vector<std::string> components(const std::string& cwd, const std::string& path) {
  const std::string whole = path.starts_with('/') ? path : cwd + "/" + path;
  std::vector<std::string> result;
  for (size_t begin = 0; begin < whole.size();) {
    const size_t end = std::min(whole.find('/', begin), whole.size());
    if (end > begin) result.push_back(whole.substr(begin, end - begin));
    begin = end + 1;
  }
  return result;
}

namespace {

Ways one_way(SymbolicFiles files) {
  Ways ways;
  ways.push_back(std::move(files));
  return ways;
}

// The nodes from the root along a path.
struct Spine {
  std::vector<NodeId> nodes;
  std::vector<std::string> names;
};

bool resolve(SymbolicFiles& files, const std::vector<std::string>& path, Spine& spine) {
  spine.nodes = {files.root};
  for (const std::string& name : path) {
    if (name == ".") continue;
    if (name == "..") {
      if (!files.clause.kinds(spine.nodes.back(), kDirectory)) return false;
      if (spine.names.empty()) continue;
      spine.nodes.pop_back();
      spine.names.pop_back();
      continue;
    }
    const NodeId next = files.clause.fresh();
    if (!files.clause.feature(spine.nodes.back(), name, next)) return false;
    spine.nodes.push_back(files.clause.find(next));
    spine.names.push_back(name);
  }
  return true;
}

// If the path resolves, then to a node of `kinds` (kinds 0: it does not resolve).
void may_resolve(SymbolicFiles files, const std::vector<std::string>& path, size_t at, Spine spine,
                 Kinds kinds, Ways& ways) {
  if (at == path.size()) {
    if (kinds != 0 && files.clause.kinds(spine.nodes.back(), kinds))
      ways.push_back(std::move(files));
    return;
  }
  const std::string& name = path[at];
  if (name == "..") {
    SymbolicFiles blocked = files;
    if (blocked.clause.kinds(spine.nodes.back(), kNotDirectory)) ways.push_back(std::move(blocked));
    if (!files.clause.kinds(spine.nodes.back(), kDirectory)) return;
    if (!spine.names.empty()) {
      spine.nodes.pop_back();
      spine.names.pop_back();
    }
  } else if (name != ".") {
    const bool is_last = at + 1 == path.size();
    if (is_last && kinds == 0) {
      if (files.clause.absent(spine.nodes.back(), name)) ways.push_back(std::move(files));
      return;
    }
    const NodeId next = files.clause.fresh();
    if (!files.clause.maybe(spine.nodes.back(), name, next)) return;
    spine.nodes.push_back(next);
    spine.names.push_back(name);
  }
  may_resolve(std::move(files), path, at + 1, std::move(spine), kinds, ways);
}

// The tree in which the entry `name` of the end of the spine is another one.
void update(SymbolicFiles& files, const Spine& spine, const std::string& name,
            std::optional<NodeId> entry) {
  NodeId made = files.clause.updated(spine.nodes.back(), name, entry);
  for (size_t i = spine.names.size(); i > 0; --i)
    made = files.clause.updated(spine.nodes[i - 1], spine.names[i - 1], made);
  files.root = made;
}

}  // namespace

Formula anything() {
  return [](SymbolicFiles files) { return one_way(std::move(files)); };
}
Formula resolves(const std::vector<std::string>& path, Kinds kinds) {
  return [=](SymbolicFiles files) {
    Spine spine;
    const bool holds = resolve(files, path, spine) && files.clause.kinds(spine.nodes.back(), kinds);
    return holds ? one_way(std::move(files)) : Ways{};
  };
}
Formula may_be(const std::vector<std::string>& path, Kinds kinds) {
  return [=](SymbolicFiles files) {
    Ways ways;
    const NodeId root = files.root;
    may_resolve(std::move(files), path, 0, {{root}, {}}, kinds, ways);
    return ways;
  };
}
// The entry at the end of `path`, which is of `kinds` (0: not there), becomes what `make` makes.
Formula changes(const std::vector<std::string>& path, Kinds kinds,
                const std::function<std::optional<NodeId>(Clause&)>& make) {
  return [=](SymbolicFiles files) {
    std::vector<std::string> above = path;
    const std::string name = above.back();
    above.pop_back();
    Spine spine;
    bool holds = resolve(files, above, spine) && files.clause.kinds(spine.nodes.back(), kDirectory);
    if (holds && kinds == 0) {
      holds = files.clause.absent(spine.nodes.back(), name);
    } else if (holds) {
      const NodeId entry = files.clause.fresh();
      holds =
          files.clause.feature(spine.nodes.back(), name, entry) && files.clause.kinds(entry, kinds);
    }
    if (!holds) return Ways{};
    update(files, spine, name, make(files.clause));
    return one_way(std::move(files));
  };
}

SymbolicState with_files(SymbolicFiles files, const SymbolicState& state) {
  return {std::move(files),  state.context, state.stdin_text,
          state.stdout_text, state.log,     state.is_discarded};
}

Cases apply(const std::vector<Case>& cases, const SymbolicState& state) {
  Cases result;
  for (const Case& one : cases) {
    for (SymbolicFiles& files : one.formula(state.files)) {
      SymbolicState next = with_files(std::move(files), state);
      next.log.push_back("[TRACE] " + one.description);
      result.push_back(
          {std::move(next), one.is_success ? UtilityResult::kTrue : UtilityResult::kFalse});
    }
  }
  return result;
}

Cases single(SymbolicState state, UtilityResult result, const std::string& line) {
  if (!line.empty()) state.log.push_back(line);
  Cases cases;
  cases.push_back({std::move(state), result});
  return cases;
}

std::string stripped(std::string path) {
  while (path.ends_with('/')) path.pop_back();
  return path;
}
bool ends_in_dots(const std::string& path) {
  const std::string last = path.substr(path.rfind('/') + 1);
  return last == "." || last == "..";
}

}  // namespace nacre::colis::original
