// shopt and set -o: options of bash that nothing depends on.
#include <algorithm>
#include <fmt/format.h>

#include "purify/calls.h"
#include "purify/offers.h"
#include "purify/quoting.h"
#include "purify/values.h"
#include "shell/edit.h"

namespace nacre::purify {

using shell::Part;
using shell::PartKind;
using shell::Word;

namespace {

// Options of shopt that only matter to people at a prompt.
bool is_interactive(std::string_view name) {
  constexpr std::string_view kNames[] = {
      "checkwinsize", "histappend",          "cmdhist", "lithist", "progcomp",
      "hostcomplete", "interactive_comments"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

bool has_extended_patterns(const Script& script) {
  for (const WordPlace& at : script.words()) {
    for (const Part& part : at.word->parts()) {
      if (part.kind == PartKind::kExtGlob) return true;
    }
  }
  return false;
}

// A pipeline in which something but the last command can fail and be noticed.
bool needs_pipefail(const Script& script) {
  for (const Place& place : script.places()) {
    const auto* pipeline = std::get_if<shell::Pipeline>(&place.command->node);
    if (pipeline == nullptr || pipeline->items.size() < 2) continue;
    if (script.fate(place) == Fate::kDead) continue;
    for (size_t i = 0; i + 1 < pipeline->items.size(); i++) {
      const flow::CommandFact* fact = script.fact(script.place(*pipeline->items[i].command));
      if (fact == nullptr || fact->can_fail) return true;
    }
  }
  return false;
}

void offer_shopt(const Script& script, const Call& call, Offers& offers) {
  if (!call.is("shopt") || !call.place->is_statement()) return;
  bool is_needless = call.words.size() > 2;
  for (const Word& word : call.words.subspan(std::min<size_t>(2, call.words.size()))) {
    const bool is_extglob =
        word.is_literal() && word.literal() == "extglob" && !has_extended_patterns(script);
    is_needless &= is_extglob || (word.is_literal() && is_interactive(word.literal()));
  }
  Rewrite offer = rewrite("shopt", call.span(), "no shopt");
  need(offer, ObligationKind::kTarget, is_needless,
       is_needless ? "nothing depends on it" : "an option that POSIX lacks");
  const bool is_only = call.place->sequence->items.size() == 1;
  if (is_needless && is_only) {
    offer.edits.push_back(shell::replace(call.span(), ":"));
  } else if (is_needless) {
    for (Edit& edit : shell::remove(script.tree(), *call.place->item)) offer.edits.push_back(edit);
  }
  offers.push_back(std::move(offer));
}

// set -o pipefail, set -E: gone where nothing depends on them.
void offer_set(const Script& script, const Call& call, Offers& offers) {
  if (!call.is("set") || call.words.size() < 2) return;
  for (size_t i = 1; i < call.words.size(); i++) {
    if (!call.words[i].is_plain()) return;
    const std::string_view text = call.words[i].literal();
    if (text == "--" || text == "-") return;
    const bool is_named =
        text.ends_with('o') && (text[0] == '-' || text[0] == '+') && i + 1 < call.words.size();
    if (is_named && call.words[i + 1].is_plain() && call.words[i + 1].literal() == "pipefail") {
      if (script.settings().target == Target::kPosix2024 ||
          script.settings().target == Target::kBusybox)
        return;
      Rewrite offer = rewrite("pipefail", call.span(), "no pipefail");
      const bool is_needed = needs_pipefail(script);
      need(offer, ObligationKind::kStatus, !is_needed,
           is_needed ? "a command in a pipeline may fail and be noticed"
                     : "no pipeline depends on it");
      const std::string rest(text.substr(0, text.size() - 1));
      if (rest.size() > 1) {
        offer.edits.push_back(
            shell::replace(cover(call.words[i].span, call.words[i + 1].span), rest));
      } else if (call.words.size() == 3 && call.place->is_statement() &&
                 call.place->sequence->items.size() > 1) {
        for (Edit& edit : shell::remove(script.tree(), *call.place->item))
          offer.edits.push_back(edit);
      } else if (call.words.size() == 3) {
        offer.edits.push_back(shell::replace(call.span(), ":"));
      } else {
        offer.edits.push_back(shell::remove_from_command(
            script.tree(), cover(call.words[i].span, call.words[i + 1].span)));
      }
      offers.push_back(std::move(offer));
    }
    const size_t trace = text.find_first_of("ET", 1);
    if (text[0] == '-' && text.size() > 2 && trace != std::string_view::npos &&
        !script.mentions("ERR") && !script.mentions("DEBUG")) {
      Rewrite offer = rewrite("errtrace", call.words[i].span, "no -E");
      const auto at = call.words[i].span.begin + static_cast<uint32_t>(trace);
      offer.edits.push_back(shell::replace({at, at + 1}, ""));
      offers.push_back(std::move(offer));
    }
  }
}

}  // namespace

void offer_options(const Script& script, Offers& offers) {
  if (!script.settings().translates()) return;
  for (const Call& call : calls_of(script)) {
    offer_shopt(script, call, offers);
    offer_set(script, call, offers);
  }
}

}  // namespace nacre::purify
