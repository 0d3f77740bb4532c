// `local`: POSIX has none. Where no other code knows the name, a plain assignment does the same.
#include <algorithm>
#include <fmt/format.h>

#include "purify/calls.h"
#include "purify/offers.h"
#include "purify/quoting.h"
#include "shell/edit.h"

namespace nacre::purify {

namespace {

bool is_name_character(char c) { return is_identifier(std::string("_") + c); }

// The name occurs as a word of its own outside of `span`.
bool is_named_outside(std::string_view text, std::string_view name, Span span) {
  for (size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const bool begins = at == 0 || !is_name_character(text[at - 1]);
    const size_t end = at + name.size();
    const bool ends = end == text.size() || !is_name_character(text[end]);
    if (begins && ends && !(at >= span.begin && at < span.end)) return true;
  }
  return false;
}

// The functions that the body of `function` calls, directly or not, have it among them.
bool is_recursive(const Script& script, const shell::Function& function) {
  std::set<const shell::Function*> reached;
  std::vector<const shell::Function*> waiting = {&function};
  while (!waiting.empty()) {
    const shell::Function* current = waiting.back();
    waiting.pop_back();
    for (const Place& place : script.places()) {
      if (place.function != current) continue;
      const auto called = script.functions().find(script.name_of(place));
      if (called == script.functions().end()) continue;
      if (called->second == &function) return true;
      if (reached.insert(called->second).second) waiting.push_back(called->second);
    }
  }
  return false;
}

Span span_of(const Script& script, const shell::Function& function) {
  for (const Place& place : script.places()) {
    if (std::get_if<shell::Function>(&place.command->node) == &function) return place.command->span;
  }
  return {};
}

}  // namespace

void offer_locals(const Script& script, Offers& offers) {
  if (!script.settings().translates() || script.settings().target != Target::kPosix2017) return;
  for (const Call& call : calls_of(script)) {
    if (!call.is("local") || call.place->function == nullptr || call.words.size() < 2) continue;
    const shell::Function& function = *call.place->function;
    const Span span = span_of(script, function);
    Rewrite offer = rewrite("local", call.span(), "a variable that only this function has");
    std::string unset, set;
    bool is_known = call.place->is_statement() && call.place->command->redirections.empty();
    bool is_private = !script.has_unknown_code() && !is_recursive(script, function);
    for (const shell::Word& word : call.words.subspan(1)) {
      const std::string text = has_splittable(word) ? quoted(script, word) : script.text(word.span);
      const size_t equals = text.find('=');
      const std::string name = text.substr(0, equals);
      is_known &= is_identifier(name) && !word.has(shell::kWordHasArray);
      is_private &= !is_named_outside(script.file().bytes(), name, span);
      if (equals == std::string::npos) {
        unset += " " + name;
      } else {
        // `local` hides the status of a substitution.
        const bool may_fail = text.find("$(") != std::string::npos;
        set += (set.empty() ? "" : "; ") + text + (may_fail ? " || :" : "");
      }
    }
    need(offer, ObligationKind::kScope, is_private,
         is_private ? "no other code has the name" : "other code may use the name");
    need(offer, ObligationKind::kTarget, is_known, "plain names");
    std::string text = unset.empty() ? set : "unset" + unset;
    if (!unset.empty() && !set.empty()) text += "; " + set;
    offer.edits.push_back(shell::replace(call.span(), text));
    offers.push_back(std::move(offer));
  }
}

}  // namespace nacre::purify
