#include "commands/invocation.h"

#include <algorithm>
#include <fmt/core.h>

#include "base/ascii.h"
#include "base/nearest.h"
#include "base/slip.h"

namespace nacre::commands {

namespace {

bool is_one_of(const Argument& operand, const std::vector<std::string_view>& words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
    if (word.size() > 2 && word.starts_with('*') && word.ends_with('*'))
      return operand.text &&
             operand.text->find(word.substr(1, word.size() - 2)) != std::string::npos;
    if (word.ends_with('*')) return operand.prefix.starts_with(word.substr(0, word.size() - 1));
    if (word.starts_with('*')) return operand.text && operand.text->ends_with(word.substr(1));
    return operand.text == word;
  });
}

// An option among the operands, as subcommands have them; `-NUM` in `words` is any number.
bool is_other_option(const Argument& operand, const std::vector<std::string_view>& words) {
  if (!operand.prefix.starts_with('-') || is_one_of(operand, words)) return false;
  if (operand.text == "-" || operand.text == "--") return false;
  const bool is_number = operand.text && is_digits(std::string_view(*operand.text).substr(1));
  return !is_number || std::find(words.begin(), words.end(), "-NUM") == words.end();
}

class ArgumentParser {
 public:
  ArgumentParser(const Card& card, Span name_span, std::vector<Argument> arguments,
                 bool has_subcommand = false)
      : arguments_(std::move(arguments)), has_subcommand_(has_subcommand) {
    result_.card = &card;
    result_.name_span = name_span;
  }

  Invocation run() {
    bundle();
    while (at_ < arguments_.size()) {
      const Argument& argument = arguments_[at_];
      if (!argument.text && is_option_like(argument.prefix)) {
        partial_option();
      } else if (!argument.text || !is_option_like(*argument.text)) {
        operand();
        if (ends_at_operand()) break;
      } else if (*argument.text == "--") {
        at_++;
        break;
      } else {
        option();
      }
    }
    while (at_ < arguments_.size()) operand();
    for (const GivenOption& given : result_.options) result_.is_foreign |= given.spec->is_foreign;
    for (const std::string_view option : {"--help", "--version"})
      result_.is_foreign |= result_.has(option) && !is_mentioned(option);
    return std::move(result_);
  }

 private:
  [[nodiscard]] const Card& card() const { return *result_.card; }

  // Options after a subcommand are those of the subcommand.
  [[nodiscard]] bool ends_at_operand() const {
    return card().style == OptionStyle::kPosix || card().style == OptionStyle::kWords ||
           has_subcommand_;
  }

  [[nodiscard]] bool is_option_like(std::string_view text) const {
    switch (card().style) {
      case OptionStyle::kNone: return false;
      case OptionStyle::kPairs: return text.find('=') != std::string_view::npos;
      default: return text.size() > 1 && text.starts_with('-') && !is_negative_number(text);
    }
  }

  [[nodiscard]] bool is_negative_number(std::string_view text) const {
    return card().takes_negative_numbers && text.find_first_of("0123456789.") == 1;
  }

  // Whether the card says what the command does with the option.
  [[nodiscard]] bool is_mentioned(std::string_view option) const {
    const auto mentions = [&](const Condition& condition) {
      const auto& words = condition.words;
      return std::find(words.begin(), words.end(), option) != words.end();
    };
    const auto& properties = card().properties;
    return std::any_of(properties.begin(), properties.end(), [&](const Property& property) {
      return std::any_of(property.conditions.begin(), property.conditions.end(), mentions);
    });
  }

  // `tar cfz a.tgz d`: each letter of the first word is an option, and those that take an argument
  // take the next word, in their order.
  void bundle() {
    if (!card().is_bundled || arguments_.empty() || !arguments_[0].text) return;
    const std::string letters = *arguments_[0].text;
    if (letters.starts_with('-') || letters.empty()) return;
    const Span span = arguments_[0].span;
    at_ = 1;
    for (size_t i = 0; i < letters.size(); i++) {
      const OptionSpec* spec = card().short_option(letters.substr(i, 1));
      if (spec == nullptr) {
        result_.is_uncertain = true;
        return;
      }
      result_.options.push_back({spec, span, std::nullopt});
      if (spec->argument == OptionArgument::kRequired && at_ < arguments_.size())
        result_.options.back().argument = arguments_[at_++];
    }
  }

