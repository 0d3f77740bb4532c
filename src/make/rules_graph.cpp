// Rules about what depends on what.
#include <algorithm>
#include <fmt/format.h>

#include "make/rules.h"

namespace nacre::make {

namespace {

// Explicit rules as a graph: from a target to what it needs. Names are numbered.
class Graph {
 public:
  explicit Graph(const Database& database) {
    for (const auto& [name, target] : database.targets) number(name);
    for (const Rule& rule : database.rules) {
      if (rule.is_pattern) continue;
      for (const std::string& target : rule.targets) {
        if (target.starts_with('.') && target.find('/') == std::string::npos) continue;
        add(database, rule, target, rule.prerequisites);
        add(database, rule, target, rule.order_only);
      }
    }
  }

  struct Edge {
    size_t to;
    const Rule* rule;
  };
  [[nodiscard]] const std::vector<Edge>& needs(size_t node) const { return edges_[node]; }
  [[nodiscard]] size_t size() const { return edges_.size(); }
  [[nodiscard]] const std::string& name(size_t node) const { return names_[node]; }
  [[nodiscard]] std::optional<size_t> find(std::string_view name) const {
    const auto found = numbers_.find(name);
    return found == numbers_.end() ? std::nullopt : std::optional(found->second);
  }

  // What `from` needs, directly or not.
  [[nodiscard]] std::vector<bool> reachable(size_t from) const {
    std::vector<bool> seen(size(), false);
    std::vector<size_t> work = {from};
    while (!work.empty()) {
      const size_t node = work.back();
      work.pop_back();
      for (const Edge& edge : needs(node)) {
        if (seen[edge.to]) continue;
        seen[edge.to] = true;
        work.push_back(edge.to);
      }
    }
    return seen;
  }

 private:
  size_t number(const std::string& name) {
    const auto [at, is_new] = numbers_.emplace(name, names_.size());
    if (is_new) {
      names_.push_back(name);
      edges_.emplace_back();
    }
    return at->second;
  }
  void add(const Database&, const Rule& rule, const std::string& target,
           const std::vector<std::string>& needs) {
    const size_t from = number(target);
    const std::string stem(Pattern(rule.target_pattern).stem_of(target).value_or(""));
    for (const std::string& need : needs) {
      const size_t to = number(rule.target_pattern.empty() ? need : Pattern(need).with_stem(stem));
      edges_[from].push_back({to, &rule});
    }
  }

  std::map<std::string, size_t, std::less<>> numbers_;
  std::vector<std::string> names_;
  std::vector<std::vector<Edge>> edges_;
};

// Depth first without recursion; the path from the start to the node that closes a cycle.
class CycleFinder {
 public:
  CycleFinder(const Graph& graph, const Facts& facts, Findings& findings)
      : graph_(graph), facts_(facts), findings_(findings), state_(graph.size(), kNew) {}

  void run() {
    for (size_t node = 0; node < graph_.size(); node++) {
      if (state_[node] == kNew) walk(node);
    }
  }

 private:
  enum State : uint8_t { kNew, kOpen, kDone };
  struct Step {
    size_t node;
    size_t next = 0;
  };

  void walk(size_t start) {
    std::vector<Step> path = {{start}};
    state_[start] = kOpen;
    while (!path.empty()) {
      Step& top = path.back();
      if (top.next == graph_.needs(top.node).size()) {
        state_[top.node] = kDone;
        path.pop_back();
        continue;
      }
      const Graph::Edge& edge = graph_.needs(top.node)[top.next++];
      if (state_[edge.to] == kOpen) report(path, edge);
      if (state_[edge.to] != kNew) continue;
      state_[edge.to] = kOpen;
      path.push_back({edge.to});
    }
  }

