// determinism: the same arguments, environment, input and tree give the same output, status, tree.
#include <algorithm>
#include <fmt/format.h>

#include "prove/subject.h"
#include "prove/temporary.h"
#include "purify/values.h"
#include "shell/visitor.h"

namespace nacre::prove {

using shell::Part;
using shell::PartKind;

namespace {

bool is_varying_parameter(const Subject& subject, std::string_view name) {
  if (name == "$" || name == "!" || name == "PPID") return true;
  constexpr std::string_view kBash[] = {"RANDOM",       "SRANDOM",       "SECONDS", "BASHPID",
                                        "EPOCHSECONDS", "EPOCHREALTIME", "HOSTNAME"};
  return subject.is_bash() &&
         std::find(std::begin(kBash), std::end(kBash), name) != std::end(kBash);
}

// Where something that differs from run to run comes from.
struct Source {
  Span place;
  std::string what;
  const purify::Place* command = nullptr;  // that it is given to, or that prints it
  const purify::WordPlace* word = nullptr;
};

std::vector<Source> sources_of(const Subject& subject) {
  const Temporaries temporary(subject);
  std::vector<Source> result;
  shell::walk(subject.script->tree().program(), shell::Visitor{[&](const Part& part) {
                if (part.kind == PartKind::kParameter &&
                    is_varying_parameter(subject, part.parameter().name)) {
                  const purify::WordPlace* at = subject.script->word_of(part);
                  result.push_back({part.span, "$" + std::string(part.parameter().name),
                                    at == nullptr ? nullptr : at->place, at});
                }
                return true;
              }});
  for (const purify::Call& call : subject.calls) {
    if (temporary.is_harmless(call)) continue;
    const Varies varies = knowledge_of(*subject.script, call).varies;
    if (varies == Varies::kNo || varies == Varies::kUnknown || varies == Varies::kOrder ||
        varies == Varies::kNetwork)
      continue;
    const Part* around = call.place->substitution;
    const purify::WordPlace* at = around == nullptr ? nullptr : subject.script->word_of(*around);
    result.push_back(
        {call.span(), std::string(describe(varies)), at == nullptr ? call.place : at->place, at});
  }
  return result;
}

bool goes_to_null(const shell::Command& command) {
  return std::any_of(command.redirections.begin(), command.redirections.end(),
                     [](const shell::Redirection& each) {
                       return each.target.is_literal() && each.target.literal() == "/dev/null" &&
                              each.descriptor != 2;
                     });
}

bool is_hidden(const Subject& subject, const purify::Place& place) {
  for (const purify::Place* each = &place; each != nullptr;
       each = each->parent == nullptr ? nullptr : &subject.script->place(*each->parent)) {
    if (goes_to_null(*each->command) || each->substitution != nullptr) return true;
    const bool is_staged = each->parent != nullptr &&
                           std::holds_alternative<shell::Pipeline>(each->parent->node) &&
                           std::get<shell::Pipeline>(each->parent->node).items.size() > 1;
    if (is_staged) return true;
  }
  return false;
}

// The place where the varying value is printed or names a file: certain.
bool reaches_observable(const Subject& subject, const purify::WordPlace* word,
                        const purify::Place* place, unsigned depth) {
  if (place == nullptr || depth > 4 || subject.script->fact(*place) == nullptr) return false;
  const std::string_view name = subject.script->name_of(*place);
  if (word == nullptr) return !is_hidden(subject, *place);  // date by itself
  if (word->role == purify::WordRole::kRedirected)
    return word->redirection->op == shell::RedirectOp::kOutput ||
           word->redirection->op == shell::RedirectOp::kAppend;
  if (word->role == purify::WordRole::kArgument) {
    const bool makes = name == "mkdir" || name == "touch" || name == "cp" || name == "tee";
    if (word->index == 0) return false;
    return (is_printer(name) && !is_hidden(subject, *place)) ||
           (makes && !is_hidden(subject, *place));
  }
  if (word->role != purify::WordRole::kAssigned || word->assignment == nullptr) return false;
  // The variable: anywhere that it is printed.
  const std::string_view variable = word->assignment->name;
  bool result = false;
  shell::walk(
      subject.script->tree().program(), shell::Visitor{[&](const Part& part) {
        if (result || part.kind != PartKind::kParameter || part.parameter().name != variable)
          return true;
        if (part.span.begin < word->word->span.end) return true;
        const purify::WordPlace* at = subject.script->word_of(part);
        if (at != nullptr && part.parameter().op == shell::ParameterOp::kNone)
          result = reaches_observable(subject, at, at->place, depth + 1);
        return true;
      }});
  return result;
}

bool follows_exit(const Subject& subject, const purify::Place& place) {
  for (const purify::Place& each : subject.script->places()) {
    const bool is_before =
        each.parent == nullptr && each.command->span.end <= place.command->span.begin;
    if (is_before &&
        (subject.script->name_of(each) == "exit" || subject.script->name_of(each) == "exec"))
      return true;
  }
  return false;
}

std::optional<Finding> refutation(const Subject& subject) {
  for (const Source& source : sources_of(subject)) {
    if (source.what == describe(Varies::kRandom) || source.what == describe(Varies::kState))
      continue;
    if (source.command == nullptr || follows_exit(subject, *source.command)) continue;
    if (reaches_observable(subject, source.word, source.command, 0))
      return Finding{{},
                     Verdict::kRefuted,
                     fmt::format("the result depends on {}", source.what),
                     source.place,
                     "two runs at different times, by different processes, on different hosts",
                     false};
  }
  for (const purify::Call& call : subject.calls) {
    const bool is_listing = knowledge_of(*subject.script, call).varies == Varies::kOrder &&
                            call.place->parent == nullptr &&
                            subject.script->fact(*call.place) != nullptr;
    if (is_listing && !goes_to_null(*call.place->command) && !follows_exit(subject, *call.place))
      return Finding{{},
                     Verdict::kRefuted,
                     "prints files in the order of the directory",
                     call.span(),
                     "two directories with the same files, made in different orders",
                     false};
  }
  return std::nullopt;
}

// The stage after a search sorts it.
bool is_sorted_later(const Subject& subject, const purify::Call& call) {
  const shell::Command* parent = call.place->parent;
  const auto* pipeline = parent == nullptr ? nullptr : std::get_if<shell::Pipeline>(&parent->node);
  if (pipeline == nullptr) return false;
  for (size_t i = 0; i + 1 < pipeline->items.size(); i++) {
    if (pipeline->items[i].command != call.place->command) continue;
    const std::string_view next =
        subject.script->name_of(subject.script->place(*pipeline->items[i + 1].command));
    return next == "sort" || next == "wc";
  }
  return false;
}

std::optional<Finding> doubt(const Subject& subject) {
  const auto open = [](Span place, std::string reason) {
    return Finding{{}, Verdict::kOpen, std::move(reason), place, {}, false};
  };
  for (const Source& source : sources_of(subject))
    return open(source.place, "it depends on " + source.what);
  const Temporaries temporary(subject);
  bool has_pipefail = false;
  for (const purify::Call& call : subject.calls) {
    if (temporary.is_harmless(call)) continue;
    const Varies varies = knowledge_of(*subject.script, call).varies;
    if (varies == Varies::kOrder && is_sorted_later(subject, call)) continue;
    if (call.is("trap") && is_plain_trap(subject, call)) continue;
    if (varies != Varies::kNo)
      return open(call.span(), fmt::format("what `{}` does or prints may differ", call.name));
    for (const shell::Word& word : call.words) {
      if (!word.is_literal()) continue;
      has_pipefail |= word.literal() == "pipefail";
      if (word.literal().starts_with("/proc/") || word.literal().starts_with("/sys/") ||
          word.literal().starts_with("/dev/u"))
        return open(word.span, "reads the state of the machine");
    }
  }
  for (const purify::Place& place : subject.script->places()) {
    const bool is_computed = place.simple() != nullptr && !place.simple()->words.empty() &&
                             subject.script->name_of(place).empty();
    if (is_computed || place.is_in_backquotes)
      return open(place.command->span, "a command that is not known");
    if (place.item != nullptr && place.item->terminator == shell::Terminator::kBackground)
      return open(place.command->span,
                  "runs at the same time as the rest: their order is not fixed");
    if (std::holds_alternative<shell::Coproc>(place.command->node))
      return open(place.command->span, "a coprocess");
    const bool is_pipe = std::holds_alternative<shell::Pipeline>(place.command->node);
    if (is_pipe && has_pipefail &&
        subject.script->text(place.command->span).find("head") != std::string::npos)
      return open(place.command->span,
                  "it is a race whether the writer notices that the reader has exited");
    for (const shell::Redirection& each : place.command->redirections) {
      const bool is_state =
          each.target.is_literal() && (each.target.literal().starts_with("/proc/") ||
                                       each.target.literal().starts_with("/dev/r"));
      if (is_state) return open(each.span, "reads the state of the machine");
    }
  }
  bool has_process = false;
  shell::walk(subject.script->tree().program(), shell::Visitor{[&](const Part& part) {
                has_process |= part.kind == PartKind::kProcess && !part.process().is_input;
                return true;
              }});
  if (has_process) return open({}, "a process runs in the background");
  return std::nullopt;
}

}  // namespace

Finding determinism(Subject& subject) {
  if (auto finding = refutation(subject)) return *finding;
  if (auto finding = doubt(subject)) return *finding;
  const Finding code = injection(subject);
  if (code.verdict == Verdict::kRefuted && code.reason.find("code") != std::string::npos)
    return {{}, Verdict::kOpen, "a value may become code: " + code.reason, code.place, {}, false};
  return {{},
          Verdict::kProved,
          "no clock, process id, host, listing order or unknown command gets in",
          {},
          {},
          false};
}

}  // namespace nacre::prove
