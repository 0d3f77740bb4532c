#include "commands/rows.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "commands/argument_types.h"
#include "commands/card_type.h"
#include "regular/decide.h"
#include "regular/parse_type.h"

namespace nacre::commands {

namespace {

// How the cells of a row are held apart.
struct Layout {
  std::string separator;    // a type
  std::string sample;       // a separator
  bool is_aligned = false;  // filled up with blanks, so that cells stand below each other
};

struct Cell {
  std::string name;
  std::string type, rare, heading;
  bool is_right = false, is_optional = false, repeats = false;
  ColumnRole role = ColumnRole::kValue;
  std::string object;
};

struct Row {
  Layout layout;
  bool has_heading = false;
  std::vector<Cell> cells;
};

std::vector<std::string_view> words_of(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const size_t end = std::min(text.find_first_of(separators), text.size());
    if (end > 0) words.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

// `aligned`: one blank or more, `wide`: at least two, so that a cell may hold single ones;
// `single`, `tabs`: one tab, `tabbed`: one or more, `sep:X`.
std::optional<Layout> layout_named(std::string_view name) {
  if (name == "aligned") return Layout{" +", " ", true};
  if (name == "wide") return Layout{"[ ]{2,}", "  ", true};
  if (name == "single") return Layout{" ", " ", false};
  if (name == "tabs") return Layout{"\\t", "\t", false};
  if (name == "tabbed") return Layout{"\\t+", "\t", false};
  if (name.starts_with("sep:") && name.size() > 4)
    return Layout{fmt::format("[{}]", name.substr(4)), std::string(name.substr(4, 1)), false};
  return std::nullopt;
}

std::string literal_type(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (std::string_view(".*+?()[]{}|^$&~!\\").find(c) != std::string_view::npos) result += '\\';
    result += c;
  }
  return result;
}

Cell cell_of(const ColumnSpec& column) {
  return {std::string(column.name),
          std::string(column.type),
          std::string(column.rare),
          std::string(column.heading),
          column.is_right,
          false,
          false,
          column.role,
          std::string(column.object)};
}

// `name`, `name:{type}`, `name=HEADING` (with _ for a blank), `name?`, `name*`.
std::optional<Cell> cell_named(const Card& card, std::string_view word) {
  const size_t name_end = std::min(word.find_first_of(":=?*"), word.size());
  const ColumnSpec* column = card.column(word.substr(0, name_end));
  if (column == nullptr) return std::nullopt;
  Cell result = cell_of(*column);
  std::string_view rest = word.substr(name_end);
  if (rest.ends_with('?') || rest.ends_with('*')) {
    (rest.back() == '?' ? result.is_optional : result.repeats) = true;
    rest.remove_suffix(1);
  }
  const size_t equals = rest.rfind('=');
  if (equals != std::string_view::npos) {
    result.heading = rest.substr(equals + 1);
    std::replace(result.heading.begin(), result.heading.end(), '_', ' ');
    rest = rest.substr(0, equals);
  }
  if (rest.starts_with(':')) {
    result.type = rest.substr(1);
    result.rare.clear();
  }
  return result;
}

std::optional<Row> parse_row(const Card& card, std::string_view value, std::string& mistake) {
  const std::vector<std::string_view> words = words_of(value, " \t");
  Row row;
  size_t at = 0;
  if (const auto layout = words.empty() ? std::nullopt : layout_named(words[0])) {
    row.layout = *layout;
    at = 1;
  }
  if (at < words.size() && words[at] == "heading") {
    row.has_heading = true;
    at++;
  }
  for (; at < words.size(); at++) {
    const auto cell = cell_named(card, words[at]);
    if (!cell) {
      mistake = fmt::format("'{}' is not a column of {}", words[at], card.name);
      return std::nullopt;
    }
    row.cells.push_back(*cell);
  }
  if (row.cells.empty()) mistake = "'rows' needs columns";
  return row.cells.empty() ? std::nullopt : std::optional(row);
}

char to_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool is_same_name(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return to_lower(x) == to_lower(y); });
}

