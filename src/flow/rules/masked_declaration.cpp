// T310: the status of `local x=$(...)` is that of `local`, so set -e does not see a failure.
//
//   T310 bash: set -e\nf() { local x=$(cat /etc/hosts); echo "$x"; }\nf
//   quiet bash: set -e\nf() { local x; x=$(cat /etc/hosts); echo "$x"; }\nf
#include <fmt/format.h>

#include "flow/rules/publish.h"

namespace nacre::flow::rules {

namespace {

// It is a statement of its own: after `a &&` only the first of two commands would depend on a.
bool is_statement(Span command, const RuleContext& in) {
  const std::string_view before = in.file().bytes().substr(0, command.begin);
  const size_t last = before.find_last_not_of(" \t");
  if (last == before.npos) return true;
  const std::string_view text = before.substr(0, last + 1);
  return text.ends_with('\n') || text.ends_with(';') || text.ends_with('{') ||
         text.ends_with("then") || text.ends_with("do") || text.ends_with("else");
}

}  // namespace

void masked_declaration(const DeclarationEvent& event, RuleContext& in) {
  const Call& call = event.call;
  const bool matters = call.environment.options.errexit == Known::kYes && in.where.tested == 0;
  if (!matters || !event.substitution.can_fail || event.substitution.is_excused) return;
  const std::string& name = *call.fields[0].argument.text;
  Diagnostic result = in.finding(
      "T310", call.node.span,
      fmt::format("set -e ignores a failure of this substitution: the exit status is that of {}",
                  name));
  const auto words = call.simple.words;
  if (words.size() == 2 && name == "local" && is_statement(call.node.span, in)) {
    const std::string_view text = in.text(words[1].span);
    const std::string variable(text.substr(0, text.find_first_of("=+[")));
    result.fixes.push_back({"declare it first",
                            {{{words[1].span.begin, words[1].span.begin}, variable + "; "}},
                            false});
  }
  in.report(std::move(result));
}

}  // namespace nacre::flow::rules
