// grep: which lines match, and in what form they are printed.
#include <fmt/core.h>

#include "commands/dialect_slips.h"
#include "commands/line_formats.h"
#include "commands/models.h"
#include "commands/pattern_slips.h"
#include "regular/decide.h"
#include "regular/lower.h"
#include "regular/match_pattern.h"
#include "regular/parse_pcre.h"
#include "regular/parse_posix.h"
#include "regular/translate_match.h"

namespace nacre::commands {

namespace {

using regular::Regex;

struct Patterns {
  std::string text;                   // one per line, as grep joins those of several -e
  Span span;                          // of the first
  bool is_known = true;               // all are constants
  const Argument* partial = nullptr;  // the only one, which is not constant
  size_t first_file = 0;              // operands before it are patterns
};

Patterns patterns_of(const Invocation& invocation) {
  Patterns result;
  bool has_any = false;
  const auto add = [&](const Argument& argument) {
    if (!argument.text) {
      result.is_known = false;
      return;
    }
    if (has_any)
      result.text += '\n';
    else
      result.span = argument.span;
    has_any = true;
    result.text += *argument.text;
  };
  bool from_options = false;
  for (const GivenOption& given : invocation.options) {
    if (given.spec->short_name == "e" && given.argument) {
      from_options = true;
      add(*given.argument);
    } else if (given.spec->short_name == "f") {
      from_options = true;
      result.is_known = false;
    }
  }
  if (from_options) return result;
  result.first_file = 1;
  if (invocation.operands.empty())
    result.is_known = false;
  else
    add(invocation.operands[0]);
  if (!result.is_known && !invocation.operands.empty()) result.partial = &invocation.operands[0];
  return result;
}

// Lines that hold the pattern, where the values in it are plain text: `grep "$host:$port"` finds
// lines with a colon. Nothing if what is constant in it has a special meaning.
std::optional<Lang> plain_matches(const Argument& pattern) {
  const auto constant = regular::shortest(pattern.value);
  if (!constant || constant->find_first_of("\\^$.*[]+?{}()|\n") != std::string::npos)
    return std::nullopt;
  const Lang any = any_text(pattern.value.context());
  return any + (pattern.value & any) + any;
}

enum class Syntax : uint8_t { kBasic, kExtended, kFixed, kPerl };

Syntax syntax_of(const Invocation& invocation) {
  Syntax result = Syntax::kBasic;
  for (const GivenOption& given : invocation.options) {  // the last one wins
    const std::string_view name = given.spec->short_name;
    if (name == "E")
      result = Syntax::kExtended;
    else if (name == "F")
      result = Syntax::kFixed;
    else if (name == "P")
      result = Syntax::kPerl;
    else if (name == "G")
      result = Syntax::kBasic;
  }
  return result;
}

Result<Regex> parse(const Invocation& invocation, const std::string& text, Syntax syntax) {
  const bool folds_case = invocation.has("-i") || invocation.has("-y");
  const auto bounds = invocation.has("-x")   ? regular::GrepBounds::kLine
                      : invocation.has("-w") ? regular::GrepBounds::kWord
                                             : regular::GrepBounds::kNone;
  if (syntax == Syntax::kPerl) {
    return regular::parse_pcre(text, {.folds_case = folds_case, .bounds = bounds});
  }
  const regular::PosixOptions options{
      .is_extended = syntax == Syntax::kExtended, .folds_case = folds_case, .bounds = bounds};
  return syntax == Syntax::kFixed ? regular::parse_fixed(text, options)
                                  : regular::parse_posix(text, options);
}

// `grep -f FILE` where the file's lines are known: lines that hold one of them. Nothing if some
// line is more than plain text.
std::optional<Lang> dictionary_matches(const Invocation& invocation, const Surroundings& around) {
  const GivenOption* given = invocation.last("-f");
  const bool is_plain = !invocation.has("-e") && !invocation.has("-i") && !invocation.has("-o") &&
                        !invocation.has("-P") && given != nullptr && given->argument;
  if (!is_plain) return std::nullopt;
  const Stream content = around.file_content(*given->argument);
  if (content.choice == Choice::kOpaque) return std::nullopt;
  Context& context = around.context();
  const Lang any = any_text(context);
  const Lang words = any_line(content);
  const auto special = regular::CharSet::of("\\^$.*[]+?{}()|");
  const Lang harmless =
      star(context.set(special.complement(context.alphabet()) - regular::CharSet::of('\n')));
  if (!invocation.has("-F") && !regular::included(words, harmless).yes()) return std::nullopt;
  if (invocation.has("-x")) return words;
  if (!invocation.has("-w")) return any + words + any;
  const auto in_word = regular::CharSet::range('a', 'z') | regular::CharSet::range('A', 'Z') |
                       regular::CharSet::range('0', '9') | regular::CharSet::of('_');
  const Lang gap = context.set(in_word.complement(context.alphabet()) - regular::CharSet::of('\n'));
  return optional(any + gap) + words + optional(gap + any);
}

// The names that come before lines: `FILE:`, where grep prints them.
Lang file_prefix(const Invocation& invocation, size_t file_count, Context& context) {
  const bool is_recursive = invocation.has("-r") || invocation.has("-R");
  const bool shows =
      invocation.has("-H") || ((file_count > 1 || is_recursive) && !invocation.has("-h"));
  if (!shows) return context.epsilon();
  const Lang name =
      plus(context.set(regular::all_but_newline(context.alphabet()))) + context.literal(":");
  // Before the lines of one operand only if it is a directory.
  return file_count == 1 && !invocation.has("-H") ? optional(name) : name;
}

// -T lines the text up at a tab stop.
Lang line_prefix(const Invocation& invocation, Lang files) {
  Context& context = files.context();
  Lang result = files;
  const Lang number =
      invocation.has("-T") ? star(context.literal(" ")) + digits(context) : digits(context);
  if (invocation.has("-n")) result = result + number + context.literal(":");
  if (invocation.has("-b")) result = result + number + context.literal(":");
  if (invocation.has("-T") && !(result == context.epsilon()))
    result = result + context.literal("\t");
  return result;
}

bool has_context(const Invocation& invocation) {
  return invocation.has("-A") || invocation.has("-B") || invocation.has("-C") ||
         invocation.has("-NUM");
}

bool is_coloured(const Invocation& invocation) {
  const GivenOption* given = invocation.last("--color");
  if (!given) given = invocation.last("--colour");
  return given && given->argument && given->argument->text == "always";
}

// What does not depend on the pattern: counts, names, silence.
std::optional<Stream> summary(const Invocation& invocation, size_t file_count, Context& context) {
  const bool is_recursive = invocation.has("-r") || invocation.has("-R");
  if (invocation.has("-q") || invocation.has("--silent")) return empty_stream(context);
  if (invocation.has("-l") || invocation.has("-L")) {
    Stream result(file_count == 0 && !invocation.has("--label")
                      ? context.literal("(standard input)")
                      : plus(context.set(regular::all_but_newline(context.alphabet()))));
    if (file_count <= 1 && !is_recursive) result.count = {0, 1};
    result.is_distinct = file_count <= 1;
    if (invocation.has("-Z")) result.may_lack_newline = true;
    return result;
  }
  if (invocation.has("-c")) {
    Stream result(file_prefix(invocation, file_count, context) + digits(context));
    if (file_count <= 1 && !is_recursive) result.count = {1, 1};
    return result;
  }
  return std::nullopt;
}

// -A, -B, -C: lines that do not match, too, with `-` for `:` after their number, and `--` between
// groups.
void add_context(const Invocation& invocation, const Source& source, size_t file_count,
                 Stream& lines) {
  Context& context = lines.rest.context();
  lines.rest = any_line(source.lines);
  const Lang prefix = line_prefix(invocation, file_prefix(invocation, file_count, context));
  if (!(prefix == context.epsilon())) lines.rest = any_text(context);
  const GivenOption* separator = invocation.last("--group-separator");
  if (separator && separator->argument)
    lines.rest = lines.rest | separator->argument->value;
  else if (!invocation.has("--no-group-separator"))
    lines.rest = lines.rest | context.literal("--");
  lines.order = lines.order == Order::kUnknown ? Order::kUnknown : Order::kScattered;
  lines.is_distinct = false;
  lines.count.most = kManyLines;
}

// A pattern with back-references was widened: what -v keeps cannot be had by a complement.
Lang kept_lines(const Invocation& invocation, Lang matching) {
  if (!invocation.has("-v")) return matching;
  const Lang any = any_text(matching.context());
  return matching.is_exact() ? any - matching : Lang(any.context(), any.id(), matching.bound());
}

// -o: the pieces of lines that match. False if these are not regular.
bool extract_matches(const Invocation& invocation, const Source& source, const Regex& regex,
                     bool may_be_idle, Behaviour& result) {
  Stream& lines = result.output;
  Context& context = lines.rest.context();
  const auto pattern = regular::match_pattern(context, regex);
  if (!pattern) return false;
  const auto extract = regular::line_extract(*pattern);
  lines = Stream(regular::image(extract, any_line(source.lines)));
  lines.order = source.lines.order >= Order::kGrouped ? Order::kScattered : source.lines.order;
  lines.scattered_by = invocation.name_span;
  result.trace = LineMap{any_text(context), extract};
  const auto whole =
      regular::lower(context, regex, {.subject = regular::all_but_newline(context.alphabet())});
  if (whole && whole->is_exact() && may_be_idle) {
    result.checks.push_back({Check::Kind::kNotAll, Asks::kEffect, *whole - context.epsilon(),
                             "grep -o changes nothing: every line that reaches it is one match", "",
                             false});
  }
  return true;
}

Behaviour searched(const Invocation& invocation, const Source& source, Lang matching,
                   const Regex& regex, size_t file_count) {
  Context& context = matching.context();
  const bool is_inverted = invocation.has("-v");
  const Lang kept = kept_lines(invocation, matching);
  const Lang prefix = line_prefix(invocation, file_prefix(invocation, file_count, context));
  const bool has_prefix = !(prefix == context.epsilon());
  const bool may_be_idle = !has_prefix && !has_context(invocation) && !invocation.has("-m") &&
                           !invocation.has("-T") && matching.is_exact();
  Behaviour result(filtered(source.lines, kept));
  Stream& lines = result.output;
  lines.may_lack_newline = false;
  result.is_filter = true;
  result.chooses_lines = !is_inverted;
  if (invocation.has("-o") && is_inverted) {
    lines = empty_stream(context);
    return result;
  }
  if (invocation.has("-o")) {
    if (!extract_matches(invocation, source, regex, may_be_idle, result)) {
      lines = opaque_stream(context);  // any piece of a line
      return result;
    }
  } else {
    result.trace = LineMap{kept, {}};
    const std::string what = is_inverted
                                 ? "grep -v keeps every line: none that reaches it can match"
                                 : "grep keeps every line: all that reach it match";
    if (may_be_idle)
      result.checks.push_back({Check::Kind::kNotAll, Asks::kEffect, kept, what, "", false});
  }
  if (has_context(invocation) || has_prefix) {
    lines.rest = any_line(lines);
    lines.first.clear();
  }
  if (has_context(invocation)) {
    add_context(invocation, source, file_count, lines);
    result.trace.reset();
  } else if (has_prefix) {
    lines.rest = prefix + lines.rest;
    lines.order = lines.order == Order::kUnknown ? Order::kUnknown : Order::kScattered;
    lines.is_distinct = false;
    result.trace.reset();
  }
  if (const GivenOption* most = invocation.last("-m"); most && most->argument) {
    const bool is_one = most->argument->text == "1" && !invocation.has("-o") && file_count <= 1;
    lines.count.lower(is_one ? 1 : 0);
    if (is_one && !has_context(invocation))
      lines.count.most = std::min<uint64_t>(lines.count.most, 1);
  }
  return result;
}

// Where the pattern is not followed: some of the lines that are read.
Behaviour some_lines(const Invocation& invocation, const Source& source, size_t file_count) {
  Context& context = source.lines.rest.context();
  Behaviour result(source.lines);
  result.reads_input = source.uses_input;
  result.output.count.lower(0);
  result.output.rest = any_line(source.lines);
  result.output.first.clear();
  result.output.may_lack_newline = false;
  if (invocation.has("-o") || is_coloured(invocation)) result.output = opaque_stream(context);
  const Lang prefix = line_prefix(invocation, file_prefix(invocation, file_count, context));
  if (has_context(invocation)) {
    add_context(invocation, source, file_count, result.output);
  } else if (!(prefix == context.epsilon())) {
    result.output.rest = prefix + result.output.rest;
    result.output.is_distinct = false;
    result.output.order = Order::kUnknown;
  }
  return result;
}

// -c, -l, -q: another output than lines. What cannot match anything is still worth a word: `grep
// -q` that never succeeds.
void summarise(const Invocation& invocation, size_t file_count, Behaviour& result) {
  const auto other = summary(invocation, file_count, result.output.rest.context());
  if (!other) return;
  const bool never_matches = is_silent(result.output);
  if (invocation.has("-q")) result.found = result.output;
  result.output = *other;
  result.trace.reset();
  result.ignores_order = true;
  result.checks.clear();
  result.is_filter = false;
  result.never_selects = never_matches && !invocation.has("-L");
}

// The lines that a pattern selects; nothing if it is beyond what is followed.
std::optional<Behaviour> selected(const Invocation& invocation, const regular::Regex& regex,
                                  const Source& source, size_t file_count) {
  Context& context = source.lines.rest.context();
  const auto matching = regular::lower(context, regex,
                                       {.match = regular::Match::kContains,
                                        .subject = regular::all_but_newline(context.alphabet()),
                                        .back_references = regular::BackReferences::kWiden});
  if (!matching || is_coloured(invocation)) return std::nullopt;
  Behaviour result = searched(invocation, source, *matching, regex, file_count);
  result.reads_input = source.uses_input;
  if (invocation.has("-r") || invocation.has("-R")) result.trace.reset();
  if (source.uses_input && file_count <= 1 && !invocation.has("-L"))
    result.selects = kept_lines(invocation, *matching);
  if (!invocation.has("-a") && !invocation.has("--binary-files") && !invocation.has("-o")) {
    const Lang any = any_text(context);
    result.checks.push_back(
        {Check::Kind::kNotAll, Asks::kForm, any + context.literal(std::string_view("\0", 1)) + any,
         "grep treats input with NUL bytes as binary and prints only whether it matches",
         "grep -z reads names that end with NUL bytes", false});
  }
  summarise(invocation, file_count, result);
  return result;
}

std::string other_dialect(Syntax syntax, std::string_view pattern) {
  switch (syntax) {
    case Syntax::kBasic: return dialect_slip(pattern, PatternDialect::kBasic);
    case Syntax::kExtended: return dialect_slip(pattern, PatternDialect::kExtended);
    case Syntax::kFixed: return dialect_slip(pattern, PatternDialect::kFixed);
    default: return "";
  }
}

}  // namespace

Behaviour model_grep(const Invocation& invocation, const Surroundings& around) {
  Context& context = around.context();
  const Patterns patterns = patterns_of(invocation);
  const size_t first_file = std::min(patterns.first_file, invocation.operands.size());
  const auto files = std::span(invocation.operands).subspan(first_file);
  const bool is_recursive = invocation.has("-r") || invocation.has("-R");
  const bool searches_tree = files.empty() && is_recursive;
  Source source = source_of(files, around);
  if (is_recursive && !source.uses_input) source.lines = opaque_stream(context);
  if (searches_tree) source = {opaque_stream(context), false};
  const size_t file_count = searches_tree ? 2 : files.size();

  Behaviour unknown = some_lines(invocation, source, file_count);
  if (const GivenOption* bad = invocation.not_a_number({"-A", "-B", "-C"})) {
    unknown.problems.push_back(
        {Flaw::kProgram, bad->argument->span, "grep: invalid context length argument", ""});
    return unknown;
  }
  if (patterns.is_known) {
    const auto regex = parse(invocation, patterns.text, syntax_of(invocation));
    if (!regex) {
      unknown.problems.push_back(
          {Flaw::kProgram, patterns.span, "grep: " + regex.error().message, ""});
      unknown.output = empty_stream(context);
      return unknown;
    }
    const Syntax syntax = syntax_of(invocation);
    const bool is_posix = syntax == Syntax::kBasic || syntax == Syntax::kExtended;
    const std::string slip = is_posix ? slip_in(patterns.text) : "";
    if (!slip.empty()) unknown.problems.push_back({Flaw::kPattern, patterns.span, slip, "", false});
    const std::string other = other_dialect(syntax, patterns.text);
    if (!other.empty())
      unknown.problems.push_back({Flaw::kPattern, patterns.span, "grep: " + other, "", false});
    if (around.wanted == Wanted::kMistakes) return unknown;
    if (auto result = selected(invocation, *regex, source, file_count)) {
      result->problems = std::move(unknown.problems);
      return *result;
    }
  }
  if (const auto matching = dictionary_matches(invocation, around)) {
    const Lang kept = invocation.has("-v") ? any_text(context) - *matching : *matching;
    const Lang prefix = line_prefix(invocation, file_prefix(invocation, file_count, context));
    if (!has_context(invocation) && prefix == context.epsilon()) {
      unknown.output = filtered(source.lines, kept);
      unknown.is_filter = true;
      unknown.never_selects = is_silent(unknown.output);
    }
  }
  if (patterns.partial && !invocation.has("-v") && !invocation.has("-o") &&
      !has_context(invocation)) {
    if (const auto lines = plain_matches(*patterns.partial))
      unknown.output = filtered(unknown.output, *lines);
  }
  if (auto other = summary(invocation, file_count, context)) {
    if (invocation.has("-q")) unknown.found = unknown.output;
    unknown.output = *other;
  }
  return unknown;
}

}  // namespace nacre::commands
