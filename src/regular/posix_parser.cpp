// Recursive descent after glibc's regcomp.c; GNU grep's own dfa.c agrees with it except where
// PosixDialect says so.
#include "regular/posix_parser.h"

#include <algorithm>
#include <fmt/core.h>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "regular/char_classes.h"
#include "regular/posix_bracket.h"

namespace nacre::regular {
namespace {

using regex::Greed;
using regex::Position;

constexpr uint32_t kMaxRepeats = 32767;  // RE_DUP_MAX

enum class TokenKind : uint8_t {
  kEnd,
  kCharacter,
  kAny,
  kBracket,
  kOpen,
  kClose,
  kAlternative,
  kStar,
  kPlus,
  kQuestion,
  kInterval,
  kPosition,
  kSet,  // \w \W \s \S
  kBackReference,
  kTrailingBackslash,
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  Symbol character = 0;  // kCharacter; for operators, the character they would be
  uint32_t number = 0;   // kBackReference
  Position position{};
  bool is_stray = false;  // \q
  uint32_t begin = 0;
};

bool is_repeat(TokenKind kind) {
  return kind == TokenKind::kStar || kind == TokenKind::kPlus || kind == TokenKind::kQuestion ||
         kind == TokenKind::kInterval;
}

bool ends_branch(TokenKind kind) {
  return kind == TokenKind::kEnd || kind == TokenKind::kAlternative || kind == TokenKind::kClose;
}

class PosixParser {
 public:
  PosixParser(PatternReader reader, const PosixDialect& dialect, RegexBuilder& builder)
      : reader_(reader), dialect_(dialect), builder_(builder) {
    fetch();
  }

  Result<NodeId> parse() {
    auto node = parse_alternatives();
    if (!node) return node;
    if (token_.kind == TokenKind::kClose) {
      return fail(token_span(), "Unmatched ) or \\)");
    }
    return node;
  }

 private:
  using Interval = std::pair<uint32_t, uint32_t>;

  // Reading tokens. The reader stands after token_.
  void fetch();
  Token read_token();
  Token read_escape(Token token);
  [[nodiscard]] bool is_caret_anchor(uint32_t begin) const;
  [[nodiscard]] bool is_dollar_anchor() const;
  [[nodiscard]] Span token_span() const { return reader_.span_from(token_.begin); }

  Result<NodeId> parse_alternatives();
  Result<NodeId> parse_branch();
  Result<NodeId> parse_atom();
  Result<NodeId> parse_group();
  Result<NodeId> parse_bracket();
  Result<NodeId> parse_back_reference();
  Result<NodeId> parse_repeats(NodeId body, uint32_t begin, uint32_t most);
  std::optional<Error> read_leading_operator(bool only_anchors);
  Result<std::optional<Interval>> read_interval();
  std::optional<uint32_t> read_number();
  bool close_interval();
  NodeId character(Symbol symbol, Span span);
  NodeId any_character(Span span);
  NodeId shorthand(const Token& token);
  void warn(Span span, std::string message) {
    if (dialect_.warns) builder_.regex().warnings.push_back({span, std::move(message)});
  }
  void warn_stray(const Token& token);

