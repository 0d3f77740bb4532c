#include "regular/posix_bracket.h"

#include "regular/char_classes.h"

namespace nacre::regular {
namespace {

constexpr const char* kUnmatched = "Unmatched [, [^, [:, [., or [=";

struct Element {
  CharSet set;
  bool is_class = false;  // [:name:] and [=x=] cannot end a range
  bool is_plain_hyphen = false;
};

class BracketParser {
 public:
  BracketParser(PatternReader& reader, const BracketRules& rules)
      : reader_(reader), rules_(rules), open_(reader.pos() - 1) {}

  Result<CharSet> parse() {
    const bool negated = reader_.take('^');
    const uint32_t first = reader_.pos();
    while (reader_.pos() == first || reader_.peek() != ']') {
      if (auto failed = parse_item(reader_.pos() == first)) return tl::unexpected(*failed);
    }
    if (rules_.refuses_bare_class && looks_like_bare_class(first)) {
      return fail(reader_.span(open_, reader_.pos() + 1),
                  "character class syntax is [[:space:]], not [:space:]");
    }
    reader_.skip();
    if (rules_.folds_case) fold(negated);
    if (!negated) return set_;
    CharSet rest = set_.complement(rules_.alphabet);
    return rules_.negation_excludes_newline ? rest - CharSet::of('\n') : rest;
  }

 private:
  void add(const CharSet& set) {
    set_.add(set);
    if (!rules_.folds_case) return;
    CharSet capitals = set;
    for (Symbol letter = 'a'; letter <= 'z'; ++letter) {
      if (set.contains(letter)) capitals.add(capital_of(letter));
    }
    capitals_.add(capitals);
  }

  static Symbol capital_of(Symbol symbol) {
    return symbol >= 'a' && symbol <= 'z' ? symbol - 'a' + 'A' : symbol;
  }

  // See CaseReading. Small letters count as their capitals only.
  void fold(bool negated) {
    set_ = fold_case(set_, rules_.alphabet);
    if (rules_.alphabet != Alphabet::kBytes) return;
    const CharSet small = CharSet::range('a', 'z');
    const CharSet by_capitals =
        (capitals_ - small) | (fold_case(capitals_ & CharSet::range('A', 'Z'), rules_.alphabet));
    if (rules_.case_reading == CaseReading::kCapitals || has_collating_) {
      set_ = by_capitals;
    } else if (rules_.case_reading == CaseReading::kBoth) {
      set_ = negated ? set_ | by_capitals : set_ & by_capitals;
    }
  }

  // [:alpha:] written without the outer brackets.
  [[nodiscard]] bool looks_like_bare_class(uint32_t first) const {
    const std::string_view body = reader_.text().substr(first, reader_.pos() - first);
    return !has_complex_item_ && body.size() > 2 && body.front() == ':' && body.back() == ':';
  }

  std::optional<Error> parse_item(bool is_first) {
    const uint32_t begin = reader_.pos();
    auto start = parse_element();
    if (!start) return start.error();
    if (start->is_plain_hyphen && !is_first && reader_.peek() != ']' && rules_.is_strict) {
      return Error{reader_.span_from(begin), "Invalid range end"};
    }
    if (reader_.peek() != '-' || reader_.peek(1) == ']') {
      add(start->set);
      return std::nullopt;
    }
    reader_.skip();
    auto end = parse_element();
    if (!end) return end.error();
    return add_range(*start, *end, reader_.span_from(begin));
  }

  std::optional<Error> add_range(const Element& start, const Element& end, Span span) {
    has_complex_item_ = true;
    if (start.is_class || end.is_class) return Error{span, "Invalid range end"};
    const Symbol first = start.set.min();
    const Symbol last = end.set.min();
    const bool is_reversed =
        rules_.folds_case ? capital_of(first) > capital_of(last) : first > last;
    if (is_reversed && rules_.is_strict) return Error{span, "Invalid range end"};
    if (is_reversed) {  // mawk
      add(start.set | CharSet::of('-') | end.set);
      return std::nullopt;
    }
    if (first <= last) set_.add(SymbolRange{first, last});
    if (rules_.folds_case) capitals_.add(SymbolRange{capital_of(first), capital_of(last)});
    return std::nullopt;
  }

  Result<Element> parse_element() {
    if (reader_.at_end()) return fail(reader_.span_from(open_), kUnmatched);
    if (reader_.peek() == '[') {
      const int kind = reader_.peek(1);
      const bool is_element = (kind == '.' || kind == '=') && rules_.is_strict;
      if (kind == ':' || is_element) return parse_named(static_cast<char>(kind));
    }
    const bool is_hyphen = reader_.peek() == '-';
    if (rules_.has_escapes && reader_.peek() == '\\' && reader_.peek(1) >= 0) reader_.skip();
    return Element{CharSet::of(reader_.next()), false, is_hyphen};
  }

  // [:name:], [.x.] or [=x=]; in the C locale (and in C.UTF-8) a collating element is one
  // character.
  Result<Element> parse_named(char kind) {
    has_complex_item_ = true;
    const uint32_t begin = reader_.pos();
    reader_.skip(2);
    const char close[] = {kind, ']', '\0'};
    const size_t length = reader_.rest().find(close);
    if (length == std::string_view::npos) return fail(reader_.span_from(open_), kUnmatched);
    const std::string_view name = reader_.rest().substr(0, length);
    const uint32_t end = reader_.pos() + static_cast<uint32_t>(length);
    if (kind == ':') {
      reader_.seek(end + 2);
      auto set = named_class(name);
      if (!set) return fail(reader_.span_from(begin), "Invalid character class name");
      return Element{*set, true, false};
    }
    const Symbol character = name.empty() ? 0 : reader_.next();
    const bool is_one = !name.empty() && reader_.pos() == end;
    reader_.seek(end + 2);
    if (!is_one) return fail(reader_.span_from(begin), "Invalid collation character");
    has_collating_ = true;
    return Element{CharSet::of(character), kind == '=', false};
  }

  [[nodiscard]] std::optional<CharSet> named_class(std::string_view name) const {
    if (rules_.folds_case && (name == "upper" || name == "lower")) name = "alpha";
    return posix_class(name, rules_.alphabet);
  }

  PatternReader& reader_;
  const BracketRules& rules_;
  uint32_t open_;
  CharSet set_;
  CharSet capitals_;  // of the members, when case is ignored
  bool has_collating_ = false;
  bool has_complex_item_ = false;
};

}  // namespace

Result<CharSet> parse_posix_bracket(PatternReader& reader, const BracketRules& rules) {
  return BracketParser(reader, rules).parse();
}

}  // namespace nacre::regular
