// The semantics of CoLiS: every rule of the report's appendix B is one function that is named after
// it, `rule_...`, from what its premises give to its conclusion (rules.h). This file evaluates the
// premises and chooses the rule.
//
// A utility may have several cases, so an instruction has several outcomes: evaluation is over sets
// of states. In a world in which every utility has one case it is the concrete interpreter of the
// report, over constraints it is the symbolic one; there is no second copy of the semantics.
//
//   Interpreter<Files> interpreter(utilities, bounds, {});
//   auto outcomes = interpreter.run(program, input, state);
//   if (interpreter.aborted()) ...
//
// Sets are kept in the order in which their states are found: the same program gives the same list.
#pragma once

#include <algorithm>
#include <set>
#include <utility>

#include "colis/rules.h"

namespace nacre::colis {

template <typename Files>
struct InterpreterOptions {
  bool is_original = false;
  // Not empty: states with the same key are the same, and one of them is dropped.
  std::function<std::string(const Files&)> merge_key = {};
};

template <typename Files>
class Interpreter {
 public:
  using S = State<Files>;
  using O = Outcome<Files>;
  using Outcomes = std::vector<O>;

  Interpreter(const Utilities<Files>& utilities, const Bounds& bounds,
              InterpreterOptions<Files> options)
      : utilities_(utilities), bounds_(bounds), options_(std::move(options)) {}

  // The program must live as long as the states that come out.
  Outcomes run(const Program& program, const Input& input, S state) {
    state.context.funs = rule_function_definitions(state.context.funs, program.functions);
    Outcomes outcomes = instruction(program.body, input, std::move(state), 0);
    for (O& outcome : outcomes) outcome = rule_program(std::move(outcome));
    return outcomes;
  }

  [[nodiscard]] const std::optional<Abort>& aborted() const { return abort_; }
  [[nodiscard]] uint64_t steps() const { return steps_; }

 private:
  using StringOutcome = StringResult<Files>;
  using ListOutcome = ListResult<Files>;

  Outcomes instruction(const Instruction& i, const Input& input, S&& state, uint64_t stack) {
    if (!may_go_on()) return {};
    if (depth_ >= bounds_.max_depth)
      return one(rule_depth_limit(
          limit("Nesting limit", bounds_.max_depth, "evaluations within each other"),
          std::move(state)));
    ++depth_;
    Outcomes result = dispatch(i, input, std::move(state), stack);
    --depth_;
    return result;
  }

  Outcomes dispatch(const Instruction& i, const Input& input, S&& state, uint64_t stack) {
    switch (i.kind) {
      case Instruction::kExit: return one(rule_exit(i.code, std::move(state)));
      case Instruction::kReturn: return one(rule_return(i.code, std::move(state)));
      case Instruction::kShift: return one(shift(i, input, std::move(state)));
      case Instruction::kExport: return one(rule_export(i.name, std::move(state)));
      case Instruction::kCd: return cd(i, input, std::move(state), stack);
      case Instruction::kAssignment: return assign(i, input, std::move(state), stack);
      case Instruction::kSequence: return sequence(i, input, std::move(state), stack);
      case Instruction::kProcess: return subshell(i, input, std::move(state), stack);
      case Instruction::kNot: return negation(i, input, std::move(state), stack);
      case Instruction::kIf: return conditional(i, input, std::move(state), stack);
      case Instruction::kNoOutput: return no_output(i, input, std::move(state), stack);
      case Instruction::kPipe: return pipe(i, input, std::move(state), stack);
      case Instruction::kUtility: return utility(i, input, std::move(state), stack);
      case Instruction::kCall: return call(i, input, std::move(state), stack);
      case Instruction::kFor: return foreach (i, input, std::move(state), stack);
      case Instruction::kWhile: return while_loop(i, input, std::move(state), stack);
    }
    return {};
  }

  static Outcomes one(O outcome) {
    Outcomes result;
    result.push_back(std::move(outcome));
    return result;
  }
  static void add(Outcomes& to, Outcomes from) {
    std::move(from.begin(), from.end(), std::back_inserter(to));
  }

