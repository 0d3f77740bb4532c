// Syntax that only bash has and that has another spelling: function, &>, |&, <<<, +=, ;&.
#include <algorithm>
#include <fmt/format.h>

#include "purify/calls.h"
#include "purify/offers.h"
#include "purify/quoting.h"
#include "purify/values.h"
#include "shell/builtins.h"
#include "shell/edit.h"

namespace nacre::purify {

using shell::Part;
using shell::PartKind;
using shell::RedirectOp;
using shell::Word;

namespace {

size_t count_of(std::string_view text, std::string_view what) {
  size_t count = 0;
  for (size_t at = text.find(what); at != std::string_view::npos; at = text.find(what, at + 1))
    count++;
  return count;
}

std::string plain_name(std::string_view name) {
  std::string result(name);
  for (char& c : result) {
    if (!is_identifier(std::string("_") + c)) c = '_';
  }
  return is_identifier(result) ? result : "_" + result;
}

// f-g() is no name of POSIX: it gets another one where all of its uses are known.
void offer_function_name(const Script& script, const shell::Function& function, Offers& offers) {
  const std::string_view old = function.name->text;
  if (is_identifier(old)) return;
  const std::string name = plain_name(old);
  Rewrite offer = rewrite("function-name", function.name->span, name);
  size_t known = 0;
  for (const Place& place : script.places()) {
    if (const auto* each = std::get_if<shell::Function>(&place.command->node)) {
      if (each->name->text != old) continue;
      offer.edits.push_back(shell::replace(each->name->span, name));
      known++;
    } else if (script.name_of(place) == old) {
      offer.edits.push_back(shell::replace(place.simple()->words[0].span, name));
      known++;
    }
  }
  const bool is_known = known == count_of(script.file().bytes(), old) && !script.has_unknown_code();
  need(offer, ObligationKind::kScope, is_known,
       is_known ? "every use is a call" : "the name is used in another way");
  need(offer, ObligationKind::kFresh, !script.mentions(name), "the new name occurs nowhere");
  offers.push_back(std::move(offer));
}

}  // namespace

void offer_functions(const Script& script, Offers& offers) {
  if (!script.settings().translates()) return;
  for (const Place& place : script.places()) {
    const auto* function = std::get_if<shell::Function>(&place.command->node);
    if (function == nullptr || function->body == nullptr || place.is_in_backquotes) continue;
    if (script.functions().at(function->name->text) == function)
      offer_function_name(script, *function, offers);
    if (!function->has_keyword) continue;
    Rewrite offer = rewrite("function", place.command->span, "name() instead of function");
    const Span head{place.command->span.begin, function->body->span.begin};
    const std::string text = script.text(head);
    const size_t blank = text.find_last_not_of(" \t\n");
    offer.edits.push_back(
        shell::replace(head, fmt::format("{}(){}", function->name->text, text.substr(blank + 1))));
    const bool has_comment = text.find('#') != std::string::npos;
    need(offer, ObligationKind::kCopy, !has_comment, "nothing else stands there");
    offers.push_back(std::move(offer));
  }
}

void offer_redirections(const Script& script, Offers& offers) {
  if (!script.settings().wants(kPosix) || script.settings().target == Target::kBash) return;
  for (const Place& place : script.places()) {
    if (place.is_in_backquotes || place.is_in_here_document) continue;
    for (const shell::Redirection& each : place.command->redirections) {
      const bool is_append = each.op == RedirectOp::kAppendAll;
      if ((each.op != RedirectOp::kOutputAll && !is_append) ||
          script.settings().dialect == shell::Dialect::kSh)
        continue;
      Rewrite offer = rewrite("redirect-all", each.span, is_append ? ">> f 2>&1" : "> f 2>&1");
      offer.edits.push_back(shell::replace(
          each.span,
          fmt::format("{} {} 2>&1", is_append ? ">>" : ">", script.text(each.target.span))));
      offers.push_back(std::move(offer));
    }
    const auto* pipeline = std::get_if<shell::Pipeline>(&place.command->node);
    if (pipeline == nullptr) continue;
    for (const shell::PipelineItem& item : pipeline->items) {
      if (!item.pipes_errors) continue;
      const uint32_t end = item.command->span.end;
      const size_t pipe = script.file().bytes().find("|&", end);
      if (pipe == std::string_view::npos) continue;
      Rewrite offer = rewrite("pipe-errors", item.command->span, "2>&1 | instead of |&");
      const auto at = static_cast<uint32_t>(pipe);
      offer.edits.push_back({{end, end}, " 2>&1"});
      offer.edits.push_back({{at + 1, at + 2}, ""});
      offers.push_back(std::move(offer));
    }
  }
}

namespace {

// A command that runs in a process of its own anyway.
bool is_external(const Script& script, const Place& place) {
  const std::string_view name = script.name_of(place);
  if (name.empty() || script.has_function(name)) return false;
  const shell::BuiltinInfo* info = shell::builtin_named(name);
  return info == nullptr || info->is(shell::kIsProgram);
}

bool has_here_document_between(const Script& script, uint32_t begin, uint32_t end) {
  for (const Place& place : script.places()) {
    for (const shell::Redirection& each : place.command->redirections) {
      if (each.here_document != nullptr && each.span.begin >= begin && each.span.begin <= end)
        return true;
    }
  }
  return false;
}

// Where the lines of a here-document go whose operator stands at `offset`.
std::optional<uint32_t> body_place(const Script& script, const Place& place, uint32_t offset) {
  const SourceFile& file = script.file();
  const Span line = file.line_span(file.line_of(offset));
  uint32_t end = line.end;
  bool is_closed = false;
  if (place.substitution != nullptr && place.substitution->span.end <= line.end) {
    end = place.substitution->span.end - 1;
    is_closed = true;
  }
  if (has_here_document_between(script, line.begin, line.end)) return std::nullopt;
  if (end > 0 && file.bytes()[end - 1] == '\\' && !is_closed) return std::nullopt;
  for (const WordPlace& each : script.words()) {
    const bool is_around_all =
        place.substitution != nullptr && each.word->span.contains(place.substitution->span);
    if (each.word->span.begin < end && each.word->span.end > end && !is_around_all)
      return std::nullopt;
  }
  return end;
}

std::string delimiter_for(std::string_view text) {
  std::string name = "EOF";
  for (unsigned i = 2;
       ("\n" + std::string(text) + "\n").find("\n" + name + "\n") != std::string::npos; i++)
    name = fmt::format("EOF{}", i);
  return name;
}

}  // namespace

void offer_here_strings(const Script& script, Offers& offers) {
  if (!script.settings().translates()) return;
  for (const Place& place : script.places()) {
    if (place.is_in_backquotes || place.is_in_here_document) continue;
    for (const shell::Redirection& each : place.command->redirections) {
      if (each.op != RedirectOp::kHereString) continue;
      Rewrite offer = rewrite("here-string", each.span, "no <<<");
      const auto quoted_text = double_quoted_text(script, each.target);
      const bool is_first = place.command->span.begin < each.span.begin;
      if (is_external(script, place) && quoted_text && is_first && each.descriptor <= 0 &&
          place.simple()->assignments.empty()) {
        offer.edits.push_back({{place.command->span.begin, place.command->span.begin},
                               fmt::format("printf '%s\\n' \"{}\" | ", *quoted_text)});
        offer.edits.push_back(shell::remove_from_command(script.tree(), each.span));
        offers.push_back(std::move(offer));
        continue;
      }
      const auto text = here_document_text(script, each.target);
      const auto end = body_place(script, place, each.span.begin);
      need(offer, ObligationKind::kCopy, text && end, "a here-document can stand here");
      if (text && end) {
        const std::string name = delimiter_for(*text);
        const bool is_closed =
            *end < script.file().bytes().size() && script.file().bytes()[*end] != '\n';
        const std::string descriptor = each.descriptor > 0 ? std::to_string(each.descriptor) : "";
        offer.edits.push_back(shell::replace(each.span, descriptor + "<<" + name));
        offer.edits.push_back(
            {{*end, *end}, fmt::format("\n{}\n{}{}", *text, name, is_closed ? "\n" : "")});
      }
      offers.push_back(std::move(offer));
    }
  }
}

void offer_appends(const Script& script, Offers& offers) {
  if (!script.settings().translates()) return;
  for (const WordPlace& at : script.words()) {
    const shell::Assignment* each = at.assignment;
    if (each == nullptr || !each->is_append || each->subscript != nullptr) continue;
    if (each->value.has(shell::kWordHasArray) || at.place->is_in_backquotes) continue;
    Rewrite offer = rewrite("append", each->span, "x=${x}... instead of +=");
    const flow::Value* value = variable_before(script, *at.place, each->name);
    const bool is_text =
        value != nullptr && !value->is_integer && !value->is_array && !value->is_reference;
    const auto parts = each->value.parts();
    const bool has_tilde = !parts.empty() && parts[0].kind == PartKind::kTilde;
    need(offer, ObligationKind::kConstant, is_text && !has_tilde,
         is_text ? "the variable holds a text" : "the variable may be an array or a number");
    const flow::CommandFact* fact = script.fact(*at.place);
    const bool may_fail = fact == nullptr || fact->before.options.nounset != flow::Known::kNo;
    const bool may_be_unset = value == nullptr || value->may_be_unset || value->is_opaque;
    const Span op{each->name_span.end, each->name_span.end + 2};
    offer.edits.push_back(shell::replace(
        op, fmt::format("=${{{}{}}}", each->name, may_fail && may_be_unset ? "-" : "")));
    offers.push_back(std::move(offer));
  }
}

// ;& goes on with the next arm: its commands are repeated.
void offer_fall_through(const Script& script, Offers& offers) {
  if (!script.settings().translates() || script.settings().target == Target::kPosix2024) return;
  constexpr size_t kMaxCommands = 10;
  for (const Place& place : script.places()) {
    const auto* node = std::get_if<shell::Case>(&place.command->node);
    if (node == nullptr) continue;
    for (size_t i = 0; i + 1 < node->arms.size(); i++) {
      const shell::CaseArm& arm = node->arms[i];
      const shell::CaseArm& next = node->arms[i + 1];
      if (arm.end != shell::CaseEnd::kFallThrough || next.end == shell::CaseEnd::kFallThrough)
        continue;
      Rewrite offer = rewrite("fall-through", arm.span, "the commands of the next arm");
      const Span body = next.body.items.empty() ? Span{}
                                                : cover(next.body.items.front().command->span,
                                                        next.body.items.back().command->span);
      const bool is_small = next.body.items.size() <= kMaxCommands &&
                            next.end != shell::CaseEnd::kContinue &&
                            !has_here_document_between(script, body.begin, body.end);
      need(offer, ObligationKind::kConstant, is_small, "a few commands without here-documents");
      const size_t mark = script.file().bytes().rfind(";&", next.patterns[0].span.begin);
      if (mark == std::string_view::npos || mark < arm.span.begin) continue;
      const auto at = static_cast<uint32_t>(mark);
      const std::string text = script.text(body);
      const std::string before = arm.body.items.empty() || text.empty() ? "" : "; ";
      offer.edits.push_back(shell::replace({at, at + 2}, fmt::format("{}{} ;;", before, text)));
      offers.push_back(std::move(offer));
    }
  }
}

}  // namespace nacre::purify
