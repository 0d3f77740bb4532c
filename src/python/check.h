// Checks a Python module that uses language types: its functions and methods, and what is executed
// when it is run. Each function is verified (no input of its declared types makes it raise or
// breaks a declared type), rejected with an input that does, or left open with the reason. Nothing
// in the file is executed. Needs no annotation but the types.
//
//   FileReport report = check_python(text);
//   for (const FunctionReport& f : report.functions) if (f.verdict == Verdict::kRejected) ...
//
// Pure; several files may be checked in several threads.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/result.h"
#include "python/interpreter.h"
#include "python/shell_texts.h"

namespace nacre::python {

enum class Verdict : uint8_t { kVerified, kRejected, kUnknown };

struct Finding {
  FailureKind kind = FailureKind::kRaise;
  Span span;
  std::string message;
  // The arguments that show it, as Python literals, and the whole call ("C('x').f(1)"). Without
  // them the failure was not confirmed: the function may be right.
  std::vector<std::string> arguments;
  std::string call;
  bool is_confirmed = false;
  bool is_constant = false;  // the same wrong value whenever this place is reached
};

struct ShownType {
  Span span;
  std::string type;
};

struct FunctionReport {
  std::string name;  // "Reader.feed"; "<module>": what is executed when the module is run
  Span span;
  Verdict verdict = Verdict::kVerified;
  bool is_typed = true;  // without language types only certain failures are reported
  std::vector<Finding> findings;
  std::vector<Unsupported> unsupported;
  std::vector<Unsupported> assumptions;  // verified if these hold
  std::vector<ShownType> shown;
  std::string returns;              // the inferred type: a regex, "" if it is not a string
  std::string returned_type;        // the inferred type in words: "list of [0-9]+"
  std::vector<std::string> raises;  // exceptions that it raises itself, as one of its results
  bool is_exhausted = false;
};

struct FileReport {
  std::vector<Error> problems;  // the syntax error, or what is wrong with the types
  bool is_syntax_error = false;
  bool has_types = false;  // language types; without them little is looked at
  std::vector<FunctionReport> functions;
  std::vector<ShellText> shell_texts;
};

// The type of an expression: all values that it has, whatever the inputs are.
struct TypedPlace {
  Span span;
  std::string name;  // of a variable or parameter; empty: another expression
  std::string type;
  bool is_read = false;  // of a variable: it gets no value here
};

FileReport check_python(std::string_view text, const Limits& limits = {});

// In the order of the text, outer expressions before inner ones.
std::vector<TypedPlace> python_types(std::string_view text, const Limits& limits = {});

// The same as findings of `nacre check`, but for what the shell texts hold.
std::vector<Diagnostic> findings_of(const FileReport& report, const SourceFile& file);

}  // namespace nacre::python
