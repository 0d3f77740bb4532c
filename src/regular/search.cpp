#include "regular/search.h"

#include <algorithm>

namespace nacre::regular {

Search::Search(TermStore& terms, const Budget& budget)
    : terms_(terms), budget_(budget), work_limit_(terms.work() + budget.steps) {}

uint32_t Search::cost_of(SetId symbols) {
  auto at = static_cast<size_t>(symbols);
  if (at >= costs_.size()) costs_.resize(at + 16, 255);
  if (costs_[at] == 255) {
    Symbol best = terms_.set(symbols).most_natural();
    costs_[at] = static_cast<uint8_t>(naturalness(best, terms_.alphabet()));
  }
  return costs_[at];
}

Search::Visit Search::step(uint32_t parent, SetId symbols, TermId a, TermId b) {
  const Visit& from = visits_[parent];
  return {a, b, parent, symbols, from.depth + 1, from.cost + cost_of(symbols)};
}

uint32_t Search::add(Visit visit) {
  visits_.push_back(visit);
  return size() - 1;
}

uint32_t Search::next() {
  if (level_.empty()) {
    for (; level_end_ < size(); ++level_end_) {
      if (!visits_[level_end_].is_dropped) level_.push_back(level_end_);
    }
    auto better_last = [this](uint32_t a, uint32_t b) {
      return visits_[a].cost != visits_[b].cost ? visits_[a].cost > visits_[b].cost : a > b;
    };
    std::sort(level_.begin(), level_.end(), better_last);
  }
  if (level_.empty()) return kRoot;
  uint32_t best = level_.back();
  level_.pop_back();
  return best;
}

bool Search::exhausted() const {
  return visits_.size() > budget_.states || terms_.work() + spent_ > work_limit_ ||
         budget_.stop.is_requested();
}

std::string Search::word(const Visit& visit) const {
  std::vector<Symbol> symbols;
  for (const Visit* at = &visit; at->parent != kRoot; at = &visits_[at->parent]) {
    symbols.push_back(terms_.set(at->symbols).most_natural());
  }
  std::string word;
  for (size_t i = symbols.size(); i-- > 0;) append_symbol(word, symbols[i], terms_.alphabet());
  return word;
}

}  // namespace nacre::regular
