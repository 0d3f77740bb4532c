#include "commands/describe_stream.h"

#include <fmt/core.h>

#include "base/counted.h"
#include "regular/decide.h"

namespace nacre::commands {

namespace {

constexpr size_t kMaxShownLines = 3;  // that are shown one by one

}  // namespace

std::string describe_count(const LineCount& count) {
  if (count.most == kManyLines) return "";
  if (count.least == count.most) return counted(count.most, "line") + ": ";
  return fmt::format("at most {}: ", counted(count.most, "line"));
}

std::string describe(const Stream& stream, const regular::PrintOptions& options) {
  return describe(stream, [&](Lang lang) { return regular::describe(lang, options); });
}

std::string describe(const Stream& stream, const std::function<std::string(Lang)>& describe_line) {
  if (is_silent(stream)) return "nothing";
  const std::string count = describe_count(stream.count);
  if (stream.first.empty() || stream.first.size() > kMaxShownLines || stream.count.most == 1)
    return count + describe_line(any_line(stream));
  std::string result = count;
  for (const Lang line : stream.first) result += describe_line(line) + ", then ";
  const bool ends =
      stream.count.most <= stream.first.size() || regular::is_empty(stream.rest).yes();
  if (ends) return result.substr(0, result.size() - 7);
  return result + describe_line(stream.rest);
}

}  // namespace nacre::commands
