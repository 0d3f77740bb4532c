#include "commands/jq_eval.h"

#include <algorithm>
#include <fmt/format.h>

#include "commands/line_formats.h"
#include "commands/stream.h"

namespace nacre::jq {

namespace {

using Kind = Filter::Kind;
using regular::CharSet;

class Evaluation {
 public:
  explicit Evaluation(Context& context) : context_(context) {}

  Outcome run(const Filter& filter, const ShapePointer& input) {
    switch (filter.kind) {
      case Kind::kIdentity: return {input};
      case Kind::kMember: return member(filter, input);
      case Kind::kIndex: return index(filter, input);
      case Kind::kSlice: return {run(*filter.left, input).shape};
      case Kind::kIterate: return iterate(run(*filter.left, input));
      case Kind::kOptional: return optional_of(run(*filter.left, input));
      case Kind::kPipe: return pipe(filter, input);
      case Kind::kComma: return comma(run(*filter.left, input), run(*filter.right, input));
      case Kind::kOr: return alternative(run(*filter.left, input), run(*filter.right, input));
      case Kind::kOperator: return binary(filter, input);
      case Kind::kNegation:
      case Kind::kNumber: return {number_of(filter)};
      case Kind::kString: return string(filter, input);
      case Kind::kFormat: return format(filter, input);
      case Kind::kBoolean: return {boolean_shape()};
      case Kind::kNull: return {null_shape()};
      case Kind::kArray: return array(filter, input);
      case Kind::kObject: return object(filter, input);
      case Kind::kVariable: return {any_shape()};
      case Kind::kCall: return call(filter, input);
      case Kind::kIf: return condition(filter, input);
    }
    return {};
  }

 private:
  ShapePointer number_of(const Filter& filter) {
    if (filter.kind == Kind::kNegation) return number_shape(context_);
    Shape result;
    result.numbers = context_.literal(filter.name);
    return std::make_shared<const Shape>(std::move(result));
  }

  // Flags of what was looked at on the way.
  static Outcome with(Outcome result, const Outcome& before) {
    result.may_be_none |= before.may_be_none;
    result.may_be_many |= before.may_be_many;
    result.compares_kinds |= before.compares_kinds;
    if (result.refusal.empty()) result.refusal = before.refusal;
    return result;
  }

  // jq takes null for anything; but that something is missing is not what a program is made for.
  static bool is_only_array(const Shape& shape) {
    return shape.elements && !shape.is_any && (!shape.has_null || shape.is_missing) &&
           !shape.has_boolean && !shape.numbers && !shape.strings && !shape.members;
  }
  static bool is_only_object(const Shape& shape) {
    return shape.members && !shape.is_any && (!shape.has_null || shape.is_missing) &&
           !shape.has_boolean && !shape.numbers && !shape.strings && !shape.elements;
  }

  Outcome member(const Filter& filter, const ShapePointer& input) {
    const Outcome of = run(*filter.left, input);
    const Shape& shape = *of.shape;
    if (shape.is_any) return with({any_shape()}, of);
    ShapePointer result = shape.has_null ? null_shape(true) : nullptr;
    if (shape.members) {
      const auto found = shape.members->find(filter.name);
      ShapePointer value = found != shape.members->end() ? found->second.shape
                           : shape.is_open               ? any_shape()
                                                         : null_shape(true);
      if (found != shape.members->end() && found->second.is_optional)
        value = either(value, null_shape(true));
      result = result ? either(result, value) : value;
    }
    Outcome outcome = with({result ? result : any_shape()}, of);
    if (is_only_array(shape) && outcome.refusal.empty())
      outcome.refusal = fmt::format("an array has no member '{0}': write .[].{0}", filter.name);
    return outcome;
  }

  Outcome index(const Filter& filter, const ShapePointer& input) {
    const Outcome of = run(*filter.left, input);
    const Shape& shape = *of.shape;
    if (filter.right->kind == Kind::kString && filter.right->parts.size() == 1) {
      Filter named;
      named.kind = Kind::kMember;
      named.left = filter.left;
      named.name = filter.right->parts[0].first;
      return member(named, input);
    }
    if (shape.is_any || !shape.elements) {
      Outcome outcome = with({any_shape()}, of);
      if (is_only_object(shape) && filter.right->kind == Kind::kNumber && outcome.refusal.empty())
        outcome.refusal = fmt::format("an object has no element {}", filter.right->name);
      return outcome;
    }
    return with({either(shape.elements, null_shape(true))}, of);
  }

