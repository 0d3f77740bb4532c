// The parser behind parse_type.h, split over parse_type.cpp (the grammar), type_bracket.cpp
// (classes and escapes) and type_operations.cpp. Internal to this module.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "regular/parse_type.h"
#include "regular/pattern_reader.h"
#include "regular/regex.h"

namespace nacre::regular {

// An escape in a type: one character, or a class of them.
struct TypeEscape {
  CharSet set;
  bool is_class = false;
};

// The reader stands after the backslash.
Result<TypeEscape> parse_type_escape(PatternReader& reader, Alphabet alphabet);

// A bracket expression. Over bytes, members written as UTF-8 beyond ASCII are characters of their
// own: [aé] is one byte or two.
struct TypeSet {
  CharSet symbols;
  CharSet characters;  // over bytes only
};

// The reader stands after the `[`.
Result<TypeSet> parse_type_bracket(PatternReader& reader, Alphabet alphabet);

class TypeParser {
 public:
  // `ends_at_comma`: the text is an argument of an operation and ends at a comma or `)`.
  TypeParser(Context& context, const TypeOptions& options, PatternReader& reader,
             bool ends_at_comma, uint32_t nesting)
      : context_(context),
        options_(options),
        reader_(reader),
        ends_at_comma_(ends_at_comma),
        outer_nesting_(nesting),
        builder_(context.alphabet(), Priority::kLongest) {}

  // The regex from where the reader stands to where it ends.
  Result<Regex> parse();

 private:
  Result<NodeId> parse_choice();
  Result<NodeId> parse_meet();
  Result<NodeId> parse_operand();
  Result<NodeId> parse_item();
  Result<NodeId> parse_complement();
  Result<NodeId> parse_atom();
  Result<NodeId> parse_group();
  Result<NodeId> parse_escape();
  Result<NodeId> parse_name();
  Result<NodeId> parse_postfix(NodeId body, uint32_t begin);
  Result<std::optional<std::pair<uint32_t, uint32_t>>> parse_counts();

  [[nodiscard]] bool at_operand_end() const;
  [[nodiscard]] bool at_complement() const;
  [[nodiscard]] bool at_name() const;
  NodeId literal(Symbol symbol, uint32_t begin);
  NodeId set(const TypeSet& set, uint32_t begin);
  NodeId any(Span span) {
    return builder_.set(CharSet::all(context_.alphabet()) - CharSet::of('\n'), span);
  }

  Context& context_;
  const TypeOptions& options_;
  PatternReader& reader_;
  bool ends_at_comma_;
  uint32_t nesting_ = 0;    // of parentheses and complements in this text
  uint32_t outer_nesting_;  // of the operations around it
  RegexBuilder builder_;
};

// Parses and lowers what the reader stands before.
Result<Lang> parse_type_at(Context& context, const TypeOptions& options, PatternReader& reader,
                           bool ends_at_comma, uint32_t nesting);

// If an operation starts here (its name and `(`): its result, the reader after its `)`.
bool at_type_operation(const PatternReader& reader);
Result<Lang> parse_type_operation(Context& context, const TypeOptions& options,
                                  PatternReader& reader, uint32_t nesting);

}  // namespace nacre::regular
