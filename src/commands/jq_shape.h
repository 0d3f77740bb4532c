// What is known of JSON values: a Shape is a set of values, by kind. Immutable once made and shared
// by pointer; strings and numbers are languages of one Context.
//
//   ShapePointer shape = shape_of_json(context, R"([{"port": "5432"}])");   // nothing if not JSON
//   ShapePointer name = parse_shape(context, "{metadata: {name: string, labels?: any}}");
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "regular/lang.h"

namespace nacre::jq {

using regular::Context;
using regular::Lang;

struct Shape;
using ShapePointer = std::shared_ptr<const Shape>;

struct Member {
  ShapePointer shape;
  bool is_optional = false;
};

struct Shape {
  bool is_any = false;  // nothing is known: the author knows better
  bool has_null = false;
  bool is_missing = false;  // the null may stand for something that is not there
  bool has_boolean = false;
  std::optional<Lang> numbers, strings;
  ShapePointer elements;  // of arrays
  // Of arrays whose elements are known by their places; empty: they are not.
  std::vector<ShapePointer> row;
  std::optional<std::map<std::string, Member, std::less<>>> members;  // of objects
  bool is_open = false;  // objects may have other members

  // Neither arrays nor objects, and nothing unknown.
  [[nodiscard]] bool is_scalar() const { return !is_any && !elements && !members; }
};

ShapePointer any_shape();
ShapePointer null_shape(bool is_missing = false);
ShapePointer boolean_shape();
ShapePointer number_shape(Context& context);
ShapePointer string_shape(Lang strings);
ShapePointer array_shape(ShapePointer elements);
ShapePointer either(const ShapePointer& a, const ShapePointer& b);

// The value that a JSON text is; of several one after the other, any of them.
ShapePointer shape_of_json(Context& context, std::string_view text);

// `string`, `number`, `boolean`, `null`, `any`, `[SHAPE]`, `{name: SHAPE, other?: SHAPE, ...}`;
// nothing if the text is something else.
ShapePointer parse_shape(Context& context, std::string_view text);

// The text that jq prints for a value: with -r strings are printed as they are. Several lines are
// possible for arrays and objects unless `is_compact`; nothing then.
std::optional<Lang> printed(Context& context, const Shape& shape, bool is_raw, bool is_compact);

}  // namespace nacre::jq
