// sort uniq comm
#include <algorithm>
#include <fcntl.h>
#include <fmt/format.h>

#include "base/ascii.h"
#include "utilities/input.h"
#include "utilities/options.h"
#include "utilities/table.h"

namespace nacre::utilities {
namespace {

// How one key, or the whole line, is compared.
struct Order {
  bool numeric = false, human = false, general = false, reverse = false, fold = false,
       dictionary = false, skips_blanks_begin = false, skips_blanks_end = false, version = false;
  [[nodiscard]] bool is_plain() const {
    return !numeric && !human && !general && !reverse && !fold && !dictionary &&
           !skips_blanks_begin && !skips_blanks_end && !version;
  }
};

struct Key {
  size_t first_field = 1, first_char = 1;
  size_t last_field = 0, last_char = 0;  // 0: to the end of the line, of the field
  Order order;
};

// The number that `text` starts with, as -n reads it: sign, digits, a point, digits.
int compare_numbers(std::string_view a, std::string_view b) {
  struct Number {
    bool negative = false;
    std::string_view whole, fraction;
    [[nodiscard]] bool is_zero() const {
      return whole.empty() && fraction.find_first_not_of('0') == std::string_view::npos;
    }
  };
  auto read = [](std::string_view text) {
    Number number;
    while (!text.empty() && is_blank_or_newline(text[0])) text.remove_prefix(1);
    if (text.starts_with('-')) {
      number.negative = true;
      text.remove_prefix(1);
    }
    while (text.starts_with('0')) text.remove_prefix(1);
    size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
    number.whole = text.substr(0, end);
    text.remove_prefix(end);
    if (text.starts_with('.')) {
      text.remove_prefix(1);
      number.fraction = text.substr(0, std::min(text.find_first_not_of("0123456789"), text.size()));
    }
    return number;
  };
  Number x = read(a);
  Number y = read(b);
  if (x.is_zero()) x.negative = false;
  if (y.is_zero()) y.negative = false;
  if (x.negative != y.negative) return x.negative ? -1 : 1;
  int result = 0;
  if (x.whole.size() != y.whole.size()) {
    result = x.whole.size() < y.whole.size() ? -1 : 1;
  } else if (x.whole != y.whole) {
    result = x.whole < y.whole ? -1 : 1;
  } else {
    size_t size = std::max(x.fraction.size(), y.fraction.size());
    std::string p(x.fraction);
    std::string q(y.fraction);
    p.resize(size, '0');
    q.resize(size, '0');
    result = p < q ? -1 : p > q ? 1 : 0;
  }
  return x.negative ? -result : result;
}

int compare_human(std::string_view a, std::string_view b) {
  auto unit = [](std::string_view text) {
    size_t end = text.find_first_not_of("-0123456789. ");
    size_t found =
        end == std::string_view::npos
            ? end
            : std::string_view("KMGTPEZY")
                  .find(static_cast<char>(std::toupper(static_cast<unsigned char>(text[end]))));
    return found == std::string_view::npos ? 0 : static_cast<int>(found) + 1;
  };
  bool a_negative = a.starts_with('-');
  bool b_negative = b.starts_with('-');
  if (a_negative != b_negative) return a_negative ? -1 : 1;
  int by_unit = unit(a) - unit(b);
  if (by_unit != 0) return a_negative ? -by_unit : by_unit;
  return compare_numbers(a, b);
}

int compare_texts(std::string_view a, std::string_view b, const Order& order) {
  size_t i = 0;
  size_t j = 0;
  auto skip = [&](std::string_view text, size_t& at) {
    if (!order.dictionary) return;
    while (at < text.size() && std::isalnum(static_cast<unsigned char>(text[at])) == 0 &&
           !is_blank_or_newline(text[at])) {
      ++at;
    }
  };
  while (true) {
    skip(a, i);
    skip(b, j);
    if (i >= a.size() || j >= b.size()) break;
    auto x = static_cast<unsigned char>(a[i++]);
    auto y = static_cast<unsigned char>(b[j++]);
    if (order.fold) {
      x = static_cast<unsigned char>(std::toupper(x));
      y = static_cast<unsigned char>(std::toupper(y));
    }
    if (x != y) return x < y ? -1 : 1;
  }
  return (i < a.size() ? 1 : 0) - (j < b.size() ? 1 : 0);
}

class Sorter {
 public:
  std::vector<Key> keys;
  char separator = 0;  // 0: blanks before a field belong to it
  bool is_stable = false;
  bool is_unique = false;
  Order whole;

  [[nodiscard]] int compare(std::string_view a, std::string_view b) const {
    int result = compare_keys(a, b);
    if (result != 0 || is_stable || is_unique) return result;
    int last = a < b ? -1 : a > b ? 1 : 0;
    return whole.reverse ? -last : last;
  }
  [[nodiscard]] int compare_keys(std::string_view a, std::string_view b) const {
    if (keys.empty()) return compare_by(a, b, whole);
    for (const Key& key : keys) {
      const Order& order = key.order.is_plain() ? whole : key.order;
      if (int result = compare_by(part(a, key, order), part(b, key, order), order); result != 0) {
        return result;
      }
    }
    return 0;
  }

