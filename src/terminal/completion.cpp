#include "terminal/completion.h"

#include <algorithm>

#include "machine/builtin.h"
#include "machine/machine.h"

namespace nacre::terminal {

using machine::Builtin;
using machine::is_name;
using machine::is_name_char;
using machine::NameId;
using machine::Names;
using machine::run;
namespace {

constexpr std::string_view kNeedsBackslash = " \t\n|&;<>()$`\\\"'*?[]#~=%!{}";

// The word at the end of a line, as far as it has been typed.
struct OpenWord {
  std::string text;          // without its quotes
  char quote = 0;            // that is still open
  bool is_command = true;    // stands where a command does
  bool is_variable = false;  // a name after `$` or `${`
  bool needs_brace = false;  // ... after `${`
};

// After these a command follows.
bool goes_on_as_command(std::string_view word) {
  constexpr std::string_view kWords[] = {"if", "then", "else",  "elif",    "do",   "while",
                                         "!",  "{",    "until", "command", "exec", "eval"};
  return std::find(std::begin(kWords), std::end(kWords), word) != std::end(kWords);
}

class LineScanner {
 public:
  explicit LineScanner(std::string_view line) : line_(line) {}

  OpenWord scan() {
    while (at_ < line_.size()) {
      char c = line_[at_++];
      if (c == '\\' && word_.quote != '\'') {
        if (at_ < line_.size()) word_.text += line_[at_++];
      } else if (word_.quote != 0 && c == word_.quote) {
        word_.quote = 0;
      } else if (c == '$' && word_.quote != '\'') {
        scan_dollar();
      } else if (word_.quote != 0) {
        word_.text += c;
      } else if (c == '\'' || c == '"') {
        word_.quote = c;
      } else {
        scan_plain(c);
      }
    }
    return word_;
  }

 private:
  void scan_plain(char c) {
    if (c == ' ' || c == '\t') {
      if (is_assigned_) {
        start_word(true);
      } else if (!word_.text.empty()) {
        start_word(word_.is_command && goes_on_as_command(word_.text));
      }
    } else if (std::string_view(";&|(`\n").find(c) != std::string_view::npos) {
      start_word(true);
    } else if (c == '<' || c == '>' || c == ')') {
      start_word(false);
    } else if (c == '=' && is_name(word_.text)) {  // a file may follow
      bool is_prefix = word_.is_command;
      start_word(false);
      is_assigned_ = is_prefix;
    } else {
      word_.text += c;
    }
  }

  // A name that reaches the cursor is what is completed; other expansions stay in the word.
  void scan_dollar() {
    if (at_ < line_.size() && line_[at_] == '(') {
      ++at_;
      word_.quote = 0;
      return start_word(true);
    }
    size_t brace = at_ < line_.size() && line_[at_] == '{' ? 1 : 0;
    size_t end = at_ + brace;
    while (end < line_.size() && is_name_char(line_[end])) ++end;
    if (end == line_.size()) {
      word_.text = line_.substr(at_ + brace);
      word_.is_variable = true;
      word_.needs_brace = brace != 0;
    } else {
      word_.text += line_.substr(at_ - 1, end - at_ + 1);
    }
    at_ = end;
  }

  void start_word(bool is_command) {
    word_.text.clear();
    word_.is_command = is_command;
    is_assigned_ = false;
  }

