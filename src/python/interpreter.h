// The abstract interpreter: runs one function over all words of its types at once. It walks the
// tree with sets of abstract states; a failure is a state that reaches a place where Python would
// raise or a declared type would be broken. With single words as inputs it is an ordinary
// interpreter, and is used so to confirm failures.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/budget.h"
#include "base/span.h"
#include "python/domain.h"
#include "python/loop_heads.h"
#include "python/program.h"

namespace nacre::python {

enum class FailureKind : uint8_t {
  kRaise,     // an exception leaves the function
  kAssert,    // AssertionError
  kArgument,  // an argument is not of the declared type
  kReturn,
  kVariable,  // an annotated assignment
  kInvariant,
};

struct Failure {
  FailureKind kind = FailureKind::kRaise;
  Span span;
  std::string exception;  // its class
  std::string reason;     // "substring not found"
  State state;
};

struct Unsupported {
  Span span;
  std::string what;
};

struct Shown {  // show_type
  Span span;
  Words words{};
  bool is_string = true;
  std::string other;  // the type when it is not a string
};

struct Outcome {
  std::vector<Failure> failures;
  std::vector<Unsupported> unsupported;
  std::vector<Shown> shown;
  Words returned{};  // of all strings returned
  bool returns_only_strings = true;
  bool returns_anything = false;
  bool is_exhausted = false;
  size_t endings = 0;  // ways to end; a concrete run has one, unless something in it is not known
};

struct Limits {
  uint64_t steps = 20'000;  // statements and expressions, over all states
  size_t states = 24;       // alternatives kept after a branch before they are joined
  size_t heads = 400;       // different states at one loop head
  size_t items = 8;         // of a list that are looked at one by one
  size_t call_depth = 12;
  uint64_t loop_rounds = 20'000;  // of a concrete run
  Stop stop = {};                 // as if the steps were used up
};

struct Evaluated {
  State state;
  Value value;
};
using Evaluations = std::vector<Evaluated>;

struct FormatSpec {  // of an f-string's field
  uint32_t fill = ' ';
  char align = 0, sign = 0, type = 0;  // 0: not given
  bool has_zero = false;
  int64_t width = 0;
  std::optional<int64_t> precision;
};

class Interpreter {
 public:
  Interpreter(const Program& program, bool is_concrete, Limits limits);

  // From all words of the declared types, or (concrete) from these arguments.
  Outcome run(const Function& function, const std::vector<Value>* arguments, State start = {});
  [[nodiscard]] const Domain& domain() const { return domain_; }

 private:
  struct Returned {
    State state;
    Value value;
  };
  struct Flow {
    States next, breaks, continues;
    std::vector<Returned> returns;
  };
  struct Frame {
    const Function* function = nullptr;
    size_t base = 0;  // of its slots
  };
  struct Raised {
    std::string exception, reason;
    FailureKind kind;
    Span span;
    State state;
  };
  using Arguments = std::vector<Value>;

  States start(const Function& function, const std::vector<Value>* arguments, State state);

