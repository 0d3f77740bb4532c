// `nacre type`: the type of a command line, or of a place in a script.
#include <algorithm>
#include <charconv>
#include <fmt/format.h>

#include "cli/declare.h"
#include "cli/output.h"
#include "cli/read_operand.h"
#include "cli/verb.h"
#include "project/types.h"
#include "regular/parse_type.h"
#include "shell/parse.h"

namespace nacre::cli {

namespace {

constexpr Option kOptions[] = {
    {"input", 'i', "TYPE", "type of the input of the command line or script"},
    {"declare", '\0', "", "write a card: nacre type --declare 'COMMAND ARGS' '[IN -> ]OUT'"},
    {"shell", 's', "sh|dash|bash|ksh|busybox",
     "shell dialect (default: bash for a command line, its own for a script)"},
};

constexpr std::string_view kDescription =
    "Prints the input and output types (docs/types.md) of each stage of a command line, or the\n"
    "types at a place in a script or Python program. --declare writes a card for a command that "
    "has none, into\n"
    ".nacre/commands of this directory or one above it. Nothing is executed.\n\n"
    "  nacre type \"ls -l | awk '{print \\$5}'\"\n"
    "  nacre type 'cut -d: -f2 | sort -n' --input '[a-z]+:[0-9]+'\n"
    "  nacre type deploy.sh:12\n"
    "  nacre type --declare 'users --ids' '[0-9]+'";

constexpr uint64_t kMaxBytes = 16u << 20;

int usage_error(std::string_view message) { return complain("type", message); }

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

// `deploy.sh`, `bin/deploy`: unlikely to be a command line of one word and a number.
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
  const auto exists = [](std::string_view path) {
    return host_files().kind(std::string(path)) != FileKind::kMissing;
  };
  if (exists(text)) return Place{std::string(text), *last, 0};
  const std::string without_last(text);
  const auto line = take_number(text);
  if (line && (exists(text) || is_like_file(text))) return Place{std::string(text), *line, *last};
  if (is_like_file(without_last)) return Place{without_last, *last, 0};
  return std::nullopt;
}

std::string type_text(const project::TypeAt& type) {
  if (type.is_variable) return type.output();
  const std::string input = type.input();
  return fmt::format("{} -> {}", input.empty() ? "()" : input, type.output());
}

void print_type(const SourceFile& file, const project::TypeAt& type) {
  std::string text(file.text(type.span));
  std::replace(text.begin(), text.end(), '\n', ' ');
  print_text(fmt::format("{} : {}\n", text, type_text(type)));
}

int show_place(const Place& place, const project::Settings& settings, const std::string& input) {
  const auto file = read_operand(place.file, place.file, kMaxBytes);
  if (!file)
    return complain("type", fmt::format("{}: {}", place.file, file.error().message), kUnfinished);
  if (place.line < 1 || place.line > file->line_count())
    return usage_error(fmt::format("{} has only {} lines", place.file, file->line_count()));
  const Span line = file->line_span(place.line);
  project::Workspace workspace(host_files());
  const auto types = project::types_of(*file, settings, workspace, input);
  const project::TypeAt* innermost = nullptr;
  int shown = 0;
  for (const project::TypeAt& type : types) {
    if (place.column > 0) {
      if (type.span.contains(line.begin + place.column - 1)) innermost = &type;
    } else if (line.begin <= type.span.begin && type.span.begin < line.end && !type.name.empty()) {
      print_type(*file, type);
      shown++;
    }
  }
  if (innermost != nullptr) print_type(*file, *innermost), shown++;
  if (shown == 0) complain("type", "no typed expression at this location");
  return shown > 0 ? kClean : kFindings;
}

// One stage, for any input or for the given one; or each of several.
void print_stages(const SourceFile& file, const std::vector<project::TypeAt>& types,
                  bool is_for_any_input) {
  const bool is_single = std::count_if(types.begin(), types.end(), [](const auto& type) {
                           return !type.is_variable && !type.name.empty();
                         }) == 1;
  for (const project::TypeAt& type : types) {
    if (type.is_variable || type.name.empty()) continue;
    if (is_single && is_for_any_input && !type.polymorphic().empty())
      fmt::print("{}\n", type.polymorphic());
    else if (is_single)
      fmt::print("{}\n", type_text(type));
    else
      print_type(file, type);
  }
}

int show_command_line(const std::string& text, project::Settings settings,
                      const std::string& input) {
  const SourceFile file("command line", text + "\n");
  if (settings.shell.empty()) settings.shell = "bash";
  const auto parsed = shell::parse_file(file, *shell::dialect_named(settings.shell));
  if (!parsed.is_valid()) {
    return usage_error(parsed.diagnostics.empty() ? "not a valid command line"
                                                  : parsed.diagnostics[0].message);
  }
  project::Workspace workspace(host_files());
  print_stages(file, project::types_of(file, settings, workspace, input), input.empty());
  return kClean;
}

int run_type(const Arguments& arguments) {
  const auto& operands = arguments.operands();
  if (arguments.has("declare")) {
    if (operands.size() != 2) return usage_error("--declare needs a command line and a type");
    return declare_type(operands[0], operands[1]);
  }
  if (operands.size() != 1) return usage_error("expected one command line in quotes, or FILE:LINE");
  const std::string input = arguments.value("input");
  regular::Context context;
  if (const auto type = regular::parse_type(context, input); !type)
    return usage_error(fmt::format("--input is not a type: {}", type.error().message));
  project::Settings settings;
  settings.shell = arguments.value("shell");
  if (const auto place = place_of(operands[0])) return show_place(*place, settings, input);
  return show_command_line(operands[0], settings, input);
}

constexpr Verb kVerb = {.name = "type",
                        .summary = "print the type of a command line or a place in a script",
                        .operands = "COMMAND|FILE:LINE[:COLUMN]",
                        .description = kDescription,
                        .options = kOptions,
                        .run = run_type};

}  // namespace

const Verb& type_verb() { return kVerb; }

}  // namespace nacre::cli
