// `nacre man`: the manual page, in roff, made from the verb table.
#include <cstdio>
#include <fmt/format.h>

#include "cli/help.h"

namespace nacre::cli {

namespace {

constexpr std::string_view kIntroduction =
    "Nacre finds bugs in shell scripts, Makefiles, Dockerfiles and Python programs without running "
    "them. Only sh, bash and run execute anything on this system; step, explore, colis, make, "
    "verify "
    "and purify run scripts in simulated worlds.";

constexpr std::pair<std::string_view, std::string_view> kStatuses[] = {
    {"0", "nothing to report"},
    {"1", "findings at or above the threshold"},
    {"2", "a file could not be read, parsed or fully analysed; the rest is still reported"},
    {"3", "invalid command line or configuration"},
};

constexpr std::pair<std::string_view, std::string_view> kFiles[] = {
    {"nacre.toml, .nacre.toml",
     "configuration: the nearest one in or above the directory of each checked file"},
    {".gitignore", "files that are skipped in directories"},
};

constexpr std::pair<std::string_view, std::string_view> kEnvironment[] = {
    {"NO_COLOR", "set: no colour"},
};

// Text as roff shows it: no escapes, no hyphenated dashes, no request at the start of a line.
std::string roff(std::string_view text) {
  std::string result;
  bool is_line_start = true;
  for (char c : text) {
    if (is_line_start && (c == '.' || c == '\'')) result += "\\&";
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else {
      result += c;
    }
    is_line_start = c == '\n';
  }
  return result;
}

// Blank lines are paragraphs.
std::string paragraphs(std::string_view text) {
  std::string result = ".PP\n";
  for (size_t begin = 0; begin <= text.size();) {
    size_t end = std::min(text.find('\n', begin), text.size());
    result += begin == end ? ".PP\n" : roff(text.substr(begin, end - begin)) + "\n";
    begin = end + 1;
  }
  return result;
}

std::string definition(std::string_view term, std::string_view text) {
  return fmt::format(".TP\n.B {}\n{}\n", roff(term), roff(text));
}

std::string definitions(std::span<const Option> options) {
  std::string text;
  for (const Option& option : options) {
    std::string term = spelling(option);
    text += definition(term.substr(term.find_first_not_of(' ')), option.help);
  }
  return text;
}

template <typename Pairs>
std::string section(std::string_view title, const Pairs& pairs) {
  std::string text = fmt::format(".SH {}\n", title);
  for (const auto& [term, meaning] : pairs) text += definition(term, meaning);
  return text;
}

int run_man(const Arguments&) {
  std::string page = fmt::format(".TH NACRE 1 \"\" \"nacre {}\"\n", NACRE_VERSION);
  page += ".SH NAME\nnacre \\- understand shell scripts before they run\n.SH SYNOPSIS\n";
  page += ".B nacre\n.I COMMAND\n[\\fIOPTIONS\\fR] ...\n.br\n.B nacre\n.IR FILE ...\n";
  page += ".SH DESCRIPTION\n" + paragraphs(kIntroduction);
  page += ".SH OPTIONS\n" + definitions(global_options());
  page += ".SH COMMANDS\n";
  for (const Verb* verb : verbs()) {
    page += fmt::format(".SS {}\n{}\n", roff(synopsis(*verb)), roff(verb->summary));
    if (!verb->description.empty()) page += paragraphs(verb->description);
    page += definitions(verb->options);
  }
  page += section("EXIT STATUS", kStatuses) + section("FILES", kFiles) +
          section("ENVIRONMENT", kEnvironment);
  fmt::print("{}", page);
  return kClean;
}

constexpr Verb kVerb = {
    .name = "man", .summary = "print the manual page, in roff", .operands = "", .run = run_man};

}  // namespace

const Verb& man_verb() { return kVerb; }

}  // namespace nacre::cli
