#include "machine/glob.h"

#include <algorithm>

#include "machine/pattern.h"

namespace nacre::machine {
namespace {

class Globber {
 public:
  Globber(world::Os& os, const GlobRules& rules) : os_(os), rules_(rules) {}

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
    if (component == "**" && rules_.has_double_star) return walk_below(path, rest);
    if (!is_pattern(component, rules_.patterns.extended) && !rules_.patterns.ignores_case) {
      return walk_literal(path + unescape(component), rest);
    }
    std::vector<std::string> names;
    os_.list_directory(path.empty() ? "." : path.c_str(), names);
    for (const std::string& name : names) {
      if (is_hidden(name, component) || !matches(component, name, rules_.patterns)) continue;
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
  bool is_hidden(const std::string& name, std::string_view component) const {
    if (rules_.matches_hidden) return name == "." || name == "..";
    return name[0] == '.' && !component.starts_with('.') && !component.starts_with("\\.");
  }

  // **/rest: in `path` and in all directories below it. At the end it is all that is there.
  void walk_below(const std::string& path, std::string_view rest) {
    while (rest.starts_with("/**") && (rest.size() == 3 || rest[3] == '/')) {
      rest.remove_prefix(3);  // the directories below directories below are the same ones
    }
    if (rest.empty()) {
      if (!path.empty()) found.push_back(path);
    } else {
      walk(path, rest.substr(std::min(rest.find_first_not_of('/'), rest.size())));
    }
    std::vector<std::string> names;
    os_.list_directory(path.empty() ? "." : path.c_str(), names);
    for (const std::string& name : names) {
      if (name == "." || name == ".." || is_hidden(name, "*")) continue;
      world::FileStatus status;
      if (os_.status((path + name).c_str(), false, status) < 0) continue;
      if (status.kind == world::FileKind::kDirectory) {
        if (rest.empty()) found.push_back(path + name);
        walk_directories(path + name + "/", rest);
      } else if (rest.empty()) {
        found.push_back(path + name);
      }
    }
  }
  void walk_directories(const std::string& path, std::string_view rest) {
    size_t before = found.size();
    walk_below(path, rest);
    // The directory itself was added with its name already.
    if (rest.empty() && found.size() > before && found[before] == path) {
      found.erase(found.begin() + static_cast<ptrdiff_t>(before));
    }
  }

  world::Os& os_;
  const GlobRules& rules_;
};

}  // namespace

std::vector<std::string> glob(world::Os& os, std::string_view pattern, const GlobRules& rules) {
  Globber globber(os, rules);
  const Locale& locale = rules.patterns.locale;
  globber.walk("", pattern);
  std::sort(globber.found.begin(), globber.found.end(),
            [&](const std::string& a, const std::string& b) { return locale.compare(a, b) < 0; });
  globber.found.erase(std::unique(globber.found.begin(), globber.found.end()), globber.found.end());
  return std::move(globber.found);
}

}  // namespace nacre::machine
