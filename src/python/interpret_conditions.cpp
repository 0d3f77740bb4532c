// Conditions: each test divides a state into those where it holds and those where it does not.
#include <algorithm>

#include "python/interpreter.h"

namespace nacre::python {

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

Split Interpreter::truth(State state, const Value& given) {
  Split out;
  const Value value = state.deref(given);
  if (const auto* dict = value.as<Dict>()) {
    (dict->keys.empty() ? out.no : out.yes).push_back(std::move(state));
    return out;
  }
  if (const auto* kept = value.as<Typed>();
      kept != nullptr && kept->type->is_container() && kept->type->kind != Type::Kind::kIterable) {
    if (!kept->is_filled) out.no.push_back(state);
    const auto* ref = given.as<Ref>();
    if (ref != nullptr) std::get<Typed>(state.heap[ref->cell].value.data).is_filled = true;
    out.yes.push_back(std::move(state));
    return out;
  }
  const auto* instance = value.as<Instance>();
  const bool is_true =
      value.as<MatchObject>() != nullptr || value.as<Callable>() != nullptr ||
      value.as<ClassObject>() != nullptr || value.as<EnumMember>() != nullptr ||
      (instance != nullptr && program_.method(instance->cls, "__bool__") == nullptr &&
       program_.method(instance->cls, "__len__") == nullptr &&
       !program_.classes()[instance->cls].has_unknown_base);
  if (is_true) {
    out.yes.push_back(std::move(state));
    return out;
  }
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
    if (split->is_letters) return truth(std::move(state), {split->subject});
    if (!split->separator.empty()) {
      out.yes.push_back(std::move(state));
    } else {
      for (Piece& piece : next_piece(std::move(state), split->subject, *split, out.no))
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
                      (left.as<bool>() != nullptr && right.as<bool>() != nullptr) ||
                      (left.as<EnumMember>() != nullptr && right.as<EnumMember>() != nullptr);
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

Split Interpreter::equal(State state, const Value& given, const Value& other_given) {
  Split out;
  const Value left = state.deref(given), right = state.deref(other_given);
  if (const auto* one = left.as<EnumMember>(), *two = right.as<EnumMember>();
      one != nullptr && two != nullptr) {
    (*one == *two ? out.yes : out.no).push_back(std::move(state));
    return out;
  }
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
    return v.as<Unknown>() != nullptr || v.as<SplitList>() != nullptr || v.as<Typed>() != nullptr ||
           v.as<Dict>() != nullptr || v.as<Instance>() != nullptr || v.as<Callable>() != nullptr ||
           v.as<MatchObject>() != nullptr || v.as<ClassObject>() != nullptr;
  };
  bool is_none = left.as<NoneValue>() != nullptr && right.as<NoneValue>() != nullptr;
  // Nothing that is known is None besides None itself.
  bool none_and_list = (left.as<NoneValue>() != nullptr && right.as<Unknown>() == nullptr) ||
                       (right.as<NoneValue>() != nullptr && left.as<Unknown>() == nullptr);
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

// Takes off what both texts certainly have at one end: the same unknown word, or the same constant.
bool Interpreter::drop_equal(State& state, Text& a, Text& b, bool is_end) const {
  const SymbolId x = is_end ? a.back() : a.front();
  const SymbolId y = is_end ? b.back() : b.front();
  auto drop = [&](Text& text, std::optional<SymbolId> rest) {
    auto at = is_end ? text.end() - 1 : text.begin();
    if (rest)
      *at = *rest;
    else
      text.erase(at);
  };
  if (x != y) {
    WordStore& words = domain_.words();
    std::optional<Word> one = words.single(state[x].words), other = words.single(state[y].words);
    if (!one || !other || !domain_.is_exact(*one) || !domain_.is_exact(*other)) return false;
    const auto size = static_cast<std::ptrdiff_t>(std::min(one->size(), other->size()));
    auto common = [&](const Word& word) {
      return is_end ? Word(word.end() - size, word.end()) : Word(word.begin(), word.begin() + size);
    };
    auto rest = [&](const Word& word) {
      return is_end ? Word(word.begin(), word.end() - size) : Word(word.begin() + size, word.end());
    };
    if (common(*one) != common(*other)) return false;
    auto shorten = [&](Text& text, const Word& left) {
      drop(text, left.empty() ? std::nullopt : std::optional(state.add_word(words.word(left))));
    };
    shorten(a, rest(*one));
    shorten(b, rest(*other));
    return true;
  }
  drop(a, std::nullopt);
  drop(b, std::nullopt);
  return true;
}

Split Interpreter::equal_texts(State state, const Text& left, const Text& right) {
  WordStore& words = domain_.words();
  Text a = state.text(left);
  Text b = state.text(right);
  if (std::optional<Word> one = domain_.constant(state, a)) {
    if (std::optional<Word> other = domain_.constant(state, b)) {
      Split known;
      (*one == *other ? known.yes : known.no).push_back(std::move(state));
      return known;
    }
  }
  for (bool is_end : {false, true}) {
    while (!a.empty() && !b.empty() && drop_equal(state, a, b, is_end)) continue;
  }
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
  } else if (auto is_plain =
                 [](const Value& v) {
                   return v.as<NoneValue>() != nullptr || v.as<bool>() != nullptr ||
                          v.as<Linear>() != nullptr || v.as<Text>() != nullptr;
                 };
             is_plain(left) && is_plain(right) && left.data.index() != right.data.index()) {
    raise(std::move(state), "TypeError",
          "cannot order a " + type_name(left) + " and a " + type_name(right), span);
    return out;
  } else if (left.as<Unknown>() != nullptr || right.as<Unknown>() != nullptr) {
    unknown(span, "the order of these values");
  }
  // Strings, floats, tuples: either way. Concrete values would have to be compared for real.
  if (domain_.is_concrete()) unknown(span, "the order of these values");
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

Split Interpreter::contains(State state, const Value& given, const Value& item, Span span) {
  WordStore& words = domain_.words();
  const Value container = state.deref(given);
  if (const auto* dict = container.as<Dict>()) return one_of(std::move(state), item, dict->keys);
  if (const auto* kept = container.as<Typed>();
      kept != nullptr && (kept->type->is_container() || kept->type->kind == Type::Kind::kTupleOf)) {
    Split either;
    either.no.push_back(state);
    // What is in it is one of its items.
    const Type items = kept->type->parts[0];
    const auto* text = item.as<Text>();
    if (text != nullptr && !items.is_any()) {
      either.yes = fits_text(std::move(state), *text, items).yes;
    } else {
      const auto* ref = given.as<Ref>();
      if (ref != nullptr) std::get<Typed>(state.heap[ref->cell].value.data).is_filled = true;
      either.yes.push_back(std::move(state));
    }
    return either;
  }
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
  } else if (container.as<SplitList>() == nullptr || domain_.is_concrete()) {
    unknown(span, "'in' on these values");
  }
  out.yes.push_back(state);
  out.no.push_back(std::move(state));
  return out;
}

}  // namespace nacre::python
