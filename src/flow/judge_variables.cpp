// Variables that nothing has set where they are read, and those whose value was lost.
#include <algorithm>
#include <fmt/format.h>
#include <span>

#include "base/ascii.h"
#include "base/codes.h"
#include "flow/assigned.h"
#include "flow/interpreter.h"
#include "flow/slip.h"
#include "shell/visitor.h"

namespace nacre::flow {

using shell::ParameterOp;

namespace {

// Whether the name stands somewhere as a word of its own, not expanded.
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

// Set by shells, each for a purpose of its own.
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

// Set by logins or by convention before a script begins, if at all.
constexpr std::string_view kOfLogins[] = {
    "CI",         "DISPLAY",     "EDITOR",    "LANG",     "LANGUAGE",  "LC_ALL",
    "LC_CTYPE",   "LC_MESSAGES", "MAIL",      "PAGER",    "TERM",      "TMP",
    "TMPDIR",     "TEMPDIR",     "TEMP",      "TZ",       "VISUAL",    "SUDO_USER",
    "http_proxy", "https_proxy", "ftp_proxy", "no_proxy", "all_proxy", "debian_chroot"};

template <size_t count>
bool is_among(std::string_view name, const std::string_view (&names)[count]) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

bool is_of_shells(std::string_view name) {
  return is_among(name, kOfShells) || name.starts_with("COMP_");
}

bool is_well_known(std::string_view name) {
  return is_of_shells(name) || is_among(name, kOfLogins) || name.starts_with("XDG_") ||
         name.starts_with("LC_") || name.starts_with("SSH_") || name.starts_with("DPKG_") ||
         name.starts_with("GIT_") || name.starts_with("npm_");
}

// Set before any script begins, and exported (see Interpreter::inherit).
bool is_inherited(std::string_view name) {
  static constexpr std::string_view kNames[] = {"HOME", "PWD",     "OLDPWD", "PATH",
                                                "USER", "LOGNAME", "SHELL",  "HOSTNAME"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

bool has_lower_case(std::string_view name) {
  return std::any_of(name.begin(), name.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

}  // namespace

bool Interpreter::asks_for_emptiness() const {
  if (!asking_) return false;
  // A comparison with a text copes with a missing value, too.
  if (asking_->op == shell::ConditionalOp::kEqual || asking_->op == shell::ConditionalOp::kNotEqual)
    return true;
  return asking_->kind == Condition::Kind::kWord ||
         (asking_->kind == Condition::Kind::kUnary &&
          (asking_->letter == 'n' || asking_->letter == 'z'));
}

// `[ "$x" -gt 3 ]` is an error without a value.
bool Interpreter::asks_for_number() const {
  return asking_ && asking_->kind == Condition::Kind::kBinary && !asking_->is_bracket &&
         asking_->op >= shell::ConditionalOp::kNumberEqual &&
         asking_->op <= shell::ConditionalOp::kNumberGreaterEqual;
}

// `[ "$x" = "$y" ]`: what is compared is thought to be there.
bool Interpreter::asks_for_same() const {
  return asking_ && asking_->kind == Condition::Kind::kBinary && asking_->left && asking_->right &&
         asking_->left->has(shell::kWordHasExpansion) &&
         asking_->right->has(shell::kWordHasExpansion);
}

// `[ -z "$x" ]`, `[ "$x" = "" ]`
bool Interpreter::asks_for_nothing_else() const {
  if (!asks_for_emptiness() || !asking_->left) return false;  // `case $x` has more to ask
  const bool compares =
      asking_->op == shell::ConditionalOp::kEqual || asking_->op == shell::ConditionalOp::kNotEqual;
  return !compares || (asking_->right && tree_.text(asking_->right->span).size() == 2);
}

void Interpreter::judge_read(const shell::Parameter& node, Name name, const Value& value, Span span,
                             const Environment& environment) {
  const bool counts = node.op == ParameterOp::kLength;  // ${#x[@]} is of a missing array, too
  if (findings_.is_muted() || (has_own_default(node) && !counts)) return;
  if (judge_lost(name, span, environment) || has_own_default(node)) return;
  // Who gives the last of the arguments gives all, and some of them may well be empty.
  if (value.required != 0 && value.required == most_required_ && asks_for_nothing_else())
    report_required(node, value, span);
  if (is_in_uncalled_) return;
  if (environment.has_unknown_code) {
    if (!asks_for_emptiness()) judge_typo(node, span, environment);
    return;
  }
  const bool is_foreign = value.may_be_foreign && !value.is_assigned;
  // Under `set -u` who asks whether there is a DISPLAY does not get to know it.
  const bool is_asked = environment.options.nounset == Known::kYes && asks_for_emptiness() &&
                        !is_of_shells(node.name);
  if (is_well_known(node.name) && !is_asked) return;
  if (environment.options.nounset == Known::kYes) {
    if (value.may_be_unset && !node.subscript) judge_nounset(node, value, span, is_foreign);
    return;
  }
  if (assigning_ == node.name) return;
  if (survey_.unset.contains(node.name)) judge_emptied(node, value, span);
  if (!is_foreign) return;
  if (asks_for_emptiness()) {  // `[ -n "$reslut" ]`; what is shouted may come from outside
    if (has_lower_case(node.name)) judge_typo(node, span, environment);
    return;
  }
  const bool is_assigned = survey_.assigned.contains(node.name);
  if (survey_.defaulted.contains(node.name) && !is_assigned) return;
  if (survey_.passed.contains(node.name)) return;
  const bool is_shouted = !has_lower_case(node.name);
  if (survey_.fallbacks.contains(node.name) && !is_assigned && is_shouted) return;
  const bool is_typo = !is_assigned && is_slip(node.name);
  // Whoever asks copes, but for a number that is compared.
  if (is_shouted && asking_ && !(is_typo && asks_for_number())) return;
  // A file that does not start by itself is a piece of something that knows its variables.
  if (!is_program_ && !is_assigned && !is_typo) return;
  if (survey_.is_set_alike(node.name, span)) return;
  if (!findings_.is_first("unset " + std::string(node.name))) return;
  const bool is_own = is_assigned && !is_shouted;
  findings_.add(unset_finding(is_own || is_typo ? "X102" : "X110", node, span));
}

// `x=1; unset x; echo "$x"`. With an assignment between, it may be one that is not run today.
void Interpreter::judge_emptied(const shell::Parameter& node, const Value& value, Span span) {
  const auto is_before = [&](const auto& entry) { return entry.second.end <= value.origin.begin; };
  const auto is_between = [&](const auto& entry) {
    return value.origin.end <= entry.second.begin && entry.second.begin < span.begin;
  };
  const auto [begin, end] = survey_.assignments.equal_range(node.name);
  const bool is_gone = is_surely_unset(value) && std::any_of(begin, end, is_before) &&
                       std::none_of(begin, end, is_between);
  if (asks_for_emptiness() || !is_gone) return findings_.pass("X102", span);
  Diagnostic result = finding("X102", tree_.file(), span,
                              fmt::format("{} is unset again here: it is empty", node.name));
  result.path.push_back({tree_.file(), value.origin, "by this"});
  findings_.pass("X102", span, std::move(result));
}

// Code that is not known may have set any variable, and who asks for one may expect it from
// outside; a name one slip from one of the script's own is a mistake all the same, if it is long
// enough to tell.
void Interpreter::judge_typo(const shell::Parameter& node, Span span,
                             const Environment& environment) {
  constexpr size_t kTelling = 6;
  const bool is_suspect = node.name.size() >= kTelling && !survey_.assigned.contains(node.name) &&
                          !survey_.defaulted.contains(node.name) &&
                          !survey_.fallbacks.contains(node.name);
  if (!is_suspect || is_well_known(node.name) || !is_slip(node.name)) return;
  const std::string near = nearest_name(node.name);
  if (!survey_.assigned.contains(near) && !survey_.reads.contains(near)) return;
  const Value& value = this->value(names_[node.name], environment);
  const bool is_foreign = value.may_be_foreign && !value.is_assigned;
  if (is_foreign && findings_.is_first("unset " + std::string(node.name)))
    findings_.add(unset_finding("X102", node, span));
}

// A name that is read again and again is no slip of the fingers; nor is the list of `for host in
// $hosts`, or one of a row that is numbered, or one that a function is given: `append files "$x"`.
bool Interpreter::is_slip(std::string_view name) const {
  constexpr uint32_t kMostSlips = 2;
  const auto reads = survey_.reads.find(name);
  const bool is_rare = reads == survey_.reads.end() || reads->second <= kMostSlips;
  const std::string near = nearest_name(name);
  const auto is_series = [](std::string_view longer, std::string_view shorter) {
    return longer.size() == shorter.size() + 1 && longer.starts_with(shorter) &&
           (longer.back() == 's' || longer.back() == 'S' ||
            (longer.back() >= '0' && longer.back() <= '9'));
  };
  return is_rare && !near.empty() && !is_mentioned(tree_.file().bytes(), name) &&
         !(survey_.assigned.contains(near) && !is_well_known(near) &&
           (is_series(name, near) || is_series(near, name)));
}

std::string Interpreter::nearest_name(std::string_view name) const {
  constexpr size_t kShortest = 4;
  if (name.size() < kShortest) return "";
  for (const std::string& each : survey_.assigned) {
    if (each.size() >= kShortest && is_one_slip(name, each)) return each;
  }
  using NameTable = std::span<const std::string_view>;
  for (const NameTable known : {NameTable(kOfShells), NameTable(kOfLogins)}) {
    for (const std::string_view each : known) {
      if (each.size() >= kShortest && is_one_slip(name, each)) return std::string(each);
    }
  }
  return "";
}

Diagnostic Interpreter::unset_finding(std::string_view code, const shell::Parameter& node,
                                      Span span) const {
  Diagnostic result =
      finding(code, tree_.file(), span,
              fmt::format("nothing has set {} here: it is empty, unless the environment has it",
                          node.name));
  if (const std::string near = nearest_name(node.name); !near.empty())
    result.notes.push_back({tree_.file(), span, fmt::format("did you mean {}?", near)});
  return result;
}

// Under `set -u` the script ends here; where it asks for emptiness, or knows elsewhere that the
// variable may be missing, that was not meant.
void Interpreter::judge_nounset(const shell::Parameter& node, const Value& value, Span span,
                                bool is_foreign) {
  // `export x="$x"` makes sure that it is there.
  if (is_foreign && !survey_.assigned.contains(node.name) &&
      survey_.assignments.contains(node.name)) {
    return;
  }
  // `[ "$KIND" = static ]`: who runs the script sets it.
  const bool is_compared = is_foreign && asking_ && asking_->kind == Condition::Kind::kBinary &&
                           !asks_for_nothing_else() &&
                           tree_.text(asking_->left->span).find_first_not_of("\"") ==
                               tree_.text(asking_->left->span).find('$');
  const bool is_meant = (!asks_for_emptiness() || asks_for_same() || is_compared) &&
                        !survey_.defaulted.contains(node.name) && assigning_ != node.name &&
                        !is_surely_unset(value) &&
                        !(is_foreign && survey_.assigned.contains(node.name)) &&
                        !(is_foreign && has_lower_case(node.name));
  const auto may_have_set = [&](const shell::Function* each) {  // by a call that is not followed
    return each->name->span == value.origin;
  };
  if (is_meant || survey_.is_set_alike(node.name, span) ||
      std::any_of(known_.begin(), known_.end(), may_have_set))
    return;
  if (!findings_.is_first("unset " + std::string(node.name))) return;
  Diagnostic result =
      finding("X104", tree_.file(), span,
              fmt::format("set -u ends the script here if {} is not set", node.name));
  if (node.op == ParameterOp::kNone && node.subscript == nullptr) {
    result.fixes.push_back(
        {"let it be empty", {{span, fmt::format("${{{}:-}}", node.name)}}, true});
  }
  findings_.add(std::move(result));
}

// `f() { cp "$1" /srv; }`, and whoever calls f gives it nothing. What is copied may be looked at
// later.
void Interpreter::judge_given(const shell::Parameter& node, const Value& value, Span span,
                              const Environment& environment) {
  const shell::Function* function = running_function();
  if (findings_.is_muted() || !function || is_in_uncalled_ || environment.has_unknown_code) return;
  if (has_own_default(node) || asks_for_emptiness() || !assigning_.empty()) return;
  if (!is_surely_unset(value)) return findings_.pass("X102", span);
  Diagnostic result = finding("X102", tree_.file(), span,
                              fmt::format("no call of {} gives it a {}: this is empty",
                                          function->name->text, tree_.text(span)));
  if (elsewhere_ == 0 && !frames_.back().call.empty())
    result.path.push_back({tree_.file(), frames_.back().call, "called here"});
  findings_.pass("X102", span, std::move(result));
}

// `[ -z "$2" ]` under set -u.
void Interpreter::judge_missing_argument(const shell::Parameter& node, Span span) {
  if (findings_.is_muted() || is_in_uncalled_ || !asks_for_nothing_else()) return;
  Diagnostic result =
      finding("X104", tree_.file(), span,
              fmt::format("set -u ends the script here if there is no ${}", node.name));
  result.fixes.push_back({"let it be empty", {{span, fmt::format("${{{}:-}}", node.name)}}, true});
  findings_.add(std::move(result));
}

// `x=$1` under set -u: if there is no $1, nobody gets to ask whether x is empty.
void Interpreter::report_required(const shell::Parameter& node, const Value& value, Span span) {
  Diagnostic result = finding(
      "X104", tree_.file(), span,
      fmt::format("this comes too late: without the argument for {}, set -u has ended the script",
                  node.name));
  if (!value.origin.empty()) result.path.push_back({tree_.file(), value.origin, "it ends here"});
  findings_.add(std::move(result));
}

// A shell that this one starts has only what is exported.
void Interpreter::judge_child_code(const Call& call, const shell::Tree& code) {
  std::set<std::string_view> own;
  for (const Assigned& assigned : assigned_in(code.program())) own.insert(assigned.name);
  for (const shell::Assignment& given : call.simple.assignments) own.insert(given.name);
  const auto is_given = [&](std::string_view name) {
    return own.contains(name) || survey_.exported.contains(name) ||
           survey_.exported.contains("*") || is_well_known(name) || is_inherited(name) ||
           std::any_of(call.fields.begin(), call.fields.end(), [&](const Field& field) {
             return field.argument.prefix.starts_with(std::string(name) + "=");
           });
  };
  walk(code.program(), shell::Visitor{[&](const shell::Part& part) {
         if (part.kind != shell::PartKind::kParameter) return;
         const shell::Parameter& node = part.parameter();
         if (node.kind != shell::ParameterKind::kVariable || has_own_default(node)) return;
         const Value& value = this->value(names_[node.name], call.environment);
         if (value.may_be_foreign || is_surely_unset(value) || is_given(node.name)) return;
         if (kept_.contains(names_[node.name])) return;  // every shell has its own
         Diagnostic result =
             finding("X111", tree_.file(), part.span,
                     fmt::format("{} is not exported: the shell that runs this does not have it",
                                 node.name));
         if (!value.origin.empty())
           result.path.push_back({tree_.file(), value.origin, "only this shell knows it"});
         findings_.add(std::move(result));
       }});
}

bool Interpreter::judge_lost(Name name, Span span, const Environment& environment) {
  const auto lost = environment.lost->find(name);
  if (lost == environment.lost->end() || lookup(name, environment) != lost->second.kept)
    return false;
  // Another function may mean another variable of that name; one report tells it all.
  const shell::Function* reader = running_function();
  if (reader != nullptr && reader != lost->second.function) return false;
  if (!findings_.is_first(fmt::format("lost at {}", lost->second.span.begin))) return true;
  Diagnostic result =
      finding("X106", tree_.file(), span,
              fmt::format("{} has its old value: a stage of a pipeline changed only its own copy",
                          names_.text(name)));
  result.path.push_back({tree_.file(), lost->second.span, "this is lost when the pipeline ends"});
  if (lost->second.is_group) {  // the parentheses may be there for that
    result.severity = Severity::kInfo;
    result.message = fmt::format("{} has its old value: the subshell changed only its own copy",
                                 names_.text(name));
    result.path.back().message = "this is lost when the subshell ends";
  }
  findings_.add(std::move(result));
  return true;
}

}  // namespace nacre::flow
