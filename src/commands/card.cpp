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
    if (card_ == nullptr) return fail("a card begins with 'command NAME'");
    Card& card = *card_;
    if (key == "about") {
      card.about = value;
    } else if (key == "alias") {
      for_each_word(value, [&](std::string_view name) { card.aliases.emplace_back(name); });
    } else if (key == "means") {
      for_each_word(value, [&](std::string_view word) { card.means.emplace_back(word); });
      if (card.means.empty()) fail("'means' needs a command");
    } else if (key == "sets") {
      for_each_word(value, [&](std::string_view name) { card.sets.emplace_back(name); });
    } else if (key == "standards") {
      for_each_word(value, [&](std::string_view word) {
        const uint8_t standard = standard_named(word);
        if (standard == 0) fail(fmt::format("'{}' is not a standard", word));
        card.standards |= standard;
      });
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
    } else if (key == "bundled") {
      card.is_bundled = true;
    } else if (key == "globals") {
      card.shares_options = true;
    } else if (key == "exact") {
      card.is_exact = true;
    } else if (key == "subcommands") {
      for_each_word(value, [&](std::string_view name) { card.subcommand_names.push_back(name); });
    } else if (key == "type") {
      argument_type(card, value);
    } else if (key == "column") {
      column(card, value);
    } else if (key == "line") {
      other_line(card, value);
    } else if (const auto known = key_named(key)) {
      card.properties.push_back(conditional(card, *known, value));
    } else {
      fail(fmt::format("'{}' is not a key of a card", key));
    }
  }

  // A line that begins with a blank belongs to the program or script that begins above it.
  void continuation(std::string_view content) {
    const bool is_open = card_ != nullptr && !card_->properties.empty() && is_in_program_;
    if (!is_open) return fail("only 'does' and 'acts' go on in the next line");
    std::string_view& value = card_->properties.back().value;
    value = {value.data(), static_cast<size_t>(content.data() + content.size() - value.data())};
  }

  // `command docker` is a card of its own, `command docker ps` a part of that one.
  void begin_card(std::string_view name) {
    if (name.empty()) return fail("'command' needs a name");
    const std::vector<std::string_view> words = split(name, ' ');
    if (words.size() == 1) {
      finish_card();
      card_begin_ = span_.begin;
      card_ = &cards_.emplace_back();
    } else {
      Card* parent = cards_.empty() || cards_.back().name != words[0] ? nullptr : &cards_.back();
      for (size_t i = 1; parent != nullptr && i + 1 < words.size(); i++) {
        const auto at =
            std::find_if(parent->subcommands.begin(), parent->subcommands.end(),
                         [&](const Card& each) { return last_word(each.name) == words[i]; });
        parent = at == parent->subcommands.end() ? nullptr : &*at;
      }
      if (parent == nullptr)
        return fail(
            fmt::format("'{}' must come after the card of the command that it belongs to", name));
      card_ = &parent->subcommands.emplace_back();
      card_->shares_options = parent->shares_options;
      if (parent->shares_options) {
        card_->options = parent->options;
        card_->types = parent->types;
      }
      card_->is_exact = parent->is_exact;
    }
    card_->name = name;
  }

  // `PID "a process id" {pid} refuses`
  void argument_type(Card& card, std::string_view value) {
    ArgumentType type;
    type.line = line_number_;
    type.placeholder = take_word(value);
    value = trimmed(value);
    const size_t quote = value.starts_with('"') ? value.find('"', 1) : std::string_view::npos;
    if (quote == std::string_view::npos) return fail("'type' needs a noun in quotes");
    type.noun = value.substr(1, quote - 1);
    value = trimmed(value.substr(quote + 1));
    constexpr std::array<std::string_view, 3> kReactions = {"refuses", "acts", "misreads"};
    const std::string_view last = last_word(value);
    const size_t colon = std::min(last.find(':'), last.size());
    const auto reaction = std::find(kReactions.begin(), kReactions.end(), last.substr(0, colon));
    if (reaction == kReactions.end())
      return fail("'type' ends with what the command does: refuses, acts or misreads");
    type.reaction = static_cast<Reaction>(reaction - kReactions.begin());
    if (colon < last.size()) type.object = last.substr(colon + 1);
    type.type = trimmed(value.substr(0, value.size() - last.size()));
    card.types.push_back(type);
  }

  static std::optional<ColumnRole> column_role(std::string_view word) {
    if (word == "prose") return ColumnRole::kProse;
    if (word == "arguments") return ColumnRole::kArguments;
    return std::nullopt;
  }

  // `user {user} USER rare [0-9]+`; a heading of several words is in quotes
  void column(Card& card, std::string_view value) {
    ColumnSpec column;
    column.line = line_number_;
    column.name = take_word(value);
    column.type = take_word(value);
    if (column.type.empty()) return fail("'column' needs a name and a type");
    value = trimmed(value);
    if (value.starts_with('"')) {
      const size_t quote = std::min(value.find('"', 1), value.size() - 1);
      column.heading = value.substr(1, quote - 1);
      value.remove_prefix(quote + 1);
    } else {
      std::string_view rest = value;
      const std::string_view word = take_word(rest);
      if (word != "right" && word != "rare" && !word.starts_with("of:") && !column_role(word)) {
        column.heading = word;
        value = rest;
      }
    }
    for (std::string_view word = take_word(value); !word.empty(); word = take_word(value)) {
      if (word == "right")
        column.is_right = true;
      else if (word == "rare")
        column.rare = take_word(value);
      else if (word.starts_with("of:"))
        column.object = word.substr(3);
      else if (const auto role = column_role(word))
        column.role = *role;
      else
        fail(fmt::format("'{}' is not known here", word));
    }
    card.columns.push_back(column);
  }

  // `total every last --total : T`
  void other_line(Card& card, std::string_view value) {
    LineSpec line;
    line.name = take_word(value);
    constexpr std::array<std::string_view, 4> kFrequencies = {"every", "usual", "sometimes",
                                                              "rare"};
    const auto frequency = std::find(kFrequencies.begin(), kFrequencies.end(), take_word(value));
    if (frequency == kFrequencies.end())
      return fail("'line' needs a name and every, usual, sometimes or rare");
    line.frequency = static_cast<Frequency>(frequency - kFrequencies.begin());
    value = trimmed(value);
    for (const auto& [word, place] :
         {std::pair{"first ", Place::kFirst}, {"last ", Place::kLast}}) {
      if (!value.starts_with(word)) continue;
      line.place = place;
      take_word(value);
    }
    line.property = conditional(card, CardKey::kOutput, trimmed(value));
    card.lines.push_back(std::move(line));
  }

  static std::string_view last_word(std::string_view text) {
    return text.substr(text.rfind(' ') + 1);
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
      } else if (const uint8_t standard = standard_named(word); standard != 0) {
        spec.standards |= standard;
      } else if (word.starts_with('!') && standard_named(word.substr(1)) != 0) {
        spec.missing |= standard_named(word.substr(1));
      } else {
        fail(fmt::format("'{}' is neither an option nor a standard", word));
      }
    });
    spec.is_foreign =
        spec.standards != 0 && (spec.standards & (kInPosix | kInPosix2024 | kInGnu)) == 0;
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

  OperandKind operand_kind(std::string_view word) {
    constexpr std::array<std::string_view, 10> kNames = {
        "text",    "file",   "path",   "path-written", "path-removed",
        "pattern", "number", "format", "script",       "command"};
    const auto found = std::find(kNames.begin(), kNames.end(), word);
    if (found == kNames.end()) fail(fmt::format("'{}' is not a kind of operand", word));
    return found == kNames.end() ? OperandKind::kText
                                 : static_cast<OperandKind>(found - kNames.begin());
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
    const size_t colon = word.find(':');
    const bool is_placeholder = word.front() >= 'A' && word.front() <= 'Z';
    if (!is_placeholder) spec.kind = operand_kind(word.substr(0, colon));
    if (is_placeholder)
      spec.placeholder = word;
    else if (colon != std::string_view::npos)
      spec.placeholder = word.substr(colon + 1);
    card.operands.push_back(std::move(spec));
  }

  Property conditional(const Card& card, CardKey key, std::string_view value) {
    Property result{key, {}, {}, line_number_};
    // The value may hold any character, so the first ` : ` (or a leading `: `) is what separates.
    size_t colon = value.starts_with(": ") ? 0 : value.find(" : ");
    if (colon == std::string_view::npos) {
      if (is_in_program_)
        fail(fmt::format("'{}' needs ' : ' before its program", info_of(key).name));
      result.value = value;
    } else {
      for_each_word(value.substr(0, colon), [&](std::string_view word) {
        result.conditions.push_back(condition(card, word));
      });
      result.value = trimmed(value.substr(colon).substr(value[colon] == ' ' ? 2 : 1));
    }
    return result;
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
    if (auto rest = after_prefix(word, "operands:")) {
      result.kind = Condition::Kind::kOperands;
      operand_count(*rest, result);
    } else if (auto argument = after_prefix(word, "arg:")) {
      const size_t equals = argument->find('=');
      if (equals == std::string_view::npos) fail("'arg:' needs an option, = and values");
      result.kind = Condition::Kind::kArgument;
      result.option = option_condition(card, argument->substr(0, equals));
      result.words = split(argument->substr(std::min(equals + 1, argument->size())), '|');
    } else if (kind != std::end(kOfOperands)) {
      result.kind = kind->second;
      word.remove_prefix(kind->first.size());
      for (std::string_view text : split(word, '|')) result.words.emplace_back(text);
    } else {
      for (std::string_view option : split(word, '|'))
        result.words.push_back(option_condition(card, option));
    }
    return result;
  }

  std::string_view option_condition(const Card& card, std::string_view option) {
    const bool is_long = option.starts_with("--");
    const bool is_known =
        is_long ? card.long_option(option.substr(2)) != nullptr
                : option.starts_with('-') && card.short_option(option.substr(1)) != nullptr;
    if (!is_known) fail(fmt::format("'{}' is not an option of {}", option, card.name));
    return option;
  }

  static std::optional<std::string_view> after_prefix(std::string_view word,
                                                      std::string_view prefix) {
    if (!word.starts_with(prefix)) return std::nullopt;
    return word.substr(prefix.size());
  }

  // `2`, `2+`, `many`
  void operand_count(std::string_view text, Condition& result) {
    if (text == "many") {
      result.least = 2;
      result.most = UINT32_MAX;
      result.counts_patterns = true;
      return;
    }
    const char* end = text.data() + text.size();
    auto [rest, status] = std::from_chars(text.data(), end, result.least);
    const bool is_open = rest != end && *rest == '+';
    result.most = is_open ? UINT32_MAX : result.least;
    if (status != std::errc() || rest + (is_open ? 1 : 0) != end)
      fail(fmt::format("'operands:{}' is not a condition", text));
  }

  std::string_view text_;
  std::vector<Card> cards_;
  Card* card_ = nullptr;  // that the lines belong to, in `cards_`
  size_t card_begin_ = 0;
  uint32_t line_number_ = 0;
  bool is_in_program_ = false;  // the last line was the beginning of a program or script
  Span span_;
  std::optional<Error> error_;
};

}  // namespace

