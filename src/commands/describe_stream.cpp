#include "commands/describe_stream.h"

#include <fmt/core.h>

#include "base/counted.h"
#include "regular/decide.h"

namespace nacre::commands {

namespace {

constexpr size_t kMostShownLines = 3;  // that are shown one by one

}  // namespace

std::string describe_count(const LineCount& count) {
  if (count.most == kManyLines) return "";
  if (count.least == count.most) return counted(count.most, "line") + ": ";
  return fmt::format("at most {}: ", counted(count.most, "line"));
}

std::string describe(const Stream& stream, const regular::PrintOptions& options) {
  if (is_silent(stream)) return "nothing";
  const std::string count = describe_count(stream.count);
  if (stream.first.empty() || stream.first.size() > kMostShownLines || stream.count.most == 1)
    return count + regular::describe(any_line(stream), options);
  std::string result = count;
  for (const Lang line : stream.first) result += regular::describe(line, options) + ", then ";
  const bool ends =
      stream.count.most <= stream.first.size() || regular::is_empty(stream.rest).yes();
  if (ends) return result.substr(0, result.size() - 7);
  return result + regular::describe(stream.rest, options);
}

}  // namespace nacre::commands
