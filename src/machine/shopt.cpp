// shopt: the options of bash that `set` does not have.
#include <fmt/format.h>

#include "machine/builtin_options.h"
#include "machine/builtins.h"
#include "machine/machine.h"

namespace nacre::machine {
namespace {

struct Query {
  char change = 0;  // s, u or none
  bool is_quiet = false;
  bool prints = false;
  bool of_set = false;  // -o
};

void show(Machine& machine, const OptionName& option, const Query& query) {
  bool on = machine.state.options.has(option.option);
  if (query.is_quiet) return;
  if (query.prints) {
    machine.out(query.of_set ? fmt::format("set {}o {}\n", on ? '-' : '+', option.name)
                             : fmt::format("shopt -{} {}\n", on ? 's' : 'u', option.name));
  } else {
    machine.out(fmt::format("{:<15}\t{}\n", option.name, on ? "on" : "off"));
  }
}

}  // namespace

int run_shopt(Machine& machine, Args args) {
  OptionScanner scanner(args, "supqo");
  Query query;
  while (char letter = scanner.next()) {
    switch (letter) {
      case 's':
      case 'u':
        if (query.change != 0 && query.change != letter) {
          return machine.builtin_failure(args[0],
                                         "cannot set and unset shell options simultaneously", 1);
        }
        query.change = letter;
        break;
      case 'p': query.prints = true; break;
      case 'q': query.is_quiet = true; break;
      case 'o': query.of_set = true; break;
      default: return machine.bad_option(args[0], scanner.letter());
    }
  }
  std::span<const OptionName> names = query.of_set ? option_names(true) : shopt_names();
  if (scanner.operands() == args.size()) {
    for (const OptionName& option : names) {
      bool on = machine.state.options.has(option.option);
      if (query.change == 0 || on == (query.change == 's')) show(machine, option, query);
    }
    return 0;
  }
  int status = 0;
  for (size_t i = scanner.operands(); i < args.size(); ++i) {
    const OptionName* found = nullptr;
    for (const OptionName& option : names) {
      if (option.name == args[i]) found = &option;
    }
    if (found == nullptr) {
      machine.builtin_error(
          args[0], fmt::format("{}: invalid {}option name", args[i], query.of_set ? "" : "shell "));
      status = 1;
    } else if (found->option == Option::kLoginShell || found->option == Option::kRestrictedShell) {
      if (query.change != 0) {  // of how the shell was started
        status = 1;
      } else {
        show(machine, *found, query);
        if (!machine.state.options.has(found->option)) status = 1;
      }
    } else if (query.change != 0 && is_missing(found->option, query.change == 's')) {
      machine.builtin_error(args[0], fmt::format("{}: not supported", args[i]));
      status = 1;
    } else if (query.change != 0) {
      machine.set_option(found->option, query.change == 's');
    } else {
      show(machine, *found, query);
      if (!machine.state.options.has(found->option)) status = 1;
    }
  }
  return status;
}

}  // namespace nacre::machine
