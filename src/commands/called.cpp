#include "commands/called.h"

#include "commands/models.h"

namespace nacre::commands {

namespace {

Stream output_with(const Card& card, const Call& call, size_t repetitions,
                   const Surroundings& around, const Stream& input,
                   std::vector<Problem>& problems) {
  std::vector<Argument> arguments(call.words.begin() + 1, call.words.end());
  for (size_t i = 1; i < repetitions; i++) arguments.push_back(call.words.back());
  const Invocation inner = parse_invocation(card, call.words[0].span, std::move(arguments));
  Surroundings within = around;
  within.input = input;
  within.max_calls--;
  Behaviour behaviour = behaviour_of(inner, within);
  problems = std::move(behaviour.problems);
  return behaviour.output;
}

}  // namespace

const Card* card_of_call(const Call& call, const Surroundings& around) {
  const auto& name = call.words[0].text;
  if (!name || !around.find_card) return nullptr;
  return around.find_card(std::string_view(*name).substr(name->rfind('/') + 1));
}

Stream output_of_call(const Call& call, const Surroundings& around, const Stream& input,
                      std::vector<Problem>& problems) {
  Context& context = around.context();
  const Card* card = card_of_call(call, around);
  if (!card || around.max_calls == 0) return opaque_stream(context);
  if (!card->means.empty()) {  // egrep is grep -E
    Call meant = call;
    meant.words.erase(meant.words.begin());
    for (size_t i = card->means.size(); i > 0; i--) {
      const std::string word(card->means[i - 1]);
      meant.words.insert(meant.words.begin(),
                         {call.words[0].span, context.literal(word), word, word, false});
    }
    Surroundings within = around;
    within.max_calls--;
    return output_of_call(meant, within, input, problems);
  }
  std::vector<Problem> found;
  Stream result = output_with(*card, call, 1, around, input, found);
  problems.insert(problems.end(), found.begin(), found.end());
  // One operand and several often make a difference (`wc -l` adds a total): both may happen.
  if (call.repeats_last) result = either(result, output_with(*card, call, 2, around, input, found));
  return result;
}

Stream repeated_calls(const Stream& once) {
  Stream result(any_line(once));
  if (once.may_lack_newline) result.rest = plus(result.rest) | once.rest.context().epsilon();
  result.choice = once.choice;
  result.count = {0, once.count.most == 0 ? 0 : kManyLines};
  result.may_lack_newline = once.may_lack_newline;
  return result;
}

}  // namespace nacre::commands
