// declare, typeset, and in bash also local, export and readonly: attributes, scopes and values.
#include "machine/declare.h"

#include <algorithm>
#include <fmt/format.h>

#include "machine/builtins.h"
#include "machine/declaration.h"
#include "machine/machine.h"
#include "machine/quote.h"

namespace nacre::machine {
namespace {

// One argument: name, name[subscript], name=value, name+=value.
struct Operand {
  std::string_view whole;
  std::string_view name;
  std::optional<std::string_view> subscript;
  std::optional<std::string_view> value;
  bool is_append = false;
  const CompoundValue* compound = nullptr;  // name=(...)
};

Operand parse_operand(std::string_view text) {
  Operand result;
  result.whole = text;
  size_t end = 0;
  while (end < text.size() && is_name_char(text[end])) ++end;
  result.name = text.substr(0, end);
  if (end < text.size() && text[end] == '[') {
    size_t close = text.find(']', end);
    size_t equals = text.find("]=", end);
    size_t plus = text.find("]+=", end);
    if (equals != text.npos || plus != text.npos) close = std::min(equals, plus);
    if (close != text.npos) {
      result.subscript = text.substr(end + 1, close - end - 1);
      end = close + 1;
    }
  }
  std::string_view rest = text.substr(end);
  if (rest.starts_with("+=")) {
    result.is_append = true;
    rest.remove_prefix(1);
  }
  if (rest.starts_with('=')) {
    result.value = rest.substr(1);
  } else if (!rest.empty()) {
    result.name = {};  // no name at all
  }
  return result;
}

struct Wanted {
  uint8_t add = 0;  // of Attribute
  uint8_t remove = 0;
  std::optional<ArrayKind> array;
  std::optional<bool> exported;
  std::optional<bool> readonly;
  bool is_global = false;
  bool prints = false;
  bool functions = false;
  bool function_names = false;
  bool inherits = false;

  [[nodiscard]] bool changes() const {
    return add != 0 || remove != 0 || array || exported || readonly;
  }
};

class Declare {
 public:
  Declare(Machine& machine, Args args, DeclareScope scope)
      : machine_(machine), args_(args), scope_(scope) {}

  int run() {
    size_t first = 1;
    if (int status = scan(first)) return status;
    if (wanted_.functions || wanted_.function_names) return functions(first);
    if (first >= args_.size()) return list();
    if (wanted_.prints && scope_ != DeclareScope::kExport && scope_ != DeclareScope::kReadonly) {
      return print(first);
    }
    int status = 0;
    for (size_t i = first; i < args_.size(); ++i) {
      if (!declare(i)) status = 1;
      if (machine_.unwinding != Unwind::kNone) return status;
    }
    if (!lists_.empty() && status == 0) {
      machine_.push_source(Source::of_text("declare", std::move(lists_)), false);
      return kPushed;
    }
    return status;
  }

 private:
  int scan(size_t& at) {
    if (scope_ == DeclareScope::kExport) wanted_.exported = true;
    if (scope_ == DeclareScope::kReadonly) wanted_.readonly = true;
    for (; at < args_.size(); ++at) {
      std::string_view arg = args_[at];
      if (arg.size() < 2 || (arg[0] != '-' && arg[0] != '+')) return 0;
      if (arg == "--") {
        ++at;
        return 0;
      }
      for (char letter : arg.substr(1)) {
        if (option(letter, arg[0] == '-')) continue;
        machine_.builtin_error(args_[0], fmt::format("{}{}: invalid option", arg[0], letter));
        return machine_.usage_failure(args_[0]);
      }
    }
    return 0;
  }

