#include "cli/read_operand.h"

#include <algorithm>
#include <limits>
#include <unistd.h>

#include "system/host_files.h"

namespace nacre::cli {

const Files& host_files() {
  static const system::HostFiles files;
  return files;
}

Result<SourceFile> read_operand(const std::string& operand, std::string name, uint64_t max_bytes) {
  const auto descriptor =
      operand == "-" ? std::optional(STDIN_FILENO) : system::descriptor_named(operand);
  if (!descriptor) {
    auto file = read_source(host_files(), operand, std::move(name), max_bytes);
    const bool is_special = host_files().kind(operand) == FileKind::kOther;
    if (file || !is_special) return file;
    return fail({}, file.error().message + "; to read from a pipe, use `-`");
  }
  constexpr uint64_t kMaxSourceFile = std::numeric_limits<uint32_t>::max() - 1;
  auto bytes = system::read_descriptor(*descriptor, std::min(max_bytes, kMaxSourceFile));
  if (!bytes) return tl::unexpected(bytes.error());
  return SourceFile(std::move(name), *std::move(bytes));
}

}  // namespace nacre::cli
