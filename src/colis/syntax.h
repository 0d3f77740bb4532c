// Programs of the CoLiS language as trees: the syntax of its second version, in which strings,
// lists of words and instructions are told apart and a function is called differently from a
// utility. Plain values; two trees are equal if they mean the same text, wherever they stood.
//
//   Program program = *parse("f.cls", "begin x := 'a'; echo [x; split arg 1] end");
//   program.body.kind == Instruction::kSequence
//
// What holds of every tree: a sequence has at least two items, a concatenation at least two parts
// and none of them a concatenation, and `if` has its three parts: what the text leaves out is the
// utility `true`. So a tree has one way to be written (printer.h) up to blanks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/span.h"

namespace nacre::colis {

struct Instruction;

struct StringExpression {
  enum Kind : uint8_t { kLiteral, kVariable, kArgument, kEmbed, kConcat };

  Kind kind = kLiteral;
  std::string text;                     // of kLiteral; the name of kVariable
  uint64_t number = 0;                  // of kArgument, saturated
  std::vector<StringExpression> parts;  // of kConcat
  std::vector<Instruction> embedded;    // of kEmbed: one, whose output is the string
};

struct ListFragment {
  StringExpression value;
  bool is_split = false;  // cut into words at blanks
};
using ListExpression = std::vector<ListFragment>;

enum class ResultCode : uint8_t { kSuccess, kFailure, kPrevious };

struct Instruction {
  enum Kind : uint8_t {
    kAssignment,  // name := value
    kSequence,    // parts
    kProcess,     // parts[0] in a context of its own
    kIf,          // parts: condition, then, else
    kNot,         // parts[0]
    kPipe,        // parts[0] into parts[1]
    kWhile,       // parts: condition, body
    kNoOutput,    // parts[0]
    kFor,         // name, list, parts[0]
    kUtility,     // name, list
    kCall,        // name, list: a function
    kReturn,      // code
    kExit,        // code
    kShift,       // count
    kExport,      // name
    kCd,          // value
  };

  Kind kind = kUtility;
  ResultCode code = ResultCode::kSuccess;
  std::optional<uint64_t> count;
  std::string name;
  StringExpression value;
  ListExpression list;
  std::vector<Instruction> parts;
  Span span;  // in the text that it comes from; does not count for equality
};

struct FunctionDefinition {
  std::string name;
  Instruction body;
};

struct Program {
  std::vector<FunctionDefinition> functions;
  Instruction body;
};

bool operator==(const StringExpression& a, const StringExpression& b);
bool operator==(const ListFragment& a, const ListFragment& b);
bool operator==(const Instruction& a, const Instruction& b);
bool operator==(const FunctionDefinition& a, const FunctionDefinition& b);
bool operator==(const Program& a, const Program& b);

// Makers that keep what holds of every tree.
[[nodiscard]] StringExpression literal(std::string text);
[[nodiscard]] StringExpression variable(std::string name);
[[nodiscard]] StringExpression argument(uint64_t number);
[[nodiscard]] StringExpression embed(Instruction instruction);
[[nodiscard]] StringExpression concat(std::vector<StringExpression> parts);  // none: the empty text

[[nodiscard]] Instruction utility(std::string name, ListExpression list = {});
[[nodiscard]] Instruction assignment(std::string name, StringExpression value);
[[nodiscard]] Instruction sequence(std::vector<Instruction> items);  // none: the utility `true`
[[nodiscard]] Instruction conditional(Instruction condition, Instruction then,
                                      Instruction otherwise);
[[nodiscard]] Instruction with_parts(Instruction::Kind kind, std::vector<Instruction> parts);
[[nodiscard]] ListExpression words(std::vector<StringExpression> values);

[[nodiscard]] constexpr bool is_name_start(char c) {
  return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
[[nodiscard]] constexpr bool is_name_character(char c) {
  return is_name_start(c) || (c >= '0' && c <= '9');
}
// The utility `name` without arguments.
[[nodiscard]] bool is_plain_utility(const Instruction& instruction, std::string_view name);
// What can be written as a name without quotes: no reserved word.
[[nodiscard]] bool is_identifier(std::string_view text);
[[nodiscard]] bool is_reserved(std::string_view word);

}  // namespace nacre::colis
