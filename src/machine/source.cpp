#include "machine/source.h"

#include <algorithm>
#include <fmt/format.h>

#include "machine/lower.h"
#include "machine/machine.h"

namespace nacre::machine {

std::unique_ptr<Source> Source::of_text(std::string name, std::string text) {
  shell::CommandReader reader(SourceFile(name, std::move(text)));
  return std::make_unique<Source>(std::move(reader), false, std::move(name));
}

void Machine::push_source(std::unique_ptr<Source> source, bool is_function_like) {
  source->is_function_like = is_function_like;
  source->line = state.line;
  if (is_function_like) ++function_depth;
  auto running = std::make_shared<Running>();
  running->source = std::move(source);
  sources.push_back(std::move(running));
  push(SourceFrame{});
}

void Machine::leave_source() {
  Source& source = *sources.back()->source;
  if (source.is_function_like) --function_depth;
  if (source.outer_positional) state.positional = std::move(*source.outer_positional);
  sources.pop_back();
}

namespace {

// As bash says it: where the token stands, and its line once more.
void bash_syntax_error(Machine& machine, const Source& source, const shell::ReadResult& read,
                       const SimpleFrame* caller) {
  const Diagnostic& error = *read.error;
  bool evals = caller != nullptr && caller->builtin != nullptr && caller->builtin->name == "eval";
  bool is_string = source.is_toplevel && machine.state.is_command_string;
  std::string_view from = evals ? "eval: " : is_string ? "-c: " : "";
  std::string line_text;
  if (error.message.find("near unexpected token") != std::string::npos) {
    std::string_view text = error.file.bytes();
    size_t begin = std::min<size_t>(error.span.begin, text.size());
    size_t start = begin == 0 ? std::string_view::npos : text.rfind('\n', begin - 1);
    start = start == std::string_view::npos ? 0 : start + 1;
    line_text = text.substr(start, text.find('\n', begin) - start);
    // The lines of a stream are counted from the first line of its command.
    auto lines = static_cast<uint32_t>(std::count(read.input.begin(), read.input.end(), '\n'));
    uint32_t first = source.name().empty() ? machine.state.line - lines : evals ? source.line : 1;
    machine.state.line = first + error.file.line_of(error.span.begin) - 1;
  }
  // The end is on a line of its own, also without a newline before it.
  bool is_end = error.message.find("unexpected end of file") != std::string::npos;
  if (is_end && !read.input.ends_with('\n')) ++machine.state.line;
  auto say = [&](std::string_view what) {
    machine.write_all(machine.io[2], machine.is_interactive() && source.is_toplevel
                                         ? fmt::format("{}: {}\n", machine.state.arg0, what)
                                         : fmt::format("{}: {}line {}: {}\n", machine.state.arg0,
                                                       from, machine.state.line, what));
  };
  say(error.message);
  if (!line_text.empty() && !machine.is_interactive()) say(fmt::format("`{}'", line_text));
}

}  // namespace

Rule Machine::step_source(Frame& frame) {
  Running& running = *sources.back();
  Source& source = *running.source;
  shell::ParseOptions options;
  options.dialect = is_bash() ? shell::Dialect::kBash : shell::Dialect::kSh;
  options.posix_2024 = !is_bash();
  options.posix_mode = is_bash() && state.options.has(Option::kPosix);
  options.extended_globs = !is_bash() || state.options.has(Option::kExtGlob);
  bool has_aliases = !is_bash() || is_interactive() || state.options.has(Option::kExpandAliases);
  if (!state.aliases.empty() && has_aliases) {  // reading line by line costs more
    options.aliases = [this](std::string_view name) -> std::optional<std::string_view> {
      auto found = state.aliases.find(name);
      if (found == state.aliases.end()) return std::nullopt;
      return found->second;
    };
  }
  // set -t: nothing is read after the command that set it; bash lets a string of -c go on.
  bool has_read_enough = state.options.has(Option::kOneCommand) && source.is_toplevel &&
                         frame.as<SourceFrame>().has_run && !state.is_command_string;
  shell::ReadResult read = has_read_enough ? shell::ReadResult{} : source.reader().next(options);
  if (source.is_interactive() && read.status != shell::ReadStatus::kCommand && take_interrupt()) {
    source.reader().skip_line();
    return Rule::kEval;
  }
  switch (read.status) {
    case shell::ReadStatus::kEnd:
      if (source.is_interactive() && source.is_toplevel) {
        ++state.commands_read;
        if (warn_about_stopped_jobs()) return Rule::kEval;
      }
      if (!frame.as<SourceFrame>().has_run && !source.is_toplevel) state.status = 0;
      if (source.is_function_like && state.traps.has_pseudo &&
          !std::exchange(frame.as<SourceFrame>().has_trapped, true) && run_trap(kReturnTrap)) {
        return Rule::kTrapped;
      }
      leave_source();
      pop();
      // The end of the shell itself: its EXIT trap.
      if (frames.empty()) return start_exit_trap() ? Rule::kTrapped : Rule::kDone;
      return Rule::kEvalDone;
    case shell::ReadStatus::kError: {
      state.line = source.reader().line();
      const auto* caller =
          frames.size() > 1 ? frames[frames.size() - 2].get<SimpleFrame>() : nullptr;
      if (read.error && is_bash()) {
        bash_syntax_error(*this, source, read, caller);
      } else if (read.error) {
        error(read.error->message);
      }
      state.status = 2;
      if (read.is_in_array && is_bash() && !is_interactive()) {
        state.status = 1;
        if (source.is_toplevel) {
          source.reader().skip_line();
          return Rule::kEval;
        }
      }
      if (source.is_toplevel && is_interactive()) {
        source.reader().skip_line();
        return Rule::kEval;
      }
      // `command eval` and `command .` are not special: their errors are only their status.
      bool is_own_failure = is_bash() && !source.is_toplevel;
      if (is_own_failure || (caller != nullptr && caller->is_forgiving)) {
        leave_source();
        pop();
        return Rule::kEvalDone;
      }
      if (is_bash()) {
        exit_shell(2);
      } else {
        shell_error(2);
      }
      return Rule::kRunFail;
    }
    case shell::ReadStatus::kCommand: break;
  }
  if (state.options.has(Option::kVerbose) && !source.is_interactive()) {
    bool has_end = read.input.empty() || read.input.ends_with('\n');
    write_all(io[2], std::string(read.input) + (has_end ? "" : "\n"));
  }
  running.code = lower(std::move(read.tree), names(),
                       {.expands_braces = state.options.has(Option::kBraceExpand),
                        .expands_argument_tildes = !state.options.has(Option::kPosix),
                        .lines_before = source.counts_on && source.line > 0 ? source.line - 1 : 0});
  if (running.code->root == nullptr) return Rule::kEval;
  if (state.options.has(Option::kNoExec) && !is_interactive()) return Rule::kCmdRunNoExec;
  bool is_definition = running.code->root->kind == NodeKind::kFunction;
  if (is_definition && source.is_interactive() && state.options.has(Option::kNoLog) &&
      !state.history.empty()) {
    state.history.pop_back();
  }
  frame.as<SourceFrame>().has_run = true;
  if (source.is_interactive()) ++state.commands_read;
  push_node(running.code->root, frame.tested);
  return Rule::kEvalCmd;
}

// `return` ends a dot script; an error in an interactive shell ends the command, not the shell.
bool Machine::stop_unwinding_at_source(Frame& frame) {
  Source& source = *sources.back()->source;
  if (unwinding == Unwind::kError && (source.is_toplevel || is_bash())) {
    unwinding = Unwind::kNone;
    undo_moves(frame.base.moves);
    cut_to(frame.base);
    loop_depth = 0;
    source.reader().skip_line();
    return true;
  }
  bool returns = unwinding == Unwind::kReturn && source.is_function_like;
  leave_source();
  if (!returns) return false;
  unwinding = Unwind::kNone;
  undo_moves(frame.base.moves);
  fields.truncate(frame.base.fields);
  pop();
  return true;
}

}  // namespace nacre::machine
