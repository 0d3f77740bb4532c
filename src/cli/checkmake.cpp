// `checkmake` as a name of the program: its flags, its formats, its exit status, for the editors
// and scripts that call it. The rules are our own under its names, so what it wrongly reports
// (phony targets over several lines, colons in `define`) stays silent.
#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <map>

#include "base/ascii.h"
#include "cli/output.h"
#include "cli/read_operand.h"
#include "cli/verb.h"
#include "make/check.h"
#include "make/text.h"
#include "project/workspace.h"

namespace nacre::cli {

namespace {

constexpr std::string_view kUsageText =
    "checkmake.\n\n"
    "  Usage:\n"
    "  checkmake [--debug|--config=<configPath>|--format=<format>|--output=<output>] "
    "<makefile>...\n"
    "  checkmake list-rules\n"
    "  checkmake -h | --help\n"
    "  checkmake --version\n\n"
    "  Options:\n"
    "  -h --help              Show this screen.\n"
    "  --version              Show version.\n"
    "  --debug                Accepted; there is nothing to debug\n"
    "  --config=<configPath>  Configuration file to read\n"
    "  --format=<format>      Output format as a Golang text/template template\n"
    "  --output=<output>      text or json\n";

struct KnownRule {
  std::string_view name;
  std::string_view code;
  std::string_view description;
};
constexpr KnownRule kRules[] = {
    {"maxbodylength", "M117", "Target bodies should be kept simple and short."},
    {"minphony", "M118", "Minimum required phony targets must be present"},
    {"phonydeclared", "M101", "Every target without a body needs to be marked PHONY"},
    {"timestampexpanded", "M116", "timestamp variables should be simply expanded"},
    {"uniquetargets", "M106", "Targets should be defined once"},
};

struct Violation {
  std::string rule, message, file;
  int line = 0;
};

// The sections of checkmake.ini that are read: [RULE] key = value.
using Configuration = std::map<std::string, std::map<std::string, std::string>>;

Configuration parse_ini(std::string_view text) {
  Configuration result;
  std::string section;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = make::strip(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    const size_t equals = line.find('=');
    if (line.empty() || line[0] == ';' || line[0] == '#') continue;
    if (line[0] == '[') {
      section = make::strip(line.substr(1, line.find(']') - 1));
    } else if (equals != std::string_view::npos) {
      std::string key(make::strip(line.substr(0, equals)));
      std::transform(key.begin(), key.end(), key.begin(),
                     [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
      result[section][key] = make::strip(line.substr(equals + 1));
    }
  }
  return result;
}

struct Call {
  std::vector<std::string> files;
  std::string config, format, output = "text";
  bool lists_rules = false, wants_help = false, wants_version = false;
  std::string error;
};

Call parse_call(int argc, char** argv) {
  Call call;
  for (int i = 1; i < argc; i++) {
    const std::string word = argv[i];
    const auto value = [&](std::string_view option, std::string& into) {
      if (word.starts_with(std::string(option) + "=")) {
        into = word.substr(option.size() + 1);
      } else if (word == option && i + 1 < argc) {
        into = argv[++i];
      } else {
        return false;
      }
      return true;
    };
    if (value("--config", call.config) || value("--format", call.format) ||
        value("--output", call.output))
      continue;
    if (word == "--debug") continue;
    if (word == "-h" || word == "--help") {
      call.wants_help = true;
    } else if (word == "--version") {
      call.wants_version = true;
    } else if (word == "list-rules" && call.files.empty()) {
      call.lists_rules = true;
    } else if (word.starts_with("-") && word != "-") {
      call.error = "unknown option " + word;
    } else {
      call.files.push_back(word);
    }
  }
  if (call.output != "text" && call.output != "json") call.error = "--output is text or json";
  return call;
}

// {{.Field}} and {{"text"}}; anything else is an error.
std::optional<std::string> render(std::string_view format, const Violation& each) {
  std::string out;
  while (!format.empty()) {
    const size_t open = std::min(format.find("{{"), format.size());
    out += format.substr(0, open);
    format.remove_prefix(open);
    if (format.empty()) break;
    const size_t close = format.find("}}");
    if (close == std::string_view::npos) return std::nullopt;
    const std::string_view inside = make::strip(format.substr(2, close - 2));
    format.remove_prefix(close + 2);
    if (inside == ".Rule") {
      out += each.rule;
    } else if (inside == ".Violation") {
      out += each.message;
    } else if (inside == ".FileName") {
      out += each.file;
    } else if (inside == ".LineNumber") {
      out += std::to_string(each.line);
    } else if (inside.size() > 1 && inside.front() == '"' && inside.back() == '"') {
      for (size_t i = 1; i + 1 < inside.size(); i++) {
        const bool is_escape = inside[i] == '\\' && i + 2 < inside.size();
        const char c = is_escape ? inside[++i] : inside[i];
        out += !is_escape ? c : c == 'n' ? '\n' : c == 'r' ? '\r' : c == 't' ? '\t' : c;
      }
    } else {
      return std::nullopt;
    }
  }
  return out;
}

std::string json_text(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n') {
      out += "\\n";
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string as_json(const std::vector<Violation>& violations) {
  std::string out = "[";
  for (const Violation& each : violations) {
    if (out.size() > 1) out += ",";
    out +=
        fmt::format("{{\"rule\":{},\"violation\":{},\"file_name\":{},\"line_number\":{}}}",
                    json_text(each.rule), json_text(each.message), json_text(each.file), each.line);
  }
  return out + "]\n";
}

std::string as_table(const std::vector<Violation>& violations) {
  std::string out = fmt::format("\n{:^17} {:<60} {:<24} {}\n\n", "RULE", "DESCRIPTION", "FILE NAME",
                                "LINE NUMBER");
  for (const Violation& each : violations) {
    out +=
        fmt::format("  {:<15} {:<60} {:<24} {}\n", each.rule, each.message, each.file, each.line);
  }
  return out + "\n";
}

// As its own rules word them.
std::string message_of(const Diagnostic& each, std::string_view name) {
  const std::string_view place = each.file.text(each.span);
  if (name == "phonydeclared") return fmt::format("Target \"{}\" should be declared PHONY.", place);
  if (name == "uniquetargets") return fmt::format("Target \"{}\" defined multiple times.", place);
  if (name != "timestampexpanded") return each.message;
  const std::string_view line =
      each.file.text(each.file.line_span(each.file.line_of(each.span.begin)));
  return fmt::format("variable \"{}\" possibly contains a timestamp and should be simply expanded.",
                     make::strip(line.substr(0, line.find('='))));
}

// Only `=`: checkmake is content with `:=`.
bool is_recursive(const Diagnostic& each) {
  const std::string_view line =
      each.file.text(each.file.line_span(each.file.line_of(each.span.begin)));
  const size_t equals = line.find('=');
  return equals != std::string_view::npos && equals > 0 &&
         std::string_view(":?+!").find(line[equals - 1]) == std::string_view::npos;
}

make::CheckOptions options_for(const Configuration& configuration) {
  make::CheckOptions options;
  options.checks_recipes = false;
  options.demands.max_recipe_lines = 5;
  options.demands.no_clock = true;
  options.demands.required_targets = {"all", "clean", "test"};
  const auto setting = [&](const std::string& rule, const std::string& key) -> const std::string* {
    const auto section = configuration.find(rule);
    if (section == configuration.end()) return nullptr;
    const auto found = section->second.find(key);
    return found == section->second.end() ? nullptr : &found->second;
  };
  if (const auto* length = setting("maxbodylength", "maxbodylength");
      length != nullptr && is_digits(*length) && length->size() < 8) {
    options.demands.max_recipe_lines = static_cast<size_t>(std::stoul(*length));
  }
  if (const auto* required = setting("minphony", "required")) {
    std::string list = *required;
    std::replace(list.begin(), list.end(), ',', ' ');
    options.demands.required_targets.clear();
    for (std::string_view word : make::words_of(list))
      options.demands.required_targets.emplace_back(word);
  }
  return options;
}

bool is_disabled(const Configuration& configuration, std::string_view rule) {
  const auto section = configuration.find(std::string(rule));
  if (section == configuration.end()) return false;
  const auto found = section->second.find("disabled");
  return found != section->second.end() && (found->second == "true" || found->second == "1");
}

void add_violations(const SourceFile& file, const Configuration& configuration,
                    const commands::CardLibrary& cards, std::vector<Violation>& violations) {
  const make::CheckResult checked = make::check(file, cards, options_for(configuration));
  for (const KnownRule& rule : kRules) {
    if (is_disabled(configuration, rule.name)) continue;
    for (const Diagnostic& each : checked.findings) {
      if (each.code != rule.code || (rule.name == "timestampexpanded" && !is_recursive(each)))
        continue;
      const int line =
          rule.name == "minphony" ? 0 : static_cast<int>(file.line_of(each.span.begin));
      violations.push_back(
          {std::string(rule.name), message_of(each, rule.name), file.name(), line});
    }
  }
}

int list_rules() {
  std::string out = fmt::format("\n{:^19} {}\n\n", "NAME", "DESCRIPTION");
  for (const KnownRule& rule : kRules)
    out += fmt::format("  {:<18} {}\n", rule.name, rule.description);
  print_text(out + "\n");
  return kClean;
}

constexpr uint64_t kMaxBytes = uint64_t{1} << 28;
constexpr int kMaxStatus = 255;

Configuration read_configuration(const std::string& path) {
  for (const std::string& name : {path, std::string("checkmake.ini"),
                                  host_files().variable("HOME").value_or("") + "/checkmake.ini"}) {
    if (name.empty()) continue;
    if (auto text = read_source(host_files(), name, name, kMaxBytes))
      return parse_ini(text->bytes());
  }
  return {};
}

int print(const Call& call, const std::vector<Violation>& violations) {
  if (call.output == "json") {
    print_text(as_json(violations));
  } else if (!call.format.empty()) {
    for (const Violation& each : violations) {
      const auto text = render(call.format, each);
      if (!text) return complain("", "the template in --format cannot be read", kFindings);
      print_text(*text);
    }
  } else if (!violations.empty()) {
    print_text(as_table(violations));
  }
  std::fflush(stdout);
  return std::min(static_cast<int>(violations.size()), kMaxStatus);
}

int run_checkmake(int argc, char** argv) {
  const Call call = parse_call(argc, argv);
  if (call.wants_version) {
    print_text(fmt::format("checkmake {} (nacre)\n", NACRE_VERSION));
    return kClean;
  }
  if (call.lists_rules) return list_rules();
  if (call.wants_help || call.files.empty() || !call.error.empty()) {
    if (!call.error.empty()) (void)complain("", call.error);
    print_text(kUsageText);
    return call.wants_help ? kClean : kFindings;
  }
  const Configuration configuration = read_configuration(call.config);
  project::Workspace workspace(host_files());
  std::vector<Violation> violations;
  for (const std::string& name : call.files) {
    auto file = read_operand(name, name, kMaxBytes);
    if (!file) return complain("", fmt::format("{}: {}", name, file.error().message), kFindings);
    const auto cards = workspace.cards_for(absolute_path(host_files(), name));
    add_violations(*file, configuration, *cards->library, violations);
  }
  return print(call, violations);
}

constexpr Verb kVerb = {.name = "checkmake",
                        .summary = "check Makefiles as checkmake does, with its flags and formats",
                        .operands = "[OPTION...] FILE...",
                        .description =
                            "A link to nacre that is called `checkmake` does the same. "
                            "The exit status is the number of violations.",
                        .run_raw = run_checkmake};

}  // namespace

const Verb& checkmake_verb() { return kVerb; }

}  // namespace nacre::cli
