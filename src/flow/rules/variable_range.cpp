// X209: bash expands braces before variables, so `{1..$n}` is no range.
//
//   X209 bash: n=$1\nfor i in {1..$n}; do echo "$i"; done
//   X209 bash: echo {$1..9}
//   X209 bash: touch file{01..${count}}.txt
//   quiet bash: for i in {1..9}; do echo "$i"; done
//   quiet bash: n=$1\nfor i in $(seq "$n"); do echo "$i"; done
//   quiet bash: n=$1\neval echo {1..$n}
//   quiet bash: echo "{1..$1}"
//   quiet bash: echo {a,$1}
#include "flow/rules/publish.h"

namespace nacre::flow::rules {

namespace {

// An unquoted `{`, then `..` and an expansion between it and the next `}`.
bool is_broken_range(const shell::Word& word) {
  bool is_open = false, has_dots = false, has_expansion = false;
  for (const shell::Part& part : word.parts()) {
    if (part.kind == shell::PartKind::kParameter || part.kind == shell::PartKind::kCommand ||
        part.kind == shell::PartKind::kArithmetic) {
      has_expansion |= is_open;
      continue;
    }
    if (part.kind != shell::PartKind::kLiteral) {
      is_open = false;
      continue;
    }
    const std::string_view text = part.text();
    for (size_t i = 0; i < text.size(); i++) {
      if (text[i] == '{') {
        is_open = true;
        has_dots = has_expansion = false;
      } else if (text[i] == '}') {
        if (is_open && has_dots && has_expansion) return true;
        is_open = false;
      } else if (text.substr(i, 2) == "..") {
        has_dots = true;
      }
    }
  }
  return false;
}

}  // namespace

void variable_range(const TextEvent& event, RuleContext& in) {
  if (in.tree.dialect() != shell::Dialect::kBash) return;
  std::span<const shell::Word> words;
  if (const auto* simple = std::get_if<shell::SimpleCommand>(&event.command.node)) {
    words = simple->words;
    if (!words.empty() && words[0].is_literal() && words[0].literal() == "eval") return;
  } else if (const auto* loop = std::get_if<shell::For>(&event.command.node)) {
    words = loop->words();
  }
  for (const shell::Word& word : words) {
    if (is_broken_range(word)) {
      in.report(in.finding("X209", word.span,
                           "this is one word, not a range: bash expands braces before variables; "
                           "use seq or for ((...))"));
    }
  }
}

}  // namespace nacre::flow::rules
