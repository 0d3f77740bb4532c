#include <algorithm>
#include <array>
#include <fmt/core.h>
#include <utility>

#include "regular/decide.h"
#include "regular/field_select.h"
#include "regular/match_pattern.h"
#include "regular/replacement.h"
#include "regular/transducer.h"
#include "regular/translate_chars.h"
#include "regular/translate_match.h"
#include "regular/type_parser.h"

namespace nacre::regular {
namespace {

// An argument that is not a type: "quoted" or bare up to the next comma.
struct Argument {
  std::string text;
  Span span;
  bool is_quoted = false;
};

struct Flag {
  std::string_view name;
  bool value = false;
};

bool is_boolean(std::string_view text) { return text == "true" || text == "false"; }

class Operation {
 public:
  Operation(Context& context, const TypeOptions& options, PatternReader& reader, uint32_t nesting)
      : cx_(context), options_(options), reader_(reader), nesting_(nesting) {}

  Result<Lang> reverse_type() {
    const auto type = read_type();
    if (!type) return type;
    if (auto error = read_arguments(0, 0)) return tl::unexpected(*error);
    return reverse(*type);
  }

  Result<Lang> translate_match_type() {
    const auto type = read_type();
    if (!type) return type;
    const auto pattern = read_pattern();
    if (!pattern) return tl::unexpected(pattern.error());
    Flag flags[] = {{"global"}};
    if (auto error = read_arguments(1, 1, flags)) return tl::unexpected(*error);
    const auto replacement = parse_sed_replacement(arguments_[0].text, group_count_);
    if (!replacement) return fail(arguments_[0].span, replacement.error().message);
    const Occurrence which{.is_global = flags[0].value};
    return image(translate_match(*pattern, *replacement, which, options_.budget), *type,
                 options_.budget);
  }

  Result<Lang> line_extract_type() {
    const auto type = read_type();
    if (!type) return type;
    const auto pattern = read_pattern();
    if (!pattern) return tl::unexpected(pattern.error());
    if (auto error = read_arguments(0, 0)) return tl::unexpected(*error);
    return image(line_extract(*pattern, options_.budget), *type, options_.budget);
  }

  // The last set is the target; all before it are the source, as in "C, C".
  Result<Lang> translate_chars_type() {
    const auto type = read_type();
    if (!type) return type;
    Flag flags[] = {{"invert"}, {"squeeze"}};
    if (auto error = read_arguments(2, kMany, flags)) return tl::unexpected(*error);
    if (cx_.alphabet() != Alphabet::kBytes) {
      return fail(whole(), "translate-chars works on bytes only");
    }
    const Argument target = arguments_.back();
    Argument source = arguments_.front();
    for (size_t i = 1; i + 1 < arguments_.size(); ++i) source.text += arguments_[i].text;
    const auto from = parse_tr_set(source.text);
    if (!from) return fail(source.span, from.error().message);
    const auto to = parse_tr_set(target.text);
    if (!to) return fail(target.span, to.error().message);
    const bool deletes = target.text.empty();
    const TrOptions options{
        .complements = flags[0].value, .deletes = deletes, .squeezes = flags[1].value && !deletes};
    const auto plan = plan_tr(*from, deletes ? nullptr : &*to, options);
    if (!plan) return fail(whole(), plan.error().message);
    return image(translate_chars(*plan), *type, options_.budget);
  }

  Result<Lang> field_select_type() {
    const auto type = read_type();
    if (!type) return type;
    Flag flags[] = {{"invert"}};
    if (auto error = read_arguments(2, kMany, flags)) return tl::unexpected(*error);
    std::string numbers = arguments_[1].text;
    for (size_t i = 2; i < arguments_.size(); ++i) numbers += "," + arguments_[i].text;
    auto list = parse_number_list(numbers, ListKind::kFields);
    if (!list) return fail(arguments_[1].span, list.error().message);
    if (flags[0].value) *list = complement(*list);
    const auto delimiter = delimiter_of(arguments_[0]);
    if (!delimiter) return tl::unexpected(delimiter.error());
    if (!*delimiter) {
      PositionOptions positions;
      positions.alphabet = cx_.alphabet();
      positions.list = *list;
      return image(position_select(positions, options_.budget), *type, options_.budget);
    }
    return select_fields(*type, **delimiter, *list);
  }

