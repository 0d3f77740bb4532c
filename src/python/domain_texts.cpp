// Texts of a state: membership, cuts, scans, and examples.
#include <algorithm>

#include "python/domain.h"

namespace nacre::python {

Words Domain::language(const State& state, const Text& text) const {
  Words result = words_.empty_word();
  for (SymbolId id : state.text(text)) result = words_.concat(result, state[id].words);
  return result;
}

bool Domain::is_exact(const Word& word) const {
  return is_concrete_ ||
         std::all_of(word.begin(), word.end(), [&](Letter letter) { return is_single_[letter]; });
}

std::optional<Word> Domain::constant(const State& state, const Text& text) const {
  Word result;
  for (SymbolId id : state.text(text)) {
    std::optional<Word> part = words_.single(state[id].words);
    if (!part || !is_exact(*part)) return std::nullopt;
    result.insert(result.end(), part->begin(), part->end());
  }
  return result;
}

Text Domain::constant_text(State& state, const Word& word) const {
  if (word.empty()) return {};
  return {state.add_word(words_.word(word))};
}

namespace {

// Replaces a symbol by two (or by one, where the other can only be empty).
void split_symbol(State& state, const WordStore& words, SymbolId id, Words left, Words right) {
  SymbolId first = state.add_word(left);
  SymbolId second = state.add_word(right);
  if (right == words.empty_word())
    second = first;
  else if (left == words.empty_word())
    first = second;
  state[id] = {Symbol::Kind::kCut, {}, first, second, {}, {}};
}

}  // namespace

Split Domain::member(State state, const Text& stale, Words set) const {
  Split out;
  Text text = state.text(stale);
  if (words_.is_empty(set)) {
    out.no.push_back(std::move(state));
    return out;
  }
  member_from(std::move(state), text, 0, set, 0, out);
  return out;
}

// The automaton of `set` is in state `from` when the symbol `at` begins.
void Domain::member_from(State state, const Text& text, size_t at, Words set, uint32_t from,
                         Split& out) const {
  const Automaton& automaton = words_[set];
  Words rest = words_.residual(set, from);
  if (rest == words_.all()) return out.yes.push_back(std::move(state));
  if (at == text.size())
    return (automaton.accepting[from] ? out.yes : out.no).push_back(std::move(state));
  SymbolId id = text[at];
  Words own = state[id].words;
  if (at + 1 == text.size()) {
    State other = state;
    if (restrict(state, id, rest) && propagate(state)) out.yes.push_back(std::move(state));
    other[id].words = words_.minus(own, rest);
    if (!words_.is_empty(other[id].words) && propagate(other)) out.no.push_back(std::move(other));
    return;
  }
  Words left = own;
  for (uint32_t to = 0; to < automaton.size() && !words_.is_empty(left); ++to) {
    Words way = words_.between(set, from, to);
    Words part = words_.intersect(left, way);
    if (words_.is_empty(part)) continue;
    left = words_.minus(left, way);
    if (words_.is_empty(left)) {
      state[id].words = part;
      if (propagate(state)) member_from(std::move(state), text, at + 1, set, to, out);
      return;
    }
    State next = state;
    next[id].words = part;
    if (propagate(next)) member_from(std::move(next), text, at + 1, set, to, out);
  }
  state[id].words = left;
  if (propagate(state)) out.no.push_back(std::move(state));
}

std::vector<Divided> Domain::cut(State state, const Text& stale, const Linear& position) const {
  std::vector<Divided> out;
  Text text = state.text(stale);
  divide(std::move(state), text, 0, position, out);
  return out;
}

// `offset` is the position relative to the start of the symbol `at`; it is not negative.
void Domain::divide(State state, const Text& text, size_t at, const Linear& stale,
                    std::vector<Divided>& out) const {
  Linear offset = state.linear(stale);
  auto here = [&](State at_boundary) {
    auto middle = text.begin() + static_cast<std::ptrdiff_t>(at);
    out.push_back({std::move(at_boundary), Text(text.begin(), middle), Text(middle, text.end())});
  };
  if (offset == Linear()) return here(std::move(state));
  Range bounds = range(state, offset);
  if (bounds.low <= 0) {
    State exact = state;
    if (assume_zero(exact, offset)) here(std::move(exact));
    if (!assume(state, offset - 1)) return;
  }
  if (at == text.size()) return;
  SymbolId id = text[at];
  // Beyond this symbol (or at its end), and inside it.
  State beyond = state;
  if (assume(beyond, offset - Linear::of(id)))
    divide(std::move(beyond), text, at + 1, offset - Linear::of(id), out);
  if (!assume(state, Linear::of(id) - offset - 1)) return;
  offset = state.linear(offset);
  Words own = state[id].words;
  Range inside = range(state, offset);
  for (uint32_t q = 0; q < words_[own].size(); ++q) {
    Words left = words_.intersect(words_.prefixes_to(own, q),
                                  words_.lengths(std::max<int64_t>(1, inside.low),
                                                 inside.high < 1000 ? inside.high : kInfinite));
    Words right = words_.intersect(words_.residual(own, q), words_.lengths(1, kInfinite));
    if (words_.is_empty(left) || words_.is_empty(right)) continue;
    State next = state;
    split_symbol(next, words_, id, left, right);
    SymbolId first = next[id].left;
    SymbolId second = next[id].right;
    if (!assume_zero(next, next.linear(offset) - Linear::of(first))) continue;
    Text before(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at));
    before.push_back(first);
    Text after = {second};
    after.insert(after.end(), text.begin() + static_cast<std::ptrdiff_t>(at) + 1, text.end());
    out.push_back({std::move(next), std::move(before), std::move(after)});
  }
}

