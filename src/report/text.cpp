// The format for people at a terminal.
#include <fmt/format.h>

#include "base/codes.h"
#include "report/diff.h"
#include "report/excerpt.h"
#include "report/printable.h"
#include "report/report.h"

namespace nacre::report {

namespace {

Ink ink_of(Severity severity) {
  switch (severity) {
    case Severity::kError: return Ink::kRed;
    case Severity::kWarning: return Ink::kYellow;
    case Severity::kInfo:
    case Severity::kStyle: return Ink::kBlue;
  }
  return Ink::kPlain;
}

std::string place(const SourceFile& file, Span span) {
  Position at = file.position(span.begin);
  return fmt::format("{}:{}:{}", printable(file.name()), at.line, at.column);
}

std::string heading(const Diagnostic& finding, const Style& style) {
  std::string line = ink(place(finding.file, finding.span) + ":", Ink::kBold, style) + " " +
                     ink(name_of(finding.severity), ink_of(finding.severity), style) + ": " +
                     printable(finding.message) + ink(" [" + finding.code + "]", Ink::kDim, style);
  if (finding.confidence == Confidence::kPossible) line += " (possible)";
  return line + "\n";
}

std::string remark(std::string_view name, std::string_view text, const Style& style) {
  return fmt::format("      {} {}: {}\n", ink("=", Ink::kBlue, style), ink(name, Ink::kBold, style),
                     printable(text));
}

// A note in another file says which.
std::string note_excerpt(const Diagnostic& finding, const Note& note, const Style& style) {
  std::string elsewhere;
  if (note.file.name() != finding.file.name()) {
    elsewhere = "      " + ink("--> ", Ink::kBlue, style) + place(note.file, note.span) + "\n";
  }
  return elsewhere + excerpt(note.file, note.span, note.message, '~', Ink::kBlue, style);
}

// The lines that a fix changes, cut around its edits where they are long.
struct Snippet {
  SourceFile file;
  std::vector<Edit> edits;
  bool is_cut = false;  // something is missing before its first line
};

Snippet snippet(const SourceFile& file, std::span<const Edit> edits, unsigned width) {
  const uint32_t first = edits.front().span.begin;
  const uint32_t last = edits.back().span.end;
  Span shown{file.line_span(file.line_of(first)).begin, file.line_span(file.line_of(last)).end};
  const bool is_cut = first - shown.begin > width;
  if (is_cut) shown.begin = walk_back(file, shown.begin, first, width / 3);
  if (file.text({shown.end, file.whole().end}).starts_with('\r')) shown.end++;
  shown.end = std::max(last, std::min(shown.end, last + width));
  // With a newline, because the end of a file would be marked.
  Snippet result{SourceFile("", std::string(file.text(shown)) + "\n"), {}, is_cut};
  for (const Edit& edit : edits)
    result.edits.push_back(
        {{edit.span.begin - shown.begin, edit.span.end - shown.begin}, edit.text});
  return result;
}

std::string fix_lines(const Diagnostic& finding, const Fix& fix, const Style& style) {
  std::string result = remark(fix.is_safe ? "fix" : "possible fix", fix.message, style);
  if (fix.edits.empty()) return result;
  constexpr size_t kMaxLines = 8;
  const Snippet part = snippet(finding.file, fix.edits, style.width);
  const std::string changes = small_diff(part.file, part.edits);
  size_t shown = 0;
  for (size_t begin = 0; begin < changes.size();) {
    size_t end = std::min(changes.find('\n', begin), changes.size());
    std::string_view line = std::string_view(changes).substr(begin, end - begin);
    if (shown++ == kMaxLines) return result + "        ...\n";
    Ink color = line.starts_with('+') ? Ink::kGreen : Ink::kRed;
    const std::string text = fmt::format("{} {}{}", line.substr(0, 1), part.is_cut ? "…" : "",
                                         clipped(line.substr(1), style.width));
    result += "        " + ink(text, color, style) + "\n";
    begin = end + 1;
  }
  return result;
}

std::string render(const Diagnostic& finding, const Style& style) {
  std::string result = heading(finding, style);
  if (!finding.file.bytes().empty()) {
    result += excerpt(finding.file, finding.span, "", '^', ink_of(finding.severity), style);
  }
  if (!finding.path.empty()) result += remark("path", "how the value gets here", style);
  for (const Note& step : finding.path) result += note_excerpt(finding, step, style);
  for (const Note& note : finding.notes) {
    result += note.file.bytes().empty() ? remark("note", note.message, style)
                                        : note_excerpt(finding, note, style);
  }
  if (!finding.counterexample.empty()) {
    result += remark("counterexample", visible(finding.counterexample), style);
  }
  for (const Fix& fix : finding.fixes) result += fix_lines(finding, fix, style);
  return result + "\n";
}

}  // namespace

std::string text(const Report& report, const Style& style) {
  std::string result;
  for (const Diagnostic& finding : report.findings) result += render(finding, style);
  return result;
}

}  // namespace nacre::report
