// The formulas of the original's specifications: what relates the tree before with the tree after,
// in the terms of its logic, and cases made of them. For original_cases.cpp and original_tests.cpp.
#pragma once

#include "colis/symbolic.h"

namespace nacre::colis::original {

using Cases = std::vector<UtilityCase<SymbolicFiles>>;
using Ways = std::vector<SymbolicFiles>;
using Formula = std::function<Ways(SymbolicFiles)>;  // one for each disjunct
constexpr Kinds kNotDirectory = static_cast<Kinds>(kAnyKind & ~kDirectory);

[[nodiscard]] std::vector<std::string> components(const std::string& cwd, const std::string& path);
[[nodiscard]] std::string stripped(std::string path);  // without slashes at its end
[[nodiscard]] bool ends_in_dots(const std::string& path);

[[nodiscard]] Formula anything();
[[nodiscard]] Formula resolves(const std::vector<std::string>& path, Kinds kinds = kAnyKind);
// If the path resolves, then to a node of `kinds`; 0: it does not.
[[nodiscard]] Formula may_be(const std::vector<std::string>& path, Kinds kinds);
// The entry at the end of `path`, which is of `kinds` (0: not there), becomes what `make` makes.
[[nodiscard]] Formula changes(const std::vector<std::string>& path, Kinds kinds,
                              const std::function<std::optional<NodeId>(Clause&)>& make);

struct Case {
  bool is_success;
  std::string description;
  Formula formula;
};

// The state with other files.
[[nodiscard]] SymbolicState with_files(SymbolicFiles files, const SymbolicState& state);
[[nodiscard]] Cases apply(const std::vector<Case>& cases, const SymbolicState& state);
[[nodiscard]] Cases single(SymbolicState state, UtilityResult result, const std::string& line = "");

// `test`, without its name and the `]`.
[[nodiscard]] Cases test_cases(const std::vector<std::string>& words, const SymbolicState& state);

}  // namespace nacre::colis::original