  O shift(const Instruction& i, const Input& input, S state) {
    const uint64_t count = i.count.value_or(1);
    count_bytes(state.context.arguments.size());  // they all move
    return count <= state.context.arguments.size() ? rule_shift(count, input, std::move(state))
                                                   : rule_shift_error(input, std::move(state));
  }

  Outcomes cd(const Instruction& i, const Input& input, S&& state, uint64_t stack) {
    Outcomes result;
    for (StringOutcome& path : string(i.value, input, std::move(state), true, stack)) {
      if (path.is_error) {
        result.push_back(rule_cd_arg_failure(std::move(path.state)));
        continue;
      }
      const std::string cwd = norm_path(path.state.context.cwd, path.text);
      for (UtilityCase<Files>& tested : ask({"test", {"-d", cwd}}, std::move(path.state))) {
        result.push_back(tested.result == UtilityResult::kIncomplete
                             ? rule_utility_incomplete(std::move(tested.state))
                         : tested.result == UtilityResult::kTrue
                             ? rule_cd(cwd, input, std::move(tested.state))
                             : rule_cd_no_dir(input, std::move(tested.state)));
      }
    }
    return result;
  }

  Outcomes assign(const Instruction& i, const Input& input, S&& state, uint64_t stack) {
    Outcomes result;
    for (StringOutcome& value : string(i.value, input, std::move(state), true, stack)) {
      count_bytes(value.text.size());
      result.push_back(value.is_error ? rule_assignment_failure(std::move(value.state))
                                      : rule_assignment(i.name, value.text, value.b, input,
                                                        std::move(value.state)));
    }
    return result;
  }

  Outcomes sequence(const Instruction& i, const Input& input, S&& state, uint64_t stack) {
    Outcomes done;
    Outcomes going = one({std::move(state), Behaviour::kNormal});
    for (const Instruction& part : i.parts) {
      Outcomes next;
      for (O& outcome : going) {
        if (outcome.behaviour != Behaviour::kNormal) {
          done.push_back(rule_sequence_abort(std::move(outcome)));
        } else {
          add(next, instruction(part, input, rule_sequence(std::move(outcome)), stack));
        }
      }
      going = limited(std::move(next));
    }
    add(done, std::move(going));
    return done;
  }

  Outcomes subshell(const Instruction& i, const Input& input, S&& state, uint64_t stack) {
    const Context context = state.context;
    Outcomes result = instruction(i.parts[0], input, std::move(state), stack);
    for (O& outcome : result) {
      outcome = outcome.behaviour == Behaviour::kFailure
                    ? rule_subshell_failure(context, std::move(outcome))
                    : rule_subshell(context, input, std::move(outcome));
    }
    return result;
  }

  Outcomes negation(const Instruction& i, const Input& input, S&& state, uint64_t stack) {
    Outcomes result = instruction(i.parts[0], under_condition(input), std::move(state), stack);
    for (O& outcome : result) {
      const bool flips =
          outcome.behaviour == Behaviour::kNormal || outcome.behaviour == Behaviour::kReturn;
      outcome = flips ? rule_not(std::move(outcome)) : rule_not_transmit(std::move(outcome));
    }
    return result;
  }

  Outcomes conditional(const Instruction& i, const Input& input, S&& state, uint64_t stack) {
    Outcomes result;
    for (O& tested : instruction(i.parts[0], under_condition(input), std::move(state), stack)) {
      if (tested.behaviour != Behaviour::kNormal) {
        result.push_back(rule_if_transmit_condition(std::move(tested)));
      } else if (tested.state.context.result) {
        add(result, instruction(i.parts[1], input, rule_if_true(std::move(tested)), stack));
      } else {
        add(result, instruction(i.parts[2], input, rule_if_false(std::move(tested)), stack));
      }
    }
    return result;
  }

