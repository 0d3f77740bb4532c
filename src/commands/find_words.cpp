#include "commands/find_words.h"

#include <algorithm>
#include <array>
#include <fmt/core.h>

#include "base/ascii.h"

namespace nacre::commands {

namespace {

constexpr auto kAlone = std::to_array<std::string_view>({"-empty",
                                                         "-executable",
                                                         "-readable",
                                                         "-writable",
                                                         "-false",
                                                         "-true",
                                                         "-nouser",
                                                         "-nogroup",
                                                         "-print",
                                                         "-print0",
                                                         "-prune",
                                                         "-quit",
                                                         "-delete",
                                                         "-ls",
                                                         "-daystart",
                                                         "-depth",
                                                         "-d",
                                                         "-follow",
                                                         "-ignore_readdir_race",
                                                         "-noignore_readdir_race",
                                                         "-mount",
                                                         "-xdev",
                                                         "-noleaf",
                                                         "-nowarn",
                                                         "-warn",
                                                         "-help",
                                                         "-version",
                                                         "--help",
                                                         "--version",
                                                         "-H",
                                                         "-L",
                                                         "-P"});
constexpr auto kWithOne = std::to_array<std::string_view>(
    {"-amin",   "-anewer", "-atime",   "-cmin",      "-cnewer",  "-ctime",      "-fstype",
     "-gid",    "-group",  "-ilname",  "-iname",     "-inum",    "-ipath",      "-iregex",
     "-links",  "-lname",  "-mmin",    "-mtime",     "-name",    "-newer",      "-path",
     "-perm",   "-regex",  "-size",    "-regextype", "-type",    "-samefile",   "-uid",
     "-used",   "-user",   "-xtype",   "-wholename", "-fls",     "-maxdepth",   "-mindepth",
     "-printf", "-fprint", "-fprint0", "-D",         "-context", "-iwholename", "-files0-from"});
constexpr auto kCalls = std::to_array<std::string_view>({"-exec", "-execdir", "-ok", "-okdir"});

template <typename List>
bool is_in(const List& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

bool is_binary(std::string_view word) {
  return word == "-o" || word == "-or" || word == "-a" || word == "-and" || word == ",";
}

bool is_type_list(std::string_view text) {
  for (size_t i = 0; i < text.size(); i++) {
    const std::string_view allowed = i % 2 == 0 ? "bcdpflsD" : ",";
    if (allowed.find(text[i]) == std::string_view::npos) return false;
  }
  return text.size() % 2 == 1;
}

// `+100M`: a sign, digits, and at most one of the letters; BSD's find has more of them than GNU's.
bool is_amount(std::string_view text, std::string_view units) {
  if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  const size_t end = std::min(text.find_first_not_of("0123456789."), text.size());
  if (end == 0) return false;
  text.remove_prefix(end);
  return text.empty() || (text.size() == 1 && units.find(text[0]) != std::string_view::npos);
}

// With units BSD's takes several, as in -mtime +1h30m.
bool is_age(std::string_view text) {
  if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  const size_t first = text.starts_with('.') ? 1 : 0;  // `.5` is half a day
  return text.size() > first && is_digit(text[first]) &&
         text.find_first_not_of("0123456789.smhdw") == std::string_view::npos;
}

class Checker {
 public:
  explicit Checker(std::span<const Argument> words) : words_(words) {}

  std::optional<RefusedWord> run() {
    while (at_ < words_.size() && !refused_) step();
    if (!refused_ && !open_.empty()) refuse(open_.back(), "this '(' is never closed");
    if (!refused_ && needs_operand_ && !words_.empty())
      refuse(words_.size() - 1,
             fmt::format("there is nothing after '{}'", word(words_.size() - 1)));
    return refused_;
  }

 private:
  [[nodiscard]] std::string_view word(size_t index) const { return *words_[index].text; }

  void refuse(size_t index, std::string message) {
    refused_ = RefusedWord{words_[index].span, std::move(message)};
  }

  void step() {
    const size_t here = at_++;
    const std::string_view text = word(here);
    if (text == "(") {
      open_.push_back(here);
      needs_operand_ = true;
    } else if (text == ")") {
      if (open_.empty() || needs_operand_) return refuse(here, "this ')' closes nothing");
      open_.pop_back();
    } else if (text == "!" || text == "-not") {
      needs_operand_ = true;
    } else if (is_binary(text)) {
      if (needs_operand_) return refuse(here, fmt::format("there is nothing before '{}'", text));
      needs_operand_ = true;
    } else {
      predicate(here, text);
      needs_operand_ = false;
    }
  }

  void predicate(size_t here, std::string_view text) {
    if (is_in(kCalls, text)) return call(here);
    const bool has_two = text == "-fprintf";
    const bool has_one = is_in(kWithOne, text) || (text.starts_with("-newer") && text.size() == 8);
    if (has_one || has_two) {
      if (at_ + (has_two ? 1 : 0) >= words_.size())
        return refuse(here, fmt::format("missing argument to '{}'", text));
      check_argument(text, at_);
      at_ += has_two ? 2 : 1;
    } else if (!is_in(kAlone, text) && !text.starts_with("-O")) {
      refuse(here, text.starts_with('-')
                       ? fmt::format("unknown predicate '{}'", text)
                       : fmt::format("paths must precede expression: '{}'", text));
    }
  }

  void check_argument(std::string_view predicate, size_t index) {
    const std::string_view text = word(index);
    const bool is_depth = predicate == "-maxdepth" || predicate == "-mindepth";
    if (is_depth && !is_digits(text))
      refuse(index, fmt::format("{} needs a number, not '{}'", predicate, text));
    if (predicate == "-size" && !is_amount(text, "bcwkMGTP"))
      refuse(index, fmt::format("invalid argument '{}' to -size: write 100k, 100M or 1G", text));
    const bool is_time = predicate == "-mtime" || predicate == "-atime" || predicate == "-ctime";
    if (is_time && !is_age(text))
      refuse(index, fmt::format("invalid argument '{}' to {}: it takes days", text, predicate));
    const bool is_minutes = predicate == "-mmin" || predicate == "-amin" || predicate == "-cmin";
    if (is_minutes && !is_amount(text, ""))
      refuse(index, fmt::format("invalid argument '{}' to {}: it takes minutes", text, predicate));
    if ((predicate == "-type" || predicate == "-xtype") && !is_type_list(text))
      refuse(index, fmt::format("unknown argument to {}: '{}'", predicate, text));
  }

  // Up to `;`, or `{} +`.
  void call(size_t here) {
    for (; at_ < words_.size(); at_++) {
      const bool ends_list = word(at_) == "+" && word(at_ - 1) == "{}";
      if (word(at_) != ";" && !ends_list) continue;
      at_++;
      return;
    }
    refuse(here, fmt::format("missing ';' or '+' after '{}'", word(here)));
  }

  std::span<const Argument> words_;
  size_t at_ = 0;
  bool needs_operand_ = true;
  std::vector<size_t> open_;
  std::optional<RefusedWord> refused_;
};

}  // namespace

std::optional<RefusedWord> refused_expression(std::span<const Argument> words) {
  const bool is_constant = std::all_of(words.begin(), words.end(),
                                       [](const Argument& word) { return word.text.has_value(); });
  // Options may stand before the starting points, which are then among the words.
  const bool has_options =
      !words.empty() && words[0].text && words[0].text->size() == 2 &&
      std::string_view("HLPD").find((*words[0].text)[1]) != std::string_view::npos;
  if (!is_constant || has_options || words.empty()) return std::nullopt;
  return Checker(words).run();
}

}  // namespace nacre::commands
