// [[ ]], and what bash's `[` has beyond POSIX: as `[`, `case` and lists of them.
#include <algorithm>
#include <fmt/format.h>

#include "purify/calls.h"
#include "purify/offers.h"
#include "purify/patterns.h"
#include "purify/quoting.h"
#include "purify/values.h"
#include "shell/edit.h"

namespace nacre::purify {

using shell::ConditionalExpression;
using shell::ConditionalKind;
using shell::ConditionalOp;
using shell::Part;
using shell::PartKind;
using shell::Word;

namespace {

// A condition as commands of the target.
struct Condition {
  enum Form : uint8_t { kTest, kCase, kCommand, kAnd, kOr };
  Form form = kTest;
  std::string text;           // kTest: what stands between the brackets; kCase: the subject
  std::string patterns = {};  // kCase
  bool is_negated = false;

  [[nodiscard]] bool is_list() const { return form == kAnd || form == kOr; }
  [[nodiscard]] std::string command() const;
};

std::string Condition::command() const {
  switch (form) {
    case kTest: return fmt::format("[ {}{} ]", is_negated ? "! " : "", text);
    case kCase:
      return is_negated ? fmt::format("case {} in {}) false ;; *) ;; esac", text, patterns)
                        : fmt::format("case {} in {}) ;; *) false ;; esac", text, patterns);
    case kCommand: return (is_negated ? "! " : "") + text;
    case kAnd:
    case kOr: break;
  }
  return is_negated ? fmt::format("! {{ {}; }}", text) : text;
}

// As one argument of `[`: not split, no wildcards; a tilde is still expanded.
std::optional<std::string> operand(const Script& script, const Word& word) {
  const auto parts = word.parts();
  if (word.is_plain() && !word.has(shell::kWordMayGlob) && !word.is_empty())
    return script.text(word.span);
  if (parts.empty()) return "''";
  if (parts.size() == 1 && parts[0].is_quoted() && parts[0].kind != PartKind::kAnsiQuoted)
    return script.text(word.span);
  if (auto text = double_quoted_text(script, word)) return '"' + *text + '"';
  if (parts[0].kind == PartKind::kTilde) return quoted(script, word);
  if (word.has(shell::kWordHasExpansion)) return std::nullopt;
  return shell_word(script.text(word.span));  // wildcards that mean nothing in [[ ]]
}

// The right side of == holds something that is matched as a pattern.
bool is_pattern(const Script& script, const Word& word) {
  for (const Part& part : word.parts()) {
    if (part.kind == PartKind::kGlob || part.kind == PartKind::kExtGlob) return true;
    if (part.is_expansion() && !is_of_type(script, part, "[^*?\\[\\\\]*")) return true;
  }
  return false;
}

std::optional<std::string> subject(const Script& script, const Word& word) {
  const auto text = double_quoted_text(script, word);
  if (!text) return std::nullopt;
  return word.is_plain() ? script.text(word.span) : '"' + *text + '"';
}

class Translator {
 public:
  Translator(const Script& script, Rewrite& offer) : script_(script), offer_(offer) {}

  std::optional<Condition> of(const ConditionalExpression& node) {
    switch (node.kind) {
      case ConditionalKind::kWord: return test("-n", node.left);
      case ConditionalKind::kUnary: return unary(node);
      case ConditionalKind::kBinary: return binary(node);
      case ConditionalKind::kGroup: return of(*node.first);
      case ConditionalKind::kNot: {
        auto inner = of(*node.first);
        if (inner) inner->is_negated = !inner->is_negated;
        return inner;
      }
      case ConditionalKind::kAnd: return list(node, Condition::kAnd, " && ");
      case ConditionalKind::kOr: return list(node, Condition::kOr, " || ");
    }
    return std::nullopt;
  }

 private:
  std::optional<Condition> test(std::string_view op, const Word& word) {
    const auto text = operand(script_, word);
    if (!text) return std::nullopt;
    return Condition{Condition::kTest, fmt::format("{} {}", op, *text)};
  }

