// Values and their types: any value of a type, the type of a value, and whether a value is of a
// type.
#include <algorithm>
#include <utility>

#include "python/interpreter.h"
#include "python/walk.h"

namespace nacre::python {
namespace {

using Kind = Type::Kind;

constexpr size_t kMaxDepth = 3;     // of instances made for the constructors of others
constexpr size_t kMaxMembers = 16;  // of an enumeration, one by one
constexpr size_t kMaxChoices = 64;  // ways to choose the arguments of a function

}  // namespace

// ---- any value of a type

Interpreter::Creations Interpreter::instantiate(State state, const Type& type, bool is_input,
                                                size_t depth) {
  Creations out;
  auto give = [&](Value value, const Value* leaf = nullptr) {
    Recipe recipe;
    if (is_input) {
      recipe.input = static_cast<uint32_t>(state.inputs.size());
      state.inputs.push_back(leaf != nullptr ? *leaf : value);
    }
    out.push_back({std::move(state), std::move(value), std::move(recipe)});
  };
  switch (type.kind) {
    case Kind::kMissing:
    case Kind::kOther: give({Unknown{}}); break;
    case Kind::kNone: give({NoneValue{}}); break;
    case Kind::kStr: give({Text{state.add_word(domain_.words().all())}}); break;
    case Kind::kLanguage:
      if (!domain_.words().is_empty(type.words)) give({Text{state.add_word(type.words)}});
      break;
    case Kind::kInt: give({Linear::of(state.add_number(type.range))}); break;
    case Kind::kBool:
      for (bool truth : {true, false}) {
        State one = state;
        for (Made& made : instantiate(std::move(one), type_of_kind(Kind::kNone), is_input, depth)) {
          made.value = {truth};
          if (is_input) made.state.inputs.back() = {truth};
          out.push_back(std::move(made));
        }
      }
      break;
    case Kind::kFloat:
    case Kind::kBytes:
    case Kind::kLibrary:
    case Kind::kCallable:
    case Kind::kTupleOf: give(typed(type, false, makes_given_)); break;
    case Kind::kList:
    case Kind::kSet:
    case Kind::kDict:
    case Kind::kIterable: {
      const Value leaf = typed(type, false, makes_given_);
      Value cell = state.allocate(leaf, std::make_shared<const Type>(type));
      give(std::move(cell), &leaf);
      break;
    }
    case Kind::kTuple: return instantiate_all(std::move(state), type.parts, is_input, depth);
    case Kind::kUnion:
      for (const Type& part : type.parts) {
        for (Made& made : instantiate(state, part, is_input, depth)) out.push_back(std::move(made));
      }
      break;
    case Kind::kEnum: {
      const auto all = static_cast<uint32_t>(members(type.cls).size());
      if (all == 0 || all > kMaxMembers) {
        give({Unknown{}});
        break;
      }
      for (uint32_t i = 0; i < all; ++i) {
        Recipe recipe;
        recipe.cls = Recipe::kMember;
        recipe.input = type.cls;
        recipe.member = i;
        out.push_back({state, {EnumMember{type.cls, i}}, recipe});
      }
      break;
    }
    case Kind::kMatch: {
      const size_t groups = program_.pattern(ExprId{type.cls})->regex.group_count;
      SymbolId begin = state.add_number({0, kUnlimited});
      give({MatchObject{std::vector<Value>(groups + 1, Value{Unknown{}}), ExprId{type.cls},
                        Linear::of(begin)}});
      break;
    }
    case Kind::kInstance:
      for (uint32_t cls : program_.definitions().subclasses(type.cls)) {
        for (Made& made : instantiate_class(state, cls, is_input, depth))
          out.push_back(std::move(made));
      }
      break;
  }
  return out;
}

Interpreter::Creations Interpreter::instantiate_all(State state, const std::vector<Type>& types,
                                                    bool is_input, size_t depth) {
  Recipe recipe;
  recipe.cls = Recipe::kTuple;
  Creations open;
  const size_t base = state.stack.size();
  open.push_back({std::move(state), {}, recipe});
  for (const Type& type : types) {
    Creations next;
    for (Made& so_far : open) {
      for (Made& made : instantiate(std::move(so_far.state), type, is_input, depth)) {
        // Values wait on the stack: making an instance may renumber everything.
        made.state.stack.push_back(std::move(made.value));
        Recipe longer = so_far.recipe;
        longer.arguments.push_back(std::move(made.recipe));
        next.push_back({std::move(made.state), {}, std::move(longer)});
      }
    }
    if (next.size() > kMaxChoices) {
      outcome_.is_exhausted = true;
      next.resize(kMaxChoices);
    }
    open.swap(next);
  }
  for (Made& made : open) {
    std::vector<Value>& stack = made.state.stack;
    std::vector<Value> items(stack.begin() + static_cast<std::ptrdiff_t>(base), stack.end());
    stack.resize(base);
    made.value = {Sequence{std::move(items), false}};
  }
  return open;
}

// An instance is what the class makes of any arguments, with the fields that other functions
// change set to anything that they may have become. What the constructor itself does wrong is
// reported where it is checked.
Interpreter::Creations Interpreter::instantiate_class(State state, uint32_t cls, bool is_input,
                                                      size_t depth) {
  Creations out;
  const ClassFacts& facts = program_.classes()[cls];
  std::vector<Type> types;
  const Function* constructor = program_.method(cls, "__init__");
  const bool has_fields =
      facts.kind == ClassFacts::Kind::kData || facts.kind == ClassFacts::Kind::kNamedTuple;
  bool is_known = depth < kMaxDepth && (constructor != nullptr || !facts.has_unknown_base) &&
                  facts.kind != ClassFacts::Kind::kException && !domain_.is_concrete();
  if (constructor != nullptr) {
    const Parameters& all = constructor->definition->parameters;
    is_known = is_known && !all.rest && !all.keyword_rest && all.keyword_only.empty();
    if (!constructor->parameters.empty())
      types.assign(constructor->parameters.begin() + 1, constructor->parameters.end());
  } else if (has_fields) {
    for (const ClassVariable* field : program_.definitions().constructor_fields(cls))
      types.push_back(program_.type(*field->annotation));
  }
  if (!is_known) {
    Recipe recipe;
    if (is_input) {
      recipe.input = static_cast<uint32_t>(state.inputs.size());
      state.inputs.push_back({Unknown{}});
    }
    out.push_back({std::move(state), {Unknown{}}, recipe});
    return out;
  }
  std::vector<Raised> raised;
  std::vector<Raised>* outer = std::exchange(raised_, &raised);
  Outcome kept = outcome_;
  for (Made& arguments : instantiate_all(std::move(state), types, is_input, depth + 1)) {
    Actuals actuals;
    actuals.positional = std::get<Sequence>(arguments.value.data).items;
    Evaluations made;
    construct(cls, std::move(actuals), {}, std::move(arguments.state), made);
    for (Evaluated& one : made) {
      Recipe recipe = arguments.recipe;
      recipe.cls = cls;
      const auto* ref = one.value.as<Ref>();
      if (ref == nullptr) {
        out.push_back({std::move(one.state), {Unknown{}}, std::move(recipe)});
        continue;
      }
      States loosened;
      loosen_fields(one.state, ref->cell, loosened);
      for (State& here : loosened) out.push_back({std::move(here), {*ref}, recipe});
    }
  }
  const bool is_exhausted = outcome_.is_exhausted;
  outcome_ = std::move(kept);
  outcome_.is_exhausted = is_exhausted;
  raised_ = outer;
  return out;
}

void Interpreter::loosen_fields(State& state, uint32_t cell, States& out) {
  const Instance instance = *state.heap[cell].value.as<Instance>();
  const ClassFacts& facts = program_.classes()[instance.cls];
  const bool changes = program_.definitions().changes_containers();
  States open;
  open.push_back(std::move(state));
  for (size_t i = 0; i < facts.fields.size(); ++i) {
    States next;
    for (State& one : open) {
      const Value field = std::get<Instance>(one.heap[cell].value.data).fields[i];
      const Value& content = one.deref(field);
      const bool is_container = field.as<Ref>() != nullptr && content.as<Instance>() == nullptr;
      const bool is_declared = program_.field_type(instance.cls, facts.fields[i]).has_value();
      std::optional<Type> type;
      if (program_.definitions().is_changed_field(facts.fields[i])) {
        type = program_.field_type(instance.cls, facts.fields[i]);
        if (!type)
          type = join(domain_.words(), type_of(one, field),
                      changed_field_type(instance.cls, facts.fields[i]));
      } else if (is_container && changes) {
        type = program_.field_type(instance.cls, facts.fields[i]);
        if (!type) {
          type = type_of(one, field);
          for (Type& part : type->parts) part = type_of_kind(Kind::kOther);
        }
      }
      if (!type) {
        next.push_back(std::move(one));
        continue;
      }
      for (Made& made : instantiate(std::move(one), *type, false, kMaxDepth)) {
        // What was only inferred forbids nothing.
        const auto* inner = made.value.as<Ref>();
        if (inner != nullptr && !is_declared) made.state.heap[inner->cell].declared = nullptr;
        std::get<Instance>(made.state.heap[cell].value.data).fields[i] = made.value;
        next.push_back(std::move(made.state));
      }
    }
    open.swap(next);
  }
  append(out, std::move(open));
}

// What the functions of the file assign to an attribute of this name, as far as that can be read
// off.
Type Interpreter::changed_field_type(uint32_t, const std::string& name) const {
  Type result = type_of_parts(Kind::kUnion, {});
  auto add = [&](ExprId target, std::optional<ExprId> value, const Function* around) {
    const auto* attribute = tree_.get<Attribute>(target);
    if (attribute == nullptr || attribute->name != name) return;
    result = join(domain_.words(), result,
                  value ? light_type(*value, around) : type_of_kind(Kind::kOther));
  };
  for (const Function& function : program_.functions()) {
    if (function.facts->cls && function.definition->name == "__init__") continue;
    for_own_statements(tree_, function.definition->body, [&](StmtId id) {
      if (const auto* assign = tree_.get<Assign>(id)) {
        for (ExprId target : assign->targets) {
          add(target, assign->value, &function);
          if (tree_.get<TupleExpr>(target) == nullptr) continue;
          for_each_child(tree_, target, [&](ExprId part) { add(part, std::nullopt, &function); });
        }
      } else if (const auto* annotated = tree_.get<AnnAssign>(id)) {
        if (annotated->value) add(annotated->target, *annotated->value, &function);
      } else if (const auto* augmented = tree_.get<AugAssign>(id)) {
        // `x += 1` keeps an integer one, whatever it was.
        add(augmented->target, augmented->value, &function);
      } else if (const auto* loop = tree_.get<For>(id)) {
        add(loop->target, std::nullopt, &function);
      }
    });
  }
  return result;
}

Type Interpreter::light_type(ExprId expr, const Function* around) const {
  if (tree_.get<StringLiteral>(expr) != nullptr || tree_.get<JoinedStr>(expr) != nullptr)
    return type_of_kind(Kind::kStr);
  if (tree_.get<IntLiteral>(expr) != nullptr) return type_of_kind(Kind::kInt);
  if (tree_.get<BoolLiteral>(expr) != nullptr) return type_of_kind(Kind::kBool);
  if (tree_.get<NoneLiteral>(expr) != nullptr) return type_of_kind(Kind::kNone);
  if (const auto* name = tree_.get<Name>(expr)) {
    const Parameters& parameters = around->definition->parameters;
    size_t at = 0;
    for (const auto* list :
         {&parameters.positional_only, &parameters.positional, &parameters.keyword_only}) {
      for (const Parameter& parameter : *list) {
        if (parameter.name == name->id) return around->parameters[at];
        ++at;
      }
    }
  }
  if (const auto* call = tree_.get<Call>(expr)) {
    const auto* name = tree_.get<Name>(call->function);
    const Function* function = name != nullptr ? program_.function(name->id) : nullptr;
    if (function != nullptr && !function->facts->has_unknown_decorator) return function->returns;
    if (name != nullptr && (name->id == "len" || name->id == "int") && is_builtin_name(name->id))
      return type_of_kind(Kind::kInt);
    if (name != nullptr && name->id == "str" && is_builtin_name(name->id))
      return type_of_kind(Kind::kStr);
  }
  return type_of_kind(Kind::kOther);
}

// The same arguments again, from other inputs.
Interpreter::Creations Interpreter::remake(const Recipe& recipe, const std::vector<Value>& inputs,
                                           State state) {
  Creations out;
  if (recipe.cls == Recipe::kInput) {
    Value value = inputs[recipe.input];
    if (const auto* list = value.as<Sequence>(); list != nullptr && (list->is_list || list->is_set))
      value = state.allocate(value);
    else if (value.as<Dict>() != nullptr)
      value = state.allocate(value);
    out.push_back({std::move(state), std::move(value), {}});
    return out;
  }
  if (recipe.cls == Recipe::kMember) {
    out.push_back({std::move(state), {EnumMember{recipe.input, recipe.member}}, {}});
    return out;
  }
  Creations open;
  const size_t base = state.stack.size();
  open.push_back({std::move(state), {}, {}});
  for (const Recipe& argument : recipe.arguments) {
    Creations next;
    for (Made& so_far : open) {
      for (Made& made : remake(argument, inputs, std::move(so_far.state))) {
        made.state.stack.push_back(std::move(made.value));
        next.push_back({std::move(made.state), {}, {}});
      }
    }
    open.swap(next);
  }
  for (Made& made : open) {
    std::vector<Value>& stack = made.state.stack;
    std::vector<Value> items(stack.begin() + static_cast<std::ptrdiff_t>(base), stack.end());
    stack.resize(base);
    if (recipe.cls == Recipe::kTuple) {
      out.push_back({std::move(made.state), {Sequence{std::move(items), false}}, {}});
      continue;
    }
    Actuals actuals;
    actuals.positional = std::move(items);
    Evaluations results;
    construct(recipe.cls, std::move(actuals), {}, std::move(made.state), results);
    for (Evaluated& result : results)
      out.push_back({std::move(result.state), std::move(result.value), {}});
  }
  return out;
}

// One value of the type; several alternatives become Unknown.
Value Interpreter::by_type(State& state, const Type& type) {
  Creations made = instantiate(state, type, false, kMaxDepth);
  if (made.size() != 1) return {Unknown{}};
  state = std::move(made[0].state);
  return std::move(made[0].value);
}

void Interpreter::instantiate_item(State state, const Type& type, Evaluations& out, bool is_given) {
  const bool outer = std::exchange(makes_given_, is_given);
  for (Made& made : instantiate(std::move(state), type, false, 1))
    out.push_back({std::move(made.state), std::move(made.value)});
  makes_given_ = outer;
}

// ---- the type of a value

// The type of a value that is put into a container: if it can be changed through another name,
// only what is declared of it stays true.
Type Interpreter::stored_type(const State& state, const Value& value) const {
  const auto* ref = value.as<Ref>();
  if (ref == nullptr || state.heap[ref->cell].value.as<Instance>() != nullptr)
    return type_of(state, value);
  if (state.heap[ref->cell].declared != nullptr) return *state.heap[ref->cell].declared;
  Type type = type_of(state, value);
  for (Type& part : type.parts) part = type_of_kind(Kind::kOther);
  return type;
}

Type Interpreter::type_of(const State& state, const Value& stale) const {
  const Value& value = state.deref(stale);
  auto all = [&](const std::vector<Value>& items) {
    Type result = type_of_parts(Kind::kUnion, {});
    for (const Value& item : items)
      result = join(domain_.words(), result, stored_type(state, item));
    return result;
  };
  if (const auto* text = value.as<Text>()) return type_of_words(domain_.language(state, *text));
  if (const auto* number = value.as<Linear>()) return type_of_range(domain_.range(state, *number));
  if (value.as<bool>() != nullptr) return type_of_kind(Kind::kBool);
  if (value.as<NoneValue>() != nullptr) return type_of_kind(Kind::kNone);
  if (const auto* kept = value.as<Typed>()) return *kept->type;
  if (const auto* split = value.as<SplitList>())
    return type_of_parts(Kind::kList, {type_of_words(pieces_of(state, *split))});
  if (const auto* sequence = value.as<Sequence>()) {
    if (sequence->is_set) return type_of_parts(Kind::kSet, {all(sequence->items)});
    if (sequence->is_list) return type_of_parts(Kind::kList, {all(sequence->items)});
    std::vector<Type> items;
    for (const Value& item : sequence->items) items.push_back(type_of(state, item));
    return type_of_parts(Kind::kTuple, std::move(items));
  }
  if (const auto* dict = value.as<Dict>())
    return type_of_parts(Kind::kDict, {all(dict->keys), all(dict->values)});
  if (const auto* instance = value.as<Instance>()) {
    Type type = type_of_kind(Kind::kInstance);
    type.cls = instance->cls;
    return type;
  }
  if (const auto* member = value.as<EnumMember>()) {
    Type type = type_of_kind(Kind::kEnum);
    type.cls = member->cls;
    return type;
  }
  return type_of_kind(Kind::kOther);
}

// What iterating over the value gives; nothing if it cannot be iterated over.
std::optional<Type> Interpreter::item_type(const State& state, const Value& stale) const {
  const Value& value = state.deref(stale);
  WordStore& words = domain_.words();
  if (const auto* text = value.as<Text>()) {
    LetterSet letters = words.letters_in(domain_.language(state, *text));
    return type_of_words(words.one_of(letters));
  }
  if (const auto* kept = value.as<Typed>()) {
    const Type& type = *kept->type;
    if (type.is_container() || type.kind == Kind::kTupleOf) return type.parts[0];
    if (type.kind == Kind::kBytes) return type_of_range({0, 255});
    return std::nullopt;
  }
  if (const auto* dict = value.as<Dict>()) return type_of(state, {Dict{dict->keys, {}}}).parts[0];
  if (const auto* sequence = value.as<Sequence>())
    return type_of(state, {Sequence{sequence->items, true}}).parts[0];
  if (value.as<SplitList>() != nullptr) return type_of(state, value).parts[0];
  return std::nullopt;
}

// The words between two separators, and at the ends, wherever in the subject they stand.
Words Interpreter::pieces_of(const State& state, const SplitList& split) const {
  WordStore& words = domain_.words();
  const Words language = domain_.language(state, split.subject);
  if (split.is_letters) return words.one_of(words.letters_in(language));
  if (words.is_empty(language)) return words.none();
  const Words separator =
      split.separator.empty() ? words.one_of(program_.white_space()) : words.word(split.separator);
  const Words around = words.concat(words.concat(words.all(), separator), words.all());
  const Automaton& automaton = words[language];
  auto after_separator = [&](uint32_t from) {
    std::vector<uint32_t> out;
    for (uint32_t c = 0; split.separator.empty() && c < words.letters(); ++c) {
      const uint32_t to = automaton.next[size_t{from} * words.letters() + c];
      if (to != kNoState && program_.white_space()[c]) out.push_back(to);
    }
    uint32_t at = from;
    for (Letter letter : split.separator) {
      if (at == kNoState) break;
      at = automaton.next[size_t{at} * words.letters() + letter];
    }
    if (!split.separator.empty() && at != kNoState) out.push_back(at);
    return out;
  };
  constexpr uint32_t kMaxStates = 200;
  if (automaton.size() > kMaxStates) return words.minus(words.over_letters_of(language), around);
  std::vector<bool> starts(automaton.size()), ends(automaton.size());
  starts[0] = true;
  for (uint32_t q = 0; q < automaton.size(); ++q) {
    for (uint32_t to : after_separator(q)) starts[to] = ends[q] = true;
    ends[q] = ends[q] || automaton.accepting[q] != 0;
  }
  // An automaton whose start is any of `starts` and whose ends are `ends`.
  std::vector<WordStore::WordArc> arcs;
  std::vector<uint8_t> accepting(automaton.size() + 1, 0);
  for (uint32_t q = 0; q < automaton.size(); ++q) {
    if (starts[q]) arcs.push_back({0, {}, q + 1});
    accepting[q + 1] = ends[q] ? 1 : 0;
    for (uint32_t c = 0; c < words.letters(); ++c) {
      const uint32_t to = automaton.next[size_t{q} * words.letters() + c];
      if (to != kNoState) arcs.push_back({q + 1, {static_cast<Letter>(c)}, to + 1});
    }
  }
  Words pieces = words.minus(words.from_arcs(arcs, accepting), around);
  return split.separator.empty() ? words.minus(pieces, words.empty_word()) : pieces;
}

// ---- is a value of a type?

Split Interpreter::fits_text(State state, const Text& text, const Type& type) {
  WordStore& words = domain_.words();
  Words allowed = words.none();
  for (const Type& one : alternatives(type)) {
    if (one.kind == Kind::kStr || one.is_any()) allowed = words.all();
    if (one.kind == Kind::kLanguage) allowed = words.unite(allowed, one.words);
    // A string is iterated over letter by letter.
    if (one.kind == Kind::kIterable) {
      const Type& item = one.parts[0];
      if (item.kind == Kind::kLanguage)
        allowed = words.unite(allowed, words.star(item.words));
      else if (item.kind == Kind::kStr || item.is_any())
        allowed = words.all();
    }
  }
  return domain_.member(std::move(state), text, allowed);
}

Split Interpreter::fits_items(State state, const std::vector<Value>& items, const Type& item,
                              Span span) {
  Split out;
  out.yes.push_back(std::move(state));
  for (const Value& one : items) {
    States open;
    open.swap(out.yes);
    for (State& here : open) {
      Split split = fits(std::move(here), one, item, span);
      append(out.no, std::move(split.no));
      append(out.yes, std::move(split.yes));
    }
  }
  return out;
}

// All pieces are of the type if and only if the subject is pieces of the type with separators
// between them.
Split Interpreter::fits_split(State state, const SplitList& split, const Type& item, Span span) {
  WordStore& words = domain_.words();
  Words allowed = words.none();
  for (const Type& one : alternatives(item)) {
    if (one.kind == Kind::kStr || one.is_any()) allowed = words.all();
    if (one.kind == Kind::kLanguage) allowed = words.unite(allowed, one.words);
  }
  Split out;
  if (split.is_letters) {
    return domain_.member(std::move(state), split.subject,
                          words.star(words.intersect(allowed, words.lengths(1, 1))));
  }
  if (split.separator.empty()) {
    bool is_inside = words.is_empty(words.minus(pieces_of(state, split), allowed));
    (is_inside ? out.yes : out.no).push_back(std::move(state));
    (void)span;
    return out;
  }
  const Words separator = words.word(split.separator);
  const Words piece =
      words.minus(allowed, words.concat(words.concat(words.all(), separator), words.all()));
  return domain_.member(std::move(state), split.subject,
                        words.concat(piece, words.star(words.concat(separator, piece))));
}

Split Interpreter::fits_dict(State state, const Dict& dict, const Type& type, Span span) {
  const ClassFacts* record = nullptr;
  if (type.cls < program_.classes().size() &&
      program_.classes()[type.cls].kind == ClassFacts::Kind::kTypedDict)
    record = &program_.classes()[type.cls];
  Split out;
  out.yes.push_back(std::move(state));
  for (size_t i = 0; i < dict.keys.size(); ++i) {
    States open;
    open.swap(out.yes);
    for (State& here : open) {
      Type value_type = type.parts[1];
      const auto* key = dict.keys[i].as<Text>();
      std::optional<Word> name = key != nullptr ? domain_.constant(here, *key) : std::nullopt;
      if (record != nullptr && name) {
        const std::string field = program_.letters().text(*name);
        for (const ClassVariable& variable : record->variables) {
          if (variable.name == field && variable.annotation)
            value_type = program_.type(*variable.annotation);
        }
      }
      Split keys = fits(std::move(here), dict.keys[i], type.parts[0], span);
      append(out.no, std::move(keys.no));
      for (State& good : keys.yes) {
        Split values = fits(std::move(good), dict.values[i], value_type, span);
        append(out.no, std::move(values.no));
        append(out.yes, std::move(values.yes));
      }
    }
  }
  return out;
}

Split Interpreter::fits(State state, const Value& stale, const Type& type, Span span) {
  Split out;
  const Value value = state.deref(stale);
  auto decide = [&](bool answer) { (answer ? out.yes : out.no).push_back(std::move(state)); };
  if (type.is_any()) return decide(true), std::move(out);
  if (value.as<Unknown>() != nullptr || value.as<Callable>() != nullptr ||
      value.as<ClassObject>() != nullptr || value.as<MatchObject>() != nullptr) {
    unknown(span, "the type of this value");
    return decide(true), std::move(out);
  }
  if (const auto* text = value.as<Text>()) return fits_text(std::move(state), *text, type);
  const auto* sequence = value.as<Sequence>();
  const auto* dict = value.as<Dict>();
  const auto* split = value.as<SplitList>();
  if (sequence != nullptr || dict != nullptr || split != nullptr) {
    for (const Type& one : alternatives(type)) {
      const bool is_list = split != nullptr || (sequence != nullptr && sequence->is_list);
      const bool is_set = sequence != nullptr && sequence->is_set;
      const bool is_tuple = sequence != nullptr && !is_list && !is_set;
      const bool is_match = (one.kind == Kind::kList && is_list && !is_set) ||
                            (one.kind == Kind::kSet && is_set) ||
                            (one.kind == Kind::kDict && dict != nullptr) ||
                            (one.kind == Kind::kTupleOf && is_tuple) || one.kind == Kind::kIterable;
      if (one.kind == Kind::kTuple && is_tuple && one.parts.size() == sequence->items.size()) {
        out.yes.push_back(std::move(state));
        for (size_t i = 0; i < one.parts.size(); ++i) {
          States open;
          open.swap(out.yes);
          for (State& here : open) {
            Split item = fits(std::move(here), sequence->items[i], one.parts[i], span);
            append(out.no, std::move(item.no));
            append(out.yes, std::move(item.yes));
          }
        }
        return out;
      }
      if (!is_match) continue;
      if (split != nullptr) return fits_split(std::move(state), *split, one.parts[0], span);
      if (dict != nullptr && one.kind == Kind::kDict)
        return fits_dict(std::move(state), *dict, one, span);
      return fits_items(std::move(state), dict != nullptr ? dict->keys : sequence->items,
                        one.parts[0], span);
    }
    return decide(false), std::move(out);
  }
  if (const auto* kept = value.as<Typed>()) {
    // Items of which nothing is known may be right or wrong.
    auto has_unknown = [](auto&& self, const Type& one) -> bool {
      return one.is_any() || std::any_of(one.parts.begin(), one.parts.end(),
                                         [&](const Type& part) { return self(self, part); });
    };
    const bool is_inside =
        is_within(domain_.words(), *kept->type, type, [&](uint32_t derived, uint32_t base) {
          return program_.definitions().is_subclass(derived, base);
        });
    if (!is_inside && has_unknown(has_unknown, *kept->type)) {
      unknown(span, "the type of the items");
      return decide(true), std::move(out);
    }
    return decide(is_inside), std::move(out);
  }
  return decide(is_within(domain_.words(), type_of(state, value), type,
                          [&](uint32_t derived, uint32_t base) {
                            return program_.definitions().is_subclass(derived, base);
                          })),
         std::move(out);
}

// Where a list or dictionary is written out, its items are checked where they stand.
bool Interpreter::check_parts(const State& state, const Value& value, const Type& type,
                              FailureKind kind, ExprId expr) {
  const Value& content = state.deref(value);
  const auto* sequence = content.as<Sequence>();
  const auto* list = tree_.get<ListExpr>(expr);
  if (list == nullptr || sequence == nullptr || type.kind != Kind::kList ||
      list->items.size() != sequence->items.size())
    return false;
  bool is_good = true;
  for (size_t i = 0; i < list->items.size(); ++i) {
    is_good = !check_type(state, sequence->items[i], type.parts[0], kind,
                          tree_[list->items[i]].span, list->items[i])
                   .empty() &&
              is_good;
  }
  return true;
}

// The value got a declared type: nothing else may be put into it from now on.
void Interpreter::declare(State& state, const Value& value, const Type& type) const {
  const auto* ref = value.as<Ref>();
  if (ref == nullptr || !type.is_container() || type.parts.size() > 2) return;
  if (state.heap[ref->cell].declared == nullptr)
    state.heap[ref->cell].declared = std::make_shared<const Type>(type);
  if (!type.parts.back().is_container()) return;
  std::vector<Value> inner;
  if (const auto* list = state.heap[ref->cell].value.as<Sequence>()) inner = list->items;
  if (const auto* dict = state.heap[ref->cell].value.as<Dict>()) inner = dict->values;
  for (const Value& one : inner) declare(state, one, type.parts.back());
}

// Reports the states in which the value is not of the type; gives back the others.
States Interpreter::check_type(State state, const Value& value, const Type& type, FailureKind kind,
                               Span span, Optional expr) {
  if (type.is_any()) {
    States all;
    all.push_back(std::move(state));
    return all;
  }
  const bool has_parts = expr && check_parts(state, value, type, kind, *expr);
  std::string constant;
  if (const auto* text = value.as<Text>()) {
    if (std::optional<Word> word = domain_.constant(state, *text))
      constant = program_.letters().text(*word);
  }
  Split split = fits(std::move(state), value, type, span);
  const bool is_text = value.as<Text>() != nullptr;
  const bool is_simple = type.kind == Kind::kLanguage;
  for (State& bad : split.no) {
    if (has_parts) continue;
    fail({"TypeError",
          is_text && is_simple ? "the value is not in the declared language"
          : is_text || bad.deref(value).as<Typed>() != nullptr ||
                  bad.deref(value).as<Sequence>() != nullptr ||
                  bad.deref(value).as<SplitList>() != nullptr ||
                  bad.deref(value).as<Dict>() != nullptr
              ? "the value is not of the declared type"
              : "the value has another type than declared",
          kind, span, std::move(bad)},
         constant.empty() && !(is_text && split.yes.empty() && value.as<Text>()->empty())
             ? ""
             : "'" + constant + "'");
  }
  if (!split.yes.empty()) outcome_.passed.insert(span.begin);
  // From now on nothing else may be put into it.
  for (State& good : split.yes) {
    declare(good, value, type);
  }
  return std::move(split.yes);
}

}  // namespace nacre::python
