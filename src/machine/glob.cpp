#include "machine/glob.h"

#include <algorithm>

#include "machine/pattern.h"

namespace nacre::machine {
namespace {

class Globber {
 public:
  Globber(world::Os& os, const Locale& locale) : os_(os), locale_(locale) {}

  // `prefix` is a path that exists (or nothing); `rest` what has to be matched after it.
  void walk(const std::string& prefix, std::string_view rest) {
    size_t slashes = std::min(rest.find_first_not_of('/'), rest.size());
    std::string path = prefix + std::string(rest.substr(0, slashes));
    rest.remove_prefix(slashes);
    if (rest.empty()) {
      world::FileStatus status;
      if (os_.status(path.c_str(), false, status) >= 0) found.push_back(path);
      return;
    }
    size_t end = std::min(rest.find('/'), rest.size());
    std::string_view component = rest.substr(0, end);
    rest.remove_prefix(end);
    if (!is_pattern(component)) return walk_literal(path + unescape(component), rest);
    std::vector<std::string> names;
    os_.list_directory(path.empty() ? "." : path.c_str(), names);
    for (const std::string& name : names) {
      if (is_hidden(name, component) || !matches(component, name, locale_)) continue;
      if (rest.empty()) {
        found.push_back(path + name);
      } else {
        walk_literal(path + name, rest);
      }
    }
  }

  std::vector<std::string> found;

 private:
  void walk_literal(const std::string& path, std::string_view rest) {
    world::FileStatus status;
    if (os_.status(path.c_str(), !rest.empty(), status) < 0) return;
    if (rest.empty()) {
      found.push_back(path);
    } else if (status.kind == world::FileKind::kDirectory) {
      walk(path, rest);
    }
  }

  // A leading dot is matched only by a literal one.
  static bool is_hidden(const std::string& name, std::string_view component) {
    return name[0] == '.' && !component.starts_with('.') && !component.starts_with("\\.");
  }

  world::Os& os_;
  const Locale& locale_;
};

}  // namespace

std::vector<std::string> glob(world::Os& os, std::string_view pattern, const Locale& locale) {
  Globber globber(os, locale);
  globber.walk("", pattern);
  std::sort(globber.found.begin(), globber.found.end(),
            [&](const std::string& a, const std::string& b) { return locale.compare(a, b) < 0; });
  return std::move(globber.found);
}

}  // namespace nacre::machine
