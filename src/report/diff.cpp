// The edits are known, so no comparison of texts is needed: the lines that edits touch are grouped
// into changes, and changes that are near each other into hunks.
#include "report/diff.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <vector>

#include "base/edits.h"
#include "report/report.h"

namespace nacre::report {

namespace {

// Old lines [first, end) become `text`. Lines count from 0 here.
struct Change {
  uint32_t first = 0;
  uint32_t end = 0;
  std::vector<std::string> added;
};

// With their newlines, so that a missing last one shows.
std::vector<std::string> split_lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    size_t newline = text.find('\n');
    size_t end = newline == std::string_view::npos ? text.size() : newline + 1;
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

class Lines {
 public:
  explicit Lines(const SourceFile& file) : file_(file) {}
  [[nodiscard]] uint32_t count() const { return file_.bytes().empty() ? 0 : file_.line_count(); }
  [[nodiscard]] uint32_t begin(uint32_t line) const {
    return line < count() ? file_.line_span(line + 1).begin : file_.whole().end;
  }
  [[nodiscard]] std::string_view at(uint32_t line) const {
    return file_.text({begin(line), begin(line + 1)});
  }

 private:
  const SourceFile& file_;
};

// The first line that an edit leaves alone. Removing a newline joins the next line to this one.
uint32_t end_of_edit(const SourceFile& file, const Lines& lines, const Edit& edit) {
  uint32_t last = file.line_of(edit.span.end) - 1;
  bool ends_at_line_start =
      !edit.span.empty() && edit.span.end == lines.begin(last) && edit.text.ends_with('\n');
  return std::min(ends_at_line_start ? last : last + 1, lines.count());
}

// Lines that are the same at both ends are no part of the change.
void trim(Change& change, const Lines& lines) {
  size_t same = 0;
  while (change.first < change.end && same < change.added.size() &&
         change.added[same] == lines.at(change.first)) {
    same++;
    change.first++;
  }
  change.added.erase(change.added.begin(), change.added.begin() + static_cast<ptrdiff_t>(same));
  while (change.first < change.end && !change.added.empty() &&
         change.added.back() == lines.at(change.end - 1)) {
    change.added.pop_back();
    change.end--;
  }
}

// Neighbours are one change: first all that goes, then all that comes.
void append(std::vector<Change>& changes, Change change) {
  if (changes.empty() || changes.back().end != change.first) {
    changes.push_back(std::move(change));
    return;
  }
  changes.back().end = change.end;
  std::move(change.added.begin(), change.added.end(), std::back_inserter(changes.back().added));
}

std::vector<Change> find_changes(const SourceFile& file, std::span<const Edit> edits) {
  Lines lines(file);
  std::vector<Change> changes;
  for (size_t i = 0; i < edits.size();) {
    Change change;
    change.first = std::min(file.line_of(edits[i].span.begin) - 1, lines.count());
    change.end = end_of_edit(file, lines, edits[i]);
    size_t after = i + 1;
    while (after < edits.size() && edits[after].span.begin < lines.begin(change.end)) {
      change.end = std::max(change.end, end_of_edit(file, lines, edits[after++]));
    }
    uint32_t done = lines.begin(change.first);
    std::string text;
    for (; i < after; i++) {
      text += file.text({done, edits[i].span.begin});
      text += edits[i].text;
      done = edits[i].span.end;
    }
    text += file.text({done, lines.begin(change.end)});
    change.added = split_lines(text);
    trim(change, lines);
    append(changes, std::move(change));
  }
  return changes;
}

std::string marked(char mark, std::string_view line) {
  bool is_whole = line.ends_with('\n');
  return fmt::format("{}{}{}", mark, line, is_whole ? "" : "\n\\ No newline at end of file\n");
}

// Writes hunks; remembers by how many lines the new text is ahead.
class HunkWriter {
 public:
  HunkWriter(const SourceFile& file, unsigned context) : lines_(file), context_(context) {}

  std::string write(std::span<const Change> changes) {
    std::string result;
    for (size_t first = 0; first < changes.size();) {
      size_t end = first + 1;
      while (end < changes.size() && changes[end].first - changes[end - 1].end <= 2 * context_)
        end++;
      result += hunk(changes.subspan(first, end - first));
      first = end;
    }
    return result;
  }

 private:
  std::string hunk(std::span<const Change> changes) {
    uint32_t begin = changes.front().first - std::min(changes.front().first, context_);
    uint32_t end = std::min(changes.back().end + context_, lines_.count());
    uint32_t at = begin;
    int64_t grown = 0;
    std::string body;
    for (const Change& change : changes) {
      for (; at < change.first; at++) body += marked(' ', lines_.at(at));
      for (; at < change.end; at++) body += marked('-', lines_.at(at));
      for (const std::string& line : change.added) body += marked('+', line);
      grown += static_cast<int64_t>(change.added.size()) - (change.end - change.first);
    }
    for (; at < end; at++) body += marked(' ', lines_.at(at));
    std::string header = fmt::format("@@ -{} +{} @@\n", range(begin, end - begin),
                                     range(begin + ahead_, end - begin + grown));
    ahead_ += grown;
    return header + body;
  }

  // An empty range names the line before it.
  static std::string range(int64_t begin, int64_t size) {
    return fmt::format("{},{}", size == 0 ? begin : begin + 1, size);
  }

  Lines lines_;
  uint32_t context_;
  int64_t ahead_ = 0;
};

}  // namespace

std::string unified_diff(const SourceFile& file, std::span<const Edit> edits, unsigned context) {
  if (edits.empty()) return "";
  std::string hunks = HunkWriter(file, context).write(find_changes(file, edits));
  return fmt::format("--- a/{0}\n+++ b/{0}\n{1}", file.name(), hunks);
}

std::string small_diff(const SourceFile& file, std::span<const Edit> edits) {
  Lines lines(file);
  std::string result;
  for (const Change& change : find_changes(file, edits)) {
    for (uint32_t at = change.first; at < change.end; at++) result += marked('-', lines.at(at));
    for (const std::string& line : change.added) result += marked('+', line);
  }
  return result;
}

std::string diff(const Report& report, const Style&) {
  std::map<std::string, SourceFile> files;  // sorted by name, as the findings are
  for (const Diagnostic& finding : report.findings)
    files.emplace(finding.file.name(), finding.file);
  std::string result;
  for (const auto& [name, file] : files) {
    result += unified_diff(file, choose_edits(file, report.findings, FixKind::kSafe));
  }
  return result;
}

}  // namespace nacre::report
