#include "commands/check_arguments.h"

#include <algorithm>
#include <fmt/core.h>

#include "base/ascii.h"
#include "commands/card_type.h"
#include "commands/stream_text.h"
#include "regular/decide.h"

namespace nacre::commands {

namespace {

using regular::CharSet;

Lang white_space(Context& context) { return context.set(CharSet::of(" \t\n")); }

// Texts that are cut into words of the type, and nothing else.
Lang words_of_type(Lang type) {
  const Lang gap = white_space(type.context());
  return star(gap) + type + star(plus(gap) + type) + star(gap);
}

// What the texts are, for a person: where they come from, and one of them.
std::string described(const Argument& argument, Lang texts) {
  const auto example = regular::shortest(texts);
  const std::string column = argument.producer ? column_of(*argument.producer, texts) : "";
  const std::string shown = example ? fmt::format("'{}'", *example) : "nothing";
  if (argument.text) return fmt::format("'{}' is not one", *argument.text);
  if (!column.empty()) return fmt::format("this is {}: {}", column, shown);
  return fmt::format("this is never one: {}", shown);
}

bool has_several_lines(Lang texts) {
  Context& context = texts.context();
  const Lang any = star(context.set(CharSet::all(context.alphabet())));
  return regular::included(texts, any + context.literal("\n") + any).yes();
}

class ArgumentJudge {
 public:
  ArgumentJudge(const Invocation& invocation, std::vector<Problem>& problems)
      : invocation_(invocation), problems_(problems) {}

  void judge(const Argument& argument, std::string_view placeholder) {
    const ArgumentType* spec = invocation_.card->type_of(placeholder);
    if (spec == nullptr || argument.may_be_many) return;
    Context& context = argument.value.context();
    const Lang type = card_type(context, spec->type);
    const Lang wanted = argument.whole ? words_of_type(type) : type;
    // Whether there is a word at all is asked elsewhere.
    const Lang texts = argument.whole.value_or(argument.value) - star(white_space(context));
    if (is_out(texts, wanted)) return report(argument, *spec, described_whole(argument, texts));
    if (!argument.whole && is_several_kinds(argument) && !regular::contains(type, "a\nb"))
      return report(argument, *spec, "this is several lines in one word");
    judge_kinds(argument, *spec, wanted);
  }

  // Lines of two kinds that come in every run are two lines.
  [[nodiscard]] static bool is_several_kinds(const Argument& argument) {
    Context& context = argument.value.context();
    const Lang any = star(context.set(CharSet::all(context.alphabet())));
    if (regular::disjoint(argument.value, any + context.literal("\n") + any).yes()) return false;
    return std::count_if(argument.kinds.begin(), argument.kinds.end(), [](const LineKind& kind) {
             return kind.frequency == Frequency::kEvery;
           }) > 1;
  }

  // A kind that comes in every run, or the usual rows. What acts on any word acts on a heading as
  // well, and that is never meant.
  void judge_kinds(const Argument& argument, const ArgumentType& spec, Lang wanted) {
    for (const LineKind& kind : argument.kinds) {
      if (kind.frequency > Frequency::kUsual) continue;
      const bool is_frame = kind.frequency == Frequency::kEvery && kind.name != kOwnLine;
      const Lang words = kind.lines - white_words(wanted);
      const bool acts = spec.reaction == Reaction::kActs;
      const bool is_acted_on =
          is_frame && acts && is_unwanted(argument, kind) && regular::is_empty(words).no();
      const bool is_state = !is_frame && acts && is_state_column(argument, kind);
      const bool is_other = !is_frame && names_other(argument, spec, kind);
      if (!is_acted_on && !is_state && !is_other && !is_out(words, wanted)) continue;
      return report(argument, spec, described_kind(argument, kind));
    }
  }

  // A heading or a total never is what was asked for; any other line may be, if nothing else
  // comes.
  [[nodiscard]] static bool is_unwanted(const Argument& argument, const LineKind& frame) {
    if (frame.name == "heading" || frame.name == "total") return true;
    return std::any_of(argument.kinds.begin(), argument.kinds.end(), [](const LineKind& kind) {
      return kind.frequency == Frequency::kUsual || kind.frequency == Frequency::kSometimes;
    });
  }

  // The cells of a column that names things of another sort: images for containers.
  [[nodiscard]] static bool names_other(const Argument& argument, const ArgumentType& spec,
                                        const LineKind& kind) {
    if (!argument.producer || spec.object.empty()) return false;
    const std::string object = object_in(*argument.producer, kind.lines);
    if (object.empty()) return false;
    std::string_view objects = spec.object;
    while (!objects.empty()) {
      const size_t end = std::min(objects.find(','), objects.size());
      if (objects.substr(0, end) == object) return false;
      objects.remove_prefix(std::min(end + 1, objects.size()));
    }
    return true;
  }

  // A cell of a column that has a few words only (`loaded`, `exited`) names no object.
  [[nodiscard]] static bool is_state_column(const Argument& argument, const LineKind& kind) {
    if (!argument.producer || column_of(*argument.producer, kind.lines).empty()) return false;
    constexpr int kMaxStates = 24;
    const auto& columns = argument.producer->columns;
    return std::any_of(columns.begin(), columns.end(), [&](const Producer::Column& column) {
      return regular::included(kind.lines, column.cells).yes() &&
             has_few_words(column.cells, kMaxStates);
    });
  }

