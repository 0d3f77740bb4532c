// xargs env timeout
#include <csignal>
#include <fmt/format.h>

#include "utilities/input.h"
#include "utilities/options.h"
#include "utilities/spawn.h"
#include "utilities/table.h"

namespace nacre::utilities {
namespace {

// Words as xargs reads them: blanks separate, quotes and backslashes protect. False: a quote is
// never closed.
bool split_words(std::string_view text, bool by_lines, std::vector<std::string>& words,
                 std::vector<size_t>& line_ends) {
  std::string word;
  bool has_word = false;
  auto end_word = [&] {
    if (has_word) words.push_back(word);
    word.clear();
    has_word = false;
  };
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '\n') {
      while (by_lines && has_word && (word.ends_with(' ') || word.ends_with('\t'))) word.pop_back();
      end_word();
      line_ends.push_back(words.size());
    } else if ((c == ' ' || c == '\t') && !(by_lines && has_word)) {
      end_word();
    } else if (c == '\'' || c == '"') {
      size_t close = text.find(c, i + 1);
      if (close == std::string_view::npos ||
          text.substr(i, close - i).find('\n') != std::string_view::npos)
        return false;
      word += text.substr(i + 1, close - i - 1);
      has_word = true;
      i = close;
    } else if (c == '\\' && i + 1 < text.size()) {
      word += text[++i];
      has_word = true;
    } else {
      word += c;
      has_word = true;
    }
  }
  end_word();
  line_ends.push_back(words.size());
  return true;
}

void split_at(std::string_view text, char delimiter, std::vector<std::string>& words) {
  while (!text.empty()) {
    size_t end = std::min(text.find(delimiter), text.size());
    words.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

class Runner {
 public:
  Runner(Context& context, bool shows) : context_(context), shows_(shows) {}
  int status = 0;
  bool stops = false;

  void run(const std::vector<std::string>& command) {
    if (stops) return;
    if (shows_) {
      context_.flush();
      std::string line = fmt::format("{}\n", fmt::join(command, " "));
      context_.os.write(2, line.data(), line.size());
    }
    int result = run_command(context_, command);
    if (result == 0) return;
    if (result == 127 || result == 126) {
      status = result;
      stops = true;
    } else if (result == 255) {
      status = 124;
      stops = true;
      context_.fail(fmt::format("{}: exited with status 255; aborting", command[0]));
    } else if (result > 128) {
      status = 125;
      stops = true;
    } else {
      status = 123;
    }
  }

 private:
  Context& context_;
  bool shows_;
};

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  for (size_t i = text.find(what); i != std::string::npos; i = text.find(what, i + with.size())) {
    text.replace(i, what.size(), with);
  }
  return text;
}

}  // namespace

int xargs(Context& context) {
  auto options = parse_options(context, "xargs", "0nIrdtLPx --replace:I=");
  if (!options) return options.error();
  std::vector<std::string> command = options->operands;
  if (command.empty()) command.emplace_back("echo");
  Input input(context, "-");
  std::string all = input.rest();
  std::vector<std::string> words;
  std::vector<size_t> line_ends;
  const std::string* delimiter = options->last('d');
  if (options->has('0')) {
    split_at(all, '\0', words);
  } else if (delimiter != nullptr) {
    char c = *delimiter == "\\n"   ? '\n'
             : *delimiter == "\\0" ? '\0'
             : *delimiter == "\\t" ? '\t'
                                   : (*delimiter)[0];
    split_at(all, c, words);
  } else if (!split_words(all, options->has('I'), words, line_ends)) {
    return context.fail(
        "unmatched quote; by default quotes are special to xargs unless you use the -0 option");
  }
  Runner runner(context, options->has('t'));
  if (const std::string* given = options->last('I')) {
    const std::string mark = given->empty() ? "{}" : *given;  // --replace without a value
    for (const std::string& word : words) {
      std::vector<std::string> full;
      for (const std::string& part : command) full.push_back(replaced(part, mark, word));
      runner.run(full);
    }
    return runner.status;
  }
  auto number = [&](char letter) {
    const std::string* text = options->last(letter);
    return text == nullptr ? int64_t{0} : parse_number(*text).value_or(0);
  };
  size_t per_call = number('n') > 0 ? static_cast<size_t>(number('n')) : SIZE_MAX;
  constexpr size_t kMaxBytes = 128 * 1024;
  size_t at = 0;
  bool has_run = false;
  while (at < words.size() || (!has_run && !options->has('r'))) {
    std::vector<std::string> full = command;
    size_t bytes = 0;
    size_t end = words.size();
    if (int64_t lines = number('L'); lines > 0) {
      size_t line = 0;
      while (line < line_ends.size() && line_ends[line] <= at) ++line;
      size_t last = std::min(line + static_cast<size_t>(lines) - 1, line_ends.size() - 1);
      end = line_ends[last];
    }
    for (size_t count = 0; at < end && count < per_call && bytes < kMaxBytes; ++count) {
      bytes += words[at].size() + 1;
      full.push_back(words[at++]);
    }
    runner.run(full);
    has_run = true;
  }
  return runner.status;
}

int env(Context& context) {
  auto options = parse_options(context, "env", "iu0", 125);
  if (!options) return options.error();
  std::vector<std::string>& environment = context.environment;
  if (options->has('i')) environment.clear();
  auto remove = [&](std::string_view name) {
    std::erase_if(environment, [&](const std::string& entry) {
      return entry.size() > name.size() && entry[name.size()] == '=' && entry.starts_with(name);
    });
  };
  for (const Given& given : options->given) {
    if (given.letter == 'u') remove(given.value);
  }
  std::vector<std::string> words = options->operands;
  if (!words.empty() && words[0] == "-") {
    environment.clear();
    words.erase(words.begin());
  }
  while (!words.empty() && words[0].find('=') != std::string::npos) {
    remove(words[0].substr(0, words[0].find('=')));
    environment.push_back(words[0]);
    words.erase(words.begin());
  }
  if (!words.empty()) return exec_command(context, words);
  for (const std::string& entry : environment) {
    context.out(entry);
    context.out(options->has('0') ? '\0' : '\n');
  }
  return 0;
}

int printenv(Context& context) {
  auto options = parse_options(context, "printenv", "0", 2);
  if (!options) return options.error();
  char end = options->has('0') ? '\0' : '\n';
  auto print = [&](std::string_view text) {
    context.out(text);
    context.out(end);
  };
  if (options->operands.empty()) {
    for (const std::string& entry : context.environment) print(entry);
  }
  int status = 0;
  for (const std::string& name : options->operands) {
    const char* value = context.variable(name.c_str());
    if (value == nullptr) {
      status = 1;
    } else {
      print(value);
    }
  }
  return status;
}

int nohup(Context& context) {
  auto options = parse_options(context, "nohup", "", 125);
  if (!options) return options.error();
  if (options->operands.empty()) return context.fail("missing operand") + 124;
  context.os.set_disposition(SIGHUP, world::Disposition::kIgnore);
  return exec_command(context, options->operands);
}

}  // namespace nacre::utilities
