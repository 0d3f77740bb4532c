#include "flow/stage_fixes.h"

#include <algorithm>

namespace nacre::flow {

namespace {

// Behind the name that a stage begins with; nothing if something else stands there.
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

void separate_by_nul(Diagnostic& diagnostic, const SourceFile& file,
                     std::span<const Stage> stages) {
  if (stages.size() < 2) return;
  const Stage& writer = stages[stages.size() - 2];
  const std::string_view find = file.text(writer.span);
  if (!find.starts_with("find ") || !prints_by_default(find)) return;
  const auto option = insert_option(file, stages.back(), "xargs", " -0");
  if (!option) return;
  const Edit print{{writer.span.end, writer.span.end}, " -print0"};
  diagnostic.fixes.push_back({"separate the names by NUL", {print, *option}, true});
}

}  // namespace

void add_stage_fix(Diagnostic& diagnostic, const SourceFile& file, std::span<const Stage> stages) {
  if (diagnostic.code == "T108") separate_by_nul(diagnostic, file, stages);
  if (diagnostic.code != "T105") return;
  if (auto option = insert_option(file, stages.back(), "sort", " -n"))
    diagnostic.fixes.push_back({"sort by value", {*option}, false});
}

}  // namespace nacre::flow
