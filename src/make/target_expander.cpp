// Values in recipes: the automatic variables and those of the target come before the global ones.
#include <algorithm>

#include "make/read.h"

namespace nacre::make {

namespace {

struct Prerequisites {
  std::vector<std::string> normal, order_only;
  bool is_unknown = false;
};

// Of all rules for the target: those of the rule with the recipe stand first.
Prerequisites prerequisites_of(const Database& database, const Rule& rule, std::string_view target,
                               std::string_view stem) {
  Prerequisites result;
  const auto add = [&](const Rule& from) {
    const bool is_pattern = from.is_pattern || !from.target_pattern.empty();
    const auto named = [&](const std::string& name) {
      return is_pattern ? Pattern(name).with_stem(stem) : name;
    };
    for (const std::string& name : from.prerequisites) result.normal.push_back(named(name));
    for (const std::string& name : from.order_only) result.order_only.push_back(named(name));
    result.is_unknown |= from.has_unknown_prerequisites || from.is_assumed || from.arm != kAlways;
  };
  add(rule);
  const auto found = database.targets.find(target);
  if (found == database.targets.end() || rule.is_double_colon) return result;
  for (size_t index : found->second.rules) {
    if (&database.rules[index] != &rule) add(database.rules[index]);
  }
  return result;
}

std::vector<std::string> unique_names(const std::vector<std::string>& names) {
  std::vector<std::string> kept;
  for (const std::string& name : names) {
    if (std::find(kept.begin(), kept.end(), name) == kept.end()) kept.push_back(name);
  }
  return kept;
}

// `$@`, `$(@D)` and `$(@F)`.
void add_automatic(VariableMap& scope, const std::string& name, const std::string& value,
                   bool is_assumed) {
  std::vector<std::string> directories, files;
  for (std::string_view word : words_of(value)) {
    std::string directory = directory_part(word);
    if (directory.size() > 1) directory.pop_back();
    directories.push_back(is_known(word) ? directory : std::string(1, kHole));
    files.emplace_back(is_known(word) ? file_part(word) : std::string_view(&kHole, 1));
  }
  const auto made = [&](std::string text) {
    return Variable{.value = std::move(text),
                    .is_recursive = false,
                    .is_assumed = is_assumed,
                    .origin = Origin::kAutomatic};
  };
  scope[name] = made(value);
  scope[name + "D"] = made(join_words(directories));
  scope[name + "F"] = made(join_words(files));
}

bool matches(const TargetVariable& each, std::string_view target) {
  const Pattern pattern(each.target);
  return pattern.stem_of(target).has_value();
}

ExpandHooks recipe_hooks(const ReadOptions& options, const TargetExpander::ProblemSink& sink) {
  const bool is_open = !options.environment;
  return {.undefined =
              [is_open](std::string_view) {
                return Text{"", is_open};
              },
          .eval = [](const Text&) {},
          .problem =
              [&sink](std::string_view code, std::string message) {
                if (sink) sink(code, std::move(message));
              },
          .stop = [](std::string_view) {},
          .shell = options.shell,
          .wildcard = options.wildcard};
}

}  // namespace

TargetExpander::TargetExpander(const Database& database, const ReadOptions& options)
    : database_(database), expander_(variables_, recipe_hooks(options, sink_), options.limits) {
  for (const auto& [name, variable] : database.variables) variables_.set(name, variable);
}

VariableMap TargetExpander::scope_of(const Rule& rule, std::string_view target,
                                     std::string_view stem) const {
  VariableMap scope;
  for (const TargetVariable& each : database_.target_variables) {
    const Variable* outer = variables_.find(each.name);
    Variable& variable =
        scope.try_emplace(each.name, outer != nullptr ? *outer : Variable{.value = ""})
            .first->second;
    // A target's variables hold for what it needs, too: who asked is not known.
    if (!matches(each, target)) {
      variable.is_assumed = true;
    } else if (each.variable.appends) {
      if (!variable.value.empty()) variable.value += ' ';
      variable.value += each.variable.value;
    } else {
      variable = each.variable;
    }
  }
  const std::string hole(1, kHole);
  const bool is_pattern =
      rule.is_suffix || (rule.is_pattern && (target.empty() || Pattern(target).has_percent));
  const Prerequisites needs = prerequisites_of(database_, rule, target, stem);
  const bool is_unknown = is_pattern || needs.is_unknown;
  const auto list = [&](const std::vector<std::string>& names) {
    return is_unknown ? hole : join_words(names);
  };
  add_automatic(scope, "@", is_pattern || target.empty() ? hole : std::string(target),
                rule.is_assumed);
  add_automatic(scope, "*", stem.empty() ? hole : std::string(stem), rule.is_assumed);
  const bool has_first = !is_unknown && !needs.normal.empty();
  add_automatic(scope, "<",
                has_first    ? needs.normal.front()
                : is_unknown ? hole
                             : "",
                rule.is_assumed);
  add_automatic(scope, "^", list(unique_names(needs.normal)), rule.is_assumed);
  add_automatic(scope, "+", list(needs.normal), rule.is_assumed);
  add_automatic(scope, "?", needs.normal.empty() && !is_unknown ? "" : hole, rule.is_assumed);
  add_automatic(scope, "|", list(unique_names(needs.order_only)), rule.is_assumed);
  add_automatic(scope, "%", "", false);
  return scope;
}

Text TargetExpander::expand(std::string_view text, const VariableMap& scope) {
  Expander::Scope hidden(expander_, scope);
  return expander_.expand(text);
}

}  // namespace nacre::make
