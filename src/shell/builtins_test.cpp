#include "shell/builtins.h"

#include <doctest/doctest.h>

namespace nacre::shell {

TEST_CASE("the table of builtins is sorted, so that names are found") {
  CHECK(std::is_sorted(std::begin(kBuiltins), std::end(kBuiltins),
                       [](const BuiltinInfo& a, const BuiltinInfo& b) { return a.name < b.name; }));
  for (const BuiltinInfo& info : kBuiltins) CHECK(builtin_named(info.name) == &info);
  CHECK(builtin_named("grep") == nullptr);
}

TEST_CASE("dialects differ in their builtins") {
  CHECK(builtin_named("declare")->is_in(Dialect::kBash));
  CHECK_FALSE(builtin_named("declare")->is_in(Dialect::kDash));
  CHECK(builtin_named("local")->is_in(Dialect::kDash));
  CHECK_FALSE(builtin_named("local")->is_in(Dialect::kSh));
  CHECK(builtin_named("source")->is_in(Dialect::kBusybox));
}

TEST_CASE("what POSIX calls special is special, and so is dash's local") {
  for (std::string_view name :
       {".", ":", "break", "continue", "eval", "exec", "exit", "export", "local", "readonly",
        "return", "set", "shift", "times", "trap", "unset"}) {
    CHECK(is_special_builtin(name));
  }
  CHECK_FALSE(is_special_builtin("cd"));
  CHECK_FALSE(is_special_builtin("source"));
}

}  // namespace nacre::shell
