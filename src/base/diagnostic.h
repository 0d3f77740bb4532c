// One finding about the user's text, as a value. Analyses make them, Emitter sorts and filters
// them, report/ shows them; nothing prints by itself. A Diagnostic is about one file; notes and
// path steps may point into others.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/source_file.h"
#include "base/span.h"

namespace nacre {

enum class Severity : uint8_t { kError, kWarning, kInfo, kStyle };

// How sure we are that the finding is true: kCertain only when every reachable input shows it and
// nothing was approximated on the way.
enum class Confidence : uint8_t { kCertain, kLikely, kPossible };

// A place with something to say about it: "assigned here", "flows here".
struct Note {
  SourceFile file;
  Span span;
  std::string message;
};

struct Edit {
  Span span;  // replaced by `text`; empty span: insertion
  std::string text;
  friend bool operator==(const Edit&, const Edit&) = default;
};

// Edits of one fix do not overlap and are applied together. A safe fix changes nothing but the
// inputs that fail.
struct Fix {
  std::string message;
  std::vector<Edit> edits;
  bool is_safe = false;
};

struct Diagnostic {
  std::string code;                  // stable: family letter and number, "T101"
  std::vector<std::string> aliases;  // what other tools call it: "DL3008", "SC2086"
  Severity severity = Severity::kWarning;
  Confidence confidence = Confidence::kLikely;
  SourceFile file;
  Span span;
  std::string message;
  std::vector<Note> notes;
  std::string counterexample;  // a concrete input that shows it; empty if there is none
  std::vector<Note> path;      // how the value got here, from its source to `span`
  std::vector<Fix> fixes;
};

}  // namespace nacre
