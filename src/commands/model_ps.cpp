// ps: its columns, by the options that choose them, with their header and as wide as they come.
#include <algorithm>
#include <array>

#include "commands/card_type.h"
#include "commands/models.h"

namespace nacre::commands {

namespace {

struct Format {
  std::string_view header;
  std::string_view row;
};

constexpr Format kShort = {R"( *PID TTY +TIME CMD)", R"( *[0-9]+ [^[:space:]]+ +[0-9:-]+ .+)"};
constexpr Format kFull = {
    R"(UID +PID +PPID +C STIME TTY +TIME CMD)",
    R"([^[:space:]]+ +[0-9]+ +[0-9]+ +[0-9]+ [^[:space:]]+ [^[:space:]]+ +[0-9:-]+ .+)"};
constexpr Format kUser = {
    R"(USER +PID %CPU %MEM +VSZ +RSS TTY +STAT START +TIME COMMAND)",
    R"([^[:space:]]+ +[0-9]+ +[0-9]+(\.[0-9]+)? +[0-9]+(\.[0-9]+)? +[0-9]+ +[0-9]+ [^[:space:]]+ +[^[:space:]]+ +[^[:space:]]+ +[0-9:]+ .+)"};

struct Column {
  std::string_view name;
  std::string_view type;
};

constexpr auto kColumns = std::to_array<Column>({
    {"pid", "[0-9]+"},
    {"ppid", "-?[0-9]+"},
    {"pgid", "-?[0-9]+"},
    {"sid", "-?[0-9]+"},
    {"uid", "[0-9]+"},
    {"gid", "[0-9]+"},
    {"euid", "[0-9]+"},
    {"rss", "[0-9]+"},
    {"vsz", "[0-9]+"},
    {"nlwp", "[0-9]+"},
    {"ni", "(-?[0-9]+|-)"},
    {"%cpu", "[0-9]+(\\.[0-9]+)?"},
    {"pcpu", "[0-9]+(\\.[0-9]+)?"},
    {"%mem", "[0-9]+(\\.[0-9]+)?"},
    {"pmem", "[0-9]+(\\.[0-9]+)?"},
    {"user", "[^[:space:]]+"},
    {"ruser", "[^[:space:]]+"},
    {"euser", "[^[:space:]]+"},
    {"tty", "[^[:space:]]+"},
    {"tname", "[^[:space:]]+"},
    {"stat", "[A-Za-z<+]+"},
    {"state", "[A-Z]"},
    {"s", "[A-Z]"},
    {"etimes", "[0-9]+"},
    {"time", "[0-9:-]+"},
    {"etime", "[0-9:-]+"},
    {"comm", ".+"},
    {"ucmd", ".+"},
    {"cmd", ".+"},
    {"args", ".+"},
    {"command", ".+"},
});

// The letters of option words (`-ef`, `aux`), and the list behind `-o`.
struct Columns {
  std::string letters;
  std::vector<std::string> columns;
  bool is_known = true;
};

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
    if (!operands[i].text || operands[i].text->starts_with("--")) {
      result.is_known = false;
      continue;
    }
    std::string_view word = *operands[i].text;
    const bool has_dash = word.starts_with('-');
    if (has_dash) word.remove_prefix(1);
    const size_t list = word.find('o');
    result.letters += word.substr(0, list);
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

// Rows of the columns of -o; a name with `=` gives its column another header or none.
std::optional<Stream> chosen_columns(const Columns& choice, Context& context) {
  std::string row;
  bool has_header = false;
  for (const std::string& wanted : choice.columns) {
    const std::string_view name = std::string_view(wanted).substr(0, wanted.find('='));
    const auto* column = std::find_if(kColumns.begin(), kColumns.end(),
                                      [&](const Column& each) { return each.name == name; });
    if (column == kColumns.end()) return std::nullopt;
    has_header |= !wanted.ends_with('=');
    row += (row.empty() ? " *" : " +") + std::string(column->type);
  }
  Stream result(card_type(context, row + " *", context.empty()));
  if (has_header) result.first.push_back(any_text(context));
  return result;
}

}  // namespace

Behaviour model_ps(const Invocation& invocation, const Surroundings& around) {
  Context& context = around.context();
  Behaviour result(opaque_stream(context));
  result.reads_input = false;
  const Columns choice = wanted_by(invocation.operands);
  if (!choice.is_known) return result;
  if (!choice.columns.empty()) {
    if (auto rows = chosen_columns(choice, context)) result.output = *rows;
    result.output.is_aligned = choice.columns.size() > 1;
    return result;
  }
  const bool is_dashed =
      !invocation.operands.empty() && invocation.operands[0].text->starts_with('-');
  const auto only = [&](std::string_view letters) {
    return choice.letters.find_first_not_of(letters) == std::string::npos;
  };
  const bool has_full = choice.letters.find('f') != std::string::npos;
  const bool has_user = choice.letters.find('u') != std::string::npos;
  const Format* format = nullptr;
  if (is_dashed || choice.letters.empty()) {
    if (only("eAadfp")) format = has_full ? &kFull : &kShort;
    if (choice.letters == "aux") format = &kUser;  // as most read it, with or without the dash
  } else if (has_user && only("auxw")) {
    format = &kUser;
  }
  if (format == nullptr) return result;
  result.output = Stream(card_type(context, format->row, context.empty()));
  result.output.first.push_back(card_type(context, format->header, context.empty()));
  result.output.count.least = 1;
  result.output.order = Order::kScattered;
  result.output.is_aligned = true;
  return result;
}

}  // namespace nacre::commands
