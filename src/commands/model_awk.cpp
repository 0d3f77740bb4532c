// awk: an abstract run of the program over one record of the input's type. Values are languages;
// every variable holds the union of what was ever assigned to it (awk's unset value is the empty
// string), so one pass that repeats until nothing grows is a fixpoint. Conditions on $0 and on
// fields narrow the record; all others go both ways.
#include <cmath>
#include <fmt/core.h>
#include <map>

#include "commands/awk_fields.h"
#include "commands/awk_program.h"
#include "commands/line_formats.h"
#include "commands/models.h"
#include "regular/decide.h"
#include "regular/line_select.h"
#include "regular/lower.h"
#include "regular/match_pattern.h"
#include "regular/parse_awk.h"
#include "regular/translate_chars.h"
#include "regular/translate_match.h"

namespace nacre::commands {

namespace {

using regular::CharSet;

constexpr int kMaxRounds = 6;     // before variables that still grow become any text
constexpr int kMaxCallDepth = 3;  // of user functions

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
  Run(const awk::Program& program, Context& context, const Stream& input,
      std::map<std::string, Value> variables)
      : program_(program),
        context_(context),
        variables_(std::move(variables)),
        lines_(any_line(input)),
        is_opaque_(input.choice == Choice::kOpaque),
        record_{lines_, false, is_opaque_},
        printed_(context.empty()) {}

  void run() {
    for (int round = 0; round < kMaxRounds; round++) {
      changed_ = false;
      widens_ = round + 2 >= kMaxRounds;
      pass();
      if (!changed_) break;
    }
  }

  [[nodiscard]] Stream output(const Stream& input) const {
    Stream result(printed_);
    result.choice = prints_opaque_ ? Choice::kOpaque : Choice::kFormat;
    result.order = input.order >= Order::kGrouped ? Order::kScattered : input.order;
    if (!has_main_rule_) result.count.least = 0;
    return result;
  }
  [[nodiscard]] bool reads_input() const { return has_main_rule_; }
  // All the program does is choose whole records.
  [[nodiscard]] bool only_filters() const { return only_filters_; }
  [[nodiscard]] Lang kept() const { return kept_.value_or(context_.empty()); }

 private:
  // --- the program

  void pass() {
    printed_ = context_.empty();
    for (const awk::Rule& rule : program_.rules) {
      has_main_rule_ |= rule.kind != awk::Rule::Kind::kBegin;
      record_ = {lines_, false, is_opaque_};
      fields_are_changed_ = false;
      switch (rule.kind) {
        case awk::Rule::Kind::kBegin: record_ = {context_.epsilon(), false, false}; break;
        case awk::Rule::Kind::kPattern:
          record_.text = record_.text & true_records(*rule.pattern);
          break;
        default: break;
      }
      if (rule.pattern) evaluate(*rule.pattern);
      if (rule.range_end) evaluate(*rule.range_end);
      if (regular::is_empty(record_.text).yes()) continue;
      if (rule.action) {
        only_filters_ = false;
        execute(*rule.action);
      } else {
        kept_ = kept_ ? *kept_ | record_.text : record_.text;
        print(record_);
      }
    }
  }

  void print(const Value& value) {
    const Lang lines = regular::image(regular::each_line(context_.alphabet()),
                                      value.text + context_.literal("\n"));
    printed_ = printed_ | lines;
    prints_opaque_ |= value.is_opaque;
  }

  // --- statements