  bool option(char letter, bool on) {
    auto attribute = [&](uint8_t bit) {
      (on ? wanted_.add : wanted_.remove) |= bit;
      return true;
    };
    bool is_narrow = scope_ == DeclareScope::kExport || scope_ == DeclareScope::kReadonly;
    if (is_narrow && std::string_view("aAfnp").find(letter) == std::string_view::npos) return false;
    if (scope_ == DeclareScope::kReadonly && letter == 'n') {
      wanted_.readonly.reset();
      return true;
    }
    if (scope_ == DeclareScope::kExport && letter == 'n') {
      wanted_.exported = false;
      return true;
    }
    switch (letter) {
      case 'a':
        if (on) wanted_.array = ArrayKind::kIndexed;
        return true;
      case 'A':
        if (on) wanted_.array = ArrayKind::kAssociative;
        return true;
      case 'i': return attribute(kInteger);
      case 'l': return attribute(kLowerCase);
      case 'u': return attribute(kUpperCase);
      case 'c': return attribute(kCapitalised);
      case 'n': return attribute(kReference);
      case 't': return attribute(kTraced);
      case 'g': wanted_.is_global = true; return true;
      case 'p': wanted_.prints = true; return true;
      case 'r':
        if (on) wanted_.readonly = true;
        return true;
      case 'x': wanted_.exported = on; return true;
      case 'f': wanted_.functions = true; return true;
      case 'F': wanted_.function_names = true; return true;
      case 'I': wanted_.inherits = true; return true;
      default: return false;
    }
  }

  bool complain(std::string_view message) {
    bool is_silent = scope_ == DeclareScope::kReadonly || scope_ == DeclareScope::kExport;
    if (is_silent && message.ends_with("readonly variable")) {
      machine_.flush_out();
      machine_.error(message);
      return false;
    }
    machine_.builtin_error(args_[0], message);
    return false;
  }

  // In a function, unless -g says otherwise.
  [[nodiscard]] bool is_local() const {
    if (wanted_.is_global || scope_ == DeclareScope::kExport || scope_ == DeclareScope::kReadonly) {
      return false;
    }
    return call() != nullptr;
  }
  [[nodiscard]] const Frame* call() const { return machine_.local_scope(); }

  void make_local(NameId id) {
    Variables& variables = machine_.state.variables;
    const Frame* function = call();
    if (machine_.is_local(*function, id)) return;
    Frame& caller = machine_.frames.back();
    // Assignments before the builtin end with it, but not what it declares.
    variables.save_before(caller.base.variables++, id);
    if (wanted_.inherits || variables.at(id).is(kDynamic)) return;
    bool is_exported = variables.at(id).is_exported;
    variables.unset(id);
    if (is_exported && variables.get(id) != nullptr) variables.set_exported(id, true);
    if (variables.has_changes()) machine_.react_to_changes();
  }

  bool declare(size_t i) {
    Operand operand = parse_operand(args_[i]);
    for (Machine::PendingCompound& compound : machine_.compounds) {
      if (compound.field == args_.base() + i) operand.compound = &compound.value;
    }
    if (!is_name(operand.name)) {
      return complain(fmt::format("`{}': not a valid identifier", operand.whole));
    }
    Variables& variables = machine_.state.variables;
    NameId id = variables.id(operand.name);
    if (is_local()) {
      bool is_own = machine_.is_local(*call(), id);
      if (variables.at(id).is_readonly && (!is_own || operand.value)) {
        return complain(fmt::format("{}: readonly variable", operand.name));
      }
      make_local(id);
    }
    Variable* global = wanted_.is_global ? variables.oldest_saved(id) : nullptr;
    if (global != nullptr) std::swap(*global, variables.at(id));
    bool done = apply(id, operand);
    if (global != nullptr) std::swap(*variables.oldest_saved(id), variables.at(id));
    return done;
  }

