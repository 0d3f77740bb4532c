// The abstract interpreter: runs one function over all words of its types at once. It walks the
// tree with sets of abstract states; a failure is a state that reaches a place where Python would
// raise or a declared type would be broken. With single words as inputs it is an ordinary
// interpreter, and is used so to confirm failures.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/budget.h"
#include "base/span.h"
#include "python/domain.h"
#include "python/loop_heads.h"
#include "python/program.h"
#include "python/sinks.h"

namespace nacre::python {

enum class FailureKind : uint8_t {
  kRaise,     // an exception leaves the function
  kAssert,    // AssertionError
  kArgument,  // an argument is not of the declared type
  kReturn,
  kVariable,  // an annotated assignment
  kInvariant,
  kSql,  // a value breaks out of its place in a text (sinks.h)
  kShell,
  kFileName,
  kCode,
};

// The function goes on after such a failure.
inline bool is_sink(FailureKind kind) { return kind >= FailureKind::kSql; }

struct Failure {
  FailureKind kind = FailureKind::kRaise;
  Span span;
  std::string exception;  // its class
  std::string reason;     // "substring not found"
  State state;
  std::string constant;  // the value that is not of its type, where it is always the same
  std::optional<Words> texts = std::nullopt;  // at a sink: those in which the value breaks out
  std::string doubt =
      "";  // what would have to hold, where too little is known to say that it fails
};

struct Unsupported {
  Span span;
  std::string what;
};

struct Shown {  // show_type
  Span span;
  Words words{};
  bool is_string = true;
  Type type = type_of_parts(Type::Kind::kUnion, {});  // when it is not a string
};

struct Outcome {
  std::vector<Failure> failures;
  std::vector<Unsupported> unsupported;
  std::vector<Unsupported> assumptions;  // what must hold besides, for the rest to be true
  std::set<uint32_t> passed;             // where the check of a type was passed
  std::set<std::string> raises;          // classes of exceptions that the function declares
  std::vector<Shown> shown;
  Words returned{};  // of all strings returned
  bool returns_only_strings = true;
  bool returns_anything = false;
  Type returned_type = type_of_parts(Type::Kind::kUnion, {});
  bool is_exhausted = false;
  size_t endings = 0;  // ways to end; a concrete run has one, unless something in it is not known
};

struct Limits {
  uint64_t steps = 20'000;  // statements and expressions, over all states
  size_t states = 24;       // alternatives kept after a branch before they are joined
  size_t heads = 400;       // different states at one loop head
  size_t items = 8;         // of a list that are looked at one by one
  size_t call_depth = 12;
  uint64_t loop_rounds = 20'000;   // of a concrete run
  size_t symbols = 4'000;          // unknown words and numbers in one state
  size_t depth = 200;              // of expressions and statements inside each other
  uint64_t inlined_steps = 3'000;  // a function that costs more is known to others by its types
  uint64_t work = 6'000'000;       // transitions of automata that are made for one function
  Stop stop = {};                  // as if the steps were used up
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
  bool has_prefix = false;  // '#'
  char grouping = 0;        // ',' or '_'
  int64_t width = 0;
  std::optional<int64_t> precision;
};

class Interpreter {
 public:
  Interpreter(const Program& program, bool is_concrete, Limits limits);

  // From all values of the declared types.
  Outcome run(const Function& function);
  // From these inputs, one for each input of `given`, and made into arguments as there.
  Outcome replay(const Function& function, const State& given, const std::vector<Value>& inputs,
                 State start);
  // The steps that the check of each function took.
  void know_costs(const std::map<const Function*, uint64_t>* costs) { costs_ = costs; }
  // Keeps the types of the expressions of the function itself.
  struct Recorded {
    Type type = type_of_parts(Type::Kind::kUnion, {});
    bool is_assigned = false;  // a name that gets its value here
  };
  void record_types(std::map<ExprId, Recorded>* types) { types_ = types; }
  // A replay looks for this failure at a sink.
  void expect(const Failure* failure) { expected_ = failure; }
  [[nodiscard]] uint64_t steps() const { return steps_; }
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
    size_t base = 0;           // of its slots
    bool is_static = false;    // the module, for the value of one of its names only
    Type* yields = nullptr;    // a generator: what it has given so far
    size_t list = ~size_t{0};  // a generator that runs for real: where on the stack its list is
  };
  struct Raised {
    std::string exception, reason;
    FailureKind kind;
    Span span;
    State state;
    bool is_declared = false;  // by the function that raises it
    // What would have to hold, where too little is known of a value to tell; of one that is given,
    // it is taken to hold.
    std::string doubt = "";
    bool is_given = false;
  };
  using Arguments = std::vector<Value>;
  // The arguments of a call.
  struct Actuals {
    Arguments positional;
    std::vector<std::pair<std::string, Value>> named;
    std::vector<ExprId> places;  // of the positional ones, then of the named ones
    bool is_open = false;        // with a star: there may be more
  };
  using WithActuals = std::function<void(State, Actuals)>;
  // A value made of nothing but its type.
  struct Made {
    State state;
    Value value;
    Recipe recipe;
  };
  using Creations = std::vector<Made>;

