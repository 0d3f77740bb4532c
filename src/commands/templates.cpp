#include "commands/templates.h"

#include <algorithm>

#include "base/ascii.h"
#include "commands/card_type.h"
#include "commands/format_text.h"

namespace nacre::commands {

namespace {

struct TemplateSyntax {
  std::string_view open, close;
  bool is_letters = false;    // no closing text: the longest column name that fits (%an)
  bool adds_newline = false;  // one after each record
  bool has_escapes = false;   // \n and \t are written so
};

std::string_view take(std::string_view& text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  const std::string_view word = text.substr(0, text.find(' '));
  text.remove_prefix(word.size());
  return word;
}

TemplateSyntax syntax_of(std::string_view value) {
  take(value);  // the options
  TemplateSyntax result;
  result.open = take(value);
  for (std::string_view word = take(value); !word.empty(); word = take(value)) {
    if (word == "letters")
      result.is_letters = true;
    else if (word == "newline")
      result.adds_newline = true;
    else if (word == "escapes")
      result.has_escapes = true;
    else
      result.close = word;
  }
  return result;
}

const GivenOption* option_of(const Invocation& invocation, std::string_view value) {
  std::string_view options = take(value);
  const GivenOption* result = nullptr;
  while (!options.empty() && result == nullptr) {
    const std::string_view option = options.substr(0, options.find('|'));
    result = invocation.last(option);
    options.remove_prefix(std::min(option.size() + 1, options.size()));
  }
  return result;
}

class TemplateReader {
 public:
  TemplateReader(const Card& card, const TemplateSyntax& syntax, Context& context)
      : card_(card), syntax_(syntax), context_(context) {}

  // The texts of one record; nothing if some of it is more than a place.
  std::optional<Lang> read(std::string_view text) {
    Lang result = context_.epsilon();
    while (!text.empty()) {
      const size_t at = text.find(syntax_.open);
      result = result + context_.literal(text.substr(0, at));
      if (at == std::string_view::npos) break;
      text.remove_prefix(at + syntax_.open.size());
      const auto cell = syntax_.is_letters ? letters(text) : named(text);
      if (!cell) return std::nullopt;
      result = result + *cell;
    }
    return result;
  }

  // The columns that were read and name something.
  [[nodiscard]] std::vector<Producer::Column> objects() const { return objects_; }

 private:
  Lang cell(const ColumnSpec& column) {
    const Lang result = card_type(context_, column.type);
    if (!column.object.empty())
      objects_.push_back(
          {std::string(column.heading), result, column.role, std::string(column.object)});
    return result;
  }

  std::optional<Lang> letters(std::string_view& text) {
    const ColumnSpec* best = nullptr;
    for (const ColumnSpec& column : card_.columns) {
      if (text.starts_with(column.name) && (!best || best->name.size() < column.name.size()))
        best = &column;
    }
    if (best == nullptr) return std::nullopt;
    text.remove_prefix(best->name.size());
    return cell(*best);
  }

  std::optional<Lang> named(std::string_view& text) {
    const size_t end = text.find(syntax_.close);
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view name = text.substr(0, end);
    text.remove_prefix(end + syntax_.close.size());
    const auto is_part = [](char c) {
      return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
             c == '-' || c == ':' || c == '*' || c == '.';
    };
    if (!std::all_of(name.begin(), name.end(), is_part)) return std::nullopt;
    const ColumnSpec* column = card_.column(name);
    return column ? cell(*column) : any_text(context_);
  }

  const Card& card_;
  const TemplateSyntax& syntax_;
  Context& context_;
  std::vector<Producer::Column> objects_;
};

}  // namespace

std::optional<Stream> template_of(const Invocation& invocation, Context& context) {
  const Property* property = invocation.property(CardKey::kTemplate);
  const GivenOption* given = property ? option_of(invocation, property->value) : nullptr;
  if (given == nullptr || !given->argument) return std::nullopt;
  if (!given->argument->text) return opaque_stream(context);
  const TemplateSyntax syntax = syntax_of(property->value);
  std::string text = *given->argument->text;
  if (text.starts_with('=')) text.erase(0, 1);            // dpkg-query takes -f=FORMAT, too
  const bool is_separated = text.starts_with("format:");  // git: no newline after the last one
  for (const std::string_view prefix : {"format:", "tformat:"}) {
    if (text.starts_with(prefix)) text.erase(0, prefix.size());
  }
  if (syntax.has_escapes) text = unescape(text, EscapeStyle::kPrintf).text;
  if (text.find(syntax.open) == std::string::npos) return opaque_stream(context);  // json, table
  const bool has_newline = text.ends_with('\n');
  const std::string line = has_newline ? text.substr(0, text.size() - 1) : text;
  TemplateReader reader(*invocation.card, syntax, context);
  const auto record = reader.read(line);
  if (!record || line.find('\n') != std::string::npos) return opaque_stream(context);
  if (!has_newline && !syntax.adds_newline) {
    Stream result(plus(*record));  // all records stand on one line
    result.may_lack_newline = true;
    result.count = {0, 1};
    return result;
  }
  Stream result(*record);
  result.may_lack_newline = is_separated;
  result.kinds.push_back({"row", Frequency::kUsual, Place::kAnywhere, *record});
  auto producer = std::make_shared<Producer>();
  producer->command = invocation.card->name;
  producer->columns = reader.objects();
  result.producer = producer;
  return result;
}

}  // namespace nacre::commands
