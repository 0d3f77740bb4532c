// Rules about package managers. What each of them asks, pins, caches and cleans is on its card; the
// rules here are the same for all.
#include <algorithm>
#include <fmt/format.h>

#include "docker/edits.h"
#include "docker/mounts.h"
#include "docker/rules.h"
#include "docker/text.h"

namespace nacre::docker {

namespace {

using commands::Property;

std::vector<std::string> aliases(const Usage& usage, std::string_view key) {
  const std::string name = usage.hadolint_name(key);
  return name.empty() ? std::vector<std::string>() : std::vector<std::string>{name};
}

bool calls(const Script& script, std::string_view name) {
  return std::any_of(script.calls.begin(), script.calls.end(),
                     [&](const Call& call) { return call.name == name; });
}

// The first pattern that fits decides; one with `!` before it says no.
bool is_pinned(const Argument& operand, std::string_view patterns) {
  for (std::string_view pattern : split_blanks(patterns)) {
    const bool is_refusal = pattern.starts_with('!');
    if (is_refusal) pattern.remove_prefix(1);
    if (matches(operand.text, pattern)) return !is_refusal;
  }
  return !operand.is_known;
}

std::string_view home_of_root(std::string_view path, std::string& buffer) {
  if (path.starts_with("$HOME"))
    path.remove_prefix(5);
  else if (path.starts_with('~'))
    path.remove_prefix(1);
  else
    return path;
  buffer = "/root" + std::string(path);
  return buffer;
}

// rm -rf DIR, rm -rf DIR/*, find DIR -delete
bool removes(const Call& call, std::string_view directory) {
  const bool is_find = call.name == "find" &&
                       std::any_of(call.words.begin(), call.words.end(),
                                   [](const Argument& word) { return word.text == "-delete"; });
  if (call.name != "rm" && !is_find) return false;
  return std::any_of(call.words.begin(), call.words.end(), [&](const Argument& word) {
    std::string buffer;
    std::string_view path = home_of_root(word.text, buffer);
    while (path.ends_with('*')) path.remove_suffix(1);
    return path.size() > 1 && path.starts_with('/') && is_within(directory, path);
  });
}

bool cleans(const Call& call, const Call& writer, std::string_view directory) {
  if (removes(call, directory)) return true;
  if (call.name != writer.name || call.card == nullptr) return false;
  const Usage usage = read_usage(call);
  const Property* line = usage.property(commands::CardKey::kCleans);
  return line != nullptr && (line->value == "all" || is_within(directory, line->value));
}

// Whether what `call` writes below the directory is gone when the RUN ends.
bool is_gone(const Script& script, const Call& call, std::string_view directory) {
  if (is_mounted_away(*script.step->instruction, directory)) return true;
  return std::any_of(script.calls.begin(), script.calls.end(), [&](const Call& later) {
    return &later > &call && cleans(later, call, directory);
  });
}

bool is_false(std::string_view value) {
  const std::string text = lower_case(unquote(value));
  return text.empty() || text == "0" || text == "off" || text == "no" || text == "false" ||
         text == "n" || text == "f";
}

// ENV, `NAME=1 pip ...` and `export NAME=1`.
bool is_switched_off(const Facts& facts, const Script& script, const Call& call,
                     std::string_view name) {
  for (const auto& [variable, value] : call.assignments) {
    if (variable == name) return !is_false(value);
  }
  for (const Call& before : script.calls) {
    if (&before == &call) break;
    if (before.name != "export") continue;
    for (const Argument& word : before.words) {
      const size_t equals = std::min(word.text.find('='), word.text.size());
      if (word.text.substr(0, equals) == name && equals < word.text.size())
        return !is_false(word.text.substr(equals + 1));
    }
  }
  if (script.assigned.contains(name)) return true;
  const Definition* found = facts.stages.find_variable(name, *script.step);
  return found != nullptr && (!found->value || !is_false(*found->value));
}

// The base images of Debian throw packages away after they are installed, by this file.
bool keeps_archives(const Facts& facts, const Script& script) {
  constexpr std::string_view kCleaner = "/etc/apt/apt.conf.d/docker-clean";
  for (const auto& other : facts.scripts) {
    if (other->step->stage != script.step->stage) continue;
    for (const Call& call : other->calls) {
      if (removes(call, kCleaner)) return true;
    }
    if (other.get() == &script) break;
  }
  return false;
}

// A later RUN, here or in a stage that is built on this one, that installs without an update of its
// own needs what this one would remove.
bool is_needed_later(const Facts& facts, const Script& script, std::string_view directory) {
  for (const auto& later : facts.scripts) {
    const bool is_after = later->step->index > script.step->index &&
                          (later->step->stage == script.step->stage ||
                           facts.stages.is_built_on(later->step->stage, script.step->stage));
    if (!is_after) continue;
    for (const Usage& usage : later->usages) {
      const Property* fills = usage.property(commands::CardKey::kCaches);
      if (fills != nullptr && fills->value == directory) break;
      if (usage.property(commands::CardKey::kArchives) != nullptr) return true;
    }
  }
  return false;
}

// Lists that nothing in the same RUN uses are there for a later one.
bool is_used_here(const Script& script, const Usage& usage) {
  if (usage.property(commands::CardKey::kArchives) != nullptr || usage.call->card == nullptr)
    return true;
  const auto& lines = usage.call->card->properties;
  const bool has_archives = std::any_of(lines.begin(), lines.end(), [](const Property& line) {
    return line.key == commands::CardKey::kArchives;
  });
  return !has_archives ||
         std::any_of(script.usages.begin(), script.usages.end(), [](const Usage& each) {
           return each.property(commands::CardKey::kArchives) != nullptr;
         });
}

void add_cleanup(const Facts& facts, const Script& script, const Usage& usage, Diagnostic& made) {
  const Property* tidy = usage.property(commands::CardKey::kTidy);
  if (tidy == nullptr) return;
  if (tidy->value.starts_with("--")) {
    if (auto edit = add_option(script, usage, tidy->value))
      made.fixes = {{fmt::format("add {}", tidy->value), {*std::move(edit)}, false}};
    return;
  }
  std::string command(tidy->value);
  if (command.starts_with('@')) command.replace(0, 1, usage.call->name);
  const std::string_view directory = usage.property(commands::CardKey::kCaches)->value;
  auto edit = append_command(facts.file, script, command);
  if (!edit || !is_used_here(script, usage) || is_needed_later(facts, script, directory)) return;
  made.fixes = {{"remove it at the end of this RUN", {*std::move(edit)}, false}};
}

void judge_caches(const Facts& facts, const Script& script, const Usage& usage,
                  Findings& findings) {
  const Property* line = usage.property(commands::CardKey::kCaches);
  const Property* switched = usage.property(commands::CardKey::kUncached);
  if (line != nullptr) {
    const auto paths = split_blanks(line->value);
    const bool is_fine =
        (switched != nullptr && is_switched_off(facts, script, *usage.call, switched->value)) ||
        usage.has_unknown || std::any_of(paths.begin(), paths.end(), [&](std::string_view path) {
          return is_gone(script, *usage.call, path);
        });
    if (!is_fine) {
      Diagnostic& made = findings.add(
          "D203", usage.call->span,
          fmt::format("what {} leaves in {} stays in the layer; remove it in the same RUN or mount "
                      "a cache there",
                      usage.call->name, paths[0]),
          aliases(usage, "caches"));
      add_cleanup(facts, script, usage, made);
      return;
    }
  }
  const Property* archives = usage.property(commands::CardKey::kArchives);
  if (archives == nullptr || !keeps_archives(facts, script)) return;
  if (is_gone(script, *usage.call, archives->value)) return;
  findings.add("D203", usage.call->span,
               fmt::format("docker-clean was removed, so the packages stay in {} of the layer",
                           archives->value),
               aliases(usage, "caches"));
}

}  // namespace

// RUN apt-get install curl         # reported
// RUN apt-get install -y curl      # not
void report_questions(const Facts& facts, Findings& findings) {
  for_each_usage(facts, [&](const Script& script, const Usage& usage) {
    const Property* line = usage.property(commands::CardKey::kConfirm);
    if (line == nullptr || usage.has_any(line->value) || usage.has_unknown) return;
    if (calls(script, "yes")) return;
    const std::string option(split_blanks(line->value)[0]);
    Diagnostic& made =
        findings.add("D201", usage.call->span,
                     fmt::format("{} {} asks for confirmation, which a build cannot give; add {}",
                                 usage.call->name, usage.operands[0].text, option),
                     aliases(usage, "confirm"));
    if (auto edit = add_option(script, usage, option))
      made.fixes = {{fmt::format("add {}", option), {*std::move(edit)}, true}};
  });
}

// RUN pip install flask            # reported
// RUN pip install flask==3.0.0     # not
void report_unpinned(const Facts& facts, Findings& findings) {
  for_each_usage(facts, [&](const Script&, const Usage& usage) {
    const Property* line = usage.property(commands::CardKey::kPins);
    if (line == nullptr) return;
    std::vector<Argument> operands = usage.operands_after(*line);
    if (line->value.starts_with("one ") && operands.size() > 1) operands.resize(1);
    std::erase_if(operands, [&](const Argument& each) { return is_pinned(each, line->value); });
    if (operands.empty()) return;
    std::string names = operands[0].text;
    if (operands.size() > 1) names += fmt::format(" and {} more", operands.size() - 1);
    findings.add(
        "D202", operands[0].span,
        fmt::format("the version of {} is not fixed: another build may get another one", names),
        aliases(usage, "pins"));
  });
}

// RUN apt-get update && apt-get install -y curl                                    # reported
// RUN apt-get update && apt-get install -y curl && rm -rf /var/lib/apt/lists/*     # not
void report_caches(const Facts& facts, Findings& findings) {
  for_each_usage(facts, [&](const Script& script, const Usage& usage) {
    if (facts.stages.is_in_result(script.step->stage)) judge_caches(facts, script, usage, findings);
  });
}

// RUN apt-get install -y curl                              # reported
// RUN apt-get install -y --no-install-recommends curl      # not
void report_recommends(const Facts& facts, Findings& findings) {
  const bool is_configured =
      facts.file.source.bytes().find("Install-Recommends") != std::string_view::npos;
  for_each_usage(facts, [&](const Script& script, const Usage& usage) {
    const Property* line = usage.property(commands::CardKey::kRecommends);
    if (line == nullptr || usage.has_any(line->value) || usage.has_unknown || is_configured) return;
    const std::string option(split_blanks(line->value)[0]);
    const std::string alias = usage.hadolint_name("recommends");
    Diagnostic& made = findings.add(
        "D204", usage.call->span,
        fmt::format("recommended packages are installed, too; add {} if they are not needed",
                    option),
        alias.empty() ? std::vector<std::string>() : std::vector<std::string>{alias});
    if (auto edit = add_option(script, usage, option))
      made.fixes = {{fmt::format("add {}", option), {*std::move(edit)}, false}};
  });
}

// RUN apt install -y curl          # reported
// RUN apt-get install -y curl      # not
void report_unstable(const Facts& facts, Findings& findings) {
  for_each_usage(facts, [&](const Script& script, const Usage& usage) {
    const Property* line = usage.property(commands::CardKey::kUnstable);
    if (line == nullptr) return;
    Diagnostic& made = findings.add("D205", usage.call->name_span, std::string(line->value),
                                    aliases(usage, "unstable"));
    const Property* stable = usage.property(commands::CardKey::kStable);
    if (stable == nullptr || !stands_as(facts.file, script, *usage.call)) return;
    made.fixes = {{fmt::format("use {}", stable->value),
                   {{usage.call->name_span, std::string(stable->value)}},
                   false}};
  });
}

}  // namespace nacre::docker
