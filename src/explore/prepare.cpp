#include "explore/prepare.h"

#include <algorithm>
#include <fmt/format.h>

#include "explore/open_scene.h"
#include "explore/unknown_words.h"
#include "regular/decide.h"
#include "regular/parse_type.h"
#include "shell/parse.h"
#include "shell/visitor.h"

namespace nacre::explore {

namespace {

struct FirstLine {
  std::string interpreter;  // its last name; empty: none given
  std::vector<std::string> options;
};

FirstLine first_line_of(std::string_view text) {
  FirstLine result;
  if (!text.starts_with("#!")) return result;
  text = text.substr(2, text.find('\n') - 2);
  std::vector<std::string> words;
  for (size_t at = 0; at < text.size();) {
    const size_t begin = std::min(text.find_first_not_of(" \t\r", at), text.size());
    const size_t end = std::min(text.find_first_of(" \t\r", begin), text.size());
    if (begin < end) words.emplace_back(text.substr(begin, end - begin));
    at = end;
  }
  if (!words.empty() && words[0].ends_with("/env")) words.erase(words.begin());
  if (words.empty()) return result;
  result.interpreter = words[0].substr(words[0].rfind('/') + 1);
  result.options.assign(words.begin() + 1, words.end());
  return result;
}

}  // namespace

Result<std::string> word_of_type(std::string_view text) {
  regular::Context context;
  auto type = regular::parse_type(context, text);
  if (!type) return tl::unexpected<Error>(type.error());
  auto word = regular::shortest(*type);
  if (!word) return fail({}, "no word has this type");
  return *word;
}

Result<Script> prepare(const SourceFile& file, const Given& given, World& world) {
  Script script;
  script.name = file.name();
  script.text = std::string(file.bytes());
  const FirstLine first = first_line_of(script.text);
  const bool is_sh = first.interpreter.empty() || first.interpreter == "sh" ||
                     first.interpreter == "dash" || first.interpreter == "ash";
  const bool is_bash = first.interpreter == "bash";
  if (!is_sh && !is_bash)
    return fail({0, 2}, fmt::format("scripts for {} are not explored, only those for sh and bash",
                                    first.interpreter));
  const shell::ParseResult parsed =
      shell::parse_file(file, is_bash ? shell::Dialect::kBash : shell::Dialect::kSh);
  if (!parsed.is_valid()) {
    const bool has_reason = !parsed.diagnostics.empty();
    return fail(has_reason ? parsed.diagnostics[0].span : Span{},
                has_reason ? parsed.diagnostics[0].message : "it is not a shell script");
  }
  script.options = first.options;
  script.is_deep = given.is_deep;
  if (!run_as(script, world, given.user))
    return fail({}, fmt::format("the simulated world has no user '{}'", given.user));
  script.expected = expectations_of(parsed.tree);
  script.arguments = given.arguments;
  for (const auto& [name, value] : given.values) {
    const bool is_variable = name[0] < '1' || name[0] > '9';
    if (is_variable && value) script.environment.push_back(name + "=" + *value);
  }
  if (given.has_arguments && given.has_variables) return script;
  for (UnknownWord& word : unknown_words(parsed.tree)) {
    auto known = given.values.find(word.name);
    const bool is_argument = word.name[0] >= '1' && word.name[0] <= '9';
    if (known != given.values.end()) {
      if (is_argument && known->second) script.arguments.push_back(*known->second);
      continue;
    }
    const bool is_given = is_argument && given.has_arguments;
    const bool is_set =
        std::any_of(script.environment.begin(), script.environment.end(),
                    [&](const std::string& entry) { return entry.starts_with(word.name + "="); });
    if (!is_given && !is_set) script.unknown.emplace_back(word.name, std::move(word.answers));
  }
  return script;
}

}  // namespace nacre::explore
