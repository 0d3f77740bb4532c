#include "docker/call.h"

#include <algorithm>

#include "base/path.h"
#include "docker/text.h"

namespace nacre::docker {

namespace {

using commands::Card;
using commands::Condition;
using commands::Property;

const Property* first_line(const Card* card, commands::CardKey key) {
  if (card == nullptr) return nullptr;
  const auto at = std::find_if(card->properties.begin(), card->properties.end(),
                               [&](const Property& each) { return each.key == key; });
  return at == card->properties.end() ? nullptr : &*at;
}

bool is_listed(std::string_view list, std::string_view word) {
  const auto words = split_blanks(list);
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Whether the option has an argument in the next word.
bool takes_next(const Card* card, std::string_view takes, std::string_view option) {
  if (is_listed(takes, option)) return true;
  if (card == nullptr) return false;
  const commands::OptionSpec* spec = option.starts_with("--")
                                         ? card->long_option(option.substr(2))
                                         : card->short_option(option.substr(1));
  return spec != nullptr && spec->argument == commands::OptionArgument::kRequired;
}

size_t count_letter(const std::vector<GivenFlag>& flags, char letter) {
  size_t count = 0;
  for (const GivenFlag& flag : flags) {
    if (flag.word.starts_with("--")) continue;
    const std::string_view letters = std::string_view(flag.word).substr(0, flag.word.find('='));
    count += static_cast<size_t>(std::count(letters.begin(), letters.end(), letter));
  }
  return count;
}

// Itself, or a cluster of letters that ends with the one that has the argument.
bool names(const GivenFlag& flag, std::string_view option) {
  const bool is_cluster = option.size() == 2 && option[1] != '-' && flag.word.size() > 2 &&
                          flag.word[1] != '-' && !flag.value.empty();
  return flag.word == option || (is_cluster && flag.word.back() == option[1]);
}

bool is_one_of(const Argument& operand, const std::vector<std::string_view>& words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return matches(operand.text, word); });
}

bool holds(const Usage& usage, const Condition& condition) {
  bool is_met = false;
  switch (condition.kind) {
    case Condition::Kind::kFirst:
      is_met = !usage.operands.empty() && is_one_of(usage.operands[0], condition.words);
      break;
    case Condition::Kind::kOperands:
      is_met = usage.operands.size() >= condition.least && usage.operands.size() <= condition.most;
      break;
    case Condition::Kind::kWord:
      is_met =
          std::any_of(usage.operands.begin(), usage.operands.end(),
                      [&](const Argument& operand) { return is_one_of(operand, condition.words); });
      [[fallthrough]];
    default:
      is_met |= std::any_of(condition.words.begin(), condition.words.end(),
                            [&](std::string_view word) { return usage.has(word); });
  }
  return is_met != condition.is_negated;
}

}  // namespace

Usage read_usage(const Call& call) {
  Usage usage;
  usage.call = &call;
  const Property* line = first_line(call.card, commands::CardKey::kTakes);
  const std::string_view takes = line == nullptr ? std::string_view() : line->value;
  for (size_t i = 0; i < call.words.size(); i++) {
    const Argument& word = call.words[i];
    if (word.text == "--") break;
    if (word.text.size() < 2 || word.text[0] != '-') {
      usage.has_unknown |= !word.is_known && word.text.empty();
      usage.operands.push_back(word);
      continue;
    }
    GivenFlag flag{word.text, "", word.span};
    const size_t equals = word.text.find('=');
    if (word.text.starts_with("--") && equals != std::string::npos) {
      flag.word = word.text.substr(0, equals);
      flag.value = word.text.substr(equals + 1);
    } else if (takes_next(call.card, takes, word.text) && i + 1 < call.words.size()) {
      flag.value = call.words[++i].text;
    } else if (!word.text.starts_with("--") &&
               takes_next(call.card, takes, word.text.substr(0, 2)) && word.text.size() > 2) {
      flag.word = word.text.substr(0, 2);
      flag.value = word.text.substr(2);
    }
    // `-lu 123456`: the last letter of a cluster has the argument.
    const bool is_cluster = word.text[1] != '-' && word.text.size() > 2 && flag.value.empty();
    if (is_cluster && flag.word == word.text && i + 1 < call.words.size() &&
        takes_next(call.card, takes, std::string{'-', word.text.back()}))
      flag.value = call.words[++i].text;
    usage.flags.push_back(std::move(flag));
  }
  return usage;
}

const GivenFlag* Usage::flag(std::string_view option) const {
  const auto at = std::find_if(flags.begin(), flags.end(),
                               [&](const GivenFlag& each) { return names(each, option); });
  return at == flags.end() ? nullptr : &*at;
}

