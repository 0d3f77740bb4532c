#include "commands/jq_shape.h"

#include <algorithm>

#include "base/ascii.h"
#include "commands/line_formats.h"
#include "commands/stream.h"

namespace nacre::jq {

namespace {

using regular::CharSet;

constexpr int kMaxShapeDepth = 64;  // of nested values

ShapePointer made_shape(Shape shape) { return std::make_shared<const Shape>(std::move(shape)); }

// JSON texts and the shapes of cards: both have the same brackets.
class Reader {
 public:
  Reader(Context& context, std::string_view text) : context_(context), text_(text) {}

  ShapePointer json() {
    ShapePointer result;
    while (skip_blanks()) {
      const ShapePointer value = json_value(0);
      if (!value) return nullptr;
      result = result ? either(result, value) : value;
    }
    return result;
  }

  ShapePointer shape() {
    ShapePointer result = shape_value(0);
    return result && !skip_blanks() ? result : nullptr;
  }

 private:
  bool skip_blanks() {
    while (at_ < text_.size() && (is_blank_or_newline(text_[at_]) || text_[at_] == '\r')) at_++;
    return at_ < text_.size();
  }
  bool take(char c) {
    if (!skip_blanks() || text_[at_] != c) return false;
    at_++;
    return true;
  }
  std::string_view word() {
    skip_blanks();
    const size_t begin = at_;
    const auto is_part = [](char c) {
      return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
             c == '-' || c == '+' || c == '.' || c == '/';
    };
    while (at_ < text_.size() && is_part(text_[at_])) at_++;
    return text_.substr(begin, at_ - begin);
  }

  std::optional<std::string> string() {
    if (!take('"')) return std::nullopt;
    std::string result;
    while (at_ < text_.size() && text_[at_] != '"') {
      char c = text_[at_++];
      if (c == '\\' && at_ < text_.size()) {
        c = text_[at_++];
        if (c == 'u') return std::nullopt;
        c = c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c;
      }
      result += c;
    }
    return take('"') ? std::optional(result) : std::nullopt;
  }

  ShapePointer json_value(int depth) {
    if (depth > kMaxShapeDepth || !skip_blanks()) return nullptr;
    if (text_[at_] == '"') {
      const auto text = string();
      return text ? string_shape(context_.literal(*text)) : nullptr;
    }
    if (text_[at_] == '[') return array(depth, &Reader::json_value);
    if (text_[at_] == '{') return object(depth, &Reader::json_value, false);
    const std::string_view text = word();
    if (text == "null") return null_shape();
    if (text == "true" || text == "false") return boolean_shape();
    if (text.empty() || !(is_digit(text[0]) || text[0] == '-')) return nullptr;
    Shape number;
    number.numbers = context_.literal(text);
    return made_shape(std::move(number));
  }

  ShapePointer shape_value(int depth) {
    if (depth > kMaxShapeDepth || !skip_blanks()) return nullptr;
    if (text_[at_] == '[') return array(depth, &Reader::shape_value);
    if (text_[at_] == '{') return object(depth, &Reader::shape_value, true);
    const std::string_view name = word();
    if (name == "any") return any_shape();
    if (name == "null") return null_shape();
    if (name == "boolean") return boolean_shape();
    if (name == "number") return number_shape(context_);
    if (name == "word")
      return string_shape(
          plus(context_.set(CharSet::of(" \t\n\"\\").complement(context_.alphabet()))));
    if (name == "string") return string_shape(commands::any_text(context_));
    return nullptr;
  }

  using Value = ShapePointer (Reader::*)(int);

  ShapePointer array(int depth, Value value) {
    take('[');
    ShapePointer elements;
    while (!take(']')) {
      const ShapePointer element = (this->*value)(depth + 1);
      if (!element) return nullptr;
      elements = elements ? either(elements, element) : element;
      take(',');
    }
    return array_shape(elements ? elements : made_shape({}));
  }

  ShapePointer object(int depth, Value value, bool is_type) {
    take('{');
    Shape result;
    result.members.emplace();
    while (!take('}')) {
      if (is_type && skip_blanks() && text_.substr(at_).starts_with("...")) {
        at_ += 3;
        result.is_open = true;
        continue;
      }
      const auto key = is_type ? std::optional(std::string(word())) : string();
      if (!key || key->empty()) return nullptr;
      const bool is_optional = is_type && take('?');
      if (!take(':')) return nullptr;
      const ShapePointer member = (this->*value)(depth + 1);
      if (!member) return nullptr;
      (*result.members)[*key] = {member, is_optional};
      take(',');
    }
    return made_shape(std::move(result));
  }