 private:
  static int compare_by(std::string_view a, std::string_view b, const Order& order) {
    if (order.skips_blanks_begin) {
      while (!a.empty() && is_blank_or_newline(a[0])) a.remove_prefix(1);
      while (!b.empty() && is_blank_or_newline(b[0])) b.remove_prefix(1);
    }
    int result = order.numeric ? compare_numbers(a, b)
                 : order.human ? compare_human(a, b)
                               : compare_texts(a, b, order);
    return order.reverse ? -result : result;
  }

  // Where field `number` (from 1) begins.
  [[nodiscard]] size_t field_begin(std::string_view line, size_t number) const {
    size_t at = 0;
    for (size_t i = 1; i < number && at < line.size(); ++i)
      at = field_end(line, at) + (separator != 0 ? 1 : 0);
    return std::min(at, line.size());
  }
  [[nodiscard]] size_t field_end(std::string_view line, size_t at) const {
    if (separator != 0) return std::min(line.find(separator, at), line.size());
    while (at < line.size() && is_blank_or_newline(line[at])) ++at;
    while (at < line.size() && !is_blank_or_newline(line[at])) ++at;
    return at;
  }

  [[nodiscard]] std::string_view part(std::string_view line, const Key& key,
                                      const Order& order) const {
    size_t begin = field_begin(line, key.first_field);
    if (order.skips_blanks_begin) {
      while (begin < line.size() && is_blank_or_newline(line[begin])) ++begin;
    }
    begin = std::min(begin + key.first_char - 1, line.size());
    size_t end = line.size();
    if (key.last_field > 0) {
      size_t start = field_begin(line, key.last_field);
      if (key.last_char == 0) {
        end = field_end(line, start);
      } else {
        if (order.skips_blanks_end) {
          while (start < line.size() && is_blank_or_newline(line[start])) ++start;
        }
        end = std::min(start + key.last_char, line.size());
      }
    }
    return begin < end ? line.substr(begin, end - begin) : std::string_view();
  }
};

bool set_order(Order& order, char letter, bool at_begin, bool at_end) {
  switch (letter) {
    case 'n': order.numeric = true; return true;
    case 'h': order.human = true; return true;
    case 'r': order.reverse = true; return true;
    case 'f': order.fold = true; return true;
    case 'd': order.dictionary = true; return true;
    case 'b':
      order.skips_blanks_begin |= at_begin;
      order.skips_blanks_end |= at_end;
      return true;
    default: return false;
  }
}

// 2,3n or 1.2b,1.4; false if it is wrong.
bool parse_key(std::string_view text, Key& key) {
  auto number = [&](size_t& value) {
    size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
    auto parsed = parse_number(text.substr(0, end));
    if (end == 0 || !parsed) return false;
    value = static_cast<size_t>(*parsed);
    text.remove_prefix(end);
    return true;
  };
  auto letters = [&](bool at_begin) {
    while (!text.empty() && set_order(key.order, text[0], at_begin, !at_begin))
      text.remove_prefix(1);
  };
  if (!number(key.first_field) || key.first_field == 0) return false;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    if (!number(key.first_char) || key.first_char == 0) return false;
  }
  letters(true);
  if (text.starts_with(',')) {
    text.remove_prefix(1);
    if (!number(key.last_field) || key.last_field == 0) return false;
    if (text.starts_with('.')) {
      text.remove_prefix(1);
      if (!number(key.last_char)) return false;
    }
    letters(false);
  }
  return text.empty();
}

int check_sorted(Context& context, const Options& options, const Sorter& sorter,
                 const std::vector<std::string>& lines) {
  for (size_t i = 1; i < lines.size(); ++i) {
    int order = sorter.compare(lines[i - 1], lines[i]);
    if (order < 0 || (order == 0 && !sorter.is_unique)) continue;
    if (options.has('C')) return 1;
    std::string name = options.operands.empty() ? "-" : options.operands[0];
    context.fail(fmt::format("{}:{}: disorder: {}", name, i + 1, lines[i]));
    return 1;
  }
  return 0;
}

}  // namespace

