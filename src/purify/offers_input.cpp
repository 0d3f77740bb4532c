// < <(cmd): a pipe where nothing that the loop sets is used later, else a temporary file.
#include <algorithm>
#include <fmt/format.h>

#include "purify/offers.h"
#include "purify/quoting.h"
#include "shell/edit.h"

namespace nacre::purify {

using shell::Part;
using shell::PartKind;

namespace {

const Part* process_of(const shell::Redirection& each) {
  const auto parts = each.target.parts();
  const bool is_process = each.op == shell::RedirectOp::kInput && each.descriptor <= 0 &&
                          parts.size() == 1 && parts[0].kind == PartKind::kProcess &&
                          parts[0].process().is_input;
  return is_process ? &parts[0] : nullptr;
}

// The commands of <( ) as one command of a pipeline.
std::string as_stage(const Script& script, const Part& part) {
  const shell::Sequence& body = part.process().body;
  const Span span = cover(body.items.front().command->span, body.items.back().command->span);
  const std::string text = script.text(span);
  const bool is_single =
      body.items.size() == 1 && !std::holds_alternative<shell::AndOr>(body.items[0].command->node);
  return is_single ? text : fmt::format("{{ {}; }}", text);
}

// What a command changes in the shell is used later: SHELL.
bool leaves_traces(const Script& script, const Place& place) {
  const Span span = place.command->span;
  constexpr std::string_view kNames[] = {"exit",  "return", "cd", "exec",   "set",  "trap",
                                         "shift", "eval",   ".",  "source", "umask"};
  for (const Place& each : script.places()) {
    if (!span.contains(each.command->span)) continue;
    const std::string_view name = script.name_of(each);
    if (std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames)) return true;
    if (script.has_function(name)) return true;  // it may set anything
  }
  const auto names = script.facts().names();
  for (const flow::NameFact& set : names) {
    if (set.use == flow::NameUse::kRead || !span.contains(set.span)) continue;
    for (const flow::NameFact& read : names) {
      if (read.use != flow::NameUse::kRead || read.name != set.name || span.contains(read.span))
        continue;
      if (read.span.begin >= span.end || place.loops > 0 || read.function != place.function)
        return true;
    }
  }
  return false;
}

void offer_pipe(const Script& script, const Place& place, const shell::Redirection& each,
                const Part& part, Offers& offers) {
  Rewrite offer = rewrite("process-pipe", each.span, "a pipe instead of < <( )");
  need(offer, ObligationKind::kShell, true, "nothing that it sets is used later");
  offer.edits.push_back(
      {{place.command->span.begin, place.command->span.begin}, as_stage(script, part) + " | "});
  offer.edits.push_back(shell::remove_from_command(script.tree(), each.span));
  offers.push_back(std::move(offer));
}

void offer_file(const Script& script, const Place& place, const shell::Redirection& each,
                const Part& part, Offers& offers) {
  Rewrite offer = rewrite("process-file", each.span, "a temporary file instead of < <( )",
                          RewriteClass::kRepair);
  offer.differs_when = "the command never ends, or the loop ends the script";
  const std::string name = script.fresh("tmp_input");
  const std::string line = "\n" + script.indentation_of(place.command->span.begin);
  need(offer, ObligationKind::kStatus, script.fate(place) == Fate::kDead && place.is_statement(),
       "its status is not used");
  need(offer, ObligationKind::kFresh, true, "the new name occurs nowhere");
  offer.edits.push_back({{place.command->span.begin, place.command->span.begin},
                         fmt::format("{0}=$(mktemp) || exit 1{1}{2} >\"${0}\" || :{1}", name, line,
                                     as_stage(script, part))});
  offer.edits.push_back(shell::replace(each.span, fmt::format("< \"${}\"", name)));
  offer.edits.push_back({{place.command->span.end, place.command->span.end},
                         fmt::format("{}rm -f \"${}\"", line, name)});
  offers.push_back(std::move(offer));
}

}  // namespace

void offer_process_substitutions(const Script& script, Offers& offers) {
  if (!script.settings().translates()) return;
  for (const Place& place : script.places()) {
    if (place.is_in_backquotes) continue;
    for (const shell::Redirection& each : place.command->redirections) {
      const Part* part = process_of(each);
      if (part == nullptr || part->process().body.items.empty()) continue;
      const bool is_negated =
          place.parent != nullptr && std::holds_alternative<shell::Pipeline>(place.parent->node);
      if (is_negated) continue;
      if (leaves_traces(script, place)) {
        offer_file(script, place, each, *part, offers);
      } else {
        offer_pipe(script, place, each, *part, offers);
      }
    }
  }
}

}  // namespace nacre::purify
