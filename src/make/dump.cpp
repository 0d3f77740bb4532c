#include "make/dump.h"

#include <fmt/format.h>

namespace nacre::make {

namespace {

std::string shown(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == kHole) {
      out += "<?>";
    } else {
      out += c;
    }
  }
  return out;
}

void add_variable(std::string& out, const std::string& name, const Variable& variable) {
  const std::string value = shown(variable.value);
  if (variable.is_assumed) out += "# assumed\n";
  if (value.find('\n') != std::string::npos) {
    out +=
        fmt::format("define {} {}\n{}\nendef\n", name, variable.is_recursive ? "=" : ":=", value);
  } else {
    out += fmt::format("{} {} {}\n", name, variable.is_recursive ? "=" : ":=", value);
  }
}

void add_rule(std::string& out, const Rule& rule) {
  if (rule.is_assumed || rule.arm != kAlways) out += "# assumed\n";
  std::string targets = join_words(rule.targets);
  if (rule.has_unknown_targets) targets += targets.empty() ? "<?>" : " <?>";
  out += targets + (rule.is_grouped ? " &" : "") + (rule.is_double_colon ? "::" : ":");
  if (!rule.target_pattern.empty()) out += " " + rule.target_pattern + ":";
  for (const std::string& name : rule.prerequisites) out += " " + name;
  if (rule.has_unknown_prerequisites) out += " <?>";
  if (!rule.order_only.empty()) out += " | " + join_words(rule.order_only);
  out += '\n';
  for (const RecipeLine& line : rule.recipe) out += "\t" + shown(line.text) + "\n";
  out += '\n';
}

}  // namespace

std::string dump(const Database& database) {
  std::string out = "# Variables\n";
  for (const auto& [name, variable] : database.variables) {
    if (variable.origin == Origin::kDefault || variable.origin == Origin::kEnvironment) continue;
    add_variable(out, name, variable);
  }
  for (const TargetVariable& each : database.target_variables) {
    out += fmt::format("{}: {} {} {}\n", each.target, each.name,
                       each.variable.appends        ? "+="
                       : each.variable.is_recursive ? "="
                                                    : ":=",
                       shown(each.variable.value));
  }
  out += "\n# Rules\n";
  for (const Rule& rule : database.rules) add_rule(out, rule);
  if (!database.default_goal.empty()) out += "# Default goal: " + database.default_goal + "\n";
  return out;
}

}  // namespace nacre::make
