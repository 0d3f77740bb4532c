#include "regular/parse_pcre.h"

#include <algorithm>
#include <string>
#include <vector>

#include "regular/perl_parser.h"

namespace nacre::regular {

// grep -w puts (?<!\w)(?: and )(?!\w) around the text and then compiles it; -x asks PCRE to put
// ^(?: and
// )$ around what it compiled.
Result<Regex> parse_pcre(std::string_view pattern, const PcreOptions& options) {
  const bool is_word = options.bounds == GrepBounds::kWord;
  const std::string_view before = is_word ? "(?<!\\w)(?:" : "";
  const std::string_view after = is_word ? ")(?!\\w)" : "";
  const std::string text = std::string(before).append(pattern).append(after);
  std::vector<uint32_t> origin(text.size() + 1);
  for (size_t i = 0; i < origin.size(); ++i) {
    const size_t inside = i < before.size() ? 0 : i - before.size();
    origin[i] = static_cast<uint32_t>(std::min(inside, pattern.size()));
  }
  const PerlFlags flags{.folds_case = options.folds_case};
  PerlParser parser(text, PerlReading::kPcre, flags, options.alphabet, &origin);
  const auto root = parser.parse();
  if (!root) return tl::unexpected(root.error());
  RegexBuilder& builder = parser.builder();
  if (options.bounds != GrepBounds::kLine) return builder.finish(*root);
  const auto end = static_cast<uint32_t>(pattern.size());
  const NodeId items[] = {builder.position(regex::Position::kSubjectStart, {0, 0}),
                          builder.group(*root, 0, false, {0, end}),
                          builder.position(regex::Position::kSubjectEnd, {end, end})};
  return builder.finish(builder.sequence(items, {0, end}));
}

}  // namespace nacre::regular
