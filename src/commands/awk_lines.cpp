#include "commands/awk_lines.h"

#include <algorithm>

namespace nacre::awk {

namespace {

using commands::kManyLines;
using commands::LineCount;

uint64_t sum(uint64_t a, uint64_t b) { return a > kManyLines - b ? kManyLines : a + b; }

uint64_t product(uint64_t a, uint64_t b) {
  return a != 0 && b > kManyLines / a ? kManyLines : a * b;
}

LineCount operator+(LineCount a, LineCount b) {
  return {sum(a.least, b.least), sum(a.most, b.most)};
}

// The lines that one run of a statement prints.
class Counter {
 public:
  explicit Counter(const Program& program) : program_(program) {}

  LineCount count(StmtId id) {
    return std::visit([this](const auto& node) { return this->lines(node); }, program_[id].node);
  }
  LineCount count(const std::optional<StmtId>& id) { return id ? count(*id) : LineCount{0, 0}; }

 private:
  LineCount count(const Stmts& body) {
    LineCount result{0, 0};
    for (const StmtId id : body) result = result + count(id);
    return result;
  }
  static LineCount repeated(LineCount once) { return {0, once.most == 0 ? 0 : kManyLines}; }

  LineCount lines(const Block& node) { return count(node.body); }
  LineCount lines(const If& node) {
    const LineCount then = count(node.then), otherwise = count(node.otherwise);
    return {std::min(then.least, otherwise.least), std::max(then.most, otherwise.most)};
  }
  LineCount lines(const While& node) { return repeated(count(node.body)); }
  LineCount lines(const DoWhile& node) { return repeated(count(node.body)); }
  LineCount lines(const For& node) { return repeated(count(node.body)); }
  LineCount lines(const ForIn& node) { return repeated(count(node.body)); }
  LineCount lines(const Switch& node) {
    LineCount result{0, 0};
    for (const SwitchCase& entry : node.cases) result = result + count(entry.body);
    return {0, result.most};
  }
  static LineCount lines(const Output& node) {
    if (node.redirect != Output::Redirect::kNone) return {0, 1};  // /dev/stdout is a file, too
    return {node.is_printf ? 0U : 1U, 1};
  }
  // Functions are looked at as a whole: see lines_printed().
  template <typename Other>
  static LineCount lines(const Other&) {
    return {0, 0};
  }

