#include <algorithm>
#include <fmt/format.h>

#include "base/codes.h"
#include "make/makefile_reader.h"

namespace nacre::make {

void MakefileReader::read_if(const Source& source, const Statement& statement) {
  Conditional level;
  level.place = source.place(statement.span);
  level.outer = arm_;
  if (is_ignoring()) {
    level.state = Conditional::kSkipped;
    conditionals_.push_back(std::move(level));
    return;
  }
  const auto truth = truth_of(source, statement);
  if (!truth) {
    level.is_choice = true;
    level.choice = ++choices_;
    level.open_before = open_.rules;
    variables_.begin_arms();
    enter_arm(level);
  } else {
    level.state = *truth ? Conditional::kTaken : Conditional::kNotYet;
  }
  conditionals_.push_back(std::move(level));
}

void MakefileReader::enter_arm(const Conditional& level) {
  database_.arms.push_back({level.outer, level.choice});
  arm_ = ArmId{as_offset(database_.arms.size() - 1)};
}

void MakefileReader::leave_arm(Conditional& level) {
  variables_.end_arm();
  for (size_t rule : open_.rules) {
    if (std::find(level.open_after.begin(), level.open_after.end(), rule) ==
        level.open_after.end()) {
      level.open_after.push_back(rule);
    }
  }
  open_.rules = level.open_before;
  arm_ = level.outer;
}

void MakefileReader::read_else(const Source& source, const Statement& statement) {
  const Place place = source.place(statement.span);
  if (conditionals_.empty())
    return report("M003", place, "`else` without a conditional: make stops here");
  if (conditionals_.back().has_else) {
    return report("M003", place, "a second `else` in one conditional: make stops here");
  }
  const std::string_view word = source.of(statement.keyword);
  const bool is_plain = word == "else";
  Conditional& level = conditionals_.back();
  level.has_else = is_plain;
  if (level.state == Conditional::kSkipped) return;
  const bool was_taken = level.state == Conditional::kTaken;
  if (was_taken && level.is_choice) leave_arm(level);
  if ((was_taken && !level.is_choice) || level.is_complete) {
    level.state = Conditional::kDone;
    return;
  }
  if (level.state == Conditional::kDone) return;
  // What stands in the condition is looked at outside of the arm before it.
  level.state = Conditional::kTaken;
  const auto truth = is_plain ? std::optional(true) : truth_of(source, statement);
  if (truth && !*truth) {
    level.state = Conditional::kNotYet;
  } else if (!truth && !level.is_choice) {
    level.is_choice = true;
    level.choice = ++choices_;
    level.open_before = open_.rules;
    variables_.begin_arms();
    enter_arm(level);
  } else if (level.is_choice) {
    level.is_complete = truth.has_value();
    enter_arm(level);
  }
}

void MakefileReader::read_endif(const Source& source, const Statement& statement) {
  if (conditionals_.empty()) {
    return report("M003", source.place(statement.span),
                  "`endif` without a conditional: make stops here");
  }
  close_conditional();
}

void MakefileReader::close_conditional() {
  Conditional& level = conditionals_.back();
  if (level.is_choice) {
    if (level.state == Conditional::kTaken) leave_arm(level);
    variables_.join_arms(level.is_complete);
    if (!level.is_complete || level.open_after.empty()) {
      level.open_after.insert(level.open_after.end(), level.open_before.begin(),
                              level.open_before.end());
    }
    std::sort(level.open_after.begin(), level.open_after.end());
    level.open_after.erase(std::unique(level.open_after.begin(), level.open_after.end()),
                           level.open_after.end());
    open_.rules = level.open_after;
  }
  conditionals_.pop_back();
}

std::optional<bool> MakefileReader::truth_of(const Source& source, const Statement& statement) {
  const std::string_view word = source.of(statement.keyword);
  const std::string text = unquote(collapse_lines(source.of(statement.value)), "#", true);
  if (word == "ifdef" || word == "ifndef") {
    const Text name = expander_.expand(text);
    const auto names = words_of(name.bytes);
    if (!is_known(name.bytes) || name.is_assumed) return std::nullopt;
    if (names.size() > 1) return bad_condition(source, statement);
    const Variable* variable = names.empty() ? nullptr : variables_.find(names[0]);
    if (variable == nullptr && !names.empty() && !options_.environment) return std::nullopt;
    if (variable != nullptr && (variable->is_assumed || !is_known(variable->value))) {
      return std::nullopt;
    }
    const bool is_defined = variable != nullptr && !variable->value.empty();
    return is_defined == (word == "ifdef");
  }
  const auto sides = split_condition(text);
  if (!sides) return bad_condition(source, statement);
  const Text left = expander_.expand(sides->first), right = expander_.expand(sides->second);
  if (left.is_assumed || right.is_assumed) return std::nullopt;
  if (!is_known(left.bytes) || !is_known(right.bytes)) return std::nullopt;
  return (left.bytes == right.bytes) == (word == "ifeq");
}

std::optional<bool> MakefileReader::bad_condition(const Source& source,
                                                  const Statement& statement) {
  report(
      "M003", source.place(statement.span),
      fmt::format("`{}` cannot be read: it needs (a,b), \"a\" \"b\" or one name; make stops here",
                  source.of(statement.keyword)));
  return std::nullopt;
}

std::optional<std::pair<std::string, std::string>> MakefileReader::split_condition(
    std::string_view text) {
  if (text.empty()) return std::nullopt;
  if (text[0] == '(') return split_parenthesised(text.substr(1));
  if (text[0] != '"' && text[0] != '\'') return std::nullopt;
  const size_t first = text.find(text[0], 1);
  if (first == std::string_view::npos) return std::nullopt;
  const std::string_view rest = skip_space(text.substr(first + 1));
  if (rest.empty() || (rest[0] != '"' && rest[0] != '\'')) return std::nullopt;
  const size_t second = rest.find(rest[0], 1);
  if (second == std::string_view::npos) return std::nullopt;
  return std::pair(std::string(text.substr(1, first - 1)), std::string(rest.substr(1, second - 1)));
}

std::optional<std::pair<std::string, std::string>> MakefileReader::split_parenthesised(
    std::string_view text) {
  int depth = 0;
  size_t comma = 0;
  for (; comma < text.size(); comma++) {
    if (text[comma] == '(') depth++;
    if (text[comma] == ')') depth--;
    if (text[comma] == ',' && depth <= 0) break;
  }
  if (comma >= text.size()) return std::nullopt;
  std::string_view left = text.substr(0, comma);
  while (!left.empty() && is_blank(left.back())) left.remove_suffix(1);
  const std::string_view rest = skip_space(text.substr(comma + 1));
  depth = 0;
  for (size_t at = 0; at < rest.size(); at++) {
    if (rest[at] == '(') depth++;
    if (rest[at] == ')' && depth-- <= 0) {
      return std::pair(std::string(left), std::string(rest.substr(0, at)));
    }
  }
  return std::nullopt;
}

}  // namespace nacre::make
