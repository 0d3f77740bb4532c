// Runs an awk program, whose tree comes from commands/awk_program.h: POSIX awk as gawk runs it in
// the C locale, with those of gawk's additions that scripts use.
//
// A run ends by itself, by exit, or by a fatal error (division by zero, a broken expression, a
// limit of depth or size), after which the status is 2. `for (k in a)` goes in the order in which
// the elements were made: awks differ here, and the simulated world is deterministic.
//
//   AwkInterpreter interpreter(program, context);
//   interpreter.assign("FS", ":");
//   int status = interpreter.run(operands);
#pragma once

#include <deque>
#include <memory>
#include <unordered_map>

#include "commands/awk_program.h"
#include "utilities/awk_record.h"
#include "utilities/awk_streams.h"
#include "utilities/awk_value.h"

namespace nacre::utilities {

class AwkArray {
 public:
  // `held` counts the bytes of all arrays.
  explicit AwkArray(size_t& held) : held_(held) {}
  ~AwkArray() { clear(); }
  AwkArray(const AwkArray&) = delete;
  AwkArray& operator=(const AwkArray&) = delete;

  [[nodiscard]] const AwkValue& get(const std::string& key) { return element(key).value; }  // makes
  void set(const std::string& key, AwkValue value);
  [[nodiscard]] bool has(const std::string& key) const { return elements_.contains(key); }
  [[nodiscard]] size_t size() const { return elements_.size(); }
  [[nodiscard]] std::vector<std::string> keys() const;  // in the order in which they were made
  void erase(const std::string& key);
  void clear();

 private:
  struct Element {
    AwkValue value;
    uint64_t order = 0;
  };
  Element& element(const std::string& key);
  static size_t bytes(const std::string& key, const Element& element);

  size_t& held_;
  std::unordered_map<std::string, Element> elements_;
  uint64_t made_ = 0;
};

// A variable or parameter. One that was passed on before it had a kind learns from the other side
// that it is an array.
struct AwkCell {
  AwkValue value;
  std::shared_ptr<AwkArray> array;
  AwkCell* passed_from = nullptr;
};

class AwkInterpreter {
 public:
  AwkInterpreter(const awk::Program& program, Context& context);

  // As -v does: escapes are resolved.
  void assign(const std::string& name, std::string_view text);
  int run(const std::vector<std::string>& operands);

 private:
  enum class Flow : uint8_t { kNormal, kBreak, kContinue, kNext, kNextFile, kReturn, kExit };
  // Leaves expressions; never leaves run().
  struct Fatal {
    std::string message;
  };
  struct Leave {
    Flow flow;
  };
  // What an assignment changes, found once.
  struct Place {
    AwkCell* cell = nullptr;
    AwkArray* array = nullptr;
    std::string key;
    size_t field = 0;
  };
  // One level of nesting; too many of them are a fatal error.
  class Level;

  // the program
  void run_rules(awk::Rule::Kind kind);
  void run_main();
  Flow apply(const awk::Rule& rule, size_t index);
  Flow act(const awk::Rule& rule);
  void spend(size_t steps = 1);
  [[noreturn]] static void fatal(std::string message) { throw Fatal{std::move(message)}; }

  // input
  bool next_record(std::string& text);
  bool next_file();
  void set_record(std::string text);
  void count_record();
  const RecordSeparator& record_separator();
  std::shared_ptr<const AwkSeparator> make_separator(const std::string& text, bool in_paragraphs);
  std::shared_ptr<const AwkSeparator> field_separator();
  AwkValue getline(const awk::Getline& node);

  // statements
  Flow execute(awk::StmtId id);
  Flow execute_all(const awk::Stmts& body);
  Flow statement(const awk::Block& node) { return execute_all(node.body); }
  Flow statement(const awk::Simple& node);
  Flow statement(const awk::If& node);
  Flow statement(const awk::While& node);
  Flow statement(const awk::DoWhile& node);
  Flow statement(const awk::For& node);
  Flow statement(const awk::ForIn& node);
  Flow statement(const awk::Switch& node);
  Flow statement(const awk::Output& node);
  Flow statement(const awk::Delete& node);
  Flow statement(const awk::Jump& node);
  Flow statement(const awk::Exit& node);
  Flow statement(const awk::Return& node);
  static bool leaves_loop(Flow& flow);
  [[nodiscard]] bool is_case(const AwkValue& subject, awk::ExprId pattern);

