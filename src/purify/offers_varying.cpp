// What differs from run to run: the clock, the host, the process id, the order of a directory.
#include <algorithm>
#include <fmt/format.h>

#include "purify/calls.h"
#include "purify/offers.h"
#include "purify/quoting.h"
#include "purify/values.h"
#include "shell/edit.h"
#include "shell/visitor.h"

namespace nacre::purify {

using shell::Part;
using shell::PartKind;
using shell::Word;

namespace {

// The one simple command of `$(...)`; null if it holds more.
const shell::Command* only_command(const Part& part) {
  if (part.kind != PartKind::kCommand) return nullptr;
  const auto items = part.command().body.items;
  if (items.size() != 1) return nullptr;
  const shell::Command* command = items[0].command;
  return std::holds_alternative<shell::SimpleCommand>(command->node) ? command : nullptr;
}

std::vector<std::string_view> literal_words(const shell::Command& command) {
  std::vector<std::string_view> result;
  for (const Word& word : std::get<shell::SimpleCommand>(command.node).words) {
    if (!word.is_literal()) return {};
    result.push_back(word.literal());
  }
  return result;
}

// What `$(...)` shows: another name for it, and its value where nothing is given.
struct Varying {
  std::string_view rewrite;
  std::string_view variable;  // where the script has no better name for it
  std::string_view otherwise;
  std::string_view assumption;
};

std::optional<Varying> varying(const Script& script, const Part& part) {
  const shell::Command* command = only_command(part);
  if (command == nullptr || !command->redirections.empty()) return std::nullopt;
  const auto words = literal_words(*command);
  if (words.empty() || script.has_function(words[0])) return std::nullopt;
  if (words[0] == "date") {
    const bool is_fixed = std::any_of(words.begin() + 1, words.end(), [](std::string_view word) {
      return word.starts_with("-d") || word.starts_with("--date") || word.starts_with("-r") ||
             word.starts_with("--ref") || word.starts_with("-f") || word.starts_with("-s");
    });
    if (is_fixed) return std::nullopt;
    return Varying{"clock", "SOURCE_DATE_EPOCH", "0", "the time is given by the variable"};
  }
  const bool is_node = words.size() == 2 && words[0] == "uname" && words[1] == "-n";
  if (is_node || (words[0] == "hostname" && words.size() == 1))
    return Varying{"host", "HOST_NAME", "localhost", "the host is given by the variable"};
  if (words[0] == "whoami" && words.size() == 1)
    return Varying{"user", "USER_NAME", "user", "the user is given by the variable"};
  return std::nullopt;
}

bool decides(std::string_view command) {
  constexpr std::string_view kNames[] = {"[",   "test", "expr",   "sleep", "kill", "touch",
                                         "let", "seq",  "return", "exit",  "wait"};
  return std::find(std::begin(kNames), std::end(kNames), command) != std::end(kNames);
}

bool is_label_place(const Script& script, const WordPlace& at) {
  switch (at.role) {
    case WordRole::kArgument:
      return at.index > 0 && !decides(script.name_of(*at.place)) && !at.place->is_in_condition;
    case WordRole::kAssigned:
    case WordRole::kRedirected:
    case WordRole::kHereDocument: return true;
    default: return false;
  }
}

// Every use of the variable is within a text or a name.
bool is_label(const Script& script, std::string_view variable) {
  bool result = !script.has_unknown_code();
  shell::walk(
      script.tree().program(),
      shell::Visitor{[&](const Part& part) {
                       if (part.kind == PartKind::kParameter && part.parameter().name == variable) {
                         const WordPlace* at = script.word_of(part);
                         if (at == nullptr || !is_label_place(script, *at)) result = false;
                       }
                       return true;
                     },
                     [&](const shell::Arithmetic& arithmetic) {
                       const std::string text = script.text(arithmetic.word.span);
                       if (text.find(variable) != std::string::npos) result = false;
                       return true;
                     }});
  return result;
}

std::string upper(std::string_view text) {
  std::string result;
  for (char c : text) result += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return result;
}

// The name that stands before the first use of the variable: `deploy` of `/var/log/deploy.$T.log`.
std::string stem_before(const Script& script, std::string_view variable) {
  const std::string_view bytes = script.file().bytes();
  std::string found;
  shell::walk(
      script.tree().program(), shell::Visitor{[&](const Part& part) {
        if (!found.empty() || part.kind != PartKind::kParameter ||
            part.parameter().name != variable)
          return true;
        size_t end = part.span.begin;
        while (end > 0 && std::string_view("._-").find(bytes[end - 1]) != std::string_view::npos)
          end--;
        size_t begin = end;
        while (begin > 0 && is_identifier(bytes.substr(begin - 1, end - begin + 1))) begin--;
        const bool is_name = begin > 0 && std::string_view("/\"'= \t").find(bytes[begin - 1]) !=
                                              std::string_view::npos;
        if (end < part.span.begin && end > begin && is_name)
          found = bytes.substr(begin, end - begin);
        return true;
      }});
  return found;
}

// ${DEPLOY_TIMESTAMP:-0}: the variable that is asked, named after what it labels.
std::string knob_for(const Script& script, const Varying& what, const WordPlace& at) {
  if (at.role != WordRole::kAssigned || at.assignment == nullptr)
    return fmt::format("${{{}:-{}}}", what.variable, what.otherwise);
  const std::string stem = stem_before(script, at.assignment->name);
  std::string name = upper(at.assignment->name);
  if (!stem.empty()) name = upper(stem) + "_" + name;
  return fmt::format("${{{}:-{}}}", name, what.otherwise);
}

bool is_whole_value(const WordPlace& at, const Part& part) {
  if (at.role != WordRole::kAssigned || at.assignment == nullptr) return false;
  const auto parts = at.word->parts();
  if (parts.size() != 1) return false;
  return &parts[0] == &part || (parts[0].kind == PartKind::kDoubleQuoted &&
                                parts[0].parts().size() == 1 && &parts[0].parts()[0] == &part);
}

}  // namespace

void offer_clock(const Script& script, Offers& offers) {
  if (!script.settings().wants(kDeterministic)) return;
  shell::walk(
      script.tree().program(), shell::Visitor{[&](const Part& part) {
        const std::optional<Varying> what = varying(script, part);
        if (!what) return true;
        const WordPlace* at = script.word_of(part);
        if (at == nullptr || at->place->is_in_backquotes || at->role == WordRole::kOther)
          return true;
        const bool is_whole = is_whole_value(*at, part);
        const std::string knob = knob_for(script, *what, *at);
        Rewrite offer = rewrite(what->rewrite, part.span,
                                fmt::format("{} instead of `{}`", knob, script.text(part.span)),
                                RewriteClass::kAssuming);
        offer.differs_when = what->assumption;
        const bool is_text = at->role == WordRole::kAssigned && at->assignment != nullptr
                                 ? is_label(script, at->assignment->name)
                                 : is_label_place(script, *at);
        need(offer, ObligationKind::kLabel, is_text,
             is_text ? "only gets into texts and names" : "a decision may depend on it");
        const Part& outer = at->word->parts()[0];
        const bool has_quotes = outer.kind == PartKind::kDoubleQuoted || !is_whole;
        offer.edits.push_back(shell::replace(part.span, has_quotes ? knob : '"' + knob + '"'));
        offers.push_back(std::move(offer));
        return true;
      }});
}

namespace {

// NAME.$$ as a template of mktemp; nothing if it is not that.
std::optional<std::string> template_of(const Word& word) {
  std::string before;
  bool has_pid = false;
  const auto add = [&](const Part& part, const auto& self) -> bool {
    if (part.kind == PartKind::kDoubleQuoted)
      return std::all_of(part.parts().begin(), part.parts().end(),
                         [&](const Part& each) { return self(each, self); });
    if (part.kind == PartKind::kParameter && part.parameter().name == "$") {
      const bool is_first = !has_pid;
      has_pid = true;
      return is_first;
    }
    if (part.kind != PartKind::kLiteral && part.kind != PartKind::kSingleQuoted) return false;
    if (!has_pid) before += part.text();  // what follows is dropped: mktemp wants the X at the end
    return part.text().find('/') == std::string_view::npos || !has_pid;
  };
  for (const Part& part : word.parts()) {
    if (!add(part, add)) return std::nullopt;
  }
  if (!has_pid || before.empty()) return std::nullopt;
  if (before.starts_with("/tmp/"))
    return fmt::format("\"${{TMPDIR:-/tmp}}/{}XXXXXX\"", before.substr(5));
  return shell_word(before + "XXXXXX");
}

// Only reads, writes and removals of that very name.
bool is_plain_file_name(const Script& script, std::string_view variable) {
  bool result = true;
  shell::walk(script.tree().program(), shell::Visitor{[&](const Part& part) {
                if (part.kind != PartKind::kParameter || part.parameter().name != variable)
                  return true;
                const WordPlace* at = script.word_of(part);
                if (at == nullptr) {
                  result = false;
                  return true;
                }
                const std::string text = script.text(at->word->span);
                const std::string bare = fmt::format("${}", variable),
                                  braces = fmt::format("${{{}}}", variable);
                const bool is_alone = text == bare || text == braces || text == '"' + bare + '"' ||
                                      text == '"' + braces + '"';
                const std::string_view name = script.name_of(*at->place);
                const bool makes =
                    name == "mkdir" || name == "mkfifo" || name == "ln" || name == "export";
                if (!is_alone || makes) result = false;
                return true;
              }});
  return result;
}

}  // namespace

// tmp=/tmp/x.$$: a name that nothing else can take first.
void offer_temporary_names(const Script& script, Offers& offers) {
  if (!script.settings().wants(kDeterministic) && !script.settings().wants(kSafe)) return;
  for (const WordPlace& at : script.words()) {
    if (at.role != WordRole::kAssigned || at.assignment == nullptr) continue;
    const std::optional<std::string> name = template_of(*at.word);
    const shell::SimpleCommand* simple = at.place->simple();
    if (!name || simple == nullptr || at.place->is_in_backquotes) continue;
    Rewrite offer = rewrite("mktemp", at.assignment->span,
                            "mktemp instead of a name with the process id", RewriteClass::kRepair);
    offer.differs_when = "something else looks for the file by its name";
    const bool is_alone = simple->words.empty() && simple->assignments.size() == 1 &&
                          at.place->is_statement() && at.place->function == nullptr;
    need(offer, ObligationKind::kErrexit, is_alone, "an assignment of its own");
    const bool is_plain = is_plain_file_name(script, at.assignment->name);
    need(offer, ObligationKind::kOneUse, is_plain,
         is_plain ? "only that file is used" : "other names are made of it");
    offer.edits.push_back(
        shell::replace(at.word->span, fmt::format("$(mktemp {}) || exit 1", *name)));
    offers.push_back(std::move(offer));
  }
}

namespace {

bool is_unsorted_search(const Script& script, const Call& call) {
  if (!call.is("find")) return false;
  for (const Word& word : call.words) {
    if (!word.is_literal()) continue;
    const std::string_view text = word.literal();
    for (std::string_view action :
         {"-exec", "-ok", "-delete", "-print0", "-quit", "-fprint", "-ls", "-printf"}) {
      if (text.starts_with(action)) return false;
    }
  }
  const auto redirections = call.place->command->redirections;
  const bool writes = std::any_of(redirections.begin(), redirections.end(), [](const auto& each) {
    return each.descriptor != 2 && each.op != shell::RedirectOp::kInput;
  });
  return !writes && !script.fact(*call.place)->name.empty();
}

// The stage after the command in its pipeline; null: there is none.
const shell::Command* next_stage(const Place& place) {
  if (place.parent == nullptr) return nullptr;
  const auto* pipeline = std::get_if<shell::Pipeline>(&place.parent->node);
  if (pipeline == nullptr) return nullptr;
  for (size_t i = 0; i + 1 < pipeline->items.size(); i++) {
    if (pipeline->items[i].command == place.command) return pipeline->items[i + 1].command;
  }
  return nullptr;
}

bool discards_order(const Script& script, const shell::Command& command) {
  const std::string_view name = script.name_of(script.place(command));
  return name == "sort" || name == "wc" || name == "LC_ALL=C" || name == "cpio" ||
         (name == "grep" && script.text(command.span).find("-q") != std::string::npos);
}

}  // namespace

void offer_order(const Script& script, Offers& offers) {
  if (!script.settings().wants(kDeterministic)) return;
  for (const Call& call : calls_of(script)) {
    if (script.fact(*call.place) == nullptr || !is_unsorted_search(script, call)) continue;
    const Place& place = *call.place;
    const shell::Command* next = next_stage(place);
    if (next != nullptr && discards_order(script, *next)) continue;
    const bool is_in_list = place.parent != nullptr && next == nullptr;
    Rewrite offer = rewrite("sort", call.span(), "LC_ALL=C sort", RewriteClass::kRepair);
    offer.differs_when = "find fails, or the order of the directory was wanted";
    const bool is_last = next == nullptr;
    const bool is_listed = place.substitution != nullptr && place.item != nullptr;
    const Fate fate = is_last && !is_listed ? script.fate(place) : Fate::kDead;
    need(offer, ObligationKind::kStatus,
         fate != Fate::kTested && (!is_in_list || is_listed || place.is_statement()),
         fate == Fate::kTested ? "its status is tested" : "its status is not used");
    offer.edits.push_back(shell::insert_after(call.span(), " | LC_ALL=C sort"));
    offers.push_back(std::move(offer));
  }
}

// for f in $(ls *.txt): the shell lists the files itself, in order and whole.
void offer_listed_files(const Script& script, Offers& offers) {
  if (!script.settings().wants(kSafe) && !script.settings().wants(kDeterministic)) return;
  for (const WordPlace& at : script.words()) {
    if (at.role != WordRole::kForList || at.word->parts().size() != 1) continue;
    const shell::Command* command = only_command(at.word->parts()[0]);
    if (command == nullptr || !command->redirections.empty() || at.place->is_in_backquotes)
      continue;
    const auto words = std::get<shell::SimpleCommand>(command->node).words;
    if (words.empty() || !words[0].is_literal() || words[0].literal() != "ls") continue;
    std::string patterns;
    bool are_patterns = true;
    for (const Word& word : words.subspan(1)) {
      if (word.is_literal() && word.literal() == "-1") continue;
      are_patterns &= word.has(shell::kWordMayGlob);
      patterns += (patterns.empty() ? "" : " ") + quoted(script, word);
    }
    if (patterns.empty()) patterns = "*";
    const auto& loop = std::get<shell::For>(at.place->command->node);
    if (loop.body->items.empty() || loop.is_select) continue;
    Rewrite offer = rewrite("glob", at.word->span, patterns, RewriteClass::kRepair);
    offer.differs_when = "a name holds blanks or wildcards, or is that of a directory";
    need(offer, ObligationKind::kField, are_patterns,
         are_patterns ? "the operands are patterns" : "an operand may be a directory");
    offer.edits.push_back(shell::replace(at.word->span, patterns));
    const uint32_t begin = loop.body->items[0].command->span.begin;
    const bool is_one_line =
        script.file().line_of(begin) == script.file().line_of(at.word->span.end);
    const std::string end = is_one_line ? "; " : "\n" + script.indentation_of(begin);
    offer.edits.push_back(
        {{begin, begin}, fmt::format("[ -e \"${}\" ] || continue{}", loop.name->text, end)});
    offers.push_back(std::move(offer));
  }
}

}  // namespace nacre::purify
