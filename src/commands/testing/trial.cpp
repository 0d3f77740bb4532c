#include "commands/testing/trial.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace nacre::commands {

namespace {

// Reads one quoted piece that begins after `at`'s quote; `at` ends after the closing one.
void read_quoted(std::string_view text, size_t& at, char quote, bool has_escapes,
                 std::string& word) {
  for (; at < text.size() && text[at] != quote; at++) {
    if (text[at] != '\\' || quote == '\'' || at + 1 == text.size()) {
      if (!(has_escapes && text[at] == '\\')) {
        word += text[at];
        continue;
      }
    }
    const char next = text[++at];
    if (has_escapes)
      word += next == 'n' ? '\n' : next == 't' ? '\t' : next;
    else if (std::string_view("\"\\$`").find(next) != std::string_view::npos)
      word += next;
    else
      (word += '\\') += next;
  }
  at++;
}

std::string_view argument_of(std::string_view line, std::string_view directive) {
  line.remove_prefix(std::min(line.size(), directive.size() + 1));
  return line;
}

bool is_directive(std::string_view line, std::string_view directive) {
  return line == directive || (line.starts_with(directive) && line[directive.size()] == ' ');
}

}  // namespace

std::vector<std::string> shell_words(std::string_view text) {
  std::vector<std::string> words;
  bool in_word = false;
  for (size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == ' ' || c == '\t') {
      in_word = false;
      at++;
      continue;
    }
    if (!in_word) words.emplace_back();
    in_word = true;
    std::string& word = words.back();
    const bool is_ansi = text.substr(at).starts_with("$'");
    if (c == '\'' || c == '"' || is_ansi) {
      at += is_ansi ? 2 : 1;
      read_quoted(text, at, is_ansi ? '\'' : c, is_ansi, word);
    } else {
      if (c == '\\' && at + 1 < text.size()) at++;
      word += text[at++];
    }
  }
  return words;
}

std::vector<Trial> read_trials(const std::string& path) {
  std::vector<Trial> trials;
  std::ifstream file(path);
  Trial next;
  for (std::string line; std::getline(file, line);) {
    next.line_number++;
    if (line.empty() || line.starts_with('#')) continue;
    if (is_directive(line, "lines")) {
      next.lines = argument_of(line, "lines");
    } else if (is_directive(line, "through")) {
      next.shell = argument_of(line, "through");
    } else {
      next.text = line;
      next.words = shell_words(line);
      trials.push_back(next);
    }
  }
  return trials;
}

std::vector<Trial> read_all_trials(const std::string& directory) {
  std::vector<std::string> tables;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    if (entry.path().extension() == ".trials") tables.push_back(entry.path().string());
  }
  std::sort(tables.begin(), tables.end());
  std::vector<Trial> result;
  for (const std::string& table : tables) {
    auto trials = read_trials(table);
    std::move(trials.begin(), trials.end(), std::back_inserter(result));
  }
  return result;
}

}  // namespace nacre::commands