 private:
  static constexpr size_t kMany = 1000;

  [[nodiscard]] Span whole() const { return reader_.span_from(begin_); }

  void skip_blanks() {
    while (reader_.peek() == ' ' || reader_.peek() == '\t') reader_.skip();
  }

  Result<Lang> read_type() {
    skip_blanks();
    return parse_type_at(cx_, options_, reader_, true, nesting_ + 1);
  }

  // The pattern of a search: `^`, `$` and \b see the whole line.
  Result<MatchPattern> read_pattern() {
    skip_blanks();
    if (!reader_.take(',')) return fail(reader_.here(), "expected a comma and a pattern");
    skip_blanks();
    if (reader_.peek() != '"') return pattern_at(reader_, true);
    const auto quoted = read_argument();
    if (!quoted) return tl::unexpected(quoted.error());
    PatternReader inner(quoted->text, Alphabet::kCodePoints);
    auto pattern = pattern_at(inner, false);
    if (!pattern) return fail(quoted->span, pattern.error().message);
    return pattern;
  }

  Result<MatchPattern> pattern_at(PatternReader& reader, bool ends_at_comma) {
    const auto regex = TypeParser(cx_, options_, reader, ends_at_comma, nesting_ + 1).parse();
    if (!regex) return tl::unexpected(regex.error());

    group_count_ = regex->group_count;
    return match_pattern(cx_, *regex, {.budget = options_.budget});
  }

  Result<Argument> read_argument() {
    skip_blanks();
    Argument argument;
    const uint32_t begin = reader_.pos();
    if (reader_.take('"')) {
      argument.is_quoted = true;
      while (reader_.peek() != '"') {
        if (reader_.at_end()) return fail(reader_.span_from(begin), "this \" is never closed");
        if (reader_.looking_at("\\\"")) reader_.skip();
        argument.text.push_back(static_cast<char>(reader_.peek()));
        reader_.skip();
      }
      reader_.skip();
    } else {
      read_bare(argument.text);
    }
    argument.span = reader_.span_from(begin);
    skip_blanks();
    return argument;
  }

  void read_bare(std::string& text) {
    for (int depth = 0; !reader_.at_end(); reader_.skip()) {
      const int c = reader_.peek();
      if (depth == 0 && (c == ',' || c == ')')) break;
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
      text.push_back(static_cast<char>(c));
      if (c == '\\' && reader_.peek(1) >= 0) {
        reader_.skip();
        text.push_back(static_cast<char>(reader_.peek()));
      }
    }
    while (!text.empty() && text.back() == ' ' && !text.ends_with("\\ ")) text.pop_back();
    if (text == "()") text.clear();
  }

  // The rest of the arguments, to the closing parenthesis. Flags are named (`global=true`) or, at
  // the end, given in order.
  std::optional<Error> read_arguments(size_t least, size_t most, std::span<Flag> flags = {}) {
    for (skip_blanks(); reader_.take(','); skip_blanks()) {
      auto argument = read_argument();
      if (!argument) return argument.error();
      arguments_.push_back(*argument);
    }
    if (!reader_.take(')')) return Error{reader_.here(), "expected a comma or )"};
    if (auto error = take_flags(least, flags)) return error;
    if (arguments_.size() < least) return Error{whole(), "too few arguments"};
    if (arguments_.size() > most) return Error{arguments_[most].span, "too many arguments"};
    return std::nullopt;
  }

