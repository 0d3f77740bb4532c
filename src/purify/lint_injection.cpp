// J106, J107: values of the outside that become code or options.
#include <algorithm>
#include <fmt/format.h>

#include "base/codes.h"
#include "purify/lint_rules.h"
#include "purify/sinks.h"
#include "purify/values.h"
#include "shell/builtins.h"

namespace nacre::purify {

namespace {

using shell::Part;
using shell::Word;

std::string_view origin_of(const Script& script, const Part& part) {
  const flow::ExpansionFact* fact = expansion_of(script, part);
  if (fact == nullptr) return "";
  const flow::Value& value = script.facts().value(fact->value);
  if (value.source == flow::Source::kArgument) return "an argument of the script";
  if (value.source == flow::Source::kInput) return "a line of input";
  if (value.is_tainted) return "text that others may have chosen";
  return "";
}

// `sh -c "ls $1"` is J105: there the value is a part of the program.
bool is_whole(const Word& word) {
  const auto parts = word.parts();
  if (parts.size() != 1) return false;
  return parts[0].kind != shell::PartKind::kDoubleQuoted || parts[0].parts().size() == 1;
}

void find_code(const Script& script, const Call& call, size_t index, SinkKind kind,
               std::vector<Diagnostic>& findings) {
  const Word& word = call.words[index];
  const shell::BuiltinInfo* builtin = shell::builtin_named(call.name);
  if (kind == SinkKind::kShell && builtin == nullptr && !is_whole(word)) return;
  for (const Part* part : values_in(word)) {
    const std::string_view origin = origin_of(script, *part);
    if (origin.empty() || is_of_type(script, *part, "[A-Za-z0-9_]*")) continue;
    Diagnostic found =
        finding("J106", script.file(), part->span,
                fmt::format("{} becomes code of `{}`: commands in it are run", origin, call.name));
    findings.push_back(std::move(found));
    return;
  }
}

// `--` may stand before the word: no option comes after it.
bool may_end_options(const commands::Invocation& invocation, const Word& word) {
  return std::all_of(invocation.options.begin(), invocation.options.end(),
                     [&](const auto& each) { return each.span.begin < word.span.begin; });
}

void find_option(const Script& script, const std::vector<Call>& calls, const Call& call,
                 size_t index, std::vector<Diagnostic>& findings) {
  const Word& word = call.words[index];
  const auto invocation = invocation_of(script, call);
  const auto values = values_in(word);
  if (!invocation || values.empty() || origin_of(script, *values[0]).empty()) return;
  const auto style = invocation->card->style;
  const bool has_end =
      style == commands::OptionStyle::kGnu || style == commands::OptionStyle::kPosix;
  if (!has_end || may_begin_with_dash(script, calls, word) != Answer::kYes) return;
  Diagnostic found =
      finding("J107", script.file(), word.span,
              fmt::format("a value that begins with a dash is an option of {}; put `--` before it",
                          call.name));
  if (may_end_options(*invocation, word))
    found.fixes.push_back(
        {"end the options with --", {{{word.span.begin, word.span.begin}, "-- "}}, true});
  findings.push_back(std::move(found));
}

}  // namespace

void find_injections(const Script& script, std::vector<Diagnostic>& findings) {
  const std::vector<Call> calls = calls_of(script);
  for (const Call& call : calls) {
    for (size_t i = 1; i < call.words.size(); i++) {
      const SinkKind kind = sink_of(script, call, i);
      if (kind == SinkKind::kShell || kind == SinkKind::kProgram)
        find_code(script, call, i, kind, findings);
      if (kind == SinkKind::kOption) find_option(script, calls, call, i, findings);
      if (kind == SinkKind::kOption && !findings.empty() && findings.back().code == "J107" &&
          findings.back().span.begin == call.words[i].span.begin)
        break;  // one `--` is enough for the call
    }
  }
}

}  // namespace nacre::purify
