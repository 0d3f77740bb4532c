// Rules about labels: their keys, and what the project's schema demands of them.
#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "docker/label_values.h"
#include "docker/rules.h"
#include "docker/text.h"

namespace nacre::docker {

namespace {

template <typename F>
void for_each_label(const Facts& facts, F&& f) {
  for (const Step& step : facts.stages.steps) {
    if (step.instruction->keyword != Keyword::kLabel) continue;
    for (const Pair& pair : step.instruction->pairs) f(step, pair);
  }
}

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_key_end(char c) { return is_lower(c) || (c >= '0' && c <= '9'); }

// Why the key is not one; empty: it is. The rules are those of Docker's documentation.
std::string fault_of_key(std::string_view key) {
  for (const std::string_view space : {"com.docker.", "io.docker.", "org.dockerproject."}) {
    if (key.starts_with(space)) return fmt::format("labels of {}* belong to Docker", space);
  }
  const auto is_fine = [](char c) { return is_key_end(c) || c == '.' || c == '-'; };
  if (!std::all_of(key.begin(), key.end(), is_fine))
    return "a key holds only lower-case letters, digits, dots and dashes";
  if (!is_lower(key.front()) || !is_key_end(key.back()))
    return "a key begins with a lower-case letter and ends with a letter or digit";
  const bool is_double =
      key.find("..") != std::string_view::npos || key.find("--") != std::string_view::npos;
  return is_double ? "a key has no two dots or dashes in a row" : "";
}

std::string_view alias_of(LabelType type) {
  constexpr std::string_view kAliases[] = {"DL3051", "DL3052", "DL3053", "DL3054",
                                           "DL3055", "DL3056", "DL3058"};
  return kAliases[static_cast<size_t>(type)];
}

}  // namespace

// LABEL Version--1=a               # reported
// LABEL org.example.version=a      # not
void report_label_keys(const Facts& facts, Findings& findings) {
  for_each_label(facts, [&](const Step&, const Pair& pair) {
    const std::string_view key = unquote(pair.key.text);
    if (key.empty()) return;
    const std::string fault = fault_of_key(key);
    if (!fault.empty())
      findings.add("D504", pair.key.span, fault, {"DL3048"}, Confidence::kCertain);
  });
}

// schema: version semver; LABEL version=one        # reported
// schema: version semver; LABEL version=1.0.0      # not
void report_label_schema(const Facts& facts, Findings& findings) {
  const auto& schema = facts.demands.labels;
  for_each_label(facts, [&](const Step& step, const Pair& pair) {
    const std::string key(unquote(pair.key.text));
    const auto demanded = schema.find(key);
    if (demanded == schema.end()) {
      if (facts.demands.allows_only_these_labels)
        findings.add("D506", pair.key.span, fmt::format("the label {} is not in the schema", key),
                     {"DL3050"}, Confidence::kCertain);
      return;
    }
    const Expanded value = facts.stages.expand_at(pair.value.text, step);
    if (!value.is_known) return;
    if (value.text.empty()) {
      findings.add("D506", pair.key.span, fmt::format("the label {} is empty", key), {"DL3051"},
                   Confidence::kCertain);
    } else if (!is_valid(value.text, demanded->second)) {
      findings.add("D506", pair.value.span,
                   fmt::format("the label {} is not {}", key, describe(demanded->second)),
                   {std::string(alias_of(demanded->second))}, Confidence::kCertain);
    }
  });
}

// schema: version; FROM a:1        # reported
void report_missing_labels(const Facts& facts, Findings& findings) {
  const auto& stages = facts.stages.stages;
  std::vector<std::set<std::string>> labels(stages.size());
  for (size_t i = 0; i < stages.size() && !facts.demands.labels.empty(); i++) {
    const Stage& stage = stages[i];
    if (stage.base) labels[i] = labels[*stage.base];
    for (size_t k = stage.first_step; k < stage.end_step; k++) {
      const Instruction& each = *facts.stages.steps[k].instruction;
      if (each.keyword != Keyword::kLabel) continue;
      for (const Pair& pair : each.pairs) labels[i].emplace(unquote(pair.key.text));
    }
    if (stage.is_base || stage.is_copied || stage.from == nullptr) continue;
    for (const auto& [name, type] : facts.demands.labels) {
      if (labels[i].contains(name)) continue;
      findings.add("D505", stage.from->span, fmt::format("the image lacks the label {}", name),
                   {"DL3049"}, Confidence::kCertain);
    }
  }
}

}  // namespace nacre::docker
