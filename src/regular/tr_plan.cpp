// What tr does with its operands: the checks and the pairing of GNU tr, in its order.

#include <algorithm>
#include <optional>

#include "regular/tr_set.h"

namespace nacre::regular {
namespace {

using Kind = TrElement::Kind;

// An operand laid out byte by byte, as tr walks through it.
struct Step {
  uint8_t byte;
  Kind kind;
  bool is_first;  // of its element
};

std::vector<Step> lay_out(const TrSet& set) {
  std::vector<Step> steps;
  for (const TrElement& element : set.elements) {
    bool is_first = true;
    for (uint64_t i = 0; i < element.count; ++i) {
      for (const char c : element.bytes) {
        steps.push_back({static_cast<uint8_t>(c), element.kind, is_first});
        is_first = false;
      }
    }
  }
  return steps;
}

bool is_case(Kind kind) { return kind == Kind::kUpper || kind == Kind::kLower; }
bool is_class(Kind kind) { return is_case(kind) || kind == Kind::kOtherClass; }

std::bitset<256> members(const std::vector<Step>& steps) {
  std::bitset<256> set;
  for (const Step& step : steps) set.set(step.byte);
  return set;
}

bool has(const TrSet& set, bool (*accepts)(const TrElement&)) {
  return std::any_of(set.elements.begin(), set.elements.end(), accepts);
}
bool is_fill(const TrElement& element) { return element.kind == Kind::kRepeat && !element.count; }

tl::unexpected<Error> refuse(std::string message) { return fail({}, std::move(message)); }

// The checks and the map of a translation, in the order of tr's own checks, so that of several
// mistakes the same one is reported.
class Translation {
 public:
  Translation(const TrSet& first, const TrSet& second, TrOptions options)
      : first_(first), second_(second), options_(options) {}

  Result<TrPlan> run() {
    for (auto check : {&Translation::check_second, &Translation::fill, &Translation::check_cases,
                       &Translation::extend, &Translation::check_complement}) {
      if (auto ok = (this->*check)(); !ok) return tl::unexpected(ok.error());
    }
    TrPlan plan;
    for (size_t c = 0; c < 256; ++c) plan.map[c] = static_cast<uint8_t>(c);
    if (options_.complements) {
      map_complement(plan);
    } else {
      map_pairs(plan);
    }
    if (options_.squeezes) plan.squeezed = members(to_);
    return plan;
  }

 private:
  Result<void> check_second() {
    from_ = lay_out(first_);
    if (options_.complements) {
      const std::bitset<256> named = members(from_);
      std::vector<Step> others;
      for (size_t c = 0; c < 256; ++c) {
        if (!named[c]) others.push_back({static_cast<uint8_t>(c), Kind::kRange, true});
      }
      from_ = std::move(others);
    }
    if (std::count_if(second_.elements.begin(), second_.elements.end(), is_fill) > 1) {
      return refuse("only one [c*] repeat construct may appear in string2");
    }
    if (has(second_, [](const TrElement& e) { return e.kind == Kind::kEquivalence; })) {
      return refuse("[=c=] expressions may not appear in string2 when translating");
    }
    if (has(second_, [](const TrElement& e) { return e.kind == Kind::kOtherClass; })) {
      return refuse(
          "when translating, the only character classes that may appear in string2 are 'upper' and "
          "'lower'");
    }
    return {};
  }

  // [c*] takes as many places as the first operand has left.
  Result<void> fill() {
    const size_t length = lay_out(second_).size();
    for (TrElement& element : second_.elements) {
      if (is_fill(element)) element.count = from_.size() > length ? from_.size() - length : 0;
    }
    to_ = lay_out(second_);
    return {};
  }

  // A case class in the second operand must face one in the first. Both then count as one byte.
  Result<void> check_cases() {
    if (options_.complements || !has(second_, [](const TrElement& e) { return is_class(e.kind); }))
      return {};
    size_t i = 0, j = 0;
    while (i < from_.size() && j < to_.size()) {
      const Step &from = from_[i], &to = to_[j];
      const bool converts = is_case(to.kind);
      if (converts && to.is_first && !(from.is_first && is_case(from.kind))) {
        return refuse("misaligned [:upper:] and/or [:lower:] construct");
      }
      i = converts ? end_of(from_, i) : i + 1;
      j = converts ? end_of(to_, j) : j + 1;
    }
    return j < to_.size() && to_[j].is_first && is_case(to_[j].kind)
               ? Result<void>(refuse("misaligned [:upper:] and/or [:lower:] construct"))
               : Result<void>{};
  }

