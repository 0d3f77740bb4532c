#include "regular/parse_type.h"

#include <fmt/core.h>

#include "regular/char_classes.h"
#include "regular/lower.h"
#include "regular/named_types.h"
#include "regular/type_parser.h"

namespace nacre::regular {

using regex::Greed;
using regex::Position;

namespace {

bool is_name_byte(int c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-' || c == '.';
}

// The built-in name that is nearest to a misspelt one: one typing error away, or a beginning of it.
std::string suggestion(std::string_view name) {
  auto common_prefix = [&](std::string_view other) {
    size_t length = 0;
    while (length < std::min(name.size(), other.size()) && name[length] == other[length]) ++length;
    return length;
  };
  const NamedType* best = nullptr;
  size_t best_length = 2;
  for (const NamedType& type : named_types()) {
    if (const size_t length = common_prefix(type.name); length > best_length) {
      best = &type;
      best_length = length;
    }
  }
  return best == nullptr ? "" : fmt::format("; did you mean {{{}}}?", best->name);
}

}  // namespace

bool TypeParser::at_operand_end() const {
  const int c = reader_.peek();
  if (c < 0 || c == '|' || c == '&' || c == ')') return true;
  if (ends_at_comma_ && nesting_ == 0 && c == ',') return true;
  if (c != ' ' && c != '\t') return false;
  // Blanks around & belong to it.
  const size_t next = reader_.rest().find_first_not_of(" \t");
  if (next == std::string_view::npos) return ends_at_comma_ && nesting_ == 0;
  const char after = reader_.rest()[next];
  return after == '&' || (ends_at_comma_ && nesting_ == 0 && (after == ',' || after == ')'));
}

Result<Regex> TypeParser::parse() {
  builder_.regex().word = word_characters(Alphabet::kBytes);
  auto root = parse_choice();
  if (!root) return tl::unexpected(root.error());
  if (!ends_at_comma_ && !reader_.at_end()) {
    return fail(reader_.here(), "this ) closes nothing; write \\) for the character");
  }
  if (builder_.too_deep()) return fail(reader_.here(), "the type is too deeply nested");
  return builder_.finish(*root);
}

Result<NodeId> TypeParser::parse_choice() {
  const uint32_t begin = reader_.pos();
  std::vector<NodeId> parts;
  do {
    auto part = parse_meet();
    if (!part) return part;
    parts.push_back(*part);
  } while (reader_.take('|'));
  return builder_.choice(parts, reader_.span_from(begin));
}

// A complement is taken from the other operands; if there are none, from the lines.
Result<NodeId> TypeParser::parse_meet() {
  const uint32_t begin = reader_.pos();
  std::vector<NodeId> parts;
  bool has_positive = false;
  for (bool more = true; more;) {
    auto part = parse_operand();
    if (!part) return part;
    parts.push_back(*part);
    has_positive |= builder_.regex().get<regex::Complement>(*part) == nullptr;
    while (at_operand_end() && (reader_.peek() == ' ' || reader_.peek() == '\t')) reader_.skip();
    more = reader_.take('&');
    while (more && (reader_.peek() == ' ' || reader_.peek() == '\t')) reader_.skip();
  }
  if (!has_positive) {
    const Span span = reader_.span_from(begin);
    parts.push_back(builder_.repeat(any(span), 0, kUnbounded, Greed::kGreedy, span));
  }
  return builder_.intersection(parts, reader_.span_from(begin));
}

Result<NodeId> TypeParser::parse_operand() {
  const uint32_t begin = reader_.pos();
  std::vector<NodeId> items;
  while (!at_operand_end()) {
    const bool is_complement = items.empty() && at_complement();
    auto item = is_complement ? parse_complement() : parse_item();
    if (!item) return item;
    items.push_back(*item);
  }
  // Beside other items a complement stands for lines, like one that stands alone.
  if (items.size() > 1 && builder_.regex().get<regex::Complement>(items[0]) != nullptr) {
    const Span span = builder_.regex().span(items[0]);
    const NodeId both[] = {items[0],
                           builder_.repeat(any(span), 0, kUnbounded, Greed::kGreedy, span)};
    items[0] = builder_.intersection(both, span);
  }
  return builder_.sequence(items, reader_.span_from(begin));
}

// `!` and `~` are operators only where an operand starts: "Hello!" needs no backslash.
bool TypeParser::at_complement() const {
  if (reader_.peek() != '!' && reader_.peek() != '~') return false;
  const int next = reader_.peek(1);
  return next >= 0 && next != '|' && next != '&' && next != ')' &&
         !(ends_at_comma_ && nesting_ == 0 && next == ',');
}

Result<NodeId> TypeParser::parse_complement() {
  const uint32_t begin = reader_.pos();
  const char sign = static_cast<char>(reader_.next());
  if (++nesting_ > Regex::kMaxDepth) return fail(reader_.here(), "the type is too deeply nested");
  const bool is_single = std::string_view("([{.\\!~").find(static_cast<char>(reader_.peek())) !=
                             std::string_view::npos ||
                         at_type_operation(reader_);
  auto body = at_complement() ? parse_complement() : parse_item();
  --nesting_;
  if (!body) return body;
  if (!is_single && !at_operand_end()) {
    return fail(reader_.span(begin, reader_.pos() + 1),
                fmt::format("{0} complements one item; write {0}(...) around more", sign));
  }
  return builder_.complement(*body, reader_.span_from(begin));
}

Result<NodeId> TypeParser::parse_item() {
  const uint32_t begin = reader_.pos();
  auto atom = parse_atom();
  if (!atom) return atom;
  return parse_postfix(*atom, begin);
}

Result<NodeId> TypeParser::parse_atom() {
  const uint32_t begin = reader_.pos();
  if (at_name()) return parse_name();
  if (at_type_operation(reader_)) {
    const auto result =
        parse_type_operation(context_, options_, reader_, outer_nesting_ + nesting_);
    if (!result) return tl::unexpected(result.error());
    return builder_.language(*result, reader_.span_from(begin));
  }
  const Symbol c = reader_.next();
  switch (c) {
    case '(': return parse_group();
    case '\\': return parse_escape();
    case '[': {
      const auto set = parse_type_bracket(reader_, context_.alphabet());
      if (!set) return tl::unexpected(set.error());
      return this->set(*set, begin);
    }
    case '.': return any(reader_.span_from(begin));
    case '^': return builder_.position(Position::kLineStart, reader_.span_from(begin));
    case '$': return builder_.position(Position::kLineEnd, reader_.span_from(begin));
    default: return literal(c, begin);
  }
}

NodeId TypeParser::literal(Symbol symbol, uint32_t begin) {
  if (symbol < 0x80 || context_.alphabet() == Alphabet::kCodePoints) {
    return builder_.literal(symbol, reader_.span_from(begin));
  }
  return set({{}, CharSet::of(symbol)}, begin);
}

NodeId TypeParser::set(const TypeSet& set, uint32_t begin) {
  const Span span = reader_.span_from(begin);
  std::vector<NodeId> choices;
  if (!set.symbols.empty() || set.characters.empty()) {
    choices.push_back(builder_.set(set.symbols, span));
  }
  for (const Utf8Sequence& sequence : utf8_sequences(set.characters)) {
    std::vector<NodeId> bytes;
    for (uint32_t i = 0; i < sequence.length; ++i) {
      const SymbolRange range = sequence.bytes[i];
      bytes.push_back(builder_.set(CharSet::range(range.first, range.last), span));
    }
    choices.push_back(builder_.sequence(bytes, span));
  }
  return builder_.choice(choices, span);
}

Result<NodeId> TypeParser::parse_group() {
  const uint32_t begin = reader_.pos() - 1;
  if (++nesting_ + outer_nesting_ > Regex::kMaxDepth) {
    return fail(reader_.here(), "the type is too deeply nested");
  }
  const uint32_t index = reader_.take("?:") ? 0 : ++builder_.regex().group_count;
  auto body = parse_choice();
  if (!body) return body;
  --nesting_;
  if (!reader_.take(')')) return fail(reader_.span(begin, begin + 1), "this ( is never closed");
  return builder_.group(*body, index, false, reader_.span_from(begin));
}

Result<NodeId> TypeParser::parse_escape() {
  const uint32_t begin = reader_.pos() - 1;
  auto position = [&](Position where) {
    reader_.skip();
    return builder_.position(where, reader_.span_from(begin));
  };
  switch (reader_.peek()) {
    case 'b': return position(Position::kWordBoundary);
    case 'B': return position(Position::kNotWordBoundary);
    case '<': return position(Position::kWordStart);
    case '>': return position(Position::kWordEnd);
    default: break;
  }
  const auto escape = parse_type_escape(reader_, context_.alphabet());
  if (!escape) return tl::unexpected(escape.error());
  return builder_.set(escape->set, reader_.span_from(begin));
}

bool TypeParser::at_name() const {
  if (reader_.peek() != '{') return false;
  uint32_t length = 1;
  while (is_name_byte(reader_.peek(length))) ++length;
  const int first = reader_.peek(1);
  const bool is_letter = is_name_byte(first) && !(first >= '0' && first <= '9') && first != '-';
  return length > 1 && is_letter && reader_.peek(length) == '}';
}

Result<NodeId> TypeParser::parse_name() {
  const uint32_t begin = reader_.pos();
  const size_t length = reader_.rest().find('}');
  const std::string_view name = reader_.rest().substr(1, length - 1);
  reader_.skip(static_cast<uint32_t>(length) + 1);
  const Span span = reader_.span_from(begin);
  if (options_.lookup) {
    if (const auto found = options_.lookup(context_, name)) {
      return builder_.language(*found, span);
    }
  }
  const NamedType* type = find_named_type(name);
  if (type == nullptr)
    return fail(span, fmt::format("no type is called {}{}", name, suggestion(name)));
  PatternReader text(type->type, Alphabet::kCodePoints);
  const auto language = parse_type_at(context_, {}, text, false, 0);
  assert(language);
  return builder_.language(*language, span);
}

Result<NodeId> TypeParser::parse_postfix(NodeId body, uint32_t begin) {
  for (;;) {
    uint32_t min = 0;
    uint32_t max = kUnbounded;
    if (reader_.take('+')) {
      min = 1;
    } else if (reader_.take('?')) {
      max = 1;
    } else if (!reader_.take('*')) {
      const auto counts = parse_counts();
      if (!counts) return tl::unexpected(counts.error());
      if (!*counts) return body;
      std::tie(min, max) = **counts;
    }
    body = builder_.repeat(body, min, max, Greed::kGreedy, reader_.span_from(begin));
    if (builder_.too_deep()) return fail(reader_.here(), "the type is too deeply nested");
  }
}

// {n} {n,} {n,m} {,m}; nothing if something else stands here.
Result<std::optional<std::pair<uint32_t, uint32_t>>> TypeParser::parse_counts() {
  using Counts = std::optional<std::pair<uint32_t, uint32_t>>;
  const uint32_t begin = reader_.pos();
  if (!reader_.take('{')) return Counts{};
  const auto min = reader_.take_number(kUnbounded);
  auto max = min;
  const bool has_comma = reader_.take(',');
  if (has_comma) max = reader_.take_number(kUnbounded);
  if ((!min && !has_comma) || !reader_.take('}')) {
    reader_.seek(begin);
    return Counts{};
  }
  const Span span = reader_.span_from(begin);
  if (std::max(min.value_or(0), max.value_or(0)) >= kUnbounded) {
    return fail(span, "this number is too large");
  }
  if (max && min.value_or(0) > *max) return fail(span, "the larger number comes first");
  return Counts(
      {static_cast<uint32_t>(min.value_or(0)), static_cast<uint32_t>(max.value_or(kUnbounded))});
}

Result<Lang> parse_type_at(Context& context, const TypeOptions& options, PatternReader& reader,
                           bool ends_at_comma, uint32_t nesting) {
  const auto regex = TypeParser(context, options, reader, ends_at_comma, nesting).parse();
  if (!regex) return tl::unexpected(regex.error());
  return lower(context, *regex, {.budget = options.budget});
}

Result<Lang> parse_type(Context& context, std::string_view text, const TypeOptions& options) {
  PatternReader reader(text, Alphabet::kCodePoints);
  return parse_type_at(context, options, reader, false, 0);
}

}  // namespace nacre::regular