  // Statements (interpret_statements.cpp).
  Flow execute(const Block& block, States states);
  Flow execute(StmtId stmt, States states);
  void execute_one(StmtId stmt, State state, Flow& flow);
  void merge(Flow& into, Flow part);
  void settle(StmtId stmt, States& states);
  [[nodiscard]] bool is_iterator(ExprId expr) const;
  void execute_assign(const Assign& stmt, State state, Flow& flow);
  void execute_augmented(const AugAssign& stmt, Span span, State state, Flow& flow);
  void execute_annotated(const AnnAssign& stmt, Span span, State state, Flow& flow);
  States assign(ExprId target, Evaluations values);
  States assign_one(ExprId target, State state, const Value& value);
  States assign_each(const Exprs& targets, State state, const std::vector<Value>& items);
  States unpack(const Exprs& targets, Span span, State state, const Value& value);
  States unpack_starred(const Exprs& targets, size_t star, Span span, State state,
                        const Value& value);
  States unpack_letters(const Exprs& targets, size_t star, State state, const Text& text);
  States unpack_unknown(const Exprs& targets, Span span, State state, const Value& value);
  void execute_if(const If& stmt, State state, Flow& flow);
  void execute_assert(const Assert& stmt, State state, Flow& flow);
  void execute_raise(const Raise& stmt, Span span, State state);
  void execute_try(const Try& stmt, State state, Flow& flow);
  void finish_try(const Try& stmt, Flow all, std::vector<Raised> escaped, Flow& flow);
  void handle(const Try& stmt, Raised raised, Flow& flow);
  void execute_return(const Return& stmt, Span span, State state, Flow& flow);
  States check_type(State state, const Value& value, const Type& type, FailureKind kind, Span span);
  void show_type(const Call& call, Span span, State state);
  [[nodiscard]] const Call* special_call(StmtId stmt, std::string_view name) const;

  // Loops (interpret_loops.cpp).
  struct Advance {  // what happens at a loop head
    States enter, leave;
  };
  using AtHead = std::function<Advance(State)>;
  void execute_while(StmtId id, const While& stmt, State state, Flow& flow);
  void execute_for(StmtId id, const For& stmt, State state, Flow& flow);
  void run_loop(StmtId id, const AtHead& advance, const Block& body, const Block& orelse,
                State state, Flow& flow);
  void run_concrete_loop(const AtHead& advance, const Block& body, const Block& orelse, State state,
                         Flow& flow);
  struct Head;
  States visit_head(Head& head, const AtHead& advance, const Block& body);
  void leave_loop(std::map<std::string, Head>& heads, size_t outer_pins, const Block& orelse,
                  Flow& flow);
  void finish_loop(const Block& orelse, States leave, States breaks, Flow& flow);
  LoopHead loop_head(StmtId id, const State& state) const;
  Advance next_of_range(State state, size_t hidden, ExprId target, int64_t step);
  Advance next_of_text(State state, size_t hidden, ExprId target, bool is_counted);
  Advance next_of_split(State state, size_t hidden, ExprId target, bool is_counted);
  void for_range(StmtId id, const For& stmt, const Call& range, State state, Flow& flow);
  void for_items(const For& stmt, std::vector<Value> items, State state, Flow& flow);
  void for_value(StmtId id, const For& stmt, Evaluated iterable, bool is_counted, Flow& flow);

  // Comprehensions (interpret_generators.cpp).
  struct Shadowed {
    size_t base;                // where on the stack
    std::vector<size_t> slots;  // what is kept there
  };
  using ItemBody = std::function<void(State, const Shadowed&, States& next)>;
  void each_item(const Comprehension& part, State state, const std::vector<Value>& items,
                 const ItemBody& body, const std::function<void(State)>& done);
  static void unshadow(State& state, const Shadowed& shadowed);
  Evaluations evaluate_comprehension(const ComprehensionExpr& expr, Span span, State state);
  void list_items(const ComprehensionExpr& expr, State state, const std::vector<Value>& items,
                  Evaluations& out);
  void not_iterable(Evaluated iterable, Span span, Evaluations& out);
  Evaluations all_or_any(const ComprehensionExpr& generator, bool is_all, State state, Span span);
  static const Text* letters_of(const Value& value);
  bool try_letter(const ComprehensionExpr& expr, const State& state, Letter letter, bool& may_skip,
                  const std::function<void(State)>& then);
  std::optional<LetterSet> stopping_letters(const ComprehensionExpr& expr, bool is_all,
                                            const Evaluated& iterable);
  std::optional<Text> letter_image(const ComprehensionExpr& expr, Evaluated& iterable);

