#include "commands/awk_tests.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "commands/awk_lines.h"
#include "regular/decide.h"
#include "regular/parse_type.h"

namespace nacre::commands {

namespace {

using awk::BinaryOp;
using awk::ExprId;

constexpr uint64_t kMaxField = 64;

class Tests {
 public:
  Tests(const awk::Program& program, const Argument& word, const Stream& input,
        const std::map<std::string, awk::Value>& variables, std::vector<Problem>& problems)
      : program_(program),
        word_(word),
        input_(input),
        variables_(variables),
        problems_(problems),
        context_(input.rest.context()) {
    for (const LineKind& kind : input.kinds) {
      if (kind.frequency > Frequency::kUsual || kind.name == "heading") continue;
      rows_.push_back(&kind);
      has_usual_ |= kind.frequency == Frequency::kUsual;
    }
  }

  void find() {
    if (!awk::keeps_records(program_)) return;
    find_wrong_separator();
    if (!has_usual_) return;
    find_idle_test();
    find_wrong_column();
    find_compared_texts();
  }

 private:
  // $3 -> 3
  [[nodiscard]] std::optional<uint64_t> field_number(ExprId id) const {
    const auto* field = std::get_if<awk::Field>(&program_[id].node);
    const auto* number = field ? std::get_if<awk::Number>(&program_[field->index].node) : nullptr;
    if (!number || number->value < 1 || number->value > double{kMaxField} ||
        number->value != std::floor(number->value))
      return std::nullopt;
    return static_cast<uint64_t>(number->value);
  }

  [[nodiscard]] std::string source(ExprId id) const {
    const Span span = program_[id].span;
    return word_.text->substr(span.begin, span.end - span.begin);
  }

  // What the program prints for lines of this kind; nothing if that takes too much work.
  [[nodiscard]] std::optional<Lang> printed(const std::string& text, const LineKind& kind) const {
    const auto parsed = awk::parse(text);
    if (!parsed) return std::nullopt;
    Stream alone(kind.lines);
    awk::Run run(*parsed, context_, alone, variables_);
    run.run();
    if (run.is_exhausted()) return std::nullopt;
    return any_line(run.output());
  }

  // Some row passes the test; unknown counts as yes.
  [[nodiscard]] bool may_pass(const std::string& test) const {
    return std::any_of(rows_.begin(), rows_.end(), [&](const LineKind* kind) {
      const auto lines = printed(test, *kind);
      return !lines || !regular::is_empty(*lines).yes();
    });
  }

  [[nodiscard]] bool odd_line_may_pass(const std::string& test) const {
    return std::any_of(input_.kinds.begin(), input_.kinds.end(), [&](const LineKind& kind) {
      const auto lines =
          kind.frequency > Frequency::kUsual ? printed(test, kind) : std::optional<Lang>();
      return lines && regular::is_empty(*lines).no();
    });
  }

  [[nodiscard]] std::string producer() const {
    return input_.producer ? input_.producer->command : "the command before it";
  }

  void report(Flaw flaw, ExprId where, std::string message, std::string help) {
    problems_.push_back(
        {flaw, word_.span, std::move(message), std::move(help), false, program_[where].span});
  }

  // `$2 != "Running"` where $2 is the READY column: it holds for every row. Nothing passes the
  // opposite test.
  void find_idle_test() {
    if (program_.rules.size() != 1 || !program_.rules[0].pattern) return;
    const ExprId pattern = *program_.rules[0].pattern;
    const auto* test = std::get_if<awk::Binary>(&program_[pattern].node);
    if (!test || test->op != BinaryOp::kNotEqual || !field_number(test->left)) return;
    const auto* text = std::get_if<awk::String>(&program_[test->right].node);
    if (!text || text->value.empty()) return;
    if (may_pass(source(test->left) + " == " + source(test->right))) return;
    report(Flaw::kPattern, pattern,
           fmt::format("awk: {} is never {} in what {} prints, so this holds for every line",
                       source(test->left), text->value, producer()),
           "");
  }

  // The tests of which each must hold for a row to pass.
  void add_conjuncts(ExprId id, std::vector<ExprId>& tests) const {
    const auto* grouping = std::get_if<awk::Grouping>(&program_[id].node);
    if (grouping && grouping->items.size() == 1) return add_conjuncts(grouping->items[0], tests);
    const auto* binary = std::get_if<awk::Binary>(&program_[id].node);
    if (!binary || binary->op != BinaryOp::kAnd) return tests.push_back(id);
    add_conjuncts(binary->left, tests);
    add_conjuncts(binary->right, tests);
  }

  // `$3 == "ext4"` where the type is $5. What seldom stands in a cell (a name with blanks) may move
  // the others, so that the test can hold; but that is not what was meant.
  void find_wrong_column() {
    if (!input_.producer) return;
    for (const awk::Rule& rule : program_.rules) {
      if (rule.kind != awk::Rule::Kind::kPattern || !rule.pattern) continue;
      std::vector<ExprId> tests;
      add_conjuncts(*rule.pattern, tests);
      for (const ExprId id : tests) judge_column(id);
    }
  }

