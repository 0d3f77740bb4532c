// What annotations mean.
#include <algorithm>

#include "python/program.h"
#include "python/walk.h"

namespace nacre::python {
namespace {

using Kind = Type::Kind;

}  // namespace

Type Program::type(ExprId annotation) const { return resolve(annotation, 0); }

std::optional<Type> Program::alias(const std::string& name) const {
  if (aliases_.count(name) == 0) return std::nullopt;
  return resolve_name(name, 0);
}

std::optional<Type> Program::field_type(uint32_t cls, const std::string& name) const {
  Optional annotation;
  if (const ClassVariable* variable = definitions_->variable(cls, name))
    annotation = variable->annotation;
  if (!annotation) {
    const auto& fields = classes()[cls].field_annotations;
    auto found = fields.find(name);
    if (found != fields.end()) annotation = found->second;
  }
  if (!annotation) return std::nullopt;
  Type declared = type(*annotation);
  return declared.is_any() ? std::nullopt : std::optional(std::move(declared));
}

// By the name in an annotation: imported from its module, or an attribute of that.
std::optional<LibraryClass> Program::library_class(const std::string& name) const {
  struct Known {
    std::string_view module, name;
    LibraryClass cls;
  };
  constexpr Known kKnown[] = {{"pathlib", "Path", LibraryClass::kPath},
                              {"pathlib", "PurePath", LibraryClass::kPath},
                              {"pathlib", "PosixPath", LibraryClass::kPath},
                              {"pathlib", "PurePosixPath", LibraryClass::kPath},
                              {"datetime", "date", LibraryClass::kDate},
                              {"datetime", "datetime", LibraryClass::kDateTime},
                              {"datetime", "time", LibraryClass::kTime},
                              {"datetime", "timedelta", LibraryClass::kDuration},
                              {"uuid", "UUID", LibraryClass::kUuid}};
  const std::string dotted = definitions_->imported(name).value_or(name);
  for (const Known& each : kKnown) {
    const std::string full = std::string(each.module) + "." + std::string(each.name);
    if (dotted == full || (dotted == each.name && definitions_->imported(std::string(each.module))))
      return each.cls;
  }
  return std::nullopt;
}

// What str() of a path gives: no empty components, no `.` within, no slash at the end.
Words Program::normal_paths() const {
  WordStore& store = *store_;
  const auto text = [&](std::string_view utf8) { return store.word(letters_->word(utf8)); };
  const auto maybe = [&](Words set) { return store.unite(set, store.empty_word()); };
  const Words slash = text("/"), any = store.all();
  const Words before = maybe(store.concat(any, slash)), after = maybe(store.concat(slash, any));
  const Words dots = store.concat(store.concat(before, text(".")), after);
  const Words doubled = store.concat(store.concat(any, text("//")), any);
  Words bad = store.unite(store.unite(dots, doubled), store.concat(any, slash));
  bad = store.unite(bad, store.empty_word());
  return store.unite(store.minus(any, bad), store.unite(slash, text(".")));
}

Type Program::resolve_name(const std::string& name, int depth) const {
  if (auto alias = aliases_.find(name); alias != aliases_.end())
    return depth < 50 ? resolve(alias->second, depth + 1) : type_of_kind(Kind::kOther);
  if (std::optional<uint32_t> cls = definitions_->cls(name)) {
    const ClassFacts& facts = classes()[*cls];
    Type result =
        type_of_kind(facts.kind == ClassFacts::Kind::kEnum ? Kind::kEnum : Kind::kInstance);
    if (facts.kind == ClassFacts::Kind::kTypedDict) {
      // Each key has a type of its own; together they are a dictionary of strings.
      Type values = type_of_parts(Kind::kUnion, {});
      for (const ClassVariable& variable : facts.variables) {
        if (variable.annotation)
          values = join(*store_, values, resolve(*variable.annotation, depth + 1));
      }
      result = type_of_parts(Kind::kDict, {type_of_kind(Kind::kStr), std::move(values)});
    }
    result.cls = *cls;
    return result;
  }
  if (definitions_->bindings(name) > 0 && !definitions_->imported(name))
    return type_of_kind(Kind::kOther);
  const Type any = type_of_kind(Kind::kOther);
  if (name == "str" || name == "LiteralString") return type_of_kind(Kind::kStr);
  if (name == "int") return type_of_kind(Kind::kInt);
  if (name == "bool") return type_of_kind(Kind::kBool);
  if (name == "float") return type_of_kind(Kind::kFloat);
  if (name == "bytes") return type_of_kind(Kind::kBytes);
  if (name == "None") return type_of_kind(Kind::kNone);
  if (std::optional<LibraryClass> cls = library_class(name))
    return type_of_library(*cls, *cls == LibraryClass::kPath ? normal_paths() : Words{});
  if (is_one_of(name, {"list", "List"})) return type_of_parts(Kind::kList, {any});
  if (is_one_of(name, {"set", "frozenset", "Set", "FrozenSet"}))
    return type_of_parts(Kind::kSet, {any});
  if (is_one_of(name, {"dict", "Dict"})) return type_of_parts(Kind::kDict, {any, any});
  if (is_one_of(name, {"tuple", "Tuple"})) return type_of_parts(Kind::kTupleOf, {any});
  return any;
}

Type Program::resolve_generic(const std::string& name, const Subscript& subscript,
                              int depth) const {
  Exprs parts = {subscript.index};
  if (const auto* tuple = tree_.get<TupleExpr>(subscript.index)) parts = tuple->items;
  auto part = [&](size_t i) {
    return i < parts.size() ? resolve(parts[i], depth + 1) : type_of_kind(Kind::kOther);
  };
  auto united = [&](Type result) {
    for (size_t i = 0; i < parts.size(); ++i) result = join(*store_, result, part(i));
    return result;
  };
  if (name == "Annotated") {
    for (ExprId one : parts) {
      Type type = resolve(one, depth + 1);
      if (type.kind == Kind::kLanguage) return type;
    }
    return part(0);
  }
  if (name == "Optional") return united(type_of_kind(Kind::kNone));
  if (name == "Union") return united(type_of_parts(Kind::kUnion, {}));
  if (is_one_of(name, {"Final", "ClassVar", "Required", "NotRequired", "ReadOnly"})) return part(0);
  if (name == "Literal") {
    Type result = type_of_parts(Kind::kUnion, {});
    for (ExprId one : parts) {
      Type value = type_of_kind(Kind::kOther);
      if (const auto* text = tree_.get<StringLiteral>(one); text != nullptr && text->is_exact)
        value = type_of_words(store_->word(letters_->word(text->value)));
      else if (const auto* number = tree_.get<IntLiteral>(one);
               number != nullptr && number->digits.size() < 10)
        value =
            type_of_range({std::atoll(number->digits.c_str()), std::atoll(number->digits.c_str())});
      else if (tree_.get<BoolLiteral>(one) != nullptr)
        value = type_of_kind(Kind::kBool);
      else if (tree_.get<NoneLiteral>(one) != nullptr)
        value = type_of_kind(Kind::kNone);
      result = join(*store_, result, value);
    }
    return result;
  }
  if (is_one_of(name, {"list", "List", "MutableSequence", "deque", "Deque"}))
    return type_of_parts(Kind::kList, {part(0)});
  if (is_one_of(name, {"set", "frozenset", "Set", "FrozenSet", "AbstractSet", "MutableSet"}))
    return type_of_parts(Kind::kSet, {part(0)});
  if (is_one_of(name, {"dict", "Dict", "Mapping", "MutableMapping", "defaultdict", "OrderedDict"}))
    return type_of_parts(Kind::kDict, {part(0), part(1)});
  if (name == "Sequence") {
    Type sequence = type_of_parts(Kind::kIterable, {part(0)});
    sequence.cls = 1;
    return sequence;
  }
  if (is_one_of(name, {"Iterable", "Iterator", "Collection", "Generator", "KeysView", "ValuesView",
                       "Reversible"}))
    return type_of_parts(Kind::kIterable, {part(0)});
  if (name == "Callable" && parts.size() == 2 && !part(1).is_any())
    return type_of_parts(Kind::kCallable, {part(1)});
  if (is_one_of(name, {"tuple", "Tuple"})) {
    if (parts.size() == 2 && tree_.get<EllipsisLiteral>(parts[1]) != nullptr)
      return type_of_parts(Kind::kTupleOf, {part(0)});
    std::vector<Type> items;
    for (size_t i = 0; i < parts.size(); ++i) items.push_back(part(i));
    return type_of_parts(Kind::kTuple, std::move(items));
  }
  return type_of_kind(Kind::kOther);
}

Type Program::resolve(ExprId annotation, int depth) const {
  if (depth > 60) return type_of_kind(Kind::kOther);
  if (const auto* name = tree_.get<Name>(annotation)) return resolve_name(name->id, depth);
  if (const auto* text = tree_.get<StringLiteral>(annotation))
    return resolve_name(text->value, depth);
  if (tree_.get<NoneLiteral>(annotation) != nullptr) return type_of_kind(Kind::kNone);
  if (const auto* attribute = tree_.get<Attribute>(annotation))
    return resolve_name(attribute->name, depth);
  if (const auto* call = tree_.get<Call>(annotation)) {
    const auto* name = tree_.get<Name>(call->function);
    if (name == nullptr) return type_of_kind(Kind::kOther);
    if (name->id == "lang" && call->args.size() == 1) {
      auto found = types_.find(static_cast<uint32_t>(call->args[0]));
      if (found != types_.end()) return type_of_words(found->second.words);
    }
    if (name->id == "NewType" && call->args.size() == 2) return resolve(call->args[1], depth + 1);
    return type_of_kind(Kind::kOther);
  }
  if (const auto* either = tree_.get<BinaryOperation>(annotation);
      either != nullptr && either->op == BinaryOp::kBitOr) {
    return join(*store_, resolve(either->left, depth + 1), resolve(either->right, depth + 1));
  }
  if (const auto* subscript = tree_.get<Subscript>(annotation)) {
    if (const auto* name = tree_.get<Name>(subscript->value))
      return resolve_generic(name->id, *subscript, depth);
    if (const auto* attribute = tree_.get<Attribute>(subscript->value))
      return resolve_generic(attribute->name, *subscript, depth);
  }
  return type_of_kind(Kind::kOther);
}

}  // namespace nacre::python