  // variables
  AwkCell& cell(const std::string& name);
  AwkArray& array(const std::string& name);
  AwkArray& array_of(awk::ExprId id);
  AwkArray& array_in(AwkCell& cell);
  void set_element(AwkArray& array, const std::string& key, AwkValue value);
  AwkValue load(AwkCell& cell);
  void store(AwkCell& cell, AwkValue value);
  size_t field_index(double number);
  AwkValue field(size_t number);
  void set_field(size_t number, AwkValue value);
  std::string key_of(const awk::Exprs& subscripts);
  Place place_of(awk::ExprId target);
  AwkValue load(const Place& place);
  void store(const Place& place, AwkValue value);
  std::string text(const AwkValue& value) { return value.to_text(number_format_); }
  std::string text(awk::ExprId id) { return text(evaluate(id)); }
  std::string set_text(AwkCell* cell) { return text(cell->value); }

  // expressions
  AwkValue evaluate(awk::ExprId id);
  AwkValue expression(const awk::Number& node) { return AwkValue::number(node.value); }
  AwkValue expression(const awk::String& node) { return AwkValue::string(node.value); }
  AwkValue expression(const awk::Regex& node);
  AwkValue expression(const awk::Variable& node);
  AwkValue expression(const awk::Field& node);
  AwkValue expression(const awk::Element& node);
  AwkValue expression(const awk::Unary& node);
  AwkValue expression(const awk::Binary& node);
  AwkValue expression(const awk::Conditional& node);
  AwkValue expression(const awk::Assign& node);
  AwkValue expression(const awk::Increment& node);
  AwkValue expression(const awk::Membership& node);
  AwkValue expression(const awk::Grouping& node);
  AwkValue expression(const awk::Call& node);
  AwkValue expression(const awk::Getline& node) { return getline(node); }
  AwkValue binary(awk::BinaryOp op, const AwkValue& left, const AwkValue& right);
  AwkValue concatenated(const awk::Binary& node);
  AwkValue call_function(const awk::Call& node);
  [[nodiscard]] const awk::Function* find_function(const std::string& name) const;
  const Regex& compiled(const std::string& source);
  const Regex& pattern(awk::ExprId id);

  // builtins
  AwkValue call_builtin(const awk::Call& node);
  std::optional<AwkValue> string_function(const awk::Call& node);
  std::optional<AwkValue> number_function(const awk::Call& node);
  std::optional<AwkValue> system_function(const awk::Call& node);
  std::optional<AwkValue> bit_function(const awk::Call& node);
  AwkValue length(const awk::Call& node);
  AwkValue substr(const awk::Call& node);
  AwkValue split(const awk::Call& node);
  AwkValue match(const awk::Call& node);
  AwkValue substitute(const awk::Call& node, bool all);
  AwkValue gensub(const awk::Call& node);
  AwkValue sort_array(const awk::Call& node, bool by_keys);
  AwkValue seed(const awk::Call& node);
  AwkValue random();
  AwkValue format_time(const awk::Call& node);
  std::string formatted(const awk::Exprs& arguments);
  double argument(const awk::Call& node, size_t index);

  const awk::Program& program_;
  Context& context_;
  AwkStreams streams_;
  AwkRecord record_;
  size_t held_ = 0;      // bytes of arrays
  size_t reported_ = 0;  // of them
  std::unordered_map<std::string, AwkCell> globals_;
  std::unordered_map<std::string, const awk::Function*> functions_;
  std::unordered_map<std::string, Regex> regexes_;

  struct Frame {
    const awk::Function* function;
    std::vector<AwkCell> cells;
  };
  std::deque<Frame> frames_;
  AwkValue returned_;
  int depth_ = 0;
  size_t unspent_ = 0;

  // The variables that mean something.
  AwkCell *nf_, *nr_, *fnr_, *fs_, *ofs_, *ors_, *rs_, *subsep_, *convfmt_, *ofmt_, *rstart_,
      *rlength_, *filename_;
  std::string number_format_ = "%.6g";  // CONVFMT
  std::shared_ptr<const AwkSeparator> separator_;
  std::string separator_text_;
  bool separator_in_paragraphs_ = false;
  RecordSeparator record_separator_;

  std::optional<AwkReader> input_;
  size_t next_operand_ = 1;
  bool has_read_a_file_ = false;
  std::vector<bool> in_range_;  // by rule
  int status_ = 0;
  uint64_t seed_ = 0;
  uint64_t random_state_ = 1;
};

}  // namespace nacre::utilities
