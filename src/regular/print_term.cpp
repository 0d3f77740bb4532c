#include "regular/print_term.h"

#include <algorithm>
#include <fmt/core.h>

namespace nacre::regular {
namespace {

// Binding strength of what is around a term. kItem takes a quantifier, kAtom may get one.
enum class Level : uint8_t { kUnion, kIntersection, kConcat, kItem, kAtom };

// What in the type syntax makes a call of the parenthesis after it.
constexpr std::string_view kOperations[] = {"reverse", "translate-match", "line-extract",
                                            "translate-chars", "field-select"};

using Ids = std::vector<TermId>;

class TermPrinter {
 public:
  TermPrinter(TermStore& terms, const PrintOptions& options) : terms_(terms), options_(options) {
    for (const NamedLang& named : options.names) {
      if (named.is_shorter ? *named.is_shorter : is_worth_naming(terms, named, options)) {
        names_.push_back({&named.name, named.lang.id(), parts(named.lang.id())});
      }
    }
  }

  std::optional<std::string> run(TermId id) {
    print(id, Level::kUnion);
    if (failed_) return std::nullopt;
    return std::move(out_);
  }

 private:
  struct Named {
    const std::string* name;
    TermId id;
    Ids parts;  // factors of a concatenation, operands of a union or intersection, or itself
  };

  [[nodiscard]] Ids parts(TermId id) const {
    Term t = terms_.term(id);
    if (t.op == Op::kUnion || t.op == Op::kIntersection) {
      return {terms_.operands(id).begin(), terms_.operands(id).end()};
    }
    Ids factors;
    for (; t.op == Op::kConcat; t = terms_.term(id)) {
      factors.push_back(TermId{t.a});
      id = TermId{t.b};
    }
    factors.push_back(id);
    return factors;
  }

  void put(std::string_view text) {
    if (out_.size() + text.size() > options_.longest) failed_ = true;
    if (!failed_) out_ += text;
  }

  template <typename Body>
  void group(bool needed, Body body) {
    if (needed) open();
    body();
    if (needed) put(")");
  }

  // The word "reverse" before a group would be taken for the operation: revers[e](...).
  void open() {
    for (std::string_view operation : kOperations) {
      if (!out_.ends_with(operation)) continue;
      char last = out_.back();
      out_.pop_back();
      put(std::string("[") + last + "]");
    }
    put("(");
  }

  void print(TermId id, Level around) {
    if (failed_) return;
    if (const Named* named = named_whole(id)) return put("{" + *named->name + "}");
    Term t = terms_.term(id);
    switch (t.op) {
      case Op::kEmpty: return put("{none}");
      case Op::kEpsilon: return put("()");
      case Op::kSet: return put(to_regex(terms_.set(SetId{t.a}), terms_.alphabet()));
      case Op::kConcat: return group(around > Level::kConcat, [&] { print_factors(parts(id)); });
      case Op::kStar: print(TermId{t.a}, Level::kAtom); return put("*");
      case Op::kRepeat: return group(around == Level::kAtom, [&] { print_repeat(t); });
      case Op::kUnion: return print_union(id, around);
      case Op::kIntersection:
        return group(around > Level::kIntersection, [&] { print_intersection(parts(id)); });
      case Op::kComplement:
        return group(around > Level::kIntersection, [&] { print_intersection({id}); });
      case Op::kLeaf: failed_ = true;
    }
  }

  // A short literal twice or three times reads better repeated than counted: "aa", not a{2}.
  [[nodiscard]] bool is_spelled_out(const Term& t) const {
    Term body = terms_.term(TermId{t.a});
    return t.least == t.most && t.most <= 3 && body.op == Op::kSet &&
           terms_.set(SetId{body.a}).size() == 1;
  }

  void print_repeat(const Term& t) {
    if (is_spelled_out(t)) {
      for (uint32_t i = 0; i < t.most; ++i) print(TermId{t.a}, Level::kAtom);
      return;
    }
    print(TermId{t.a}, Level::kAtom);
    put(t.least == t.most ? fmt::format("{{{}}}", t.least)
                          : fmt::format("{{{},{}}}", t.least, t.most));
  }

  void print_factors(const Ids& factors) {
    for (size_t i = 0; i < factors.size() && !failed_;) {
      if (const Named* named = named_prefix(factors, i)) {
        put("{" + *named->name + "}");
        i += named->parts.size();
      } else if (size_t taken = print_plus(factors, i); taken > 0) {
        i += taken;
      } else if (i + 1 < factors.size() && print_unbounded(factors[i], factors[i + 1])) {
        i += 2;
      } else {
        print(factors[i++], Level::kItem);
      }
    }
  }

