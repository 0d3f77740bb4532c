#include "project/language.h"

#include "base/shebang.h"

namespace nacre::project {

namespace {

struct Entry {
  std::string_view text;
  Language language;
};

constexpr Entry kExtensions[] = {
    {".sh", Language::kShell},
    {".bash", Language::kShell},
    {".dash", Language::kShell},
    {".ksh", Language::kShell},
    {".mksh", Language::kShell},
    {".ash", Language::kShell},
    {".mk", Language::kMakefile},
    {".makefile", Language::kMakefile},
    {".dockerfile", Language::kDockerfile},
    {".py", Language::kPython},
};

constexpr Entry kNames[] = {
    {".profile", Language::kShell},
    {".bashrc", Language::kShell},
    {".bash_profile", Language::kShell},
    {".bash_login", Language::kShell},
    {".bash_logout", Language::kShell},
    {".bash_aliases", Language::kShell},
    {".kshrc", Language::kShell},
    {".mkshrc", Language::kShell},
    {"Makefile", Language::kMakefile},
    {"makefile", Language::kMakefile},
    {"GNUmakefile", Language::kMakefile},
    {"Dockerfile", Language::kDockerfile},
    {"Containerfile", Language::kDockerfile},
};

constexpr Entry kInterpreters[] = {
    {"sh", Language::kShell},      {"bash", Language::kShell}, {"dash", Language::kShell},
    {"ksh", Language::kShell},     {"mksh", Language::kShell}, {"ksh93", Language::kShell},
    {"lksh", Language::kShell},    {"ash", Language::kShell},  {"nash", Language::kShell},
    {"make", Language::kMakefile},
};

}  // namespace

std::string_view name_of(Language language) {
  constexpr std::string_view kLanguageNames[] = {"shell", "Makefile", "Dockerfile", "Python"};
  return kLanguageNames[static_cast<size_t>(language)];
}

std::optional<Language> language_by_name(std::string_view path) {
  std::string_view name = path.substr(path.rfind('/') + 1);
  for (const Entry& entry : kNames) {
    if (name == entry.text) return entry.language;
  }
  for (const Entry& entry : kExtensions) {
    if (name.size() > entry.text.size() && name.ends_with(entry.text)) return entry.language;
  }
  for (const Entry& entry : kNames) {  // Dockerfile.test, Makefile.in
    const bool has_more = name.starts_with(entry.text) && name[entry.text.size()] == '.';
    if (has_more && entry.language != Language::kShell) return entry.language;
  }
  return std::nullopt;
}

std::optional<Language> language_of(std::string_view path, std::string_view bytes) {
  std::string_view interpreter = interpreter_of(bytes);
  for (const Entry& entry : kInterpreters) {
    if (interpreter == entry.text) return entry.language;
  }
  if (interpreter.starts_with("python")) return Language::kPython;
  return language_by_name(path);
}

}  // namespace nacre::project
