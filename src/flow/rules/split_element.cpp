// X213: an array element without quotes: a value with blanks becomes several elements.
//
//   X213 bash: files+=($1)
//   X213 bash: while read -r name; do names+=($name); done < list
//   X213 bash: found=($(find . -name '*.txt'))
//   quiet bash: files+=("$1")
//   quiet bash: files+=(*.txt)
//   quiet bash: for dev in $1; do devices+=($dev); done
//   quiet bash: words=($line)
//   quiet bash: numbers=($(seq 9))
//   quiet bash: mapfile -t found < <(find . -name '*.txt')
#include <algorithm>
#include <fmt/format.h>

#include "flow/rules/advice.h"
#include "flow/rules/publish.h"

namespace nacre::flow::rules {

namespace {

// One element that is one value: `+=($1)`. `words=($line)` is how scripts split a line.
bool appends_one(const shell::Assignment& assignment, const shell::Array& array) {
  return assignment.is_append && array.elements.size() == 1 &&
         array.elements[0].subscript == nullptr && array.elements[0].value.parts().size() == 1;
}

bool is_plain_value(const shell::Part& part) {
  return part.kind == shell::PartKind::kParameter && part.parameter().name != "@" &&
         part.parameter().name != "*" && part.parameter().subscript == nullptr;
}

// Each of its values is a word of an unquoted list: `for dev in $devices`.
bool is_word_by_loop(const shell::Part& part, const RuleContext& in) {
  if (part.kind != shell::PartKind::kParameter) return false;
  const auto [begin, end] = in.survey.assignments.equal_range(part.parameter().name);
  const auto is_split_loop = [&](const auto& each) {
    const std::string_view bytes = in.file().bytes();
    const std::string_view rest = bytes.substr(each.second.end);
    const std::string_view list = rest.substr(0, rest.find_first_of(";\n"));
    return bytes.substr(0, each.second.begin).ends_with("for ") && list.find('"') == list.npos &&
           list.find('*') == list.npos;
  };
  return begin != end && std::all_of(begin, end, is_split_loop);
}

}  // namespace

void split_element(const AssignmentEvent& event, RuleContext& in) {
  const shell::Assignment& assignment = event.assignment;
  if (!assignment.value.has(shell::kWordHasArray)) return;
  const shell::Array& array = assignment.value.parts()[0].array();
  const std::string separators = field_separators(in.value("IFS", event.environment));
  if (separators.find(' ') == std::string::npos || array.elements.size() != 1) return;
  const shell::Word& word = array.elements[0].value;
  if (word.parts().size() != 1) return;
  const shell::Part& part = word.parts()[0];
  const bool is_command = part.kind == shell::PartKind::kCommand;
  if (!is_command && !(appends_one(assignment, array) && is_plain_value(part))) return;
  if (is_word_by_loop(part, in)) return;
  for (const Field& field : in.evaluator.fields_again(word, event.environment)) {
    for (const Fragment& fragment : field.fragments) {
      const Value& value = fragment.value;
      // Lines of a command are meant to be split, unless they are names of files.
      if (is_command ? !value.is_file_names : value.is_list) continue;
      if (!may_split(fragment, separators)) continue;
      Diagnostic result = in.finding(
          "X213", word.span,
          is_command ? "a file name with a space becomes several elements; use mapfile -t"
                     : fmt::format("unquoted {} becomes several elements if it contains a space",
                                   in.text(word.span)));
      result.counterexample = "a b";
      if (!is_command) result.fixes.push_back(quotes_around(word.span, false));
      return in.report(std::move(result));
    }
  }
}

}  // namespace nacre::flow::rules
