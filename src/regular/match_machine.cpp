// The machine guesses where matches begin and end, and remembers what would prove a guess wrong.
//
// Reading a symbol outside of a match claims "no match begins here"; ending a match claims "no
// longer one begins where it began". Either claim is a state of the pattern that must never accept
// from here on: an obligation. Obligations are advanced with every symbol and fail as soon as one
// accepts; one that is dead is fulfilled. For each input exactly one run survives, so image and
// pre-image are exact. Whether a pattern state accepts may depend on the next symbol ($, \b), so
// acceptance is looked at when that symbol is read, or at the end.
//
// As GNU sed has it, a match is never empty where the match before it ended; after an empty match
// the next symbol is passed over. Bash differs, see EmptyMatches.
//
// With parts, a match is parsed while it is read, by a second guess of the same kind: leaving a
// part claims "no longer piece for this part lets the whole match succeed"; the counter-claims are
// sets of (part, state) that must not accept where the match ends.

#include "regular/match_machine.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <tuple>

namespace nacre::regular {
namespace {

using Ids = std::vector<uint32_t>;  // sorted, without duplicates

void add_id(Ids& ids, uint32_t id) {
  const auto at = std::lower_bound(ids.begin(), ids.end(), id);
  if (at == ids.end() || *at != id) ids.insert(at, id);
}

enum class Mode : uint8_t {
  kSearch,       // outside; an empty match may be found here
  kBehindMatch,  // outside, where a match has just ended
  kMatch,        // inside a match that is passed over
  kChosen,       // inside a match that is replaced or printed
  kDone,         // no further match matters
};

struct State {
  Mode mode = Mode::kSearch;
  bool is_at_start = false;  // nothing was read; kept only where it matters
  uint64_t seen = 0;         // matches before this one, up to the number that matters
  uint32_t start = 0;        // of the pattern, for an attempt here
  uint32_t match = 0;        // state of the match being read
  uint32_t part = 0;         // where the parse of a chosen match is
  uint32_t inner = 0;
  uint32_t pending = 0;  // a \u or \l whose part was empty, and what it does: that part, plus 1
  Ids longer;            // counter-claims of the parse: numbers of (part, state)
  Ids obligations;
  [[nodiscard]] auto tied() const {
    return std::tie(mode, is_at_start, seen, start, match, part, inner, pending, longer,
                    obligations);
  }
  friend bool operator<(const State& a, const State& b) { return a.tied() < b.tied(); }
};

class Machine {
 public:
  Machine(const MatchDfa& pattern, const MatchPlan& plan, Alphabet alphabet, const Budget& budget,
          bool checks)
      : pattern_(pattern), plan_(plan), budget_(budget), checks_(checks), fst_(alphabet) {
    uint32_t offset = 0;
    for (const MatchPart& part : plan.parts) {
      offsets_.push_back(offset);
      offset += static_cast<uint32_t>(part.dfa.accepts.size());
    }
  }

  // Nothing if there are more states than the budget allows.
  std::optional<Fst> run() {
    State start;
    start.start = pattern_.starts[kEdge];
    start.is_at_start = plan_.empty_matches == EmptyMatches::kBash;
    number(std::move(start));
    for (size_t next = 0; next < queue_.size(); ++next) {
      if (queue_.size() > budget_.states) return std::nullopt;
      const State& state = queue_[next]->first;
      source_ = queue_[next]->second;
      for (uint32_t c = 0; c < pattern_.classes.size(); ++c) read(state, c);
      finish(state);
    }
    return fst_.finish(checks_ && plan_.is_longest);
  }

 private:
  // What is emitted on the way; the copy belongs to the symbol being read.
  struct Emitted {
    Insert text;
    uint32_t copy = Fst::kDrop;
  };
  // A place in the parse of a match, reached by leaving parts.
  struct Entry {
    uint32_t part;
    uint32_t inner;
    uint32_t pending;
    Ids left;  // (part, state) of the parts that were left, where they could have gone on
    Insert text;
    const SymbolMap* map;  // for the symbol that follows
  };

  uint32_t number(State state) {
    const auto [entry, is_new] = numbers_.try_emplace(std::move(state), fst_.size());
    if (is_new) {
      fst_.add_state();
      queue_.push_back(entry);
    }
    return entry->second;
  }

  // An arc from the state that is being expanded.
  void go(uint32_t c, State to, Emitted emitted) {
    const uint32_t insert = fst_.insert(std::move(emitted.text));
    fst_.arc(source_, pattern_.classes[c], number(std::move(to)), emitted.copy, insert);
  }

  [[nodiscard]] bool outside() const { return plan_.keeps_outside; }
  [[nodiscard]] uint32_t outside_copy() const { return outside() ? Fst::kSame : Fst::kDrop; }