  Context& context_;
  std::string_view text_;
  size_t at_ = 0;
};

template <typename T>
std::optional<T> united(const std::optional<T>& a, const std::optional<T>& b) {
  if (!a || !b) return a ? a : b;
  return *a | *b;
}

}  // namespace

ShapePointer any_shape() {
  static const ShapePointer kAny = [] {
    Shape result;
    result.is_any = true;
    return made_shape(std::move(result));
  }();
  return kAny;
}

ShapePointer null_shape(bool is_missing) {
  Shape result;
  result.has_null = true;
  result.is_missing = is_missing;
  return made_shape(std::move(result));
}

ShapePointer boolean_shape() {
  Shape result;
  result.has_boolean = true;
  return made_shape(std::move(result));
}

ShapePointer number_shape(Context& context) {
  Shape result;
  result.numbers = commands::json_number(context);
  return made_shape(std::move(result));
}

ShapePointer string_shape(Lang strings) {
  Shape result;
  result.strings = strings;
  return made_shape(std::move(result));
}

ShapePointer array_shape(ShapePointer elements) {
  Shape result;
  result.elements = std::move(elements);
  return made_shape(std::move(result));
}

ShapePointer either(const ShapePointer& a, const ShapePointer& b) {
  Shape result;
  result.is_any = a->is_any || b->is_any;
  result.has_null = a->has_null || b->has_null;
  result.is_missing = a->is_missing || b->is_missing;
  result.has_boolean = a->has_boolean || b->has_boolean;
  result.numbers = united(a->numbers, b->numbers);
  result.strings = united(a->strings, b->strings);
  result.elements = !a->elements   ? b->elements
                    : !b->elements ? a->elements
                                   : either(a->elements, b->elements);
  result.is_open = a->is_open || b->is_open;
  if (!a->members || !b->members) {
    result.members = a->members ? a->members : b->members;
    return made_shape(std::move(result));
  }
  result.members = a->members;
  for (auto& [name, member] : *result.members) {
    if (!b->members->contains(name)) member.is_optional = true;
  }
  for (const auto& [name, member] : *b->members) {
    const auto found = result.members->find(name);
    if (found == result.members->end())
      (*result.members)[name] = {member.shape, true};
    else
      found->second = {either(found->second.shape, member.shape),
                       found->second.is_optional || member.is_optional};
  }
  return made_shape(std::move(result));
}

ShapePointer shape_of_json(Context& context, std::string_view text) {
  return Reader(context, text).json();
}

ShapePointer parse_shape(Context& context, std::string_view text) {
  return Reader(context, text).shape();
}

std::optional<Lang> printed(Context& context, const Shape& shape, bool is_raw, bool is_compact) {
  if (shape.is_any) return std::nullopt;
  Lang result = context.empty();
  if (shape.has_null) result = result | context.literal("null");
  if (shape.has_boolean) result = result | context.literal("true") | context.literal("false");
  if (shape.numbers) result = result | *shape.numbers;
  if (shape.strings) {
    // What JSON escapes is spelled in another way: then nothing is said of the characters.
    const Lang plain = star(context.set(CharSet::of("\"\\\n").complement(context.alphabet())));
    const Lang escaped = star(
        context.set(CharSet::of("\"\\\n").complement(context.alphabet())) |
        (context.literal("\\") + context.set(CharSet::of('\n').complement(context.alphabet()))));
    const Lang quote = context.literal("\"");
    const Lang inside = (*shape.strings & plain) | (escaped - plain);
    result = result | (is_raw ? *shape.strings : quote + inside + quote);
  }
  if (!shape.elements && !shape.members) return result;
  if (!is_compact) return std::nullopt;
  const Lang any = commands::any_text(context);
  if (shape.elements) result = result | (context.literal("[") + any + context.literal("]"));
  if (shape.members) result = result | (context.literal("{") + any + context.literal("}"));
  return result;
}

}  // namespace nacre::jq
