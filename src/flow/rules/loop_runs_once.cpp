// X107: a `for` loop whose list is one word.
//
//   X107: for i in "a b c"; do echo "$i"; done
//   quiet: for i in a b c; do echo "$i"; done
//   X107: for i in "$*"; do echo "$i"; done
//   quiet: for i in "$@"; do echo "$i"; done
//   quiet bash: n='a[@]'\nfor i in "${!n}"; do echo "$i"; done
#include <algorithm>
#include <cctype>

#include "flow/rules/operands.h"
#include "flow/rules/publish.h"

namespace nacre::flow::rules {

namespace {

// `for x in "a b c"`; of a path the blanks may be a part.
bool is_quoted_list(const shell::Word& word) {
  if (word.has(shell::kWordHasExpansion) || !word.is_quoted()) return false;
  const std::string text = text_beside_expansions(word);
  const size_t first = text.find_first_not_of(" \n"), last = text.find_last_not_of(" \n");
  return first != text.npos && text.find_first_of(" \n", first) < last &&
         text.find_first_of("/.\\") == text.npos;
}

// `for x in "{1..9}"`, `for x in "*.txt"`. Single quotes are there to say what they say.
bool is_quoted_pattern(const shell::Word& word) {
  const auto parts = word.parts();
  if (!word.is_literal() || parts.empty() || parts[0].kind != shell::PartKind::kDoubleQuoted)
    return false;
  const std::string_view text = word.literal();
  const bool is_range = text.starts_with('{') && text.ends_with('}') &&
                        (text.find("..") != text.npos || text.find(',') != text.npos);
  const auto is_letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
  return is_range ||
         (text.find('*') != text.npos && std::any_of(text.begin(), text.end(), is_letter));
}

// `"${!n}"`, which may be all of an array.
bool has_indirection(std::span<const Field> fields) {
  for (const Field& field : fields) {
    for (const Fragment& fragment : field.fragments) {
      if (fragment.part && fragment.part->kind == shell::PartKind::kParameter &&
          fragment.part->parameter().is_indirect)
        return true;
    }
  }
  return false;
}

// An unquoted constant may be a list that has one entry today; an absolute path is not.
bool is_one_word(std::span<const Field> fields) {
  if (fields.size() != 1 || fields[0].may_repeat) return false;
  const auto& fragments = fields[0].fragments;
  return fields[0].argument.prefix.starts_with("/") ||
         std::all_of(fragments.begin(), fragments.end(),
                     [](const Fragment& fragment) { return fragment.is_quoted; });
}

}  // namespace

void loop_runs_once(const ForEvent& event, RuleContext& in) {
  const shell::For& node = event.node;
  if (node.is_select || node.words().size() != 1) return;
  const shell::Word& word = node.words()[0];
  if (is_quoted_list(word)) {
    return in.report(in.finding("X107", word.span,
                                "the loop runs once: in quotes this is one word, spaces included"));
  }
  if (is_quoted_pattern(word)) {
    return in.report(
        in.finding("X107", word.span, "the loop runs once: nothing is expanded in quotes"));
  }
  if (word.is_literal() || !word.has(shell::kWordHasExpansion)) return;
  if (!is_one_word(event.fields) || has_indirection(event.fields))
    return in.pass("X107", word.span);
  Diagnostic result = in.finding("X107", word.span, "the loop runs once: the list is one word");
  if (in.text(word.span) == "\"$*\"")
    result.fixes.push_back({"loop over the arguments", {{word.span, "\"$@\""}}, false});
  in.pass("X107", word.span, std::move(result));
}

}  // namespace nacre::flow::rules
