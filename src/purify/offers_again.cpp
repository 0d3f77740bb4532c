// A second run: what fails because the first one has done it already.
#include <algorithm>
#include <fmt/format.h>

#include "purify/calls.h"
#include "purify/offers.h"
#include "purify/quoting.h"
#include "purify/values.h"
#include "shell/edit.h"

namespace nacre::purify {

namespace {

struct Flag {
  std::string_view command;
  char letter;
  std::string_view long_name;
  std::string_view joinable;
  std::string_view rewrite;
  std::string_view differs_when;
};
constexpr Flag kFlags[] = {
    {"mkdir", 'p', "--parents", "v", "mkdir-p",
     "the directory is there already, or its parent is missing"},
    {"rm", 'f', "--force", "rRdv", "rm-f", "a file is missing or write-protected"},
};

// A directory that is made and removed again is a lock: that it fails is its use.
bool is_lock(const Script& script, const Call& call) {
  const std::vector<const shell::Word*> made = call.operands();
  if (made.size() != 1) return false;
  const std::string name = script.text(made[0]->span);
  for (const WordPlace& each : script.words()) {
    if (each.role != WordRole::kArgument || script.name_of(*each.place) != "rmdir") continue;
    if (script.text(each.word->span) == name) return true;
  }
  // `trap 'rmdir "$lock"' EXIT`: the command stands in a string.
  return script.file().bytes().find("rmdir " + name) != std::string_view::npos;
}

std::string_view reason(Fate fate) {
  switch (fate) {
    case Fate::kDead: return "its status is not checked";
    case Fate::kFatal: return "its failure only ends the script";
    case Fate::kTested: break;
  }
  return "its status is tested";
}

void need_status(const Script& script, const Call& call, Rewrite& offer) {
  const Fate fate = script.fate(*call.place);
  need(offer, ObligationKind::kStatus, fate != Fate::kTested, std::string(reason(fate)));
}

void offer_flag(const Script& script, const Call& call, const Flag& flag, Offers& offers) {
  if (!call.is(flag.command) || call.has(flag.letter, flag.long_name)) return;
  if (call.has('i', "--interactive") || call.has('I') || call.operands().empty()) return;
  Rewrite offer = rewrite(flag.rewrite, call.span(),
                          fmt::format("{} -{}", flag.command, flag.letter), RewriteClass::kRepair);
  offer.differs_when = flag.differs_when;
  need_status(script, call, offer);
  if (call.is("mkdir") && is_lock(script, call))
    need(offer, ObligationKind::kStatus, false, "the directory is a lock: it is removed again");
  offer.edits.push_back(
      add_letters(script, call, std::string_view(&flag.letter, 1), flag.joinable));
  offers.push_back(std::move(offer));
}

// Puts `GUARD || ` before a command of its own.
void offer_guard(const Script& script, const Call& call, std::string_view name,
                 const std::string& guard, std::string differs_when, Offers& offers) {
  const Span span = call.span();
  Rewrite offer = rewrite(name, span, guard, RewriteClass::kRepair);
  offer.differs_when = std::move(differs_when);
  need_status(script, call, offer);
  need(offer, ObligationKind::kErrexit, call.place->is_statement(),
       call.place->is_statement() ? "a command of its own" : "a part of a list");
  offer.edits.push_back(shell::insert_before(span, guard + " || "));
  offers.push_back(std::move(offer));
}

// `[ -e x ] || mkfifo x` again and again would be offered without this.
bool has_guard(const Call& call) { return !call.place->is_statement(); }

// The directory that `git clone URL [DIR]` makes.
std::optional<std::string> clone_directory(const Script& script, const Call& call) {
  const auto operands = call.operands();
  if (operands.size() == 3) return quoted(script, *operands[2]);
  if (operands.size() != 2 || !operands[1]->is_literal()) return std::nullopt;
  std::string url(operands[1]->literal());
  if (url.ends_with("/")) url.pop_back();
  if (url.ends_with(".git")) url.resize(url.size() - 4);
  const size_t slash = url.find_last_of("/:");
  return slash == std::string::npos ? std::nullopt : std::optional(url.substr(slash + 1));
}

// An operand of the command that can be looked at before: one name, without wildcards.
std::optional<std::string> name_operand(const Script& script, const shell::Word& word) {
  if (word.has(shell::kWordMayGlob) || word.has(shell::kWordHasBrace)) return std::nullopt;
  for (const shell::Part& part : word.parts()) {
    if (part.kind == shell::PartKind::kCommand || is_all_arguments(part)) return std::nullopt;
  }
  return quoted(script, word);
}

void offer_guard_of(const Script& script, const Call& call, Offers& offers) {
  const auto operands = call.operands();
  if (operands.empty()) return;
  const auto last = name_operand(script, *operands.back());
  const auto first = name_operand(script, *operands[0]);
  if (call.is("mkfifo") && operands.size() == 1 && last) {
    offer_guard(script, call, "guard-mkfifo", fmt::format("[ -p {} ]", *last),
                "the pipe is there already", offers);
  } else if (call.is("useradd") && last) {
    offer_guard(script, call, "guard-useradd", fmt::format("id -u {} >/dev/null 2>&1", *last),
                "the user is there already", offers);
  } else if (call.is("groupadd") && last) {
    offer_guard(script, call, "guard-groupadd",
                fmt::format("getent group {} >/dev/null 2>&1", *last), "the group is there already",
                offers);
  } else if (call.is("git") && first == "clone") {
    if (const auto directory = clone_directory(script, call))
      offer_guard(script, call, "guard-clone", fmt::format("[ -d {} ]", *directory),
                  "the directory is there already", offers);
  } else if (call.is("mv") && operands.size() == 2 && first && call.words.size() == 3) {
    offer_guard(script, call, "guard-mv", fmt::format("[ ! -e {} ]", *first),
                "the source is gone, as after a first run", offers);
  }
}

}  // namespace

void offer_flags(const Script& script, Offers& offers) {
  if (!script.settings().wants(kIdempotent)) return;
  for (const Call& call : calls_of(script)) {
    for (const Flag& flag : kFlags) offer_flag(script, call, flag, offers);
  }
}

// ln -s TARGET LINK fails if the link is there; -f alone puts it into a directory that it leads to.
void offer_links(const Script& script, Offers& offers) {
  if (!script.settings().wants(kIdempotent)) return;
  for (const Call& call : calls_of(script)) {
    if (!call.is("ln") || !call.has('s', "--symbolic") || call.has('i', "--interactive")) continue;
    std::string letters;
    if (!call.has('f', "--force")) letters += 'f';
    if (!call.has('n', "--no-dereference") && !call.has('T', "--no-target-directory"))
      letters += 'n';
    // `ln -s a b dir/` links into a directory: there -n changes nothing.
    if (letters.empty() || call.operands().size() != 2) continue;
    Rewrite offer = rewrite("ln-sfn", call.span(), "ln -sfn", RewriteClass::kRepair);
    offer.differs_when = "the link is there already";
    need_status(script, call, offer);
    offer.edits.push_back(add_letters(script, call, letters, "sfnvr"));
    offers.push_back(std::move(offer));
  }
}

void offer_guards(const Script& script, Offers& offers) {
  if (!script.settings().wants(kIdempotent)) return;
  for (const Call& call : calls_of(script)) {
    if (!has_guard(call)) offer_guard_of(script, call, offers);
  }
}

// echo LINE >> FILE: a line that is there already is not added again.
void offer_single_lines(const Script& script, Offers& offers) {
  if (!script.settings().wants(kIdempotent)) return;
  for (const Call& call : calls_of(script)) {
    const auto redirections = call.place->command->redirections;
    if (!call.is("echo") || call.words.size() != 2 || redirections.size() != 1) continue;
    if (redirections[0].op != shell::RedirectOp::kAppend || redirections[0].descriptor > 1)
      continue;
    const shell::Word& line = call.words[1];
    const auto file = name_operand(script, redirections[0].target);
    if (!line.is_literal() || line.literal().starts_with('-') || !file || has_guard(call)) continue;
    const bool is_plain = line.literal().find_first_of("\\\n") == std::string_view::npos;
    const auto path = constant_of(script, redirections[0].target);
    const bool is_log =
        path && (path->ends_with(".log") || path->find("/log/") != std::string::npos ||
                 *path == "log" || path->find("log.") != std::string::npos);
    if (!is_plain || line.literal().empty()) continue;
    Rewrite offer = rewrite("line-once", call.span(), "adds the line only where it is missing",
                            RewriteClass::kAssuming);
    offer.differs_when = "one such line in the file is enough";
    need_status(script, call, offer);
    need(offer, ObligationKind::kLabel,
         call.place->loops == 0 && !is_log && call.place->function == nullptr,
         is_log ? "the file is a log" : "the line is a setting, not an event");
    const std::string text = script.text(line.span);
    offer.edits.push_back(shell::insert_before(
        call.span(), fmt::format("grep -qxF {} {} 2>/dev/null || ", text, *file)));
    offers.push_back(std::move(offer));
  }
}

}  // namespace nacre::purify
