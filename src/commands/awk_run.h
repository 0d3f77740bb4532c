// An abstract run of an awk program over one record of the input's type. Values are languages;
// every variable holds the union of what was ever assigned to it (awk's unset value is the empty
// string), so one pass that repeats until nothing grows is a fixpoint. Conditions on $0 and on
// fields narrow the record; all others go both ways.
//
//   awk::Run run(program, context, input, variables);
//   run.run();
//   Stream printed = run.output();
#pragma once

#include <map>
#include <optional>
#include <string>

#include "commands/awk_fields.h"
#include "commands/awk_program.h"
#include "commands/format_text.h"
#include "commands/stream.h"

namespace nacre::awk {

using commands::Context;
using commands::FieldSplitter;
using commands::Lang;
using commands::Stream;

struct Value {
  Lang text;
  bool is_number = false;
  bool is_opaque = false;  // comes from input nothing is known of

  friend Value operator|(const Value& a, const Value& b) {
    return {a.text | b.text, a.is_number && b.is_number, a.is_opaque || b.is_opaque};
  }
};

// What became of the rest of the rule: whether the statement after this one is reached.
enum class Flow : uint8_t { kGoesOn, kStops };

class Run {
 public:
  // `variables` are those that -v and -F set. The program and the input must outlive the run.
  Run(const Program& program, Context& context, const Stream& input,
      std::map<std::string, Value> variables);

  void run();

  [[nodiscard]] Stream output() const;
  // The program asks for more work than it is worth: it may read, and print, anything.
  [[nodiscard]] bool is_exhausted() const;
  [[nodiscard]] bool reads_input() const { return has_main_rule_ || is_exhausted(); }
  // From a record to its field, if records are cut in one way only.
  [[nodiscard]] std::optional<regular::Transducer> map_to_field(uint64_t number);
  // All the program does is choose whole records.
  [[nodiscard]] bool only_filters() const { return only_filters_; }
  [[nodiscard]] Lang kept() const { return kept_.value_or(context_.empty()); }

 private:
  // the program
  void pass();
  bool apply(const Rule& rule);
  Value record_at_end();
  void print(const Value& value);
  void print_lines(Lang text, bool is_opaque);
  void print_anything();

  // statements
  Flow execute(StmtId id);
  Flow statement(const Block& block);
  Flow statement(const Simple& simple);
  Flow statement(const If& branch);
  Flow loop(std::optional<ExprId> condition, StmtId body);
  Flow statement(const While& node);
  Flow statement(const DoWhile& node);
  Flow statement(const For& node);
  Flow statement(const ForIn& node);
  Flow statement(const Switch& node);
  Flow statement(const Output& output);
  [[nodiscard]] bool is_standard_output(const Output& output) const;
  Flow statement(const Delete&);
  Flow statement(const Jump&);
  Flow statement(const Exit& node);
  Flow statement(const Return& node);
  void print_text(const Value& text);
  Value arguments_joined(const Exprs& arguments);

  // variables
  Value constant(std::string_view text);
  Value number();
  Value natural();
  Value anything();
  Lang any_string();
  Lang number_text(bool is_signed = true);
  static std::string keys_of(const std::string& array);
  static std::string elements_of(const std::string& array);
  Value variable(const std::string& name);
  void assign(const std::string& name, const Value& value);
  Lang any_records();
  const FieldSplitter* splitter();
  [[nodiscard]] std::optional<uint64_t> constant_index(ExprId id) const;
  [[nodiscard]] ExprId ungrouped(ExprId id) const;

  // conditions
  Lang true_records(ExprId id);
  Lang false_records(ExprId id);
  Lang records(ExprId id, bool wanted);
  Lang matched(const Binary& binary, bool wanted);
  Lang equal(const Binary& binary, bool wanted);
  std::optional<Lang> numbered(ExprId id, bool wanted);
  Lang records_where(uint64_t index, Lang wanted);
  [[nodiscard]] std::optional<std::string> pattern_text(ExprId id) const;
  std::optional<Lang> matching(const std::string& source);

  // expressions
  Value evaluate(ExprId id);
  Value expression(const Number& node);
  Value expression(const String& node);
  Value expression(const Regex&);
  Value expression(const Variable& node);
  Value expression(const Element& node);
  Value truth();
  Value expression(const Field& node);
  Value expression(const Unary& node);
  Value expression(const Binary& node);
  Value concatenation(const Binary& node);
  Value arithmetic(BinaryOp op, const Value& left, const Value& right);
  Value whole(bool is_natural);
  bool may_be_negative(const Value& value);
  Value expression(const Conditional& node);
  Value expression(const Assign& node);
  Value expression(const Increment& node);
  Value expression(const Membership& node);
  Value expression(const Grouping& node);
  Value expression(const Getline& node);
  void store(ExprId target, const Value& value);
  void change_fields();

  // functions
  Value expression(const Call& node);
  Value replace(const Call& node);
  Value call(const Call& node);
  Value format(const Exprs& arguments);
  Value converted(const commands::Directive& directive, Value value);
  Lang float_text();

  const Program& program_;
  Context& context_;
  uint64_t spent_before_;  // states, by others
  std::map<std::string, Value> variables_;
  std::map<std::string, std::optional<FieldSplitter>> splitters_;
  const Stream& input_;
  Lang lines_;    // of the input
  Lang records_;  // what $0 may be: a line, unless RS was changed
  bool is_opaque_;
  Value record_;  // $0
  Lang printed_;
  Lang open_text_;  // what was printed without a newline at its end
  std::optional<Lang> kept_;
  std::optional<Value> returned_;
  bool prints_opaque_ = false;
  bool fields_are_changed_ = false;
  bool has_main_rule_ = false;
  bool only_filters_ = true;
  bool prints_newlines_ = false;  // one print may give several lines
  bool changed_ = false;
  bool widens_ = false;
  int call_depth_ = 0;
  int skips_ = 0;  // of this pass
};

}  // namespace nacre::awk