  std::optional<Error> take_flags(size_t least, std::span<Flag> flags) {
    std::vector<Argument> plain;
    size_t position = 0;
    for (const Argument& argument : arguments_) {
      const size_t equals = argument.text.find('=');
      const bool is_named = !argument.is_quoted && equals != std::string::npos && equals > 0;
      const bool is_positional = !argument.is_quoted && is_boolean(argument.text) &&
                                 plain.size() >= least && position < flags.size();
      if (is_positional) {
        flags[position++].value = argument.text == "true";
      } else if (is_named && is_boolean(argument.text.substr(equals + 1))) {
        const auto flag = std::find_if(flags.begin(), flags.end(), [&](const Flag& f) {
          return f.name == argument.text.substr(0, equals);
        });
        if (flag == flags.end()) {
          return Error{argument.span,
                       fmt::format("no argument is called {}", argument.text.substr(0, equals))};
        }
        flag->value = argument.text.ends_with("=true");
      } else {
        plain.push_back(argument);
      }
    }
    arguments_ = std::move(plain);
    return std::nullopt;
  }

  // Nothing: `()` or "", positions instead of fields.
  Result<std::optional<Symbol>> delimiter_of(const Argument& argument) {
    if (argument.text.empty()) return std::optional<Symbol>{};
    PatternReader reader(argument.text, cx_.alphabet());
    if (argument.text.size() == 1 || !reader.take('\\')) {
      const Symbol symbol = reader.next();
      if (reader.at_end()) return std::optional<Symbol>(symbol);
    } else if (const auto escape = parse_type_escape(reader, cx_.alphabet())) {
      if (reader.at_end() && escape->set.size() == 1) {
        return std::optional<Symbol>(escape->set.min());
      }
    }
    return fail(argument.span, "a delimiter is one character");
  }

  // A line without the delimiter is its own first field, and all its other fields are empty.
  Lang select_fields(Lang type, Symbol delimiter, const NumberList& list) {
    const Lang undelimited =
        type & star(cx_.set(CharSet::all(cx_.alphabet()) - CharSet::of(delimiter)));
    FieldOptions fields;
    fields.alphabet = cx_.alphabet();
    fields.delimiter = delimiter;
    fields.list = list;
    fields.only_delimited = true;
    const Lang selected = image(field_select(fields, options_.budget), type, options_.budget);
    const bool has_first = !list.empty() && list.front().first == 1;
    if (has_first) return selected | undelimited;
    return is_empty(undelimited, options_.budget).yes() ? selected : selected | cx_.epsilon();
  }

  Context& cx_;
  const TypeOptions& options_;
  PatternReader& reader_;
  uint32_t nesting_;
  uint32_t begin_ = reader_.pos();
  std::vector<Argument> arguments_;
  uint32_t group_count_ = 0;
};

using Run = Result<Lang> (Operation::*)();
struct Entry {
  std::string_view name;
  Run run;
};
constexpr Entry kOperations[] = {
    {"reverse(", &Operation::reverse_type},
    {"translate-match(", &Operation::translate_match_type},
    {"line-extract(", &Operation::line_extract_type},
    {"translate-chars(", &Operation::translate_chars_type},
    {"field-select(", &Operation::field_select_type},
};

const Entry* find_operation(const PatternReader& reader) {
  const auto* found =
      std::find_if(std::begin(kOperations), std::end(kOperations),
                   [&](const Entry& entry) { return reader.looking_at(entry.name); });
  return found == std::end(kOperations) ? nullptr : found;
}

bool is_word_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-';
}

}  // namespace

bool at_type_operation(const PatternReader& reader) {
  const bool inside_word = reader.pos() > 0 && is_word_byte(reader.text()[reader.pos() - 1]);
  return !inside_word && find_operation(reader) != nullptr;
}

Result<Lang> parse_type_operation(Context& context, const TypeOptions& options,
                                  PatternReader& reader, uint32_t nesting) {
  if (nesting > Regex::kMaxDepth / 8) return fail(reader.here(), "the type is too deeply nested");
  const Entry* entry = find_operation(reader);
  Operation operation(context, options, reader, nesting);
  reader.skip(static_cast<uint32_t>(entry->name.size()));
  return (operation.*entry->run)();
}

}  // namespace nacre::regular
