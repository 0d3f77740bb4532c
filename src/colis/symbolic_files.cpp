#include "colis/symbolic_files.h"

#include <cerrno>
#include <fmt/format.h>

namespace nacre::colis {

namespace {

constexpr int kMaxLinks = 40;

std::vector<std::string> components(const std::string& path) {
  std::vector<std::string> result;
  for (size_t begin = 0; begin < path.size();) {
    const size_t end = std::min(path.find('/', begin), path.size());
    if (end > begin) result.push_back(path.substr(begin, end - begin));
    begin = end + 1;
  }
  return result;
}

}  // namespace

SymbolicFiles unknown_files(bool is_original) {
  SymbolicFiles files;
  files.root = files.initial = files.clause.fresh(is_original ? kAnyKind : kDirectory);
  return files;
}

size_t Choices::choose(size_t count) {
  if (at_ == taken_.size()) taken_.push_back({0, count});
  return taken_[at_++].answer;
}

bool Choices::advance() {
  taken_.resize(std::min(at_, taken_.size()));
  at_ = 0;
  while (!taken_.empty() && taken_.back().answer + 1 == taken_.back().count) taken_.pop_back();
  if (taken_.empty()) return false;
  ++taken_.back().answer;
  return true;
}

std::vector<std::string> Place::whole() const {
  std::vector<std::string> result = names;
  if (last == kName) result.push_back(name);
  return result;
}

bool Walker::is_of(NodeId x, Kinds kinds) {
  const Kinds possible = files_.clause.node(x).kinds;
  if ((possible & kinds) == 0) return false;
  if ((possible & ~kinds) == 0) return true;
  const bool is_so = choices_.choose(2) == 0;
  require(files_.clause.kinds(x, is_so ? kinds : static_cast<Kinds>(~kinds & kAnyKind)));
  return is_so;
}

// A link that was never looked up is met only with --links: otherwise what is followed is none, and
// the report says that this was assumed.
bool Walker::is_link(NodeId x, bool is_asked) {
  const Kinds possible = files_.clause.node(x).kinds;
  if (is_asked || considers_links_ || (possible & kSymlink) == 0 || possible == kSymlink)
    return is_of(x, kSymlink);
  files_.assumed.insert("what a path leads through is no symbolic link (--links: it may be one)");
  require(files_.clause.kinds(x, static_cast<Kinds>(kAnyKind & ~kSymlink)));
  return false;
}

bool Walker::is_true(FactId fact) {
  const Truth known = files_.clause.truth(fact);
  if (known != Truth::kUnknown) return known == Truth::kTrue;
  const bool is_so = choices_.choose(2) == 0;
  files_.clause.decide(fact, is_so ? Truth::kTrue : Truth::kFalse);
  return is_so;
}

bool Walker::is_there(SlotId slot) {
  const Slot& it = files_.clause.slot(slot);
  const bool is_open = it.may_be_absent && it.may_be_there;
  const bool is_so = is_open ? choices_.choose(2) == 0 : it.may_be_there;
  require(is_so ? files_.clause.make_there(slot) : files_.clause.make_absent(slot));
  return is_so;
}

bool Walker::is_empty(NodeId directory) {
  for (const std::string& name : files_.clause.names(directory)) {
    if (is_there(files_.clause.learn(directory, name))) return false;
  }
  if (files_.clause.row(directory).is_closed) return true;
  if (choices_.choose(2) == 0) {
    require(files_.clause.not_empty_beyond(directory));
    return false;
  }
  // If the row was known to hold something, it is one of the names that this node hides: whichever.
  const RowId row = files_.clause.node(directory).row;
  const Row& rest = files_.clause.row(row);
  if (rest.is_not_empty) {
    for (const auto& [name, slot] : std::map(rest.known)) {
      if (!rest.counted.contains(name) && is_there(slot)) break;
    }
  }
  require(files_.clause.close(directory));
  return true;
}

std::optional<std::string> Walker::target_of(NodeId link) {
  if (files_.clause.node(link).target) return files_.clause.node(link).target;
  // Either a name that no program has, at which there is no other link, or anything else: where
  // that leads cannot be told.
  if (choices_.choose(2) == 0) {
    const std::string name =
        fmt::format(".link-{}", static_cast<uint32_t>(files_.clause.find(link)));
    files_.clause.edit(link).target = "/" + name;
    const NodeId no_link = files_.clause.fresh(static_cast<Kinds>(kAnyKind & ~kSymlink));
    require(files_.clause.maybe(files_.initial, name, no_link));
    return "/" + name;
  }
  give_up("a symbolic link whose target is not known");
  return std::nullopt;
}

int Walker::follow(Place& at, NodeId link, int& links) {
  if (++links > kMaxLinks) return -ELOOP;
  const std::optional<std::string> target = target_of(link);
  if (!target) return -ENOENT;
  if (target->starts_with('/')) {
    at.nodes.resize(1);
    at.names.clear();
  }
  for (const std::string& name : components(*target)) {
    if (int error = enter(at, name, true, links); error < 0) return error;
  }
  return 0;
}

// A single call can look at `mkdir -p a/b/c/...`, each name from the root.
void Walker::count_steps(size_t steps) {
  constexpr size_t kMaxSteps = 100'000;
  steps_ += steps;
  if (steps_ > kMaxSteps) give_up(fmt::format("it looks at more than {} names", kMaxSteps));
}

// One step: what is in the directory that `at` ends with becomes its end.
int Walker::enter(Place& at, const std::string& name, bool follows, int& links) {
  count_steps(1);
  if (is_over()) return -ENOENT;
  const NodeId here = at.nodes.back();
  if (!is_of(here, kDirectory)) return -ENOTDIR;
  if (name == ".") return 0;
  if (name == "..") {
    if (at.names.empty()) return 0;
    at.nodes.pop_back();
    at.names.pop_back();
    return 0;
  }
  const SlotId slot = files_.clause.learn(here, name);
  if (!is_there(slot) || is_over()) return -ENOENT;
  const NodeId next = files_.clause.there(slot);
  if (follows && is_link(next, false)) return follow(at, next, links);
  at.nodes.push_back(next);
  at.names.push_back(name);
  return 0;
}

Place Walker::place(const std::string& path) {
  Place result;
  result.nodes = {files_.root};
  if (path.empty()) {
    result.error = -ENOENT;
    return result;
  }
  std::vector<std::string> steps = components(path);
  result.has_slash = path.ends_with('/') && !steps.empty();
  const std::string last = steps.empty() ? "" : steps.back();
  if (steps.empty()) result.last = Place::kRoot;
  if (last == ".") result.last = Place::kDot;
  if (last == "..") result.last = Place::kDotDot;
  if (result.last == Place::kName) {
    result.name = last;
    steps.pop_back();
  }
  if (!path.starts_with('/')) {
    std::vector<std::string> whole = components(cwd_);
    whole.insert(whole.end(), steps.begin(), steps.end());
    steps = std::move(whole);
  }
  int links = 0;
  for (const std::string& name : steps) {
    result.error = enter(result, name, true, links);
    if (result.error < 0) return result;
  }
  if (!is_of(result.nodes.back(), kDirectory)) result.error = -ENOTDIR;
  if (result.error < 0 || result.last != Place::kName) {
    result.node = result.nodes.back();
    return result;
  }
  const SlotId slot = files_.clause.learn(result.nodes.back(), result.name);
  if (is_there(slot) && !is_over()) result.node = files_.clause.there(slot);
  return result;
}

Place Walker::find(const std::string& path, bool follows) {
  Place result = place(path);
  if (result.error < 0) return result;
  for (int links = 0;
       result.node && (follows || result.has_slash) && result.last == Place::kName;) {
    if (!is_link(*result.node, false)) break;
    if (++links > kMaxLinks) {
      result.error = -ELOOP;
      return result;
    }
    const std::optional<std::string> target = target_of(*result.node);
    if (!target) break;
    std::string directory = "/";
    for (const std::string& name : result.names) directory += name + "/";
    Place next = place(target->starts_with('/') ? *target : directory + *target);
    next.has_slash = next.has_slash || result.has_slash;
    result = std::move(next);
    if (result.error < 0) return result;
  }
  if (!result.node)
    result.error = -ENOENT;
  else if (result.has_slash && !is_of(*result.node, kDirectory))
    result.error = -ENOTDIR;
  return result;
}

void Walker::set(const Place& place, std::optional<NodeId> entry) {
  for (const NodeId node : place.nodes) count_steps(1 + files_.clause.node(node).own.size());
  if (is_over()) return;
  NodeId made = files_.clause.updated(place.nodes.back(), place.name, entry);
  for (size_t i = place.names.size(); i > 0; --i)
    made = files_.clause.updated(place.nodes[i - 1], place.names[i - 1], made);
  files_.root = made;
}

}  // namespace nacre::colis
