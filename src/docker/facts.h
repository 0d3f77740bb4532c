// What the rules look at: the tree, the stages, the programs of RUN, and what the user asked for.
// Rules only read it.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "commands/card_library.h"
#include "docker/demands.h"
#include "docker/pragmas.h"
#include "docker/script.h"
#include "docker/stages.h"
#include "docker/syntax.h"

namespace nacre::docker {

struct Facts {
  File file;
  Pragmas pragmas;
  Stages stages;
  std::vector<std::unique_ptr<Script>> scripts;  // of RUN, in the order of their steps
  // Those that start when the image runs: CMD, ENTRYPOINT and HEALTHCHECK in shell form.
  std::vector<std::unique_ptr<Script>> commands;
  std::deque<Step> command_steps;  // of these; that of HEALTHCHECK is the CMD in it
  Demands demands;
  std::optional<std::string> ignore_file;  // .dockerignore of the context
  bool is_exhausted = false;               // some RUN instructions were not looked into

  [[nodiscard]] const Stage& stage_of(const Step& step) const { return stages.stages[step.stage]; }
  [[nodiscard]] const Shell& shell_of(const Step& step) const { return stages.shell_at(step); }
};

// Calls f(script, usage) for each use of a package manager in RUN.
template <typename F>
void for_each_usage(const Facts& facts, F&& f) {
  for (const auto& script : facts.scripts) {
    for (const Usage& usage : script->usages) f(*script, usage);
  }
}

struct GatherOptions {
  bool reads_pragmas = true;     // those of hadolint and BuildKit
  uint32_t max_scripts = 5'000;  // RUN instructions that are looked into
};

// On the heap, because its parts point to each other.
std::unique_ptr<Facts> gather_facts(const SourceFile& source, const commands::CardLibrary& cards,
                                    const GatherOptions& options = {});

// Collects what the rules find.
class Findings {
 public:
  explicit Findings(const SourceFile& source) : source_(source) {}

  // The finding can be given notes and fixes.
  Diagnostic& add(std::string_view code, Span span, std::string message,
                  std::vector<std::string> aliases = {},
                  Confidence confidence = Confidence::kLikely);
  [[nodiscard]] std::vector<Diagnostic> take() { return std::move(list_); }
  [[nodiscard]] const SourceFile& source() const { return source_; }

 private:
  SourceFile source_;
  std::vector<Diagnostic> list_;
};

}  // namespace nacre::docker
