// One annotation: what the author of a script says in a comment about a stage, a variable or a
// file. This is its text only; annotations.h gives it its place and its meaning.
// Internal to this module.
//
//   # @assume "cat $1" --> "[0-9]+\t[A-Za-z]+"      what the command prints, whatever it is
//   # @expect "[A-Z]+" --> "sort"                   what must flow into the command
//   # @output "[0-9]+"                              what the pipeline below must print
//   # @var "$port": "[0-9]+"                        what the variable holds
//
// Instead of the arrow there may be a colon. Types are quoted; a command, too, unless it stands
// before a colon. A quote within a quoted text needs no backslash: the text ends at the arrow, at
// the colon, or at the last quote of the line. Comments of other tools (`@param`, and `@file NAME`
// without a type) are not annotations.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/span.h"

namespace nacre::flow {

enum class AnnotationKind : uint8_t {
  kAssume,      // what flows is this, whatever was inferred
  kAssert,      // what flows must be in this
  kContains,    // all of this must be able to flow
  kVariable,    // @var
  kFile,        // @file
  kConcretize,  // @concretize: the type of a file is the content of another
  kName,        // nacre type NAME = TYPE
};

enum class Side : uint8_t { kInput, kOutput };

struct Annotation {
  AnnotationKind kind = AnnotationKind::kAssume;
  Side side = Side::kOutput;  // of the first three kinds
  Span span;                  // in the file, from the `@` to its end
  std::string keyword;        // "@assume"
  std::string subject;        // command, variable, file or name; empty: the whole pipeline
  Span type_span;             // in the file
  std::string type;           // or the path of a @concretize
};

// What a comment says. Nothing if it is an ordinary comment; `problem` set if it is meant as an
// annotation and cannot be read.
struct AnnotationText {
  std::optional<Annotation> annotation;
  std::string problem;
};

// `comment` begins with `#` and stands at `offset` in its file.
AnnotationText read_annotation(std::string_view comment, uint32_t offset);

}  // namespace nacre::flow
