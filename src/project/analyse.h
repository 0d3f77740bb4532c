// Everything that Nacre has to say about one file: the one place where the analyses are called, for
// the command line and the editor alike. A pure function of its arguments: safe in several threads.
#pragma once

#include <string>
#include <vector>

#include "base/emitter.h"
#include "flow/check.h"
#include "project/language.h"
#include "project/settings.h"

namespace nacre::project {

struct FileAnalysis {
  Analysis analysis;
  std::vector<std::string>
      remarks;  // what was not looked at, for people; the same for all such files
};

FileAnalysis analyse(const SourceFile& file, const Settings& settings);

// The types of a shell script's commands and variables, in the order of the text.
std::vector<flow::TypeAt> types_of(const SourceFile& file, const Settings& settings,
                                   flow::CheckOptions options = {});

// Whether directory walks take files of this language.
bool is_analysed(Language language);

}  // namespace nacre::project
