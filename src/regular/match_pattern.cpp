#include "regular/match_pattern.h"

#include <algorithm>

#include "regular/match_conditions.h"
#include "regular/match_program.h"
#include "regular/match_splits.h"
#include "regular/partition.h"

namespace nacre::regular {
namespace {

BoundedDfa bounded_dfa(Lang language, const Budget& budget) {
  BoundedDfa dfa = to_dfa(language, budget);
  dfa.is_exact = dfa.is_exact && language.is_exact();
  return dfa;
}

// Prepares a regex. All that has to be lowered is collected first, so that it is done in one go and
// all automata get the same classes.
class RegexPattern {
 public:
  RegexPattern(Context& context, const Regex& regex, const LowerOptions& options)
      : context_(context),
        regex_(regex),
        options_(options),
        table_(regex),
        has_conditions_(regex.size(), 0) {
    options_.back_references = BackReferences::kWiden;
  }

  Result<MatchPattern> run() {
    study();
    root_ = want({regex_.root()});
    collect_reads(regex_.root());
    Splits splits = split(regex_);
    if (moves_start_) splits = {{}, std::vector<std::optional<PartRange>>(splits.groups.size())};
    const size_t first_part = wanted_.size();
    for (const Splits::Part& part : splits.parts) want(part.nodes);
    if (auto error = lower_all()) return tl::unexpected(*error);
    make_tables();

    MatchPattern pattern;
    pattern.alphabet = context_.alphabet();
    pattern.whole = whole();
    for (size_t i = 0; i < splits.parts.size(); ++i) {
      pattern.parts.push_back({tables_[first_part + i], splits.parts[i].is_longest_taken});
    }
    pattern.is_longest = regex_.priority == Priority::kLongest || takes_longest(pattern);
    check_splits(pattern);
    add_groups(pattern, splits);
    return pattern;
  }

 private:
  using Place = MatchProgram::Place;

  // Children come before their parents.
  void study() {
    for (uint32_t i = 0; i < regex_.size(); ++i) {
      const NodeId id{i};
      if (const auto* assertion = regex_.get<regex::Assert>(id)) {
        has_conditions_[i] = 1;
        moves_start_ |= assertion->position == regex::Position::kMatchStart;
      } else if (regex_.get<regex::Look>(id)) {
        has_conditions_[i] = 1;
      } else if (const auto* sequence = regex_.get<regex::Sequence>(id)) {
        has_conditions_[i] = any_condition(regex_.children(*sequence));
      } else if (const auto* choice = regex_.get<regex::Choice>(id)) {
        has_conditions_[i] = any_condition(regex_.children(*choice));
      } else if (const auto* repeat = regex_.get<regex::Repeat>(id)) {
        has_conditions_[i] = has_condition(repeat->body);
      } else if (const auto* group = regex_.get<regex::Group>(id)) {
        has_conditions_[i] = has_condition(group->body);
      }
    }
  }
  [[nodiscard]] bool has_condition(NodeId id) const {
    return has_conditions_[static_cast<size_t>(id)] != 0;
  }
  [[nodiscard]] bool any_condition(std::span<const NodeId> nodes) const {
    return std::any_of(nodes.begin(), nodes.end(), [&](NodeId id) { return has_condition(id); });
  }

  // The number under which the automaton of these nodes, one after the other, will be found.
  uint32_t want(std::vector<NodeId> nodes) {
    wanted_.push_back(std::move(nodes));
    return static_cast<uint32_t>(wanted_.size()) - 1;
  }

  // The largest parts without conditions: what the program reads.
  void collect_reads(NodeId id) {
    if (!has_condition(id)) {
      if (id != regex_.root()) reads_.emplace_back(id, want({id}));
    } else if (const auto* sequence = regex_.get<regex::Sequence>(id)) {
      for (const NodeId child : regex_.children(*sequence)) collect_reads(child);
    } else if (const auto* choice = regex_.get<regex::Choice>(id)) {
      for (const NodeId child : regex_.children(*choice)) collect_reads(child);
    } else if (const auto* repeat = regex_.get<regex::Repeat>(id)) {
      collect_reads(repeat->body);
    } else if (const auto* group = regex_.get<regex::Group>(id)) {
      collect_reads(group->body);
    }
  }