  void operand() { result_.operands.push_back(std::move(arguments_[at_++])); }

  void option() {
    const std::string text = *arguments_[at_].text;
    if (card().style == OptionStyle::kPairs) {
      const size_t equals = text.find('=');
      const OptionSpec* spec = card().short_option(text.substr(0, equals));
      if (spec == nullptr) return unknown(fmt::format("unrecognized operand '{}'", text), {});
      return give(*spec, text.substr(equals + 1));
    }
    if (card().style == OptionStyle::kWords) return word_option(text);
    if (text.starts_with("--")) return long_option(std::string_view(text).substr(2));
    short_options(text);
  }

  // `--name=$value` and `-n$value`: an option whose argument is not constant. Other words that
  // begin with a dash and are not constant may be anything.
  void partial_option() {
    const std::string& prefix = arguments_[at_].prefix;
    const size_t equals = prefix.find('=');
    const bool is_long = prefix.starts_with("--");
    const OptionSpec* spec = nullptr;
    if (is_long && equals != std::string::npos)
      spec = card().long_option(prefix.substr(2, equals - 2));
    else if (!is_long)
      spec = card().short_option(prefix.substr(1, 1));
    if (spec == nullptr || spec->argument == OptionArgument::kNone) {
      result_.is_uncertain = true;
      at_++;
      return;
    }
    result_.options.push_back({spec, arguments_[at_].span, unknown_argument()});
    at_++;
  }
  [[nodiscard]] Argument unknown_argument() const {
    Argument result = arguments_[at_];
    regular::Context& context = result.value.context();
    result.value = star(context.set(regular::CharSet::all(context.alphabet())));
    result.prefix.clear();
    return result;
  }

  // `attached`: an argument in the same word. Takes the word, and the next one if it is the
  // argument.
  void give(const OptionSpec& spec, std::optional<std::string> attached) {
    GivenOption given{&spec, arguments_[at_].span, std::nullopt};
    if (attached) {
      Argument argument = arguments_[at_];
      argument.value = argument.value.context().literal(*attached);
      argument.prefix = *attached;
      argument.text = std::move(attached);
      given.argument = std::move(argument);
    } else if (spec.argument == OptionArgument::kRequired) {
      if (at_ + 1 >= arguments_.size()) {
        // A card that lists not all options may not know all of those it lists.
        if (card().is_open)
          result_.is_uncertain = true;
        else
          problem(fmt::format("option {} requires an argument", spec.spelling()), {});
      } else {
        given.argument = arguments_[++at_];
        at_ = std::min(at_ + spec.more_arguments, arguments_.size() - 1);
      }
    }
    at_++;
    result_.options.push_back(std::move(given));
  }

  void problem(std::string message, std::string suggestion) {
    result_.problems.push_back({arguments_[at_].span, std::move(message), std::move(suggestion)});
  }
  void unknown(std::string message, std::string suggestion) {
    const std::string& text = *arguments_[at_].text;
    const bool asks_for_usage =
        text == "-h" || text == "-?" || text == "--help" || text == "-V" || text == "--version";
    result_.is_foreign |= asks_for_usage;
    if (!card().is_open && !asks_for_usage) {
      problem(std::move(message), std::move(suggestion));
    } else {
      result_.is_uncertain = true;
      if (const std::string meant = meant_option(text); !asks_for_usage && !meant.empty()) {
        problem(std::move(message), meant);
        result_.problems.back().is_certain = false;
      }
    }
    at_++;
  }

  // The long option of which `text` is surely a misspelling, though there may be others that the
  // card does not list.
  [[nodiscard]] std::string meant_option(std::string_view text) const {
    constexpr size_t kMinLength = 5;  // shorter names may well be options of their own
    if (!text.starts_with("--")) return "";
    const std::string_view name = text.substr(2, text.find('=') - 2);
    if (name.size() < kMinLength) return "";
    for (const OptionSpec& candidate : card().options) {
      if (is_one_slip(name, candidate.long_name)) return fmt::format("--{}", candidate.long_name);
    }
    return "";
  }

