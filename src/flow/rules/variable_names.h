// What the name of a variable tells: whether a shell or a login sets it, whether it is a typing
// error for another one. Internal to this module.
#pragma once

#include <string>
#include <string_view>

#include "flow/rules/rule_context.h"

namespace nacre::flow {

bool is_set_by_shells(std::string_view name);  // IFS, BASH_SOURCE, COMP_WORDS, ...
// Set by shells, by logins or by convention before a script begins, if at all.
bool is_well_known(std::string_view name);
bool is_inherited(std::string_view name);  // set before any script begins, and exported: HOME
bool has_lower_case(std::string_view name);

// The name of a variable that differs from this one by one typing error; empty if there is none.
std::string nearest_name(std::string_view name, const RuleContext& in);
// Whether the name is probably a typing error.
bool is_misspelled(std::string_view name, const RuleContext& in);

}  // namespace nacre::flow
