// Rules about base images and stages.
#include <algorithm>
#include <fmt/format.h>

#include "base/ascii.h"
#include "docker/mounts.h"
#include "docker/rules.h"
#include "docker/text.h"

namespace nacre::docker {

namespace {

template <typename F>
void for_each_from(const Facts& facts, F&& f) {
  for (size_t i = 0; i < facts.stages.stages.size(); i++) {
    const Stage& stage = facts.stages.stages[i];
    if (stage.from != nullptr && !stage.from->words.empty()) f(stage, i);
  }
}

bool is_image(std::string_view name) { return name.find_first_of(":/@") != std::string_view::npos; }

// `name` or `*.example.com`, or `*` for all.
bool is_trusted(const Facts& facts, const std::string& registry) {
  const auto& trusted = facts.demands.trusted_registries;
  const bool is_hub = registry.empty() || registry == "docker.io" || registry == "hub.docker.com";
  return std::any_of(trusted.begin(), trusted.end(), [&](const std::string& pattern) {
    if (is_hub && (matches("docker.io", pattern) || matches("hub.docker.com", pattern)))
      return true;
    return matches(registry, pattern);
  });
}

void judge_registry(const Facts& facts, std::string_view reference, Span span, Findings& findings) {
  const ImageName image = split_image(reference);
  if (is_trusted(facts, image.registry)) return;
  findings.add("D110", span,
               fmt::format("the registry {} is not one of the trusted ones",
                           image.registry.empty() ? "docker.io" : image.registry),
               {"DL3026"}, Confidence::kCertain);
}

bool is_lower_or_digit(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

// alpine, my_app, a.b-c: lower-case letters and digits, with separators between them.
bool is_path_component(std::string_view text) {
  return !text.empty() && is_lower_or_digit(text.front()) && is_lower_or_digit(text.back()) &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return is_lower_or_digit(c) || c == '.' || c == '_' || c == '-';
         });
}

bool is_tag(std::string_view text) {
  constexpr size_t kMax = 128;
  return !text.empty() && text.size() <= kMax && text.front() != '.' && text.front() != '-' &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return is_lower_or_digit(c) || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' ||
                  c == '-';
         });
}

// [REGISTRY/]NAME[:TAG][@DIGEST], as the builder reads it. What stands for the registry is only
// looked at for being there.
bool is_reference(std::string_view text) {
  if (const size_t at = text.find('@'); at != std::string_view::npos) {
    if (text.find(':', at) == std::string_view::npos) return false;
    text = text.substr(0, at);
  }
  size_t slash = text.rfind('/');
  const std::string_view last = text.substr(slash == std::string_view::npos ? 0 : slash + 1);
  if (const size_t colon = last.find(':'); colon != std::string_view::npos) {
    if (!is_tag(last.substr(colon + 1))) return false;
    text.remove_suffix(last.size() - colon);
  }
  for (bool is_first = true;; is_first = false) {
    slash = text.find('/');
    const std::string_view part = text.substr(0, slash);
    const bool may_be_registry = is_first && slash != std::string_view::npos && !part.empty();
    if (!may_be_registry && !is_path_component(part)) return false;
    if (slash == std::string_view::npos) return true;
    text.remove_prefix(slash + 1);
  }
}

void judge_default(const Facts& facts, const Stage& stage, Findings& findings) {
  const auto& globals = facts.stages.global_arguments;
  const Word& image = stage.from->words[0];
  const Expanded defaults = expand(image.text, facts.file.escape,
                                   [&](std::string_view name) -> std::optional<std::string> {
                                     const auto at = globals.find(name);
                                     if (at != globals.end()) return at->second.value.value_or("");
                                     return is_platform_argument(name) ? "linux" : "";
                                   });
  const bool is_declared =
      !defaults.uses.empty() &&
      std::all_of(defaults.uses.begin(), defaults.uses.end(), [&](const VariableUse& use) {
        return globals.contains(use.name) || is_platform_argument(use.name);
      });
  if (!is_declared || !defaults.is_known || is_reference(defaults.text)) return;
  findings.add("D109", stage.from->span,
               fmt::format("without a build argument the image is called '{}', which is no name; "
                           "give {} a default",
                           defaults.text, defaults.uses[0].name),
               {"InvalidDefaultArgInFrom"}, Confidence::kCertain);
}

