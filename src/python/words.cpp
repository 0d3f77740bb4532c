// Everything is built as a raw deterministic automaton and then made canonical: trimmed, minimised
// (from the ends backwards where there are no loops, by Moore's refinement elsewhere) and numbered
// breadth first by letter. Operations
// that are not deterministic by nature (concatenation, reversal, substitution) go through subsets.
#include "python/words.h"

#include <algorithm>
#include <functional>

namespace nacre::python {
namespace {

uint64_t mix(uint64_t hash, uint64_t value) {
  hash ^= value + 0x9E3779B97F4A7C15u + (hash << 6) + (hash >> 2);
  return hash * 0xFF51AFD7ED558CCDu;
}

struct VectorHash {
  size_t operator()(const std::vector<uint32_t>& items) const {
    uint64_t hash = items.size();
    for (uint32_t item : items) hash = mix(hash, item);
    return hash;
  }
};

// The states that are reachable from 0 and reach acceptance; empty if state 0 does not.
std::vector<bool> useful_states(const Automaton& a, uint32_t letters) {
  const uint32_t size = a.size();
  std::vector<std::vector<uint32_t>> back(size);
  std::vector<bool> seen(size), live(size);
  std::vector<uint32_t> work = {0};
  seen[0] = true;
  for (size_t i = 0; i < work.size(); ++i) {
    for (uint32_t c = 0; c < letters; ++c) {
      uint32_t target = a.next[work[i] * letters + c];
      if (target == kNoState) continue;
      back[target].push_back(work[i]);
      if (!seen[target]) seen[target] = true, work.push_back(target);
    }
  }
  std::vector<uint32_t> alive;
  for (uint32_t state : work) {
    if (a.accepting[state]) live[state] = true, alive.push_back(state);
  }
  for (size_t i = 0; i < alive.size(); ++i) {
    for (uint32_t source : back[alive[i]]) {
      if (!live[source]) live[source] = true, alive.push_back(source);
    }
  }
  return live;
}

// Moore's partition of the useful states, stopped after `rounds`. Returns the class of each state;
// kNoState for useless ones.
std::vector<uint32_t> moore(const Automaton& a, const std::vector<bool>& useful, uint32_t letters,
                            size_t rounds) {
  const uint32_t size = a.size();
  std::vector<uint32_t> block(size, kNoState);
  uint32_t count = 0;
  bool has_accepting = false, has_other = false;
  for (uint32_t s = 0; s < size; ++s) {
    if (!useful[s]) continue;
    block[s] = a.accepting[s] ? 1 : 0;
    (a.accepting[s] ? has_accepting : has_other) = true;
  }
  count = (has_accepting ? 1u : 0u) + (has_other ? 1u : 0u);
  std::unordered_map<std::vector<uint32_t>, uint32_t, VectorHash> classes;
  std::vector<uint32_t> refined(size, kNoState), signature(letters + 1);
  for (size_t round = 0; round < rounds; ++round) {
    classes.clear();
    for (uint32_t s = 0; s < size; ++s) {
      if (!useful[s]) continue;
      signature[letters] = block[s];
      for (uint32_t c = 0; c < letters; ++c) {
        uint32_t target = a.next[s * letters + c];
        signature[c] = target == kNoState ? kNoState : block[target];
      }
      refined[s] =
          classes.try_emplace(signature, static_cast<uint32_t>(classes.size())).first->second;
    }
    block.swap(refined);
    if (classes.size() == count) break;
    count = static_cast<uint32_t>(classes.size());
  }
  return block;
}

void measure(Automaton& a, uint32_t letters) {
  const uint32_t size = a.size();
  if (size == 0) return;
  std::vector<int64_t> shortest(size, -1), longest(size, -1);
  std::vector<uint32_t> queue = {0};
  shortest[0] = 0;
  a.min_length = kInfinite;
  for (size_t i = 0; i < queue.size(); ++i) {
    uint32_t s = queue[i];
    if (a.accepting[s]) a.min_length = std::min(a.min_length, shortest[s]);
    for (uint32_t c = 0; c < letters; ++c) {
      uint32_t t = a.next[s * letters + c];
      if (t != kNoState && shortest[t] < 0) shortest[t] = shortest[s] + 1, queue.push_back(t);
    }
  }
  // The longest word leads along the longest path; there is none if there is a loop. Every state is
  // reachable and reaches acceptance.
  std::vector<uint32_t> arriving(size, 0), order;
  for (uint32_t t : a.next) {
    if (t != kNoState) ++arriving[t];
  }
  if (arriving[0] == 0) order.push_back(0);
  longest[0] = 0;
  a.max_length = 0;
  for (size_t i = 0; i < order.size(); ++i) {
    const uint32_t s = order[i];
    if (a.accepting[s]) a.max_length = std::max(a.max_length, longest[s]);
    for (uint32_t c = 0; c < letters; ++c) {
      const uint32_t t = a.next[size_t{s} * letters + c];
      if (t == kNoState) continue;
      longest[t] = std::max(longest[t], longest[s] + 1);
      if (--arriving[t] == 0) order.push_back(t);
    }
  }
  if (order.size() < size) a.max_length = kInfinite;
}

// The coarsest partition of the useful states. Those that reach no loop are told apart in one pass
// from the ends backwards; the others start from their distances to acceptance and are refined as
// by moore().
std::vector<uint32_t> minimise(const Automaton& a, const std::vector<bool>& useful,
                               uint32_t letters) {
  const uint32_t size = a.size();
  std::vector<uint32_t> first(size + 1, 0), leaving(size, 0);
  const auto each_arc = [&](const auto& visit) {
    for (uint32_t s = 0; s < size; ++s) {
      if (!useful[s]) continue;
      for (uint32_t c = 0; c < letters; ++c) {
        const uint32_t t = a.next[size_t{s} * letters + c];
        if (t != kNoState && useful[t]) visit(s, t);
      }
    }
  };
  each_arc([&](uint32_t s, uint32_t t) { ++first[t + 1], ++leaving[s]; });
  for (uint32_t s = 0; s < size; ++s) first[s + 1] += first[s];
  std::vector<uint32_t> sources(first[size]), filled(first.begin(), first.end() - 1);
  each_arc([&](uint32_t s, uint32_t t) { sources[filled[t]++] = s; });

  std::vector<uint32_t> block(size, kNoState), order;
  for (uint32_t s = 0; s < size; ++s) {
    if (useful[s] && leaving[s] == 0) order.push_back(s);
  }
  std::unordered_map<std::vector<uint32_t>, uint32_t, VectorHash> classes;
  std::vector<uint32_t> signature(letters + 1);
  const auto sign = [&](uint32_t s, uint32_t own) {
    signature[letters] = own;
    for (uint32_t c = 0; c < letters; ++c) {
      const uint32_t t = a.next[size_t{s} * letters + c];
      signature[c] = t == kNoState ? kNoState : block[t];
    }
  };
  for (size_t i = 0; i < order.size(); ++i) {
    sign(order[i], a.accepting[order[i]]);
    block[order[i]] =
        classes.try_emplace(signature, static_cast<uint32_t>(classes.size())).first->second;
    for (uint32_t k = first[order[i]]; k < first[order[i] + 1]; ++k) {
      if (--leaving[sources[k]] == 0) order.push_back(sources[k]);
    }
  }
  const auto settled = static_cast<uint32_t>(classes.size());

  std::vector<uint32_t> looping, distance(size, kNoState), queue;
  for (uint32_t s = 0; s < size; ++s) {
    if (!useful[s]) continue;
    if (block[s] == kNoState) looping.push_back(s);
    if (a.accepting[s]) distance[s] = 0, queue.push_back(s);
  }
  if (looping.empty()) return block;
  for (size_t i = 0; i < queue.size(); ++i) {
    for (uint32_t k = first[queue[i]]; k < first[queue[i] + 1]; ++k) {
      if (distance[sources[k]] != kNoState) continue;
      distance[sources[k]] = distance[queue[i]] + 1;
      queue.push_back(sources[k]);
    }
  }
  std::vector<bool> has_distance(size);
  size_t count = 0;
  for (uint32_t s : looping) {
    block[s] = settled + distance[s];
    if (!has_distance[distance[s]]) has_distance[distance[s]] = true, ++count;
  }
  std::vector<uint32_t> refined(looping.size());
  while (true) {
    classes.clear();
    for (size_t i = 0; i < looping.size(); ++i) {
      sign(looping[i], block[looping[i]]);
      refined[i] =
          settled +
          classes.try_emplace(signature, static_cast<uint32_t>(classes.size())).first->second;
    }
    for (size_t i = 0; i < looping.size(); ++i) block[looping[i]] = refined[i];
    if (classes.size() == count) return block;
    count = classes.size();
  }
}

}  // namespace

struct WordStore::Nfa {
  // Arcs are (source, letter, target); `letters` as letter means an empty step.
  std::vector<std::vector<std::pair<Letter, uint32_t>>> arcs;
  std::vector<std::vector<uint32_t>> empties;
  std::vector<uint8_t> accepting;
  std::vector<uint32_t> initial;

