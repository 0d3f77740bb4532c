#include "flow/same_command.h"

#include <algorithm>

#include "shell/print.h"

namespace nacre::flow {

namespace {

using shell::Part;
using shell::PartKind;
using shell::Word;

// What is not literal text is set apart by bytes that no script holds.
constexpr char kBegin = '\1';
constexpr char kEnd = '\2';

void add_part(const Part& part, std::string& out);

void add_words(char kind, std::span<const Word> words, std::string& out) {
  (out += kBegin) += kind;
  for (const Word& word : words) (out += meaning_of(word)) += kEnd;
}

void add_parameter(const shell::Parameter& parameter, std::string& out) {
  ((out += kBegin) += '$') += parameter.name;
  if (parameter.op != shell::ParameterOp::kNone) {
    (out += kEnd) += static_cast<char>('A' + static_cast<int>(parameter.op));
    if (parameter.has_colon) out += ':';
    if (parameter.argument != nullptr) out += meaning_of(*parameter.argument);
    if (parameter.replacement() != nullptr) (out += kEnd) += meaning_of(*parameter.replacement());
  }
  if (parameter.is_indirect) out += '!';
  if (parameter.subscript != nullptr) {
    ((out += kEnd) += static_cast<char>('0' + static_cast<int>(parameter.subscript->kind)));
    out += meaning_of(parameter.subscript->word);
  }
  out += kEnd;
}

void add_part(const Part& part, std::string& out) {
  switch (part.kind) {
    case PartKind::kLiteral:
    case PartKind::kEscaped:
    case PartKind::kSingleQuoted:
    case PartKind::kAnsiQuoted: out += part.text(); break;
    case PartKind::kGlob: (((out += kBegin) += '*') += part.text()) += kEnd; break;
    case PartKind::kTilde: (((out += kBegin) += '~') += part.text()) += kEnd; break;
    case PartKind::kDoubleQuoted:
    case PartKind::kLocaleQuoted:
      for (const Part& inner : part.parts()) add_part(inner, out);
      break;
    case PartKind::kParameter: add_parameter(part.parameter(), out); break;
    case PartKind::kCommand:
      (((out += kBegin) += '(') += shell::to_source(part.command().body)) += kEnd;
      break;
    case PartKind::kArithmetic:
      (((out += kBegin) += '=') += meaning_of(part.arithmetic().word)) += kEnd;
      break;
    case PartKind::kProcess:
      ((out += kBegin) += part.process().is_input ? '<' : '>') +=
          shell::to_source(part.process().body);
      out += kEnd;
      break;
    case PartKind::kExtGlob:
      add_words(part.ext_glob().op, part.ext_glob().alternatives, out);
      break;
    case PartKind::kBrace: add_words('{', part.brace().alternatives, out); break;
    case PartKind::kArray:
      for (const shell::ArrayElement& element : part.array().elements)
        (out += kBegin) += meaning_of(element.value);
      break;
  }
}

bool is_same_redirection(const shell::Redirection& a, const shell::Redirection& b) {
  return a.op == b.op && a.descriptor == b.descriptor &&
         meaning_of(a.target) == meaning_of(b.target);
}

}  // namespace

std::string meaning_of(const Word& word) {
  if (word.is_literal()) return std::string(word.literal());
  std::string result;
  for (const Part& part : word.parts()) add_part(part, result);
  return result;
}

bool is_same_command(const shell::Command& pattern, const shell::Command& command) {
  const auto* wanted = std::get_if<shell::SimpleCommand>(&pattern.node);
  const auto* given = std::get_if<shell::SimpleCommand>(&command.node);
  if (wanted == nullptr || given == nullptr) return false;
  const auto same_word = [](const Word& a, const Word& b) {
    return meaning_of(a) == meaning_of(b);
  };
  if (!std::equal(wanted->words.begin(), wanted->words.end(), given->words.begin(),
                  given->words.end(), same_word))
    return false;
  return pattern.redirections.empty() ||
         std::equal(pattern.redirections.begin(), pattern.redirections.end(),
                    command.redirections.begin(), command.redirections.end(), is_same_redirection);
}

}  // namespace nacre::flow
