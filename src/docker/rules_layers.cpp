// Rules about what stays in a layer, and what does not.
#include <algorithm>
#include <fmt/format.h>

#include "docker/rules.h"
#include "docker/text.h"

namespace nacre::docker {

namespace {

// Without `.` and a slash at its end; empty: relative, and there is no WORKDIR before it.
std::string full_path(const Facts& facts, const Step& step, std::string_view path) {
  if (path.find_first_of("$*?[~") != std::string_view::npos || path.empty()) return "";
  std::string full(path);
  if (!path.starts_with('/')) {
    const auto directory = facts.stages.working_directory(step);
    if (!directory) return "";
    full = path == "." || path == "./" ? *directory : *directory + "/" + full;
  }
  while (full.size() > 1 && full.ends_with('/')) full.pop_back();
  return full;
}

// The names that COPY or ADD gives to what it copies, one for each source.
std::vector<std::string> targets_of(const Facts& facts, const Step& step) {
  const Instruction& copy = *step.instruction;
  std::vector<std::string> targets;
  if (copy.words.size() < 2) return targets;
  const std::string_view last = unquote(copy.words.back().text);
  const std::string target = full_path(facts, step, last);
  if (target.empty() || target == "/") return targets;
  const bool is_directory = copy.words.size() > 2 || last.ends_with('/') || last == ".";
  targets.push_back(target);
  for (size_t i = 0; i + 1 < copy.words.size() && is_directory; i++) {
    const std::string_view source = unquote(copy.words[i].text);
    targets.push_back(target + "/" + std::string(source.substr(source.rfind('/') + 1)));
  }
  return targets;
}

struct CopiedAgain {
  std::string_view command;
  std::string_view options;  // one of these must be there; empty: none is needed
  std::string_view message;
};
constexpr CopiedAgain kCopiedAgain[] = {
    {"chown", "-R --recursive",
     "puts all files of the COPY before into this layer once more; use COPY --chown"},
    {"chgrp", "-R --recursive",
     "puts all files of the COPY before into this layer once more; use COPY --chown"},
    {"chmod", "-R --recursive",
     "puts all files of the COPY before into this layer once more; use COPY --chmod"},
    {"rm", "", "only hides the file: the layer of the COPY keeps it; use RUN --mount=type=bind"},
};

// The step before `script`, in its stage, that copied to `path`; null: none.
const Step* find_copy(const Facts& facts, const Script& script, const std::string& path) {
  const Step* found = nullptr;
  const Stage& stage = facts.stage_of(*script.step);
  for (size_t i = stage.first_step; i < stage.end_step; i++) {
    const Step& step = facts.stages.steps[i];
    const Keyword keyword = step.instruction->keyword;
    if (step.index >= script.step->index || step.is_trigger) break;
    if (keyword != Keyword::kCopy && keyword != Keyword::kAdd) continue;
    const auto targets = targets_of(facts, step);
    if (std::find(targets.begin(), targets.end(), path) != targets.end()) found = &step;
  }
  return found;
}

void judge_usage(const Facts& facts, const Script& script, const Usage& usage, Findings& findings) {
  const auto* row =
      std::find_if(std::begin(kCopiedAgain), std::end(kCopiedAgain),
                   [&](const CopiedAgain& each) { return each.command == usage.call->name; });
  if (row == std::end(kCopiedAgain)) return;
  if (!row->options.empty() && !usage.has_any(row->options)) return;
  for (const Argument& operand : usage.operands) {
    const std::string path =
        operand.is_known ? full_path(facts, *script.step, operand.text) : std::string();
    const Step* copy = path.empty() ? nullptr : find_copy(facts, script, path);
    if (copy == nullptr) continue;
    Diagnostic& made =
        findings.add("D411", usage.call->span, fmt::format("{} {}", row->command, row->message));
    made.notes.push_back({facts.file.source, copy->instruction->name_span, "copied here"});
    return;
  }
}

bool changes_only_shell(std::string_view command) {
  constexpr std::string_view kNames[] = {"export", "alias", "unalias", "unset", "umask",
                                         "ulimit", "set",   "shopt",   "cd",    "declare"};
  return std::find(std::begin(kNames), std::end(kNames), command) != std::end(kNames);
}

// Private keys and files that hold nothing but passwords, under the names that programs give them.
bool is_secret_file(std::string_view path) {
  constexpr std::string_view kNames[] = {"id_rsa",           "id_dsa", "id_ecdsa", "id_ed25519",
                                         ".git-credentials", ".netrc", ".pgpass"};
  path = unquote(path);
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return path.ends_with(".aws/credentials") ||
         std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

// The password of https://user:password@host; empty: there is none, or only a variable. Hosts
// without a dot are those of a test.
std::string_view password_in(std::string_view text) {
  const size_t scheme = text.find("://");
  if (scheme == std::string_view::npos) return "";
  std::string_view rest = text.substr(scheme + 3);
  const std::string_view authority = rest.substr(0, rest.find_first_of("/?# \t\"'"));
  const size_t at = authority.rfind('@');
  if (at == std::string_view::npos) return "";
  const std::string_view user = authority.substr(0, at);
  const size_t colon = user.find(':');
  const bool is_public = authority.find('.', at) != std::string_view::npos;
  if (colon == std::string_view::npos || !is_public) return "";
  const std::string_view password = user.substr(colon + 1);
  const bool is_literal = password.find_first_of("$<>{}*") == std::string_view::npos;
  return is_literal ? password : "";
}

void judge_url(std::string_view text, Span span, Findings& findings) {
  if (password_in(text).empty()) return;
  findings.add(
      "D507", span,
      "the password in this URL stays readable in the image's history; use a secret mount");
}

}  // namespace

// COPY . /app + RUN chown -R app /app      # reported
// COPY --chown=app . /app                  # not
void report_copied_again(const Facts& facts, Findings& findings) {
  for (const auto& script : facts.scripts) {
    if (!facts.stages.is_in_result(script->step->stage)) continue;
    for (const Usage& usage : script->usages) judge_usage(facts, *script, usage, findings);
  }
}

// RUN export A=1                           # reported
// RUN export A=1 && make                   # not
void report_forgotten_state(const Facts& facts, Findings& findings) {
  for (const auto& script : facts.scripts) {
    const Instruction& run = *script->step->instruction;
    if (run.form == Form::kJson || !script->program().is_valid()) continue;
    const auto& calls = script->calls;
    const bool has_effect = std::any_of(calls.begin(), calls.end(), [](const Call& call) {
      return !changes_only_shell(call.name);
    });
    // `cd` alone is D402.
    if (has_effect || (calls.empty() && script->assigned.empty())) continue;
    if (!calls.empty() && calls.back().name == "cd") continue;
    findings.add("D412", run.name_span,
                 "the next RUN has a new shell, so this one changes nothing; use ENV or SHELL");
  }
}

// COPY id_rsa /root/.ssh/                  # reported
// RUN git clone https://me:pw@a.org/b      # reported
void report_copied_secrets(const Facts& facts, Findings& findings) {
  for (const Step& step : facts.stages.steps) {
    const Instruction& each = *step.instruction;
    const bool copies = each.keyword == Keyword::kCopy || each.keyword == Keyword::kAdd;
    for (size_t i = 0; copies && i + 1 < each.words.size(); i++) {
      judge_url(each.words[i].text, each.words[i].span, findings);
      const bool is_kept = each.flag("from") == nullptr && facts.stages.is_in_result(step.stage);
      if (!is_kept || !is_secret_file(each.words[i].text)) continue;
      findings.add("D507", each.words[i].span,
                   fmt::format("{} becomes part of the image; use RUN --mount=type=secret or ssh",
                               unquote(each.words[i].text)));
    }
    if (each.keyword == Keyword::kEnv || each.keyword == Keyword::kArg)
      for (const Pair& pair : each.pairs) judge_url(pair.value.text, pair.value.span, findings);
  }
  for (const auto& script : facts.scripts) {
    for (const Call& call : script->calls) {
      for (const Argument& word : call.words) {
        if (word.is_known) judge_url(word.text, word.span, findings);
      }
    }
  }
}

}  // namespace nacre::docker
