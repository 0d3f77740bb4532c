#include "purify/lint.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/codes.h"
#include "purify/calls.h"
#include "purify/lint_rules.h"
#include "purify/offers.h"
#include "purify/purify.h"
#include "purify/values.h"
#include "shell/visitor.h"

namespace nacre::purify {

namespace {

struct Row {
  std::string_view rewrite;
  std::string_view code;
  std::string_view message;
  bool has_fix;
};
constexpr Row kRows[] = {
    {"clock", "N101", "the result depends on the clock: two runs differ", true},
    {"host", "N104", "the result depends on the host", true},
    {"user", "N104", "the result depends on the user", true},
    {"mktemp", "N103", "the name of the file has the process id in it", true},
    {"sort", "N105", "find lists files in the order of the directory; sort them", true},
    {"random", "N102", "the value differs at each run", false},
    {"mkdir-p", "I101", "mkdir fails on a second run, when the directory is there", true},
    {"rm-f", "I102", "rm fails on a second run, when the file is gone", true},
    {"line-once", "I103", "the file grows by a line on each run", true},
    {"guard-mv", "I104", "mv fails on a second run, when its source is gone", true},
    {"ln-sfn", "I105", "ln fails on a second run, or puts the link into the directory it leads to",
     true},
    {"guard-mkfifo", "I101", "mkfifo fails on a second run, when the pipe is there", true},
    {"guard-useradd", "I101", "useradd fails on a second run, when the user is there", true},
    {"guard-groupadd", "I101", "groupadd fails on a second run, when the group is there", true},
    {"guard-clone", "I101", "git clone fails on a second run, when the directory is there", true},
};

void add(const SourceFile& file, const Rewrite& offer, std::vector<Diagnostic>& findings) {
  const Row* row = std::find_if(std::begin(kRows), std::end(kRows),
                                [&](const Row& each) { return each.rewrite == offer.name; });
  if (row == std::end(kRows) || !offer.is_discharged()) return;
  Diagnostic found = finding(std::string(row->code), file, offer.place, std::string(row->message));
  if (row->has_fix && !offer.edits.empty())
    found.fixes.push_back({offer.message, offer.edits, false});
  findings.push_back(std::move(found));
}

// The path of `[ -e path ]` or `[ ! -e path ]`; null: the call is no such test.
const shell::Word* tested_path(const Call& call) {
  if (!call.is("[") && !call.is("test")) return nullptr;
  const size_t at =
      call.words.size() > 3 && call.words[1].is_plain() && call.words[1].literal() == "!" ? 2 : 1;
  if (call.words.size() < at + 2 || !call.words[at].is_plain()) return nullptr;
  const std::string_view op = call.words[at].literal();
  const bool is_test = op.size() == 2 && op[0] == '-' &&
                       std::string_view("edfrwxsL").find(op[1]) != std::string_view::npos;
  return is_test ? &call.words[at + 1] : nullptr;
}

// A path is tested with `[`, and the same words name what is opened or changed later.
void find_races(const Script& script, std::vector<Diagnostic>& findings) {
  const std::vector<Call> calls = calls_of(script);
  for (const Call& check : calls) {
    const shell::Word* tested = tested_path(check);
    if (tested == nullptr) continue;
    const std::string path = script.text(tested->span);
    for (const WordPlace& use : script.words()) {
      const std::string_view name = script.name_of(*use.place);
      const bool changes =
          use.role == WordRole::kRedirected ||
          (use.role == WordRole::kArgument && use.index > 0 &&
           (name == "rm" || name == "mv" || name == "cp" || name == "chmod" || name == "chown"));
      const bool is_later =
          use.word->span.begin > tested->span.end && use.place->function == check.place->function;
      if (!changes || !is_later || script.text(use.word->span) != path) continue;
      // Only what others can write to: /tmp, or a directory that is not known to be private.
      const auto constant = constant_of(script, *tested);
      const bool is_shared =
          constant && (constant->starts_with("/tmp/") || constant->starts_with("/var/tmp/"));
      if (!is_shared) break;
      Diagnostic found = finding(
          "R101", script.file(), check.span(),
          fmt::format("another process may replace {} between this test and its use", path));
      found.notes.push_back({script.file(), use.word->span, "it is used here"});
      findings.push_back(std::move(found));
      break;
    }
  }
}

}  // namespace

std::vector<Diagnostic> lint(const SourceFile& file, const commands::CardLibrary& cards,
                             const std::vector<const Profile*>& targets) {
  std::vector<Diagnostic> findings;
  const auto dialect = dialect_of(file);
  if (!dialect) return findings;
  Settings settings;
  settings.dialect = *dialect;
  settings.target = Target::kBash;  // nothing is translated
  const Script script(file, settings, cards);
  if (!script.is_valid()) return findings;
  Offers offers;
  constexpr Offer kOffers[] = {offer_clock, offer_temporary_names, offer_order,       offer_flags,
                               offer_links, offer_guards,          offer_single_lines};
  for (Offer offer : kOffers) offer(script, offers);
  for (Rewrite& each : find_refusals(script)) offers.push_back(std::move(each));
  for (const Rewrite& each : offers) add(file, each, findings);
  find_races(script, findings);
  find_missing(script, targets, findings);
  find_injections(script, findings);
  return findings;
}

}  // namespace nacre::purify