  std::optional<Condition> unary(const ConditionalExpression& node) {
    if (node.letter == 'v') {
      const auto name = constant_of(script_, node.left);
      if (!name || !is_identifier(*name)) return std::nullopt;
      return Condition{Condition::kTest, fmt::format("-n \"${{{}+x}}\"", *name)};
    }
    const char letter = node.letter == 'a' ? 'e' : node.letter;
    if (std::string_view("bcdefghknprstuwxzLSOG").find(letter) == std::string_view::npos)
      return std::nullopt;
    return test(std::string("-") + letter, node.left);
  }

  std::optional<Condition> list(const ConditionalExpression& node, Condition::Form form,
                                std::string_view op) {
    const auto first = of(*node.first);
    const auto second = of(*node.second);
    if (!first || !second) return std::nullopt;
    const auto text = [&](const Condition& each) {
      const bool is_bare = !each.is_list() || (each.form == form && !each.is_negated);
      return is_bare || each.is_negated ? each.command() : fmt::format("{{ {}; }}", each.command());
    };
    return Condition{form, text(*first) + std::string(op) + text(*second)};
  }

  std::optional<Condition> binary(const ConditionalExpression& node) {
    switch (node.op) {
      case ConditionalOp::kEqual: return equal(node, false);
      case ConditionalOp::kNotEqual: return equal(node, true);
      case ConditionalOp::kMatch: return match(node);
      case ConditionalOp::kLess: return order(node, "<");
      case ConditionalOp::kGreater: return order(node, ">");
      case ConditionalOp::kNumberEqual: return number(node, "-eq");
      case ConditionalOp::kNumberNotEqual: return number(node, "-ne");
      case ConditionalOp::kNumberLess: return number(node, "-lt");
      case ConditionalOp::kNumberLessEqual: return number(node, "-le");
      case ConditionalOp::kNumberGreater: return number(node, "-gt");
      case ConditionalOp::kNumberGreaterEqual: return number(node, "-ge");
      case ConditionalOp::kNewer: return files(node, "-nt");
      case ConditionalOp::kOlder: return files(node, "-ot");
      case ConditionalOp::kSameFile: return files(node, "-ef");
      case ConditionalOp::kNone: break;
    }
    return std::nullopt;
  }

  std::optional<Condition> equal(const ConditionalExpression& node, bool is_negated) {
    if (is_pattern(script_, node.right)) {
      const auto left = subject(script_, node.left);
      const auto patterns = plain_patterns(script_, node.right);
      if (!left || !patterns) return std::nullopt;
      return Condition{Condition::kCase, *left, patterns->text(),
                       is_negated != patterns->is_negated};
    }
    const auto left = operand(script_, node.left), right = operand(script_, node.right);
    if (!left || !right) return std::nullopt;
    return Condition{Condition::kTest,
                     fmt::format("{} {} {}", *left, is_negated ? "!=" : "=", *right)};
  }

  std::optional<Condition> match(const ConditionalExpression& node) {
    const auto left = subject(script_, node.left);
    if (!left || script_.mentions("BASH_REMATCH")) return std::nullopt;
    const auto regex = regex_text(script_, node.right);
    if (regex) {
      if (const auto list = patterns_of_regex(*regex))
        return Condition{Condition::kCase, *left, list->text(), list->is_negated};
    }
    std::string pattern;
    if (regex) {
      pattern = single_quoted(*regex);
    } else if (const auto text = double_quoted_text(script_, node.right);
               text && !node.right.is_quoted()) {
      pattern = '"' + *text + '"';
    } else {
      return std::nullopt;
    }
    differ("the value or the regular expression has several lines");
    return Condition{Condition::kCommand,
                     fmt::format("printf '%s\\n' {} | grep -Eq -e {}", *left, pattern)};
  }

  std::optional<Condition> order(const ConditionalExpression& node, std::string_view op) {
    const auto left = double_quoted_text(script_, node.left);
    const auto right = double_quoted_text(script_, node.right);
    if (!left || !right) return std::nullopt;
    return Condition{Condition::kCommand,
                     fmt::format("expr \"x{}\" '{}' \"x{}\" >/dev/null", *left, op, *right)};
  }

