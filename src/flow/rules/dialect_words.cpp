// P002: a builtin, an option of one, an operator of `[` or a variable that the shell of the script
// does not have. P001 is about syntax.
//
//   P002: #!/bin/sh\nsource ./settings
//   P002: #!/bin/sh\n[ "$1" == a ] && echo yes
//   P002: #!/bin/sh\ndeclare -i n=1
//   P002: #!/bin/sh\necho "$RANDOM"
//   P002: #!/bin/sh\necho -e 'a\\tb'
//   P002: #!/bin/sh\nprintf -v x '%s' 1
//   P002: #!/bin/sh\ntrap 'echo failed' ERR
//   P002: #!/bin/sh\nread -s -p 'Password: ' word
//   P002: #!/bin/sh\nset -o pipefail
//   P002: #!/bin/sh\ni=0\n((i++))
//   P002: #!/bin/sh\nlet i=1+2
//   P002: #!/bin/dash\npushd /tmp && popd
//   quiet: #!/bin/sh\n. ./settings
//   quiet: #!/bin/sh\n[ "$1" = a ] && echo yes
//   quiet: #!/bin/sh\nif [ -n "$BASH_VERSION" ]; then shopt -s extglob; fi
//   quiet: #!/bin/sh\nRANDOM=4\necho "$RANDOM"
//   quiet: #!/bin/sh\n(set -o pipefail 2> /dev/null) && set -o pipefail
//   quiet: #!/bin/sh\nf() { local x=1; echo "$x"; }\nf
//   quiet: #!/bin/sh\necho -n a\nread -r x
//   quiet: #!/bin/sh\nmkdir "/srv/work$$-$RANDOM"
//   quiet: #!/bin/sh\nsource() { . "$@"; }\nsource ./settings
//   quiet bash: #!/bin/bash\nsource ./settings\necho -e "$RANDOM"
//   quiet: source ./settings
#include <algorithm>
#include <fmt/format.h>
#include <iterator>

#include "flow/rules/publish.h"
#include "flow/rules/variable_reads.h"
#include "shell/builtins.h"
#include "shell/variables.h"

