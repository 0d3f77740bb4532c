#include "utilities/paths.h"

#include <algorithm>
#include <fmt/format.h>

#include "utilities/input.h"
#include "utilities/options.h"

namespace nacre::utilities {

std::string_view without_slashes(std::string_view path) {
  while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  return path;
}

std::string_view base_name(std::string_view path) {
  path = without_slashes(path);
  size_t slash = path.rfind('/');
  return slash == std::string_view::npos || path.size() == 1 ? path : path.substr(slash + 1);
}

std::string directory_name(std::string_view path) {
  path = without_slashes(path);
  size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return ".";
  return std::string(without_slashes(path.substr(0, std::max<size_t>(slash, 1))));
}

std::string joined(std::string_view directory, std::string_view name) {
  bool needs_slash = !directory.empty() && !directory.ends_with('/');
  return fmt::format("{}{}{}", directory, needs_slash ? "/" : "", name);
}

bool is_dot_or_dot_dot(std::string_view path) {
  std::string_view last = base_name(path);
  return last == "." || last == "..";
}

std::vector<std::string> list(world::Os& os, const std::string& path, int& error) {
  std::vector<std::string> names;
  error = os.list_directory(path.c_str(), names);
  std::erase_if(names, [](const std::string& name) { return name == "." || name == ".."; });
  std::sort(names.begin(), names.end());
  return names;
}

bool is_same_file(const world::FileStatus& a, const world::FileStatus& b) {
  return a.device == b.device && a.inode == b.inode;
}

namespace {

// Field `wanted` of the line of `path` whose field `key` is `value`.
std::optional<std::string> look_up(world::Os& os, const char* path, size_t key,
                                   std::string_view value, size_t wanted) {
  Context context(os, {"getent"}, {});
  Input input(context, path);
  std::string line;
  while (input.error() == 0 && input.line(line)) {
    std::vector<std::string> fields;
    for (size_t begin = 0; begin <= line.size();) {
      size_t end = std::min(line.find(':', begin), line.size());
      fields.push_back(line.substr(begin, end - begin));
      begin = end + 1;
    }
    if (fields.size() > std::max(key, wanted) && fields[key] == value) return fields[wanted];
  }
  return std::nullopt;
}

std::string name_of(world::Os& os, const char* path, unsigned id) {
  std::string number = std::to_string(id);
  return look_up(os, path, 2, number, 0).value_or(number);
}

unsigned number_of(world::Os& os, const char* path, const std::string& name) {
  std::string text = look_up(os, path, 0, name, 2).value_or(name);
  auto number = parse_number(text);
  return number && *number >= 0 ? static_cast<unsigned>(*number) : world::kSameOwner;
}

}  // namespace

std::string user_name(world::Os& os, unsigned id) { return name_of(os, "/etc/passwd", id); }
std::string group_name(world::Os& os, unsigned id) { return name_of(os, "/etc/group", id); }
unsigned user_number(world::Os& os, const std::string& name) {
  return number_of(os, "/etc/passwd", name);
}
unsigned group_number(world::Os& os, const std::string& name) {
  return number_of(os, "/etc/group", name);
}
unsigned login_group(world::Os& os, unsigned user) {
  auto found = look_up(os, "/etc/passwd", 2, std::to_string(user), 3);
  return found ? static_cast<unsigned>(parse_number(*found).value_or(0)) : world::kSameOwner;
}

std::string mode_text(const world::FileStatus& status) {
  static constexpr char kKinds[] = {'-', 'd', 'l', 'p', 's', 'b', 'c'};
  std::string text(1, kKinds[static_cast<uint8_t>(status.kind)]);
  for (int shift = 6; shift >= 0; shift -= 3) {
    unsigned bits = status.mode >> shift & 7;
    unsigned special = status.mode >> (9 + shift / 3) & 1;
    char letter = shift == 0 ? 't' : 's';
    text += (bits & 4) != 0 ? 'r' : '-';
    text += (bits & 2) != 0 ? 'w' : '-';
    bool runs = (bits & 1) != 0;
    if (special != 0) {
      text += runs ? letter : static_cast<char>(letter - 'a' + 'A');
    } else {
      text += runs ? 'x' : '-';
    }
  }
  return text;
}

bool confirmed(Context& context, std::string_view question) {
  context.flush();
  std::string prompt = fmt::format("{}: {} ", context.name(), question);
  context.os.write(2, prompt.data(), prompt.size());
  std::string answer;
  char c = 0;
  while (context.os.read(0, &c, 1) == 1 && c != '\n') answer += c;
  return answer.starts_with('y') || answer.starts_with('Y');
}

}  // namespace nacre::utilities
