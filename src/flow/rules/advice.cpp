#include "flow/rules/advice.h"

#include <fmt/format.h>

#include "regular/decide.h"

namespace nacre::flow {

using regular::CharSet;

namespace {

// `path=$dir/etc`, of which dir may be empty.
void show_empty_part(Diagnostic& result, const Value& value, const RuleContext& in) {
  if (value.copied.empty()) return;
  const Value& part = in.values[value.from];
  if (!may_be_empty(part)) return show_empty_part(result, part, in);
  result.path.push_back(in.note(part.origin.empty() ? value.origin : part.origin,
                                fmt::format("{} may be empty", value.copied)));
}

// ${x:?} for $x: only runs that would have gone wrong are stopped.
void add_guard(Diagnostic& diagnostic, const Fragment& fragment) {
  if (!fragment.part || fragment.part->kind != shell::PartKind::kParameter) return;
  const shell::Parameter& parameter = fragment.part->parameter();
  if (parameter.op != shell::ParameterOp::kNone || parameter.subscript) return;
  if (parameter.kind == shell::ParameterKind::kSpecial) return;
  diagnostic.fixes.push_back(
      {"stop if it is empty", {{fragment.span, fmt::format("${{{}:?}}", parameter.name)}}, true});
}

}  // namespace

void show_origin(Diagnostic& diagnostic, const Value& value, const RuleContext& in) {
  if (!value.origin.empty())
    diagnostic.path.push_back(in.note(value.origin, "its value comes from here"));
}

void show_empty(Diagnostic& diagnostic, const Field& field, const RuleContext& in) {
  for (const Fragment& fragment : field.fragments) {
    if (fragment.kind != FragmentKind::kExpansion) continue;
    if (!may_be_empty(fragment.value)) {
      show_origin(diagnostic, fragment.value, in);
      show_empty_part(diagnostic, fragment.value, in);
      continue;
    }
    diagnostic.path.push_back(
        in.note(fragment.value.origin.empty() ? fragment.span : fragment.value.origin,
                fmt::format("{} may be empty", in.text(fragment.span))));
    add_guard(diagnostic, fragment);
  }
}

Fix quotes_around(Span span, bool is_safe) {
  return {"quote it", {{{span.begin, span.begin}, "\""}, {{span.end, span.end}, "\""}}, is_safe};
}

bool is_harmless_text(const Value& value, const RuleContext& in) {
  const Lang harmless =
      star(in.languages.set(CharSet::range('a', 'z') | CharSet::range('A', 'Z') |
                            CharSet::range('0', '9') | CharSet::of("_./:@%+=,-")));
  return !regular::included(expansion_of(value), harmless, in.budget).no();
}

}  // namespace nacre::flow
