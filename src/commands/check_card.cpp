#include "commands/check_card.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/ascii.h"
#include "commands/argument_types.h"
#include "commands/effect.h"
#include "commands/jq_shape.h"
#include "commands/models.h"
#include "commands/rows.h"
#include "regular/parse_type.h"
#include "shell/parse.h"

namespace nacre::commands {

namespace {

std::string type_mistake(std::string_view text) {
  Context context;
  const auto type = regular::parse_type(
      context, text, {.lookup = [](Context& cx, std::string_view name) {
        const bool is_ours = name == "in" || name == "operand";
        return is_ours ? std::optional(cx.epsilon()) : named_argument_type(cx, name);
      }});
  return type ? "" : fmt::format("this is not a type: {}", type.error().message);
}

// `1`, `0..1`, `2..`
bool is_line_count(std::string_view text) {
  const size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const std::string_view rest = text.substr(digits);
  if (digits == 0 || rest.empty()) return digits > 0;
  return rest.starts_with("..") &&
         rest.find_first_not_of("0123456789", 2) == std::string_view::npos;
}

bool is_choice(std::string_view choices, std::string_view value) {
  while (!choices.empty()) {
    const size_t end = std::min(choices.find('|'), choices.size());
    if (choices.substr(0, end) == value) return true;
    choices.remove_prefix(std::min(end + 1, choices.size()));
  }
  return false;
}

std::string program_mistake(std::string_view text) {
  const auto program = parse_effect(text);
  return program ? "" : program.error().message;
}

std::string script_mistake(std::string_view text) {
  const SourceFile file("acts", std::string(text));
  const shell::ParseResult result = shell::parse_file(file, shell::Dialect::kSh);
  if (result.is_valid()) return "";
  return result.diagnostics.empty() ? "this is not a shell script"
                                    : result.diagnostics.front().message;
}

// `-s file P and nonempty P`
std::string letter_mistake(std::string_view text) {
  const size_t blank = std::min(text.find(' '), text.size());
  if (blank != 2 || text[0] != '-') return "'letter' needs a letter and a test";
  const auto test = parse_effect_test(text.substr(blank));
  return test ? "" : test.error().message;
}

std::string shape_mistake(std::string_view text) {
  Context context;
  return jq::parse_shape(context, text) ? "" : "this is not the shape of JSON values";
}

std::string property_mistake(const Card& card, const Property& property) {
  const KeyInfo& key = info_of(property.key);
  const std::string_view value = property.value;
  if (is_choice(key.choices, value)) return "";
  switch (key.value) {
    case ValueKind::kText: return "";
    case ValueKind::kWords: return value.empty() ? fmt::format("'{}' has no value", key.name) : "";
    case ValueKind::kChoice: return fmt::format("'{}' is not one of {}", value, key.choices);
    case ValueKind::kType: return type_mistake(value);
    case ValueKind::kLineCount:
      if (is_line_count(value)) return "";
      return fmt::format("'{}' is not a number of lines: 1, 0..1, 2..", value);
    case ValueKind::kStatus:
      return is_digits(value.substr(0, value.find(" nothing")))
                 ? ""
                 : fmt::format("'{}' needs an exit status", key.name);
    case ValueKind::kRows: return rows_mistake(card, value);
    case ValueKind::kShape: return shape_mistake(value);
    case ValueKind::kProgram: return program_mistake(value);
    case ValueKind::kScript: return script_mistake(value);
    case ValueKind::kLetter: return letter_mistake(value);
  }
  return "";
}

}  // namespace

std::optional<CardMistake> find_mistake(const Card& card) {
  if (!card.model.empty() && find_model(card.model) == nullptr)
    return CardMistake{1, fmt::format("there is no model '{}'", card.model)};
  for (const Property& property : card.properties) {
    std::string message = property_mistake(card, property);
    if (!message.empty()) return CardMistake{property.line, std::move(message)};
  }
  for (const ArgumentType& type : card.types) {
    std::string message = type_mistake(type.type);
    if (!message.empty()) return CardMistake{type.line, std::move(message)};
  }
  for (const ColumnSpec& column : card.columns) {
    std::string message = type_mistake(column.type);
    if (message.empty() && !column.rare.empty()) message = type_mistake(column.rare);
    if (!message.empty()) return CardMistake{column.line, std::move(message)};
  }
  for (const LineSpec& line : card.lines) {
    std::string message = type_mistake(line.property.value);
    if (!message.empty()) return CardMistake{line.property.line, std::move(message)};
  }
  for (const Card& sub : card.subcommands) {
    if (auto mistake = find_mistake(sub)) return mistake;
  }
  return std::nullopt;
}

}  // namespace nacre::commands
