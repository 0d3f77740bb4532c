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

}  // namespace

SourceFile::SourceFile(std::string name, std::string bytes) {
  assert(bytes.size() < std::numeric_limits<uint32_t>::max());
  auto starts = find_line_starts(bytes);
  data_ = std::make_shared<const Data>(Data{std::move(name), std::move(bytes), std::move(starts)});
}

uint32_t SourceFile::line_count() const { return static_cast<uint32_t>(data_->line_starts.size()); }

uint32_t SourceFile::line_of(uint32_t offset) const {
  const auto& starts = data_->line_starts;
  auto after = std::upper_bound(starts.begin(), starts.end(), offset);
  return static_cast<uint32_t>(after - starts.begin());
}

Span SourceFile::line_span(uint32_t line) const {
  const auto& starts = data_->line_starts;
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
  uint32_t at = data_->line_starts[result.line - 1];
  result.byte_column = offset - at + 1;
  while (at < offset) {
    utf8proc_int32_t code_point = 0;
    const auto* here = reinterpret_cast<const utf8proc_uint8_t*>(bytes().data() + at);
    utf8proc_ssize_t length =
        utf8proc_iterate(here, static_cast<utf8proc_ssize_t>(offset - at), &code_point);
    result.character++;
    if (length <= 0) {  // not UTF-8: shown as one replacement character
      at++;
      result.column++;
    } else {
      at += static_cast<uint32_t>(length);
      if (code_point == '\t') {
        result.column += kTabWidth - (result.column - 1) % kTabWidth;
      } else {
        result.column += static_cast<uint32_t>(std::max(0, utf8proc_charwidth(code_point)));
      }
    }
  }
  return result;
}

}  // namespace nacre
