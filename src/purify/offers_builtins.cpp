// Builtins and options of bash that have another spelling in POSIX.
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
using shell::Word;

namespace {

// A call with its options taken apart: letters, and where the operands begin.
struct Letters {
  std::string letters;
  size_t first = 1;
};

Letters letters_of(const Call& call) {
  Letters result;
  for (; result.first < call.words.size(); result.first++) {
    const Word& word = call.words[result.first];
    if (!word.is_plain() || word.literal().size() < 2 || word.literal()[0] != '-') break;
    if (word.literal() == "--") {
      result.first++;
      break;
    }
    result.letters += word.literal().substr(1);
  }
  return result;
}

// name=value with the value in quotes; a name as it is.
std::string declared(const Script& script, const Word& word) {
  return has_splittable(word) ? quoted(script, word) : script.text(word.span);
}

// name=value cut in two; nothing if it is no assignment of one text.
struct Declared {
  std::string name;
  std::optional<std::string> value;
};
std::optional<Declared> declaration_of(const Script& script, const Word& word) {
  const std::string text = declared(script, word);
  const size_t equals = text.find('=');
  const std::string name = text.substr(0, equals);
  if (!is_identifier(name) || word.has(shell::kWordHasArray)) return std::nullopt;
  if (equals == std::string::npos) return Declared{name, std::nullopt};
  return Declared{name, text.substr(equals + 1)};
}

std::optional<std::string> declaration_text(const Script& script, const Call& call,
                                            const Letters& options) {
  const bool is_local =
      call.place->function != nullptr && options.letters.find('g') == std::string::npos;
  std::string result;
  for (const Word& word : call.words.subspan(options.first)) {
    const auto each = declaration_of(script, word);
    if (!each) return std::nullopt;
    std::string text;
    const std::string whole = each->value ? each->name + "=" + *each->value : each->name;
    const bool is_exported = options.letters.find('x') != std::string::npos;
    const bool is_readonly = options.letters.find('r') != std::string::npos;
    if (is_local) {
      if (is_exported || is_readonly) return std::nullopt;
      text = "local " + whole;
    } else if (is_readonly && is_exported) {
      text = fmt::format("export {}; readonly {}", whole, each->name);
    } else if (is_readonly) {
      text = "readonly " + whole;
    } else if (is_exported) {
      text = "export " + whole;
    } else if (each->value) {
      text = whole;
    } else {
      text = ":";  // declare x: nothing that a script can tell
    }
    result += (result.empty() ? "" : "; ") + text;
  }
  return result.empty() ? std::nullopt : std::optional(result);
}

// declare -A m=(...) is cut in two, so that the array can be looked at by itself.
bool offer_array_declaration(const Script& script, const Call& call, const Letters& options,
                             Offers& offers) {
  if (call.words.size() != options.first + 1 || call.place->function != nullptr) return false;
  const Word& word = call.words[options.first];
  if (!word.has(shell::kWordHasArray) || !call.place->is_statement()) return false;
  if (options.letters != "a" && options.letters != "A") return false;
  const std::string text = script.text(word.span);
  const std::string name = text.substr(0, text.find('='));
  Rewrite offer = rewrite("declare-array", call.span(), "the array by itself");
  const std::string line = "\n" + script.indentation_of(call.span().begin);
  offer.edits.push_back(shell::replace(
      call.span(),
      options.letters == "A" ? fmt::format("declare -A {}{}{}", name, line, text) : text));
  offers.push_back(std::move(offer));
  return true;
}

void offer_declaration(const Script& script, const Call& call, Offers& offers) {
  if (!call.is("declare") && !call.is("typeset")) return;
  const Letters options = letters_of(call);
  if (offer_array_declaration(script, call, options, offers)) return;
  Rewrite offer = rewrite("declare", call.span(), "no declare");
  const bool is_plain = options.letters.find_first_not_of("rxg") == std::string::npos &&
                        call.place->command->redirections.empty() && call.place->is_statement();
  const auto text = is_plain ? declaration_text(script, call, options) : std::nullopt;
  need(offer, ObligationKind::kTarget, text.has_value(),
       text ? "the same variable" : "an attribute that POSIX lacks");
  if (text) offer.edits.push_back(shell::replace(call.span(), *text));
  offers.push_back(std::move(offer));
}

// Letters of `local` that change nothing of a text that is not assigned again.
void offer_local_letters(const Script& script, const Call& call, Offers& offers) {
  if (!call.is("local")) return;
  const Letters options = letters_of(call);
  if (options.letters.empty()) return;
  Rewrite offer = rewrite("local-options", call.span(), "local without options");
  const bool is_readonly = options.letters.find_first_not_of('r') == std::string::npos;
  need(offer, ObligationKind::kTarget, is_readonly, "only -r: an assignment would have failed");
  if (is_readonly) {
    const Span span{call.words[0].span.end, call.words[options.first].span.begin};
    offer.kind = RewriteClass::kRepair;
    offer.differs_when = "the function assigns the variable again";
    offer.edits.push_back(shell::replace(span, " "));
  }
  (void)script;
  offers.push_back(std::move(offer));
}

struct ReadOptions {
  std::optional<std::string> prompt;
  std::string letters;  // that stay
  std::string descriptor;
  size_t first = 1;
  bool is_known = true;
};

ReadOptions read_options(const Script& script, const Call& call) {
  ReadOptions result;
  for (; result.first < call.words.size(); result.first++) {
    const Word& word = call.words[result.first];
    if (!word.is_plain() || word.literal().size() < 2 || word.literal()[0] != '-') break;
    for (size_t i = 1; i < word.literal().size(); i++) {
      const char letter = word.literal()[i];
      if (letter == 'r') {
        result.letters = "r";
      } else if (letter == 'p' || letter == 'u') {
        const bool is_joined = i + 1 < word.literal().size();
        if (is_joined || result.first + 1 >= call.words.size()) {
          result.is_known = false;
          return result;
        }
        result.first++;
        const std::string text = declared(script, call.words[result.first]);
        if (letter == 'p')
          result.prompt = text;
        else
          result.descriptor = text;
        break;
      } else if (letter != 'e') {
        result.is_known = false;
      }
    }
  }
  return result;
}

void offer_read(const Script& script, const Call& call, Offers& offers) {
  if (!call.is("read")) return;
  const ReadOptions options = read_options(script, call);
  const bool has_names = options.first < call.words.size();
  if (options.is_known && has_names && !options.prompt && options.descriptor.empty() &&
      call.words.size() - options.first ==
          call.words.size() - 1 - (options.letters.empty() ? 0 : 1))
    return;
  Rewrite offer = rewrite("read", call.span(), "read with POSIX options", RewriteClass::kRepair);
  offer.differs_when = "standard input is no terminal: the prompt is printed, too";
  const bool is_place = call.place->is_statement() || !options.prompt;
  need(offer, ObligationKind::kTarget, options.is_known && is_place,
       options.is_known ? "the same input" : "an option that POSIX lacks");
  std::string text = options.letters.empty() ? "read" : "read -r";
  if (!has_names) text = "IFS= " + text + " REPLY";
  for (const Word& word : call.words.subspan(options.first)) text += " " + script.text(word.span);
  if (!options.descriptor.empty()) text += " <&" + options.descriptor;
  const Span words = cover(call.words.front().span, call.words.back().span);
  if (options.prompt) {
    const std::string print = fmt::format("printf '%s' {} >&2", *options.prompt);
    const bool is_condition = call.place->is_in_condition;
    const std::string end = is_condition ? "; " : "\n" + script.indentation_of(call.span().begin);
    offer.edits.push_back({{call.span().begin, call.span().begin}, print + end});
  }
  offer.edits.push_back(shell::replace(words, text));
  offers.push_back(std::move(offer));
}

void offer_printf(const Script& script, const Call& call, Offers& offers) {
  if (!call.is("printf") || call.words.size() < 4) return;
  if (!call.words[1].is_plain() || call.words[1].literal() != "-v") return;
  Rewrite offer = rewrite("printf-v", call.span(), "x=$(printf ...)");
  const bool has_name = call.words[2].is_literal() && is_identifier(call.words[2].literal());
  const auto format = constant_of(script, call.words[3]);
  const bool is_known = format && format->find("%q") == std::string::npos &&
                        format->find("%(") == std::string::npos &&
                        format->find("%b") == std::string::npos;
  need(offer, ObligationKind::kName, has_name, "the variable is written out");
  need(offer, ObligationKind::kTarget,
       is_known && call.place->command->redirections.empty() &&
           call.place->simple()->assignments.empty(),
       "a format that POSIX has");
  if (has_name && is_known) {
    const std::string name(call.words[2].literal());
    const std::string print =
        "printf " + script.text(cover(call.words[3].span, call.words.back().span));
    bool is_one_line = !format->ends_with("\\n") && !format->ends_with('\n');
    for (const Word& word : call.words.subspan(4)) {
      for (const Part& part : word.parts()) {
        const Part& inner = part.kind == PartKind::kDoubleQuoted && part.parts().size() == 1
                                ? part.parts()[0]
                                : part;
        if (inner.is_expansion()) is_one_line &= has_no_newline(script, inner);
      }
    }
    // $( ) would drop newlines at the end.
    offer.edits.push_back(shell::replace(
        call.span(), is_one_line ? fmt::format("{}=$({})", name, print)
                                 : fmt::format("{0}=$({1}; echo x); {0}=${{{0}%x}}", name, print)));
    if (!is_one_line)
      need(offer, ObligationKind::kStatus,
           call.place->is_statement() && script.fate(*call.place) == Fate::kDead,
           "its status is not used");
  }
  offers.push_back(std::move(offer));
}

void offer_type(const Script& script, const Call& call, Offers& offers) {
  if (!call.is("type") || call.words.size() != 3 || !call.words[1].is_plain()) return;
  const std::string_view option = call.words[1].literal();
  if (option != "-P" && option != "-p") return;
  Rewrite offer = rewrite("type", call.span(), "command -v");
  const auto name = constant_of(script, call.words[2]);
  const bool is_program =
      name && !script.has_function(*name) && shell::builtin_named(*name) == nullptr;
  if (!is_program) {
    offer.kind = RewriteClass::kRepair;
    offer.differs_when = "the name is that of a function or builtin";
  }
  offer.edits.push_back(
      shell::replace(cover(call.words[0].span, call.words[1].span), "command -v"));
  offers.push_back(std::move(offer));
}

void offer_source(const Script& script, const Call& call, Offers& offers) {
  if (!call.is("source") || call.words.size() < 2) return;
  Rewrite offer = rewrite("source", call.span(), ". instead of source");
  need(offer, ObligationKind::kTarget, call.words.size() == 2, "no arguments for the sourced file");
  const std::string path = script.text(call.words[1].span);
  const bool has_slash = path.find('/') != std::string::npos;
  const bool is_plain = call.words[1].is_literal();
  if (!has_slash && is_plain) {
    offer.kind = RewriteClass::kRepair;
    offer.differs_when = "a file of that name is in PATH";
    offer.edits.push_back({{call.words[1].span.begin, call.words[1].span.begin}, "./"});
  }
  need(offer, ObligationKind::kConstant, has_slash || is_plain,
       "the path is known to have a slash");
  // A file that is missing ends a shell unless `command` runs the builtin.
  const bool is_tested = script.fate(*call.place) == Fate::kTested;
  if (!is_tested && offer.kind == RewriteClass::kEqual) {
    offer.kind = RewriteClass::kRepair;
    offer.differs_when = "the file is missing: the script ends";
  }
  offer.edits.push_back(shell::replace(call.words[0].span, is_tested ? "command ." : "."));
  offers.push_back(std::move(offer));
}

// `builtin cd`, `trap ... SIGINT`, `exit -1`.
void offer_spellings(const Script& script, const Call& call, Offers& offers) {
  if (call.is("builtin") && call.words.size() > 1) {
    Rewrite offer = rewrite("builtin", call.words[0].span, "command instead of builtin");
    offer.edits.push_back(shell::replace(call.words[0].span, "command"));
    offers.push_back(std::move(offer));
  }
  if (call.is("trap")) {
    for (const Word& word : call.words.subspan(std::min<size_t>(2, call.words.size()))) {
      if (!word.is_plain() || !word.literal().starts_with("SIG")) continue;
      Rewrite offer = rewrite("signal", word.span, "the name without SIG");
      offer.edits.push_back(shell::replace({word.span.begin, word.span.begin + 3}, ""));
      offers.push_back(std::move(offer));
    }
  }
  if ((call.is("exit") || call.is("return")) && call.words.size() == 2 &&
      call.words[1].is_plain()) {
    const std::string_view text = call.words[1].literal();
    const bool is_negative = text.size() > 1 && text.size() < 5 && text[0] == '-' &&
                             text.find_first_not_of("0123456789", 1) == std::string_view::npos;
    if (!is_negative) return;
    Rewrite offer = rewrite("exit-status", call.words[1].span, "the same status");
    const int status = std::stoi(std::string(text)) & 255;
    offer.edits.push_back(shell::replace(call.words[1].span, std::to_string(status)));
    offers.push_back(std::move(offer));
  }
  (void)script;
}

}  // namespace

