// Words of the tree to words of the machine: quoting becomes regions, names become numbers,
// arithmetic that is known in advance is parsed. Part of lower().
#pragma once

#include <functional>
#include <vector>

#include "machine/code.h"

namespace nacre::machine {

namespace sh = nacre::shell;

// How a word is used decides which tildes count and whether its unquoted text can be split.
struct WordContext {
  bool is_assignment = false;  // tildes after `=` and `:` count
  bool is_quoted = false;      // within double quotes or a here-document
  bool is_operand = false;     // of ${x-word}: its text is the result of an expansion
  bool is_pattern = false;     // of ${x#word}, case: never split
};

class WordLowering {
 public:
  // The commands of a substitution; null if there are none.
  using LowerBody = std::function<const Node*(const sh::Sequence&)>;

  WordLowering(Code& code, Names& names, LowerBody lower_body)
      : code_(code), tree_(*code.tree), names_(names), lower_body_(std::move(lower_body)) {}

  Word word(const sh::Word& from, WordContext context);
  Word literal(std::string_view text);  // which lives as long as the code
  Word arithmetic_word(const sh::Arithmetic& from);
  const Subscript* subscript(const sh::Subscript* from);  // null if `from` is
  // Of a word whose one interesting part is (...); null if there is none.
  const Compound* compound(const sh::Word& from);
  // The words that a word with braces stands for.
  void add_braced(const sh::Word& from, std::vector<Word>& to);

  bool expands_braces = true;  // false after set +B

 private:
  Word word_of(std::span<const sh::Part> parts, Span span, WordContext context);
  void add_ext_glob(const sh::Part& from, const WordContext& context, std::vector<Part>& to);
  void add_process(const sh::Part& from, const WordContext& context, std::vector<Part>& to);
  Part arithmetic_part(const sh::Arithmetic& from, Span span, const WordContext& context);
  const Word* kept_word(const sh::Word& from, WordContext context);
  std::string_view literal_of(const std::vector<Part>& parts);
  static void note(const Part& part, const WordContext& context, Word& result);
  // `text` lives as long as the tree.
  void add_text(std::string_view text, Region region, bool may_glob, std::vector<Part>& to);
  void join_texts(std::vector<Part>& parts);
  void add_parts(std::span<const sh::Part> from, const WordContext& context, std::vector<Part>& to);
  void add_part(const sh::Part& from, const WordContext& context, std::vector<Part>& to);
  void add_tilde(const sh::Part& from, const WordContext& context, Region plain,
                 std::vector<Part>& to);
  void add_quoted(const sh::Part& from, WordContext context, std::vector<Part>& to);
  Parameter parameter(const sh::Part& from, const WordContext& context);
  static Region region_of(const WordContext& context);
  void add_parameter(const sh::Part& from, const WordContext& context, std::vector<Part>& to);
  void add_command(const sh::Part& from, const WordContext& context, std::vector<Part>& to);
  void add_arithmetic(const sh::Part& from, const WordContext& context, std::vector<Part>& to);
  // What an expression needs from outside when it is evaluated.
  struct Needs {
    std::vector<const Parameter*> slots;
    std::vector<NameId> arrays;
  };
  const Expression* expression(const sh::ArithmeticExpression& from, Needs& needs, int depth = 0);
  const Expression* variable(const sh::ArithmeticExpression& from, Needs& needs, int depth);
  const Expression* slot(const sh::ArithmeticExpression& from, Needs& needs);

  Code& code_;
  const sh::Tree& tree_;
  Names& names_;
  LowerBody lower_body_;
};

}  // namespace nacre::machine
