// Within words: backquotes, the quotes of bash, braces, and the operators of ${ }.
#include <algorithm>
#include <fmt/format.h>

#include "purify/offers.h"
#include "purify/quoting.h"
#include "purify/values.h"
#include "regular/decide.h"
#include "regular/parse_type.h"
#include "shell/edit.h"
#include "shell/visitor.h"

namespace nacre::purify {

using shell::Parameter;
using shell::ParameterOp;
using shell::Part;
using shell::PartKind;
using shell::Word;

namespace {

// A part of the script that may be edited: not in the text of a here-document, not in backquotes.
template <typename F>
void for_each_part(const Script& script, F f) {
  shell::walk(script.tree().program(), shell::Visitor{[&](const Part& part) {
                const WordPlace* at = script.word_of(part);
                if (at != nullptr && !at->place->is_in_backquotes) f(part, *at);
                return true;
              }});
}

bool is_in_here_document(const WordPlace& at) {
  return at.role == WordRole::kHereDocument || at.place->is_in_here_document;
}

// The text between backquotes, with one layer of backslashes taken off.
std::string inner_of_backquotes(std::string_view text, bool is_in_quotes) {
  std::string result;
  for (size_t i = 0; i < text.size(); i++) {
    const bool is_escape = text[i] == '\\' && i + 1 < text.size();
    const std::string_view special = is_in_quotes ? "`\\$\"" : "`\\$";
    if (is_escape && special.find(text[i + 1]) != std::string_view::npos) i++;
    result += text[i];
  }
  return result;
}

bool is_within_quotes(const Script& script, const Part& part, const WordPlace& at) {
  if (at.is_in_quotes) return true;
  const auto parts = at.word->parts();
  return std::none_of(parts.begin(), parts.end(),
                      [&](const Part& each) { return &each == &part; }) &&
         script.text(at.word->span).find('"') != std::string::npos;
}

}  // namespace

void offer_backquotes(const Script& script, Offers& offers) {
  for_each_part(script, [&](const Part& part, const WordPlace& at) {
    const bool is_backquoted = part.kind == PartKind::kCommand &&
                               part.command().form == shell::SubstitutionForm::kBackquote;
    if (!is_backquoted || is_in_here_document(at)) return;
    const std::string text = script.text({part.span.begin + 1, part.span.end - 1});
    std::string inner = inner_of_backquotes(text, is_within_quotes(script, part, at));
    if (inner.starts_with('(')) inner = " " + inner;
    const size_t line = inner.rfind('\n');
    const bool may_end_in_comment =
        inner.find('#', line == std::string::npos ? 0 : line) != std::string::npos;
    if (may_end_in_comment) inner += '\n';
    if (inner.ends_with('\\')) return;
    Rewrite offer = rewrite("substitution", part.span, "$( ) instead of backquotes");
    offer.edits.push_back(shell::replace(part.span, "$(" + inner + ")"));
    offers.push_back(std::move(offer));
  });
}

namespace {

bool has_control(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') || c == 0x7f;
  });
}

std::string octal(std::string_view text) {
  std::string result;
  for (char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_plain = byte >= 0x20 && byte < 0x7f && c != '\\' && c != '\'' && c != '%';
    result += is_plain ? std::string(1, c) : fmt::format("\\{:03o}", byte);
  }
  return result;
}

// The same text without $'...'.
std::string without_ansi(std::string_view text, bool is_alone) {
  if (!has_control(text)) return single_quoted(text);
  const std::string print = fmt::format("$(printf '{}')", octal(text));
  return is_alone && !text.ends_with('\n') ? '"' + print + '"' : '"' + print + '"';
}

}  // namespace

