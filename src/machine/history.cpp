// fc and history. The list of commands belongs to the machine's State; a shell that is not
// interactive keeps none.
#include <fmt/format.h>

#include "machine/arithmetic.h"
#include "machine/builtin_options.h"
#include "machine/builtins.h"
#include "machine/machine.h"
#include "machine/quote.h"

namespace nacre::machine {
namespace {

// The index of the entry that `text` names: a number, a negative offset, or a prefix.
std::optional<size_t> find_entry(const std::vector<std::string>& history, std::string_view text) {
  int64_t number = 0;
  auto size = static_cast<int64_t>(history.size());
  if (parse_integer(text, number)) {
    int64_t index = number < 0 ? size + number : number - 1;
    if (size == 0) return std::nullopt;
    return static_cast<size_t>(std::clamp<int64_t>(index, 0, size - 1));
  }
  for (size_t i = history.size(); i-- > 0;) {
    if (history[i].starts_with(text)) return i;
  }
  return std::nullopt;
}

struct Range {
  size_t first = 0;
  size_t last = 0;
};

std::optional<Range> operands(Machine& machine, Args args, size_t at, size_t default_first) {
  const std::vector<std::string>& history = machine.state.history;
  Range range{default_first, history.size() - 1};
  if (at < args.size()) {
    auto first = find_entry(history, args[at]);
    auto last = at + 1 < args.size() ? find_entry(history, args[at + 1]) : first;
    if (!first || !last) {
      machine.builtin_error(args[0], "history specification out of range");
      return std::nullopt;
    }
    range = {*first, *last};
  }
  return range;
}

struct FcOptions {
  bool lists = false;
  bool shows_numbers = true;
  bool reverses = false;
  bool runs = false;
  std::string editor;
  size_t operands = 1;
};

// False after a message.
bool parse_options(Machine& machine, Args args, FcOptions& result) {
  OptionScanner options(args, "e:lnrs");
  while (true) {
    // -5 is an operand, not an option.
    size_t at = options.operands();
    bool is_offset = at < args.size() && args[at].size() > 1 && args[at][0] == '-' &&
                     args[at][1] >= '0' && args[at][1] <= '9';
    char letter = is_offset ? '\0' : options.next();
    if (letter == 0) break;
    switch (letter) {
      case 'l': result.lists = true; break;
      case 'n': result.shows_numbers = false; break;
      case 'r': result.reverses = true; break;
      case 's': result.runs = true; break;
      case 'e': result.editor = options.value(); break;
      default: machine.bad_option(args[0], options.letter()); return false;
    }
  }
  result.operands = options.operands();
  return true;
}

// fc -s [old=new] [first]
int run_again(Machine& machine, Args args, size_t at) {
  std::vector<std::string>& history = machine.state.history;
  std::string from;
  std::string to;
  if (at < args.size() && args[at].find('=') != std::string_view::npos) {
    size_t equals = args[at].find('=');
    from = args[at].substr(0, equals);
    to = args[at].substr(equals + 1);
    ++at;
  }
  auto range = operands(machine, args, at, history.size() - 1);
  if (!range) return 1;
  std::string command = history[range->first];
  if (size_t found = command.find(from); !from.empty() && found != std::string::npos) {
    command.replace(found, from.size(), to);
  }
  machine.write_all(machine.io[2], command + "\n");
  history.push_back(command);
  machine.push_source(Source::of_text("fc", command), false);
  return kPushed;
}

// Edit a file, then run what it holds: as shell commands, so that every rule of them applies.
int edit_and_run(Machine& machine, const std::string& text, std::string editor) {
  const std::string* variable = machine.state.variables.get("FCEDIT");
  if (editor.empty()) editor = variable != nullptr && !variable->empty() ? *variable : "ed";
  std::string script = fmt::format(
      "__nacre_fc=$(mktemp) && printf %s {} >\"$__nacre_fc\" && {} \"$__nacre_fc\" && "
      "cat \"$__nacre_fc\" >&2 && . \"$__nacre_fc\"; rm -f \"$__nacre_fc\"; unset __nacre_fc",
      quoted(text), editor);
  machine.push_source(Source::of_text("fc", script), false);
  return kPushed;
}

}  // namespace

int run_history(Machine& machine, Args args) {
  const std::vector<std::string>& history = machine.state.history;
  int64_t count = static_cast<int64_t>(history.size());
  if (args.size() > 1 && !parse_integer(args[1], count)) {
    return machine.builtin_failure(args[0], fmt::format("Illegal number: {}", args[1]), 2);
  }
  size_t first =
      history.size() - std::min(history.size(), static_cast<size_t>(std::max<int64_t>(count, 0)));
  for (size_t i = first; i < history.size(); ++i)
    machine.out(fmt::format("{:>5}  {}\n", i + 1, history[i]));
  return 0;
}

int run_fc(Machine& machine, Args args) {
  FcOptions options;
  if (!parse_options(machine, args, options)) return 2;
  const std::vector<std::string>& history = machine.state.history;
  if (history.empty()) {
    if (options.lists) return 0;
    return machine.builtin_failure(args[0], "history specification out of range", 1);
  }
  // What is run again takes the place of this very command, which is the last of the list.
  if (!options.lists) machine.state.history.pop_back();
  if (history.empty()) {
    return machine.builtin_failure(args[0], "history specification out of range", 1);
  }
  size_t at = options.operands;
  if (options.runs || options.editor == "-") return run_again(machine, args, at);
  size_t recent = history.size() - (options.lists ? std::min<size_t>(history.size(), 16) : 1);
  auto range = operands(machine, args, at, recent);
  if (!range) return 1;
  if (options.lists && at + 1 == args.size()) range->last = history.size() - 1;
  if (range->first > range->last) {
    std::swap(range->first, range->last);
    options.reverses = !options.reverses;
  }
  std::string text;
  for (size_t n = 0; n <= range->last - range->first; ++n) {
    size_t i = options.reverses ? range->last - n : range->first + n;
    if (options.lists) text += options.shows_numbers ? fmt::format("{}\t", i + 1) : "\t";
    text += history[i] + "\n";
  }
  if (!options.lists) return edit_and_run(machine, text, options.editor);
  machine.out(text);
  return 0;
}

}  // namespace nacre::machine
