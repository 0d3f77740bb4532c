// What a check finds in a script, as short as a test wants to compare it.
#pragma once

#include <string>

#include "flow/check.h"
#include "shell/parse.h"

namespace nacre::flow::testing {

inline CheckResult check(const std::string& script, shell::Dialect dialect) {
  const auto parsed = shell::parse_file(SourceFile("test.sh", script), dialect);
  const commands::CardLibrary cards;
  return flow::check(parsed.tree, cards);
}

// The codes of the findings of at least this severity, each with its line: "X101:3 T301:4".
inline std::string codes(const std::string& script, shell::Dialect dialect = shell::Dialect::kBash,
                         Severity least = Severity::kStyle) {
  std::string result;
  for (const Diagnostic& each : check(script, dialect).findings) {
    if (each.severity > least) continue;
    if (!result.empty()) result += ' ';
    result += each.code + ':' + std::to_string(each.file.line_of(each.span.begin));
  }
  return result;
}

}  // namespace nacre::flow::testing