  Outcomes no_output(const Instruction& i, const Input& input, S&& state, uint64_t stack) {
    const std::string before = state.stdout_text;
    const bool was_discarded = std::exchange(state.is_discarded, true);
    Outcomes result = instruction(i.parts[0], input, std::move(state), stack);
    for (O& outcome : result) {
      outcome = rule_no_output(before, std::move(outcome));
      outcome.state.is_discarded = was_discarded;
    }
    return result;
  }

  Outcomes pipe(const Instruction& i, const Input& input, S&& state, uint64_t stack) {
    const Surroundings before = surroundings_of(state);
    state.stdout_text.clear();
    state.is_discarded = false;
    Outcomes result;
    for (O& left : instruction(i.parts[0], input, std::move(state), stack)) {
      if (left.behaviour == Behaviour::kFailure) {
        result.push_back(rule_pipe_failure(before, std::move(left)));
        continue;
      }
      for (O& right : instruction(i.parts[1], input, pipe_middle(before, std::move(left)), stack))
        result.push_back(rule_pipe(before, std::move(right)));
    }
    return result;
  }

  Outcomes utility(const Instruction& i, const Input& input, S&& state, uint64_t stack) {
    Outcomes result;
    for (ListOutcome& words : list(i.list, input, std::move(state), stack)) {
      if (words.is_error) {
        result.push_back(rule_call_utility_args_failure(std::move(words.state)));
        continue;
      }
      for (UtilityCase<Files>& ended :
           ask({i.name, std::move(words.words)}, std::move(words.state))) {
        result.push_back(ended.result == UtilityResult::kIncomplete
                             ? rule_utility_incomplete(std::move(ended.state))
                             : rule_call_utility(ended.result == UtilityResult::kTrue, input,
                                                 std::move(ended.state)));
      }
    }
    return result;
  }

  Outcomes call(const Instruction& i, const Input& input, S&& state, uint64_t stack) {
    Outcomes result;
    for (ListOutcome& words : list(i.list, input, std::move(state), stack)) {
      auto found = words.state.context.funs->find(i.name);
      if (words.is_error) {
        result.push_back(rule_call_function_args_failure(std::move(words.state)));
      } else if (found == words.state.context.funs->end()) {
        result.push_back(rule_call_function_unknown(input, std::move(words.state)));
      } else if (stack >= input.stack_size) {
        result.push_back(rule_call_function_stack_limit(
            limit("Stack limit", input.stack_size, "calls within each other (--stack-size)"),
            std::move(words.state)));
      } else {
        const std::vector<std::string> outer = words.state.context.arguments;
        Input inner = input;
        inner.argument0 = i.name;
        S entered = std::move(words.state);
        entered.context.arguments = std::move(words.words);
        for (O& body : instruction(*found->second, inner, std::move(entered), stack + 1))
          result.push_back(rule_call_function(outer, std::move(body)));
      }
    }
    return result;
  }

  Outcomes foreach (const Instruction& i, const Input& input, S && state, uint64_t stack) {
    Outcomes result;
    for (ListOutcome& words : list(i.list, input, std::move(state), stack)) {
      if (words.is_error) {
        result.push_back(rule_foreach_args_failure(std::move(words.state)));
        continue;
      }
      struct Round {
        S state;
        bool b;
      };
      std::vector<Round> going;
      going.push_back({std::move(words.state), true});
      for (const std::string& word : words.words) {
        Outcomes ended;
        for (Round& round : going) {
          for (O& body : instruction(i.parts[0], input,
                                     foreach_enter(i.name, word, std::move(round.state)), stack)) {
            if (body.behaviour == Behaviour::kNormal) {
              ended.push_back(rule_foreach_step(std::move(body)));
            } else {
              result.push_back(rule_foreach_abort(std::move(body)));
            }
          }
        }
        going.clear();
        for (O& outcome : limited(std::move(ended))) {
          const bool b = outcome.state.context.result;
          going.push_back({std::move(outcome.state), b});
        }
      }
      for (Round& round : going)
        result.push_back(rule_foreach(rule_foreach_done(std::move(round.state)), round.b));
    }
    return result;
  }

