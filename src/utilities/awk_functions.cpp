// The functions that awk has by itself.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "utilities/awk_format.h"
#include "utilities/awk_interpreter.h"
#include "utilities/date.h"

namespace nacre::utilities {
namespace {

constexpr double kNanosecond = 1e9;

// `\&` and `\\&` in a replacement, as POSIX and gawk read them: only backslashes before a `&` mean
// something.
void append_replacement(std::string& result, std::string_view replacement,
                        std::string_view matched) {
  for (size_t i = 0; i < replacement.size(); ++i) {
    std::string_view rest = replacement.substr(i);
    if (rest.starts_with("\\\\\\&")) {
      result += "\\&";
      i += 3;
    } else if (rest.starts_with("\\\\&")) {
      result += '\\';
      result += matched;
      i += 2;
    } else if (rest.starts_with("\\&")) {
      result += '&';
      i += 1;
    } else if (rest[0] == '&') {
      result += matched;
    } else {
      result += rest[0];
    }
  }
}

// gensub() knows groups: \1 to \9, \0 and & for all, \\ for a backslash.
void append_with_groups(std::string& result, std::string_view replacement, std::string_view text,
                        const Match& match) {
  for (size_t i = 0; i < replacement.size(); ++i) {
    char c = replacement[i];
    if (c == '&') {
      result += match.group(text, 0);
    } else if (c == '\\' && i + 1 < replacement.size()) {
      char next = replacement[++i];
      if (next >= '0' && next <= '9') {
        result += match.group(text, static_cast<size_t>(next - '0'));
      } else {
        if (next != '&' && next != '\\') result += '\\';
        result += next;
      }
    } else {
      result += c;
    }
  }
}

// Calls `use(match)` for each match in `text` until it returns false; an empty match right after
// another one is none.
template <typename Use>
void for_each_match(const Regex& regex, std::string_view text, Use&& use) {
  size_t from = 0;
  size_t last_end = std::string::npos;
  while (from <= text.size()) {
    std::optional<Match> match = regex.search(text, from);
    if (!match) return;
    bool is_empty = match->begin() == match->end();
    if (!(is_empty && match->begin() == last_end) && !use(*match)) return;
    last_end = match->end();
    from = match->end() + (is_empty ? 1 : 0);
  }
}

}  // namespace

double AwkInterpreter::argument(const awk::Call& node, size_t index) {
  return index < node.arguments.size() ? evaluate(node.arguments[index]).to_number() : 0;
}

AwkValue AwkInterpreter::call_builtin(const awk::Call& node) {
  for (auto group : {&AwkInterpreter::string_function, &AwkInterpreter::number_function,
                     &AwkInterpreter::system_function, &AwkInterpreter::bit_function}) {
    if (auto value = (this->*group)(node)) return *value;
  }
  fatal(fmt::format("the function '{}' is not modelled", node.function));
}

std::optional<AwkValue> AwkInterpreter::string_function(const awk::Call& node) {
  const std::string& name = node.function;
  if (name == "length") return length(node);
  if (name == "substr") return substr(node);
  if (name == "split") return split(node);
  if (name == "match") return match(node);
  if (name == "sub" || name == "gsub") return substitute(node, name == "gsub");
  if (name == "gensub") return gensub(node);
  if (name == "sprintf") return AwkValue::string(formatted(node.arguments));
  if (name == "index") {
    std::string whole = text(node.arguments.at(0));
    size_t found = whole.find(text(node.arguments.at(1)));
    return AwkValue::number(found == std::string::npos ? 0 : static_cast<double>(found + 1));
  }
  if (name == "tolower" || name == "toupper") {
    std::string result = text(node.arguments.at(0));
    bool lowers = name == "tolower";
    for (char& c : result) {
      if (lowers ? c >= 'A' && c <= 'Z' : c >= 'a' && c <= 'z') c = static_cast<char>(c ^ 32);
    }
    return AwkValue::string(std::move(result));
  }
  if (name == "asort" || name == "asorti") return sort_array(node, name == "asorti");
  return std::nullopt;
}

AwkValue AwkInterpreter::length(const awk::Call& node) {
  if (node.arguments.empty()) {
    return AwkValue::number(static_cast<double>(text(field(0)).size()));
  }
  const auto* variable = std::get_if<awk::Variable>(&program_[node.arguments[0]].node);
  if (variable != nullptr && cell(variable->name).array != nullptr) {
    return AwkValue::number(static_cast<double>(array(variable->name).size()));
  }
  return AwkValue::number(static_cast<double>(text(node.arguments[0]).size()));
}

// POSIX would round and count from before the first character; gawk, mawk and busybox agree to cut
// fractions off and to begin with the first character.
AwkValue AwkInterpreter::substr(const awk::Call& node) {
  std::string whole = text(node.arguments.at(0));
  auto size = static_cast<double>(whole.size());
  double begin = std::max(std::trunc(argument(node, 1)), 1.0);
  double count = node.arguments.size() > 2 ? std::trunc(argument(node, 2)) : size;
  if (!(begin <= size) || !(count > 0)) return AwkValue::string("");
  return AwkValue::string(
      whole.substr(static_cast<size_t>(begin) - 1, static_cast<size_t>(std::min(count, size))));
}

AwkValue AwkInterpreter::split(const awk::Call& node) {
  std::string whole = text(node.arguments.at(0));
  auto separator = field_separator();
  if (node.arguments.size() > 2) {
    const auto* regex = std::get_if<awk::Regex>(&program_[node.arguments[2]].node);
    if (regex != nullptr) {
      auto made = std::make_shared<AwkSeparator>();
      made->kind = AwkSeparator::kRegex;
      made->regex = compiled(regex->source);
      separator = made;
    } else {
      separator = make_separator(text(node.arguments[2]), false);
    }
  }
  AwkArray& target = array_of(node.arguments.at(1));
  target.clear();
  size_t count = 0;
  separator->split(whole, [&](std::string_view piece) {
    set_element(target, std::to_string(++count), AwkValue::input(std::string(piece)));
  });
  return AwkValue::number(static_cast<double>(count));
}

AwkValue AwkInterpreter::match(const awk::Call& node) {
  std::string whole = text(node.arguments.at(0));
  std::optional<Match> found = pattern(node.arguments.at(1)).search(whole);
  double start = found ? static_cast<double>(found->begin() + 1) : 0;
  rstart_->value = AwkValue::number(start);
  rlength_->value =
      AwkValue::number(found ? static_cast<double>(found->end() - found->begin()) : -1);
  if (node.arguments.size() > 2) {
    AwkArray& groups = array_of(node.arguments[2]);
    groups.clear();
    for (size_t i = 0; found && i < found->groups.size(); ++i) {
      if (found->groups[i].begin == std::string::npos) continue;
      groups.set(std::to_string(i), AwkValue::input(std::string(found->group(whole, i))));
    }
  }
  return AwkValue::number(start);
}

AwkValue AwkInterpreter::substitute(const awk::Call& node, bool all) {
  std::string replacement = text(node.arguments.at(1));
  bool has_target = node.arguments.size() > 2;
  Place place;
  if (has_target) place = place_of(node.arguments[2]);
  std::string whole = text(has_target ? load(place) : field(0));
  std::string result;
  size_t done = 0;
  double count = 0;
  for_each_match(pattern(node.arguments.at(0)), whole, [&](const Match& found) {
    result.append(whole, done, found.begin() - done);
    append_replacement(result, replacement, found.group(whole, 0));
    done = found.end();
    ++count;
    return all;
  });
  if (count == 0) return AwkValue::number(0);
  result.append(whole, done);
  store(place, AwkValue::string(std::move(result)));
  return AwkValue::number(count);
}

AwkValue AwkInterpreter::gensub(const awk::Call& node) {
  std::string replacement = text(node.arguments.at(1));
  std::string how = text(node.arguments.at(2));
  std::string whole = node.arguments.size() > 3 ? text(node.arguments[3]) : text(field(0));
  bool all = how.starts_with('g') || how.starts_with('G');
  double wanted = std::max(1.0, AwkValue::input(how).to_number());
  std::string result;
  size_t done = 0;
  double count = 0;
  for_each_match(pattern(node.arguments.at(0)), whole, [&](const Match& found) {
    if (++count < wanted && !all) return true;
    result.append(whole, done, found.begin() - done);
    append_with_groups(result, replacement, whole, found);
    done = found.end();
    return all;
  });
  result.append(whole, done);
  return AwkValue::string(std::move(result));
}

AwkValue AwkInterpreter::sort_array(const awk::Call& node, bool by_keys) {
  AwkArray& source = array_of(node.arguments.at(0));
  std::vector<AwkValue> values;
  for (const std::string& key : source.keys()) {
    values.push_back(by_keys ? AwkValue::string(key) : source.get(key));
  }
  // Numbers before strings.
  std::stable_sort(values.begin(), values.end(), [&](const AwkValue& a, const AwkValue& b) {
    if (a.is_numeric() != b.is_numeric()) return a.is_numeric();
    return compare(a, b, number_format_) < 0;
  });
  AwkArray& target = node.arguments.size() > 1 ? array_of(node.arguments[1]) : source;
  target.clear();
  for (size_t i = 0; i < values.size(); ++i) target.set(std::to_string(i + 1), values[i]);
  return AwkValue::number(static_cast<double>(values.size()));
}

std::string AwkInterpreter::formatted(const awk::Exprs& arguments) {
  if (arguments.empty()) fatal("printf needs a format");
  std::string format = text(arguments[0]);
  std::vector<AwkValue> values;
  for (size_t i = 1; i < arguments.size(); ++i) values.push_back(evaluate(arguments[i]));
  std::string error;
  auto result = format_values(format, values, number_format_, error);
  if (!result) fatal(error);
  return std::move(*result);
}

std::optional<AwkValue> AwkInterpreter::number_function(const awk::Call& node) {
  const std::string& name = node.function;
  auto first = [&] { return argument(node, 0); };
  if (name == "int") return AwkValue::number(std::trunc(first()));
  if (name == "sqrt") return AwkValue::number(std::sqrt(first()));
  if (name == "exp") return AwkValue::number(std::exp(first()));
  if (name == "log") return AwkValue::number(std::log(first()));
  if (name == "sin") return AwkValue::number(std::sin(first()));
  if (name == "cos") return AwkValue::number(std::cos(first()));
  if (name == "atan2") {
    double y = first();
    return AwkValue::number(std::atan2(y, argument(node, 1)));
  }
  if (name == "rand") return random();
  if (name == "srand") return seed(node);
  if (name == "strtonum") {
    std::string digits = text(node.arguments.at(0));
    bool is_hexadecimal = digits.starts_with("0x") || digits.starts_with("0X");
    bool is_octal = digits.size() > 1 && digits[0] == '0' &&
                    digits.find_first_not_of("01234567") == std::string::npos;
    if (!is_hexadecimal && !is_octal) return AwkValue::number(first());
    return AwkValue::number(
        static_cast<double>(std::strtoull(digits.c_str(), nullptr, is_octal ? 8 : 16)));
  }
  return std::nullopt;
}

// splitmix64: the numbers differ from every other awk's, as theirs do from each other.
AwkValue AwkInterpreter::random() {
  uint64_t z = random_state_ += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return AwkValue::number(static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53);
}

AwkValue AwkInterpreter::seed(const awk::Call& node) {
  uint64_t old = seed_;
  double now = std::floor(static_cast<double>(context_.os.clock_ns()) / kNanosecond);
  double wanted = node.arguments.empty() ? now : argument(node, 0);
  seed_ = static_cast<uint64_t>(static_cast<int64_t>(wanted));
  random_state_ = seed_ + 1;
  return AwkValue::number(static_cast<double>(static_cast<int64_t>(old)));
}

std::optional<AwkValue> AwkInterpreter::system_function(const awk::Call& node) {
  const std::string& name = node.function;
  if (name == "system") return AwkValue::number(streams_.run(text(node.arguments.at(0))));
  if (name == "close") return AwkValue::number(streams_.close(text(node.arguments.at(0))));
  if (name == "fflush") {
    streams_.flush();
    return AwkValue::number(0);
  }
  if (name == "systime") {
    return AwkValue::number(std::floor(static_cast<double>(context_.os.clock_ns()) / kNanosecond));
  }
  if (name == "strftime") return format_time(node);
  return std::nullopt;
}

AwkValue AwkInterpreter::format_time(const awk::Call& node) {
  std::string format = node.arguments.empty() ? "%a %b %e %H:%M:%S %Z %Y" : text(node.arguments[0]);
  int64_t time = context_.os.clock_ns();
  if (node.arguments.size() > 1) time = static_cast<int64_t>(argument(node, 1) * kNanosecond);
  auto result = format_date(format, time);
  if (!result) fatal(fmt::format("the time format '{}' is not modelled", format));
  return AwkValue::string(std::move(*result));
}

std::optional<AwkValue> AwkInterpreter::bit_function(const awk::Call& node) {
  const std::string& name = node.function;
  auto bits = [&](size_t index) { return static_cast<uint64_t>(argument(node, index)); };
  auto number = [](uint64_t value) { return AwkValue::number(static_cast<double>(value)); };
  constexpr uint64_t kAllBits = (uint64_t{1} << 53) - 1;
  constexpr uint64_t kMaxShift = 63;
  if (name == "compl") return number(~bits(0) & kAllBits);
  if (name == "lshift") return number((bits(0) << std::min(bits(1), kMaxShift)) & kAllBits);
  if (name == "rshift") return number(bits(0) >> std::min(bits(1), kMaxShift));
  if (name != "and" && name != "or" && name != "xor") return std::nullopt;
  uint64_t result = bits(0);
  for (size_t i = 1; i < node.arguments.size(); ++i) {
    result = name == "and" ? result & bits(i) : name == "or" ? result | bits(i) : result ^ bits(i);
  }
  return number(result);
}

}  // namespace nacre::utilities
