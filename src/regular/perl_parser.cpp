#include "regular/perl_parser.h"

#include <algorithm>

#include "regular/char_classes.h"

namespace nacre::regular {

using regex::Greed;
using regex::Position;

PerlParser::PerlParser(std::string_view pattern, PerlReading reading, PerlFlags flags,
                       Alphabet alphabet, const std::vector<uint32_t>* origin)
    : reading_(reading),
      flags_(flags),
      alphabet_(alphabet),
      reader_(pattern, alphabet, origin),
      builder_(alphabet, Priority::kFirstAlternative),
      group_state_(1, 2) {
  builder_.regex().word =
      word_characters(flags.is_ascii || !python() ? Alphabet::kBytes : alphabet);
  if (!python()) count_groups();
}

Result<NodeId> PerlParser::parse() {
  auto root = parse_alternatives();
  if (!root) return root;
  if (!reader_.at_end()) {
    return error_here(python() ? "unbalanced parenthesis" : "unmatched closing parenthesis");
  }
  if (builder_.too_deep()) return error_here("the pattern is too deeply nested");
  return root;
}

Result<NodeId> PerlParser::parse_alternatives() {
  const uint32_t begin = reader_.pos();
  std::vector<NodeId> branches;
  for (;;) {
    auto branch = parse_branch();
    if (!branch) return branch;
    branches.push_back(*branch);
    if (!reader_.take('|')) break;
    flags_may_follow_ = false;
  }
  return builder_.choice(branches, reader_.span_from(begin));
}

Result<NodeId> PerlParser::parse_branch() {
  const uint32_t begin = reader_.pos();
  std::vector<NodeId> items;
  bool repeatable = false;  // the last item can take a quantifier
  for (;;) {
    skip_ignored();
    if (reader_.at_end()) break;
    if (!in_quote_ && (reader_.peek() == '|' || reader_.peek() == ')')) break;
    const uint32_t at = reader_.pos();
    if (!in_quote_) {
      const NodeId last = items.empty() ? NodeId{} : items.back();
      auto repeated = parse_quantifier(last, at);
      if (!repeated) return tl::unexpected(repeated.error());
      if (*repeated) {
        if (!repeatable) {
          const bool is_double =
              python() && !items.empty() && builder_.regex().get<regex::Repeat>(last) != nullptr;
          return error(at, is_double  ? "multiple repeat"
                           : python() ? "nothing to repeat"
                                      : "quantifier does not follow a repeatable item");
        }
        items.back() = **repeated;
        repeatable = false;
        if (builder_.too_deep()) return error_here("the pattern is too deeply nested");
        continue;
      }
    }
    repeatable = true;
    const bool is_flags = reader_.looking_at("(?") && !in_quote_;
    auto item = parse_atom(repeatable);
    if (!item) return item;
    items.push_back(*item);
    const bool is_nothing = is_flags && builder_.regex().get<regex::Empty>(*item) != nullptr;
    if (!is_nothing) flags_may_follow_ = false;
  }
  return builder_.sequence(items, reader_.span_from(begin));
}

// \Q and \E, comments, and in verbose mode white space and # to the end of the line.
void PerlParser::skip_ignored() {
  while (!reader_.at_end()) {
    if (!python() && in_quote_ && reader_.take("\\E")) {
      in_quote_ = false;
    } else if (!python() && !in_quote_ && reader_.take("\\Q")) {
      in_quote_ = true;
    } else if (!python() && !in_quote_ && reader_.take("\\E")) {
      continue;
    } else if (in_quote_ || !skip_comment()) {
      return;
    }
  }
}

bool PerlParser::skip_comment() {
  if (reader_.looking_at("(?#")) {
    const size_t close = reader_.rest().find(')');
    if (close == std::string_view::npos) return false;  // parse_group() complains
    reader_.skip(static_cast<uint32_t>(close) + 1);
    return true;
  }
  if (!flags_.is_verbose) return false;
  if (reader_.peek() >= 0 &&
      CharSet::of(" \t\n\r\f\v").contains(static_cast<Symbol>(reader_.peek()))) {
    reader_.skip();
    return true;
  }
  if (reader_.peek() != '#') return false;
  while (!reader_.at_end() && reader_.peek() != '\n') reader_.skip();
  return true;
}

Result<NodeId> PerlParser::parse_atom(bool& repeatable) {
  const uint32_t begin = reader_.pos();
  const Symbol c = reader_.next();
  const Span span = reader_.span_from(begin);
  if (in_quote_) return character(c, span);
  switch (c) {
    case '(': return parse_group(repeatable);
    case '[': return parse_class();
    case '.': return dot(span);
    case '^':
      repeatable = false;
      return builder_.position(flags_.is_multiline ? Position::kLineStart : Position::kSubjectStart,
                               span);
    case '$':
      repeatable = false;
      return builder_.position(flags_.is_multiline ? Position::kLineEnd
                               : python()          ? Position::kFinalLineEnd
                                                   : Position::kSubjectEnd,
                               span);
    case '\\': break;
    default: return character(c, span);
  }
  auto escape = parse_escape(false);
  if (!escape) return tl::unexpected(escape.error());
  const Span whole = reader_.span_from(begin);
  switch (escape->kind) {
    case Escape::Kind::kCharacter: return character(escape->character, whole);
    case Escape::Kind::kSet: return builder_.set(escape->set, whole);
    case Escape::Kind::kPosition: return position(escape->position, repeatable, whole);
    case Escape::Kind::kReference: return reference(escape->group, begin);
    case Escape::Kind::kNode: return escape->node;
    case Escape::Kind::kNothing: break;
  }
  repeatable = false;
  return builder_.empty(whole);
}

NodeId PerlParser::position(Position where, bool& repeatable, Span span) {
  repeatable = false;
  const NodeId assertion = builder_.position(where, span);
  if (!python() || where != Position::kNotWordBoundary) return assertion;
  // Before 3.14, Python's \B does not hold in an empty string.
  const NodeId any = builder_.set(CharSet::all(alphabet_), span);
  const NodeId neighbours[] = {builder_.look(any, true, false, span),
                               builder_.look(any, false, false, span)};
  const NodeId both[] = {assertion, builder_.choice(neighbours, span)};
  return builder_.group(builder_.sequence(both, span), 0, false, span);
}

// Nothing if no quantifier stands here.
Result<std::optional<NodeId>> PerlParser::parse_quantifier(NodeId body, uint32_t begin) {
  using Maybe = std::optional<NodeId>;
  Counts counts{0, kUnbounded};
  switch (reader_.peek()) {
    case '*': reader_.skip(); break;
    case '+':
      reader_.skip();
      counts.first = 1;
      break;
    case '?':
      reader_.skip();
      counts.second = 1;
      break;
    case '{': {
      const auto braces = parse_counts();
      if (!braces) return tl::unexpected(braces.error());
      if (!*braces) return Maybe{};
      counts = **braces;
      break;
    }
    default: return Maybe{};
  }
  if (!python()) skip_ignored();
  Greed greed = flags_.is_lazy ? Greed::kLazy : Greed::kGreedy;
  if (reader_.take('?')) {
    greed = flags_.is_lazy ? Greed::kGreedy : Greed::kLazy;
  } else if (reader_.take('+')) {
    greed = Greed::kPossessive;
  }
  if (builder_.regex().size() == 0) return Maybe{body};  // nothing to repeat: an error follows
  return Maybe{builder_.repeat(body, counts.first, counts.second, greed, reader_.span_from(begin))};
}

std::optional<uint32_t> PerlParser::parse_number() {
  const auto value = reader_.take_number(kUnbounded);
  if (!value) return std::nullopt;
  return static_cast<uint32_t>(*value);
}

Result<std::optional<PerlParser::Counts>> PerlParser::parse_counts() {
  using Maybe = std::optional<Counts>;
  const uint32_t begin = reader_.pos();
  reader_.skip();
  const auto min = parse_number();
  auto max = min;
  const bool has_comma = reader_.take(',');
  if (has_comma) max = parse_number();
  // Python reads {,3} and {,} as well.
  if ((!min && !(python() && has_comma)) || !reader_.take('}')) {
    reader_.seek(begin);
    return Maybe{};
  }
  const uint32_t most = python() ? kUnbounded - 1 : 65535;
  if (std::max(min.value_or(0), max.value_or(0)) > most) {
    return error(
        begin, python() ? "the repetition number is too large" : "number too big in {} quantifier");
  }
  if (max && *max < min.value_or(0)) {
    return error(begin, python() ? "min repeat greater than max repeat"
                                 : "numbers out of order in {} quantifier");
  }
  return Maybe({min.value_or(0), max.value_or(kUnbounded)});
}

CharSet PerlParser::folded(const CharSet& set) const {
  if (!flags_.folds_case) return set;
  if (alphabet_ == Alphabet::kBytes || !flags_.is_ascii) return fold_case(set, alphabet_);
  return fold_case(set, Alphabet::kBytes);
}

NodeId PerlParser::character(Symbol symbol, Span span) {
  if (!flags_.folds_case) return builder_.literal(symbol, span);
  return builder_.set(folded(CharSet::of(symbol)), span);
}

NodeId PerlParser::dot(Span span) {
  const CharSet all = CharSet::all(alphabet_);
  return builder_.set(flags_.dot_is_all ? all : all - CharSet::of('\n'), span);
}

}  // namespace nacre::regular
