#include "remake/graph.h"

#include <algorithm>
#include <map>

namespace nacre::remake {

namespace {

using make::Database;
using make::Pattern;
using make::Rule;

// Compiling and linking C and C++, and shell scripts.
constexpr std::string_view kBuiltinText =
    "%.o: %.c\n\t$(CC) $(CFLAGS) $(CPPFLAGS) -c -o $@ $<\n"
    "%.o: %.cc\n\t$(CXX) $(CXXFLAGS) $(CPPFLAGS) -c -o $@ $<\n"
    "%.o: %.cpp\n\t$(CXX) $(CXXFLAGS) $(CPPFLAGS) -c -o $@ $<\n"
    "%: %.o\n\t$(CC) $(LDFLAGS) $^ $(LDLIBS) -o $@\n"
    "%: %.c\n\t$(CC) $(CFLAGS) $(CPPFLAGS) $(LDFLAGS) $^ $(LDLIBS) -o $@\n"
    "%: %.cc\n\t$(CXX) $(CXXFLAGS) $(CPPFLAGS) $(LDFLAGS) $^ $(LDLIBS) -o $@\n"
    "%: %.cpp\n\t$(CXX) $(CXXFLAGS) $(CPPFLAGS) $(LDFLAGS) $^ $(LDLIBS) -o $@\n"
    "%: %.sh\n\tcat $< > $@\n\tchmod a+x $@\n";

constexpr int kMaxChain = 3;  // of implicit rules

struct Implicit {
  const Rule* rule = nullptr;
  std::string stem;
};

// A pattern without a slash matches the name in any directory; the stem gets that directory.
std::optional<std::string> match(const std::string& pattern, const std::string& name) {
  const Pattern parsed(pattern);
  if (const auto stem = parsed.stem_of(name); stem && !stem->empty()) return std::string(*stem);
  if (pattern.find('/') != std::string::npos) return std::nullopt;
  const size_t slash = name.rfind('/');
  if (slash == std::string::npos) return std::nullopt;
  const auto stem = parsed.stem_of(std::string_view(name).substr(slash + 1));
  if (!stem || stem->empty()) return std::nullopt;
  return name.substr(0, slash + 1) + std::string(*stem);
}

// `.c.o` as a pattern: target suffix and source suffix.
std::pair<std::string, std::string> suffixes_of(const Rule& rule) {
  const std::string& name = rule.targets[0];
  const size_t second = name.find('.', 1);
  if (second == std::string::npos) return {"%", "%" + name};
  return {"%" + name.substr(second), "%" + name.substr(0, second)};
}

class GraphMaker {
 public:
  GraphMaker(const Database& database, const Database& builtin, make::TargetExpander& expander,
             const FileExists& exists)
      : database_(database), builtin_(builtin), expander_(expander), exists_(exists) {}

  Graph make(const std::vector<std::string>& goals) {
    for (const std::string& goal : goals) visit(goal, "");
    return std::move(graph_);
  }

 private:
  static constexpr size_t kOpen = ~size_t{0};

  std::optional<size_t> visit(const std::string& name, const std::string& asked_by) {
    const auto [at, is_new] = numbers_.emplace(name, kOpen);
    if (!is_new) {
      if (at->second != kOpen) return at->second;
      graph_.dropped.push_back(asked_by + " <- " + name);
      return std::nullopt;
    }
    Node node;
    node.name = name;
    std::vector<std::string> normal, order_only;
    add_explicit(node, normal, order_only);
    if (node.rule == nullptr && !node.is_phony) add_implicit(node, normal, order_only);
    for (const std::string& need : normal) {
      if (const auto number = visit(need, name)) node.needs.push_back(*number);
    }
    for (const std::string& need : order_only) {
      if (const auto number = visit(need, name)) node.order_only.push_back(*number);
    }
    graph_.nodes.push_back(std::move(node));
    numbers_[name] = graph_.nodes.size() - 1;
    return graph_.nodes.size() - 1;
  }

