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
  OptionScanner options(args, "e:lnrs");
  bool lists = false;
  bool numbers = true;
  bool reverses = false;
  bool runs = false;
  std::string editor;
  while (args.size() > options.operands() || options.operands() > 1) {
    // -5 is an operand, not an option.
    size_t at = options.operands();
    if (at < args.size() && args[at].size() > 1 && args[at][0] == '-' && args[at][1] >= '0' &&
        args[at][1] <= '9')
      break;
    char letter = options.next();
    if (letter == 0) break;
    switch (letter) {
      case 'l': lists = true; break;
      case 'n': numbers = false; break;
      case 'r': reverses = true; break;
      case 's': runs = true; break;
      case 'e': editor = options.value(); break;
      default:
        return machine.builtin_failure(args[0], fmt::format("-{}: bad option", options.letter()),
                                       2);
    }
  }
  std::vector<std::string>& history = machine.state.history;
  size_t at = options.operands();
  if (history.empty()) {
    if (lists) return 0;
    return machine.builtin_failure(args[0], "history specification out of range", 1);
  }
  if (runs || editor == "-") {
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
  size_t recent = lists ? (history.size() > 16 ? history.size() - 16 : 0) : history.size() - 1;
  auto range = operands(machine, args, at, recent);
  if (!range) return 1;
  if (lists && at < args.size() && at + 1 >= args.size()) range->last = history.size() - 1;
  if (range->first > range->last) {
    std::swap(range->first, range->last);
    reverses = !reverses;
  }
  std::string text;
  for (size_t n = 0; n <= range->last - range->first; ++n) {
    size_t i = reverses ? range->last - n : range->first + n;
    text += lists && numbers ? fmt::format("{}\t{}\n", i + 1, history[i])
            : lists          ? fmt::format("\t{}\n", history[i])
                             : history[i] + "\n";
  }
  if (lists) {
    machine.out(text);
    return 0;
  }
  // Edit a file, then run what it holds: as shell commands, so that every rule of them applies.
  const std::string* variable = machine.state.variables.get("FCEDIT");
  if (editor.empty()) editor = variable != nullptr && !variable->empty() ? *variable : "ed";
  std::string script = fmt::format(
      "__nacre_fc=$(mktemp) && printf %s {} >\"$__nacre_fc\" && {} \"$__nacre_fc\" && cat "
      "\"$__nacre_fc\" >&2 && "
      ". \"$__nacre_fc\"; rm -f \"$__nacre_fc\"; unset __nacre_fc",
      quoted(text), editor);
  machine.push_source(Source::of_text("fc", script), false);
  return kPushed;
}

}  // namespace nacre::machine
