// Writes JSON in the order in which it is told, without building a document first. What is not
// UTF-8 becomes U+FFFD, control characters (also DEL and those of U+0080 to U+009F) are escaped, so
// that the output is always valid and harmless to a terminal. Misuse, a key outside of an object or
// an end that fits no beginning, is an assertion.
//
//   JsonWriter json(JsonWriter::Shape::kIndented);
//   json.begin_object().field("name", name).key("spans").begin_array();
//   for (Span span : spans) json.value(span.begin);
//   json.end_array().end_object();
//   return json.take();
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nacre {

class JsonWriter {
 public:
  enum class Shape : uint8_t {
    kLine,      // one line, with a blank after commas and colons
    kCompact,   // one line, without blanks
    kIndented,  // one item a line, two blanks a level
  };
  explicit JsonWriter(Shape shape = Shape::kLine) : shape_(shape) {}

  JsonWriter& begin_object() { return begin('{', '}'); }
  JsonWriter& end_object() { return end('}'); }
  JsonWriter& begin_array() { return begin('[', ']'); }
  JsonWriter& end_array() { return end(']'); }
  JsonWriter& key(std::string_view name);

  JsonWriter& value(std::string_view text);
  JsonWriter& value(const char* text) { return value(std::string_view(text)); }
  JsonWriter& value(const std::string& text) { return value(std::string_view(text)); }
  JsonWriter& value(bool truth);
  JsonWriter& value(double number);
  JsonWriter& null();
  template <std::integral Number>
  JsonWriter& value(Number number) {
    return raw(std::to_string(number));
  }
  template <typename Value>
  JsonWriter& value(const std::optional<Value>& maybe) {
    return maybe ? value(*maybe) : null();
  }

  template <typename Value>
  JsonWriter& field(std::string_view name, const Value& its_value) {
    return key(name).value(its_value);
  }

  // A line break before the next item of a one-line shape, for long lists.
  JsonWriter& line_break();

  // What was written; the writer is empty again. Everything that was begun must have ended.
  [[nodiscard]] std::string take();

 private:
  JsonWriter& begin(char open, char close);
  JsonWriter& end(char close);
  JsonWriter& raw(std::string_view text);
  void before_item();
  void indent();

  Shape shape_;
  std::string out_;
  std::string closers_;   // of what is open, outermost first
  bool is_first_ = true;  // in what was opened last
  bool has_key_ = false;
  bool breaks_line_ = false;
};

// The text as a JSON string, in its quotes.
[[nodiscard]] std::string json_quoted(std::string_view text);

}  // namespace nacre