  Flow execute(awk::StmtId id) {
    return std::visit([this](const auto& node) { return statement(node); }, program_[id].node);
  }
  Flow statement(const awk::Block& block) {
    for (awk::StmtId id : block.body) {
      if (execute(id) == Flow::kStops) return Flow::kStops;
    }
    return Flow::kGoesOn;
  }
  Flow statement(const awk::Simple& simple) {
    evaluate(simple.value);
    return Flow::kGoesOn;
  }
  Flow statement(const awk::If& branch) {
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
  Flow loop(std::optional<awk::ExprId> condition, awk::StmtId body) {
    if (condition) evaluate(*condition);
    const Value before = record_;
    execute(body);
    record_ = record_ | before;
    return Flow::kGoesOn;
  }
  Flow statement(const awk::While& node) { return loop(node.condition, node.body); }
  Flow statement(const awk::DoWhile& node) { return loop(node.condition, node.body); }
  Flow statement(const awk::For& node) {
    if (node.init) execute(*node.init);
    loop(node.condition, node.body);
    if (node.step) execute(*node.step);
    return Flow::kGoesOn;
  }
  Flow statement(const awk::ForIn& node) {
    assign(node.variable, variable(keys_of(node.array)));
    return loop(std::nullopt, node.body);
  }
  Flow statement(const awk::Switch& node) {
    evaluate(node.subject);
    const Value before = record_;
    for (const awk::SwitchCase& entry : node.cases) {
      for (awk::StmtId id : entry.body) {
        if (execute(id) == Flow::kStops) break;
      }
      record_ = record_ | before;
    }
    return Flow::kGoesOn;
  }
  Flow statement(const awk::Output& output) {
    Value line = output.is_printf ? format(output.arguments) : arguments_joined(output.arguments);
    if (output.destination) evaluate(*output.destination);
    if (output.redirect != awk::Output::Redirect::kNone) return Flow::kGoesOn;
    if (output.is_printf)
      print_text(line);
    else
      print(line);
    return Flow::kGoesOn;
  }
  Flow statement(const awk::Delete&) { return Flow::kGoesOn; }
  Flow statement(const awk::Jump&) { return Flow::kStops; }
  Flow statement(const awk::Exit& node) {
    if (node.status) evaluate(*node.status);
    return Flow::kStops;
  }
  Flow statement(const awk::Return& node) {
    Value value = node.value ? evaluate(*node.value) : constant("");
    returned_ = returned_ ? *returned_ | value : value;
    return Flow::kStops;
  }

  // printf does not end lines by itself. Text that ends in a newline is lines; else the pieces of
  // several calls make up one line, and it is any text that has these pieces' characters.
  void print_text(const Value& text) {
    const Lang all = star(context_.set(CharSet::all(context_.alphabet())));
    const bool is_lines =
        regular::included(text.text, (all + context_.literal("\n")) | context_.epsilon()).yes();
    if (is_lines) {
      printed_ = printed_ | regular::image(regular::each_line(context_.alphabet()), text.text);
    } else {
      printed_ = printed_ | star(context_.set(regular::symbols_of(text.text) - CharSet::of('\n')));
    }
    prints_opaque_ |= text.is_opaque || !is_lines;
  }

  Value arguments_joined(const awk::Exprs& arguments) {
    if (arguments.empty()) return record_;
    const Value separator = variable("OFS");
    Value result = evaluate(arguments[0]);
    for (size_t i = 1; i < arguments.size(); i++) {
      const Value next = evaluate(arguments[i]);
      result = {result.text + separator.text + next.text, false,
                result.is_opaque || next.is_opaque};
    }
    return result;
  }

  // --- variables

  Value constant(std::string_view text) { return {context_.literal(text), false, false}; }
  Value number() { return {number_text(), true, false}; }
  Value anything() { return {any_string(), false, true}; }
  Lang any_string() { return star(context_.set(CharSet::all(context_.alphabet()))); }

  // What awk prints for a number: an integer, or OFMT's six digits.
  Lang number_text() {
    const Lang fraction = context_.literal(".") + digits(context_);
    const Lang exponent =
        context_.literal("e") + context_.set(CharSet::of("+-")) + digits(context_);
    return optional(context_.literal("-")) + digits(context_) + optional(fraction) +
           optional(exponent);
  }

  static std::string keys_of(const std::string& array) { return array + "[]"; }
  static std::string elements_of(const std::string& array) { return array + "[]="; }

  Value variable(const std::string& name) {
    if (auto found = variables_.find(name); found != variables_.end()) return found->second;
    if (name == "NR" || name == "NF" || name == "FNR" || name == "RSTART" || name == "RLENGTH")
      return number();
    if (name == "OFS" || name == "FS") return constant(" ");
    if (name == "SUBSEP") return constant("\x1c");
    if (name == "ORS" || name == "RS") return constant("\n");
    if (name == "FILENAME" || name.starts_with("ENVIRON") || name.starts_with("ARGV"))
      return anything();
    return constant("");  // never assigned
  }

  void assign(const std::string& name, const Value& value) {
    auto [found, is_new] = variables_.try_emplace(name, value);
    if (is_new) {
      changed_ = true;
      // OFS and its like have a value from the start; user's variables are empty before.
      if (name != "OFS" && name != "FS" && name != "ORS" && name != "RS")
        found->second = value | constant("");
      return;
    }
    if (regular::included(value.text, found->second.text).yes()) return;
    changed_ = true;
    found->second =
        widens_ ? (value.is_number ? number() | constant("") : anything()) : found->second | value;
  }

  const FieldSplitter* splitter() {
    const Value separator = variable("FS");
    const auto text = regular::shortest(separator.text);
    if (!text || !regular::included(separator.text, context_.literal(*text)).yes()) return nullptr;
    auto [found, is_new] = splitters_.try_emplace(*text);
    if (is_new) found->second = FieldSplitter::make(context_, *text);
    return found->second ? &*found->second : nullptr;
  }

  std::optional<uint64_t> constant_index(awk::ExprId id) const {
    const auto* number = std::get_if<awk::Number>(&program_[ungrouped(id)].node);
    if (!number || number->value < 0 || number->value > 1000 ||
        number->value != std::floor(number->value))
      return std::nullopt;
    return static_cast<uint64_t>(number->value);
  }
  awk::ExprId ungrouped(awk::ExprId id) const {
    while (const auto* group = std::get_if<awk::Grouping>(&program_[id].node)) {
      if (group->items.size() != 1) break;
      id = group->items[0];
    }
    return id;
  }

  // --- conditions

  // The records for which the condition may hold.
  Lang true_records(awk::ExprId id) { return records(id, true); }
  Lang false_records(awk::ExprId id) { return records(id, false); }

  Lang records(awk::ExprId id, bool wanted) {
    const awk::Expr& expr = program_[ungrouped(id)];
    const Lang all = any_string();
    if (const auto* regex = std::get_if<awk::Regex>(&expr.node)) {
      auto lang = matching(regex->source);
      if (!lang || fields_are_changed_) return all;
      return wanted ? *lang : all - *lang;
    }
    if (const auto* unary = std::get_if<awk::Unary>(&expr.node);
        unary && unary->op == awk::UnaryOp::kNot) {
      return records(unary->operand, !wanted);
    }
    const auto* binary = std::get_if<awk::Binary>(&expr.node);
    if (!binary) return all;
    switch (binary->op) {
      case awk::BinaryOp::kAnd:
        return wanted ? records(binary->left, true) & records(binary->right, true)
                      : records(binary->left, false) | records(binary->right, false);
      case awk::BinaryOp::kOr:
        return wanted ? records(binary->left, true) | records(binary->right, true)
                      : records(binary->left, false) & records(binary->right, false);
      case awk::BinaryOp::kMatch: return matched(*binary, wanted);
      case awk::BinaryOp::kNotMatch: return matched(*binary, !wanted);
      case awk::BinaryOp::kEqual: return equal(*binary, wanted);
      case awk::BinaryOp::kNotEqual: return equal(*binary, !wanted);
      default: return all;
    }
  }

  // `$N ~ /re/`
  Lang matched(const awk::Binary& binary, bool wanted) {
    auto pattern = pattern_text(binary.right);
    const auto* field = std::get_if<awk::Field>(&program_[ungrouped(binary.left)].node);
    if (!pattern || !field) return any_string();
    auto lang = matching(*pattern);
    auto index = constant_index(field->index);
    if (!lang || !index || fields_are_changed_) return any_string();
    return records_where(*index, wanted ? *lang : any_string() - *lang);
  }

  // `$N == "text"`: a number on the right compares as a number, so only text narrows.
  Lang equal(const awk::Binary& binary, bool wanted) {
    const auto* text = std::get_if<awk::String>(&program_[ungrouped(binary.right)].node);
    const auto* field = std::get_if<awk::Field>(&program_[ungrouped(binary.left)].node);
    if (!text || !field || fields_are_changed_) return any_string();
    auto index = constant_index(field->index);
    if (!index) return any_string();
    const Lang same = context_.literal(text->value);
    return records_where(*index, wanted ? same : any_string() - same);
  }

  Lang records_where(uint64_t index, Lang wanted) {
    if (index == 0) return wanted;
    const FieldSplitter* split = splitter();
    return split ? split->records_with(index, wanted) : any_string();
  }

  std::optional<std::string> pattern_text(awk::ExprId id) const {
    const awk::Expr& expr = program_[ungrouped(id)];
    if (const auto* regex = std::get_if<awk::Regex>(&expr.node)) return regex->source;
    if (const auto* text = std::get_if<awk::String>(&expr.node)) return text->value;
    return std::nullopt;
  }

  std::optional<Lang> matching(const std::string& source) {
    auto regex = regular::parse_awk(source);
    if (!regex) return std::nullopt;
    auto lang = regular::lower(context_, *regex, {.match = regular::Match::kContains});
    if (!lang) return std::nullopt;
    return *lang;
  }

  // --- expressions

  Value evaluate(awk::ExprId id) {
    return std::visit([this](const auto& node) { return expression(node); }, program_[id].node);
  }
  Value expression(const awk::Number& node) {
    const bool is_integer = node.value == std::floor(node.value) && std::fabs(node.value) < 1e15;
    return {context_.literal(is_integer ? fmt::format("{:.0f}", node.value)
                                        : fmt::format("{:.6g}", node.value)),
            true, false};
  }
  Value expression(const awk::String& node) { return constant(node.value); }
  Value expression(const awk::Regex&) { return truth(); }
  Value expression(const awk::Variable& node) { return variable(node.name); }
  Value expression(const awk::Element& node) {
    for (awk::ExprId id : node.subscripts) evaluate(id);
    if (node.array == "ENVIRON" || node.array == "ARGV") return anything();
    return variable(elements_of(node.array));
  }
  Value truth() { return {context_.literal("0") | context_.literal("1"), true, false}; }

  Value expression(const awk::Field& node) {
    const auto index = constant_index(node.index);
    const auto* name = std::get_if<awk::Variable>(&program_[ungrouped(node.index)].node);
    if (index == 0) return record_;
    const FieldSplitter* split = fields_are_changed_ ? nullptr : splitter();
    if (split && index) return {split->field(record_.text, *index), false, record_.is_opaque};
    if (split && name && name->name == "NF")
      return {split->last_field(record_.text), false, record_.is_opaque};
    evaluate(node.index);
    // Some field: a piece of the record without its separator. Any piece will do as a superset.
    return {star(context_.set(regular::symbols_of(record_.text))), false, record_.is_opaque};
  }
  Value expression(const awk::Unary& node) {
    evaluate(node.operand);
    return node.op == awk::UnaryOp::kNot ? truth() : number();
  }
  Value expression(const awk::Binary& node) {
    const Value left = evaluate(node.left);
    const Value right = evaluate(node.right);
    switch (node.op) {
      case awk::BinaryOp::kConcat:
        return {left.text + right.text, false, left.is_opaque || right.is_opaque};
      case awk::BinaryOp::kAdd:
      case awk::BinaryOp::kSubtract:
      case awk::BinaryOp::kMultiply:
      case awk::BinaryOp::kDivide:
      case awk::BinaryOp::kModulo:
      case awk::BinaryOp::kPower: return number();
      default: return truth();
    }
  }
  Value expression(const awk::Conditional& node) {
    evaluate(node.condition);
    const Value then = evaluate(node.then);
    return then | evaluate(node.otherwise);
  }
  Value expression(const awk::Assign& node) {
    Value value = evaluate(node.value);
    if (node.op) value = number();
    store(node.target, value);
    return value;
  }
  Value expression(const awk::Increment& node) {
    store(node.target, {digits(context_) | number_text(), true, false});
    return number();
  }
  Value expression(const awk::Membership& node) {
    for (awk::ExprId id : node.subscripts) evaluate(id);
    return truth();
  }
  Value expression(const awk::Grouping& node) {
    Value last = constant("");
    for (awk::ExprId id : node.items) last = evaluate(id);
    return last;
  }
  Value expression(const awk::Getline& node) {
    if (node.from) evaluate(*node.from);
    if (node.target)
      store(*node.target, anything());
    else
      record_ = {any_string(), false, true};
    return number();
  }

  void store(awk::ExprId target, const Value& value) {
    const awk::Expr& expr = program_[target];
    if (const auto* variable_node = std::get_if<awk::Variable>(&expr.node)) {
      if (variable_node->name == "NF") {
        change_fields();
      } else {
        assign(variable_node->name, value);
      }
    } else if (const auto* element = std::get_if<awk::Element>(&expr.node)) {
      Value key = constant("");
      for (size_t i = 0; i < element->subscripts.size(); i++) {
        const Value part = evaluate(element->subscripts[i]);
        key = i == 0 ? part
                     : Value{key.text + context_.literal("\x1c") + part.text, false,
                             key.is_opaque || part.is_opaque};
      }
      assign(keys_of(element->array), key);
      assign(elements_of(element->array), value);
    } else if (const auto* field = std::get_if<awk::Field>(&expr.node)) {
      if (constant_index(field->index) == 0) {
        record_ = value;
        return;
      }
      change_fields();
    }
  }

  // An assignment to a field joins the fields anew with OFS: the record becomes any text.
  void change_fields() {
    record_ = {any_string(), false, true};
    fields_are_changed_ = true;
  }

  // --- functions

  Value expression(const awk::Call& node) {
    if (!node.is_builtin) return call(node);
    std::vector<Value> arguments;
    for (awk::ExprId id : node.arguments) arguments.push_back(evaluate(id));
    const std::string& name = node.function;
    if (name == "sprintf") return format(node.arguments);
    if ((name == "tolower" || name == "toupper") && arguments.size() == 1) {
      const auto map =
          name == "tolower" ? regular::SymbolMap::ascii_lower() : regular::SymbolMap::ascii_upper();
      const auto transducer =
          regular::convert_case(context_.alphabet(), map, regular::Extent::kAll);
      return {regular::image(transducer, arguments[0].text), false, arguments[0].is_opaque};
    }
    if (name == "substr" && !arguments.empty()) {
      return {star(context_.set(regular::symbols_of(arguments[0].text))), false,
              arguments[0].is_opaque};
    }
    if (name == "sub" || name == "gsub") return replace(node);
    if (name == "gensub" || name == "strftime") return anything();
    if (name == "split" || name == "patsplit") {
      if (node.arguments.size() > 1) {
        if (const auto* array = std::get_if<awk::Variable>(&program_[node.arguments[1]].node)) {
          assign(elements_of(array->name),
                 {star(context_.set(regular::symbols_of(arguments[0].text))), false,
                  arguments[0].is_opaque});
          assign(keys_of(array->name), {digits(context_), true, false});
        }
      }
      return number();
    }
    return number();  // length index match int sqrt … system close srand
  }

  // sub(re, text[, target]) changes its target in place.
  Value replace(const awk::Call& node) {
    const auto pattern = node.arguments.empty() ? std::nullopt : pattern_text(node.arguments[0]);
    const auto* text = node.arguments.size() > 1
                           ? std::get_if<awk::String>(&program_[ungrouped(node.arguments[1])].node)
                           : nullptr;
    const Value before = node.arguments.size() > 2 ? evaluate(node.arguments[2]) : record_;
    Value after = anything();
    if (pattern && text && text->value.find_first_of("&\\") == std::string::npos) {
      if (auto regex = regular::parse_awk(*pattern)) {
        if (auto prepared = regular::match_pattern(context_, *regex)) {
          const bool is_global = node.function == "gsub";
          const auto transducer = regular::translate_match(
              *prepared, regular::replacement_text(text->value), {1, is_global});
          after = {regular::image(transducer, before.text), false, before.is_opaque};
        }
      }
    }
    if (node.arguments.size() <= 2)
      record_ = after;
    else
      store(ungrouped(node.arguments[2]), after);
    return number();
  }

  Value call(const awk::Call& node) {
    for (const awk::Function& function : program_.functions) {
      if (function.name != node.function || call_depth_ >= kMaxCallDepth) continue;
      for (size_t i = 0; i < node.arguments.size() && i < function.parameters.size(); i++) {
        assign(function.parameters[i], evaluate(node.arguments[i]));
      }
      call_depth_++;
      const auto outer = std::exchange(returned_, std::nullopt);
      execute(function.body);
      Value result = returned_.value_or(constant(""));
      returned_ = outer;
      call_depth_--;
      return result | constant("");
    }
    return anything();
  }

  // The text of printf and sprintf, when the format is a constant.
  Value format(const awk::Exprs& arguments) {
    std::vector<Value> values;
    for (awk::ExprId id : arguments) values.push_back(evaluate(id));
    const auto* text = arguments.empty()
                           ? nullptr
                           : std::get_if<awk::String>(&program_[ungrouped(arguments[0])].node);
    if (!text) return anything();
    Value result = constant("");
    size_t next = 1;
    const std::string& format = text->value;
    for (size_t i = 0; i < format.size(); i++) {
      if (format[i] != '%') {
        result.text = result.text + context_.literal(format.substr(i, 1));
        continue;
      }
      size_t at = i + 1;
      while (at < format.size() &&
             std::string_view("-+ #0123456789.*'").find(format[at]) != std::string_view::npos)
        at++;
      if (at >= format.size()) return anything();
      const bool has_width = at > i + 1;
      const char kind = format[at];
      i = at;
      if (kind == '%') {
        result.text = result.text + context_.literal("%");
        continue;
      }
      Value value = next < values.size() ? values[next] : constant("");
      next++;
      const Lang sign = optional(context_.set(CharSet::of("+-")));
      switch (kind) {
        case 'd':
        case 'i':
        case 'u': value = {sign + digits(context_), true, false}; break;
        case 'f':
        case 'F':
        case 'e':
        case 'E':
        case 'g':
        case 'G': value = {sign + number_text(), true, false}; break;
        case 'x':
          value = {plus(context_.set(CharSet::of("0123456789abcdef"))), false, false};
          break;
        case 'X':
          value = {plus(context_.set(CharSet::of("0123456789ABCDEF"))), false, false};
          break;
        case 'o': value = {plus(context_.set(CharSet::range('0', '7'))), true, false}; break;
        case 'c':
          value = {optional(context_.set(CharSet::all(context_.alphabet()))), false,
                   value.is_opaque};
          break;
        case 's':
          if (has_width && format[at - 1] != '-')
            value.text = value.text | star(context_.set(regular::symbols_of(value.text)));
          break;
        default: return anything();
      }
      if (has_width)
        value.text = star(context_.literal(" ")) + value.text + star(context_.literal(" "));
      result.text = result.text + value.text;
      result.is_opaque |= value.is_opaque;
    }
    return result;
  }

  const awk::Program& program_;
  Context& context_;
  std::map<std::string, Value> variables_;
  std::map<std::string, std::optional<FieldSplitter>> splitters_;
  Lang lines_;
  bool is_opaque_;
  Value record_;  // $0
  Lang printed_;
  std::optional<Lang> kept_;
  std::optional<Value> returned_;
  bool prints_opaque_ = false;
  bool fields_are_changed_ = false;
  bool has_main_rule_ = false;
  bool only_filters_ = true;
  bool changed_ = false;
  bool widens_ = false;
  int call_depth_ = 0;
};

// -F and -v, as far as they are constants; -F t is a tab, as POSIX has it.
std::optional<std::map<std::string, Value>> initial_variables(const Invocation& invocation,
                                                              Context& context) {
  std::map<std::string, Value> result;
  for (const GivenOption& given : invocation.options) {
    const std::string& name = given.spec->short_name;
    if (name != "F" && name != "v") continue;
    if (!given.argument) continue;
    if (name == "F") {
      if (!given.argument->text) return std::nullopt;
      const std::string& text = *given.argument->text;
      result.insert_or_assign("FS",
                              Value{context.literal(text == "t" ? "\t" : text), false, false});
      continue;
    }
    if (given.argument->text) {
      const size_t equals = given.argument->text->find('=');
      if (equals == std::string::npos) return std::nullopt;
      result.insert_or_assign(
          given.argument->text->substr(0, equals),
          Value{context.literal(given.argument->text->substr(equals + 1)), false, false});
    } else {
      return std::nullopt;  // its name is unknown, too
    }
  }
  return result;
}

}  // namespace

Behaviour model_awk(const Invocation& invocation, const Surroundings& around) {
  Context& context = around.context();
  const bool has_file = invocation.has("-f") || invocation.has("-e");
  const size_t first_file = std::min<size_t>(has_file ? 0 : 1, invocation.operands.size());
  std::vector<Argument> files;
  for (const Argument& operand : std::span(invocation.operands).subspan(first_file)) {
    const bool is_assignment = operand.text && operand.text->find('=') != std::string::npos &&
                               operand.text->find('/') == std::string::npos;
    if (!is_assignment) files.push_back(operand);
  }
  const Source source = source_of(files, around);
  Behaviour result(opaque_stream(context));
  result.reads_input = source.uses_input;
  if (has_file || invocation.operands.empty() || !invocation.operands[0].text) return result;
  auto program = awk::parse(*invocation.operands[0].text);
  if (!program) {
    result.problems.push_back(
        {"T109", invocation.operands[0].span, "awk: " + program.error().message, ""});
    result.output = empty_stream(context);
    return result;
  }
  auto variables = initial_variables(invocation, context);
  if (!variables) return result;
  Run run(*program, context, source.lines, std::move(*variables));
  run.run();
  result.output = run.output(source.lines);
  result.reads_input = source.uses_input && run.reads_input();
  result.is_filter = run.only_filters();
  if (run.only_filters()) {
    result.output.order = source.lines.order;
    result.trace = LineMap{run.kept(), {}};
  }
  return result;
}

}  // namespace nacre::commands
