#include "commands/card.h"

#include <algorithm>
#include <charconv>
#include <fmt/core.h>

namespace nacre::commands {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

// The first word, which the text loses; empty when there is none. Cards are read whenever a check
// starts, so none of this makes lists.
std::string_view take_word(std::string_view& text) {
  text = trimmed(text);
  const auto end = std::find_if(text.begin(), text.end(), is_blank);
  const std::string_view word = text.substr(0, static_cast<size_t>(end - text.begin()));
  text.remove_prefix(word.size());
  return word;
}

template <typename Use>
void for_each_word(std::string_view text, Use use) {
  for (std::string_view word = take_word(text); !word.empty(); word = take_word(text)) use(word);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find(separator, at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

class CardParser {
 public:
  explicit CardParser(std::string_view text) : text_(text) {}

  Result<std::vector<Card>> run() {
    for (size_t at = 0; at < text_.size() && !error_;) {
      const size_t end = std::min(text_.find('\n', at), text_.size());
      line_number_++;
      span_ = {static_cast<uint32_t>(at), static_cast<uint32_t>(end)};
      const std::string_view content = text_.substr(at, end - at);
      const bool continues = !trimmed(content).empty() && is_blank(content.front());
      if (continues)
        continuation(content);
      else
        line(content);
      at = end + 1;
    }
    span_.begin = static_cast<uint32_t>(text_.size());
    finish_card();
    if (error_) return tl::unexpected<Error>(*error_);
    return std::move(cards_);
  }

 private:
  void fail(std::string message) {
    if (!error_) error_ = Error{span_, std::move(message)};
  }

  void finish_card() {
    if (!cards_.empty()) cards_.back().text = text_.substr(card_begin_, span_.begin - card_begin_);
  }

  void line(std::string_view content) {
    content = trimmed(content);
    if (content.empty() || content.starts_with('#')) return;
    const std::string_view key = take_word(content);
    const std::string_view value = trimmed(content);
    is_in_program_ = key == "does" || key == "acts";
    if (key == "command") return begin_card(value);
    if (cards_.empty()) return fail("a card begins with 'command NAME'");
    Card& card = cards_.back();
    if (key == "about") {
      card.about = value;
    } else if (key == "alias") {
      for_each_word(value, [&](std::string_view name) { card.aliases.emplace_back(name); });
    } else if (key == "means") {
      for_each_word(value, [&](std::string_view word) { card.means.emplace_back(word); });
      if (card.means.empty()) fail("'means' needs a command");
    } else if (key == "sets") {
      for_each_word(value, [&](std::string_view name) { card.sets.emplace_back(name); });
    } else if (key == "numbers") {
      card.takes_negative_numbers = true;
    } else if (key == "echoes") {
      card.echoes = true;
    } else if (key == "model") {
      card.model = value;
    } else if (key == "style") {
      style(card, value);
    } else if (key == "open") {
      card.is_open = true;
    } else if (key == "counted") {
      card.is_counted = true;
    } else if (key == "option") {
      option(card, value);
    } else if (key == "operands") {
      for_each_word(value, [&](std::string_view word) { operand(card, word); });
    } else if (std::find(kProperties.begin(), kProperties.end(), key) != kProperties.end()) {
      property(card, key, value);
    } else {
      fail(fmt::format("'{}' is not a key of a card", key));
    }
  }

  // A line that begins with a blank belongs to the program or script that begins above it.
  void continuation(std::string_view content) {
    const bool is_open = !cards_.empty() && !cards_.back().properties.empty() && is_in_program_;
    if (!is_open) return fail("only 'does' and 'acts' go on in the next line");
    std::string_view& value = cards_.back().properties.back().value;
    value = {value.data(), static_cast<size_t>(content.data() + content.size() - value.data())};
  }

  void begin_card(std::string_view name) {
    if (name.empty()) return fail("'command' needs a name");
    finish_card();
    card_begin_ = span_.begin;
    cards_.emplace_back();
    cards_.back().name = name;
  }

  void style(Card& card, std::string_view value) {
    constexpr std::array<std::string_view, 5> kNames = {"gnu", "posix", "words", "pairs", "none"};
    const auto found = std::find(kNames.begin(), kNames.end(), value);
    if (found == kNames.end()) return fail(fmt::format("'{}' is not a style of options", value));
    card.style = static_cast<OptionStyle>(found - kNames.begin());
  }

  // `-d --delimiter=DELIM`, `-i[SUFFIX] --in-place[=SUFFIX]`, `-o FILE`, `--arg NAME VALUE`; then
  // the standards that have it.
  void option(Card& card, std::string_view value) {
    OptionSpec& spec = card.options.emplace_back();
    bool has_standard = false, is_ours = false;
    for_each_word(value, [&](std::string_view word) {
      if (word.starts_with("--")) {
        spec.long_name = option_name(word.substr(2), spec);
      } else if (word.starts_with('-') && word.size() > 1) {
        spec.short_name = option_name(word.substr(1), spec);
      } else if (std::all_of(word.begin(), word.end(),
                             [](char c) { return c >= 'A' && c <= 'Z'; })) {
        spec.more_arguments += spec.argument == OptionArgument::kRequired ? 1 : 0;
        spec.argument = OptionArgument::kRequired;
        spec.placeholder = word;
      } else if (word == "posix" || word == "gnu" || word == "bsd" || word == "sysv" ||
                 word == "busybox") {
        has_standard = true;
        is_ours |= word == "posix" || word == "gnu";
      } else {
        fail(fmt::format("'{}' is neither an option nor a standard", word));
      }
    });
    spec.is_foreign = has_standard && !is_ours;
    if (spec.short_name.empty() && spec.long_name.empty()) fail("'option' needs a spelling");
  }

  static std::string_view option_name(std::string_view spelling, OptionSpec& spec) {
    const size_t end = spelling.find_first_of("[=");
    if (end == std::string_view::npos) return spelling;
    spec.argument = spelling[end] == '[' ? OptionArgument::kOptional : OptionArgument::kRequired;
    std::string_view placeholder = spelling.substr(end + 1);
    if (placeholder.starts_with('=')) placeholder.remove_prefix(1);
    if (placeholder.ends_with(']')) placeholder.remove_suffix(1);
    spec.placeholder = placeholder;
    return spelling.substr(0, end);
  }

  void operand(Card& card, std::string_view word) {
    OperandSpec spec;
    if (word.starts_with('[') && word.ends_with(']')) {
      spec.is_optional = true;
      word = word.substr(1, word.size() - 2);
    }
    if (word.ends_with("...")) {
      spec.repeats = true;
      word.remove_suffix(3);
    }
    if (word.empty()) return fail("an operand needs a kind");
    spec.kind = word;
    card.operands.push_back(std::move(spec));
  }

  void property(Card& card, std::string_view key, std::string_view value) {
    Property result{key, {}, {}, line_number_};
    // The value may hold any character, so the first ` : ` (or a leading `: `) is what separates.
    size_t colon = value.starts_with(": ") ? 0 : value.find(" : ");
    if (colon == std::string_view::npos) {
      if (is_in_program_) return fail(fmt::format("'{}' needs ' : ' before its program", key));
      result.value = value;
    } else {
      for_each_word(value.substr(0, colon), [&](std::string_view word) {
        result.conditions.push_back(condition(card, word));
      });
      result.value = trimmed(value.substr(colon).substr(value[colon] == ' ' ? 2 : 1));
    }
    card.properties.push_back(std::move(result));
  }

  Condition condition(const Card& card, std::string_view word) {
    Condition result;
    if (word.starts_with('!')) {
      result.is_negated = true;
      word.remove_prefix(1);
    }
    constexpr std::pair<std::string_view, Condition::Kind> kOfOperands[] = {
        {"first:", Condition::Kind::kFirst},
        {"word:", Condition::Kind::kWord},
        {"only:", Condition::Kind::kOnly}};
    const auto* kind = std::find_if(std::begin(kOfOperands), std::end(kOfOperands),
                                    [&](const auto& each) { return word.starts_with(each.first); });
    if (auto rest = behind(word, "operands:")) {
      result.kind = Condition::Kind::kOperands;
      operand_count(*rest, result);
    } else if (kind != std::end(kOfOperands)) {
      result.kind = kind->second;
      word.remove_prefix(kind->first.size());
      for (std::string_view text : split(word, '|')) result.words.emplace_back(text);
    } else {
      for (std::string_view option : split(word, '|')) {
        const bool is_long = option.starts_with("--");
        const bool is_known =
            is_long ? card.long_option(option.substr(2)) != nullptr
                    : option.starts_with('-') && card.short_option(option.substr(1)) != nullptr;
        if (!is_known) fail(fmt::format("'{}' is not an option of {}", option, card.name));
        result.words.emplace_back(option);
      }
    }
    return result;
  }

  static std::optional<std::string_view> behind(std::string_view word, std::string_view prefix) {
    if (!word.starts_with(prefix)) return std::nullopt;
    return word.substr(prefix.size());
  }

  // `2`, `2+`
  void operand_count(std::string_view text, Condition& result) {
    const char* end = text.data() + text.size();
    auto [rest, status] = std::from_chars(text.data(), end, result.least);
    const bool is_open = rest != end && *rest == '+';
    result.most = is_open ? UINT32_MAX : result.least;
    if (status != std::errc() || rest + (is_open ? 1 : 0) != end)
      fail(fmt::format("'operands:{}' is not a condition", text));
  }

  static constexpr std::array<std::string_view, 21> kProperties = {
      "reads",   "input",  "output", "elsewhere", "header",  "lines",      "order",
      "columns", "ends",   "asks",   "nul",       "fetches", "interprets", "beyond",
      "keeps",   "counts", "quotes", "removes",   "does",    "acts",       "letter"};

  std::string_view text_;
  std::vector<Card> cards_;
  size_t card_begin_ = 0;
  uint32_t line_number_ = 0;
  bool is_in_program_ = false;  // the last line was the beginning of a program or script
  Span span_;
  std::optional<Error> error_;
};

}  // namespace

std::string OptionSpec::spelling() const {
  return short_name.empty() ? fmt::format("--{}", long_name) : fmt::format("-{}", short_name);
}

const OptionSpec* Card::short_option(std::string_view wanted) const {
  for (const OptionSpec& spec : options) {
    if (!spec.short_name.empty() && spec.short_name == wanted) return &spec;
  }
  return nullptr;
}

const OptionSpec* Card::long_option(std::string_view wanted) const {
  for (const OptionSpec& spec : options) {
    if (!spec.long_name.empty() && spec.long_name == wanted) return &spec;
  }
  return nullptr;
}

bool Card::has_property(std::string_view key, std::string_view value) const {
  return std::any_of(properties.begin(), properties.end(), [&](const Property& each) {
    return each.key == key && (value.empty() || each.value == value);
  });
}

Result<std::vector<Card>> parse_cards(std::string_view text) { return CardParser(text).run(); }

}  // namespace nacre::commands
