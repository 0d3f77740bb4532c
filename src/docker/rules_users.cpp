// Rules about the user that the image runs as.
#include <fmt/format.h>

#include "base/ascii.h"
#include "docker/rules.h"
#include "docker/text.h"

namespace nacre::docker {

namespace {

// The last USER of the result, also in what it is built on; null: there is none.
const Step* last_user(const Facts& facts) {
  constexpr size_t kMaxBases = 100;
  std::optional<size_t> index = facts.stages.stages.size() - 1;
  for (size_t depth = 0; index && depth < kMaxBases; depth++) {
    const Stage& stage = facts.stages.stages[*index];
    for (size_t i = stage.end_step; i-- > stage.first_step;) {
      const Step& step = facts.stages.steps[i];
      const bool is_one = step.instruction->keyword == Keyword::kUser && !step.is_trigger;
      if (is_one && !step.instruction->words.empty()) return &step;
    }
    index = stage.base;
  }
  return nullptr;
}

std::string name_of_user(const Facts& facts, const Step& step) {
  const Expanded user = facts.stages.expand_at(step.instruction->words[0].text, step);
  return user.is_known ? user.text.substr(0, user.text.find(':')) : "";
}

}  // namespace

// USER root                        # reported
// USER root + USER app             # not
void report_root(const Facts& facts, Findings& findings) {
  const Step* step = last_user(facts);
  if (step == nullptr) return;
  const std::string name = name_of_user(facts, *step);
  if (name != "root" && name != "0") return;
  findings.add("D501", step->instruction->words[0].span,
               "the image runs as root; end with a USER that is not", {"DL3002"},
               Confidence::kCertain);
}

// USER app                         # reported
// USER 1000                        # not
void report_named_user(const Facts& facts, Findings& findings) {
  const Step* step = last_user(facts);
  if (step == nullptr || facts.shell_of(*step).kind != Shell::Kind::kPosix) return;
  const std::string name = name_of_user(facts, *step);
  if (name.empty() || name == "root" || is_digits(name)) return;
  findings.add(
      "D502", step->instruction->words[0].span,
      fmt::format("Kubernetes cannot tell that {} is not root; give the user by number", name),
      {"DL3066"});
}

}  // namespace nacre::docker
