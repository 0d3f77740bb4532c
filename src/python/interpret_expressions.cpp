// Expressions and conditions.
#include <algorithm>

#include "python/interpreter.h"

namespace nacre::python {
namespace {

constexpr std::string_view kTypeNames[] = {"unbound", "None", "bool", "int",
                                           "str",     "list", "list", "unknown"};

std::string type_name(const Value& value) {
  if (const auto* sequence = value.as<Sequence>(); sequence != nullptr && !sequence->is_list)
    return "tuple";
  return std::string(kTypeNames[value.data.index()]);
}

// The value of a decimal, hexadecimal, octal or binary literal; nothing if it is huge.
std::optional<int64_t> literal_value(const std::string& digits) {
  int64_t base = 10;
  size_t begin = 0;
  if (digits.size() > 1 && digits[1] > '9') {
    base = digits[1] == 'x' ? 16 : digits[1] == 'o' ? 8 : 2;
    begin = 2;
  }
  int64_t value = 0;
  for (size_t i = begin; i < digits.size(); ++i) {
    value = value * base + (digits[i] <= '9' ? digits[i] - '0' : digits[i] - 'a' + 10);
    if (value >= kUnlimited) return std::nullopt;
  }
  return value;
}

}  // namespace

Interpreter::Interpreter(const Program& program, bool is_concrete, Limits limits)
    : program_(program),
      tree_(program.tree()),
      limits_(limits),
      domain_(program.words(), program.single_letters(), is_concrete) {
  outcome_.returned = program.words().none();
}

bool Interpreter::spend() {
  if (++steps_ > limits_.steps || program_.words().exhausted()) outcome_.is_exhausted = true;
  return !outcome_.is_exhausted;
}

Value Interpreter::unknown(Span span, std::string what) {
  auto same = [&](const Unsupported& known) { return known.span == span; };
  if (std::none_of(outcome_.unsupported.begin(), outcome_.unsupported.end(), same)) {
    outcome_.unsupported.push_back({span, std::move(what)});
  }
  return {Unknown{}};
}

std::optional<Linear> Interpreter::as_number(const Value& value) const {
  if (const auto* number = value.as<Linear>()) return *number;
  if (const auto* truth = value.as<bool>()) return Linear(*truth ? 1 : 0);
  return std::nullopt;
}

std::optional<int64_t> Interpreter::as_constant(const State& state, const Value& value) const {
  std::optional<Linear> number = as_number(value);
  if (!number) return std::nullopt;
  Range range = domain_.range(state, *number);
  if (!range.is_single()) return std::nullopt;
  return range.low;
}

// ---- evaluation

Evaluations Interpreter::evaluate(ExprId id, State state) {
  Evaluations out;
  if (!spend()) return out;
  const Expr& expr = tree_[id];
  const Span span = expr.span;
  if (const auto* name = std::get_if<Name>(&expr.node))
    return evaluate_name(*name, span, std::move(state));
  if (const auto* text = std::get_if<StringLiteral>(&expr.node)) {
    if (!text->is_exact) {
      Text any = any_text(state);
      unknown(span, "a character by name");
      out.push_back({std::move(state), {any}});
      return out;
    }
    Text constant = domain_.constant_text(state, program_.letters().word(text->value));
    out.push_back({std::move(state), {std::move(constant)}});
    return out;
  }
  if (const auto* number = std::get_if<IntLiteral>(&expr.node)) {
    std::optional<int64_t> value = literal_value(number->digits);
    Value result = value ? Value{Linear(*value)}
                         : Value{Linear::of(state.add_number({kUnlimited, kUnlimited}))};
    out.push_back({std::move(state), std::move(result)});
    return out;
  }
  if (const auto* truth = std::get_if<BoolLiteral>(&expr.node)) {
    out.push_back({std::move(state), {truth->value}});
    return out;
  }
  if (std::holds_alternative<NoneLiteral>(expr.node)) {
    out.push_back({std::move(state), {NoneValue{}}});
    return out;
  }
  if (const auto* joined = std::get_if<JoinedStr>(&expr.node))
    return evaluate_fstring(*joined, std::move(state));
  if (const auto* op = std::get_if<BinaryOperation>(&expr.node))
    return evaluate_binary(*op, span, std::move(state));
  if (const auto* subscript = std::get_if<Subscript>(&expr.node))
    return evaluate_subscript(*subscript, span, std::move(state));
  if (const auto* call = std::get_if<Call>(&expr.node))
    return evaluate_call(id, *call, span, std::move(state));
  if (const auto* op = std::get_if<UnaryOperation>(&expr.node);
      op != nullptr && op->op != UnaryOp::kNot) {
    for (Evaluated& operand : evaluate(op->operand, std::move(state))) {
      std::optional<Linear> number = as_number(operand.value);
      if (!number || op->op == UnaryOp::kInvert) {
        out.push_back({std::move(operand.state),
                       unknown(span, "this operator on a " + type_name(operand.value))});
        continue;
      }
      Linear result;
      result.add(*number, op->op == UnaryOp::kMinus ? -1 : 1);
      out.push_back({std::move(operand.state), {std::move(result)}});
    }
    return out;
  }
  if (std::holds_alternative<Compare>(expr.node) ||
      std::holds_alternative<UnaryOperation>(expr.node)) {
    Split split = test(id, std::move(state));
    for (State& yes : split.yes) out.push_back({std::move(yes), {true}});
    for (State& no : split.no) out.push_back({std::move(no), {false}});
    return out;
  }
  if (const auto* op = std::get_if<BoolOperation>(&expr.node)) {
    // `a or b` is the last operand looked at, not its truth.
    Evaluations open = evaluate(op->values[0], std::move(state));
    for (size_t i = 1; i < op->values.size(); ++i) {
      Evaluations next;
      for (Evaluated& left : open) {
        Value value = left.value;
        Split split = truth(std::move(left.state), value);
        for (State& stays : op->op == BoolOp::kOr ? split.yes : split.no) {
          Value kept = stays.resolve(value);
          out.push_back({std::move(stays), std::move(kept)});
        }
        for (State& goes : op->op == BoolOp::kOr ? split.no : split.yes) {
          for (Evaluated& right : evaluate(op->values[i], std::move(goes)))
            next.push_back(std::move(right));
        }
      }
      open.swap(next);
    }
    for (Evaluated& last : open) out.push_back(std::move(last));
    return out;
  }
  if (const auto* choice = std::get_if<IfExp>(&expr.node)) {
    Split split = test(choice->test, std::move(state));
    for (State& yes : split.yes) {
      for (Evaluated& result : evaluate(choice->body, std::move(yes)))
        out.push_back(std::move(result));
    }
    for (State& no : split.no) {
      for (Evaluated& result : evaluate(choice->orelse, std::move(no)))
        out.push_back(std::move(result));
    }
    return out;
  }
  if (const auto* walrus = std::get_if<NamedExpr>(&expr.node)) {
    for (Evaluated& value : evaluate(walrus->value, std::move(state))) {
      Value kept = value.value;
      for (State& assigned : assign_one(walrus->target, std::move(value.state), kept)) {
        out.push_back({std::move(assigned), kept});
      }
    }
    return out;
  }
  const auto* tuple = std::get_if<TupleExpr>(&expr.node);
  const auto* list = std::get_if<ListExpr>(&expr.node);
  const auto* set = std::get_if<SetExpr>(&expr.node);
  if (tuple != nullptr || list != nullptr || set != nullptr) {
    const Exprs& items = tuple != nullptr  ? tuple->items
                         : list != nullptr ? list->items
                                           : set->items;
    evaluate_all(items, std::move(state), [&](State after, Arguments values) {
      out.push_back({std::move(after), {Sequence{std::move(values), tuple == nullptr}}});
    });
    return out;
  }
  out.push_back({std::move(state), unknown(span, "this kind of expression")});
  return out;
}

Evaluations Interpreter::evaluate_optional(Optional expr, State state) {
  if (expr) return evaluate(*expr, std::move(state));
  Evaluations out;
  out.push_back({std::move(state), {NoneValue{}}});
  return out;
}

// Earlier values wait on the state's stack: a call in a later one may renumber everything.
void Interpreter::evaluate_all(const Exprs& exprs, size_t at, State state, size_t base,
                               const std::function<void(State, Arguments)>& then) {
  if (at == exprs.size()) {
    Arguments values(state.stack.begin() + static_cast<std::ptrdiff_t>(base), state.stack.end());
    state.stack.resize(base);
    return then(std::move(state), std::move(values));
  }
  for (Evaluated& value : evaluate(exprs[at], std::move(state))) {
    value.state.stack.push_back(std::move(value.value));
    evaluate_all(exprs, at + 1, std::move(value.state), base, then);
  }
}

void Interpreter::evaluate_all(const Exprs& exprs, State state,
                               const std::function<void(State, Arguments)>& then) {
  size_t base = state.stack.size();
  evaluate_all(exprs, 0, std::move(state), base, then);
}

Evaluations Interpreter::evaluate_name(const Name& name, Span span, State state) {
  Evaluations out;
  if (auto slot = frame_.function->scope->slot(name.id)) {
    Value value = state.slots[frame_.base + *slot];
    if (value.as<Unbound>() != nullptr) {
      raise(std::move(state), "UnboundLocalError", "'" + name.id + "' has no value yet", span);
      return out;
    }
    out.push_back({std::move(state), std::move(value)});
    return out;
  }
  if (Optional global = program_.global(name.id)) {
    if (++depth_ > 50) {
      --depth_;
      out.push_back({std::move(state), unknown(span, "the global '" + name.id + "'")});
      return out;
    }
    out = evaluate(*global, std::move(state));
    --depth_;
    return out;
  }
  out.push_back({std::move(state), unknown(span, "the name '" + name.id + "'")});
  return out;
}

// ---- operators

Evaluations Interpreter::evaluate_binary(const BinaryOperation& op, Span span, State state) {
  Evaluations out;
  evaluate_all({op.left, op.right}, std::move(state), [&](State after, Arguments values) {
    binary(op.op, span, std::move(after), values[0], values[1], out);
  });
  return out;
}

void Interpreter::binary(BinaryOp op, Span span, State state, const Value& left, const Value& right,
                         Evaluations& out) {
  const auto* text = left.as<Text>();
  const auto* other = right.as<Text>();
  std::optional<Linear> a = as_number(left);
  std::optional<Linear> b = as_number(right);
  if (text != nullptr && other != nullptr && op == BinaryOp::kAdd) {
    Text sum = *text;
    sum.insert(sum.end(), other->begin(), other->end());
    out.push_back({std::move(state), {std::move(sum)}});
  } else if (a && b) {
    arithmetic(op, span, std::move(state), *a, *b, out);
  } else if (op == BinaryOp::kMult && text != nullptr && b) {
    repeat(std::move(state), *text, *b, out);
  } else if (op == BinaryOp::kMult && other != nullptr && a) {
    repeat(std::move(state), *other, *a, out);
  } else if (const auto* first = left.as<Sequence>(), *second = right.as<Sequence>();
             op == BinaryOp::kAdd && first != nullptr && second != nullptr &&
             first->is_list == second->is_list) {
    Sequence sum = *first;
    sum.items.insert(sum.items.end(), second->items.begin(), second->items.end());
    out.push_back({std::move(state), {std::move(sum)}});
  } else if (left.as<Unknown>() != nullptr || right.as<Unknown>() != nullptr ||
             op == BinaryOp::kMod || left.as<SplitList>() != nullptr ||
             right.as<SplitList>() != nullptr) {
    out.push_back({std::move(state), unknown(span, "this operator on a " + type_name(left) +
                                                       " and a " + type_name(right))});
  } else {
    raise(std::move(state), "TypeError",
          "unsupported operands: " + type_name(left) + " and " + type_name(right), span);
  }
}

void Interpreter::arithmetic(BinaryOp op, Span span, State state, const Linear& left,
                             const Linear& right, Evaluations& out) {
  auto give = [&](Linear value) { out.push_back({std::move(state), {std::move(value)}}); };
  auto give_range = [&](Range range) { give(Linear::of(state.add_number(range))); };
  if (op == BinaryOp::kAdd || op == BinaryOp::kSub) {
    Linear result = state.linear(op == BinaryOp::kAdd ? left + right : left - right);
    if (result.constant >= kUnlimited || result.constant <= -kUnlimited) return give_range({});
    return give(std::move(result));
  }
  Range a = domain_.range(state, left);
  Range b = domain_.range(state, right);
  if (op == BinaryOp::kMult) {
    if (a.is_single() || b.is_single()) {
      int64_t factor = a.is_single() ? a.low : b.low;
      if (factor > 1000 || factor < -1000) return give_range({});
      Linear result;
      result.add(a.is_single() ? right : left, factor);
      return give(std::move(result));
    }
    return give_range({a.low >= 0 && b.low >= 0 ? 0 : -kUnlimited, kUnlimited});
  }
  if (op == BinaryOp::kFloorDiv || op == BinaryOp::kMod)
    return divide(op, span, std::move(state), left, right, out);
  if (op == BinaryOp::kDiv) {
    Split zero = domain_.equals_zero(std::move(state), right);
    for (State& bad : zero.yes)
      raise(std::move(bad), "ZeroDivisionError", "division by zero", span);
    for (State& good : zero.no) out.push_back({std::move(good), unknown(span, "a float")});
    return;
  }
  if (op == BinaryOp::kPow && b.is_single() && b.low >= 0 && b.low <= 1)
    return give(b.low == 0 ? Linear(1) : left);
  if (op == BinaryOp::kPow && a.is_single() && b.is_single() && b.low >= 0) {
    int64_t value = 1;
    for (int64_t i = 0; i < b.low && value < kUnlimited && value > -kUnlimited; ++i)
      value = saturate(value * std::clamp<int64_t>(a.low, -1000000, 1000000));
    if (value > -kUnlimited && value < kUnlimited && a.low > -1000000 && a.low < 1000000)
      return give(Linear(value));
  }
  out.push_back({std::move(state), unknown(span, "this operator on integers")});
}

// Floor division and remainder by a constant: the remainder is decided word by word, so that
// `len(s) % 2` narrows s.
void Interpreter::divide(BinaryOp op, Span span, State state, const Linear& left,
                         const Linear& right, Evaluations& out) {
  Split zero = domain_.equals_zero(std::move(state), right);
  for (State& bad : zero.yes)
    raise(std::move(bad), "ZeroDivisionError", "integer division or modulo by zero", span);
  for (State& good : zero.no) {
    Range by = domain_.range(good, right);
    Linear value = good.linear(left);
    int64_t k = by.low;
    if (!by.is_single() || k <= 0 || k > 64) {
      bool is_positive = by.low > 0;
      Range rest = op == BinaryOp::kMod && is_positive ? Range{0, by.high - 1} : Range{};
      SymbolId number = good.add_number(rest);
      out.push_back({std::move(good), {Linear::of(number)}});
      continue;
    }
    // value = sum of lengths + constant, if the factors allow it.
    bool is_sum =
        std::all_of(value.terms.begin(), value.terms.end(), [&](const Linear::Term& term) {
          return term.second == 1 && good[term.first].kind == Symbol::Kind::kWord;
        });
    Text text;
    if (is_sum) {
      for (const Linear::Term& term : value.terms) text.push_back(term.first);
    }
    for (int64_t rest = 0; rest < k; ++rest) {
      States fitting;
      if (is_sum) {
        int64_t wanted = (((rest - value.constant) % k) + k) % k;
        fitting = domain_.member(good, text, domain_.words().remainder(k, wanted)).yes;
      } else {
        fitting.push_back(good);
      }
      for (State& one : fitting) {
        // value = k * quotient + rest
        SymbolId quotient = one.add_number({});
        Linear product;
        product.add(Linear::of(quotient), k);
        Linear difference = one.linear(value) - product - rest;
        if (!domain_.assume(one, difference)) continue;
        Linear opposite;
        opposite.add(difference, -1);
        if (!domain_.assume(one, opposite)) continue;
        out.push_back(
            {std::move(one), {op == BinaryOp::kMod ? Linear(rest) : Linear::of(quotient)}});
      }
    }
  }
}

void Interpreter::repeat(State state, const Text& text, const Linear& times, Evaluations& out) {
  Range range = domain_.range(state, times);
  if (range.high <= 0) {
    out.push_back({std::move(state), {Text{}}});
  } else if (range.is_single() && range.low <= 64) {
    Text result;
    for (int64_t i = 0; i < range.low; ++i) result.insert(result.end(), text.begin(), text.end());
    out.push_back({std::move(state), {std::move(result)}});
  } else {
    SymbolId word = state.add_word(domain_.words().star(domain_.language(state, text)));
    out.push_back({std::move(state), {Text{word}}});
  }
}

// ---- subscripts

Evaluations Interpreter::evaluate_subscript(const Subscript& subscript, Span span, State state) {
  if (const auto* slice = tree_.get<Slice>(subscript.index))
    return evaluate_slice(subscript, *slice, span, std::move(state));
  Evaluations out;
  evaluate_all({subscript.value, subscript.index}, std::move(state),
               [&](State after, Arguments values) {
                 index(span, std::move(after), values[0], values[1], out);
               });
  return out;
}

void Interpreter::index(Span span, State state, const Value& value, const Value& at,
                        Evaluations& out) {
  std::optional<Linear> number = as_number(at);
  if (const auto* text = value.as<Text>(); text != nullptr && number) {
    return index_text(span, std::move(state), *text, *number, out);
  }
  std::optional<int64_t> constant = as_constant(state, at);
  if (const auto* split = value.as<SplitList>(); split != nullptr && constant) {
    return index_split(span, std::move(state), *split, *constant, out);
  }
  if (const auto* sequence = value.as<Sequence>(); sequence != nullptr && number) {
    auto size = static_cast<int64_t>(sequence->items.size());
    for (int64_t i = -size; i < size; ++i) {
      State here = state;
      if (!domain_.assume_zero(here, *number - i)) continue;
      Value item = sequence->items[static_cast<size_t>(i < 0 ? i + size : i)];
      out.push_back({std::move(here), std::move(item)});
    }
    State beyond = state;
    if (domain_.assume(beyond, *number - size))
      raise(std::move(beyond), "IndexError", "list index out of range", span);
    Linear below(-size - 1);
    below.add(*number, -1);
    if (domain_.assume(state, below))
      raise(std::move(state), "IndexError", "list index out of range", span);
    return;
  }
  if (value.as<NoneValue>() != nullptr || value.as<Linear>() != nullptr ||
      value.as<bool>() != nullptr) {
    return raise(std::move(state), "TypeError", "a " + type_name(value) + " has no items", span);
  }
  out.push_back({std::move(state), unknown(span, "a subscript of a " + type_name(value))});
}

void Interpreter::index_text(Span span, State state, const Text& text, const Linear& at,
                             Evaluations& out) {
  auto from = [&](State here, const Linear& position) {
    Linear room = domain_.length(here, text) - here.linear(position) - 1;
    Split fits = domain_.compare(std::move(here), room);
    for (State& bad : fits.no)
      raise(std::move(bad), "IndexError", "string index out of range", span);
    for (State& good : fits.yes) {
      for (Divided& first : domain_.cut(std::move(good), text, position)) {
        Text rest = first.after;
        for (Divided& second : domain_.cut(std::move(first.state), rest, Linear(1))) {
          out.push_back({std::move(second.state), {std::move(second.before)}});
        }
      }
    }
  };
  Split sign = domain_.compare(std::move(state), at);
  for (State& positive : sign.yes) from(std::move(positive), at);
  for (State& negative : sign.no) {
    Linear position = domain_.length(negative, text) + negative.linear(at);
    Split reaches = domain_.compare(std::move(negative), position);
    for (State& bad : reaches.no)
      raise(std::move(bad), "IndexError", "string index out of range", span);
    for (State& good : reaches.yes) from(std::move(good), position);
  }
}

void Interpreter::index_split(Span span, State state, const SplitList& split, int64_t at,
                              Evaluations& out) {
  if (at == -1 && !split.separator.empty()) {
    // The last item is what follows the last separator.
    Word reversed_separator(split.separator.rbegin(), split.separator.rend());
    States none;
    for (Divided& last : domain_.scan(std::move(state), split.subject,
                                      domain_.first_occurrence(reversed_separator), true, none)) {
      Text tail = last.after;
      for (Divided& cut : domain_.cut(std::move(last.state), tail,
                                      Linear(static_cast<int64_t>(split.separator.size())))) {
        out.push_back({std::move(cut.state), {std::move(cut.after)}});
      }
    }
    for (State& whole : none) out.push_back({std::move(whole), {split.subject}});
    return;
  }
  if (at < 0) {
    States more;
    expand(
        std::move(state), split, 8,
        [&](State here, std::vector<Text> items) {
          int64_t position = static_cast<int64_t>(items.size()) + at;
          if (position < 0)
            return raise(std::move(here), "IndexError", "list index out of range", span);
          out.push_back({std::move(here), {items[static_cast<size_t>(position)]}});
        },
        more);
    for (State& many : more) {
      Text any = any_text(many);
      out.push_back({std::move(many), {std::move(any)}});
    }
    return;
  }
  // Walk to the item.
  std::function<void(State, const Text&, int64_t)> walk = [&](State here, const Text& rest,
                                                              int64_t left) {
    States none;
    for (Piece& piece : next_piece(std::move(here), rest, split.separator, none)) {
      if (left == 0)
        out.push_back({std::move(piece.state), {std::move(piece.piece)}});
      else if (piece.is_last)
        raise(std::move(piece.state), "IndexError", "list index out of range", span);
      else
        walk(std::move(piece.state), piece.rest, left - 1);
    }
    for (State& bad : none) raise(std::move(bad), "IndexError", "list index out of range", span);
  };
  walk(std::move(state), split.subject, at);
}

Evaluations Interpreter::evaluate_slice(const Subscript& subscript, const Slice& slice, Span span,
                                        State state) {
  Evaluations out;
  size_t base = state.stack.size();
  for (Evaluated& subject : evaluate(subscript.value, std::move(state))) {
    subject.state.stack.push_back(std::move(subject.value));
    for (Evaluated& low : evaluate_optional(slice.lower, std::move(subject.state))) {
      low.state.stack.push_back(std::move(low.value));
      for (Evaluated& high : evaluate_optional(slice.upper, std::move(low.state))) {
        high.state.stack.push_back(std::move(high.value));
        for (Evaluated& step : evaluate_optional(slice.step, std::move(high.state))) {
          State& here = step.state;
          Value values[3] = {here.stack[base], here.stack[base + 1], here.stack[base + 2]};
          here.stack.resize(base);
          const auto* text = values[0].as<Text>();
          std::optional<int64_t> by =
              step.value.as<NoneValue>() != nullptr ? 1 : as_constant(here, step.value);
          bool is_whole =
              values[1].as<NoneValue>() != nullptr && values[2].as<NoneValue>() != nullptr;
          if (text != nullptr && by == 1) {
            slice_text(std::move(here), *text, values[1], values[2], out);
          } else if (text != nullptr && by == -1 && is_whole) {
            Text backwards = reversed(here, *text);
            out.push_back({std::move(here), {std::move(backwards)}});
          } else if (text != nullptr && by && *by != 0) {
            SymbolId word =
                here.add_word(domain_.words().over_letters_of(domain_.language(here, *text)));
            if (!domain_.assume(here, domain_.length(here, *text) - Linear::of(word))) continue;
            out.push_back({std::move(here), {Text{word}}});
          } else if (const auto* sequence = values[0].as<Sequence>();
                     sequence != nullptr && by == 1) {
            auto size = static_cast<int64_t>(sequence->items.size());
            auto bound = [&](const Value& value, int64_t missing) -> std::optional<int64_t> {
              if (value.as<NoneValue>() != nullptr) return missing;
              std::optional<int64_t> at = as_constant(here, value);
              if (at && *at < 0) *at += size;
              return at ? std::optional(std::clamp<int64_t>(*at, 0, size)) : std::nullopt;
            };
            std::optional<int64_t> first = bound(values[1], 0), last = bound(values[2], size);
            if (!first || !last) {
              out.push_back({std::move(here), unknown(span, "a slice of a list")});
              continue;
            }
            Sequence part{{}, sequence->is_list};
            for (int64_t i = *first; i < *last; ++i)
              part.items.push_back(sequence->items[static_cast<size_t>(i)]);
            out.push_back({std::move(here), {std::move(part)}});
          } else {
            out.push_back({std::move(here), unknown(span, "this slice")});
          }
        }
      }
    }
  }
  return out;
}

// Python never raises here: positions count from the end if negative and stop at both ends.
std::vector<std::pair<State, Linear>> Interpreter::clamp(State state, const Linear& at,
                                                         const Linear& length) {
  std::vector<std::pair<State, Linear>> out;
  Split sign = domain_.compare(std::move(state), at);
  for (State& positive : sign.yes) {
    Linear room = positive.linear(length - at);
    Split fits = domain_.compare(std::move(positive), room);
    for (State& inside : fits.yes) out.emplace_back(std::move(inside), at);
    for (State& beyond : fits.no) out.emplace_back(std::move(beyond), length);
  }
  for (State& negative : sign.no) {
    Linear position = negative.linear(length + at);
    Split reaches = domain_.compare(std::move(negative), position);
    for (State& inside : reaches.yes) out.emplace_back(std::move(inside), position);
    for (State& before : reaches.no) out.emplace_back(std::move(before), Linear());
  }
  return out;
}

void Interpreter::slice_text(State state, const Text& text, const Value& low, const Value& high,
                             Evaluations& out) {
  Linear length = domain_.length(state, text);
  std::optional<Linear> first = low.as<NoneValue>() != nullptr ? Linear() : as_number(low);
  std::optional<Linear> last = high.as<NoneValue>() != nullptr ? length : as_number(high);
  if (!first || !last) {
    SymbolId word = state.add_word(domain_.words().all());
    unknown(frame_.function->definition->name_span, "a slice with bounds that are not integers");
    out.push_back({std::move(state), {Text{word}}});
    return;
  }
  for (auto& [from_state, from] : clamp(std::move(state), *first, length)) {
    for (auto& [to_state, to] : clamp(std::move(from_state), *last, length)) {
      Split order = domain_.compare(std::move(to_state), to - from);
      for (State& empty : order.no) out.push_back({std::move(empty), {Text{}}});
      for (State& good : order.yes) {
        for (Divided& end : domain_.cut(std::move(good), text, to)) {
          Text head = end.before;
          for (Divided& begin : domain_.cut(std::move(end.state), head, from)) {
            out.push_back({std::move(begin.state), {std::move(begin.after)}});
          }
        }
      }
    }
  }
}

Text Interpreter::reversed(State& state, const Text& stale) {
  Text text = state.text(stale);
  Text out;
  for (size_t i = text.size(); i-- > 0;) {
    SymbolId id = text[i];
    Words words = state[id].words;
    if (domain_.words()[words].max_length <= 1) {
      out.push_back(id);
      continue;
    }
    SymbolId mirrored = state.add_word(domain_.words().reverse(words));
    Linear difference = Linear::of(mirrored) - Linear::of(id);
    Linear opposite;
    opposite.add(difference, -1);
    if (!domain_.range(state, difference).is_single()) {
      state.constraints.push_back(difference);
      state.constraints.push_back(opposite);
    }
    out.push_back(mirrored);
  }
  return out;
}

// ---- f-strings

Evaluations Interpreter::evaluate_fstring(const JoinedStr& joined, State state) {
  Evaluations open;
  open.push_back({std::move(state), {Text{}}});
  for (ExprId part : joined.parts) {
    Evaluations next;
    for (Evaluated& so_far : open) {
      size_t base = so_far.state.stack.size();
      so_far.state.stack.push_back(std::move(so_far.value));
      Evaluations values;
      const auto* field = tree_.get<FormattedValue>(part);
      if (field == nullptr) {
        values = evaluate(part, std::move(so_far.state));
      } else {
        for (Evaluated& value : evaluate(field->value, std::move(so_far.state))) {
          bool is_plain = (field->conversion == 0 || field->conversion == 's') && !field->format;
          if (is_plain) {
            to_string(std::move(value.state), value.value, tree_[part].span, values);
          } else {
            unknown(tree_[part].span, "a conversion or a format in an f-string");
            Text any = any_text(value.state);
            values.push_back({std::move(value.state), {std::move(any)}});
          }
        }
      }
      for (Evaluated& value : values) {
        Text text = std::get<Text>(value.state.stack[base].data);
        value.state.stack.resize(base);
        const Text& more = std::get<Text>(value.value.data);
        text.insert(text.end(), more.begin(), more.end());
        next.push_back({std::move(value.state), {std::move(text)}});
      }
    }
    open.swap(next);
  }
  return open;
}

void Interpreter::to_string(State state, const Value& value, Span span, Evaluations& out) {
  WordStore& words = domain_.words();
  auto give = [&](Text text) { out.push_back({std::move(state), {std::move(text)}}); };
  auto constant = [&](std::string_view text) {
    return domain_.constant_text(state, program_.letters().word(text));
  };
  if (const auto* text = value.as<Text>()) return give(*text);
  if (const auto* truth = value.as<bool>()) return give(constant(*truth ? "True" : "False"));
  if (value.as<NoneValue>() != nullptr) return give(constant("None"));
  if (const auto* number = value.as<Linear>()) {
    Range range = domain_.range(state, *number);
    if (range.is_single() && range.high < kUnlimited && range.low > -kUnlimited)
      return give(constant(std::to_string(range.low)));
    LetterSet digits = program_.letters().inside(regular::CharSet::range('0', '9'));
    LetterSet first = program_.letters().inside(regular::CharSet::range('1', '9'));
    Words zero = words.word(program_.letters().word("0"));
    Words positive = words.concat(words.one_of(first), words.star(words.one_of(digits)));
    Words language = words.none();
    if (range.high > 0) language = positive;
    if (range.low <= 0 && range.high >= 0) language = words.unite(language, zero);
    if (range.low < 0)
      language =
          words.unite(language, words.concat(words.word(program_.letters().word("-")), positive));
    if (range.low >= 0 && range.high < 1000000) {
      language = words.intersect(
          language, words.lengths(1, static_cast<int64_t>(std::to_string(range.high).size())));
    }
    return give({state.add_word(language)});
  }
  unknown(span, "the string form of a " + type_name(value));
  give(any_text(state));
}

// ---- conditions

Split Interpreter::test(ExprId id, State state) {
  Split out;
  if (!spend()) return out;
  if (const auto* op = tree_.get<BoolOperation>(id)) {
    States open;
    open.push_back(std::move(state));
    for (ExprId operand : op->values) {
      States next;
      for (State& one : open) {
        Split split = test(operand, std::move(one));
        auto& decided = op->op == BoolOp::kOr ? split.yes : split.no;
        auto& undecided = op->op == BoolOp::kOr ? split.no : split.yes;
        for (State& done : decided)
          (op->op == BoolOp::kOr ? out.yes : out.no).push_back(std::move(done));
        for (State& more : undecided) next.push_back(std::move(more));
      }
      open.swap(next);
    }
    for (State& rest : open) (op->op == BoolOp::kOr ? out.no : out.yes).push_back(std::move(rest));
    return out;
  }
  if (const auto* op = tree_.get<UnaryOperation>(id); op != nullptr && op->op == UnaryOp::kNot) {
    Split split = test(op->operand, std::move(state));
    return {std::move(split.no), std::move(split.yes)};
  }
  if (const auto* comparison = tree_.get<Compare>(id)) {
    for (Evaluated& left : evaluate(comparison->left, std::move(state))) {
      left.state.stack.push_back(std::move(left.value));
      test_chain(*comparison, 0, std::move(left.state), out);
    }
    return out;
  }
  for (Evaluated& value : evaluate(id, std::move(state))) {
    Split split = truth(std::move(value.state), value.value);
    for (State& yes : split.yes) out.yes.push_back(std::move(yes));
    for (State& no : split.no) out.no.push_back(std::move(no));
  }
  return out;
}

Split Interpreter::truth(State state, const Value& value) {
  Split out;
  if (const auto* known = value.as<bool>()) {
    (*known ? out.yes : out.no).push_back(std::move(state));
  } else if (const auto* number = value.as<Linear>()) {
    Split zero = domain_.equals_zero(std::move(state), *number);
    return {std::move(zero.no), std::move(zero.yes)};
  } else if (const auto* text = value.as<Text>()) {
    Linear not_empty = domain_.length(state, *text) - 1;
    return domain_.compare(std::move(state), not_empty);
  } else if (value.as<NoneValue>() != nullptr) {
    out.no.push_back(std::move(state));
  } else if (const auto* sequence = value.as<Sequence>()) {
    (sequence->items.empty() ? out.no : out.yes).push_back(std::move(state));
  } else if (const auto* split = value.as<SplitList>(); split != nullptr) {
    if (!split->separator.empty()) {
      out.yes.push_back(std::move(state));
    } else {
      for (Piece& piece : next_piece(std::move(state), split->subject, {}, out.no))
        out.yes.push_back(std::move(piece.state));
    }
  } else {
    out.yes.push_back(state);
    out.no.push_back(std::move(state));
  }
  return out;
}

// The left operand lies on top of the stack.
void Interpreter::test_chain(const Compare& comparison, size_t at, State state, Split& out) {
  for (Evaluated& right : evaluate(comparison.comparators[at], std::move(state))) {
    Value left = std::move(right.state.stack.back());
    right.state.stack.pop_back();
    Split split = compare(comparison.ops[at], std::move(right.state), left, right.value,
                          tree_[comparison.comparators[at]].span);
    for (State& no : split.no) out.no.push_back(std::move(no));
    for (State& yes : split.yes) {
      if (at + 1 == comparison.ops.size()) {
        out.yes.push_back(std::move(yes));
        continue;
      }
      yes.stack.push_back(yes.resolve(right.value));
      test_chain(comparison, at + 1, std::move(yes), out);
    }
  }
}

Split Interpreter::compare(CompareOp op, State state, const Value& left, const Value& right,
                           Span span) {
  Split split;
  switch (op) {
    case CompareOp::kEq: return equal(std::move(state), left, right);
    case CompareOp::kIs:
    case CompareOp::kIsNot: {
      bool is_plain = left.as<NoneValue>() != nullptr || right.as<NoneValue>() != nullptr ||
                      (left.as<bool>() != nullptr && right.as<bool>() != nullptr);
      if (!is_plain) unknown(span, "'is' between other values than None and Booleans");
      split = equal(std::move(state), left, right);
      break;
    }
    case CompareOp::kNotEq: split = equal(std::move(state), left, right); break;
    case CompareOp::kIn: return contains(std::move(state), right, left, span);
    case CompareOp::kNotIn: split = contains(std::move(state), right, left, span); break;
    default: return order(op, std::move(state), left, right, span);
  }
  if (op != CompareOp::kIs) std::swap(split.yes, split.no);
  return split;
}

Split Interpreter::equal(State state, const Value& left, const Value& right) {
  Split out;
  std::optional<Linear> a = as_number(left);
  std::optional<Linear> b = as_number(right);
  if (a && b) return domain_.equals_zero(std::move(state), *a - *b);
  const auto* text = left.as<Text>();
  const auto* other = right.as<Text>();
  if (text != nullptr && other != nullptr) return equal_texts(std::move(state), *text, *other);
  if (const auto* first = left.as<Sequence>(), *second = right.as<Sequence>();
      first != nullptr && second != nullptr) {
    if (first->items.size() != second->items.size() || first->is_list != second->is_list) {
      out.no.push_back(std::move(state));
      return out;
    }
    States open;
    open.push_back(std::move(state));
    for (size_t i = 0; i < first->items.size(); ++i) {
      States next;
      for (State& one : open) {
        Split split = equal(std::move(one), first->items[i], second->items[i]);
        for (State& no : split.no) out.no.push_back(std::move(no));
        for (State& yes : split.yes) next.push_back(std::move(yes));
      }
      open.swap(next);
    }
    out.yes = std::move(open);
    return out;
  }
  auto is_open = [](const Value& v) {
    return v.as<Unknown>() != nullptr || v.as<SplitList>() != nullptr;
  };
  bool is_none = left.as<NoneValue>() != nullptr && right.as<NoneValue>() != nullptr;
  bool none_and_list = (left.as<NoneValue>() != nullptr && right.as<SplitList>() != nullptr) ||
                       (right.as<NoneValue>() != nullptr && left.as<SplitList>() != nullptr);
  if (is_none) {
    out.yes.push_back(std::move(state));
  } else if (!none_and_list && (is_open(left) || is_open(right))) {
    out.yes.push_back(state);
    out.no.push_back(std::move(state));
  } else {
    out.no.push_back(std::move(state));
  }
  return out;
}

Split Interpreter::equal_texts(State state, const Text& left, const Text& right) {
  WordStore& words = domain_.words();
  Text a = state.text(left);
  Text b = state.text(right);
  size_t common = 0;
  while (common < a.size() && common < b.size() && a[common] == b[common]) ++common;
  a.erase(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(common));
  b.erase(b.begin(), b.begin() + static_cast<std::ptrdiff_t>(common));
  while (!a.empty() && !b.empty() && a.back() == b.back()) a.pop_back(), b.pop_back();
  if (std::optional<Word> word = domain_.constant(state, b))
    return domain_.member(std::move(state), a, words.word(*word));
  if (std::optional<Word> word = domain_.constant(state, a))
    return domain_.member(std::move(state), b, words.word(*word));
  Split out;
  for (bool is_left : {true, false}) {
    const Text& other = is_left ? b : a;
    bool is_small = by_constant(state, is_left ? a : b, [&](State fixed, const Word& word) {
      Split split = domain_.member(std::move(fixed), other, words.word(word));
      for (State& yes : split.yes) out.yes.push_back(std::move(yes));
      for (State& no : split.no) out.no.push_back(std::move(no));
    });
    if (is_small) return out;
  }
  // Different: nothing regular can be said of the pair, unless the languages are apart.
  out.no.push_back(state);
  if (a.size() == 1 && b.size() == 1) {
    if (domain_.restrict(state, a[0], state[b[0]].words)) {
      state[b[0]] = {Symbol::Kind::kCut, {}, a[0], a[0], {}, {}};
      if (domain_.is_feasible(state)) out.yes.push_back(std::move(state));
    }
    return out;
  }
  Words common_words = words.intersect(domain_.language(state, a), domain_.language(state, b));
  for (State& first : domain_.member(std::move(state), a, common_words).yes) {
    for (State& second : domain_.member(std::move(first), b, common_words).yes) {
      Linear difference = domain_.length(second, a) - domain_.length(second, b);
      if (domain_.assume_zero(second, difference)) out.yes.push_back(std::move(second));
    }
  }
  return out;
}

Split Interpreter::order(CompareOp op, State state, const Value& left, const Value& right,
                         Span span) {
  std::optional<Linear> a = as_number(left);
  std::optional<Linear> b = as_number(right);
  if (a && b) {
    switch (op) {
      case CompareOp::kLt: return domain_.compare(std::move(state), *b - *a - 1);
      case CompareOp::kLtE: return domain_.compare(std::move(state), *b - *a);
      case CompareOp::kGt: return domain_.compare(std::move(state), *a - *b - 1);
      default: return domain_.compare(std::move(state), *a - *b);
    }
  }
  const auto* text = left.as<Text>();
  const auto* other = right.as<Text>();
  Split out;
  if (text != nullptr && other != nullptr) {
    bool is_flipped = false;
    std::optional<Word> bound = domain_.constant(state, *other);
    if (!bound && (bound = domain_.constant(state, *text))) is_flipped = true;
    if (bound) {
      // The words below the bound, and the bound itself where it belongs to them.
      WordStore& words = domain_.words();
      Words below = words.none();
      Words prefix = words.empty_word();
      for (Letter letter : *bound) {
        below = words.unite(below, prefix);
        uint32_t limit = program_.letters()[letter].min();
        LetterSet smaller = program_.letters().inside(
            limit > 0 ? regular::CharSet::range(0, limit - 1) : regular::CharSet());
        below = words.unite(below,
                            words.concat(words.concat(prefix, words.one_of(smaller)), words.all()));
        prefix = words.concat(prefix, words.word({letter}));
      }
      CompareOp meant = op;
      if (is_flipped) {
        meant = op == CompareOp::kLt    ? CompareOp::kGt
                : op == CompareOp::kLtE ? CompareOp::kGtE
                : op == CompareOp::kGt  ? CompareOp::kLt
                                        : CompareOp::kLtE;
      }
      bool with_bound = meant == CompareOp::kLtE || meant == CompareOp::kGt;
      Words set = with_bound ? words.unite(below, words.word(*bound)) : below;
      Split split = domain_.member(std::move(state), is_flipped ? *other : *text, set);
      if (meant == CompareOp::kGt || meant == CompareOp::kGtE) std::swap(split.yes, split.no);
      return split;
    }
  } else if (left.as<Unknown>() == nullptr && right.as<Unknown>() == nullptr &&
             left.data.index() != right.data.index()) {
    raise(std::move(state), "TypeError",
          "cannot order a " + type_name(left) + " and a " + type_name(right), span);
    return out;
  } else {
    unknown(span, "the order of these values");
  }
  out.yes.push_back(state);
  out.no.push_back(std::move(state));
  return out;
}

Split Interpreter::one_of(State state, const Value& item, const std::vector<Value>& items) {
  Split out;
  States open;
  open.push_back(std::move(state));
  for (const Value& candidate : items) {
    States next;
    for (State& one : open) {
      Split split = equal(std::move(one), item, candidate);
      for (State& yes : split.yes) out.yes.push_back(std::move(yes));
      for (State& no : split.no) next.push_back(std::move(no));
    }
    open.swap(next);
  }
  out.no = std::move(open);
  return out;
}

Split Interpreter::contains(State state, const Value& container, const Value& item, Span span) {
  WordStore& words = domain_.words();
  if (const auto* sequence = container.as<Sequence>())
    return one_of(std::move(state), item, sequence->items);
  const auto* text = container.as<Text>();
  const auto* part = item.as<Text>();
  Split out;
  if (text != nullptr && part != nullptr) {
    auto search = [&](State here, const Word& pattern) {
      return domain_.member(
          std::move(here), *text,
          words.concat(words.concat(words.all(), words.word(pattern)), words.all()));
    };
    if (std::optional<Word> pattern = domain_.constant(state, *part))
      return search(std::move(state), *pattern);
    if (std::optional<Word> whole = domain_.constant(state, *text)) {
      Words factors = words.empty_word();
      for (size_t i = 0; i < whole->size(); ++i) {
        for (size_t j = i + 1; j <= whole->size(); ++j) {
          factors = words.unite(factors,
                                words.word(Word(whole->begin() + static_cast<std::ptrdiff_t>(i),
                                                whole->begin() + static_cast<std::ptrdiff_t>(j))));
        }
      }
      return domain_.member(std::move(state), *part, factors);
    }
    bool is_small = by_constant(state, *part, [&](State fixed, const Word& pattern) {
      Split split = search(std::move(fixed), pattern);
      for (State& yes : split.yes) out.yes.push_back(std::move(yes));
      for (State& no : split.no) out.no.push_back(std::move(no));
    });
    if (is_small) return out;
  } else if (text != nullptr && item.as<Unknown>() == nullptr) {
    raise(std::move(state), "TypeError", "'in <string>' requires string as left operand", span);
    return out;
  } else if (container.as<SplitList>() == nullptr) {
    unknown(span, "'in' on these values");
  }
  out.yes.push_back(state);
  out.no.push_back(std::move(state));
  return out;
}

bool Interpreter::by_constant(const State& state, const Text& text,
                              const std::function<void(State, const Word&)>& then) {
  WordStore& words = domain_.words();
  constexpr size_t kFew = 12;
  std::optional<std::vector<Word>> all = words.enumerate(domain_.language(state, text), kFew);
  if (!all) return false;
  if (!std::all_of(all->begin(), all->end(),
                   [&](const Word& word) { return domain_.is_exact(word); }))
    return false;
  for (const Word& word : *all) {
    for (State& fixed : domain_.member(state, text, words.word(word)).yes)
      then(std::move(fixed), word);
  }
  return true;
}

}  // namespace nacre::python
