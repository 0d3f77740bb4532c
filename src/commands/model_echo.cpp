// echo and printf: text from arguments.
#include "commands/models.h"
#include "regular/line_select.h"

namespace nacre::commands {

namespace {

// A text that may hold newlines, as the lines of a stream.
Stream lines_of(Lang text, bool is_opaque) {
  Stream result(regular::image(regular::each_line(text.context().alphabet()), text));
  if (is_opaque) result.choice = Choice::kOpaque;
  return result;
}

// A constant text: every line is known, and their number.
Stream lines_of(Context& context, std::string_view text) {
  Stream result(context.empty());
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    result.first.push_back(context.literal(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  result.count = {result.first.size(), result.first.size()};
  if (result.first.size() <= 1) {
    result.order = Order::kSorted;
    result.is_distinct = true;
  } else {
    result.order = Order::kScattered;
  }
  return result;
}

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

}  // namespace

Behaviour model_echo(const Invocation& invocation, const Surroundings& around) {
  Context& context = around.context();
  const EchoOptions options = echo_options(invocation.operands);
  std::string constant;
  bool is_constant = true;
  bool is_opaque = false;
  Lang text = context.epsilon();
  for (size_t i = options.first; i < invocation.operands.size(); i++) {
    const Argument& operand = invocation.operands[i];
    if (i > options.first) {
      constant += ' ';
      text = text + context.literal(" ");
    }
    text = text + operand.value;
    is_opaque |= operand.is_opaque;
    is_constant &= operand.text.has_value();
    if (operand.text) constant += *operand.text;
  }
  // Shells differ in what `echo '\n'` prints: only text without a backslash is the same everywhere.
  const bool has_escapes = options.interprets || constant.find('\\') != std::string::npos;
  Behaviour result(
      has_escapes ? lines_of(star(context.set(regular::CharSet::all(context.alphabet()))), true)
      : is_constant
          ? lines_of(context, options.has_newline ? constant + '\n' : constant)
          : lines_of(options.has_newline ? text + context.literal("\n") : text, is_opaque));
  if (!has_escapes && !is_constant && options.has_newline) result.output.count.least = 1;
  result.reads_input = false;
  return result;
}

}  // namespace nacre::commands