  // Words of letters, at most so many.
  [[nodiscard]] static bool has_few_words(Lang lines, int max) {
    for (int i = 0; i < max; i++) {
      const auto word = regular::shortest(lines);
      if (!word) return i > 1;
      if (word->size() < 3 || is_digit(word->front())) return false;
      lines = lines - lines.context().literal(*word);
    }
    return false;
  }

  // A file: a word that is part of a table's frame is none.
  void judge_file(const Argument& argument) {
    static constexpr ArgumentType kFile = {"", "the name of a file", "{path}", Reaction::kActs,
                                           "file"};
    if (argument.may_be_many || argument.kinds.empty()) return;
    if (!argument.whole && is_several_kinds(argument))
      return report(argument, kFile, "this is several lines in one word");
    for (const LineKind& kind : argument.kinds) {
      const auto word = kind.frequency == Frequency::kUsual ? only_word(kind.lines) : std::nullopt;
      if (word) return report(argument, kFile, fmt::format("this is always '{}'", *word));
    }
    judge_kinds(argument, kFile, card_type(argument.value.context(), kFile.type));
  }

  // The constant cell of a table (`M` of git status), without what may stand around it.
  [[nodiscard]] static std::optional<std::string> only_word(Lang lines) {
    const auto word = regular::shortest(lines);
    const bool is_word = word && !word->empty() && word->find('/') == std::string::npos;
    if (!is_word || !regular::included(lines, lines.context().literal(*word)).yes())
      return std::nullopt;
    return word;
  }

 private:
  [[nodiscard]] static Lang white_words(Lang like) { return star(white_space(like.context())); }

  [[nodiscard]] bool is_out(Lang texts, Lang wanted) const {
    if (!regular::is_empty(texts).no()) return false;
    const auto verdict = regular::disjoint(texts, wanted);
    return verdict.yes() && verdict.is_certain;
  }

  [[nodiscard]] static std::string described_whole(const Argument& argument, Lang texts) {
    if (!argument.text && !argument.whole && has_several_lines(texts))
      return "this is several lines in one word";
    return described(argument, texts);
  }

  [[nodiscard]] static std::string described_kind(const Argument& argument, const LineKind& kind) {
    if (kind.frequency == Frequency::kUsual) return described(argument, kind.lines);
    return fmt::format("the {} of {} also reaches this: '{}'", kind.name,
                       argument.producer ? argument.producer->command : "what is read",
                       regular::shortest(kind.lines).value_or(""));
  }

  void report(const Argument& argument, const ArgumentType& spec, const std::string& what) {
    const bool is_certain =
        argument.text.has_value() && spec.reaction == Reaction::kRefuses && !argument.is_opaque;
    problems_.push_back(
        {Flaw::kArgument, argument.span,
         fmt::format("{} takes {}, and {}", invocation_.card->name, spec.noun, what), "",
         is_certain});
  }

  const Invocation& invocation_;
  std::vector<Problem>& problems_;
};

}  // namespace

const OperandSpec* operand_spec(const Card& card, size_t index, size_t count) {
  const auto& specs = card.operands;
  const auto repeating = std::find_if(specs.begin(), specs.end(),
                                      [](const OperandSpec& each) { return each.repeats; });
  if (repeating == specs.end()) return index < specs.size() ? &specs[index] : nullptr;
  const auto before = static_cast<size_t>(repeating - specs.begin());
  const size_t after = specs.size() - before - 1;
  if (index < before) return &specs[index];
  if (index + after >= count && index + after - count + before + 1 < specs.size())
    return &specs[index + after - count + before + 1];
  return &*repeating;
}

void check_arguments(const Invocation& invocation, std::vector<Problem>& problems) {
  if (invocation.is_uncertain || invocation.is_foreign || invocation.property(CardKey::kBeyond))
    return;
  ArgumentJudge judge(invocation, problems);
  for (const GivenOption& given : invocation.options) {
    if (!given.argument || given.spec->more_arguments > 0) continue;
    const std::string_view placeholder = given.spec->placeholder;
    const bool is_file = placeholder == "FILE" || placeholder == "ARCHIVE";
    if (is_file && invocation.card->type_of(placeholder) == nullptr)
      judge.judge_file(*given.argument);
    else
      judge.judge(*given.argument, placeholder);
  }
  const auto& operands = invocation.operands;
  for (size_t i = 0; i < operands.size(); i++) {
    // Words before it that may be none or many leave open which place it takes.
    const OperandSpec* spec = operand_spec(*invocation.card, i, operands.size());
    if (spec != nullptr && spec->placeholder.empty() &&
        (spec->kind == OperandKind::kFile || is_path(spec->kind)))
      judge.judge_file(operands[i]);
    else if (spec != nullptr)
      judge.judge(operands[i], spec->placeholder);
    if (operands[i].may_vanish && (spec == nullptr || !spec->repeats)) return;
  }
}

}  // namespace nacre::commands