  // The operands of -eq are expressions in [[ ]] and numbers in [.
  std::optional<Condition> number(const ConditionalExpression& node, std::string_view op) {
    const auto left = number_operand(node.left), right = number_operand(node.right);
    if (!left || !right) return std::nullopt;
    return Condition{Condition::kTest, fmt::format("{} {} {}", *left, op, *right)};
  }
  std::optional<std::string> number_operand(const Word& word) {
    const auto parts = word.parts();
    if (word.is_literal()) {
      const std::string_view text = word.literal();
      if (is_identifier(text)) return fmt::format("\"$(({}))\"", text);
      const bool is_number =
          !text.empty() &&
          text.find_first_not_of("0123456789", text[0] == '-') == std::string_view::npos;
      return is_number ? std::optional(script_.text(word.span)) : std::nullopt;
    }
    const Part* part = parts.size() == 1 ? &parts[0] : nullptr;
    if (part != nullptr && part->kind == PartKind::kDoubleQuoted && part->parts().size() == 1)
      part = &part->parts()[0];
    if (part == nullptr) return std::nullopt;
    if (part->kind == PartKind::kArithmetic) return '"' + script_.text(part->span) + '"';
    if (is_of_type(script_, *part, "-?(0|[1-9][0-9]*)"))
      return '"' + script_.text(part->span) + '"';
    differ("an operand of a comparison is an expression or no number");
    const bool is_plain = part->kind == PartKind::kParameter &&
                          part->parameter().op == shell::ParameterOp::kNone &&
                          part->parameter().kind != shell::ParameterKind::kSpecial &&
                          part->parameter().subscript == nullptr && !part->parameter().is_indirect;
    if (is_plain) {
      const flow::ExpansionFact* fact = expansion_of(script_, *part);
      const bool may_vanish = fact == nullptr || regular::is_nullable(fact->strings);
      return may_vanish ? fmt::format("\"${{{}:-0}}\"", part->parameter().name)
                        : '"' + script_.text(part->span) + '"';
    }
    return '"' + script_.text(part->span) + '"';
  }

  // POSIX has them since 2024; dash and busybox always had.
  std::optional<Condition> files(const ConditionalExpression& node, std::string_view op) {
    const auto left = operand(script_, node.left), right = operand(script_, node.right);
    if (!left || !right) return std::nullopt;
    if (script_.settings().target == Target::kPosix2017 && op != "-ef") {
      const std::string_view a = op == "-nt" ? *left : *right, b = op == "-nt" ? *right : *left;
      differ("the older of two compared files is missing");
      return Condition{Condition::kTest,
                       fmt::format("-n \"$(find {} -prune -newer {} 2>/dev/null)\"", a, b)};
    }
    if (script_.settings().target == Target::kPosix2017) return std::nullopt;
    return Condition{Condition::kTest, fmt::format("{} {} {}", *left, op, *right)};
  }

  void differ(std::string_view when) {
    offer_.kind = RewriteClass::kRepair;
    offer_.differs_when = when;
  }

