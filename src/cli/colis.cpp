// `nacre colis`: the CoLiS language.
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fmt/format.h>
#include <new>
#include <sys/resource.h>

#include "base/ascii.h"
#include "cli/output.h"
#include "cli/read_operand.h"
#include "cli/scene_options.h"
#include "cli/watchdog.h"
#include "cli/write_file.h"
#include "colis/card_source.h"
#include "colis/from_shell.h"
#include "colis/parser.h"
#include "colis/printer.h"
#include "colis/show.h"
#include "colis/to_shell.h"

namespace nacre::cli {
namespace {

// The exit statuses of the original.
enum ColisStatus : int {
  kSuccess = 0,
  kFailed = 1,
  kCommandLine = 3,
  kUnreadable = 4,
  kNotParsed = 5,
  kNotConverted = 6,
  kUnknownUtility = 7,
  kIncomplete = 10,
  kCpuTime = 11,
  kMemory = 12,
};

// Sanitizers reserve more address space than any limit allows.
#ifdef NACRE_SANITIZED
constexpr const char* kDefaultMemory = "99999g";
#else
constexpr const char* kDefaultMemory = "900m";
#endif
constexpr uint64_t kMaxBytes = uint64_t{64} << 20;

constexpr Option kOptions[] = {
    {"run", 'r', "", "run the program in a simulated world (default)"},
    {"run-symbolic", 's', "", "run it over all file systems and print the final states"},
    {"print-colis", 'p', "", "print the program in the CoLiS language"},
    {"print-shell", '\0', "", "print the program as a shell script"},
    {"shell", '\0', "",
     "FILE is a shell script (default unless its name ends with .cls or .colis)"},
    {"colis", '\0', "", "FILE is a CoLiS program"},
    {"original", '\0', "", "accept, print and do what the original implementation does"},
    {"var", '\0', "NAME=VALUE", "set and export a variable"},
    {"external-sources", '\0', "DIR", "`. /PATH` reads DIR/PATH"},
    {"unknown-behaviour", '\0', "EXCEPTION|INCOMPLETE|ERROR",
     "an unknown utility ends the run (default), makes it incomplete, or fails"},
    {"add-symbolic-fs", '\0', "FILE", "known paths, one per line: / at the end for a directory"},
    {"prune-init-state", '\0', "", "forget the first file system"},
    {"merge", 'm', "", "drop states that are equivalent to another one"},
    {"links", 'l', "", "the directories in a path may be symbolic links"},
    {"loop-limit", '\0', "N", "rounds of a loop (symbolic: 10, otherwise 100000)"},
    {"stack-size", '\0', "N", "calls within each other (symbolic: 10, otherwise 1000)"},
    {"cpu-time-limit", '\0', "SECONDS", "stop after this time, with status 11 (default: 8)"},
    {"memory-limit", '\0', "SIZE",
     "use at most this much memory (500m, 2g), otherwise status 12 (default: 900m)"},
    {"print-states", '\0', "DIR", "write a graph (dot) of each state into DIR"},
    {"format", 'f', "text|json|html", "how to print the states"},
};

constexpr std::string_view kDescription =
    R"(Reads a program of the CoLiS language, or a shell script which it translates, and runs it, runs it
symbolically, or prints it. Nothing of this system is touched: files and utilities are simulated.

Exit status: 0 success (symbolic: only success states), 1 failure (some error state), 3 bad command
line, 4 unreadable file, 5 not parsed, 6 a script that cannot be translated, 7 an unknown utility, 10 not
complete (a limit was reached, or what a utility does is not known), 11 CPU time, 12 memory.)";

int complain_with(const std::string& message, int status) {
  fmt::print(stderr, "{}\n", harmless(message));
  return status;
}

std::string place_of(const SourceFile& file, Span span, bool is_token) {
  const Position position = file.position(is_token ? span.end : span.begin);
  const Position end = file.position(span.end);
  if (is_token)
    return fmt::format("File \"{}\", line {}, character {}", file.name(), position.line,
                       position.byte_column);
  return fmt::format("File \"{}\", line {}, characters {}-{}", file.name(), position.line,
                     position.byte_column,
                     end.line == position.line ? end.byte_column : position.byte_column);
}

struct Loaded {
  colis::Program program;
  int status = kSuccess;
};

Loaded load_colis(const SourceFile& file, bool is_original) {
  colis::ParseOptions options;
  options.is_original = is_original;
  auto program = colis::parse(file.bytes(), options);
  if (program) return {std::move(*program), kSuccess};
  const std::string& message = program.error().message;
  return {
      {},
      complain_with(fmt::format("{}: Syntax error{}{}", place_of(file, program.error().span, true),
                                message.empty() ? "" : ": ", message),
                    kNotParsed)};
}

Loaded load_shell(const SourceFile& file, const ScriptCall& call) {
  shell::ParseOptions parsing;
  parsing.dialect = shell::Dialect::kSh;
  const shell::ParseResult parsed = shell::parse_file(file, parsing);
  if (!parsed.is_valid()) {
    std::string message = "Syntax error";
    Span span;
    for (const Diagnostic& diagnostic : parsed.diagnostics) {
      if (diagnostic.severity != Severity::kError) continue;
      span = diagnostic.span;
      message += ": " + diagnostic.message;
      break;
    }
    return {{},
            complain_with(fmt::format("{}: {}", place_of(file, span, false), message), kNotParsed)};
  }
  colis::TranslationOptions options;
  options.is_original = call.options.has("original");
  options.arguments = call.arguments;
  if (call.options.has("external-sources")) {
    const std::string directory = call.options.value("external-sources");
    options.sources = [directory](const std::string& path) -> std::optional<std::string> {
      auto text = read_operand(directory + path, path, kMaxBytes);
      if (!text) return std::nullopt;
      return std::string(text->bytes());
    };
  } else if (!options.is_original) {
    options.sources = colis::card_source;
  }
  auto program = colis::from_shell(parsed.tree, options);
  if (program) return {std::move(*program), kSuccess};
  const bool is_syntax = program.error().message == "Syntax error";
  return {{},
          complain_with(fmt::format("{}: {}{}", place_of(file, program.error().span, false),
                                    is_syntax ? "" : "Conversion error: ", program.error().message),
                        is_syntax ? kNotParsed : kNotConverted)};
}

int status_of(const colis::Abort& abort) {
  switch (abort.why) {
    case colis::Abort::kUnknownUtility: return complain_with(abort.message, kUnknownUtility);
    case colis::Abort::kNoPackage: return complain_with(abort.message, kCommandLine);
    case colis::Abort::kCpuTime: return complain_with(abort.message, kCpuTime);
    case colis::Abort::kSteps: return complain_with(abort.message, kIncomplete);
  }
  return kIncomplete;
}

colis::UnknownBehaviour unknown_behaviour(const ScriptCall& call) {
  const std::string name = call.options.value("unknown-behaviour", "EXCEPTION");
  if (name == "INCOMPLETE") return colis::UnknownBehaviour::kIncomplete;
  return name == "ERROR" ? colis::UnknownBehaviour::kError : colis::UnknownBehaviour::kException;
}

colis::Bounds bounds_of(const ScriptCall& call) {
  colis::Bounds bounds;
  constexpr uint64_t kDefaultSeconds = 8;
  const uint64_t seconds = call.options.number("cpu-time-limit").value_or(kDefaultSeconds);
  bounds.is_over_time = [seconds] {
    return static_cast<uint64_t>(std::clock() / CLOCKS_PER_SEC) >= seconds;
  };
  return bounds;
}

int run_concretely(const colis::Program& program, const ScriptCall& call) {
  colis::ConcreteOptions options;
  options.is_original = call.options.has("original");
  options.unknown = unknown_behaviour(call);
  options.bounds = bounds_of(call);
  if (auto limit = call.options.number("loop-limit")) options.loop_limit = *limit;
  if (auto size = call.options.number("stack-size")) options.stack_size = *size;
  colis::ConcreteState state;
  state.files = simulate::default_scene().tree;
  state.context = colis::initial_context(call.arguments, call.options.all("var"));
  const colis::ConcreteRun run = colis::run_concrete(program, call.file, std::move(state), options);
  if (run.abort) return status_of(*run.abort);
  const colis::ConcreteState& end = run.outcome->state;
  print_text(end.stdout_text);
  if (run.outcome->behaviour == colis::Behaviour::kFailure) {
    if (options.is_original) return kUnknownUtility;
    return complain_with(end.log.empty() ? "not complete" : end.log.back(), kIncomplete);
  }
  for (const std::string& errors : end.log) fmt::print(stderr, "{}", harmless(errors));
  return end.context.result ? kSuccess : kFailed;
}

Result<void> write_graphs(const std::string& directory, const colis::StatesReport& report) {
  std::error_code problem;
  std::filesystem::create_directories(directory, problem);
  for (const colis::FinalState& state : report.states) {
    auto written = write_file(fmt::format("{}/{}.dot", directory, state.id), state.graph);
    if (!written) return fail({}, fmt::format("{}: {}", directory, written.error().message));
  }
  return {};
}

int run_symbolically(const colis::Program& program, const ScriptCall& call) {
  colis::SymbolicOptions options;
  options.is_original = call.options.has("original");
  options.unknown = unknown_behaviour(call);
  options.considers_links = call.options.has("links");
  options.merges = call.options.has("merge");
  options.prunes_initial = call.options.has("prune-init-state");
  options.bounds = bounds_of(call);
  if (auto limit = call.options.number("loop-limit")) options.loop_limit = *limit;
  if (auto size = call.options.number("stack-size")) options.stack_size = *size;
  colis::SymbolicState state = colis::initial_state(
      options, colis::initial_context(call.arguments, call.options.all("var")));
  for (const std::string& path : call.options.all("add-symbolic-fs")) {
    auto text = read_operand(path, path, kMaxBytes);
    if (!text) return complain_with(fmt::format("{}: {}", path, text.error().message), kUnreadable);
    if (auto added = colis::add_known_files(state.files, text->bytes()); !added) {
      return complain_with(fmt::format("{}:{}: {}", path, text->line_of(added.error().span.begin),
                                       added.error().message),
                           kUnreadable);
    }
  }
  const colis::SymbolicFiles initial = state.files;
  const colis::SymbolicRun run = colis::run_symbolic(program, call.file, std::move(state), options);
  if (run.abort) return status_of(*run.abort);
  const bool wants_graphs = call.options.has("print-states");
  const auto made = colis::report_on(call.file, initial, run, options, wants_graphs);
  if (!made) return status_of(colis::over_time());
  const colis::StatesReport& report = *made;
  const std::string format = call.options.value("format", "text");
  print_text(format == "json"   ? show_json(report)
             : format == "html" ? show_html(report)
                                : show_text(report));
  if (wants_graphs) {
    if (auto written = write_graphs(call.options.value("print-states"), report); !written)
      return complain_with(written.error().message, kUnreadable);
  }
  if (report.count(colis::FinalState::kError) > 0) return kFailed;
  return report.count(colis::FinalState::kIncomplete) > 0 ? kIncomplete : kSuccess;
}

// "500m"; false if it is not a size.
bool limit_memory(const std::string& text) {
  const size_t digits = text.find_first_not_of("0123456789");
  const std::string unit = digits == std::string::npos ? "" : text.substr(digits);
  const std::string number = text.substr(0, digits);
  if (!is_digits(number) || number.size() > 12) return false;
  static const std::map<std::string, unsigned> kShifts = {{"", 0}, {"k", 10}, {"m", 20}, {"g", 30}};
  auto shift = kShifts.find(unit);
  if (shift == kShifts.end()) return false;
  rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) != 0) return false;
  const rlim_t bytes = static_cast<rlim_t>(std::stoull(number)) << shift->second;
  limit.rlim_cur = std::min(bytes, limit.rlim_max);
  return setrlimit(RLIMIT_AS, &limit) == 0;
}

