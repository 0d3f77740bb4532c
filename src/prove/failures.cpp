// undefined-variables and unchecked-failures: what the checker's facts say of every place.
#include <fmt/format.h>

#include "prove/subject.h"
#include "purify/values.h"

namespace nacre::prove {

Finding undefined_variables(Subject& subject) {
  Finding worst{
      {}, Verdict::kProved, "every variable that is read has a value or a default", {}, {}, false};
  for (const flow::ExpansionFact& each : subject.script->facts().expansions()) {
    if (each.part->kind != shell::PartKind::kParameter) continue;
    const shell::Parameter& node = each.part->parameter();
    if (node.kind != shell::ParameterKind::kVariable || node.op != shell::ParameterOp::kNone)
      continue;
    const flow::Value& value = subject.script->facts().value(each.value);
    if (!value.may_be_unset && !value.is_opaque) continue;
    const bool is_surely = flow::is_surely_unset(value);
    const std::string reason =
        fmt::format("line {}: {} may be unset", subject.line(each.span), node.name);
    if (is_surely)
      return {{}, Verdict::kRefuted, reason, each.span, "a run that reaches the line", false};
    if (worst.verdict == Verdict::kProved)
      worst = {{}, Verdict::kOpen, reason, each.span, {}, false};
  }
  return worst;
}

Finding unchecked_failures(Subject& subject) {
  Finding worst{
      {},   Verdict::kProved, "every failure is tested, fatal or the result of the script", {}, {},
      false};
  for (const purify::Call& call : subject.calls) {
    const flow::CommandFact* fact = subject.script->fact(*call.place);
    if (fact == nullptr || !fact->can_fail ||
        subject.script->fate(*call.place) != purify::Fate::kDead)
      continue;
    const Again again = knowledge_of(*subject.script, call).again;
    const bool changes = again == Again::kSame || again == Again::kFails || call.is("cd");
    const std::string reason = fmt::format("line {}: `{}` may fail and nothing notices",
                                           subject.line(call.span()), call.name);
    if (changes)
      return {{}, Verdict::kRefuted, reason, call.span(), "a world where the command fails", false};
    if (worst.verdict == Verdict::kProved)
      worst = {{}, Verdict::kOpen, reason, call.span(), {}, false};
  }
  return worst;
}

}  // namespace nacre::prove
