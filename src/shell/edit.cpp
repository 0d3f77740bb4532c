#include "shell/edit.h"

#include "shell/visitor.h"

namespace nacre::shell {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }

// The start of the line of `offset` if only blanks are between, else `offset`.
uint32_t line_start_if_blank(std::string_view text, uint32_t offset) {
  uint32_t at = offset;
  while (at > 0 && is_blank(text[at - 1])) at--;
  return at == 0 || text[at - 1] == '\n' ? at : offset;
}

}  // namespace

std::vector<Edit> surround(Span node, std::string before, std::string after) {
  return {insert_before(node, std::move(before)), insert_after(node, std::move(after))};
}

Edit insert_line_above(const Tree& tree, const Command& command, std::string_view line) {
  std::string_view text = tree.file().bytes();
  uint32_t begin = tree.file().line_span(tree.file().line_of(command.span.begin)).begin;
  uint32_t end = begin;
  while (end < text.size() && is_blank(text[end])) end++;
  std::string added(text.substr(begin, end - begin));
  added += line;
  added += '\n';
  return {{begin, begin}, std::move(added)};
}

Edit remove_from_command(const Tree& tree, Span node) {
  std::string_view text = tree.file().bytes();
  while (node.begin > 0 && is_blank(text[node.begin - 1])) node.begin--;
  return {node, ""};
}

std::vector<Edit> remove(const Tree& tree, const Item& item) {
  std::string_view text = tree.file().bytes();
  Span span = item.command->span;
  bool has_sign =
      item.terminator == Terminator::kSemicolon || item.terminator == Terminator::kBackground;
  if (has_sign) span.end = std::max(span.end, item.terminator_at + 1);
  uint32_t after = span.end;
  while (after < text.size() && is_blank(text[after])) after++;
  bool ends_line = after == text.size() || text[after] == '\n';
  uint32_t start = line_start_if_blank(text, span.begin);
  bool starts_line = start == 0 || text[start - 1] == '\n';
  if (starts_line && ends_line) {
    span = {start, std::min(after + 1, static_cast<uint32_t>(text.size()))};
  } else if (ends_line) {
    while (span.begin > 0 && is_blank(text[span.begin - 1])) span.begin--;
  } else {
    span.end = after;
  }
  std::vector<Edit> edits{{span, ""}};
  walk(*item.command, Visitor{[&](const HereDocument& document) {
    Span body = cover(document.span, document.end_span);
    if (body.end < text.size()) body.end++;
    if (body.begin >= span.end) edits.push_back({body, ""});
    return false;
  }});
  return edits;
}

}  // namespace nacre::shell