int sort(Context& context) {
  auto options = parse_options(context, "sort", "nhrfbduscCmzkto --check:c", 2);
  if (!options) return options.error();
  Sorter sorter;
  sorter.is_stable = options->has('s');
  sorter.is_unique = options->has('u');
  for (const Given& given : options->given) {
    set_order(sorter.whole, given.letter, true, true);
    if (given.letter == 'k') {
      Key key;
      if (!parse_key(given.value, key)) {
        context.fail(fmt::format("invalid field specification {}", quoted(given.value)));
        return 2;
      }
      sorter.keys.push_back(key);
    }
  }
  if (const std::string* separator = options->last('t')) {
    bool is_null = *separator == "\\0";
    if (separator->size() != 1 && !is_null) {
      context.fail(separator->empty() ? "empty tab"
                                      : fmt::format("multi-character tab {}", quoted(*separator)));
      return 2;
    }
    sorter.separator = is_null ? '\0' : (*separator)[0];
  }
  char end = options->has('z') ? '\0' : '\n';
  std::vector<std::string> lines;
  size_t held = 0;
  std::vector<std::string> operands = options->operands;
  if (operands.empty()) operands.emplace_back("-");
  for (const std::string& path : operands) {
    Input input(context, path);
    std::string line;
    while (input.error() == 0 && input.line(line, end)) {
      lines.push_back(line);
      context.holds(held += sizeof line + line.size());
    }
    if (input.error() != 0) {
      context.fail(fmt::format("cannot read: {}", path), input.error());
      return 2;
    }
  }
  if (options->has('c') || options->has('C')) return check_sorted(context, *options, sorter, lines);
  context.os.spend(lines.size() / 16);
  std::stable_sort(lines.begin(), lines.end(), [&](const std::string& a, const std::string& b) {
    return sorter.compare(a, b) < 0;
  });
  if (sorter.is_unique) {
    auto same = [&](const std::string& a, const std::string& b) {
      return sorter.compare_keys(a, b) == 0;
    };
    lines.erase(std::unique(lines.begin(), lines.end(), same), lines.end());
  }
  const std::string* target = options->last('o');
  if (target == nullptr) {
    for (const std::string& line : lines) {
      context.out(line);
      context.out(end);
    }
    return 0;
  }
  int fd = context.os.open(target->c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (fd < 0) {
    context.fail(fmt::format("open failed: {}", *target), fd);
    return 2;
  }
  std::string all;
  for (const std::string& line : lines) all += line + end;
  ssize_t written = all.empty() ? 0 : context.os.write(fd, all.data(), all.size());
  return written < 0 ? 2 : 0;
}

int uniq(Context& context) {
  auto options = parse_options(context, "uniq", "cduifsw");
  if (!options) return options.error();
  if (options->operands.size() > 2) return context.fail("extra operand");
  if (options->operands.size() == 2) return context.not_modelled("an output file");
  auto number = [&](char letter, size_t otherwise) {
    const std::string* text = options->last(letter);
    return text == nullptr ? otherwise : static_cast<size_t>(parse_number(*text).value_or(0));
  };
  size_t fields = number('f', 0);
  size_t skip = number('s', 0);
  size_t width = number('w', std::string::npos);
  auto key = [&](std::string_view line) {
    for (size_t i = 0; i < fields; ++i) {
      while (!line.empty() && is_blank_or_newline(line[0])) line.remove_prefix(1);
      while (!line.empty() && !is_blank_or_newline(line[0])) line.remove_prefix(1);
    }
    line.remove_prefix(std::min(skip, line.size()));
    std::string result(line.substr(0, width));
    if (options->has('i')) {
      for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return result;
  };
  auto print = [&](const std::string& line, uint64_t count) {
    if (count == 0 || (options->has('d') && count < 2) || (options->has('u') && count > 1)) return;
    if (options->has('c')) context.out(fmt::format("{:7} ", count));
    context.out(line + "\n");
  };
  return for_each_input(context, options->operands, [&](Input& input, const std::string&) {
    std::string first;
    std::string line;
    uint64_t count = 0;
    while (input.line(line)) {
      if (count > 0 && key(line) == key(first)) {
        ++count;
        continue;
      }
      print(first, count);
      first = line;
      count = 1;
    }
    print(first, count);
  });
}

int comm(Context& context) {
  auto options = parse_options(context, "comm", "123");
  if (!options) return options.error();
  if (options->operands.size() != 2) return context.fail("two operands are needed");
  Input first(context, options->operands[0]);
  Input second(context, options->operands[1]);
  for (Input* input : {&first, &second}) {
    const std::string& path = options->operands[input == &first ? 0 : 1];
    if (input->error() != 0) return context.fail(path, input->error());
  }
  std::string a;
  std::string b;
  bool has_a = first.line(a);
  bool has_b = second.line(b);
  auto print = [&](char column, const std::string& line) {
    if (options->has(column)) return;
    for (char before = '1'; before < column; ++before) {
      if (!options->has(before)) context.out('\t');
    }
    context.out(line + "\n");
  };
  // Disorder matters once a line had no partner; each file is blamed once.
  bool has_unpaired = false;
  bool is_blamed[2] = {false, false};
  auto check_order = [&](int file, const std::string& before, const std::string& after) {
    if (!has_unpaired || is_blamed[file] || before <= after) return;
    is_blamed[file] = true;
    context.fail(fmt::format("file {} is not in sorted order", file + 1));
  };
  while (has_a || has_b) {
    int order = !has_a ? 1 : !has_b ? -1 : a.compare(b);
    has_unpaired |= order != 0;
    if (order < 0) {
      print('1', a);
    } else if (order > 0) {
      print('2', b);
    } else {
      print('3', a);
    }
    if (order <= 0) {
      std::string before = a;
      has_a = first.line(a);
      if (has_a) check_order(0, before, a);
    }
    if (order >= 0) {
      std::string before = b;
      has_b = second.line(b);
      if (has_b) check_order(1, before, b);
    }
  }
  if (is_blamed[0] || is_blamed[1]) return context.fail("input is not in sorted order");
  return 0;
}

}  // namespace nacre::utilities
