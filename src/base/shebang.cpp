#include "base/shebang.h"

#include <algorithm>

#include "base/path.h"

namespace nacre {

namespace {

// The next word of `line`, taken from its front; empty at the end.
std::string_view take_word(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  std::string_view word = line.substr(0, line.find_first_of(" \t"));
  line.remove_prefix(word.size());
  return word;
}

// What env runs: the first word that is neither an option nor an assignment.
std::string_view take_env_command(std::string_view& line) {
  for (;;) {
    std::string_view word = take_word(line);
    if (word == "-u" || word == "-C") {
      take_word(line);
    } else if (word.starts_with("-S") && word.size() > 2) {
      return word.substr(2);
    } else if (!word.starts_with('-') && word.find('=') == std::string_view::npos) {
      return word;
    }
  }
}

// Its own line, the second one: `#! nix-shell -i bash -p jq`.
std::string_view nix_interpreter(std::string_view bytes) {
  std::string_view line = bytes.substr(std::min(bytes.find('\n'), bytes.size() - 1) + 1);
  line = line.substr(0, line.find_first_of("\r\n"));
  if (!line.starts_with("#!")) return {};
  line.remove_prefix(2);
  for (std::string_view word = take_word(line); !word.empty(); word = take_word(line)) {
    if (word == "-i") return base_name(take_word(line));
  }
  return {};
}

}  // namespace

std::string_view interpreter_of(std::string_view bytes) {
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
  if (!bytes.starts_with("#!")) return {};
  std::string_view line = bytes.substr(2, bytes.find_first_of("\r\n", 2) - 2);
  std::string_view name = base_name(take_word(line));
  if (name == "env") name = base_name(take_env_command(line));
  if (name == "busybox" || name == "toybox") {
    std::string_view applet = take_word(line);
    return applet.empty() ? name : applet;
  }
  if (name == "nix-shell") {
    const std::string_view named = nix_interpreter(bytes);
    return named.empty() ? name : named;
  }
  return name;
}

}  // namespace nacre