void offer_quote_forms(const Script& script, Offers& offers) {
  if (!script.settings().translates()) return;
  for_each_part(script, [&](const Part& part, const WordPlace& at) {
    if (is_in_here_document(at)) return;
    if (part.kind == PartKind::kLocaleQuoted) {
      Rewrite offer =
          rewrite("locale-quotes", part.span, "plain double quotes", RewriteClass::kRepair);
      offer.differs_when = "a translation of the text is installed";
      offer.edits.push_back(shell::replace({part.span.begin, part.span.begin + 1}, ""));
      offers.push_back(std::move(offer));
    }
    if (part.kind != PartKind::kAnsiQuoted || script.settings().target == Target::kPosix2024)
      return;
    const bool is_printable = !has_control(part.text()) || !part.text().ends_with('\n');
    Rewrite offer = rewrite("ansi-quotes", part.span, "the text itself instead of $'...'");
    need(offer, ObligationKind::kConstant, is_printable, "can be written");
    offer.edits.push_back(shell::replace(part.span, without_ansi(part.text(), true)));
    offers.push_back(std::move(offer));
  });
}

namespace {

constexpr size_t kMaxBraceWords = 64;

std::optional<std::vector<std::string>> brace_texts(const Script& script,
                                                    const shell::Brace& brace) {
  std::vector<std::string> result;
  if (brace.form == shell::BraceForm::kList) {
    for (const Word& each : brace.alternatives) result.push_back(script.text(each.span));
    return result;
  }
  const int64_t step = brace.first <= brace.last ? std::abs(brace.step) : -std::abs(brace.step);
  const auto is_past = [&](int64_t value) {
    return step > 0 ? value > brace.last : value < brace.last;
  };
  for (int64_t value = brace.first; !is_past(value); value += step) {
    if (result.size() == kMaxBraceWords) return std::nullopt;
    if (brace.form == shell::BraceForm::kCharacters) {
      result.push_back(shell_word(std::string(1, static_cast<char>(value))));
    } else {
      result.push_back(brace.width == 0 ? std::to_string(value)
                                        : fmt::format("{:0{}}", value, brace.width));
    }
  }
  return result;
}

// for i in {1..1000}: counts.
void offer_counting_loop(const Script& script, const WordPlace& at, const shell::Brace& brace,
                         Offers& offers) {
  const auto& loop = std::get<shell::For>(at.place->command->node);
  Rewrite offer =
      rewrite("count", at.place->command->span, "counts instead of listing the numbers");
  const std::string name(loop.name->text);
  const bool is_simple = loop.words().size() == 1 && at.word->parts().size() == 1 &&
                         brace.form == shell::BraceForm::kNumbers && brace.width == 0 &&
                         brace.first <= brace.last && at.place->is_statement() &&
                         !loop.body->items.empty();
  bool is_assigned = false;
  for (const WordPlace& each : script.words()) {
    is_assigned |= each.assignment != nullptr && each.assignment->name == name &&
                   at.place->command->span.contains(each.word->span);
  }
  need(offer, ObligationKind::kConstant, is_simple && !is_assigned, "one list of numbers");
  if (is_simple) {
    const uint32_t begin = at.place->command->span.begin;
    const uint32_t body = loop.body->items[0].command->span.begin;
    const std::string between = script.text({at.word->span.end, body});
    const int64_t step = std::abs(brace.step);
    offer.edits.push_back(
        {{begin, body},
         fmt::format("{0}={1}\n{2}while {0}=$(({0} + {3})); [ \"${0}\" -le {4} ]{5}", name,
                     brace.first - step, script.indentation_of(begin), step, brace.last, between)});
  }
  offers.push_back(std::move(offer));
}

}  // namespace

