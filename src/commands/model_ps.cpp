// ps: its columns, by the options that choose them, with their header and as wide as they come.
#include <algorithm>

#include "commands/models.h"
#include "commands/rows.h"

namespace nacre::commands {

namespace {

constexpr std::string_view kShort = "aligned heading pid tty=TTY time comm=CMD";
constexpr std::string_view kFull =
    "aligned heading user=UID pid ppid c stime tty=TTY time args=CMD";
constexpr std::string_view kUser =
    "aligned heading user pid %cpu %mem vsz rss tty=TTY stat start:{word}=START time args=COMMAND";

// The letters of option words (`-ef`, `aux`), and the list after `-o`.
struct Columns {
  std::string letters;
  std::string dashed;  // those of words with a dash: BSD's `e` shows the environment
  std::vector<std::string> columns;
  bool has_headings = true;
  bool is_known = true;
};

// Words that change neither the columns nor which processes are listed.
bool is_harmless(std::string_view word) {
  return word.starts_with("--sort=") || word.starts_with("--cols=") ||
         word.starts_with("--columns=") || word.starts_with("--width=") ||
         word.starts_with("--rows=") || word.starts_with("--lines=");
}

bool drops_headings(std::string_view word) {
  return word == "--no-headers" || word == "--no-heading" || word == "--no-headings" ||
         word == "--noheader" || word == "--noheaders" || word == "--noheading" ||
         word == "--noheadings";
}

void add_columns(std::string_view list, Columns& choice) {
  while (!list.empty()) {
    const size_t end = std::min(list.find_first_of(", "), list.size());
    if (end > 0) choice.columns.emplace_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
}

Columns wanted_by(const std::vector<Argument>& operands) {
  Columns result;
  for (size_t i = 0; i < operands.size(); i++) {
    if (operands[i].text && drops_headings(*operands[i].text)) {
      result.has_headings = false;
      continue;
    }
    if (operands[i].text && is_harmless(*operands[i].text)) continue;
    if (!operands[i].text || operands[i].text->starts_with("--")) {
      result.is_known = false;
      continue;
    }
    std::string_view word = *operands[i].text;
    const bool has_dash = word.starts_with('-');
    if (has_dash) word.remove_prefix(1);
    const size_t list = word.find('o');
    result.letters += word.substr(0, list);
    if (has_dash) result.dashed += word.substr(0, list);
    const bool takes_word = list == std::string_view::npos && has_dash &&
                            word.find_first_of("CGgpstUuq") != std::string_view::npos;
    if (takes_word) i++;  // -p PID, -u USER
    if (list == std::string_view::npos) continue;
    if (list + 1 < word.size()) {
      add_columns(word.substr(list + 1), result);
    } else if (++i < operands.size() && operands[i].text) {
      add_columns(*operands[i].text, result);
    } else {
      result.is_known = false;
    }
  }
  return result;
}

// `ps -e`, `ps -A`, `ps ax`: every process, and so the one that reads the list. Another letter may
// choose some of them (-p, -C, -u).
bool lists_all(const Columns& choice) {
  const auto has = [&](char letter) { return choice.letters.find(letter) != std::string::npos; };
  const bool is_all =
      choice.dashed.find_first_of("eA") != std::string::npos || (has('a') && has('x'));
  return is_all && choice.letters.find_first_of("CGgpstUq") == std::string::npos;
}

void note_reader(const Columns& choice, Stream& rows) {
  if (!rows.producer || !lists_all(choice)) return;
  auto producer = std::make_shared<Producer>(*rows.producer);
  producer->lists_reader = true;
  rows.producer = std::move(producer);
}

// Rows of the columns of -o; a name with `=` gives its column another heading or none.
std::optional<Stream> chosen_columns(const Invocation& invocation, const Columns& choice,
                                     Context& context) {
  std::string row = "aligned";
  const auto has_heading = [](const std::string& column) { return !column.ends_with('='); };
  const bool is_headed = std::any_of(choice.columns.begin(), choice.columns.end(), has_heading);
  if (is_headed && choice.has_headings) row += " heading";
  for (const std::string& column : choice.columns) {
    const bool is_renamed = column.find('=') != std::string::npos && has_heading(column);
    if (is_renamed) return std::nullopt;
    row += " " + (has_heading(column) ? column : column.substr(0, column.size() - 1));
  }
  return rows_from(invocation, context, row);
}

}  // namespace

Behaviour model_ps(const Invocation& invocation, const Surroundings& around) {
  Context& context = around.context();
  Behaviour result(opaque_stream(context));
  result.reads_input = false;
  const Columns choice = wanted_by(invocation.operands);
  if (!choice.is_known) return result;
  if (!choice.columns.empty()) {
    if (auto rows = chosen_columns(invocation, choice, context)) result.output = *rows;
    note_reader(choice, result.output);
    result.output.order = Order::kScattered;
    return result;
  }
  const auto rows_in = [&](std::string format) {
    constexpr std::string_view kHeading = " heading";
    if (!choice.has_headings) format.erase(format.find(kHeading), kHeading.size());
    return rows_from(invocation, context, format);
  };
  const bool is_dashed =
      !invocation.operands.empty() && invocation.operands[0].text->starts_with('-');
  const auto only = [&](std::string_view letters) {
    return choice.letters.find_first_not_of(letters) == std::string::npos;
  };
  const bool has_full = choice.letters.find('f') != std::string::npos;
  const bool has_user = choice.letters.find('u') != std::string::npos;
  std::string_view format;
  if (is_dashed || choice.letters.empty()) {
    if (only("eAadfp")) format = has_full ? kFull : kShort;
    if (choice.letters == "aux") format = kUser;  // as most read it, with or without the dash
  } else if (has_user && only("auxw")) {
    format = kUser;
  }
  if (auto rows = format.empty() ? std::nullopt : rows_in(std::string(format))) {
    result.output = *rows;
    note_reader(choice, result.output);
    result.output.order = Order::kScattered;
  }
  return result;
}

}  // namespace nacre::commands