  bool apply(NameId id, const Operand& operand) {
    Variables& variables = machine_.state.variables;
    if ((wanted_.add & kReference) != 0) return refer(id, operand);
    if ((wanted_.remove & kReference) != 0 && variables.at(id).is(kReference)) {
      std::string target = variables.at(id).value;
      variables.unset(id);
      variables.set(id, target);
    }
    NameId meant = variables.referent(id);
    if (meant != kNoName) id = meant;
    const Variable& variable = variables.at(id);
    bool changes_value = operand.value || operand.compound != nullptr;
    bool loses_attribute = wanted_.remove != 0 || (wanted_.add & ~variable.attributes) != 0;
    if (variable.is_readonly && (changes_value || (loses_attribute && wanted_.changes()))) {
      return complain(fmt::format("{}: readonly variable", machine_.names().text(id)));
    }
    if (!make_array(id, operand)) return false;
    auto attributes =
        static_cast<uint8_t>((variables.at(id).attributes | wanted_.add) & ~wanted_.remove);
    if ((wanted_.add & (kUpperCase | kLowerCase)) == kUpperCase) attributes &= ~kLowerCase;
    if ((wanted_.add & (kUpperCase | kLowerCase)) == kLowerCase) attributes &= ~kUpperCase;
    if (attributes != variables.at(id).attributes) variables.set_attributes(id, attributes);
    if (!assign(id, operand)) return false;
    if (wanted_.exported) variables.set_exported(id, *wanted_.exported);
    if (wanted_.readonly && has_list(operand)) {
      lists_ += fmt::format("readonly {}\n", operand.name);
    } else if (wanted_.readonly) {
      variables.set_readonly(id);
    }
    return true;
  }

  // declare -a 'a=(x y)': the text is read as an assignment when all else is declared.
  bool has_list(const Operand& operand) const {
    return wanted_.array && operand.compound == nullptr && operand.value && !operand.subscript &&
           operand.value->starts_with('(') && operand.value->ends_with(')');
  }

  bool refer(NameId id, const Operand& operand) {
    Variables& variables = machine_.state.variables;
    std::string target(operand.value ? *operand.value : std::string_view());
    if (!operand.value && variables.get(id) != nullptr) target = *variables.get(id);
    if (target == operand.name && call() == nullptr) {
      return complain(fmt::format("{}: nameref variable self references not allowed", target));
    }
    size_t bracket = target.find('[');
    if (!target.empty() && !is_name(std::string_view(target).substr(0, bracket))) {
      return complain(fmt::format("`{}': invalid variable name for name reference", target));
    }
    variables.set_reference(id, target);
    if (wanted_.readonly) variables.set_readonly(id);
    return true;
  }

  bool make_array(NameId id, const Operand& operand) {
    Variables& variables = machine_.state.variables;
    const Variable& variable = variables.at(id);
    bool is_wanted = wanted_.array || operand.compound != nullptr || operand.subscript;
    if (!is_wanted) return true;
    ArrayKind kind = wanted_.array.value_or(ArrayKind::kIndexed);
    if (variable.array != nullptr) {
      if (wanted_.array && variable.array->kind() != kind) {
        bool to_associative = kind == ArrayKind::kAssociative;
        return complain(fmt::format("{}: cannot convert {} to {} array", operand.name,
                                    to_associative ? "indexed" : "associative",
                                    to_associative ? "associative" : "indexed"));
      }
      return true;
    }
    // A subscript without a value only declares the array.
    (void)variables.array_for_change(id, kind);
    return true;
  }

  bool assign(NameId id, const Operand& operand) {
    if (operand.compound != nullptr) {
      CompoundValue value = *operand.compound;
      return machine_.assign_compound(id, value, operand.is_append);
    }
    if (!operand.value) return true;
    std::string value(*operand.value);
    if (has_list(operand)) {
      lists_ += fmt::format("{}{}{}\n", operand.name, operand.is_append ? "+=" : "=", value);
      return true;
    }
    if (operand.subscript) {
      std::optional<Key> key = machine_.key_of(id, std::string(*operand.subscript));
      return key && machine_.assign_element(id, *key, value, operand.is_append);
    }
    return machine_.assign(id, value, operand.is_append);
  }

  // --- listing

  [[nodiscard]] bool is_listed(const Variable& variable) const {
    if (variable.is(kDynamic)) return false;
    if (wanted_.exported && !variable.is_exported) return false;
    if (wanted_.readonly && !variable.is_readonly) return false;
    if (wanted_.array && (variable.array == nullptr || variable.array->kind() != *wanted_.array)) {
      return false;
    }
    return (wanted_.add & ~variable.attributes) == 0;
  }