  static size_t end_of(const std::vector<Step>& steps, size_t i) {
    for (++i; i < steps.size() && !steps[i].is_first;) ++i;
    return i;
  }

  // The last byte of a short second operand is repeated.
  Result<void> extend() {
    if (from_.size() <= to_.size() || options_.truncates) return {};
    if (to_.empty()) return refuse("when not truncating set1, string2 must be non-empty");
    if (is_class(to_.back().kind)) {
      return refuse(
          "when translating with string1 longer than string2, the latter string must not end with "
          "a "
          "character class");
    }
    to_.resize(from_.size(), Step{to_.back().byte, Kind::kRepeat, false});
    return {};
  }

  Result<void> check_complement() {
    if (!options_.complements ||
        !has(first_, [](const TrElement& e) { return is_class(e.kind); })) {
      return {};
    }
    if (to_.size() == from_.size() && members(to_).count() <= 1) return {};
    return refuse(
        "when translating with complemented character classes, string2 must map all characters in "
        "the domain to one");
  }

  void map_complement(TrPlan& plan) const {
    for (size_t i = 0; i < from_.size() && i < to_.size(); ++i)
      plan.map[from_[i].byte] = to_[i].byte;
  }

  void map_pairs(TrPlan& plan) const {
    size_t i = 0, j = 0;
    while (i < from_.size() && j < to_.size()) {
      const Step &from = from_[i], &to = to_[j];
      const bool converts = is_case(to.kind);
      if (!converts) {
        plan.map[from.byte] = to.byte;
      } else if (from.kind != to.kind) {
        convert_case(plan, to.kind);
      }
      i = converts ? end_of(from_, i) : i + 1;
      j = converts ? end_of(to_, j) : j + 1;
    }
  }

  static void convert_case(TrPlan& plan, Kind to) {
    for (size_t upper = 'A'; upper <= 'Z'; ++upper) {
      const size_t lower = upper - 'A' + 'a';
      if (to == Kind::kUpper) {
        plan.map[lower] = static_cast<uint8_t>(upper);
      } else {
        plan.map[upper] = static_cast<uint8_t>(lower);
      }
    }
  }

  const TrSet& first_;
  TrSet second_;
  TrOptions options_;
  std::vector<Step> from_, to_;
};

std::optional<std::string> wrong_operand_count(bool has_second, TrOptions options) {
  const bool needs_second = options.deletes == options.squeezes;
  const bool may_have_second = options.deletes <= options.squeezes;
  if (needs_second && !has_second) {
    return options.deletes ? "Two strings must be given when both deleting and squeezing repeats."
                           : "Two strings must be given when translating.";
  }
  if (has_second && !may_have_second) {
    return "Only one string may be given when deleting without squeezing repeats.";
  }
  return std::nullopt;
}

}  // namespace

Result<TrPlan> plan_tr(const TrSet& first, const TrSet* second, TrOptions options) {
  if (auto wrong = wrong_operand_count(second != nullptr, options)) return refuse(*wrong);
  if (has(first, is_fill)) {
    return refuse("the [c*] repeat construct may not appear in string1");
  }
  if (second && !options.deletes) return Translation(first, *second, options).run();
  if (second && has(*second, is_fill)) {
    return refuse("the [c*] construct may appear in string2 only when translating");
  }
  TrPlan plan;
  for (size_t c = 0; c < 256; ++c) plan.map[c] = static_cast<uint8_t>(c);
  std::bitset<256> named = members(lay_out(first));
  if (options.complements) named.flip();
  if (options.deletes) plan.removed = named;
  if (options.squeezes) plan.squeezed = second ? members(lay_out(*second)) : named;
  return plan;
}

}  // namespace nacre::regular
