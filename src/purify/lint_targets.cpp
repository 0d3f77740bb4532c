// P101, P102, P104: what the systems that a script is meant for lack.
#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "base/codes.h"
#include "purify/lint.h"
#include "purify/lint_rules.h"
#include "shell/builtins.h"
#include "shell/visitor.h"

namespace nacre::purify {

namespace {

// Commands that the script asks for with `command -v` and the like: it knows what it does.
std::set<std::string, std::less<>> asked_for(const Script& script, const std::vector<Call>& calls) {
  std::set<std::string, std::less<>> result;
  for (const Call& call : calls) {
    const auto invocation = invocation_of(script, call);
    if (!invocation || invocation->property(commands::CardKey::kAsks) == nullptr) continue;
    for (const commands::Argument& operand : invocation->operands)
      if (operand.text) result.insert(*operand.text);
  }
  return result;
}

bool lacks(const Profile& target, const commands::OptionSpec& option) {
  if (target.standards == 0 || (option.standards & target.standards) != 0) return false;
  if (target.is_strict) return option.standards != 0;
  return (option.missing & target.standards) != 0;
}

void find_missing_options(const SourceFile& file, const Call& call,
                          const commands::Invocation& invocation, const Profile& target,
                          std::vector<Diagnostic>& findings) {
  for (const commands::GivenOption& option : invocation.options) {
    if (!lacks(target, *option.spec)) continue;
    findings.push_back(finding(
        "P102", file, option.span,
        fmt::format("{} has no option {} of {}", target.name, option.spec->spelling(), call.name)));
  }
}

// What came with a version of bash after 3.2.
struct Construct {
  unsigned version = 0;
  std::string_view what;
};

Construct construct_of(const shell::Part& part) {
  if (part.kind != shell::PartKind::kParameter) return {};
  const shell::Parameter& node = part.parameter();
  if (node.op >= shell::ParameterOp::kUpperFirst && node.op <= shell::ParameterOp::kToggleAll)
    return {400, "changing the case in ${ }"};
  if (node.op == shell::ParameterOp::kTransform) return {404, "${x@operator}"};
  if (node.name == "EPOCHSECONDS" || node.name == "EPOCHREALTIME")
    return {500, "the clock as a variable"};
  if (node.name == "BASHPID") return {400, "$BASHPID"};
  return {};
}

Construct construct_of(const Call& call) {
  const shell::BuiltinInfo* info = shell::builtin_named(call.name);
  if (info == nullptr) return {};
  if (call.is("mapfile") || call.is("readarray")) return {400, "mapfile"};
  if (!info->is(shell::kDeclares)) return {};
  if (call.has('n')) return call.is("export") ? Construct{} : Construct{403, "a name reference"};
  if (call.has('A')) return {400, "an associative array"};
  if (call.has('g')) return {402, "declare -g"};
  return {};
}

Construct construct_of(const Place& place) {
  for (const shell::Redirection& each : place.command->redirections)
    if (each.op == shell::RedirectOp::kAppendAll) return {400, "&>>"};
  if (std::holds_alternative<shell::Coproc>(place.command->node)) return {400, "coproc"};
  return {};
}

void find_new_constructs(const Script& script, const std::vector<Call>& calls,
                         const Profile& target, std::vector<Diagnostic>& findings) {
  const auto note = [&](Construct found, Span place) {
    if (found.version <= target.bash_version) return;
    findings.push_back(
        finding("P104", script.file(), place,
                fmt::format("{} needs bash {}.{}, and {} has an older one", found.what,
                            found.version / 100, found.version % 100, target.name)));
  };
  shell::walk(script.tree().program(), shell::Visitor{[&](const shell::Part& part) {
                note(construct_of(part), part.span);
                return true;
              }});
  for (const Call& call : calls) note(construct_of(call), call.span());
  for (const Place& place : script.places()) note(construct_of(place), place.command->span);
}

}  // namespace

void find_missing(const Script& script, const std::vector<const Profile*>& targets,
                  std::vector<Diagnostic>& findings) {
  if (targets.empty()) return;
  const std::vector<Call> calls = calls_of(script);
  const auto asked = asked_for(script, calls);
  for (const Call& call : calls) {
    if (asked.contains(call.name)) continue;
    const auto invocation = invocation_of(script, call);
    if (!invocation) continue;
    for (const Profile* target : targets) {
      const uint8_t standards = invocation->card->standards;
      const bool is_missing = standards != 0 && target->standards != 0 &&
                              (standards & target->standards) == 0 &&
                              shell::builtin_named(call.name) == nullptr;
      if (is_missing) {
        findings.push_back(finding("P101", script.file(), call.words[0].span,
                                   fmt::format("{} has no {}", target->name, call.name)));
      } else {
        find_missing_options(script.file(), call, *invocation, *target, findings);
      }
    }
  }
  if (script.settings().dialect != shell::Dialect::kBash) return;
  for (const Profile* target : targets)
    if (target->bash_version != 0) find_new_constructs(script, calls, *target, findings);
}

}  // namespace nacre::purify
