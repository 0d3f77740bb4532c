#include "machine/lower_word.h"

namespace nacre::machine {

const Word* WordLowering::kept_word(const sh::Word& from, WordContext context) {
  return code_.arena.make(word(from, context));
}

Word WordLowering::word(const sh::Word& from, WordContext context) {
  return word_of(from.parts(), from.span, context);
}

Word WordLowering::literal(std::string_view text) {
  Word result;
  result.written = text;
  Part part;
  part.text = text;
  result.parts = code_.arena.copy(std::span<const Part>(&part, 1));
  result.literal = text;
  result.is_literal = result.is_inline = result.is_joined = true;
  return result;
}

Word WordLowering::arithmetic_word(const sh::Arithmetic& from) {
  Word result;
  result.span = from.word.span;
  result.written = tree_.text(from.word.span);
  Part part = arithmetic_part(from, from.word.span, {.is_quoted = true});
  result.parts = code_.arena.copy(std::span<const Part>(&part, 1));
  result.is_inline = part.expression_word->is_inline;
  result.is_joined = true;
  return result;
}

Word WordLowering::word_of(std::span<const sh::Part> from, Span span, WordContext context) {
  Word result;
  result.span = span;
  result.written = tree_.text(span);
  std::vector<Part> parts;
  add_parts(from, context, parts);
  join_texts(parts);
  result.parts = code_.arena.copy(std::span<const Part>(parts));
  result.is_literal = true;
  result.is_inline = true;
  result.is_joined = true;
  for (const Part& part : parts) note(part, context, result);
  if (result.is_literal) result.literal = literal_of(parts);
  return result;
}

std::string_view WordLowering::literal_of(const std::vector<Part>& parts) {
  if (parts.empty()) return "";
  if (parts.size() == 1) return parts[0].text;
  std::string joined;
  for (const Part& part : parts) joined += part.text;
  return code_.arena.copy(std::string_view(joined));
}

namespace {

// Whether it may make several fields within quotes. What ${!x} names is known only later.
bool is_list_of(const Parameter& parameter) {
  return parameter.special == '@' || parameter.special == '*' || parameter.is_indirect ||
         parameter.op == sh::ParameterOp::kNames ||
         (parameter.subscript != nullptr &&
          parameter.subscript->kind != sh::SubscriptKind::kExpression);
}

}  // namespace

void WordLowering::note(const Part& part, const WordContext& context, Word& result) {
  bool is_list = part.kind == PartKind::kParameter && is_list_of(*part.parameter);
  if (part.kind == PartKind::kCommand || part.kind == PartKind::kProcess) result.is_inline = false;
  if (part.kind == PartKind::kParameter && part.parameter->subscript != nullptr) {
    result.is_inline &= part.parameter->subscript->word->is_inline;
  }
  if (part.kind == PartKind::kParameter && part.parameter->argument != nullptr) {
    result.is_inline &= part.parameter->argument->is_inline;
  }
  if (part.kind == PartKind::kParameter && part.parameter->replacement != nullptr) {
    result.is_inline &= part.parameter->replacement->is_inline;
  }
  if (part.expression_word != nullptr) result.is_inline &= part.expression_word->is_inline;
  if (part.kind != PartKind::kText) result.is_literal = false;
  if (part.may_glob) result.is_literal = result.is_joined = false;
  if (part.kind != PartKind::kText && part.kind != PartKind::kTilde &&
      part.region != Region::kQuoted) {
    result.is_joined = false;
  }
  if (is_list) result.is_joined = false;
  if (part.region == Region::kExpanded) result.is_joined = false;
  // A nested "$@" or a nested unquoted word may make more or fewer fields than one.
  if (part.kind == PartKind::kParameter && part.parameter->argument != nullptr) {
    result.is_joined &= part.parameter->argument->is_joined ||
                        part.parameter->op >= sh::ParameterOp::kRemoveShortestPrefix;
  }
  if (context.is_operand && part.region != Region::kQuoted) result.is_joined = false;
}

void WordLowering::add_text(std::string_view text, Region region, bool may_glob,
                            std::vector<Part>& to) {
  Part part;
  part.region = region;
  part.text = text;
  part.may_glob = may_glob;
  to.push_back(part);
}

// Texts of one region that follow each other become one part.
void WordLowering::join_texts(std::vector<Part>& parts) {
  size_t kept = 0;
  for (size_t i = 0; i < parts.size();) {
    Part joined = parts[i++];
    std::string text;
    for (; joined.kind == PartKind::kText && i < parts.size() && parts[i].kind == PartKind::kText &&
           parts[i].region == joined.region;
         ++i) {
      if (text.empty()) text = joined.text;
      text += parts[i].text;
      joined.may_glob |= parts[i].may_glob;
    }
    if (!text.empty()) joined.text = code_.arena.copy(std::string_view(text));
    parts[kept++] = joined;
  }
  parts.resize(kept);
}

void WordLowering::add_parts(std::span<const sh::Part> from, const WordContext& context,
                             std::vector<Part>& to) {
  for (size_t i = 0; i < from.size(); ++i) {
    // Only in an assignment does a colon end the name after the tilde: `echo ~:` names the user
    // `:`.
    bool has_colon = from[i].kind == sh::PartKind::kTilde && !context.is_assignment &&
                     i + 1 < from.size() && from[i + 1].kind == sh::PartKind::kLiteral &&
                     from[i + 1].text().starts_with(':');
    if (has_colon) {
      Region plain = context.is_quoted ? Region::kQuoted : Region::kSource;
      add_text(tree_.text(from[i].span), plain, false, to);
    } else {
      add_part(from[i], context, to);
    }
  }
}

void WordLowering::add_part(const sh::Part& from, const WordContext& context,
                            std::vector<Part>& to) {
  Region plain = context.is_quoted    ? Region::kQuoted
                 : context.is_operand ? Region::kExpanded
                                      : Region::kSource;
  switch (from.kind) {
    case sh::PartKind::kLiteral: {
      bool globs = !context.is_quoted && from.text().find_first_of("*?[") != std::string_view::npos;
      return add_text(from.text(), plain, globs, to);
    }
    case sh::PartKind::kGlob: return add_text(from.text(), plain, !context.is_quoted, to);
    case sh::PartKind::kTilde: return add_tilde(from, context, plain, to);
    case sh::PartKind::kEscaped:
    case sh::PartKind::kSingleQuoted:
    case sh::PartKind::kAnsiQuoted: return add_text(from.text(), Region::kQuoted, false, to);
    case sh::PartKind::kDoubleQuoted:
    case sh::PartKind::kLocaleQuoted: return add_quoted(from, context, to);
    case sh::PartKind::kParameter: return add_parameter(from, context, to);
    case sh::PartKind::kCommand: return add_command(from, context, to);
    case sh::PartKind::kArithmetic: return add_arithmetic(from, context, to);
    case sh::PartKind::kProcess: return add_process(from, context, to);
    case sh::PartKind::kExtGlob: return add_ext_glob(from, context, to);
    case sh::PartKind::kArray:  // only where the grammar was not followed
    case sh::PartKind::kBrace: return add_text(tree_.text(from.span), plain, false, to);
  }
}

// Its text is part of the pattern; what is quoted within it stays quoted.
void WordLowering::add_ext_glob(const sh::Part& from, const WordContext& context,
                                std::vector<Part>& to) {
  const sh::ExtGlob& glob = from.ext_glob();
  Region plain = context.is_operand ? Region::kExpanded : Region::kSource;
  const char open[2] = {glob.op, '('};
  add_text(code_.arena.copy(std::string_view(open, 2)), plain, true, to);
  for (size_t i = 0; i < glob.alternatives.size(); ++i) {
    if (i > 0) add_text("|", plain, true, to);
    add_parts(glob.alternatives[i].parts(), context, to);
  }
  add_text(")", plain, true, to);
}

void WordLowering::add_process(const sh::Part& from, const WordContext& context,
                               std::vector<Part>& to) {
  Part part;
  part.kind = PartKind::kProcess;
  part.region = context.is_quoted ? Region::kQuoted : Region::kSource;
  part.is_input = from.process().is_input;
  part.body = lower_body_(from.process().body);
  part.text = tree_.text(from.span);
  to.push_back(part);
}

const Subscript* WordLowering::subscript(const sh::Subscript* from) {
  if (from == nullptr) return nullptr;
  Subscript result;
  result.kind = from->kind;
  result.word = kept_word(from->word, {.is_pattern = true});
  return code_.arena.make(result);
}

const Compound* WordLowering::compound(const sh::Word& from) {
  for (const sh::Part& part : from.parts()) {
    if (part.kind != sh::PartKind::kArray) continue;
    std::vector<CompoundElement> elements;
    for (const sh::ArrayElement& element : part.array().elements) {
      if (element.subscript == nullptr && element.value.has(sh::kWordHasBrace) && expands_braces) {
        std::vector<Word> words;
        add_braced(element.value, words);
        for (const Word& word : words) elements.push_back({nullptr, false, word});
        continue;
      }
      bool is_value = element.subscript != nullptr;
      elements.push_back({subscript(element.subscript), element.is_append,
                          word(element.value, {.is_assignment = is_value})});
    }
    Compound result{code_.arena.copy(std::span<const CompoundElement>(elements))};
    return code_.arena.make(result);
  }
  return nullptr;
}

void WordLowering::add_tilde(const sh::Part& from, const WordContext& context, Region plain,
                             std::vector<Part>& to) {
  if (context.is_quoted || (from.only_in_assignment && !context.is_assignment)) {
    return add_text(tree_.text(from.span), plain, false, to);
  }
  Part part;
  part.kind = PartKind::kTilde;
  part.region = Region::kQuoted;
  part.text = code_.arena.copy(from.text());
  to.push_back(part);
}

namespace {

bool is_separate_list(const sh::Parameter& parameter) {
  if (parameter.subscript != nullptr) {
    return parameter.subscript->kind == sh::SubscriptKind::kAllSeparate;
  }
  return parameter.name == "@" ||
         (parameter.op == sh::ParameterOp::kNames && parameter.letter == '@');
}

}  // namespace

// Quotes that hold nothing still make a field; "$@" alone makes as many as there are parameters.
void WordLowering::add_quoted(const sh::Part& from, WordContext context, std::vector<Part>& to) {
  bool only_lists = !from.parts().empty();
  for (const sh::Part& part : from.parts()) {
    only_lists &= part.kind == sh::PartKind::kParameter && is_separate_list(part.parameter());
  }
  if (!only_lists) add_text("", Region::kQuoted, false, to);
  context.is_quoted = true;
  add_parts(from.parts(), context, to);
}

Parameter WordLowering::parameter(const sh::Part& from, const WordContext& context) {
  const sh::Parameter& p = from.parameter();
  Parameter result;
  result.op = p.op;
  result.has_colon = p.has_colon;
  result.text = tree_.text(from.span);
  result.is_indirect = p.is_indirect;
  result.letter = p.letter;
  bool is_bash = tree_.dialect() == sh::Dialect::kBash;
  bool is_of_bash = p.is_indirect || p.op >= sh::ParameterOp::kSlice;
  if (is_of_bash && !is_bash) result.op = sh::ParameterOp::kBad;
  result.subscript = subscript(p.subscript);
  switch (p.kind) {
    case sh::ParameterKind::kVariable:
      result.kind = ParameterKind::kVariable;
      result.name = names_.intern(p.name);
      break;
    case sh::ParameterKind::kPositional:
      result.kind = p.position == 0 ? ParameterKind::kSpecial : ParameterKind::kPositional;
      result.special = p.position == 0 ? '0' : '\0';
      result.position = p.position;
      break;
    case sh::ParameterKind::kSpecial:
      result.kind = ParameterKind::kSpecial;
      result.special = p.name.empty() ? '\0' : p.name[0];
      break;
  }
  if (p.argument != nullptr && result.op != sh::ParameterOp::kBad) {
    bool is_pattern =
        p.op >= sh::ParameterOp::kRemoveShortestPrefix && p.op != sh::ParameterOp::kSlice;
    WordContext inner{.is_quoted = context.is_quoted && !is_pattern,
                      .is_operand = !is_pattern,
                      .is_pattern = is_pattern};
    if (p.op == sh::ParameterOp::kSlice) inner = {.is_quoted = true};
    result.argument = kept_word(*p.argument, inner);
  }
  if (p.replacement() != nullptr && result.op != sh::ParameterOp::kBad) {
    bool is_slice = p.op == sh::ParameterOp::kSlice;
    result.replacement =
        kept_word(*p.replacement(), {.is_quoted = is_slice, .is_pattern = !is_slice});
  }
  result.is_plain = result.kind == ParameterKind::kVariable && result.subscript == nullptr &&
                    result.op == sh::ParameterOp::kNone && !result.is_indirect;
  return result;
}

Region WordLowering::region_of(const WordContext& context) {
  return context.is_quoted ? Region::kQuoted : Region::kExpanded;
}

void WordLowering::add_parameter(const sh::Part& from, const WordContext& context,
                                 std::vector<Part>& to) {
  Part part;
  part.kind = PartKind::kParameter;
  part.region = region_of(context);
  part.parameter = code_.arena.make(parameter(from, context));
  to.push_back(part);
}

void WordLowering::add_command(const sh::Part& from, const WordContext& context,
                               std::vector<Part>& to) {
  Part part;
  part.kind = PartKind::kCommand;
  part.region = region_of(context);
  part.body = lower_body_(from.command().body);
  to.push_back(part);
}

void WordLowering::add_arithmetic(const sh::Part& from, const WordContext& context,
                                  std::vector<Part>& to) {
  to.push_back(arithmetic_part(from.arithmetic(), from.span, context));
}

Part WordLowering::arithmetic_part(const sh::Arithmetic& arithmetic, Span span,
                                   const WordContext& context) {
  Part part;
  part.kind = PartKind::kArithmetic;
  part.region = region_of(context);
  part.text = tree_.text(span);
  part.expression_word = kept_word(arithmetic.word, {.is_quoted = true});
  if (arithmetic.expression != nullptr) {
    Needs needs;
    part.expression = expression(*arithmetic.expression, needs);
    part.slots = code_.arena.copy(std::span<const Parameter* const>(needs.slots));
    part.arrays = code_.arena.copy(std::span<const NameId>(needs.arrays));
  }
  return part;
}

// Null where a leaf is more than `$name`.
const Expression* WordLowering::expression(const sh::ArithmeticExpression& from, Needs& needs,
                                           int depth) {
  constexpr int kMaxDepth = 200;  // what is nested more deeply is parsed when it runs
  if (depth > kMaxDepth) return nullptr;
  Expression result;
  result.op = from.op;
  switch (from.kind) {
    case sh::ArithmeticKind::kNumber: result.value = from.value; break;
    case sh::ArithmeticKind::kVariable: return variable(from, needs, depth);
    case sh::ArithmeticKind::kExpansion: return slot(from, needs);
    case sh::ArithmeticKind::kGroup: return expression(*from.left, needs, depth + 1);
    case sh::ArithmeticKind::kUnary: result.kind = Expression::kUnary; break;
    case sh::ArithmeticKind::kPostfix: result.kind = Expression::kPostfix; break;
    case sh::ArithmeticKind::kBinary: result.kind = Expression::kBinary; break;
    case sh::ArithmeticKind::kAssign: result.kind = Expression::kAssign; break;
    case sh::ArithmeticKind::kTernary: result.kind = Expression::kTernary; break;
  }
  bool is_whole = true;
  auto child = [&](const sh::ArithmeticExpression* of) -> const Expression* {
    if (of == nullptr) return nullptr;
    const Expression* lowered = expression(*of, needs, depth + 1);
    is_whole &= lowered != nullptr;
    return lowered;
  };
  result.condition = child(from.condition);
  result.left = child(from.left);
  result.right = child(from.right);
  bool changes = from.kind == sh::ArithmeticKind::kAssign ||
                 from.kind == sh::ArithmeticKind::kPostfix ||
                 from.op == sh::ArithmeticOp::kIncrement || from.op == sh::ArithmeticOp::kDecrement;
  if (!is_whole || (changes && result.left->kind != Expression::kVariable)) return nullptr;
  return code_.arena.make(result);
}

// A name, perhaps with a subscript. Where expansions make the text of the subscript, the tree is
// right only for an index.
const Expression* WordLowering::variable(const sh::ArithmeticExpression& from, Needs& needs,
                                         int depth) {
  Expression result;
  result.kind = Expression::kVariable;
  result.name = names_.intern(from.name);
  if (from.subscript == nullptr) return code_.arena.make(result);
  if (from.subscript->expression == nullptr ||
      from.subscript->kind != sh::SubscriptKind::kExpression) {
    return nullptr;
  }
  result.has_subscript = true;
  result.left = expression(*from.subscript->expression, needs, depth + 1);
  if (result.left == nullptr) return nullptr;
  if (from.subscript->word.is_literal()) {
    result.key = from.subscript->word.literal();
  } else {
    needs.arrays.push_back(result.name);
  }
  return code_.arena.make(result);
}

const Expression* WordLowering::slot(const sh::ArithmeticExpression& from, Needs& needs) {
  if (from.parts.size() != 1 || from.parts[0].kind != sh::PartKind::kParameter) return nullptr;
  const sh::Parameter& p = from.parts[0].parameter();
  if (p.op != sh::ParameterOp::kNone || p.subscript != nullptr || p.is_indirect) return nullptr;
  if (p.kind == sh::ParameterKind::kSpecial && p.name != "#" && p.name != "?") return nullptr;
  Expression result;
  result.kind = Expression::kSlot;
  result.value = static_cast<int64_t>(needs.slots.size());
  needs.slots.push_back(code_.arena.make(parameter(from.parts[0], {.is_quoted = true})));
  return code_.arena.make(result);
}

}  // namespace nacre::machine
