// Words: each part wants to be cut at blanks, or not to be, or does not care; a word whose parts
// disagree has no meaning in CoLiS.
#include <algorithm>
#include <fmt/format.h>

#include "colis/translator.h"

namespace nacre::colis {

using shell::ParameterOp;
using shell::Part;
using shell::PartKind;
using shell::Word;

ListExpression Translator::list(std::span<const Word> words) {
  ListExpression result;
  for (const Word& word : words) add_to_list(word, result);
  return result;
}

bool Translator::is_all_arguments(const Word& word) const {
  const std::string_view text = tree_->text(word.span);
  return text == "\"$@\"" || text == "\"${@}\"" || text == "${1+\"$@\"}";
}

// Those of the script are known; those of a function if its copy is for a number of arguments.
std::optional<std::vector<StringExpression>> Translator::all_arguments(Span span) {
  std::vector<StringExpression> result;
  if (in_function_ && options_.is_original) {
    refuse_feature(span, "\"$@\" inside function body");
    return std::nullopt;
  }
  if (in_function_) wanted_count_ = true;
  if (shifts_ && !options_.is_original) {
    refuse_feature(span, "\"$@\" beside shift");
    return std::nullopt;
  }
  if (!in_function_) {
    for (const std::string& one : options_.arguments) result.push_back(literal(one));
  } else {
    for (size_t i = 1; i <= known_count_.value_or(0); ++i) result.push_back(argument(i));
  }
  return result;
}

void Translator::add_to_list(const Word& word, ListExpression& result) {
  const std::string_view text = tree_->text(word.span);
  const bool is_unquoted_all = !options_.is_original && (text == "$@" || text == "$*");
  if (is_all_arguments(word) || is_unquoted_all) {
    if (auto all = all_arguments(word.span)) {
      for (StringExpression& one : *all) result.push_back({std::move(one), is_unquoted_all});
    }
    return;
  }
  if (!options_.is_original && add_surrounded_arguments(word, result)) return;
  result.push_back(fragment(word));
}

// "x$@y": the first argument after x, the last one before y. False if the word is another one.
bool Translator::add_surrounded_arguments(const Word& word, ListExpression& result) {
  const std::span<const Part> parts = word.parts();
  if (parts.size() != 1 || parts[0].kind != PartKind::kDoubleQuoted) return false;
  const std::span<const Part> inner = parts[0].parts();
  auto is_all = [](const Part& part) {
    return part.kind == PartKind::kParameter && part.parameter().name == "@" &&
           part.parameter().op == ParameterOp::kNone;
  };
  const auto found = std::find_if(inner.begin(), inner.end(), is_all);
  if (found == inner.end() || std::find_if(found + 1, inner.end(), is_all) != inner.end())
    return false;
  auto all = all_arguments(word.span);
  if (!all) return true;
  const size_t at = static_cast<size_t>(found - inner.begin());
  auto text_of = [&](std::span<const Part> some) {
    std::vector<Piece> pieces_of_it;
    add_pieces(some, true, pieces_of_it);
    std::vector<StringExpression> values;
    for (Piece& piece : pieces_of_it) values.push_back(std::move(piece.value));
    return values;
  };
  if (all->empty()) all->push_back(literal(""));
  std::vector<StringExpression> first = text_of(inner.subspan(0, at));
  first.push_back(std::move(all->front()));
  all->front() = concat(std::move(first));
  std::vector<StringExpression> last = {std::move(all->back())};
  for (StringExpression& value : text_of(inner.subspan(at + 1))) last.push_back(std::move(value));
  all->back() = concat(std::move(last));
  for (StringExpression& one : *all) result.push_back({std::move(one), false});
  return true;
}

ListFragment Translator::fragment(const Word& word) {
  std::vector<Piece> found = pieces(word);
  auto wants = [&](Split split) {
    return std::any_of(found.begin(), found.end(),
                       [&](const Piece& p) { return p.split == split; });
  };
  const bool is_split = wants(Split::kYes);
  const bool is_mixed =
      std::any_of(found.begin(), found.end(), [](const Piece& p) { return p.is_mixed; });
  if (is_mixed || (is_split && wants(Split::kNo))) refuse_feature(word.span, "mixed words");
  std::vector<StringExpression> parts;
  for (Piece& piece : found) parts.push_back(std::move(piece.value));
  return {concat(std::move(parts)), is_split};
}

StringExpression Translator::whole(const Word& word) {
  std::vector<StringExpression> parts;
  for (Piece& piece : pieces(word)) parts.push_back(std::move(piece.value));
  return concat(std::move(parts));
}

// Adjacent literals are one, but for `name=value` of the original, which keeps three.
std::vector<Translator::Piece> Translator::pieces(const Word& word) {
  std::vector<Piece> found;
  add_pieces(word.parts(), false, found);
  std::vector<Piece> result;
  for (Piece& piece : found) {
    const bool is_literal = piece.value.kind == StringExpression::kLiteral;
    if (is_literal && !result.empty() && result.back().value.kind == StringExpression::kLiteral) {
      result.back().value.text += piece.value.text;
      if (piece.split == Split::kNo) result.back().split = Split::kNo;
    } else {
      result.push_back(std::move(piece));
    }
  }
  const bool is_assignment = options_.is_original && word.has(shell::kWordIsAssignment);
  const size_t equals = is_assignment ? result[0].value.text.find('=') : std::string::npos;
  if (equals != std::string::npos && result.size() == 1 &&
      equals + 1 < result[0].value.text.size()) {
    const std::string text = result[0].value.text;
    result = {{literal(text.substr(0, equals)), Split::kAny},
              {literal("="), Split::kAny},
              {literal(text.substr(equals + 1)), result[0].split}};
  }
  return result;
}

// The body of a here-document.
StringExpression Translator::quoted_text(const Word& word) {
  std::vector<Piece> found;
  add_pieces(word.parts(), true, found);
  std::vector<StringExpression> parts;
  for (Piece& piece : found) parts.push_back(std::move(piece.value));
  return concat(std::move(parts));
}

namespace {

// Whether quotes within the operand of an unquoted `${x:-w}` keep a part of it whole.
bool resists_splitting(std::span<const Part> parts) {
  return std::any_of(parts.begin(), parts.end(), [](const Part& part) {
    if (part.kind == PartKind::kDoubleQuoted) {
      const auto inner = part.parts();
      return inner.empty() || std::any_of(inner.begin(), inner.end(), [](const Part& one) {
               return one.kind != PartKind::kLiteral ||
                      one.text().find_first_of(" \t\n") != std::string_view::npos;
             });
    }
    if (part.kind == PartKind::kSingleQuoted || part.kind == PartKind::kEscaped)
      return part.text().empty() || part.text().find_first_of(" \t\n") != std::string_view::npos;
    return part.kind == PartKind::kParameter && part.parameter().argument != nullptr &&
           resists_splitting(part.parameter().argument->parts());
  });
}

}  // namespace

void Translator::add_pieces(std::span<const Part> parts, bool is_quoted,
                            std::vector<Piece>& result) {
  const Split expansion = is_quoted ? Split::kNo : Split::kYes;
  for (const Part& part : parts) {
    if (refused_) return;
    switch (part.kind) {
      case PartKind::kLiteral:
      case PartKind::kEscaped:
      case PartKind::kSingleQuoted: {
        const std::string text(part.text());
        // What splitting would change: blanks, and a word that is empty.
        const bool is_whole = text.find_first_of(" \t\n") != std::string::npos ||
                              (text.empty() && !options_.is_original);
        result.push_back({literal(text), is_whole ? Split::kNo : Split::kAny});
        break;
      }
      case PartKind::kDoubleQuoted:
        if (part.parts().empty()) result.push_back({literal(""), Split::kNo});
        add_pieces(part.parts(), true, result);
        break;
      case PartKind::kParameter: {
        bool is_there = true;
        StringExpression value = parameter(part, is_there);
        const shell::Word* operand = part.parameter().argument;
        const bool is_choice = part.parameter().op == ParameterOp::kDefault ||
                               part.parameter().op == ParameterOp::kAlternative;
        const bool is_mixed =
            !is_quoted && is_choice && operand != nullptr && resists_splitting(operand->parts());
        if (is_there) result.push_back({std::move(value), expansion, is_mixed});
        break;
      }
      case PartKind::kCommand: {
        ++captures_;
        ++depth_;
        Instruction inner = sequence_of(part.command().body);
        --depth_;
        --captures_;
        result.push_back({embed(std::move(inner)), expansion});
        break;
      }
      case PartKind::kArithmetic:
        // The original keeps the text.
        if (options_.is_original) {
          result.push_back({literal(std::string(tree_->text(part.span))), Split::kAny});
        } else {
          result.push_back({arithmetic(part), Split::kAny});
        }
        break;
      case PartKind::kTilde:
        if (!part.only_in_assignment)
          refuse_feature(part.span, "tilde prefix");
        else
          result.push_back({literal("~" + std::string(part.text())), Split::kAny});
        break;
      case PartKind::kGlob: {
        const std::string_view text = tree_->text(part.span);
        const bool is_bracket = text.starts_with('[');
        refuse_feature(part.span,
                       is_bracket ? "bracket expression" : fmt::format("glob '{}'", text));
        break;
      }
      default: refuse_feature(part.span, "a word that the standard shell does not have"); break;
    }
  }
}

// `is_there` becomes false for what is no part of the word at all.
StringExpression Translator::parameter(const Part& part, bool& is_there) {
  const shell::Parameter& p = part.parameter();
  if (p.op != ParameterOp::kNone || p.is_indirect || p.subscript != nullptr) {
    if (!options_.is_original) return with_operator(part);
    refuse_feature(part.span, "variable with attribute");
    return {};
  }
  if (p.kind == shell::ParameterKind::kVariable) return variable(std::string(p.name));
  if (p.kind == shell::ParameterKind::kPositional || p.name == "0") return argument(p.position);
  is_there = true;
  return special_parameter(part);
}

StringExpression Translator::special_parameter(const Part& part) {
  const std::string_view name = part.parameter().name;
  if (options_.is_original) {
    if (name == "@") {
      const bool is_quoted =
          part.span.begin > 0 && tree_->file().bytes()[part.span.begin - 1] != ' ';
      refuse_feature(part.span, is_quoted ? "$@ with quotes (yet)" : "$@ without quotes");
    } else if (name == "*" || name == "#") {
      refuse_feature(part.span, "$* or $#");
    }
    return variable(std::string(name));  // $? is a variable of that name, which is empty
  }
  if (name == "#") return count_of_arguments();
  if (name == "*") {
    std::vector<StringExpression> parts;
    auto all = all_arguments(part.span);
    for (size_t i = 0; all && i < all->size(); ++i) {
      if (i > 0) parts.push_back(literal(" "));
      parts.push_back((*all)[i]);
    }
    return concat(std::move(parts));
  }
  refuse_feature(part.span, fmt::format("${} in a word", name));
  return {};
}

// Counted by shifting them away in a context of its own.
StringExpression Translator::count_of_arguments() {
  const std::string count = fresh("count");
  Instruction shift = with_parts(Instruction::kShift, {});
  Instruction more = assignment(
      count, embed(utility("expr", words({variable(count), literal("+"), literal("1")}))));
  std::vector<Instruction> loop;
  loop.push_back(std::move(shift));
  loop.push_back(std::move(more));
  std::vector<Instruction> items;
  items.push_back(assignment(count, literal("0")));
  items.push_back(with_parts(Instruction::kWhile, std::move(loop)));
  items.push_back(utility("echo", words({variable(count)})));
  return embed(sequence(std::move(items)));
}

namespace {

// Whether there is an n-th argument: whether n of them can be shifted away.
Instruction has_argument(uint64_t n) {
  Instruction shift = with_parts(Instruction::kShift, {});
  shift.count = n;
  std::vector<Instruction> parts;
  parts.push_back(std::move(shift));
  return with_parts(Instruction::kProcess, std::move(parts));
}

// Of ${x-w} the value if the condition holds, otherwise the word; of ${x+w} the word or nothing.
StringExpression chosen(bool is_default, Instruction condition, StringExpression value,
                        StringExpression word) {
  auto shown = [](StringExpression text) {
    return utility("printf", words({literal("%s\\n"), std::move(text)}));
  };
  return embed(
      is_default
          ? conditional(std::move(condition), shown(std::move(value)), shown(std::move(word)))
          : conditional(std::move(condition), shown(std::move(word)), utility("true")));
}

}  // namespace

StringExpression Translator::with_operator(const Part& part) {
  const shell::Parameter& p = part.parameter();
  const bool is_variable = p.kind == shell::ParameterKind::kVariable;
  const bool is_position = p.kind == shell::ParameterKind::kPositional;
  if (p.is_indirect || p.subscript != nullptr || (!is_variable && !is_position)) {
    refuse_feature(part.span, "variable with attribute");
    return {};
  }
  StringExpression value = is_variable ? variable(std::string(p.name)) : argument(p.position);
  const bool has_word = p.argument != nullptr && !p.argument->is_empty();
  const bool is_default = p.op == ParameterOp::kDefault;
  if (is_default && !has_word) return value;
  const bool is_choice = is_default || p.op == ParameterOp::kAlternative;
  if (is_choice && (p.has_colon || (is_position && p.position > 0))) {
    StringExpression word = has_word ? whole(*p.argument) : literal("");
    Instruction condition = p.has_colon
                                ? utility("test", words({value, literal("!="), literal("")}))
                                : has_argument(p.position);
    return chosen(is_default, std::move(condition), std::move(value), std::move(word));
  }
  const bool cuts =
      p.op >= ParameterOp::kRemoveShortestPrefix && p.op <= ParameterOp::kRemoveLongestSuffix;
  const bool is_literal = p.argument == nullptr || !p.argument->has(shell::kWordHasExpansion);
  if ((cuts && is_literal) || p.op == ParameterOp::kLength) {
    return by_shell(
        std::string(tree_->text(part.span)),
        is_variable ? std::vector<std::string>{std::string(p.name)} : std::vector<std::string>{},
        is_position ? p.position : 0, part.span);
  }
  const bool tells_unset = !p.has_colon && (is_default || p.op == ParameterOp::kAlternative ||
                                            p.op == ParameterOp::kAssign);
  refuse_feature(part.span, tells_unset ? "a difference between unset and empty variables"
                                        : "variable with attribute");
  return {};
}

namespace {

// False if it assigns or holds expansions.
bool collect(const shell::ArithmeticExpression* e, std::vector<std::string>& names) {
  using shell::ArithmeticKind;
  if (e == nullptr) return true;
  const bool is_harmless =
      e->kind != ArithmeticKind::kAssign && e->kind != ArithmeticKind::kPostfix &&
      e->kind != ArithmeticKind::kExpansion && e->subscript == nullptr &&
      e->op != shell::ArithmeticOp::kIncrement && e->op != shell::ArithmeticOp::kDecrement;
  if (e->kind == ArithmeticKind::kVariable) names.emplace_back(e->name);
  if (e->kind == ArithmeticKind::kExpansion) {
    for (const Part& part : e->parts) {
      const bool is_plain = part.kind == PartKind::kParameter &&
                            part.parameter().op == ParameterOp::kNone &&
                            part.parameter().kind == shell::ParameterKind::kVariable;
      if (!is_plain) return false;
      names.emplace_back(part.parameter().name);
    }
    return true;
  }
  return is_harmless && collect(e->left, names) && collect(e->right, names) &&
         collect(e->condition, names);
}

}  // namespace

StringExpression Translator::arithmetic(const Part& part) {
  std::vector<std::string> names;
  const shell::Arithmetic& node = part.arithmetic();
  if (node.is_bracket || node.expression == nullptr || !collect(node.expression, names)) {
    refuse_feature(part.span, "arithmetic");
    return {};
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return by_shell(std::string(tree_->text(part.span)), names, 0, part.span);
}

// The value of an expansion over these variables or the first `positions` arguments.
StringExpression Translator::by_shell(const std::string& expression,
                                      const std::vector<std::string>& names, uint64_t positions,
                                      Span span) {
  constexpr uint64_t kMaxPositions = 9;
  if (positions > kMaxPositions || names.size() > kMaxPositions) {
    refuse_feature(span, "variable with attribute");
    return {};
  }
  std::string script;
  for (size_t i = 0; i < names.size(); ++i) script += fmt::format("{}=${} ", names[i], i + 1);
  script += (names.empty() ? "" : "; ") + ("printf '%s\\n' \"" + expression + "\"");
  std::vector<StringExpression> call = {literal("-c"), literal(script), literal("sh")};
  for (const std::string& name : names) call.push_back(variable(name));
  for (uint64_t i = 1; i <= positions; ++i) call.push_back(argument(i));
  return embed(utility("sh", words(std::move(call))));
}

}  // namespace nacre::colis
