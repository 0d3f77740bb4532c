#include "flow/findings.h"

#include <algorithm>
#include <cassert>

namespace nacre::flow {

bool Findings::see(Key key) {
  const auto knows = [&](const Round& round) { return round.seen.contains(key); };
  if (std::any_of(rounds_.begin(), rounds_.end(), knows)) return false;
  rounds_.back().seen.insert(std::move(key));
  return true;
}

bool Findings::is_first(const std::string& what) { return !is_muted() && see({what, {0, 0}}); }

void Findings::add(Diagnostic diagnostic) {
  if (is_muted()) return;
  if (see({diagnostic.code, {diagnostic.span.begin, diagnostic.span.end}}))
    rounds_.back().kept.push_back(std::move(diagnostic));
}

void Findings::pass(std::string_view code, Span place, std::optional<Diagnostic> if_constant) {
  if (is_muted()) return;
  const Key key{std::string(code), {place.begin, place.end}};
  const auto [record, is_new] = rounds_.back().records.try_emplace(key);
  if (is_new) {
    record->second = std::move(if_constant);
  } else if (!if_constant) {
    record->second.reset();
  }
}

void Findings::stage(Span place, std::vector<Diagnostic> found) {
  if (is_muted()) return;
  const auto [known, is_new] = rounds_.back().stages.try_emplace({place.begin, place.end});
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

void Findings::leave_open(Span where) {
  const auto is_inside = [&](std::pair<uint32_t, uint32_t> place) {
    return where.begin <= place.first && place.second <= where.end;
  };
  Round& all = rounds_.front();
  std::erase_if(all.stages, [&](const auto& stage) { return is_inside(stage.first); });
  std::erase_if(all.records, [&](const auto& record) { return is_inside(record.first.second); });
}

void Findings::end_round(bool is_kept) {
  Round round = std::move(rounds_.back());
  rounds_.pop_back();
  if (!is_kept) return;
  for (Diagnostic& diagnostic : round.kept) add(std::move(diagnostic));
  rounds_.back().seen.merge(round.seen);
  for (auto& [place, found] : round.stages) stage({place.first, place.second}, std::move(found));
  for (auto& [key, record] : round.records)
    pass(key.first, {key.second.first, key.second.second}, std::move(record));
}

std::vector<Diagnostic> Findings::take() {
  assert(rounds_.size() == 1);
  for (auto& [place, found] : rounds_.front().stages) {
    for (Diagnostic& diagnostic : found) add(std::move(diagnostic));
  }
  Round& all = rounds_.front();
  for (auto& [key, record] : all.records) {
    if (record) all.kept.push_back(std::move(*record));
  }
  return std::move(all.kept);
}

}  // namespace nacre::flow
