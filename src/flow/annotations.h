// The annotations of a script, each at the place that it is about: assumptions replace what would
// be inferred of a stage, a variable or a file; assertions are checked where the lines flow. An
// annotation stands in a comment directly above a statement, or within one; it is about a command
// of that statement, found by its structure, or of the statement's own input and output. @var,
// @file and `nacre type` hold from where they stand. Internal to this module.
//
// Nothing is silently dropped: what cannot be read (S020) or is about nothing (S021) is a finding.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/files.h"
#include "commands/stream.h"
#include "flow/annotation.h"
#include "shell/tree.h"

namespace nacre::flow {

using commands::Stream;
using regular::Context;
using regular::Lang;

// A type as an annotation writes it. One that names newlines (`\n`) is of the whole stream; others
// are of each line.
struct AnnotatedType {
  Lang lang;
  bool is_text = false;
  std::string source;  // as it is written
  // Without the alternatives that only say what lines are not: `format|~(prefix.*)` describes lines
  // of the format, and leaves the others open. Nothing where all is described.
  std::optional<Lang> described = std::nullopt;

  [[nodiscard]] Stream stream() const;
};

struct Assertion {
  std::string keyword;  // "@output", for messages
  Span span;            // of the annotation
  AnnotatedType type;
  bool is_contained = false;  // `..._contains`: the type must be part of what flows
};

// What is said of one command.
struct CommandNotes {
  std::optional<Stream> input;  // assumed
  std::optional<Stream> output;
  std::optional<Lang> described;  // of the lines of `output`: without what is only said not to be
  std::vector<Assertion> input_assertions;
  std::vector<Assertion> output_assertions;
  // A @concretize of the statement was not followed: what flows is better known than we know it.
  bool is_blind = false;
};

struct VariableNote {
  std::string name;
  Span span;
  Lang type;
};

class Annotations {
 public:
  // The types live in `context`; the tree must outlive this. A @concretize is followed if there
  // are files.
  Annotations(const shell::Tree& tree, Context& context, const nacre::Files* files = nullptr,
              uint64_t max_bytes = 0);

  [[nodiscard]] std::span<const Diagnostic> mistakes() const { return mistakes_; }

  // Null: nothing is said of it.
  [[nodiscard]] const CommandNotes* of(const shell::Command& command) const;
  // What holds when the statement begins.
  [[nodiscard]] std::span<const VariableNote> variables_before(
      const shell::Command& statement) const;
  // The lines of the file that a word of the script names.
  [[nodiscard]] std::optional<Stream> file_named_by(Span word) const;

 private:
  friend class AnnotationPlacer;
  std::map<const shell::Command*, CommandNotes> commands_;
  std::map<const shell::Command*, std::vector<VariableNote>> variables_;
  std::map<std::pair<uint32_t, uint32_t>, Stream> files_;  // by the word's span
  std::vector<Diagnostic> mistakes_;
};

}  // namespace nacre::flow
