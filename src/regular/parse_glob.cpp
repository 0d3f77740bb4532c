// The shells do not parse patterns; they match them by trying. What they do amounts to this
// grammar, where a bracket expression that does not end counts as a literal `[` and reading goes on
// after it. In pathname expansion the pattern is cut at its slashes first, which no bracket can
// hold.
#include "regular/parse_glob.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "regular/char_classes.h"
#include "regular/pattern_reader.h"

namespace nacre::regular {
namespace {

using regex::Greed;

struct Element {
  Symbol symbol = 0;
  bool is_quoted = false;
  Span span;
};

class GlobParser {
 public:
  GlobParser(std::string_view text, const GlobOptions& options)
      : options_(options), builder_(options.alphabet, Priority::kLongest) {
    builder_.regex().word = word_characters(options.alphabet);
    read_elements(text);
    find_closings();
    pair_parentheses();
  }

  Result<Regex> parse() {
    const size_t end = elements_.size();
    const NodeId root = options_.use == GlobUse::kPathname ? parse_path() : parse_sequence(0, end);
    if (too_deep_ || builder_.too_deep()) {
      return fail({0, static_cast<uint32_t>(text_size_)}, "the pattern is too deeply nested");
    }
    return builder_.finish(root);
  }

  bool has_wildcard() {
    for (size_t i = 0; i < elements_.size(); ++i) {
      if (is(i, '*') || is(i, '?') || extglob_end(i)) return true;
      if (is(i, '[') && read_bracket(i, elements_.size())) return true;
    }
    return false;
  }

 private:
  struct Bracket {
    CharSet set;
    size_t end;  // after the ]
  };
  struct BracketItem {
    CharSet set;
    size_t end;
    bool can_start_range;
  };

  void read_elements(std::string_view text);
  void find_closings();
  void pair_parentheses();
  [[nodiscard]] bool is(size_t at, char c) const {
    return at < elements_.size() && !elements_[at].is_quoted &&
           elements_[at].symbol == static_cast<unsigned char>(c);
  }
  [[nodiscard]] Span span(size_t begin, size_t end) const {
    if (begin >= elements_.size()) return {text_size_, text_size_};
    if (begin == end) return {elements_[begin].span.begin, elements_[begin].span.begin};
    return cover(elements_[begin].span, elements_[end - 1].span);
  }

  NodeId parse_path();
  NodeId parse_component(size_t begin, size_t end);
  NodeId parse_sequence(size_t begin, size_t end);
  NodeId parse_extglob(size_t open, size_t close);
  [[nodiscard]] std::optional<size_t> extglob_end(size_t at) const;
  // bash then compares the rest of the pattern as a string.
  [[nodiscard]] bool opens_unclosed_extglob(size_t at) const {
    return options_.has_extglob && is_extglob_operator(at) && is(at + 1, '(') &&
           closing_[at + 1] == 0;
  }
  [[nodiscard]] bool is_extglob_operator(size_t at) const {
    return is(at, '?') || is(at, '*') || is(at, '+') || is(at, '@') || is(at, '!');
  }

  std::optional<Bracket> read_bracket(size_t open, size_t end);
  std::optional<BracketItem> read_bracket_item(size_t at, size_t end);
  std::optional<BracketItem> read_named(size_t at, size_t end);

  [[nodiscard]] bool is_bash() const { return options_.shell == GlobShell::kBash; }
  // bash ignores case by comparing small letters with small letters, ends of ranges included.
  [[nodiscard]] Symbol folded(Symbol symbol) const {
    const bool is_capital = symbol >= 'A' && symbol <= 'Z';
    return options_.folds_case && is_capital ? symbol - 'A' + 'a' : symbol;
  }
  [[nodiscard]] CharSet with_capitals(const CharSet& set) const {
    if (options_.alphabet == Alphabet::kCodePoints) return fold_case(set, options_.alphabet);
    const CharSet small = set & CharSet::range('a', 'z');
    return (set - CharSet::range('A', 'Z')) | fold_case(small, options_.alphabet);
  }
  [[nodiscard]] CharSet any_symbol() const {
    const CharSet all = CharSet::all(options_.alphabet);
    return options_.use == GlobUse::kPathname ? all - CharSet::of('/') : all;
  }
  NodeId any_string(Span at) {
    return builder_.repeat(builder_.set(any_symbol(), at), 0, kUnbounded, Greed::kGreedy, at);
  }
  NodeId character(Symbol symbol, Span at) {
    if (!options_.folds_case) return builder_.literal(symbol, at);
    return builder_.set(fold_case(symbol, options_.alphabet), at);
  }
  // The strings of `body` that are not in `others`.
  NodeId except(NodeId body, NodeId others, Span at) {
    const NodeId both[] = {body, builder_.complement(others, at)};
    return builder_.intersection(both, at);
  }

