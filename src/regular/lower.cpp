// Three ways, tried in this order:
//
// 1. A part without conditions is translated node by node into operations on Langs.
// 2. Anchors at the edges, the everyday case (`^a|b$`, `(^|,)x`), only decide whether the search
// may
//    skip something there: left_edge() and right_edge().
// 3. Everything else is compiled into a ContextProgram and determinised.
//
// Where a part is not regular it is replaced by a superset. Under a negation that would be a
// subset, so a negative lookaround that contains a non-regular part is taken as always true.
#include "regular/lower.h"

#include <algorithm>
#include <string>

#include "regular/char_classes.h"
#include "regular/lowering.h"

namespace nacre::regular {

using regex::Position;

std::optional<Error> Lowering::study() {
  for (uint32_t i = 0; i < regex_.size(); ++i) {
    const auto id = static_cast<NodeId>(i);
    if (regex_.get<regex::BackReference>(id) != nullptr &&
        options_.back_references == BackReferences::kRefuse) {
      return Error{regex_.span(id), "a back-reference does not describe a regular language"};
    }
    if (const auto* group = regex_.get<regex::Group>(id)) {
      if (group->index != 0) group_bodies_[group->index].push_back(group->body);
    }
    traits(id) = traits_of(regex_.node(id));
  }
  return std::nullopt;
}

NodeTraits Lowering::traits_of(const regex::Node& node) {
  return std::visit(
      Overloaded{[](const regex::Assert& assertion) {
                   return NodeTraits{assertion.position != Position::kMatchStart, false};
                 },
                 [&](const regex::Look& look) {
                   return NodeTraits{true, traits(look.body).is_inexact};
                 },
                 [](const regex::BackReference&) {
                   return NodeTraits{false, true};
                 },
                 [&](const regex::Group& group) {
                   NodeTraits result = traits(group.body);
                   result.is_inexact |= group.is_atomic;
                   return result;
                 },
                 [&](const regex::Repeat& repeat) {
                   NodeTraits result = traits(repeat.body);
                   if (repeat.greed != regex::Greed::kPossessive) return result;
                   if (class_of(repeat.body).empty()) result.is_inexact = true;
                   result.has_conditions = true;
                   return result;
                 },
                 // Their operands are matched against a whole string of their own.
                 [&](const regex::Intersection& list) {
                   return NodeTraits{false, traits_of_list(list).is_inexact};
                 },
                 [&](const regex::Complement& complement) {
                   return NodeTraits{false, traits(complement.body).is_inexact};
                 },
                 [&](const regex::Sequence& list) { return traits_of_list(list); },
                 [&](const regex::Choice& list) { return traits_of_list(list); },
                 [](const auto&) { return NodeTraits{}; }},
      node);
}

Lang Lowering::whole(NodeId id, bool contains) {
  const Lang around = contains ? everything_ : cx_.epsilon();
  if (!traits(id).has_conditions) return around + plain(id) + around;
  if (const auto* choice = regex_.get<regex::Choice>(id)) {
    std::vector<Lang> parts;
    for (NodeId child : regex_.children(*choice)) parts.push_back(whole(child, contains));
    return any_of(cx_, parts);
  }
  if (const auto* group = regex_.get<regex::Group>(id)) return whole(group->body, contains);
  if (const auto* sequence = regex_.get<regex::Sequence>(id)) {
    // Split where the conditions of the left edge end; the rest must be a right edge.
    const auto items = regex_.children(*sequence);
    for (size_t split = 1; split < items.size(); ++split) {
      if (split > 1 && traits(items[split - 1]).has_conditions) break;
      if (!traits(items[split]).has_conditions && split + 1 < items.size()) continue;
      const auto left = left_edge(items[0], around);
      const auto right = right_edge(items[split], around);
      if (!left || !right || split + 1 < items.size()) break;
      return *left + plain_sequence(items.subspan(1, split - 1)) + *right;
    }
  } else if (const auto left = left_edge(id, around)) {
    return *left + around;
  } else if (const auto right = right_edge(id, around)) {
    return around + *right;
  }
  return through_program(id, around, around);
}

template <typename List>
std::vector<Lang> Lowering::plain_children(const List& list) {
  std::vector<Lang> parts;
  parts.reserve(list.count);
  for (NodeId child : regex_.children(list)) parts.push_back(plain(child));
  return parts;
}

Lang Lowering::plain(NodeId id) {
  return std::visit(
      Overloaded{[&](regex::Empty) { return cx_.epsilon(); },
                 [&](regex::Nothing) { return cx_.empty(); },
                 [&](const regex::Literal&) { return plain_sequence(std::span(&id, 1)); },
                 [&](regex::Class set) { return characters(regex_.set(set)); },
                 [&](const regex::Sequence& list) { return plain_sequence(regex_.children(list)); },
                 [&](const regex::Choice& list) { return any_of(cx_, plain_children(list)); },
                 [&](const regex::Intersection& list) {
                   std::vector<Lang> parts;
                   for (NodeId child : regex_.children(list)) parts.push_back(whole(child, false));
                   return all_of(cx_, parts);
                 },
                 [&](const regex::Complement& complement) {
                   return everything_ - whole(complement.body, false);
                 },
                 [&](const regex::Repeat& repeat) { return plain_repeat(repeat); },
                 [&](const regex::Group& group) { return plain(group.body); },
                 [&](const regex::BackReference& reference) { return back_reference(reference); },
                 [&](regex::Language language) { return regex_.languages[language.index]; },
                 // Conditions come here only when the budget for them ran out.
                 [&](const auto&) { return cx_.epsilon(); }},
      regex_.node(id));
}

// Runs of literals become one word.
Lang Lowering::plain_sequence(std::span<const NodeId> items) {
  std::vector<Lang> parts;
  std::string word;
  auto end_word = [&] {
    if (!word.empty()) parts.push_back(cx_.literal(word));
    word.clear();
  };
  for (NodeId item : items) {
    const auto* literal = regex_.get<regex::Literal>(item);
    if (literal == nullptr) {
      end_word();
      parts.push_back(plain(item));
    } else if (literal->character < 0x80 && !subject_.contains(literal->character)) {
      return cx_.empty();
    } else if (regex_.alphabet == Alphabet::kBytes) {
      word.push_back(static_cast<char>(literal->character));
    } else {
      append_symbol(word, literal->character, Alphabet::kCodePoints);
    }
  }
  end_word();
  return concat(cx_, parts);
}

CharSet Lowering::class_of(NodeId id) const {
  if (const auto* set = regex_.get<regex::Class>(id)) return regex_.set(*set);
  if (const auto* literal = regex_.get<regex::Literal>(id)) return CharSet::of(literal->character);
  if (const auto* group = regex_.get<regex::Group>(id)) return class_of(group->body);
  return {};
}

Lang Lowering::characters(const CharSet& set) {
  if (!to_utf8_) return cx_.set(set & subject_);
  const CharSet ascii = CharSet::range(0, 0x7F);
  std::vector<Lang> parts = {cx_.set(set & ascii & subject_)};
  for (const Utf8Sequence& sequence : utf8_sequences(set - ascii)) {
    std::vector<Lang> bytes;
    for (uint32_t i = 0; i < sequence.length; ++i) {
      bytes.push_back(cx_.set(CharSet::range(sequence.bytes[i].first, sequence.bytes[i].last)));
    }
    parts.push_back(concat(cx_, bytes));
  }
  return any_of(cx_, parts);
}

Lang Lowering::loose_bytes(const CharSet& set) {
  const CharSet ascii = CharSet::range(0, 0x7F);
  return cx_.set((set & ascii & subject_) | CharSet::range(0x80, 0xFF));
}

Lang Lowering::plain_repeat(const regex::Repeat& repeat) {
  if (to_utf8_ && options_.utf8 == Utf8::kLoose && repeat.max == kUnbounded) {
    const CharSet set = class_of(repeat.body);
    // Without the surrogates, which no UTF-8 spells.
    const CharSet beyond_ascii = CharSet::range(0x80, 0xD7FF) | CharSet::range(0xE000, 0x10FFFF);
    if (set.contains(beyond_ascii)) {
      return nacre::regular::repeat(loose_bytes(set), repeat.min, repeat.max);
    }
  }
  return nacre::regular::repeat(plain(repeat.body), repeat.min, repeat.max);
}

Lang Lowering::back_reference(const regex::BackReference& reference) {
  const auto& open = open_references_;
  const bool is_open = std::find(open.begin(), open.end(), reference.group) != open.end();
  const bool is_known = reference.group < group_bodies_.size();
  if (!is_known || is_open || reference.folds_case) return everything_;
  open_references_.push_back(reference.group);
  std::vector<Lang> copies;  // without their conditions: those hold elsewhere in the subject
  for (NodeId body : group_bodies_[reference.group]) copies.push_back(plain(body));
  open_references_.pop_back();
  return any_of(cx_, copies);
}

bool Lowering::is_start_anchor(NodeId id) const {
  const auto* assertion = regex_.get<regex::Assert>(id);
  if (assertion == nullptr) return false;
  return assertion->position == Position::kSubjectStart ||
         (assertion->position == Position::kLineStart && !subject_.contains('\n'));
}

bool Lowering::is_end_anchor(NodeId id) const {
  const auto* assertion = regex_.get<regex::Assert>(id);
  if (assertion == nullptr) return false;
  if (assertion->position == Position::kSubjectEnd) return true;
  return !subject_.contains('\n') && (assertion->position == Position::kLineEnd ||
                                      assertion->position == Position::kFinalLineEnd);
}

template <typename Edge>
std::optional<Lang> Lowering::edge_of_choice(const regex::Choice& choice, Edge edge) {
  std::vector<Lang> parts;
  for (NodeId child : regex_.children(choice)) {
    const std::optional<Lang> part = edge(child);
    if (!part) return std::nullopt;
    parts.push_back(*part);
  }
  return any_of(cx_, parts);
}

std::optional<Lang> Lowering::left_edge(NodeId id, Lang prefix) {
  if (!traits(id).has_conditions) return prefix + plain(id);
  if (is_start_anchor(id)) return cx_.epsilon();
  if (const auto* group = regex_.get<regex::Group>(id)) return left_edge(group->body, prefix);
  if (const auto* choice = regex_.get<regex::Choice>(id)) {
    return edge_of_choice(*choice, [&](NodeId child) { return left_edge(child, prefix); });
  }
  const auto* sequence = regex_.get<regex::Sequence>(id);
  if (sequence == nullptr) return std::nullopt;
  const auto items = regex_.children(*sequence);
  const bool is_rest_plain = std::none_of(items.begin() + 1, items.end(),
                                          [&](NodeId item) { return traits(item).has_conditions; });
  if (!is_rest_plain) return std::nullopt;
  const auto first = left_edge(items[0], prefix);
  if (!first) return std::nullopt;
  return *first + plain_sequence(items.subspan(1));
}

std::optional<Lang> Lowering::right_edge(NodeId id, Lang suffix) {
  if (!traits(id).has_conditions) return plain(id) + suffix;
  if (is_end_anchor(id)) return cx_.epsilon();
  if (const auto* group = regex_.get<regex::Group>(id)) return right_edge(group->body, suffix);
  if (const auto* choice = regex_.get<regex::Choice>(id)) {
    return edge_of_choice(*choice, [&](NodeId child) { return right_edge(child, suffix); });
  }
  const auto* sequence = regex_.get<regex::Sequence>(id);
  if (sequence == nullptr) return std::nullopt;
  const auto items = regex_.children(*sequence);
  const bool is_start_plain = std::none_of(
      items.begin(), items.end() - 1, [&](NodeId item) { return traits(item).has_conditions; });
  if (!is_start_plain) return std::nullopt;
  const auto last = right_edge(items.back(), suffix);
  if (!last) return std::nullopt;
  return plain_sequence(items.first(items.size() - 1)) + *last;
}

Result<Lang> lower(Context& context, const Regex& regex, const LowerOptions& options) {
  return Lowering(context, regex, options).run();
}

Result<std::vector<Lang>> lower_parts(Context& context, const Regex& regex,
                                      std::span<const NodeId> parts, const LowerOptions& options) {
  return Lowering(context, regex, options).run_parts(parts);
}

}  // namespace nacre::regular
