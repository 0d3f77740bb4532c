#include "machine/options.h"

namespace nacre::machine {
namespace {

constexpr OptionName kNames[] = {
    {Option::kAllExport, 'a', "allexport"}, {Option::kEmacs, 0, "emacs"},
    {Option::kErrExit, 'e', "errexit"},     {Option::kHashAll, 'h', "hashall"},
    {Option::kIgnoreEof, 0, "ignoreeof"},   {Option::kInteractive, 'i', "interactive"},
    {Option::kMonitor, 'm', "monitor"},     {Option::kNoClobber, 'C', "noclobber"},
    {Option::kNoExec, 'n', "noexec"},       {Option::kNoGlob, 'f', "noglob"},
    {Option::kNoLog, 0, "nolog"},           {Option::kNonLexicalControl, 0, "nonlexicalctrl"},
    {Option::kNotify, 'b', "notify"},       {Option::kNoUnset, 'u', "nounset"},
    {Option::kPipeFail, 0, "pipefail"},     {Option::kStandardInput, 's', "stdin"},
    {Option::kVerbose, 'v', "verbose"},     {Option::kVi, 0, "vi"},
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

}  // namespace nacre::machine
