// Quotes around expansions. Splitting that is meant stays: a list that the script puts together, an
// optional word, the list of a `for`; it is marked, so that readers and other linters know.
#include <algorithm>
#include <fmt/format.h>

#include "purify/offers.h"
#include "purify/quoting.h"
#include "purify/values.h"
#include "regular/decide.h"
#include "shell/builtins.h"
#include "shell/edit.h"

namespace nacre::purify {

using shell::Part;
using shell::PartKind;
using shell::Word;

namespace {

constexpr std::string_view kBlanks = "the value is empty or holds blanks or wildcards";

bool is_test(std::string_view name) { return name == "[" || name == "test"; }

bool is_declaration(const Script& script, const WordPlace& at) {
  const shell::BuiltinInfo* info = shell::builtin_named(script.name_of(*at.place));
  return info != nullptr && info->is(shell::kDeclares);
}

// ${x:+-v}: it vanishes on purpose.
bool is_optional_word(const Part& part) {
  return part.kind == PartKind::kParameter &&
         part.parameter().op == shell::ParameterOp::kAlternative;
}

// Commands that run the words after them as a command line.
bool runs_words(std::string_view name) {
  constexpr std::string_view kNames[] = {"eval",  "sudo", "env", "exec", "command", "xargs", "nice",
                                         "nohup", "time", "set", "sh",   "bash",    "ssh"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

// The script gives the variable an empty value itself: an option that may be left out.
bool may_be_left_out(const Script& script, std::string_view name) {
  return std::any_of(
      script.facts().names().begin(), script.facts().names().end(), [&](const auto& each) {
        return each.use == flow::NameUse::kAssigned && script.facts().text(each.name) == name &&
               regular::is_nullable(each.strings) &&
               regular::included(each.strings, script.facts().languages().epsilon()).yes();
      });
}

bool prints_one_line(const Script& script, const Part& part) {
  const auto items = part.command().body.items;
  if (items.empty()) return true;
  const flow::CommandFact* fact = script.facts().command(*items.back().command);
  return items.size() == 1 && fact != nullptr && fact->output.count.most <= 1;
}

enum class Splitting : uint8_t { kNever, kUnwanted, kPerhapsMeant };

Splitting splitting_of_lone_value(const Script& script, const WordPlace& at, const Part& part) {
  const flow::ExpansionFact* fact = expansion_of(script, part);
  if (fact == nullptr) return Splitting::kPerhapsMeant;
  const flow::Value& value = script.facts().value(fact->value);
  const std::string_view name = script.name_of(*at.place);
  if (value.is_list || runs_words(name)) return Splitting::kPerhapsMeant;
  if (part.kind == PartKind::kCommand) {
    const bool is_one = prints_one_line(script, part) || has_no_newline(script, part);
    return is_one ? Splitting::kUnwanted : Splitting::kPerhapsMeant;
  }
  if (may_be_left_out(script, part.parameter().name)) return Splitting::kPerhapsMeant;
  switch (value.source) {
    case flow::Source::kArgument:
    case flow::Source::kInput: return Splitting::kUnwanted;
    case flow::Source::kCommand:
      return has_no_newline(script, part) ? Splitting::kUnwanted : Splitting::kPerhapsMeant;
    case flow::Source::kEnvironment:
      // What an unknown command gets from the environment may be a list of options.
      return script.cards().find(name) != nullptr && !script.has_function(name)
                 ? Splitting::kUnwanted
                 : Splitting::kPerhapsMeant;
    case flow::Source::kScript: break;
  }
  return may_be_empty(value) ? Splitting::kPerhapsMeant : Splitting::kUnwanted;
}

Splitting splitting_of(const Script& script, const WordPlace& at, const Part& part) {
  const std::string_view name = script.name_of(*at.place);
  if (is_optional_word(part)) return Splitting::kPerhapsMeant;
  const bool takes_one = name == "cd" || name == "." || name == "exit" || name == "return";
  if (at.role == WordRole::kRedirected || is_test(name) || takes_one) return Splitting::kUnwanted;
  if (is_declaration(script, at)) return Splitting::kUnwanted;
  if (is_one_field(script, part)) return Splitting::kNever;
  if (at.word->parts().size() == 1) {
    return at.role == WordRole::kForList ? Splitting::kPerhapsMeant
                                         : splitting_of_lone_value(script, at, part);
  }
  // A part of a path or of an option: cut in two, neither half means anything.
  const flow::ExpansionFact* fact = expansion_of(script, part);
  const bool is_list = fact != nullptr && script.facts().value(fact->value).is_list;
  const std::string text = script.text(at.word->span);
  return is_list && text.find('/') == std::string::npos ? Splitting::kPerhapsMeant
                                                        : Splitting::kUnwanted;
}

bool is_quotable(const Script& script, const WordPlace& at) {
  if (at.place == nullptr || at.place->is_in_here_document || at.place->is_in_backquotes)
    return false;
  if (at.role == WordRole::kRedirected) {
    const shell::RedirectOp op = at.redirection->op;
    return op != shell::RedirectOp::kHereString && op != shell::RedirectOp::kHereDocument;
  }
  if (at.role == WordRole::kForList) return true;
  return at.role == WordRole::kArgument && at.index > 0 && script.name_of(*at.place) != "[[";
}

// The worst of all expansions that stand in it without quotes; kNever if there are none.
Splitting splitting_of(const Script& script, const WordPlace& at) {
  Splitting result = Splitting::kNever;
  for (const Part& part : at.word->parts()) {
    if (is_splittable(part)) result = std::max(result, splitting_of(script, at, part));
  }
  return result;
}

void offer_all_arguments(const Script& script, const WordPlace& at, Offers& offers) {
  const auto parts = at.word->parts();
  if (parts.size() != 1 || !is_all_arguments(parts[0]) || at.role == WordRole::kRedirected) return;
  if (runs_words(script.name_of(*at.place)) && script.name_of(*at.place) != "set") return;
  Rewrite offer = rewrite("quote-arguments", at.word->span, "\"$@\"", RewriteClass::kRepair);
  offer.differs_when = "an argument is empty or holds blanks or wildcards";
  offer.edits.push_back(shell::replace(at.word->span, "\"$@\""));
  offers.push_back(std::move(offer));
}

}  // namespace

void offer_quotes(const Script& script, Offers& offers) {
  if (!script.settings().wants(kSafe)) return;
  for (const WordPlace& at : script.words()) {
    if (!is_quotable(script, at)) continue;
    offer_all_arguments(script, at, offers);
    if (!has_splittable(*at.word)) continue;
    const std::string text = quoted(script, *at.word);
    if (text == script.text(at.word->span)) continue;
    const Splitting splitting = splitting_of(script, at);
    Rewrite offer =
        rewrite("quote", at.word->span, text,
                splitting == Splitting::kNever ? RewriteClass::kEqual : RewriteClass::kRepair);
    if (splitting == Splitting::kUnwanted) offer.differs_when = kBlanks;
    need(offer, splitting == Splitting::kNever ? ObligationKind::kField : ObligationKind::kUnlisted,
         splitting != Splitting::kPerhapsMeant,
         splitting == Splitting::kPerhapsMeant ? "the value may be meant to be split"
                                               : "one word is meant");
    offer.edits.push_back(shell::replace(at.word->span, text));
    offers.push_back(std::move(offer));
  }
}

namespace {

// The statement around a command that begins its line: where a comment can be put.
const Place* line_start(const Script& script, const Place& from) {
  for (const Place* place = &from; place != nullptr;
       place = place->parent == nullptr ? nullptr : &script.place(*place->parent)) {
    if (place->item == nullptr) continue;
    const uint32_t begin = place->command->span.begin;
    const SourceFile& file = script.file();
    const Span line = file.line_span(file.line_of(begin));
    const std::string_view before = file.text({line.begin, begin});
    const bool is_first = before.find_first_not_of(" \t") == std::string_view::npos;
    const bool is_continued = line.begin >= 2 && file.bytes()[line.begin - 2] == '\\';
    if (is_first && !is_continued && !place->is_in_backquotes) return place;
  }
  return nullptr;
}

bool is_marked(const Script& script, const Place& from, std::string_view code) {
  for (const Place* place = &from; place != nullptr;
       place = place->parent == nullptr ? nullptr : &script.place(*place->parent)) {
    for (const shell::Comment& comment : script.tree().comments_above(place->command->span)) {
      const std::string_view text = script.file().text(comment.span);
      if (text.find("shellcheck disable=") == std::string_view::npos) continue;
      if (text.find(code) != std::string_view::npos || text.find("=all") != std::string_view::npos)
        return true;
    }
  }
  return false;
}

std::string_view code_of(const WordPlace& at) {
  const auto parts = at.word->parts();
  const bool has_command = std::any_of(
      parts.begin(), parts.end(), [](const Part& each) { return each.kind == PartKind::kCommand; });
  return has_command ? "SC2046" : "SC2086";
}

}  // namespace

// `# shellcheck disable=SC2086`: where splitting is kept, it is said.
void offer_marks(const Script& script, Offers& offers) {
  if (!script.settings().wants(kSafe)) return;
  std::map<uint32_t, std::pair<const Place*, std::set<std::string_view>>> marks;
  for (const WordPlace& at : script.words()) {
    if (!is_quotable(script, at) || !has_splittable(*at.word)) continue;
    if (at.role != WordRole::kArgument) continue;
    if (splitting_of(script, at) != Splitting::kPerhapsMeant) continue;
    const auto parts = at.word->parts();
    if (std::all_of(parts.begin(), parts.end(), is_optional_word)) continue;
    const std::string_view code = code_of(at);
    const Place* place = line_start(script, *at.place);
    if (place == nullptr || is_marked(script, *at.place, code)) continue;
    auto& mark = marks[place->command->span.begin];
    mark.first = place;
    mark.second.insert(code);
  }
  for (const auto& [offset, mark] : marks) {
    std::string codes;
    for (std::string_view code : mark.second)
      codes += (codes.empty() ? "" : ",") + std::string(code);
    const std::string line = fmt::format("# shellcheck disable={} # split on purpose", codes);
    Rewrite offer = rewrite("mark-split", mark.first->command->span, line);
    offer.edits.push_back(shell::insert_line_above(script.tree(), *mark.first->command, line));
    offers.push_back(std::move(offer));
  }
}

namespace {

// The part of `"$d"/*` that must not be empty; null: none.
const Part* unguarded_root(const Script& script, const Word& word) {
  const auto parts = word.parts();
  if (parts.size() < 2) return nullptr;
  const Part* first = &parts[0];
  if (first->kind == PartKind::kDoubleQuoted && first->parts().size() == 1)
    first = &first->parts()[0];
  if (first->kind != PartKind::kParameter) return nullptr;
  const shell::Parameter& parameter = first->parameter();
  if (parameter.op != shell::ParameterOp::kNone || parameter.subscript != nullptr) return nullptr;
  if (parameter.kind == shell::ParameterKind::kSpecial) return nullptr;
  const bool is_path = parts[1].is_text() && parts[1].text().starts_with('/');
  if (!is_path) return nullptr;
  // $HOME/.cache: what is left without the variable is a path of its own that hardly matters.
  const bool names_all = parts[1].text() == "/";
  const flow::ExpansionFact* fact = expansion_of(script, *first);
  const bool may_vanish = fact == nullptr || regular::is_nullable(fact->strings);
  return may_vanish && names_all ? first : nullptr;
}

}  // namespace

// rm -rf "$d"/*: an empty variable must not widen what is removed.
void offer_removal_guards(const Script& script, Offers& offers) {
  if (!script.settings().wants(kSafe)) return;
  for (const WordPlace& at : script.words()) {
    if (at.role != WordRole::kArgument || at.index == 0 || script.name_of(*at.place) != "rm")
      continue;
    if (at.place->is_in_backquotes || at.place->is_in_here_document) continue;
    const Part* part = unguarded_root(script, *at.word);
    if (part == nullptr) continue;
    Rewrite offer =
        rewrite("guard-removal", at.word->span, fmt::format("${{{}:?}}", part->parameter().name),
                RewriteClass::kRepair);
    offer.differs_when = fmt::format("{} is unset or empty", part->parameter().name);
    offer.edits.push_back(
        shell::replace(part->span, fmt::format("${{{}:?}}", part->parameter().name)));
    offers.push_back(std::move(offer));
  }
}

}  // namespace nacre::purify