  // --- Obligations.

  void oblige(Ids& obligations, uint32_t state) const {
    if (checks_ && state != MatchDfa::kDead) add_id(obligations, state);
  }

  [[nodiscard]] bool holds(const Ids& obligations, Neighbour after) const {
    return std::none_of(obligations.begin(), obligations.end(),
                        [&](uint32_t state) { return pattern_.accepting(state, after); });
  }

  [[nodiscard]] Ids advance(const Ids& obligations, uint32_t c) const {
    Ids result;
    for (const uint32_t state : obligations) oblige(result, pattern_.step(state, c));
    return result;
  }

  // --- Reading.

  void read(const State& state, uint32_t c) {
    const Neighbour after = pattern_.kinds[c];
    if (!holds(state.obligations, after)) return;
    State next;
    next.seen = state.seen;
    next.start = pattern_.starts[after];
    next.obligations = advance(state.obligations, c);
    switch (state.mode) {
      case Mode::kSearch:
      case Mode::kBehindMatch: search(state, c, std::move(next), {}); return;
      case Mode::kDone:
        next.mode = Mode::kDone;
        next.start = 0;
        go(c, std::move(next), {{}, outside_copy()});
        return;
      case Mode::kMatch:
      case Mode::kChosen: read_in_match(state, c, std::move(next)); return;
    }
  }

  // At a place outside of matches, after `text`.
  void search(const State& here, uint32_t c, State next, Insert text) {
    const uint32_t longer = pattern_.step(here.start, c);
    if (longer != MatchDfa::kDead) begin_match(here, c, next, text);
    const bool may_be_empty = pattern_.accepting(here.start, pattern_.kinds[c]);
    const bool is_empty_match = may_be_empty && takes_empty(here.mode);
    State passed = next;
    passed.mode = Mode::kSearch;
    // A tool that does not take the longest match may have preferred the empty one.
    if (plan_.is_longest || !may_be_empty) oblige(passed.obligations, longer);
    if (!is_empty_match || !checks_) go(c, passed, {text, outside_copy()});
    if (!is_empty_match) return;
    if (is_chosen(here.seen)) append(text, whole_when_empty());
    count_match(passed, here.seen);
    if (is_free() && longer != MatchDfa::kDead && passed.mode == Mode::kSearch) {
      State after = here;
      after.seen = passed.seen;
      begin_match(after, c, std::move(next), text);
    }
    go(c, std::move(passed), {std::move(text), outside_copy()});
  }

  // May a match that is not empty follow an empty one at the same place?
  [[nodiscard]] bool is_free() const {
    return plan_.empty_matches == EmptyMatches::kEverywhere && (!plan_.is_longest || !checks_);
  }

  [[nodiscard]] bool takes_empty(Mode mode) const {
    switch (plan_.empty_matches) {
      case EmptyMatches::kNever: return false;
      case EmptyMatches::kSed: return mode == Mode::kSearch;
      case EmptyMatches::kBash:
      case EmptyMatches::kEverywhere: return true;
    }
    return false;
  }

  [[nodiscard]] bool is_chosen(uint64_t seen) const { return seen + 1 >= plan_.number; }

  // After the match: what is left to do.
  void count_match(State& next, uint64_t seen) const {
    const bool ends = plan_.which == MatchPlan::Which::kNth && is_chosen(seen);
    next.seen = std::min(seen + 1, plan_.number - 1);
    if (!ends) return;
    next.mode = Mode::kDone;
    next.seen = 0;
    next.start = 0;
  }

  void begin_match(const State& here, uint32_t c, State next, const Insert& text) {
    next.match = pattern_.step(here.start, c);
    next.seen = here.seen;
    const bool is_guess = plan_.which == MatchPlan::Which::kAnyOne;
    if (is_guess || !is_chosen(here.seen)) {
      next.mode = Mode::kMatch;
      go(c, next, {text, outside_copy()});
    }
    if (is_guess || is_chosen(here.seen)) {
      next.mode = Mode::kChosen;
      parse(c, next, nullptr, text);
    }
  }

  void read_in_match(const State& state, uint32_t c, State next) {
    if (pattern_.accepting(state.match, pattern_.kinds[c])) end_match(state, c, next);
    next.match = pattern_.step(state.match, c);
    if (next.match == MatchDfa::kDead) return;
    next.mode = state.mode;
    if (state.mode == Mode::kMatch) {
      go(c, std::move(next), {{}, outside_copy()});
    } else {
      parse(c, next, &state, {});
    }
  }

