#include <fmt/core.h>
#include <string>

#include "regular/char_classes.h"
#include "regular/perl_parser.h"

namespace nacre::regular {

// [:alpha:] and [:^alpha:] inside a class, in PCRE. Nothing: this is a plain `[`.
Result<std::optional<CharSet>> PerlParser::parse_posix_name() {
  using Maybe = std::optional<CharSet>;
  const int kind = reader_.peek(1);
  if (python() || reader_.peek() != '[' || (kind != ':' && kind != '.' && kind != '=')) {
    return Maybe{};
  }
  const uint32_t begin = reader_.pos();
  uint32_t length = 2;
  if (reader_.peek(length) == '^') ++length;
  while (reader_.peek(length) >= 'a' && reader_.peek(length) <= 'z') ++length;
  if (reader_.peek(length) != kind || reader_.peek(length + 1) != ']') return Maybe{};
  std::string_view name = reader_.rest().substr(2, length - 2);
  reader_.skip(length + 2);
  if (kind != ':') return error(begin, "POSIX collating elements are not supported");
  const bool negated = name.starts_with('^');
  if (negated) name.remove_prefix(1);
  if (flags_.folds_case && (name == "upper" || name == "lower")) name = "alpha";
  Maybe set = name == "word"    ? word_characters(Alphabet::kBytes)
              : name == "ascii" ? CharSet::range(0, 127)
                                : posix_class(name, Alphabet::kBytes);
  if (!set) return error(begin, "unknown POSIX class name");
  if (negated) set = set->complement(alphabet_);
  return set;
}

Result<PerlParser::Escape> PerlParser::parse_class_item(uint32_t open) {
  if (reader_.at_end()) {
    return error(open, python() ? "unterminated character set"
                                : "missing terminating ] for character class");
  }
  if (in_quote_) {
    if (reader_.take("\\E")) {
      in_quote_ = false;
      return Escape{};
    }
    return symbol(reader_.next());
  }
  const auto named = parse_posix_name();
  if (!named) return tl::unexpected(named.error());
  if (*named) return set_of(**named);
  if (reader_.take('\\')) return parse_escape(true);
  return symbol(reader_.next());
}

// PCRE: [:alpha:] outside of a class is a mistake that it points out. The reader stands after the
// `[`.
bool PerlParser::at_bare_posix_name() const {
  const int kind = reader_.peek();
  if (python() || (kind != ':' && kind != '.' && kind != '=')) return false;
  const char close[] = {static_cast<char>(kind), ']', '\0'};
  const size_t end = reader_.rest().find(close, 1);
  if (end == std::string_view::npos) return false;
  return reader_.rest().substr(1, end - 1).find_first_of("]\\[") == std::string_view::npos;
}

// After `start` and a hyphen: the end of a range.
Result<CharSet> PerlParser::parse_range(const Escape& start, uint32_t begin, uint32_t open) {
  const auto end = parse_class_item(open);
  if (!end) return tl::unexpected(end.error());
  const bool is_range =
      start.kind == Escape::Kind::kCharacter && end->kind == Escape::Kind::kCharacter;
  if (is_range && start.character <= end->character) {
    return CharSet::range(start.character, end->character);
  }
  if (python()) {
    return error(begin, fmt::format("bad character range {}",
                                    reader_.text().substr(begin, reader_.pos() - begin)));
  }
  return error(begin, is_range ? "range out of order in character class"
                               : "invalid range in character class");
}

// The reader stands after the `[`.
Result<NodeId> PerlParser::parse_class() {
  const uint32_t open = reader_.pos() - 1;
  if (at_bare_posix_name()) {
    return error(open, "POSIX named classes are supported only within a class");
  }
  const bool negated = reader_.take('^');
  CharSet members;
  for (bool is_first = true; is_first || in_quote_ || reader_.peek() != ']';) {
    const uint32_t begin = reader_.pos();
    const auto item = parse_class_item(open);
    if (!item) return tl::unexpected(item.error());
    if (item->kind == Escape::Kind::kNothing) continue;
    is_first = false;
    while (!python() && !in_quote_ && reader_.take("\\E")) continue;
    const bool is_range =
        !in_quote_ && reader_.peek() == '-' && reader_.peek(1) != ']' && reader_.peek(1) >= 0;
    if (!is_range) {
      members.add(item->kind == Escape::Kind::kSet ? item->set : CharSet::of(item->character));
      continue;
    }
    reader_.skip();
    const auto range = parse_range(*item, begin, open);
    if (!range) return tl::unexpected(range.error());
    members.add(*range);
  }
  reader_.skip();
  members = folded(members);
  if (negated) members = members.complement(alphabet_);
  return builder_.set(members, reader_.span_from(open));
}

}  // namespace nacre::regular
