// Everything that Nacre has to say about one Dockerfile: the rules of this module, and for each RUN
// in a shell that is read what the shell's parser and type checker find in it, starting from the
// variables of its stage. A pure function of its arguments; runs nothing.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/budget.h"
#include "base/emitter.h"
#include "commands/card_library.h"
#include "docker/facts.h"

namespace nacre::docker {

struct CheckOptions {
  Demands demands;
  std::optional<std::string> ignore_file;  // the text of .dockerignore
  bool reads_pragmas = true;               // those of hadolint and BuildKit
  uint32_t max_findings = 2'000;           // of one file
  uint32_t max_scripts = 5'000;            // RUN instructions that are looked into
  Stop stop = {};
};

struct CheckResult {
  std::vector<Diagnostic> findings;
  Layout layout;
  bool is_valid = true;       // the builder accepts it, and so do the shells of its RUNs
  bool is_exhausted = false;  // a budget ran out: something was not looked into
};

CheckResult check(const SourceFile& source, const commands::CardLibrary& cards,
                  const CheckOptions& options = {});

}  // namespace nacre::docker