  std::optional<Error> lower_all() {
    std::vector<NodeId> nodes;
    for (const auto& list : wanted_) nodes.insert(nodes.end(), list.begin(), list.end());
    Result<std::vector<Lang>> languages = lower_parts(context_, regex_, nodes, options_);
    if (!languages) return languages.error();
    auto next = languages->begin();
    for (const auto& list : wanted_) {
      const std::vector<Lang> parts(next, next + static_cast<ptrdiff_t>(list.size()));
      next += static_cast<ptrdiff_t>(list.size());
      dfas_.push_back(bounded_dfa(concat(context_, parts), options_.budget));
    }
    return std::nullopt;
  }

  void make_tables() {
    std::vector<CharSet> cuts = {CharSet::all(context_.alphabet())};
    for (const CharSet& set : table_.sets()) cuts.push_back(set & cuts[0]);
    for (const BoundedDfa& dfa : dfas_) {
      cuts.insert(cuts.end(), dfa.dfa->classes.begin(), dfa.dfa->classes.end());
    }
    const std::vector<CharSet> classes = partition(cuts).classes;
    for (const BoundedDfa& dfa : dfas_) tables_.push_back(match_dfa(dfa, classes));
    for (const CharSet& set : classes) kinds_.push_back(table_.kind_of(set));
  }

  MatchDfa whole() {
    // \K: some part of what was matched, or all.
    if (moves_start_) return match_dfa(all_words(), tables_[root_].classes);
    if (!has_condition(regex_.root())) return tables_[root_];
    MatchProgram program(table_.kind_count());
    const Place start = compile(program, regex_.root(), program.accept());
    std::optional<MatchDfa> dfa;
    if (program.size() <= options_.budget.states && table_.kind_count() <= kMaxNeighbours) {
      dfa = program.run(start, tables_, kinds_, options_.budget);
    }
    if (!dfa) return tables_[root_];  // conditions taken as true: inexact
    // Over UTF-8, one byte does not tell whether a character beyond ASCII is part of a word.
    const bool sees_bytes_only = regex_.alphabet != context_.alphabet() && table_.sets().size() > 1;
    dfa->is_exact = !drops_conditions_ && !sees_bytes_only &&
                    std::all_of(reads_.begin(), reads_.end(),
                                [&](const auto& read) { return tables_[read.second].is_exact; });
    return std::move(*dfa);
  }

  BoundedDfa all_words() { return {to_dfa(context_.all()).dfa, false}; }

  Place compile(MatchProgram& program, NodeId id, Place next) {
    if (program.size() > options_.budget.states) return next;  // whole() gives up
    if (!has_condition(id)) return program.read(read_of(id), next);
    if (const auto* sequence = regex_.get<regex::Sequence>(id)) {
      const auto items = regex_.children(*sequence);
      for (size_t i = items.size(); i-- > 0;) next = compile(program, items[i], next);
      return next;
    }
    if (const auto* choice = regex_.get<regex::Choice>(id)) {
      const auto items = regex_.children(*choice);
      Place place = compile(program, items.back(), next);
      for (size_t i = items.size() - 1; i-- > 0;) {
        place = program.either(compile(program, items[i], next), place);
      }
      return place;
    }
    if (const auto* repeat = regex_.get<regex::Repeat>(id)) {
      return compile_repeat(program, *repeat, next);
    }
    if (const auto* group = regex_.get<regex::Group>(id)) {
      return compile(program, group->body, next);
    }
    std::optional<Condition> condition = table_.condition(id);
    if (!condition) {
      drops_conditions_ = true;
      return next;
    }
    return program.demand(std::move(*condition), next);
  }

  Place compile_repeat(MatchProgram& program, const regex::Repeat& repeat, Place next) {
    Place place = next;
    if (repeat.max == kUnbounded) {
      place = program.forward();
      const Place body = compile(program, repeat.body, place);
      program.resolve(place, program.either(body, next));
    } else {
      for (uint32_t i = repeat.min; i < repeat.max; ++i) {
        if (program.size() > options_.budget.states) break;
        place = program.either(compile(program, repeat.body, place), next);
      }
    }
    for (uint32_t i = 0; i < repeat.min; ++i) {
      if (program.size() > options_.budget.states) break;
      place = compile(program, repeat.body, place);
    }
    return place;
  }

