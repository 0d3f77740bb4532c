// echo: what it prints depends on the shell where a backslash or a dash is in it.
#include <algorithm>
#include <fmt/format.h>

#include "purify/calls.h"
#include "purify/offers.h"
#include "purify/quoting.h"
#include "purify/values.h"
#include "shell/edit.h"

namespace nacre::purify {

using shell::Part;
using shell::PartKind;
using shell::Word;

namespace {

// The variable gets its value only from a time or a name that a rewrite asks for.
bool is_input(const Script& script, const Part& part) {
  if (part.kind != PartKind::kParameter) return false;
  const std::string_view name = part.parameter().name;
  if (script.settings().inputs.contains(name)) return true;
  bool is_set = false;
  for (const WordPlace& at : script.words()) {
    if (at.assignment == nullptr || at.assignment->name != name) continue;
    is_set = true;
    const auto parts = at.word->parts();
    const Part* inner = parts.size() == 1 ? &parts[0] : nullptr;
    if (inner != nullptr && inner->kind == PartKind::kDoubleQuoted && inner->parts().size() == 1)
      inner = &inner->parts()[0];
    const bool asks = inner != nullptr && inner->kind == PartKind::kParameter &&
                      script.settings().inputs.contains(inner->parameter().name);
    if (!asks) return false;
  }
  return is_set;
}

// What `echo` prints may be taken for an option or for an escape by another shell.
bool is_ambiguous(const Script& script, const Word& word, bool is_first) {
  if (word.is_literal()) {
    const std::string_view text = word.literal();
    return text.find('\\') != std::string_view::npos || (is_first && text.starts_with('-'));
  }
  const auto check = [&](const Part& part, const auto& self) -> bool {
    if (part.is_text()) return part.text().find('\\') != std::string_view::npos;
    if (part.kind == PartKind::kDoubleQuoted)
      return std::any_of(part.parts().begin(), part.parts().end(),
                         [&](const Part& each) { return self(each, self); });
    if (part.kind == PartKind::kArithmetic || is_input(script, part)) return false;
    return !is_of_type(script, part, "[^\\\\]*");
  };
  return std::any_of(word.parts().begin(), word.parts().end(),
                     [&](const Part& each) { return check(each, check); });
}

// \e and \xHH for a shell whose printf has only octal escapes; nothing where that is not known.
std::optional<std::string> octal_escapes(std::string_view text) {
  std::string result;
  for (size_t i = 0; i < text.size(); i++) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      result += text[i];
      continue;
    }
    const char next = text[++i];
    if (next == 'e' || next == 'E') {
      result += "\\0033";
    } else if (next == 'x' || next == 'u' || next == 'U') {
      return std::nullopt;
    } else {
      result += '\\';
      result += next;
    }
  }
  return result;
}

struct EchoOptions {
  bool has_newline = true, has_escapes = false;
  size_t first = 1;
};

EchoOptions echo_options(const Call& call) {
  EchoOptions result;
  for (; result.first < call.words.size(); result.first++) {
    const Word& word = call.words[result.first];
    if (!word.is_literal() || word.literal().size() < 2 || word.literal()[0] != '-') break;
    if (word.literal().find_first_not_of("neE", 1) != std::string_view::npos) break;
    for (char letter : word.literal().substr(1)) {
      if (letter == 'n') result.has_newline = false;
      if (letter == 'e') result.has_escapes = true;
      if (letter == 'E') result.has_escapes = false;
    }
  }
  return result;
}

// "$@" or $@ alone in a word.
bool is_argument_list(const Word& word) {
  const auto parts = word.parts();
  if (parts.size() != 1) return false;
  const bool has_quotes = parts[0].kind == PartKind::kDoubleQuoted && parts[0].parts().size() == 1;
  return is_all_arguments(has_quotes ? parts[0].parts()[0] : parts[0]);
}

// All operands as one text in double quotes; nothing if they are split or match files. Without
// arguments "$@" is no operand at all, so its blank goes with it.
std::optional<std::string> joined_operands(const Script& script, std::span<const Word> words) {
  std::string result;
  for (size_t i = 0; i < words.size(); i++) {
    const Word& word = words[i];
    std::optional<std::string> text;
    if (is_argument_list(word)) {
      if (script.mentions("IFS")) return std::nullopt;
      const bool is_only = words.size() == 1;
      const std::string_view form = is_only ? "$*" : i == 0 ? "${1+$* }" : "${1+ $*}";
      result += form;
      if (i == 0 && !is_only) {
        // The blank stands within the braces.
        const auto rest = joined_operands(script, words.subspan(1));
        return rest ? std::optional(result + *rest) : std::nullopt;
      }
      continue;
    }
    if (!has_splittable(word) && !word.has(shell::kWordMayGlob))
      text = double_quoted_text(script, word);
    if (!text) return std::nullopt;
    result += (i == 0 ? "" : " ") + *text;
  }
  return result;
}

}  // namespace

// echo of bash prints backslashes and dashes as they are; that of dash does not.
void offer_echo(const Script& script, Offers& offers) {
  if (!script.settings().translates()) return;
  for (const Call& call : calls_of(script)) {
    if (!call.is("echo")) continue;
    const EchoOptions options = echo_options(call);
    const auto operands = call.words.subspan(options.first);
    bool is_needed = options.first > 1;
    for (size_t i = 0; i < operands.size(); i++)
      is_needed |= is_ambiguous(script, operands[i], i == 0);
    if (!is_needed) continue;
    Rewrite offer = rewrite("echo", call.span(), "printf instead of echo");
    auto text =
        operands.empty() ? std::optional<std::string>("") : joined_operands(script, operands);
    if (text && options.has_escapes) text = octal_escapes(*text);
    need(offer, ObligationKind::kEcho, text.has_value(),
         text ? "the same text" : "the operands are split, or have escapes that printf lacks");
    if (text) {
      const std::string format =
          fmt::format("'%{}{}'", options.has_escapes ? 'b' : 's', options.has_newline ? "\\n" : "");
      std::string argument = '"' + *text + '"';
      if (operands.size() == 1 && operands[0].is_quoted() && operands[0].is_literal() &&
          !options.has_escapes)
        argument = script.text(operands[0].span);
      const Span words = cover(call.words.front().span, call.words.back().span);
      offer.edits.push_back(
          shell::replace(words, fmt::format("printf {} {}{}", format, argument,
                                            redirections_within(script, call, words))));
    }
    offers.push_back(std::move(offer));
  }
}

}  // namespace nacre::purify
