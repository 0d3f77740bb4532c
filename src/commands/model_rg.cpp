// rg: grep with another syntax of patterns, other names for what it prints of files, and a mind of
// its own where no file is named: it searches the directory, or what is piped into it.
#include <algorithm>

#include "commands/models.h"
#include "regular/lower.h"

namespace nacre::commands {

namespace {

// What Rust's regular expressions read otherwise than Perl's: sets within sets, words' edges,
// characters beyond ASCII.
bool is_like_perl(std::string_view pattern) {
  for (const std::string_view special :
       {"&&", "~~", "--", "\\<", "\\>", "\\b{", "(?", "{,", "\\p", "\\P"}) {
    if (pattern.find(special) != std::string_view::npos) return false;
  }
  for (size_t at = pattern.find("[["); at != std::string_view::npos;
       at = pattern.find("[[", at + 1)) {
    if (pattern.substr(at + 2, 1) != ":") return false;
  }
  const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  return std::all_of(pattern.begin(), pattern.end(), is_ascii);
}

struct Search {
  Invocation grep;  // the same search by grep
  bool has_files = false;
  bool is_known = true;  // the pattern means the same there
};

Search search_of(const Invocation& invocation, const Card& grep) {
  static constexpr std::string_view kSame = "ivwxFemnocqlH";
  Search result;
  result.grep.card = &grep;
  result.grep.name_span = invocation.name_span;
  const auto give = [&](std::string_view name, const GivenOption& given) {
    result.grep.options.push_back({grep.short_option(name), given.span, given.argument});
  };
  const auto see = [&](const Argument& pattern) {
    result.is_known &= pattern.text && is_like_perl(*pattern.text);
  };
  for (const GivenOption& given : invocation.options) {
    const std::string_view name = given.spec->short_name;
    if (name.size() == 1 && kSame.find(name) != std::string_view::npos) give(name, given);
    if (name == "e" && given.argument) see(*given.argument);
  }
  const GivenOption implied{nullptr, invocation.name_span, std::nullopt};
  if (!invocation.has("-F")) give("P", implied);
  if (!invocation.has("-H")) give("h", implied);
  result.grep.operands = invocation.operands;
  const size_t patterns = invocation.has("-e") ? 0 : 1;
  if (patterns > 0 && !invocation.operands.empty()) see(invocation.operands[0]);
  result.has_files = invocation.operands.size() > patterns;
  if (result.has_files) give("r", implied);  // what is named may be a directory
  return result;
}

}  // namespace

Behaviour model_rg(const Invocation& invocation, const Surroundings& around) {
  Context& context = around.context();
  Behaviour unknown(opaque_stream(context));
  const Card* grep = around.find_card ? around.find_card("grep") : nullptr;
  if (grep == nullptr || invocation.operands.empty()) return unknown;
  const Search search = search_of(invocation, *grep);
  unknown.reads_input = !search.has_files;
  const bool may_search_directory = !search.has_files && around.input.choice == Choice::kOpaque;
  if (!search.is_known || may_search_directory) return unknown;
  Behaviour result = model_grep(search.grep, around);
  if (!result.problems.empty()) return unknown;
  for (Check& check : result.checks) {
    if (check.message.starts_with("grep")) check.message.replace(0, 4, invocation.card->name);
  }
  Stream& lines = result.output;
  if (lines.count.most == 0) return result;
  const Lang name = plus(context.set(regular::all_but_newline(context.alphabet())));
  if (invocation.has("-l")) lines.rest = name;
  if (invocation.has("-c")) lines.count.lower(0);  // where there is none, it prints none
  if (invocation.has("-o")) {                      // it prints empty matches, too
    lines = Stream(any_line(lines) | context.epsilon());
    result.trace.reset();
    result.checks.clear();
    result.is_filter = false;
  }
  if (search.has_files && !invocation.has("-l") && !invocation.has("-I")) {
    lines.rest = optional(name + context.literal(":")) + any_line(lines);
    lines.first.clear();
    lines.is_distinct = false;
    lines.order = Order::kUnknown;
    lines.count = {0, kManyLines};
    result.trace.reset();
  }
  return result;
}

}  // namespace nacre::commands
