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

// name=value cut in two; nothing if it is not an assignment of one text.
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

// A number that evaluation leaves as it is: 010 would become 8.
bool is_integer_text(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  return text == "0" || (!text.empty() && text[0] != '0' && text.size() < 18 &&
                         text.find_first_not_of("0123456789") == std::string_view::npos);
}

// The word is a number after `begin`: "n=" in a declaration, nothing in an assignment.
bool is_integer_value(const Script& script, const Word& word, std::string_view begin) {
  if (const auto text = constant_of(script, word))
    return text->starts_with(begin) &&
           is_integer_text(std::string_view(*text).substr(begin.size()));
  const Part* value = nullptr;
  bool has_begin = begin.empty();
  const auto add = [&](const Part& part, const auto& self) -> bool {
    if (part.kind == PartKind::kDoubleQuoted)
      return std::all_of(part.parts().begin(), part.parts().end(),
                         [&](const Part& each) { return self(each, self); });
    if (part.is_text()) return !std::exchange(has_begin, true) && part.text() == begin;
    return has_begin && part.is_expansion() && std::exchange(value, &part) == nullptr;
  };
  for (const Part& part : word.parts()) {
    if (!add(part, add)) return false;
  }
  if (value == nullptr) return false;
  return value->kind == PartKind::kArithmetic || is_of_type(script, *value, "0|-?[1-9][0-9]*");
}

// Nothing gives the variable another text than that of a number, so that -i changes nothing.
bool holds_integers(const Script& script, const std::vector<Call>& calls, std::string_view name) {
  for (const WordPlace& at : script.words()) {
    if (at.assignment != nullptr && at.assignment->name == name &&
        (at.assignment->is_append || !is_integer_value(script, *at.word, "")))
      return false;
  }
  for (const Place& place : script.places()) {
    const auto* loop = std::get_if<shell::For>(&place.command->node);
    if (loop != nullptr && loop->name->text == name) return false;
  }
  const std::string begin = fmt::format("{}=", name);
  return std::all_of(calls.begin(), calls.end(), [&](const Call& call) {
    const shell::BuiltinInfo* info = shell::builtin_named(call.name);
    const bool declares = info != nullptr && info->is(shell::kAssigns);
    const bool reads = call.is("read") || call.is("mapfile") || call.is("readarray") ||
                       call.is("getopts") || call.is("printf") || call.is("eval");
    return std::all_of(call.words.begin() + 1, call.words.end(), [&](const Word& word) {
      if (reads) return !word.is_literal() || word.literal() != name;
      if (!declares || !script.text(word.span).starts_with(begin)) return true;
      return is_integer_value(script, word, begin);
    });
  });
}

bool hold_integers(const Script& script, const Call& call, const Letters& options) {
  const auto calls = calls_of(script);
  const auto operands = call.words.subspan(options.first);
  return !operands.empty() && std::all_of(operands.begin(), operands.end(), [&](const Word& word) {
    const std::string text = script.text(word.span);
    const std::string name = text.substr(0, text.find('='));
    return is_identifier(name) && holds_integers(script, calls, name);
  });
}

void offer_declaration(const Script& script, const Call& call, Offers& offers) {
  if (!call.is("declare") && !call.is("typeset")) return;
  const Letters options = letters_of(call);
  if (offer_array_declaration(script, call, options, offers)) return;
  Rewrite offer = rewrite("declare", call.span(), "no declare");
  const bool is_integer = options.letters.find('i') != std::string::npos;
  if (is_integer && script.has_unknown_code()) {
    offer.kind = RewriteClass::kRepair;
    offer.differs_when = "code that is not part of the script gives it a text that is no number";
  }
  const bool is_plain =
      options.letters.find_first_not_of(is_integer ? "rxgi" : "rxg") == std::string::npos &&
      (!is_integer || hold_integers(script, call, options)) &&
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
  const bool is_integer = options.letters.find('i') != std::string::npos;
  const bool is_readonly = options.letters.find_first_not_of("ri") == std::string::npos &&
                           (!is_integer || hold_integers(script, call, options)) &&
                           options.first < call.words.size();
  need(offer, ObligationKind::kTarget, is_readonly,
       is_integer ? "it only gets numbers" : "only -r: an assignment would have failed");
  if (is_readonly) {
    const Span span{call.words[0].span.end, call.words[options.first].span.begin};
    offer.kind = RewriteClass::kRepair;
    offer.differs_when = is_integer ? "other code gives it a text that is no number"
                                    : "the function assigns the variable again";
    offer.edits.push_back(shell::replace(span, " "));
  }
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
  // Within a list, the two become a group.
  const auto& redirections = call.place->command->redirections;
  const bool is_place =
      call.place->is_statement() || !options.prompt ||
      std::none_of(redirections.begin(), redirections.end(),
                   [](const auto& each) { return each.here_document != nullptr; });
  need(offer, ObligationKind::kTarget, options.is_known && is_place,
       options.is_known ? "the same input" : "an option that POSIX lacks");
  std::string text = options.letters.empty() ? "read" : "read -r";
  if (!has_names) text = "IFS= " + text + " REPLY";
  for (const Word& word : call.words.subspan(options.first)) text += " " + script.text(word.span);
  if (!options.descriptor.empty()) text += " <&" + options.descriptor;
  const Span words = cover(call.words.front().span, call.words.back().span);
  text += redirections_within(script, call, words);
  if (options.prompt) {
    const std::string print = fmt::format("printf '%s' {} >&2", *options.prompt);
    const bool is_condition = call.place->is_in_condition;
    const bool is_statement = call.place->is_statement();
    const std::string end =
        is_condition || !is_statement ? "; " : "\n" + script.indentation_of(call.span().begin);
    offer.edits.push_back(
        shell::insert_before(call.span(), (is_statement ? "" : "{ ") + print + end));
    if (!is_statement) offer.edits.push_back(shell::insert_after(call.span(), "; }"));
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
  const bool is_value = call.words[1].parts().size() == 1 && !is_plain;
  if (!has_slash && is_value) {
    offer.kind = RewriteClass::kRepair;
    offer.differs_when =
        "the path has no slash or its file is missing: sh looks in PATH only, and ends";
  }
  need(offer, ObligationKind::kConstant, has_slash || is_plain || is_value,
       "the path may have a slash");
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

}  // namespace nacre::purify
