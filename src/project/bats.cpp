#include "project/bats.h"

#include <fmt/format.h>

#include "base/path.h"
#include "base/shebang.h"

namespace nacre::project {

namespace {

constexpr std::string_view kTest = "@test ";

bool is_line_start(std::string_view text, size_t at) {
  while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\t')) at--;
  return at == 0 || text[at - 1] == '\n';
}

// Where the next test begins, from `at` on; npos if there is none.
size_t next_test(std::string_view text, size_t at) {
  do {
    at = text.find(kTest, at);
  } while (at != text.npos && !is_line_start(text, at++));
  return at == text.npos ? at : at - 1;
}

}  // namespace

bool is_bats(const SourceFile& file) {
  const bool is_named = base_name(file.name()).ends_with(".bats");
  return (is_named || interpreter_of(file.bytes()) == "bats") &&
         next_test(file.bytes(), 0) != std::string_view::npos;
}

std::string bats_as_bash(std::string_view text) {
  std::string result(text);
  for (size_t at = next_test(text, 0); at != text.npos; at = next_test(text, at + 1)) {
    const size_t line = std::min(text.find('\n', at), text.size());
    const size_t brace = text.rfind('{', line);
    const std::string name = fmt::format("t{}()", at);
    if (brace == text.npos || brace < at + name.size()) continue;
    result.replace(at, brace - at, name + std::string(brace - at - name.size(), ' '));
  }
  return result;
}

}  // namespace nacre::project
