// What the rules look at: the tree, the stages, the programs of RUN, and what the user asked for.
// Rules only read it.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "docker/demands.h"
#include "docker/script.h"
#include "docker/stages.h"
#include "docker/syntax.h"

namespace nacre::docker {

struct Facts {
  File file;
  Stages stages;
  std::vector<std::unique_ptr<Script>> scripts;  // in the order of their steps
  Demands demands;
  std::optional<std::string> ignore_file;  // .dockerignore of the context
  bool is_experimental = false;            // `# check=experimental=...`

  [[nodiscard]] const Stage& stage_of(const Step& step) const { return stages.stages[step.stage]; }
  [[nodiscard]] const Shell& shell_of(const Step& step) const { return stages.shell_at(step); }
};

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
