#include "regular/match_conditions.h"

#include <algorithm>

#include "regular/partition.h"

namespace nacre::regular {

using regex::Position;

bool Condition::holds(Neighbour before, Neighbour after) const {
  return std::any_of(cases.begin(), cases.end(), [&](const Case& each) {
    return (each.before & neighbour_bit(before)) != 0 && (each.after & neighbour_bit(after)) != 0;
  });
}

bool Condition::looks_before() const {
  return std::any_of(cases.begin(), cases.end(),
                     [](const Case& each) { return each.before != kAnyNeighbour; });
}

CharSet one_symbol(const Regex& regex, NodeId id) {
  if (const auto* literal = regex.get<regex::Literal>(id)) return CharSet::of(literal->character);
  if (const auto* set = regex.get<regex::Class>(id)) return regex.set(*set);
  if (const auto* group = regex.get<regex::Group>(id)) return one_symbol(regex, group->body);
  return {};
}

ConditionTable::ConditionTable(const Regex& regex) : regex_(regex) {
  std::vector<CharSet> sets = {CharSet::all(regex.alphabet)};
  for (uint32_t i = 0; i < regex.size(); ++i) {
    const NodeId id{i};
    if (const auto* look = regex.get<regex::Look>(id)) {
      sets.push_back(one_symbol(regex, look->body));
    } else if (const auto* assertion = regex.get<regex::Assert>(id)) {
      const Position p = assertion->position;
      if (p == Position::kLineStart || p == Position::kLineEnd || p == Position::kFinalLineEnd) {
        sets.push_back(CharSet::of('\n'));
      } else if (p >= Position::kWordBoundary && p <= Position::kWordEnd) {
        sets.push_back(regex.word);
      }
    }
  }
  sets_ = partition(sets).classes;
}

Neighbour ConditionTable::kind_of(const CharSet& symbols) const {
  for (size_t i = 0; i < sets_.size(); ++i) {
    if (sets_[i].contains(symbols.min())) return static_cast<Neighbour>(i + 1);
  }
  return 1;
}

Neighbours ConditionTable::mask(const CharSet& set) const {
  Neighbours result = 0;
  for (size_t i = 0; i < sets_.size(); ++i) {
    if (sets_[i].intersects(set)) result |= neighbour_bit(static_cast<Neighbour>(i + 1));
  }
  return result;
}

std::optional<Condition> ConditionTable::condition(NodeId id) const {
  if (kind_count() > kMaxNeighbours) return std::nullopt;
  if (const auto* look = regex_.get<regex::Look>(id)) {
    const CharSet set = one_symbol(regex_, look->body);
    if (set.empty()) return std::nullopt;
    const Neighbours seen = look->is_negative ? ~mask(set) : mask(set);
    return look->is_behind ? Condition{{{seen, kAnyNeighbour}}}
                           : Condition{{{kAnyNeighbour, seen}}};
  }
  const Neighbours edge = neighbour_bit(kEdge);
  const Neighbours line_edge = edge | mask(CharSet::of('\n'));
  const Neighbours word = mask(regex_.word);
  switch (regex_.get<regex::Assert>(id)->position) {
    case Position::kSubjectStart: return Condition{{{edge, kAnyNeighbour}}};
    case Position::kSubjectEnd: return Condition{{{kAnyNeighbour, edge}}};
    case Position::kLineStart: return Condition{{{line_edge, kAnyNeighbour}}};
    case Position::kLineEnd: return Condition{{{kAnyNeighbour, line_edge}}};
    case Position::kWordStart: return Condition{{{~word, word}}};
    case Position::kWordEnd: return Condition{{{word, ~word}}};
    case Position::kWordBoundary: return Condition{{{~word, word}, {word, ~word}}};
    case Position::kNotWordBoundary: return Condition{{{word, word}, {~word, ~word}}};
    // A newline may have to be the last one; \K moves the start of the match.
    case Position::kFinalLineEnd:
    case Position::kMatchStart: return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace nacre::regular
