// What a file is written in: by its first line, or by its name. The languages are rows of one table
// in language.cpp; `analyses.cpp` has the table of what is done with them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/suppression.h"

namespace nacre::project {

enum class Language : uint8_t { kShell, kMakefile, kDockerfile, kPython };

std::string_view name_of(Language language);
// As options say it: "shell", "make" (also "makefile"), "docker" (also "dockerfile"), "python".
std::optional<Language> language_named(std::string_view name);
CommentStyle comments_of(Language language);

// From the name alone: extensions (.sh .bash .dash .ksh .mk .py ...) and well-known names
// (Makefile, Dockerfile, .bashrc ...).
std::optional<Language> language_by_name(std::string_view path);

// From the `#!` line at the beginning of `bytes` (a prefix is enough), which is what counts when
// the file is run, or else from the name.
std::optional<Language> language_of(std::string_view path, std::string_view bytes);

// The name of another language that the file says it is written in ("zsh", "fish", "md"); empty if
// it says none.
std::string_view foreign_language(std::string_view path, std::string_view bytes);

}  // namespace nacre::project
