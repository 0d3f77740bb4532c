// The report formats of hadolint: one function from rows to text each.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"

namespace nacre::cli {

struct HadolintRow {
  std::string file;
  uint32_t line = 1;
  uint32_t column = 1;
  std::string rule;
  Severity level = Severity::kWarning;
  std::string message;
};

using HadolintRows = std::vector<HadolintRow>;

struct HadolintFormat {
  std::string_view name;
  std::string (*render)(const HadolintRows& rows, const std::vector<std::string>& files);
};

// Null: there is none of that name.
const HadolintFormat* find_hadolint_format(std::string_view name);

}  // namespace nacre::cli