  const Program& program_;
};

// Running the statement always ends the program: `{print; exit}`.
bool always_exits(const Program& program, StmtId id) {
  if (std::holds_alternative<Exit>(program[id].node)) return true;
  const auto* block = std::get_if<Block>(&program[id].node);
  const auto exits = [&](StmtId each) { return always_exits(program, each); };
  return block && std::any_of(block->body.begin(), block->body.end(), exits);
}

// Some statement may end a rule before its time, or the program.
bool jumps(const Program& program) {
  return std::any_of(program.stmts.begin(), program.stmts.end(), [](const Stmt& stmt) {
    return std::holds_alternative<Jump>(stmt.node) || std::holds_alternative<Exit>(stmt.node);
  });
}

bool has_getline(const Program& program) {
  return std::any_of(program.exprs.begin(), program.exprs.end(),
                     [](const Expr& expr) { return std::holds_alternative<Getline>(expr.node); });
}

const Expr& ungrouped(const Program& program, ExprId id) {
  const Expr* expr = &program[id];
  while (const auto* group = std::get_if<Grouping>(&expr->node)) {
    if (group->items.size() != 1) break;
    expr = &program[group->items[0]];
  }
  return *expr;
}

bool is_variable(const Program& program, ExprId id, std::string_view name) {
  const auto* variable = std::get_if<Variable>(&ungrouped(program, id).node);
  return variable && variable->name == name;
}

// How many records may pass the test, if it is one of NR.
uint64_t tested_records(const Program& program, ExprId condition, LineCount input) {
  const auto range = keeps_records(program) ? records_numbered(program, condition) : std::nullopt;
  if (!range) return input.most;
  const uint64_t last = std::min(range->last, input.most);
  if (last == kManyLines) return kManyLines;
  return last < range->first ? 0 : last - range->first + 1;
}

// What it assigns to is $0, one of its fields, or the number of records.
bool is_record(const Program& program, ExprId target) {
  return std::holds_alternative<Field>(ungrouped(program, target).node) ||
         is_variable(program, target, "NR") || is_variable(program, target, "NF") ||
         is_variable(program, target, "RS");
}

bool changes_record(const Program& program, const Expr& expr) {
  if (const auto* assign = std::get_if<Assign>(&expr.node))
    return is_record(program, assign->target);
  if (const auto* increment = std::get_if<Increment>(&expr.node))
    return is_record(program, increment->target);
  const auto* call = std::get_if<Call>(&expr.node);
  if (!call || (call->function != "sub" && call->function != "gsub")) return false;
  return call->arguments.size() < 3 || is_record(program, call->arguments[2]);
}

// The print of a program that is nothing else: `{print $2}`, perhaps of some records only.
const Output* only_print(const Program& program, bool may_choose = false) {
  const auto has_state = [](const Expr& expr) {
    return std::holds_alternative<Assign>(expr.node) ||
           std::holds_alternative<Increment>(expr.node) ||
           std::holds_alternative<Call>(expr.node) || std::holds_alternative<Getline>(expr.node);
  };
  if (program.rules.size() != 1) return nullptr;
  const bool is_fitting = program.rules[0].kind == Rule::Kind::kAlways ||
                          (may_choose && program.rules[0].kind == Rule::Kind::kPattern);
  if (!is_fitting || !program.rules[0].action || !program.functions.empty() ||
      !program.includes.empty() ||
      std::any_of(program.exprs.begin(), program.exprs.end(), has_state))
    return nullptr;
  const auto* block = std::get_if<Block>(&program[*program.rules[0].action].node);
  const auto* print = block && block->body.size() == 1
                          ? std::get_if<Output>(&program[block->body[0]].node)
                          : nullptr;
  const bool prints_line = print && !print->is_printf && print->redirect == Output::Redirect::kNone;
  return prints_line ? print : nullptr;
}

}  // namespace

std::optional<RecordRange> records_numbered(const Program& program, ExprId condition) {
  const auto* test = std::get_if<Binary>(&ungrouped(program, condition).node);
  if (!test || !is_variable(program, test->left, "NR")) return std::nullopt;
  const auto* number = std::get_if<Number>(&ungrouped(program, test->right).node);
  if (!number || number->value < 0 || number->value > 1e9) return std::nullopt;
  const auto value = static_cast<uint64_t>(number->value);
  if (static_cast<double>(value) != number->value) return std::nullopt;
  switch (test->op) {
    case BinaryOp::kEqual: return RecordRange{value, value};
    case BinaryOp::kNotEqual: return other_records({value, value});
    case BinaryOp::kGreater: return RecordRange{value + 1, kManyLines};
    case BinaryOp::kGreaterEqual: return RecordRange{std::max<uint64_t>(value, 1), kManyLines};
    case BinaryOp::kLess: return RecordRange{1, value == 0 ? 0 : value - 1};
    case BinaryOp::kLessEqual: return RecordRange{1, value};
    default: return std::nullopt;
  }
}

std::optional<RecordRange> other_records(RecordRange range) {
  if (range.first <= 1 && range.last != kManyLines) return RecordRange{range.last + 1, kManyLines};
  if (range.last == kManyLines) return RecordRange{1, range.first - 1};
  return std::nullopt;
}

bool keeps_records(const Program& program) {
  return !has_getline(program) &&
         std::none_of(program.exprs.begin(), program.exprs.end(),
                      [&](const Expr& expr) { return changes_record(program, expr); });
}

LineCount lines_printed(const Program& program, LineCount input) {
  Counter counter(program);
  for (const Function& function : program.functions) {
    if (counter.count(function.body).most != 0) return {};
  }
  LineCount result{0, 0};
  for (const Rule& rule : program.rules) {
    const LineCount once = rule.action ? counter.count(*rule.action) : LineCount{1, 1};
    LineCount times{1, 1};
    switch (rule.kind) {
      case Rule::Kind::kBegin:
      case Rule::Kind::kEnd: break;
      case Rule::Kind::kBeginFile:
      case Rule::Kind::kEndFile: times = {0, kManyLines}; break;
      case Rule::Kind::kAlways: times = input; break;
      case Rule::Kind::kPattern: times = {0, tested_records(program, *rule.pattern, input)}; break;
      case Rule::Kind::kRange: times = {0, input.most}; break;
    }
    if (rule.action && always_exits(program, *rule.action))
      times.most = std::min<uint64_t>(times.most, 1);
    result = result + LineCount{product(once.least, times.least), product(once.most, times.most)};
  }
  if (jumps(program) || has_getline(program)) result.least = 0;
  return result;
}

bool prints_each(const Program& program) { return only_print(program) != nullptr; }

std::optional<uint32_t> printed_field(const Program& program) {
  const Output* print = only_print(program, true);
  if (!print || print->arguments.size() != 1) return std::nullopt;
  const auto* field = std::get_if<Field>(&ungrouped(program, print->arguments[0]).node);
  const auto* number =
      field ? std::get_if<Number>(&ungrouped(program, field->index).node) : nullptr;
  if (!number || number->value < 1 || number->value > 1000) return std::nullopt;
  return static_cast<uint32_t>(number->value);
}

bool prints_outer_field(const Program& program) {
  const Output* print = only_print(program);
  if (!print || print->arguments.size() != 1) return false;
  const auto* field = std::get_if<Field>(&ungrouped(program, print->arguments[0]).node);
  return field && (printed_field(program) == 1 || is_variable(program, field->index, "NF"));
}

bool is_record_by_record(const Program& program) {
  Counter counter(program);
  const auto is_quiet = [&](const Rule& rule) {
    const bool is_main = rule.kind == Rule::Kind::kAlways || rule.kind == Rule::Kind::kPattern;
    return is_main || !rule.action || counter.count(*rule.action).most == 0;
  };
  const auto sets_variable = [&](const Expr& expr) {
    if (std::holds_alternative<Getline>(expr.node) || std::holds_alternative<Increment>(expr.node))
      return true;
    const auto* assign = std::get_if<Assign>(&expr.node);
    if (assign == nullptr) return false;
    const auto* variable = std::get_if<Variable>(&ungrouped(program, assign->target).node);
    return variable == nullptr || (variable->name != "FS" && variable->name != "OFS");
  };
  return std::all_of(program.rules.begin(), program.rules.end(), is_quiet) &&
         std::none_of(program.exprs.begin(), program.exprs.end(), sets_variable);
}

bool prints_at_end(const Program& program) {
  Counter counter(program);
  return std::all_of(program.rules.begin(), program.rules.end(), [&](const Rule& rule) {
    return rule.kind == Rule::Kind::kEnd || (rule.action && counter.count(*rule.action).most == 0);
  });
}

bool only_prints(const Program& program) {
  bool prints = std::any_of(program.rules.begin(), program.rules.end(),
                            [](const Rule& rule) { return !rule.action; });
  for (const Stmt& stmt : program.stmts) {
    const auto* output = std::get_if<Output>(&stmt.node);
    if (output && output->redirect != Output::Redirect::kNone) return false;
    prints |= output != nullptr;
  }
  const auto runs_command = [](const Expr& expr) {
    const auto* call = std::get_if<Call>(&expr.node);
    return call && (call->function == "system" || call->is_indirect);
  };
  return prints && program.includes.empty() && !has_getline(program) &&
         std::none_of(program.exprs.begin(), program.exprs.end(), runs_command);
}

}  // namespace nacre::awk
