// Programs in arguments are read whole, however long they are; what is too much to follow is taken
// for any output. These tests would take minutes or gigabytes without the limits.
#include <doctest/doctest.h>
#include <fmt/core.h>

#include "flow/testing/codes.h"

using namespace nacre;
using flow::testing::codes;

namespace {

constexpr int kMany = 5000;

// `pattern` for each number from 0, one after the other.
template <typename Print>
std::string many(Print print) {
  std::string result;
  for (int i = 0; i < kMany; i++) result += print(i);
  return result;
}

std::string rules() {
  return many(
      [](int i) { return fmt::format("$1 ~ /a{}b*/ {{ print $2, \"x\"; n[$1]++ }}\n", i); });
}
std::string substitutions() {
  return many([](int i) { return fmt::format("s/a{}b*/x{}/g\n", i, i); });
}

}  // namespace

TEST_CASE("an awk program of thousands of rules is read") {
  CHECK(codes("ps aux | awk '" + rules() + "' | sort | uniq\n").empty());
  CHECK(codes("ps aux | awk '" + rules() + "END { print ) }'\n") == "T109:5001");
}

TEST_CASE("a sed script of thousands of commands is read") {
  CHECK(codes("ps aux | sed '" + substitutions() + "' | sort | uniq\n").empty());
  CHECK(codes("ps aux | sed '" + substitutions() + "s/x/y'\n") == "T109:5001");
}

TEST_CASE("long expressions of awk") {
  const auto print = [](const std::string& text) { return "awk '{ print " + text + " }' f\n"; };
  CHECK(codes(print(many([](int i) { return fmt::format("${} \"x\" ", i % 50); }) + "1")).empty());
  CHECK(codes(print(many([](int) { return "1+"; }) + "1")).empty());
  CHECK(codes(print(many([](int) { return "("; }) + "1")) == "");  // too deep to be looked at
}

TEST_CASE("long patterns and formats") {
  const std::string words = many([](int i) { return fmt::format("w{}[a-z]*x|", i); });
  CHECK(codes("ps aux | grep -E '" + words + "x' | sort\n").empty());
  CHECK(codes("ps aux | grep -oE '" + words + "['\n") == "T109:1");
  CHECK(codes("date '+" + many([](int) { return "%Y-%m "; }) + "'\n").empty());
  const std::string format = many([](int) { return "%s x\\n"; });
  CHECK(codes("printf '" + format + "' 1 2 | sort\n").empty());
  CHECK(codes("printf '" + format + "%y' 1 2 | sort\n") == "T109:1");
}

TEST_CASE("a text that doubles again and again ends") {
  std::string script = "x=aaaaaaaaaaaaaaaa\n";
  for (int i = 0; i < 50; i++) script += "x=$x$x\n";
  CHECK(codes(script + "echo \"$x\" | grep a\n").empty());
}
