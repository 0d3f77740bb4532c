#include "regular/parse_posix.h"

#include <algorithm>
#include <vector>

#include "regular/char_classes.h"
#include "regular/pattern_reader.h"
#include "regular/posix_parser.h"
#include "regular/sed_escapes.h"

namespace nacre::regular {
namespace {

using regex::Position;

PosixDialect dialect_of(const PosixOptions& options) {
  const bool grep = options.tool == PosixTool::kGrep;
  const bool extended = options.is_extended;
  PosixDialect dialect;
  dialect.alphabet = options.alphabet;
  dialect.is_extended = extended;
  dialect.folds_case = options.folds_case;
  if (extended) {
    dialect.leading_operator = grep ? LeadingOperator::kSkipped : LeadingOperator::kRefused;
  }
  dialect.repeats_anchors = grep;
  dialect.case_reading = grep                              ? CaseReading::kMembers
                         : options.tool == PosixTool::kSed ? CaseReading::kBoth
                                                           : CaseReading::kCapitals;
  dialect.refuses_leading_interval = !grep;
  dialect.refuses_double_repeat = !extended && !grep;
  dialect.bad_interval_is_literal = extended && grep;
  dialect.lone_close_is_literal = extended && options.tool != PosixTool::kSed;
  dialect.anchors_see_lines = grep || options.is_multiline;
  dialect.excludes_newline = grep || options.is_multiline;
  dialect.warns = grep;
  dialect.refuses_bare_class = options.tool != PosixTool::kRegcomp;
  return dialect;
}

NodeId bounded(RegexBuilder& builder, NodeId body, GrepBounds bounds, Span span) {
  if (bounds == GrepBounds::kNone) return body;
  if (bounds == GrepBounds::kLine) {
    const NodeId items[] = {builder.position(Position::kLineStart, {span.begin, span.begin}), body,
                            builder.position(Position::kLineEnd, {span.end, span.end})};
    return builder.sequence(items, span);
  }
  const CharSet word = builder.regex().word;
  const NodeId before = builder.set(word, {span.begin, span.begin});
  const NodeId after = builder.set(word, {span.end, span.end});
  const NodeId items[] = {builder.look(before, true, true, {span.begin, span.begin}), body,
                          builder.look(after, false, true, {span.end, span.end})};
  return builder.sequence(items, span);
}

// Calls parse_line(begin, line) for each line of the pattern and joins the alternatives.
template <typename ParseLine>
Result<Regex> parse_lines(std::string_view pattern, const PosixOptions& options,
                          ParseLine parse_line) {
  RegexBuilder builder(options.alphabet, Priority::kLongest);
  builder.regex().word = word_characters(options.alphabet);
  const Span span{0, static_cast<uint32_t>(pattern.size())};
  std::vector<NodeId> lines;
  for (size_t begin = 0; begin <= pattern.size();) {
    const size_t newline =
        options.tool == PosixTool::kGrep ? pattern.find('\n', begin) : std::string_view::npos;
    const size_t end = std::min(newline, pattern.size());
    Result<NodeId> line = parse_line(builder, begin, end);
    if (!line) return tl::unexpected(line.error());
    lines.push_back(*line);
    begin = end + 1;
  }
  const NodeId any = builder.choice(lines, span);
  const NodeId root = bounded(builder, any, options.bounds, span);
  if (builder.too_deep()) return fail(span, "Regular expression too deeply nested");
  return builder.finish(root);
}

}  // namespace

Result<Regex> parse_posix(std::string_view pattern, const PosixOptions& options) {
  const PosixDialect dialect = dialect_of(options);
  return parse_lines(pattern, options, [&](RegexBuilder& builder, size_t begin, size_t end) {
    if (options.tool == PosixTool::kSed && pattern.find('\\') != std::string_view::npos) {
      const RewrittenPattern rewritten = undo_sed_escapes(pattern);
      const PatternReader reader(rewritten.text, options.alphabet, &rewritten.origin);
      return parse_posix_dialect(reader, dialect, builder);
    }
    PatternReader reader(pattern.substr(0, end), options.alphabet);
    reader.seek(static_cast<uint32_t>(begin));
    return parse_posix_dialect(reader, dialect, builder);
  });
}

Result<Regex> parse_fixed(std::string_view pattern, const PosixOptions& options) {
  return parse_lines(
      pattern, options, [&](RegexBuilder& builder, size_t begin, size_t end) -> Result<NodeId> {
        PatternReader reader(pattern.substr(0, end), options.alphabet);
        reader.seek(static_cast<uint32_t>(begin));
        std::vector<NodeId> items;
        while (!reader.at_end()) {
          const uint32_t from = reader.pos();
          const Symbol symbol = reader.next();
          const Span span = reader.span_from(from);
          items.push_back(options.folds_case
                              ? builder.set(fold_case(symbol, options.alphabet), span)
                              : builder.literal(symbol, span));
        }
        return builder.sequence(items, {static_cast<uint32_t>(begin), static_cast<uint32_t>(end)});
      });
}

}  // namespace nacre::regular