// `choose -o ,`: the argument of the option names the columns. False if one of them is not known.
bool choose_cells(const Invocation& invocation, Row& row) {
  const Property* choose = invocation.property(CardKey::kChoose);
  if (choose == nullptr) return true;
  const GivenOption* given = nullptr;
  for (const std::string_view option : words_of(choose->value, " |"))
    given = given ? given : invocation.last(option);
  if (given == nullptr || !given->argument) return true;
  if (!given->argument->text) return false;
  const std::vector<Cell> typed = std::exchange(row.cells, {});
  for (const std::string_view name : words_of(*given->argument->text, ", ")) {
    const auto& columns = invocation.card->columns;
    const auto found = std::find_if(columns.begin(), columns.end(), [&](const ColumnSpec& each) {
      return is_same_name(each.name, name) || is_same_name(each.heading, name);
    });
    if (found == columns.end()) return false;
    const auto own = std::find_if(typed.begin(), typed.end(),
                                  [&](const Cell& each) { return each.name == found->name; });
    row.cells.push_back(own == typed.end() ? cell_of(*found) : *own);
  }
  return !row.cells.empty();
}

enum class RowPart : uint8_t { kHeading, kUsual, kAll /* with what rarely stands in a cell */ };

std::string type_of(const Cell& cell, RowPart part) {
  if (part == RowPart::kHeading) return literal_type(cell.heading);
  const bool is_wide = part == RowPart::kAll && !cell.rare.empty();
  return "(" + cell.type + (is_wide ? "|" + cell.rare : "") + ")";
}

std::string joined_types(const Row& row, RowPart part) {
  const bool is_heading = part == RowPart::kHeading;
  std::string result;
  for (const Cell& cell : row.cells) {
    const std::string type = type_of(cell, part);
    const bool is_first = result.empty();
    std::string piece = is_first ? type : row.layout.separator + type;
    if (is_first && row.layout.is_aligned && cell.is_right) piece = " *" + piece;
    if (cell.repeats && !is_heading) piece = "(" + piece + ")*";
    if (cell.is_optional) piece = "(" + piece + ")?";
    result += piece;
  }
  return row.layout.is_aligned ? result + " *" : result;
}

ProducerPointer producer_of(const Invocation& invocation, const Row& row, Context& context) {
  auto result = std::make_shared<Producer>();
  result->command = invocation.card->name;
  result->separator = row.layout.sample;
  for (const Cell& cell : row.cells)
    result->columns.push_back(
        {cell.heading, card_type(context, cell.type), cell.role, cell.object, cell.is_right});
  return result;
}

void add_other_lines(const Invocation& invocation, Stream& result) {
  Context& context = result.rest.context();
  for (const LineSpec& line : invocation.card->lines) {
    const auto& conditions = line.property.conditions;
    if (!std::all_of(conditions.begin(), conditions.end(),
                     [&](const Condition& each) { return invocation.holds(each); }))
      continue;
    const Lang lines =
        card_type(context, line.property.value, any_text(context), names_of(invocation, context));
    result.kinds.push_back({std::string(line.name), line.frequency, line.place, lines});
    if (line.place == Place::kFirst && line.frequency == Frequency::kEvery)
      result.first.push_back(lines);
    else
      result.rest = result.rest | lines;
    if (line.frequency == Frequency::kEvery) result.count.least++;
  }
}

}  // namespace

Lang names_of(const Invocation& invocation, Context& context) {
  Lang result = context.empty();
  for (const Argument& operand : invocation.operands) {
    if (!operand.text && !operand.may_be_many) return any_text(context);
    result = result | (operand.text ? operand.value : operand.value & any_text(context));
  }
  return invocation.operands.empty() ? any_text(context) : result;
}

std::string rows_mistake(const Card& card, std::string_view value) {
  std::string mistake;
  const auto row = value == "free" ? std::nullopt : parse_row(card, value, mistake);
  if (!row || !mistake.empty()) return mistake;
  Context context;
  for (const RowPart part : {RowPart::kHeading, RowPart::kAll}) {
    const auto type =
        regular::parse_type(context, joined_types(*row, part), {.lookup = named_argument_type});
    if (!type) return fmt::format("this is not a type: {}", type.error().message);
  }
  return "";
}

