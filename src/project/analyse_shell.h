// The types of a shell script, for types.h.
#pragma once

#include <string>
#include <vector>

#include "flow/check.h"
#include "project/settings.h"
#include "project/workspace.h"

namespace nacre::project {

std::vector<flow::TypeAt> shell_types(const SourceFile& file, const Settings& settings,
                                      Workspace& workspace, const std::string& input, Stop stop);

}  // namespace nacre::project