  const GlobOptions& options_;
  RegexBuilder builder_;
  uint32_t text_size_ = 0;
  std::vector<Element> elements_;
  std::vector<size_t> next_close_;  // the next `]`, unless a slash of a path comes first
  std::vector<size_t> closing_;     // of the extglob group that opens at an element; 0: none
  uint32_t nesting_ = 0;
  bool too_deep_ = false;
};

void GlobParser::read_elements(std::string_view text) {
  text_size_ = static_cast<uint32_t>(text.size());
  PatternReader reader(text, options_.alphabet);
  auto is_quoted = [&](uint32_t at) {
    return options_.quoted != nullptr && at < options_.quoted->size() && (*options_.quoted)[at];
  };
  while (!reader.at_end()) {
    const uint32_t begin = reader.pos();
    const bool escapes = reader.peek() == '\\' && !is_quoted(begin) && begin + 1 < text_size_;
    if (escapes) reader.skip();
    const bool quoted = escapes || is_quoted(begin) || reader.peek() == '\\';
    const Symbol symbol = reader.next();
    elements_.push_back({symbol, quoted, {begin, reader.pos()}});
  }
}

// A `[` far from any `]` must not cost a walk to the end of the pattern each time.
void GlobParser::find_closings() {
  next_close_.assign(elements_.size() + 1, elements_.size());
  size_t next = elements_.size();
  for (size_t i = elements_.size(); i-- > 0;) {
    if (is(i, ']')) next = i;
    if (options_.use == GlobUse::kPathname && elements_[i].symbol == '/') next = elements_.size();
    next_close_[i] = next;
  }
}

// Which `(` after one of ?*+@! is closed, and where. Brackets hide nothing here: bash looks for
// the matching parenthesis past them, except for closed brackets.
void GlobParser::pair_parentheses() {
  closing_.assign(elements_.size(), 0);
  if (!options_.has_extglob) return;
  std::vector<size_t> open;
  for (size_t i = 0; i < elements_.size(); ++i) {
    if (is(i, '[')) {
      if (const auto bracket = read_bracket(i, elements_.size())) {
        i = bracket->end - 1;
        continue;
      }
    }
    if (is(i, '(')) open.push_back(i);
    if (is(i, ')') && !open.empty()) {
      closing_[open.back()] = i;
      open.pop_back();
    }
  }
}

// If an extglob operator stands at `at`, where its group closes.
std::optional<size_t> GlobParser::extglob_end(size_t at) const {
  if (!options_.has_extglob || !is(at + 1, '(') || closing_[at + 1] == 0) return std::nullopt;
  const bool is_operator = is(at, '?') || is(at, '*') || is(at, '+') || is(at, '@') || is(at, '!');
  if (!is_operator) return std::nullopt;
  return closing_[at + 1];
}

NodeId GlobParser::parse_path() {
  std::vector<NodeId> parts;
  size_t begin = 0;
  for (size_t i = 0; i <= elements_.size(); ++i) {
    if (const auto close = extglob_end(i)) {
      i = *close;
      continue;
    }
    if (i < elements_.size() && elements_[i].symbol != '/') continue;
    parts.push_back(parse_component(begin, i));
    if (i < elements_.size()) parts.push_back(builder_.literal('/', elements_[i].span));
    begin = i + 1;
  }
  return builder_.sequence(parts, span(0, elements_.size()));
}

// A wildcard never stands for a leading dot, nor for the names . and ..
NodeId GlobParser::parse_component(size_t begin, size_t end) {
  const NodeId body = parse_sequence(begin, end);
  const bool starts_with_wildcard =
      begin < end && (is(begin, '*') || is(begin, '?') || is(begin, '[') || extglob_end(begin));
  const bool is_literal = builder_.regex().get<regex::Sequence>(body) == nullptr &&
                          builder_.regex().get<regex::Literal>(body) != nullptr;
  if (!starts_with_wildcard || is_literal) return body;
  const Span at = span(begin, end);
  const NodeId dot = builder_.literal('.', at);
  if (options_.has_dotglob) {
    const NodeId dots = builder_.repeat(dot, 1, 2, Greed::kGreedy, at);
    return except(body, dots, at);
  }
  // An alternative that begins with a dot asks for it explicitly.
  if (extglob_end(begin)) {
    for (size_t i = begin; i < *extglob_end(begin); ++i) {
      const bool starts = is(i, '(') || is(i, '|');
      if (starts && i + 1 < end && elements_[i + 1].symbol == '.') return body;
    }
  }
  const NodeId hidden[] = {dot, any_string(at)};
  return except(body, builder_.sequence(hidden, at), at);
}

NodeId GlobParser::parse_sequence(size_t begin, size_t end) {
  std::vector<NodeId> items;
  bool is_plain = false;
  for (size_t i = begin; i < end;) {
    const Span at = elements_[i].span;
    is_plain = is_plain || opens_unclosed_extglob(i);
    if (is_plain) {
      items.push_back(character(elements_[i++].symbol, at));
      continue;
    }
    if (const auto close = extglob_end(i)) {
      items.push_back(parse_extglob(i, *close));
      i = *close + 1;
      continue;
    }
    if (is(i, '*')) {
      items.push_back(any_string(at));
    } else if (is(i, '?')) {
      items.push_back(builder_.set(any_symbol(), at));
    } else if (const auto bracket = is(i, '[') ? read_bracket(i, end) : std::nullopt) {
      items.push_back(builder_.set(bracket->set & any_symbol(), span(i, bracket->end)));
      i = bracket->end;
      continue;
    } else {
      items.push_back(character(elements_[i].symbol, at));
    }
    ++i;
  }
  return builder_.sequence(items, span(begin, end));
}

NodeId GlobParser::parse_extglob(size_t open, size_t close) {
  const Span at = span(open, close + 1);
  if (too_deep_ || ++nesting_ > Regex::kMaxDepth / 4) {
    too_deep_ = true;
    return builder_.empty(at);
  }
  std::vector<NodeId> alternatives;
  size_t begin = open + 2;
  for (size_t i = begin; i <= close; ++i) {
    if (i < close && closing_[i] != 0) i = closing_[i];
    if (i < close && is(i, '[')) {
      if (const auto bracket = read_bracket(i, close)) i = bracket->end - 1;
    }
    if (i < close && !is(i, '|')) continue;
    alternatives.push_back(parse_sequence(begin, i));
    begin = i + 1;
  }
  --nesting_;
  const NodeId body = builder_.choice(alternatives, at);
  switch (elements_[open].symbol) {
    case '?': return builder_.repeat(body, 0, 1, Greed::kGreedy, at);
    case '*': return builder_.repeat(body, 0, kUnbounded, Greed::kGreedy, at);
    case '+': return builder_.repeat(body, 1, kUnbounded, Greed::kGreedy, at);
    case '!': return except(any_string(at), body, at);
    default: return body;
  }
}

std::optional<GlobParser::Bracket> GlobParser::read_bracket(size_t open, size_t end) {
  size_t at = open + 1;
  const bool negated = is(at, '!') || (is(at, '^') && options_.shell == GlobShell::kBash);
  if (negated) ++at;
  if (at + 1 >= end || next_close_[at + 1] >= end) return std::nullopt;
  CharSet set;
  for (bool is_first = true; is_first || !is(at, ']'); is_first = false) {
    if (at >= end) return std::nullopt;
    if (options_.use == GlobUse::kPathname && elements_[at].symbol == '/') return std::nullopt;
    if (is(at, '[') && is(at + 1, '.') && is_bash() && !read_named(at, end)) return std::nullopt;
    const auto item = read_bracket_item(at, end);
    at = item->end;
    const bool is_range = item->can_start_range && is(at, '-') && at + 1 < end && !is(at + 1, ']');
    if (!is_range) {
      set.add(item->can_start_range ? CharSet::of(folded(item->set.min())) : item->set);
      continue;
    }
    const auto last = read_bracket_item(at + 1, end);
    const bool ends_range = last->can_start_range;
    const Symbol low = folded(item->set.min());
    const Symbol high = ends_range ? folded(last->set.min()) : Symbol{'['};
    at = ends_range ? last->end : at + 2;  // [a-[:x:]]: the range ends at the plain [
    if (low <= high) set.add(SymbolRange{low, high});
  }
  if (at >= end) return std::nullopt;
  if (options_.folds_case) set = with_capitals(set);
  return Bracket{negated ? set.complement(options_.alphabet) : set, at + 1};
}

std::optional<GlobParser::BracketItem> GlobParser::read_bracket_item(size_t at, size_t end) {
  if (is(at, '[')) {
    if (const auto named = read_named(at, end)) return named;
    if (is(at + 1, ':') && is_bash()) return BracketItem{CharSet::of(':'), at + 2, true};
  }
  return BracketItem{CharSet::of(elements_[at].symbol), at + 1, true};
}

// [:name:], [.x.] or [=x=] inside a bracket.
std::optional<GlobParser::BracketItem> GlobParser::read_named(size_t at, size_t end) {
  if (is_bash() && is(at + 1, '=') && at + 4 < end && is(at + 3, '=') && is(at + 4, ']')) {
    return BracketItem{CharSet::of(elements_[at + 2].symbol), at + 5, true};
  }
  const char kind = is(at + 1, ':') ? ':' : is_bash() && is(at + 1, '.') ? '.' : '\0';
  if (kind == '\0' || next_close_[at + 2] >= end) return std::nullopt;
  std::string name;
  size_t close = at + 2;
  while (close + 1 < end && !(is(close, kind) && is(close + 1, ']'))) {
    append_symbol(name, elements_[close++].symbol, options_.alphabet);
  }
  if (close + 1 >= end) return std::nullopt;
  if (kind == ':') {
    const auto set = posix_class(name, options_.alphabet);
    if (!set && !is_bash()) return std::nullopt;
    return BracketItem{set.value_or(CharSet{}), close + 2, false};
  }
  const bool is_one = close == at + 3;
  const CharSet set = is_one ? CharSet::of(elements_[at + 2].symbol) : CharSet{};
  return BracketItem{set, close + 2, is_one};
}

}  // namespace

Result<Regex> parse_glob(std::string_view text, const GlobOptions& options) {
  return GlobParser(text, options).parse();
}

bool has_glob(std::string_view text, const GlobOptions& options) {
  return GlobParser(text, options).has_wildcard();
}

}  // namespace nacre::regular
