#include "docker/parse_arguments.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

#include "base/ascii.h"
#include "base/nearest.h"
#include "docker/text.h"

namespace nacre::docker {

namespace {

// How the arguments of an instruction are read, and how many there must be.
enum class Reading : uint8_t { kWords, kText, kListOrText, kListOrWords, kPairs, kNames, kOther };

struct KeywordRow {
  std::string_view name;
  Reading reading;
  size_t least;  // arguments
  size_t most;   // 0: any number
  std::string_view flags;
};

// In the order of Keyword.
constexpr KeywordRow kKeywords[] = {
    {"ADD", Reading::kListOrWords, 2, 0, "chown chmod link keep-git-dir checksum exclude unpack"},
    {"ARG", Reading::kNames, 1, 0, ""},
    {"CMD", Reading::kListOrText, 0, 0, ""},
    {"COPY", Reading::kListOrWords, 2, 0, "from chown chmod link parents exclude"},
    {"ENTRYPOINT", Reading::kListOrText, 0, 0, ""},
    {"ENV", Reading::kPairs, 1, 0, ""},
    {"EXPOSE", Reading::kWords, 1, 0, ""},
    {"FROM", Reading::kWords, 1, 3, "platform"},
    {"HEALTHCHECK", Reading::kOther, 1, 0, "interval timeout start-period start-interval retries"},
    {"LABEL", Reading::kPairs, 1, 0, ""},
    {"MAINTAINER", Reading::kText, 1, 0, ""},
    {"ONBUILD", Reading::kOther, 1, 0, ""},
    {"RUN", Reading::kListOrText, 0, 0, "mount network security device"},
    {"SHELL", Reading::kListOrText, 1, 0, ""},
    {"STOPSIGNAL", Reading::kText, 1, 1, ""},
    {"USER", Reading::kText, 1, 1, ""},
    {"VOLUME", Reading::kListOrWords, 1, 0, ""},
    {"WORKDIR", Reading::kText, 1, 0, ""},
};

const KeywordRow& row_of(Keyword keyword) { return kKeywords[static_cast<size_t>(keyword)]; }

Keyword keyword_named(std::string_view name) {
  const std::string upper = upper_case(name);
  const auto* at = std::find_if(std::begin(kKeywords), std::end(kKeywords),
                                [&](const KeywordRow& row) { return row.name == upper; });
  return static_cast<Keyword>(at - std::begin(kKeywords));
}

bool is_flag_of(const KeywordRow& row, std::string_view name) {
  std::string_view flags = row.flags;
  while (!flags.empty()) {
    const size_t end = std::min(flags.find(' '), flags.size());
    if (flags.substr(0, end) == name) return true;
    flags.remove_prefix(std::min(end + 1, flags.size()));
  }
  return false;
}

// A flag that may stand without a value.
bool is_switch(std::string_view name) {
  return name == "link" || name == "parents" || name == "keep-git-dir" || name == "unpack";
}

// As Go reads them: `1m30s`, `1.5h`; a zero needs no unit.
bool is_duration(std::string_view text) {
  if (text == "0") return true;
  bool has_part = false;
  while (!text.empty()) {
    const size_t digits = std::min(text.find_first_not_of("0123456789."), text.size());
    if (digits == 0 || text.substr(0, digits) == ".") return false;
    text.remove_prefix(digits);
    constexpr std::string_view kUnits[] = {"ns", "us", "\u00b5s", "ms", "s", "m", "h"};
    const auto* unit = std::find_if(std::begin(kUnits), std::end(kUnits),
                                    [&](std::string_view each) { return text.starts_with(each); });
    if (unit == std::end(kUnits)) return false;
    text.remove_prefix(unit->size());
    has_part = true;
  }
  return has_part;
}

class Reader {
 public:
  Reader(std::shared_ptr<const Line> line, size_t begin, char escape,
         std::vector<Problem>& problems)
      : escape_(escape), problems_(problems) {
    made_.line = std::move(line);
    made_.rest = begin;
  }

  Instruction run() {
    read_name();
    made_.span = {made_.name_span.begin, made_.line->span.end};
    if (made_.keyword == Keyword::kUnknown) {
      problem(made_.name_span, unknown_message());
      made_.words = split_words(line(), made_.rest, escape_);
      return std::move(made_);
    }
    read_flags();
    read_arguments();
    check_count();
    return std::move(made_);
  }