  // Expressions (interpret_expressions.cpp).
  Evaluations evaluate(ExprId expr, State state);
  Value literal(const Expr& expr, State& state);
  Evaluations evaluate_unary(const UnaryOperation& op, Span span, State state);
  Evaluations evaluate_junction(const BoolOperation& op, State state);
  Evaluations evaluate_choice(const IfExp& choice, State state);
  Evaluations evaluate_items(const Exprs& items, bool is_list, State state);
  Evaluations evaluate_optional(Optional expr, State state);
  void evaluate_all(const Exprs& exprs, size_t index, State state, size_t base,
                    const std::function<void(State, Arguments)>& then);
  void evaluate_all(const Exprs& exprs, State state,
                    const std::function<void(State, Arguments)>& then);
  Evaluations evaluate_name(const Name& name, Span span, State state);
  Evaluations evaluate_binary(const BinaryOperation& op, Span span, State state);
  void binary(BinaryOp op, Span span, State state, const Value& left, const Value& right,
              Evaluations& out);
  void arithmetic(BinaryOp op, Span span, State state, const Linear& left, const Linear& right,
                  Evaluations& out);
  void divide(BinaryOp op, Span span, State state, const Linear& left, const Linear& right,
              Evaluations& out);
  void repeat(State state, const Text& text, const Linear& times, Evaluations& out);
  Evaluations evaluate_subscript(const Subscript& subscript, Span span, State state);
  void index(Span span, State state, const Value& value, const Value& at, Evaluations& out);
  void index_text(Span span, State state, const Text& text, const Linear& at, Evaluations& out);
  void index_split(Span span, State state, const SplitList& split, int64_t at, Evaluations& out);
  void last_of_split(State state, const SplitList& split, Evaluations& out);
  Evaluations evaluate_slice(const Subscript& subscript, const Slice& slice, Span span,
                             State state);
  struct Bounds {
    Value low, high, step;  // None: missing
  };
  void slice_value(Span span, State state, const Value& value, const Bounds& bounds,
                   Evaluations& out);
  void slice_items(Span span, State state, const Sequence& list, const Bounds& bounds,
                   Evaluations& out);
  void slice_letters(State state, const Text& text, Evaluations& out);
  void slice_text(State state, const Text& text, const Value& low, const Value& high,
                  Evaluations& out);
  void slice_backwards(State state, const Text& text, const Value& low, const Value& high,
                       Evaluations& out);
  void slice_between(State state, const Text& text, const Value& low, const Value& high,
                     int64_t offset, Evaluations& out);
  Split test(ExprId expr, State state);
  Split truth(State state, const Value& value);
  void test_chain(const Compare& compare, size_t index, State state, Split& out);
  Split compare(CompareOp op, State state, const Value& left, const Value& right, Span span);
  Split equal(State state, const Value& left, const Value& right);
  bool drop_equal(State& state, Text& a, Text& b, bool is_end) const;
  Split equal_texts(State state, const Text& left, const Text& right);
  Split order(CompareOp op, State state, const Value& left, const Value& right, Span span);
  Split contains(State state, const Value& container, const Value& item, Span span);
  Split one_of(State state, const Value& item, const std::vector<Value>& items);

  // Values as strings (interpret_formats.cpp).
  struct Padding {
    int64_t width;
    Letter fill;
    char align;              // '<', '>', '^', or '=': behind the sign
    std::string_view signs;  // of these
  };
  Evaluations evaluate_fstring(const JoinedStr& joined, State state);
  Evaluations evaluate_field(const FormattedValue& field, Span span, State state);
  void to_string(State state, const Value& value, Span span, Evaluations& out);
  void to_literal(State state, const Value& value, Span span, Evaluations& out);
  void apply_format(State state, const Value& value, const Text& format, Span span,
                    Evaluations& out);
  void format_text(State state, const Text& text, const FormatSpec& spec, Span span,
                   Evaluations& out);
  void format_number(State state, const Linear& number, const FormatSpec& spec, Span span,
                     Evaluations& out);
  void pad(State state, const Text& text, const Padding& padding, Evaluations& out);
  void pad_by(State state, const Text& text, int64_t missing, const Padding& padding,
              Evaluations& out);
  Words decimals(Range range);