  void add_needs(const Rule& rule, const std::string& name, const std::string& stem,
                 std::vector<std::string>& normal, std::vector<std::string>& order_only) {
    const bool has_pattern = rule.is_pattern || !rule.target_pattern.empty();
    const auto named = [&](const std::string& each) {
      return has_pattern ? Pattern(each).with_stem(stem) : each;
    };
    for (const std::string& each : rule.prerequisites) normal.push_back(named(each));
    for (const std::string& each : rule.order_only) order_only.push_back(named(each));
    if (rule.second_expansion.empty()) return;
    const make::VariableMap scope = expander_.scope_of(rule, name, stem);
    const std::string list = expander_.expand(rule.second_expansion, scope).bytes;
    const size_t bar = list.find('|');
    for (std::string& each : make::file_names(list.substr(0, bar))) normal.push_back(named(each));
    if (bar == std::string::npos) return;
    for (std::string& each : make::file_names(list.substr(bar + 1)))
      order_only.push_back(named(each));
  }

  void add_explicit(Node& node, std::vector<std::string>& normal,
                    std::vector<std::string>& order_only) {
    const auto found = database_.targets.find(node.name);
    if (found == database_.targets.end()) return;
    node.is_phony = found->second.is_phony;
    node.is_target = true;
    // The recipe's own prerequisites come first.
    for (size_t index : found->second.rules) {
      const Rule& rule = database_.rules[index];
      if (rule.has_recipe) node.rule = &rule;
      if (rule.has_recipe && rule.is_double_colon) node.double_rules.push_back(&rule);
    }
    if (node.rule != nullptr && !node.rule->target_pattern.empty()) {
      node.stem = Pattern(node.rule->target_pattern).stem_of(node.name).value_or("");
    }
    if (node.rule != nullptr) add_needs(*node.rule, node.name, node.stem, normal, order_only);
    for (size_t index : found->second.rules) {
      const Rule& rule = database_.rules[index];
      if (&rule != node.rule) add_needs(rule, node.name, node.stem, normal, order_only);
    }
  }

  void add_implicit(Node& node, std::vector<std::string>& normal,
                    std::vector<std::string>& order_only) {
    const Implicit found = find_implicit(node.name, 0);
    if (found.rule == nullptr) return;
    node.rule = found.rule;
    node.stem = found.stem;
    std::vector<std::string> own, own_order;
    if (found.rule->is_suffix) {
      own.push_back(Pattern(suffixes_of(*found.rule).second).with_stem(found.stem));
    } else {
      add_needs(*found.rule, node.name, found.stem, own, own_order);
    }
    normal.insert(normal.begin(), own.begin(), own.end());
    order_only.insert(order_only.begin(), own_order.begin(), own_order.end());
  }

  [[nodiscard]] bool can_exist(const std::string& name, int depth) {
    if (exists_(name) || database_.targets.contains(name)) return true;
    return depth < kMaxChain && find_implicit(name, depth + 1).rule != nullptr;
  }

  // Rules whose prerequisites are there win over those that need a chain.
  Implicit find_implicit(const std::string& name, int depth) {
    for (const Database* from : {&database_, &builtin_}) {
      for (const Rule& rule : from->rules) {
        if ((!rule.is_pattern && !rule.is_suffix) || !rule.has_recipe) continue;
        if (auto stem = applies(rule, name, depth)) return {&rule, *stem};
      }
    }
    return {};
  }

  std::optional<std::string> applies(const Rule& rule, const std::string& name, int depth) {
    if (rule.is_suffix) {
      const auto [target, source] = suffixes_of(rule);
      const auto stem = match(target, name);
      const bool fits = stem && can_exist(Pattern(source).with_stem(*stem), kMaxChain);
      return fits ? stem : std::nullopt;
    }
    for (const std::string& target : rule.targets) {
      const auto stem = match(target, name);
      if (!stem) continue;
      // `%` alone matches everything: it begins no chain.
      const int limit = target == "%" ? kMaxChain : depth;
      const bool fits = std::all_of(rule.prerequisites.begin(), rule.prerequisites.end(),
                                    [&](const std::string& each) {
                                      return can_exist(Pattern(each).with_stem(*stem), limit);
                                    });
      if (fits) return stem;
    }
    return std::nullopt;
  }

  const Database& database_;
  const Database& builtin_;
  make::TargetExpander& expander_;
  const FileExists& exists_;
  Graph graph_;
  std::map<std::string, size_t> numbers_;
};

}  // namespace

Graph make_graph(const Database& database, const Database& builtin, make::TargetExpander& expander,
                 const FileExists& exists, const std::vector<std::string>& goals) {
  return GraphMaker(database, builtin, expander, exists).make(goals);
}

const Database& builtin_rules() {
  static const Database kDatabase =
      make::read_makefile(SourceFile("built-in rules", std::string(kBuiltinText)), {});
  return kDatabase;
}

}  // namespace nacre::remake
