// The parser behind parse_pcre.h and parse_python.h: Perl's syntax, of which PCRE and Python's re
// are two readings. Internal to this module. perl_parser.cpp has the structure (alternatives,
// quantifiers, groups), perl_groups.cpp what follows `(?`, perl_escapes.cpp escapes,
// perl_classes.cpp `[...]`.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "regular/pattern_reader.h"
#include "regular/regex.h"

namespace nacre::regular {

enum class PerlReading : uint8_t { kPcre, kPython };

// The inline flags that change what a pattern matches.
struct PerlFlags {
  bool folds_case = false;    // i
  bool is_multiline = false;  // m
  bool dot_is_all = false;    // s
  bool is_verbose = false;    // x
  bool is_ascii = false;      // a (Python)
  bool no_captures = false;   // n (PCRE)
  bool is_lazy = false;       // U (PCRE)
};

class PerlParser {
 public:
  // `origin` as in PatternReader: the pattern has something around it that the user did not write.
  PerlParser(std::string_view pattern, PerlReading reading, PerlFlags flags, Alphabet alphabet,
             const std::vector<uint32_t>* origin = nullptr);

  // The tree without anything around it; the builder is left to the caller.
  Result<NodeId> parse();
  [[nodiscard]] RegexBuilder& builder() { return builder_; }

 private:
  // What an escape stands for, outside and inside of classes.
  struct Escape {
    enum class Kind : uint8_t { kCharacter, kSet, kPosition, kReference, kNode, kNothing };
    Kind kind = Kind::kNothing;
    Symbol character = 0;
    CharSet set = {};
    regex::Position position{};
    uint32_t group = 0;
    NodeId node{};
  };
  using Counts = std::pair<uint32_t, uint32_t>;

  [[nodiscard]] bool python() const { return reading_ == PerlReading::kPython; }
  tl::unexpected<Error> error(uint32_t begin, std::string message) const {
    return fail(reader_.span_from(begin), std::move(message));
  }
  tl::unexpected<Error> error_here(std::string message) const {
    return fail(reader_.here(), std::move(message));
  }

  // perl_parser.cpp
  Result<NodeId> parse_alternatives();
  Result<NodeId> parse_branch();
  void skip_ignored();
  bool skip_comment();
  Result<NodeId> parse_atom(bool& repeatable);
  Result<std::optional<NodeId>> parse_quantifier(NodeId body, uint32_t begin);
  Result<std::optional<Counts>> parse_counts();
  std::optional<uint32_t> parse_number();
  NodeId character(Symbol symbol, Span span);
  NodeId dot(Span span);
  NodeId position(regex::Position where, bool& repeatable, Span span);
  [[nodiscard]] CharSet folded(const CharSet& set) const;

  // perl_groups.cpp
  Result<NodeId> parse_group(bool& repeatable);
  Result<NodeId> parse_capture(uint32_t begin, std::string_view name, uint32_t name_at);
  Result<NodeId> parse_body(uint32_t begin, uint32_t index, bool is_atomic);
  Result<NodeId> parse_branch_reset(uint32_t begin);
  Result<NodeId> parse_look(uint32_t begin, bool is_behind, bool is_negative);
  Result<NodeId> parse_flags(uint32_t begin, bool& repeatable);
  Result<NodeId> parse_python_extension(uint32_t begin);
  Result<NodeId> parse_pcre_extension(uint32_t begin, bool& repeatable);
  Result<NodeId> parse_named_reference(uint32_t begin, char close);
  Result<std::string_view> parse_group_name(char close);
  Result<NodeId> reference(uint32_t group, uint32_t begin);
  std::optional<Error> set_flag(PerlFlags& flags, int letter, bool on, uint32_t begin);
  [[nodiscard]] std::optional<uint32_t> group_named(std::string_view name) const;
  void count_groups();  // before parsing: PCRE needs to know how many there will be

  // perl_escapes.cpp
  Result<Escape> parse_escape(bool in_class);
  Result<Escape> parse_python_escape(Symbol c, uint32_t begin, bool in_class);
  Result<std::optional<Escape>> parse_pcre_character(Symbol c, uint32_t begin);
  Result<Escape> parse_pcre_escape(Symbol c, uint32_t begin);
  Result<Escape> parse_pcre_class_escape(Symbol c, uint32_t begin);
  Result<Escape> parse_pcre_reference(uint32_t begin);
  Result<Escape> parse_digits(uint32_t begin, bool in_class);
  Result<Escape> parse_python_digits(uint32_t begin, bool in_class);
  Result<Escape> parse_pcre_digits(uint32_t begin, bool in_class);
  Symbol parse_octal(uint32_t most);
  Result<Symbol> parse_hex(uint32_t begin, uint32_t digits);
  Result<Symbol> parse_braced(uint32_t begin, int base);
  [[nodiscard]] std::optional<CharSet> category(Symbol letter) const;
  NodeId any_newline(Span span);

  // perl_classes.cpp
  Result<NodeId> parse_class();
  Result<Escape> parse_class_item(uint32_t open);
  Result<CharSet> parse_range(const Escape& start, uint32_t begin, uint32_t open);
  Result<std::optional<CharSet>> parse_posix_name();
  [[nodiscard]] bool at_bare_posix_name() const;
  static Escape symbol(Symbol character) {
    return {.kind = Escape::Kind::kCharacter, .character = character};
  }
  static Escape set_of(CharSet set) { return {.kind = Escape::Kind::kSet, .set = std::move(set)}; }

  PerlReading reading_;
  PerlFlags flags_;
  Alphabet alphabet_;
  PatternReader reader_;
  RegexBuilder builder_;
  bool in_quote_ = false;             // between \Q and \E
  std::vector<uint8_t> group_state_;  // by index: 1 open, 2 closed
  uint32_t groups_in_all_ = 0;        // PCRE: counted ahead
  uint32_t nesting_ = 0;
  uint32_t look_nesting_ = 0;
  bool flags_may_follow_ = true;  // Python: nothing but comments and flags so far
};

// How many symbols a node can match: the least and the most (kUnbounded).
std::pair<uint64_t, uint64_t> width(const Regex& regex, NodeId id);

}  // namespace nacre::regular