  PatternReader reader_;
  const PosixDialect& dialect_;
  RegexBuilder& builder_;
  Token token_;
  TokenKind previous_ = TokenKind::kEnd;  // before token_; kEnd at the start
  std::vector<bool> closed_groups_;       // by index - 1
  uint32_t nesting_ = 0;
};

void PosixParser::fetch() {
  const TokenKind before = token_.kind;
  previous_ = before;
  token_ = read_token();
}

// In basic syntax `^` is an anchor only where an expression can start.
bool PosixParser::is_caret_anchor(uint32_t begin) const {
  return dialect_.is_extended || begin == 0 || previous_ == TokenKind::kOpen ||
         previous_ == TokenKind::kAlternative;
}

bool PosixParser::is_dollar_anchor() const {
  return dialect_.is_extended || reader_.at_end() || reader_.looking_at("\\)") ||
         reader_.looking_at("\\|");
}

Token PosixParser::read_token() {
  Token token{.begin = reader_.pos()};
  if (reader_.at_end()) return token;
  const Symbol c = reader_.next();
  token.character = c;
  token.kind = TokenKind::kCharacter;
  const bool extended = dialect_.is_extended;
  switch (c) {
    case '\\': return read_escape(token);
    case '[': token.kind = TokenKind::kBracket; break;
    case '.': token.kind = TokenKind::kAny; break;
    case '*': token.kind = TokenKind::kStar; break;
    case '+':
      if (extended) token.kind = TokenKind::kPlus;
      break;
    case '?':
      if (extended) token.kind = TokenKind::kQuestion;
      break;
    case '{':
      if (extended && dialect_.has_intervals) token.kind = TokenKind::kInterval;
      break;
    case '|':
      if (extended) token.kind = TokenKind::kAlternative;
      break;
    case '(':
      if (extended) token.kind = TokenKind::kOpen;
      break;
    case ')':
      if (extended && (nesting_ > 0 || !dialect_.lone_close_is_literal)) {
        token.kind = TokenKind::kClose;
      }
      break;
    case '^':
      if (!is_caret_anchor(token.begin)) break;
      token.kind = TokenKind::kPosition;
      token.position = dialect_.anchors_see_lines ? Position::kLineStart : Position::kSubjectStart;
      break;
    case '$':
      if (!is_dollar_anchor()) break;
      token.kind = TokenKind::kPosition;
      token.position = dialect_.anchors_see_lines ? Position::kLineEnd : Position::kSubjectEnd;
      break;
    default: break;
  }
  return token;
}

Token PosixParser::read_escape(Token token) {
  if (reader_.at_end()) {
    if (!dialect_.trailing_backslash_is_literal) token.kind = TokenKind::kTrailingBackslash;
    return token;
  }
  const Symbol c = reader_.next();
  token.character = c;
  const bool basic = !dialect_.is_extended;
  auto operator_if = [&](bool condition, TokenKind kind) {
    if (condition) token.kind = kind;
  };
  auto position = [&](Position where) {
    operator_if(dialect_.has_gnu_escapes, TokenKind::kPosition);
    token.position = where;
  };
  switch (c) {
    case '(': operator_if(basic, TokenKind::kOpen); break;
    case ')': operator_if(basic, TokenKind::kClose); break;
    case '{': operator_if(basic, TokenKind::kInterval); break;
    case '|': operator_if(basic, TokenKind::kAlternative); break;
    case '+': operator_if(basic, TokenKind::kPlus); break;
    case '?': operator_if(basic, TokenKind::kQuestion); break;
    case '<': position(Position::kWordStart); break;
    case '>': position(Position::kWordEnd); break;
    case 'b': position(Position::kWordBoundary); break;
    case 'B': position(Position::kNotWordBoundary); break;
    case '`': position(Position::kSubjectStart); break;
    case '\'': position(Position::kSubjectEnd); break;
    case 'w':
    case 'W':
    case 's':
    case 'S': operator_if(dialect_.has_gnu_escapes, TokenKind::kSet); break;
    default:
      if (c >= '1' && c <= '9' && dialect_.has_back_references) {
        token.kind = TokenKind::kBackReference;
        token.number = c - '0';
      } else {
        token.is_stray = true;
      }
  }
  return token;
}

Result<NodeId> PosixParser::parse_alternatives() {
  const uint32_t begin = token_.begin;
  std::vector<NodeId> branches;
  for (;;) {
    auto branch = parse_branch();
    if (!branch) return branch;
    branches.push_back(*branch);
    if (token_.kind != TokenKind::kAlternative) break;
    fetch();
  }
  return builder_.choice(branches, reader_.span(begin, token_.begin));
}

Result<NodeId> PosixParser::parse_branch() {
  const uint32_t begin = token_.begin;
  std::vector<NodeId> pieces;
  bool only_anchors = true;  // so far: an operator has nothing to repeat
  while (!ends_branch(token_.kind)) {
    const uint32_t at = token_.begin;
    if (is_repeat(token_.kind)) {
      if (auto error = read_leading_operator(only_anchors)) return tl::unexpected(*error);
    }
    if (is_repeat(token_.kind)) {  // skipped, or repeats what precedes it
      const NodeId body = pieces.empty() ? builder_.empty({at, at}) : pieces.back();
      auto repeated = parse_repeats(body, at, 1);
      if (!repeated) return repeated;
      if (pieces.empty()) pieces.push_back(*repeated);
      pieces.back() = *repeated;
      continue;
    }
    const bool is_position = token_.kind == TokenKind::kPosition;
    auto piece = parse_atom();
    if (piece && !is_position) piece = parse_repeats(*piece, at, kUnbounded);
    if (!piece) return piece;
    pieces.push_back(*piece);
    only_anchors = only_anchors && is_position;
  }
  if (pieces.empty() && dialect_.refuses_empty) return fail(token_span(), "missing operand");
  return builder_.sequence(pieces, reader_.span(begin, token_.begin));
}

// token_ is an operator at the start of a branch or after an anchor. Either this is an error, or
// it becomes a literal character, or it stays an operator: on the anchor, or on nothing.
std::optional<Error> PosixParser::read_leading_operator(bool only_anchors) {
  const bool is_interval = token_.kind == TokenKind::kInterval;
  const bool repeats = dialect_.repeats_anchors && !only_anchors;
  if (repeats && !(is_interval && dialect_.bad_interval_is_literal)) return std::nullopt;
  if (dialect_.leading_operator == LeadingOperator::kRefused ||
      (is_interval && dialect_.refuses_leading_interval)) {
    return Error{token_span(), dialect_.refuses_empty ? "missing operand"
                                                      : "Invalid preceding regular expression"};
  }
  bool is_literal = dialect_.leading_operator == LeadingOperator::kLiteral && !repeats;
  if (is_interval && !is_literal) {  // grep -E: {1,2} is skipped, {2,1} is literal
    const uint32_t after = reader_.pos();
    const auto interval = read_interval();
    is_literal = !interval || !*interval;
    reader_.seek(after);
  }
  if (is_literal) {
    token_.kind = TokenKind::kCharacter;
    return std::nullopt;
  }
  if (repeats) return std::nullopt;
  const std::string shown =
      is_interval ? "{...}" : std::string(1, static_cast<char>(token_.character));
  warn(token_span(), shown + " at start of expression");
  return std::nullopt;
}

Result<NodeId> PosixParser::parse_atom() {
  const Token token = token_;
  const Span span = token_span();
  switch (token.kind) {
    case TokenKind::kOpen: return parse_group();
    case TokenKind::kBracket: return parse_bracket();
    case TokenKind::kBackReference: return parse_back_reference();
    case TokenKind::kTrailingBackslash: return fail(span, "Trailing backslash");
    default: break;
  }
  if (token.is_stray) warn_stray(token);
  fetch();
  switch (token.kind) {
    case TokenKind::kAny: return any_character(span);
    case TokenKind::kPosition: return builder_.position(token.position, span);
    case TokenKind::kSet: return shorthand(token);
    default: return character(token.character, span);
  }
}

Result<NodeId> PosixParser::parse_group() {
  const uint32_t begin = token_.begin;
  const Span open = token_span();
  if (++nesting_ > Regex::kMaxDepth) return fail(open, "Regular expression too deeply nested");
  const auto index = static_cast<uint32_t>(closed_groups_.size()) + 1;
  closed_groups_.push_back(false);
  const bool follows_something =
      previous_ != TokenKind::kEnd && !ends_branch(previous_) && previous_ != TokenKind::kOpen;
  auto& group_count = builder_.regex().group_count;
  group_count = std::max(group_count, index);
  fetch();
  // mawk: `()` is an error, `a()` is not.
  const bool is_tolerated =
      dialect_.refuses_empty && follows_something && token_.kind == TokenKind::kClose;
  auto body = is_tolerated ? Result<NodeId>(builder_.empty(open)) : parse_alternatives();
  if (!body) return body;
  if (token_.kind != TokenKind::kClose) return fail(open, "Unmatched ( or \\(");
  --nesting_;
  closed_groups_[index - 1] = true;
  const NodeId group = builder_.group(*body, index, false, reader_.span_from(begin));
  fetch();
  return group;
}

Result<NodeId> PosixParser::parse_bracket() {
  const uint32_t begin = token_.begin;
  const BracketRules rules{
      .alphabet = dialect_.alphabet,
      .folds_case = dialect_.folds_case,
      .case_reading = dialect_.case_reading,
      .has_escapes = dialect_.has_class_escapes,
      .negation_excludes_newline = dialect_.excludes_newline,
      .refuses_bare_class = dialect_.refuses_bare_class,
      .is_strict = dialect_.has_posix_brackets,
  };
  auto set = parse_posix_bracket(reader_, rules);
  if (!set) return tl::unexpected(set.error());
  const NodeId node = builder_.set(*set, reader_.span_from(begin));
  fetch();
  return node;
}

Result<NodeId> PosixParser::parse_back_reference() {
  const Token token = token_;
  const Span span = token_span();
  if (token.number > closed_groups_.size() || !closed_groups_[token.number - 1]) {
    return fail(span, "Invalid back reference");
  }
  fetch();
  return builder_.back_reference(token.number, dialect_.folds_case, span);
}

Result<NodeId> PosixParser::parse_repeats(NodeId body, uint32_t begin, uint32_t most) {
  for (uint32_t count = 0; count < most && is_repeat(token_.kind); ++count) {
    if (count > 0 && dialect_.refuses_double_repeat &&
        (token_.kind == TokenKind::kStar || token_.kind == TokenKind::kInterval)) {
      return fail(token_span(), "Invalid preceding regular expression");
    }
    uint32_t min = token_.kind == TokenKind::kPlus ? 1 : 0;
    uint32_t max = token_.kind == TokenKind::kQuestion ? 1 : kUnbounded;
    if (token_.kind == TokenKind::kInterval) {
      auto interval = read_interval();
      if (!interval) return tl::unexpected(interval.error());
      if (!*interval) {
        token_.kind = TokenKind::kCharacter;
        break;
      }
      std::tie(min, max) = **interval;
    }
    body = builder_.repeat(body, min, max, Greed::kGreedy, reader_.span_from(begin));
    if (builder_.too_deep()) return fail(token_span(), "Regular expression too deeply nested");
    fetch();
  }
  return body;
}

std::optional<uint32_t> PosixParser::read_number() {
  const auto value = reader_.take_number(kMaxRepeats + 1);
  if (!value) return std::nullopt;
  return static_cast<uint32_t>(*value);
}

bool PosixParser::close_interval() {
  return dialect_.is_extended ? reader_.take('}') : reader_.take("\\}");
}

// The reader stands after the `{`. Nothing (and the reader where it was) if this is not an
// interval and the `{` is a literal.
Result<std::optional<PosixParser::Interval>> PosixParser::read_interval() {
  const uint32_t begin = reader_.pos();
  const std::optional<uint32_t> min = read_number();
  std::optional<uint32_t> max = min;
  const bool has_comma = reader_.take(',');
  if (has_comma) max = read_number();
  const bool is_closed = (min || has_comma) && close_interval();
  if (!is_closed) {
    const bool is_unfinished = reader_.at_end();
    reader_.seek(begin);
    if (dialect_.bad_interval_is_literal) return std::optional<Interval>{};
    return fail(token_span(), is_unfinished ? "Unmatched \\{" : "Invalid content of \\{\\}");
  }
  const Span span = reader_.span_from(token_.begin);
  const uint32_t least = min.value_or(0);
  if (max && least > *max) return fail(span, "Invalid content of \\{\\}");
  if (std::max(least, max.value_or(0)) > kMaxRepeats) {
    return fail(span, "Regular expression too big");
  }
  return std::optional<Interval>({least, max.value_or(kUnbounded)});
}

NodeId PosixParser::character(Symbol symbol, Span span) {
  if (!dialect_.folds_case) return builder_.literal(symbol, span);
  return builder_.set(fold_case(symbol, dialect_.alphabet), span);
}

NodeId PosixParser::any_character(Span span) {
  CharSet set = CharSet::all(dialect_.alphabet);
  if (dialect_.excludes_newline) set = set - CharSet::of('\n');
  return builder_.set(set, span);
}

NodeId PosixParser::shorthand(const Token& token) {
  const bool is_word = token.character == 'w' || token.character == 'W';
  CharSet set = is_word ? builder_.regex().word : *posix_class("space", dialect_.alphabet);
  if (token.character == 'W' || token.character == 'S') set = set.complement(dialect_.alphabet);
  return builder_.set(set, reader_.span(token.begin, token.begin + 2));
}

// What grep 3.8 warns of: a backslash before an ordinary character.
void PosixParser::warn_stray(const Token& token) {
  const Symbol c = token.character;
  const std::string_view harmless = dialect_.is_extended ? "\\^$.[]*+?(){}|/" : "\\^$.[]*/";
  if (c < 0x80 && harmless.find(static_cast<char>(c)) != std::string_view::npos) return;
  std::string shown;
  append_symbol(shown, c, dialect_.alphabet);
  warn(token_span(), fmt::format("stray \\ before {}", shown));
}

}  // namespace

Result<NodeId> parse_posix_dialect(PatternReader reader, const PosixDialect& dialect,
                                   RegexBuilder& builder) {
  return PosixParser(reader, dialect, builder).parse();
}

}  // namespace nacre::regular
