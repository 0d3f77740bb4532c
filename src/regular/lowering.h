// The work behind lower.h, split over lower.cpp (parts without conditions, and anchors at the
// edges) and lower_conditions.cpp (everything else). Internal to this module.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "regular/lower.h"
#include "regular/lower_context.h"

namespace nacre::regular {

template <typename... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <typename... F>
Overloaded(F...) -> Overloaded<F...>;

struct NodeTraits {
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
  NodeTraits traits_of(const regex::Node& node);
  [[nodiscard]] const NodeTraits& traits(NodeId id) const {
    return traits_[static_cast<size_t>(id)];
  }
  NodeTraits& traits(NodeId id) { return traits_[static_cast<size_t>(id)]; }
  template <typename List>
  [[nodiscard]] NodeTraits traits_of_list(const List& list) const {
    NodeTraits joined;
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

  // 3. With a program (lower_conditions.cpp).
  Lang through_program(NodeId id, Lang prefix, Lang suffix);
  Place compile(NodeId id, Place next);
  Place compile_position(regex::Position position, Place next);
  Place compile_word_edge(regex::Position position, Place next);
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
  std::vector<NodeTraits> traits_;
  std::vector<std::vector<NodeId>> group_bodies_;  // lines and (?|...) give a number twice
  std::optional<ContextProgram> program_;
  std::vector<uint32_t> open_references_;  // groups whose body a back-reference is being widened to
  bool drops_conditions_ = false;          // the budget ran out: read conditions as true
  bool is_inexact_ = false;
  std::optional<Error> error_;
};

}  // namespace nacre::regular