  std::string_view line_;
  size_t at_ = 0;
  OpenWord word_;
  bool is_assigned_ = false;  // the word is the value of an assignment before a command
};

void add_if(std::vector<std::string>& to, std::string_view name, std::string_view prefix) {
  if (name.starts_with(prefix)) to.emplace_back(name);
}

void add_variables(Machine& machine, std::string_view prefix, std::vector<std::string>& to) {
  for (NameId id : machine.state.variables.sorted()) add_if(to, machine.names().text(id), prefix);
}

void add_programs(Machine& machine, std::string_view prefix, std::vector<std::string>& to) {
  const std::string* path = machine.state.variables.get("PATH");
  std::string_view rest = path == nullptr ? std::string_view() : std::string_view(*path);
  while (!rest.empty()) {
    size_t end = std::min(rest.find(':'), rest.size());
    std::string directory(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (directory.empty()) directory = ".";
    std::vector<std::string> names;
    machine.os->list_directory(directory.c_str(), names);
    for (const std::string& name : names) {
      if (!name.starts_with(prefix) || name == "." || name == "..") continue;
      if (machine.os->may((directory + '/' + name).c_str(), world::Access::kExecute)) {
        to.push_back(name);
      }
    }
  }
}

void add_commands(Machine& machine, std::string_view prefix, std::vector<std::string>& to) {
  for (std::string_view word : machine::reserved_words()) add_if(to, word, prefix);
  for (const Builtin& builtin : machine::builtins()) add_if(to, builtin.name, prefix);
  for (const auto& alias : machine.state.aliases) add_if(to, alias.first, prefix);
  for (size_t i = 0; i < machine.state.functions.size(); ++i) {
    NameId id{static_cast<uint32_t>(i)};
    if (machine.function(id) != nullptr) add_if(to, machine.names().text(id), prefix);
  }
  if (!prefix.empty()) add_programs(machine, prefix, to);
}

// ~ and ~user at the start of a path.
std::string without_tilde(Machine& machine, const std::string& path) {
  if (!path.starts_with('~')) return path;
  size_t end = std::min(path.find('/'), path.size());
  const std::string* home = machine.state.variables.get("HOME");
  std::optional<std::string> directory = end > 1 ? machine.os->home_of(path.substr(1, end - 1))
                                         : home != nullptr ? std::optional(*home)
                                                           : std::nullopt;
  return directory ? *directory + path.substr(end) : path;
}

// Names below the directory that `text` starts with. Only directories and programs may be run.
void add_files(Machine& machine, const OpenWord& word, std::vector<std::string>& to) {
  size_t slash = word.text.rfind('/');
  size_t begin = slash == std::string::npos ? 0 : slash + 1;
  std::string shown = word.text.substr(0, begin);
  std::string directory = without_tilde(machine, shown);
  std::string_view base = std::string_view(word.text).substr(begin);
  std::vector<std::string> names;
  machine.os->list_directory(directory.empty() ? "." : directory.c_str(), names);
  for (const std::string& name : names) {
    bool is_hidden = name[0] == '.' && !base.starts_with('.');
    if (is_hidden || name == "." || name == ".." || !name.starts_with(base)) continue;
    std::string path = directory + name;
    bool enters = is_directory(*machine.os, path);
    if (word.is_command && !enters && !machine.os->may(path.c_str(), world::Access::kExecute)) {
      continue;
    }
    to.push_back(shown + name + (enters ? "/" : ""));
  }
}

std::string escaped(std::string_view text, char quote) {
  std::string_view special = quote == '\'' ? "" : quote == '"' ? "$`\\\"" : kNeedsBackslash;
  std::string result;
  for (char c : text) {
    if (special.find(c) != std::string_view::npos) result += '\\';
    result += c;
  }
  return result;
}

// What is the same in all candidates; a single one is completed and closed.
std::string insertion(const OpenWord& word, const std::vector<std::string>& candidates) {
  if (candidates.empty()) return "";
  std::string_view common = candidates[0];
  for (const std::string& candidate : candidates) {
    size_t same = 0;
    while (same < common.size() && same < candidate.size() && common[same] == candidate[same]) {
      ++same;
    }
    common = common.substr(0, same);
  }
  std::string result =
      escaped(common.substr(std::min(common.size(), word.text.size())), word.quote);
  if (candidates.size() > 1 || common.ends_with('/')) return result;
  if (word.is_variable) return result + (word.needs_brace ? "}" : "");
  if (word.quote != 0) result += word.quote;
  return result + ' ';
}

}  // namespace

Completion complete(Machine& machine, std::string_view line) {
  OpenWord word = LineScanner(line).scan();
  Completion result;
  if (word.is_variable) {
    add_variables(machine, word.text, result.candidates);
  } else if (word.is_command && word.text.find('/') == std::string::npos) {
    add_commands(machine, word.text, result.candidates);
  } else {
    add_files(machine, word, result.candidates);
  }
  std::sort(result.candidates.begin(), result.candidates.end());
  auto end = std::unique(result.candidates.begin(), result.candidates.end());
  result.candidates.erase(end, result.candidates.end());
  result.insertion = insertion(word, result.candidates);
  return result;
}

}  // namespace nacre::terminal