  // The match ends before the symbol, which is then read outside.
  void end_match(const State& state, uint32_t c, State next) {
    std::optional<Insert> text = ending(state);
    if (!text) return;
    if (plan_.is_longest) oblige(next.obligations, pattern_.step(state.match, c));
    State here;
    here.mode = Mode::kBehindMatch;
    here.start = state.start;
    behind_match(here, state);
    if (here.mode == Mode::kDone) {
      next.mode = Mode::kDone;
      next.seen = 0;
      next.start = 0;
      go(c, std::move(next), {std::move(*text), outside_copy()});
    } else {
      next.seen = here.seen;
      search(here, c, std::move(next), std::move(*text));
    }
  }

  void behind_match(State& here, const State& state) const {
    if (plan_.which != MatchPlan::Which::kAnyOne) {
      count_match(here, state.seen);
    } else if (state.mode == Mode::kChosen) {
      here.mode = Mode::kDone;
    }
  }

  // The text at the end of the match, if it may end in this state.
  std::optional<Insert> ending(const State& state) {
    if (state.mode == Mode::kMatch) return Insert{};
    if (plan_.parts.empty()) return plan_.after;
    if (accepts(state.longer)) return std::nullopt;
    for (Entry& entry : leave_parts(&state, std::nullopt)) {
      if (entry.part + 1 != plan_.parts.size()) continue;
      if (!accepting(entry.part, entry.inner)) continue;
      append_text(entry, plan_.after);
      return std::move(entry.text);
    }
    return std::nullopt;
  }

  // --- The parse of a chosen match.

  // Reads `c` inside the match, in the part that `at` is in or in a later one. Null: the match
  // begins.
  void parse(uint32_t c, State next, const State* at, const Insert& text) {
    if (plan_.parts.empty()) {
      go(c, std::move(next), {text, Fst::kDrop});
      return;
    }
    for (Entry& entry : leave_parts(at, c)) {
      const MatchPart& part = plan_.parts[entry.part];
      next.inner = part.dfa.step(entry.inner, c);
      if (next.inner == MatchDfa::kDead) continue;
      next.part = entry.part;
      next.pending = part.is_copied ? 0 : entry.pending;
      next.longer = at && checks_ ? advance_longer(at->longer, c) : Ids{};
      for (const uint32_t id : entry.left) add_id(next.longer, id);
      Insert all = text;
      append(all, entry.text);
      go(c, next, {std::move(all), part.is_copied ? fst_.map(*entry.map) : Fst::kDrop});
    }
  }

  // All places in the parse that can be reached from `at` without reading, in order. With the next
  // symbol given, also what the parts that were left could still have read.
  std::vector<Entry> leave_parts(const State* at, std::optional<uint32_t> c) {
    std::vector<Entry> entries;
    Entry entry{0, 0, 0, {}, {}, nullptr};
    if (at) {
      entry.part = at->part;
      entry.inner = at->inner;
      entry.pending = at->pending;
      entry.map = &plan_.parts[at->part].rest;
    } else {
      enter(entry, 0);
    }
    while (true) {
      entries.push_back(entry);
      if (entry.part + 1 == plan_.parts.size() || !accepting(entry.part, entry.inner)) break;
      const MatchPart& part = plan_.parts[entry.part];
      if (checks_ && c && part.is_greedy) {
        const uint32_t on = part.dfa.step(entry.inner, *c);
        if (on != MatchDfa::kDead) add_id(entry.left, offsets_[entry.part] + on);
      }
      enter(entry, entry.part + 1);
    }
    return entries;
  }

  void enter(Entry& entry, uint32_t index) {
    const MatchPart& part = plan_.parts[index];
    append_text(entry, part.before);
    entry.part = index;
    entry.inner = part.dfa.starts[kEdge];
    entry.map = &part.first;
    if (!part.is_copied) return;
    if (part.has_case_of_first) {
      entry.pending = index + 1;
    } else if (entry.pending != 0) {
      entry.map = &plan_.parts[entry.pending - 1].first;
    }
  }

  // Appends a text; a \u or \l whose own part turned out empty applies to its first symbol.
  void append_text(Entry& entry, const Insert& text) {
    if (text.empty()) return;
    Insert added = text;
    auto* first = std::get_if<std::string>(&added.front());
    if (first && entry.pending != 0) {
      const auto byte = static_cast<unsigned char>(first->front());
      const SymbolMap& map = plan_.parts[entry.pending - 1].first;
      if (byte < 0x80) first->front() = static_cast<char>(map(byte));
    }
    entry.pending = 0;
    append(entry.text, added);
  }

  static void append(Insert& text, const Insert& more) {
    text.insert(text.end(), more.begin(), more.end());
  }

  Insert whole_when_empty() {
    if (plan_.parts.empty()) return plan_.after;
    std::vector<Entry> entries = leave_parts(nullptr, std::nullopt);
    append_text(entries.back(), plan_.after);
    return std::move(entries.back().text);
  }

