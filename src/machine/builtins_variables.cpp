#include <algorithm>
#include <fmt/format.h>

#include "machine/arithmetic.h"
#include "machine/builtin_options.h"
#include "machine/builtins.h"
#include "machine/declare.h"
#include "machine/machine.h"
#include "machine/quote.h"

namespace nacre::machine {
namespace {

// name or name=value; false if the name is none.
bool parse_declaration(std::string_view text, std::string_view& name, std::string_view& value,
                       bool& has_value) {
  size_t equals = text.find('=');
  has_value = equals != std::string_view::npos;
  name = text.substr(0, equals);
  value = has_value ? text.substr(equals + 1) : std::string_view();
  return is_name(name);
}

// `export` and `readonly` without names.
int list_declared(Machine& machine, std::string_view command, bool Variable::*property) {
  for (NameId id : machine.state.variables.sorted()) {
    const Variable& variable = machine.state.variables.at(id);
    if (!(variable.*property)) continue;
    machine.out(fmt::format("{} {}", command, machine.names().text(id)));
    if (variable.is_set) machine.out("=" + quoted(variable.value));
    machine.out("\n");
  }
  return 0;
}

template <typename Declare>
int declare(Machine& machine, Args args, size_t first, Declare&& mark) {
  for (size_t i = first; i < args.size(); ++i) {
    std::string_view name;
    std::string_view value;
    bool has_value = false;
    if (!parse_declaration(args[i], name, value, has_value)) {
      return machine.builtin_failure(args[0], fmt::format("{}: bad variable name", args[i]), 2);
    }
    NameId id = machine.state.variables.id(name);
    if (!mark(id, has_value, value)) return 1;
  }
  return 0;
}

bool assign_or_fail(Machine& machine, NameId id, std::string_view value) {
  if (machine.assign(id, value)) return true;
  if (machine.is_special_call) machine.shell_error(1);
  return false;
}

}  // namespace

int run_export(Machine& machine, Args args) {
  if (machine.is_bash()) return declare_variables(machine, args, DeclareScope::kExport);
  OptionScanner options(args, "p");
  while (char letter = options.next()) {
    if (letter == '?') return machine.bad_option(args[0], options.letter());
  }
  if (options.operands() >= args.size()) {
    return list_declared(machine, "export", &Variable::is_exported);
  }
  return declare(machine, args, options.operands(),
                 [&](NameId id, bool has_value, std::string_view value) {
                   if (has_value && !assign_or_fail(machine, id, value)) return false;
                   machine.state.variables.set_exported(id, true);
                   return true;
                 });
}

int run_readonly(Machine& machine, Args args) {
  if (machine.is_bash()) return declare_variables(machine, args, DeclareScope::kReadonly);
  OptionScanner options(args, "p");
  while (char letter = options.next()) {
    if (letter == '?') return machine.bad_option(args[0], options.letter());
  }
  if (options.operands() >= args.size()) {
    return list_declared(machine, "readonly", &Variable::is_readonly);
  }
  return declare(machine, args, options.operands(),
                 [&](NameId id, bool has_value, std::string_view value) {
                   if (has_value && !assign_or_fail(machine, id, value)) return false;
                   machine.state.variables.set_readonly(id);
                   return true;
                 });
}

namespace {

// The variables that the function has declared between the two marks.
int list_locals(Machine& machine, size_t begin, size_t end) {
  for (NameId id : machine.state.variables.saved_between(begin, end)) {
    const std::string* value = machine.state.variables.get(id);
    const std::string& name = machine.names().text(id);
    machine.out(value == nullptr ? fmt::format("local {}\n", name)
                                 : fmt::format("local {}={}\n", name, quoted(*value)));
  }
  return 0;
}

}  // namespace

int run_local(Machine& machine, Args args) {
  if (machine.is_bash()) return declare_variables(machine, args, DeclareScope::kLocal);
  const Frame* call = machine.local_scope();
  if (call == nullptr) {
    return machine.builtin_failure(args[0], "not in a function", 1);
  }
  machine.unspecified("local");
  size_t first = 1;
  if (args.size() > 1 && args[1] == "-p") first = 2;
  if (args.size() > first && args[first] == "--") ++first;
  Frame& caller = machine.frames.back();
  if (first >= args.size())
    return list_locals(machine, call->base.variables, caller.base.variables);
  return declare(machine, args, first, [&](NameId id, bool has_value, std::string_view value) {
    Variables& variables = machine.state.variables;
    bool is_new = !machine.is_local(*call, id);
    if (is_new) {
      // Assignments before `local` itself end with it, but not what it declares.
      variables.save_before(caller.base.variables++, id);
    }
    if (has_value) return assign_or_fail(machine, id, value);
    if (is_new && !variables.at(id).is_readonly) variables.unset(id);
    if (variables.has_changes()) machine.react_to_changes();
    return true;
  });
}

int run_shift(Machine& machine, Args args) {
  int64_t count = 1;
  size_t at = args.size() > 1 && args[1] == "--" ? 2 : 1;
  if (machine.is_bash() && args.size() > at) {
    bool is_number = parse_integer(args[at], count);
    if (!is_number || args.size() > at + 1) {
      return machine.builtin_failure(
          args[0],
          is_number ? "too many arguments" : fmt::format("{}: numeric argument required", args[at]),
          1);
    }
    bool is_above = count > static_cast<int64_t>(machine.state.positional.size());
    if (count < 0 || (is_above && machine.state.options.has(Option::kShiftVerbose))) {
      return machine.builtin_failure(args[0], fmt::format("{}: shift count out of range", args[at]),
                                     1);
    }
  }
  if (args.size() > at && (!parse_integer(args[at], count) || count < 0)) {
    return machine.builtin_failure(args[0], fmt::format("Illegal number: {}", args[at]), 2);
  }
  if (static_cast<uint64_t>(count) > machine.state.positional.size()) {
    machine.unspecified("whether shift by more than $# ends the shell");
    if (machine.is_bash()) return 1;
    return machine.builtin_failure(args[0], "can't shift that many", 1);
  }
  machine.state.positional.first += static_cast<size_t>(count);
  return 0;
}

namespace {

int list_variables(Machine& machine) {
  for (NameId id : machine.state.variables.sorted()) {
    machine.out(assignment_text(machine, id));
  }
  if (!machine.is_bash()) return 0;
  for (const std::string& name : function_names(machine)) {
    machine.out(function_text(machine, machine.names().find(name)));
  }
  return 0;
}

int list_options(Machine& machine, bool reusable) {
  if (!reusable && !machine.is_bash()) machine.out("Current option settings\n");
  for (const OptionName& name : option_names(machine.is_bash())) {
    bool on = machine.state.options.has(name.option);
    bool fixed = name.option == Option::kInteractive || name.option == Option::kStandardInput;
    if (reusable && fixed) continue;
    machine.out(reusable ? fmt::format("set {}o {}\n", on ? '-' : '+', name.name)
                         : fmt::format("{:<15}{}{}\n", name.name, machine.is_bash() ? '\t' : ' ',
                                       on ? "on" : "off"));
  }
  return 0;
}

}  // namespace

int run_set(Machine& machine, Args args) {
  if (args.size() == 1) return list_variables(machine);
  size_t at = 1;
  bool sets_parameters = false;
  for (; at < args.size(); ++at) {
    std::string_view arg = args[at];
    if (arg == "--") {
      sets_parameters = true;
      ++at;
      break;
    }
    if (arg == "-") {  // obsolete: turns off -x and -v
      machine.state.options.set(Option::kTrace, false);
      machine.state.options.set(Option::kVerbose, false);
      sets_parameters = at + 1 < args.size();
      ++at;
      break;
    }
    if (arg.empty() || (arg[0] != '-' && arg[0] != '+')) break;
    bool on = arg[0] == '-';
    for (size_t i = 1; i < arg.size(); ++i) {
      const OptionName* option = nullptr;
      std::string_view shown = arg.substr(i, 1);
      if (arg[i] == 'o') {
        if (at + 1 >= args.size()) return list_options(machine, !on);
        shown = args[++at];
        option = find_option(shown, machine.is_bash());
      } else {
        option = find_option(arg[i], machine.is_bash());
      }
      bool fixed = option != nullptr && (option->option == Option::kInteractive ||
                                         option->option == Option::kStandardInput);
      if ((option == nullptr || fixed) && machine.is_bash()) {
        if (arg[i] == 'o') {
          return machine.builtin_failure(args[0], fmt::format("{}: invalid option name", shown), 1);
        }
        machine.builtin_error(args[0], fmt::format("{}{}: invalid option", on ? '-' : '+', shown));
        return machine.usage_failure(args[0]);
      }
      if (option == nullptr || fixed) {
        return machine.builtin_failure(
            args[0], fmt::format("Illegal option {}{}", on ? '-' : '+', shown), 2);
      }
      if (is_missing(option->option, on)) {
        return machine.builtin_failure(
            args[0], fmt::format("{}{}: not supported", on ? '-' : '+', shown), 2);
      }
      machine.set_option(option->option, on);
    }
  }
  if (at < args.size() || sets_parameters) {
    auto values = std::make_shared<std::vector<std::string>>();
    for (; at < args.size(); ++at) values->emplace_back(args[at]);
    machine.state.positional = {std::move(values), 0};
  }
  return 0;
}

namespace {

// One step of getopts. The words are the operands or the positional parameters.
class GetoptsStep {
  // bash: only if OPTERR is not 0, and without a line.
  void complain(std::string_view before, std::string_view after, std::string_view in_bash,
                char letter) {
    if (is_silent_) return;
    if (!machine_.is_bash()) return machine_.error(fmt::format("{}{}{}", before, letter, after));
    const std::string* wanted = machine_.state.variables.get("OPTERR");
    if (wanted != nullptr && *wanted == "0") return;
    machine_.write_all(machine_.io[2],
                       fmt::format("{}: {}{}\n", machine_.state.arg0, in_bash, letter));
  }

