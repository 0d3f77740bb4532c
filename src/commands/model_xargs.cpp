// xargs: how its input becomes words, and what the command does that it calls with them.
#include "commands/card_library.h"
#include "commands/line_formats.h"
#include "commands/models.h"

namespace nacre::commands {

namespace {

using regular::CharSet;

enum class Splitting : uint8_t {
  kWords,  // blanks separate, quotes and backslashes protect
  kLines,  // -I, -L: a line is one argument (quotes still count, as in kWords)
  kOther,  // -0, -d: another separator, nothing is special
};

Splitting splitting_of(const Invocation& invocation) {
  if (invocation.has("-0") || invocation.has("-d")) return Splitting::kOther;
  if (invocation.has("-I") || invocation.has("-i")) return Splitting::kLines;
  return Splitting::kWords;
}

// Lines that reach the command as one argument, unchanged: no blank or quote outside a quoted word.
// Directories count as the user's own doing: what is judged is the last component, which others may
// have named.
Lang one_word(Context& context) {
  const auto without = [&](std::string_view bytes) {
    return context.set(CharSet::of(bytes).complement(context.alphabet()) - CharSet::of('\n'));
  };
  const Lang slash = context.literal("/");
  const Lang any = any_text(context);
  const Lang from_known = context.set(CharSet::of("/.")) + any;  // an absolute path, or from here
  const Lang from_name = plus(without(" \t'\"\\/")) + optional(slash + any);
  const Lang directories = optional(slash | ((from_known | from_name) + slash));
  const Lang plain = directories + plus(without(" \t'\"\\/"));
  const Lang in_double = context.literal("\"") + star(without("\"")) + context.literal("\"");
  const Lang in_single = context.literal("'") + star(without("'")) + context.literal("'");
  return plain | in_double | in_single;
}

}  // namespace

Behaviour model_xargs(const Invocation& invocation, const Surroundings& around) {
  Context& context = around.context();
  Behaviour result(opaque_stream(context));
  result.reads_input = !invocation.has("-a");
  const std::string* name = nullptr;
  if (!invocation.operands.empty() && invocation.operands[0].text)
    name = &*invocation.operands[0].text;
  const Splitting splitting = splitting_of(invocation);
  const std::string called = name ? *name : "echo";
  const Card* card =
      around.find_card ? around.find_card(called.substr(called.rfind('/') + 1)) : nullptr;

  if (card) {
    std::vector<Argument> arguments;
    for (size_t i = 1; i < invocation.operands.size(); i++)
      arguments.push_back(invocation.operands[i]);
    const CharSet not_nul = CharSet::all(context.alphabet()) - CharSet::of('\0');
    if (splitting != Splitting::kLines) {
      arguments.push_back(
          {invocation.name_span, plus(context.set(not_nul)), std::nullopt, "", true});
    }
    const Span span =
        invocation.operands.empty() ? invocation.name_span : invocation.operands[0].span;
    const Invocation inner = parse_invocation(*card, span, std::move(arguments));
    Surroundings within = around;
    within.input = empty_stream(context);  // xargs gives its command /dev/null
    Behaviour behaviour = behaviour_of(inner, within);
    result.output = behaviour.output;
    // It runs as often as the words demand.
    result.output.rest = any_line(behaviour.output);
    result.output.first.clear();
    result.output.count = {0, behaviour.output.count.most == 0 ? 0 : kManyLines};
    result.output.order = Order::kUnknown;
    result.output.is_distinct = false;
    for (const Problem& problem : behaviour.problems) result.problems.push_back(problem);
  }
  const bool takes_paths =
      card && !card->operands.empty() &&
      std::any_of(card->operands.begin(), card->operands.end(), [](const OperandSpec& operand) {
        return operand.kind.starts_with("path") || operand.kind == "file";
      });
  if (splitting == Splitting::kWords && takes_paths) {
    result.checks.push_back({Check::Kind::kEvery, "T108", one_word(context),
                             "xargs splits its input at blanks and takes quotes away, so such a "
                             "name becomes other names",
                             "find -print0 | xargs -0, or xargs -d '\\n'", false});
  }
  return result;
}

}  // namespace nacre::commands
