// toctou: no path is tested and used later, where others could change it in between.
#include <algorithm>
#include <fmt/format.h>

#include "prove/subject.h"
#include "purify/values.h"
#include "shell/visitor.h"

namespace nacre::prove {

using shell::Word;

namespace {

struct Check {
  std::string path;
  Span place;
  uint32_t loops = 0;
  const shell::Function* function = nullptr;
};

constexpr std::string_view kFileTests = "bcdefghkprsuwxLSONG";

void add_check(const Subject& subject, const Word& word, const purify::Place& place,
               std::vector<Check>& checks) {
  checks.push_back({symbol_of(subject, word), word.span, place.loops, place.function});
}

std::vector<Check> checks_of(const Subject& subject) {
  std::vector<Check> checks;
  for (const purify::Call& call : subject.calls) {
    const auto invocation = purify::invocation_of(*subject.script, call);
    if (!invocation || invocation->property(commands::CardKey::kChecks) == nullptr) continue;
    for (size_t i = 1; i + 1 < call.words.size(); i++) {
      const bool is_test = call.words[i].is_plain() && call.words[i].literal().size() == 2 &&
                           call.words[i].literal()[0] == '-' &&
                           kFileTests.find(call.words[i].literal()[1]) != std::string_view::npos;
      if (is_test) add_check(subject, call.words[i + 1], *call.place, checks);
    }
  }
  for (const purify::Place& place : subject.script->places()) {
    const auto* node = std::get_if<shell::Conditional>(&place.command->node);
    if (node == nullptr) continue;
    shell::walk(*node->expression, shell::Visitor{[&](const shell::ConditionalExpression& each) {
      if (each.kind == shell::ConditionalKind::kUnary &&
          kFileTests.find(each.letter) != std::string_view::npos)
        add_check(subject, each.left, place, checks);
      return true;
    }});
  }
  return checks;
}

// Its words name no file that it opens or changes.
bool is_looking(const Subject& subject, const purify::Call& call) {
  const auto invocation = purify::invocation_of(*subject.script, call);
  const commands::Property* uses =
      invocation ? invocation->property(commands::CardKey::kUses) : nullptr;
  return uses != nullptr && uses->value == "nothing";
}

struct Use {
  std::string path;
  Span place;
  uint32_t loops = 0;
  const shell::Function* function = nullptr;
};

std::vector<Use> uses_of(const Subject& subject) {
  std::vector<Use> uses;
  for (const purify::Call& call : subject.calls) {
    if (is_looking(subject, call) || subject.script->has_function(call.name)) continue;
    for (const Word* word : call.operands())
      uses.push_back(
          {symbol_of(subject, *word), word->span, call.place->loops, call.place->function});
  }
  for (const purify::WordPlace& at : subject.script->words()) {
    if (at.role != purify::WordRole::kRedirected) continue;
    uses.push_back(
        {symbol_of(subject, *at.word), at.word->span, at.place->loops, at.place->function});
  }
  return uses;
}

bool is_same_or_below(const std::string& use, const std::string& path) {
  if (path.empty()) return false;
  if (use == path) return true;
  const std::string below = path.ends_with('/') ? path : path + "/";
  const std::string above = use.ends_with('/') ? use : use + "/";
  return use.starts_with(below) || path.starts_with(above);
}

// Only root changes what is there.
bool is_system_path(const std::string& path) {
  return path.starts_with('/') && !path.starts_with("/tmp/") && !path.starts_with("/var/tmp/") &&
         !path.starts_with("/dev/shm/");
}

// A file whose contents the call looks at is used by another command, too.
bool is_used_elsewhere(const Subject& subject, const purify::Call& call,
                       const std::vector<Use>& uses) {
  std::vector<std::string> paths;
  for (const Word* word : call.operands()) paths.push_back(symbol_of(subject, *word));
  for (const shell::Redirection& each : call.place->command->redirections)
    paths.push_back(symbol_of(subject, each.target));
  return std::any_of(paths.begin(), paths.end(), [&](const std::string& path) {
    if (path == "/dev/null") return false;
    return std::any_of(uses.begin(), uses.end(), [&](const Use& use) {
      if (call.span().contains(use.place)) return false;
      const bool is_unknown =
          path.find('$') != std::string::npos || use.path.find('$') != std::string::npos;
      return is_unknown || is_same_or_below(use.path, path);
    });
  });
}

bool has_unknown_path(const std::vector<Use>& uses) {
  return std::any_of(uses.begin(), uses.end(),
                     [](const Use& use) { return use.path.find('$') != std::string::npos; });
}

}  // namespace

Finding toctou(Subject& subject) {
  const std::vector<Check> checks = checks_of(subject);
  const std::vector<Use> uses = uses_of(subject);
  Finding open{{}, Verdict::kProved, "no path that is tested is used afterwards", {}, {}, false};
  const auto unsure = [&](Span place, std::string reason) {
    if (open.verdict == Verdict::kProved)
      open = {{}, Verdict::kOpen, std::move(reason), place, {}, false};
  };
  for (const Check& check : checks) {
    for (const Use& use : uses) {
      const bool is_later = use.place.begin > check.place.begin ||
                            (use.loops > 0 && check.loops > 0) || use.function != nullptr ||
                            check.function != nullptr;
      if (!is_later || !is_same_or_below(use.path, check.path)) continue;
      if (is_system_path(check.path) || check.path.find("$") != std::string::npos) {
        // A variable may have changed between the two, or hold a path that only root can change.
        const bool is_text = use.path == check.path && !is_system_path(check.path);
        if (!is_text) {
          unsure(check.place, fmt::format("whether others can change {} is not known", check.path));
          continue;
        }
      }
      return {{},
              Verdict::kRefuted,
              fmt::format(
                  "line {} tests {}, line {} uses it: another process may replace it in between",
                  subject.line(check.place), check.path, subject.line(use.place)),
              check.place,
              check.path,
              false};
    }
  }
  if (!checks.empty() && (subject.has_unknown_code))
    unsure(checks[0].place, "code that is not known runs after a test");
  for (const purify::Call& call : subject.calls) {
    const bool looks = call.is("find") || call.is("ls") || call.is("xargs");
    if (looks &&
        (call.is("xargs") || subject.script->text(call.span()).find("-exec") != std::string::npos ||
         subject.script->text(call.span()).find("-delete") != std::string::npos))
      unsure(call.span(), "files that were found are used afterwards");
    if (call.is("grep") && subject.script->fate(*call.place) == purify::Fate::kTested &&
        is_used_elsewhere(subject, call, uses))
      unsure(call.span(), "the contents of a file decide what happens to it");
  }
  for (const purify::WordPlace& at : subject.script->words()) {
    // The variable of the loop has to get into a path.
    if (at.role == purify::WordRole::kForList && at.word->has(shell::kWordMayGlob) &&
        (has_unknown_path(uses) || subject.has_unknown_code))
      unsure(at.word->span, "files that a pattern matched are used afterwards");
    // Values of variables whose paths are tested under another name.
    if (checks.empty()) continue;
  }
  for (const Check& check : checks) {
    // "$1" is tested and `shift` or an assignment makes another path of the same words.
    if (check.path.find('$') == std::string::npos) continue;
    for (const Use& use : uses) {
      if (use.path != check.path && use.path.find('$') != std::string::npos)
        unsure(check.place, "two paths that are put together from variables may be the same");
    }
  }
  return open;
}

}  // namespace nacre::prove
