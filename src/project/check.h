// Everything that Nacre has to say about one file, ready to be shown: analysed, suppressed, chosen
// and sorted. The command line, the editor and the browser all call this, so that they say the
// same. A function of its arguments alone: files and the environment are asked for through the
// Workspace. Safe in several threads.
//
//   system::HostFiles files;
//   project::Workspace workspace(files);
//   auto settings = workspace.settings_for(path);
//   project::Checked checked = project::check({file}, *settings, workspace);
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/budget.h"
#include "base/diagnostic.h"
#include "project/language.h"
#include "project/settings.h"
#include "project/workspace.h"

namespace nacre::project {

// A text to check; its name is its path, absolute or from the working directory.
struct Document {
  SourceFile file;
  std::optional<Language> language = std::nullopt;  // none: by its first line or its name
};

enum class Ending : uint8_t {
  kFinished,
  kIncomplete,   // something could not be parsed or analysed; a finding or a remark says what
  kOutOfMemory,  // worth another try when nothing else runs
  kStopped,      // by request; findings may be missing
};

struct Checked {
  std::vector<Diagnostic> findings;
  std::vector<std::string> remarks;  // what was not looked at, for people
  Ending ending = Ending::kFinished;
  // The files that it asked for, by absolute path, also those that are not there: when one of them
  // changes, so may the findings.
  std::vector<std::string> consulted;
};

Checked check(const Document& document, const Settings& settings, Workspace& workspace,
              Stop stop = {});

}  // namespace nacre::project
