#include "regular/lang.h"

#include <algorithm>
#include <cassert>
#include <tuple>
#include <utility>

#include "regular/dictionary.h"
#include "regular/membership.h"
#include "regular/memo.h"
#include "regular/terms.h"

namespace nacre::regular {
namespace {

// Deeper terms would exhaust the stack of the recursive walks; they are widened to the words over
// their symbols. Parsers refuse such nesting before.
constexpr uint16_t kDeepest = 2000;

constexpr Bound bound_of(bool covers, bool is_covered) {
  if (covers) return is_covered ? Bound::kExact : Bound::kSuperset;
  return is_covered ? Bound::kSubset : Bound::kUnknown;
}

// Monotone operations: the result covers what is meant if both operands do, and so on.
constexpr Bound both(Bound a, Bound b) {
  return bound_of(covers(a) && covers(b), is_covered(a) && is_covered(b));
}

Lang shallow(Context& context, TermId id, Bound bound) {
  TermStore& terms = context.terms();
  Term t = terms.term(id);
  if (t.depth <= kDeepest) return {context, id, bound};
  return {context, terms.make_star(terms.make_set(terms.symbols(id))),
          both(bound, Bound::kSuperset)};
}

// Each of a chain of types may be twice the one before it: beyond this, they are widened, too.
constexpr uint32_t kMaxFactors = 1 << 20;

// The words over the symbols of both.
Lang mixed(Context& context, TermId a, TermId b, Bound bound) {
  TermStore& terms = context.terms();
  const TermId both_ids[] = {terms.make_set(terms.symbols(a)), terms.make_set(terms.symbols(b))};
  return {context, terms.make_star(terms.make_union(both_ids)), both(bound, Bound::kSuperset)};
}

bool is_too_long(const TermStore& terms, TermId a, TermId b) {
  return terms.factors(a) + uint64_t{terms.factors(b)} > kMaxFactors;
}

// The term of `word` followed by `rest`.
TermId spelt_before(TermId rest, std::string_view word, TermStore& terms) {
  const std::vector<Symbol> symbols = decode(word, terms.alphabet());
  for (size_t i = symbols.size(); i-- > 0;)
    rest = terms.make_concat(terms.make_letter(symbols[i]), rest);
  return rest;
}

TermId wait(const Memo::Waiting& waiting, Memo& memo) {
  memo.waiting.push_back(waiting);
  return TermId{static_cast<uint32_t>(memo.waiting.size() - 1) | Context::kWaits};
}

bool is_literal(const Memo::Waiting& waiting) {
  return !waiting.word.empty() && waiting.rest == TermStore::kEpsilon;
}

struct Parts {
  std::vector<TermId> ids;
  Bound bound = Bound::kExact;
};

Parts parts_of(Context& context, std::span<const Lang> langs) {
  Parts parts;
  parts.ids.reserve(langs.size());
  for (Lang lang : langs) {
    assert(&lang.context() == &context);
    (void)context;
    parts.ids.push_back(lang.id());
    parts.bound = both(parts.bound, lang.bound());
  }
  return parts;
}

}  // namespace

Context::Context(Alphabet alphabet)
    : terms_(std::make_unique<TermStore>(alphabet)), memo_(std::make_unique<Memo>()) {}
Context::~Context() = default;

Alphabet Context::alphabet() const { return terms_->alphabet(); }
void Context::set_limit(const Budget& limit, uint64_t total, uint64_t least) {
  limit_ = limit;
  total_ = total;
  least_ = least;
}
Budget Context::limited(const Budget& budget) const {
  const uint64_t states = spent_ < total_ ? limit_.states : std::min(limit_.states, least_);
  return {std::min(budget.steps, limit_.steps), std::min(budget.states, states), limit_.stop};
}
Lang Context::empty() { return {*this, TermStore::kEmpty}; }
Lang Context::epsilon() { return {*this, TermStore::kEpsilon}; }
Lang Context::all() { return {*this, TermStore::kAll}; }

Lang Context::set(const CharSet& symbols) {
  assert(CharSet::all(alphabet()).contains(symbols));
  return {*this, terms_->make_set(terms_->sets().intern(symbols))};
}

Lang Context::literal(std::string_view word) {
  if (word.empty()) return epsilon();
  auto& known = memo_->literals;
  auto found = known.find(word);
  if (found == known.end()) {
    found = known.emplace(word, TermStore::kEmpty).first;
    found->second = wait({found->first, TermStore::kEmpty, TermStore::kEpsilon, {}}, *memo_);
  }
  return {*this, found->second};
}

TermId Context::spell(TermId waiting) {
  std::vector<Memo::Waiting*> open;
  TermId rest = waiting;
  while (waits(rest)) {
    Memo::Waiting& at = memo_->waiting[static_cast<uint32_t>(rest) & ~kWaits];
    if (!at.term) open.push_back(&at);
    rest = at.term.value_or(at.rest);
  }
  for (size_t i = open.size(); i-- > 0;) {
    Memo::Waiting& at = *open[i];
    rest =
        at.word.empty() ? terms_->make_concat(at.head, rest) : spelt_before(rest, at.word, *terms_);
    at.term = rest;
  }
  return rest;
}

Lang Context::automaton(std::shared_ptr<const Dfa> dfa) {
  return {*this, terms_->add_automaton(std::move(dfa))};
}

Lang Context::words(std::span<const std::string_view> words) {
  return automaton(dictionary(words, alphabet()));
}

Lang operator+(Lang a, Lang b) {
  assert(&a.context() == &b.context());
  if (a.id_ == TermStore::kEpsilon && b.is_exact()) return b;
  if (b.id_ == TermStore::kEpsilon && a.is_exact()) return a;
  Context& context = a.context();
  Memo& memo = context.memo();
  const auto waiting = [&](TermId id) -> const Memo::Waiting* {
    return Context::waits(id) ? &memo.waiting[static_cast<uint32_t>(id) & ~Context::kWaits]
                              : nullptr;
  };
  const Bound bound = both(a.bound(), b.bound());
  const Memo::Waiting* head = waiting(a.id_);
  const Memo::Waiting* rest = waiting(b.id_);
  const std::string_view word = head && is_literal(*head) ? head->word : "";
  if (!word.empty() && rest && is_literal(*rest))
    return {context, context.literal(std::string(word).append(rest->word)).id_, bound};
  TermStore& terms = context.terms();
  const TermId first = word.empty() ? a.id() : a.id_;
  if (word.empty() && terms.factors(first) > kMaxFactors)
    return mixed(context, first, b.id(), bound);
  // A term that is deep would have to be widened, which changes the bound, so it does not wait.
  const bool may_wait = !word.empty() || (rest && terms.term(first).depth < kDeepest);
  // Only what is longer than one factor has to be taken apart.
  if (!may_wait && terms.term(first).op != Op::kConcat)
    return shallow(context, terms.make_concat(first, b.id()), bound);
  const TermId second = may_wait ? b.id_ : b.id();
  auto [known, is_new] =
      memo.concatenations.try_emplace(pair_key(first, second), TermStore::kEmpty);
  if (is_new) {
    known->second =
        may_wait ? wait({word, first, second, {}}, memo) : terms.make_concat(first, second);
  }
  if (may_wait) return {context, known->second, bound};
  return shallow(context, known->second, bound);
}

Lang operator|(Lang a, Lang b) {
  assert(&a.context() == &b.context());
  TermId id = a.context().terms().make_union(a.id(), b.id());
  return shallow(a.context(), id, both(a.bound(), b.bound()));
}

Lang operator&(Lang a, Lang b) {
  assert(&a.context() == &b.context());
  TermId parts[] = {a.id(), b.id()};
  TermId id = a.context().terms().make_intersection(parts);
  return shallow(a.context(), id, both(a.bound(), b.bound()));
}

Lang operator!(Lang a) {
  Bound bound = bound_of(is_covered(a.bound()), covers(a.bound()));
  return shallow(a.context(), a.context().terms().make_complement(a.id()), bound);
}

Lang operator-(Lang a, Lang b) { return a & !b; }

Lang star(Lang a) { return shallow(a.context(), a.context().terms().make_star(a.id()), a.bound()); }

Lang plus(Lang a) { return a + star(a); }

Lang optional(Lang a) { return a | a.context().epsilon(); }

Lang repeat(Lang a, uint32_t least, uint32_t most) {
  return shallow(a.context(), a.context().terms().make_repeat(a.id(), least, most), a.bound());
}

Lang reverse(Lang a) { return {a.context(), a.context().terms().make_reverse(a.id()), a.bound()}; }

Lang concat(Context& context, std::span<const Lang> parts) {
  auto [ids, bound] = parts_of(context, parts);
  TermId result = TermStore::kEpsilon;
  for (size_t i = ids.size(); i-- > 0;) {
    if (is_too_long(context.terms(), ids[i], result)) {
      const Lang any = mixed(context, ids[i], result, bound);
      std::tie(result, bound) = std::pair(any.id(), any.bound());
    } else {
      result = context.terms().make_concat(ids[i], result);
    }
  }
  return shallow(context, result, bound);
}

Lang any_of(Context& context, std::span<const Lang> parts) {
  auto [ids, bound] = parts_of(context, parts);
  return shallow(context, context.terms().make_union(ids), bound);
}

Lang all_of(Context& context, std::span<const Lang> parts) {
  auto [ids, bound] = parts_of(context, parts);
  return shallow(context, context.terms().make_intersection(ids), bound);
}

Lang derivative(Lang a, Symbol symbol) {
  return {a.context(), a.context().terms().step(a.id(), symbol), a.bound()};
}

Lang derivative(Lang a, std::string_view prefix) {
  TermStore& terms = a.context().terms();
  TermId id = a.id();
  for (Symbol symbol : decode(prefix, terms.alphabet())) {
    if (id == TermStore::kEmpty) break;
    id = terms.step(id, symbol);
  }
  return {a.context(), id, a.bound()};
}

bool is_nullable(Lang a) { return a.context().terms().nullable(a.id()); }

CharSet first_symbols(Lang a) {
  TermStore& terms = a.context().terms();
  SetId first = SetTable::kNone;
  for (Arc move : terms.moves(a.id())) first = terms.sets().unite(first, move.set);
  return terms.set(first);
}

CharSet symbols_of(Lang a) {
  TermStore& terms = a.context().terms();
  return terms.set(terms.symbols(a.id()));
}

std::vector<Lang> factors_of(Lang a) {
  TermStore& terms = a.context().terms();
  std::vector<Lang> result;
  TermId rest = a.id();
  for (Term t = terms.term(rest); t.op == Op::kConcat; t = terms.term(rest)) {
    result.emplace_back(a.context(), TermId{t.a}, a.bound());
    rest = TermId{t.b};
  }
  result.emplace_back(a.context(), rest, a.bound());
  return result;
}

bool ends_with(Lang a, Symbol symbol) { return a.context().terms().ends_with(a.id(), symbol); }

std::optional<CharSet> starred_set(Lang a) {
  TermStore& terms = a.context().terms();
  const Term star = terms.term(a.id());
  if (star.op != Op::kStar) return std::nullopt;
  const Term body = terms.term(TermId{star.a});
  return body.op == Op::kSet ? std::optional(terms.set(SetId{body.a})) : std::nullopt;
}

bool contains(Lang a, std::string_view word) {
  TermStore& terms = a.context().terms();
  return accepts(terms, a.id(), decode(word, terms.alphabet()));
}

}  // namespace nacre::regular
