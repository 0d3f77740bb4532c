#include "machine/arithmetic.h"

#include <doctest/doctest.h>
#include <map>

namespace nacre::machine {
namespace {

class MapBindings final : public Bindings {
 public:
  Result<const std::string*> lookup(NameId name) override {
    auto found = values.find(name);
    return found == values.end() ? nullptr : &found->second;
  }
  Result<int> assign(NameId name, std::string_view value) override {
    values[name] = value;
    return 0;
  }
  std::map<NameId, std::string> values;
};

std::string value_of(std::string_view text, MapBindings& bindings, Names& names) {
  shell::Arena arena;
  auto parsed = parse_arithmetic(text, names, arena);
  if (!parsed) return "error";
  auto value = evaluate(**parsed, bindings, names);
  return value ? std::to_string(*value) : "error";
}

std::string value_of(std::string_view text) {
  MapBindings bindings;
  Names names;
  return value_of(text, bindings, names);
}

}  // namespace

TEST_CASE("arithmetic follows C") {
  CHECK(value_of("1 + 2 * 3") == "7");
  CHECK(value_of("(1 + 2) * 3") == "9");
  CHECK(value_of("-7 / 2") == "-3");
  CHECK(value_of("-7 % 3") == "-1");
  CHECK(value_of("1 ? 2 : 0 ? 3 : 4") == "2");
  CHECK(value_of("1 || 0 && 0") == "1");
  CHECK(value_of("5 & 3 | 8 ^ 1") == "9");
  CHECK(value_of("2--5") == "7");
  CHECK(value_of("0x1F + 010 + 2#101") == "44");
  CHECK(value_of("2 ** 3 ** 2") == "512");
  CHECK(value_of("") == "0");
}

TEST_CASE("overflow wraps and what is undefined in C is an error or defined") {
  CHECK(value_of("9223372036854775807 + 1") == "-9223372036854775808");
  CHECK(value_of("(-9223372036854775807 - 1) / -1") == "-9223372036854775808");
  CHECK(value_of("(-9223372036854775807 - 1) % -1") == "0");
  CHECK(value_of("1 / 0") == "error");
  CHECK(value_of("1 << 64") == "1");
}

TEST_CASE("assignments change variables, lazily") {
  MapBindings bindings;
  Names names;
  CHECK(value_of("x = 5", bindings, names) == "5");
  CHECK(value_of("x += 2, x * 2", bindings, names) == "14");
  CHECK(value_of("x++ + ++x", bindings, names) == "16");
  CHECK(value_of("0 && (x = 100)", bindings, names) == "0");
  CHECK(value_of("x", bindings, names) == "9");
}

TEST_CASE("a value may be an expression, but not of itself") {
  MapBindings bindings;
  Names names;
  bindings.values[names.intern("x")] = "1 + 2";
  CHECK(value_of("x * 2", bindings, names) == "6");
  bindings.values[names.intern("y")] = "y";
  CHECK(value_of("y", bindings, names) == "error");
}

TEST_CASE("errors are found") {
  for (const char* text : {"1 +", "(1", "1 2", "1 = 2", "$", "08", "x ++ 1", "1 ? 2"}) {
    CAPTURE(text);
    CHECK(value_of(text) == "error");
  }
  CHECK(value_of(std::string(5000, '(') + "1" + std::string(5000, ')')) == "error");
}

}  // namespace nacre::machine