void offer_braces(const Script& script, Offers& offers) {
  if (!script.settings().translates()) return;
  for (const WordPlace& at : script.words()) {
    if (!at.word->has(shell::kWordHasBrace) || at.place->is_in_backquotes) continue;
    const auto parts = at.word->parts();
    const auto brace = std::find_if(parts.begin(), parts.end(),
                                    [](const Part& each) { return each.kind == PartKind::kBrace; });
    if (brace == parts.end()) continue;
    const auto texts = brace_texts(script, brace->brace());
    if (!texts && at.role == WordRole::kForList) {
      offer_counting_loop(script, at, brace->brace(), offers);
      continue;
    }
    Rewrite offer = rewrite("braces", at.word->span, "the words written out");
    const bool has_effect = std::any_of(parts.begin(), parts.end(), [](const Part& each) {
      return each.kind == PartKind::kCommand;
    });
    need(offer, ObligationKind::kConstant, texts.has_value(), "at most 64 words");
    need(offer, ObligationKind::kPure, !has_effect, "repeating an element has no effect");
    if (texts) {
      const std::string before = script.text({at.word->span.begin, brace->span.begin});
      const std::string after = script.text({brace->span.end, at.word->span.end});
      std::string words;
      for (const std::string& each : *texts) {
        std::string word = before + each + after;
        if (word.empty()) continue;  // {a,}: bash drops an empty word
        words += (words.empty() ? "" : " ") + word;
      }
      offer.edits.push_back(shell::replace(at.word->span, words));
    }
    offers.push_back(std::move(offer));
  }
}

