#include "python/types.h"

#include <algorithm>

namespace nacre::python {
namespace {

using Kind = Type::Kind;

constexpr size_t kMaxAlternatives = 8;

bool is_text(const Type& type) { return type.kind == Kind::kStr || type.kind == Kind::kLanguage; }

bool can_merge(const Type& a, const Type& b) {
  if (is_text(a) && is_text(b)) return true;
  if (a.kind != b.kind) return false;
  if (a.kind == Kind::kTuple) return a.parts.size() == b.parts.size();
  if (a.kind == Kind::kInstance || a.kind == Kind::kEnum || a.kind == Kind::kLibrary)
    return a.cls == b.cls;
  return true;
}

Type merge(WordStore& words, const Type& a, const Type& b) {
  if (is_text(a)) {
    if (a.kind == Kind::kStr || b.kind == Kind::kStr) return type_of_kind(Kind::kStr);
    return type_of_words(words.unite(a.words, b.words));
  }
  Type result = a;
  if (a.kind == Kind::kIterable) result.cls = std::min(a.cls, b.cls);
  if (is_library(a, LibraryClass::kPath)) result.words = words.unite(a.words, b.words);
  result.range = {std::min(a.range.low, b.range.low), std::max(a.range.high, b.range.high)};
  for (size_t i = 0; i < result.parts.size(); ++i)
    result.parts[i] = join(words, a.parts[i], b.parts[i]);
  return result;
}

}  // namespace

bool has_language(const Type& type) {
  return type.kind == Kind::kLanguage ||
         std::any_of(type.parts.begin(), type.parts.end(), has_language);
}

std::vector<Type> alternatives(const Type& type) {
  return type.kind == Kind::kUnion ? type.parts : std::vector<Type>{type};
}

Type join(WordStore& words, const Type& a, const Type& b) {
  // A list without items has items of no type.
  auto is_nothing = [](const Type& type) {
    return type.kind == Kind::kUnion && type.parts.empty();
  };
  if (a == b || is_nothing(b)) return a;
  if (is_nothing(a)) return b;
  if (a.is_any() || b.is_any()) return type_of_kind(Kind::kOther);
  std::vector<Type> all = alternatives(a);
  for (const Type& more : alternatives(b)) {
    auto known =
        std::find_if(all.begin(), all.end(), [&](const Type& one) { return can_merge(one, more); });
    if (known != all.end())
      *known = merge(words, *known, more);
    else
      all.push_back(more);
  }
  if (all.size() == 1) return all[0];
  if (all.size() > kMaxAlternatives) return type_of_kind(Kind::kOther);
  std::sort(all.begin(), all.end(), [](const Type& x, const Type& y) {
    return std::tuple(x.kind, x.cls, x.parts.size()) < std::tuple(y.kind, y.cls, y.parts.size());
  });
  return type_of_parts(Kind::kUnion, std::move(all));
}

Type widen(WordStore& words, const Type& old, const Type& joined, int round) {
  if (old == joined || round < 3) return joined;
  if (round > 9) return type_of_kind(Kind::kOther);
  Type result = joined;
  if (joined.kind == Kind::kLanguage || is_library(joined, LibraryClass::kPath)) {
    result.words = round < 6   ? words.generalise(joined.words, 2)
                   : round < 8 ? words.over_letters_of(joined.words)
                               : words.all();
    return result;
  }
  if (joined.kind == Kind::kInt) {
    bool keeps_low = old.kind == Kind::kInt && joined.range.low >= old.range.low;
    bool keeps_high = old.kind == Kind::kInt && joined.range.high <= old.range.high;
    if (!keeps_low) result.range.low = joined.range.low >= 0 && round < 6 ? 0 : -kUnlimited;
    if (!keeps_high) result.range.high = kUnlimited;
    return result;
  }
  const bool same_parts = old.kind == joined.kind && old.parts.size() == joined.parts.size();
  for (size_t i = 0; i < result.parts.size(); ++i) {
    const Type& before = same_parts ? old.parts[i] : type_of_kind(Kind::kMissing);
    result.parts[i] = widen(words, before, joined.parts[i], round);
  }
  return result;
}

}  // namespace nacre::python
