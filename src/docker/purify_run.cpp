// Rewrites within RUN.
#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "base/again.h"
#include "docker/edits.h"
#include "docker/purify.h"
#include "docker/text.h"
#include "docker/users.h"
#include "shell/builtins.h"
#include "shell/visitor.h"

namespace nacre::docker {

namespace {

void offer_again(const Facts& facts, const Call& call, std::vector<Rewrite>& rewrites) {
  std::vector<WrittenWord> words = {{call.name, call.name_span}};
  for (const Argument& word : call.words) {
    const bool is_own = facts.file.source.text(word.span) == word.text;
    words.push_back({word.text, word.span, is_own});
  }
  auto again = edit_for_again(words);
  if (!again) return;
  Rewrite rewrite{.name = again->name, .place = call.span};
  rewrite.message = again->message;
  rewrite.differs_when = again->differs_when;
  rewrite.edits.push_back(std::move(again->edit));
  rewrite.needs.push_back(
      {ObligationKind::kStatus, call.span, !call.is_checked,
       call.is_checked ? "its status is tested" : "its failure only stops the build"});
  rewrites.push_back(std::move(rewrite));
}

// sudo make -> make
void offer_without_sudo(const Facts& facts, const Script& script, const Call& call,
                        std::vector<Rewrite>& rewrites) {
  if (call.name != "sudo" || call.words.empty()) return;
  const Argument& command = call.words[0];
  const bool is_plain = command.is_known && !command.text.starts_with('-') &&
                        command.text.find('=') == std::string::npos;
  if (!is_plain) return;
  const bool is_by_root = is_root(user_at(facts, *script.step));
  Rewrite rewrite{.name = "sudo", .place = call.name_span};
  rewrite.message = "no sudo";
  rewrite.differs_when = "sudo is set up to change the environment";
  rewrite.edits = {{{call.name_span.begin, command.span.begin}, ""}};
  rewrite.needs.push_back({ObligationKind::kImage, call.name_span, is_by_root,
                           is_by_root ? "RUN is root here" : "the user here may not be root"});
  rewrites.push_back(std::move(rewrite));
}

bool holds_only(std::string_view text, std::string_view bad) {
  return text.find_first_of(bad) == std::string_view::npos;
}

// A word that is literal text and plain expansions, one of them without quotes; only within a path
// or after `name=` is it plain that one word is meant.
class QuoteFinder {
 public:
  QuoteFinder(const Facts& facts, const Script& script, std::vector<Rewrite>& rewrites)
      : facts_(facts), script_(script), rewrites_(rewrites) {}

  void run() {
    for (const auto& program : script_.programs) {
      if (&program != &script_.programs.front()) break;  // within quotes already
      shell::walk(program->tree.program(), shell::Visitor{[&](const shell::Command& command) {
                    const auto* simple = std::get_if<shell::SimpleCommand>(&command.node);
                    if (simple == nullptr || simple->words.empty()) return;
                    for (const shell::Word& word : simple->words.subspan(1)) look_at(word);
                  }});
    }
  }

 private:
  void look_at(const shell::Word& word) {
    const auto parts = word.parts();
    const bool has_open = std::any_of(parts.begin(), parts.end(), [&](const shell::Part& part) {
      return part.kind == shell::PartKind::kParameter && may_split(part);
    });
    if (!has_open || !is_simple(parts)) return;
    const bool is_one = std::any_of(parts.begin(), parts.end(), [](const shell::Part& part) {
      return part.kind == shell::PartKind::kLiteral &&
             part.text().find_first_of("/=") != std::string_view::npos;
    });
    Rewrite rewrite{.name = "quote", .place = word.span};
    rewrite.message = "quotes around the word";
    rewrite.differs_when = "the value has blanks or wildcards";
    rewrite.needs.push_back({ObligationKind::kUnlisted, word.span, is_one,
                             is_one ? "it is a part of one word" : "it may be a list of words"});
    rewrite.edits = {{{word.span.begin, word.span.begin}, "\""},
                     {{word.span.end, word.span.end}, "\""}};
    rewrites_.push_back(std::move(rewrite));
  }

  // A value that the Dockerfile gives and that is one word needs no quotes.
  [[nodiscard]] bool may_split(const shell::Part& part) const {
    const shell::Parameter& parameter = part.parameter();
    if (parameter.kind != shell::ParameterKind::kVariable) return false;
    if (script_.assigned.contains(parameter.name)) return true;
    const Definition* found = facts_.stages.find_variable(parameter.name, *script_.step);
    if (found == nullptr || !found->value) return true;
    return found->value->empty() || !holds_only(*found->value, " \t\n*?[");
  }

  static bool is_simple(std::span<const shell::Part> parts) {
    return std::all_of(parts.begin(), parts.end(), [](const shell::Part& part) {
      if (part.kind == shell::PartKind::kLiteral) return holds_only(part.text(), "\"\\`$");
      if (part.kind != shell::PartKind::kParameter) return false;
      return part.parameter().op == shell::ParameterOp::kNone;
    });
  }

