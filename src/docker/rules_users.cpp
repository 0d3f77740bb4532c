// Rules about the user that the image runs as.
#include <fmt/format.h>

#include "base/ascii.h"
#include "docker/rules.h"
#include "docker/users.h"

namespace nacre::docker {

// USER root                        # reported
// USER root + USER app             # not
void report_root(const Facts& facts, Findings& findings) {
  const Step* step = last_user(facts, facts.stages.stages.size() - 1);
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
  const Step* step = last_user(facts, facts.stages.stages.size() - 1);
  if (step == nullptr || facts.shell_of(*step).kind != Shell::Kind::kPosix) return;
  const std::string name = name_of_user(facts, *step);
  if (name.empty() || name == "root" || is_digits(name)) return;
  findings.add(
      "D502", step->instruction->words[0].span,
      fmt::format("Kubernetes cannot tell that {} is not root; give the user by number", name),
      {"DL3066"});
}

}  // namespace nacre::docker
