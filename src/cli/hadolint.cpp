// `nacre hadolint`, also when the program is called `hadolint`: the command line, the formats and
// the exit statuses of hadolint over Nacre's checks of Dockerfiles, for editors and pipelines that
// are set up for it. Findings have hadolint's names and levels, and Nacre's messages. What hadolint
// has no name for is not reported here; `nacre check` does.
#include "project/hadolint.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "base/ascii.h"
#include "cli/hadolint_formats.h"
#include "cli/output.h"
#include "cli/read_operand.h"
#include "cli/verb.h"
#include "cli/watchdog.h"
#include "docker/syntax.h"
#include "project/check.h"
#include "project/hadolint.h"

namespace nacre::cli {

namespace {

constexpr std::string_view kUsageText =
    "Usage: hadolint [-v|--version] [-V|--verbose] [-c|--config FILE] [DOCKERFILE...]\n"
    "                [--file-path-in-report PATH] [--no-fail] [--no-color] [-f|--format FORMAT]\n"
    "                [--error RULE] [--warning RULE] [--info RULE] [--style RULE] [--ignore RULE]\n"
    "                [--trusted-registry REGISTRY] [--require-label NAME:TYPE] [--strict-labels]\n"
    "                [--disable-ignore-pragma] [-t|--failure-threshold LEVEL]\n\n"
    "Formats: tty, json, checkstyle, codeclimate, gitlab_codeclimate, gnu, codacy, sonarqube,\n"
    "sarif, junit. Levels: error, warning, info, style, ignore, none. `-` is standard input.\n"
    "Status: 0, or 1 if there is a finding of at least the threshold (info), or a wrong option.\n";

// hadolint's own levels, where they are not `warning`.
constexpr std::string_view kErrors =
    "DL1000 DL3000 DL3004 DL3011 DL3012 DL3020 DL3021 DL3023 DL3024 DL3026 DL3043 DL3044 DL3061 "
    "DL4000 DL4004";
constexpr std::string_view kInfos =
    "DL3001 DL3009 DL3010 DL3015 DL3019 DL3047 DL3049 DL3050 DL3059 DL3060 DL3066 SC2086 SC2015";
constexpr std::string_view kStyles = "DL3048";

Severity level_of(std::string_view rule) {
  if (kErrors.find(rule) != std::string_view::npos) return Severity::kError;
  if (kInfos.find(rule) != std::string_view::npos) return Severity::kInfo;
  return kStyles.find(rule) != std::string_view::npos ? Severity::kStyle : Severity::kWarning;
}

struct Request {
  docker::HadolintConfig config;
  std::vector<std::string> files;
  std::string config_file;
  std::string shown_path;
  bool is_done = false;  // help or version was asked for
  std::string mistake;
};

// One pass over the words; `--name=value` and `--name value` are the same.
class RequestReader {
 public:
  RequestReader(int argc, char** argv) : words_(argv + 1, argv + argc) {}

  Request run() {
    while (at_ < words_.size() && request_.mistake.empty() && !request_.is_done)
      word(words_[at_++]);
    return std::move(request_);
  }

 private:
  std::string value() {
    if (attached_) return *std::exchange(attached_, std::nullopt);
    if (at_ < words_.size()) return words_[at_++];
    request_.mistake = "an option lacks its value";
    return "";
  }

  void word(std::string text) {
    if (text == "-" || !text.starts_with('-')) {
      request_.files.push_back(std::move(text));
      return;
    }
    if (const size_t equals = text.find('=');
        text.starts_with("--") && equals != std::string::npos) {
      attached_ = text.substr(equals + 1);
      text.resize(equals);
    }
    if (!flag(text) && !setting(text)) request_.mistake = fmt::format("Invalid option `{}'", text);
  }

  bool flag(const std::string& name) {
    if (name == "-h" || name == "--help") return finish(kUsageText);
    if (name == "-v" || name == "--version")
      return finish(fmt::format("Haskell Dockerfile Linter, as nacre {} has it\n", NACRE_VERSION));
    if (name == "--no-fail") return request_.config.no_fail = true;
    if (name == "--strict-labels") return request_.config.demands.allows_only_these_labels = true;
    if (name == "--disable-ignore-pragma") return request_.config.disables_pragmas = true;
    return name == "--no-color" || name == "-V" || name == "--verbose";
  }

  bool finish(std::string_view text) {
    fmt::print("{}", text);
    return request_.is_done = true;
  }

  bool setting(const std::string& name) {
    docker::HadolintConfig& config = request_.config;
    if (name == "-c" || name == "--config") {
      request_.config_file = value();
    } else if (name == "--file-path-in-report") {
      request_.shown_path = value();
    } else if (name == "-f" || name == "--format") {
      config.format = value();
      if (find_hadolint_format(config.format) == nullptr)
        request_.mistake = fmt::format("there is no format '{}'", config.format);
    } else if (name == "--ignore") {
      config.ignored.push_back(value());
    } else if (name == "--trusted-registry") {
      config.demands.trusted_registries.push_back(value());
    } else if (name == "--require-label") {
      label(value());
    } else if (name == "-t" || name == "--failure-threshold") {
      config.threshold = docker::hadolint_level(value());
      if (!config.threshold) request_.mistake = "there is no such threshold";
    } else if (const auto level =
                   docker::hadolint_level(name.substr(std::min<size_t>(2, name.size())));
               level && name != "--none") {
      config.overrides[value()] = *level;
    } else {
      return false;
    }
    return true;
  }

