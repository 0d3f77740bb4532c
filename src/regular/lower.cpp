// Three ways, tried in this order:
//
// 1. A part without conditions is translated node by node into operations on Langs.
// 2. Anchors at the edges, the everyday case (`^a|b$`, `(^|,)x`), only decide whether the search
// may
//    skip something there: left_edge() and right_edge().
// 3. Everything else is compiled into a ContextProgram and determinised.
//
// Where a part is not regular it is replaced by a superset. Under a negation that would be a
// subset, so a negative lookaround around such a part is taken as always true.
#include "regular/lower.h"

#include <algorithm>
#include <cassert>
#include <optional>
#include <string>
#include <utility>

#include "regular/char_classes.h"
#include "regular/lower_context.h"

namespace nacre::regular {
namespace {

using regex::Position;

template <typename... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <typename... F>
Overloaded(F...) -> Overloaded<F...>;

struct Traits {
  bool has_conditions = false;  // its matches depend on what lies around it
  bool is_inexact = false;      // can only be lowered to a superset
};

class Lowering {
 public:
  Lowering(Context& context, const Regex& regex, const LowerOptions& options)
      : cx_(context),
        regex_(regex),
        options_(options),
        subject_(options.subject ? *options.subject : CharSet::all(context.alphabet())),
        everything_(star(cx_.set(subject_))),
        to_utf8_(regex.alphabet == Alphabet::kCodePoints && context.alphabet() == Alphabet::kBytes),
        traits_(regex.size()),
        group_bodies_(regex.group_count + 1) {}

  Result<Lang> run() {
    if (auto error = study()) return tl::unexpected(*error);
    Lang language = whole(regex_.root(), options_.match == Match::kContains);
    if (error_) return tl::unexpected(*error_);
    if (!is_inexact_ && !traits(regex_.root()).is_inexact) return language;
    return widened(language);
  }

  Result<std::vector<Lang>> run_parts(std::span<const NodeId> parts) {
    if (auto error = study()) return tl::unexpected(*error);
    drops_conditions_ = true;
    std::vector<Lang> languages;
    for (NodeId id : parts) {
      const Lang language = plain(id);
      const bool is_exact = !traits(id).is_inexact && !traits(id).has_conditions;
      languages.push_back(is_exact ? language : widened(language));
    }
    if (error_) return tl::unexpected(*error_);
    return languages;
  }

 private:
  // Facts about every node, children first; finds what cannot be lowered at all.
  std::optional<Error> study();
  Traits traits_of(const regex::Node& node);
  [[nodiscard]] const Traits& traits(NodeId id) const { return traits_[static_cast<size_t>(id)]; }
  Traits& traits(NodeId id) { return traits_[static_cast<size_t>(id)]; }
  template <typename List>
  [[nodiscard]] Traits traits_of_list(const List& list) const {
    Traits joined;
    for (NodeId child : regex_.children(list)) {
      joined.has_conditions |= traits(child).has_conditions;
      joined.is_inexact |= traits(child).is_inexact;
    }
    return joined;
  }

  // The subjects that `id` matches from end to end, or somewhere.
  Lang whole(NodeId id, bool contains);

  // 1. Without conditions.
  Lang plain(NodeId id);
  Lang plain_sequence(std::span<const NodeId> items);
  Lang plain_repeat(const regex::Repeat& repeat);
  template <typename List>
  std::vector<Lang> plain_children(const List& list);
  Lang characters(const CharSet& set);
  Lang loose_bytes(const CharSet& set);
  [[nodiscard]] CharSet class_of(NodeId id) const;  // empty if it is not one character
  Lang back_reference(const regex::BackReference& reference);

  // 2. At the edges: the language of what was read up to the end of `id`, where `prefix` is what
  // may precede it; nothing if this needs the third way. right_edge() is its mirror image.
  std::optional<Lang> left_edge(NodeId id, Lang prefix);
  std::optional<Lang> right_edge(NodeId id, Lang suffix);
  template <typename Edge>
  std::optional<Lang> edge_of_choice(const regex::Choice& choice, Edge edge);
  [[nodiscard]] bool is_start_anchor(NodeId id) const;
  [[nodiscard]] bool is_end_anchor(NodeId id) const;

  // 3. With a program.
  Lang through_program(NodeId id, Lang prefix, Lang suffix);
  Place compile(NodeId id, Place next);
  Place compile_position(Position position, Place next);
  Place compile_word_edge(Position position, Place next);
  Place compile_repeat(const regex::Repeat& repeat, Place next);
  Place compile_possessive(const regex::Repeat& repeat, Place next);
  Place compile_copies(NodeId body, uint32_t count, Place next);
  Place compile_look(NodeId id, const regex::Look& look, Place next);
  Place compile_lookbehind(NodeId id, const regex::Look& look, Place next);

