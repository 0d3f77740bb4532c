// Failures that nobody gets to see, and words that mean something else than they look like.
#include <algorithm>
#include <fmt/format.h>

#include "base/codes.h"
#include "flow/interpreter.h"

namespace nacre::flow {

namespace {

const shell::SimpleCommand* as_simple(const Command* command) {
  return command ? std::get_if<shell::SimpleCommand>(&command->node) : nullptr;
}

}  // namespace

// `local x=$(false)`: the status is that of `local`.
void Interpreter::judge_masked(const Call& call, const Status& status) {
  const bool matters = call.environment.options.errexit == Known::kYes && tested_ == 0;
  if (findings_.is_muted() || !matters || !status.can_fail || status.is_excused) return;
  const std::string& name = *call.fields[0].argument.text;
  Diagnostic result = finding(
      "T310", tree_.file(), call.node.span,
      fmt::format("set -e does not see a failure of the substitution: the status is that of {}",
                  name));
  const auto words = call.simple.words;
  if (words.size() == 2 && name == "local") {
    const std::string_view text = tree_.text(words[1].span);
    const std::string variable(text.substr(0, text.find_first_of("=+[")));
    result.fixes.push_back({"declare it first",
                            {{{words[1].span.begin, words[1].span.begin}, variable + "; "}},
                            false});
  }
  findings_.add(std::move(result));
}

// Whether a command takes in whatever it is given: tee, gzip.
bool Interpreter::keeps_input(const shell::SimpleCommand& simple) {
  if (simple.words.empty() || !simple.words[0].is_literal()) return false;
  const commands::Card* card = cards_.find(simple.words[0].literal());
  if (!card || card->name != simple.words[0].literal()) return false;  // gunzip looks at its input
  return literal_invocation(*card, simple).property("keeps") != nullptr;
}

// `make | tee log` under `set -e`, `if make | tee log`: the status is that of tee.
void Interpreter::judge_masking(const shell::Pipeline& node, std::span<const Status> statuses,
                                const Environment& environment) {
  const bool is_asked = asked_pipeline_ == &node && ignored_ == 0;
  const bool matters = environment.options.pipefail == Known::kNo &&
                       (is_asked || (environment.options.errexit == Known::kYes && tested_ == 0));
  if (findings_.is_muted() || !matters || node.items.size() < 2 || statuses.size() < 2) return;
  const auto* first = as_simple(node.items.front().command);
  const auto* last = as_simple(node.items.back().command);
  if (!last || !keeps_input(*last)) return;
  const commands::Card* writer = first && !first->words.empty() && first->words[0].is_literal()
                                     ? cards_.find(first->words[0].literal())
                                     : nullptr;
  if (writer && writer->echoes) return;
  if (!statuses.front().can_fail || statuses.front().is_excused) return;
  findings_.add(
      finding("T311", tree_.file(), node.items.front().command->span,
              fmt::format("{} does not see it if this fails: the status is that of {}",
                          is_asked ? "the condition" : "set -e", last->words[0].literal())));
}

// `rm *` where a file is called -rf.
void Interpreter::judge_dashes(std::span<const Field> words) {
  if (words.empty() || !words[0].argument.text || findings_.is_muted()) return;
  const commands::Card* card = cards_.find(*words[0].argument.text);
  if (!card || card->style != commands::OptionStyle::kGnu) return;
  const bool changes = std::any_of(card->operands.begin(), card->operands.end(),
                                   [](const auto& spec) { return spec.kind.starts_with("path"); });
  if (!changes) return;
  for (const Field& field : words.subspan(1)) {
    if (field.argument.text == "--") return;
    if (field.fragments.empty() || field.fragments[0].kind != FragmentKind::kGlob) continue;
    const Span span = field.argument.span;
    Diagnostic result = finding(
        "X113", tree_.file(), span,
        fmt::format("a file whose name begins with - is an option to {}", *words[0].argument.text));
    result.counterexample = "-r";
    result.fixes.push_back(
        {"end the options before it", {{{span.begin, span.begin}, "-- "}}, true});
    findings_.add(std::move(result));
    return;
  }
}

// `read` without -r takes a backslash for the beginning of an escape.
void Interpreter::judge_raw_read(const Call& call, bool is_raw) {
  const bool reads_lines = !call.io.reading_loop.empty() || call.io.has_own_input;
  if (findings_.is_muted() || is_raw || !reads_lines) return;
  const Lang line = commands::any_line(call.io.input);
  if (!symbols_of(line).intersects(regular::CharSet::of('\\'))) return;
  const Span name = call.fields[0].argument.span;
  Diagnostic result =
      finding("X112", tree_.file(), name, "without -r, read takes backslashes away");
  result.counterexample = "a\\b";
  result.fixes.push_back({"read lines as they are", {{{name.end, name.end}, " -r"}}, true});
  findings_.add(std::move(result));
}

}  // namespace nacre::flow
