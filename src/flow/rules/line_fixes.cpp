#include "flow/rules/line_fixes.h"

#include <algorithm>

namespace nacre::flow {

namespace {

// After the name that a stage begins with; nothing if it begins otherwise.
std::optional<Edit> insert_option(const SourceFile& file, const Stage& stage, std::string_view name,
                                  std::string_view option) {
  if (!file.text(stage.span).starts_with(name)) return std::nullopt;
  const uint32_t at = stage.span.begin + static_cast<uint32_t>(name.size());
  return Edit{{at, at}, std::string(option)};
}

// It prints names because nothing else is asked of it.
bool prints_by_default(std::string_view find) {
  static constexpr std::string_view kActions[] = {"-print", "-exec",   "-ok",     "-ls",
                                                  "-fls",   "-fprint", "-delete", "-quit"};
  return std::none_of(std::begin(kActions), std::end(kActions), [&](std::string_view action) {
    return find.find(action) != std::string_view::npos;
  });
}

// `find -name a -o -name b`: an action after it would belong to the last alternative alone.
bool has_alternatives(std::string_view find) {
  constexpr std::string_view kWhitespace = " \t\n";
  for (size_t at = 0; at < find.size();) {
    const size_t begin = std::min(find.find_first_not_of(kWhitespace, at), find.size());
    at = std::min(find.find_first_of(kWhitespace, begin), find.size());
    const std::string_view word = find.substr(begin, at - begin);
    if (word == "-o" || word == "-or" || word == ",") return true;
  }
  return false;
}

void separate_by_nul(Diagnostic& diagnostic, const SourceFile& file,
                     std::span<const Stage> stages) {
  if (stages.size() < 2) return;
  const Stage& writer = stages[stages.size() - 2];
  const std::string_view find = file.text(writer.span);
  if (!find.starts_with("find ") || !prints_by_default(find) || has_alternatives(find)) return;
  const auto option = insert_option(file, stages.back(), "xargs", " -0");
  if (!option) return;
  const Edit print{{writer.span.end, writer.span.end}, " -print0"};
  diagnostic.fixes.push_back({"separate the names by NUL", {print, *option}, true});
}

}  // namespace

void add_fix(Diagnostic& diagnostic, const commands::Check& check, const SourceFile& file,
             std::span<const Stage> stages) {
  const Stage& stage = stages.back();
  if (check.asks == commands::Asks::kWholeNames) separate_by_nul(diagnostic, file, stages);
  if (!check.missing_option.empty()) {
    if (const auto option = insert_option(file, stage, stage.name, " " + check.missing_option))
      diagnostic.fixes.push_back({"give it " + check.missing_option, {*option}, false});
  }
  if (diagnostic.fixes.empty() && !check.help.empty())
    diagnostic.notes.push_back({file, stage.span, check.help});
}

}  // namespace nacre::flow