 private:
  [[nodiscard]] const Line& line() const { return *made_.line; }
  [[nodiscard]] std::string_view rest() const { return made_.arguments(); }
  void problem(Span span, std::string message) { problems_.push_back({span, std::move(message)}); }

  void skip_blanks() { made_.rest = line().text.size() - trim_left(rest()).size(); }

  void read_name() {
    skip_blanks();
    const size_t begin = made_.rest;
    const size_t end =
        std::min(line().text.find_first_of(" \t\r\n\v\f", begin), line().text.size());
    made_.name = line().text.substr(begin, end - begin);
    made_.name_span = line().place(begin, end);
    made_.keyword = keyword_named(made_.name);
    made_.rest = end;
    skip_blanks();
  }

  [[nodiscard]] std::string unknown_message() const {
    std::vector<std::string_view> names;
    for (const KeywordRow& row : kKeywords) names.push_back(row.name);
    const auto near = nearest(upper_case(made_.name), names);
    return fmt::format("there is no instruction {}{}", made_.name,
                       near ? fmt::format("; did you mean {}?", *near) : "");
  }

  void read_flags() {
    while (rest().starts_with("--")) {
      const Word word = first_word();
      made_.rest += word.text.size();
      skip_blanks();
      if (word.text == "--") return;
      add_flag(word);
    }
  }

  [[nodiscard]] Word first_word() const {
    const size_t end = end_of_word(line().text, made_.rest, escape_);
    return {line().text.substr(made_.rest, end - made_.rest), line().place(made_.rest, end)};
  }

  void add_flag(const Word& word) {
    const size_t equals = word.text.find('=');
    Flag flag;
    flag.name = word.text.substr(2, equals == std::string::npos ? equals : equals - 2);
    flag.has_value = equals != std::string::npos;
    if (flag.has_value) flag.value = word.text.substr(equals + 1);
    flag.span = word.span;
    if (!is_flag_of(row_of(made_.keyword), flag.name)) {
      problem(word.span, fmt::format("{} has no flag --{}", row_of(made_.keyword).name, flag.name));
    } else if (!flag.has_value && !is_switch(flag.name)) {
      problem(word.span, fmt::format("--{0} needs a value: --{0}=...", flag.name));
      made_.lacks_value = true;
    }
    made_.flags.push_back(std::move(flag));
  }

  void read_arguments() {
    switch (row_of(made_.keyword).reading) {
      case Reading::kListOrText:
      case Reading::kListOrWords:
        if (auto list = read_json_list(line(), made_.rest, made_.keyword == Keyword::kShell)) {
          made_.form = Form::kJson;
          made_.words = *std::move(list);
        } else {
          made_.words = split_words(line(), made_.rest, escape_);
        }
        return;
      case Reading::kPairs:
      case Reading::kNames: return read_pairs();
      case Reading::kText: return read_text();
      case Reading::kOther: return read_inner();
      case Reading::kWords: made_.words = split_words(line(), made_.rest, escape_); return;
    }
  }

  void read_text() {
    const size_t size = trim(rest()).size();
    if (size == 0) return;
    made_.words.push_back(
        {line().text.substr(made_.rest, size), line().place(made_.rest, made_.rest + size)});
  }

  void read_pairs() {
    const std::vector<Word> words = split_words(line(), made_.rest, escape_);
    made_.words = words;
    const bool is_arg = made_.keyword == Keyword::kArg;
    if (!is_arg && !words.empty() && words[0].text.find('=') == std::string::npos)
      return read_legacy_pair(words);
    for (const Word& word : words) {
      const size_t equals = word.text.find('=');
      if (equals == std::string::npos && !is_arg) {
        problem(word.span, fmt::format("{} is not of the form name=value", word.text));
        continue;
      }
      if (equals == 0) problem(word.span, "the name before = is missing");
      made_.pairs.push_back(split_pair(word, equals));
    }
  }

  // The places of its two halves are exact only where the word is on one line, which is enough.
  static Pair split_pair(const Word& word, size_t equals) {
    if (equals == std::string::npos) return {word, {"", {word.span.end, word.span.end}}, false};
    const auto at = static_cast<uint32_t>(equals);
    const uint32_t cut = std::min(word.span.begin + at, word.span.end);
    return {{word.text.substr(0, equals), {word.span.begin, cut}},
            {word.text.substr(equals + 1), {std::min(cut + 1, word.span.end), word.span.end}},
            true};
  }

