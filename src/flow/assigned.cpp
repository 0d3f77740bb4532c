#include "flow/assigned.h"

#include <algorithm>
#include <cctype>

#include "shell/visitor.h"

namespace nacre::flow {

namespace {

constexpr std::string_view kAssigners[] = {"read",      "local",    "declare", "typeset", "export",
                                           "getopts",   "readonly", "mapfile", "unset",   "let",
                                           "readarray", "printf",   "getopts", "eval",    "wait"};

// The beginning of `text` that can be a variable's name.
std::string_view leading_name(std::string_view text) {
  size_t end = 0;
  while (end < text.size() &&
         (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '_')) {
    end++;
  }
  if (end == 0 || std::isdigit(static_cast<unsigned char>(text[0]))) return {};
  return text.substr(0, end);
}

struct Collector {
  std::vector<Assigned>& out;

  // Commands that are given names: any operand may be one, `name` or `name=value`.
  void operator()(const shell::Command& command) const {
    if (const auto* loop = std::get_if<shell::For>(&command.node))
      out.push_back({loop->name->text, loop->name->span});
    for (const shell::Redirection& redirection : command.redirections) {
      if (const auto name = leading_name(redirection.variable); !name.empty())
        out.push_back({name, redirection.span});
    }
    const auto* simple = std::get_if<shell::SimpleCommand>(&command.node);
    if (!simple) return;
    const auto words = called_words(*simple);
    if (words.empty() || !words[0].is_literal()) return;
    const auto* end = std::end(kAssigners);
    if (std::find(std::begin(kAssigners), end, words[0].literal()) == end) return;
    if (words[0].literal() == "read" && words.size() == 1) out.push_back({"REPLY", words[0].span});
    for (const shell::Word& word : words.subspan(1)) add_operand(word);
  }
  void add_operand(const shell::Word& word) const {
    std::span<const shell::Part> parts = word.parts();
    if (!parts.empty() && parts[0].kind == shell::PartKind::kDoubleQuoted) parts = parts[0].parts();
    if (parts.empty() || !parts[0].is_text()) return;
    const std::string_view name = leading_name(parts[0].text());
    if (!name.empty()) out.push_back({name, word.span});
  }
  void operator()(const shell::Assignment& assignment) const {
    out.push_back({assignment.name, assignment.name_span});
  }
  void operator()(const shell::Parameter& parameter) const {
    if (parameter.op == shell::ParameterOp::kAssign)
      out.push_back({parameter.name, parameter.name_span()});
  }
  void operator()(const shell::Arithmetic& arithmetic) const { add_changes(arithmetic.expression); }
  // Of the expression alone: the walk finds the expansions in it, as parts of its word.
  void add_changes(const shell::ArithmeticExpression* expression) const {
    if (!expression) return;
    const bool changes = expression->kind == shell::ArithmeticKind::kAssign ||
                         expression->op == shell::ArithmeticOp::kIncrement ||
                         expression->op == shell::ArithmeticOp::kDecrement;
    if (changes && expression->left && expression->left->kind == shell::ArithmeticKind::kVariable)
      out.push_back({expression->left->name, expression->left->span});
    for (const auto* part : {expression->condition, expression->left, expression->right})
      add_changes(part);
  }
};

}  // namespace

std::span<const shell::Word> called_words(const shell::SimpleCommand& simple) {
  std::span<const shell::Word> words = simple.words;
  while (words.size() > 1 && words[0].is_literal() &&
         (words[0].literal() == "command" || words[0].literal() == "builtin"))
    words = words.subspan(1);
  return words;
}

std::vector<Assigned> assigned_in(const shell::Sequence& body) {
  std::vector<Assigned> result;
  walk(body, Collector{result});
  return result;
}

std::vector<Assigned> assigned_in(const shell::Command& command) {
  std::vector<Assigned> result;
  walk(command, Collector{result});
  return result;
}

}  // namespace nacre::flow
