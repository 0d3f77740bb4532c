#include "python/definitions.h"

#include <algorithm>

#include "python/walk.h"

namespace nacre::python {
namespace {

std::string last_name(const Tree& tree, ExprId expr) {
  if (const auto* call = tree.get<Call>(expr)) return last_name(tree, call->function);
  if (const auto* subscript = tree.get<Subscript>(expr)) return last_name(tree, subscript->value);
  if (const auto* attribute = tree.get<Attribute>(expr)) return attribute->name;
  const auto* name = tree.get<Name>(expr);
  return name != nullptr ? name->id : "";
}

// Decorators after which a call still does what the body says.
bool is_transparent(const std::string& name) {
  return is_one_of(
      name, {"staticmethod", "classmethod", "property", "lru_cache", "cache", "cached_property",
             "abstractmethod", "override", "final", "wraps", "no_type_check"});
}

}  // namespace

bool is_changing_method(const std::string& name) {
  return is_one_of(name, {"append", "extend", "insert", "pop", "remove", "clear", "sort", "reverse",
                          "add", "discard", "update", "setdefault", "popitem"});
}

std::optional<size_t> ClassFacts::field(const std::string& field_name) const {
  auto found = std::find(fields.begin(), fields.end(), field_name);
  if (found == fields.end()) return std::nullopt;
  return static_cast<size_t>(found - fields.begin());
}

Definitions::Definitions(Tree& tree) : tree_(tree) {
  // First of all: what is found below points into the tree, which must not grow any more.
  const auto count = static_cast<uint32_t>(tree_.expression_count());
  for (uint32_t i = 0; i < count; ++i) {
    const auto* lambda = tree_.get<Lambda>(ExprId{i});
    if (lambda == nullptr) continue;
    const ExprId body = lambda->body;
    lambda_bodies_.emplace_back(ExprId{i}, tree_.add(Stmt{tree_[body].span, Return{body}}));
  }
  collect(tree.body(), {}, true, true);
  for (ClassFacts& facts : classes_) classify(facts);
  collect_fields();
  collect_lambdas();
  collect_changes();
  collect_consumed();
  FunctionDef& module = made_.emplace_back();
  module.name = "<module>";
  module.body = tree.body();
  FunctionFacts facts;
  facts.name = module.name;
  facts.definition = &module;
  facts.binding = Binding::kModule;
  functions_.push_back(std::move(facts));
}

void Definitions::bind(const std::string& name, bool is_certain) {
  bindings_[name] += is_certain ? 1 : 2;
}

// `is_certain`: the statements are executed once whenever the module is.
void Definitions::collect(const Block& block, const Around& around, bool is_module,
                          bool is_certain) {
  for (StmtId id : block) {
    const Stmt& stmt = tree_[id];
    if (const auto* function = std::get_if<FunctionDef>(&stmt.node)) {
      if (is_module) {
        bind(function->name, is_certain);
        module_functions_[function->name] = static_cast<uint32_t>(functions_.size());
      }
      add_function(*function, around);
      continue;
    }
    if (const auto* cls = std::get_if<ClassDef>(&stmt.node)) {
      if (is_module) {
        bind(cls->name, is_certain);
        module_classes_[cls->name] = static_cast<uint32_t>(classes_.size());
      }
      add_class(*cls, around);
      continue;
    }
    if (const auto* import = std::get_if<Import>(&stmt.node)) {
      for (const ImportName& name : import->names) {
        std::string first = name.name.substr(0, name.name.find('.'));
        if (is_module) bind(name.alias.empty() ? first : name.alias, true);
        imports_[name.alias.empty() ? first : name.alias] = name.alias.empty() ? first : name.name;
      }
    } else if (const auto* from = std::get_if<ImportFrom>(&stmt.node)) {
      for (const ImportName& name : from->names) {
        const std::string& local = name.alias.empty() ? name.name : name.alias;
        // The names of the twin module mean what they mean here.
        if (is_module && from->module != "nacre_types") bind(local, true);
        imports_[local] = from->module + "." + name.name;
      }
    } else if (is_module) {
      for_each_bound_name(tree_, id, [&](const std::string& name) { bind(name, is_certain); });
    }
    for_each_block(tree_, id,
                   [&](const Block& inner) { collect(inner, around, is_module, false); });
  }
}

void Definitions::add_function(const FunctionDef& function, const Around& around) {
  FunctionFacts facts;
  facts.name = around.prefix + function.name;
  facts.definition = &function;
  facts.cls = around.cls;
  facts.parent = around.parent;
  if (around.cls) facts.binding = Binding::kMethod;
  for (ExprId decorator : function.decorators) {
    const std::string name = last_name(tree_, decorator);
    if (name == "staticmethod") facts.binding = Binding::kStaticMethod;
    if (name == "classmethod") facts.binding = Binding::kClassMethod;
    if (name == "property" || name == "cached_property") facts.binding = Binding::kProperty;
    if (!is_transparent(name)) facts.has_unknown_decorator = true;
  }
  facts.is_generator = is_generator(tree_, function.body);
  const auto index = static_cast<uint32_t>(functions_.size());
  by_definition_[&function] = index;
  const std::string prefix = facts.name + ".";
  functions_.push_back(std::move(facts));
  if (around.cls) classes_[*around.cls].methods[function.name] = index;
  collect(function.body, {prefix, std::nullopt, index}, false, false);
}

void Definitions::add_class(const ClassDef& cls, const Around& around) {
  const auto index = static_cast<uint32_t>(classes_.size());
  class_by_definition_[&cls] = index;
  ClassFacts facts;
  facts.name = around.prefix + cls.name;
  facts.definition = &cls;
  for (StmtId id : cls.body) {
    if (const auto* annotated = tree_.get<AnnAssign>(id)) {
      if (const auto* name = tree_.get<Name>(annotated->target))
        facts.variables.push_back({name->id, annotated->annotation, annotated->value});
    } else if (const auto* assign = tree_.get<Assign>(id)) {
      const auto* name = tree_.get<Name>(assign->targets[0]);
      if (name != nullptr && assign->targets.size() == 1)
        facts.variables.push_back({name->id, std::nullopt, assign->value});
    }
  }
  classes_.push_back(std::move(facts));
  collect(cls.body, {around.prefix + cls.name + ".", index, around.parent}, false, false);
}

void Definitions::classify(ClassFacts& facts) {
  using ClassKind = ClassFacts::Kind;
  const auto own = static_cast<uint32_t>(&facts - classes_.data());
  facts.order = {own};
  for (ExprId base : facts.definition->bases) {
    const std::string name = last_name(tree_, base);
    auto known = module_classes_.find(name);
    if (known != module_classes_.end() && known->second < own) {
      for (uint32_t inherited : classes_[known->second].order) {
        if (std::find(facts.order.begin(), facts.order.end(), inherited) == facts.order.end())
          facts.order.push_back(inherited);
      }
      facts.has_unknown_base = facts.has_unknown_base || classes_[known->second].has_unknown_base;
      if (classes_[known->second].kind != ClassKind::kPlain && facts.kind == ClassKind::kPlain)
        facts.kind = classes_[known->second].kind;
    } else if (name == "NamedTuple") {
      facts.kind = ClassKind::kNamedTuple;
    } else if (name == "TypedDict") {
      facts.kind = ClassKind::kTypedDict;
    } else if (is_one_of(name, {"Enum", "StrEnum", "IntEnum", "Flag", "IntFlag"})) {
      facts.kind = ClassKind::kEnum;
      facts.has_unknown_base = name != "Enum";
    } else if (name.ends_with("Error") || name.ends_with("Exception") ||
               is_one_of(name, {"Warning", "KeyboardInterrupt", "SystemExit"})) {
      facts.kind = ClassKind::kException;
      facts.has_unknown_base = true;
    } else if (!is_one_of(name, {"object", "ABC", "Protocol", "Generic"})) {
      facts.has_unknown_base = true;
    }
  }
  for (ExprId decorator : facts.definition->decorators) {
    const std::string name = last_name(tree_, decorator);
    if (name == "dataclass")
      facts.kind = ClassKind::kData;
    else if (!is_one_of(name, {"final", "total_ordering", "runtime_checkable", "unique"}))
      facts.has_unknown_base = true;
  }
}

// Every `self.name = ...` in a method is a field; so are the annotated variables of the class.
void Definitions::collect_fields() {
  for (ClassFacts& facts : classes_) {
    auto add = [&](const std::string& name) {
      if (!facts.field(name)) facts.fields.push_back(name);
    };
    for (size_t i = facts.order.size(); i-- > 1;) {
      for (const std::string& name : classes_[facts.order[i]].fields) add(name);
      for (const auto& [name, annotation] : classes_[facts.order[i]].field_annotations)
        facts.field_annotations.emplace(name, annotation);
    }
    for (const ClassVariable& variable : facts.variables) {
      if (variable.annotation) add(variable.name);
    }
    for (const auto& [method, index] : facts.methods) {
      const FunctionDef& definition = *functions_[index].definition;
      const auto& positional = definition.parameters.positional_only.empty()
                                   ? definition.parameters.positional
                                   : definition.parameters.positional_only;
      if (positional.empty()) continue;
      const std::string& self = positional[0].name;
      auto note = [&](ExprId target, Optional annotation) {
        const auto* attribute = tree_.get<Attribute>(target);
        const auto* object = attribute != nullptr ? tree_.get<Name>(attribute->value) : nullptr;
        if (object == nullptr || object->id != self) return;
        add(attribute->name);
        if (annotation) facts.field_annotations.emplace(attribute->name, *annotation);
      };
      for_all_statements(tree_, definition.body, [&](StmtId id) {
        if (const auto* assign = tree_.get<Assign>(id)) {
          for (ExprId target : assign->targets)
            for_all_expressions(tree_, target, [&](ExprId part) { note(part, std::nullopt); });
        }
        if (const auto* augmented = tree_.get<AugAssign>(id)) note(augmented->target, std::nullopt);
        if (const auto* annotated = tree_.get<AnnAssign>(id))
          note(annotated->target, annotated->annotation);
      });
    }
  }
}

void Definitions::collect_lambdas() {
  for (auto [expr, body] : lambda_bodies_) {
    FunctionDef& made = made_.emplace_back();
    made.name = "<lambda>";
    made.parameters = tree_.get<Lambda>(expr)->parameters;
    made.name_span = tree_[expr].span;
    made.body = {body};
    FunctionFacts facts;
    facts.name = made.name;
    facts.definition = &made;
    facts.is_lambda = true;
    lambdas_[expr] = static_cast<uint32_t>(functions_.size());
    functions_.push_back(std::move(facts));
  }
  // Which function is around it.
  for (uint32_t f = 0; f < functions_.size(); ++f) {
    for (StmtId id : functions_[f].definition->body) {
      auto look = [&](StmtId inner) {
        for_each_expression(tree_, inner, [&](ExprId expr) {
          for_all_expressions(tree_, expr, [&](ExprId part) {
            auto found = lambdas_.find(part);
            if (found != lambdas_.end() && found->second != f) functions_[found->second].parent = f;
          });
        });
      };
      look(id);
      for_each_own_block(tree_, id,
                         [&](const Block& inner) { for_own_statements(tree_, inner, look); });
    }
  }
}

void Definitions::collect_changes() {
  auto name_of = [&](ExprId expr) {
    while (const auto* subscript = tree_.get<Subscript>(expr)) expr = subscript->value;
    const auto* name = tree_.get<Name>(expr);
    return name != nullptr ? name->id : "";
  };
  auto change_part = [&](ExprId target, const std::string& method) {
    if (tree_.get<Subscript>(target) != nullptr) {
      changes_containers_ = true;
      changed_globals_.insert(name_of(target));
    }
    const auto* attribute = tree_.get<Attribute>(target);
    if (attribute != nullptr && method != "__init__" && method != "__post_init__")
      changed_fields_.insert(attribute->name);
  };
  auto look = [&](StmtId id, const std::string& method) {
    auto each_target = [&](ExprId target) {
      for_all_expressions(tree_, target, [&](ExprId part) { change_part(part, method); });
    };
    if (const auto* assign = tree_.get<Assign>(id)) {
      for (ExprId target : assign->targets) each_target(target);
    } else if (const auto* augmented = tree_.get<AugAssign>(id)) {
      change_part(augmented->target, method);
      changes_containers_ = changes_containers_ || augmented->op == BinaryOp::kAdd;
      changed_globals_.insert(name_of(augmented->target));
    } else if (const auto* annotated = tree_.get<AnnAssign>(id)) {
      change_part(annotated->target, method);
    } else if (const auto* removal = tree_.get<Delete>(id)) {
      for (ExprId target : removal->targets) change_part(target, "");
    } else if (const auto* global = tree_.get<Global>(id)) {
      changed_globals_.insert(global->names.begin(), global->names.end());
    } else if (const auto* loop = tree_.get<For>(id)) {
      each_target(loop->target);
    }
  };
  for (const FunctionFacts& facts : functions_) {
    for_own_statements(tree_, facts.definition->body,
                       [&](StmtId id) { look(id, facts.cls ? facts.definition->name : ""); });
  }
  for_own_statements(tree_, tree_.body(), [&](StmtId id) { look(id, ""); });
  for (uint32_t i = 0; i < tree_.expression_count(); ++i) {
    const auto* call = tree_.get<Call>(ExprId{i});
    const auto* attribute = call != nullptr ? tree_.get<Attribute>(call->function) : nullptr;
    if (attribute == nullptr || !is_changing_method(attribute->name)) continue;
    changes_containers_ = true;
    changed_globals_.insert(name_of(attribute->value));
  }
  note_rebound_methods();
}

// A method that the class binds again, binds under a condition, or that something assigns to, may
// do anything.
void Definitions::note_rebound_methods() {
  for (ClassFacts& facts : classes_) {
    std::map<std::string, size_t> bound;
    for_own_statements(tree_, facts.definition->body, [&](StmtId id) {
      const auto* function = tree_.get<FunctionDef>(id);
      if (function == nullptr)
        return for_each_bound_name(tree_, id, [&](const std::string& name) { ++bound[name]; });
      const bool is_overload =
          std::any_of(function->decorators.begin(), function->decorators.end(),
                      [&](ExprId decorator) { return last_name(tree_, decorator) == "overload"; });
      if (!is_overload) ++bound[function->name];
    });
    for (const auto& [name, index] : facts.methods) {
      FunctionFacts& method = functions_[index];
      const Block& body = facts.definition->body;
      const bool is_direct = std::any_of(body.begin(), body.end(), [&](StmtId id) {
        return tree_.get<FunctionDef>(id) == method.definition;
      });
      const bool is_assigned = method.binding != Binding::kProperty && is_changed_field(name);
      if (bound[name] > 1 || !is_direct || is_assigned) method.has_unknown_decorator = true;
    }
  }
}

void Definitions::collect_consumed() {
  for (uint32_t i = 0; i < tree_.statement_count(); ++i) {
    const auto* loop = tree_.get<For>(StmtId{i});
    if (loop == nullptr) continue;
    bool may_leave = false;
    for_own_statements(tree_, loop->body, [&](StmtId id) {
      may_leave = may_leave || tree_.get<Break>(id) != nullptr ||
                  tree_.get<Return>(id) != nullptr || tree_.get<Raise>(id) != nullptr;
    });
    if (!may_leave) consumed_.insert(loop->iterable);
  }
  // Parents come after their parts in the tree.
  for (auto i = static_cast<uint32_t>(tree_.expression_count()); i-- > 0;) {
    const ExprId id{i};
    auto consume = [&](const std::vector<Comprehension>& parts) {
      for (const Comprehension& part : parts) consumed_.insert(part.iterable);
    };
    if (const auto* dict = tree_.get<DictComprehension>(id)) consume(dict->generators);
    if (const auto* list = tree_.get<ComprehensionExpr>(id);
        list != nullptr && (list->kind != ComprehensionKind::kGenerator || is_consumed(id)))
      consume(list->generators);
    const auto* call = tree_.get<Call>(id);
    if (call == nullptr) continue;
    const std::string name = last_name(tree_, call->function);
    const bool is_plain = tree_.get<Name>(call->function) != nullptr && bindings(name) == 0;
    const bool reads_all = is_plain ? is_one_of(name, {"list", "tuple", "set", "frozenset", "dict",
                                                       "sorted", "sum", "min", "max"})
                                    : is_one_of(name, {"join", "extend", "update"});
    const bool passes_on =
        is_plain && is_consumed(id) && is_one_of(name, {"enumerate", "map", "filter", "reversed"});
    if (reads_all || passes_on) consumed_.insert(call->args.begin(), call->args.end());
  }
}

std::optional<uint32_t> Definitions::function(const std::string& name) const {
  auto found = module_functions_.find(name);
  if (found == module_functions_.end() || bindings(name) != 1) return std::nullopt;
  return found->second;
}

std::optional<uint32_t> Definitions::cls(const std::string& name) const {
  auto found = module_classes_.find(name);
  if (found == module_classes_.end() || bindings(name) != 1) return std::nullopt;
  return found->second;
}

std::optional<uint32_t> Definitions::function_of(const FunctionDef* definition) const {
  auto found = by_definition_.find(definition);
  return found == by_definition_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<uint32_t> Definitions::class_of(const ClassDef* definition) const {
  auto found = class_by_definition_.find(definition);
  return found == class_by_definition_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<uint32_t> Definitions::lambda(ExprId expr) const {
  auto found = lambdas_.find(expr);
  return found == lambdas_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<uint32_t> Definitions::method(uint32_t cls, const std::string& name,
                                            size_t skip) const {
  const std::vector<uint32_t>& order = classes_[cls].order;
  for (size_t i = skip; i < order.size(); ++i) {
    auto found = classes_[order[i]].methods.find(name);
    if (found != classes_[order[i]].methods.end()) return found->second;
  }
  return std::nullopt;
}

const ClassVariable* Definitions::variable(uint32_t cls, const std::string& name) const {
  for (uint32_t one : classes_[cls].order) {
    for (const ClassVariable& variable : classes_[one].variables) {
      if (variable.name == name) return &variable;
    }
  }
  return nullptr;
}

bool Definitions::is_subclass(uint32_t derived, uint32_t base) const {
  const std::vector<uint32_t>& order = classes_[derived].order;
  return std::find(order.begin(), order.end(), base) != order.end();
}

std::vector<uint32_t> Definitions::subclasses(uint32_t base) const {
  std::vector<uint32_t> out = {base};
  for (uint32_t i = 0; i < classes_.size(); ++i) {
    if (i != base && is_subclass(i, base)) out.push_back(i);
  }
  return out;
}

std::vector<const ClassVariable*> Definitions::constructor_fields(uint32_t cls) const {
  std::vector<const ClassVariable*> out;
  const std::vector<uint32_t>& order = classes_[cls].order;
  for (size_t i = order.size(); i-- > 0;) {
    for (const ClassVariable& variable : classes_[order[i]].variables) {
      if (!variable.annotation || last_name(tree_, *variable.annotation) == "ClassVar") continue;
      auto known = std::find_if(out.begin(), out.end(), [&](const ClassVariable* one) {
        return one->name == variable.name;
      });
      if (known != out.end())
        *known = &variable;
      else
        out.push_back(&variable);
    }
  }
  return out;
}

std::optional<std::string> Definitions::imported(const std::string& name) const {
  auto found = imports_.find(name);
  if (found == imports_.end() || bindings(name) > 1) return std::nullopt;
  return found->second;
}

size_t Definitions::bindings(const std::string& name) const {
  auto found = bindings_.find(name);
  return found == bindings_.end() ? 0 : found->second;
}

}  // namespace nacre::python
