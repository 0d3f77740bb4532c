#include "regular/words.h"

#include <algorithm>
#include <cassert>
#include <map>

#include "regular/decide.h"

namespace nacre::regular {
namespace {

// More symbols than this of one class (Unicode) are not told apart by enumerations.
constexpr uint32_t kMaxSymbols = 4096;

bool accepts_nothing(const Dfa& dfa) {
  return std::all_of(dfa.accepting.begin(), dfa.accepting.end(), [](auto a) { return a == 0; });
}

std::vector<Symbol> in_natural_order(const CharSet& set) {
  std::vector<Symbol> symbols;
  CharSet rest = set;
  while (!rest.empty() && rest.most_natural() < 0x80 && symbols.size() < 128) {
    symbols.push_back(rest.most_natural());
    rest = rest - CharSet::of(symbols.back());
  }
  for (SymbolRange range : rest.ranges()) {
    for (Symbol s = range.first; s <= range.last && symbols.size() < kMaxSymbols; ++s) {
      symbols.push_back(s);
    }
  }
  return symbols;
}

// By state, the length of its shortest accepted word; the automaton is minimal, so there is one.
std::vector<uint32_t> distances(const Dfa& dfa) {
  std::vector<uint32_t> distance(dfa.size(), kUnbounded);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t state = dfa.size(); state-- > 0;) {
      uint32_t best = dfa.accepting[state] != 0 ? 0 : kUnbounded;
      for (DfaArc arc : dfa.arcs_of(state)) {
        if (distance[arc.target] != kUnbounded) best = std::min(best, distance[arc.target] + 1);
      }
      changed |= best != distance[state];
      distance[state] = best;
    }
  }
  return distance;
}

}  // namespace

bool LengthSet::contains(uint64_t length) const {
  if (length < head.size()) return head[length];
  return !cycle.empty() && cycle[(length - head.size()) % cycle.size()];
}

bool LengthSet::empty() const {
  auto none = [](const std::vector<bool>& bits) {
    return std::find(bits.begin(), bits.end(), true) == bits.end();
  };
  return none(head) && none(cycle);
}

uint32_t LengthSet::least() const {
  assert(!empty());
  uint32_t length = 0;
  while (!contains(length)) ++length;
  return length;
}

uint32_t LengthSet::most() const {
  if (std::find(cycle.begin(), cycle.end(), true) != cycle.end()) return kUnbounded;
  auto length = static_cast<uint32_t>(head.size());
  while (length > 0 && !head[length - 1]) --length;
  return length == 0 ? 0 : length - 1;
}

// The sets of states reached by words of length 0, 1, 2, ... repeat from some point on.
LengthSet lengths_of(Lang a, const Budget& budget) {
  BoundedDfa bounded = to_dfa(a, budget);
  const Dfa& dfa = *bounded.dfa;
  LengthSet result;
  result.is_exact = bounded.is_exact;
  std::map<std::vector<uint32_t>, size_t> seen;
  std::vector<uint32_t> states = {0};
  uint64_t steps = 0;
  while (!states.empty()) {
    auto [at, is_new] = seen.emplace(states, result.head.size());
    if (!is_new) {
      result.cycle.assign(result.head.begin() + static_cast<std::ptrdiff_t>(at->second),
                          result.head.end());
      result.head.resize(at->second);
      return result;
    }
    if (steps > budget.steps) {  // any longer length
      result.cycle = {true};
      result.is_exact = false;
      return result;
    }
    std::vector<uint32_t> next;
    bool accepts = false;
    for (uint32_t state : states) {
      accepts |= dfa.accepting[state] != 0;
      for (DfaArc arc : dfa.arcs_of(state)) next.push_back(arc.target);
    }
    steps += next.size() + 1;
    result.head.push_back(accepts);
    std::sort(next.begin(), next.end());
    next.erase(std::unique(next.begin(), next.end()), next.end());
    states = std::move(next);
  }
  return result;
}

// A minimal automaton has infinitely many words if and only if it has a cycle: repeatedly take away
// states without successors.
std::optional<bool> is_finite(Lang a, const Budget& budget) {
  BoundedDfa bounded = to_dfa(a, budget);
  if (!bounded.is_exact) return std::nullopt;
  const Dfa& dfa = *bounded.dfa;
  std::vector<uint32_t> arcs_left(dfa.size());
  std::vector<std::vector<uint32_t>> sources(dfa.size());
  std::vector<uint32_t> ends;
  for (uint32_t state = 0; state < dfa.size(); ++state) {
    arcs_left[state] = static_cast<uint32_t>(dfa.arcs_of(state).size());
    if (arcs_left[state] == 0) ends.push_back(state);
    for (DfaArc arc : dfa.arcs_of(state)) sources[arc.target].push_back(state);
  }
  for (size_t i = 0; i < ends.size(); ++i) {
    for (uint32_t source : sources[ends[i]]) {
      if (--arcs_left[source] == 0) ends.push_back(source);
    }
  }
  return ends.size() == dfa.size();
}

Enumeration::Enumeration(std::shared_ptr<const Dfa> dfa)
    : dfa_(std::move(dfa)), choices_(dfa_->size()) {
  accepts_in_.emplace_back(dfa_->accepting.begin(), dfa_->accepting.end());
}

