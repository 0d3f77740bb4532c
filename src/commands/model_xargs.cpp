// xargs: how its input becomes words, and what the command does that it calls with them.
#include "commands/called.h"
#include "commands/models.h"
#include "regular/decide.h"
#include "regular/line_select.h"
#include "regular/translate_match.h"

namespace nacre::commands {

namespace {

using regular::CharSet;
using namespace std::string_view_literals;

enum class Splitting : uint8_t {
  kWords,  // blanks separate, quotes and backslashes protect
  kLines,  // -I: a line is one argument (quotes still count, as in kWords)
  kOther,  // -0, -d: another separator, nothing is special
};

Splitting splitting_of(const Invocation& invocation) {
  if (invocation.has("-0") || invocation.has("-d")) return Splitting::kOther;
  if (invocation.has("-I") || invocation.has("-i") || invocation.has("--replace"))
    return Splitting::kLines;
  return Splitting::kWords;
}

Lang byte_besides(Context& context, std::string_view bytes) {
  return context.set(CharSet::of(bytes).complement(context.alphabet()) - CharSet::of('\n'));
}

// Lines that reach the command as one argument, unchanged: no blank or quote outside a quoted word.
Lang one_word(Context& context) {
  const Lang plain = plus(byte_besides(context, " \t'\"\\"));
  const Lang in_double =
      context.literal("\"") + star(byte_besides(context, "\"")) + context.literal("\"");
  const Lang in_single =
      context.literal("'") + star(byte_besides(context, "'")) + context.literal("'");
  return plain | in_double | in_single;
}

bool splits_at_newlines(const Invocation& invocation) {
  const GivenOption* given = invocation.last("-d");
  return given && given->argument &&
         (given->argument->text == "\\n" || given->argument->text == "\n");
}

// What arguments the lines may become.
Lang words_of(const Invocation& invocation, const Stream& input) {
  Context& context = input.rest.context();
  const Lang lines = any_line(input);
  const Lang anything = star(context.set(CharSet::all(context.alphabet()) - CharSet::of('\0')));
  const bool has_quotes =
      !regular::disjoint(lines, star(byte_besides(context, "'\"\\")) +
                                    context.set(CharSet::of("'\"\\")) + any_text(context))
           .yes();
  const Splitting splitting = splitting_of(invocation);
  if (splitting == Splitting::kOther) {
    return splits_at_newlines(invocation) ? lines : anything;
  }
  if (has_quotes || invocation.has("-E")) return anything;
  const Lang blank = plus(context.set(CharSet::of(" \t")));
  if (splitting == Splitting::kLines) {
    const auto trim = regular::translate_match(
        regular::anchored(regular::match_pattern(blank), regular::Anchor::kStart),
        regular::replacement_text(""));
    return regular::image(trim, lines) - context.epsilon();
  }
  const auto split = regular::translate_match(regular::match_pattern(blank),
                                              regular::replacement_text("\n"), {1, true});
  const auto pieces = regular::each_line(context.alphabet());
  return regular::image(split.then(pieces), lines) - context.epsilon();
}

Argument with_value(const Argument& like, Lang value) {
  return {like.span, value, std::nullopt, "", like.is_opaque};
}

// `text` with every `mark` in it replaced by a word.
Lang replaced(Context& context, std::string_view text, std::string_view mark, Lang word) {
  std::vector<Lang> parts;
  for (size_t at = text.find(mark); at != std::string_view::npos; at = text.find(mark)) {
    parts.push_back(context.literal(text.substr(0, at)));
    parts.push_back(word);
    text.remove_prefix(at + mark.size());
  }
  parts.push_back(context.literal(text));
  return concat(context, parts);
}

std::string mark_of(const Invocation& invocation) {
  for (std::string_view name : {"-I", "-i", "--replace"}) {
    const GivenOption* given = invocation.last(name);
    if (given && given->argument && given->argument->text && !given->argument->text->empty())
      return *given->argument->text;
  }
  return "{}";
}

Call call_of(const Invocation& invocation, const Stream& input) {
  Context& context = input.rest.context();
  Call call;
  for (const Argument& operand : invocation.operands) call.words.push_back(operand);
  const Span span = invocation.name_span;
  if (call.words.empty())
    call.words.push_back({span, context.literal("echo"), "echo", "echo", false});
  const Lang word = words_of(invocation, input);
  const bool is_opaque = input.choice == Choice::kOpaque;
  const bool is_plain = splitting_of(invocation) != Splitting::kOther && !invocation.has("-E");
  if (splitting_of(invocation) == Splitting::kLines) {
    const std::string mark = mark_of(invocation);
    for (Argument& operand : call.words) {
      if (!operand.text || operand.text->find(mark) == std::string::npos) continue;
      const std::string text = *operand.text;
      operand = with_value(operand, replaced(context, text, mark, word));
      operand.is_opaque = is_opaque;
      operand.producer = input.producer;
      for (LineKind kind : input.kinds) {
        kind.lines = replaced(context, text, mark, words_of(invocation, Stream(kind.lines)));
        operand.kinds.push_back(std::move(kind));
      }
    }
    return call;
  }
  call.words.push_back({span, word, std::nullopt, "", is_opaque});
  if (is_plain) {
    call.words.back().whole = any_line(input);
    call.words.back().kinds = input.kinds;
    call.words.back().producer = input.producer;
  }
  const GivenOption* most = invocation.last("-n");
  call.repeats_last = !(most && most->argument && most->argument->text == "1");
  return call;
}

// echo joins its arguments with blanks.
Stream echoed_words(const Call& call, Context& context) {
  Lang line = context.epsilon();
  bool is_opaque = false;
  for (size_t i = 1; i < call.words.size(); i++) {
    if (i > 1) line = line + context.literal(" ");
    line = line + call.words[i].value;
    is_opaque |= call.words[i].is_opaque;
  }
  const bool has_words = call.words.size() > 1 && !call.words.back().text;
  if (call.repeats_last) line = line + star(context.literal(" ") + call.words.back().value);
  Stream result(line);
  if (is_opaque) result.choice = Choice::kOpaque;
  // A word such as -n would be an option.
  const Lang dashed = context.literal("-") + any_text(context);
  if (has_words && !regular::disjoint(call.words[1].value, dashed).yes()) {
    result.rest = any_text(context);
    result.may_lack_newline = true;
  }
  return result;
}

// Without input the command still runs once, with its own arguments only, unless -r is given.
Stream without_words(Call call, const Surroundings& around) {
  Context& context = around.context();
  call.words.pop_back();
  call.repeats_last = false;
  std::vector<Problem> problems;
  const Stream output = output_of_call(call, around, empty_stream(context), problems);
  // A call that is refused prints nothing.
  return problems.empty() ? output : empty_stream(context);
}

// `wc -l | xargs rm`: it was the lines that were meant.
void refuse_count(const Invocation& invocation, const Stream& input, const Card* card,
                  Behaviour& result) {
  const auto is_file = [](const OperandSpec& spec) {
    return spec.kind == OperandKind::kFile || spec.kind == OperandKind::kPathRemoved;
  };
  const bool takes_files =
      card && std::any_of(card->operands.begin(), card->operands.end(), is_file);
  if (!takes_files || input.choice != Choice::kFormat || input.count.most != 1) return;
  const std::string mark = mark_of(invocation);
  const auto is_whole = [&](const Argument& operand) { return operand.text == mark; };
  if (splitting_of(invocation) == Splitting::kLines &&
      std::none_of(invocation.operands.begin(), invocation.operands.end(), is_whole))
    return;
  const CharSet in_numbers = CharSet::range('0', '9') | CharSet::of(" \t");
  result.checks.push_back({Check::Kind::kNotAll, Asks::kForm,
                           plus(input.rest.context().set(in_numbers)),
                           "this is a number, but a file name is needed", "", false});
}

}  // namespace

Behaviour model_xargs(const Invocation& invocation, const Surroundings& around) {
  Context& context = around.context();
  const GivenOption* file = invocation.last("-a");
  const Stream input = file && file->argument ? around.file_content(*file->argument) : around.input;
  Behaviour result(opaque_stream(context));
  result.reads_input = file == nullptr;
  const GivenOption* most = invocation.last("-n");
  const bool is_zero = most && most->argument && most->argument->text == "0";
  if (const GivenOption* bad = is_zero ? most : invocation.not_a_number({"-n", "-L", "-P", "-s"})) {
    result.problems.push_back({Flaw::kProgram, bad->argument->span, "xargs: invalid number", ""});
    return result;
  }
  const Call call = call_of(invocation, input);
  const bool is_plain_echo =
      call.words[0].text == "echo" &&
      (call.words.size() < 2 || !call.words[1].prefix.starts_with('-')) &&
      (splitting_of(invocation) != Splitting::kOther || splits_at_newlines(invocation));
  const Stream nothing = empty_stream(context);  // xargs gives its command /dev/null
  const Stream once = is_plain_echo ? echoed_words(call, context)
                                    : output_of_call(call, around, nothing, result.problems);
  result.output = repeated_calls(once);
  // So few lines are one command line.
  const bool is_cut = invocation.has("-n") || invocation.has("-L") || invocation.has("-s") ||
                      splitting_of(invocation) == Splitting::kLines;
  if (is_plain_echo && !is_cut && input.count.most <= kMaxKnownLines) result.output.count.most = 1;
  const bool runs_anyway = splitting_of(invocation) != Splitting::kLines && !invocation.has("-r");
  if (runs_anyway) result.output = either(result.output, without_words(call, around));

  const Card* card = card_of_call(call, around);
  const bool takes_paths =
      card && std::any_of(card->operands.begin(), card->operands.end(), [](const OperandSpec& o) {
        return is_path(o.kind) || o.kind == OperandKind::kFile;
      });
  if (splitting_of(invocation) == Splitting::kWords && takes_paths) {
    result.checks.push_back(
        {Check::Kind::kEvery, Asks::kWholeNames, one_word(context),
         "xargs splits on whitespace and strips quotes: a name with spaces becomes several",
         "xargs -0 takes any name from find -print0; xargs -d '\\n' takes lines", false});
  }
  refuse_count(invocation, input, card, result);
  if (invocation.has("-0") && input.choice == Choice::kFormat && input.count.most > 1) {
    result.checks.push_back(
        {Check::Kind::kNotAll, Asks::kForm, star(byte_besides(context, "\0"sv)),
         "xargs -0 expects NUL-terminated names: lines become one argument, newlines included",
         "names that end with newlines are for xargs -d '\\n'", false});
  }
  return result;
}

}  // namespace nacre::commands
