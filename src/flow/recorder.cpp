#include "flow/recorder.h"

#include <utility>

namespace nacre::flow {

void Recorder::command(const shell::Command& node, const std::string& name,
                       const commands::Stream& input, const commands::Stream& output,
                       const commands::Behaviour* behaviour, const Where& where) {
  const auto known = commands_.find(place_of(node.span));
  if (known != commands_.end()) {
    known->second.input = either(known->second.input, input);
    known->second.output = either(known->second.output, output);
    return;
  }
  CommandFact fact{node.span, &node, name, where.function, input, output};
  if (behaviour) {
    fact.reads_input = behaviour->reads_input;
    if (behaviour->trace && behaviour->trace->map.steps().empty())
      fact.passes = behaviour->trace->keeps;
    for (const commands::Check& check : behaviour->checks) {
      if (check.kind == commands::Check::Kind::kEvery)
        fact.demands = fact.demands ? *fact.demands & check.lines : check.lines;
    }
  }
  commands_.emplace(place_of(node.span), std::move(fact));
}

void Recorder::state(const shell::Command& node, const Environment& before, Values& values) {
  if (!is_full_) return;
  const auto [known, is_new] = states_.try_emplace(place_of(node.span), before);
  if (!is_new) known->second = join(values, known->second, before);
}

void Recorder::status(Span command, const Status& status, const StatusUse& use) {
  Status& all = statuses_.try_emplace(place_of(command), Status{false, false}).first->second;
  all.can_succeed |= status.can_succeed;
  all.can_fail |= status.can_fail;
  StatusUse& uses = uses_[place_of(command)];
  uses.is_tested |= use.is_tested;
  uses.is_fatal |= use.is_fatal;
  uses.is_read |= use.is_read;
  uses.is_result |= use.is_result;
  uses.is_dropped |= use.is_dropped;
}

void Recorder::expansion(const shell::Part& part, const Value& value, const Where& where,
                         Values& values) {
  if (!is_full_) return;
  const auto known = expansions_.find(place_of(part.span));
  if (known == expansions_.end()) {
    expansions_.emplace(place_of(part.span),
                        ExpansionFact{part.span, &part, where.expanding, where.is_quoted,
                                      where.function, expansion_of(value), values.add(value)});
    return;
  }
  ExpansionFact& fact = known->second;
  const Lang strings = expansion_of(value);
  if (!(fact.strings == strings)) fact.strings = fact.strings | strings;
  if (!is_same(values[fact.value], value)) fact.value = values.join(fact.value, values.add(value));
}

void Recorder::name(Span span, Name name, NameUse use, Lang strings, bool is_local,
                    const Where& where) {
  const auto [known, is_new] = names_.try_emplace(
      {place_of(span), use}, NameFact{span, name, use, where.function, is_local, strings});
  if (!is_new && !(known->second.strings == strings))
    known->second.strings = known->second.strings | strings;
}

std::shared_ptr<const Facts> Recorder::finish(std::shared_ptr<regular::Context> languages,
                                              Values values, Names names) {
  std::shared_ptr<Facts> result(
      new Facts(std::move(languages), std::move(values), std::move(names)));
  for (auto& [place, fact] : commands_) {
    if (const auto state = states_.find(place); state != states_.end())
      fact.before = std::move(state->second);
    if (const auto status = statuses_.find(place); status != statuses_.end()) {
      fact.can_succeed = status->second.can_succeed;
      fact.can_fail = status->second.can_fail;
    }
    if (const auto use = uses_.find(place); use != uses_.end()) fact.use = use->second;
    result->commands_.push_back(std::move(fact));
  }
  for (auto& [place, fact] : expansions_) result->expansions_.push_back(std::move(fact));
  for (auto& [place, fact] : names_) result->names_used_.push_back(fact);
  return result;
}

}  // namespace nacre::flow