  void word_option(std::string_view text) {
    const std::string_view name = text.substr(text.starts_with("--") ? 2 : 1);
    const OptionSpec* spec = card().short_option(name);
    if (spec == nullptr) spec = card().long_option(name);
    // find's expression and what it needs are its model's to read.
    if (spec == nullptr) return operand();
    give(*spec, std::nullopt);
  }

  // An unambiguous beginning of a long option is that option, as getopt_long has it.
  void long_option(std::string_view text) {
    const size_t equals = text.find('=');
    const std::string_view name = text.substr(0, equals);
    std::optional<std::string> value;
    if (equals != std::string_view::npos) value = text.substr(equals + 1);
    const OptionSpec* spec = card().long_option(name);
    if (spec == nullptr && !card().is_exact) {
      for (const OptionSpec& candidate : card().options) {
        if (!candidate.long_name.starts_with(name)) continue;
        if (spec != nullptr) return unknown(fmt::format("option '--{}' is ambiguous", name), {});
        spec = &candidate;
      }
    }
    if (spec == nullptr)
      return unknown(fmt::format("unrecognized option '--{}'", name), closest_long(name));
    if (value && spec->argument == OptionArgument::kNone) {
      if (card().is_open)
        result_.is_uncertain = true;
      else
        problem(fmt::format("option '--{}' doesn't allow an argument", spec->long_name), {});
      value.reset();
    }
    give(*spec, std::move(value));
  }

  [[nodiscard]] std::string closest_long(std::string_view name) const {
    std::vector<std::string_view> names;
    for (const OptionSpec& candidate : card().options) {
      if (!candidate.long_name.empty()) names.push_back(candidate.long_name);
    }
    const auto best = nearest(name, names);
    return best ? fmt::format("--{}", *best) : "";
  }

  void short_options(const std::string& text) {
    if (is_digits(std::string_view(text).substr(1))) {
      if (const OptionSpec* number = card().short_option("NUM"))
        return give(*number, text.substr(1));
    }
    for (size_t i = 1; i < text.size(); i++) {
      const OptionSpec* spec = card().short_option(text.substr(i, 1));
      if (spec == nullptr) {
        return unknown(fmt::format("invalid option -- '{}'", text[i]),
                       closest_long(std::string_view(text).substr(1)));
      }
      const bool takes_rest = spec->argument != OptionArgument::kNone && i + 1 < text.size();
      if (takes_rest) return give(*spec, text.substr(i + 1));
      if (i + 1 == text.size()) return give(*spec, std::nullopt);
      result_.options.push_back({spec, arguments_[at_].span, std::nullopt});
    }
  }

  std::vector<Argument> arguments_;
  bool has_subcommand_;
  size_t at_ = 0;
  Invocation result_;
};

}  // namespace

const GivenOption* Invocation::last(std::string_view option) const {
  for (auto given = options.rbegin(); given != options.rend(); ++given) {
    if (given->spec->is(option)) return &*given;
  }
  return nullptr;
}

bool Invocation::holds(const Condition& condition) const {
  const auto& words = condition.words;
  bool is_true = false;
  switch (condition.kind) {
    case Condition::Kind::kOptions:
      is_true = std::any_of(words.begin(), words.end(),
                            [this](std::string_view option) { return has(option); });
      break;
    case Condition::Kind::kOperands: {
      const bool has_patterns =
          std::any_of(operands.begin(), operands.end(),
                      [](const Argument& operand) { return operand.may_be_many; });
      const bool are_counted = condition.most == UINT32_MAX || !has_patterns;
      is_true =
          are_counted && operands.size() >= condition.least && operands.size() <= condition.most;
      is_true |= condition.counts_patterns && has_patterns;
      break;
    }
    case Condition::Kind::kArgument: {
      const GivenOption* given = last(condition.option);
      is_true = given != nullptr && given->argument && is_one_of(*given->argument, words);
      break;
    }
    case Condition::Kind::kFirst:
      is_true = !operands.empty() && is_one_of(operands[0], words);
      break;
    case Condition::Kind::kWord:
      is_true = std::any_of(operands.begin(), operands.end(),
                            [&](const Argument& operand) { return is_one_of(operand, words); });
      break;
    case Condition::Kind::kOnly:
      is_true = std::none_of(operands.begin(), operands.end(), [&](const Argument& operand) {
        return is_other_option(operand, words);
      });
      break;
  }
  return is_true != condition.is_negated;
}

