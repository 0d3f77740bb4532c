#include "docker/lines.h"

#include <algorithm>

#include "docker/text.h"

namespace nacre::docker {

namespace {

// Where the escape character stands that continues `line`; npos: it ends here. Two of them are an
// escaped one.
size_t find_continuation(std::string_view line, char escape) {
  const size_t last = line.find_last_not_of(" \t");
  if (last == std::string_view::npos || line[last] != escape) return std::string_view::npos;
  return last > 0 && line[last - 1] == escape ? std::string_view::npos : last;
}

}  // namespace

Span Line::place(size_t begin, size_t end) const {
  const auto to_file = [&](size_t at) {
    const auto after =
        std::upper_bound(pieces.begin(), pieces.end(), at,
                         [](size_t offset, const Piece& piece) { return offset < piece.at; });
    const Piece& piece = after == pieces.begin() ? *after : *(after - 1);
    return static_cast<uint32_t>(piece.from + (at - piece.at));
  };
  const uint32_t first = to_file(begin);
  return {first, begin == end ? first : to_file(end - 1) + 1};
}

TextMap Line::map_from(size_t begin) const {
  TextMap map(nullptr);
  for (size_t i = 0; i < pieces.size(); i++) {
    const bool is_before = i + 1 < pieces.size() && pieces[i + 1].at <= begin;
    if (is_before) continue;
    const auto skipped = static_cast<uint32_t>(begin > pieces[i].at ? begin - pieces[i].at : 0);
    map.add_copy(static_cast<uint32_t>(pieces[i].at + skipped - begin), pieces[i].from + skipped);
  }
  return map;
}

Span LineReader::peek() const {
  const auto end = static_cast<uint32_t>(std::min(bytes_.find('\n', at_), bytes_.size()));
  const bool has_return = end > at_ && end < bytes_.size() && bytes_[end - 1] == '\r';
  return {at_, has_return ? end - 1 : end};
}

Span LineReader::physical() {
  const Span line = peek();
  at_ = static_cast<uint32_t>(std::min(bytes_.find('\n', at_), bytes_.size() - 1) + 1);
  return line;
}

// Adds a physical line; true if it is continued.
bool LineReader::take(Span line, Line& result) {
  const std::string_view whole = text(line);
  const size_t cut = find_continuation(whole, escape_);
  result.pieces.push_back({static_cast<uint32_t>(result.text.size()), line.begin});
  result.text += whole.substr(0, cut);
  result.span.end = line.end;
  return cut != std::string_view::npos;
}

Line LineReader::logical() {
  Line result;
  Span first = physical();
  first.begin += static_cast<uint32_t>(text(first).size() - trim_left(text(first)).size());
  result.span = first;
  bool is_continued = take(first, result);
  while (is_continued && !at_end()) {
    const Span next = physical();
    if (is_comment(text(next))) {
      result.comments.push_back(next);
    } else if (trim_left(text(next)).empty()) {
      result.empty_lines.push_back(next);
    } else {
      is_continued = take(next, result);
    }
  }
  return result;
}

}  // namespace nacre::docker