 public:
  // `first`: the argument with the letters; the name follows.
  GetoptsStep(Machine& machine, Args args, size_t first)
      : machine_(machine), args_(args), first_(first) {}

  int run() {
    optstring_ = args_[first_];
    is_silent_ = optstring_.starts_with(':');
    if (is_silent_) optstring_.remove_prefix(1);
    int64_t index = 1;
    const std::string* optind = machine_.state.variables.get("OPTIND");
    if (optind == nullptr || !parse_integer(*optind, index) || index < 1) index = 1;
    index_ = static_cast<size_t>(index);
    offset_ = machine_.state.getopts_offset;
    if (offset_ == 0 && !start_word()) return finish('?', std::nullopt, 1);
    // The words may be others than those that the last call looked at.
    if (index_ - 1 >= count()) return finish('?', std::nullopt, 1);
    std::string word(this->word(index_ - 1));
    if (offset_ >= word.size()) return finish('?', std::nullopt, 1);
    char letter = word[offset_++];
    size_t found = letter == ':' ? std::string_view::npos : optstring_.find(letter);
    bool takes_value = found != std::string_view::npos && found + 1 < optstring_.size() &&
                       optstring_[found + 1] == ':';
    if (found == std::string_view::npos) {
      next_word_if_done(word);
      complain("Illegal option -", "", "illegal option -- ", letter);
      return finish('?', is_silent_ ? std::optional(std::string(1, letter)) : std::nullopt, 0);
    }
    if (!takes_value) {
      next_word_if_done(word);
      return finish(letter, std::nullopt, 0);
    }
    if (offset_ < word.size()) {
      std::string value = word.substr(offset_);
      offset_ = 0;
      ++index_;
      return finish(letter, value, 0);
    }
    offset_ = 0;
    ++index_;
    if (index_ - 1 < count()) return finish(letter, std::string(this->word(index_++ - 1)), 0);
    complain("No arg for -", " option", "option requires an argument -- ", letter);
    return finish(is_silent_ ? ':' : '?',
                  is_silent_ ? std::optional(std::string(1, letter)) : std::nullopt, 0);
  }

