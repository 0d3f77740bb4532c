// find: the paths it prints, by its starting points, -maxdepth, -name and -printf. Tests that do
// not show in the path (-type, -size, -mtime) only make it print fewer.
#include <algorithm>
#include <charconv>

#include "commands/called.h"
#include "commands/dialect_slips.h"
#include "commands/find_words.h"
#include "commands/format_text.h"
#include "commands/line_formats.h"
#include "commands/models.h"
#include "regular/decide.h"
#include "regular/lower.h"
#include "regular/parse_glob.h"
#include "regular/translate_match.h"

namespace nacre::commands {

namespace {

using regular::CharSet;

// One word of the expression, constant or not.
std::string_view text_of(const Argument& argument) {
  return argument.text ? std::string_view(*argument.text) : std::string_view();
}

bool begins_expression(const Argument& argument) {
  const std::string_view text = text_of(argument);
  return text.starts_with('-') || text == "(" || text == "!";
}

struct Expression {
  std::vector<Argument> starts;
  std::span<const Argument> words;
  bool has_alternatives = false;  // -o, parentheses, `!`, `,`: tests do not simply add up

  [[nodiscard]] const Argument* argument_of(std::string_view predicate) const {
    for (size_t i = 0; i + 1 < words.size(); i++) {
      if (text_of(words[i]) == predicate) return &words[i + 1];
    }
    return nullptr;
  }
  [[nodiscard]] bool has(std::string_view predicate) const {
    for (const Argument& word : words) {
      if (text_of(word) == predicate) return true;
    }
    return false;
  }
  // With several actions, each prints its own lines.
  [[nodiscard]] bool prints_twice() const {
    const auto prints = [](const Argument& word) {
      const std::string_view text = text_of(word);
      return text.starts_with("-print") || text == "-ls" || text.starts_with("-exec") ||
             text.starts_with("-ok");
    };
    return std::count_if(words.begin(), words.end(), prints) > 1;
  }
};

// `-name a -prune -o -name b -print`: only what is after the last -prune is printed, if it says
// so.
std::span<const Argument> printed_part(std::span<const Argument> words) {
  const auto is = [&](size_t at, std::string_view text) { return text_of(words[at]) == text; };
  size_t begin = 0;
  for (size_t i = 0; i + 2 < words.size(); i++) {
    if (!is(i, "-prune")) continue;
    const size_t next = is(i + 1, ")") ? i + 2 : i + 1;
    if (is(next, "-o")) begin = next + 1;
  }
  const auto prints = [](std::span<const Argument> part) {
    return std::any_of(part.begin(), part.end(), [](const Argument& word) {
      const std::string_view text = text_of(word);
      return text.starts_with("-print") || text.starts_with("-exec") || text == "-ls";
    });
  };
  std::span<const Argument> rest = words.subspan(begin);
  if (begin == 0 || rest.empty() || !prints(rest) || prints(words.first(begin))) return words;
  const bool is_group = text_of(rest.front()) == "(" && text_of(rest.back()) == ")";
  return is_group ? rest.subspan(1, rest.size() - 2) : rest;
}

Expression expression_of(const Invocation& invocation) {
  Expression result;
  size_t i = 0;
  while (i < invocation.operands.size() && !begins_expression(invocation.operands[i]))
    result.starts.push_back(invocation.operands[i++]);
  result.words = printed_part(std::span(invocation.operands).subspan(i));
  for (const Argument& word : result.words) {
    const std::string_view text = text_of(word);
    result.has_alternatives |= text == "-o" || text == "-or" || text == "!" || text == "-not" ||
                               text == "," || text == "(";
  }
  return result;
}

Lang without(Context& context, std::string_view bytes) {
  return context.set(CharSet::of(bytes).complement(context.alphabet()) - CharSet::of('\n') -
                     CharSet::of('\0'));
}

std::optional<uint32_t> number_of(const Argument* argument) {
  uint32_t value = 0;
  if (!argument || !argument->text) return std::nullopt;
  const char* end = argument->text->data() + argument->text->size();
  const auto [rest, status] = std::from_chars(argument->text->data(), end, value);
  if (status != std::errc() || rest != end) return std::nullopt;
  return value;
}

// Those that -name and -iname (or -path and -ipath) let through, where all tests must hold.
Lang chosen(Lang names, const Expression& expression, std::string_view plain,
            std::string_view folded) {
  if (expression.has_alternatives) return names;
  for (const std::string_view test : {plain, folded}) {
    const Argument* pattern = expression.argument_of(test);
    if (!pattern || !pattern->text) continue;
    const auto regex = regular::parse_glob(*pattern->text, {.folds_case = test == folded});
    const auto matching =
        regex ? regular::lower(names.context(), *regex) : tl::unexpected<Error>(regex.error());
    if (matching) names = names & *matching;
  }
  return names;
}

// `-type f` does not print a starting point that is surely a directory.
bool skips_start(const Expression& expression, const std::string& start) {
  const Argument* type = expression.argument_of("-type");
  if (expression.has_alternatives || !type || !type->text) return false;
  const bool is_directory = start == "." || start == ".." || start.ends_with('/') ||
                            start.ends_with("/.") || start.ends_with("/..");
  return is_directory && type->text->find('d') == std::string::npos;
}

// The paths below the starting points, themselves included.
Lang paths(const Expression& expression, Context& context) {
  const Lang any = star(without(context, "/")), dot = context.literal(".");
  const Lang component =  // any name but `.` and `..`
      (optional(dot) + without(context, "./") + any) | (dot + dot + plus(without(context, "/")));
  const Lang last = chosen(plus(without(context, "/")), expression, "-name", "-iname");
  const uint32_t most =
      number_of(expression.argument_of("-maxdepth")).value_or(regular::kUnbounded);
  const uint32_t least = number_of(expression.argument_of("-mindepth")).value_or(0);
  const Lang slash = context.literal("/");
  const uint32_t between = most == regular::kUnbounded ? most : most == 0 ? 0 : most - 1;
  const Lang below = repeat(component + slash, least > 1 ? least - 1 : 0, between) + last;
  const bool has_name = expression.has("-name") || expression.has("-iname");
  Lang result = context.empty();
  const auto add = [&](Lang start, Lang start_slash, bool is_skipped = false) {
    if (least == 0 && !is_skipped)
      result = result | (has_name ? start & (any_text(context) + last) : start);
    if (most > 0) result = result | (start_slash + below);
  };
  if (expression.starts.empty())
    add(context.literal("."), context.literal("./"), skips_start(expression, "."));
  for (const Argument& start : expression.starts) {
    if (start.text) {  // `find dir` prints dir/x, and so does `find dir/`
      add(context.literal(*start.text),
          context.literal(start.text->ends_with('/') ? *start.text : *start.text + "/"),
          skips_start(expression, *start.text));
    } else {
      const Lang path = plus(without(context, ""));
      add(path, star(without(context, "")) + slash);
    }
  }
  return chosen(result, expression, "-path", "-ipath");
}

// `find $dirs -maxdepth 1 -name core`: the script controls the names of the
// starting points, and the pattern fixes the rest.
bool is_spelled_out(const Expression& expression, Context& context) {
  const auto is_unknown = [](const Argument& start) { return !start.text; };
  const auto most = number_of(expression.argument_of("-maxdepth"));
  const Lang last = chosen(plus(without(context, "/")), expression, "-name", "-iname");
  const auto name = regular::shortest(last);
  return most && *most <= 1 && name &&
         std::any_of(expression.starts.begin(), expression.starts.end(), is_unknown) &&
         regular::included(last, context.literal(*name)).yes();
}

// What a letter of -printf stands for; nothing if it is not followed.
std::optional<Lang> attribute(Context& context, char letter, Lang path) {
  switch (letter) {
    case '%': return context.literal("%");
    case 'p': return path;
    case 'l':
    case 'P': return star(without(context, ""));
    case 'a':
    case 'c':
    case 't':
    case 'h': return plus(without(context, ""));
    // A starting point keeps the slashes at its end.
    case 'f': {
      const auto directories = regular::translate_match(
          regular::anchored(
              regular::match_pattern(star(without(context, "")) + context.literal("/")),
              regular::Anchor::kStart),
          regular::replacement_text(""));
      const Lang name = regular::image(directories, path) - context.epsilon();
      const Lang slashes = plus(context.literal("/"));
      const bool has_slash =
          !regular::disjoint(path, star(without(context, "")) + context.literal("/")).yes();
      return has_slash ? (optional(name) + slashes) | name : name;
    }
    case 's':
    case 'b':
    case 'k':
    case 'd':
    case 'i':
    case 'n':
    case 'U':
    case 'G': return digits(context);
    case 'm': return plus(context.set(CharSet::range('0', '7')));
    case 'M': return mode_text(context);
    case 'y':
    case 'Y': return context.set(CharSet::of("fdlbcpsDLNU?"));
    case 'u':
    case 'g': return plus(without(context, " \t:"));
    default: return std::nullopt;
  }
}

// The letter after %A, %C or %T: a part of a time.
Lang part_of_time(Context& context, char letter) {
  if (letter == '@') {
    return optional(context.literal("-")) + digits(context) + context.literal(".") +
           digits(context);
  }
  if (letter == 'Y') return digits(context, 4, 4);
  const bool is_number = std::string_view("mdHMIjyU").find(letter) != std::string_view::npos;
  return is_number ? digits(context, 2, 3) : plus(without(context, ""));
}

// FORMAT of -printf: what all of it can give.
std::optional<Lang> printed_format(std::string_view format, Lang path, Context& context) {
  constexpr std::string_view kEscapes = "nt0\\";
  constexpr std::string_view kEscaped{"\n\t\0\\", 4};
  Lang result = context.epsilon();
  for (size_t i = 0; i < format.size();) {
    if (format[i] == '\\' && i + 1 < format.size()) {
      const size_t escape = kEscapes.find(format[i + 1]);
      if (escape == std::string_view::npos) return std::nullopt;
      result = result + context.literal(kEscaped.substr(escape, 1));
      i += 2;
    } else if (format[i] == '%' && i + 1 < format.size()) {
      Directive directive = parse_directive(format, i, "-0#+ ");
      i = directive.end;
      const bool is_time =
          directive.letter == 'A' || directive.letter == 'C' || directive.letter == 'T';
      if (is_time && i == format.size()) return std::nullopt;
      const auto value =
          is_time ? part_of_time(context, format[i++]) : attribute(context, directive.letter, path);
      if (!value || directive.precision) return std::nullopt;
      result = result + padded(*value, directive);
    } else {
      result = result + context.literal(format.substr(i++, 1));
    }
  }
  return result;
}

// The words between -exec and its end, with the path in the place of {}. Nothing if a word is not
// constant.
std::optional<Call> called_with(const Expression& expression, Lang path) {
  constexpr std::string_view kPlace = "{}";
  Context& context = path.context();
  Call result;
  size_t at = 0;
  while (at < expression.words.size() && text_of(expression.words[at]) != "-exec") at++;
  for (at++; at < expression.words.size(); at++) {
    const Argument& word = expression.words[at];
    if (!word.text) return std::nullopt;
    if (*word.text == ";") return result;
    if (*word.text == "+" && !result.words.empty() && !result.words.back().text) {
      result.repeats_last = true;
      return result;
    }
    const size_t place = word.text->find(kPlace);
    if (place == std::string::npos) {
      result.words.push_back(word);
      continue;
    }
    const std::string before = word.text->substr(0, place);
    const std::string after = word.text->substr(place + kPlace.size());
    if (after.find(kPlace) != std::string::npos) return std::nullopt;
    const Lang value = context.literal(before) + path + context.literal(after);
    result.words.push_back({word.span, value, std::nullopt, before, false});
  }
  return std::nullopt;
}

// What `-exec` prints, if it is all that prints.
Stream printed_by_call(const Expression& expression, Lang path, const Surroundings& around,
                       std::vector<Problem>& problems) {
  Context& context = around.context();
  const auto is_action = [](const Argument& word) {
    const std::string_view text = text_of(word);
    return text.starts_with("-exec") || text.starts_with("-ok") || text.starts_with("-print") ||
           text.starts_with("-fprint") || text == "-ls" || text == "-fls";
  };
  const auto actions = std::count_if(expression.words.begin(), expression.words.end(), is_action);
  const auto call = actions == 1 ? called_with(expression, path) : std::nullopt;
  const Card* card = call && !call->words.empty() ? card_of_call(*call, around) : nullptr;
  // The number of words that echo gets with `+` is unknown.
  if (!card || (call->repeats_last && card->echoes)) return opaque_stream(context);
  Surroundings within = around;
  within.file_content = [&](const Argument&) { return opaque_stream(context); };
  Stream result = repeated_calls(output_of_call(*call, within, opaque_stream(context), problems));
  result.choice = Choice::kOpaque;  // what it is called with is not any path, but some
  return result;
}

}  // namespace

Behaviour model_find(const Invocation& invocation, const Surroundings& around) {
  Context& context = around.context();
  const Expression expression = expression_of(invocation);
  Behaviour result(opaque_stream(context));
  result.reads_input = expression.has("-ok") || expression.has("-okdir");  // it asks
  if (const auto refused = refused_expression(expression.words)) {
    result.problems.push_back({Flaw::kProgram, refused->span, "find: " + refused->message, ""});
    result.output = empty_stream(context);
    return result;
  }
  for (size_t i = 0; i + 1 < expression.words.size(); i++) {
    const std::string_view test = text_of(expression.words[i]);
    const Argument& pattern = expression.words[i + 1];
    const std::string slip = (test == "-name" || test == "-iname") && pattern.text
                                 ? dialect_slip(*pattern.text, PatternDialect::kGlob)
                                 : "";
    if (!slip.empty())
      result.problems.push_back({Flaw::kPattern, pattern.span, "find: " + slip, "", false});
    if ((test == "-regex" || test == "-iregex") && pattern.text && pattern.text->starts_with("*."))
      result.problems.push_back(
          {Flaw::kPattern, pattern.span,
           "find: -regex takes a regular expression for the whole path, where a leading * is a "
           "star: write '.*\\..*', or use -name",
           "", false});
  }
  const Lang path = paths(expression, context);
  const bool has_action = expression.has("-exec") || expression.has("-execdir") ||
                          expression.has("-ok") || expression.has("-okdir") ||
                          expression.has("-ls") || expression.has("-fls") ||
                          expression.has("-fprint");
  const bool prints = has_action || expression.has("-print") || expression.has("-print0") ||
                      expression.has("-printf");
  if (expression.has("-delete") && !prints) {
    result.output = empty_stream(context);
  } else if (expression.prints_twice()) {
    result.output.may_lack_newline = true;
  } else if (expression.has("-print0")) {
    result.output = Stream(plus(path + context.literal(std::string_view("\0", 1))));
    result.output.count = {0, 1};
    result.output.may_lack_newline = true;
  } else if (const Argument* format = expression.argument_of("-printf"); format && !has_action) {
    if (format->text) {
      if (auto text = printed_format(*format->text, path, context)) {
        const bool is_line =
            format->text->ends_with("\\n") && format->text->find("\\n") == format->text->size() - 2;
        if (is_line)
          result.output = Stream(*printed_format(
              std::string_view(*format->text).substr(0, format->text->size() - 2), path, context));
      }
    }
  } else if (expression.has("-exec")) {
    result.output = printed_by_call(expression, path, around, result.problems);
  } else if (!has_action) {
    result.output = Stream(path);
    // Starting points may lie within each other.
    result.output.is_distinct =
        expression.starts.size() <= 1 && (expression.starts.empty() || expression.starts[0].text);
    if (is_spelled_out(expression, context)) result.output.choice = Choice::kOpaque;
  }
  result.output.order = Order::kScattered;
  return result;
}

}  // namespace nacre::commands