  // Calls (interpret_calls.cpp).
  Evaluations evaluate_call(const Call& call, Span span, State state);
  Evaluations call_function(const Function& function, const Call& call, Span span, State state);
  void call_declared(const Function& function, Span span, State state, Evaluations& out);
  void call_inlined(const Function& function, State state, Arguments arguments, Evaluations& out);
  Evaluations call_builtin(const std::string& name, const Call& call, Span span, State state,
                           bool& is_known);
  void builtin(const std::string& name, Span span, State state, const Arguments& arguments,
               Evaluations& out);
  void map_builtin(const std::string& name, Evaluated iterable, Span span, Evaluations& out);
  void calculate(const std::string& name, Span span, State state, const Arguments& arguments,
                 Evaluations& out);
  Evaluations call_isinstance(const Call& call, Span span, State state);
  Evaluations call_pattern(Search search, ExprId pattern, ExprId subject, State state);
  void length_of(Span span, State state, const Value& value, Evaluations& out);
  void parse_int(Span span, State state, const Text& text, Evaluations& out);
  [[nodiscard]] std::optional<int64_t> number_of(const Word& word) const;
  [[nodiscard]] Words without_sign(Words language) const;
  [[nodiscard]] Range magnitude(Words language) const;
  void ordinal(Span span, State state, const Text& text, Evaluations& out);
  void character(Span span, State state, const Linear& code, Evaluations& out);
  void extreme(State state, const Linear& a, const Linear& b, bool is_max, Evaluations& out);

  // Methods of strings (interpret_methods.cpp).
  struct MethodCall {
    Span span;
    Text subject;
    Arguments arguments;
  };
  using Method = void (Interpreter::*)(State, const MethodCall&, Evaluations&);
  static const std::map<std::string, Method>& methods();
  void method(const std::string& name, Span span, State state, const Value& subject,
              const Arguments& arguments, Evaluations& out);
  void find(State state, const MethodCall& call, Evaluations& out, bool backwards, bool must_find);
  void find_in(Divided window, const Text& pattern, bool backwards,
               const std::function<void(State)>& missing, Evaluations& out);
  void method_find(State s, const MethodCall& c, Evaluations& o) {
    find(std::move(s), c, o, false, false);
  }
  void method_rfind(State s, const MethodCall& c, Evaluations& o) {
    find(std::move(s), c, o, true, false);
  }
  void method_index(State s, const MethodCall& c, Evaluations& o) {
    find(std::move(s), c, o, false, true);
  }
  void method_rindex(State s, const MethodCall& c, Evaluations& o) {
    find(std::move(s), c, o, true, true);
  }
  void affix(State state, const MethodCall& call, Evaluations& out, bool is_prefix);
  void method_startswith(State s, const MethodCall& c, Evaluations& o) {
    affix(std::move(s), c, o, true);
  }
  void method_endswith(State s, const MethodCall& c, Evaluations& o) {
    affix(std::move(s), c, o, false);
  }
  void remove_affix(State state, const MethodCall& call, Evaluations& out, bool is_prefix);
  void method_removeprefix(State s, const MethodCall& c, Evaluations& o) {
    remove_affix(std::move(s), c, o, true);
  }
  void method_removesuffix(State s, const MethodCall& c, Evaluations& o) {
    remove_affix(std::move(s), c, o, false);
  }
  void strip(State state, const MethodCall& call, Evaluations& out, bool left, bool right);
  void method_strip(State s, const MethodCall& c, Evaluations& o) {
    strip(std::move(s), c, o, true, true);
  }
  void method_lstrip(State s, const MethodCall& c, Evaluations& o) {
    strip(std::move(s), c, o, true, false);
  }
  void method_rstrip(State s, const MethodCall& c, Evaluations& o) {
    strip(std::move(s), c, o, false, true);
  }
  void method_count(State state, const MethodCall& call, Evaluations& out);
  void split(State state, const MethodCall& call, Evaluations& out, bool backwards);
  void method_split(State s, const MethodCall& c, Evaluations& o) {
    split(std::move(s), c, o, false);
  }
  void method_rsplit(State s, const MethodCall& c, Evaluations& o) {
    split(std::move(s), c, o, true);
  }
  void partition(State state, const MethodCall& call, Evaluations& out, bool backwards);
  void method_partition(State s, const MethodCall& c, Evaluations& o) {
    partition(std::move(s), c, o, false);
  }
  void method_rpartition(State s, const MethodCall& c, Evaluations& o) {
    partition(std::move(s), c, o, true);
  }
  void method_join(State state, const MethodCall& call, Evaluations& out);
  void method_replace(State state, const MethodCall& call, Evaluations& out);
  void change_case(State state, const MethodCall& call, Evaluations& out, bool is_upper);
  void method_upper(State s, const MethodCall& c, Evaluations& o) {
    change_case(std::move(s), c, o, true);
  }
  void method_lower(State s, const MethodCall& c, Evaluations& o) {
    change_case(std::move(s), c, o, false);
  }
  void method_zfill(State state, const MethodCall& call, Evaluations& out);
  void classify(const std::string& name, State state, const Text& subject, Evaluations& out);

