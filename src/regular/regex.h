// The syntax tree that every regex front end (parse_*.h) produces and that lower.h turns into a
// Lang. It says what the tool read, before any meaning: groups keep their numbers, quantifiers
// their greed, anchors their kind, and every node its span in the pattern, so that messages can
// point into the user's text and the transducers can follow captures.
//
// A Regex is a value: nodes live in one vector and name each other by NodeId, children before
// parents. No node is deeper than Regex::kMaxDepth (the builder refuses), so recursion over the
// tree is safe.
//
//   Result<Regex> re = parse_posix("a(b|c)*$", {.syntax = PosixSyntax::kExtended});
//   if (const auto* repeat = re->get<regex::Repeat>(id)) ... repeat->body ...
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/result.h"
#include "base/span.h"
#include "regular/char_set.h"
#include "regular/lang.h"

namespace nacre::regular {

enum class NodeId : uint32_t {};

namespace regex {

enum class Greed : uint8_t { kGreedy, kLazy, kPossessive };

// Where a position may be. "Line" kinds see every newline of the subject; "subject" kinds only its
// ends. kFinalLineEnd is Perl's and Python's `$`: the end, or before a newline that is the last
// byte.
enum class Position : uint8_t {
  kSubjectStart,
  kSubjectEnd,
  kFinalLineEnd,
  kLineStart,
  kLineEnd,
  kWordBoundary,     // \b
  kNotWordBoundary,  // \B
  kWordStart,        // \<
  kWordEnd,          // \>
  kMatchStart,       // Perl's \K: always true; what was matched so far is not part of the match
};

struct Empty {};    // the empty string
struct Nothing {};  // no string at all: [^\x00-\xff], (?!)
struct Literal {
  char32_t character;
};
struct Class {
  uint32_t set;  // index for Regex::set()
};
struct Sequence {  // at least two items; see Regex::children()
  uint32_t first, count;
};
struct Choice {  // at least two alternatives, in the order written
  uint32_t first, count;
};
struct Repeat {
  NodeId body;
  uint32_t min, max;  // max may be kUnbounded
  Greed greed;
};
struct Group {
  NodeId body;
  uint32_t index;  // counts from 1; 0: does not capture
  bool is_atomic;  // (?>...)
};
struct Assert {
  Position position;
};
struct Look {
  NodeId body;
  bool is_behind, is_negative;
};
struct BackReference {
  uint32_t group;
  bool folds_case;
};
// Used by the type syntax and by shell patterns, never by the regexes of tools.
struct Intersection {
  uint32_t first, count;
};
struct Language {  // a word of Regex::languages[index]
  uint32_t index;
};
struct Complement {  // every string over the alphabet that `body` does not match
  NodeId body;
};

using Node = std::variant<Empty, Nothing, Literal, Class, Sequence, Choice, Repeat, Group, Assert,
                          Look, BackReference, Intersection, Complement, Language>;

}  // namespace regex

// Which match is taken where several start at the same place. It does not change which subjects
// match, except through atomic groups; the transducers need it.
enum class Priority : uint8_t { kLongest, kFirstAlternative };

struct GroupName {
  std::string name;
  uint32_t index;
};

class Regex {
 public:
  static constexpr uint32_t kMaxDepth = 1000;

  [[nodiscard]] NodeId root() const { return root_; }
  [[nodiscard]] size_t size() const { return nodes_.size(); }
  [[nodiscard]] const regex::Node& node(NodeId id) const { return nodes_[index(id)]; }
  [[nodiscard]] Span span(NodeId id) const { return spans_[index(id)]; }
  template <typename T>
  [[nodiscard]] const T* get(NodeId id) const {
    return std::get_if<T>(&node(id));
  }
  template <typename List>  // Sequence, Choice or Intersection
  [[nodiscard]] std::span<const NodeId> children(const List& list) const {
    return std::span(children_).subspan(list.first, list.count);
  }
  [[nodiscard]] const CharSet& set(regex::Class id) const { return sets_[id.set]; }

  // Facts about the whole pattern.
  uint32_t group_count = 0;
  std::vector<GroupName> group_names;
  // What sets and literals hold: bytes (the C locale), or characters, which lower.h turns into
  // UTF-8 for the shell and leaves alone for Python.
  Alphabet alphabet = Alphabet::kBytes;
  Priority priority = Priority::kLongest;
  std::vector<Lang> languages;  // types only: names and operations, in the context they are for
  CharSet word;                 // what \b, \< and their like count as part of a word
  std::vector<Error> warnings;  // what the tool accepts but warns of, or what surely is a mistake

 private:
  friend class RegexBuilder;
  static size_t index(NodeId id) { return static_cast<size_t>(id); }

  std::vector<regex::Node> nodes_;
  std::vector<Span> spans_;
  std::vector<NodeId> children_;
  std::vector<CharSet> sets_;
  NodeId root_{};
};

// Makes a Regex bottom-up. A tree deeper than Regex::kMaxDepth sets too_deep(); parsers then stop
// with an error at that place.
class RegexBuilder {
 public:
  RegexBuilder(Alphabet alphabet, Priority priority) {
    regex_.alphabet = alphabet;
    regex_.priority = priority;
  }

  NodeId empty(Span span) { return leaf(regex::Empty{}, span); }
  NodeId literal(char32_t character, Span span) { return leaf(regex::Literal{character}, span); }
  // A set of one member becomes a literal, an empty set Nothing.
  NodeId set(const CharSet& set, Span span);
  NodeId position(regex::Position position, Span span) {
    return leaf(regex::Assert{position}, span);
  }
  NodeId back_reference(uint32_t group, bool folds_case, Span span) {
    return leaf(regex::BackReference{group, folds_case}, span);
  }
  // No item: the empty string (for `choice` and `intersection` this is a bug); one: the item
  // itself.
  NodeId sequence(std::span<const NodeId> items, Span span);
  NodeId choice(std::span<const NodeId> items, Span span);
  NodeId intersection(std::span<const NodeId> items, Span span);
  NodeId repeat(NodeId body, uint32_t min, uint32_t max, regex::Greed greed, Span span);
  NodeId group(NodeId body, uint32_t index, bool is_atomic, Span span);
  NodeId look(NodeId body, bool is_behind, bool is_negative, Span span);
  NodeId complement(NodeId body, Span span);
  NodeId language(Lang language, Span span) {
    regex_.languages.push_back(language);
    return leaf(regex::Language{static_cast<uint32_t>(regex_.languages.size() - 1)}, span);
  }

  [[nodiscard]] bool too_deep() const { return too_deep_; }
  [[nodiscard]] Regex& regex() { return regex_; }
  [[nodiscard]] const Regex& regex() const { return regex_; }
  [[nodiscard]] Regex finish(NodeId root) {
    regex_.root_ = root;
    return std::move(regex_);
  }

 private:
  NodeId leaf(regex::Node node, Span span) { return add(node, span, 1); }
  NodeId add(regex::Node node, Span span, uint32_t depth);
  template <typename List>
  NodeId list(std::span<const NodeId> items, Span span);
  [[nodiscard]] uint32_t depth(NodeId id) const { return depths_[static_cast<size_t>(id)]; }

  Regex regex_;
  std::vector<uint32_t> depths_;
  bool too_deep_ = false;
};

}  // namespace nacre::regular