  void judge_column(ExprId id) {
    const auto* test = std::get_if<awk::Binary>(&program_[id].node);
    if (!test || (test->op != BinaryOp::kEqual && test->op != BinaryOp::kMatch)) return;
    const auto number = field_number(test->left);
    const auto& wanted = program_[test->right].node;
    if (!number || (!std::holds_alternative<awk::String>(wanted) &&
                    !std::holds_alternative<awk::Regex>(wanted)))
      return;
    const std::string rest = word_.text->substr(
        program_[test->left].span.end, program_[id].span.end - program_[test->left].span.end);
    const std::string asked = source(test->left) + rest;
    // What no line at all passes is said elsewhere.
    if (may_pass(asked) || !odd_line_may_pass(asked)) return;
    for (uint64_t other = 1; other <= input_.producer->columns.size(); other++) {
      if (other == *number || !may_pass(fmt::format("${}{}", other, rest))) continue;
      return report(Flaw::kCells, id,
                    fmt::format("awk: {} is never {} in what {} prints", source(test->left),
                                source(test->right), producer()),
                    fmt::format("${} may be", other));
    }
  }

  // `$5 > 90` where $5 is `95%`: awk compares numbers only if both sides look like one.
  void find_compared_texts() {
    for (const awk::Expr& expr : program_.exprs) {
      const auto* test = std::get_if<awk::Binary>(&expr.node);
      if (!test || test->op < BinaryOp::kLess || test->op > BinaryOp::kGreaterEqual ||
          test->op == BinaryOp::kEqual || test->op == BinaryOp::kNotEqual)
        continue;
      for (const auto& [side, other] :
           {std::pair{test->left, test->right}, {test->right, test->left}}) {
        const auto number = field_number(side);
        if (!number || !std::holds_alternative<awk::Number>(program_[other].node)) continue;
        const auto example = text_in(*number);
        if (!example) continue;
        return report(Flaw::kNumber, side,
                      fmt::format("awk compares {} as text, since '{}' is not a number: '100' "
                                  "comes before '20'",
                                  source(side), *example),
                      fmt::format("{} + 0 is the number at its beginning", source(side)));
      }
    }
  }

  // A cell of the field, if no row has a number there.
  [[nodiscard]] std::optional<std::string> text_in(uint64_t number) const {
    const Lang numbers = *regular::parse_type(
        context_, "[ \\t]*[-+]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][-+]?[0-9]+)?[ \\t]*");
    // A whole number at the beginning, or it is no column of numbers at all.
    const Lang begins = *regular::parse_type(context_, "[-+]?[0-9]+(\\.[0-9]+)?[^0-9.].*");
    std::optional<std::string> example;
    for (const LineKind* kind : rows_) {
      if (kind->frequency != Frequency::kUsual) continue;
      const auto cells = printed(fmt::format("{{ print ${} }}", number), *kind);
      if (!cells || !regular::is_empty(*cells).no() ||
          !regular::disjoint(*cells, numbers | context_.epsilon()).yes() ||
          regular::disjoint(*cells, begins).yes())
        return std::nullopt;
      example = regular::shortest(*cells & begins);
    }
    return example;
  }

  // `$3` of lines such as those of /etc/passwd: always as many cells, with a character other than a
  // blank between them. Blanks are in a cell by chance.
  void find_wrong_separator() {
    constexpr uint32_t kMinCells = 4, kMaxCells = 12;
    if (input_.choice != Choice::kFormat || variables_.contains("FS") || assigns_separator())
      return;
    const auto field =
        std::find_if(program_.exprs.begin(), program_.exprs.end(), [&](const auto& each) {
          const auto id = static_cast<ExprId>(&each - program_.exprs.data());
          const auto number = field_number(id);
          return number && *number > 1;
        });
    if (field == program_.exprs.end()) return;
    const Lang lines = any_line(input_);
    const Lang gapless =
        star(context_.set(regular::CharSet::of(" \t\n").complement(context_.alphabet())));
    if (!regular::disjoint(lines, gapless).no()) return;
    for (const char separator : {':', ';', ',', '|'}) {
      const Lang cell = star(context_.set(
          regular::CharSet::of(std::string("\n") + separator).complement(context_.alphabet())));
      const Lang cells = context_.literal(std::string(1, separator)) + cell;
      if (!regular::included(lines, cell + repeat(cells, kMinCells - 1, kMaxCells - 1)).yes())
        continue;
      for (uint32_t count = kMinCells; count <= kMaxCells; count++) {
        if (!regular::included(lines, cell + repeat(cells, count - 1, count - 1)).yes()) continue;
        return report(Flaw::kCells, static_cast<ExprId>(field - program_.exprs.begin()),
                      fmt::format("awk cuts these lines at blanks, but '{}' stands between their "
                                  "cells",
                                  separator),
                      fmt::format("awk -F'{}' cuts them there", separator));
      }
    }
  }

  [[nodiscard]] bool assigns_separator() const {
    return std::any_of(program_.exprs.begin(), program_.exprs.end(), [&](const awk::Expr& each) {
      const auto* variable = std::get_if<awk::Variable>(&each.node);
      return variable && (variable->name == "FS" || variable->name == "FPAT" ||
                          variable->name == "FIELDWIDTHS");
    });
  }

  const awk::Program& program_;
  const Argument& word_;
  const Stream& input_;
  const std::map<std::string, awk::Value>& variables_;
  std::vector<Problem>& problems_;
  Context& context_;
  std::vector<const LineKind*> rows_;  // no headings
  bool has_usual_ = false;
};

}  // namespace

void find_wrong_tests(const awk::Program& program, const Argument& word, const Stream& input,
                      const std::map<std::string, awk::Value>& variables,
                      std::vector<Problem>& problems) {
  Tests(program, word, input, variables, problems).find();
}

}  // namespace nacre::commands