  // Pieces of strings, used by several of the above.
  struct Piece {
    State state;
    Text piece, rest;
    bool is_last = false;
  };
  // The next item of a split, from what is left of its subject. `none` gets the states without one.
  std::vector<Piece> next_piece(State state, const Text& rest, const SplitList& list, States& none);
  std::vector<Divided> skip(State state, const Text& text, const LetterSet& set, bool backwards,
                            States& all);
  // The first `count` items (fewer where there are no more), and the list of the others.
  void take(State state, const SplitList& split, size_t count,
            const std::function<void(State, std::vector<Value>, Value)>& then);
  // All items, where there are at most `most`; `more` gets the states with more.
  static bool is_iterable(const Value& value);
  void items_of(State state, const Value& value, size_t most,
                const std::function<void(State, const std::vector<Value>&)>& then, States& more);
  [[nodiscard]] size_t most_items() const {
    return domain_.is_concrete() ? 100'000 : limits_.items;
  }
  std::vector<std::pair<State, Linear>> clamp(State state, const Linear& at, const Linear& length,
                                              int64_t offset = 0);
  Text reversed(State& state, const Text& text);
  // The text as one of few constants; false if it has too many values.
  bool by_constant(const State& state, const Text& text,
                   const std::function<void(State, const Word&)>& then);
  Words replaced(Words language, const Word& from, const Word& to);
  Words spaced(Words language, const Word& glue);
  Text any_text(State& state) { return {state.add_word(domain_.words().all())}; }

  // Failures.
  void raise(State state, std::string exception, std::string reason, Span span,
             FailureKind kind = FailureKind::kRaise);
  void fail(Raised raised);
  Value unknown(Span span, std::string what);
  [[nodiscard]] bool spend();
  [[nodiscard]] std::optional<int64_t> as_constant(const State& state, const Value& value) const;
  [[nodiscard]] std::optional<Linear> as_number(const Value& value) const;

  const Program& program_;
  const Tree& tree_;
  Limits limits_;
  Domain domain_;
  Frame frame_;
  size_t depth_ = 0;
  std::vector<const Function*> callers_;
  std::vector<Raised>* raised_ = nullptr;
  struct Handled {
    std::string exception = "RuntimeError";  // what a bare raise raises
    std::string variable;                    // `as NAME`
  };
  Handled handled_;
  Outcome outcome_;
  uint64_t steps_ = 0;
};

}  // namespace nacre::python
