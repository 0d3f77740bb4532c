// X103: an unquoted value names other files than the one that was meant. For a removal any value
// that may hold a blank counts; for other commands that take paths only names of files do, which
// are known to hold blanks at times.
//
//   X103: rm -rf $1
//   quiet: rm -rf "$1"
//   quiet: files="a b"\nrm -f $files
#include <algorithm>
#include <fmt/format.h>

#include "base/path.h"
#include "flow/rules/advice.h"
#include "flow/rules/publish.h"
#include "shell/visitor.h"

namespace nacre::flow::rules {

namespace {

bool takes_path(const shell::SimpleCommand& simple, const commands::CardLibrary& cards) {
  if (simple.words.empty() || !simple.words[0].is_literal()) return false;
  const commands::Card* card = cards.find(simple.words[0].literal());
  return simple.words[0].literal() == "cd" ||
         (card && std::any_of(card->operands.begin(), card->operands.end(), [](const auto& spec) {
            return commands::is_path(spec.kind) || spec.kind == commands::OperandKind::kFile;
          }));
}

// `d="My Files"; mkdir "$d"; rm -r $d`: a variable that is quoted elsewhere, where a path is
// wanted, is not a list.
bool is_one_name(const Fragment& fragment, const RuleContext& in) {
  if (!fragment.part || fragment.part->kind != shell::PartKind::kParameter) return false;
  const std::string_view name = fragment.part->parameter().name;
  const auto is_quoted_use = [&](const shell::Word& word) {
    if (word.parts().empty() || word.parts()[0].kind != shell::PartKind::kDoubleQuoted)
      return false;
    const auto inner = word.parts()[0].parts();
    return !inner.empty() && inner[0].kind == shell::PartKind::kParameter &&
           inner[0].parameter().name == name;
  };
  bool result = false;
  walk(in.tree.program(), shell::Visitor{[&](const Command& command) {
         const auto* simple = std::get_if<shell::SimpleCommand>(&command.node);
         result |= simple && takes_path(*simple, in.cards) &&
                   std::any_of(simple->words.begin(), simple->words.end(), is_quoted_use);
       }});
  return result;
}

void report_split(const Fragment& fragment, std::string_view command, RuleContext& in) {
  const Span span = fragment.span;
  Diagnostic result = in.finding(
      "X103", span,
      fmt::format("unquoted {} undergoes word splitting: a name with spaces reaches {} as several "
                  "arguments",
                  in.text(span), command));
  result.counterexample = "a b";
  show_origin(result, fragment.value, in);
  result.fixes.push_back(quotes_around(span, false));
  in.report(std::move(result));
}

}  // namespace

void split_path(const CallEvent& event, RuleContext& in) {
  const auto words = event.words;
  if (words.empty() || !words[0].argument.text) return;
  const std::string_view name = base_name(*words[0].argument.text);
  const commands::Card* card = in.cards.find(name);
  const auto is_path = [](const auto& spec) { return commands::is_path(spec.kind); };
  if (!card || std::none_of(card->operands.begin(), card->operands.end(), is_path)) return;
  const bool is_removal =
      card->has_property(commands::CardKey::kRemoves) && card->operands.size() == 1;
  const std::string separators = field_separators(in.value("IFS", event.call.environment));
  for (const Field& field : words.subspan(1)) {
    for (const Fragment& fragment : field.fragments) {
      if (!may_split(fragment, separators)) continue;
      if (fragment.value.is_list && !(is_removal && is_one_name(fragment, in))) continue;
      if (!is_removal && (fragment.value.is_opaque || fragment.value.source == Source::kScript))
        continue;
      report_split(fragment, name, in);
      break;
    }
  }
}

}  // namespace nacre::flow::rules
