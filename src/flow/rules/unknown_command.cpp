// T304, T305: a command that is not there.
//
//   T304: if ! command -v jq > /dev/null; then jq . a.json; fi
//   quiet: if ! command -v jq > /dev/null; then echo "no jq"; fi
//   T304: frobnicate() { :; }\nforbnicate
//   quiet: some_tool_of_mine --now
//   T305: greet\ngreet() { echo hello; }
//   quiet: greet() { echo hello; }\ngreet
#include <algorithm>
#include <fmt/format.h>

#include "base/slip.h"
#include "flow/call_words.h"
#include "flow/rules/publish.h"

namespace nacre::flow::rules {

namespace {

// `"$JAVA_HOME/bin/"`
bool is_directory(const Field& word) {
  const auto& text = word.fragments.empty() ? word.argument.text : word.fragments.back().value.text;
  return text && text->ends_with('/');
}

// ovs_vsctl wraps ovs-vsctl.
bool is_same_but_dashes(std::string a, std::string_view b) {
  for (size_t i = 0; i < a.size() && i < b.size(); i++) {
    if (a[i] == '-' && b[i] == '_') a[i] = '_';
  }
  return a == b;
}

// The known name that differs from an unknown one by a typing error; empty if there is none.
std::string_view intended_name(const std::string& name, const RuleContext& in) {
  constexpr size_t kMinLength = 3;
  if (name.size() < kMinLength) return {};
  for (const std::string_view each : {"echo", "printf", "export", "return", "local", "unset"}) {
    if (is_one_slip(name, each)) return each;
  }
  // What is sourced by another file may call what that file defines, with a name much like it.
  const auto is_slip = [&](std::string_view each) {
    return is_swapped(name, each) ||
           (in.script.is_program && each.size() > kMinLength && is_one_slip(name, each));
  };
  for (const auto& [each, definition] : in.survey.functions) {
    if (each.size() >= kMinLength && is_slip(each) && !is_same_but_dashes(name, each)) return each;
  }
  for (const auto& [command, card] : commands::builtin_cards()) {
    if (command.size() >= kMinLength && is_swapped(name, command)) return command;
  }
  return {};
}

void report_empty_path(const std::string& name, Span place, const Value& path, RuleContext& in) {
  Diagnostic result =
      in.finding("T304", place, fmt::format("{} cannot be found: PATH is empty here", name));
  result.path.push_back(in.note(path.origin, "PATH gets this value here"));
  in.report(std::move(result));
}

void report_too_early(const std::string& name, Span place, const shell::Function& later,
                      RuleContext& in) {
  Diagnostic result =
      in.finding("T305", place, fmt::format("{} is called before it is defined", name));
  result.notes.push_back(in.note(later.name->span, "it is defined here"));
  in.report(std::move(result));
}

void report_misspelled(const std::string& name, Span place, RuleContext& in) {
  const std::string_view meant = intended_name(name, in);
  if (meant.empty()) return;
  Diagnostic result = in.finding("T304", place, fmt::format("unknown command {}", name));
  result.notes.push_back(in.note(place, fmt::format("did you mean {}?", meant)));
  in.report(std::move(result));
}

void look_up(const CallEvent& event, const Field& word, RuleContext& in) {
  const std::string& name = *word.argument.text;
  const Environment& environment = event.call.environment;
  if (in.function_named(name, environment) || is_interpreted_builtin(name) ||
      name.find('/') != std::string::npos)
    return;
  const Span place = word.argument.span;
  if (const auto known = environment.commands->find(name); known != environment.commands->end()) {
    if (known->second) return;
    return in.report(in.finding(
        "T304", place,
        fmt::format("{} is run in a branch where an earlier test found it is not installed",
                    name)));
  }
  if (is_shell_builtin(name)) return;
  const Value& path = in.value("PATH", environment);
  if ((path.text && path.text->empty()) || is_surely_unset(path))
    return report_empty_path(name, place, path, in);
  if (environment.has_unknown_code || in.cards.find(name) || in.where.is_in_uncalled ||
      event.call.io.drops_errors)
    return;
  if (const auto later = in.survey.functions.find(name); later != in.survey.functions.end())
    return report_too_early(name, place, *later->second, in);
  report_misspelled(name, place, in);
}

}  // namespace

void unknown_command(const CallEvent& event, RuleContext& in) {
  if (event.words.empty()) return;
  const Field& name = event.words[0];
  if (name.argument.text) look_up(event, name, in);
  if (is_directory(name) && event.words.data() == event.call.fields.data()) {
    in.report(in.finding("T304", name.argument.span,
                         "the command name ends with /: it is a directory, not a command"));
  }
}

}  // namespace nacre::flow::rules
