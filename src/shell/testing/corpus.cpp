#include "shell/testing/corpus.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <unordered_set>

namespace nacre::shell {

namespace {

namespace fs = std::filesystem;

std::string read_start(const std::string& path, size_t limit) {
  std::string text;
  FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) return text;
  std::error_code error;
  const auto size = fs::file_size(path, error);
  if (!error) text.reserve(std::min<size_t>(size, limit));
  std::array<char, 16384> buffer;
  size_t count = 0;
  while (text.size() < limit &&
         (count =
              std::fread(buffer.data(), 1, std::min(buffer.size(), limit - text.size()), file)) > 0)
    text.append(buffer.data(), count);
  std::fclose(file);
  return text;
}

std::string_view next_word(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  const std::string_view word = line.substr(0, line.find_first_of(" \t\r"));
  line.remove_prefix(word.size());
  return word;
}

// By the shebang alone: `#!/bin/sh`, `#! /usr/bin/env bash`.
std::optional<Dialect> dialect_of_shebang(std::string_view start) {
  if (!start.starts_with("#!")) return std::nullopt;
  std::string_view line = start.substr(2, start.find('\n') - 2);
  auto base_name = [](std::string_view path) { return path.substr(path.rfind('/') + 1); };
  std::string_view program = base_name(next_word(line));
  if (program == "env") program = base_name(next_word(line));
  if (program != "sh" && program != "dash" && program != "bash") return std::nullopt;
  return dialect_named(program);
}

}  // namespace

std::string read_file(const std::string& path) { return read_start(path, SIZE_MAX); }

void write_file(const std::string& path, std::string_view text) {
  FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) return;
  if (!text.empty()) std::fwrite(text.data(), 1, text.size(), file);
  std::fclose(file);
}

std::vector<Script> find_scripts(const std::vector<std::string>& directories) {
  std::vector<Script> found;
  for (const std::string& directory : directories) {
    std::error_code error;
    fs::recursive_directory_iterator it(directory, fs::directory_options::skip_permission_denied,
                                        error);
    for (; !error && it != fs::recursive_directory_iterator(); it.increment(error)) {
      std::error_code stat_error;
      if (it->is_symlink(stat_error) || !it->is_regular_file(stat_error)) continue;
      const std::string path = it->path().string();
      if (const auto dialect = dialect_of_shebang(read_start(path, 128)))
        found.push_back({path, *dialect});
    }
  }
  std::sort(found.begin(), found.end(),
            [](const Script& a, const Script& b) { return a.path < b.path; });
  std::unordered_set<std::string> contents;
  std::erase_if(
      found, [&](const Script& script) { return !contents.insert(read_file(script.path)).second; });
  return found;
}

void write_scripts(const std::vector<Script>& scripts, const std::string& list_path) {
  std::string list;
  for (const Script& script : scripts)
    list.append(name_of(script.dialect)).append("\t").append(script.path).append("\n");
  write_file(list_path, list);
}

std::vector<Script> read_scripts(const std::string& list_path) {
  std::vector<Script> scripts;
  const std::string list = read_file(list_path);
  for (size_t begin = 0; begin < list.size();) {
    const size_t end = std::min(list.find('\n', begin), list.size());
    const std::string_view line = std::string_view(list).substr(begin, end - begin);
    begin = end + 1;
    const size_t tab = line.find('\t');
    if (tab == line.npos) continue;
    if (const auto dialect = dialect_named(line.substr(0, tab)))
      scripts.push_back({std::string(line.substr(tab + 1)), *dialect});
  }
  return scripts;
}

}  // namespace nacre::shell
