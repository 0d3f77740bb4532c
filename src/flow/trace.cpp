#include "flow/trace.h"

#include <algorithm>
#include <fmt/core.h>

#include "regular/decide.h"

namespace nacre::flow {

namespace {

std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '\t')
      out += "\\t";
    else if (c == '\n')
      out += "\\n";
    else if (c == '"' || c == '\\')
      (out += '\\') += c;
    else if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7f)
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    else
      out += c;
  }
  return out + '"';
}

// The lines that the stage reads and makes `printed` of.
std::optional<Lang> origin_of(const Stage& stage, Lang printed) {
  if (!stage.behaviour.trace || !stage.is_piped) return std::nullopt;
  const commands::LineMap& map = *stage.behaviour.trace;
  return regular::preimage(map.map, printed) & map.keeps & commands::any_line(stage.input);
}

// An empty line shows less than any other.
std::optional<std::string> example_of(Lang lines) {
  const auto line = regular::shortest(lines - lines.context().epsilon());
  return line ? line : regular::shortest(lines);
}

// Leaves one line of many: the origin of one is found sooner than that of all.
Lang one_of(Lang lines) {
  const auto line = example_of(lines);
  return line ? lines.context().literal(*line) : lines;
}

}  // namespace

Trace trace(std::span<const Stage> writers, Lang wanted) {
  Trace result;
  std::vector<Lang> printed = {wanted};  // from the last stage back
  // A description is about all of the lines: they are followed together as far as the first one.
  const auto is_described = [](const Stage& writer) { return writer.described.has_value(); };
  const auto first_described =
      std::find_if(writers.begin(), writers.end(), is_described) - writers.begin();
  for (size_t i = writers.size(); i > 0; i--) {
    const Stage& writer = writers[i - 1];
    if (writer.described) {
      const Lang described = printed.back() & *writer.described;
      result.is_undescribed = regular::is_empty(described).yes();
      if (!result.is_undescribed) printed.back() = described;
    }
    if (static_cast<ptrdiff_t>(i) - 1 <= first_described) printed.back() = one_of(printed.back());
    const auto origin = i > 1 ? origin_of(writer, printed.back()) : std::nullopt;
    if (!origin || !regular::is_empty(*origin).no()) break;
    printed.push_back(*origin);
  }
  if (writers.empty()) return result;
  std::optional<std::string> line = example_of(printed.back());
  for (size_t i = printed.size(); i > 0 && line; i--) {
    result.lines.push_back(*line);
    if (i == 1) break;
    const Stage& next = writers[writers.size() - i + 1];
    const Lang one = wanted.context().literal(*line);
    line = regular::shortest(regular::image(next.behaviour.trace->map, one) & printed[i - 2]);
  }
  if (!line) result.lines.clear();
  return result;
}

void add_path(Diagnostic& diagnostic, const SourceFile& file, std::span<const Stage> writers,
              std::span<const std::string> lines) {
  for (size_t i = 0; i < lines.size(); i++) {
    const Stage& writer = writers[writers.size() - lines.size() + i];
    diagnostic.path.push_back(
        {file, writer.span, fmt::format("{} prints {}", writer.name, in_quotes(lines[i]))});
  }
}

}  // namespace nacre::flow
