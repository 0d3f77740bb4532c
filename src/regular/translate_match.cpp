#include "regular/translate_match.h"

#include <algorithm>

#include "regular/fst.h"
#include "regular/match_machine.h"

namespace nacre::regular {
namespace {

SymbolMap case_map(Alphabet alphabet, LetterCase to) {
  const bool is_unicode = alphabet == Alphabet::kCodePoints;
  switch (to) {
    case LetterCase::kUpper:
      return is_unicode ? SymbolMap::unicode_upper() : SymbolMap::ascii_upper();
    case LetterCase::kLower:
      return is_unicode ? SymbolMap::unicode_lower() : SymbolMap::ascii_lower();
    case LetterCase::kKeep: return {};
  }
  return {};
}

// A part that takes the whole match, whatever it is.
MatchPart whole_match(const MatchDfa& pattern) {
  MatchPart part;
  part.dfa.classes = pattern.classes;
  part.dfa.table.assign(pattern.classes.size(), 0);
  part.dfa.accepts = {kAnyNeighbour};
  part.dfa.starts = {0};
  part.is_copied = true;
  return part;
}

// Lays a replacement over the parts of a match. References are copied as long as they name later
// and later parts; one that does not stands for any word of its group.
class ReplacementPlan {
 public:
  ReplacementPlan(const MatchPattern& pattern, const Replacement& replacement) : pattern_(pattern) {
    const bool has_groups = std::any_of(replacement.begin(), replacement.end(),
                                        [](const auto& i) { return i.group.value_or(0) > 0; });
    if (has_groups) {
      for (const MatchPattern::Part& part : pattern.parts) add_part(part);
    }
    for (const ReplacementItem& item : replacement) {
      add(item);
      if (item.first != LetterCase::kKeep) first_ = item.first;
    }
    if (next_ == 0) plan_.parts.clear();  // nothing is copied, so nothing needs to be parsed
    if (plan_.parts.size() > 1 && !pattern.splits_exactly) is_exact_ = false;
    plan_.after = std::move(text_);
  }

  MatchPlan take() { return std::move(plan_); }
  [[nodiscard]] bool is_exact() const { return is_exact_; }

 private:
  void add_part(const MatchPattern::Part& from) {
    MatchPart part;
    part.dfa = from.dfa;
    part.is_greedy = from.is_longest;
    plan_.parts.push_back(std::move(part));
  }

  void add(const ReplacementItem& item) {
    if (!item.group) {
      if (!item.text.empty()) text_.emplace_back(item.text);
      return;
    }
    if (*item.group == 0 && plan_.parts.empty()) {
      plan_.parts.push_back(whole_match(pattern_.whole));
      return copy_parts({0, 1}, item);
    }
    const std::optional<PartRange> range =
        plan_.parts.empty() ? std::nullopt : pattern_.groups[*item.group].parts;
    if (range && range->begin >= next_) return copy_parts(*range, item);
    add_any_word(item);
  }

  void copy_parts(PartRange range, const ReplacementItem& item) {
    for (uint32_t i = range.begin; i < range.end; ++i) {
      MatchPart& part = plan_.parts[i];
      part.is_copied = true;
      part.rest = case_map(pattern_.alphabet, item.all);
      part.first = part.rest;
    }
    MatchPart& first = plan_.parts[range.begin];
    first.has_case_of_first = item.first != LetterCase::kKeep;
    if (first.has_case_of_first) first.first = case_map(pattern_.alphabet, item.first);
    first.before = std::move(text_);
    text_.clear();
    next_ = range.end;
  }

  void add_any_word(const ReplacementItem& item) {
    is_exact_ = false;
    Context context(pattern_.alphabet);
    Lang any = context.automaton(pattern_.groups[*item.group].language);
    for (const LetterCase to : {item.all, item.first, first_}) {
      if (to == LetterCase::kKeep) continue;
      any = any | image(Transducer(mapped(case_map(pattern_.alphabet, to))), any);
    }
    text_.emplace_back(to_dfa(any).dfa);
  }

  // Each symbol as it is or mapped: whichever part of the word the case change reaches.
  [[nodiscard]] Fst mapped(const SymbolMap& map) const {
    FstBuilder fst(pattern_.alphabet);
    const uint32_t state = fst.add_state();
    fst.arc(state, CharSet::all(pattern_.alphabet), state, Fst::kSame);
    fst.arc(state, CharSet::all(pattern_.alphabet), state, fst.map(map));
    fst.accept(state);
    return fst.finish();
  }

  const MatchPattern& pattern_;
  MatchPlan plan_;
  uint32_t next_ = 0;                     // parts before this one cannot be copied any more
  Insert text_;                           // that waits for the next part, or for the end
  LetterCase first_ = LetterCase::kKeep;  // the last \u or \l: it may still have to be applied
  bool is_exact_ = true;
};

}  // namespace

Transducer translate_match(const MatchPattern& pattern, const Replacement& replacement,
                           Occurrence which, const Budget& budget) {
  ReplacementPlan laid_out(pattern, replacement);
  MatchPlan plan = laid_out.take();
  plan.which = which.is_global ? MatchPlan::Which::kFromNth : MatchPlan::Which::kNth;
  plan.number = std::max<uint64_t>(which.number, 1);
  plan.empty_matches = which.empty_matches;
  plan.is_longest = pattern.is_longest;
  Fst fst = match_machine(pattern.whole, plan, pattern.alphabet, budget);
  fst.is_exact = fst.is_exact && laid_out.is_exact();
  return Transducer(std::move(fst));
}

Transducer replace_pattern(Lang pattern, const Replacement& replacement, BashReplacement how,
                           const Budget& budget) {
  if (how.anchor == Anchor::kNone && pattern == pattern.context().epsilon()) return {};
  Occurrence which;
  if (how.is_global && how.anchor == Anchor::kNone) {
    which = {.is_global = true, .empty_matches = EmptyMatches::kBash};
  }
  return translate_match(anchored(match_pattern(pattern, budget), how.anchor), replacement, which,
                         budget);
}

Transducer line_extract(const MatchPattern& pattern, const Budget& budget) {
  MatchPlan plan;
  plan.which = MatchPlan::Which::kAnyOne;
  plan.keeps_outside = false;
  plan.empty_matches = EmptyMatches::kNever;
  plan.is_longest = pattern.is_longest;
  plan.parts.push_back(whole_match(pattern.whole));
  return Transducer(match_machine(pattern.whole, plan, pattern.alphabet, budget));
}

}  // namespace nacre::regular
