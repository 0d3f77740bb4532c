#include "flow/place_names.h"

#include <vector>

#include "flow/places.h"

namespace nacre::flow {

using shell::Part;
using shell::PartKind;

namespace {

// Adds what one part stands for in a path; false if that is not known.
bool add_to_path(const Part& part, const Environment& environment, const RuleContext& in,
                 std::string& path) {
  switch (part.kind) {
    case PartKind::kDoubleQuoted:
      for (const Part& each : part.parts()) {
        if (!add_to_path(each, environment, in, path)) return false;
      }
      return true;
    case PartKind::kTilde:
      if (part.only_in_assignment) return false;
      path += '~';
      path += part.text();
      return true;
    case PartKind::kGlob:
    case PartKind::kExtGlob: path += kAnyPlaceName; return true;
    case PartKind::kParameter: {
      const shell::Parameter& node = part.parameter();
      const bool is_plain = node.kind == shell::ParameterKind::kVariable && !node.is_indirect &&
                            node.op == shell::ParameterOp::kNone && node.subscript == nullptr;
      if (!is_plain) return false;
      const Value& value = in.value(node.name, environment);
      if (value.is_array || value.varies != 0) return false;
      if (value.text && !value.may_be_unset) {
        path += *value.text;
      } else if (node.name == "HOME" && path.empty() && !value.is_assigned) {
        path += '~';
      } else {
        path += place_variable(node.name);
      }
      return true;
    }
    default: break;
  }
  if (!part.is_text()) return false;
  path += part.text();
  return true;
}

std::vector<std::string_view> components_of(std::string_view path) {
  std::vector<std::string_view> result;
  while (!path.empty()) {
    const size_t end = std::min(path.find('/'), path.size());
    if (end > 0) result.push_back(path.substr(0, end));
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return result;
}

// `..` is taken back only where a plain name is before it.
bool is_plain_name(std::string_view name) {
  return name != "." && name != "~" && !name.starts_with('#') && name.find("${") == name.npos &&
         name.find(kAnyPlaceName) == name.npos;
}

}  // namespace

std::string place_variable(std::string_view name) {
  return std::string("${").append(name).append("}");
}

std::optional<std::string> place_at(std::string_view path, std::string_view from) {
  if (path.empty()) return std::nullopt;
  const bool is_absolute = path[0] == '/' || path[0] == '~' || path.starts_with("${");
  if (!is_absolute && from.empty()) return std::nullopt;
  std::string whole(path);
  if (!is_absolute) whole.insert(0, std::string(from) + '/');
  std::vector<std::string_view> names;
  const bool is_rooted = whole[0] == '/';
  for (const std::string_view name : components_of(whole)) {
    if (name == "." && (is_rooted || !names.empty())) continue;
    if (name == "..") {
      if (is_rooted && names.empty()) continue;
      if (names.empty() || !is_plain_name(names.back())) return std::nullopt;
      names.pop_back();
      continue;
    }
    names.push_back(name);
  }
  std::string result;
  for (const std::string_view name : names) {
    if (is_rooted || !result.empty()) result += '/';
    result += name;
  }
  return result.empty() ? "/" : result;
}

std::optional<std::string> place_named_by(const shell::Word& word, const Environment& environment,
                                          const RuleContext& in) {
  std::string path;
  for (const Part& part : word.parts()) {
    if (!add_to_path(part, environment, in, path)) return std::nullopt;
  }
  return place_at(path, environment.directory.place);
}

std::optional<std::string> place_named_by(const Field& field, const Environment& environment,
                                          const RuleContext& in) {
  const bool is_tilde = field.word && field.word->has(shell::kWordHasTilde);
  if (field.argument.text && !is_tilde)
    return place_at(*field.argument.text, environment.directory.place);
  return field.word ? place_named_by(*field.word, environment, in) : std::nullopt;
}

std::string readable_place(std::string_view key) {
  if (key.starts_with("./")) key.remove_prefix(2);
  if (key.starts_with('#') && key.find('/') != key.npos) key.remove_prefix(key.find('/') + 1);
  std::string result;
  for (size_t i = 0; i < key.size(); i++) {
    if (key[i] == kAnyPlaceName) {
      result += '*';
    } else if (key.substr(i, 2) == "${") {
      result += '$';
      i++;
    } else if (key[i] != '}') {
      result += key[i];
    }
  }
  return result;
}

bool is_device_place(std::string_view key) {
  for (const std::string_view directory : {"/dev", "/proc", "/sys"}) {
    if (key == directory || is_below(key, directory)) return true;
  }
  return false;
}

}  // namespace nacre::flow