  Outcome finish(const Function& function, Flow flow, std::vector<Raised> raised);
  std::vector<State> start(const Function& function, State state);
  Creations instantiate(State state, const Type& type, bool is_input, size_t depth = 0);
  Creations instantiate_all(State state, const std::vector<Type>& types, bool is_input,
                            size_t depth);
  Creations instantiate_class(State state, uint32_t cls, bool is_input, size_t depth);
  void loosen_fields(State& state, uint32_t cell, States& out);
  [[nodiscard]] Type changed_field_type(uint32_t cls, const std::string& name) const;
  [[nodiscard]] Type light_type(ExprId expr, const Function* around) const;
  Creations remake(const Recipe& recipe, const std::vector<Value>& inputs, State state);
  [[nodiscard]] Type type_of(const State& state, const Value& value) const;
  [[nodiscard]] Type stored_type(const State& state, const Value& value) const;
  [[nodiscard]] std::optional<Type> item_type(const State& state, const Value& value) const;
  [[nodiscard]] Words pieces_of(const State& state, const SplitList& split) const;
  void instantiate_item(State state, const Type& type, Evaluations& out, bool is_given = true);

  // Statements (interpret_statements.cpp).
  Flow execute(const Block& block, States states);
  Flow execute(StmtId stmt, States states);
  void execute_one(StmtId stmt, State state, Flow& flow);
  void merge(Flow& into, Flow part);
  void settle(StmtId stmt, States& states);
  [[nodiscard]] bool is_iterator(ExprId expr) const;
  void execute_assign(const Assign& stmt, State state, Flow& flow);
  void execute_augmented(const AugAssign& stmt, Span span, State state, Flow& flow);
  void execute_annotated(const AnnAssign& stmt, State state, Flow& flow);
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
  States check_type(State state, const Value& value, const Type& type, FailureKind kind, Span span,
                    Optional expr = {});
  void declare(State& state, const Value& value, const Type& type) const;
  Split fits(State state, const Value& value, const Type& type, Span span);
  Split fits_text(State state, const Text& text, const Type& type);
  Split fits_items(State state, const std::vector<Value>& items, const Type& item, Span span);
  Split fits_split(State state, const SplitList& split, const Type& item, Span span);
  Split fits_dict(State state, const Dict& dict, const Type& type, Span span);
  bool check_parts(const State& state, const Value& value, const Type& type, FailureKind kind,
                   ExprId expr);
  void show_type(const Call& call, Span span, State state);
  void execute_definition(const FunctionDef& function, State state, Flow& flow);
  void execute_class(const ClassDef& cls, State state, Flow& flow);
  void execute_with(const With& stmt, State state, Flow& flow);
  void execute_match(const Match& stmt, State state, Flow& flow);
  Split match_pattern(PatternId pattern, State state, const Value& subject, Span span);
  void execute_delete(const Delete& stmt, State state, Flow& flow);
  void forget_names(StmtId stmt, State& state) const;
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
  Advance next_of_typed(State state, size_t hidden, ExprId target, bool is_counted);
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
  void list_typed(const ComprehensionExpr& expr, Evaluated iterable, Span span, Evaluations& out);
  [[nodiscard]] Value readable(const State& state, const Value& value) const;
  // For comprehensions with several loops, over lists of any length, of sets and dictionaries:
  // `element` gets each state in which an element is due.
  using Element = std::function<void(State, const std::function<void(State)>& next)>;
  void loop_over(const std::vector<Comprehension>& parts, size_t at, State state,
                 const Element& element, bool& is_exact, const std::function<void(State)>& done);
  Evaluations evaluate_general(const Exprs& elements, const std::vector<Comprehension>& parts,
                               Type::Kind kind, Span span, State state);
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
  Evaluations evaluate_here(ExprId expr, State state);
  void note_lazy(bool is_iterator, ExprId id, size_t raised);
  void record(ExprId expr, const State& state, const Value& value, bool is_assigned);
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
  Evaluations evaluate_dict(const DictExpr& dict, State state);
  Evaluations evaluate_yield(Optional value, Span span, State state);
  Evaluations evaluate_name(const Name& name, Span span, State state);
  Evaluations evaluate_binary(const BinaryOperation& op, Span span, State state);
  void binary(BinaryOp op, Span span, State state, const Value& left, const Value& right,
              Evaluations& out);
  void arithmetic(BinaryOp op, Span span, State state, const Linear& left, const Linear& right,
                  Evaluations& out);
  void divide(BinaryOp op, Span span, State state, const Linear& left, const Linear& right,
              Evaluations& out);
  void quotient_and_rest(BinaryOp op, State state, const Linear& value, int64_t k,
                         Evaluations& out);
  void repeat(Span span, State state, const Text& text, const Linear& times, Evaluations& out);
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
    char align;              // '<', '>', '^', or '=': after the sign
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
  void format_float(State state, const FormatSpec& spec, Evaluations& out);
  Words decimals(Range range);
  Words numerals(Range range, int base, bool is_upper);
  Words magnitudes(Range range, int base, bool is_upper);
  void format_call(Span span, State state, const Text& format, const Actuals& actuals,
                   Evaluations& out);
  void percent(Span span, State state, const Text& format, const Value& values, Evaluations& out);
  struct FormatPiece {
    std::string text;            // literal, before the field
    std::optional<Value> value;  // nothing: only the text
    char conversion = 0;
    std::string format;
  };
  void format_pieces(Span span, State state, const std::vector<FormatPiece>& pieces,
                     Evaluations& out);

