// Arrays: constant ones are written out, one may be the positional parameters, and one whose
// subscripts are all constant becomes a few variables. What fits none of these stays.
#include <algorithm>
#include <fmt/format.h>

#include "purify/calls.h"
#include "purify/offers.h"
#include "purify/quoting.h"
#include "purify/values.h"
#include "shell/edit.h"
#include "shell/visitor.h"

namespace nacre::purify {

using shell::Part;
using shell::PartKind;
using shell::Word;

namespace {

struct ArraySet {
  const WordPlace* at = nullptr;        // the assigned value
  const shell::Array* array = nullptr;  // null: one element is set
};
struct ArrayUse {
  const Part* part = nullptr;
  const WordPlace* at = nullptr;
};
struct ArrayFacts {
  std::string_view name;
  std::vector<ArraySet> sets;
  std::vector<ArrayUse> uses;
  std::vector<const Call*> declarations;  // declare -a x, declare -A x
  bool is_known = true;                   // no other command names it
  bool is_associative = false;
};

const shell::Array* array_of(const Word& word) {
  const auto parts = word.parts();
  return parts.size() == 1 && parts[0].kind == PartKind::kArray ? &parts[0].array() : nullptr;
}

class Arrays {
 public:
  Arrays(const Script& script, const std::vector<Call>& calls) {
    for (const WordPlace& at : script.words()) {
      const shell::Assignment* each = at.assignment;
      if (each == nullptr) continue;
      const shell::Array* array = array_of(each->value);
      if (array != nullptr || each->subscript != nullptr)
        of(each->name).sets.push_back({&at, array});
    }
    for (const Call& call : calls) note_declaration(call);
    shell::walk(script.tree().program(), shell::Visitor{[&](const Part& part) {
                  if (part.kind == PartKind::kParameter) note_use(script, part);
                  return true;
                }});
    for (const Call& call : calls) note_names(call);
  }

  [[nodiscard]] std::map<std::string_view, ArrayFacts>& all() { return arrays_; }

 private:
  ArrayFacts& of(std::string_view name) {
    ArrayFacts& result = arrays_[name];
    result.name = name;
    return result;
  }
  void note_declaration(const Call& call) {
    if (!call.is("declare") && !call.is("typeset") && !call.is("local")) return;
    const bool is_associative = call.has('A'), is_indexed = call.has('a');
    if (!is_associative && !is_indexed) return;
    for (const Word* word : call.operands()) {
      if (!word->is_literal() || !is_identifier(word->literal())) continue;
      ArrayFacts& facts = of(word->literal());
      facts.is_associative |= is_associative;
      facts.is_known &= call.operands().size() == 1 && !call.is("local");
      facts.declarations.push_back(&call);
    }
  }
  void note_use(const Script& script, const Part& part) {
    const shell::Parameter& node = part.parameter();
    const auto found = arrays_.find(node.name);
    if (found == arrays_.end() && node.subscript == nullptr) return;
    ArrayFacts& facts = of(node.name);
    facts.uses.push_back({&part, script.word_of(part)});
    facts.is_known &= facts.uses.back().at != nullptr && !node.is_indirect;
  }
  // read -a x, unset x, mapfile x, x=... without parentheses.
  void note_names(const Call& call) {
    for (const Word& word : call.words.subspan(1)) {
      if (word.has(shell::kWordHasArray)) {  // declare -A x=(...)
        const std::string_view first = word.parts()[0].is_text() ? word.parts()[0].text() : "";
        const auto set = arrays_.find(first.substr(0, first.find_first_of("=+[")));
        if (set != arrays_.end()) set->second.is_known = false;
      }
      if (!word.is_literal()) continue;
      const auto found = arrays_.find(word.literal().substr(0, word.literal().find_first_of("=[")));
      if (found == arrays_.end()) continue;
      const auto& known = found->second.declarations;
      const bool is_declared = std::find(known.begin(), known.end(), &call) != known.end();
      const bool assigns = call.is("read") || call.is("unset") || call.is("mapfile") ||
                           call.is("readarray") || call.is("export") || call.is("declare") ||
                           call.is("local") || call.is("readonly") || call.is("typeset");
      if (assigns && !is_declared) found->second.is_known = false;
    }
  }

