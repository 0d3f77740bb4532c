// jq: what the last step of a filter gives, where that is no matter of the data. What else it
// prints is in its card: JSON, or with -r anything.
#include "base/ascii.h"
#include "commands/line_formats.h"
#include "commands/models.h"
#include "commands/stream_text.h"

namespace nacre::commands {

namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank_or_newline(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank_or_newline(text.back())) text.remove_suffix(1);
  return text;
}

// What follows the last `|` of the filter itself; nothing if the filter has something else that
// joins (`,`, `//`, `as`, comments) or does not close its brackets.
std::optional<std::string_view> last_step(std::string_view filter) {
  size_t begin = 0;
  int depth = 0;
  for (size_t i = 0; i < filter.size(); i++) {
    const char c = filter[i];
    if (c == '"') {
      for (i++; i < filter.size() && filter[i] != '"'; i++) {
        if (filter[i] == '\\' && filter.substr(i).starts_with("\\(")) return std::nullopt;
        if (filter[i] == '\\') i++;
      }
    } else if (c == '(' || c == '[' || c == '{') {
      depth++;
    } else if (c == ')' || c == ']' || c == '}') {
      depth--;
    } else if (depth == 0 && (c == ',' || c == '/' || c == '#' || c == ';' || c == '?')) {
      return std::nullopt;
    } else if (depth == 0 && c == '|') {
      begin = i + 1;
    }
  }
  if (depth != 0) return std::nullopt;
  return trimmed(filter.substr(begin));
}

// The texts that the step can print, if they are the same with and without quotes.
std::optional<Lang> known_output(Context& context, std::string_view step, bool is_raw) {
  if (step == "length" || step == "utf8bytelength" || step == "tonumber" || step == "floor") {
    return json_number(context);
  }
  if (step == "not" || step == "any" || step == "all") {
    return context.literal("true") | context.literal("false");
  }
  if (step == "type") {
    Lang result = context.empty();
    for (const char* name : {"null", "boolean", "number", "string", "array", "object"}) {
      result =
          result | context.literal(is_raw ? std::string(name) : "\"" + std::string(name) + "\"");
    }
    return result;
  }
  return std::nullopt;
}

}  // namespace

Behaviour model_jq(const Invocation& invocation, const Surroundings& around) {
  Behaviour result = behaviour_by_card(invocation, around);
  const auto& operands = invocation.operands;
  const bool is_plain = !operands.empty() && operands[0].text && !invocation.has("-f") &&
                        !invocation.has("-j") && !invocation.has("-C") && !invocation.has("--seq");
  if (!is_plain) return result;
  const auto step = last_step(*operands[0].text);
  if (!step) return result;
  if (const auto output = known_output(around.context(), *step, invocation.has("-r"))) {
    result.output = Stream(*output);
  }
  return result;
}

}  // namespace nacre::commands