std::optional<Stream> rows_from(const Invocation& invocation, Context& context,
                                std::string_view value) {
  std::string mistake;
  if (value == "free") return opaque_stream(context);
  auto row = parse_row(*invocation.card, value, mistake);
  if (!row || !choose_cells(invocation, *row)) return std::nullopt;
  const bool has_heading = row->has_heading && invocation.property(CardKey::kHeadings) == nullptr;
  Stream result(card_type(context, joined_types(*row, RowPart::kAll)));
  const Lang usual = card_type(context, joined_types(*row, RowPart::kUsual));
  result.is_aligned = row->layout.is_aligned && row->cells.size() > 1;
  result.producer = producer_of(invocation, *row, context);
  result.kinds.push_back({"row", Frequency::kUsual, Place::kAnywhere, usual});
  const auto is_odd = [](const Cell& cell) { return !cell.rare.empty(); };
  if (std::any_of(row->cells.begin(), row->cells.end(), is_odd))
    result.kinds.push_back({"odd row", Frequency::kSometimes, Place::kAnywhere, result.rest});
  if (!has_heading) return result;
  const Lang heading = card_type(context, joined_types(*row, RowPart::kHeading));
  result.first.push_back(heading);
  result.kinds.push_back({"heading", Frequency::kEvery, Place::kFirst, heading});
  result.count.least = 1;
  return result;
}

std::optional<Stream> rows_of(const Invocation& invocation, Context& context,
                              const std::optional<Stream>& output) {
  const Property* rows = invocation.property(CardKey::kRows);
  if (rows == nullptr && invocation.card->lines.empty()) return std::nullopt;
  Stream result = output.value_or(Stream(context.empty()));
  if (output)
    result.kinds.push_back({"row", Frequency::kUsual, Place::kAnywhere, any_line(result)});
  if (rows != nullptr) {
    const auto printed = rows_from(invocation, context, rows->value);
    if (!printed || rows->value == "free") return printed;
    result = *printed;
  }
  add_other_lines(invocation, result);
  if (result.kinds.size() <= (output && rows == nullptr ? 1U : 0U)) return std::nullopt;
  if (!result.producer) result.producer = producer_of(invocation, {}, context);
  return result;
}

void add_missing(Lang word, std::string_view command, Stream& lines) {
  if (lines.kinds.empty())
    lines.kinds.push_back({"row", Frequency::kUsual, Place::kAnywhere, any_line(lines) - word});
  lines.kinds.push_back({"missing value", Frequency::kSometimes, Place::kAnywhere, word});
  lines.rest = lines.rest | word;
  if (lines.producer) return;
  auto producer = std::make_shared<Producer>();
  producer->command = command;
  lines.producer = producer;
}

void end_lines(const Invocation& invocation, Stream& lines) {
  const Property* ending = invocation.property(CardKey::kEnding);
  if (ending == nullptr) return;
  if (ending->value == "none") {
    lines.may_lack_newline = lines.lacks_newline = true;
    return;
  }
  const Lang cr = lines.rest.context().literal("\r");
  lines.rest = lines.rest + cr;
  for (Lang& line : lines.first) line = line + cr;
  for (LineKind& kind : lines.kinds) kind.lines = kind.lines + cr;
}

std::optional<std::string> row_with(const Producer& producer, size_t column,
                                    std::string_view text) {
  std::string result;
  for (size_t i = 0; i < producer.columns.size(); i++) {
    const auto cell = i == column ? std::optional(std::string(text))
                                  : regular::shortest(producer.columns[i].cells);
    if (!cell) return std::nullopt;
    result += (i == 0 ? "" : producer.separator) + *cell;
  }
  return result;
}

std::string object_in(const Producer& producer, Lang texts) {
  const Producer::Column* only = nullptr;
  for (const Producer::Column& column : producer.columns) {
    if (!regular::equivalent(texts, column.cells).yes()) continue;
    if (only != nullptr && only->object != column.object) return "";
    only = &column;
  }
  return only == nullptr ? "" : only->object;
}

std::string column_of(const Producer& producer, Lang texts) {
  const Producer::Column* only = nullptr;
  const Producer::Column* same = nullptr;  // and there is but one of these
  size_t fitting = 0, equal = 0;
  for (const Producer::Column& column : producer.columns) {
    if (!regular::included(texts, column.cells).yes()) continue;
    fitting++;
    only = &column;
    if (!regular::included(column.cells, texts).yes()) continue;
    equal++;
    same = &column;
  }
  if (fitting != 1) only = equal == 1 ? same : nullptr;
  const bool is_named = only != nullptr && !only->heading.empty();
  return is_named ? fmt::format("the {} column of {}", only->heading, producer.command) : "";
}

}  // namespace nacre::commands
