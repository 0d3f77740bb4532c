// Between the analyses and the reports: applies what the user chose (codes, severities) and the
// suppressions in the text, then sorts and removes duplicates. A pure function of its arguments.
//
//   std::vector<Diagnostic> shown = emit(analysis, choice);
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/codes.h"
#include "base/diagnostic.h"
#include "base/suppression.h"

namespace nacre {

// What one file gave.
struct Analysis {
  SourceFile file;
  std::vector<Diagnostic> findings;
  Layout layout;
  CodeSet examined;            // what was looked for: only such suppressions can be called useless
  bool is_finished = true;     // false: it could not be read, parsed or analysed to the end
  std::string verb = "check";  // codes of other verbs were not looked for
};

struct Choice {
  CodeSet select = CodeSet({"all"});
  CodeSet ignore;
  std::map<std::string, Severity, std::less<>> severities;  // by code; replaces the page's
};

std::vector<Diagnostic> emit(Analysis analysis, const Choice& choice);

// Sorts by file name, place, severity, code; removes what is there twice (two scripts that source
// the same file report it once).
void sort_and_unify(std::vector<Diagnostic>& diagnostics);

}  // namespace nacre
