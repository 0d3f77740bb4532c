#include "base/json_writer.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>
#include <random>

using nacre::JsonWriter;
using Shape = nacre::JsonWriter::Shape;

namespace {

std::string sample(Shape shape) {
  JsonWriter json(shape);
  json.begin_object().field("name", "a\"b\\\n").field("count", 3u).field("is_set", true);
  json.key("list").begin_array().value(-1).null().begin_object().end_object().end_array();
  json.key("none").begin_array().end_array().field("maybe", std::optional<std::string>());
  json.field("rank", 30.5).end_object();
  return json.take();
}

}  // namespace

TEST_CASE("every shape is the same document") {
  CHECK(sample(Shape::kLine) ==
        R"({"name": "a\"b\\\n", "count": 3, "is_set": true, "list": [-1, null, {}], )"
        R"("none": [], "maybe": null, "rank": 30.5})");
  CHECK(sample(Shape::kCompact) == nlohmann::ordered_json::parse(sample(Shape::kLine)).dump());
  CHECK(sample(Shape::kIndented) == nlohmann::ordered_json::parse(sample(Shape::kLine)).dump(2));
}

TEST_CASE("line breaks stand before items and before the end") {
  JsonWriter json;
  json.begin_array().line_break().value(1).line_break().value(2).line_break().end_array();
  CHECK(json.take() == "[\n1,\n2\n]");
}

TEST_CASE("any bytes become a string that a parser reads and a terminal can show") {
  std::mt19937 random(5);
  for (int round = 0; round < 300; round++) {
    std::string bytes;
    for (size_t i = random() % 40; i > 0; i--)
      bytes += static_cast<char>(random() % 3 == 0 ? random() % 256 : random() % 128);
    const std::string text = nacre::json_quoted(bytes);
    CHECK(nlohmann::json::accept(text));
    for (const char c : text) CHECK((static_cast<unsigned char>(c) >= 0x20 && c != 0x7F));
  }
  CHECK(nacre::json_quoted("\x1B[31m\xC2\x9B\xFF\xC3\xA9") ==
        "\"\\u001b[31m\\u009b\xEF\xBF\xBD\xC3\xA9\"");
}
