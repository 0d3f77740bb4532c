#include "commands/words.h"

#include "commands/awk_fields.h"
#include "regular/line_select.h"
#include "regular/translate_match.h"

namespace nacre::commands {

using regular::CharSet;
using regular::Context;
using regular::Lang;

namespace {

// Lines without what `read` has put into other variables: the fields before, and blanks around.
Lang rest_of(Lang lines, Lang before) {
  Context& context = lines.context();
  const Lang blank = plus(context.set(CharSet::of(" \t")));
  const auto cut = [&](Lang text, Lang pattern, regular::Anchor anchor) {
    return regular::image(
        regular::translate_match(regular::anchored(regular::match_pattern(pattern), anchor),
                                 regular::replacement_text("")),
        text);
  };
  const Lang reaching =
      before + star(context.set(CharSet::of('\n').complement(context.alphabet())));
  Lang result = cut(lines & reaching, before, regular::Anchor::kStart);
  return cut(result, blank, regular::Anchor::kEnd);
}

}  // namespace

Lang words_of(Lang texts) {
  Context& context = texts.context();
  const Lang gap = plus(context.set(CharSet::of(" \t\n")));
  const auto split = regular::translate_match(regular::match_pattern(gap),
                                              regular::replacement_text("\n"), {1, true});
  return regular::image(split.then(regular::each_line(context.alphabet())), texts) -
         context.epsilon();
}

std::optional<Lang> read_field(Lang lines, std::string_view ifs, size_t index, size_t count) {
  Context& context = lines.context();
  const bool is_blank = ifs == " \t\n" || ifs == " ";
  const bool is_single = ifs.size() == 1 && ifs != "\n";
  if (!is_blank && !is_single) return std::nullopt;
  const auto splitter = FieldSplitter::make(context, is_blank ? " " : std::string(ifs));
  if (!splitter) return std::nullopt;
  if (index + 1 < count) return splitter->field(lines, index + 1);
  const Lang sign = context.set(
      CharSet::of(is_blank ? " \t\n" : std::string(ifs) + "\n").complement(context.alphabet()));
  const Lang gap = is_blank ? plus(context.set(CharSet::of(" \t"))) : context.literal(ifs);
  const auto before = static_cast<uint32_t>(index);
  const Lang lead = is_blank ? star(context.set(CharSet::of(" \t"))) : context.epsilon();
  const Lang field = is_blank ? plus(sign) : star(sign);
  // Lines with fewer fields leave nothing.
  return rest_of(lines, lead + repeat(field + gap, before, before)) | context.epsilon();
}

}  // namespace nacre::commands
