// How formats that know only three severities name ours: GCC's, SARIF's, GitHub's.
#pragma once

#include <string_view>

#include "base/diagnostic.h"

namespace nacre::report {

// error, warning or note.
constexpr std::string_view three_level_name(Severity severity) {
  switch (severity) {
    case Severity::kError: return "error";
    case Severity::kWarning: return "warning";
    case Severity::kInfo:
    case Severity::kStyle: return "note";
  }
  return "note";
}

}  // namespace nacre::report
