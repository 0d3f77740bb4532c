#include "commands/awk_run.h"

#include <cmath>

#include "commands/awk_lines.h"
#include "commands/line_formats.h"
#include "regular/decide.h"
#include "regular/line_select.h"

namespace nacre::awk {

using commands::Choice;
using commands::Order;
using regular::CharSet;

constexpr int kMaxRounds = 4;  // before variables that still grow become any text
// What a rule skips goes to the next without what it matched; after this number of rules it is
// not worth it.
constexpr int kMaxSkips = 3;
constexpr uint64_t kMaxStates = 30'000;  // of all questions of one run

Run::Run(const Program& program, Context& context, const Stream& input,
         std::map<std::string, Value> variables)
    : program_(program),
      context_(context),
      spent_before_(context.spent()),
      variables_(std::move(variables)),
      input_(input),
      lines_(commands::any_line(input)),
      records_(lines_),
      is_opaque_(input.choice == Choice::kOpaque),
      record_{lines_, false, is_opaque_},
      printed_(context.empty()),
      open_text_(context.empty()) {
  if (variables_.contains("RS")) records_ = any_records();
}

void Run::run() {
  for (int round = 0; round < kMaxRounds; round++) {
    changed_ = false;
    widens_ = round + 2 >= kMaxRounds;
    pass();
    if (!changed_ || is_exhausted()) break;
  }
}

bool Run::is_exhausted() const { return context_.spent() - spent_before_ > kMaxStates; }

Stream Run::output() const {
  if (is_exhausted()) return commands::opaque_stream(context_);
  Stream result(printed_);
  if (!regular::is_empty(open_text_).yes()) {
    // Pieces of several calls make up one line: any text of these characters.
    const CharSet letters = regular::symbols_of(printed_) - CharSet::of('\n');
    result.rest = star(context_.set(letters));
    result.may_lack_newline = true;
  }
  // Cut at another RS, there may be any number of records.
  const bool reads_lines = !variables_.contains("RS");
  if (!prints_newlines_)
    result.count = lines_printed(program_, reads_lines ? input_.count : commands::LineCount{});
  result.may_tell_of_nothing = prints_at_end(program_);
  result.choice = prints_opaque_ ? Choice::kOpaque : Choice::kFormat;
  result.order = input_.order >= Order::kGrouped ? Order::kScattered : input_.order;
  return result;
}

// The record flows through the rules: what one of them leaves of $0 is what the next one sees.
void Run::pass() {
  printed_ = context_.empty();
  skips_ = 0;
  Value flowing{records_, false, is_opaque_};
  bool are_changed = false;
  bool is_reached = true;
  for (const Rule& rule : program_.rules) {
    if (is_exhausted()) return;
    const bool is_main = rule.kind == Rule::Kind::kAlways || rule.kind == Rule::Kind::kPattern ||
                         rule.kind == Rule::Kind::kRange;
    has_main_rule_ |= rule.kind != Rule::Kind::kBegin;
    if (!is_main) {
      // BEGIN has no record; END has the last one, as its rules left it.
      record_ = rule.kind == Rule::Kind::kBegin ? constant("") : flowing | record_at_end();
      fields_are_changed_ = are_changed;
      if (rule.action) execute(*rule.action);
      only_filters_ = false;
      continue;
    }
    if (!is_reached) continue;
    record_ = flowing;
    fields_are_changed_ = are_changed;
    is_reached = apply(rule);
    flowing = record_;
    are_changed = fields_are_changed_;
  }
}

Value Run::record_at_end() { return {records_ | context_.epsilon(), false, is_opaque_}; }

// One main rule on record_, which becomes what is left for the next rule; false if none is.
bool Run::apply(const Rule& rule) {
  const Value before = record_;
  Lang skipped = context_.empty();
  if (rule.kind == Rule::Kind::kPattern) {
    evaluate(*rule.pattern);  // it may change the record itself
    const bool is_unchanged = record_.text == before.text;
    skipped = record_.text;
    if (is_unchanged && skips_++ < kMaxSkips) skipped = skipped & false_records(*rule.pattern);
    if (is_unchanged) record_.text = record_.text & true_records(*rule.pattern);
  } else if (rule.kind == Rule::Kind::kRange) {
    evaluate(*rule.pattern);
    evaluate(*rule.range_end);
    skipped = record_.text;
  }
  const bool is_skipped = !regular::is_empty(skipped).yes();
  if (regular::is_empty(record_.text).yes()) {
    record_ = before;
    return is_skipped;
  }
  Flow flow = Flow::kGoesOn;
  if (rule.action) {
    only_filters_ = false;
    flow = execute(*rule.action);
  } else {
    kept_ = kept_ ? *kept_ | record_.text : record_.text;
    print(record_);
  }
  if (flow == Flow::kStops) {
    // `next` may also stand in a branch that was not taken; whatever the record became may go on.
    record_.text = skipped;
    return is_skipped;
  }
  record_.text = record_.text | skipped;
  return true;
}

// print ends with ORS; where that is not a newline the pieces of several prints make up a line.
void Run::print(const Value& value) {
  const Value end = variable("ORS");
  if (end.text == context_.literal("\n")) return print_lines(value.text, value.is_opaque);
  prints_newlines_ = true;  // lines are no longer as many as prints
  print_text({value.text + end.text, false, value.is_opaque || end.is_opaque});
}

void Run::print_lines(Lang text, bool is_opaque) {
  const Lang line = commands::any_text(context_);
  prints_newlines_ = prints_newlines_ || !regular::included(text, line).yes();
  printed_ = printed_ |
             regular::image(regular::each_line(context_.alphabet()), text + context_.literal("\n"));
  prints_opaque_ |= is_opaque;
}

// What a command prints that the program runs.
void Run::print_anything() {
  print_lines(commands::any_text(context_), true);
  prints_newlines_ = true;
}

// --- statements

Flow Run::execute(StmtId id) {
  if (is_exhausted()) return Flow::kStops;
  return std::visit([this](const auto& node) { return statement(node); }, program_[id].node);
}

Flow Run::statement(const Block& block) {
  for (StmtId id : block.body) {
    if (execute(id) == Flow::kStops) return Flow::kStops;
  }
  return Flow::kGoesOn;
}

Flow Run::statement(const Simple& simple) {
  evaluate(simple.value);
  return Flow::kGoesOn;
}

Flow Run::statement(const If& branch) {
  evaluate(branch.condition);
  const Value before = record_;
  const Lang holds = true_records(branch.condition);
  record_.text = before.text & holds;
  const bool enters = !regular::is_empty(record_.text).yes();
  const Flow then = enters ? execute(branch.then) : Flow::kStops;
  const Value after = record_;
  record_.text = before.text & false_records(branch.condition);
  if (regular::is_empty(record_.text).yes()) {
    record_ = after;
    return then;
  }
  const Flow otherwise = branch.otherwise ? execute(*branch.otherwise) : Flow::kGoesOn;
  if (then == Flow::kStops) return otherwise;
  if (otherwise == Flow::kStops)
    record_ = after;
  else
    record_ = record_ | after;
  return Flow::kGoesOn;
}

Flow Run::loop(std::optional<ExprId> condition, StmtId body) {
  if (condition) evaluate(*condition);
  const Value before = record_;
  execute(body);
  record_ = record_ | before;
  return Flow::kGoesOn;
}

Flow Run::statement(const While& node) { return loop(node.condition, node.body); }

Flow Run::statement(const DoWhile& node) { return loop(node.condition, node.body); }

Flow Run::statement(const For& node) {
  if (node.init) execute(*node.init);
  loop(node.condition, node.body);
  if (node.step) execute(*node.step);
  return Flow::kGoesOn;
}

Flow Run::statement(const ForIn& node) {
  assign(node.variable, variable(keys_of(node.array)));
  return loop(std::nullopt, node.body);
}

Flow Run::statement(const Switch& node) {
  evaluate(node.subject);
  const Value before = record_;
  for (const SwitchCase& entry : node.cases) {
    for (StmtId id : entry.body) {
      if (execute(id) == Flow::kStops) break;
    }
    record_ = record_ | before;
  }
  return Flow::kGoesOn;
}

bool Run::is_standard_output(const Output& output) const {
  if (output.redirect != Output::Redirect::kFile && output.redirect != Output::Redirect::kAppend)
    return false;
  const auto* file = std::get_if<String>(&program_[ungrouped(*output.destination)].node);
  return file &&
         (file->value == "/dev/stdout" || file->value == "-" || file->value.starts_with("/dev/fd"));
}

Flow Run::statement(const Output& output) {
  Value line = output.is_printf ? format(output.arguments) : arguments_joined(output.arguments);
  if (output.destination) evaluate(*output.destination);
  const bool is_to_command =
      output.redirect == Output::Redirect::kPipe || output.redirect == Output::Redirect::kCoprocess;
  if (is_to_command) print_anything();
  if (output.redirect != Output::Redirect::kNone && !is_standard_output(output))
    return Flow::kGoesOn;
  if (output.is_printf)
    print_text(line);
  else
    print(line);
  return Flow::kGoesOn;
}

Flow Run::statement(const Delete&) { return Flow::kGoesOn; }

Flow Run::statement(const Jump&) { return Flow::kStops; }

Flow Run::statement(const Exit& node) {
  if (node.status) evaluate(*node.status);
  return Flow::kStops;
}

Flow Run::statement(const Return& node) {
  Value value = node.value ? evaluate(*node.value) : constant("");
  returned_ = returned_ ? *returned_ | value : value;
  return Flow::kStops;
}

// printf does not end lines by itself. Text that ends in a newline is lines; else the pieces of
// several calls make up one line, and it is any text that has these pieces' characters.
void Run::print_text(const Value& text) {
  const Lang all = star(context_.set(CharSet::all(context_.alphabet())));
  const bool is_lines =
      regular::included(text.text, (all + context_.literal("\n")) | context_.epsilon()).yes();
  if (!is_lines) open_text_ = open_text_ | text.text;
  const Lang one_line = commands::any_text(context_) + optional(context_.literal("\n"));
  prints_newlines_ = prints_newlines_ || !regular::included(text.text, one_line).yes();
  printed_ = printed_ | regular::image(regular::each_line(context_.alphabet()), text.text);
  prints_opaque_ |= text.is_opaque || !is_lines;
}

Value Run::arguments_joined(const Exprs& arguments) {
  if (arguments.empty()) return record_;
  const Value separator = variable("OFS");
  Value result = evaluate(arguments[0]);
  if (arguments.size() == 1) return result;
  std::vector<Lang> parts{result.text};
  for (size_t i = 1; i < arguments.size(); i++) {
    const Value next = evaluate(arguments[i]);
    parts.push_back(separator.text);
    parts.push_back(next.text);
    result.is_opaque |= next.is_opaque;
  }
  return {concat(context_, parts), false, result.is_opaque};
}

}  // namespace nacre::awk