  Outcomes while_loop(const Instruction& i, const Input& input, S&& state, uint64_t stack) {
    struct Round {
      S state;
      bool b;
    };
    Outcomes result;
    std::vector<Round> going;
    going.push_back({std::move(state), true});
    for (uint64_t n = 0; !going.empty() && may_go_on(); ++n) {
      Outcomes ended;
      for (Round& round : going) {
        if (n >= input.loop_limit) {
          result.push_back(rule_while_loop_limit(
              limit("Loop limit", input.loop_limit, "rounds of a loop (--loop-limit)"),
              std::move(round.state)));
          continue;
        }
        for (O& tested :
             instruction(i.parts[0], under_condition(input), std::move(round.state), stack)) {
          if (tested.behaviour != Behaviour::kNormal) {
            result.push_back(rule_while_abort(rule_while_abort_condition(std::move(tested))));
          } else if (!tested.state.context.result) {
            result.push_back(rule_while(rule_while_false(std::move(tested)), round.b));
          } else {
            add(ended, while_body(i, input, std::move(tested.state), stack, result));
          }
        }
      }
      going.clear();
      for (O& outcome : limited(std::move(ended))) {
        const bool b = outcome.state.context.result;
        going.push_back({std::move(outcome.state), b});
      }
    }
    return result;
  }
  Outcomes while_body(const Instruction& i, const Input& input, S&& state, uint64_t stack,
                      Outcomes& aborted) {
    Outcomes on;
    for (O& body : instruction(i.parts[1], input, std::move(state), stack)) {
      if (body.behaviour == Behaviour::kNormal) {
        on.push_back(rule_while_loop(std::move(body)));
      } else {
        aborted.push_back(rule_while_abort(rule_while_abort_body(std::move(body))));
      }
    }
    return on;
  }

  std::vector<ListOutcome> list(const ListExpression& items, const Input& input, S&& state,
                                uint64_t stack) {
    std::vector<ListOutcome> going;
    going.push_back(rule_list_expr_nil(std::move(state)));
    for (const ListFragment& item : items) {
      std::vector<ListOutcome> next;
      for (ListOutcome& head : going) {
        if (head.is_error) {
          next.push_back(rule_list_expr_failure_tail(std::move(head)));
          continue;
        }
        std::vector<StringOutcome> values =
            string(item.value, input, std::move(head.state), true, stack);
        for (StringOutcome& value : values) {
          const bool is_last = &value == &values.back();
          count_bytes(value.text.size());
          steps_ += 1 + (item.is_split ? value.text.size() / kBytesAWord : 0);
          next.push_back(value.is_error
                             ? rule_list_expr_failure_head(std::move(value))
                             : rule_list_expr_cons(is_last ? std::move(head.words) : head.words,
                                                   item.is_split, std::move(value)));
        }
      }
      going = std::move(next);
    }
    return going;
  }

  std::vector<StringOutcome> string(const StringExpression& e, const Input& input, S&& state,
                                    bool b, uint64_t stack) {
    std::vector<StringOutcome> result;
    switch (e.kind) {
      case StringExpression::kLiteral:
        result.push_back(rule_str_literal(e.text, b, std::move(state)));
        return result;
      case StringExpression::kVariable:
        result.push_back(rule_str_variable(e.text, b, std::move(state)));
        return result;
      case StringExpression::kArgument:
        result.push_back(rule_str_arg(e.number, b, input, std::move(state)));
        return result;
      case StringExpression::kEmbed: return embedded(e.embedded[0], input, std::move(state), stack);
      case StringExpression::kConcat: break;
    }
    result.push_back(rule_str_literal("", b, std::move(state)));
    for (const StringExpression& part : e.parts) {
      std::vector<StringOutcome> next;
      for (StringOutcome& left : result) {
        if (left.is_error) {
          next.push_back(rule_str_concat_failure1(std::move(left)));
          continue;
        }
        std::vector<StringOutcome> rights =
            string(part, input, std::move(left.state), left.b, stack);
        for (StringOutcome& right : rights) {
          const bool is_last = &right == &rights.back();
          count_bytes(right.text.size());
          next.push_back(
              right.is_error
                  ? rule_str_concat_failure2(std::move(right))
                  : rule_str_concat(is_last ? std::move(left.text) : left.text, std::move(right)));
        }
      }
      result = std::move(next);
    }
    return result;
  }

