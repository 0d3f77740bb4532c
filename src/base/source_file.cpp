#include "base/source_file.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <utf8proc.h>

namespace nacre {

namespace {

std::vector<uint32_t> find_line_starts(std::string_view bytes) {
  std::vector<uint32_t> starts{0};
  for (size_t at = bytes.find('\n'); at != std::string_view::npos; at = bytes.find('\n', at + 1)) {
    if (at + 1 < bytes.size()) starts.push_back(static_cast<uint32_t>(at + 1));
  }
  return starts;
}

constexpr uint32_t kTabWidth = 8;
constexpr uint32_t kCheckpointDistance = 4096;

// Moves `at` over one character (or one byte that is not UTF-8, shown as one replacement
// character).
void advance(std::string_view bytes, uint32_t& at, uint32_t end, Position& position) {
  utf8proc_int32_t code_point = 0;
  const auto* here = reinterpret_cast<const utf8proc_uint8_t*>(bytes.data() + at);
  utf8proc_ssize_t length =
      utf8proc_iterate(here, static_cast<utf8proc_ssize_t>(end - at), &code_point);
  position.character++;
  position.utf16 += code_point > 0xFFFF ? 2 : 1;
  if (length <= 0) {
    at++;
    position.column++;
    return;
  }
  at += static_cast<uint32_t>(length);
  if (code_point == '\t') {
    position.column += kTabWidth - (position.column - 1) % kTabWidth;
  } else {
    position.column += static_cast<uint32_t>(std::max(0, utf8proc_charwidth(code_point)));
  }
}

}  // namespace

// Long lines are measured once, so that a thousand findings in a line of a megabyte cost no more
// than the line.
std::vector<SourceFile::Checkpoint> SourceFile::find_checkpoints(
    std::string_view bytes, const std::vector<uint32_t>& starts) {
  std::vector<Checkpoint> checkpoints;
  for (size_t i = 0; i < starts.size(); i++) {
    auto end = i + 1 < starts.size() ? starts[i + 1] : static_cast<uint32_t>(bytes.size());
    uint32_t next = starts[i] + kCheckpointDistance;
    if (end <= next) continue;
    Position position;
    for (uint32_t at = starts[i]; at < end;) {
      advance(bytes, at, end, position);
      if (at < next) continue;
      checkpoints.push_back({at, position.column, position.character, position.utf16});
      next = at + kCheckpointDistance;
    }
  }
  return checkpoints;
}

SourceFile::SourceFile(std::string name, std::string bytes) {
  assert(bytes.size() < std::numeric_limits<uint32_t>::max());
  data_ = std::make_shared<const Data>(std::move(name), std::move(bytes));
}

const SourceFile::Lines& SourceFile::lines() const {
  std::call_once(data_->lines_are_known, [this] {
    data_->lines.starts = find_line_starts(bytes());
    data_->lines.checkpoints = find_checkpoints(bytes(), data_->lines.starts);
  });
  return data_->lines;
}

uint32_t SourceFile::line_count() const { return static_cast<uint32_t>(lines().starts.size()); }

uint32_t SourceFile::line_of(uint32_t offset) const {
  const auto& starts = lines().starts;
  auto after = std::upper_bound(starts.begin(), starts.end(), offset);
  return static_cast<uint32_t>(after - starts.begin());
}

Span SourceFile::line_span(uint32_t line) const {
  const auto& starts = lines().starts;
  assert(line >= 1 && line <= starts.size());
  Span span{starts[line - 1], line < starts.size() ? starts[line] : whole().end};
  std::string_view content = text(span);
  if (content.ends_with('\n')) content.remove_suffix(1);
  if (content.ends_with('\r')) content.remove_suffix(1);
  span.end = span.begin + static_cast<uint32_t>(content.size());
  return span;
}

Position SourceFile::position(uint32_t offset) const {
  offset = std::min(offset, whole().end);
  Position result;
  result.line = line_of(offset);
  uint32_t at = lines().starts[result.line - 1];
  result.byte_column = offset - at + 1;
  const auto& checkpoints = lines().checkpoints;
  auto after = std::upper_bound(
      checkpoints.begin(), checkpoints.end(), offset,
      [](uint32_t wanted, const Checkpoint& each) { return wanted < each.offset; });
  if (after != checkpoints.begin() && std::prev(after)->offset > at) {
    at = std::prev(after)->offset;
    result.column = std::prev(after)->column;
    result.character = std::prev(after)->character;
    result.utf16 = std::prev(after)->utf16;
  }
  while (at < offset) advance(bytes(), at, offset, result);
  return result;
}

uint32_t SourceFile::offset_of(uint32_t line, uint32_t column, ColumnUnit unit) const {
  if (line > line_count()) return whole().end;
  const Span span = line_span(std::max(line, 1u));
  column = std::max(column, 1u);
  if (unit == ColumnUnit::kByte) return span.begin + std::min(column - 1, span.size());
  const auto count = [unit](const auto& at) {
    return unit == ColumnUnit::kUtf16 ? at.utf16 : at.character;
  };
  Position position;
  uint32_t at = span.begin;
  const auto& checkpoints = lines().checkpoints;
  auto each = std::upper_bound(
      checkpoints.begin(), checkpoints.end(), span.begin,
      [](uint32_t wanted, const Checkpoint& other) { return wanted < other.offset; });
  for (; each != checkpoints.end() && each->offset <= span.end; ++each) {
    if (count(*each) > column) break;
    at = each->offset;
    position.character = each->character;
    position.utf16 = each->utf16;
  }
  while (at < span.end) {
    uint32_t next = at;
    advance(bytes(), next, span.end, position);
    if (count(position) > column) break;
    at = next;
  }
  return at;
}

}  // namespace nacre