  const Facts& facts_;
  const Script& script_;
  std::vector<Rewrite>& rewrites_;
};

// bash as sh and busybox have pipefail, dash has bash beside it: its images are Debian's.
std::string_view shell_with_pipefail(ImageShell shell) {
  switch (shell) {
    case ImageShell::kDash:
    case ImageShell::kBash: return "/bin/bash";
    case ImageShell::kBusybox: return "/bin/ash";
    default: return "";
  }
}

// echo of dash understands backslashes, that of bash does not.
bool prints_backslashes(const Facts& facts, const Step& from) {
  return std::any_of(facts.scripts.begin(), facts.scripts.end(), [&](const auto& script) {
    if (script->step->stage != from.stage || script->step->index < from.index) return false;
    return std::any_of(script->calls.begin(), script->calls.end(), [](const Call& call) {
      return call.name == "echo" &&
             std::any_of(call.words.begin(), call.words.end(), [](const Argument& word) {
               return word.text.find('\\') != std::string::npos;
             });
    });
  });
}

void offer_shell(const Facts& facts, const Script& script, std::vector<Rewrite>& rewrites) {
  const Step& step = *script.step;
  const auto image = image_below(facts, step.stage);
  const std::string_view shell = image ? shell_with_pipefail(image->shell) : std::string_view();
  const bool is_chosen = facts.shell_of(step).is_explicit;
  Rewrite rewrite{.name = "pipefail", .place = script.pipe};
  rewrite.message = "a SHELL with pipefail before this RUN";
  rewrite.differs_when = "a command before the last one of a pipe fails";
  rewrite.needs.push_back({ObligationKind::kImage, script.pipe, !shell.empty() && !is_chosen,
                           is_chosen       ? "the file chooses its shell itself"
                           : shell.empty() ? "which shells the image has is not known"
                                           : "the image has " + std::string(shell)});
  const bool is_same_echo =
      !image || image->shell != ImageShell::kDash || !prints_backslashes(facts, step);
  rewrite.needs.push_back(
      {ObligationKind::kEcho, script.pipe, is_same_echo,
       is_same_echo ? "no echo prints a backslash" : "echo prints backslashes otherwise in bash"});
  const uint32_t at = step.instruction->span.begin;
  rewrite.edits = {
      {{at, at}, fmt::format("SHELL [\"{}\", \"-o\", \"pipefail\", \"-c\"]\n", shell)}};
  rewrites.push_back(std::move(rewrite));
}

// The shell is the same before and after it.
bool leaves_shell_alone(const Script& script) {
  return !script.calls.empty() &&
         std::all_of(script.calls.begin(), script.calls.end(), [](const Call& call) {
           const shell::BuiltinInfo* builtin = shell::builtin_named(call.name);
           return builtin == nullptr || builtin->is(shell::kIsProgram);
         });
}

bool can_be_joined(const Script& script) {
  const Instruction& run = *script.step->instruction;
  const auto& items = script.program().tree.program().items;
  return script.commands == 1 && script.assigned.empty() && !script.is_document &&
         run.here_documents.empty() && run.form == Form::kShell && !script.step->is_trigger &&
         script.program().is_valid() && items.size() == 1 &&
         items[0].terminator == shell::Terminator::kNone && leaves_shell_alone(script) &&
         run.line->comments.empty();
}

void offer_pair(const Facts& facts, const Script& first, const Script& second,
                std::vector<Rewrite>& rewrites) {
  const Instruction& a = *first.step->instruction;
  const Instruction& b = *second.step->instruction;
  const std::string_view between = facts.file.source.text({a.span.end, b.span.begin});
  const bool is_adjacent = trim(between).empty();
  Rewrite rewrite{.name = "join", .place = b.name_span};
  rewrite.message = "one RUN for this and the one before: one layer";
  rewrite.differs_when = "the build cache needs separate steps";
  rewrite.needs.push_back({ObligationKind::kShell, b.name_span,
                           is_adjacent && can_be_joined(first) && can_be_joined(second),
                           "neither changes the shell, and there is nothing between them"});
  const uint32_t begin = second.program().tree.program().items.empty()
                             ? b.span.end
                             : second.program().tree.program().items[0].command->span.begin;
  const uint32_t end = first.program().tree.program().items.empty()
                           ? a.span.end
                           : first.program().tree.program().items[0].command->span.end;
  rewrite.edits = {{{end, begin}, fmt::format(" {}\n    && ", facts.file.escape)}};
  if (rewrite.is_discharged()) rewrites.push_back(std::move(rewrite));
}

}  // namespace

void offer_commands(const Facts& facts, std::vector<Rewrite>& rewrites) {
  for (const auto& script : facts.scripts) {
    for (const Call& call : script->calls) {
      if (!stands_as(facts.file, *script, call)) continue;
      offer_again(facts, call, rewrites);
      offer_without_sudo(facts, *script, call, rewrites);
    }
  }
}

void offer_quotes(const Facts& facts, std::vector<Rewrite>& rewrites) {
  for (const auto& script : facts.scripts) {
    if (script->step->instruction->form == Form::kShell && script->program().is_valid())
      QuoteFinder(facts, *script, rewrites).run();
  }
}

// Only the first pipe of a stage: the SHELL before it holds for all that follow.
void offer_pipefail(const Facts& facts, std::vector<Rewrite>& rewrites) {
  std::set<size_t> stages;
  for (const auto& script : facts.scripts) {
    const bool is_open = !script->pipe.empty() && !facts.shell_of(*script->step).has_pipefail;
    if (!is_open || script->step->is_trigger) continue;
    if (stages.insert(script->step->stage).second) offer_shell(facts, *script, rewrites);
  }
}

void offer_joined(const Facts& facts, std::vector<Rewrite>& rewrites) {
  for (size_t i = 1; i < facts.scripts.size(); i++) {
    const Script& first = *facts.scripts[i - 1];
    const Script& second = *facts.scripts[i];
    if (are_consecutive(first, second)) offer_pair(facts, first, second, rewrites);
  }
}

}  // namespace nacre::docker