void judge_source(const Facts& facts, const Step& step, Findings& findings) {
  const Flag* from = step.instruction->flag("from");
  if (from == nullptr) return;
  const Expanded source = facts.stages.expand_at(from->value, step);
  if (!source.is_known || !source.uses.empty()) return;
  const std::string& name = source.text;
  const Stage& own = facts.stage_of(step);
  const bool is_own_number = own.from != nullptr && name == std::to_string(step.stage);
  if ((!own.name.empty() && lower_case(own.name) == lower_case(name)) || is_own_number) {
    findings.add("D108", from->span, "this copies from the stage that is being built", {"DL3023"},
                 Confidence::kCertain);
    return;
  }
  if (is_image(name) || facts.stages.find_stage(name, step.stage)) return;
  const std::string message =
      is_digits(name) ? fmt::format("there is no stage number {} before this one", name)
      : facts.stages.find_stage(name, facts.stages.stages.size())
          ? fmt::format("the stage {} comes later in the file", name)
          : fmt::format("no stage is called {}: the image {}:latest is taken", name, name);
  findings.add("D107", from->span, message, {"DL3022"}, Confidence::kCertain);
}

// FROM tools AS tools, without a step: an image that holds nothing but what others copy. One that
// is known to be a system is none.
bool is_made_to_be_copied(const Facts& facts, const Step& step) {
  const auto source = facts.stages.find_stage(step.instruction->flag("from")->value, step.stage);
  if (!source) return false;
  const Stage& stage = facts.stages.stages[*source];
  return stage.first_step == stage.end_step && !stage.base && stage.image.is_known &&
         !find_image(split_image(stage.image.text));
}

}  // namespace

// FROM debian              # reported
// FROM debian:latest       # reported
// FROM debian:12, $IMAGE, scratch, an earlier stage      # not
void report_moving_images(const Facts& facts, Findings& findings) {
  for_each_from(facts, [&](const Stage& stage, size_t) {
    if (!stage.image.uses.empty() || stage.base || stage.image.text == "scratch") return;
    const ImageName image = split_image(stage.image.text);
    const Span span = stage.from->words[0].span;
    if (!image.digest.empty() || image.repository.empty()) return;
    if (image.tag.empty()) {
      findings.add(
          "D101", span,
          fmt::format("{0} has no tag: {0}:latest is taken, which changes", stage.image.text),
          {"DL3006"}, Confidence::kCertain);
    } else if (image.tag == "latest") {
      findings.add("D101", span, fmt::format("{} changes; name a version", stage.image.text),
                   {"DL3007"}, Confidence::kCertain);
    }
  });
}

// FROM --platform=linux/amd64 debian:12            # reported
// FROM --platform=$TARGETPLATFORM debian:12        # reported
// FROM --platform=$BUILDPLATFORM debian:12         # not
void report_platforms(const Facts& facts, Findings& findings) {
  for_each_from(facts, [&](const Stage& stage, size_t) {
    const Flag* platform = stage.from->flag("platform");
    if (platform == nullptr) return;
    const Expanded value = find_variables(platform->value, facts.file.escape);
    if (value.uses.size() == 1 && value.text.empty() && value.uses[0].name == "TARGETPLATFORM") {
      Diagnostic& made =
          findings.add("D104", platform->span, "--platform=$TARGETPLATFORM is the default",
                       {"DL3065", "RedundantTargetPlatform"}, Confidence::kCertain);
      made.fixes = {{"remove the flag",
                     {{{platform->span.begin, stage.from->words[0].span.begin}, ""}},
                     true}};
    }
    if (!value.uses.empty() || value.text.empty()) return;
    // A stage that is named after its platform is one of several that the file chooses from.
    const auto parts = split(value.text, '/');
    const std::string name = lower_case(stage.name);
    const bool is_chosen = std::any_of(parts.begin(), parts.end(), [&](std::string_view part) {
      return !part.empty() && name.find(part) != std::string::npos;
    });
    if (is_chosen) return;
    findings.add("D103", platform->span,
                 fmt::format("the platform is always {}, whatever the build asks for", value.text),
                 {"DL3029", "FromPlatformFlagConstDisallowed"}, Confidence::kCertain);
  });
}