  uint32_t add_state(bool accepts) {
    arcs.emplace_back();
    empties.emplace_back();
    accepting.push_back(accepts ? 1 : 0);
    return static_cast<uint32_t>(accepting.size() - 1);
  }
  // Copies the states of `a`, returns where they begin.
  uint32_t add(const Automaton& a, uint32_t letters, bool keeps_accepting) {
    uint32_t base = static_cast<uint32_t>(accepting.size());
    for (uint32_t s = 0; s < a.size(); ++s) add_state(keeps_accepting && a.accepting[s]);
    for (uint32_t s = 0; s < a.size(); ++s) {
      for (uint32_t c = 0; c < letters; ++c) {
        uint32_t t = a.next[s * letters + c];
        if (t != kNoState) arcs[base + s].emplace_back(static_cast<Letter>(c), base + t);
      }
    }
    return base;
  }
};

size_t WordStore::KeyHash::operator()(const Key& key) const {
  return mix(mix(mix(static_cast<uint64_t>(key.op), key.a), key.b), key.c);
}

WordStore::WordStore(uint32_t letters, uint32_t max_states, uint64_t max_work)
    : letters_(letters), max_states_(max_states), max_work_(max_work) {
  none_ = intern({});
  Automaton nothing_but_empty{std::vector<uint32_t>(letters, kNoState), {1}, 0, 0};
  empty_word_ = add(std::move(nothing_but_empty));
  Automaton everything{std::vector<uint32_t>(letters, 0), {1}, 0, 0};
  all_ = add(std::move(everything));
}

Words WordStore::exhaust() {
  exhausted_ = true;
  return all_;
}

Words WordStore::intern(Automaton minimal) {
  uint64_t hash = minimal.size();
  for (uint32_t target : minimal.next) hash = mix(hash, target);
  for (uint8_t accepts : minimal.accepting) hash = mix(hash, accepts);
  auto [first, last] = by_hash_.equal_range(hash);
  for (auto it = first; it != last; ++it) {
    if ((*this)[it->second] == minimal) return it->second;
  }
  measure(minimal, letters_);
  Words id{static_cast<uint32_t>(automata_.size())};
  owned_.push_back(std::make_unique<Automaton>(std::move(minimal)));
  automata_.push_back(owned_.back().get());
  by_hash_.emplace(hash, id);
  return id;
}

Words WordStore::add(Automaton raw) {
  if (raw.size() == 0) return none_;
  work_ += raw.next.size();
  if (work_ > max_work_) exhausted_ = true;
  std::vector<bool> useful = useful_states(raw, letters_);
  if (!useful[0]) return none_;
  std::vector<uint32_t> block = minimise(raw, useful, letters_);
  // Number the classes breadth first by letter.
  std::vector<uint32_t> number(raw.size() + 2, kNoState), member = {0};
  number[block[0]] = 0;
  Automaton minimal;
  for (size_t i = 0; i < member.size(); ++i) {
    minimal.accepting.push_back(raw.accepting[member[i]]);
    for (uint32_t c = 0; c < letters_; ++c) {
      uint32_t t = raw.next[member[i] * letters_ + c];
      if (t == kNoState || !useful[t]) {
        minimal.next.push_back(kNoState);
        continue;
      }
      if (number[block[t]] == kNoState) {
        number[block[t]] = static_cast<uint32_t>(member.size());
        member.push_back(t);
      }
      minimal.next.push_back(number[block[t]]);
    }
  }
  return intern(std::move(minimal));
}

template <typename Make>
Words WordStore::remembered(Op op, uint64_t a, uint64_t b, uint64_t c, Make make) {
  Key key{op, a, b, c};
  if (auto found = memory_.find(key); found != memory_.end()) return found->second;
  Words result = make();
  if (!exhausted_) memory_.emplace(key, result);
  return result;
}

Words WordStore::one_of(const LetterSet& set) {
  Automaton raw{std::vector<uint32_t>(2 * letters_, kNoState), {0, 1}, 0, 0};
  for (uint32_t c = 0; c < letters_; ++c) {
    if (set[c]) raw.next[c] = 1;
  }
  return add(std::move(raw));
}

Words WordStore::word(const Word& word) {
  Automaton raw{std::vector<uint32_t>((word.size() + 1) * letters_, kNoState),
                std::vector<uint8_t>(word.size() + 1, 0), 0, 0};
  for (size_t i = 0; i < word.size(); ++i)
    raw.next[i * letters_ + word[i]] = static_cast<uint32_t>(i + 1);
  raw.accepting[word.size()] = 1;
  if (raw.size() > max_states_) return exhaust();
  return add(std::move(raw));
}

Words WordStore::lengths(int64_t least, int64_t most) {
  least = std::max<int64_t>(least, 0);
  if (most < least) return none_;
  bool has_limit = most < kInfinite;
  int64_t size = (has_limit ? most : least) + 1;
  if (size > max_states_) return exhaust();
  return remembered(Op::kLengths, static_cast<uint64_t>(least),
                    has_limit ? static_cast<uint64_t>(most) : ~uint64_t{0}, 0, [&] {
                      Automaton raw;
                      for (int64_t i = 0; i < size; ++i) {
                        raw.accepting.push_back(i >= least ? 1 : 0);
                        uint32_t target = i + 1 < size ? static_cast<uint32_t>(i + 1)
                                          : has_limit  ? kNoState
                                                       : static_cast<uint32_t>(i);
                        raw.next.insert(raw.next.end(), letters_, target);
                      }
                      return add(std::move(raw));
                    });
}

Words WordStore::remainder(int64_t modulus, int64_t rest) {
  if (modulus > max_states_) return exhaust();
  Automaton raw;
  for (int64_t i = 0; i < modulus; ++i) {
    raw.accepting.push_back(i == rest ? 1 : 0);
    raw.next.insert(raw.next.end(), letters_, static_cast<uint32_t>((i + 1) % modulus));
  }
  return add(std::move(raw));
}

// Pairs of states; kNoState stands for the dead state, which unions and differences still pass.
Words WordStore::product(Words a, Words b, Op op) {
  const Automaton& left = (*this)[a];
  const Automaton& right = (*this)[b];
  auto start = [](const Automaton& x) { return x.size() == 0 ? kNoState : 0; };
  std::unordered_map<uint64_t, uint32_t> numbers;
  std::vector<std::pair<uint32_t, uint32_t>> pairs;
  auto number = [&](uint32_t p, uint32_t q) {
    bool is_dead = op == Op::kIntersect ? p == kNoState || q == kNoState
                   : op == Op::kMinus   ? p == kNoState
                                        : p == kNoState && q == kNoState;
    if (is_dead) return kNoState;
    auto [it, is_new] =
        numbers.try_emplace(uint64_t{p} << 32 | q, static_cast<uint32_t>(pairs.size()));
    if (is_new) pairs.emplace_back(p, q);
    return it->second;
  };
  if (number(start(left), start(right)) == kNoState) return none_;
  Automaton raw;
  for (size_t i = 0; i < pairs.size(); ++i) {
    if (pairs.size() > max_states_) return exhaust();
    auto [p, q] = pairs[i];
    bool in_left = p != kNoState && left.accepting[p];
    bool in_right = q != kNoState && right.accepting[q];
    bool accepts = op == Op::kIntersect ? in_left && in_right
                   : op == Op::kMinus   ? in_left && !in_right
                                        : in_left || in_right;
    raw.accepting.push_back(accepts ? 1 : 0);
    for (uint32_t c = 0; c < letters_; ++c) {
      uint32_t next_p = p == kNoState ? kNoState : left.next[p * letters_ + c];
      uint32_t next_q = q == kNoState ? kNoState : right.next[q * letters_ + c];
      raw.next.push_back(number(next_p, next_q));
    }
  }
  return add(std::move(raw));
}

Words WordStore::intersect(Words a, Words b) {
  if (a == b || b == all_) return a;
  if (a == all_) return b;
  if (a == none_ || b == none_) return none_;
  if (a > b) std::swap(a, b);
  return remembered(Op::kIntersect, static_cast<uint32_t>(a), static_cast<uint32_t>(b), 0,
                    [&] { return product(a, b, Op::kIntersect); });
}

Words WordStore::unite(Words a, Words b) {
  if (a == b || b == none_) return a;
  if (a == none_) return b;
  if (a == all_ || b == all_) return all_;
  if (a > b) std::swap(a, b);
  return remembered(Op::kUnite, static_cast<uint32_t>(a), static_cast<uint32_t>(b), 0,
                    [&] { return product(a, b, Op::kUnite); });
}

Words WordStore::minus(Words a, Words b) {
  if (a == b || a == none_ || b == all_) return none_;
  if (b == none_) return a;
  return remembered(Op::kMinus, static_cast<uint32_t>(a), static_cast<uint32_t>(b), 0,
                    [&] { return product(a, b, Op::kMinus); });
}

Words WordStore::determinise(const Nfa& nfa) {
  std::unordered_map<std::vector<uint32_t>, uint32_t, VectorHash> numbers;
  std::vector<std::vector<uint32_t>> subsets;
  std::vector<uint32_t> mark(nfa.accepting.size(), 0);
  uint32_t epoch = 0;
  auto close = [&](const std::vector<uint32_t>& subset) {
    ++epoch;
    std::vector<uint32_t> closed;
    for (uint32_t s : subset) {
      if (mark[s] != epoch) mark[s] = epoch, closed.push_back(s);
    }
    for (size_t i = 0; i < closed.size(); ++i) {
      for (uint32_t t : nfa.empties[closed[i]]) {
        if (mark[t] != epoch) mark[t] = epoch, closed.push_back(t);
      }
    }
    std::sort(closed.begin(), closed.end());
    return closed;
  };
  auto number = [&](std::vector<uint32_t> subset) {
    if (subset.empty()) return kNoState;
    auto [it, is_new] = numbers.try_emplace(subset, static_cast<uint32_t>(subsets.size()));
    if (is_new) subsets.push_back(std::move(subset));
    return it->second;
  };
  if (number(close(nfa.initial)) == kNoState) return none_;
  Automaton raw;
  std::vector<std::vector<uint32_t>> targets(letters_);
  for (size_t i = 0; i < subsets.size(); ++i) {
    if (subsets.size() > max_states_) return exhaust();
    bool accepts = false;
    for (auto& target : targets) target.clear();
    for (uint32_t s : std::vector<uint32_t>(subsets[i])) {
      accepts |= nfa.accepting[s] != 0;
      for (auto [letter, t] : nfa.arcs[s]) targets[letter].push_back(t);
    }
    raw.accepting.push_back(accepts ? 1 : 0);
    for (uint32_t c = 0; c < letters_; ++c) {
      raw.next.push_back(targets[c].empty() ? kNoState : number(close(targets[c])));
    }
  }
  return add(std::move(raw));
}

Words WordStore::concat(Words a, Words b) {
  if (a == none_ || b == none_) return none_;
  if (a == empty_word_) return b;
  if (b == empty_word_) return a;
  return remembered(Op::kConcat, static_cast<uint32_t>(a), static_cast<uint32_t>(b), 0, [&] {
    Nfa nfa;
    const Automaton& left = (*this)[a];
    nfa.add(left, letters_, false);
    uint32_t second = nfa.add((*this)[b], letters_, true);
    for (uint32_t s = 0; s < left.size(); ++s) {
      if (left.accepting[s]) nfa.empties[s].push_back(second);
    }
    nfa.initial = {0};
    return determinise(nfa);
  });
}

Words WordStore::star(Words a) {
  if (a == none_ || a == empty_word_) return empty_word_;
  return remembered(Op::kStar, static_cast<uint32_t>(a), 0, 0, [&] {
    Nfa nfa;
    uint32_t hub = nfa.add_state(true);
    uint32_t base = nfa.add((*this)[a], letters_, true);
    nfa.empties[hub].push_back(base);
    for (uint32_t s = 0; s < (*this)[a].size(); ++s) {
      if ((*this)[a].accepting[s]) nfa.empties[base + s].push_back(hub);
    }
    nfa.initial = {hub};
    return determinise(nfa);
  });
}

Words WordStore::reverse(Words a) {
  return remembered(Op::kReverse, static_cast<uint32_t>(a), 0, 0, [&] {
    const Automaton& from = (*this)[a];
    Nfa nfa;
    for (uint32_t s = 0; s < from.size(); ++s) nfa.add_state(s == 0);
    for (uint32_t s = 0; s < from.size(); ++s) {
      if (from.accepting[s]) nfa.initial.push_back(s);
      for (uint32_t c = 0; c < letters_; ++c) {
        uint32_t t = from.next[s * letters_ + c];
        if (t != kNoState) nfa.arcs[t].emplace_back(static_cast<Letter>(c), s);
      }
    }
    return determinise(nfa);
  });
}

Words WordStore::between(Words a, uint32_t p, uint32_t q) {
  return remembered(Op::kBetween, static_cast<uint32_t>(a), p, q, [&] {
    const Automaton& from = (*this)[a];
    Automaton raw;
    // State p comes first; the others keep their order.
    auto renamed = [&](uint32_t s) { return s == kNoState ? s : s == p ? 0 : s < p ? s + 1 : s; };
    auto original = [&](uint32_t s) { return s == 0 ? p : s <= p ? s - 1 : s; };
    for (uint32_t s = 0; s < from.size(); ++s) {
      uint32_t state = original(s);
      raw.accepting.push_back(state == q ? 1 : 0);
      for (uint32_t c = 0; c < letters_; ++c)
        raw.next.push_back(renamed(from.next[state * letters_ + c]));
    }
    return add(std::move(raw));
  });
}

Words WordStore::residual(Words a, uint32_t p) {
  if (p == 0) return a;
  return remembered(Op::kResidual, static_cast<uint32_t>(a), p, 0, [&] {
    const Automaton& from = (*this)[a];
    Automaton raw;
    auto renamed = [&](uint32_t s) { return s == kNoState ? s : s == p ? 0 : s < p ? s + 1 : s; };
    auto original = [&](uint32_t s) { return s == 0 ? p : s <= p ? s - 1 : s; };
    for (uint32_t s = 0; s < from.size(); ++s) {
      uint32_t state = original(s);
      raw.accepting.push_back(from.accepting[state]);
      for (uint32_t c = 0; c < letters_; ++c)
        raw.next.push_back(renamed(from.next[state * letters_ + c]));
    }
    return add(std::move(raw));
  });
}

Words WordStore::generalise(Words a, uint32_t k) {
  if (a == none_) return a;
  const Automaton& from = (*this)[a];
  std::vector<uint32_t> block = moore(from, std::vector<bool>(from.size(), true), letters_, k);
  Nfa nfa;
  uint32_t count = *std::max_element(block.begin(), block.end()) + 1;
  for (uint32_t i = 0; i < count; ++i) nfa.add_state(false);
  for (uint32_t s = 0; s < from.size(); ++s) {
    if (from.accepting[s]) nfa.accepting[block[s]] = 1;
    for (uint32_t c = 0; c < letters_; ++c) {
      uint32_t t = from.next[s * letters_ + c];
      if (t != kNoState) nfa.arcs[block[s]].emplace_back(static_cast<Letter>(c), block[t]);
    }
  }
  nfa.initial = {block[0]};
  return determinise(nfa);
}

Words WordStore::over_letters_of(Words a) { return star(one_of(letters_in(a))); }

Words WordStore::from_arcs(const std::vector<WordArc>& arcs,
                           const std::vector<uint8_t>& accepting) {
  Nfa nfa;
  for (uint8_t accepts : accepting) nfa.add_state(accepts != 0);
  for (const WordArc& arc : arcs) {
    uint32_t at = arc.source;
    for (size_t i = 0; i < arc.word.size(); ++i) {
      uint32_t to = i + 1 == arc.word.size() ? arc.target : nfa.add_state(false);
      nfa.arcs[at].emplace_back(arc.word[i], to);
      at = to;
    }
    if (arc.word.empty()) nfa.empties[arc.source].push_back(arc.target);
  }
  if (!accepting.empty()) nfa.initial = {0};
  return determinise(nfa);
}

}  // namespace nacre::python
