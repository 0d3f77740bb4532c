// What the rules about reading variables have in common: which reads are worth a look at all.
// Internal to this module.
#pragma once

#include "flow/events.h"
#include "flow/rules/rule_context.h"

namespace nacre::flow {

// A subshell changed its own copy of the variable, and this reads the old value.
bool reads_lost_value(const ParameterEvent& event, const RuleContext& in);

// A variable is read without a default for a missing value, in code that the script runs and with
// nothing unknown before it.
bool is_plain_read(const ParameterEvent& event, const RuleContext& in);

// On no path has the script set it: only the environment may have.
bool is_foreign(const Value& value);

// Logins and shells may set it, and the script does not ask whether they have.
bool is_expected(const ParameterEvent& event, const RuleContext& in);

// `if a; then x=1; fi; ...; if a; then echo $x; fi`, and the first report of the variable.
bool is_first_unset(const ParameterEvent& event, RuleContext& in);

}  // namespace nacre::flow
