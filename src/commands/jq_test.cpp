#include <doctest/doctest.h>

#include "commands/jq_eval.h"
#include "commands/stream.h"
#include "regular/decide.h"

using namespace nacre;

namespace {

// What the program prints of the JSON text, as jq -c or jq -rc does.
std::optional<regular::Lang> printed_by(regular::Context& context, std::string_view program,
                                        std::string_view json, bool is_raw) {
  const jq::FilterPointer filter = jq::parse(program);
  REQUIRE(filter);
  const jq::ShapePointer input = jq::shape_of_json(context, json);
  REQUIRE(input);
  return jq::printed(context, *jq::evaluate(context, *filter, input).shape, is_raw, true);
}

bool prints(std::string_view program, std::string_view json, std::string_view text,
            bool is_raw = false) {
  regular::Context context;
  const auto lines = printed_by(context, program, json, is_raw);
  return lines && regular::contains(*lines, text);
}

}  // namespace

TEST_CASE("jq programs are evaluated over shapes") {
  constexpr std::string_view kHosts = R"([{"host": "db", "port": "5432", "n": 3}])";
  CHECK(prints(".[0].host", kHosts, "\"db\""));
  CHECK(prints(".[0].host", kHosts, "db", true));
  CHECK_FALSE(prints(".[0].host", kHosts, "db"));
  CHECK(prints(".[] | .n", kHosts, "3"));
  CHECK(prints(".[0].none", kHosts, "null"));
  CHECK_FALSE(prints(".[0].none // \"x\"", kHosts, "null"));
  CHECK(prints(".[] | [.host, .port] | @csv", kHosts, "\"db\",\"5432\"", true));
  CHECK(prints(".[] | [.host, .n] | @tsv", kHosts, "db\t3", true));
  CHECK(prints(".[] | \"\\(.host):\\(.port)\"", kHosts, "db:5432", true));
  CHECK(prints("length", kHosts, "1"));
  CHECK(prints("{a: .[0].n}", kHosts, "{\"a\":3}"));
}

TEST_CASE("a string is compared with a number") {
  regular::Context context;
  const auto compares = [&](std::string_view program) {
    const jq::ShapePointer input = jq::shape_of_json(context, R"({"p": "3", "n": 3})");
    return jq::evaluate(context, *jq::parse(program), input).compares_kinds;
  };
  CHECK(compares("select(.p <= 3)"));
  CHECK(compares(".p == 3"));
  CHECK_FALSE(compares("select(.n <= 3)"));
  CHECK_FALSE(compares("select((.p | tonumber) <= 3)"));
  CHECK_FALSE(compares("select(.other <= 3)"));
}

TEST_CASE("what is beyond the part of jq that is read gives nothing") {
  for (const char* program :
       {"def f: 1; f", ".a as $x | $x", "reduce .[] as $x (0; . + $x)", "..", ".a |= 1",
        "try error", ".a = 1", "(", "[", "\"", "{a", "if . then 1"})
    CHECK_FALSE(jq::parse(program));
  std::string deep(100000, '(');
  CHECK_FALSE(jq::parse(deep));
}

TEST_CASE("shapes are written as cards have them") {
  regular::Context context;
  CHECK(jq::parse_shape(context, "{a: string, b?: [number], ...}"));
  CHECK_FALSE(jq::parse_shape(context, "{a: text}"));
  CHECK_FALSE(jq::parse_shape(context, "{a: string"));
  CHECK_FALSE(jq::parse_shape(context, std::string(100000, '[')));
}
