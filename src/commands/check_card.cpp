#include "commands/check_card.h"

#include <algorithm>
#include <fmt/format.h>

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

std::string choice_mistake(std::string_view value,
                           std::initializer_list<std::string_view> choices) {
  if (std::find(choices.begin(), choices.end(), value) != choices.end()) return "";
  return fmt::format("'{}' is not one of {}", value, fmt::join(choices, ", "));
}

// Keys about image builds hold lists of words: options, patterns of operands, paths.
bool is_of_builds(std::string_view key) {
  constexpr std::string_view kKeys[] = {
      "takes",      "confirm",  "pins",      "caches",   "archives", "cleans",   "uncached",
      "recommends", "progress", "pointless", "unstable", "calls",    "hadolint", "notices"};
  return std::find(std::begin(kKeys), std::end(kKeys), key) != std::end(kKeys);
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

std::string property_mistake(const Property& property) {
  const std::string_view key = property.key;
  const std::string_view value = property.value;
  if (key == "does") return program_mistake(value);
  if (key == "acts") return script_mistake(value);
  if (key == "letter") return letter_mistake(value);
  if (key == "reads") return choice_mistake(value, {"input", "operands", "nothing", "maybe"});
  if (key == "order")
    return choice_mistake(value, {"ignored", "distinct", "reversed", "shuffled", "drawn", "open",
                                  "compared", "none"});
  if (key == "nul") return choice_mistake(value, {"input", "output", "both"});
  if (key == "ends") return choice_mistake(value, {"early"});
  if (key == "fetches") return choice_mistake(value, {"output"});
  if (key == "quotes") return choice_mistake(value, {"output"});
  if (key == "interprets") return choice_mistake(value, {"input"});
  if (key == "beyond") return choice_mistake(value, {"model"});
  if (key == "keeps") return choice_mistake(value, {"input"});
  if (key == "columns") return choice_mistake(value, {"aligned"});
  if (key == "counts") return choice_mistake(value, {"lines"});
  if (key == "removes")
    return choice_mistake(value, {"all files", "all tree", "all moved", "sources moved",
                                  "paths tree", "paths chosen", "last tree"});
  if (key == "makes") return choice_mistake(value, {"file", "directory", "nothing"});
  if (key == "asks") return choice_mistake(value, {"command"});
  if (key == "answers")
    return value.find_first_not_of("0123456789") == value.npos ? ""
                                                               : "'answers' needs an exit status";
  if (key == "json") {
    Context context;
    return jq::parse_shape(context, value) ? "" : "this is not the shape of JSON values";
  }
  if (key == "fails") return choice_mistake(value, {"asked"});
  if (key == "headings") return choice_mistake(value, {"none"});
  if (key == "ending") return choice_mistake(value, {"crlf", "none"});
  if (key == "rows" || key == "choose" || key == "template" || key == "missing") return "";
  if (key == "errors" && value == "progress") return "";
  if (key == "header" && value == "{out}") return "";
  if (is_of_builds(key)) return value.empty() ? fmt::format("'{}' has no value", key) : "";
  if (key != "lines") return type_mistake(value);
  return is_line_count(value) ? ""
                              : fmt::format("'{}' is not a number of lines: 1, 0..1, 2..", value);
}

}  // namespace

std::optional<CardMistake> find_mistake(const Card& card) {
  if (!card.model.empty() && find_model(card.model) == nullptr)
    return CardMistake{1, fmt::format("there is no model '{}'", card.model)};
  for (const Property& property : card.properties) {
    std::string message =
        property.key == "rows" ? rows_mistake(card, property.value) : property_mistake(property);
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
