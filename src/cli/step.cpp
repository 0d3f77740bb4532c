// `nacre step`: every step of a script, as text, as JSON or on a full screen.
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <unistd.h>

#include "cli/output.h"
#include "cli/raw_terminal.h"
#include "cli/scene_options.h"
#include "cli/stepper.h"
#include "cli/watchdog.h"
#include "machine/start_shell.h"
#include "system/system_os.h"

extern char** environ;

namespace nacre::cli {
namespace {

constexpr uint64_t kDefaultFuel = 200'000;

constexpr Option kOptions[] = {
    {"json", 'j', "", "print the trace as JSON (docs/step.schema.json)"},
    {"text", 't', "", "print the trace as text, also to a terminal"},
    {"color", '\0', "auto|always|never", "colour expansion and evaluation"},
    kWorldOption,
    kRootOption,
    kUserOption,
    kSceneOption,
    kFuelOption,
};

constexpr std::string_view kDescription =
    R"(Runs the script FILE in a simulated world, where it touches nothing, and shows each step of the
semantics: the rule, the command with what has been expanded so far, and what changed in variables,
descriptors, files and output.

On a terminal it is a full screen to go forward and back in; otherwise, or with --text, it is a text,
and with --json a document for programs. With `--world system` the script really runs, and its steps
are written to standard error.)";

bool wants_color(const Arguments& options, int fd) {
  std::string when = options.value("color", "auto");
  return when == "always" ||
         (when == "auto" && isatty(fd) != 0 && std::getenv("NO_COLOR") == nullptr);
}

class TextTrace {
 public:
  TextTrace(std::FILE* file, bool has_color) : file_(file), has_color_(has_color) {}

  void print(const simulate::Record& record) {
    std::string_view color = record.is_expansion ? "\033[35m" : "\033[34m";
    fmt::print(file_, "{:5} {:>4}:{:<4} {}{:<18}{} {}\n", record.number, record.pid,
               record.after.line, has_color_ ? color : "", machine::name_of(record.rule),
               has_color_ ? "\033[0m" : "", shown(record.after.text));
    for (const auto& change : record.variables) {
      note(change.after ? fmt::format("{}={}", change.name, *change.after)
                        : fmt::format("unset {}", change.name));
    }
    for (const auto& change : record.descriptors) {
      note(change.after ? fmt::format("descriptor {}: {}", change.name, *change.after)
                        : fmt::format("descriptor {} closed", change.name));
    }
    for (const auto& change : record.files) {
      note(!change.after ? fmt::format("removed {}", change.path)
                         : fmt::format("{} {} {} {:04o}", change.before ? "changed" : "created",
                                       change.after->kind, change.path, change.after->mode));
    }
    if (!record.output.empty()) note("output: " + record.output);
    if (!record.errors.empty()) note("errors: " + record.errors);
  }

 private:
  static std::string shown(std::string_view text) {
    std::string result;
    for (char c : text) {
      if (c == '\n')
        result += "\\n";
      else if (static_cast<unsigned char>(c) < 32 || c == 127)
        result += fmt::format("\\{:03o}", static_cast<unsigned>(c));
      else
        result += c;
    }
    return result;
  }
  void note(const std::string& text) { fmt::print(file_, "{:>38}{}\n", "| ", shown(text)); }

