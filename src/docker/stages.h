// What a Dockerfile does, from its tree: the stages and what they build on, the instructions of
// each with ONBUILD taken off, and at each of them the variables and the shell that hold there. The
// scopes are BuildKit's: an ARG before the first FROM is seen by FROM alone, ENV is stronger than
// ARG, and a stage inherits both from the stage that it is built on.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "docker/expand.h"
#include "docker/images.h"
#include "docker/syntax.h"
#include "shell/dialect.h"

namespace nacre::docker {

// A chain of stages that are built on each other is followed so far; what lies beyond is unknown.
constexpr size_t kMaxBases = 100;

// What RUN starts. Only the shells of the kind kPosix are read.
struct Shell {
  enum class Kind : uint8_t { kPosix, kPowerShell, kCmd, kOther } kind = Kind::kPosix;
  shell::Dialect dialect = shell::Dialect::kSh;
  bool is_explicit = false;   // by SHELL or a pragma
  bool is_of_image = false;   // the table of images knows it
  bool has_pipefail = false;  // SHELL [..., "-o", "pipefail", ...]
  bool has_errexit = false;
};

// By the words of SHELL: its program and its options.
Shell shell_of_words(const std::vector<Word>& words);

struct Step {
  const Instruction* instruction = nullptr;  // within ONBUILD: the inner one
  bool is_trigger = false;                   // within ONBUILD
  size_t stage = 0;
  uint32_t index = 0;             // counted through the whole file
  uint32_t shell = 0;             // in Stages::shells
  uint32_t workdir = UINT32_MAX;  // the step of the last WORKDIR before it in its stage
};

struct Definition {
  uint32_t index = 0;                // of its step
  std::optional<std::string> value;  // nothing: not known
  Span span;
  bool is_env = false;
};

// Of one name in one stage, in the order of their steps.
struct Definitions {
  std::vector<Definition> arguments;
  std::vector<Definition> environment;
};

struct Stage {
  const Instruction* from = nullptr;  // null: there was no FROM before
  std::string name;                   // after AS, as it is written
  Span name_span;
  Expanded image;              // with the default values of ARG
  std::optional<size_t> base;  // the stage that it is built on
  bool is_base = false;        // a later stage is built on it
  bool is_copied = false;      // a later COPY --from or mount takes something from it
  bool has_triggers = false;   // ONBUILD: it is meant to be built on
  size_t first_step = 0, end_step = 0;
  uint32_t last_shell = 0;
  std::map<std::string, Definitions, std::less<>> variables;
};

struct Stages {
  const File* file = nullptr;
  std::vector<Stage> stages;
  std::vector<Step> steps;
  std::vector<Shell> shells;
  std::map<std::string, Definition, std::less<>> global_arguments;  // ARG before the first FROM
  std::vector<const Instruction*> global_steps;

  // The stages that the result is made of by FROM: the last one, what it is built on, and those
  // that are meant to be built on.
  [[nodiscard]] bool is_in_result(size_t stage) const { return in_result[stage]; }
  std::vector<bool> in_result;
  std::map<std::string, std::vector<size_t>, std::less<>> named;  // by name, in lower case

  // What `name` holds before the step; null: nothing in this file sets it.
  [[nodiscard]] const Definition* find_variable(std::string_view name, const Step& step) const;
  [[nodiscard]] Expanded expand_at(std::string_view word, const Step& step) const;
  // Where the step runs, if a WORKDIR before it in its stage says so in full.
  [[nodiscard]] std::optional<std::string> working_directory(const Step& step) const;
  [[nodiscard]] const Shell& shell_at(const Step& step) const { return shells[step.shell]; }
  // An earlier stage, by its name (in any case) or number.
  [[nodiscard]] std::optional<size_t> find_stage(std::string_view name, size_t before) const;
  // Whether `stage` is built on `base`, also by way of others.
  [[nodiscard]] bool is_built_on(size_t stage, size_t base) const;
  // The image or `scratch` at the end of the chain of bases; null: not written in this file.
  [[nodiscard]] const Stage* root_of(size_t stage) const;
};

// ARGs that every build has: proxies, and in FROM the platforms.
bool is_predefined_argument(std::string_view name);
bool is_platform_argument(std::string_view name);

// `shells`: the shell that a pragma gives, by the offset from which it holds.
Stages find_stages(const File& file, const std::map<uint32_t, std::string>& shell_pragmas);

}  // namespace nacre::docker