  // Calls (interpret_calls.cpp).
  Evaluations evaluate_call(ExprId id, const Call& call, Span span, State state);
  Evaluations call_attribute(const Call& call, const Attribute& attribute, Span span, State state);
  void evaluate_actuals(const Call& call, State state, const WithActuals& then);
  void call_value(const Value& callee, Actuals actuals, Span span, State state, Evaluations& out);
  void call_function(const Function& function, Actuals actuals, Span span, State state,
                     Evaluations& out);
  struct Bound {
    Arguments values;
    std::vector<Optional> places;
  };
  bool bind(const Function& function, Actuals& actuals, Span span, State& state, Bound& out);
  Value default_value(ExprId expr, State& state);
  void call_declared(const Function& function, Span span, State state, Evaluations& out);
  void call_inlined(const Function& function, State state, Arguments arguments, Span span,
                    Evaluations& out);
  [[nodiscard]] bool is_builtin_name(const std::string& name) const;
  Evaluations call_builtin(const std::string& name, const Call& call, Span span, State state,
                           bool& is_known);
  void call_iteration(const std::string& name, const Actuals& actuals, Span span, State state,
                      Evaluations& out);
  void make_range(const Arguments& arguments, Span span, State state, Evaluations& out);
  void zip_values(const Arguments& iterables, Span span, State state, Evaluations& out);
  void sort_values(const Actuals& actuals, Span span, State state, Evaluations& out);
  void convert_container(const std::string& name, const Value& value, Span span, State state,
                         Evaluations& out);
  [[nodiscard]] bool may_be_surrogate(const State& state, const Text& text) const;
  [[nodiscard]] std::optional<std::string> dotted_name(ExprId expr) const;
  [[nodiscard]] std::optional<size_t> slot_of(const std::string& name) const;
  Value by_type(State& state, const Type& type);

  // Texts in other languages (interpret_sinks.cpp).
  [[nodiscard]] std::optional<SinkCall> sink_of(const Call& call) const;
  // False: the run ends here.
  bool passes_sink(const Call& call, const Actuals& actuals, const State& state);
  void check_values(Sink sink, const Text& text, Span span, const State& state);
  bool report_value(const SinkPlace& place, const Text& text, size_t at, Span span,
                    const State& state);

  // Classes and their instances (interpret_objects.cpp).
  void construct(uint32_t cls, Actuals actuals, Span span, State state, Evaluations& out);
  void construct_fields(uint32_t cls, Actuals actuals, Span span, State state, Evaluations& out);
  void construct_enum(uint32_t cls, const Actuals& actuals, Span span, State state,
                      Evaluations& out);
  Evaluations evaluate_attribute(const Attribute& attribute, Span span, State state);
  void attribute_of(State state, const Value& subject, const std::string& name, Span span,
                    Evaluations& out);
  void class_attribute(State state, uint32_t cls, const std::string& name, Span span,
                       Evaluations& out);
  void set_attribute(State state, const Value& object, const std::string& name, const Value& value,
                     Span span, States& out);
  Evaluations evaluate_statically(ExprId expr, State state);
  [[nodiscard]] std::vector<const ClassVariable*> members(uint32_t cls) const;

