#include "colis/syntax.h"

#include <algorithm>
#include <array>

namespace nacre::colis {

bool operator==(const StringExpression& a, const StringExpression& b) {
  return a.kind == b.kind && a.text == b.text && a.number == b.number && a.parts == b.parts &&
         a.embedded == b.embedded;
}
bool operator==(const ListFragment& a, const ListFragment& b) {
  return a.is_split == b.is_split && a.value == b.value;
}
bool operator==(const Instruction& a, const Instruction& b) {
  return a.kind == b.kind && a.code == b.code && a.count == b.count && a.name == b.name &&
         a.value == b.value && a.list == b.list && a.parts == b.parts;
}
bool operator==(const FunctionDefinition& a, const FunctionDefinition& b) {
  return a.name == b.name && a.body == b.body;
}
bool operator==(const Program& a, const Program& b) {
  return a.functions == b.functions && a.body == b.body;
}

StringExpression literal(std::string text) {
  StringExpression result;
  result.text = std::move(text);
  return result;
}
StringExpression variable(std::string name) {
  StringExpression result = literal(std::move(name));
  result.kind = StringExpression::kVariable;
  return result;
}
StringExpression argument(uint64_t number) {
  StringExpression result;
  result.kind = StringExpression::kArgument;
  result.number = number;
  return result;
}
StringExpression embed(Instruction instruction) {
  StringExpression result;
  result.kind = StringExpression::kEmbed;
  result.embedded.push_back(std::move(instruction));
  return result;
}

StringExpression concat(std::vector<StringExpression> parts) {
  StringExpression result;
  result.kind = StringExpression::kConcat;
  for (StringExpression& part : parts) {
    if (part.kind == StringExpression::kConcat) {
      std::move(part.parts.begin(), part.parts.end(), std::back_inserter(result.parts));
    } else {
      result.parts.push_back(std::move(part));
    }
  }
  if (result.parts.empty()) return literal("");
  if (result.parts.size() == 1) {
    StringExpression only = std::move(result.parts[0]);
    return only;
  }
  return result;
}

Instruction utility(std::string name, ListExpression list) {
  Instruction result;
  result.name = std::move(name);
  result.list = std::move(list);
  return result;
}

Instruction assignment(std::string name, StringExpression value) {
  Instruction result;
  result.kind = Instruction::kAssignment;
  result.name = std::move(name);
  result.value = std::move(value);
  return result;
}

Instruction sequence(std::vector<Instruction> items) {
  if (items.empty()) return utility("true");
  if (items.size() == 1) {
    Instruction only = std::move(items[0]);
    return only;
  }
  return with_parts(Instruction::kSequence, std::move(items));
}

Instruction conditional(Instruction condition, Instruction then, Instruction otherwise) {
  std::vector<Instruction> parts;
  parts.push_back(std::move(condition));
  parts.push_back(std::move(then));
  parts.push_back(std::move(otherwise));
  return with_parts(Instruction::kIf, std::move(parts));
}

Instruction with_parts(Instruction::Kind kind, std::vector<Instruction> parts) {
  Instruction result;
  result.kind = kind;
  result.parts = std::move(parts);
  return result;
}

ListExpression words(std::vector<StringExpression> values) {
  ListExpression result;
  for (StringExpression& value : values) result.push_back({std::move(value), false});
  return result;
}

bool is_plain_utility(const Instruction& instruction, std::string_view name) {
  return instruction.kind == Instruction::kUtility && instruction.name == name &&
         instruction.list.empty();
}

bool is_reserved(std::string_view word) {
  static constexpr std::array<std::string_view, 31> kReserved = {
      "arg",         "begin",   "call",       "do",    "done",     "else",    "embed", "end",
      "endnooutput", "endpipe", "endprocess", "exit",  "export",   "failure", "fi",    "for",
      "function",    "if",      "in",         "into",  "nooutput", "not",     "pipe",  "previous",
      "process",     "return",  "shift",      "split", "success",  "then",    "while"};
  return std::find(kReserved.begin(), kReserved.end(), word) != kReserved.end();
}

bool is_identifier(std::string_view text) {
  return !text.empty() && is_name_start(text[0]) &&
         std::all_of(text.begin(), text.end(), is_name_character) && !is_reserved(text);
}

}  // namespace nacre::colis
