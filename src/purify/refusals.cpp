// What no rewrite has removed and the result must not have, with the reason; and the first line,
// which changes when nothing of that kind is left.
#include <algorithm>
#include <fmt/format.h>

#include "base/shebang.h"
#include "purify/calls.h"
#include "purify/offers.h"
#include "purify/quoting.h"
#include "purify/values.h"
#include "shell/builtins.h"
#include "shell/edit.h"
#include "shell/visitor.h"

namespace nacre::purify {

using shell::Part;
using shell::PartKind;

namespace {

void refuse(std::vector<Rewrite>& refused, std::string_view name, Span place, std::string message) {
  refused.push_back(rewrite(name, place, std::move(message)));
}

shell::Dialect dialect_of(Target target) {
  switch (target) {
    case Target::kBusybox: return shell::Dialect::kBusybox;
    case Target::kBash: return shell::Dialect::kBash;
    default: return shell::Dialect::kSh;
  }
}

// Constructs that the parser of the target does not have.
void find_features(const Script& script, std::vector<Rewrite>& refused) {
  shell::ParseOptions options;
  options.dialect = dialect_of(script.settings().target);
  options.posix_2024 = script.settings().target == Target::kPosix2024;
  const shell::ParseResult result = shell::parse_file(script.file(), options);
  // Better than what the parser of the target stumbles over.
  const size_t known = refused.size();
  for (const Place& place : script.places()) {
    const auto* loop = std::get_if<shell::For>(&place.command->node);
    if (loop != nullptr && loop->is_select)
      refuse(refused, "feature", place.command->span, "sh does not have the `select` loop");
    if (std::holds_alternative<shell::Coproc>(place.command->node))
      refuse(refused, "feature", place.command->span, "sh does not have coprocesses");
  }
  const bool has_reason = refused.size() > known;
  for (const Diagnostic& each : result.diagnostics) {
    const bool is_feature = each.code == "P001";
    if (is_feature || (!has_reason && !result.is_valid() && each.severity == Severity::kError))
      refuse(refused, is_feature ? "feature" : "syntax", each.span, each.message);
  }
}

struct Limited {
  std::string_view command;
  std::string_view letters;  // options that POSIX lacks
};
constexpr Limited kLimited[] = {
    {"read", "adeinNpstu"}, {"export", "fn"}, {"wait", "fnp"}, {"type", "aftpP"},
    {"printf", "v"},        {"unset", "n"},   {"exec", "acl"}, {"readonly", "aAf"},
    {"local", "aAilnrux"},  {"hash", "dlpt"}, {"command", ""}, {"kill", "n"},
};

// What a word of `eval` says, where its values are names and numbers; those stand as `x`.
std::optional<std::string> code_of(const Script& script, const shell::Word& word) {
  if (const auto text = constant_of(script, word)) return text;
  std::string result;
  const auto add = [&](const Part& part, const auto& self) -> bool {
    if (part.kind == PartKind::kDoubleQuoted)
      return std::all_of(part.parts().begin(), part.parts().end(),
                         [&](const Part& each) { return self(each, self); });
    if (part.is_text() && part.kind != PartKind::kTilde && part.kind != PartKind::kGlob) {
      result += part.text();
      return true;
    }
    result += 'x';
    return part.is_expansion() && is_of_type(script, part, "[A-Za-z0-9_]+");
  };
  const bool is_known = std::all_of(word.parts().begin(), word.parts().end(),
                                    [&](const Part& each) { return add(each, add); });
  return is_known ? std::optional(result) : std::nullopt;
}

// The evaluated text is known well enough to say that it is no bash.
bool evaluates_plain_code(const Script& script, const Call& call) {
  std::string code;
  for (const shell::Word& word : call.words.subspan(1)) {
    const auto text = code_of(script, word);
    if (!text) return false;
    code += *text + " ";
  }
  shell::ParseOptions options;
  options.dialect = dialect_of(script.settings().target);
  const shell::ParseResult parsed = shell::parse_file(SourceFile("eval", code), options);
  bool is_plain =
      parsed.is_valid() && std::none_of(parsed.diagnostics.begin(), parsed.diagnostics.end(),
                                        [](const Diagnostic& each) { return each.code == "P001"; });
  // Builtins and `echo` are translated in the script only.
  shell::walk(parsed.tree.program(), shell::Visitor{[&](const shell::Command& command) {
                const auto* simple = std::get_if<shell::SimpleCommand>(&command.node);
                if (simple == nullptr || simple->words.empty()) return true;
                const shell::BuiltinInfo* info =
                    simple->words[0].is_literal() ? shell::builtin_named(simple->words[0].literal())
                                                  : nullptr;
                is_plain &= info == nullptr || info->is_in(shell::Dialect::kDash) ||
                            info->is(shell::kIsProgram);
                return true;
              }});
  return is_plain;
}

void find_builtins(const Script& script, std::vector<Rewrite>& refused) {
  for (const Call& call : calls_of(script)) {
    const shell::BuiltinInfo* info = shell::builtin_named(call.name);
    const bool is_foreign =
        info != nullptr && !info->is_in(shell::Dialect::kDash) && !info->is(shell::kIsProgram);
    if (is_foreign) {
      refuse(refused, "builtin", call.span(),
             fmt::format("`{}` is not in POSIX, and nothing here says the same", call.name));
    }
    for (const Limited& each : kLimited) {
      if (!call.is(each.command)) continue;
      for (char letter : each.letters) {
        const bool has = call.words.size() > 1 && call.words[1].is_plain() &&
                         call.words[1].literal().size() > 1 && call.words[1].literal()[0] == '-' &&
                         call.words[1].literal().find(letter) != std::string_view::npos;
        if (has)
          refuse(refused, "option", call.span(),
                 fmt::format("`{} -{}` is not in POSIX", call.name, letter));
      }
    }
    if (call.is("trap")) {
      for (const shell::Word& word : call.words.subspan(1)) {
        const bool is_foreign_trap =
            word.is_literal() &&
            (word.literal() == "ERR" || word.literal() == "DEBUG" || word.literal() == "RETURN");
        if (is_foreign_trap)
          refuse(refused, "trap", call.span(),
                 fmt::format("only bash has a trap for {}", word.literal()));
      }
    }
    if (call.is("set") && script.settings().target != Target::kPosix2024 &&
        script.settings().target != Target::kBusybox) {
      for (const shell::Word& word : call.words) {
        if (word.is_literal() && word.literal() == "pipefail")
          refuse(refused, "pipefail", call.span(),
                 "`pipefail` is not in POSIX.1-2017 or dash, and a pipeline here depends on it");
      }
    }
    if (call.is("eval") && call.words.size() > 1 && !evaluates_plain_code(script, call))
      refuse(refused, "eval", call.span(), "the evaluated text may be bash");
    if (call.is("printf") && call.words.size() > 1 && call.words[1].is_literal() &&
        (call.words[1].literal().find("%q") != std::string_view::npos ||
         call.words[1].literal().find("%(") != std::string_view::npos))
      refuse(refused, "printf", call.span(), "a format that POSIX lacks");
  }
}

// What `echo` prints depends on the shell wherever its operands hold a backslash. Operands that are
// split on purpose stay; a backslash that is written out must not.
bool has_written_escape(const Script& script, Span place) {
  return script.text(place).find('\\') != std::string::npos ||
         script.text(place).find("echo -") != std::string::npos;
}

std::vector<Rewrite> unclear_echoes(const Script& script) {
  Offers offers;
  offer_echo(script, offers);
  std::erase_if(offers, [](const Rewrite& each) { return each.is_discharged(); });
  return offers;
}

void find_echo(const Script& script, std::vector<Rewrite>& refused) {
  for (const Rewrite& each : unclear_echoes(script)) {
    if (has_written_escape(script, each.place))
      refuse(refused, "echo", each.place, "what `echo` prints here depends on the shell");
  }
}

bool is_set_by_script(const Script& script, std::string_view name) {
  return std::any_of(script.words().begin(), script.words().end(), [&](const WordPlace& each) {
    return each.assignment != nullptr && each.assignment->name == name;
  });
}

void find_variables(const Script& script, std::vector<Rewrite>& refused) {
  constexpr std::string_view kNames[] = {
      "BASH_REMATCH", "PIPESTATUS",   "FUNCNAME",      "BASH_SOURCE",   "BASH_LINENO",
      "SECONDS",      "BASHPID",      "OSTYPE",        "BASH_VERSION",  "MACHTYPE",
      "DIRSTACK",     "EPOCHSECONDS", "EPOCHREALTIME", "BASH_VERSINFO", "BASH_COMMAND",
      "GROUPS",       "COPROC",       "BASH_SUBSHELL", "HOSTNAME",      "EUID",
      "UID"};
  shell::walk(script.tree().program(), shell::Visitor{[&](const Part& part) {
                if (part.kind != PartKind::kParameter) return true;
                const std::string_view name = part.parameter().name;
                const bool is_foreign =
                    std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
                if (is_foreign && !is_set_by_script(script, name))
                  refuse(refused, "variable", part.span,
                         fmt::format("only bash has the variable {}", name));
                return true;
              }});
}

// $RANDOM: no text can stand for it, and a constant would make equal what is meant to differ.
void find_random(const Script& script, std::vector<Rewrite>& refused) {
  const std::string_view names[] = {"RANDOM", "SRANDOM"};
  for (std::string_view name : names) {
    if (!script.mentions(name) || is_set_by_script(script, name)) continue;
    const std::string_view bytes = script.file().bytes();
    shell::walk(
        script.tree().program(),
        shell::Visitor{[&](const Part& part) {
                         if (part.kind == PartKind::kParameter && part.parameter().name == name)
                           refuse(refused, "random", part.span,
                                  fmt::format("`${}` differs at each run", name));
                         return true;
                       },
                       [&](const shell::Arithmetic& each) {
                         const size_t at = script.text(each.word.span).find(name);
                         if (at != std::string::npos &&
                             bytes[each.word.span.begin + at - (at > 0 ? 1 : 0)] != '$')
                           refuse(refused, "random", each.word.span,
                                  fmt::format("`{}` differs at each run", name));
                         return true;
                       }});
  }
}

}  // namespace

std::vector<Rewrite> find_refusals(const Script& script) {
  std::vector<Rewrite> refused;
  const bool has_random = script.settings().dialect == shell::Dialect::kBash ||
                          script.settings().dialect == shell::Dialect::kKsh;
  if (script.settings().wants(kDeterministic) && has_random) find_random(script, refused);
  if (!script.settings().translates()) return refused;
  find_features(script, refused);
  find_builtins(script, refused);
  find_variables(script, refused);
  find_echo(script, refused);
  std::stable_sort(refused.begin(), refused.end(), [](const Rewrite& a, const Rewrite& b) {
    return a.place.begin < b.place.begin;
  });
  return refused;
}

void offer_interpreter(const Script& script, Offers& offers) {
  if (!script.settings().translates()) return;
  const std::string_view bytes = script.file().bytes();
  if (!bytes.starts_with("#!")) return;
  const std::string_view name = interpreter_of(bytes);
  if (name != "bash" && name != "ksh") return;
  const Span line = script.file().line_span(1);
  const std::string_view text = script.file().text(line);
  Rewrite offer = rewrite("interpreter", line, "#!/bin/sh");
  const size_t at = text.rfind(name);
  std::string options(text.substr(at + name.size()));
  while (!options.empty() && (options.back() == ' ' || options.back() == '\r')) options.pop_back();
  const bool is_known = options.find_first_not_of(" -euxvfnC") == std::string::npos;
  need(offer, ObligationKind::kTarget, is_known && find_refusals(script).empty(),
       is_known ? "nothing of bash is left" : "an option of the first line");
  if (!unclear_echoes(script).empty()) {
    offer.kind = RewriteClass::kRepair;
    offer.differs_when = "a list that `echo` prints holds a backslash";
  }
  offer.edits.push_back(shell::replace(line, "#!/bin/sh" + options));
  offers.push_back(std::move(offer));
}

}  // namespace nacre::purify
