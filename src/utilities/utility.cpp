#include "utilities/utility.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>

#include "utilities/regex.h"

namespace nacre::utilities {

const char* Context::variable(std::string_view wanted) const {
  for (const std::string& entry : environment) {
    if (entry.size() > wanted.size() && entry[wanted.size()] == '=' && entry.starts_with(wanted)) {
      return entry.c_str() + wanted.size() + 1;
    }
  }
  return nullptr;
}

bool Context::flush() {
  std::string_view rest = buffer_;
  while (!rest.empty() && !is_broken_) {
    ssize_t written = os.write(1, rest.data(), rest.size());
    if (written == -EINTR) continue;
    if (written < 0) {
      is_broken_ = true;
      fail("write error", static_cast<int>(written));
      break;
    }
    rest.remove_prefix(static_cast<size_t>(written));
  }
  buffer_.clear();
  return !is_broken_;
}

int Context::fail(std::string_view message) {
  flush();  // what came before stands before
  std::string line = fmt::format("{}: {}\n", name(), message);
  os.write(2, line.data(), line.size());
  return 1;
}

int Context::fail(std::string_view what, int error) {
  return fail(fmt::format("{}: {}", what, error_text(error)));
}

int Context::not_modelled(std::string_view what) {
  fail(fmt::format("{} is not modelled in the simulated world", what));
  return kNotModelled;
}

void Context::holds(size_t bytes) {
  constexpr int kExhausted = 2;
  if (os.hold(bytes)) return;
  fail("memory exhausted");
  os.exit(kExhausted);
}

Utility find_utility(std::string_view name) {
  for (const Entry& entry : utilities()) {
    if (entry.name == name) return entry.run;
  }
  return nullptr;
}

int run_utility(Utility utility, Context& context) {
  int status = 0;
  try {
    status = utility(context);
  } catch (const Regex::TooMuchWork&) {
    status = context.not_modelled("a search with so many back-references in so long a text");
  }
  bool written = context.flush();
  return written || status != 0 ? status : 1;
}

std::string error_text(int error) { return std::strerror(std::abs(error)); }

std::string quoted(std::string_view text) {
  std::string result = "'";
  for (char c : text) {
    if (c == '\'' || c == '\\') result += '\\';
    if (c == '\n') {
      result += "\\n";
    } else {
      result += c;
    }
  }
  return result + "'";
}

}  // namespace nacre::utilities
