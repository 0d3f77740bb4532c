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
    ".bash_logout", ".bash_aliases", ".kshrc",  ".mkshrc",       "*.bats"};
constexpr std::string_view kShellInterpreters[] = {"sh",   "bash",  "dash", "ksh",  "mksh",
                                                   "lksh", "ksh93", "ash",  "nash", "bats"};
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
// What is written in another language, though a name or a user may say that it is a script.
constexpr std::string_view kForeignInterpreters[] = {
    "zsh",  "fish", "tcsh",  "csh",  "perl",      "ruby",  "node",   "awk",
    "gawk", "mawk", "sed",   "lua",  "php",       "tclsh", "expect", "Rscript",
    "pwsh", "nu",   "xonsh", "wish", "osascript", "elvish"};
constexpr std::string_view kForeignFiles[] = {
    "*.zsh", "*.fish", "*.csh",  "*.tcsh", "*.pl",   "*.pm",   "*.rb",   "*.js",
    "*.ts",  "*.yml",  "*.yaml", "*.md",   "*.json", "*.toml", "*.html", "*.xml",
    "*.c",   "*.h",    "*.cpp",  "*.go",   "*.rs",   "*.java", "*.php",  "*.lua",
    "*.awk", "*.sed",  "*.sql",  "*.css",  "*.rst",  "*.ps1",  "*.bat",  "*.cmd"};

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

// A text about a Dockerfile or Makefile, or a copy that a tool has left: Dockerfile.md,
// Makefile.orig.
bool is_about(std::string_view name) {
  constexpr std::string_view kEndings[] = {
      ".md",  ".rst",  ".txt", ".html", ".adoc", ".dockerignore", ".pdf", ".yaml",
      ".yml", ".json", ".xml", ".hs",   ".orig", ".rej",          ".bak", ".swp"};
  return std::any_of(std::begin(kEndings), std::end(kEndings),
                     [&](std::string_view each) { return name.ends_with(each); });
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
  const std::string_view name = base_name(path);
  return is_about(name) ? std::nullopt : best_fit(name, &Row::files);
}

std::optional<Language> language_of(std::string_view path, std::string_view bytes) {
  const std::string_view interpreter = interpreter_of(bytes);
  if (!interpreter.empty()) {
    if (const auto language = best_fit(interpreter, &Row::interpreters)) return language;
  }
  return foreign_language(path, bytes).empty() ? language_by_name(path) : std::nullopt;
}

std::string_view foreign_language(std::string_view path, std::string_view bytes) {
  const std::string_view interpreter = interpreter_of(bytes);
  for (const std::string_view known : kForeignInterpreters)
    if (interpreter == known) return known;
  const std::string_view name = base_name(path);
  if (!interpreter.empty()) return {};
  for (const std::string_view pattern : kForeignFiles)
    if (fit(pattern, name) > 0) return pattern.substr(2);
  const bool is_spec = name.ends_with("_spec.sh") && bytes.find("Describe ") != bytes.npos;
  return is_spec ? "ShellSpec" : std::string_view();
}

}  // namespace nacre::project