  // `ENV name the whole rest`.
  void read_legacy_pair(const std::vector<Word>& words) {
    made_.is_legacy = true;
    if (words.size() < 2) {
      return problem(words[0].span, fmt::format("{} needs a value: write {}={}",
                                                row_of(made_.keyword).name, words[0].text, "..."));
    }
    const size_t begin = made_.rest + words[0].text.size();
    const std::string_view value = trim(std::string_view(line().text).substr(begin));
    made_.pairs.push_back(
        {words[0], {std::string(value), cover(words[1].span, words.back().span)}, true});
  }

  // ONBUILD holds an instruction, HEALTHCHECK CMD a command.
  void read_inner() {
    made_.words = split_words(line(), made_.rest, escape_);
    if (made_.words.empty()) return;
    if (made_.keyword == Keyword::kOnbuild) {
      // ONBUILD ONBUILD is an error; what is in the second one does not matter.
      const std::string_view before = trim(std::string_view(line().text).substr(0, made_.rest));
      if (before.find_first_of(" \t") != std::string_view::npos) return;
      made_.inner = std::make_shared<const Instruction>(
          read_instruction(made_.line, made_.rest, escape_, problems_));
      return;
    }
    const std::string kind = upper_case(made_.words[0].text);
    if (kind == "CMD") {
      made_.inner = std::make_shared<const Instruction>(
          read_instruction(made_.line, made_.rest, escape_, problems_));
      if (made_.inner->words.empty()) problem(made_.span, "HEALTHCHECK CMD needs a command");
    } else if (kind != "NONE") {
      problem(made_.words[0].span, "HEALTHCHECK is followed by NONE or CMD");
    } else if (made_.words.size() > 1) {
      problem(made_.words[1].span, "HEALTHCHECK NONE takes no arguments");
    }
  }

  void check_count() {
    const KeywordRow& row = row_of(made_.keyword);
    const size_t count = made_.words.size() + (made_.here_documents.empty() ? 0 : 1);
    if (count < row.least) {
      const std::string_view what = row.least == 1 ? "an argument" : "at least two arguments";
      return problem(made_.span, fmt::format("{} needs {}", row.name, what));
    }
    if (row.most != 0 && count > row.most)
      problem(made_.words[row.most].span, fmt::format("{} has too many arguments", row.name));
    if (made_.keyword == Keyword::kFrom) check_from();
    if (made_.keyword == Keyword::kHealthcheck) check_durations();
    if (made_.keyword == Keyword::kShell && made_.form != Form::kJson)
      problem(made_.arguments_span(), "SHELL needs a JSON list: [\"program\", \"argument\"]");
  }

  // `--interval=30s`: the builder wants a unit, and whole retries.
  void check_durations() {
    for (const Flag& flag : made_.flags) {
      if (flag.value.find('$') != std::string::npos) continue;
      if (flag.name == "retries") {
        if (!is_digits(flag.value))
          problem(flag.span, fmt::format("--retries needs a number, not '{}'", flag.value));
      } else if (!is_duration(flag.value)) {
        problem(flag.span,
                fmt::format("'{}' is no time: write a number with its unit, like 30s", flag.value));
      }
    }
  }

  void check_from() {
    const auto& words = made_.words;
    const bool has_name = words.size() == 3 && lower_case(words[1].text) == "as";
    if (words.size() == 2 || (words.size() == 3 && !has_name))
      problem(words[1].span, "FROM is followed by an image, or by an image AS a name");
  }

  Instruction made_;
  char escape_;
  std::vector<Problem>& problems_;
};

}  // namespace

std::string_view name_of(Keyword keyword) {
  return keyword == Keyword::kUnknown ? "" : row_of(keyword).name;
}

const Flag* Instruction::flag(std::string_view wanted) const {
  const auto at = std::find_if(flags.begin(), flags.end(),
                               [&](const Flag& each) { return each.name == wanted; });
  return at == flags.end() ? nullptr : &*at;
}

Instruction read_instruction(std::shared_ptr<const Line> line, size_t begin, char escape,
                             std::vector<Problem>& problems) {
  return Reader(std::move(line), begin, escape, problems).run();
}

}  // namespace nacre::docker
