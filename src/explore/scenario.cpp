#include "explore/scenario.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/embedded.h"

namespace nacre {

std::span<const EmbeddedFile> embedded_scenarios();

}  // namespace nacre

namespace nacre::explore {

namespace {

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    if (text.empty()) return words;
    const size_t end = std::min(text.find_first_of(" \t"), text.size());
    words.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
  }
}

std::string joined(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, " "));
}

Step parse_step(std::string_view line, size_t colon) {
  Step step;
  step.words = words_of(line.substr(0, colon));
  step.label = joined(step.words);
  if (!step.words.empty() && step.words.back().starts_with('#')) step.words.pop_back();
  std::string_view targets = line.substr(colon + 3);
  const size_t bar = targets.find(" | ");
  step.on_success = joined(words_of(targets.substr(0, bar)));
  if (bar != std::string_view::npos) step.on_failure = joined(words_of(targets.substr(bar + 3)));
  return step;
}

bool is_end(std::string_view label) { return label[0] >= 'A' && label[0] <= 'Z'; }

}  // namespace

const Step* Scenario::find(std::string_view label) const {
  for (const Step& step : steps) {
    if (step.label == label) return &step;
  }
  return nullptr;
}

bool Scenario::applies_to(const Package& package) const {
  if (need == kTriggers) return !package.triggers.empty();
  return need != kConfig || package.scripts.contains("config");
}

Result<Scenario> parse_scenario(std::string name, std::string_view text) {
  Scenario result;
  result.name = std::move(name);
  uint32_t at = 0;
  while (at < text.size()) {
    const auto end = static_cast<uint32_t>(std::min(text.find('\n', at), text.size()));
    const std::string_view line = text.substr(at, end - at);
    const Span span{at, end};
    at = end + 1;
    const std::vector<std::string> words = words_of(line);
    if (words.empty() || words[0][0] == '#') continue;
    if (words[0] == "about") {
      result.about = joined({words.begin() + 1, words.end()});
      continue;
    }
    if (words[0] == "begins") {
      const std::string how = words.size() > 1 ? words[1] : "";
      if (how != "installed" && how != "configured")
        return fail(span, "a scenario begins installed or configured");
      result.begin = how == "installed" ? Scenario::kInstalled : Scenario::kConfigured;
      continue;
    }
    if (words[0] == "needs") {
      const std::string what = words.size() > 1 ? words[1] : "";
      if (what != "triggers" && what != "config")
        return fail(span, "a scenario needs triggers or config");
      result.need = what == "triggers" ? Scenario::kTriggers : Scenario::kConfig;
      continue;
    }
    const size_t colon = line.find(" : ");
    if (colon == std::string_view::npos) return fail(span, "a state needs ' : ' and what follows");
    result.steps.push_back(parse_step(line, colon));
  }
  if (result.steps.empty()) return fail({}, "a scenario needs a state");
  for (const Step& step : result.steps) {
    for (const std::string& target : {step.on_success, step.on_failure}) {
      if (!target.empty() && !is_end(target) && result.find(target) == nullptr)
        return fail({}, fmt::format("there is no state '{}'", target));
    }
  }
  return result;
}

const std::vector<Scenario>& scenarios() {
  static const std::vector<Scenario> kAll = [] {
    std::vector<Scenario> all;
    constexpr std::string_view kExtension = ".scenario";
    for (const EmbeddedFile& file : embedded_scenarios()) {
      if (!file.name.ends_with(kExtension)) continue;
      const std::string_view name = file.name.substr(0, file.name.size() - kExtension.size());
      if (auto parsed = parse_scenario(std::string(name), file.bytes))
        all.push_back(std::move(*parsed));
    }
    return all;
  }();
  return kAll;
}

}  // namespace nacre::explore
