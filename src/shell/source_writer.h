// Writes nodes as shell source in one canonical layout; behind to_source() of print.h. Commands and
// words are in files of their own (command_source.cpp, word_source.cpp).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "shell/ast.h"

namespace nacre::shell {

class SourceWriter {
 public:
  void write(const Sequence& sequence);  // one command per line
  void write(const Command& command);
  void write(const Word& word);
  void write(const ArithmeticExpression& expression);
  void write(const ConditionalExpression& expression);
  // Ends the last line and appends the here-documents that wait for it.
  std::string finish();

 private:
  // Where a part stands decides what needs a backslash.
  enum class Context : uint8_t { kUnquoted, kDouble, kHere };

  void text(std::string_view bytes) { out_ += bytes; }
  void newline();
  void in_line(const Sequence& sequence);
  void block(const Sequence& sequence);
  void within(std::string_view open, const Sequence& body, std::string_view close);

  void node(const SimpleCommand& simple);
  void node(const Pipeline& pipeline);
  void node(const AndOr& list);
  void node(const BraceGroup& group);
  void node(const Subshell& subshell);
  void node(const If& node);
  void node(const While& loop);
  void node(const For& loop);
  void node(const ArithmeticFor& loop);
  void node(const Case& choice);
  void node(const Function& function);
  void node(const Conditional& conditional);
  void node(const ArithmeticCommand& command);
  void node(const Coproc& coproc);
  void node(const Broken&);
  void name(const Name& name);
  void redirection(const Redirection& redirection);
  void redirections(std::span<const Redirection> redirections);
  void assignment(const Assignment& assignment);

  void parts(std::span<const Part> parts, Context context);
  void part(const Part& part, Context context);
  void ansi_quoted(std::string_view bytes);
  void parameter(const Parameter& parameter, Context context);
  void parameter_operator(const Parameter& parameter, Context context);
  void substitution(const CommandSubstitution& substitution);
  void subscript(const Subscript& subscript);
  void array(const Array& array);
  void brace(const Brace& brace);

  std::string out_;
  bool ends_in_literal_dollar_ = false;
  uint32_t indent_ = 0;
  std::vector<const HereDocument*> pending_;
};

}  // namespace nacre::shell
