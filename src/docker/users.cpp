#include "docker/users.h"

namespace nacre::docker {

namespace {

bool is_user(const Step& step) {
  return step.instruction->keyword == Keyword::kUser && !step.is_trigger &&
         !step.instruction->words.empty();
}

// The last one of the steps [first, end).
const Step* last_user_among(const Facts& facts, size_t first, size_t end) {
  for (size_t i = end; i-- > first;) {
    if (is_user(facts.stages.steps[i])) return &facts.stages.steps[i];
  }
  return nullptr;
}

}  // namespace

std::optional<KnownImage> image_below(const Facts& facts, size_t stage) {
  const Stage* root = facts.stages.root_of(stage);
  if (root == nullptr || root->from == nullptr || !root->image.is_known) return std::nullopt;
  return find_image(split_image(root->image.text));
}

const Step* last_user(const Facts& facts, size_t stage) {
  std::optional<size_t> index = stage;
  for (size_t depth = 0; index && depth < kMaxBases; depth++) {
    const Stage& here = facts.stages.stages[*index];
    const Step* found = last_user_among(facts, here.first_step, here.end_step);
    if (found != nullptr) return found;
    index = here.base;
  }
  return nullptr;
}

std::string name_of_user(const Facts& facts, const Step& user) {
  const Expanded name = facts.stages.expand_at(user.instruction->words[0].text, user);
  return name.is_known ? name.text.substr(0, name.text.find(':')) : "";
}

std::string user_at(const Facts& facts, const Step& step) {
  const Stage& stage = facts.stage_of(step);
  const Step* user = last_user_among(facts, stage.first_step, step.index);
  if (user == nullptr && stage.base) user = last_user(facts, *stage.base);
  if (user != nullptr) return name_of_user(facts, *user);
  // Images of the table whose programs can be run by another user begin as root.
  const auto image = image_below(facts, step.stage);
  return image && !image->user.empty() ? "root" : "";
}

}  // namespace nacre::docker
