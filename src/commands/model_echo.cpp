// echo and printf: text from arguments.
#include <fmt/core.h>

#include "commands/card_type.h"
#include "commands/format_text.h"
#include "commands/line_formats.h"
#include "commands/models.h"
#include "regular/decide.h"

namespace nacre::commands {

namespace {

using regular::CharSet;

// What bash's echo does with options; dash's knows only -n, and interprets backslashes always.
struct EchoOptions {
  bool has_newline = true;
  bool interprets = false;
  size_t first = 0;
};

EchoOptions echo_options(const std::vector<Argument>& operands) {
  EchoOptions result;
  for (const Argument& operand : operands) {
    if (!operand.text || operand.text->size() < 2 || operand.text->front() != '-' ||
        operand.text->find_first_not_of("neE", 1) != std::string::npos) {
      break;
    }
    for (char option : operand.text->substr(1)) {
      if (option == 'n')
        result.has_newline = false;
      else
        result.interprets = option == 'e';
    }
    result.first++;
  }
  return result;
}

Lang any_bytes(Context& context) { return star(context.set(CharSet::all(context.alphabet()))); }

Stream echoed(Context& context, const std::string& text, const EchoOptions& options) {
  const std::string end = options.has_newline ? "\n" : "";
  if (text.find('\\') == std::string::npos) return lines_of_text(context, text + end);
  const Unescaped escapes = unescape(text, EscapeStyle::kEcho);
  if (!escapes.is_known) return lines_of_text(any_bytes(context), true);
  const Stream interpreted =
      lines_of_text(context, escapes.stops ? escapes.text : escapes.text + end);
  // Without -e, bash prints backslashes as they are and dash does not.
  return options.interprets ? interpreted : either(lines_of_text(context, text + end), interpreted);
}

// --- printf

// A piece of a format: text, or a directive.
struct Piece {
  std::string text;
  std::optional<Directive> directive;
};

std::vector<Piece> pieces_of(std::string_view format) {
  std::vector<Piece> pieces;
  std::string text;
  for (size_t i = 0; i < format.size();) {
    const bool is_percent = format.substr(i).starts_with("%%");
    if (format[i] != '%' || is_percent) {
      const size_t length = format[i] == '\\' && i + 1 < format.size() ? 2 : 1;
      text += format.substr(i, length);
      i += is_percent ? 2 : length;
      continue;
    }
    pieces.push_back({std::exchange(text, ""), parse_directive(format, i, "-+ #0'")});
    i = pieces.back().directive->end;
    if (pieces.back().directive->letter == '(') {  // bash's %(FORMAT)T
      const size_t end = format.find(")T", i);
      i = end == std::string_view::npos ? format.size() : end + 2;
    }
  }
  pieces.push_back({std::move(text), std::nullopt});
  return pieces;
}

constexpr std::string_view kDirectives = "sdiouxXeEfFgGaAcbq(";

// What printf complains about; it prints what came before and fails.
std::optional<std::string> refusal(const std::vector<Piece>& pieces) {
  for (const Piece& piece : pieces) {
    if (!piece.directive) continue;
    const char letter = piece.directive->letter;
    if (letter == 0) return "the format ends within a directive";
    if (letter == 'h' || letter == 'l' || letter == 'j' || letter == 'z' || letter == 't' ||
        letter == 'L')
      return std::nullopt;  // C's length modifiers: bash skips them
    if (kDirectives.find(letter) == std::string_view::npos)
      return std::string("'%") + letter + "' is not a printf directive";
  }
  return std::nullopt;
}

Lang signed_digits(Context& context) {
  return optional(context.set(CharSet::of("+- "))) + digits(context);
}

Lang float_text(Context& context) {
  const Lang exponent =
      context.set(CharSet::of("eE")) + context.set(CharSet::of("+-")) + digits(context);
  return signed_digits(context) + optional(context.literal(".") + star(digits(context))) +
         optional(exponent);
}

// The value of a constant that is a plain decimal number; others have their own rules (010, 0x1f,
// 'a).
std::optional<std::string> plain_number(const std::string& text) {
  const size_t begin = text.starts_with('-') ? 1 : 0;
  if (begin == text.size() || text.size() > 18) return std::nullopt;
  if (text.find_first_not_of("0123456789", begin) != std::string::npos) return std::nullopt;
  if (text[begin] == '0' && text.size() > begin + 1) return std::nullopt;
  return text == "-0" ? "0" : text;
}

// What one directive makes of one argument; null: there is none left.
Lang converted(Context& context, const Directive& directive, const Argument* argument) {
  const bool is_open = directive.has_star_width || directive.has_star_precision;
  Lang value = context.epsilon();
  switch (directive.letter) {
    case 's':
      value = argument ? argument->value : context.epsilon();
      if (directive.precision || directive.has_star_precision) {
        const bool is_constant = argument && argument->text && directive.precision;
        value = is_constant ? context.literal(argument->text->substr(0, *directive.precision))
                            : any_bytes(context);
      }
      break;
    case 'd':
    case 'i':
    case 'u': {
      const auto number = argument && argument->text ? plain_number(*argument->text) : std::nullopt;
      const bool is_exact = number && directive.letter != 'u' && !directive.precision &&
                            directive.flags.find_first_of("+ '") == std::string::npos;
      value = is_exact   ? context.literal(*number)
              : argument ? signed_digits(context)
                         : context.literal("0") | signed_digits(context);
      break;
    }
    case 'o': value = optional(context.literal("0")) + digits(context); break;
    case 'x':
    case 'X':
      value = optional(context.literal("0") + context.set(CharSet::of("xX"))) +
              plus(context.set(
                  CharSet::of(directive.letter == 'x' ? "0123456789abcdef" : "0123456789ABCDEF")));
      break;
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G': value = float_text(context); break;
    case 'b': {
      const auto text = argument && argument->text ? unescape(*argument->text, EscapeStyle::kEcho)
                                                   : Unescaped{"", false, argument == nullptr};
      value = text.is_known && !text.stops ? context.literal(text.text) : any_bytes(context);
      break;
    }
    case 'c':
      value = argument && argument->text ? context.literal(argument->text->substr(0, 1))
                                         : optional(context.set(CharSet::all(context.alphabet())));
      break;
    default: value = any_bytes(context); break;
  }
  if (is_open) return star(context.literal(" ")) + value + star(context.literal(" "));
  return padded(value, directive);
}

// The format is used again until every argument is.
constexpr size_t kMaxPasses = 64;

struct Printed {
  Lang text;      // if the passes over the format are not known, of any one of them
  bool is_known;  // the number of arguments and their order
};

size_t consumed(const Piece& piece) {
  if (!piece.directive) return 0;
  return 1 + (piece.directive->has_star_width ? 1 : 0) +
         (piece.directive->has_star_precision ? 1 : 0);
}

Printed printed(Context& context, const std::vector<Piece>& pieces,
                std::span<const Argument> arguments) {
  size_t per_pass = 0;
  for (const Piece& piece : pieces) per_pass += consumed(piece);
  const bool is_constant = std::all_of(arguments.begin(), arguments.end(),
                                       [](const Argument& a) { return a.text.has_value(); });
  const size_t passes =
      per_pass == 0 || arguments.empty() ? 1 : (arguments.size() + per_pass - 1) / per_pass;
  const bool is_known = (is_constant || per_pass == 0) && passes <= kMaxPasses;
  // A word that is not constant may become any number of arguments: any of them in any place.
  Argument any_argument{{}, context.epsilon(), std::nullopt, "", false};
  for (const Argument& argument : arguments)
    any_argument.value = any_argument.value | argument.value;
  std::vector<Lang> parts;
  size_t next = 0;
  for (size_t pass = 0; pass < (is_known ? passes : 1); pass++) {
    for (const Piece& piece : pieces) {
      const Unescaped text = unescape(piece.text, EscapeStyle::kPrintf);
      parts.push_back(text.is_known ? context.literal(text.text) : any_bytes(context));
      if (!piece.directive) continue;
      next += consumed(piece) - 1;
      const Argument* argument = next < arguments.size() ? &arguments[next] : nullptr;
      next++;
      parts.push_back(converted(context, *piece.directive, is_known ? argument : &any_argument));
    }
  }
  return {concat(context, parts), is_known};
}

// `%d` refuses a fraction, a unit, a date; the words stand for the directives in their order only
// if none of them may be none or several.
void refuse_words(const std::vector<Piece>& pieces, std::span<const Argument> arguments,
                  Behaviour& result) {
  size_t next = 0;
  for (const Piece& piece : pieces) {
    if (!piece.directive) continue;
    next += consumed(piece);
    if (next > arguments.size()) return;
    const Argument& argument = arguments[next - 1];
    if (argument.may_vanish || argument.may_be_many || argument.whole) return;
    const bool is_whole =
        std::string_view("diouxX").find(piece.directive->letter) != std::string_view::npos;
    if (!is_whole || argument.text) continue;
    Context& context = argument.value.context();
    const Lang wanted =
        card_type(context, "[ \\t\\n]*[+-]?([0-9]+|0[xX][0-9a-fA-F]+)|[\"'](.|\\n)*");
    const Lang words = argument.value - context.epsilon();
    if (!regular::is_empty(words).no() || !regular::disjoint(words, wanted).yes()) continue;
    result.problems.push_back(
        {Flaw::kArgument, argument.span,
         fmt::format("printf %{} needs a whole number, but this is never one: '{}'",
                     piece.directive->letter, regular::shortest(words).value_or("")),
         "", false});
  }
}

// No text of these ends with a newline, and none is empty.
bool lacks_newline(Lang texts) {
  Context& context = texts.context();
  const Lang closed = any_bytes(context) + context.literal("\n");
  return regular::disjoint(texts, closed | context.epsilon()).yes();
}

// As many passes as it takes.
Stream lines_of_passes(Lang pass, bool is_opaque) {
  if (!regular::ends_with(pass, '\n')) return lines_of_text(star(pass), is_opaque);
  const Stream one = lines_of_text(pass, is_opaque);
  Stream result(any_line(one));
  result.choice = one.choice;
  result.count.least = one.count.least;
  return result;
}

// What a variable holds is printed as it was read.
void pass_kinds(const Argument& argument, Stream& lines) {
  if (argument.lines && !argument.text) {
    lines = printed_again(*argument.lines);
    return;
  }
  lines.kinds = argument.kinds;
  lines.producer = argument.producer;
}

}  // namespace

Behaviour model_echo(const Invocation& invocation, const Surroundings& around) {
  Context& context = around.context();
  const EchoOptions options = echo_options(invocation.operands);
  std::string constant;
  bool is_constant = true;
  bool is_opaque = false;
  Lang text = context.epsilon();
  bool may_be_first = true;  // nothing stands before it
  for (size_t i = options.first; i < invocation.operands.size(); i++) {
    const Argument& operand = invocation.operands[i];
    Lang more = operand.value;
    if (i > options.first) {
      constant += ' ';
      const Lang blank = context.literal(" ");
      more = (may_be_first ? optional(blank) : blank) + more;
    }
    text = text + (operand.may_vanish ? optional(more) : more);
    may_be_first &= operand.may_vanish;
    is_opaque |= operand.is_opaque;
    is_constant &= operand.text.has_value();
    if (operand.text) constant += *operand.text;
  }
  const bool has_escapes = options.interprets || constant.find('\\') != std::string::npos;
  if (options.has_newline) text = text + context.literal("\n");
  Behaviour result(is_constant   ? echoed(context, constant, options)
                   : has_escapes ? lines_of_text(any_bytes(context), true)
                                 : lines_of_text(text, is_opaque));
  if (!has_escapes && !is_constant && options.has_newline) result.output.count.least = 1;
  if (!options.has_newline) result.output.lacks_newline = true;
  if (invocation.operands.size() == options.first + 1 && options.has_newline && !has_escapes)
    pass_kinds(invocation.operands.back(), result.output);
  result.prints_names = std::any_of(invocation.operands.begin(), invocation.operands.end(),
                                    [](const Argument& operand) { return operand.may_be_many; });
  result.reads_input = false;
  return result;
}

Behaviour model_printf(const Invocation& invocation, const Surroundings& around) {
  Context& context = around.context();
  Behaviour result(opaque_stream(context));
  result.reads_input = false;
  std::span<const Argument> operands = invocation.operands;
  if (!operands.empty() && operands[0].text == "-v") {  // bash's: into a variable
    result.output = empty_stream(context);
    return result;
  }
  if (!operands.empty() && operands[0].text == "--") operands = operands.subspan(1);
  if (operands.empty() || !operands[0].text) {
    result.output.may_lack_newline = true;
    return result;
  }
  const auto pieces = pieces_of(*operands[0].text);
  if (const auto problem = refusal(pieces)) {
    result.problems.push_back({Flaw::kProgram, operands[0].span, "printf: " + *problem, ""});
    return result;
  }
  const auto arguments = operands.subspan(1);
  refuse_words(pieces, arguments, result);
  if (around.wanted == Wanted::kMistakes) return result;
  bool is_opaque = false;
  for (const Argument& argument : arguments) is_opaque |= argument.is_opaque;
  const Printed text = printed(context, pieces, arguments);
  const std::string& format = *operands[0].text;
  const bool is_plain = (format == "%s" || format == "%s\\n") && arguments.size() == 1;
  if (!text.is_known) {
    result.output = lines_of_passes(text.text, is_opaque);
    if (is_opaque) result.output.choice = Choice::kOpaque;
    if (is_plain) pass_kinds(arguments[0], result.output);
    result.output.lacks_newline = lacks_newline(text.text);
    return result;
  }
  // One word: every line is known.
  const auto word = regular::shortest(text.text);
  const bool is_one = word && regular::included(text.text, context.literal(*word)).yes();
  result.output = is_one ? lines_of_text(context, *word) : lines_of_text(text.text, is_opaque);
  result.output.lacks_newline = lacks_newline(text.text);
  return result;
}

}  // namespace nacre::commands