  // Lists, sets and dictionaries (interpret_containers.cpp).
  void container_method(const std::string& name, Span span, State state, const Value& subject,
                        const Actuals& actuals, Evaluations& out);
  void list_method(const std::string& name, Span span, State state, uint32_t cell,
                   const Arguments& arguments, bool has_key, Evaluations& out);
  void dict_method(const std::string& name, Span span, State state, const Value& subject,
                   const Arguments& arguments, Evaluations& out);
  void look_up(State state, const Value& dict, const Value& key, Span span,
               const std::function<void(State, Value)>& found,
               const std::function<void(State)>& missing);
  void store_item(State state, const Value& container, const Value& key, const Value& value,
                  Span span, States& out);
  void index_typed(Span span, State state, const Typed& typed, const Value& at, Evaluations& out);
  // Puts a value into a cell of any length; false if the cell's declared type forbids it.
  bool put(State& state, uint32_t cell, const Type& key, const Type& value, Span span);
  void generalise(State& state, uint32_t cell) const;
  Value new_list(State& state, Value list) const;

  // Regexes (interpret_regexes.cpp).
  Evaluations call_regex(const std::string& method, ExprId place, const Actuals& actuals, Span span,
                         State state);
  void match_text(Search search, ExprId place, State state, const Text& text, Evaluations& out);
  void match_method(const std::string& name, Span span, State state, const MatchObject& match,
                    const Actuals& actuals, Evaluations& out);
  std::optional<size_t> group_number(const State& state, const MatchObject& match,
                                     const Value& group) const;
  void substitute(ExprId place, const Actuals& actuals, Span span, State state, Evaluations& out);
  void find_all(ExprId place, bool is_iterator, const Text& text, State state, Evaluations& out);
  void split_at_matches(ExprId place, const Text& text, State state, Evaluations& out);

  // The standard library (interpret_library.cpp).
  bool call_library(const std::string& name, const Actuals& actuals, Span span, State state,
                    Evaluations& out);
  std::optional<Value> library_value(const std::string& name, State& state);
  void join_paths(const std::vector<Text>& parts, State state, Evaluations& out);
  void split_extension(const Text& text, Span span, State state, Evaluations& out);
  bool call_on_text(const std::string& name, const Arguments& arguments, State state,
                    Evaluations& out);