  // x y (x y)* as (x y)+: how many factors that took, or 0.
  size_t print_plus(const Ids& factors, size_t at) {
    for (size_t i = at + 2; i < factors.size(); ++i) {
      Term star = terms_.term(factors[i]);
      if (star.op != Op::kStar) continue;
      Ids body = parts(TermId{star.a});
      if (body.size() != i - at || terms_.term(TermId{star.a}).op != Op::kConcat ||
          !std::equal(body.begin(), body.end(),
                      factors.begin() + static_cast<std::ptrdiff_t>(at))) {
        continue;
      }
      print(TermId{star.a}, Level::kAtom);
      put("+");
      return body.size() + 1;
    }
    return 0;
  }

  // x x* as x+, x{n} x* as x{n,}.
  bool print_unbounded(TermId factor, TermId next) {
    Term star = terms_.term(next);
    if (star.op != Op::kStar) return false;
    Term t = terms_.term(factor);
    bool counted = t.op == Op::kRepeat && t.a == star.a && t.least == t.most;
    if (factor != TermId{star.a} && !counted) return false;
    print(TermId{star.a}, Level::kAtom);
    put(counted ? fmt::format("{{{},}}", t.least) : "+");
    return true;
  }

  // A complement is taken from the operands before it. Blanks beside & do not count, so blanks of
  // operands are written by number there.
  void print_intersection(const Ids& list) {
    bool has_positive = false;
    for (TermId id : list) {
      if (terms_.term(id).op == Op::kComplement) continue;
      if (has_positive) put("&");
      has_positive = true;
      size_t begin = out_.size();
      print(id, Level::kConcat);
      number_blank(begin);
      number_blank(out_.size() - 1);
    }
    if (!has_positive) put("{any}");
    for (TermId id : list) {
      if (terms_.term(id).op != Op::kComplement) continue;
      put("&!(");
      print(TermId{terms_.term(id).a}, Level::kUnion);
      put(")");
    }
  }

  void number_blank(size_t at) {
    if (!failed_ && at < out_.size() && out_[at] == ' ') out_.replace(at, 1, "\\x20");
  }

  void print_union(TermId id, Level around) {
    Ids list = parts(id);
    bool is_optional = list[0] == TermStore::kEpsilon;
    if (is_optional) list.erase(list.begin());
    if (!is_optional) {
      return group(around > Level::kUnion, [&] { print_alternatives(std::move(list)); });
    }
    group(around == Level::kAtom, [&] {
      if (list.size() == 1) {
        print(list[0], Level::kAtom);
      } else {
        group(true, [&] { print_alternatives(std::move(list)); });
      }
      put("?");
    });
  }

  void print_alternatives(Ids list) {
    std::string_view separator;
    for (const Named& named : names_) {
      bool is_union = terms_.term(named.id).op == Op::kUnion;
      if (!is_union ||
          !std::includes(list.begin(), list.end(), named.parts.begin(), named.parts.end())) {
        continue;
      }
      put(separator);
      put("{" + *named.name + "}");
      separator = "|";
      Ids rest;
      std::set_difference(list.begin(), list.end(), named.parts.begin(), named.parts.end(),
                          std::back_inserter(rest));
      list = std::move(rest);
    }
    if (!list.empty()) put(separator);
    print_list(list, "|", Level::kIntersection);
  }

  void print_list(const Ids& list, std::string_view separator, Level level) {
    for (size_t i = 0; i < list.size() && !failed_; ++i) {
      if (i > 0) put(separator);
      print(list[i], level);
    }
  }

  [[nodiscard]] const Named* named_whole(TermId id) const {
    auto it = std::find_if(names_.begin(), names_.end(),
                           [id](const Named& named) { return named.id == id; });
    return it == names_.end() ? nullptr : &*it;
  }

  // The longest named concatenation that the factors from `at` begin with.
  [[nodiscard]] const Named* named_prefix(const Ids& factors, size_t at) const {
    const Named* best = nullptr;
    for (const Named& named : names_) {
      bool fits = terms_.term(named.id).op == Op::kConcat &&
                  named.parts.size() <= factors.size() - at &&
                  std::equal(named.parts.begin(), named.parts.end(),
                             factors.begin() + static_cast<std::ptrdiff_t>(at));
      if (fits && (best == nullptr || best->parts.size() < named.parts.size())) best = &named;
    }
    return best;
  }

  TermStore& terms_;
  const PrintOptions& options_;
  std::vector<Named> names_;
  std::string out_;
  bool failed_ = false;
};

}  // namespace

std::optional<std::string> print_term(TermStore& terms, TermId id, const PrintOptions& options) {
  return TermPrinter(terms, options).run(id);
}

bool is_worth_naming(TermStore& terms, const NamedLang& named, const PrintOptions& options) {
  PrintOptions plain = options;
  plain.names = {};
  const auto text = print_term(terms, named.lang.id(), plain);
  return !text || text->size() > named.name.size() + 6;
}

}  // namespace nacre::regular