  void report(const std::vector<Step>& path, const Graph::Edge& closing) {
    const Rule& rule = *closing.rule;
    std::string names;
    bool is_open = false;
    for (size_t i = 0; i < path.size(); i++) {
      is_open |= path[i].node == closing.to;
      if (!is_open) continue;
      names += graph_.name(path[i].node) + " <- ";
      // Rules of arms that exclude each other, or names that rest on defaults, make no cycle.
      const Rule& used = *graph_.needs(path[i].node)[path[i].next - 1].rule;
      if (used.is_assumed || used.arm != kAlways) return;
    }
    if (!facts_.is_here(rule.place)) return;
    findings_.add(
        "M105", rule.prerequisites_span.empty() ? rule.place.span : rule.prerequisites_span,
        fmt::format("a cycle: {}{}; make drops this prerequisite", names, graph_.name(closing.to)),
        Confidence::kCertain);
  }

  const Graph& graph_;
  const Facts& facts_;
  Findings& findings_;
  std::vector<State> state_;
};

struct Writer {
  size_t node;
  const RecipeFacts* recipe;
  const PathUse* use;
};

// Directories that `mkdir -p` makes, and files that are only removed, can be shared.
bool is_exclusive(const PathUse& use) {
  if (use.may_be_directory || use.path == "." || use.path.ends_with('/')) return false;
  if (use.kind == PathUse::kRemoved || use.kind == PathUse::kStamped) return false;
  return use.kind != PathUse::kMade || use.fails_if_there;
}

std::map<std::string, std::vector<Writer>> writers_of(const Facts& facts, const Graph& graph) {
  std::map<std::string, std::vector<Writer>> result;
  for (const RecipeFacts& each : facts.recipe_facts) {
    const auto node = graph.find(each.recipe->target);
    const Rule& rule = *each.recipe->rule;
    if (!node || rule.is_assumed || rule.arm != kAlways || !facts.is_here(rule.place)) continue;
    for (size_t i = 0; i < each.lines.size(); i++) {
      for (const PathUse& use : each.lines[i].uses) {
        if (is_known(use.path) && is_exclusive(use))
          result[use.path].push_back({*node, &each, &use});
      }
    }
  }
  return result;
}

bool runs_in_order(const Facts& facts, const Graph& graph, size_t a, size_t b) {
  return facts.database->has_special(".NOTPARALLEL") || graph.reachable(a)[b] ||
         graph.reachable(b)[a];
}

// Some target needs both: one make runs them both.
bool runs_together(const Graph& graph, size_t a, size_t b) {
  for (size_t node = 0; node < graph.size(); node++) {
    if (node == a || node == b || graph.needs(node).empty()) continue;
    const auto seen = graph.reachable(node);
    if (seen[a] && seen[b]) return true;
  }
  return false;
}

constexpr size_t kMaxNodes = 3000;  // beyond it the questions about pairs are not asked

}  // namespace

// a: b              -> M105         a: b                        -> nothing
// b: a                              b: c
void report_cycles(const Facts& facts, const Demands&, Findings& findings) {
  const Graph graph(*facts.database);
  CycleFinder(graph, facts, findings).run();
}

// all: a b          -> M108         all: a b                    -> nothing
// a: ; echo a >> log                a: ; echo a >> log
// b: ; echo b >> log                b: a ; echo b >> log
void report_unordered_writers(const Facts& facts, const Demands&, Findings& findings) {
  const Graph graph(*facts.database);
  if (graph.size() > kMaxNodes) return;
  for (const auto& [path, writers] : writers_of(facts, graph)) {
    for (size_t i = 1; i < writers.size(); i++) {
      const Writer &first = writers[0], &second = writers[i];
      if (first.node == second.node || runs_in_order(facts, graph, first.node, second.node))
        continue;
      if (!runs_together(graph, first.node, second.node)) continue;
      Diagnostic& found = findings.add(
          "M108", second.use->span,
          fmt::format(
              "'{}' and '{}' both write '{}', and nothing orders them: with -j they run at the "
              "same time",
              graph.name(first.node), graph.name(second.node), path));
      found.notes.push_back({facts.file, first.use->span, "the other one writes it here"});
      break;
    }
  }
}

}  // namespace nacre::make