const Property* Invocation::property(CardKey key) const {
  for (const Property& candidate : card->properties) {
    if (candidate.key == key &&
        std::all_of(candidate.conditions.begin(), candidate.conditions.end(),
                    [this](const Condition& c) { return holds(c); })) {
      return &candidate;
    }
  }
  return outer ? outer->property(key) : nullptr;
}

namespace {

// `means docker ps`: the subcommand of the same command that it is another name of.
const Card* meant_by(const Card& root, const Card& sub) {
  const Card* result = &root;
  for (size_t i = 1; i < sub.means.size() && result != nullptr; i++)
    result = result->subcommand(sub.means[i]);
  return result;
}

// `git psuh`: no subcommand of that name, but one with one letter more, less or wrong.
void judge_subcommand(const Card& card, const Argument& word, Invocation& result) {
  constexpr size_t kMinLength = 3;
  if (!word.text || word.text->size() < kMinLength) return;
  std::vector<std::string_view> names = card.subcommand_names;
  for (const Card& each : card.subcommands) {
    names.push_back(std::string_view(each.name).substr(each.name.rfind(' ') + 1));
    names.insert(names.end(), each.aliases.begin(), each.aliases.end());
  }
  if (std::find(names.begin(), names.end(), *word.text) != names.end()) return;
  for (const std::string_view name : names) {
    if (name.size() < kMinLength || !is_one_slip(*word.text, name)) continue;
    result.problems.push_back({word.span, fmt::format("there is no subcommand '{}'", *word.text),
                               std::string(name), false});
    return;
  }
}

Invocation parse_below(const Card& root, const Card& card, Span name_span,
                       std::vector<Argument> arguments) {
  Invocation result = ArgumentParser(card, name_span, arguments, !card.subcommands.empty()).run();
  if (result.operands.empty() || (card.subcommands.empty() && card.subcommand_names.empty()))
    return result;
  const Argument& word = result.operands[0];
  const Card* sub = word.text ? card.subcommand(*word.text) : nullptr;
  if (sub != nullptr && !sub->means.empty()) sub = meant_by(root, *sub);
  if (sub == nullptr || sub == &root) {
    // One without a card: its options may be those that the command lists.
    result = ArgumentParser(card, name_span, std::move(arguments)).run();
    if (!result.operands.empty()) judge_subcommand(card, result.operands[0], result);
    return result;
  }
  std::vector<Argument> rest(result.operands.begin() + 1, result.operands.end());
  Invocation inner = parse_below(root, *sub, name_span, std::move(rest));
  inner.options.insert(inner.options.begin(), result.options.begin(), result.options.end());
  inner.problems.insert(inner.problems.begin(), result.problems.begin(), result.problems.end());
  inner.is_uncertain |= result.is_uncertain;
  inner.is_foreign |= result.is_foreign;
  // The innermost one knows the whole way up.
  if (inner.outer == nullptr) inner.outer = std::make_shared<const Invocation>(std::move(result));
  return inner;
}

}  // namespace

Invocation parse_invocation(const Card& card, Span name_span, std::vector<Argument> arguments) {
  return parse_below(card, card, name_span, std::move(arguments));
}

Invocation parse_words(regular::Context& context, const Card& card,
                       std::span<const std::string_view> before,
                       std::span<const std::string> words) {
  std::vector<Argument> arguments;
  auto add = [&](std::string_view word) {
    arguments.push_back(
        {Span{}, context.epsilon(), std::string(word), std::string(word), false, false, false});
  };
  for (std::string_view word : before) add(word);
  for (const std::string& word : words) add(word);
  return parse_invocation(card, Span{}, std::move(arguments));
}

const GivenOption* Invocation::not_a_number(std::initializer_list<std::string_view> names) const {
  for (const std::string_view name : names) {
    const GivenOption* given = last(name);
    if (!given || !given->argument || !given->argument->text) continue;
    const std::string& text = *given->argument->text;
    if (!is_digits(text)) return given;
  }
  return nullptr;
}

}  // namespace nacre::commands
