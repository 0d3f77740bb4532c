// X221: typographic quotes are letters for the shell.
//
//   X221: echo “hello world”
//   X221: name=‘a b’\necho "$name"
//   X221: if [ “$1” = a ]; then echo yes; fi
//   quiet: echo "he said “hello”"
//   quiet: # “hello”\necho hello
//   quiet: echo it’s
//   quiet: echo '‘a’'
#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "flow/rules/publish.h"

namespace nacre::flow::rules {

namespace {

constexpr std::array<std::string_view, 4> kCurlyQuotes = {"“", "”", "‘", "’"};

// A word that begins with one: within a word it may be an apostrophe.
void judge_word_quotes(const shell::Word& word, RuleContext& in) {
  if (word.parts().empty() || word.parts()[0].kind != shell::PartKind::kLiteral) return;
  const std::string_view text = word.parts()[0].text();
  for (const std::string_view quote : kCurlyQuotes) {
    if (!text.starts_with(quote)) continue;
    const Span place{word.span.begin, word.span.begin + static_cast<uint32_t>(quote.size())};
    return in.report(in.finding(
        "X221", place,
        fmt::format("{} is an ordinary character to the shell, not a quote; write {}", quote,
                    quote == kCurlyQuotes[0] || quote == kCurlyQuotes[1] ? "\"" : "'")));
  }
}

}  // namespace

void curly_quotes(const TextEvent& event, RuleContext& in) {
  const auto* simple = std::get_if<shell::SimpleCommand>(&event.command.node);
  if (!simple) return;
  for (const shell::Word& word : simple->words) judge_word_quotes(word, in);
  for (const shell::Assignment& each : simple->assignments) judge_word_quotes(each.value, in);
}

}  // namespace nacre::flow::rules
