#include "machine/options.h"

#include <algorithm>
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

constexpr OptionName kBashNames[] = {
    {Option::kAllExport, 'a', "allexport"},
    {Option::kBraceExpand, 'B', "braceexpand"},
    {Option::kEmacs, 0, "emacs"},
    {Option::kErrExit, 'e', "errexit"},
    {Option::kErrTrace, 'E', "errtrace"},
    {Option::kFuncTrace, 'T', "functrace"},
    {Option::kHashAll, 'h', "hashall"},
    {Option::kHistExpand, 'H', "histexpand"},
    {Option::kHistory, 0, "history"},
    {Option::kIgnoreEof, 0, "ignoreeof"},
    {Option::kInteractiveComments, 0, "interactive-comments"},
    {Option::kKeyword, 'k', "keyword"},
    {Option::kMonitor, 'm', "monitor"},
    {Option::kNoClobber, 'C', "noclobber"},
    {Option::kNoExec, 'n', "noexec"},
    {Option::kNoGlob, 'f', "noglob"},
    {Option::kNoLog, 0, "nolog"},
    {Option::kNotify, 'b', "notify"},
    {Option::kNoUnset, 'u', "nounset"},
    {Option::kOneCommand, 't', "onecmd"},
    {Option::kPhysical, 'P', "physical"},
    {Option::kPipeFail, 0, "pipefail"},
    {Option::kPosix, 0, "posix"},
    {Option::kPrivileged, 'p', "privileged"},
    {Option::kVerbose, 'v', "verbose"},
    {Option::kVi, 0, "vi"},
    {Option::kTrace, 'x', "xtrace"},
};

// What cannot be listed by `set -o` of bash, but is given when the shell starts.
constexpr OptionName kUnlisted[] = {
    {Option::kBash, 0, "bash"},
    {Option::kInteractive, 'i', ""},
    {Option::kStandardInput, 's', ""},
};

constexpr OptionName kShoptNames[] = {
    {Option::kAutocd, 0, "autocd"},
    {Option::kAssocExpandOnce, 0, "assoc_expand_once"},
    {Option::kCdableVars, 0, "cdable_vars"},
    {Option::kCdspell, 0, "cdspell"},
    {Option::kCheckhash, 0, "checkhash"},
    {Option::kCheckjobs, 0, "checkjobs"},
    {Option::kCheckwinsize, 0, "checkwinsize"},
    {Option::kCmdhist, 0, "cmdhist"},
    {Option::kCompat31, 0, "compat31"},
    {Option::kCompat32, 0, "compat32"},
    {Option::kCompat40, 0, "compat40"},
    {Option::kCompat41, 0, "compat41"},
    {Option::kCompat42, 0, "compat42"},
    {Option::kCompat43, 0, "compat43"},
    {Option::kCompat44, 0, "compat44"},
    {Option::kCompleteFullquote, 0, "complete_fullquote"},
    {Option::kDirexpand, 0, "direxpand"},
    {Option::kDirspell, 0, "dirspell"},
    {Option::kDotGlob, 0, "dotglob"},
    {Option::kExecfail, 0, "execfail"},
    {Option::kExpandAliases, 0, "expand_aliases"},
    {Option::kExtdebug, 0, "extdebug"},
    {Option::kExtGlob, 0, "extglob"},
    {Option::kExtquote, 0, "extquote"},
    {Option::kFailGlob, 0, "failglob"},
    {Option::kForceFignore, 0, "force_fignore"},
    {Option::kGlobasciiranges, 0, "globasciiranges"},
    {Option::kGlobskipdots, 0, "globskipdots"},
    {Option::kGlobStar, 0, "globstar"},
    {Option::kGnuErrfmt, 0, "gnu_errfmt"},
    {Option::kHistappend, 0, "histappend"},
    {Option::kHistreedit, 0, "histreedit"},
    {Option::kHistverify, 0, "histverify"},
    {Option::kHostcomplete, 0, "hostcomplete"},
    {Option::kHuponexit, 0, "huponexit"},
    {Option::kInheritErrExit, 0, "inherit_errexit"},
    {Option::kInteractiveComments, 0, "interactive_comments"},
    {Option::kLastPipe, 0, "lastpipe"},
    {Option::kLithist, 0, "lithist"},
    {Option::kLocalvarInherit, 0, "localvar_inherit"},
    {Option::kLocalvarUnset, 0, "localvar_unset"},
    {Option::kLoginShell, 0, "login_shell"},
    {Option::kMailwarn, 0, "mailwarn"},
    {Option::kNoEmptyCmdCompletion, 0, "no_empty_cmd_completion"},
    {Option::kNoCaseGlob, 0, "nocaseglob"},
    {Option::kNoCaseMatch, 0, "nocasematch"},
    {Option::kNoexpandTranslation, 0, "noexpand_translation"},
    {Option::kNullGlob, 0, "nullglob"},
    {Option::kPatsubReplacement, 0, "patsub_replacement"},
    {Option::kProgcomp, 0, "progcomp"},
    {Option::kProgcompAlias, 0, "progcomp_alias"},
    {Option::kPromptvars, 0, "promptvars"},
    {Option::kRestrictedShell, 0, "restricted_shell"},
    {Option::kShiftVerbose, 0, "shift_verbose"},
    {Option::kSourcePath, 0, "sourcepath"},
    {Option::kVarredirClose, 0, "varredir_close"},
    {Option::kXpgEcho, 0, "xpg_echo"},
};

