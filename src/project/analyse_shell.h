// What the other faces ask of a shell script beside its findings.
#pragma once

#include <string>
#include <vector>

#include "flow/check.h"
#include "project/settings.h"
#include "project/workspace.h"

namespace nacre::project {

// The types of a script's commands and variables, in the order of the text. `input`: what the
// script reads, as a type; empty: nothing is known of it. Must parse.
std::vector<flow::TypeAt> types_of(const SourceFile& file, const Settings& settings,
                                   Workspace& workspace, const std::string& input = "",
                                   Stop stop = {});

}  // namespace nacre::project
