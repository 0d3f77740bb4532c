// idempotence: where a run succeeds, a second one succeeds and changes nothing. Refuted by running
// both in the simulated world; proved where every change is one that repeats itself and nothing
// that is changed is read.
#include <algorithm>
#include <fmt/format.h>

#include "explore/findings.h"
#include "explore/scene_file.h"
#include "prove/subject.h"
#include "purify/values.h"
#include "regular/decide.h"

namespace nacre::prove {

namespace {

enum class Change : uint8_t { kDirectory, kContents, kRemoval };

struct Path {
  std::string text;
  Span place;
  bool is_conditional = false;  // not on every run
  Change change = Change::kContents;
  bool is_look = false;               // a read that asks whether it is there
  const shell::Word* word = nullptr;  // of a read
};

struct Effects {
  std::vector<Path> writes, reads;
  std::optional<Finding> doubt;
};

bool overlaps(const std::string& a, const std::string& b) {
  if (a == b) return true;
  return a.starts_with(b + "/") || b.starts_with(a + "/");
}

bool is_conditional(const purify::Place& place) {
  return place.parent != nullptr || place.loops > 0 || place.function != nullptr;
}

bool is_null(const std::string& path) {
  return path == "/dev/null" || path == "/dev/stderr" || path == "/dev/stdout";
}

// A mode that the owner can still write with; nothing is known of symbolic ones.
bool keeps_write(const purify::Call& call) {
  const auto operands = call.operands();
  if (operands.empty() || !operands[0]->is_literal()) return false;
  const std::string_view mode = operands[0]->literal();
  const bool is_octal =
      mode.size() >= 3 && mode.find_first_not_of("01234567") == std::string_view::npos;
  const char owner = is_octal ? mode[mode.size() - 3] : '0';
  return owner == '2' || owner == '3' || owner == '6' || owner == '7';
}

void add_redirections(const Subject& subject, const purify::Place& place, Effects& effects) {
  for (const shell::Redirection& each : place.command->redirections) {
    const std::string path = symbol_of(subject, each.target);
    switch (each.op) {
      case shell::RedirectOp::kInput:
        effects.reads.push_back({path, each.span, is_conditional(place), {}, false, &each.target});
        break;
      case shell::RedirectOp::kOutput:
      case shell::RedirectOp::kClobber:
      case shell::RedirectOp::kOutputAll:
        if (!is_null(path))
          effects.writes.push_back(
              {path, each.span, is_conditional(place), Change::kContents, false, nullptr});
        break;
      case shell::RedirectOp::kAppend:
      case shell::RedirectOp::kAppendAll:
      case shell::RedirectOp::kReadWrite:
        if (!is_null(path)) effects.doubt = open_at(each.span, "adds to a file on each run");
        break;
      default: break;
    }
  }
}

void add_call(const Subject& subject, const purify::Call& call, bool is_root, Effects& effects) {
  const Knowledge known = knowledge_of(*subject.script, call);
  const auto doubt = [&](std::string reason) {
    if (!effects.doubt) effects.doubt = open_at(call.span(), std::move(reason));
  };
  if (known.again == Again::kUnknown)
    doubt(fmt::format("what a second `{}` does is not known", call.name));
  if (known.again == Again::kFails) doubt(fmt::format("a second `{}` may fail", call.name));
  if (call.is("chmod") && !is_root && !keeps_write(call)) doubt("takes the right to write away");
  const bool is_listing = call.is("ls") || call.is("find");
  auto operands = call.operands();
  if (call.is("chmod") || call.is("chown") || call.is("chgrp")) {
    if (!operands.empty()) operands.erase(operands.begin());
    return;  // changes no bytes, and nothing asks for modes
  }
  const bool is_file_command = known.again == Again::kSame || known.reads_files;
  if (!is_file_command) return;
  for (const shell::Word* word : operands) {
    Path path{symbol_of(subject, *word),
              word->span,
              is_conditional(*call.place),
              Change::kContents,
              is_listing || call.is("[") || call.is("test"),
              word};
    if (call.is("mkdir")) path.change = Change::kDirectory;
    if (call.is("rm") || call.is("find")) path.change = Change::kRemoval;
    if (word->has(shell::kWordMayGlob)) path.text += "*";
    (known.again == Again::kSame ? effects.writes : effects.reads).push_back(path);
  }
}

Effects effects_of(const Subject& subject, bool is_root) {
  Effects effects;
  std::optional<Span> beside;
  for (const purify::Call& call : subject.calls) add_call(subject, call, is_root, effects);
  for (const purify::Place& place : subject.script->places()) {
    add_redirections(subject, place, effects);
    if (const auto* node = std::get_if<shell::Conditional>(&place.command->node); node != nullptr)
      effects.reads.push_back({symbol_of(subject, node->expression->left),
                               place.command->span,
                               true,
                               {},
                               true,
                               nullptr});
    const bool is_computed = place.simple() != nullptr && !place.simple()->words.empty() &&
                             subject.script->name_of(place).empty();
    if (is_computed || place.is_in_backquotes)
      effects.doubt = open_at(place.command->span, "a command that is not known");
    const bool is_beside =
        place.item != nullptr && place.item->terminator == shell::Terminator::kBackground;
    if (is_beside && !effects.doubt) beside = place.command->span;
  }
  if (beside && !effects.writes.empty()) effects.doubt = open_at(*beside, "runs in the background");
  return effects;
}

// Two paths of which at least one is not known may be the same.
bool may_be_same(const std::string& a, const std::string& b) {
  const bool is_known = a.find('$') == std::string::npos && b.find('$') == std::string::npos &&
                        a.find('*') == std::string::npos && b.find('*') == std::string::npos;
  return is_known ? overlaps(a, b) : true;
}

// No value that the read can have holds the last name of the written path.
bool is_apart(const Subject& subject, const Path& read, const std::string& written) {
  if (read.word == nullptr || written.find('$') != std::string::npos) return false;
  const shell::Part* part = nullptr;
  for (const shell::Part& each : read.word->parts()) {
    const shell::Part& inner =
        each.kind == shell::PartKind::kDoubleQuoted && each.parts().size() == 1 ? each.parts()[0]
                                                                                : each;
    if (inner.is_expansion()) part = part == nullptr ? &inner : nullptr;
  }
  if (part == nullptr || read.word->parts().size() != 1) return false;
  const flow::ExpansionFact* fact = purify::expansion_of(*subject.script, *part);
  if (fact == nullptr) return false;
  auto& languages = subject.script->facts().languages();
  const regular::Lang any = languages.all();
  const std::string name = written.substr(written.rfind('/') + 1);
  return regular::disjoint(fact->strings, any + languages.literal(name) + any).yes();
}

bool conflicts(const Path& a, const Path& b) {
  if (a.change == Change::kRemoval || b.change == Change::kRemoval) return true;
  return a.change == Change::kContents && b.change == Change::kContents;
}

std::optional<Finding> interference(const Subject& subject, const Effects& effects) {
  for (const Path& write : effects.writes) {
    for (const Path& read : effects.reads) {
      // That a directory is there does not change what a file holds.
      if (write.change == Change::kDirectory && !read.is_look) continue;
      if (may_be_same(write.text, read.text) && !is_apart(subject, read, write.text))
        return open_at(write.place, fmt::format("{} is written and may be read, too", write.text));
    }
    for (const Path& other : effects.writes) {
      const bool is_one = &other == &write || (!write.is_conditional && !other.is_conditional);
      if (!is_one && conflicts(write, other) && write.text != other.text &&
          may_be_same(write.text, other.text))
        return open_at(write.place, fmt::format("{} is written twice, and not always", write.text));
    }
  }
  return std::nullopt;
}

// A line that is added, or a file that is named, by every run: certain, if a run succeeds.
bool ends_in_failure(const Subject& subject) {
  for (const purify::Place& place : subject.script->places()) {
    if (place.parent != nullptr || subject.script->name_of(place) != "exit") continue;
    const auto words = place.simple()->words;
    if (words.size() == 2 && (!words[1].is_literal() || words[1].literal() != "0")) return true;
  }
  return false;
}

// What the redirection of a command that prints does on each run; empty: nothing new.
std::string growth_of(const Subject& subject, const shell::Redirection& each) {
  const std::string path = symbol_of(subject, each.target);
  const std::string text = subject.script->text(each.target.span);
  const std::string_view bytes = subject.file.bytes();
  const bool is_once = bytes.find(text) == bytes.rfind(text);
  if (!is_once || is_null(path)) return "";
  if (each.op == shell::RedirectOp::kAppend && path.find('$') == std::string::npos)
    return fmt::format("{} grows on each run", path);
  if (each.op == shell::RedirectOp::kOutput && text.find("$$") != std::string::npos)
    return "each run makes a file of another name";
  return "";
}

std::optional<Finding> growth(const Subject& subject) {
  if (ends_in_failure(subject)) return std::nullopt;
  for (const purify::Place& place : subject.script->places()) {
    const std::string_view name = subject.script->name_of(place);
    const bool prints = name == "echo" || (name == "printf" && place.simple()->words.size() > 1);
    if (place.parent != nullptr || place.function != nullptr || !prints) continue;
    if (subject.script->fact(place) == nullptr) continue;
    for (const shell::Redirection& each : place.command->redirections) {
      const std::string reason = growth_of(subject, each);
      if (!reason.empty())
        return Finding{{}, Verdict::kRefuted, reason, each.span, "two runs in a row", false};
    }
  }
  return std::nullopt;
}

// Values that differ between two runs get only into what is printed.
std::optional<Finding> varying_contents(const Subject& subject, const Effects& effects) {
  if (effects.writes.empty()) return std::nullopt;
  const std::string_view bytes = subject.file.bytes();
  for (std::string_view name : {"$$", "$!", "$PPID", "$RANDOM", "$SECONDS"}) {
    if (bytes.find(name) != std::string_view::npos)
      return open_at({}, fmt::format("{} differs from run to run", name));
  }
  for (const purify::Call& call : subject.calls) {
    // A second run is later and another process, on the same host.
    const Varies varies = knowledge_of(*subject.script, call).varies;
    if (varies == Varies::kNo || varies == Varies::kHost) continue;
    const shell::Part* around = call.place->substitution;
    const purify::WordPlace* at = around == nullptr ? nullptr : subject.script->word_of(*around);
    const bool is_printed = at != nullptr && at->role == purify::WordRole::kArgument &&
                            subject.script->name_of(*at->place) == "echo" &&
                            at->place->command->redirections.empty() &&
                            at->place->parent == nullptr;
    if (!is_printed)
      return open_at(call.span(),
                     fmt::format("what `{}` prints differs from run to run", call.name));
  }
  return std::nullopt;
}

// A world that the script leaves, in which it fails or changes something once more.
std::optional<Finding> second_run(const Subject& subject, const Explored& explored,
                                  const explore::Budget& budget) {
  size_t worlds = 0;
  for (const explore::Outcome& outcome : explored.report.outcomes) {
    if (!outcome.succeeded() || ++worlds > subject.options.worlds) continue;
    explore::Report one = explored.report;
    one.outcomes = {outcome};
    const auto found = explore::findings_of_second_run(explored.script, one, budget, 1);
    if (found.empty()) continue;
    return Finding{{},
                   Verdict::kRefuted,
                   found[0].message,
                   found[0].place.span,
                   explore::scene_json(explored.script, explored.start, outcome.decisions,
                                       outcome.after.memory),
                   true};
  }
  return std::nullopt;
}

Finding decide(Subject& subject, const std::string& user, bool is_root) {
  const Explored& explored = subject.explored(user);
  if (explored.refusal.empty()) {
    explore::Budget budget;
    budget.runs = 60;
    budget.steps = 2'000'000;
    budget.steps_of_run = 60'000;
    if (auto finding = second_run(subject, explored, budget)) return *finding;
  }
  const bool has_success =
      !explored.refusal.empty() ||
      std::any_of(explored.report.outcomes.begin(), explored.report.outcomes.end(),
                  [](const explore::Outcome& each) { return each.succeeded(); });
  if (has_success) {
    if (auto finding = growth(subject)) return *finding;
  }
  const Finding code = injection(subject);
  if (code.verdict == Verdict::kRefuted && code.reason.find("code") != std::string::npos)
    return open_at(code.place, "a value may become code: " + code.reason);
  const Effects effects = effects_of(subject, is_root);
  const bool never_succeeds =
      explored.refusal.empty() && explored.report.is_complete() &&
      std::none_of(explored.report.outcomes.begin(), explored.report.outcomes.end(),
                   [](const explore::Outcome& each) { return each.succeeded(); });
  if (never_succeeds)
    return {{},   Verdict::kProved, "no run succeeds, so there is no second one to compare", {}, {},
            false};
  if (subject.has_unknown_code) return open_at({}, "code that is not known is run");
  if (effects.doubt) return *effects.doubt;
  if (auto finding = interference(subject, effects)) return *finding;
  if (auto finding = varying_contents(subject, effects)) return *finding;
  return {{},
          Verdict::kProved,
          effects.writes.empty()
              ? "changes no file, so a second run begins where the first one did"
              : "every change repeats itself, and nothing that is changed is read",
          {},
          {},
          false};
}

}  // namespace

Finding idempotence_root(Subject& subject) { return decide(subject, "root", true); }
Finding idempotence_user(Subject& subject) { return decide(subject, subject.options.user, false); }

}  // namespace nacre::prove
