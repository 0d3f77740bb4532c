// The rules of the report's appendix B, one function each, in its order: what a rule concludes from
// what its premises gave. Which rule applies is decided in interpreter.h. docs/colis.md has the
// table of rules, functions and tests.
#pragma once

#include "colis/semantics.h"

namespace nacre::colis {

// bhv_I(b): a failure ends the program unless it is tested.
[[nodiscard]] inline Behaviour bhv(const Input& input, bool b) {
  return input.under_condition || b ? Behaviour::kNormal : Behaviour::kExit;
}

template <typename Files>
Outcome<Files> with_result(State<Files> state, bool result, Behaviour behaviour) {
  state.context.result = result;
  return {std::move(state), behaviour};
}

template <typename Files>
Outcome<Files> incomplete(State<Files> state, const std::string& reason) {
  state.log.push_back("[INCOMPLETE] " + reason);
  return {std::move(state), Behaviour::kFailure};
}

inline bool result_or(ResultCode code, bool previous) {
  return code == ResultCode::kPrevious ? previous : code == ResultCode::kSuccess;
}

// --- B.1 instructions

template <typename Files>
Outcome<Files> rule_exit(ResultCode code, State<Files> state) {
  const bool result = result_or(code, state.context.result);
  return with_result(std::move(state), result, Behaviour::kExit);
}
template <typename Files>
Outcome<Files> rule_return(ResultCode code, State<Files> state) {
  const bool result = result_or(code, state.context.result);
  return with_result(std::move(state), result, Behaviour::kReturn);
}
template <typename Files>
Outcome<Files> rule_shift(uint64_t count, const Input& input, State<Files> state) {
  std::vector<std::string>& arguments = state.context.arguments;
  arguments.erase(arguments.begin(), arguments.begin() + static_cast<std::ptrdiff_t>(count));
  return with_result(std::move(state), true, bhv(input, true));
}
template <typename Files>
Outcome<Files> rule_shift_error(const Input& input, State<Files> state) {
  return with_result(std::move(state), false, bhv(input, false));
}
template <typename Files>
Outcome<Files> rule_export(const std::string& name, State<Files> state) {
  state.context.vars[name].is_exported = true;
  return with_result(std::move(state), true, Behaviour::kNormal);
}
template <typename Files>
Outcome<Files> rule_cd_arg_failure(State<Files> state) {
  return {std::move(state), Behaviour::kFailure};
}
template <typename Files>
Outcome<Files> rule_cd_no_dir(const Input& input, State<Files> state) {
  return with_result(std::move(state), false, bhv(input, false));
}
template <typename Files>
Outcome<Files> rule_cd(const std::string& cwd, const Input& input, State<Files> state) {
  state.context.cwd = cwd;
  state.context.vars["PWD"].value = cwd;
  return with_result(std::move(state), true, bhv(input, true));
}
template <typename Files>
Outcome<Files> rule_assignment(const std::string& name, const std::string& value, bool b,
                               const Input& input, State<Files> state) {
  state.context.vars[name].value = value;
  return with_result(std::move(state), b, bhv(input, b));
}
template <typename Files>
Outcome<Files> rule_assignment_failure(State<Files> state) {
  return {std::move(state), Behaviour::kFailure};
}
// The state in which the second instruction runs.
template <typename Files>
State<Files> rule_sequence(Outcome<Files> first) {
  return std::move(first.state);
}
template <typename Files>
Outcome<Files> rule_sequence_abort(Outcome<Files> first) {
  return first;
}
template <typename Files>
Outcome<Files> rule_subshell(const Context& context, const Input& input, Outcome<Files> inner) {
  const bool result = inner.state.context.result;
  inner.state.context = context;
  return with_result(std::move(inner.state), result, bhv(input, result));
}
template <typename Files>
Outcome<Files> rule_subshell_failure(const Context& context, Outcome<Files> inner) {
  const bool result = inner.state.context.result;
  inner.state.context = context;
  return with_result(std::move(inner.state), result, Behaviour::kFailure);
}
template <typename Files>
Outcome<Files> rule_not(Outcome<Files> inner) {
  inner.state.context.result = !inner.state.context.result;
  return inner;
}
template <typename Files>
Outcome<Files> rule_not_transmit(Outcome<Files> inner) {
  return inner;
}
template <typename Files>
State<Files> rule_if_true(Outcome<Files> condition) {
  return std::move(condition.state);
}
template <typename Files>
State<Files> rule_if_false(Outcome<Files> condition) {
  return std::move(condition.state);
}
template <typename Files>
Outcome<Files> rule_if_transmit_condition(Outcome<Files> condition) {
  return condition;
}
template <typename Files>
Outcome<Files> rule_no_output(const std::string& before, Outcome<Files> inner) {
  inner.state.stdout_text = before;
  return inner;
}
// What the second member of a pipe starts with: the first one's output, and nothing else of it but
// the files.
template <typename Files>
State<Files> pipe_middle(const Surroundings& before, Outcome<Files> left) {
  left.state.context = before.context;
  left.state.stdin_text = std::move(left.state.stdout_text);
  left.state.stdout_text = before.stdout_text;
  left.state.is_discarded = before.is_discarded;
  return std::move(left.state);
}
// As in the report, the second member's behaviour is that of the pipe: an exit there leaves the
// program.
template <typename Files>
Outcome<Files> rule_pipe(const Surroundings& before, Outcome<Files> right) {
  const bool result = right.state.context.result;
  right.state.context = before.context;
  right.state.context.result = result;
  right.state.stdin_text = before.stdin_text;
  right.state.is_discarded = before.is_discarded;
  return right;
}
template <typename Files>
Outcome<Files> rule_pipe_failure(const Surroundings& before, Outcome<Files> left) {
  left.state.context = before.context;
  left.state.stdin_text = before.stdin_text;
  left.state.stdout_text = before.stdout_text;
  return {std::move(left.state), Behaviour::kFailure};
}
template <typename Files>
Outcome<Files> rule_call_utility_args_failure(State<Files> state) {
  return {std::move(state), Behaviour::kFailure};
}
template <typename Files>
Outcome<Files> rule_call_utility(bool b, const Input& input, State<Files> state) {
  return with_result(std::move(state), b, bhv(input, b));
}
template <typename Files>
Outcome<Files> rule_utility_incomplete(State<Files> state) {
  return {std::move(state), Behaviour::kFailure};
}
template <typename Files>
Outcome<Files> rule_call_function_args_failure(State<Files> state) {
  return {std::move(state), Behaviour::kFailure};
}
template <typename Files>
Outcome<Files> rule_call_function_unknown(const Input& input, State<Files> state) {
  return with_result(std::move(state), false, bhv(input, false));
}
template <typename Files>
Outcome<Files> rule_call_function_stack_limit(const std::string& reason, State<Files> state) {
  return incomplete(std::move(state), reason);
}
// A `return` that fails does not end a strict program: the report's rule, not the shell's.
template <typename Files>
Outcome<Files> rule_call_function(const std::vector<std::string>& arguments, Outcome<Files> body) {
  body.state.context.arguments = arguments;
  if (body.behaviour == Behaviour::kReturn) body.behaviour = Behaviour::kNormal;
  return body;
}
template <typename Files>
Outcome<Files> rule_foreach_args_failure(State<Files> state) {
  return {std::move(state), Behaviour::kFailure};
}
template <typename Files>
Outcome<Files> rule_foreach(State<Files> state, bool b) {
  return with_result(std::move(state), b, Behaviour::kNormal);
}
template <typename Files>
Outcome<Files> rule_while(State<Files> state, bool b) {
  return with_result(std::move(state), b, Behaviour::kNormal);
}
template <typename Files>
Outcome<Files> rule_while_abort(Outcome<Files> inner) {
  return inner;
}

// --- B.2 lists: an item at a time, from the left

template <typename Files>
ListResult<Files> rule_list_expr_nil(State<Files> state) {
  return {std::move(state), false, {}};
}
// The words so far, and those of one item more.
template <typename Files>
ListResult<Files> rule_list_expr_cons(std::vector<std::string> words, bool is_split,
                                      StringResult<Files> item) {
  if (!is_split) {
    words.push_back(std::move(item.text));
  } else {
    for (std::string& word : split_words(item.text)) words.push_back(std::move(word));
  }
  return {std::move(item.state), false, std::move(words)};
}
template <typename Files>
ListResult<Files> rule_list_expr_failure_head(StringResult<Files> item) {
  return {std::move(item.state), true, {}};
}
// The items after the one that failed are not evaluated.
template <typename Files>
ListResult<Files> rule_list_expr_failure_tail(ListResult<Files> failed) {
  return failed;
}

// --- B.3 strings

template <typename Files>
StringResult<Files> rule_str_literal(const std::string& text, bool b, State<Files> state) {
  return {std::move(state), false, text, b};
}
template <typename Files>
StringResult<Files> rule_str_variable(const std::string& name, bool b, State<Files> state) {
  auto found = state.context.vars.find(name);
  std::string text =
      found == state.context.vars.end() ? "" : found->second.value.value_or(std::string());
  return {std::move(state), false, std::move(text), b};
}
template <typename Files>
StringResult<Files> rule_str_arg(uint64_t n, bool b, const Input& input, State<Files> state) {
  const std::vector<std::string>& arguments = state.context.arguments;
  std::string text = n == 0                  ? input.argument0
                     : n <= arguments.size() ? arguments[static_cast<size_t>(n - 1)]
                                             : "";
  return {std::move(state), false, std::move(text), b};
}
// Of the inner state the files, the log and the rest of the input stay; `text` is what it printed.
template <typename Files>
StringResult<Files> rule_str_subshell(const Surroundings& before, std::string text,
                                      Outcome<Files> inner) {
  const bool b = inner.state.context.result;
  inner.state.context = before.context;
  inner.state.stdout_text = before.stdout_text;
  inner.state.is_discarded = before.is_discarded;
  return {std::move(inner.state), false, std::move(text), b};
}
template <typename Files>
StringResult<Files> rule_str_subshell_failure(const Surroundings& before, Outcome<Files> inner) {
  StringResult<Files> result = rule_str_subshell(before, "", std::move(inner));
  result.is_error = true;
  return result;
}
template <typename Files>
StringResult<Files> rule_str_concat(std::string left, StringResult<Files> right) {
  left += right.text;
  right.text = std::move(left);
  return right;
}
template <typename Files>
StringResult<Files> rule_str_concat_failure1(StringResult<Files> left) {
  return left;
}
template <typename Files>
StringResult<Files> rule_str_concat_failure2(StringResult<Files> right) {
  return right;
}

// --- B.4 for

template <typename Files>
State<Files> rule_foreach_done(State<Files> state) {
  return state;
}
template <typename Files>
State<Files> foreach_enter(const std::string& name, const std::string& word, State<Files> state) {
  state.context.vars[name].value = word;
  return state;
}
template <typename Files>
Outcome<Files> rule_foreach_abort(Outcome<Files> body) {
  return body;
}
template <typename Files>
Outcome<Files> rule_foreach_step(Outcome<Files> body) {
  return body;
}

// --- B.5 while

template <typename Files>
Outcome<Files> rule_while_loop_limit(const std::string& reason, State<Files> state) {
  return incomplete(std::move(state), reason);
}
template <typename Files>
Outcome<Files> rule_while_abort_condition(Outcome<Files> condition) {
  return condition;
}
template <typename Files>
State<Files> rule_while_false(Outcome<Files> condition) {
  return std::move(condition.state);
}
template <typename Files>
Outcome<Files> rule_while_abort_body(Outcome<Files> body) {
  return body;
}
template <typename Files>
Outcome<Files> rule_while_loop(Outcome<Files> body) {
  return body;
}

// --- B.6, B.7 definitions and programs

// FUNCTION-DEFINITION for each, in their order, then FUNCTION-DEFINITIONS-DONE.
inline std::shared_ptr<const Functions> rule_function_definitions(
    const std::shared_ptr<const Functions>& known, const std::vector<FunctionDefinition>& more) {
  auto result =
      known == nullptr ? std::make_shared<Functions>() : std::make_shared<Functions>(*known);
  for (const FunctionDefinition& function : more) (*result)[function.name] = &function.body;
  return result;
}
// PROGRAM, and PROGRAM-FAILURE for Failure: exits and returns end here.
template <typename Files>
Outcome<Files> rule_program(Outcome<Files> outcome) {
  if (outcome.behaviour != Behaviour::kFailure) outcome.behaviour = Behaviour::kNormal;
  return outcome;
}

// --- bounds of this implementation, with the behaviour of the report's

template <typename Files>
Outcome<Files> rule_depth_limit(const std::string& reason, State<Files> state) {
  return incomplete(std::move(state), reason);
}
template <typename Files>
Outcome<Files> rule_state_limit(const std::string& reason, State<Files> state) {
  return incomplete(std::move(state), reason);
}

}  // namespace nacre::colis