const std::vector<Enumeration::Choice>& Enumeration::choices(uint32_t state) {
  if (choices_[state].empty()) {
    CharSet all;
    for (DfaArc arc : dfa_->arcs_of(state)) all.add(dfa_->classes[arc.symbols]);
    for (Symbol symbol : in_natural_order(all)) {
      for (DfaArc arc : dfa_->arcs_of(state)) {
        if (dfa_->classes[arc.symbols].contains(symbol)) {
          choices_[state].push_back({symbol, arc.target});
        }
      }
    }
  }
  return choices_[state];
}

// False if there are no words of this length or any greater one.
bool Enumeration::advance_length() {
  if (is_started_) {
    ++length_;
    std::vector<bool> longer(dfa_->size(), false);
    for (uint32_t state = 0; state < dfa_->size(); ++state) {
      for (DfaArc arc : dfa_->arcs_of(state)) {
        longer[state] = longer[state] || accepts_in_.back()[arc.target];
      }
    }
    accepts_in_.push_back(std::move(longer));
  }
  is_started_ = true;
  path_ = {{0, 0}};
  word_.clear();
  const auto& now = accepts_in_.back();
  return std::find(now.begin(), now.end(), true) != now.end();
}

std::optional<std::string> Enumeration::next() {
  for (;;) {
    if (path_.empty() && !advance_length()) return std::nullopt;
    Step& step = path_.back();
    size_t rest = length_ - word_.size();
    bool is_leaf = rest == 0 || !accepts_in_[rest][step.state];
    std::optional<std::string> found;
    if (rest == 0 && step.choice == 0 && dfa_->accepting[step.state] != 0) {
      found.emplace();
      for (Symbol symbol : word_) append_symbol(*found, symbol, dfa_->alphabet);
    }
    if (is_leaf || step.choice == choices(step.state).size()) {
      path_.pop_back();
      if (!word_.empty()) word_.pop_back();
      if (found) return found;
      continue;
    }
    Choice choice = choices(step.state)[step.choice++];
    if (!accepts_in_[rest - 1][choice.target]) continue;
    word_.push_back(choice.symbol);
    path_.push_back({choice.target, 0});
  }
}

std::vector<std::string> first_words(Lang a, size_t count, const Budget& budget) {
  BoundedDfa bounded = to_dfa(a, budget);
  std::vector<std::string> words;
  if (!bounded.is_exact) return words;
  Enumeration enumeration(bounded.dfa);
  while (words.size() < count) {
    std::optional<std::string> word = enumeration.next();
    if (!word) break;
    words.push_back(std::move(*word));
  }
  return words;
}

namespace {

// The words that look like this one: runs of letters and of digits of any length.
Lang of_same_shape(Context& cx, std::string_view word) {
  CharSet letters = CharSet::range('a', 'z') | CharSet::range('A', 'Z');
  CharSet digits = CharSet::range('0', '9');
  Lang shape = cx.epsilon();
  CharSet last;
  for (Symbol symbol : decode(word, cx.alphabet())) {
    bool is_run = letters.contains(symbol) || digits.contains(symbol);
    CharSet set = letters.contains(symbol)  ? letters
                  : digits.contains(symbol) ? digits
                                            : CharSet::of(symbol);
    if (is_run && set == last) continue;
    shape = shape + (is_run ? plus(cx.set(set)) : cx.set(set));
    last = set;
  }
  return shape;
}

}  // namespace

std::vector<std::string> examples_of(Lang a, size_t count, const Budget& budget) {
  std::vector<std::string> words;
  for (Lang rest = a; words.size() < count;) {
    std::optional<std::string> word = shortest(rest, budget);
    if (!word) break;
    rest = rest - of_same_shape(a.context(), *word);
    words.push_back(std::move(*word));
  }
  return words;
}

std::string random_word(const Dfa& dfa, std::mt19937_64& random, size_t about) {
  assert(!accepts_nothing(dfa));
  (void)accepts_nothing;
  auto below = [&](size_t n) { return static_cast<size_t>(random() % n); };
  std::vector<uint32_t> distance = distances(dfa);
  std::string word;
  size_t target = below(2 * about + 1);
  size_t length = 0;
  for (uint32_t state = 0;; ++length) {
    std::vector<DfaArc> arcs;
    for (DfaArc arc : dfa.arcs_of(state)) {
      bool goes_home = distance[arc.target] < distance[state];
      if (distance[arc.target] == kUnbounded || (length >= target && !goes_home)) continue;
      arcs.push_back(arc);
    }
    if (dfa.accepting[state] != 0 && (length >= target || arcs.empty())) return word;
    DfaArc arc = arcs[below(arcs.size())];
    std::vector<Symbol> symbols = in_natural_order(dfa.classes[arc.symbols]);
    size_t readable = 0;
    while (readable < symbols.size() && naturalness(symbols[readable], dfa.alphabet) <= 1) {
      ++readable;
    }
    bool any = readable == 0 || below(16) == 0;
    append_symbol(word, symbols[below(any ? symbols.size() : readable)], dfa.alphabet);
    state = arc.target;
  }
}

}  // namespace nacre::regular