bool Usage::has(std::string_view option) const {
  if (!option.starts_with('-')) {
    return std::any_of(flags.begin(), flags.end(), [&](const GivenFlag& each) {
      return each.value == option || each.value == "\"" + std::string(option) + "\"";
    });
  }
  if (option.ends_with("*2")) {
    option.remove_suffix(2);
    return std::count_if(flags.begin(), flags.end(),
                         [&](const GivenFlag& each) { return each.word == option; }) >= 2;
  }
  if (flag(option) != nullptr) return true;
  const size_t equals = option.find('=');
  if (option.starts_with("--") && equals != std::string_view::npos) {
    const GivenFlag* given = flag(option.substr(0, equals));
    return given != nullptr && given->value == option.substr(equals + 1);
  }
  if (option.starts_with("--") || equals != std::string_view::npos) return false;
  // One letter, or the same one twice; other words (`-nv`) only as they are.
  const bool is_letter = option.size() == 2;
  const bool is_double = option.size() == 3 && option[1] == option[2];
  return (is_letter || is_double) && count_letter(flags, option[1]) >= option.size() - 1;
}

bool Usage::has_any(std::string_view options) const {
  const auto words = split_blanks(options);
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) { return has(word); });
}

const Property* Usage::property(commands::CardKey key) const {
  if (call->card == nullptr) return nullptr;
  for (const Property& line : call->card->properties) {
    const bool fits =
        line.key == key && std::all_of(line.conditions.begin(), line.conditions.end(),
                                       [&](const Condition& each) { return holds(*this, each); });
    if (fits) return &line;
  }
  return nullptr;
}

std::vector<Argument> Usage::operands_after(const Property& property) const {
  size_t at = 0;
  for (const Condition& condition : property.conditions) {
    const bool is_named = !condition.is_negated && (condition.kind == Condition::Kind::kFirst ||
                                                    condition.kind == Condition::Kind::kWord);
    if (is_named && at < operands.size() && is_one_of(operands[at], condition.words)) at++;
  }
  return {operands.begin() + static_cast<std::ptrdiff_t>(at), operands.end()};
}

std::string Usage::hadolint_name(std::string_view key) const {
  const Property* line = first_line(call->card, commands::CardKey::kHadolint);
  if (line == nullptr) return "";
  for (const std::string_view word : split_blanks(line->value)) {
    if (word.starts_with(key) && word.substr(key.size()).starts_with('='))
      return std::string(word.substr(key.size() + 1));
  }
  return "";
}

namespace {

// pip3.12 is pip, python3 is python.
const Card* find_card(const commands::CardLibrary& cards, std::string_view name) {
  if (const Card* card = cards.find(name)) return card;
  const size_t end = name.find_last_not_of("0123456789.");
  const bool has_version = end != std::string_view::npos && end + 1 < name.size();
  return has_version ? cards.find(name.substr(0, end + 1)) : nullptr;
}

Call call_from(const std::vector<Argument>& words, size_t at, Span span) {
  Call inner;
  inner.name = base_name(words[at].text);
  inner.name_span = words[at].span;
  inner.span = span;
  inner.words.assign(words.begin() + static_cast<std::ptrdiff_t>(at) + 1, words.end());
  return inner;
}

// Where the command stands among the words of sudo, env, timeout, `python -m`; npos: there is none.
size_t find_inner(const Call& call) {
  constexpr size_t kNone = static_cast<size_t>(-1);
  if (call.card == nullptr) return kNone;
  if (const Property* calls = first_line(call.card, commands::CardKey::kCalls)) {
    const bool is_module = call.words.size() > 1 && call.words[0].text == calls->value;
    return is_module ? 1 : kNone;
  }
  if (read_usage(call).property(commands::CardKey::kAsks) != nullptr)
    return kNone;  // command -v only asks
  const auto& operands = call.card->operands;
  const auto command = std::find_if(operands.begin(), operands.end(), [](const auto& each) {
    return each.kind == commands::OperandKind::kCommand;
  });
  if (command == operands.end()) return kNone;
  auto skipped = command - operands.begin();
  for (size_t i = 0; i < call.words.size(); i++) {
    const Argument& word = call.words[i];
    if (!word.is_known) return kNone;
    if (word.text == "--") continue;
    if (word.text.starts_with('-')) {
      if (takes_next(call.card, "", word.text)) i++;
    } else if (word.text.find('=') == std::string::npos && skipped-- == 0) {
      return i;
    }
  }
  return kNone;
}

}  // namespace

std::vector<Call> unfold(Call call, const commands::CardLibrary& cards) {
  constexpr size_t kMaxCalls = 8;  // within each other
  std::vector<Call> result;
  call.card = find_card(cards, call.name);
  result.push_back(std::move(call));
  while (result.size() < kMaxCalls) {
    const size_t at = find_inner(result.back());
    if (at >= result.back().words.size()) break;
    Call inner = call_from(result.back().words, at, result.back().span);
    inner.card = find_card(cards, inner.name);
    result.push_back(std::move(inner));
  }
  return result;
}

}  // namespace nacre::docker
