#include "machine/options.h"

#include <csignal>
#include <fcntl.h>

#include "machine/machine.h"

namespace nacre::machine {
namespace {

constexpr OptionName kNames[] = {
    {Option::kAllExport, 'a', "allexport"},
    {Option::kBash, 0, "bash"},
    {Option::kEmacs, 0, "emacs"},
    {Option::kErrExit, 'e', "errexit"},
    {Option::kHashAll, 'h', "hashall"},
    {Option::kIgnoreEof, 0, "ignoreeof"},
    {Option::kInteractive, 'i', "interactive"},
    {Option::kMonitor, 'm', "monitor"},
    {Option::kNoClobber, 'C', "noclobber"},
    {Option::kNoExec, 'n', "noexec"},
    {Option::kNoGlob, 'f', "noglob"},
    {Option::kNoLog, 0, "nolog"},
    {Option::kNonLexicalControl, 0, "nonlexicalctrl"},
    {Option::kNotify, 'b', "notify"},
    {Option::kNoUnset, 'u', "nounset"},
    {Option::kPipeFail, 0, "pipefail"},
    {Option::kStandardInput, 's', "stdin"},
    {Option::kVerbose, 'v', "verbose"},
    {Option::kVi, 0, "vi"},
    {Option::kTrace, 'x', "xtrace"},
};

}  // namespace

std::span<const OptionName> option_names() { return kNames; }

const OptionName* find_option(std::string_view name) {
  for (const OptionName& option : kNames) {
    if (option.name == name) return &option;
  }
  return nullptr;
}

const OptionName* find_option(char letter) {
  for (const OptionName& option : kNames) {
    if (option.letter == letter) return &option;
  }
  return nullptr;
}

std::string Options::letters() const {
  std::string result;
  for (const OptionName& name : kNames) {
    if (name.letter != 0 && has(name.option)) result += name.letter;
  }
  return result;
}

void Machine::set_option(Option option, bool on) {
  if (option == Option::kMonitor) return set_monitor(on);
  state.options.set(option, on);
  if (option == Option::kNotify && is_interactive()) update_interactive_signals();
  // Nothing is run any more, also not the rest of this command; what follows is only parsed.
  if (on && option == Option::kNoExec && !is_interactive()) unwind(Unwind::kError);
  if (on && option == Option::kVi) state.options.set(Option::kEmacs, false);
  if (on && option == Option::kEmacs) state.options.set(Option::kVi, false);
}

void Machine::set_monitor(bool on) {
  if (on == state.options.has(Option::kMonitor)) return;
  note_ignored_signals();
  state.options.set(Option::kMonitor, on);
  using world::Disposition;
  auto set = [&](int signal, Disposition disposition) {
    if (!state.traps.actions[static_cast<size_t>(signal)]) os->set_disposition(signal, disposition);
  };
  // Without a terminal there is no job control to stop the shell.
  if (on && terminal < 0) terminal = os->open("/dev/tty", O_RDWR, 0);
  bool guards = on && terminal >= 0 && is_interactive();
  for (int signal : {SIGTSTP, SIGTTIN, SIGTTOU}) {
    if (on ? guards : is_interactive())
      set(signal, on ? Disposition::kIgnore : Disposition::kDefault);
  }
  if (guards) {
    // Wait until the shell is in the foreground, then lead a group of its own.
    os->set_group(0, 0);
    os->set_terminal_group(terminal, os->group_id());
  }
  if (!on && terminal >= 0) {
    os->close(terminal);
    terminal = -1;
  }
}

}  // namespace nacre::machine
