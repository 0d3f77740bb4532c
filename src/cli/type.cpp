// `nacre type`: the type of a command line, or of a place in a script.
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fmt/format.h>

#include "base/read_source.h"
#include "cli/declare.h"
#include "cli/verb.h"
#include "project/analyse.h"
#include "regular/parse_type.h"
#include "shell/parse.h"

namespace nacre::cli {

namespace {

constexpr Option kOptions[] = {
    {"input", 'i', "TYPE", "what the command line or the script reads"},
    {"declare", '\0', "", "write a card: nacre type --declare 'COMMAND ARGS' '[IN -> ]OUT'"},
    {"shell", 's', "sh|dash|bash|ksh|busybox",
     "read it as this shell does (a command line: bash; a script: its own)"},
};

constexpr std::string_view kDescription =
    "Prints what a command line reads and prints, stage by stage, as types (docs/types.md), or "
    "the\n"
    "types at a place of a script. --declare describes a command that has no card in\n"
    ".nacre/commands, here or above. Nothing is executed.\n\n"
    "  nacre type \"ls -l | awk '{print \\$5}'\"\n"
    "  nacre type 'cut -d: -f2 | sort -n' --input '[a-z]+:[0-9]+'\n"
    "  nacre type deploy.sh:12\n"
    "  nacre type --declare 'users --ids' '[0-9]+'";

constexpr uint64_t kMostBytes = 16u << 20;

int usage_error(std::string_view message) {
  fmt::print(stderr, "nacre type: {}\n", message);
  return kUsage;
}

struct Place {
  std::string file;
  uint32_t line = 0;
  uint32_t column = 0;  // 0: the whole line
};

std::optional<uint32_t> take_number(std::string_view& text) {
  const size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || colon + 1 == text.size()) return std::nullopt;
  const std::string_view digits = text.substr(colon + 1);
  uint32_t value = 0;
  const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (status != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  text = text.substr(0, colon);
  return value;
}

// `deploy.sh`, `bin/deploy`: what nobody would take for a command line of one word and a number.
bool is_like_file(std::string_view text) {
  return text.find_first_of("./") != std::string_view::npos &&
         text.find_first_of(" \t\n'\"|&;<>()$`\\=") == std::string_view::npos;
}

// FILE:LINE or FILE:LINE:COLUMN of a file that is there, or looks like one that should be; anything
// else is a command line.
std::optional<Place> place_of(const std::string& operand) {
  std::string_view text = operand;
  const auto last = take_number(text);
  if (!last) return std::nullopt;
  std::error_code error;
  if (std::filesystem::exists(std::string(text), error)) return Place{std::string(text), *last, 0};
  const std::string without_last(text);
  const auto line = take_number(text);
  if (line && (std::filesystem::exists(std::string(text), error) || is_like_file(text)))
    return Place{std::string(text), *line, *last};
  if (is_like_file(without_last)) return Place{without_last, *last, 0};
  return std::nullopt;
}

std::string type_text(const flow::TypeAt& type) {
  if (type.is_variable) return type.output;
  return fmt::format("{} -> {}", type.input.empty() ? "()" : type.input, type.output);
}

void print_type(const SourceFile& file, const flow::TypeAt& type) {
  std::string text(file.text(type.span));
  std::replace(text.begin(), text.end(), '\n', ' ');
  fmt::print("{} : {}\n", text, type_text(type));
}

int show_place(const Place& place, const project::Settings& settings,
               const flow::CheckOptions& options) {
  const auto file = read_source(place.file, place.file, kMostBytes);
  if (!file) {
    fmt::print(stderr, "nacre type: {}: {}\n", place.file, file.error().message);
    return kUnfinished;
  }
  if (place.line < 1 || place.line > file->line_count())
    return usage_error(fmt::format("{} has {} lines", place.file, file->line_count()));
  const Span line = file->line_span(place.line);
  const auto types = project::types_of(*file, settings, options);
  const flow::TypeAt* innermost = nullptr;
  int shown = 0;
  for (const flow::TypeAt& type : types) {
    if (place.column > 0) {
      if (type.span.contains(line.begin + place.column - 1)) innermost = &type;
    } else if (line.begin <= type.span.begin && type.span.begin < line.end &&
               (type.is_variable || !type.name.empty())) {
      print_type(*file, type);
      shown++;
    }
  }
  if (innermost != nullptr) print_type(*file, *innermost), shown++;
  if (shown == 0) fmt::print(stderr, "nacre type: nothing there has a type\n");
  return shown > 0 ? kClean : kFindings;
}

// One stage, for any input or for the given one; or each of several.
void print_stages(const SourceFile& file, const std::vector<flow::TypeAt>& types,
                  bool is_for_any_input) {
  const bool is_single = std::count_if(types.begin(), types.end(), [](const auto& type) {
                           return !type.is_variable && !type.name.empty();
                         }) == 1;
  for (const flow::TypeAt& type : types) {
    if (type.is_variable || type.name.empty()) continue;
    if (is_single && is_for_any_input && !type.polymorphic.empty())
      fmt::print("{}\n", type.polymorphic);
    else if (is_single)
      fmt::print("{}\n", type_text(type));
    else
      print_type(file, type);
  }
}

int show_command_line(const std::string& text, project::Settings settings,
                      const flow::CheckOptions& options) {
  const SourceFile file("command line", text + "\n");
  if (settings.shell.empty()) settings.shell = "bash";
  const auto parsed = shell::parse_file(file, *shell::dialect_named(settings.shell));
  if (!parsed.is_valid()) {
    return usage_error(parsed.diagnostics.empty() ? "this is no command line"
                                                  : parsed.diagnostics[0].message);
  }
  print_stages(file, project::types_of(file, settings, options), options.input.empty());
  return kClean;
}

int run_type(const Arguments& arguments) {
  const auto& operands = arguments.operands();
  if (arguments.has("declare")) {
    if (operands.size() != 2) return usage_error("--declare needs a command line and a type");
    return declare_type(operands[0], operands[1]);
  }
  if (operands.size() != 1) return usage_error("give one command line in quotes, or FILE:LINE");
  flow::CheckOptions options;
  options.input = arguments.value("input");
  regular::Context context;
  if (const auto type = regular::parse_type(context, options.input); !type)
    return usage_error(fmt::format("--input is not a type: {}", type.error().message));
  project::Settings settings;
  settings.shell = arguments.value("shell");
  if (const auto place = place_of(operands[0])) return show_place(*place, settings, options);
  return show_command_line(operands[0], settings, options);
}

constexpr Verb kVerb = {.name = "type",
                        .summary = "print the type of a command line or of a place in a script",
                        .operands = "COMMAND|FILE:LINE[:COLUMN]",
                        .description = kDescription,
                        .options = kOptions,
                        .run = run_type};

}  // namespace

const Verb& type_verb() { return kVerb; }

}  // namespace nacre::cli