  Lang widened(Lang language) {
    const bool was_superset =
        language.bound() == Bound::kExact || language.bound() == Bound::kSuperset;
    return {cx_, language.id(), was_superset ? Bound::kSuperset : Bound::kUnknown};
  }
  void refuse(NodeId id, std::string message) {
    if (!error_) error_ = Error{regex_.span(id), std::move(message)};
  }

  Context& cx_;
  const Regex& regex_;
  const LowerOptions& options_;
  CharSet subject_;
  Lang everything_;
  bool to_utf8_;
  std::vector<Traits> traits_;
  std::vector<std::vector<NodeId>> group_bodies_;  // lines and (?|...) give a number twice
  std::optional<ContextProgram> program_;
  std::vector<uint32_t> open_references_;  // groups whose body a back-reference is being widened to
  bool drops_conditions_ = false;          // the budget ran out: read conditions as true
  bool is_inexact_ = false;
  std::optional<Error> error_;
};

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

Traits Lowering::traits_of(const regex::Node& node) {
  return std::visit(Overloaded{[](const regex::Assert& assertion) {
                                 return Traits{assertion.position != Position::kMatchStart, false};
                               },
                               [&](const regex::Look& look) {
                                 return Traits{true, traits(look.body).is_inexact};
                               },
                               [](const regex::BackReference&) {
                                 return Traits{false, true};
                               },
                               [&](const regex::Group& group) {
                                 Traits result = traits(group.body);
                                 result.is_inexact |= group.is_atomic;
                                 return result;
                               },
                               [&](const regex::Repeat& repeat) {
                                 Traits result = traits(repeat.body);
                                 if (repeat.greed != regex::Greed::kPossessive) return result;
                                 if (class_of(repeat.body).empty()) result.is_inexact = true;
                                 result.has_conditions = true;
                                 return result;
                               },
                               // Their operands are matched against a whole string of their own.
                               [&](const regex::Intersection& list) {
                                 return Traits{false, traits_of_list(list).is_inexact};
                               },
                               [&](const regex::Complement& complement) {
                                 return Traits{false, traits(complement.body).is_inexact};
                               },
                               [&](const regex::Sequence& list) { return traits_of_list(list); },
                               [&](const regex::Choice& list) { return traits_of_list(list); },
                               [](const auto&) { return Traits{}; }},
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
      if (std::any_of(items.begin() + 1, items.begin() + static_cast<ptrdiff_t>(split),
                      [&](NodeId item) { return traits(item).has_conditions; })) {
        break;
      }
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

Lang Lowering::through_program(NodeId id, Lang prefix, Lang suffix) {
  if (drops_conditions_) return prefix + plain(id) + suffix;
  std::optional<ContextProgram> outer = std::exchange(program_, ContextProgram(cx_));
  const Place end = program_->consume(suffix, program_->accept());
  const Place start = program_->consume(prefix, compile(id, end));
  std::optional<ContextProgram::Outcome> outcome;
  if (!error_ && program_->size() <= options_.budget.states) {
    outcome = program_->run(start, false, options_.budget);
  }
  program_ = std::move(outer);
  if (outcome && outcome->is_complete) return outcome->language;
  const bool was_dropping = std::exchange(drops_conditions_, true);
  const Lang superset = prefix + plain(id) + suffix;
  drops_conditions_ = was_dropping;
  return Lang(cx_, superset.id(), Bound::kSuperset);
}

Place Lowering::compile(NodeId id, Place next) {
  if (!traits(id).has_conditions) return program_->consume(plain(id), next);
  if (program_->size() > options_.budget.states) return next;  // through_program() gives up
  return std::visit(
      Overloaded{[&](const regex::Sequence& list) {
                   const auto items = regex_.children(list);
                   Place place = next;
                   for (size_t i = items.size(); i-- > 0;) place = compile(items[i], place);
                   return place;
                 },
                 [&](const regex::Choice& list) {
                   const auto items = regex_.children(list);
                   Place place = compile(items.back(), next);
                   for (size_t i = items.size() - 1; i-- > 0;) {
                     place = program_->either(compile(items[i], next), place);
                   }
                   return place;
                 },
                 [&](const regex::Group& group) { return compile(group.body, next); },
                 [&](const regex::Repeat& repeat) { return compile_repeat(repeat, next); },
                 [&](const regex::Assert& assertion) {
                   return compile_position(assertion.position, next);
                 },
                 [&](const regex::Look& look) { return compile_look(id, look, next); },
                 [&](const auto&) { return program_->consume(plain(id), next); }},
      regex_.node(id));
}

Place Lowering::compile_position(Position position, Place next) {
  const Lang newline = characters(CharSet::of('\n'));
  switch (position) {
    case Position::kSubjectStart:
      return program_->demand_before(program_->track(cx_.epsilon()), true, next);
    case Position::kLineStart: {
      const Lang at_start = optional(everything_ + newline);
      return program_->demand_before(program_->track(at_start), true, next);
    }
    case Position::kSubjectEnd: return program_->demand(cx_.epsilon(), next);
    case Position::kFinalLineEnd: return program_->demand(optional(newline), next);
    case Position::kLineEnd: return program_->demand(optional(newline + everything_), next);
    case Position::kMatchStart: return next;
    default: return compile_word_edge(position, next);
  }
}

Place Lowering::compile_word_edge(Position position, Place next) {
  const Lang word = characters(regex_.word);
  const Lang word_follows = word + everything_;
  const TrackId word_before = program_->track(everything_ + word);
  const Place before_word = program_->demand(word_follows, next);
  const Place before_other = program_->demand(everything_ - word_follows, next);
  const Place start = program_->demand_before(word_before, false, before_word);
  const Place end = program_->demand_before(word_before, true, before_other);
  if (position == Position::kWordStart) return start;
  if (position == Position::kWordEnd) return end;
  if (position == Position::kWordBoundary) return program_->either(start, end);
  return program_->either(program_->demand_before(word_before, true, before_word),
                          program_->demand_before(word_before, false, before_other));
}

Place Lowering::compile_copies(NodeId body, uint32_t count, Place next) {
  for (; count > 0 && program_->size() <= options_.budget.states; --count) {
    next = compile(body, next);
  }
  return next;
}

Place Lowering::compile_repeat(const regex::Repeat& repeat, Place next) {
  if (repeat.greed == regex::Greed::kPossessive && !class_of(repeat.body).empty()) {
    return compile_possessive(repeat, next);
  }
  Place place = next;
  if (repeat.max == kUnbounded) {
    const Place loop = program_->forward();
    program_->resolve(loop, program_->either(compile(repeat.body, loop), next));
    place = loop;
  } else {
    for (uint32_t i = repeat.min; i < repeat.max; ++i) {
      if (program_->size() > options_.budget.states) break;
      place = program_->either(compile(repeat.body, place), next);
    }
  }
  return compile_copies(repeat.body, repeat.min, place);
}

// x{n,m}+ takes all it can: it stops at m, or earlier only where no x follows.
Place Lowering::compile_possessive(const regex::Repeat& repeat, Place next) {
  const Lang one = characters(class_of(repeat.body));
  const Place stops = program_->demand(everything_ - (one + everything_), next);
  if (repeat.max == kUnbounded) {
    return program_->consume(nacre::regular::repeat(one, repeat.min, kUnbounded), stops);
  }
  const Place full = program_->consume(nacre::regular::repeat(one, repeat.max, repeat.max), next);
  if (repeat.min == repeat.max) return full;
  const Lang fewer = nacre::regular::repeat(one, repeat.min, repeat.max - 1);
  return program_->either(full, program_->consume(fewer, stops));
}

Place Lowering::compile_look(NodeId id, const regex::Look& look, Place next) {
  if (look.is_negative && traits(look.body).is_inexact) {
    is_inexact_ = true;
    return next;
  }
  if (look.is_behind) return compile_lookbehind(id, look, next);
  if (const auto suffix = right_edge(look.body, everything_)) {
    return program_->demand(look.is_negative ? everything_ - *suffix : *suffix, next);
  }
  const Place end = program_->consume(everything_, program_->accept());
  return program_->demand_branch(compile(look.body, end), look.is_negative, next);
}

Place Lowering::compile_lookbehind(NodeId id, const regex::Look& look, Place next) {
  std::optional<Lang> prefix = left_edge(look.body, everything_);
  if (!prefix) {
    ContextProgram outer = std::move(*program_);
    program_.emplace(cx_);
    const Place start = program_->consume(everything_, compile(look.body, program_->accept()));
    const auto outcome = program_->run(start, true, options_.budget);
    program_ = std::move(outer);
    if (outcome.looks_beyond_end) {
      refuse(id, "a lookbehind that looks ahead beyond its own end is not supported");
    }
    if (!outcome.is_complete) {
      is_inexact_ = true;
      return next;
    }
    prefix = outcome.language;
  }
  return program_->demand_before(program_->track(*prefix), !look.is_negative, next);
}

}  // namespace

Result<Lang> lower(Context& context, const Regex& regex, const LowerOptions& options) {
  return Lowering(context, regex, options).run();
}

Result<std::vector<Lang>> lower_parts(Context& context, const Regex& regex,
                                      std::span<const NodeId> parts, const LowerOptions& options) {
  return Lowering(context, regex, options).run_parts(parts);
}

}  // namespace nacre::regular
