#include "base/edits.h"

#include <algorithm>
#include <set>

namespace nacre {

namespace {

bool is_before(const Edit& a, const Edit& b) {
  return std::pair(a.span.begin, a.span.end) < std::pair(b.span.begin, b.span.end);
}

// Two insertions at one place overlap: their order would be a guess.
bool overlap(const Edit& a, const Edit& b) {
  const Edit& first = is_before(a, b) ? a : b;
  const Edit& second = is_before(a, b) ? b : a;
  return second.span.begin < first.span.end || second.span.begin == first.span.begin;
}

struct ByPlace {
  bool operator()(const Edit& a, const Edit& b) const { return is_before(a, b); }
};
using EditSet = std::set<Edit, ByPlace>;

bool fits(const EditSet& chosen, const Edit& edit) {
  auto after = chosen.lower_bound(edit);
  if (after != chosen.end() && overlap(*after, edit)) return false;
  return after == chosen.begin() || !overlap(*std::prev(after), edit);
}

bool is_of_kind(const Fix& fix, FixKind kind) { return kind == FixKind::kAny || fix.is_safe; }

}  // namespace

std::vector<Edit> choose_edits(const SourceFile& file, std::span<const Diagnostic> findings,
                               FixKind kind) {
  EditSet chosen;
  for (const Diagnostic& diagnostic : findings) {
    if (diagnostic.file.name() != file.name()) continue;
    auto fix = std::find_if(diagnostic.fixes.begin(), diagnostic.fixes.end(),
                            [&](const Fix& each) { return is_of_kind(each, kind); });
    if (fix == diagnostic.fixes.end()) continue;
    bool can_be_made = std::all_of(fix->edits.begin(), fix->edits.end(),
                                   [&](const Edit& edit) { return fits(chosen, edit); });
    if (can_be_made) chosen.insert(fix->edits.begin(), fix->edits.end());
  }
  return {chosen.begin(), chosen.end()};
}

std::string apply_edits(const SourceFile& file, std::span<const Edit> edits) {
  std::string result;
  uint32_t done = 0;
  for (const Edit& edit : edits) {
    result += file.text({done, edit.span.begin});
    result += edit.text;
    done = edit.span.end;
  }
  return result + std::string(file.text({done, file.whole().end}));
}

}  // namespace nacre
