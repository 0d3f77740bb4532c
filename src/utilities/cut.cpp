// cut paste fold nl
#include <fmt/format.h>

#include "utilities/input.h"
#include "utilities/options.h"
#include "utilities/table.h"

namespace nacre::utilities {
namespace {

struct Range {
  size_t first = 1;
  size_t last = std::string::npos;
};

// 1,3-5,7-
std::optional<std::vector<Range>> parse_ranges(std::string_view text) {
  std::vector<Range> ranges;
  while (true) {
    size_t end = std::min(text.find_first_of(", "), text.size());
    std::string_view item = text.substr(0, end);
    size_t dash = item.find('-');
    Range range;
    auto first = parse_number(item.substr(0, dash));
    if (dash != 0 && (!first || *first < 1)) return std::nullopt;
    if (dash != 0) range.first = static_cast<size_t>(*first);
    if (dash == std::string_view::npos) range.last = range.first;
    if (dash != std::string_view::npos && dash + 1 < item.size()) {
      auto last = parse_number(item.substr(dash + 1));
      if (!last || *last < 1 || static_cast<size_t>(*last) < range.first) return std::nullopt;
      range.last = static_cast<size_t>(*last);
    } else if (dash == 0) {
      return std::nullopt;
    }
    ranges.push_back(range);
    if (end == text.size()) return ranges;
    text.remove_prefix(end + 1);
  }
}

bool contains(const std::vector<Range>& ranges, size_t number) {
  for (const Range& range : ranges) {
    if (number >= range.first && number <= range.last) return true;
  }
  return false;
}

}  // namespace

int cut(Context& context) {
  auto options = parse_options(context, "cut", "bcfdsn --complement --output-delimiter");
  if (!options) return options.error();
  char kind = options->last_of("bcf");
  if (kind == 0) return context.fail("you must specify a list of bytes, characters, or fields");
  auto ranges = parse_ranges(*options->last(kind));
  if (!ranges) return context.fail(fmt::format("invalid list {}", quoted(*options->last(kind))));
  const std::string* given = options->last('d');
  if (given != nullptr && given->size() > 1)
    return context.fail("the delimiter must be a single character");
  char delimiter = given == nullptr ? '\t' : given->empty() ? '\0' : (*given)[0];
  bool inverts = options->has("--complement");
  std::string between = options->has("--output-delimiter") ? *options->last("--output-delimiter")
                        : kind == 'f'                      ? std::string(1, delimiter)
                                                           : "";
  return for_each_input(context, options->operands, [&](Input& input, const std::string&) {
    std::string line;
    while (input.line(line)) {
      if (kind != 'f') {
        bool was_in = false;
        bool has_any = false;
        for (size_t i = 0; i < line.size(); ++i) {
          bool is_in = contains(*ranges, i + 1) != inverts;
          if (is_in && !was_in && has_any) context.out(between);
          if (is_in) context.out(line[i]);
          has_any |= is_in;
          was_in = is_in;
        }
        context.out('\n');
        continue;
      }
      if (line.find(delimiter) == std::string::npos) {
        if (!options->has('s')) context.out(line + "\n");
        continue;
      }
      bool has_any = false;
      size_t begin = 0;
      for (size_t number = 1; begin <= line.size(); ++number) {
        size_t end = std::min(line.find(delimiter, begin), line.size());
        if (contains(*ranges, number) != inverts) {
          if (has_any) context.out(between);
          context.out(std::string_view(line).substr(begin, end - begin));
          has_any = true;
        }
        begin = end + 1;
      }
      context.out('\n');
    }
  });
}

int paste(Context& context) {
  auto options = parse_options(context, "paste", "ds");
  if (!options) return options.error();
  std::string delimiters = options->has('d') ? *options->last('d') : "\t";
  std::string list;  // each a character; \0 is none
  std::vector<bool> is_empty;
  for (size_t i = 0; i < delimiters.size(); ++i) {
    char c = delimiters[i];
    bool empties = false;
    if (c == '\\' && i + 1 < delimiters.size()) {
      c = delimiters[++i];
      empties = c == '0';
      c = c == 'n' ? '\n' : c == 't' ? '\t' : c;
    }
    list += c;
    is_empty.push_back(empties);
  }
  auto separate = [&](size_t i) {
    if (!list.empty() && !is_empty[i % list.size()]) context.out(list[i % list.size()]);
  };
  std::vector<std::string> operands = options->operands;
  if (operands.empty()) operands.emplace_back("-");
  std::vector<std::unique_ptr<Input>> inputs;
  Input* standard = nullptr;
  std::vector<Input*> columns;
  for (const std::string& path : operands) {
    if (path == "-" && standard != nullptr) {
      columns.push_back(standard);
      continue;
    }
    inputs.push_back(std::make_unique<Input>(context, path));
    bool is_serial = options->has('s');  // then the others are still shown
    if (inputs.back()->error() != 0 && !is_serial)
      return context.fail(path, inputs.back()->error());
    if (path == "-") standard = inputs.back().get();
    columns.push_back(inputs.back().get());
  }
  std::string line;
  auto finish = [&] {
    int status = 0;
    for (size_t i = 0; i < columns.size(); ++i) {
      if (columns[i]->error() != 0) status = context.fail(operands[i], columns[i]->error());
    }
    return status;
  };
  if (options->has('s')) {
    for (Input* input : columns) {
      if (input->error() != 0) continue;
      for (size_t i = 0; input->line(line); ++i) {
        if (i > 0) separate(i - 1);
        context.out(line);
      }
      context.out('\n');
    }
    return finish();
  }
  while (true) {
    std::vector<std::string> row;
    bool has_any = false;
    for (Input* input : columns) {
      bool has_line = input->line(line);
      row.push_back(has_line ? line : "");
      has_any |= has_line;
    }
    if (!has_any) return finish();
    for (size_t i = 0; i < row.size(); ++i) {
      if (i > 0) separate(i - 1);
      context.out(row[i]);
    }
    context.out('\n');
  }
}

int fold(Context& context) {
  auto options = parse_options(context, "fold", "wsb -NUM:w");
  if (!options) return options.error();
  const std::string* text = options->last('w');
  auto width = static_cast<size_t>(text == nullptr ? 80 : parse_number(*text).value_or(0));
  if (width == 0) return context.fail("invalid number of columns");
  return for_each_input(context, options->operands, [&](Input& input, const std::string&) {
    std::string line;
    while (input.line(line)) {
      std::string piece;
      size_t column = 0;
      for (char c : line) {
        size_t next = c == '\t' && !options->has('b') ? column / 8 * 8 + 8 : column + 1;
        if (next > width && !piece.empty()) {
          size_t end = piece.size();
          size_t space = piece.rfind(' ');
          if (options->has('s') && space != std::string::npos) end = space + 1;
          context.out(std::string_view(piece).substr(0, end));
          context.out('\n');
          piece.erase(0, end);
          column = piece.size();
          next = c == '\t' && !options->has('b') ? column / 8 * 8 + 8 : column + 1;
        }
        piece += c;
        column = next;
      }
      context.out(piece);
      if (input.was_terminated()) context.out('\n');
    }
  });
}

int nl(Context& context) {
  auto options = parse_options(context, "nl", "bwsv");
  if (!options) return options.error();
  std::string style = options->has('b') ? *options->last('b') : "t";
  if (style != "a" && style != "t" && style != "n") return context.not_modelled("this style");
  if (options->has('n')) return context.not_modelled("option '-n'");
  std::string separator = options->has('s') ? *options->last('s') : "\t";
  auto width = options->has('w') ? parse_number(*options->last('w')).value_or(6) : 6;
  auto number = options->has('v') ? parse_number(*options->last('v')).value_or(1) : 1;
  return for_each_input(context, options->operands, [&](Input& input, const std::string&) {
    std::string line;
    while (input.line(line)) {
      bool counts = style == "a" || (style == "t" && !line.empty());
      if (counts) {
        context.out(fmt::format("{:>{}}{}{}\n", number++, width, separator, line));
      } else {
        context.out(
            fmt::format("{:>{}}{}\n", "", width + static_cast<int64_t>(separator.size()), line));
      }
    }
  });
}

}  // namespace nacre::utilities
