#include "cli/output.h"

#include <cstdio>
#include <fmt/format.h>
#include <unistd.h>

#include "report/printable.h"

namespace nacre::cli {

int complain(std::string_view verb, std::string_view message, ExitStatus status) {
  fmt::print(stderr, "nacre{}{}: {}\n", verb.empty() ? "" : " ", verb, report::printable(message));
  return status;
}

int complain_about_usage(std::string_view verb, std::string_view message) {
  complain(verb, message);
  fmt::print(stderr, "Try `nacre help {}`.\n", verb);
  return kUsage;
}

std::string harmless(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const size_t end = std::min(text.find_first_of("\n\t"), text.size());
    result += report::printable(text.substr(0, end));
    if (end < text.size()) result += text[end];
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

void print_text(std::string_view text) {
  const bool is_terminal = isatty(STDOUT_FILENO) == 1;
  const std::string safe = is_terminal ? harmless(text) : "";
  if (is_terminal) text = safe;
  std::fwrite(text.data(), 1, text.size(), stdout);  // run() reports what could not be written
}

}  // namespace nacre::cli