template <typename Matches>
const OptionName* find(bool in_bash, Matches&& is_meant) {
  auto in = [&](std::span<const OptionName> names) -> const OptionName* {
    for (const OptionName& option : names) {
      if (is_meant(option)) return &option;
    }
    return nullptr;
  };
  if (!in_bash) return in(kNames);
  const OptionName* found = in(kBashNames);
  return found != nullptr ? found : in(kUnlisted);
}

}  // namespace

std::span<const OptionName> option_names(bool in_bash) {
  return in_bash ? std::span<const OptionName>(kBashNames) : std::span<const OptionName>(kNames);
}

std::span<const OptionName> shopt_names() { return kShoptNames; }

bool is_missing(Option option, bool on) {
  switch (option) {
    case Option::kKeyword:
    case Option::kCompat31:
    case Option::kCompat32:
    case Option::kCompat40:
    case Option::kCompat41:
    case Option::kCompat42:
    case Option::kCompat43:
    case Option::kCompat44:
    case Option::kGnuErrfmt: return on;
    case Option::kExtquote:
    case Option::kGlobasciiranges:
    case Option::kGlobskipdots:
    case Option::kPatsubReplacement:
    case Option::kPromptvars: return !on;
    default: return false;
  }
}

const OptionName* find_option(std::string_view name, bool in_bash) {
  return find(in_bash, [&](const OptionName& option) { return option.name == name; });
}

const OptionName* find_option(char letter, bool in_bash) {
  return find(in_bash, [&](const OptionName& option) { return option.letter == letter; });
}

void Options::set_bash_defaults() {
  for (Option option : {Option::kBraceExpand, Option::kHashAll, Option::kInteractiveComments,
                        Option::kPatsubReplacement, Option::kSourcePath, Option::kCheckwinsize,
                        Option::kCmdhist, Option::kCompleteFullquote, Option::kExtquote,
                        Option::kForceFignore, Option::kGlobasciiranges, Option::kGlobskipdots,
                        Option::kHostcomplete, Option::kProgcomp, Option::kPromptvars}) {
    set(option, true);
  }
}

std::string Options::letters() const {
  std::string result;
  bool in_bash = has(Option::kBash);
  for (const OptionName& name : option_names(in_bash)) {
    if (name.letter != 0 && has(name.option)) result += name.letter;
  }
  if (!in_bash) return result;
  std::sort(result.begin(), result.end(), [](char a, char b) {
    auto is_small = [](char c) { return c >= 'a' && c <= 'z'; };
    return is_small(a) != is_small(b) ? is_small(a) : a < b;
  });
  if (has(Option::kInteractive)) result += 'i';
  if (has(Option::kStandardInput)) result += 's';
  return result;
}

void Machine::set_option(Option option, bool on) {
  if (option == Option::kMonitor) return set_monitor(on);
  state.options.set(option, on);
  if (option == Option::kNotify && is_interactive()) update_interactive_signals();
  // Nothing is run any more, also not the rest of this command; what follows is only parsed.
  if (on && option == Option::kNoExec && !is_interactive()) unwind(Unwind::kError);
  if (on && option == Option::kBash) {
    state.options.set_bash_defaults();
    declare_dynamic_variables();
  }
  if (option == Option::kExtGlob) classify_separators();
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
