#include "shell/dialect.h"

#include <array>
#include <utility>
#include <vector>

#include "base/path.h"
#include "base/shebang.h"

namespace nacre::shell {

namespace {

constexpr std::array<std::pair<std::string_view, Dialect>, 14> kDialects = {{
    {"sh", Dialect::kSh},
    {"dash", Dialect::kDash},
    {"bash", Dialect::kBash},
    {"ksh", Dialect::kKsh},
    {"busybox", Dialect::kBusybox},
    {"ash", Dialect::kBusybox},
    {"ksh93", Dialect::kKsh},
    {"ksh88", Dialect::kKsh},
    {"mksh", Dialect::kKsh},
    {"lksh", Dialect::kKsh},
    {"pdksh", Dialect::kKsh},
    {"oksh", Dialect::kKsh},
    {"rbash", Dialect::kBash},
    {"posix", Dialect::kSh},
}};

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> words;
  size_t at = 0;
  while ((at = text.find_first_not_of(" \t\r", at)) != std::string_view::npos) {
    size_t end = std::min(text.find_first_of(" \t\r", at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}

// #!/bin/sh, #!/usr/bin/env bash, #!/usr/bin/env -S FOO=1 bash -e, #!/bin/busybox sh
std::optional<Dialect> from_shebang(std::string_view line) {
  if (!line.starts_with("#!")) return std::nullopt;
  auto words = split(line.substr(2));
  size_t at = 0;
  if (at < words.size() && base_name(words[at]) == "env") {
    at++;
    while (at < words.size() &&
           (words[at].starts_with("-") || words[at].find('=') != std::string_view::npos)) {
      if (words[at].starts_with("-S") && words[at].size() > 2) {
        words[at].remove_prefix(2);
        continue;
      }
      at++;
    }
  }
  if (at >= words.size()) return std::nullopt;
  if (base_name(words[at]) == "busybox" && at + 1 < words.size()) return Dialect::kBusybox;
  return dialect_named(base_name(words[at]));
}

// "# nacre shell=bash", "# shellcheck disable=SC1 shell=bash"
std::optional<Dialect> from_directive(std::string_view line) {
  auto words = split(line.substr(1));
  if (words.empty() || (words[0] != "nacre" && words[0] != "shellcheck")) return std::nullopt;
  for (std::string_view word : words) {
    if (word.starts_with("shell=")) return dialect_named(word.substr(6));
  }
  return std::nullopt;
}

// "# vim: ft=bash", "# -*- mode: sh; sh-shell: bash -*-", among the first and the last lines. That
// a file is for `sh` is what editors say of every script.
std::optional<Dialect> from_mode_line(std::string_view text) {
  constexpr size_t kLooksAt = 400;
  for (const std::string_view part :
       {text.substr(0, kLooksAt), text.substr(text.size() - std::min(text.size(), kLooksAt))}) {
    for (const std::string_view key : {"ft=", "filetype=", "sh-shell: ", "mode: "}) {
      const size_t at = part.find(key);
      if (at == part.npos) continue;
      const std::string_view rest = part.substr(at + key.size());
      const auto dialect = dialect_named(rest.substr(0, rest.find_first_of(" \t\r\n;:")));
      if (dialect && *dialect != Dialect::kSh) return dialect;
    }
  }
  return std::nullopt;
}

std::optional<Dialect> from_name(std::string_view path) {
  std::string_view name = base_name(path);
  constexpr std::string_view kBashFiles[] = {".bashrc",      ".bash_profile", ".bash_login",
                                             ".bash_logout", ".bash_aliases", "bash.bashrc",
                                             "PKGBUILD",     "APKBUILD"};
  for (std::string_view known : kBashFiles) {
    if (name == known) return known == "APKBUILD" ? Dialect::kBusybox : Dialect::kBash;
  }
  size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return std::nullopt;
  std::string_view suffix = name.substr(dot + 1);
  if (suffix == "sh") return std::nullopt;  // scripts of all shells are called so
  if (suffix == "bats" || suffix == "ebuild" || suffix == "eclass") return Dialect::kBash;
  return dialect_named(suffix);
}

}  // namespace

std::string_view name_of(Dialect dialect) { return kDialects[static_cast<size_t>(dialect)].first; }

std::optional<Dialect> dialect_named(std::string_view name) {
  for (const auto& [known, dialect] : kDialects) {
    if (name == known) return dialect;
  }
  return std::nullopt;
}

std::optional<Dialect> detect_dialect(const SourceFile& file) {
  std::string_view text = file.bytes();
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  std::string_view first = text.substr(0, text.find('\n'));
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    size_t start = line.find_first_not_of(" \t\r");
    if (start == std::string_view::npos) continue;
    if (line[start] != '#') break;
    if (auto dialect = from_directive(line.substr(start))) return dialect;
  }
  if (auto dialect = from_shebang(first)) return dialect;
  if (auto dialect = dialect_named(interpreter_of(file.bytes()))) return dialect;
  if (auto dialect = from_mode_line(file.bytes())) return dialect;
  return from_name(file.name());
}

}  // namespace nacre::shell
