#include "flow/rules/variable_names.h"

#include <algorithm>
#include <span>

#include "base/ascii.h"
#include "base/slip.h"

namespace nacre::flow {

namespace {

constexpr std::string_view kOfShells[] = {"IFS",          "BASH_ENV",      "BASH_REMATCH",
                                          "CDPATH",       "COMP_CWORD",    "COMP_LINE",
                                          "COMP_POINT",   "COMP_WORDS",    "COMPREPLY",
                                          "ENV",          "FUNCNAME",      "GROUPS",
                                          "HOSTTYPE",     "MACHTYPE",      "OPTARG",
                                          "OSTYPE",       "PIPESTATUS",    "PS1",
                                          "PS2",          "PS3",           "PS4",
                                          "REPLY",        "SHELLOPTS",     "SHLVL",
                                          "BASHOPTS",     "DIRSTACK",      "_",
                                          "BASH_SOURCE",  "BASH_VERSINFO", "BASH_LINENO",
                                          "BASH_COMMAND", "EPOCHSECONDS",  "BASH_SUBSHELL",
                                          "COPROC",       "MAPFILE"};

constexpr std::string_view kOfLogins[] = {
    "CI",         "DISPLAY",     "EDITOR",    "LANG",     "LANGUAGE",  "LC_ALL",
    "LC_CTYPE",   "LC_MESSAGES", "MAIL",      "PAGER",    "TERM",      "TMP",
    "TMPDIR",     "TEMPDIR",     "TEMP",      "TZ",       "VISUAL",    "SUDO_USER",
    "http_proxy", "https_proxy", "ftp_proxy", "no_proxy", "all_proxy", "debian_chroot"};

constexpr std::string_view kInherited[] = {"HOME", "PWD",     "OLDPWD", "PATH",
                                           "USER", "LOGNAME", "SHELL",  "HOSTNAME"};

bool is_among(std::string_view name, std::span<const std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Whether the name occurs somewhere as a word of its own, not expanded.
bool is_mentioned(std::string_view text, std::string_view name) {
  const auto is_name = [](char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  for (size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
    const char before = at == 0 ? ' ' : text[at - 1];
    const char after = at + name.size() == text.size() ? ' ' : text[at + name.size()];
    if (!is_name(before) && before != '$' && before != '{' && !is_name(after)) return true;
  }
  return false;
}

// `for host in $hosts`, x and x2.
bool is_series(std::string_view longer, std::string_view shorter) {
  return longer.size() == shorter.size() + 1 && longer.starts_with(shorter) &&
         (longer.back() == 's' || longer.back() == 'S' || is_digit(longer.back()));
}

}  // namespace

bool is_set_by_shells(std::string_view name) {
  return is_among(name, kOfShells) || name.starts_with("COMP_");
}

bool is_well_known(std::string_view name) {
  return is_set_by_shells(name) || is_among(name, kOfLogins) || name.starts_with("XDG_") ||
         name.starts_with("LC_") || name.starts_with("SSH_") || name.starts_with("DPKG_") ||
         name.starts_with("GIT_") || name.starts_with("npm_");
}

bool is_inherited(std::string_view name) { return is_among(name, kInherited); }

bool has_lower_case(std::string_view name) {
  return std::any_of(name.begin(), name.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

std::string nearest_name(std::string_view name, const RuleContext& in) {
  constexpr size_t kMinLength = 4;
  if (name.size() < kMinLength) return "";
  const auto is_near = [&](std::string_view each) {
    return each.size() >= kMinLength && is_one_slip(name, each);
  };
  for (const std::string& each : in.survey.assigned) {
    if (is_near(each)) return each;
  }
  using NameTable = std::span<const std::string_view>;
  for (const NameTable known : {NameTable(kOfShells), NameTable(kOfLogins)}) {
    for (const std::string_view each : known) {
      if (is_near(each)) return std::string(each);
    }
  }
  return "";
}

// A name that is read again and again is not a typing error; nor is the list of `for host in
// $hosts`, one of a row that is numbered, or one that a function is given: `append files "$x"`.
bool is_misspelled(std::string_view name, const RuleContext& in) {
  constexpr uint32_t kMaxReads = 2;
  const auto reads = in.survey.reads.find(name);
  const bool is_rare = reads == in.survey.reads.end() || reads->second <= kMaxReads;
  if (!is_rare) return false;
  const std::string near = nearest_name(name, in);
  return !near.empty() && !is_mentioned(in.file().bytes(), name) &&
         !(in.survey.assigned.contains(near) && !is_well_known(near) &&
           (is_series(name, near) || is_series(near, name)));
}

}  // namespace nacre::flow
