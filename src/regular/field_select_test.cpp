#include "regular/field_select.h"

#include <doctest/doctest.h>

#include "regular/testing/tool_process.h"
#include "regular/testing/transducer_check.h"

using namespace nacre;
using namespace nacre::regular;

namespace {

std::string random_list(RandomWords& random) {
  static const Words kItems = {"1", "2", "3", "5", "1-2", "2-3", "2-", "4-", "-2", "3-4", "6"};
  std::string list = random.pick(kItems);
  for (uint32_t more = random.below(3); more > 0; --more) list += "," + random.pick(kItems);
  return list;
}

}  // namespace

TEST_CASE("lists are read, and refused, as cut does") {
  RandomWords random(3, "0112359-,  x");
  for (int i = 0; i < 300; ++i) {
    const std::string list = i == 0 ? "18446744073709551615" : random.word(5);
    const bool is_fields = random.flip();
    const Result<NumberList> ours =
        parse_number_list(list, is_fields ? ListKind::kFields : ListKind::kPositions);
    const ToolRun real = run_tool({"cut", is_fields ? "-f" : "-c", list}, "a\n");
    CAPTURE(list);
    CAPTURE(real.err);
    CHECK((real.status == 0) == ours.has_value());
    if (ours) continue;
    CAPTURE(ours.error().message);
    CHECK(real.err.find(ours.error().message) != std::string::npos);
  }
}

TEST_CASE("fields are selected as by cut -f") {
  RandomWords random(4, "ab::");
  for (int i = 0; i < 60; ++i) {
    const std::string list = random_list(random);
    FieldOptions options;
    options.delimiter = ':';
    options.list = parse_number_list(list, ListKind::kFields).value();
    Words arguments = {"cut", "-d:", "-f", list};
    if (random.below(3) == 0) {
      options.list = complement(options.list);
      arguments.emplace_back("--complement");
    }
    if (random.below(3) == 0) {
      options.output_delimiter = random.flip() ? "<>" : ";";
      arguments.push_back("--output-delimiter=" + *options.output_delimiter);
    }
    CAPTURE(list);
    CAPTURE(arguments.size());
    const Transducer fields = field_select(options);
    CHECK(fields.is_exact());
    check_transducer(fields, by_line(arguments), random);
    // With -s the lines no longer correspond: only those with a delimiter print.
    options.only_delimited = true;
    Context cx;
    const Lang with = cx.all() + cx.literal(":") + cx.all();
    const Transducer delimited = field_select(options);
    CHECK(is_empty(image(delimited, !with)).yes());
    const Lang language = random.language(cx);
    CHECK(equivalent(image(delimited, language), image(fields, language & with)).yes());
  }
}

TEST_CASE("bytes are selected as by cut -c") {
  RandomWords random(5, "abcd");
  for (int i = 0; i < 40; ++i) {
    const std::string list = random_list(random);
    PositionOptions options;
    options.list = parse_number_list(list, ListKind::kPositions).value();
    Words arguments = {"cut", "-c", list};
    if (random.below(3) == 0) {
      options.list = complement(options.list);
      arguments.emplace_back("--complement");
    }
    if (random.flip()) {
      options.output_delimiter = "<>";
      arguments.emplace_back("--output-delimiter=<>");
    }
    CAPTURE(list);
    check_transducer(position_select(options), by_line(arguments), random);
  }
}

TEST_CASE("characters are counted by their first bytes") {
  Context cx;
  PositionOptions options;
  options.list = parse_number_list("2-3", ListKind::kPositions).value();
  options.count_by = CountBy::kCharacter;
  const Lang word = cx.literal("aéß€z");
  CHECK(equivalent(image(position_select(options), word), cx.literal("éß")).yes());
}

TEST_CASE("a field far beyond the budget is a superset") {
  Context cx;
  FieldOptions options;
  options.delimiter = ',';
  options.list = parse_number_list("1000000-", ListKind::kFields).value();
  const Budget small{.states = 100};
  const Transducer far = field_select(options, small);
  CHECK(!far.is_exact());
  const Lang result = image(far, cx.literal("a,b,c"));
  CHECK(contains(result, ""));
  CHECK(result.bound() == Bound::kSuperset);
}
