// J104: a file in a shared directory whose name others can predict. One report for each name.
//
//   J104: echo data > "/tmp/report.$$"
//   quiet: file=$(mktemp)\necho data > "$file"
#include <algorithm>
#include <fmt/format.h>

#include "flow/rules/publish.h"
#include "regular/decide.h"

namespace nacre::flow::rules {

namespace {

// No other user is there while it runs. Nothing that the script does tells so: only its place,
// with the tools that make the disk, or which library of the disk it reads. Hence the names.
bool is_of_initial_ram_disk(const SourceFile& file) {
  const auto holds = [](std::string_view text, std::initializer_list<std::string_view> words) {
    return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
      return text.find(word) != std::string_view::npos;
    });
  };
  return holds(file.name(), {"/dracut/modules.d/", "/initramfs-tools/", "/live/boot/"}) ||
         holds(file.bytes(), {". /lib/dracut-lib.sh", ". /scripts/functions"});
}

// What makes the name of a file: the assignment of the variable that it begins with, or the word
// itself.
Span origin_of_name(const shell::Word& word, const Environment& environment,
                    const RuleContext& in) {
  std::span<const shell::Part> parts = word.parts();
  if (!parts.empty() && parts[0].kind == shell::PartKind::kDoubleQuoted) parts = parts[0].parts();
  const bool is_variable = !parts.empty() && parts[0].kind == shell::PartKind::kParameter &&
                           parts[0].parameter().kind == shell::ParameterKind::kVariable;
  if (!is_variable) return word.span;
  const Span origin = in.value(parts[0].parameter().name, environment).origin;
  return origin.empty() ? word.span : origin;
}

}  // namespace

void predictable_name(const OutputEvent& event, RuleContext& in) {
  const Value& target = event.target;
  if (event.redirection.op == shell::RedirectOp::kDuplicateOutput) return;
  if (target.is_opaque || target.may_be_unset || target.source != Source::kScript) return;
  if (!target.prefix.starts_with("/tmp/") && !target.prefix.starts_with("/var/tmp/")) return;
  if (is_of_initial_ram_disk(in.file())) return;
  const regular::CharSet in_name =
      regular::CharSet::all(in.languages.alphabet()) - regular::CharSet::of('/');
  const Lang shared = in.languages.literal("/tmp/") | in.languages.literal("/var/tmp/");
  const Lang names = shared + plus(in.languages.set(in_name));
  if (!regular::included(target.strings, names, in.budget).yes()) return;
  const Span place = event.redirection.target.span;
  const Span origin = origin_of_name(event.redirection.target, event.environment, in);
  if (!in.is_first(fmt::format("name {}", in.text(origin)))) return;
  Diagnostic result = in.finding(
      "J104", place, "predictable name: another user can plant a symlink there first; use mktemp");
  // A constant name is one that others are to find: a log, a lock, the input of another command.
  if (target.text) result.severity = Severity::kInfo;
  if (origin != place) result.path.push_back(in.note(origin, "the name is made here"));
  in.report(std::move(result));
}

}  // namespace nacre::flow::rules
