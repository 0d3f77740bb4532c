#include "utilities/options.h"

#include <charconv>
#include <fmt/format.h>

namespace nacre::utilities {
namespace {

const LongOption* find_long(std::span<const LongOption> names, std::string_view name) {
  const LongOption* found = nullptr;
  for (const LongOption& option : names) {
    std::string_view own = option.name;
    if (own.ends_with('=')) own.remove_suffix(1);
    if (own == name) return &option;
    if (!own.starts_with(name)) continue;
    if (found != nullptr && found->letter != option.letter) return nullptr;  // ambiguous
    found = &option;
  }
  return found;
}

class Parser {
 public:
  Parser(Context& context, std::string_view letters, std::span<const LongOption> names)
      : context_(context), letters_(letters), names_(names) {
    if (letters_.starts_with('+')) {
      stops_at_operand_ = true;
      letters_.remove_prefix(1);
    }
  }

  std::optional<Options> parse() {
    const auto& arguments = context_.arguments;
    while (at_ < arguments.size()) {
      const std::string& argument = arguments[at_++];
      if (argument == "--") break;
      if (argument.starts_with("--")) {
        if (!parse_long(argument)) return std::nullopt;
      } else if (argument.size() > 1 && argument[0] == '-') {
        if (!parse_cluster(argument)) return std::nullopt;
      } else {
        result_.operands.push_back(argument);
        if (stops_at_operand_) break;
      }
    }
    for (; at_ < arguments.size(); ++at_) result_.operands.push_back(arguments[at_]);
    return std::move(result_);
  }

 private:
  bool next_value(std::string& value, std::string_view option) {
    if (at_ == context_.arguments.size()) {
      context_.fail(fmt::format("option requires an argument -- {}", quoted(option)));
      return false;
    }
    value = context_.arguments[at_++];
    return true;
  }

  bool parse_long(const std::string& argument) {
    size_t equals = argument.find('=');
    std::string_view name = std::string_view(argument).substr(2, equals - 2);
    const LongOption* option = find_long(names_, name);
    if (option == nullptr) {
      context_.not_modelled(fmt::format("option '--{}'", name));
      return false;
    }
    std::string value;
    if (equals != std::string::npos) value = argument.substr(equals + 1);
    bool takes = option->name.ends_with('=');
    if (takes && equals == std::string::npos && !next_value(value, name)) return false;
    result_.given.push_back({option->letter, std::move(value)});
    return true;
  }

  bool parse_cluster(const std::string& argument) {
    for (size_t i = 1; i < argument.size(); ++i) {
      size_t known = letters_.find(argument[i]);
      if (known == std::string_view::npos || argument[i] == ':') {
        context_.not_modelled(fmt::format("option '-{}'", argument[i]));
        return false;
      }
      std::string value;
      bool takes = letters_.substr(known + 1).starts_with(':');
      if (takes) {
        value = argument.substr(i + 1);
        if (value.empty() && !next_value(value, argument.substr(i, 1))) return false;
      }
      result_.given.push_back({static_cast<unsigned char>(argument[i]), std::move(value)});
      if (takes) break;
    }
    return true;
  }

  Context& context_;
  std::string_view letters_;
  std::span<const LongOption> names_;
  bool stops_at_operand_ = false;
  size_t at_ = 1;
  Options result_;
};

}  // namespace

const std::string* Options::last(int letter) const {
  for (size_t i = given.size(); i-- > 0;) {
    if (given[i].letter == letter) return &given[i].value;
  }
  return nullptr;
}

int Options::last_of(std::string_view letters) const {
  for (size_t i = given.size(); i-- > 0;) {
    int letter = given[i].letter;
    if (letter < 256 && letters.find(static_cast<char>(letter)) != std::string_view::npos) {
      return letter;
    }
  }
  return 0;
}

std::optional<Options> parse_options(Context& context, std::string_view letters,
                                     std::initializer_list<LongOption> names) {
  return Parser(context, letters, {names.begin(), names.size()}).parse();
}

std::optional<int64_t> parse_number(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  int64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace nacre::utilities
