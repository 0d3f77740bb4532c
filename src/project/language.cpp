#include "project/language.h"

#include <algorithm>
#include <cassert>
#include <span>

#include "base/path.h"
#include "base/shebang.h"

namespace nacre::project {

namespace {

using Patterns = std::span<const std::string_view>;

// A star at the beginning or at the end of a pattern stands for at least one character.
struct Row {
  Language language;
  std::string_view name;
  Patterns options;  // how options name it
  Patterns files;
  Patterns interpreters;
  CommentStyle comments;
};

constexpr std::string_view kShellFiles[] = {
    "*.sh",         "*.bash",        "*.dash",  "*.ksh",         "*.mksh",
    "*.ash",        ".profile",      ".bashrc", ".bash_profile", ".bash_login",
    ".bash_logout", ".bash_aliases", ".kshrc",  ".mkshrc"};
constexpr std::string_view kShellInterpreters[] = {"sh",   "bash",  "dash", "ksh", "mksh",
                                                   "lksh", "ksh93", "ash",  "nash"};
constexpr std::string_view kMakeFiles[] = {"*.mk",       "*.makefile",   "Makefile",
                                           "makefile",   "GNUmakefile",  "Makefile.*",
                                           "makefile.*", "GNUmakefile.*"};
constexpr std::string_view kMakeInterpreters[] = {"make"};
constexpr std::string_view kDockerFiles[] = {"*.dockerfile",  "*.Dockerfile", "Dockerfile",
                                             "Containerfile", "Dockerfile.*", "Containerfile.*"};
constexpr std::string_view kPythonFiles[] = {"*.py"};
constexpr std::string_view kPythonInterpreters[] = {"python", "python*"};

constexpr std::string_view kShellOptions[] = {"shell"};
constexpr std::string_view kMakeOptions[] = {"make", "makefile"};
constexpr std::string_view kDockerOptions[] = {"docker", "dockerfile"};
constexpr std::string_view kPythonOptions[] = {"python"};

constexpr Row kLanguages[] = {
    {Language::kShell, "shell", kShellOptions, kShellFiles, kShellInterpreters,
     CommentStyle::kHash},
    {Language::kMakefile, "Makefile", kMakeOptions, kMakeFiles, kMakeInterpreters,
     CommentStyle::kHash},
    {Language::kDockerfile,
     "Dockerfile",
     kDockerOptions,
     kDockerFiles,
     {},
     CommentStyle::kHashLine},
    {Language::kPython, "Python", kPythonOptions, kPythonFiles, kPythonInterpreters,
     CommentStyle::kHash},
};

const Row& row_of(Language language) {
  for (const Row& row : kLanguages) {
    if (row.language == language) return row;
  }
  assert(false && "every language has a row");
  return kLanguages[0];
}

// How well a pattern fits a name: not at all, by its beginning (Makefile.in), by its end (x.sh), or
// exactly. Dockerfile.sh is a shell script.
int fit(std::string_view pattern, std::string_view name) {
  if (pattern == name) return 3;
  if (name.size() < pattern.size()) return 0;
  if (pattern.starts_with('*')) return name.ends_with(pattern.substr(1)) ? 2 : 0;
  if (pattern.ends_with('*'))
    return name.starts_with(pattern.substr(0, pattern.size() - 1)) ? 1 : 0;
  return 0;
}

std::optional<Language> best_fit(std::string_view name, Patterns Row::*patterns) {
  std::optional<Language> result;
  int best = 0;
  for (const Row& row : kLanguages) {
    for (const std::string_view pattern : row.*patterns) {
      const int found = fit(pattern, name);
      if (found <= best) continue;
      best = found;
      result = row.language;
    }
  }
  return result;
}

}  // namespace

std::string_view name_of(Language language) { return row_of(language).name; }

std::optional<Language> language_named(std::string_view name) {
  for (const Row& row : kLanguages) {
    if (std::find(row.options.begin(), row.options.end(), name) != row.options.end())
      return row.language;
  }
  return std::nullopt;
}

CommentStyle comments_of(Language language) { return row_of(language).comments; }

std::optional<Language> language_by_name(std::string_view path) {
  return best_fit(base_name(path), &Row::files);
}

std::optional<Language> language_of(std::string_view path, std::string_view bytes) {
  const std::string_view interpreter = interpreter_of(bytes);
  if (!interpreter.empty()) {
    if (const auto language = best_fit(interpreter, &Row::interpreters)) return language;
  }
  return language_by_name(path);
}

}  // namespace nacre::project
