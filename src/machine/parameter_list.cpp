// $@, ${a[@]} and what is done to each of their values.
#include <algorithm>
#include <fmt/format.h>

#include "machine/declaration.h"
#include "machine/machine.h"
#include "machine/quote.h"

namespace nacre::machine {

using shell::ParameterOp;

const Array* Machine::array_of(NameId name, std::shared_ptr<const Array>& computed) {
  const Variable& variable = state.variables.at(name);
  if (variable.attributes == 0) return nullptr;
  if (variable.is(kArray)) return variable.array.get();
  if (variable.is(kDynamic)) computed = dynamic_array(name);
  return computed.get();
}

List Machine::list_at(const Place& place, bool of_keys) {
  List result;
  if (place.kind == Place::Kind::kAllParameters) {
    for (size_t i = 0; i < state.positional.size(); ++i) {
      result.values.emplace_back(state.positional[i]);
    }
    return result;
  }
  std::shared_ptr<const Array> computed;
  const Array* array = array_of(place.name, computed);
  if (array == nullptr) {  // a variable is an array with one element
    auto scalar = std::make_shared<std::string>();
    const std::string* value = state.variables.get(place.name);
    if (value == nullptr) value = dynamic_value(place.name, *scalar);
    if (value == nullptr) return result;
    result.values.emplace_back(of_keys ? "0" : std::string_view(*value));
    result.owner = scalar;
    return result;
  }
  std::vector<Array::Entry> entries = array->entries();
  if (!of_keys) {
    for (const Array::Entry& entry : entries) result.values.emplace_back(*entry.value);
    result.owner = computed;
    return result;
  }
  auto keys = std::make_shared<std::vector<std::string>>();
  keys->reserve(entries.size());
  for (const Array::Entry& entry : entries) keys->push_back(entry.key_text());
  for (const std::string& key : *keys) result.values.emplace_back(key);
  result.owner = keys;
  return result;
}

// What joins $* or $@ where they are one string.
std::string_view Machine::list_separator(bool is_joined) const {
  const std::string* ifs = state.variables.get("IFS");
  if (!is_joined || ifs == nullptr) return " ";
  return std::string_view(*ifs).substr(0, ifs->empty() ? 0 : state.locale.next(*ifs));
}

void Machine::append_list(const List& list, bool is_joined, const Part& part, bool splits) {
  bool joins = !splits || (part.region == Region::kQuoted && is_joined);
  if (joins) append("", part.region);
  if (joins && part.parameter->special == '@') unspecified("$@ where fields are not split");
  std::string separator(joins ? list_separator(is_joined) : "");
  for (size_t i = 0; i < list.values.size(); ++i) {
    if (i > 0 && joins) append(separator, part.region);
    if (i > 0 && !joins) append_break();
    append(list.values[i], part.region);
  }
}

// ${!prefix*} and ${!prefix@}
void Machine::append_names(const Part& part, bool splits) {
  const std::string& prefix = names().text(part.parameter->name);
  List found;
  for (NameId id : state.variables.sorted()) {
    const Variable& variable = state.variables.at(id);
    bool is_there = state.variables.get(id) != nullptr || variable.is(kDynamic) ||
                    (variable.is(kArray) && variable.array->is_assigned);
    if (is_there && names().text(id).starts_with(prefix)) {
      found.values.emplace_back(names().text(id));
    }
  }
  append_list(found, part.parameter->letter == '*', part, splits);
}

void Machine::transform_list(const Part& part, const Place& place, bool splits,
                             const Transform& transform) {
  char letter = part.parameter->op == ParameterOp::kTransform ? part.parameter->letter : '\0';
  List list = list_at(place);
  auto values = std::make_shared<std::vector<std::string>>();
  if (letter == 'A' || letter == 'K') {
    values->push_back(letter_transform(letter, place, ""));
  } else if (letter == 'k') {
    List keys = list_at(place, true);
    for (size_t i = 0; i < keys.values.size(); ++i) {
      values->emplace_back(keys.values[i]);
      values->emplace_back(list.values[i]);
    }
  } else {
    for (std::string_view value : list.values) values->push_back(transform(value));
  }
  List result;
  for (const std::string& value : *values) result.values.emplace_back(value);
  result.owner = values;
  append_list(result, place.is_joined, part, splits);
}

// ${@:offset:length}, where $0 is the one before $1, and ${a[@]:offset:length}, where the offset of
// an indexed array is an index.
bool Machine::slice_list(const Part& part, const Place& place, bool splits, int64_t offset,
                         std::optional<int64_t> length) {
  std::shared_ptr<const Array> computed;
  const bool is_parameters = place.kind == Place::Kind::kAllParameters;
  const Array* array = is_parameters ? nullptr : array_of(place.name, computed);
  const bool is_indexed = array != nullptr && !array->is_associative();
  List all = list_at(place);
  if (is_parameters && offset <= 0) all.values.insert(all.values.begin(), state.arg0);
  auto size = static_cast<int64_t>(all.values.size());
  const int64_t end = is_indexed ? array->end_index() : size;
  if (offset < 0) offset += end;
  if (is_parameters && offset > 0 && all.values.size() == state.positional.size()) --offset;
  if (length && *length < 0) {
    expansion_error(fmt::format("{}: substring expression < 0", *length));
    return false;
  }
  // To bash the first element of an associative array is number 1.
  if (array != nullptr && !is_indexed && offset > 0) --offset;
  int64_t first = offset;
  if (is_indexed) {
    std::vector<Array::Entry> entries = array->entries();
    auto found = std::find_if(entries.begin(), entries.end(),
                              [&](const Array::Entry& entry) { return entry.index >= offset; });
    first = found - entries.begin();
  }
  if (offset < 0 || first > size) first = size;
  int64_t count = length ? std::min(*length, size - first) : size - first;
  List slice;
  slice.values.assign(all.values.begin() + first, all.values.begin() + first + count);
  slice.owner = all.owner;
  append_list(slice, place.is_joined, part, splits);
  return true;
}

// ${x:offset:length} of characters.
bool Machine::append_slice(const Part& part, const Place& place, bool splits,
                           const Operands& operands) {
  std::optional<int64_t> offset = evaluate_text(operands.argument);
  if (!offset) return false;
  std::optional<int64_t> length;
  if (operands.second && !(length = evaluate_text(*operands.second))) return false;
  if (place.is_list()) return slice_list(part, place, splits, *offset, length);
  std::string scratch;
  const std::string* value = value_at(place, scratch);
  if (value == nullptr) return true;
  auto size = static_cast<int64_t>(state.locale.length(*value));
  if (*offset < 0) *offset += size;
  if (*offset < 0 || *offset > size) {
    append("", part.region);
    return true;
  }
  int64_t end = !length ? size : *length < 0 ? size + *length : std::min(size, *offset + *length);
  if (end < *offset) {
    expansion_error(fmt::format("{}: substring expression < 0", *operands.second));
    return false;
  }
  std::string_view rest = *value;
  for (int64_t i = 0; i < *offset; ++i) rest.remove_prefix(state.locale.next(rest));
  size_t bytes = 0;
  for (int64_t i = *offset; i < end; ++i) bytes += state.locale.next(rest.substr(bytes));
  append(rest.substr(0, bytes), part.region);
  return true;
}

}  // namespace nacre::machine