Words Domain::first_occurrence(const Word& pattern) const {
  Words ends_with = words_.concat(words_.all(), words_.word(pattern));
  return words_.minus(ends_with, words_.concat(ends_with, words_.lengths(1, kInfinite)));
}

Words Domain::first_letter(const LetterSet& set) const {
  LetterSet others = set;
  others.flip();
  return words_.concat(words_.star(words_.one_of(others)), words_.one_of(set));
}

std::vector<Divided> Domain::scan(State state, const Text& stale, Words first, bool backwards,
                                  States& none) const {
  std::vector<Divided> found;
  Text text = state.text(stale);
  if (words_.is_empty(first))
    none.push_back(std::move(state));
  else
    scan_from(std::move(state), text, 0, first, 0, backwards, found, none);
  return found;
}

// `at` counts from the end when going backwards.
void Domain::scan_from(State state, const Text& text, size_t at, Words first, uint32_t from,
                       bool backwards, std::vector<Divided>& found, States& none) const {
  const Automaton& stop = words_[first];
  if (stop.accepting[from]) {
    auto middle = text.begin() + static_cast<std::ptrdiff_t>(backwards ? text.size() - at : at);
    found.push_back({std::move(state), Text(text.begin(), middle), Text(middle, text.end())});
    return;
  }
  if (at == text.size()) return none.push_back(std::move(state));
  SymbolId id = text[backwards ? text.size() - 1 - at : at];
  Words own = state[id].words;
  if (backwards) own = words_.reverse(own);
  auto directed = [&](Words set) { return backwards ? words_.reverse(set) : set; };
  for (uint32_t to = 0; to < stop.size(); ++to) {
    Words way = words_.between(first, from, to);
    if (!stop.accepting[to]) {
      State next = state;
      if (restrict(next, id, directed(way)) && propagate(next)) {
        scan_from(std::move(next), text, at + 1, first, to, backwards, found, none);
      }
      continue;
    }
    for (uint32_t q = 0; q < words_[own].size(); ++q) {
      Words near = words_.intersect(words_.prefixes_to(own, q), way);
      if (words_.is_empty(near)) continue;
      Words far = words_.residual(own, q);
      State next = state;
      Words left = directed(backwards ? far : near);
      Words right = directed(backwards ? near : far);
      split_symbol(next, words_, id, left, right);
      if (!propagate(next)) continue;
      size_t index = backwards ? text.size() - 1 - at : at;
      Text before(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(index));
      Text after(text.begin() + static_cast<std::ptrdiff_t>(index) + 1, text.end());
      if (left != words_.empty_word()) before.push_back(next[id].left);
      if (right != words_.empty_word()) after.insert(after.begin(), next[id].right);
      found.push_back({std::move(next), std::move(before), std::move(after)});
    }
  }
}

// ---- examples

// Chooses a length for each symbol of the inequalities, smallest first, then words of those
// lengths.
std::optional<std::vector<Word>> Domain::example(const State& given,
                                                 std::vector<int64_t>* numbers) const {
  State state = given;
  for (int round = 0; round < 100 && !state.constraints.empty(); ++round) {
    if (!propagate(state)) return std::nullopt;
    if (state.constraints.empty()) break;
    SymbolId id = state.linear(state.constraints[0]).terms[0].first;
    Range own = range(state, Linear::of(id));
    bool is_fixed = false;
    int64_t start = own.low > -kUnlimited ? own.low : std::min<int64_t>(0, own.high);
    for (int64_t value = start; value <= std::min(own.high, start + 40) && !is_fixed; ++value) {
      State tried = state;
      if (!assume_zero(tried, Linear::of(id) - value)) continue;
      state = std::move(tried);
      is_fixed = true;
    }
    if (!is_fixed) return std::nullopt;
  }
  std::vector<Word> result;
  std::vector<Word> chosen(state.symbols.size());
  for (size_t i = 0; i < state.symbols.size(); ++i) {
    const Symbol& symbol = state.symbols[i];
    if (symbol.kind != Symbol::Kind::kWord) continue;
    std::optional<Word> word = words_.word_of_length(symbol.words, words_[symbol.words].min_length);
    if (word) chosen[i] = std::move(*word);
  }
  for (const Value& input : state.inputs) {
    Word word;
    if (const auto* text = input.as<Text>()) {
      for (SymbolId id : state.text(*text)) {
        const Word& part = chosen[static_cast<uint32_t>(id)];
        word.insert(word.end(), part.begin(), part.end());
      }
    } else if (const auto* number = input.as<Linear>(); number != nullptr && numbers != nullptr) {
      Linear value = state.linear(*number);
      int64_t sum = value.constant;
      for (const Linear::Term& term : value.terms) {
        Range own = range(state, Linear::of(term.first));
        sum += term.second * (own.low > -kUnlimited ? own.low : std::min<int64_t>(own.high, 0));
      }
      numbers->push_back(sum);
    }
    result.push_back(std::move(word));
  }
  return result;
}

}  // namespace nacre::python
