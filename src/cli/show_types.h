// A script with the types of its pipes and variables beside it: `nacre check --show-types`.
#pragma once

#include <string>
#include <vector>

#include "base/source_file.h"
#include "project/types.h"

namespace nacre::cli {

std::string with_types(const SourceFile& file, const std::vector<project::TypeAt>& types);

}  // namespace nacre::cli