// FROM a AS x + FROM b AS X        # reported
// FROM a AS scratch                # reported
void report_stage_names(const Facts& facts, Findings& findings) {
  for_each_from(facts, [&](const Stage& stage, size_t index) {
    if (stage.name.empty()) return;
    const std::string name = lower_case(stage.name);
    if (name == "scratch" || name == "context") {
      findings.add("D106", stage.name_span, fmt::format("{} is a reserved name", stage.name),
                   {"DL3063", "ReservedStageName"}, Confidence::kCertain);
    }
    const auto same = facts.stages.named.find(name);
    if (same == facts.stages.named.end() || same->second.front() >= index) return;
    Diagnostic& made =
        findings.add("D105", stage.name_span, fmt::format("two stages are called {}", stage.name),
                     {"DL3024", "DuplicateStageName"}, Confidence::kCertain);
    made.notes.push_back(
        {facts.file.source, facts.stages.stages[same->second.front()].name_span, "the first one"});
  });
}

// FROM a:$TAG without ARG TAG before       # reported
// ARG TAG + FROM a:$TAG                    # reported
// ARG TAG=1 + FROM a:$TAG                  # not
void report_arguments_of_from(const Facts& facts, Findings& findings) {
  for_each_from(facts, [&](const Stage& stage, size_t) {
    std::vector<VariableUse> uses = stage.image.uses;
    if (const Flag* platform = stage.from->flag("platform")) {
      for (auto& use : find_variables(platform->value, facts.file.escape).uses) uses.push_back(use);
    }
    for (const VariableUse& use : uses) {
      const bool is_known = facts.stages.global_arguments.contains(use.name) ||
                            is_platform_argument(use.name) || is_predefined_argument(use.name);
      if (is_known || use.has_default) continue;
      findings.add(
          "D109", stage.from->span,
          fmt::format("no ARG before the first FROM declares {}: it is empty here", use.name),
          {"UndefinedArgInFrom"}, Confidence::kCertain);
    }
    judge_default(facts, stage, findings);
  });
}

// trusted: docker.io; FROM example.com/a:1     # reported
void report_registries(const Facts& facts, Findings& findings) {
  if (facts.demands.trusted_registries.empty()) return;
  for_each_from(facts, [&](const Stage& stage, size_t) {
    if (stage.base || !stage.image.uses.empty() || stage.image.text == "scratch") return;
    judge_registry(facts, stage.image.text, stage.from->words[0].span, findings);
  });
  for (const Step& step : facts.stages.steps) {
    for (const Mount& mount : mounts_of(*step.instruction)) {
      const bool is_named = !mount.from.empty() && mount.from.find('$') == std::string::npos &&
                            !facts.stages.find_stage(mount.from, step.stage);
      if (is_named) judge_registry(facts, mount.from, mount.span, findings);
    }
    const Flag* from = step.instruction->flag("from");
    const bool is_image_source =
        from != nullptr && is_image(from->value) && from->value.find('$') == std::string::npos;
    if (is_image_source) judge_registry(facts, unquote(from->value), from->span, findings);
  }
}

// FROM a + COPY --from=b x y       # reported: no stage b
// FROM a AS b + COPY --from=b x y  # reported: its own stage
// COPY --from=b / /                # reported
void report_sources(const Facts& facts, Findings& findings) {
  for (const Step& step : facts.stages.steps) {
    if (step.instruction->keyword != Keyword::kCopy) continue;
    judge_source(facts, step, findings);
    const auto& words = step.instruction->words;
    const bool is_all = step.instruction->flag("from") != nullptr && words.size() == 2 &&
                        unquote(words[0].text) == "/" && unquote(words[1].text) == "/";
    if (!is_all || is_made_to_be_copied(facts, step)) continue;
    findings.add("D111", step.instruction->span,
                 "this copies a whole file system over this one; name what is needed", {"DL3067"},
                 Confidence::kCertain);
  }
}

}  // namespace nacre::docker