  // Instances of library classes (interpret_paths.cpp, interpret_dates.cpp).
  bool make_path(const std::string& name, const Actuals& actuals, Span span, State state,
                 Evaluations& out);
  bool make_date(const std::string& name, const Actuals& actuals, Span span, State state,
                 Evaluations& out);
  [[nodiscard]] Value path_of(Words words) const;
  [[nodiscard]] std::optional<Words> path_words(const State& state, const Value& value) const;
  [[nodiscard]] Words joined_path(Words left, Words right) const;
  void path_method(const std::string& name, Span span, State state, Words path,
                   const Actuals& actuals, Evaluations& out);
  bool path_attribute(const std::string& name, State state, Words path, Evaluations& out);
  void date_method(const std::string& name, Span span, State state, const Type& type,
                   const Actuals& actuals, Evaluations& out);
  bool date_attribute(const std::string& name, State state, const Type& type, Evaluations& out);
  void parse_date(Span span, State state, const Actuals& actuals, Evaluations& out);
  bool library_operator(BinaryOp op, State& state, const Value& left, const Value& right,
                        Evaluations& out);
  [[nodiscard]] std::optional<std::string> constant_string(const State& state,
                                                           const Value& value) const;
  [[nodiscard]] std::optional<Words> written_date(std::string_view format);
  [[nodiscard]] std::optional<Words> readable_date(std::string_view format) const;
  Words library_text(const Type& type, std::string_view separator);
  Text patterned(State& state, const std::vector<int>& runs, std::string_view between,
                 const regular::CharSet& set);
  void builtin(const std::string& name, Span span, State state, const Arguments& arguments,
               Evaluations& out);
  void map_values(bool is_filter, const Value& function, const Value& iterable, Span span,
                  State state, Evaluations& out);
  void calculate(const std::string& name, Span span, State state, const Arguments& arguments,
                 Evaluations& out);
  Evaluations call_isinstance(const Call& call, Span span, State state);
  Split is_instance(State state, const Value& value, ExprId type, Span span);
  void length_of(Span span, State state, const Value& value, Evaluations& out);
  void parse_int(Span span, State state, const Text& text, Evaluations& out);
  void parse_base(Span span, State state, const Text& text, std::optional<int64_t> base,
                  Evaluations& out);
  void parse_float(Span span, State state, const Text& text, Evaluations& out);
  void prefixed(const std::string& name, State state, const Linear& number, Evaluations& out);
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
  [[nodiscard]] bool has_many_words(const State& state, const Text& text) const;
  void join_typed(State state, const MethodCall& call, const Typed& list, Evaluations& out);
  void method_replace(State state, const MethodCall& call, Evaluations& out);
  void change_case(State state, const MethodCall& call, Evaluations& out, bool is_upper);
  void method_upper(State s, const MethodCall& c, Evaluations& o) {
    change_case(std::move(s), c, o, true);
  }
  void method_lower(State s, const MethodCall& c, Evaluations& o) {
    change_case(std::move(s), c, o, false);
  }
  void method_zfill(State state, const MethodCall& call, Evaluations& out);
  void justify(State state, const MethodCall& call, char align, Evaluations& out);
  void method_rjust(State s, const MethodCall& c, Evaluations& o) {
    justify(std::move(s), c, '>', o);
  }
  void method_ljust(State s, const MethodCall& c, Evaluations& o) {
    justify(std::move(s), c, '<', o);
  }
  void method_center(State state, const MethodCall& call, Evaluations& out);
  void method_capitalize(State state, const MethodCall& call, Evaluations& out);
  void method_title(State state, const MethodCall& call, Evaluations& out);
  void has_case(State state, const MethodCall& call, bool is_upper, Evaluations& out);
  void method_isupper(State s, const MethodCall& c, Evaluations& o) {
    has_case(std::move(s), c, true, o);
  }
  void method_islower(State s, const MethodCall& c, Evaluations& o) {
    has_case(std::move(s), c, false, o);
  }
  void method_isascii(State state, const MethodCall& call, Evaluations& out);
  void method_splitlines(State state, const MethodCall& call, Evaluations& out);
  void method_expandtabs(State state, const MethodCall& call, Evaluations& out);
  void method_translate(State state, const MethodCall& call, Evaluations& out);
  void method_casefold(State state, const MethodCall& call, Evaluations& out);
  Words mapped(Words language, const std::function<std::optional<Word>(Letter)>& image) const;
  void method_encode(State state, const MethodCall& call, Evaluations& out);
  void any_string(State state, Span span, const char* what, Evaluations& out);
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
  void fail(Raised raised, std::string constant = "", std::optional<Words> texts = std::nullopt);
  Value unknown(Span span, std::string what);
  void assume(Span span, std::string what);
  // A key or an item of a set must be hashable: raises and gives true if it is not.
  bool is_unhashable(State& state, const Value& value, Span span);
  // Items that are put in order, or of which the least is chosen, must be of types that compare.
  void compare_items(const State& state, const Value& container, const Type& item, Span span);
  // Names what the body of a loop changes while the loop reads it.
  void note_changes(const For& stmt, const State& state);
  [[nodiscard]] std::optional<uint32_t> cell_behind(ExprId expr, const State& state) const;
  // It may raise, unless `what` holds. That is the caller's business where `value` is given.
  void doubt(State state, const Value& value, std::string exception, Span span, std::string what);
  [[nodiscard]] bool spend();
  [[nodiscard]] std::optional<int64_t> as_constant(const State& state, const Value& value) const;
  [[nodiscard]] std::optional<Linear> as_number(const Value& value) const;

  const Program& program_;
  const Tree& tree_;
  Limits limits_;
  Domain domain_;
  Frame frame_;
  std::vector<Frame> frames_;  // of all active functions, frame_ last
  size_t depth_ = 0;           // of expressions and statements
  size_t statics_ = 0;         // values of names of the module inside each other
  const std::map<const Function*, uint64_t>* costs_ = nullptr;
  std::vector<Raised>* raised_ = nullptr;
  struct Handled {
    std::string exception = "RuntimeError";  // what a bare raise raises
    std::string variable;                    // `as NAME`
  };
  Handled handled_;
  Outcome outcome_;
  const Failure* expected_ = nullptr;
  std::map<ExprId, Recorded>* types_ = nullptr;
  uint64_t steps_ = 0;
  bool makes_given_ = true;  // of the values that are made of types
};

}  // namespace nacre::python
