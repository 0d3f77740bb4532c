#include <cstring>
#include <limits>

#include "shell/arithmetic.h"
#include "shell/parser_scopes.h"

namespace nacre::shell {

// A name or number at at_, which may go on after a continued line.
std::string_view Parser::read_run(uint16_t set) {
  uint32_t begin = at_;
  while (is(text_[at_], set)) at_++;
  if (text_[at_] != '\\') return view(begin, at_);
  while (is(peek(), set)) at_++;
  return name_at(begin, at_);
}

namespace {

uint32_t saturated_number(std::string_view digits) {
  uint64_t number = 0;
  for (char digit : digits) {
    number = std::min<uint64_t>(number * 10 + static_cast<uint64_t>(digit - '0'),
                                std::numeric_limits<uint32_t>::max());
  }
  return static_cast<uint32_t>(number);
}

}  // namespace

void Parser::finish_parameter(Parameter& parameter, uint32_t begin) {
  Part part;
  part.kind = PartKind::kParameter;
  part.span = file_span(begin, at_);
  part.parameter_ = arena_.make(parameter);
  parts_.push(part);
}

// $x $1 $@: at the byte after the `$`.
void Parser::read_simple_parameter(uint32_t begin) {
  Parameter parameter;
  uint32_t start = at_;
  if (is(text_[at_], kStartsName)) {
    parameter.name = read_run(kInName);
  } else {
    parameter.kind = is(text_[at_], kDigit) ? ParameterKind::kPositional : ParameterKind::kSpecial;
    parameter.name = view(at_, at_ + 1);
    at_++;
    if (parameter.name == "0") parameter.kind = ParameterKind::kSpecial;
    if (parameter.kind == ParameterKind::kPositional) {
      parameter.position = saturated_number(parameter.name);
    }
  }
  parameter.name_at = file_span(start, at_).begin;
  finish_parameter(parameter, begin);
}

// ${...}: at the `{`.
void Parser::read_braced_parameter(uint32_t begin, bool in_double) {
  Level level(*this);
  if (level.is_too_deep()) return;
  uint32_t inside = ++at_;
  Parameter parameter;
  parameter.has_braces = true;
  bool is_length = read_parameter_prefix(parameter);
  read_parameter_name(parameter);
  if (parameter.op != ParameterOp::kBad && peek() == '[') {
    check(Feature::kArrays, file_span(at_, at_ + 1), false);
    if (can(Feature::kArrays)) parameter.subscript = read_subscript(true);
    if (can(Feature::kArrays) && parameter.subscript == nullptr) parameter.op = ParameterOp::kBad;
  }
  if (is_length && parameter.op != ParameterOp::kBad) {
    parameter.op = peek() == '}' ? ParameterOp::kLength : ParameterOp::kBad;
  } else if (parameter.op != ParameterOp::kBad) {
    read_parameter_operator(parameter, in_double);
  }
  if (parameter.op == ParameterOp::kBad) read_bad_parameter(parameter, inside, in_double);
  if (peek() == '}' && at_ < size_) {
    at_++;
  } else {
    unclosed("${", "}", file_span(begin, begin + 2));
  }
  finish_parameter(parameter, begin);
}

// `#` for the length and `!` for indirection, told apart from the parameters $# and $!. True for a
// length.
bool Parser::read_parameter_prefix(Parameter& parameter) {
  char first = peek();
  if (first != '#' && first != '!') return false;
  uint32_t start = at_++;
  char next = peek();
  char after = byte(1);
  bool is_named = is(next, kInName);
  if (first == '#' && (is_named || (is(next, kSpecialParameter) && after == '}'))) return true;
  bool is_pointer = is_named || ((next == '@' || next == '*' || next == '#') && after == '}');
  if (first == '!' && is_pointer) {
    check(Feature::kParameterIndirect, file_span(start, at_), false);
    parameter.is_indirect = true;
    return false;
  }
  at_ = start;
  return false;
}

void Parser::read_parameter_name(Parameter& parameter) {
  char first = peek();
  uint32_t start = at_;
  if (is(first, kStartsName)) {
    parameter.name = read_run(kInName);
  } else if (is(first, kDigit)) {
    parameter.kind = ParameterKind::kPositional;
    parameter.name = read_run(kDigit);
    parameter.position = saturated_number(parameter.name);
    if (parameter.position == 0) parameter.kind = ParameterKind::kSpecial;
  } else if (is(first, kSpecialParameter)) {
    parameter.kind = ParameterKind::kSpecial;
    parameter.name = view(at_, at_ + 1);
    at_++;
  } else {
    parameter.op = ParameterOp::kBad;
  }
  parameter.name_at = file_span(start, at_).begin;
}

void Parser::read_parameter_operator(Parameter& parameter, bool in_double) {
  auto twice = [this](char c, ParameterOp one, ParameterOp two) {
    at_++;
    if (peek() != c) return one;
    at_++;
    return two;
  };
  char c = peek();
  switch (c) {
    case '}':
      if (at_ < size_ && parameter.is_indirect && parameter.subscript != nullptr &&
          parameter.subscript->kind != SubscriptKind::kExpression) {
        parameter.op = ParameterOp::kKeys;
      }
      return;
    case ':':
    case '-':
    case '=':
    case '?':
    case '+': return read_colon_operator(parameter, in_double);
    case '#':
      parameter.op =
          twice('#', ParameterOp::kRemoveShortestPrefix, ParameterOp::kRemoveLongestPrefix);
      break;
    case '%':
      parameter.op =
          twice('%', ParameterOp::kRemoveShortestSuffix, ParameterOp::kRemoveLongestSuffix);
      break;
    case '/': return read_replacement(parameter, in_double);
    case '^':
    case ',':
    case '~':
      check(Feature::kParameterCase, file_span(at_, at_ + 1), false);
      parameter.op = c == '^'   ? twice('^', ParameterOp::kUpperFirst, ParameterOp::kUpperAll)
                     : c == ',' ? twice(',', ParameterOp::kLowerFirst, ParameterOp::kLowerAll)
                                : twice('~', ParameterOp::kToggleFirst, ParameterOp::kToggleAll);
      break;
    case '@':
    case '*': {
      bool is_names = parameter.is_indirect && parameter.subscript == nullptr && byte(1) == '}';
      bool is_transform = c == '@' && byte(1) != '\0' && byte(2) == '}' &&
                          std::string_view("QEPAKakuUL").find(byte(1)) != std::string_view::npos;
      if (!is_names && !is_transform) break;
      if (is_transform) check(Feature::kParameterTransform, file_span(at_, at_ + 2), false);
      parameter.op = is_names ? ParameterOp::kNames : ParameterOp::kTransform;
      if (is_names) parameter.is_indirect = false;
      parameter.letter = is_names ? c : byte(1);
      at_ += is_names ? 1 : 2;
      return;
    }
    default: break;
  }
  if (parameter.op == ParameterOp::kNone) {
    parameter.op = ParameterOp::kBad;
    if (is_ash() && at_ < size_) at_++;  // dash does not look at this byte again
  } else {
    parameter.argument = read_braced_word(false, '\0');
  }
}

// - = ? + with or without a colon; a colon before anything else begins a slice.
void Parser::read_colon_operator(Parameter& parameter, bool in_double) {
  parameter.has_colon = peek() == ':';
  if (parameter.has_colon) at_++;
  switch (peek()) {
    case '-': parameter.op = ParameterOp::kDefault; break;
    case '=': parameter.op = ParameterOp::kAssign; break;
    case '?': parameter.op = ParameterOp::kError; break;
    case '+': parameter.op = ParameterOp::kAlternative; break;
    default: return read_slice(parameter, in_double);
  }
  at_++;
  parameter.argument = read_braced_word(in_double, '\0');
}

void Parser::read_replacement(Parameter& parameter, bool in_double) {
  check(Feature::kParameterReplace, file_span(at_, at_ + 1), false);
  at_++;
  parameter.op = ParameterOp::kReplaceFirst;
  switch (peek()) {
    case '/': parameter.op = ParameterOp::kReplaceAll; break;
    case '#': parameter.op = ParameterOp::kReplacePrefix; break;
    case '%': parameter.op = ParameterOp::kReplaceSuffix; break;
    default: break;
  }
  if (parameter.op != ParameterOp::kReplaceFirst) at_++;
  parameter.argument = read_braced_word(in_double && is_ash(), '/');
  if (peek() != '/') return;
  at_++;
  ParameterOperands operands;
  operands.replacement = read_braced_word(in_double && is_ash(), '\0');
  parameter.operands = arena_.make(operands);
}

void Parser::read_slice(Parameter& parameter, bool in_double) {
  check(Feature::kParameterSlice, file_span(at_, at_ + 1), false);
  parameter.has_colon = false;
  parameter.op = ParameterOp::kSlice;
  const bool is_known = can(Feature::kParameterSlice);
  if (!is_known && is(text_[at_], kStopsDouble) && at_ < size_ && text_[at_] != ')') {
    at_++;  // as for every other operator that dash does not know
    parameter.op = ParameterOp::kBad;
    return;
  }
  parameter.argument = read_braced_word(in_double, ':');
  ParameterOperands operands;
  operands.offset = parse_arithmetic(parameter.argument->parts(), options_, arena_);
  if (peek() == ':') {
    at_++;
    operands.replacement = read_braced_word(in_double, '\0');
    operands.length = parse_arithmetic(operands.replacement->parts(), options_, arena_);
  }
  parameter.operands = arena_.make(operands);
}

// The shells find the closing brace and complain only when they expand it.
void Parser::read_bad_parameter(Parameter& parameter, uint32_t inside, bool in_double) {
  parameter.name = view(inside, at_);
  parameter.name_at = file_span(inside, at_).begin;
  parameter.subscript = nullptr;
  parameter.is_indirect = parameter.has_colon = false;
  parameter.argument = read_braced_word(in_double, '\0');
}

// Whether a colon belongs to the offset of a slice: one within parentheses, or that of a ?: in it.
bool Parser::is_in_choice(std::string_view offset, char stop) {
  if (stop != ':') return false;
  int parentheses = 0;
  int choices = 0;
  for (char c : offset) {
    parentheses += c == '(' ? 1 : c == ')' ? -1 : 0;
    choices += c == '?' ? 1 : c == ':' ? -1 : 0;
  }
  return parentheses > 0 || choices > 0;
}

// The operand of an operator, up to the `}` or `stop` of its level. Blanks and operators are
// ordinary.
const Word* Parser::read_braced_word(bool in_double, char stop) {
  uint32_t begin = at_;
  size_t mark = parts_.mark();
  while (true) {
    uint32_t run = at_;
    while (!is(text_[at_], kStopsBraced)) at_++;
    push_literal(run, at_);
    char c = text_[at_];
    if (at_ >= size_) {
      if (!more_text()) break;
      continue;
    }
    if (c == '}' || (c == stop && stop != '\0' && !is_in_choice(view(begin, at_), stop))) break;
    if (!read_braced_piece(begin, in_double, stop)) {
      push_literal(at_, at_ + 1);
      at_++;
    }
  }
  return arena_.make(finish_word(mark, file_span(begin, at_)));
}

bool Parser::read_braced_piece(uint32_t begin, bool in_double, char stop) {
  switch (text_[at_]) {
    case '\\': read_escape(in_double, true); return true;
    case '\'': read_braced_single_quote(in_double); return true;
    case '"': read_double_quoted(PartKind::kDoubleQuoted, at_); return true;
    case '$':
      // `"${x:-$'a'}"`: quoted in bash, although double quotes are around.
      read_dollar(in_double && (byte(1) != '\'' || !is_bash()));
      return true;
    case '`': read_backquoted(in_double); return true;
    case '*':
    case '?':
      if (in_double || stop == ':') return false;
      if (byte(1) != '(' || !read_ext_glob()) read_glob();
      return true;
    case '[':
      if (in_double || stop == ':') return false;
      read_glob();
      return true;
    case '~': return at_ == begin && !in_double && read_tilde(false, true);
    case '(': return !in_double && at_ > begin && read_ext_glob();
    default: return false;
  }
}

// Within double quotes a single quote is literal; but bash finds its partner before it looks for
// the `}`, so that what lies between cannot end the expansion.
void Parser::read_braced_single_quote(bool in_double) {
  if (!in_double) return read_single_quoted();
  uint32_t begin = at_;
  push_literal(at_, at_ + 1);
  at_++;
  if (!is_bash() || options_.posix_mode) return;
  const void* found = nullptr;
  while ((found = std::memchr(text_ + at_, '\'', size_ - at_)) == nullptr && more_text()) {
  }
  if (found == nullptr) {
    at_ = size_;
    return unclosed("'", "'", file_span(begin, begin + 1));
  }
  auto end = static_cast<uint32_t>(static_cast<const char*>(found) - text_);
  if (view(at_, end).find_first_of("$`") == std::string_view::npos) {
    push_literal(at_, end);
  } else {
    maps_.push_back(std::make_unique<TextMap>(map_));
    std::string_view inside = copy_text(at_, end, *maps_.back());
    Deferred deferred(*this);
    Nested nested(*this, inside, 0, maps_.back().get());
    read_here_parts();
  }
  push_literal(end, end + 1);
  at_ = is_halted_ ? size_ : end + 1;
}

}  // namespace nacre::shell
