#include "shell/tree.h"

#include <algorithm>

namespace nacre::shell {

namespace {

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r") == std::string_view::npos;
}

}  // namespace

std::span<const Comment> Tree::comments_above(Span node) const {
  auto end = std::lower_bound(
      comments_.begin(), comments_.end(), node.begin,
      [](const Comment& comment, uint32_t offset) { return comment.span.begin < offset; });
  auto begin = end;
  uint32_t line = file_.line_of(node.begin);
  while (begin != comments_.begin()) {
    const Span above = std::prev(begin)->span;
    Span whole = file_.line_span(file_.line_of(above.begin));
    bool is_alone = is_blank(file_.text({whole.begin, above.begin}));
    if (!is_alone || file_.line_of(above.begin) + 1 != line) break;
    line--;
    --begin;
  }
  return std::span(comments_).subspan(static_cast<size_t>(begin - comments_.begin()),
                                      static_cast<size_t>(end - begin));
}

const Comment* Tree::comment_after(Span node) const {
  auto next = std::lower_bound(
      comments_.begin(), comments_.end(), node.end,
      [](const Comment& comment, uint32_t offset) { return comment.span.begin < offset; });
  if (next == comments_.end()) return nullptr;
  bool is_same_line = file_.text({node.end, next->span.begin}).find('\n') == std::string_view::npos;
  return is_same_line ? &*next : nullptr;
}

}  // namespace nacre::shell