  [[nodiscard]] bool accepting(uint32_t part, uint32_t inner) const {
    return plan_.parts[part].dfa.accepts[inner] != 0;
  }

  [[nodiscard]] std::pair<uint32_t, uint32_t> part_of(uint32_t id) const {
    const auto after = std::upper_bound(offsets_.begin(), offsets_.end(), id);
    const auto part = static_cast<uint32_t>(after - offsets_.begin()) - 1;
    return {part, id - offsets_[part]};
  }

  // Would the parse that some counter-claim stands for end here?
  [[nodiscard]] bool accepts(const Ids& longer) const {
    return std::any_of(longer.begin(), longer.end(), [&](uint32_t id) {
      auto [part, inner] = part_of(id);
      while (accepting(part, inner)) {
        if (++part == plan_.parts.size()) return true;
        inner = plan_.parts[part].dfa.starts[kEdge];
      }
      return false;
    });
  }

  [[nodiscard]] Ids advance_longer(const Ids& longer, uint32_t c) const {
    Ids result;
    for (const uint32_t id : longer) {
      auto [part, inner] = part_of(id);
      while (true) {
        const uint32_t on = plan_.parts[part].dfa.step(inner, c);
        if (on != MatchDfa::kDead) add_id(result, offsets_[part] + on);
        if (!accepting(part, inner) || ++part == plan_.parts.size()) break;
        inner = plan_.parts[part].dfa.starts[kEdge];
      }
    }
    return result;
  }

  // --- The end of the input.

  void finish(const State& state) {
    if (!holds(state.obligations, kEdge)) return;
    switch (state.mode) {
      case Mode::kSearch:
      case Mode::kBehindMatch: finish_outside(state); return;
      case Mode::kDone: fst_.accept(source_); return;
      case Mode::kMatch:
      case Mode::kChosen: finish_in_match(state); return;
    }
  }

  void finish_outside(const State& state) {
    const bool is_taken =
        plan_.empty_matches == EmptyMatches::kBash ? state.is_at_start : takes_empty(state.mode);
    const bool is_empty_match = is_taken && pattern_.accepting(state.start, kEdge);
    if (plan_.which == MatchPlan::Which::kAnyOne) return;
    const bool replaces = is_empty_match && is_chosen(state.seen);
    if (replaces) fst_.accept(source_, fst_.insert(whole_when_empty()));
    if (!replaces || !checks_) fst_.accept(source_);
  }

  void finish_in_match(const State& state) {
    if (!pattern_.accepting(state.match, kEdge)) return;
    if (plan_.which == MatchPlan::Which::kAnyOne && state.mode == Mode::kMatch) return;
    std::optional<Insert> text = ending(state);
    if (!text) return;
    State here;
    here.mode = Mode::kBehindMatch;
    behind_match(here, state);
    const bool is_empty_match = here.mode != Mode::kDone && is_chosen(here.seen) &&
                                plan_.empty_matches == EmptyMatches::kEverywhere &&
                                pattern_.accepting(state.start, kEdge);
    if (!is_empty_match || !checks_) fst_.accept(source_, fst_.insert(*text));
    if (!is_empty_match) return;
    append(*text, whole_when_empty());
    fst_.accept(source_, fst_.insert(std::move(*text)));
  }

  const MatchDfa& pattern_;
  const MatchPlan& plan_;
  const Budget& budget_;
  bool checks_;
  FstBuilder fst_;
  Ids offsets_;  // by part: the number of its state 0
  std::map<State, uint32_t> numbers_;
  std::vector<std::map<State, uint32_t>::const_iterator> queue_;
  uint32_t source_ = 0;  // the state that is being expanded
};

}  // namespace

Fst match_machine(const MatchDfa& pattern, const MatchPlan& plan, Alphabet alphabet,
                  const Budget& budget) {
  if (pattern.is_exact) {
    if (auto fst = Machine(pattern, plan, alphabet, budget, true).run()) return std::move(*fst);
  }
  if (auto fst = Machine(pattern, plan, alphabet, budget, false).run()) return std::move(*fst);
  // Not even the bare machine fits: relate everything to everything.
  FstBuilder any(alphabet);
  const uint32_t state = any.add_state();
  any.arc(state, CharSet::all(alphabet), state, Fst::kDrop);
  auto anything = std::make_shared<Dfa>();
  anything->alphabet = alphabet;
  anything->classes = {CharSet::all(alphabet)};
  anything->rows = {0, 1};
  anything->arcs = {{0, 0}};
  anything->accepting = {1};
  any.accept(state, any.insert(Insert{std::shared_ptr<const Dfa>(anything)}));
  return any.finish(false);
}

}  // namespace nacre::regular
