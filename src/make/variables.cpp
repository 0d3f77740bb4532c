#include "make/variables.h"

namespace nacre::make {

const Variable* Variables::find(std::string_view name) const {
  const auto found = map_.find(name);
  return found == map_.end() ? nullptr : &found->second;
}

void Variables::remember(std::string_view name) {
  if (choices_.empty()) return;
  Changes& before = choices_.back().before;
  if (before.find(name) != before.end()) return;
  const Variable* old = find(name);
  before.emplace(name, old == nullptr ? std::nullopt : std::optional(*old));
}

void Variables::set(std::string_view name, Variable variable) {
  remember(name);
  const auto found = map_.find(name);
  if (found != map_.end()) {
    found->second = std::move(variable);
  } else {
    map_.emplace(name, std::move(variable));
  }
}

void Variables::remove(std::string_view name) {
  remember(name);
  const auto found = map_.find(name);
  if (found != map_.end()) map_.erase(found);
}

void Variables::end_arm() {
  Choice& choice = choices_.back();
  Changes left;
  for (auto& [name, old] : choice.before) {
    const auto found = map_.find(name);
    left.emplace(name, found == map_.end() ? std::nullopt : std::optional(found->second));
    if (old) {
      map_.insert_or_assign(name, *old);
    } else if (found != map_.end()) {
      map_.erase(found);
    }
  }
  choice.before.clear();
  choice.after.push_back(std::move(left));
}

void Variables::join_arms(bool is_complete) {
  const Choice choice = std::move(choices_.back());
  choices_.pop_back();
  std::map<std::string, size_t, std::less<>> last;  // the last arm that assigned the name
  for (size_t arm = 0; arm < choice.after.size(); arm++) {
    for (const auto& [name, left] : choice.after[arm]) last[name] = arm;
  }
  const auto value_in = [&](const Changes& arm, const std::string& name) -> const Variable* {
    const auto found = arm.find(name);
    if (found == arm.end()) return find(name);
    return found->second ? &*found->second : nullptr;
  };
  const auto is_same = [](const Variable* a, const Variable* b) {
    if (a == nullptr || b == nullptr) return a == b;
    return a->value == b->value && a->is_recursive == b->is_recursive;
  };
  for (const auto& [name, arm] : last) {
    // Without an `else` the usual case is that no arm is taken.
    const Variable* base = find(name);
    const bool keeps_base = !is_complete && base != nullptr;
    const Variable* final = keeps_base ? base : value_in(choice.after[arm], name);
    bool is_sure = is_complete || is_same(final, base);
    bool is_assumed = !is_complete && base != nullptr && base->is_assumed;
    for (const Changes& each : choice.after) {
      const Variable* there = value_in(each, name);
      is_sure &= is_same(final, there);
      is_assumed |= there != nullptr && there->is_assumed;
    }
    Variable joined = final != nullptr ? *final : Variable{.value = "", .is_recursive = false};
    joined.is_assumed |= !is_sure || is_assumed;
    set(name, std::move(joined));
  }
}

}  // namespace nacre::make