namespace {

// A pattern of ${x/p/r} as a basic regular expression of sed, and a replacement of it.
std::optional<std::string> sed_pattern(const Word& word) {
  std::string result;
  const auto add = [&](const Part& part, const auto& self) -> bool {
    if (part.kind == PartKind::kDoubleQuoted)
      return std::all_of(part.parts().begin(), part.parts().end(),
                         [&](const Part& each) { return self(each, self); });
    if (part.kind == PartKind::kGlob) {
      if (part.text() == "*")
        result += ".*";
      else if (part.text() == "?")
        result += ".";
      else if (part.text().starts_with("[!"))
        result += "[^" + std::string(part.text().substr(2));
      else
        result += part.text();
      return true;
    }
    if (!part.is_text() || part.kind == PartKind::kTilde) return false;
    for (char c : part.text()) {
      if (c == '\n') return false;
      if (std::string_view("\\.*[]^$/").find(c) != std::string_view::npos) result += '\\';
      result += c;
    }
    return true;
  };
  for (const Part& part : word.parts()) {
    if (!add(part, add)) return std::nullopt;
  }
  return result;
}

std::optional<std::string> sed_replacement(const Word* word) {
  if (word == nullptr) return "";
  if (!word->is_literal()) return std::nullopt;
  std::string result;
  for (char c : word->literal()) {
    if (c == '\n') return std::nullopt;
    if (std::string_view("\\&/").find(c) != std::string_view::npos) result += '\\';
    result += c;
  }
  return result;
}

std::optional<std::string> replaced(const Parameter& node, const std::string& value) {
  const auto pattern = sed_pattern(*node.argument);
  const auto replacement = sed_replacement(node.replacement());
  if (!pattern || pattern->empty() || !replacement) return std::nullopt;
  std::string expression;
  switch (node.op) {
    case ParameterOp::kReplaceAll:
      expression = fmt::format("s/{}/{}/g", *pattern, *replacement);
      break;
    case ParameterOp::kReplaceFirst:
      expression = fmt::format("s/{}/{}/", *pattern, *replacement);
      break;
    case ParameterOp::kReplacePrefix:
      expression = fmt::format("s/^{}/{}/", *pattern, *replacement);
      break;
    default: expression = fmt::format("s/{}$/{}/", *pattern, *replacement);
  }
  return fmt::format("$(printf '%s\\n' {} | sed {})", value, single_quoted(expression));
}

// ${x:o:l} with constants.
std::optional<std::string> sliced(const Parameter& node) {
  const auto number = [](const shell::ArithmeticExpression* each) -> std::optional<int64_t> {
    if (each == nullptr) return std::nullopt;
    if (each->kind == shell::ArithmeticKind::kNumber) return each->value;
    const bool is_negative = each->kind == shell::ArithmeticKind::kUnary &&
                             each->op == shell::ArithmeticOp::kMinus &&
                             each->left->kind == shell::ArithmeticKind::kNumber;
    return is_negative ? std::optional(-each->left->value) : std::nullopt;
  };
  if (node.operands == nullptr || node.kind == shell::ParameterKind::kSpecial) return std::nullopt;
  // ${x::n} begins with the first character.
  const auto offset = node.argument == nullptr || node.argument->is_empty()
                          ? std::optional<int64_t>(0)
                          : number(node.operands->offset);
  const bool has_length = node.replacement() != nullptr;
  const auto length = number(node.operands->length);
  constexpr int64_t kMax = 200;
  if (!offset || std::abs(*offset) > kMax ||
      (has_length && (!length || *length < 0 || *length > kMax)))
    return std::nullopt;
  std::string pattern;
  if (*offset >= 0) {
    pattern = *offset == 0 ? "X" : fmt::format("X.\\{{{}\\}}", *offset);
    pattern += has_length ? fmt::format("\\(.\\{{0,{}\\}}\\)", *length) : "\\(.*\\)";
  } else {
    if (has_length && *length > -*offset) return std::nullopt;
    const int64_t rest = has_length ? -*offset - *length : 0;
    pattern = fmt::format("X.*\\(.\\{{{}\\}}\\)", has_length ? *length : -*offset);
    if (rest > 0) pattern += fmt::format(".\\{{{}\\}}", rest);
    pattern += "$";
  }
  return fmt::format("$(expr \"X${{{}}}\" : '{}' || :)", node.name, pattern);
}

std::optional<std::string> cased(const Parameter& node, const std::string& value) {
  if (node.argument != nullptr && !node.argument->is_empty()) return std::nullopt;
  switch (node.op) {
    case ParameterOp::kUpperAll:
      return fmt::format("$(printf '%s\\n' {} | tr '[:lower:]' '[:upper:]')", value);
    case ParameterOp::kLowerAll:
      return fmt::format("$(printf '%s\\n' {} | tr '[:upper:]' '[:lower:]')", value);
    case ParameterOp::kUpperFirst:
    case ParameterOp::kLowerFirst:
      return fmt::format(
          "$(printf '%s\\n' {} | awk '{{ print {}(substr($0, 1, 1)) substr($0, 2) }}')", value,
          node.op == ParameterOp::kUpperFirst ? "toupper" : "tolower");
    default: return std::nullopt;
  }
}

std::optional<std::string> indirect(const Script& script, const Part& part, const Place& place,
                                    std::string& why) {
  const Parameter& node = part.parameter();
  const flow::Value* value = variable_before(script, place, node.name);
  if (value != nullptr && value->text && !value->may_be_unset && is_identifier(*value->text) &&
      !value->may_be_foreign) {
    why = "the name is always the same";
    std::string text = script.text(part.span);
    const size_t at = text.find('!');
    return text.substr(0, at) + *value->text + text.substr(at + 1 + node.name.size());
  }
  if (value == nullptr || node.op != ParameterOp::kNone) return std::nullopt;
  auto& languages = script.facts().languages();
  auto names = regular::parse_type(languages, "[A-Za-z_][A-Za-z0-9_]*");
  if (!names || value->may_be_unset || !regular::included(value->strings, *names).yes())
    return std::nullopt;
  why = "the value is a name";
  return fmt::format("$(eval \"printf '%s\\\\n' \\\"\\${{${}-}}\\\"\")", node.name);
}

struct Translation {
  std::optional<std::string> text;
  std::string differs_when;
  std::string why = "the same value";
};

Translation translation_of(const Script& script, const Part& part, const WordPlace& at) {
  const Parameter& node = part.parameter();
  Translation result;
  const std::string value = fmt::format("\"${{{}}}\"", node.name);
  const bool is_scalar = node.subscript == nullptr && node.kind != shell::ParameterKind::kSpecial;
  if (node.is_indirect) {
    if (is_scalar) result.text = indirect(script, part, *at.place, result.why);
    return result;
  }
  switch (node.op) {
    case ParameterOp::kReplaceAll:
    case ParameterOp::kReplaceFirst:
    case ParameterOp::kReplacePrefix:
    case ParameterOp::kReplaceSuffix:
      if (is_scalar) result.text = replaced(node, value);
      result.differs_when = "the value has several lines";
      break;
    case ParameterOp::kSlice:
      if (is_scalar) result.text = sliced(node);
      result.differs_when = "the slice ends with a newline";
      break;
    default:
      if (is_scalar) result.text = cased(node, value);
      result.differs_when = "the value has several lines or letters beyond ASCII";
  }
  return result;
}

bool is_beyond_posix(const Parameter& node) {
  if (node.is_indirect) return true;
  return node.op >= ParameterOp::kSlice && node.op <= ParameterOp::kToggleAll;
}

// Variables of bash that have another source elsewhere.
struct Special {
  std::string_view name;
  std::string_view text;
  std::string_view differs_when;
};
constexpr Special kSpecials[] = {
    {"EUID", "$(id -u)", ""},
    {"UID", "$(id -ru)", ""},
    {"HOSTNAME", "$(uname -n)", ""},
    {"BASH_SOURCE", "$0", "the script is not sourced"},
};

void offer_special(const Script& script, const Part& part, const WordPlace& at, Offers& offers) {
  const Parameter& node = part.parameter();
  const auto* special = std::find_if(std::begin(kSpecials), std::end(kSpecials),
                                     [&](const Special& each) { return each.name == node.name; });
  if (special == std::end(kSpecials) || node.is_indirect) return;
  const bool is_first = node.subscript == nullptr || script.text(node.subscript->span) == "[0]";
  const bool is_assigned =
      std::any_of(script.words().begin(), script.words().end(), [&](const WordPlace& each) {
        return each.assignment != nullptr && each.assignment->name == node.name;
      });
  Rewrite offer = rewrite("bash-variable", part.span, std::string(special->text));
  if (!special->differs_when.empty()) {
    offer.kind = RewriteClass::kAssuming;
    offer.differs_when = special->differs_when;
  }
  std::string text(special->text);
  const bool is_name = text == "$0";
  const bool is_plain = node.op == ParameterOp::kNone;
  if (!is_plain && is_name) {
    const uint32_t end =
        node.subscript != nullptr ? node.subscript->span.end : node.name_span().end;
    text = "${0" + script.text({end, part.span.end});
  }
  need(offer, ObligationKind::kConstant, is_first && !is_assigned && (is_plain || is_name),
       "the script does not set it");
  const bool is_in_quotes = &at.word->parts()[0] != &part || at.word->parts().size() > 1;
  const bool is_split = at.role == WordRole::kArgument && !is_in_quotes;
  offer.edits.push_back(shell::replace(part.span, is_split && !is_name ? '"' + text + '"' : text));
  offers.push_back(std::move(offer));
}

}  // namespace

void offer_parameters(const Script& script, Offers& offers) {
  if (!script.settings().translates()) return;
  for_each_part(script, [&](const Part& part, const WordPlace& at) {
    if (part.kind != PartKind::kParameter) return;
    offer_special(script, part, at, offers);
    const Parameter& node = part.parameter();
    if (!is_beyond_posix(node)) return;
    Translation translation = translation_of(script, part, at);
    Rewrite offer =
        rewrite("parameter", part.span, translation.text.value_or(script.text(part.span)));
    if (!translation.differs_when.empty()) {
      offer.kind = RewriteClass::kRepair;
      offer.differs_when = translation.differs_when;
    }
    need(
        offer, ObligationKind::kTarget, translation.text.has_value(),
        translation.text ? translation.why : "no constant pattern, or an operator without a match");
    if (translation.text) offer.edits.push_back(shell::replace(part.span, *translation.text));
    offers.push_back(std::move(offer));
  });
}

}  // namespace nacre::purify