int act(const ScriptCall& call, const SourceFile& file) {
  const bool is_original = call.options.has("original");
  const bool has_colis_name = file.name().ends_with(".cls") || file.name().ends_with(".colis");
  const bool is_colis = call.options.has("colis") || (has_colis_name && !call.options.has("shell"));
  const Loaded loaded = is_colis ? load_colis(file, is_original) : load_shell(file, call);
  if (loaded.status != kSuccess) return loaded.status;
  if (call.options.has("print-colis")) {
    print_text(is_original ? colis::print_original(loaded.program) : colis::print(loaded.program));
    return kSuccess;
  }
  if (call.options.has("print-shell")) {
    print_text(colis::to_shell(loaded.program));
    return kSuccess;
  }
  return call.options.has("run-symbolic") ? run_symbolically(loaded.program, call)
                                          : run_concretely(loaded.program, call);
}

// What contradicts another option, or would have no effect beside it; nothing if all is right.
std::string misused(const ScriptCall& call) {
  auto given = [&](std::span<const char* const> names) {
    std::vector<std::string> result;
    for (const char* name : names) {
      if (call.options.has(name)) result.push_back(std::string("--") + name);
    }
    return result;
  };
  static constexpr const char* kActions[] = {"run", "run-symbolic", "print-colis", "print-shell"};
  static constexpr const char* kSources[] = {"shell", "colis"};
  for (const auto& one_of : {given(kActions), given(kSources)}) {
    if (one_of.size() > 1) return fmt::format("{} and {}: choose one", one_of[0], one_of[1]);
  }
  static constexpr const char* kOfStates[] = {"add-symbolic-fs", "prune-init-state", "merge",
                                              "links",           "print-states",     "format"};
  const std::vector<std::string> of_states = given(kOfStates);
  if (!of_states.empty() && !call.options.has("run-symbolic"))
    return of_states[0] + " needs --run-symbolic";
  return "";
}

