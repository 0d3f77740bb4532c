#include "flow/value.h"

#include <algorithm>

#include "regular/decide.h"

namespace nacre::flow {

using regular::CharSet;

namespace {

// A longer text is not worth a language: any string instead. The text itself is kept, because it
// may be a program that the command called with it has to read.
constexpr size_t kMaxConstantBytes = 4096;
// No command takes a longer argument (Linux: MAX_ARG_STRLEN), and `x=$x$x` would never end.
constexpr size_t kMaxTextBytes = size_t{1} << 20;

bool is_same(const commands::LineKind& a, const commands::LineKind& b) {
  return a.name == b.name && a.frequency == b.frequency && a.place == b.place && a.lines == b.lines;
}

bool is_same(const std::shared_ptr<const Printed>& a, const std::shared_ptr<const Printed>& b) {
  if (a == b || !a || !b) return a == b;
  return std::equal(a->kinds.begin(), a->kinds.end(), b->kinds.begin(), b->kinds.end(),
                    [](const auto& x, const auto& y) { return is_same(x, y); });
}

void join_facts(Value& result, const Value& other) {
  if (!is_same(result.printed, other.printed)) result.printed.reset();
  result.source = std::max(result.source, other.source);
  result.is_opaque |= other.is_opaque;
  result.may_be_unset |= other.may_be_unset;
  result.is_array |= other.is_array;
  result.captured = std::max(result.captured, other.captured);
  result.is_integer &= other.is_integer;
  result.is_converted |= other.is_converted;
  result.is_reference |= other.is_reference;
  add_taint(result, other);
  result.is_list |= other.is_list;
  if (!result.needs) result.needs = other.needs;
  if (result.required != other.required) result.required = 0;
  if (result.asked_command != other.asked_command) result.asked_command = {};
  if (!is_same_copy(result, other)) result.copied = {};
  result.is_status |= other.is_status;
  result.is_filtered &= other.is_filtered;
  result.is_file_names &= other.is_file_names;
  if (result.output != other.output) result.output.reset();
  result.may_be_foreign |= other.may_be_foreign;
  result.is_assigned |= other.is_assigned;
  if (result.text != other.text) result.text.reset();
  if (result.own_path != other.own_path) result.own_path.reset();
  size_t common = 0;
  while (common < result.prefix.size() && common < other.prefix.size() &&
         result.prefix[common] == other.prefix[common]) {
    common++;
  }
  result.prefix.resize(common);
}

// A language of very many parts costs more than it tells: any string of its symbols instead.
constexpr uint32_t kMaxParts = 100;

bool has_no_string(const Value& value) { return value.strings == value.strings.context().empty(); }

}  // namespace

Lang any_value(Context& context) {
  return star(context.set(CharSet::all(context.alphabet()) - CharSet::of('\0')));
}

Lang integers(Context& context) {
  return optional(context.literal("-")) + plus(context.set(CharSet::range('0', '9')));
}

void simplify(Value& value) {
  if (value.prefix.size() > kMaxTextBytes) {
    value.text.reset();
    value.own_path.reset();
    value.prefix.resize(kMaxConstantBytes);
  }
  if (value.parts <= kMaxParts || value.text) return;
  value.strings = star(value.strings.context().set(symbols_of(value.strings)));
  value.skeleton.reset();
  value.parts = 1;
}

Value constant(Context& context, std::string_view text, Span origin) {
  const bool is_long = text.size() > kMaxConstantBytes;
  Value result(is_long ? any_value(context) : context.literal(text));
  result.is_opaque = is_long;
  result.text = text;
  result.prefix = text;
  result.is_list = text.find_first_of(" \t\n") != std::string_view::npos;
  result.origin = origin;
  return result;
}

void add_taint(Value& result, const Value& other) {
  result.is_typed =
      (!result.is_tainted || result.is_typed) && (!other.is_tainted || other.is_typed);
  result.is_tainted |= other.is_tainted;
  result.varies |= other.varies;
}

Value unknown(Context& context, Source source, Span origin) {
  Value result(any_value(context));
  result.source = source;
  result.is_opaque = true;
  result.is_tainted = source >= Source::kInput;
  result.origin = origin;
  return result;
}

Value something(Context& context, Source source, Span origin) {
  Value result = unknown(context, source, origin);
  result.strings = result.strings - context.literal("");
  return result;
}

Value unset(Context& context, Span origin) {
  Value result(context.empty());
  result.may_be_unset = true;
  result.origin = origin;
  return result;
}

Lang skeleton_of(const Value& value) {
  Context& context = value.strings.context();
  if (value.text && !value.may_be_unset) return value.strings;
  if (!value.is_opaque && value.source == Source::kScript) return expansion_of(value);
  if (value.skeleton) return value.may_be_unset ? optional(*value.skeleton) : *value.skeleton;
  const Lang name = context.literal(kSomeName);
  return may_be_empty(value) ? optional(name) : name;
}

Lang expansion_of(const Value& value) {
  return value.may_be_unset ? optional(value.strings) : value.strings;
}

bool may_be_empty(const Value& value) { return value.may_be_unset || is_nullable(value.strings); }

bool is_same_copy(const Value& a, const Value& b) {
  if (a.copied.empty() || b.copied.empty()) return a.copied == b.copied;
  return a.copied == b.copied && a.from == b.from && a.text_before == b.text_before &&
         a.text_after == b.text_after;
}

bool is_surely_unset(const Value& value) { return value.may_be_unset && has_no_string(value); }

std::shared_ptr<const commands::Stream> lines_printed(const Value& value) {
  if (!value.output || !(value.output->text == value.strings)) return nullptr;
  return {value.output, &value.output->lines};
}

Value joined(const Value& a, const Value& b) {
  const bool is_reversed = is_surely_unset(a);
  const Value& one = is_reversed ? b : a;
  const Value& other = is_reversed ? a : b;
  Value result = one;
  if (is_surely_unset(other)) {
    result.may_be_unset = true;
    result.is_assigned |= other.is_assigned;
    result.copied = {};
    return result;
  }
  if (one.skeleton || other.skeleton) result.skeleton = skeleton_of(one) | skeleton_of(other);
  result.strings = one.strings | other.strings;
  if (!(result.strings == one.strings)) result.parts = one.parts + other.parts;
  simplify(result);
  join_facts(result, other);
  return result;
}

Value widened(const Value& a, const Value& b) {
  Value result = joined(a, b);
  if (result.strings == a.strings) return result;
  const CharSet symbols = symbols_of(result.strings);
  result.strings = star(result.strings.context().set(symbols));
  result.text.reset();
  result.prefix.clear();
  result.own_path.reset();
  result.skeleton.reset();
  result.printed.reset();
  return result;
}

bool is_same(const Value& a, const Value& b) {
  return a.strings == b.strings && a.source == b.source && a.is_opaque == b.is_opaque &&
         a.may_be_unset == b.may_be_unset && a.is_array == b.is_array &&
         a.is_integer == b.is_integer && a.is_converted == b.is_converted &&
         a.is_reference == b.is_reference && a.is_tainted == b.is_tainted &&
         a.may_be_foreign == b.may_be_foreign && a.is_list == b.is_list &&
         a.is_assigned == b.is_assigned && a.required == b.required &&
         a.asked_command == b.asked_command && is_same_copy(a, b) && a.is_status == b.is_status &&
         a.text == b.text && a.prefix == b.prefix && a.own_path == b.own_path;
}

Values::Values(Context& context) {
  Value foreign = unknown(context, Source::kEnvironment);
  foreign.may_be_unset = true;
  foreign.may_be_foreign = true;
  values_.push_back(std::move(foreign));
  values_.push_back(unset(context));
}

ValueId Values::add(Value value) {
  if (!value.copied.empty()) {
    const auto from = static_cast<size_t>(value.from);
    if (has_copies_.size() <= from) has_copies_.resize(2 * from + 1);
    has_copies_[from] = true;
  }
  values_.push_back(std::move(value));
  return ValueId{static_cast<uint32_t>(values_.size() - 1)};
}

ValueId Values::join(ValueId a, ValueId b) {
  if (a == b) return a;
  const uint64_t key = uint64_t{static_cast<uint32_t>(a)} << 32 | static_cast<uint32_t>(b);
  uint32_t& known = joins_[key];
  if (known != IdMap::kAbsent) return ValueId{known};
  ValueId result = a;
  if (!is_same((*this)[a], (*this)[b])) {
    Value both = joined((*this)[a], (*this)[b]);
    if (!is_same(both, (*this)[a])) result = is_same(both, (*this)[b]) ? b : add(std::move(both));
  }
  known = static_cast<uint32_t>(result);
  return result;
}

ValueId Values::widen(ValueId a, ValueId b) {
  if (a == b) return a;
  Value both = widened((*this)[a], (*this)[b]);
  return is_same(both, (*this)[a]) ? a : add(std::move(both));
}

}  // namespace nacre::flow
