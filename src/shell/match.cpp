#include "shell/match.h"

#include <cassert>

#include "shell/print.h"

namespace nacre::shell {

namespace {

using NamedWords = std::map<std::string, const Word*, std::less<>>;

// The name of a placeholder, without its `$`.
std::string_view placeholder(const Word& word) {
  if (word.parts().size() != 1 || word.parts()[0].kind != PartKind::kParameter) return {};
  std::string_view name = word.parts()[0].parameter().name;
  return name.starts_with("_") && name.size() > 1 ? name : std::string_view();
}

bool same(const Word& a, const Word& b) {
  if (a.is_literal() || b.is_literal()) {
    return a.is_literal() && b.is_literal() && a.literal() == b.literal();
  }
  return to_source(a) == to_source(b);
}

class Matcher {
 public:
  NamedWords words;
  std::span<const Word> rest;

  bool command(const Command& pattern, const Command& command) {
    if (pattern.node.index() != command.node.index()) return false;
    if (!redirections(pattern, command)) return false;
    if (const auto* simple_pattern = std::get_if<SimpleCommand>(&pattern.node)) {
      return simple(*simple_pattern, std::get<SimpleCommand>(command.node));
    }
    if (const auto* pipe = std::get_if<Pipeline>(&pattern.node)) {
      const auto& other = std::get<Pipeline>(command.node);
      return pipe->is_negated == other.is_negated && items(pipe->items, other.items);
    }
    if (const auto* list = std::get_if<AndOr>(&pattern.node)) {
      const auto& other = std::get<AndOr>(command.node);
      for (size_t i = 0; i < list->items.size() && i < other.items.size(); i++) {
        if (list->items[i].op != other.items[i].op) return false;
      }
      return items(list->items, other.items);
    }
    return false;
  }

 private:
  template <typename Item>
  bool items(std::span<const Item> patterns, std::span<const Item> commands) {
    if (patterns.size() != commands.size()) return false;
    for (size_t i = 0; i < patterns.size(); i++) {
      if (!command(*patterns[i].command, *commands[i].command)) return false;
    }
    return true;
  }

  bool redirections(const Command& pattern, const Command& command) {
    if (pattern.redirections.empty()) return true;
    if (pattern.redirections.size() != command.redirections.size()) return false;
    for (size_t i = 0; i < pattern.redirections.size(); i++) {
      const Redirection& a = pattern.redirections[i];
      const Redirection& b = command.redirections[i];
      if (a.op != b.op || a.descriptor != b.descriptor || !word(a.target, b.target)) return false;
    }
    return true;
  }

  bool simple(const SimpleCommand& pattern, const SimpleCommand& command) {
    for (const Assignment& wanted : pattern.assignments) {
      bool found = false;
      for (const Assignment& given : command.assignments) {
        found |= given.name == wanted.name && word(wanted.value, given.value);
      }
      if (!found) return false;
    }
    size_t at = 0;
    for (const Word& wanted : pattern.words) {
      if (placeholder(wanted) == "__") {
        rest = command.words.subspan(at);
        return true;
      }
      if (at == command.words.size() || !word(wanted, command.words[at++])) return false;
    }
    return at == command.words.size();
  }

  bool word(const Word& pattern, const Word& given) {
    std::string_view name = placeholder(pattern);
    if (name.empty()) return same(pattern, given);
    auto [bound, is_new] = words.emplace(name.substr(1), &given);
    return is_new || same(*bound->second, given);
  }
};

}  // namespace

Pattern::Pattern(std::string source)
    : parsed_(parse_file(SourceFile("pattern", std::move(source)), Dialect::kBash)) {
  assert(parsed_.is_valid() && parsed_.tree.program().items.size() == 1);
}

std::optional<Match> Pattern::match(const Command& command) const {
  Matcher matcher;
  if (!matcher.command(*parsed_.tree.program().items[0].command, command)) return std::nullopt;
  Match result;
  result.words_ = std::move(matcher.words);
  result.rest_ = matcher.rest;
  return result;
}

}  // namespace nacre::shell
