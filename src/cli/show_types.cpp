#include "cli/show_types.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace nacre::cli {

namespace {

constexpr size_t kColumn = 40;  // where types stand, unless a line is longer

// What the commands that end on each line print, and what the variables that are set there hold, by
// line. A command that consists of others says nothing new.
std::map<uint32_t, std::string> by_line(const SourceFile& file,
                                        const std::vector<project::TypeAt>& types) {
  std::map<uint32_t, std::string> result;
  bool ends_with_command = true;
  for (const project::TypeAt& type : types) {
    if (type.name.empty() || type.span.empty()) continue;
    if (type.is_read) continue;
    std::string& text = result[file.line_of(type.span.end - 1)];
    if (!text.empty()) text += type.is_variable || !ends_with_command ? "; " : " | ";
    text += fmt::format("{} {} {}", type.name, type.is_variable ? ":" : "->", type.output());
    ends_with_command = !type.is_variable;
  }
  return result;
}

}  // namespace

std::string with_types(const SourceFile& file, const std::vector<project::TypeAt>& types) {
  const auto lines = by_line(file, types);
  std::string result;
  for (uint32_t line = 1; line <= file.line_count(); line++) {
    const std::string_view text = file.text(file.line_span(line));
    const auto found = lines.find(line);
    if (line == file.line_count() && text.empty()) break;
    if (found == lines.end()) {
      result += fmt::format("{}\n", text);
    } else {
      const size_t width = file.position(file.line_span(line).end).column - 1;
      const size_t gap = std::max(kColumn, width + 2) - width;
      result += fmt::format("{}{:>{}}## {}\n", text, "", gap, found->second);
    }
  }
  return result;
}

}  // namespace nacre::cli