 private:
  size_t count() const {
    size_t own = args_.size() - first_ - 2;
    return own > 0 ? own : machine_.state.positional.size();
  }
  std::string_view word(size_t i) const {
    return args_.size() > first_ + 2 ? args_[first_ + 2 + i]
                                     : std::string_view(machine_.state.positional[i]);
  }
  // False when the options have ended.
  bool start_word() {
    if (index_ - 1 >= count()) return false;
    std::string_view word = this->word(index_ - 1);
    if (word.size() < 2 || word[0] != '-') return false;
    if (word == "--") {
      ++index_;
      return false;
    }
    offset_ = 1;
    return true;
  }
  void next_word_if_done(const std::string& word) {
    if (offset_ < word.size()) return;
    offset_ = 0;
    ++index_;
  }
  int finish(char letter, std::optional<std::string> value, int status) {
    Variables& variables = machine_.state.variables;
    bool assigned = machine_.assign(variables.id("OPTIND"), std::to_string(index_));
    machine_.state.getopts_offset = status == 0 ? offset_ : 0;
    if (value) {
      assigned &= machine_.assign(variables.id("OPTARG"), *value);
    } else if (!variables.at(variables.id("OPTARG")).is_readonly) {
      variables.unset(variables.id("OPTARG"));
    }
    std::string_view name = args_[first_ + 1];
    if (!is_name(name)) {
      machine_.builtin_error(args_[0], fmt::format("`{}': not a valid identifier", name));
      return 1;
    }
    assigned &= machine_.assign(variables.id(name), std::string(1, letter));
    return assigned ? status : 2;
  }

  Machine& machine_;
  Args args_;
  size_t first_;
  std::string_view optstring_;
  bool is_silent_ = false;
  size_t index_ = 1;
  size_t offset_ = 0;
};

}  // namespace

int run_getopts(Machine& machine, Args args) {
  size_t first = 1;
  if (machine.is_bash()) {
    OptionScanner options(args, "");
    if (options.next() != 0) return machine.bad_option(args[0], options.letter());
    first = options.operands();
  }
  if (args.size() < first + 2) {
    if (machine.is_bash()) return machine.usage_failure(args[0]);
    return machine.builtin_failure(args[0], "usage: getopts optstring name [argument...]", 2);
  }
  if (!is_name(args[first + 1]) && !machine.is_bash()) {
    return machine.builtin_failure(args[0], fmt::format("{}: bad variable name", args[first + 1]),
                                   2);
  }
  return GetoptsStep(machine, args, first).run();
}

}  // namespace nacre::machine
