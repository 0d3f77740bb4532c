// The tests that `test` and [[ ]] share.
#pragma once

#include <string>
#include <string_view>

namespace nacre::machine {

struct Machine;

// -n -z -t -r -f ...: `letter` says which.
[[nodiscard]] bool test_unary(Machine& machine, char letter, const std::string& operand);
// -nt -ot -ef
[[nodiscard]] bool test_files(Machine& machine, std::string_view op, const std::string& left,
                              const std::string& right);

}  // namespace nacre::machine