void offer_builtins(const Script& script, Offers& offers) {
  if (!script.settings().translates()) return;
  for (const Call& call : calls_of(script)) {
    offer_declaration(script, call, offers);
    offer_local_letters(script, call, offers);
    offer_read(script, call, offers);
    offer_printf(script, call, offers);
    offer_type(script, call, offers);
    offer_source(script, call, offers);
    offer_spellings(script, call, offers);
  }
}

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
      offer.edits.push_back(shell::replace(cover(call.words.front().span, call.words.back().span),
                                           fmt::format("printf {} {}", format, argument)));
    }
    offers.push_back(std::move(offer));
  }
}

namespace {

// Options of shopt that only matter to people at a prompt.
bool is_interactive(std::string_view name) {
  constexpr std::string_view kNames[] = {
      "checkwinsize", "histappend",          "cmdhist", "lithist", "progcomp",
      "hostcomplete", "interactive_comments"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

bool has_extended_patterns(const Script& script) {
  for (const WordPlace& at : script.words()) {
    for (const Part& part : at.word->parts()) {
      if (part.kind == PartKind::kExtGlob) return true;
    }
  }
  return false;
}

// A pipeline in which something but the last command can fail and be noticed.
bool needs_pipefail(const Script& script) {
  for (const Place& place : script.places()) {
    const auto* pipeline = std::get_if<shell::Pipeline>(&place.command->node);
    if (pipeline == nullptr || pipeline->items.size() < 2) continue;
    if (script.fate(place) == Fate::kDead) continue;
    for (size_t i = 0; i + 1 < pipeline->items.size(); i++) {
      const flow::CommandFact* fact = script.fact(script.place(*pipeline->items[i].command));
      if (fact == nullptr || fact->can_fail) return true;
    }
  }
  return false;
}

void offer_shopt(const Script& script, const Call& call, Offers& offers) {
  if (!call.is("shopt") || !call.place->is_statement()) return;
  bool is_needless = call.words.size() > 2;
  for (const Word& word : call.words.subspan(std::min<size_t>(2, call.words.size()))) {
    const bool is_extglob =
        word.is_literal() && word.literal() == "extglob" && !has_extended_patterns(script);
    is_needless &= is_extglob || (word.is_literal() && is_interactive(word.literal()));
  }
  Rewrite offer = rewrite("shopt", call.span(), "no shopt");
  need(offer, ObligationKind::kTarget, is_needless,
       is_needless ? "nothing depends on it" : "an option that POSIX lacks");
  const bool is_only = call.place->sequence->items.size() == 1;
  if (is_needless && is_only) {
    offer.edits.push_back(shell::replace(call.span(), ":"));
  } else if (is_needless) {
    for (Edit& edit : shell::remove(script.tree(), *call.place->item)) offer.edits.push_back(edit);
  }
  offers.push_back(std::move(offer));
}

// set -o pipefail, set -E: gone where nothing depends on them.
void offer_set(const Script& script, const Call& call, Offers& offers) {
  if (!call.is("set") || call.words.size() < 2) return;
  for (size_t i = 1; i < call.words.size(); i++) {
    if (!call.words[i].is_plain()) return;
    const std::string_view text = call.words[i].literal();
    if (text == "--" || text == "-") return;
    const bool is_named =
        text.ends_with('o') && (text[0] == '-' || text[0] == '+') && i + 1 < call.words.size();
    if (is_named && call.words[i + 1].is_plain() && call.words[i + 1].literal() == "pipefail") {
      if (script.settings().target == Target::kPosix2024 ||
          script.settings().target == Target::kBusybox)
        return;
      Rewrite offer = rewrite("pipefail", call.span(), "no pipefail");
      const bool is_needed = needs_pipefail(script);
      need(offer, ObligationKind::kStatus, !is_needed,
           is_needed ? "a command in a pipeline may fail and be noticed"
                     : "no pipeline depends on it");
      const std::string rest(text.substr(0, text.size() - 1));
      if (rest.size() > 1) {
        offer.edits.push_back(
            shell::replace(cover(call.words[i].span, call.words[i + 1].span), rest));
      } else if (call.words.size() == 3 && call.place->is_statement() &&
                 call.place->sequence->items.size() > 1) {
        for (Edit& edit : shell::remove(script.tree(), *call.place->item))
          offer.edits.push_back(edit);
      } else if (call.words.size() == 3) {
        offer.edits.push_back(shell::replace(call.span(), ":"));
      } else {
        offer.edits.push_back(shell::remove_from_command(
            script.tree(), cover(call.words[i].span, call.words[i + 1].span)));
      }
      offers.push_back(std::move(offer));
    }
    const size_t trace = text.find_first_of("ET", 1);
    if (text[0] == '-' && text.size() > 2 && trace != std::string_view::npos &&
        !script.mentions("ERR") && !script.mentions("DEBUG")) {
      Rewrite offer = rewrite("errtrace", call.words[i].span, "no -E");
      const auto at = call.words[i].span.begin + static_cast<uint32_t>(trace);
      offer.edits.push_back(shell::replace({at, at + 1}, ""));
      offers.push_back(std::move(offer));
    }
  }
}

}  // namespace

void offer_options(const Script& script, Offers& offers) {
  if (!script.settings().translates()) return;
  for (const Call& call : calls_of(script)) {
    offer_shopt(script, call, offers);
    offer_set(script, call, offers);
  }
}

}  // namespace nacre::purify