  const Script& script_;
  Rewrite& offer_;
};

// Puts the condition where one command stood: a list within a list needs braces, and a list that
// `set -e` looks at must fail as one command does.
std::optional<std::string> placed(const Script& script, const Place& place,
                                  const Condition& condition) {
  const std::string text = condition.command();
  const bool is_single = !condition.is_list() || condition.is_negated;
  const bool ignores_failure = condition.is_list() || (condition.is_negated && text[0] == '!');
  const bool is_last = place.is_statement();
  if (ignores_failure && is_last && !place.is_in_condition && script.may_exit_on_error(place))
    return fmt::format("if {}; then :; else false; fi", text);
  if (place.is_statement()) return text;
  const auto* list =
      place.parent == nullptr ? nullptr : std::get_if<shell::AndOr>(&place.parent->node);
  if (list != nullptr) {
    const bool is_end = list->items.back().command == place.command;
    if (ignores_failure && is_end && script.may_exit_on_error(place) && !place.is_in_condition &&
        script.fate(place) != Fate::kDead)
      return std::nullopt;
    const bool are_all_and =
        std::all_of(list->items.begin(), list->items.end(),
                    [](const auto& each) { return each.op != shell::AndOrOp::kOr; });
    if (is_single || (condition.form == Condition::kAnd && are_all_and)) return text;
  } else if (is_single && condition.form != Condition::kCommand) {
    return text;
  }
  return fmt::format("{{ {}; }}", text);
}

}  // namespace

void offer_conditionals(const Script& script, Offers& offers) {
  if (!script.settings().translates()) return;
  for (const Place& place : script.places()) {
    const auto* node = std::get_if<shell::Conditional>(&place.command->node);
    if (node == nullptr || place.is_in_backquotes || place.is_in_here_document) continue;
    Rewrite offer = rewrite("conditional", place.command->span, "[ ] instead of [[ ]]");
    const flow::CommandFact* fact = script.fact(place);
    const bool folds = fact != nullptr && fact->before.options.nocasematch != flow::Known::kNo;
    auto condition = Translator(script, offer).of(*node->expression);
    const auto text = condition ? placed(script, place, *condition) : std::nullopt;
    need(offer, ObligationKind::kSameLanguage, text && !folds,
         text ? "the same condition" : "no `[` or `case` says the same");
    if (text) {
      // Redirections stay where they are, after the command.
      Span span = place.command->span;
      const size_t close = script.file().bytes().find("]]", node->expression->span.end);
      if (close == std::string_view::npos || close + 2 > span.end) continue;
      span.end = static_cast<uint32_t>(close + 2);
      const bool needs_group = !place.command->redirections.empty() && (*text)[0] != '[';
      offer.edits.push_back(
          shell::replace(span, needs_group ? fmt::format("{{ {}; }}", *text) : *text));
    }
    offers.push_back(std::move(offer));
  }
}

namespace {

struct Piece {
  std::vector<const Word*> words;
  char joined_by = 0;  // 'a', 'o'; 0: the first
};

bool is_word(const Word& word, std::string_view text) {
  return word.is_plain() && word.literal() == text;
}

// The words of `[` cut at -a and -o; nothing if the pieces are no tests.
std::optional<std::vector<Piece>> pieces_of(std::span<const Word> words) {
  std::vector<Piece> result(1);
  for (const Word& word : words) {
    if (word.is_literal() && (word.literal() == "(" || word.literal() == ")")) return std::nullopt;
    const bool is_joint = is_word(word, "-a") || is_word(word, "-o");
    // `[ -a file ]` and `[ -o option ]` are tests themselves.
    if (is_joint && !result.back().words.empty()) {
      result.push_back({{}, word.literal()[1]});
    } else {
      result.back().words.push_back(&word);
    }
  }
  for (const Piece& each : result) {
    const size_t count = each.words.size();
    const bool is_negated = count > 0 && is_word(*each.words[0], "!");
    if (count == 0 || count - (is_negated ? 1U : 0U) > 3) return std::nullopt;
  }
  return result;
}

bool has_effect(const Word& word) {
  bool result = false;
  for (const Part& part : word.parts()) {
    result |= part.kind == PartKind::kCommand;
    if (part.kind == PartKind::kDoubleQuoted) {
      result |= std::any_of(part.parts().begin(), part.parts().end(),
                            [](const Part& each) { return each.kind == PartKind::kCommand; });
    }
  }
  return result;
}

std::string test_of(const Script& script, const Piece& piece) {
  std::string result = "[";
  for (const Word* word : piece.words)
    result += " " + (has_splittable(*word) ? quoted(script, *word) : script.text(word->span));
  return result + " ]";
}

// With more than four words, `[` may take a value for an operator: -x, !, (.
bool may_be_operator(const Script& script, const Word& word) {
  if (word.is_literal() || word.parts().empty()) return false;
  const Part* first = &word.parts()[0];
  if (first->kind == PartKind::kDoubleQuoted) {
    if (first->parts().empty()) return false;
    first = &first->parts()[0];
  }
  if (first->is_text())
    return first->text().empty() ||
           std::string_view("-!()=<>").find(first->text()[0]) != std::string_view::npos;
  return first->kind != PartKind::kArithmetic &&
         !is_of_type(script, *first, "([A-Za-z0-9_/.:+][^\\n]*)?");
}

void offer_joined_tests(const Script& script, const Call& call, std::span<const Word> words,
                        Offers& offers) {
  const auto pieces = pieces_of(words);
  if (!pieces || pieces->size() < 2) return;
  Rewrite offer = rewrite("test-and-or", call.span(), "lists instead of -a and -o");
  if (std::any_of(words.begin(), words.end(),
                  [&](const Word& each) { return may_be_operator(script, each); })) {
    offer.kind = RewriteClass::kRepair;
    offer.differs_when = "a value looks like an operator: -x, !, (";
  }
  Condition whole{Condition::kAnd, "", "", false};
  bool is_pure = true;
  std::string group;  // joined by && so far
  std::vector<std::string> groups;
  size_t joined = 0;
  const auto end_group = [&] {
    const bool is_only = std::none_of(pieces->begin(), pieces->end(),
                                      [](const Piece& each) { return each.joined_by == 'o'; });
    groups.push_back(joined > 1 && !is_only ? "{ " + group + "; }" : group);
    group.clear();
    joined = 0;
  };
  for (const Piece& piece : *pieces) {
    if (piece.joined_by == 'o') end_group();
    if (piece.joined_by != 0) {
      is_pure &= std::none_of(piece.words.begin(), piece.words.end(),
                              [](const Word* each) { return has_effect(*each); });
    }
    group += (joined++ == 0 ? "" : " && ") + test_of(script, piece);
  }
  end_group();
  whole.form = groups.size() > 1 ? Condition::kOr : Condition::kAnd;
  for (const std::string& each : groups) whole.text += (whole.text.empty() ? "" : " || ") + each;
  const auto text = placed(script, *call.place, whole);
  need(offer, ObligationKind::kPure, is_pure, "the operands have no effects");
  need(offer, ObligationKind::kErrexit,
       text.has_value() && call.place->command->redirections.empty(), "stands where a list can");
  if (text) offer.edits.push_back(shell::replace(call.span(), *text));
  offers.push_back(std::move(offer));
}

}  // namespace

void offer_test_operators(const Script& script, Offers& offers) {
  if (!script.settings().wants(kPosix)) return;
  for (const Call& call : calls_of(script)) {
    const bool is_bracket = call.is("[");
    if (!is_bracket && !call.is("test")) continue;
    if (call.words.size() < (is_bracket ? 3U : 2U)) continue;
    const auto words = call.words.subspan(1, call.words.size() - (is_bracket ? 2 : 1));
    for (const Word& word : words) {
      if (!is_word(word, "==")) continue;
      Rewrite offer = rewrite("test-equal", word.span, "= instead of ==");
      offer.edits.push_back(shell::replace(word.span, "="));
      offers.push_back(std::move(offer));
    }
    if (words.size() == 2 && is_word(words[0], "-v") && words[1].is_literal() &&
        is_identifier(words[1].literal())) {
      Rewrite offer = rewrite("test-set", call.span(), "${x+x} instead of -v");
      offer.edits.push_back(shell::replace(words[0].span, "-n"));
      offer.edits.push_back(
          shell::replace(words[1].span, fmt::format("\"${{{}+x}}\"", words[1].literal())));
      offers.push_back(std::move(offer));
    }
    if (words.size() > 4 || (words.size() > 3 && !is_word(words[0], "!")))
      offer_joined_tests(script, call, words, offers);
  }
}

// Extended patterns in the arms of a `case`.
void offer_patterns(const Script& script, Offers& offers) {
  if (!script.settings().translates()) return;
  for (const WordPlace& at : script.words()) {
    if (at.role != WordRole::kPattern || at.place == nullptr) continue;
    if (!std::holds_alternative<shell::Case>(at.place->command->node)) continue;
    const auto parts = at.word->parts();
    const bool is_extended = std::any_of(parts.begin(), parts.end(), [&](const Part& part) {
      return part.kind == PartKind::kExtGlob ||
             (part.kind == PartKind::kGlob && script.text(part.span).starts_with("[^"));
    });
    if (!is_extended) continue;
    const auto patterns = plain_patterns(script, *at.word);
    const bool is_plain = patterns && !patterns->is_negated;
    Rewrite offer = rewrite("extglob", at.word->span, "plain patterns");
    need(offer, ObligationKind::kSameLanguage, is_plain,
         is_plain ? "the alternatives are written out" : "no list of plain patterns says the same");
    if (is_plain) offer.edits.push_back(shell::replace(at.word->span, patterns->text()));
    offers.push_back(std::move(offer));
  }
}

}  // namespace nacre::purify
