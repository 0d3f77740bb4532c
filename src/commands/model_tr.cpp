// tr works on bytes and knows no lines. Where it leaves newlines alone, each line goes through it
// on its own; where it makes, removes or squeezes newlines, the whole stream does, and is cut into
// lines again.
#include <algorithm>
#include <fmt/format.h>

#include "commands/line_formats.h"
#include "commands/models.h"
#include "commands/pattern_slips.h"
#include "commands/stream_text.h"
#include "regular/decide.h"
#include "regular/tr_set.h"
#include "regular/translate_chars.h"
#include "regular/translate_match.h"

namespace nacre::commands {

namespace {

using regular::CharSet;
using regular::TrPlan;

// Whether bytes other than newlines become newlines.
bool makes_newlines(const TrPlan& plan) {
  for (size_t byte = 0; byte < 256; byte++) {
    if (byte != '\n' && !plan.removed[byte] && plan.map[byte] == '\n') return true;
  }
  return false;
}

bool touches_newlines(const TrPlan& plan) {
  return plan.removed['\n'] || plan.squeezed['\n'] || plan.map['\n'] != '\n' ||
         makes_newlines(plan);
}

// The bytes that come out as they went in, squeezing aside.
CharSet untouched(const TrPlan& plan) {
  CharSet result;
  for (uint32_t byte = 0; byte < 256; byte++) {
    if (!plan.removed[byte] && plan.map[byte] == byte) result.add(byte);
  }
  return result;
}

// Lines that tr gives back unchanged: of untouched bytes only, with no run that is squeezed.
Lang idle_lines(Context& context, const TrPlan& plan) {
  const Lang any = any_text(context);
  Lang result = star(context.set(untouched(plan) - CharSet::of('\n')));
  for (uint32_t byte = 0; byte < 256; byte++) {
    if (!plan.squeezed[byte] || byte == '\n') continue;
    const Lang symbol = context.set(CharSet::of(byte));
    result = result - (any + symbol + symbol + any);
  }
  return result;
}

// Different lines may become equal: something is removed, or two bytes become one.
bool is_injective(const TrPlan& plan) {
  if (plan.removed.any() || plan.squeezed.any()) return false;
  std::bitset<256> seen;
  for (uint8_t byte : plan.map) {
    if (seen[byte]) return false;
    seen.set(byte);
  }
  return true;
}

regular::Transducer without_last_newline(Context& context) {
  const auto newline = regular::match_pattern(context.literal("\n"));
  return regular::translate_match(regular::anchored(newline, regular::Anchor::kEnd),
                                  regular::replacement_text(""));
}

// What each of these texts ends with is kept, and does not become a newline.
bool ends_without_newline(Lang lines, const TrPlan& plan) {
  Context& context = lines.context();
  CharSet kept;
  for (uint32_t byte = 0; byte < 256; byte++) {
    if (byte != '\n' && !plan.removed[byte] && plan.map[byte] != '\n') kept.add(byte);
  }
  return regular::included(lines, any_text(context) + context.set(kept)).yes();
}

Stream translated(const Stream& input, const TrPlan& plan, Span stage) {
  const auto transducer = regular::translate_chars(plan);
  if (!touches_newlines(plan)) {
    Stream result = mapped(
        input, [&](Lang line) { return regular::image(transducer, line); }, false,
        is_injective(plan), stage);
    // An open last line of which nothing is left is no line any more.
    if (input.may_lack_newline && plan.removed.any())
      result.count.lower(std::max<uint64_t>(result.count.least, 1) - 1);
    return result;
  }
  Lang text = text_of(input);
  if (input.may_lack_newline)
    text = text | regular::image(without_last_newline(input.rest.context()), text);
  Stream result = stream_of(regular::image(transducer, text));
  result.choice = input.choice;
  result.may_lack_newline = true;
  result.lacks_newline = input.lacks_newline && ends_without_newline(any_line(input), plan);
  if (input.order >= Order::kGrouped) {
    result.order = Order::kScattered;
    result.scattered_by = stage;
  }
  return result;
}

bool removes_only_letters_or_digits(const TrPlan& plan) {
  const CharSet letters = CharSet::range('a', 'z') | CharSet::range('A', 'Z');
  const CharSet expected = letters | CharSet::range('0', '9');
  for (uint32_t byte = 0; byte < 256; byte++) {
    if (plan.removed[byte] && !expected.contains(byte)) return false;
  }
  return true;
}

// What shows a wrong belief: to translate, or to delete by their names, characters that are not
// there, or letters and digits. To delete other classes or to squeeze is often caution, and blanks
// before numbers are what some implementations of wc print.
bool is_use_expected(const Invocation& invocation, const regular::TrOptions& options,
                     const TrPlan& plan, const Stream& input) {
  const std::string& set = *invocation.operands[0].text;
  if (!options.deletes) return invocation.operands.size() > 1;
  const bool deletes_by_name =
      !options.squeezes && !options.complements &&
      (set.find_first_of("[-\\") == std::string::npos || removes_only_letters_or_digits(plan));
  const bool is_padding =
      set == " " && regular::included(any_line(input), digits(input.rest.context())).yes();
  return deletes_by_name && !is_padding;
}

bool is_plain_word(std::string_view set) {
  return set.size() > 1 && set.find_first_of("-[\\") == std::string_view::npos;
}

// `tr word other`: a letter that the first set has twice is given two replacements, of which one
// counts. tr knows no words.
std::string word_slip(std::string_view from, std::string_view to) {
  if (!is_plain_word(from) || !is_plain_word(to)) return "";
  const auto target = [&](size_t at) { return to[std::min(at, to.size() - 1)]; };
  for (size_t i = 0; i < from.size(); i++) {
    const size_t again = from.find(from[i], i + 1);
    if (again != std::string_view::npos && target(i) != target(again))
      return fmt::format(
          "tr replaces characters, not words: '{}' becomes both '{}' and '{}' here; use sed",
          from[i], target(i), target(again));
  }
  return "";
}

}  // namespace

Behaviour model_tr(const Invocation& invocation, const Surroundings& around) {
  Behaviour result(opaque_stream(around.context()));
  const auto& operands = invocation.operands;
  if (operands.empty()) {
    result.problems.push_back({Flaw::kProgram, invocation.name_span, "tr: missing operand", ""});
    return result;
  }
  if (!operands[0].text || (operands.size() > 1 && !operands[1].text)) return result;
  auto first = regular::parse_tr_set(*operands[0].text);
  if (!first) {
    result.problems.push_back(
        {Flaw::kProgram, operands[0].span, "tr: " + first.error().message, ""});
    return result;
  }
  tl::expected<regular::TrSet, Error> second;
  if (operands.size() > 1) {
    second = regular::parse_tr_set(*operands[1].text);
    if (!second) {
      result.problems.push_back(
          {Flaw::kProgram, operands[1].span, "tr: " + second.error().message, ""});
      return result;
    }
  }
  const regular::TrOptions options{.complements = invocation.has("-c") || invocation.has("-C"),
                                   .deletes = invocation.has("-d"),
                                   .squeezes = invocation.has("-s"),
                                   .truncates = invocation.has("-t")};
  auto plan = regular::plan_tr(*first, operands.size() > 1 ? &*second : nullptr, options);
  if (!plan) {
    result.problems.push_back({Flaw::kProgram, cover(invocation.name_span, operands.back().span),
                               "tr: " + plan.error().message, ""});
    return result;
  }
  for (const Argument& set : operands) {
    if (const std::string slip = slip_in_tr(*set.text); !slip.empty())
      result.problems.push_back({Flaw::kPattern, set.span, slip, "", false});
  }
  if (operands.size() == 2 && !options.complements && !options.deletes && !options.squeezes) {
    if (const std::string slip = word_slip(*operands[0].text, *operands[1].text); !slip.empty())
      result.problems.push_back({Flaw::kPattern, operands[0].span, slip, "", false});
  }
  result.output = translated(around.input, *plan, invocation.name_span);
  result.is_filter = true;
  result.byte_plan = std::make_shared<const regular::TrPlan>(*plan);
  const bool keeps_lines = !plan->removed['\n'] && !plan->squeezed['\n'] && plan->map['\n'] == '\n';
  // A single line is not joined with another; but where its newline becomes something else, that is
  // printed, too.
  const bool is_alone = around.input.count.most == 1 && !makes_newlines(*plan) &&
                        (plan->removed['\n'] || plan->map['\n'] == '\n');
  if (!touches_newlines(*plan) || is_alone)
    result.trace = LineMap{any_text(around.context()), regular::translate_chars(*plan)};
  if (keeps_lines && is_use_expected(invocation, options, *plan, around.input)) {
    result.checks.push_back(
        {Check::Kind::kNotAll, Asks::kEffect, idle_lines(around.context(), *plan),
         options.deletes
             ? "tr changes nothing: no line that reaches it holds a character it deletes"
             : "tr changes nothing: no line that reaches it holds a character it translates",
         "", false});
  }
  return result;
}

}  // namespace nacre::commands