  Outcome iterate(const Outcome& of) {
    const Shape& shape = *of.shape;
    Outcome result;
    result.may_be_none = result.may_be_many = true;
    if (!shape.is_any && shape.elements && !shape.members) result.shape = shape.elements;
    if (!shape.is_any && shape.members && !shape.elements && !shape.is_open) {
      ShapePointer all;
      for (const auto& [name, member] : *shape.members)
        all = all ? either(all, member.shape) : member.shape;
      if (all) result.shape = all;
    }
    return with(result, of);
  }

  static Outcome optional_of(Outcome of) {
    of.may_be_none = true;
    of.refusal.clear();
    return of;
  }

  Outcome pipe(const Filter& filter, const ShapePointer& input) {
    const Outcome first = run(*filter.left, input);
    return with(run(*filter.right, first.shape), first);
  }

  static Outcome comma(const Outcome& a, const Outcome& b) {
    Outcome result;
    result.shape = either(a.shape, b.shape);
    result.may_be_none = a.may_be_none && b.may_be_none;
    result.may_be_many = true;
    result.compares_kinds = a.compares_kinds || b.compares_kinds;
    result.refusal = a.refusal.empty() ? b.refusal : a.refusal;
    return result;
  }

  // a // b: what of a is neither null nor false, or b.
  static Outcome alternative(const Outcome& a, const Outcome& b) {
    Shape kept = *a.shape;
    kept.has_null = kept.is_missing = false;
    Outcome result;
    result.shape = either(std::make_shared<const Shape>(std::move(kept)), b.shape);
    result.may_be_none = b.may_be_none;
    result.may_be_many = a.may_be_many || b.may_be_many;
    return result;
  }

  static bool is_only_number(const Shape& shape) {
    return shape.is_scalar() && shape.numbers && !shape.strings && !shape.has_boolean;
  }
  static bool is_only_string(const Shape& shape) {
    return shape.is_scalar() && shape.strings && !shape.numbers && !shape.has_boolean;
  }

  Outcome binary(const Filter& filter, const ShapePointer& input) {
    const Outcome a = run(*filter.left, input), b = run(*filter.right, input);
    Outcome result;
    const std::string& name = filter.name;
    const bool is_comparison = name == "==" || name == "!=" || name[0] == '<' || name[0] == '>';
    if (is_comparison || name == "and" || name == "or") {
      result.shape = boolean_shape();
      result.compares_kinds =
          is_comparison && ((is_only_string(*a.shape) && is_only_number(*b.shape)) ||
                            (is_only_number(*a.shape) && is_only_string(*b.shape)));
    } else if (is_only_number(*a.shape) && is_only_number(*b.shape)) {
      result.shape = number_shape(context_);
    } else if (name == "+" && is_only_string(*a.shape) && is_only_string(*b.shape)) {
      result.shape = string_shape(*a.shape->strings + *b.shape->strings);
    }
    return with(with(result, a), b);
  }

  Lang any_string() { return star(context_.set(CharSet::all(context_.alphabet()))); }

  // The text of a value inside a string: null is the word null, a string stands for itself.
  Lang inserted(const Shape& shape) {
    const auto text = printed(context_, shape, true, true);
    return text ? *text : any_string();
  }

  Outcome string(const Filter& filter, const ShapePointer& input) {
    Outcome result;
    Lang text = context_.epsilon();
    for (const auto& [before, inside] : filter.parts) {
      text = text + context_.literal(before);
      if (!inside) continue;
      const Outcome value = run(*inside, input);
      text = text + inserted(*value.shape);
      result = with(result, value);
    }
    result.shape = string_shape(text);
    return result;
  }

  // One cell of @csv (strings in quotes) or @tsv (tabs escaped).
  Lang cell(const Shape& shape, bool is_csv) {
    if (shape.is_any || shape.elements || shape.members) return commands::any_text(context_);
    Lang result = context_.empty();
    if (shape.has_null) result = result | context_.epsilon();
    if (shape.has_boolean) result = result | context_.literal("true") | context_.literal("false");
    if (shape.numbers) result = result | *shape.numbers;
    if (shape.strings) {
      const Lang quote = context_.literal("\"");
      result = result | (is_csv ? quote + *shape.strings + quote : *shape.strings);
    }
    return result;
  }

  Outcome format(const Filter& filter, const ShapePointer& input) {
    const bool is_row = filter.name == "csv" || filter.name == "tsv";
    if (!filter.parts.empty() || !is_row || !input->elements) return {string_shape(any_string())};
    const bool is_csv = filter.name == "csv";
    const Lang separator = context_.literal(is_csv ? "," : "\t");
    Lang text = context_.empty();
    if (!input->row.empty()) {
      text = context_.epsilon();
      for (size_t i = 0; i < input->row.size(); i++)
        text = text + (i == 0 ? context_.epsilon() : separator) + cell(*input->row[i], is_csv);
    } else {
      const Lang one = cell(*input->elements, is_csv);
      text = one + star(separator + one);
    }
    return {string_shape(text)};
  }

