// X214: $array is its first element alone.
//
//   X214 bash: list=(a b c)\nfor i in $list; do echo "$i"; done
//   X214 bash: args=(-l -a)\nls $args
//   X214 bash: list=(a b c)\necho "${list}"
//   quiet bash: list=(a b c)\nfor i in "${list[@]}"; do echo "$i"; done
//   X214 bash: list=(a b c)\necho "$list[1]"
//   quiet bash: list=(a b c)\necho "${#list[@]}"
//   quiet bash: echo "$BASH_SOURCE $FUNCNAME"
//   quiet bash: sum=($(md5sum a b))\necho "$sum"
//   quiet bash: list=(a)\nlist=one\necho "$list"
//   quiet bash: read -ra parts <<< "$1"\necho "${parts[0]}"
#include <fmt/format.h>

#include "flow/rules/publish.h"
#include "flow/rules/variable_names.h"

namespace nacre::flow::rules {

namespace {

// The text after the name is `=(a b`. Of what commands print the first word may be all that is
// wanted: `sum=($(md5sum file))`.
bool begins_list(std::string_view rest) {
  if (rest.starts_with('+')) rest.remove_prefix(1);
  if (!rest.starts_with("=(")) return false;
  const std::string_view inside = rest.substr(2, rest.find(')') - 2);
  if (inside.find('$') != inside.npos || inside.find('`') != inside.npos) return false;
  const size_t first = inside.find_first_not_of(" \t\n"), last = inside.find_last_not_of(" \t\n");
  return first != inside.npos && inside.find_first_of(" \t\n", first) < last;
}

// The script gives it a list of several somewhere, and never a text.
bool is_list_by_text(std::string_view name, const RuleContext& in) {
  const auto [begin, end] = in.survey.assignments.equal_range(name);
  bool has_list = false;
  for (auto at = begin; at != end; ++at) {
    const std::string_view bytes = in.file().bytes();
    const std::string_view rest = text_after(in.tree, name, at->second.begin);
    const bool is_text = (rest.starts_with('=') && !rest.starts_with("=(")) ||
                         (rest.starts_with("+=") && !rest.starts_with("+=("));
    const bool is_loop = bytes.substr(0, at->second.begin).ends_with("for ");
    if (is_text || is_loop) return false;
    has_list |= begins_list(rest);
  }
  return has_list;
}

}  // namespace

void array_as_text(const ParameterEvent& event, RuleContext& in) {
  const shell::Parameter& node = event.node;
  if (!event.is_variable() || node.subscript != nullptr || node.is_indirect ||
      node.op != shell::ParameterOp::kNone || !event.value.is_array || is_set_by_shells(node.name))
    return;
  // `[ -n "$list" ]` asks whether there is a first one.
  if (in.where.asking != nullptr || !is_list_by_text(node.name, in)) return;
  in.report(in.finding("X214", event.span,
                       fmt::format("${} is the first element of the array; all of them are "
                                   "\"${{{}[@]}}\"",
                                   node.name, node.name)));
}

}  // namespace nacre::flow::rules
