// `nacre completion SHELL`: completions for bash, zsh and fish, made from the verb table.
#include <cstdio>
#include <fmt/format.h>

#include "cli/help.h"
#include "cli/output.h"
#include "machine/quote.h"

namespace nacre::cli {

using machine::quoted;

namespace {

std::vector<std::string_view> choices(const Option& option) {
  std::vector<std::string_view> words;
  if (option.takes.find('|') == std::string_view::npos) return words;
  for (size_t begin = 0; begin <= option.takes.size();) {
    size_t end = std::min(option.takes.find('|', begin), option.takes.size());
    words.push_back(option.takes.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

template <typename Words>
std::string join(const Words& words, std::string_view separator = " ") {
  return fmt::format("{}", fmt::join(words, separator));
}

std::vector<std::string_view> verb_names() {
  std::vector<std::string_view> names;
  for (const Verb* verb : verbs()) names.push_back(verb->name);
  return names;
}

std::vector<std::string> spellings(const Verb& verb) {
  std::vector<std::string> words;
  for (const Option& option : verb.options) words.push_back(fmt::format("--{}", option.name));
  for (const Option& option : shared_options()) words.push_back(fmt::format("--{}", option.name));
  return words;
}

std::string bash() {
  std::string script = fmt::format(
      "_nacre() {{\n"
      "  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} "
      "verb=${{COMP_WORDS[1]}}\n"
      "  if ((COMP_CWORD == 1)); then\n"
      "    COMPREPLY=($(compgen -W '{} --help --version' -- \"$word\") "
      "$(compgen -f -- \"$word\"))\n"
      "    return\n"
      "  fi\n"
      "  case $verb:$before in\n",
      join(verb_names()));
  for (const Verb* verb : verbs()) {
    for (const Option& option : verb->options) {
      if (choices(option).empty()) continue;
      script += fmt::format(
          "    {}:--{}{}) COMPREPLY=($(compgen -W '{}' -- \"$word\")); return ;;\n", verb->name,
          option.name,
          option.letter == '\0' ? "" : fmt::format("|{}:-{}", verb->name, option.letter),
          join(choices(option)));
    }
  }
  script += "  esac\n  local options=\n  case $verb in\n";
  for (const Verb* verb : verbs()) {
    script += fmt::format("    {}) options='{}' ;;\n", verb->name, join(spellings(*verb)));
  }
  script += fmt::format(
      "    *) options='{}' ;;\n"
      "  esac\n"
      "  if [[ $word == -* ]]; then\n"
      "    COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
      "  elif [[ $verb == help ]]; then\n"
      "    COMPREPLY=($(compgen -W '{}' -- \"$word\"))\n"
      "  else\n"
      "    COMPREPLY=($(compgen -f -- \"$word\"))\n"
      "  fi\n"
      "}}\n"
      "complete -o filenames -F _nacre nacre\n",
      find_verb("check") != nullptr ? join(spellings(*find_verb("check"))) : "",
      join(verb_names()));
  return script;
}

// In zsh's _arguments a colon and brackets have a meaning of their own.
std::string zsh_text(std::string_view text) {
  std::string result;
  for (char c : text) {
    if (c == ':' || c == '[' || c == ']' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

std::string zsh_action(const Option& option) {
  if (option.takes.empty()) return "";
  if (!choices(option).empty()) return fmt::format(":value:({})", join(choices(option)));
  bool is_path = option.takes == "FILE" || option.takes == "DIR";
  return fmt::format(":{}:{}", option.takes, is_path ? "_files" : "");
}

std::string zsh() {
  std::string script = "#compdef nacre\n\n_nacre() {\n  local -a verbs\n  verbs=(\n";
  for (const Verb* verb : verbs()) {
    script +=
        fmt::format("    {}\n", quoted(fmt::format("{}:{}", verb->name, zsh_text(verb->summary))));
  }
  script +=
      "  )\n  if ((CURRENT == 2)); then\n    _describe verb verbs\n    _files\n    return\n  fi\n"
      "  local verb=$words[2]\n  shift words\n  ((CURRENT--))\n  case $verb in\n";
  for (const Verb* verb : verbs()) {
    script += fmt::format("    {}) _arguments", verb->name);
    for (const Option& option : verb->options) {
      std::string tail = fmt::format("[{}]{}", zsh_text(option.help), zsh_action(option));
      script += " " + quoted(fmt::format("*--{}{}", option.name, tail));
      if (option.letter != '\0') script += " " + quoted(fmt::format("*-{}{}", option.letter, tail));
    }
    script += verb->operands.empty() ? " ;;\n" : " '*:operand:_files' ;;\n";
  }
  return script + "    *) _files ;;\n  esac\n}\n\ncompdef _nacre nacre\n";
}

std::string fish() {
  std::string script;
  for (const Verb* verb : verbs()) {
    script += fmt::format("complete -c nacre -n __fish_use_subcommand -a {} -d {}\n", verb->name,
                          quoted(verb->summary));
    for (const Option& option : verb->options) {
      script += fmt::format("complete -c nacre -n '__fish_seen_subcommand_from {}' -l {} -d {}",
                            verb->name, option.name, quoted(option.help));
      if (option.letter != '\0') script += fmt::format(" -s {}", option.letter);
      if (!option.takes.empty()) script += " -r";
      if (!choices(option).empty())
        script += fmt::format(" -f -a {}", quoted(join(choices(option))));
      script += "\n";
    }
  }
  return script;
}

struct Target {
  std::string_view shell;
  std::string (*script)();
};
constexpr Target kTargets[] = {{"bash", bash}, {"zsh", zsh}, {"fish", fish}};

int run_completion(const Arguments& arguments) {
  for (const Target& target : kTargets) {
    if (arguments.operands().size() != 1 || arguments.operands()[0] != target.shell) continue;
    fmt::print("{}", target.script());
    return kClean;
  }
  complain("completion", "expected one of bash, zsh, fish");
  return kUsage;
}

constexpr Verb kVerb = {.name = "completion",
                        .summary = "print the completions for bash, zsh or fish",
                        .operands = "SHELL",
                        .run = run_completion};

}  // namespace

const Verb& completion_verb() { return kVerb; }

}  // namespace nacre::cli