  [[nodiscard]] uint32_t read_of(NodeId id) const {
    const auto found = std::find_if(reads_.begin(), reads_.end(),
                                    [id](const auto& read) { return read.first == id; });
    return found->second;
  }

  static bool takes_longest(const MatchPattern& pattern) {
    const auto& parts = pattern.parts;
    return std::all_of(parts.begin(), parts.end(),
                       [](const MatchPattern::Part& part) { return part.is_longest; }) &&
           finds_longest(parts);
  }

  static void check_splits(MatchPattern& pattern) {
    if (is_unambiguous(pattern.parts)) {
      for (MatchPattern::Part& part : pattern.parts) part.is_longest = false;
      return;
    }
    // The longest match of an inexact part is not known.
    const bool are_known =
        std::all_of(pattern.parts.begin(), pattern.parts.end(),
                    [](const MatchPattern::Part& part) { return part.dfa.is_exact; });
    if (!are_known) {
      for (MatchPattern::Part& part : pattern.parts) part.is_longest = false;
    }
    pattern.splits_exactly =
        std::all_of(pattern.parts.begin(), pattern.parts.end(),
                    [](const MatchPattern::Part& part) { return part.is_longest; });
  }

  void add_groups(MatchPattern& pattern, const Splits& splits) {
    pattern.groups.resize(regex_.group_count + 1);
    pattern.groups[0].language = dfas_[root_].dfa;
    std::vector<NodeId> bodies;
    std::vector<uint32_t> numbers;
    for (uint32_t i = 0; i < regex_.size(); ++i) {
      const auto* group = regex_.get<regex::Group>(NodeId{i});
      if (!group || group->index == 0) continue;
      bodies.push_back(group->body);
      numbers.push_back(group->index);
    }
    const auto languages = lower_parts(context_, regex_, bodies, options_);
    for (uint32_t number = 1; number < pattern.groups.size(); ++number) {
      Lang any = context_.epsilon();  // a group that takes no part in the match is empty
      for (size_t i = 0; i < numbers.size(); ++i) {
        if (numbers[i] == number) any = any | (*languages)[i];
      }
      const bool has_one_place = std::count(numbers.begin(), numbers.end(), number) == 1;
      if (has_one_place) pattern.groups[number].parts = splits.groups[number];
      pattern.groups[number].language = to_dfa(any, options_.budget).dfa;
    }
  }

  Context& context_;
  const Regex& regex_;
  LowerOptions options_;
  ConditionTable table_;
  std::vector<uint8_t> has_conditions_;  // by node
  bool moves_start_ = false;
  bool drops_conditions_ = false;
  uint32_t root_ = 0;
  std::vector<std::pair<NodeId, uint32_t>> reads_;
  std::vector<std::vector<NodeId>> wanted_;
  std::vector<BoundedDfa> dfas_;  // of wanted_
  std::vector<MatchDfa> tables_;  // of dfas_, all over the same classes
  std::vector<Neighbour> kinds_;  // of those classes
};

}  // namespace

MatchPattern match_pattern(Lang language, const Budget& budget) {
  MatchPattern pattern;
  const BoundedDfa dfa = bounded_dfa(language, budget);
  pattern.alphabet = language.context().alphabet();
  pattern.whole = match_dfa(dfa);
  pattern.groups.push_back({std::nullopt, dfa.dfa});
  return pattern;
}

Result<MatchPattern> match_pattern(Context& context, const Regex& regex,
                                   const LowerOptions& options) {
  return RegexPattern(context, regex, options).run();
}

MatchPattern anchored(MatchPattern pattern, Anchor anchor) {
  const bool at_start = anchor == Anchor::kStart || anchor == Anchor::kWhole;
  const bool at_end = anchor == Anchor::kEnd || anchor == Anchor::kWhole;
  restrict_neighbours(pattern.whole, at_start ? neighbour_bit(kEdge) : kAnyNeighbour,
                      at_end ? neighbour_bit(kEdge) : kAnyNeighbour);
  return pattern;
}

}  // namespace nacre::regular