  std::map<std::string_view, ArrayFacts> arrays_;
};

bool is_all(const shell::Parameter& node) {
  return node.subscript != nullptr && node.subscript->kind != shell::SubscriptKind::kExpression;
}

// A constant subscript; nothing if it is computed.
std::optional<std::string> key_of(const shell::Subscript* subscript) {
  if (subscript == nullptr) return "0";
  if (subscript->kind != shell::SubscriptKind::kExpression || !subscript->word.is_literal())
    return std::nullopt;
  return std::string(subscript->word.literal());
}

// "${a[@]}" alone in a word.
bool is_alone_in_quotes(const ArrayUse& use) {
  const auto parts = use.at->word->parts();
  return parts.size() == 1 && parts[0].kind == PartKind::kDoubleQuoted &&
         parts[0].parts().size() == 1 && &parts[0].parts()[0] == use.part;
}

bool is_quoted_use(const ArrayUse& use) {
  const auto parts = use.at->word->parts();
  return std::none_of(parts.begin(), parts.end(),
                      [&](const Part& each) { return &each == use.part; });
}

// The assignment goes; a body must not become empty.
void remove_statement(const Script& script, const Place& place, Rewrite& offer) {
  if (place.sequence->items.size() == 1) {
    offer.edits.push_back(shell::replace(place.command->span, ":"));
  } else {
    for (Edit& edit : shell::remove(script.tree(), *place.item)) offer.edits.push_back(edit);
  }
}

bool is_own_statement(const Place& place) {
  const shell::SimpleCommand* simple = place.simple();
  return simple != nullptr && simple->words.empty() && simple->assignments.size() == 1 &&
         place.is_statement() && place.command->redirections.empty();
}

// ---------------------------------------------------------------- written out

std::optional<std::string> inlined(const ArrayFacts& facts, const ArrayUse& use) {
  const auto elements = facts.sets[0].array->elements;
  const shell::Parameter& node = use.part->parameter();
  if (node.op == shell::ParameterOp::kLength)
    return is_all(node) ? std::optional(std::to_string(elements.size())) : std::nullopt;
  if (node.op != shell::ParameterOp::kNone) return std::nullopt;
  if (is_all(node)) {
    const bool is_joined = node.subscript->kind == shell::SubscriptKind::kAllJoined;
    if (is_joined || !is_alone_in_quotes(use)) return std::nullopt;
    std::string words;
    for (const auto& each : elements)
      words += (words.empty() ? "" : " ") + shell_word(each.value.literal());
    return words;
  }
  const auto key = key_of(node.subscript);
  if (!key || key->empty() || key->size() > 4 ||
      key->find_first_not_of("0123456789") != std::string::npos)
    return std::nullopt;
  const auto index = static_cast<size_t>(std::stoul(*key));
  if (index >= elements.size()) return std::nullopt;
  const std::string_view value = elements[index].value.literal();
  const bool is_plain = value.find_first_of("\\\"$`") == std::string_view::npos;
  if (is_quoted_use(use)) return is_plain ? std::optional(std::string(value)) : std::nullopt;
  return shell_word(value);
}

bool offer_written_out(const Script& script, const ArrayFacts& facts, Offers& offers) {
  if (facts.sets.size() != 1 || facts.sets[0].array == nullptr || facts.is_associative)
    return false;
  const Place& place = *facts.sets[0].at->place;
  if (!is_own_statement(place) || facts.sets[0].at->assignment->is_append) return false;
  if (place.parent != nullptr || !facts.declarations.empty()) return false;
  for (const auto& each : facts.sets[0].array->elements) {
    if (each.subscript != nullptr || !each.value.is_literal()) return false;
  }
  Rewrite offer = rewrite("array-constant", place.command->span, "the elements written out");
  need(offer, ObligationKind::kConstant, true, "the array never changes");
  for (const ArrayUse& use : facts.uses) {
    const auto text = inlined(facts, use);
    if (!text || use.part->span.begin < place.command->span.begin) return false;
    const bool is_list =
        is_all(use.part->parameter()) && use.part->parameter().op == shell::ParameterOp::kNone;
    offer.edits.push_back(shell::replace(is_list ? use.at->word->span : use.part->span, *text));
  }
  remove_statement(script, place, offer);
  offers.push_back(std::move(offer));
  return true;
}

// ------------------------------------------------------- positional parameters

bool uses_arguments(const Script& script) {
  bool result = false;
  shell::walk(script.tree().program(), shell::Visitor{[&](const Part& part) {
                if (part.kind != PartKind::kParameter) return true;
                const shell::Parameter& node = part.parameter();
                const bool is_argument =
                    (node.kind == shell::ParameterKind::kPositional && node.name != "0") ||
                    node.name == "@" || node.name == "*" || node.name == "#";
                const WordPlace* at = script.word_of(part);
                if (is_argument && (at == nullptr || at->place->function == nullptr)) result = true;
                return true;
              }});
  for (const Place& place : script.places()) {
    const std::string_view name = script.name_of(place);
    const bool is_bare_loop = std::holds_alternative<shell::For>(place.command->node) &&
                              !std::get<shell::For>(place.command->node).has_in;
    const bool touches =
        name == "shift" || name == "getopts" || is_bare_loop ||
        (name == "set" && script.text(place.command->span).find("--") != std::string::npos);
    if (touches && place.function == nullptr) result = true;
  }
  return result;
}

std::optional<std::string> positional(const Script& script, const ArrayUse& use) {
  const shell::Parameter& node = use.part->parameter();
  if (node.op == shell::ParameterOp::kLength)
    return is_all(node) ? std::optional<std::string>("$#") : std::nullopt;
  if (node.op != shell::ParameterOp::kNone) return std::nullopt;
  if (is_all(node)) return script.text(node.subscript->span) == "[@]" ? "$@" : "$*";
  const auto key = key_of(node.subscript);
  if (!key || key->empty() || key->size() > 3 ||
      key->find_first_not_of("0123456789") != std::string::npos)
    return std::nullopt;
  const unsigned long index = std::stoul(*key) + 1;
  return index < 10 ? fmt::format("${}", index) : fmt::format("${{{}}}", index);
}

bool offer_positional(const Script& script, const ArrayFacts& facts, size_t arrays,
                      Offers& offers) {
  if (arrays != 1 || facts.is_associative || facts.sets.empty() || uses_arguments(script))
    return false;
  if (!facts.declarations.empty() || script.has_unknown_code()) return false;
  const Place& first = *facts.sets[0].at->place;
  if (first.parent != nullptr || facts.sets[0].at->assignment->is_append) return false;
  Rewrite offer = rewrite("array-arguments", first.command->span, "set -- instead of an array");
  need(offer, ObligationKind::kPositional, true, "the script does not use its arguments");
  for (const ArraySet& set : facts.sets) {
    const Place& place = *set.at->place;
    if (set.array == nullptr || !is_own_statement(place) || place.function != nullptr) return false;
    std::string words;
    for (const auto& each : set.array->elements) {
      if (each.subscript != nullptr) return false;
      words += " " + script.text(each.value.span);
    }
    offer.edits.push_back(shell::replace(
        place.command->span,
        std::string("set --") + (set.at->assignment->is_append ? " \"$@\"" : "") + words));
  }
  for (const ArrayUse& use : facts.uses) {
    const auto text = positional(script, use);
    const bool is_late = use.part->span.begin > first.command->span.begin;
    if (!text || !is_late || use.at->place->function != nullptr) return false;
    offer.edits.push_back(shell::replace(use.part->span, *text));
  }
  offers.push_back(std::move(offer));
  return true;
}

// ------------------------------------------------------------------ variables

bool is_key(std::string_view key) { return is_identifier("_" + std::string(key)); }

bool offer_variables(const Script& script, const ArrayFacts& facts, Offers& offers) {
  if (facts.sets.empty() || script.has_unknown_code()) return false;
  Rewrite offer =
      rewrite("array-variables", facts.sets[0].at->word->span, "one variable for each key");
  const auto variable = [&](const std::string& key) {
    return fmt::format("{}_{}", facts.name, key);
  };
  bool is_fresh = true;
  for (const ArraySet& set : facts.sets) {
    const Place& place = *set.at->place;
    const shell::Assignment& assignment = *set.at->assignment;
    if (set.array != nullptr) {
      if (!is_own_statement(place) || assignment.is_append || place.function != nullptr)
        return false;
      std::string text;
      size_t index = 0;
      for (const auto& each : set.array->elements) {
        const auto key = each.subscript == nullptr ? std::optional(std::to_string(index++))
                                                   : key_of(each.subscript);
        if (!key || !is_key(*key) || each.value.has(shell::kWordMayGlob) ||
            has_splittable(each.value))
          return false;
        is_fresh &= !script.mentions(variable(*key));
        text += fmt::format("{}{}={}", text.empty() ? "" : "; ", variable(*key),
                            script.text(each.value.span));
      }
      offer.edits.push_back(shell::replace(place.command->span, text.empty() ? ":" : text));
      continue;
    }
    const auto key = key_of(assignment.subscript);
    if (!key || !is_key(*key)) return false;
    is_fresh &= !script.mentions(variable(*key));
    offer.edits.push_back(shell::replace(
        {assignment.name_span.begin, assignment.subscript->span.end}, variable(*key)));
  }
  for (const ArrayUse& use : facts.uses) {
    const shell::Parameter& node = use.part->parameter();
    const auto key = key_of(node.subscript);
    if (!key || !is_key(*key)) return false;
    const uint32_t end =
        node.subscript == nullptr ? node.name_span().end : node.subscript->span.end;
    offer.edits.push_back(shell::replace({node.name_span().begin, end}, variable(*key)));
  }
  for (const Call* call : facts.declarations) {
    if (!call->place->is_statement()) return false;
    remove_statement(script, *call->place, offer);
  }
  need(offer, ObligationKind::kFresh, is_fresh, "the new names occur nowhere");
  offers.push_back(std::move(offer));
  return true;
}

}  // namespace

void offer_arrays(const Script& script, Offers& offers) {
  if (!script.settings().translates()) return;
  const std::vector<Call> calls = calls_of(script);
  Arrays arrays(script, calls);
  size_t real = 0;
  for (const auto& [name, facts] : arrays.all()) real += facts.sets.empty() ? 0U : 1U;
  for (const auto& [name, facts] : arrays.all()) {
    if (facts.sets.empty()) continue;
    if (facts.is_known &&
        (offer_written_out(script, facts, offers) ||
         offer_positional(script, facts, real, offers) || offer_variables(script, facts, offers)))
      continue;
    Rewrite offer =
        rewrite("array", facts.sets[0].at->word->span, fmt::format("the array {}", name));
    need(offer, ObligationKind::kPositional, false,
         "its subscripts are computed, or it cannot be the arguments of the script");
    offers.push_back(std::move(offer));
  }
}

}  // namespace nacre::purify