uint8_t standard_named(std::string_view name) {
  constexpr std::string_view kNames[] = {"posix", "posix-2024", "gnu",    "bsd",
                                         "macos", "sysv",       "busybox"};
  const auto* found = std::find(std::begin(kNames), std::end(kNames), name);
  if (found == std::end(kNames)) return 0;
  return static_cast<uint8_t>(1U << static_cast<unsigned>(found - std::begin(kNames)));
}

bool OptionSpec::is(std::string_view option) const {
  if (option.starts_with("--")) return long_name == option.substr(2);
  return !short_name.empty() && short_name == option.substr(1);
}

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

bool Card::has_property(CardKey key, std::string_view value) const {
  return std::any_of(properties.begin(), properties.end(), [&](const Property& each) {
    return each.key == key && (value.empty() || each.value == value);
  });
}

const ArgumentType* Card::type_of(std::string_view placeholder) const {
  const auto found = std::find_if(types.begin(), types.end(), [&](const ArgumentType& each) {
    return each.placeholder == placeholder;
  });
  return found == types.end() ? nullptr : &*found;
}

const ColumnSpec* Card::column(std::string_view wanted) const {
  const auto found = std::find_if(columns.begin(), columns.end(),
                                  [&](const ColumnSpec& each) { return each.name == wanted; });
  return found == columns.end() ? nullptr : &*found;
}

const Card* Card::subcommand(std::string_view wanted) const {
  const auto is_it = [&](const Card& each) {
    const std::string_view whole = each.name;
    return whole.substr(whole.rfind(' ') + 1) == wanted ||
           std::find(each.aliases.begin(), each.aliases.end(), wanted) != each.aliases.end();
  };
  const auto found = std::find_if(subcommands.begin(), subcommands.end(), is_it);
  return found == subcommands.end() ? nullptr : &*found;
}

Result<std::vector<Card>> parse_cards(std::string_view text) { return CardParser(text).run(); }

}  // namespace nacre::commands
