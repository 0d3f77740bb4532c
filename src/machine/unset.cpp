// unset: variables, elements of arrays, functions, references.
#include <fmt/format.h>

#include "machine/builtin_options.h"
#include "machine/builtins.h"
#include "machine/machine.h"

namespace nacre::machine {
namespace {

class Unset {
 public:
  Unset(Machine& machine, Args args) : machine_(machine), args_(args) {}

  int run() {
    OptionScanner options(args_, machine_.is_bash() ? "fvn" : "fv");
    while (char letter = options.next()) {
      if (letter == '?') return bad_option(options.letter());
      bool is_both = (letter == 'f' && kind_ == 'v') || (letter == 'v' && kind_ == 'f');
      if (is_both && machine_.is_bash()) {
        return machine_.builtin_failure(args_[0],
                                        "cannot simultaneously unset a function and a variable");
      }
      kind_ = letter;
    }
    int status = 0;
    for (size_t i = options.operands(); i < args_.size(); ++i) {
      int result = one(args_[i]);
      if (machine_.unwinding != Unwind::kNone) return result;
      status = result != 0 ? result : status;
    }
    return status;
  }

 private:
  int bad_option(char letter) { return machine_.bad_option(args_[0], letter); }

  int one(std::string_view name) {
    if (kind_ == 'f') return function(name);
    size_t bracket = machine_.is_bash() ? name.find('[') : std::string_view::npos;
    if (bracket != std::string_view::npos && name.ends_with(']') &&
        is_name(name.substr(0, bracket))) {
      return element(name.substr(0, bracket), name.substr(bracket + 1, name.size() - bracket - 2));
    }
    if (!is_name(name)) {
      if (machine_.is_bash() && kind_ == 0) return function(name);
      machine_.builtin_error(args_[0], machine_.is_bash()
                                           ? fmt::format("`{}': not a valid identifier", name)
                                           : fmt::format("{}: bad variable name", name));
      return 1;
    }
    return variable(name);
  }

  int function(std::string_view name) {
    NameId id = machine_.names().find(name);
    if (id != kNoName && machine_.function(id) != nullptr) {
      if (machine_.function(id)->is_readonly) {
        machine_.builtin_error(args_[0], fmt::format("{}: cannot unset: readonly function", name));
        return 1;
      }
      machine_.state.functions[static_cast<uint32_t>(id)] = {};
      machine_.state.function_generation = machine_.names().next_generation();
    }
    return 0;
  }

  int complain_readonly(NameId id) {
    const std::string& name = machine_.names().text(id);
    return machine_.builtin_failure(args_[0],
                                    machine_.is_bash()
                                        ? fmt::format("{}: cannot unset: readonly variable", name)
                                        : fmt::format("{}: is read only", name),
                                    1);
  }

  int variable(std::string_view name) {
    NameId id = machine_.names().find(name);
    if (id == kNoName) return 0;
    Variables& variables = machine_.state.variables;
    if (kind_ != 'n' && variables.at(id).is(kReference)) {
      const std::string target = variables.at(id).value;
      if (target.find('[') != std::string::npos) return one(target);
      NameId meant = variables.referent(id);
      if (meant != kNoName) id = meant;
    }
    const Variable& variable = variables.at(id);
    if (variable.is_readonly) return complain_readonly(id);
    bool is_there = variable.is_set || variable.attributes != 0 || variable.is_exported;
    if (!is_there && machine_.is_bash() && kind_ == 0) return function(name);
    variables.unset(id);
    if (variables.has_changes()) machine_.react_to_changes();
    return 0;
  }

  int element(std::string_view name, std::string_view subscript) {
    Variables& variables = machine_.state.variables;
    NameId id = variables.referent(machine_.names().intern(name));
    if (id == kNoName) return 0;
    const Variable& variable = variables.at(id);
    if (variable.is_readonly) return complain_readonly(id);
    if (variable.array == nullptr) {
      if (subscript == "0" || subscript == "@" || subscript == "*") return this->variable(name);
      if (!variable.is_set) return 0;
      machine_.builtin_error(args_[0], fmt::format("{}: not an array variable", name));
      return 1;
    }
    bool is_all = subscript == "@" || subscript == "*";
    if (is_all && !variable.is_associative()) return this->variable(name);
    std::optional<Key> key = machine_.key_of(id, std::string(subscript));
    if (!key) return 1;
    variables.array_for_change(id).erase(*key);
    return 0;
  }

  Machine& machine_;
  Args args_;
  char kind_ = 0;
};

}  // namespace

int run_unset(Machine& machine, Args args) { return Unset(machine, args).run(); }

}  // namespace nacre::machine