  std::vector<StringOutcome> embedded(const Instruction& i, const Input& input, S&& state,
                                      uint64_t stack) {
    const Surroundings before = surroundings_of(state);
    state.stdout_text.clear();
    state.is_discarded = false;
    std::vector<StringOutcome> result;
    for (O& inner : instruction(i, input, std::move(state), stack)) {
      if (inner.behaviour == Behaviour::kFailure) {
        result.push_back(rule_str_subshell_failure(before, std::move(inner)));
        continue;
      }
      std::string text = captured(std::move(inner.state.stdout_text), options_.is_original);
      result.push_back(rule_str_subshell(before, std::move(text), std::move(inner)));
    }
    return result;
  }

  std::vector<UtilityCase<Files>> ask(const UtilityCall& call, S state) {
    if (!may_go_on()) return {};
    UtilityAnswer<Files> answer = utilities_(call, std::move(state));
    steps_ += answer.steps;
    if (answer.abort) abort_ = std::move(answer.abort);
    return std::move(answer.cases);
  }

  static Input under_condition(const Input& input) {
    Input result = input;
    result.under_condition = true;
    return result;
  }

  static constexpr size_t kBytesAWord = 8;

  // `x := x x` in a loop must end before memory does.
  void count_bytes(size_t bytes) {
    constexpr size_t kBytesAStep = 64;
    steps_ += bytes / kBytesAStep;
  }
  // What the log says where a bound ends a run; the original names only the bound.
  std::string limit(const char* name, uint64_t bound, const char* things) const {
    return options_.is_original
               ? name
               : std::string(name) + ": more than " + std::to_string(bound) + " " + things;
  }

  bool may_go_on() {
    if (abort_) return false;
    if (++steps_ > bounds_.max_steps) {
      abort_ = Abort{Abort::kSteps, "the program was stopped after " +
                                        std::to_string(bounds_.max_steps) + " steps"};
    } else if (steps_ >= next_look_ && bounds_.is_over_time) {
      constexpr uint64_t kStepsBetween = 64;
      next_look_ = steps_ + kStepsBetween;
      if (bounds_.is_over_time()) abort_ = over_time();
    }
    return !abort_;
  }

  // Drops states that mean the same, and beyond the bound all but one, which then stands for
  // everything that was not followed.
  Outcomes limited(Outcomes outcomes) {
    if (options_.merge_key) merge(outcomes);
    if (outcomes.size() <= bounds_.max_states) return outcomes;
    const auto cut = outcomes.begin() + static_cast<std::ptrdiff_t>(bounds_.max_states);
    O rest =
        rule_state_limit(limit("State limit", bounds_.max_states, "states"), std::move(cut->state));
    outcomes.erase(cut, outcomes.end());
    outcomes.push_back(std::move(rest));
    return outcomes;
  }

  void merge(Outcomes& outcomes) {
    std::set<std::string> seen;
    std::erase_if(outcomes, [&](const O& outcome) {
      const S& state = outcome.state;
      const std::string key = std::to_string(static_cast<int>(outcome.behaviour)) +
                              key_of(state.context, state.stdin_text, state.stdout_text) +
                              options_.merge_key(state.files);
      return !seen.insert(key).second;
    });
  }

  const Utilities<Files>& utilities_;
  const Bounds& bounds_;
  InterpreterOptions<Files> options_;
  std::optional<Abort> abort_;
  uint64_t depth_ = 0;
  uint64_t steps_ = 0;
  uint64_t next_look_ = 0;  // at the clock
};

}  // namespace nacre::colis