int run_colis(int argc, char** argv);

constexpr Verb kVerb = {.name = "colis",
                        .summary = "run, explore and translate programs of the CoLiS language",
                        .operands = "FILE [ARGUMENT...]",
                        .description = kDescription,
                        .options = kOptions,
                        .run_raw = run_colis};

int run_colis(int argc, char** argv) {
  watchdog::start(argc, argv);
  auto call = parse_script_call(kVerb, argc, argv);
  if (!call) {
    return complain_with(
        fmt::format("nacre colis: {}\nTry `nacre help colis`.", call.error().message),
        kCommandLine);
  }
  if (!*call) return kSuccess;
  const ScriptCall& given = **call;
  for (const std::string& variable : given.options.all("var")) {
    const size_t equals = variable.find('=');
    if (equals == 0 || equals == std::string::npos)
      return complain_with("nacre colis: --var needs a name, '=' and a value", kCommandLine);
  }
  if (const std::string problem = misused(given); !problem.empty())
    return complain_with("nacre colis: " + problem, kCommandLine);
  if (!limit_memory(given.options.value("memory-limit", kDefaultMemory)))
    return complain_with("nacre colis: --memory-limit needs a number, perhaps with k, m or g",
                         kCommandLine);
  int status = kMemory;
  try {
    auto file = read_operand(given.file, given.file, kMaxBytes);
    if (!file)
      return complain_with(fmt::format("nacre colis: {}: {}", given.file, file.error().message),
                           kUnreadable);
    status = act(given, *file);
  } catch (const std::bad_alloc&) {
    return complain_with(fmt::format("nacre colis: the memory limit of {} was reached "
                                     "(--memory-limit)",
                                     given.options.value("memory-limit", kDefaultMemory)),
                         kMemory);
  }
  return std::fflush(stdout) == 0 ? status : kUnreadable;
}

}  // namespace

const Verb& colis_verb() { return kVerb; }

}  // namespace nacre::cli
