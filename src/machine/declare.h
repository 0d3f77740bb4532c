// The builtins of bash that give variables attributes, and what they print.
#pragma once

#include <string>
#include <vector>

#include "machine/fields.h"
#include "machine/names.h"

namespace nacre::machine {

struct Machine;

enum class DeclareScope : uint8_t { kDeclare, kLocal, kExport, kReadonly };

int declare_variables(Machine& machine, Args args, DeclareScope scope);

// x='a b' with a newline, as `set` lists variables; "" for one without a value.
[[nodiscard]] std::string assignment_text(const Machine& machine, NameId name);
// Sorted.
[[nodiscard]] std::vector<std::string> function_names(const Machine& machine);
int type_in_bash(Machine& machine, Args args);
int hash_in_bash(Machine& machine, Args args);
// In the environment as BASH_FUNC_name%%, where another bash finds it.
void export_function(Machine& machine, NameId name, bool on);
// The definition as bash lays it out, with a newline.
[[nodiscard]] std::string function_text(const Machine& machine, NameId name);

}  // namespace nacre::machine
