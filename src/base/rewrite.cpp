#include "base/rewrite.h"

#include <algorithm>

#include "base/edits.h"

namespace nacre {

namespace {

bool is_apart(const Edit& a, const Edit& b) {
  if (a.span == b.span) return false;
  return a.span.end <= b.span.begin || b.span.end <= a.span.begin;
}

bool overlaps(const Rewrite& rewrite, const std::vector<Edit>& chosen) {
  return std::any_of(rewrite.edits.begin(), rewrite.edits.end(), [&](const Edit& edit) {
    return !std::all_of(chosen.begin(), chosen.end(),
                        [&](const Edit& other) { return is_apart(edit, other); });
  });
}

}  // namespace

bool Rewrite::is_discharged() const {
  return std::all_of(needs.begin(), needs.end(),
                     [](const Obligation& each) { return each.is_discharged; });
}

std::string_view name_of(RewriteClass kind) {
  constexpr std::string_view kNames[] = {"equal", "repair", "assuming"};
  return kNames[static_cast<size_t>(kind)];
}

std::string_view name_of(ObligationKind kind) {
  constexpr std::string_view kNames[] = {
      "status",        "copy",       "no-file",  "order", "label",   "outputs", "unordered",
      "one-use",       "field",      "unlisted", "shell", "scope",   "fresh",   "constant",
      "same-language", "one-line",   "closed",   "pure",  "errexit", "echo",    "trap",
      "name",          "positional", "image",    "target"};
  static_assert(std::size(kNames) == static_cast<size_t>(ObligationKind::kTarget) + 1);
  return kNames[static_cast<size_t>(kind)];
}

Span place_before(Span place, const std::vector<Edit>& edits) {
  const auto before = [&](uint32_t offset, bool is_end) {
    int64_t shift = 0;  // of the new text against the old one, up to the edit at hand
    for (const Edit& edit : edits) {
      const int64_t begin = edit.span.begin + shift;
      const int64_t end = begin + static_cast<int64_t>(edit.text.size());
      if (offset < begin || (offset == begin && is_end)) break;
      if (offset < end || (offset == end && is_end))
        return is_end ? edit.span.end : edit.span.begin;
      shift += static_cast<int64_t>(edit.text.size()) - edit.span.size();
    }
    return static_cast<uint32_t>(offset - shift);
  };
  const uint32_t begin = before(place.begin, false);
  return {begin, std::max(begin, before(place.end, true))};
}

bool RewriteRounds::apply(std::vector<Rewrite> offered) {
  std::vector<Edit> edits;
  const bool is_last = made_.size() == options_.max_rounds;
  for (Rewrite& rewrite : offered) {
    const bool is_wanted = !options_.equal_only || rewrite.kind == RewriteClass::kEqual;
    const bool is_possible = rewrite.is_discharged() && is_wanted && !rewrite.edits.empty();
    result_.is_unfinished = result_.is_unfinished || (is_possible && is_last);
    const bool is_made = is_possible && !is_last;
    if (is_made && overlaps(rewrite, edits)) continue;  // the next round offers it again
    if (is_made) edits.insert(edits.end(), rewrite.edits.begin(), rewrite.edits.end());
    rewrite.place = original(rewrite.place);
    for (Obligation& need : rewrite.needs) need.place = original(need.place);
    if (is_made) {
      result_.done.push_back(std::move(rewrite));
    } else if (made_.empty()) {  // later rounds keep the same ones
      result_.kept.push_back(std::move(rewrite));
    }
  }
  if (edits.empty()) return false;
  std::stable_sort(edits.begin(), edits.end(), [](const Edit& a, const Edit& b) {
    return std::pair(a.span.begin, a.span.end) < std::pair(b.span.begin, b.span.end);
  });
  current_ = SourceFile(current_.name(), apply_edits(current_, edits));
  result_.text = current_.bytes();
  made_.push_back(std::move(edits));
  result_.rounds = static_cast<unsigned>(made_.size());
  return true;
}

Span RewriteRounds::original(Span place) const {
  for (auto edits = made_.rbegin(); edits != made_.rend(); ++edits) {
    place = place_before(place, *edits);
  }
  return place;
}

}  // namespace nacre