namespace nacre::flow::rules {

namespace {

using shell::Dialect;

// Letters of options that dash's builtin has; of those that are not listed nothing is said.
struct OptionLetters {
  std::string_view builtin;
  std::string_view letters;
};
constexpr OptionLetters kOptionLetters[] = {
    {"echo", "n"},  {"exec", ""},   {"export", "p"}, {"local", ""},
    {"printf", ""}, {"read", "pr"}, {"type", ""},    {"wait", ""},
};

constexpr std::string_view kOtherOptions[] = {"pipefail", "errtrace",   "functrace",
                                              "posix",    "histexpand", "braceexpand"};

template <typename Table>
bool is_in_table(const Table& table, std::string_view name) {
  return std::find(std::begin(table), std::end(table), name) != std::end(table);
}

// A script that asks which shell runs it, or starts another one, knows what it does.
bool asks_for_shell(const RuleContext& in) {
  const std::string_view text = in.file().bytes();
  return text.find("BASH_VERSION") != text.npos || text.find("ZSH_VERSION") != text.npos ||
         text.find("KSH_VERSION") != text.npos || text.find("exec bash") != text.npos ||
         text.find("bin/bash \"$0\"") != text.npos || text.find("bin/bash $0") != text.npos;
}

// The file says itself that it is for a shell without bash's extensions.
bool is_for_small_shell(const RuleContext& in) {
  const Dialect dialect = in.tree.dialect();
  return in.script.is_program && (dialect == Dialect::kSh || dialect == Dialect::kDash) &&
         !asks_for_shell(in);
}

void report_lacking(Span place, const std::string& what, const std::string& instead,
                    RuleContext& in) {
  in.report(in.finding("P002", place,
                       fmt::format("{} does not have {}{}", name_of(in.tree.dialect()), what,
                                   instead.empty() ? "" : "; " + instead)));
}

std::string instead_of(std::string_view builtin) {
  if (builtin == "source") return "write . for it";
  if (builtin == "let") return "write x=$((...))";
  if (builtin == "declare" || builtin == "typeset") return "assign the variable, or use local";
  if (builtin == "echo") return "it prints the option as text; use printf";
  if (builtin == "pushd" || builtin == "popd") return "use cd in a subshell";
  return "";
}

// An option letter of a builtin that dash's does not take.
void judge_letters(std::string_view name, std::span<const Field> words, RuleContext& in) {
  const auto* known = std::find_if(std::begin(kOptionLetters), std::end(kOptionLetters),
                                   [&](const OptionLetters& each) { return each.builtin == name; });
  if (known == std::end(kOptionLetters)) return;
  for (const Field& word : words.subspan(1)) {
    const auto& text = word.argument.text;
    if (!text || text->size() < 2 || !text->starts_with('-') || text == "--") return;
    const bool is_letters = std::all_of(text->begin() + 1, text->end(), [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    });
    // `echo -error-` is a text.
    if (!is_letters || (name == "echo" && text->find_first_not_of("-neE") != text->npos)) return;
    const size_t other = text->find_first_not_of(known->letters, 1);
    if (other == text->npos) continue;
    return report_lacking(word.argument.span, fmt::format("{} -{}", name, (*text)[other]),
                          instead_of(name), in);
  }
}

void judge_trap(std::span<const Field> words, RuleContext& in) {
  for (const Field& word : words.subspan(std::min<size_t>(2, words.size()))) {
    const auto& text = word.argument.text;
    if (text == "ERR" || text == "DEBUG" || text == "RETURN")
      report_lacking(word.argument.span, fmt::format("the signal {}", *text), "", in);
  }
}

void judge_set(std::span<const Field> words, RuleContext& in) {
  const std::string_view script = in.file().bytes();
  for (size_t i = 2; i < words.size(); i++) {
    const auto &before = words[i - 1].argument.text, &text = words[i].argument.text;
    if (!before || !before->starts_with('-') || !before->ends_with('o') || !text) continue;
    const bool is_probed = script.find("(set -o " + *text) != script.npos;
    if (is_in_table(kOtherOptions, *text) && !is_probed)
      report_lacking(words[i].argument.span, fmt::format("set -o {}", *text), "", in);
  }
}

bool is_arithmetic(std::string_view text) {
  for (const std::string_view sign : {"++", "--", "+=", "-=", "==", "<", ">", "*", "%", "!=", "="})
    if (text.find(sign) != text.npos) return text.find(';') == text.npos;
  return false;
}

void judge_test(const shell::SimpleCommand& simple, RuleContext& in) {
  const auto condition = test_condition(simple);
  if (!condition) return;
  for (const shell::Word& word : simple.words) {
    if (!word.is_plain()) continue;
    if (word.literal() == "==" && &word != &simple.words.front()) {
      Diagnostic result = in.finding("P002", word.span,
                                     fmt::format("{} does not have == in [ ]: it is an error there",
                                                 name_of(in.tree.dialect())));
      result.fixes.push_back({"write =", {{word.span, "="}}, true});
      in.report(std::move(result));
    }
    if (word.literal() == "=~" || word.literal() == "-v")
      report_lacking(word.span, fmt::format("{} in [ ]", word.literal()), "", in);
  }
}

}  // namespace

void missing_builtin(const CallEvent& event, RuleContext& in) {
  const Environment& environment = event.call.environment;
  const auto& fields = event.call.fields;
  if (!fields[0].argument.text || !is_for_small_shell(in)) return;
  const std::string& name = *fields[0].argument.text;
  const shell::BuiltinInfo* info = shell::builtin_named(name);
  if (!info || in.function_named(name, environment) || environment.has_unknown_code ||
      event.call.io.drops_errors || in.survey.functions.contains(name))
    return;
  if (const auto asked = environment.commands->find(name); asked != environment.commands->end())
    return;
  if (info->is_in(Dialect::kDash) || info->is_in(in.tree.dialect())) {
    if (name == "trap") return judge_trap(fields, in);
    if (name == "set") return judge_set(fields, in);
    return judge_letters(name, fields, in);
  }
  // Programs may be called `help` or `print`; what changes the shell is a builtin.
  const bool changes_shell = info->is(shell::kDeclares) || info->is(shell::kAssigns) ||
                             name == "source" || name == "shopt" || name == "pushd" ||
                             name == "popd" || name == "builtin" || name == "disown";
  if (info->is_in(Dialect::kBash) && changes_shell)
    report_lacking(fields[0].argument.span, fmt::format("the builtin {}", name), instead_of(name),
                   in);
}

void missing_operator(const TextEvent& event, RuleContext& in) {
  if (!is_for_small_shell(in)) return;
  if (const auto* simple = std::get_if<shell::SimpleCommand>(&event.command.node))
    return judge_test(*simple, in);
  if (!std::holds_alternative<shell::Subshell>(event.command.node)) return;
  const std::string_view text = in.text(event.command.span);
  if (!text.starts_with("((") || !text.ends_with("))")) return;
  const std::string_view inner = text.substr(2, text.size() - 4);
  if (inner.find('(') == inner.npos && inner.find('|') == inner.npos && is_arithmetic(inner))
    report_lacking(event.command.span, "((...)): it runs a command in two subshells",
                   "write : $((...))", in);
}

void missing_variable(const ParameterEvent& event, RuleContext& in) {
  const std::string_view name = event.node.name;
  const shell::Variable* known = shell::find_variable(name);
  const bool is_of_bash = known != nullptr && known->owner == shell::VariableOwner::kBash;
  if (!is_of_bash || !is_for_small_shell(in)) return;
  const bool is_handled = in.survey.assigned.contains(name) || in.survey.defaulted.contains(name) ||
                          in.survey.fallbacks.contains(name) || has_own_default(event.node) ||
                          in.where.asking != nullptr || event.environment.has_unknown_code;
  // `tmp$$-$RANDOM` is still a name of its own without it.
  const std::string_view before = in.file().bytes().substr(0, event.span.begin);
  const bool is_extra = before.ends_with("$$") || before.ends_with("$$-");
  if (!is_handled && !is_extra)
    report_lacking(event.span, fmt::format("the variable {}", name), "", in);
}

}  // namespace nacre::flow::rules