  // [a, b, c]: what each element is, for a format that follows.
  void collect(const Filter& filter, const ShapePointer& input, std::vector<ShapePointer>& row,
               bool& is_fixed) {
    if (filter.kind == Kind::kComma) {
      collect(*filter.left, input, row, is_fixed);
      collect(*filter.right, input, row, is_fixed);
      return;
    }
    const Outcome value = run(filter, input);
    is_fixed &= !value.may_be_many && !value.may_be_none;
    row.push_back(value.shape);
  }

  Outcome array(const Filter& filter, const ShapePointer& input) {
    if (!filter.left) return {array_shape(std::make_shared<const Shape>())};
    std::vector<ShapePointer> row;
    bool is_fixed = true;
    collect(*filter.left, input, row, is_fixed);
    Shape result;
    result.elements = row[0];
    for (const ShapePointer& each : row) result.elements = either(result.elements, each);
    if (is_fixed) result.row = std::move(row);
    return {std::make_shared<const Shape>(std::move(result))};
  }

  Outcome object(const Filter& filter, const ShapePointer& input) {
    Shape result;
    result.members.emplace();
    Outcome outcome;
    for (const auto& [name, value] : filter.entries) {
      const Outcome of = run(*value, input);
      (*result.members)[name] = {of.shape, false};
      outcome = with(outcome, of);
    }
    outcome.shape = std::make_shared<const Shape>(std::move(result));
    return outcome;
  }

  Outcome condition(const Filter& filter, const ShapePointer& input) {
    Outcome result = with(filter.right ? run(*filter.right, input) : Outcome{input}, {});
    for (const FilterPointer& branch : filter.arguments) {
      const Outcome other = run(*branch, input);
      result.shape = either(result.shape, other.shape);
      result = with(result, other);
    }
    result.compares_kinds |= run(*filter.left, input).compares_kinds;
    result.refusal.clear();  // the condition may ask what can be done
    return result;
  }

  Outcome call(const Filter& filter, const ShapePointer& input) {
    const std::string& name = filter.name;
    const auto is_one_of = [&](std::initializer_list<std::string_view> names) {
      return std::find(names.begin(), names.end(), name) != names.end();
    };
    if (name == "empty" || name == "error") {
      Outcome result{std::make_shared<const Shape>()};
      result.may_be_none = true;
      return result;
    }
    if (name == "select" && filter.arguments.size() == 1) {
      Outcome result{input};
      result.may_be_none = true;
      const Outcome asked = run(*filter.arguments[0], input);
      result.compares_kinds = asked.compares_kinds;
      result.refusal = asked.refusal;
      return result;
    }
    if (name == "map" && filter.arguments.size() == 1) {
      const Outcome each =
          run(*filter.arguments[0], input->elements ? input->elements : any_shape());
      Outcome result{array_shape(each.shape)};
      result.compares_kinds = each.compares_kinds;
      result.refusal = each.refusal;
      return result;
    }
    if (is_one_of({"length", "utf8bytelength", "tonumber", "floor", "round", "ceil", "now",
                   "mktime", "fromdate", "fromdateiso8601"}))
      return {number_shape(context_)};
    if (is_one_of({"not", "any", "all", "has", "contains", "test", "startswith", "endswith",
                   "inside", "isvalid"}))
      return {boolean_shape()};
    if (name == "type") return {string_shape(type_names())};
    if (is_one_of({"tostring", "ascii_downcase", "ascii_upcase", "ltrimstr", "rtrimstr", "join",
                   "todate", "todateiso8601", "strftime", "tojson", "sub", "gsub", "implode"}))
      return {string_shape(any_string())};
    if (is_one_of({"sort", "sort_by", "reverse", "unique", "unique_by", "flatten"})) return {input};
    if (name == "keys" || name == "keys_unsorted")
      return {array_shape(input->members && !input->elements ? string_shape(any_string())
                                                             : any_shape())};
    if (is_one_of({"first", "last"}) && filter.arguments.empty() && input->elements)
      return {either(input->elements, null_shape(true))};
    Outcome result;  // nothing is known of it
    result.may_be_none = result.may_be_many = true;
    return result;
  }

  Lang type_names() {
    Lang result = context_.empty();
    for (const char* name : {"null", "boolean", "number", "string", "array", "object"})
      result = result | context_.literal(name);
    return result;
  }

  Context& context_;
};

}  // namespace

Outcome evaluate(Context& context, const Filter& filter, const ShapePointer& input) {
  return Evaluation(context).run(filter, input);
}

}  // namespace nacre::jq
