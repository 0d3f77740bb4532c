#include "base/files.h"

#include <algorithm>
#include <limits>

#include "base/path.h"

namespace nacre {

Result<SourceFile> read_source(const Files& files, const std::string& path, std::string name,
                               uint64_t max_bytes) {
  constexpr uint64_t kMaxSourceFile = std::numeric_limits<uint32_t>::max() - 1;
  auto bytes = files.read(path, std::min(max_bytes, kMaxSourceFile));
  if (!bytes) return tl::unexpected(bytes.error());
  return SourceFile(std::move(name), *std::move(bytes));
}

std::string absolute_path(const Files& files, const std::string& path) {
  if (path.starts_with('/')) return normal_path(path);
  return normal_path(files.working_directory() + "/" + path);
}

}  // namespace nacre
