// head tail wc
#include <deque>
#include <fmt/format.h>

#include "base/ascii.h"
#include "utilities/input.h"
#include "utilities/options.h"
#include "utilities/table.h"

namespace nacre::utilities {
namespace {

struct Count {
  int64_t number = 10;
  char sign = 0;  // + or -, if written
  bool is_bytes = false;
};

// -n 5, -n -5, -n +5, -c 1k; false after a message.
bool read_count(Context& context, const Options& options, Count& count) {
  for (const Given& given : options.given) {
    if (given.letter != 'n' && given.letter != 'c') continue;
    std::string text = given.value;
    count.is_bytes = given.letter == 'c';
    count.sign = 0;
    if (!text.empty() && (text[0] == '+' || text[0] == '-')) {
      count.sign = text[0];
      text.erase(0, 1);
    }
    int64_t unit = 1;
    if (text.ends_with('k') || text.ends_with('K')) unit = 1024;
    if (text.ends_with('M')) unit = 1024 * 1024;
    if (unit > 1) text.pop_back();
    auto number = parse_number(text);
    if (!number || *number < 0) {
      std::string_view what = count.is_bytes ? "bytes" : "lines";
      context.fail(fmt::format("invalid number of {}: {}", what, quoted(given.value)));
      return false;
    }
    count.number = *number * unit;
  }
  return true;
}

// The old form: head -5, tail +3. A status to return, after its message; 0.
int translate_old_form(Context& context, bool is_tail) {
  if (context.arguments.size() < 2) return 0;
  std::string& first = context.arguments[1];
  const bool is_signed = first.size() > 1 && (first[0] == '-' || (is_tail && first[0] == '+'));
  if (!is_signed || !is_digit(first[1])) return 0;
  if (!is_digits(std::string_view(first).substr(1)))  // -5q, -5c
    return context.not_modelled(fmt::format("the old form {}", quoted(first)));
  if (is_tail && context.arguments.size() > 3)
    return context.fail(fmt::format("option used in invalid context -- {}", first.substr(1)));
  first = "-n" + (first[0] == '+' ? first : first.substr(1));
  return 0;
}

void head_lines(Context& context, Input& input, const Count& count) {
  std::string line;
  size_t held = 0;
  std::deque<std::string> kept;  // of `-n -N`: all but the last N
  for (int64_t i = 0; count.sign == '-' || i < count.number; ++i) {
    if (!input.line(line)) break;
    if (input.was_terminated()) line += '\n';
    if (count.sign != '-') {
      context.out(line);
      continue;
    }
    kept.push_back(line);
    context.holds(held += line.size());
    if (static_cast<int64_t>(kept.size()) > count.number) {
      held -= kept.front().size();
      context.out(kept.front());
      kept.pop_front();
    }
  }
}

void head_bytes(Context& context, Input& input, const Count& count) {
  if (count.sign == '-') {
    std::string all = input.rest();
    auto drop = static_cast<size_t>(count.number);
    context.out(std::string_view(all).substr(0, all.size() - std::min(all.size(), drop)));
    return;
  }
  auto left = static_cast<size_t>(count.number);
  while (left > 0) {
    std::string_view piece = input.piece();
    if (piece.empty()) break;
    context.out(piece.substr(0, left));
    left -= std::min(left, piece.size());
  }
}

void tail_of(Context& context, Input& input, const Count& count) {
  auto number = static_cast<size_t>(count.number);
  if (count.is_bytes) {
    std::string all = input.rest();
    size_t from = count.sign == '+' ? std::max<size_t>(number, 1) - 1
                                    : all.size() - std::min(all.size(), number);
    if (from < all.size()) context.out(std::string_view(all).substr(from));
    return;
  }
  std::string line;
  size_t held = 0;
  std::deque<std::string> kept;
  for (size_t i = 1; input.line(line); ++i) {
    if (input.was_terminated()) line += '\n';
    if (count.sign == '+') {
      if (i >= number) context.out(line);
      continue;
    }
    kept.push_back(line);
    context.holds(held += line.size());
    if (kept.size() > number) {
      held -= kept.front().size();
      kept.pop_front();
    }
  }
  for (const std::string& last : kept) context.out(last);
}

template <typename Show>
int with_headers(Context& context, const Options& options, Show&& show) {
  bool has_headers =
      options.last_of("qv") == 'v' || (options.last_of("qv") == 0 && options.operands.size() > 1);
  bool is_first = true;
  return for_each_input(context, options.operands, [&](Input& input, const std::string& path) {
    if (has_headers) {
      context.out(fmt::format("{}==> {} <==\n", is_first ? "" : "\n",
                              path == "-" ? "standard input" : path));
    }
    is_first = false;
    show(input);
  });
}

struct Totals {
  uint64_t lines = 0, words = 0, bytes = 0, longest = 0;
};

void count_piece(std::string_view piece, Totals& totals, bool& in_word, uint64_t& column) {
  totals.bytes += piece.size();
  for (char c : piece) {
    bool is_space = c == ' ' || (c >= '\t' && c <= '\r');
    if (c == '\n') {
      ++totals.lines;
      totals.longest = std::max(totals.longest, column);
      column = 0;
    } else {
      column = c == '\t' ? (column / 8 + 1) * 8 : column + 1;
    }
    if (!is_space && !in_word) ++totals.words;
    in_word = !is_space;
  }
}

// As wide as the sum of the sizes; files that have none, such as directories and pipes, need 7.
size_t count_width(Context& context, const std::vector<std::string>& operands) {
  uint64_t sum = 0;
  bool is_regular = true;
  auto add = [&](bool is_known, const world::FileStatus& status) {
    if (!is_known) return;
    is_regular &= status.kind == world::FileKind::kRegular;
    sum += status.size;
  };
  world::FileStatus status;
  if (operands.empty()) add(context.os.status(0, status) >= 0, status);
  for (const std::string& path : operands) {
    add(path == "-" ? context.os.status(0, status) >= 0
                    : context.os.status(path.c_str(), true, status) >= 0,
        status);
  }
  return is_regular ? std::to_string(sum).size() : 7;
}

}  // namespace

int head(Context& context) {
  if (int status = translate_old_form(context, false); status != 0) return status;
  auto options = parse_options(context, "head", "ncqv --silent:q");
  if (!options) return options.error();
  Count count;
  if (!read_count(context, *options, count)) return 1;
  return with_headers(context, *options, [&](Input& input) {
    count.is_bytes ? head_bytes(context, input, count) : head_lines(context, input, count);
  });
}

int tail(Context& context) {
  if (int status = translate_old_form(context, true); status != 0) return status;
  auto options = parse_options(context, "tail", "ncqv --silent:q");
  if (!options) return options.error();
  Count count;
  if (!read_count(context, *options, count)) return 1;
  return with_headers(context, *options, [&](Input& input) { tail_of(context, input, count); });
}

int wc(Context& context) {
  auto options = parse_options(context, "wc", "lwcmL");
  if (!options) return options.error();
  bool is_default = options->last_of("lwcmL") == 0;
  struct Row {
    Totals totals;
    std::string name;
  };
  std::vector<Row> rows;
  int status =
      for_each_input(context, options->operands, [&](Input& input, const std::string& path) {
        Row row{{}, options->operands.empty() ? "" : path};
        bool in_word = false;
        uint64_t column = 0;
        for (std::string_view piece = input.piece(); !piece.empty(); piece = input.piece()) {
          count_piece(piece, row.totals, in_word, column);
        }
        row.totals.longest = std::max(row.totals.longest, column);
        rows.push_back(row);
      });
  int columns = is_default ? 3 : 0;
  for (char letter : std::string_view("lwcmL"))
    columns += !is_default && options->has(letter) ? 1 : 0;
  bool is_one_number = columns == 1 && options->operands.size() <= 1;
  size_t width = is_one_number ? 1 : count_width(context, options->operands);
  if (options->operands.size() > 1) {
    Row sum{{}, "total"};
    for (const Row& row : rows) {
      sum.totals.lines += row.totals.lines;
      sum.totals.words += row.totals.words;
      sum.totals.bytes += row.totals.bytes;
      sum.totals.longest = std::max(sum.totals.longest, row.totals.longest);
    }
    rows.push_back(sum);
  }
  for (const Row& row : rows) {
    std::string line;
    auto add = [&](uint64_t number) {
      line += fmt::format("{}{:>{}}", line.empty() ? "" : " ", number, width);
    };
    if (is_default || options->has('l')) add(row.totals.lines);
    if (is_default || options->has('w')) add(row.totals.words);
    if (options->has('m')) add(row.totals.bytes);
    if (is_default || options->has('c')) add(row.totals.bytes);
    if (options->has('L')) add(row.totals.longest);
    if (!row.name.empty()) line += " " + row.name;
    context.out(line + "\n");
  }
  return status;
}

}  // namespace nacre::utilities
