// What a module defines, read off its tree: functions (also methods, nested ones and lambdas),
// classes, imports, and which names are bound where. Nothing is evaluated here.
#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "python/ast.h"

namespace nacre::python {

inline bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

enum class Binding : uint8_t {
  kFunction,
  kMethod,
  kClassMethod,
  kStaticMethod,
  kProperty,
  kModule
};

struct FunctionFacts {
  std::string name;  // with its class and the functions around it: "Reader.feed", "parse.pad"
  const FunctionDef* definition = nullptr;
  Binding binding = Binding::kFunction;
  std::optional<uint32_t> cls;
  std::optional<uint32_t> parent;  // the function around it
  bool is_generator = false;
  bool is_lambda = false;
  bool has_unknown_decorator = false;  // or it is a method that is bound again: it may do anything
};

struct ClassVariable {  // a statement `name: annotation = value` of the class's body
  std::string name;
  Optional annotation, value;
};

struct ClassFacts {
  enum class Kind : uint8_t { kPlain, kData, kNamedTuple, kTypedDict, kEnum, kException };
  std::string name;
  const ClassDef* definition = nullptr;
  Kind kind = Kind::kPlain;
  std::vector<uint32_t> order;              // itself, then its bases, as methods are looked up
  bool has_unknown_base = false;            // it may have attributes that are not in the file
  std::vector<ClassVariable> variables;     // its own
  std::map<std::string, uint32_t> methods;  // its own, to functions
  std::vector<std::string> fields;  // everything that its instances may hold, those of bases first
  std::map<std::string, ExprId> field_annotations;  // `self.name: T = ...`
  [[nodiscard]] std::optional<size_t> field(const std::string& field_name) const;
};

class Definitions {
 public:
  // Adds a return statement to the tree for each lambda.
  explicit Definitions(Tree& tree);

  [[nodiscard]] const std::vector<FunctionFacts>& functions() const { return functions_; }
  [[nodiscard]] const std::vector<ClassFacts>& classes() const { return classes_; }
  // The only function or class of the module with this name; nothing if another statement may bind
  // the name, too.
  [[nodiscard]] std::optional<uint32_t> function(const std::string& name) const;
  [[nodiscard]] std::optional<uint32_t> cls(const std::string& name) const;
  [[nodiscard]] std::optional<uint32_t> function_of(const FunctionDef* definition) const;
  [[nodiscard]] std::optional<uint32_t> class_of(const ClassDef* definition) const;
  [[nodiscard]] std::optional<uint32_t> lambda(ExprId expr) const;
  [[nodiscard]] std::optional<uint32_t> method(uint32_t cls, const std::string& name,
                                               size_t skip = 0) const;
  // The class variable and the class that has it.
  [[nodiscard]] const ClassVariable* variable(uint32_t cls, const std::string& name) const;
  [[nodiscard]] bool is_subclass(uint32_t derived, uint32_t base) const;
  [[nodiscard]] std::vector<uint32_t> subclasses(uint32_t base) const;  // itself included
  // The fields that a call of a dataclass or named tuple sets, in order.
  [[nodiscard]] std::vector<const ClassVariable*> constructor_fields(uint32_t cls) const;

  // "os.path.join" for a name that stands for it by an import.
  [[nodiscard]] std::optional<std::string> imported(const std::string& name) const;
  // How many statements of the module bind the name: 0 leaves a builtin what it is.
  [[nodiscard]] size_t bindings(const std::string& name) const;
  [[nodiscard]] bool is_changed_global(const std::string& name) const {
    return changed_globals_.count(name) > 0;
  }
  // Attributes that some function other than a constructor assigns to.
  [[nodiscard]] bool is_changed_field(const std::string& name) const {
    return changed_fields_.count(name) > 0;
  }
  // Is the iterator that this expression gives read to its end, there and then?
  [[nodiscard]] bool is_consumed(ExprId expr) const { return consumed_.count(expr) > 0; }
  // Does anything in the file change a list, set or dictionary?
  [[nodiscard]] bool changes_containers() const { return changes_containers_; }

 private:
  struct Around {
    std::string prefix;
    std::optional<uint32_t> cls, parent;
  };
  void collect(const Block& block, const Around& around, bool is_module, bool is_certain);
  void add_function(const FunctionDef& function, const Around& around);
  void add_class(const ClassDef& cls, const Around& around);
  void classify(ClassFacts& facts);
  void collect_fields();
  void collect_lambdas();
  void collect_changes();
  void collect_consumed();
  void note_rebound_methods();
  void bind(const std::string& name, bool is_certain);

  Tree& tree_;
  std::vector<FunctionFacts> functions_;
  std::vector<ClassFacts> classes_;
  std::deque<FunctionDef> made_;  // for lambdas and the module
  std::map<std::string, uint32_t> module_functions_, module_classes_;
  std::map<const FunctionDef*, uint32_t> by_definition_;
  std::map<const ClassDef*, uint32_t> class_by_definition_;
  std::vector<std::pair<ExprId, StmtId>> lambda_bodies_;
  std::map<ExprId, uint32_t> lambdas_;
  std::map<std::string, std::string> imports_;
  std::map<std::string, size_t> bindings_;
  std::set<std::string> changed_globals_, changed_fields_;
  bool changes_containers_ = false;
  std::set<ExprId> consumed_;
};

// Methods that change the list, set or dictionary that they are called on.
bool is_changing_method(const std::string& name);

}  // namespace nacre::python
