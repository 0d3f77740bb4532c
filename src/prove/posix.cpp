// posix: every construct, utility and option is in POSIX.1-2017.
#include <algorithm>
#include <fmt/format.h>

#include "prove/subject.h"
#include "purify/offers.h"
#include "purify/values.h"
#include "shell/builtins.h"
#include "shell/visitor.h"

namespace nacre::prove {

namespace {

Finding refuted_at(Span place, std::string reason) {
  return {{}, Verdict::kRefuted, std::move(reason), place, {}, false};
}
bool is_find_posix(const purify::Call& call) {
  constexpr std::string_view kWords[] = {
      "-type",  "-name", "-print", "-exec",   "-prune",   "-newer", "-size",  "-user",
      "-group", "-perm", "-mtime", "-links",  "-path",    "-depth", "-o",     "-a",
      "-H",     "-L",    "-xdev",  "-nouser", "-nogroup", "-atime", "-ctime", "-ok"};
  return std::all_of(call.words.begin() + 1, call.words.end(), [&](const shell::Word& word) {
    if (!word.is_literal() || word.literal().size() < 2 || word.literal()[0] != '-') return true;
    if (word.literal().find_first_not_of("-0123456789ck") == std::string_view::npos) return true;
    return std::find(std::begin(kWords), std::end(kWords), word.literal()) != std::end(kWords);
  });
}

// A variable that bash sets by itself.
std::optional<Finding> foreign_variable(const Subject& subject) {
  constexpr std::string_view kNames[] = {"RANDOM",   "SRANDOM",      "SECONDS",     "BASHPID",
                                         "FUNCNAME", "BASH_SOURCE",  "BASH_LINENO", "PIPESTATUS",
                                         "EUID",     "EPOCHSECONDS", "BASH_REMATCH"};
  std::optional<Finding> result;
  shell::walk(subject.script->tree().program(), shell::Visitor{[&](const shell::Part& part) {
                if (part.kind != shell::PartKind::kParameter || result) return true;
                const std::string_view name = part.parameter().name;
                const bool is_foreign =
                    std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
                const bool is_set =
                    std::any_of(subject.script->words().begin(), subject.script->words().end(),
                                [&](const auto& at) {
                                  return at.assignment != nullptr && at.assignment->name == name;
                                });
                if (is_foreign && !is_set && part.parameter().op == shell::ParameterOp::kNone)
                  result = refuted_at(part.span, fmt::format("only bash sets {}", name));
                return true;
              }});
  return result;
}

// A construct that dash's parser or machine lacks.
std::optional<Finding> foreign_construct(const Subject& subject) {
  const shell::ParseResult parsed = shell::parse_file(subject.file, shell::Dialect::kSh);
  for (const Diagnostic& each : parsed.diagnostics) {
    if (each.code == "P001" || !parsed.is_valid()) return refuted_at(each.span, each.message);
  }
  if (!subject.is_bash()) return std::nullopt;
  for (const purify::Place& place : subject.script->places()) {
    // For sh, two subshells.
    if (std::holds_alternative<shell::ArithmeticCommand>(place.command->node))
      return refuted_at(place.command->span, "`((` is an arithmetic command of bash");
  }
  if (auto finding = foreign_variable(subject)) return finding;
  for (const purify::Call& call : subject.calls) {
    const shell::BuiltinInfo* info = shell::builtin_named(call.name);
    const bool is_foreign =
        info != nullptr && !info->is_in(shell::Dialect::kDash) && !info->is(shell::kIsProgram);
    if (is_foreign)
      return refuted_at(call.span(), fmt::format("`{}` is a builtin of bash", call.name));
    if (call.is("set") || call.is("printf")) {
      for (const shell::Word& word : call.words) {
        const bool is_bash_word =
            word.is_literal() &&
            (word.literal() == "pipefail" || (call.is("printf") && word.literal() == "-v"));
        if (is_bash_word)
          return refuted_at(call.span(),
                            fmt::format("`{} {}` is not in POSIX", call.name, word.literal()));
      }
    }
  }
  return std::nullopt;
}

std::optional<Finding> unproved_call(const Subject& subject, const purify::Call& call) {
  const Knowledge known = knowledge_of(*subject.script, call);
  if (!known.is_posix)
    return open_at(call.span(), fmt::format("`{}` is not in POSIX, or not known", call.name));
  if (!known.foreign_option.empty())
    return open_at(call.span(), fmt::format("`{} {}`: POSIX does not have the option", call.name,
                                            known.foreign_option));
  if (call.is("find") && !is_find_posix(call))
    return open_at(call.span(), "`find` with an expression that POSIX lacks");
  if (call.is("eval") || call.is(".") || call.is("exec")) {
    const bool is_known =
        std::all_of(call.words.begin() + 1, call.words.end(), [&](const shell::Word& word) {
          return purify::constant_of(*subject.script, word).has_value();
        });
    if (!is_known || call.is(".")) return open_at(call.span(), "code that is not known");
  }
  return std::nullopt;
}

// echo of a text with a backslash, or one that may begin with a dash, depends on the shell.
std::optional<Finding> ambiguous_echo(const Subject& subject) {
  for (const purify::Call& call : subject.calls) {
    if (!call.is("echo")) continue;
    for (const shell::Word& word : call.words.subspan(1)) {
      const bool is_first = &word == &call.words[1];
      if (word.is_literal()) {
        const bool is_plain = word.literal().find('\\') == std::string_view::npos &&
                              !(is_first && word.literal().starts_with('-'));
        if (!is_plain) return open_at(call.span(), "what `echo` prints depends on the shell");
        continue;
      }
      bool may_escape = false;
      shell::walk(word, shell::Visitor{[&](const shell::Part& part) {
                    const bool is_value = part.kind == shell::PartKind::kParameter ||
                                          part.kind == shell::PartKind::kCommand;
                    if (is_value)
                      may_escape |= !purify::is_of_type(*subject.script, part, "[^\\\\]*");
                    return !is_value;
                  }});
      if (may_escape)
        return open_at(call.span(), "what `echo` prints depends on the shell and on the value");
    }
  }
  return std::nullopt;
}

}  // namespace

Finding posix(Subject& subject) {
  if (auto finding = foreign_construct(subject)) return *finding;
  for (const purify::Call& call : subject.calls) {
    if (auto finding = unproved_call(subject, call)) return *finding;
  }
  for (const purify::Place& place : subject.script->places()) {
    const purify::Call call{&place, subject.script->name_of(place), {}};
    if (place.is_in_backquotes)
      return open_at(place.command->span, "commands in backquotes are not analysed");
    const bool is_computed =
        place.simple() != nullptr && !place.simple()->words.empty() && call.name.empty();
    if (is_computed) return open_at(place.command->span, "the name of the command is computed");
  }
  if (auto finding = ambiguous_echo(subject)) return *finding;
  const Finding code = injection(subject);
  if (code.verdict != Verdict::kProved)
    return open_at(code.place, "a value may become code: " + code.reason);
  return {{},   Verdict::kProved, "every construct, utility and option is in POSIX.1-2017", {}, {},
          false};
}

}  // namespace nacre::prove
