// dpkg: the questions that maintainer scripts ask. What is installed is what has a list of files
// below /var/lib/dpkg/info.
#include <algorithm>
#include <fcntl.h>
#include <fmt/format.h>

#include "base/ascii.h"
#include "utilities/input.h"
#include "utilities/paths.h"
#include "utilities/table.h"

namespace nacre::utilities {
namespace {

// Letters before everything else, `~` before even the end.
int order_of(char c) {
  if (c == '~') return -1;
  if (c == '\0' || is_digit(c)) return 0;
  return is_letter(c) ? c : c + 256;
}

std::string_view take_digits(std::string_view& text) {
  size_t end = 0;
  while (end < text.size() && is_digit(text[end])) ++end;
  std::string_view digits = text.substr(0, end);
  text.remove_prefix(end);
  while (digits.size() > 1 && digits[0] == '0') digits.remove_prefix(1);
  return digits == "0" ? std::string_view() : digits;
}

// Debian policy 5.6.12: non-digits character by character, digits as numbers, in turn.
int compare_parts(std::string_view a, std::string_view b) {
  while (!a.empty() || !b.empty()) {
    while ((!a.empty() && !is_digit(a[0])) || (!b.empty() && !is_digit(b[0]))) {
      const int left = order_of(a.empty() ? '\0' : a[0]);
      const int right = order_of(b.empty() ? '\0' : b[0]);
      if (left != right) return left < right ? -1 : 1;
      if (!a.empty() && !is_digit(a[0])) a.remove_prefix(1);
      if (!b.empty() && !is_digit(b[0])) b.remove_prefix(1);
    }
    const std::string_view left = take_digits(a);
    const std::string_view right = take_digits(b);
    if (left.size() != right.size()) return left.size() < right.size() ? -1 : 1;
    if (const int order = left.compare(right); order != 0) return order < 0 ? -1 : 1;
  }
  return 0;
}

struct Version {
  std::string_view epoch, upstream, revision;
};

Version parse_version(std::string_view text) {
  Version result;
  if (const size_t colon = text.find(':'); colon != std::string_view::npos) {
    result.epoch = text.substr(0, colon);
    text.remove_prefix(colon + 1);
  }
  const size_t dash = text.rfind('-');
  result.upstream = text.substr(0, dash);
  if (dash != std::string_view::npos) result.revision = text.substr(dash + 1);
  return result;
}

int compare_versions(std::string_view a, std::string_view b) {
  const Version left = parse_version(a);
  const Version right = parse_version(b);
  if (const int order = compare_parts(left.epoch, right.epoch); order != 0) return order;
  if (const int order = compare_parts(left.upstream, right.upstream); order != 0) return order;
  return compare_parts(left.revision, right.revision);
}

// An empty version is older than any; for the operators with -nl newer than any.
int compare(Context& context, std::vector<std::string> words) {
  std::erase(words, "--");
  if (words.size() != 3) return context.fail("--compare-versions takes three arguments") + 1;
  std::string op = words[1];
  const bool is_latest = op.ends_with("-nl");
  if (is_latest) op.resize(op.size() - 3);
  const std::string& a = words[0];
  const std::string& b = words[2];
  int order = 0;
  if (a.empty() || b.empty())
    order = a.empty() && b.empty() ? 0 : (a.empty() != is_latest ? -1 : 1);
  else
    order = compare_versions(a, b);
  if (op == "lt" || op == "<<") return order < 0 ? 0 : 1;
  if (op == "le" || op == "<=" || op == "<") return order <= 0 ? 0 : 1;
  if (op == "eq" || op == "=") return order == 0 ? 0 : 1;
  if (op == "ne") return order != 0 ? 0 : 1;
  if (op == "ge" || op == ">=" || op == ">") return order >= 0 ? 0 : 1;
  if (op == "gt" || op == ">>") return order > 0 ? 0 : 1;
  return context.fail("--compare-versions bad relation") + 1;
}

std::string list_of(const std::string& package) {
  return fmt::format("/var/lib/dpkg/info/{}.list", package.substr(0, package.find(':')));
}

int show_status(Context& context, const std::string& package) {
  world::FileStatus status;
  if (context.os.status(list_of(package).c_str(), true, status) < 0) {
    return context.fail(fmt::format("package '{}' is not installed", package));
  }
  context.out(fmt::format("Package: {}\nStatus: install ok installed\n", package));
  return 0;
}

int list_files(Context& context, const std::string& package) {
  int fd = context.os.open(list_of(package).c_str(), O_RDONLY, 0);
  if (fd < 0) return context.fail(fmt::format("package '{}' is not installed", package));
  char buffer[4096];
  for (ssize_t got = 0; (got = context.os.read(fd, buffer, sizeof buffer)) > 0;)
    context.out(std::string_view(buffer, static_cast<size_t>(got)));
  context.os.close(fd);
  return 0;
}

}  // namespace

int dpkg(Context& context) {
  std::vector<std::string> words(context.arguments.begin() + 1, context.arguments.end());
  if (words.empty()) return context.fail("need an action option") + 1;
  const std::string action = words[0];
  words.erase(words.begin());
  if (action == "--compare-versions") return compare(context, std::move(words));
  if (action == "--print-architecture") {
    context.out("amd64\n");
    return 0;
  }
  if (action == "--print-foreign-architectures") return 0;
  if (action == "--assert-multi-arch" || action == "--assert-support-predepends") return 0;
  const bool has_package = words.size() == 1;
  if (has_package && (action == "-s" || action == "--status"))
    return show_status(context, words[0]);
  if (has_package && (action == "-L" || action == "--listfiles"))
    return list_files(context, words[0]);
  return context.not_modelled(fmt::format("option {}", action));
}

}  // namespace nacre::utilities
