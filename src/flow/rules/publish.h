// Hands an event to every rule that wants it, in the order of rules.inc. Nothing runs where
// findings are muted: in the rounds of a loop that are not the last, in code from elsewhere.
// Internal to this module.
#pragma once

#include <type_traits>

#include "flow/events.h"
#include "flow/rules/rule_context.h"

namespace nacre::flow {

namespace rules {
#define RULE(name, event) void name(const event& event_, RuleContext& in);
#include "flow/rules/rules.inc"
#undef RULE
}  // namespace rules

template <typename Event>
void publish(const Event& event, RuleContext& in) {
  if (in.findings.is_muted()) return;
#define RULE(name, kind) \
  if constexpr (std::is_same_v<Event, kind>) rules::name(event, in);
#include "flow/rules/rules.inc"
#undef RULE
}

}  // namespace nacre::flow
