#include "flow/findings.h"

namespace nacre::flow {

void Findings::add(Diagnostic diagnostic) {
  if (is_muted()) return;
  const Key key{diagnostic.code, {diagnostic.span.begin, diagnostic.span.end}};
  if (seen_.insert(key).second) kept_.push_back(std::move(diagnostic));
}

void Findings::pass(Span place, bool is_constant, Diagnostic if_constant) {
  if (is_muted()) return;
  const Key key{if_constant.code, {place.begin, place.end}};
  const auto [record, is_new] = records_.try_emplace(key);
  if (is_new || (is_constant && record->second.is_constant)) {
    record->second.diagnostic = std::move(if_constant);
  }
  record->second.is_constant &= is_constant;
}

std::vector<Diagnostic> Findings::take() {
  for (auto& [key, record] : records_) {
    if (record.is_constant) kept_.push_back(std::move(record.diagnostic));
  }
  return std::move(kept_);
}

}  // namespace nacre::flow
