// A whole script: its commands, its traps, and the functions that it does not call.
#include "flow/check.h"

#include <cassert>
#include <fmt/format.h>
#include <utility>

#include "flow/builtins.h"
#include "flow/function_calls.h"
#include "flow/interpreter.h"
#include "flow/other_code.h"
#include "flow/run.h"
#include "flow/tested.h"
#include "flow/variables.h"
#include "flow/written.h"
#include "regular/parse_type.h"

namespace nacre::flow {

namespace {

// Any variable may have changed before a later call of a function. One that the script leaves with
// a value that is never empty is assumed to keep some value.
Shared<std::vector<ValueId>> unsettled(Run& run, const Shared<std::vector<ValueId>>& variables) {
  Value anything = something(run.languages, Source::kEnvironment);
  anything.is_assigned = true;
  const ValueId some_value = run.values.add(std::move(anything));
  Shared<std::vector<ValueId>> result = variables;
  std::vector<ValueId>& ids = result.edit();
  for (size_t i = 0; i < ids.size(); i++) {
    if (run.script.kept.contains(Name{static_cast<uint32_t>(i)})) continue;
    ValueId& id = ids[i];
    const Value& value = run.values[id];
    const bool is_kept = value.is_assigned && !value.is_array && !may_be_empty(value);
    id = is_kept ? some_value : run.values.inherited();
  }
  return result;
}

// Functions that the script does not call may be called by other scripts, in any state it leaves.
void check_uncalled(Run& run, const Environment& last) {
  const Scoped uncalled(run.where.is_in_uncalled, true);
  for (size_t i = 0; i < run.functions.defined.size(); i++) {
    const shell::Function& function = *run.functions.defined[i];
    if (run.functions.called.contains(&function)) continue;
    Environment environment = last;
    environment.is_reachable = true;
    environment.positional = {};
    environment.status = uncertain({});
    environment.variables = unsettled(run, last.variables);
    run.frames.emplace_back().function = &function;
    const Scoped running(run.where.function, &function);
    interpret(run, *function.body, environment, run.own_input());
    run.frames.pop_back();
  }
}

// A call that was not followed would also have run the functions that its function calls.
void leave_skipped_open(Run& run) {
  for (const shell::Function* function : reached_from(run, run.functions.skipped)) {
    if (!run.functions.foreign.contains(function)) run.findings.leave_open(function->body->span);
  }
}

// What was not looked into, as a finding of its own: the others hold all the same.
void report_skipped(Run& run) {
  if (!run.limits.is_exhausted() || run.options.budget.stop.is_requested()) return;
  const std::string& what = run.limits.skipped();
  run.findings.add(run.rules.finding(
      "S016", run.limits.place(),
      fmt::format("analysis limit reached: {} and the code after it were only approximated, so "
                  "findings there may be missing",
                  what.empty() ? "this place" : what)));
}

// The standard input of the script, of the type that the options give.
Io input_of_script(Run& run) {
  Io io = run.own_input();
  if (run.options.input.empty()) return io;
  if (const auto type = regular::parse_type(run.languages, run.options.input)) {
    io.input = Stream(*type);
    io.is_piped = true;
  }
  return io;
}

}  // namespace

CheckResult check(const shell::Tree& tree, const commands::CardLibrary& cards,
                  const CheckOptions& options) {
  Run run(tree, cards, options);
  for (const Diagnostic& mistake : run.annotations.mistakes()) run.findings.add(mistake);
  publish_text(run);
  Environment environment;
  inherit_variables(run, environment);
  inherit_present(run, environment);
  inherit_options(run, environment);
  interpret(run, tree.program(), environment, input_of_script(run));
  assert(run.frames.size() == 1);  // every call, subshell and sourced file has ended
  assert(run.where.tested == 0 && !run.where.function && !run.where.capture);
  environment = join(run.values, environment, merged(run, run.frames.front().ends));
  run_traps(run, environment, run.own_input());
  check_uncalled(run, environment);
  leave_skipped_open(run);
  report_skipped(run);
  CheckResult result{run.findings.take(), run.limits.is_exhausted(), nullptr};
  if (run.recorder) {
    result.facts =
        run.recorder->finish(run.languages_owner, std::move(run.values), std::move(run.names));
  }
  return result;
}

}  // namespace nacre::flow
