#include "project/concretize.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/read_source.h"

namespace nacre::project {

flow::Outside present_outside(uint64_t max_bytes) {
  flow::Outside result;
  result.read_file = [max_bytes](const std::string& path) -> std::optional<std::string> {
    struct stat found {};
    if (::stat(path.c_str(), &found) != 0 || !S_ISREG(found.st_mode)) return std::nullopt;
    const auto file = read_source(path, path, max_bytes);
    return file ? std::optional(std::string(file->bytes())) : std::nullopt;
  };
  for (char** entry = environ; entry != nullptr && *entry != nullptr; entry++) {
    const std::string text = *entry;
    const size_t equals = text.find('=');
    if (equals != std::string::npos)
      result.environment.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  return result;
}

}  // namespace nacre::project
