#include "flow/findings.h"

#include <algorithm>

namespace nacre::flow {

void Findings::add(Diagnostic diagnostic) {
  if (is_muted()) return;
  const Key key{diagnostic.code, {diagnostic.span.begin, diagnostic.span.end}};
  if (seen_.insert(key).second) kept_.push_back(std::move(diagnostic));
}

void Findings::pass(std::string_view code, Span place, std::optional<Diagnostic> if_constant) {
  if (is_muted()) return;
  const Key key{std::string(code), {place.begin, place.end}};
  const auto [record, is_new] = records_.try_emplace(key);
  if (is_new) {
    record->second = std::move(if_constant);
  } else if (!if_constant) {
    record->second.reset();
  }
}

void Findings::stage(Span place, std::vector<Diagnostic> found) {
  if (is_muted()) return;
  const auto [known, is_new] = stages_.try_emplace({place.begin, place.end});
  if (is_new) {
    known->second = std::move(found);
    return;
  }
  std::erase_if(known->second, [&](const Diagnostic& old) {
    return std::none_of(found.begin(), found.end(), [&](const Diagnostic& now) {
      return now.code == old.code && now.span == old.span;
    });
  });
}

std::vector<Diagnostic> Findings::take() {
  for (auto& [place, found] : stages_) {
    for (Diagnostic& diagnostic : found) add(std::move(diagnostic));
  }
  for (auto& [key, record] : records_) {
    if (record) kept_.push_back(std::move(*record));
  }
  return std::move(kept_);
}

}  // namespace nacre::flow