  std::FILE* file_;
  bool has_color_;
};

int print_text(simulate::Tracer& tracer, bool has_color) {
  TextTrace text(stdout, has_color);
  size_t printed = 0;
  while (tracer.advance()) {
    // The last one may still get what comes after it.
    for (; printed + 1 < tracer.records().size(); ++printed) text.print(tracer.records()[printed]);
  }
  simulate::TraceEnd end = tracer.end();
  for (; printed < tracer.records().size(); ++printed) text.print(tracer.records()[printed]);
  fmt::print("exit status {}\n", end.status);
  if (end.trouble.empty()) return kClean;
  return complain("step", end.trouble, kUnfinished);
}

void draw(const Stepper& stepper, std::string_view prompt = "") {
  RawTerminal::Size size = RawTerminal::size();
  RawTerminal::put(stepper.screen(size.columns, size.rows, prompt));
}

// Digits up to Enter; 0 if there were none.
uint32_t ask_line(const Stepper& stepper, std::string_view question) {
  std::string digits;
  while (true) {
    draw(stepper, fmt::format("{} {}_", question, digits));
    int c = RawTerminal::key();
    if (c == '\n' || c == '\r') break;
    if (c >= '0' && c <= '9' && digits.size() < 8) digits += static_cast<char>(c);
    if ((c == 127 || c == '\b') && !digits.empty()) digits.pop_back();
    if (c == 'q' || c == RawTerminal::kEnd) return 0;
  }
  return digits.empty() ? 0 : static_cast<uint32_t>(std::stoul(digits));
}

int step_on_screen(simulate::Tracer& tracer) {
  Stepper stepper(tracer);
  RawTerminal terminal;
  stepper.forward();
  while (true) {
    draw(stepper);
    switch (RawTerminal::key()) {
      case ' ':
      case RawTerminal::kRight:
      case 'n': stepper.forward(); break;
      case RawTerminal::kLeft:
      case 'b': stepper.back(); break;
      case RawTerminal::kDown:
      case 'c': stepper.next_command(); break;
      case RawTerminal::kUp:
      case 'p': stepper.previous_command(); break;
      case ':':
        if (uint32_t line = ask_line(stepper, "to line:"); line > 0) stepper.to_line(line);
        break;
      case '*':
        if (uint32_t line = ask_line(stepper, "break at line:"); line > 0)
          stepper.toggle_break(line);
        break;
      case 'r': stepper.run_to_break(); break;
      case 'g': stepper.to_start(); break;
      case 'G': stepper.to_end(); break;
      case RawTerminal::kResized: RawTerminal::put("\033[2J"); break;
      case RawTerminal::kEnd:
      case 'q': return kClean;
      default: break;
    }
  }
}

int step_on_system(const ScriptCall& call, bool has_color) {
  system::SystemOs os;
  machine::Machine machine(os, std::make_shared<machine::Names>());
  machine.fine_steps = true;
  std::vector<std::string> words = {"sh", call.file};
  words.insert(words.end(), call.arguments.begin(), call.arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  int argc = static_cast<int>(words.size());
  int status = machine::start_shell(machine, argc, argv.data(), environ);
  if (status >= 0) return status;
  TextTrace text(stderr, has_color);
  simulate::Record record;
  machine::run(machine, [&](machine::Machine& now, machine::Rule rule) {
    ++record.number;
    record.pid = os.process_id();
    record.rule = rule;
    record.is_expansion = simulate::is_expansion(rule);
    record.after = machine::control_of(now);
    text.print(record);
  });
  os.exit(machine.state.status);
}

int run_step(int argc, char** argv);

constexpr Verb kVerb = {.name = "step",
                        .summary = "show every step of a script in a simulated world",
                        .operands = "FILE [ARGUMENT...]",
                        .description = kDescription,
                        .options = kOptions,
                        .run_raw = run_step};

int run_step(int argc, char** argv) {
  watchdog::start(argc, argv);
  auto call = parse_script_call(kVerb, argc, argv);
  if (!call) return complain_about_usage("step", call.error().message);
  if (!*call) return kClean;
  const Arguments& options = (*call)->options;
  if (options.value("world") == "system") {
    if (options.has("json")) return complain("step", "--json needs the simulated world");
    return step_on_system(**call, wants_color(options, 2));
  }
  auto scene = make_scene(**call);
  if (!scene) return complain("step", scene.error().message);
  if (!options.has("fuel")) scene->limits.fuel = kDefaultFuel;
  constexpr unsigned kShortQuantum = 10;  // short traces of processes that wait for each other
  scene->limits.quantum = kShortQuantum;
  bool on_screen = isatty(0) != 0 && isatty(1) != 0 && !options.has("text") && !options.has("json");
  if (!on_screen && (*call)->file != "-") scene->input = host_input();
  simulate::Tracer tracer(std::move(*scene));
  if (on_screen) return step_on_screen(tracer);
  if (!options.has("json")) return print_text(tracer, wants_color(options, 1));
  std::string document = simulate::trace_json(tracer);
  std::fwrite(document.data(), 1, document.size(), stdout);
  std::fflush(stdout);
  return kClean;
}

}  // namespace

const Verb& step_verb() { return kVerb; }

}  // namespace nacre::cli