  int list() {
    Variables& variables = machine_.state.variables;
    bool as_commands = wanted_.prints || wanted_.changes();
    std::vector<NameId> names = variables.sorted();
    if (scope_ == DeclareScope::kLocal) {
      names =
          variables.saved_between(call()->base.variables, machine_.frames.back().base.variables);
      std::reverse(names.begin(), names.end());
    }
    for (NameId id : names) {
      const Variable& variable = variables.at(id);
      if (!is_listed(variable)) continue;
      if (as_commands) {
        machine_.out(declaration(machine_, id, variable) + "\n");
      } else {
        machine_.out(assignment_text(machine_, id));
      }
    }
    return 0;
  }

  int print(size_t first) {
    int status = 0;
    for (size_t i = first; i < args_.size(); ++i) {
      NameId id = machine_.names().find(args_[i]);
      const Variable* variable = id == kNoName ? nullptr : &machine_.state.variables.at(id);
      bool is_there = variable != nullptr && (variable->is_set || variable->attributes != 0 ||
                                              variable->is_exported || variable->is_readonly);
      if (!is_there) {
        complain(fmt::format("{}: not found", args_[i]));
        status = 1;
        continue;
      }
      machine_.out(declaration(machine_, id, *variable) + "\n");
    }
    return status;
  }

  // -t, -x and -r of a function.
  void change_function(NameId id) {
    Variables& variables = machine_.state.variables;
    uint8_t attributes = variables.at(id).attributes;
    if ((wanted_.add & kTraced) != 0) attributes |= kTraced;
    if ((wanted_.remove & kTraced) != 0) attributes &= static_cast<uint8_t>(~kTraced);
    if (attributes != variables.at(id).attributes) variables.set_attributes(id, attributes);
    if (wanted_.exported) export_function(machine_, id, *wanted_.exported);
    if (wanted_.readonly) {
      machine_.state.functions[static_cast<uint32_t>(id)].is_readonly = true;
    }
  }

  // As declare -F lists it.
  static std::string function_line(const Function& function, std::string_view name) {
    return fmt::format("declare -f{}{} {}\n", function.is_readonly ? "r" : "",
                       function.is_exported ? "x" : "", name);
  }

  int functions(size_t first) {
    int status = 0;
    std::vector<std::string> names;
    for (size_t i = first; i < args_.size(); ++i) names.emplace_back(args_[i]);
    if (names.empty()) names = function_names(machine_);
    for (const std::string& name : names) {
      NameId id = machine_.names().find(name);
      const Function* function = id == kNoName ? nullptr : machine_.function(id);
      if (function == nullptr) {
        status = 1;
        if (scope_ == DeclareScope::kExport || scope_ == DeclareScope::kReadonly) {
          machine_.builtin_error(args_[0], fmt::format("{}: not a function", name));
        }
      } else if (scope_ == DeclareScope::kExport) {
        export_function(machine_, id, wanted_.exported.value_or(true));
      } else if (first < args_.size() && wanted_.changes()) {
        change_function(id);
      } else if (scope_ == DeclareScope::kReadonly || wanted_.readonly) {
        if (function->is_readonly) {
          machine_.out(function_text(machine_, id) + fmt::format("declare -fr {}\n", name));
        }
      } else if (wanted_.function_names) {
        machine_.out(first < args_.size() ? name + "\n" : function_line(*function, name));
      } else {
        machine_.out(function_text(machine_, id));
      }
    }
    return status;
  }

  Machine& machine_;
  Args args_;
  DeclareScope scope_;
  Wanted wanted_;
  std::string lists_;
};

}  // namespace

int declare_variables(Machine& machine, Args args, DeclareScope scope) {
  if (scope == DeclareScope::kLocal) {
    if (machine.local_scope() == nullptr) {
      return machine.builtin_failure(args[0], "can only be used in a function", 1);
    }
  }
  return Declare(machine, args, scope).run();
}

int run_declare(Machine& machine, Args args) {
  return declare_variables(machine, args, DeclareScope::kDeclare);
}

}  // namespace nacre::machine
