// termination: every run ends if its commands do. Proved by the form of each loop and by calls
// without recursion; refuted by a run whose whole state comes back, or by a loop without a way out.
#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "explore/scene_file.h"
#include "prove/subject.h"
#include "purify/quoting.h"
#include "purify/values.h"
#include "shell/visitor.h"

namespace nacre::prove {

using purify::Place;

namespace {

bool is_within(const Place& place, Span span) { return span.contains(place.command->span); }

// A command that leaves the loop, or the script, stands in it.
bool has_way_out(const Subject& subject, const Place& loop) {
  for (const Place& each : subject.script->places()) {
    if (!is_within(each, loop.command->span)) continue;
    const std::string_view name = subject.script->name_of(each);
    if (name == "break" || name == "exit" || name == "return" || name == "exec" || name == "kill")
      return true;
    if (subject.script->has_function(name)) return true;
    if (each.simple() != nullptr && !each.simple()->words.empty() && name.empty()) return true;
  }
  return false;
}

bool is_always_true(const Subject& subject, const shell::While& loop) {
  if (loop.condition->items.size() != 1) return false;
  const std::string_view name =
      subject.script->name_of(subject.script->place(*loop.condition->items[0].command));
  return loop.is_until ? name == "false" : name == ":" || name == "true";
}

const shell::Command* last_of(const shell::Sequence& sequence) {
  return sequence.items.empty() ? nullptr : sequence.items.back().command;
}

// while read: ends with its input, if that is a file, a pipe or a text that the body leaves alone.
bool reads_input(const Subject& subject, const Place& place, const shell::While& loop) {
  const shell::Command* condition = last_of(*loop.condition);
  if (condition == nullptr || loop.is_until || loop.condition->items.size() != 1) return false;
  const Place& test = subject.script->place(*condition);
  if (subject.script->name_of(test) != "read" || !condition->redirections.empty()) return false;
  for (const Place& each : subject.script->places()) {
    if (!is_within(each, place.command->span)) continue;
    for (const shell::Redirection& redirection : each.command->redirections) {
      // What the loop writes might be what it reads.
      const bool writes = redirection.op == shell::RedirectOp::kAppend;
      if (writes && symbol_of(subject, redirection.target).find('$') != std::string::npos)
        return false;
      for (const shell::Redirection& input : place.command->redirections) {
        if (writes && symbol_of(subject, input.target) == symbol_of(subject, redirection.target))
          return false;
      }
    }
  }
  return true;
}

bool is_getopts(const Subject& subject, const shell::While& loop) {
  const shell::Command* condition = last_of(*loop.condition);
  return condition != nullptr && loop.condition->items.size() == 1 && !loop.is_until &&
         subject.script->name_of(subject.script->place(*condition)) == "getopts" &&
         !subject.script->mentions("OPTIND=");
}

// Every path through the body does `shift`, or leaves.
bool always_shifts(const Subject& subject, const shell::Sequence& body);

bool always_shifts(const Subject& subject, const shell::Command& command) {
  const Place& place = subject.script->place(command);
  const std::string_view name = subject.script->name_of(place);
  if (name == "shift") {
    const auto words = place.simple()->words;
    return words.size() == 1 || (words[1].is_literal() && words[1].literal() == "1");
  }
  if (name == "break" || name == "exit" || name == "return") return true;
  if (const auto* group = std::get_if<shell::BraceGroup>(&command.node))
    return always_shifts(subject, group->body);
  if (const auto* node = std::get_if<shell::Case>(&command.node)) {
    const bool has_default =
        std::any_of(node->arms.begin(), node->arms.end(), [](const shell::CaseArm& arm) {
          return arm.patterns.size() == 1 && arm.patterns[0].parts().size() == 1 &&
                 arm.patterns[0].parts()[0].kind == shell::PartKind::kGlob &&
                 arm.patterns[0].parts()[0].text() == "*";
        });
    return has_default &&
           std::all_of(node->arms.begin(), node->arms.end(),
                       [&](const shell::CaseArm& arm) { return always_shifts(subject, arm.body); });
  }
  if (const auto* node = std::get_if<shell::If>(&command.node)) {
    return node->else_body != nullptr && always_shifts(subject, *node->else_body) &&
           std::all_of(node->arms.begin(), node->arms.end(),
                       [&](const shell::IfArm& arm) { return always_shifts(subject, arm.body); });
  }
  return false;
}

bool always_shifts(const Subject& subject, const shell::Sequence& body) {
  for (const shell::Item& item : body.items) {
    const std::string_view name = subject.script->name_of(subject.script->place(*item.command));
    if (name == "continue" || name == "set") return false;
    if (always_shifts(subject, *item.command)) return true;
  }
  return false;
}

bool says(const Subject& subject, const Place& loop, std::string_view name) {
  return std::any_of(
      subject.script->places().begin(), subject.script->places().end(), [&](const Place& each) {
        return is_within(each, loop.command->span) && subject.script->name_of(each) == name;
      });
}

// while [ $# -gt 0 ]
bool counts_arguments(const Subject& subject, const Place& place, const shell::While& loop) {
  if (loop.is_until || loop.condition->items.size() != 1) return false;
  const std::string text = subject.script->text(loop.condition->items[0].command->span);
  const bool asks = text == "[ $# -gt 0 ]" || text == "[ \"$#\" -gt 0 ]" ||
                    text == "[ $# -ne 0 ]" || text == "[ \"$#\" -ne 0 ]" || text == "[ $# != 0 ]" ||
                    text == "[[ $# -gt 0 ]]" || text == "(( $# > 0 ))" || text == "(($#))" ||
                    text == "(( $# ))";
  return asks && !says(subject, place, "continue") && !says(subject, place, "set") &&
         always_shifts(subject, *loop.body);
}

// i=$((i + 1)) in the body, not under a condition; nothing else sets i.
std::optional<int> step_of(const Subject& subject, const Place& place, const shell::Sequence& body,
                           std::string_view name) {
  std::optional<int> step;
  for (const purify::WordPlace& at : subject.script->words()) {
    if (at.assignment == nullptr || at.assignment->name != name ||
        !place.command->span.contains(at.word->span))
      continue;
    const std::string text = subject.script->text(at.word->span);
    const std::string plus = fmt::format("$(({} + 1))", name),
                      minus = fmt::format("$(({} - 1))", name);
    std::string bare = text;
    std::erase_if(bare, [](char c) { return c == '"'; });
    std::string dense = bare;
    std::erase_if(dense, [](char c) { return c == ' ' || c == '$'; });
    const bool is_plus = bare == plus || dense == fmt::format("(({}+1))", name);
    const bool is_minus = bare == minus || dense == fmt::format("(({}-1))", name);
    const bool is_direct =
        std::any_of(body.items.begin(), body.items.end(),
                    [&](const shell::Item& item) { return item.command == at.place->command; });
    if (step || !is_direct || (!is_plus && !is_minus)) return std::nullopt;
    step = is_plus ? 1 : -1;
  }
  return step;
}

// while [ "$i" -lt N ]; ...; i=$((i + 1)), where N does not change.
bool counts_to_bound(const Subject& subject, const Place& place, const shell::While& loop,
                     const shell::Command& condition);
bool counts_to_bound(const Subject& subject, const Place& place, const shell::While& loop) {
  if (loop.is_until || loop.condition->items.size() != 1 || says(subject, place, "continue") ||
      says(subject, place, "read"))
    return false;
  return counts_to_bound(subject, place, loop, *loop.condition->items[0].command);
}

bool counts_to_bound(const Subject& subject, const Place& place, const shell::While& loop,
                     const shell::Command& condition) {
  // Each part of a && b bounds it.
  if (const auto* list = std::get_if<shell::AndOr>(&condition.node)) {
    const bool is_and = std::all_of(list->items.begin(), list->items.end(), [](const auto& each) {
      return each.op != shell::AndOrOp::kOr;
    });
    return is_and && std::any_of(list->items.begin(), list->items.end(), [&](const auto& each) {
             return counts_to_bound(subject, place, loop, *each.command);
           });
  }
  const Place& test = subject.script->place(condition);
  const std::string_view name = subject.script->name_of(test);
  if (name != "[" && name != "test") return false;
  const auto words = test.simple()->words;
  if (words.size() < 4 || !words[2].is_plain()) return false;
  const std::string_view op = words[2].literal();
  const std::string left = symbol_of(subject, words[1]), right = symbol_of(subject, words[3]);
  std::string variable = subject.script->text(words[1].span);
  std::erase_if(variable, [](char c) { return c == '"' || c == '$' || c == '{' || c == '}'; });
  const auto step = step_of(subject, place, *loop.body, variable);
  if (!step) return false;
  const bool goes_up = op == "-lt" || op == "-le", goes_down = op == "-gt" || op == "-ge";
  if (!(goes_up && *step > 0) && !(goes_down && *step < 0)) return false;
  // The bound is a constant, or a variable that the loop leaves alone.
  if (words[3].is_literal()) return true;
  std::string bound = subject.script->text(words[3].span);
  std::erase_if(bound, [](char c) { return c == '"' || c == '$' || c == '{' || c == '}'; });
  if (!purify::is_identifier(bound)) return false;
  (void)left;
  (void)right;
  return std::none_of(subject.script->words().begin(), subject.script->words().end(),
                      [&](const purify::WordPlace& at) {
                        return at.assignment != nullptr && at.assignment->name == bound &&
                               place.command->span.contains(at.word->span);
                      });
}

// while [ -e "f.$n" ]; do n=$((n + 1)); done: a directory has finitely many names.
bool looks_for_free_name(const Subject& subject, const Place& place, const shell::While& loop) {
  if (loop.is_until || loop.body->items.size() != 1 || says(subject, place, "continue"))
    return false;
  for (const purify::Call& call : subject.calls) {
    bool is_condition = false;
    for (const shell::Item& item : loop.condition->items)
      is_condition |= item.command->span.contains(call.span());
    if (!is_condition) continue;
    if (!call.is("[") || call.words.size() != 4 || !call.words[1].is_plain()) return false;
    const std::string_view op = call.words[1].literal();
    if (op != "-e" && op != "-L" && op != "-f" && op != "-d") return false;
    const auto values = call.words[2].parts();
    (void)values;
    const std::string text = symbol_of(subject, call.words[2]);
    const size_t dollar = text.find('$');
    if (dollar == std::string::npos) return false;
    const std::string name = text.substr(dollar + 1);
    if (!purify::is_identifier(name)) return false;
    const auto step = step_of(subject, place, *loop.body, name);
    if (!step || *step < 0) return false;
  }
  return true;
}

// for ((i = A; i < N; i++)) whose body leaves i alone.
bool counts_in_arithmetic(const Subject& subject, const Place& place,
                          const shell::ArithmeticFor& loop) {
  if (loop.condition == nullptr || loop.step == nullptr || loop.condition->expression == nullptr ||
      loop.step->expression == nullptr)
    return false;
  const shell::ArithmeticExpression& condition = *loop.condition->expression;
  const shell::ArithmeticExpression& step = *loop.step->expression;
  const bool is_up = step.op == shell::ArithmeticOp::kIncrement,
             is_down = step.op == shell::ArithmeticOp::kDecrement;
  if ((!is_up && !is_down) || step.left == nullptr || condition.left == nullptr ||
      condition.right == nullptr)
    return false;
  if (condition.left->kind != shell::ArithmeticKind::kVariable ||
      condition.left->name != step.left->name)
    return false;
  const bool bounds = is_up ? condition.op == shell::ArithmeticOp::kLess ||
                                  condition.op == shell::ArithmeticOp::kLessEqual
                            : condition.op == shell::ArithmeticOp::kGreater ||
                                  condition.op == shell::ArithmeticOp::kGreaterEqual;
  if (!bounds || condition.right->kind != shell::ArithmeticKind::kNumber) return false;
  const std::string body = subject.script->text(loop.body->span);
  const std::string name(step.left->name);
  for (const std::string& form : std::initializer_list<std::string>{
           name + "=", name + "++", name + " =", name + "+=", name + "--", name + " +=", "read"}) {
    if (body.find(form) != std::string::npos) return false;
  }
  (void)place;
  return true;
}

bool is_loop_bounded(const Subject& subject, const Place& place) {
  if (const auto* loop = std::get_if<shell::For>(&place.command->node)) return !loop->is_select;
  if (const auto* loop = std::get_if<shell::ArithmeticFor>(&place.command->node))
    return counts_in_arithmetic(subject, place, *loop);
  const auto* loop = std::get_if<shell::While>(&place.command->node);
  if (loop == nullptr) return true;
  return reads_input(subject, place, *loop) || is_getopts(subject, *loop) ||
         counts_arguments(subject, place, *loop) || counts_to_bound(subject, place, *loop) ||
         looks_for_free_name(subject, place, *loop);
}

bool is_endless(const Subject& subject, const Place& place) {
  if (const auto* loop = std::get_if<shell::ArithmeticFor>(&place.command->node))
    return loop->condition == nullptr && !has_way_out(subject, place) &&
           !subject.script->may_exit_on_error(place);
  const auto* loop = std::get_if<shell::While>(&place.command->node);
  return loop != nullptr && is_always_true(subject, *loop) && !has_way_out(subject, place) &&
         !subject.script->may_exit_on_error(place);
}

bool calls_itself(const Subject& subject) {
  for (const auto& [name, function] : subject.script->functions()) {
    std::set<const shell::Function*> reached;
    std::vector<const shell::Function*> waiting = {function};
    while (!waiting.empty()) {
      const shell::Function* current = waiting.back();
      waiting.pop_back();
      for (const Place& place : subject.script->places()) {
        if (place.function != current) continue;
        const auto called = subject.script->functions().find(subject.script->name_of(place));
        if (called == subject.script->functions().end()) continue;
        if (called->second == function) return true;
        if (reached.insert(called->second).second) waiting.push_back(called->second);
      }
    }
  }
  return false;
}

bool may_wait(std::string_view name) {
  constexpr std::string_view kNames[] = {"curl", "wget", "ssh", "nc"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

}  // namespace

Finding termination(Subject& subject) {
  for (const Place& place : subject.script->places()) {
    if (is_endless(subject, place) && place.function == nullptr &&
        subject.script->fact(place) != nullptr && place.parent == nullptr)
      return {{},   Verdict::kRefuted, "the loop has no way out", place.command->span, "any input",
              false};
  }
  const Explored& explored = subject.explored("root");
  for (const explore::Outcome& outcome : explored.report.outcomes) {
    if (outcome.end != explore::Run::kEndless || !outcome.not_modelled.empty()) continue;
    return {{},
            Verdict::kRefuted,
            fmt::format("the state of the script comes back in line {}", outcome.last.line),
            outcome.last.span,
            explore::scene_json(explored.script, explored.start, outcome.decisions,
                                outcome.after.memory),
            true};
  }
  const auto open = [](Span place, std::string reason) {
    return Finding{{}, Verdict::kOpen, std::move(reason), place, {}, false};
  };
  for (const purify::Call& call : subject.calls) {
    const auto invocation = purify::invocation_of(*subject.script, call);
    const bool never_ends =
        invocation && invocation->property(commands::CardKey::kNever) != nullptr;
    // In a pipeline the end of its reader ends what writes all the time.
    const bool is_staged = call.is("yes") && call.place->parent != nullptr &&
                           std::holds_alternative<shell::Pipeline>(call.place->parent->node);
    if (never_ends && !is_staged) return open(call.span(), "the command does not end by itself");
  }
  for (const Place& place : subject.script->places()) {
    if (!is_loop_bounded(subject, place))
      return open(place.command->span, "no bound of the loop is known");
    if (may_wait(subject.script->name_of(place)))
      return open(place.command->span, "waits for others");
    const std::string_view name = subject.script->name_of(place);
    if (name == "eval" || name == "." || name == "source" || name == "exec") {
      const auto words = place.simple()->words;
      const bool is_known =
          name == "exec"
              ? words.size() == 1
              : name == "eval" &&
                    std::all_of(words.begin() + 1, words.end(), [&](const shell::Word& word) {
                      return purify::constant_of(*subject.script, word).has_value();
                    });
      if (!is_known) return open(place.command->span, "runs code that is not known");
    }
    const bool is_computed =
        place.simple() != nullptr && !place.simple()->words.empty() && name.empty();
    if (is_computed) return open(place.command->span, "the name of the command is computed");
  }
  if (calls_itself(subject)) return open({}, "a function calls itself");
  const bool is_explored = explored.refusal.empty();
  if (is_explored) {
    for (const explore::Outcome& outcome : explored.report.outcomes) {
      if (outcome.end == explore::Run::kTooLong)
        return open(outcome.last.span, "a run does not end soon");
    }
  }
  return {{},   Verdict::kProved, "every loop is bounded and no function calls itself", {}, {},
          false};
}

}  // namespace nacre::prove
