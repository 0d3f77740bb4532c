#include "report/excerpt.h"

#include <algorithm>
#include <fmt/format.h>

#include "report/printable.h"

namespace nacre::report {

namespace {

constexpr unsigned kTabWidth = 8;
constexpr std::string_view kCut = "…";

bool is_continuation_byte(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// The part of a line that fits, as shown, and the cells [mark_begin, mark_end) of the range in it.
struct Window {
  std::string shown;
  unsigned mark_begin = 0;
  unsigned mark_end = 0;
};

Window make_window(const SourceFile& file, Span line, Span range, unsigned width) {
  Window window;
  uint32_t begin = line.begin;
  bool fits = line.size() <= width;
  if (!fits) begin = walk_back(file, line.begin, range.begin, width / 3);
  unsigned column = file.position(begin).column - 1;
  unsigned cells = 0;
  if (begin > line.begin) {
    window.shown = kCut;
    cells = 1;
  }
  std::string_view rest = file.text({begin, line.end});
  window.mark_end = cells;
  while (!rest.empty() && cells < width) {
    auto at = static_cast<uint32_t>(line.end - rest.size());
    if (at <= range.begin) window.mark_begin = cells;
    bool is_tab = rest.front() == '\t';
    unsigned tab = kTabWidth - column % kTabWidth;
    Glyph glyph = take_glyph(rest);
    unsigned taken = is_tab ? tab : glyph.width;
    window.shown += is_tab ? std::string(tab, ' ') : std::string(glyph.bytes);
    cells += taken;
    column += taken;
    if (at < range.end) window.mark_end = cells;
  }
  if (range.begin >= line.end) window.mark_begin = cells;  // at the end of the line
  if (!rest.empty()) window.shown += kCut;
  return window;
}

std::string_view escape_of(Ink color) {
  switch (color) {
    case Ink::kPlain: return "";
    case Ink::kBold: return "\x1B[1m";
    case Ink::kRed: return "\x1B[1;31m";
    case Ink::kYellow: return "\x1B[1;33m";
    case Ink::kBlue: return "\x1B[1;34m";
    case Ink::kGreen: return "\x1B[32m";
    case Ink::kDim: return "\x1B[2m";
  }
  return "";
}

}  // namespace

uint32_t walk_back(const SourceFile& file, uint32_t line_begin, uint32_t offset, unsigned cells) {
  while (offset > line_begin && cells > 0) {
    offset--;
    while (offset > line_begin && is_continuation_byte(file.bytes()[offset])) offset--;
    cells--;
  }
  return offset;
}

std::string ink(std::string_view text, Ink color, const Style& style) {
  if (!style.is_colored || color == Ink::kPlain) return std::string(text);
  return fmt::format("{}{}\x1B[0m", escape_of(color), text);
}

std::string excerpt(const SourceFile& file, Span span, std::string_view label, char mark, Ink color,
                    const Style& style) {
  uint32_t number = file.line_of(span.begin);
  Span line = file.line_span(number);
  Span range{std::min(span.begin, line.end), std::min(std::max(span.begin, span.end), line.end)};
  Window window = make_window(file, line, range, style.width);
  unsigned marked = std::max(1u, window.mark_end - std::min(window.mark_begin, window.mark_end));
  std::string underline(marked, mark);
  if (!label.empty()) underline += " " + printable(label);
  std::string gutter = ink(fmt::format("{:>5} |", number), Ink::kBlue, style);
  std::string margin = ink("      |", Ink::kBlue, style);
  return fmt::format("{} {}\n{} {:{}}{}\n", gutter, window.shown, margin, "", window.mark_begin,
                     ink(underline, color, style));
}

}  // namespace nacre::report
