// Variables that nothing has set where they are read, and those whose value was lost.
#include <algorithm>
#include <fmt/format.h>

#include "base/codes.h"
#include "flow/assigned.h"
#include "flow/condition.h"
#include "flow/interpreter.h"
#include "flow/slip.h"
#include "shell/visitor.h"

namespace nacre::flow {

using shell::ParameterOp;

namespace {

// Set by shells, by logins, or by convention before a script begins.
constexpr std::string_view kWellKnown[] = {"IFS",           "BASH_ENV",     "BASH_REMATCH",
                                           "CDPATH",        "CI",           "COMP_CWORD",
                                           "COMP_LINE",     "COMP_POINT",   "COMP_WORDS",
                                           "COMPREPLY",     "DISPLAY",      "EDITOR",
                                           "ENV",           "FUNCNAME",     "GROUPS",
                                           "HOSTTYPE",      "LANG",         "LANGUAGE",
                                           "LC_ALL",        "LC_CTYPE",     "LC_MESSAGES",
                                           "MACHTYPE",      "MAIL",         "OPTARG",
                                           "OSTYPE",        "PAGER",        "PIPESTATUS",
                                           "PS1",           "PS2",          "PS3",
                                           "PS4",           "REPLY",        "SHELLOPTS",
                                           "SHLVL",         "SUDO_USER",    "TERM",
                                           "TMP",           "TMPDIR",       "TZ",
                                           "VISUAL",        "BASHOPTS",     "BASH_SOURCE",
                                           "BASH_VERSINFO", "DIRSTACK",     "_",
                                           "BASH_LINENO",   "EPOCHSECONDS", "BASH_COMMAND",
                                           "BASH_SUBSHELL", "TEMP",         "COPROC",
                                           "MAPFILE",       "TEMPDIR",      "http_proxy",
                                           "https_proxy",   "ftp_proxy",    "no_proxy",
                                           "all_proxy",     "debian_chroot"};

bool is_well_known(std::string_view name) {
  return std::find(std::begin(kWellKnown), std::end(kWellKnown), name) != std::end(kWellKnown) ||
         name.starts_with("XDG_") || name.starts_with("LC_") || name.starts_with("SSH_") ||
         name.starts_with("DPKG_") || name.starts_with("GIT_") || name.starts_with("COMP_") ||
         name.starts_with("npm_");
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

// The expansion copes with a variable that is not set.
bool has_own_default(const shell::Parameter& node) {
  return node.op == ParameterOp::kDefault || node.op == ParameterOp::kAssign ||
         node.op == ParameterOp::kError || node.op == ParameterOp::kAlternative ||
         node.op == ParameterOp::kNames || node.op == ParameterOp::kKeys;
}

// `export x`, `declare -x x`, `set -a`.
void survey_exports(const shell::Command& command, std::set<std::string, std::less<>>& out) {
  const auto* simple = std::get_if<shell::SimpleCommand>(&command.node);
  if (!simple || simple->words.empty() || !simple->words[0].is_literal()) return;
  const std::string_view name = simple->words[0].literal();
  if (name != "export" && name != "declare" && name != "typeset" && name != "set") return;
  for (const shell::Word& word : simple->words.subspan(1)) {
    const std::string_view text =
        word.parts().empty() || !word.parts()[0].is_text() ? "" : word.parts()[0].text();
    const bool is_all = text == "-a" || text == "allexport" || text.empty();
    if (name == "set" ? is_all : text.empty()) out.insert("*");
    if (name == "export" || name == "declare" || name == "typeset")
      out.insert(std::string(text.substr(0, text.find_first_of("=+["))));
  }
}

// The words of file tests, and those that something is written to.
void survey_files(const shell::Command& command, const shell::Tree& tree,
                  std::set<std::string, std::less<>>& out) {
  for (const shell::Redirection& redirection : command.redirections)
    out.insert(std::string(tree.text(redirection.target.span)));
  const auto* simple = std::get_if<shell::SimpleCommand>(&command.node);
  const auto condition = simple ? test_condition(*simple) : std::nullopt;
  if (!condition) return;
  for (const shell::Word& word : simple->words) out.insert(std::string(tree.text(word.span)));
}

}  // namespace

// What the text alone tells of variables and functions, once.
void Interpreter::survey() {
  for (const Assigned& assigned : assigned_in(tree_.program())) {
    assigned_.insert(std::string(assigned.name));
  }
  walk(tree_.program(),
       shell::Visitor{[&](const shell::Command& command) {
                        survey_exports(command, exported_);
                        survey_files(command, tree_, expected_files_);
                        if (const auto* f = std::get_if<shell::Function>(&command.node))
                          written_functions_.emplace(f->name->text, f);
                      },
                      [&](const shell::Parameter& node) {
                        if (has_own_default(node)) defaulted_.insert(std::string(node.name));
                      }});
}

bool Interpreter::asks_for_emptiness() const {
  if (!asking_) return false;
  // A comparison with a text copes with a missing value, too.
  if (asking_->op == shell::ConditionalOp::kEqual || asking_->op == shell::ConditionalOp::kNotEqual)
    return true;
  return asking_->kind == Condition::Kind::kWord ||
         (asking_->kind == Condition::Kind::kUnary &&
          (asking_->letter == 'n' || asking_->letter == 'z'));
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
  if (findings_.is_muted() || has_own_default(node)) return;
  judge_lost(name, span, environment);
  if (value.is_required && asks_for_nothing_else()) report_required(node, value, span);
  if (is_in_uncalled_) return;
  if (environment.has_unknown_code) return judge_typo(node, span, environment);
  const bool is_foreign = value.may_be_foreign && !value.is_assigned;
  if (is_well_known(node.name)) return;
  if (environment.options.nounset == Known::kYes) {
    if (value.may_be_unset && !node.subscript) judge_nounset(node, value, span, is_foreign);
    return;
  }
  if (!is_foreign || asks_for_emptiness() || assigning_ == node.name) return;
  const bool is_assigned = assigned_.contains(node.name);
  if (defaulted_.contains(node.name) && !is_assigned) return;
  const bool is_shouted = !has_lower_case(node.name);
  if (is_shouted && asking_) return;  // whoever asks copes
  const bool is_typo = !is_assigned && !nearest_name(node.name).empty();
  // A file that does not start by itself is a piece of something that knows its variables.
  if (!is_program_ && !is_assigned && !is_typo) return;
  if (!reported_unset_.insert(name).second) return;
  const bool is_own = is_assigned && !is_shouted;
  report_unset(is_own || is_typo ? "X102" : "X110", node, span);
}

// Code that is not known may have set any variable; a name one slip from one of the script's own is
// a mistake all the same, if it is long enough to tell.
void Interpreter::judge_typo(const shell::Parameter& node, Span span,
                             const Environment& environment) {
  constexpr size_t kTelling = 6;
  const bool is_suspect = node.name.size() >= kTelling && !asks_for_emptiness() &&
                          !assigned_.contains(node.name) && !defaulted_.contains(node.name);
  if (!is_suspect || is_well_known(node.name) || nearest_name(node.name).empty()) return;
  const Value& value = this->value(names_[node.name], environment);
  if (value.may_be_foreign && reported_unset_.insert(names_[node.name]).second)
    report_unset("X102", node, span);
}

std::string Interpreter::nearest_name(std::string_view name) const {
  constexpr size_t kShortest = 4;
  if (name.size() < kShortest) return "";
  for (const std::string& each : assigned_) {
    if (each.size() >= kShortest && is_one_slip(name, each)) return each;
  }
  for (const std::string_view each : kWellKnown) {
    if (each.size() >= kShortest && is_one_slip(name, each)) return std::string(each);
  }
  return "";
}

void Interpreter::report_unset(std::string_view code, const shell::Parameter& node, Span span) {
  Diagnostic result =
      finding(code, tree_.file(), span,
              fmt::format("nothing has set {} here: it is empty, unless the environment has it",
                          node.name));
  if (const std::string near = nearest_name(node.name); !near.empty())
    result.notes.push_back({tree_.file(), span, fmt::format("did you mean {}?", near)});
  findings_.add(std::move(result));
}

// Under `set -u` the script ends here; where it asks for emptiness, or knows elsewhere that the
// variable may be missing, that was not meant.
void Interpreter::judge_nounset(const shell::Parameter& node, const Value& value, Span span,
                                bool is_foreign) {
  const bool is_meant = !asks_for_emptiness() && !defaulted_.contains(node.name) &&
                        assigning_ != node.name && !is_surely_unset(value) &&
                        !(is_foreign && assigned_.contains(node.name)) &&
                        !(is_foreign && has_lower_case(node.name));
  if (is_meant) return;
  Diagnostic result =
      finding("X104", tree_.file(), span,
              fmt::format("set -u ends the script here if {} is not set", node.name));
  if (node.op == ParameterOp::kNone && node.subscript == nullptr) {
    result.fixes.push_back(
        {"let it be empty", {{span, fmt::format("${{{}:-}}", node.name)}}, true});
  }
  findings_.add(std::move(result));
}

// `x=$1` under set -u: if there is no $1, nobody gets to ask whether x is empty.
void Interpreter::report_required(const shell::Parameter& node, const Value& value, Span span) {
  Diagnostic result = finding(
      "X104", tree_.file(), span,
      fmt::format("set -u has ended the script already if the argument behind {} is missing",
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
    return own.contains(name) || exported_.contains(name) || exported_.contains("*") ||
           is_well_known(name) || is_inherited(name) ||
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
         Diagnostic result =
             finding("X111", tree_.file(), part.span,
                     fmt::format("{} is not exported: the shell that runs this does not have it",
                                 node.name));
         if (!value.origin.empty())
           result.path.push_back({tree_.file(), value.origin, "only this shell knows it"});
         findings_.add(std::move(result));
       }});
}

void Interpreter::judge_lost(Name name, Span span, const Environment& environment) {
  const auto lost = environment.lost->find(name);
  if (lost == environment.lost->end() || lookup(name, environment) != lost->second.kept) return;
  // Another function may mean another variable of that name; one report tells it all.
  const shell::Function* reader = running_function();
  if (reader != nullptr && reader != lost->second.function) return;
  if (!reported_lost_.insert(lost->second.span.begin).second) return;
  Diagnostic result =
      finding("X106", tree_.file(), span,
              fmt::format("{} has its old value: a stage of a pipeline changed only its own copy",
                          names_.text(name)));
  result.path.push_back({tree_.file(), lost->second.span, "this is lost when the pipeline ends"});
  findings_.add(std::move(result));
}

}  // namespace nacre::flow