  void label(const std::string& text) {
    const size_t colon = std::min(text.find(':'), text.size());
    const std::string type = colon < text.size() ? text.substr(colon + 1) : "text";
    if (!docker::add_label(text.substr(0, colon), type, request_.config.demands))
      request_.mistake = fmt::format("'{}' is no type of a label", type);
  }

  std::vector<std::string> words_;
  size_t at_ = 0;
  std::optional<std::string> attached_;
  Request request_;
};

// What the command line adds to the file and the environment.
void merge(docker::HadolintConfig& base, docker::HadolintConfig more) {
  for (std::string& each : more.ignored) base.ignored.push_back(std::move(each));
  for (auto& [rule, level] : more.overrides) base.overrides[rule] = level;
  auto& demands = base.demands;
  for (std::string& each : more.demands.trusted_registries)
    demands.trusted_registries.push_back(std::move(each));
  for (auto& [name, type] : more.demands.labels) demands.labels[name] = type;
  demands.allows_only_these_labels |= more.demands.allows_only_these_labels;
  if (!more.format.empty()) base.format = more.format;
  if (more.threshold) base.threshold = more.threshold;
  base.no_fail |= more.no_fail;
  base.disables_pragmas |= more.disables_pragmas;
}

// hadolint reports an instruction at its first line; ShellCheck's findings have their own place.
Position place_of(const docker::File& tree, const Diagnostic& diagnostic, bool is_of_shell) {
  uint32_t at = diagnostic.span.begin;
  if (is_of_shell) return diagnostic.file.position(at);
  for (const docker::Instruction& each : tree.instructions) {
    if (each.span.begin <= at && at <= each.span.end) at = each.span.begin;
  }
  Position result = diagnostic.file.position(at);
  result.character = 1;
  return result;
}

bool is_rule(const std::string& alias) {
  return (alias.starts_with("DL") || alias.starts_with("SC")) && is_digits(alias.substr(2));
}

void add_rows(const SourceFile& file, const docker::HadolintConfig& config, const std::string& name,
              project::Workspace& workspace, std::vector<HadolintRow>& rows) {
  project::Settings settings;
  project::apply_hadolint_config(config, settings);
  const auto checked = project::check({file, project::Language::kDockerfile}, settings, workspace);
  const docker::File tree = docker::parse(file);
  for (const Diagnostic& each : checked.findings) {
    const auto rule = std::find_if(each.aliases.begin(), each.aliases.end(), is_rule);
    if (rule == each.aliases.end()) continue;
    const auto given = config.overrides.find(*rule);
    const Severity level = given == config.overrides.end()
                               ? level_of(*rule)
                               : docker::severity_of(given->second).value_or(each.severity);
    const Position at = place_of(tree, each, rule->starts_with("SC"));
    rows.push_back({name, at.line, at.character, *rule, level, each.message});
  }
}

// The files and the environment, then the command line.
Result<docker::HadolintConfig> whole_config(const Files& files, Request& request) {
  auto config = request.config_file.empty()
                    ? project::own_hadolint_config(files)
                    : project::read_hadolint_config(files, request.config_file);
  if (config) merge(*config, std::move(request.config));
  return config;
}

// Whether every file could be read.
bool check_all(const Request& request, const docker::HadolintConfig& config,
               project::Workspace& workspace, std::vector<HadolintRow>& rows) {
  constexpr uint64_t kMaxBytes = 16u << 20;
  bool is_complete = true;
  for (const std::string& name : request.files) {
    auto file = read_operand(name, name == "-" ? "Dockerfile" : name, kMaxBytes);
    if (!file) complain("hadolint", fmt::format("{}: {}", name, file.error().message));
    is_complete &= file.has_value();
    const std::string shown = request.shown_path.empty() ? name : request.shown_path;
    if (file) add_rows(*file, config, shown, workspace, rows);
  }
  return is_complete;
}

int refuse(std::string_view mistake) {
  complain("hadolint", mistake);
  fmt::print(stderr, "\n{}", kUsageText);
  return 1;
}

int run_hadolint(int argc, char** argv) {
  watchdog::start(argc, argv);
  Request request = RequestReader(argc, argv).run();
  if (request.is_done) return 0;
  if (!request.mistake.empty()) return refuse(request.mistake);
  if (request.files.empty()) return refuse("expected a Dockerfile");
  const auto config = whole_config(host_files(), request);
  if (!config) return refuse(config.error().message);
  const HadolintFormat* format =
      find_hadolint_format(config->format.empty() ? "tty" : config->format);
  if (format == nullptr) return refuse(fmt::format("there is no format '{}'", config->format));
  project::Workspace workspace(host_files());
  std::vector<HadolintRow> rows;
  const bool is_complete = check_all(request, *config, workspace, rows);
  print_text(format->render(rows, request.files));
  const auto threshold =
      docker::severity_of(config->threshold.value_or(docker::HadolintLevel::kInfo));
  const bool fails =
      threshold && std::any_of(rows.begin(), rows.end(),
                               [&](const HadolintRow& row) { return row.level <= *threshold; });
  return !is_complete || (fails && !config->no_fail) ? 1 : 0;
}

constexpr Verb kVerb = {.name = "hadolint",
                        .summary = "check Dockerfiles with the command line of hadolint",
                        .operands = "[OPTION...] DOCKERFILE...",
                        .description = kUsageText,
                        .run_raw = run_hadolint};

}  // namespace

const Verb& hadolint_verb() { return kVerb; }

}  // namespace nacre::cli
