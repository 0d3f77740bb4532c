// Parts of findings that several rules have in common. Internal to this module.
#pragma once

#include "base/diagnostic.h"
#include "flow/field.h"
#include "flow/rules/rule_context.h"

namespace nacre::flow {

// Adds where the value was made.
void show_origin(Diagnostic& diagnostic, const Value& value, const RuleContext& in);
// Adds which of the expansions in the field may be empty, and why.
void show_empty(Diagnostic& diagnostic, const Field& field, const RuleContext& in);
// Double quotes around the span.
Fix quotes_around(Span span, bool is_safe);

// The words of the text can only be data in a program: no character of theirs means anything to a
// shell.
bool is_harmless_text(const Value& value, const RuleContext& in);

}  // namespace nacre::flow
