#include "commands/awk_fields.h"

#include "regular/decide.h"
#include "regular/field_select.h"
#include "regular/lower.h"
#include "regular/match_pattern.h"
#include "regular/parse_awk.h"
#include "regular/translate_match.h"

namespace nacre::commands {

namespace {

using regular::CharSet;
using regular::Transducer;

// Stands between fields that an expression cuts. Records hold no newline unless a program sets RS
// or puts one into $0; of such records fields are not told apart (see blurred()).
constexpr char kMark = '\n';

Transducer replace_all(Lang pattern, std::string by) {
  return regular::translate_match(regular::match_pattern(pattern),
                                  regular::replacement_text(std::move(by)), {1, true});
}
Transducer remove_at(Lang pattern, regular::Anchor anchor) {
  return regular::translate_match(regular::anchored(regular::match_pattern(pattern), anchor),
                                  regular::replacement_text(""));
}

}  // namespace

std::optional<FieldSplitter> FieldSplitter::make(Context& context, const std::string& separator) {
  const Lang gap = plus(context.set(CharSet::of(" \t\n")));
  if (separator == " ") {
    const Transducer trimmed =
        remove_at(gap, regular::Anchor::kStart).then(remove_at(gap, regular::Anchor::kEnd));
    return FieldSplitter(context, trimmed.then(replace_all(gap, " ")), ' ');
  }
  if (separator.empty()) return std::nullopt;  // gawk: every character is a field
  if (separator.size() == 1 && separator != "\\") return FieldSplitter(context, {}, separator[0]);
  if (separator == "\\|") return FieldSplitter(context, {}, '|');
  const auto regex = regular::parse_awk(separator);
  if (!regex) return std::nullopt;
  const auto lang = regular::lower(context, *regex);
  if (!lang) return std::nullopt;
  return FieldSplitter(context, replace_all(*lang, std::string(1, kMark)), kMark);
}

Lang FieldSplitter::separated(uint64_t least_fields) const {
  const Lang others = star(context_->set(
      CharSet::of(static_cast<unsigned char>(separator_)).complement(context_->alphabet())));
  const Lang one = context_->literal(std::string(1, separator_));
  if (least_fields <= 1) return star(context_->set(CharSet::all(context_->alphabet())));
  const auto count = static_cast<uint32_t>(least_fields - 1);
  return repeat(others + one, count, count) +
         star(context_->set(CharSet::all(context_->alphabet())));
}

// The records that hold what stands for a separator, and so seem to have more fields than they do.
Lang FieldSplitter::blurred() const {
  if (separator_ != kMark) return context_->empty();
  const Lang all = star(context_->set(CharSet::all(context_->alphabet())));
  return all + context_->literal(std::string(1, kMark)) + all;
}

Transducer FieldSplitter::select(uint64_t number) const {
  regular::FieldOptions options;
  options.delimiter = static_cast<unsigned char>(separator_);
  options.list = {{number, number}};
  return regular::field_select(options);
}

Lang FieldSplitter::field(Lang record, uint64_t number) const {
  const bool is_plain = separator_ != kMark;
  const CharSet held = regular::symbols_of(record);
  if (!is_plain && held.intersects(CharSet::of(kMark))) return star(context_->set(held));
  // A record of any string over some symbols has fields of any string over the non-separators.
  if (const auto symbols = regular::starred_set(record); symbols && is_plain) {
    const CharSet separators =
        CharSet::of(separator_ == ' ' ? " \t\n" : std::string_view(&separator_, 1));
    if (symbols->intersects(separators)) return star(context_->set(*symbols - separators));
  }
  const Lang normal = regular::image(normalise_, record);
  const Lang with = normal & separated(number);
  const Lang missing = normal - separated(number);
  const Lang value = regular::image(select(number), with);
  return regular::is_empty(missing).yes() ? value : value | context_->epsilon();
}

std::optional<Transducer> FieldSplitter::map_to(uint64_t number) const {
  if (separator_ == kMark) return std::nullopt;
  if (number == 1) return normalise_.then(select(1));
  // So many separators at its end give every record that field.
  const Transducer widened = regular::translate_match(
      regular::anchored(regular::match_pattern(context_->epsilon()), regular::Anchor::kEnd),
      regular::replacement_text(std::string(number, separator_)));
  return normalise_.then(widened).then(select(number));
}

Lang FieldSplitter::last_field(Lang record) const {
  const CharSet held = regular::symbols_of(record);
  if (separator_ == kMark && held.intersects(CharSet::of(kMark))) return star(context_->set(held));
  const Lang all = star(context_->set(CharSet::all(context_->alphabet())));
  const Lang head = all + context_->literal(std::string(1, separator_));
  const Lang last =
      regular::image(remove_at(head, regular::Anchor::kStart), regular::image(normalise_, record));
  // Without a field $NF is $0, blanks and all.
  return last | (record & star(context_->set(CharSet::of(" \t\n"))));
}

Lang FieldSplitter::records_with(uint64_t number, Lang wanted) const {
  Lang result = regular::preimage(select(number), wanted) & separated(number);
  if (regular::is_nullable(wanted)) result = result | !separated(number);
  return regular::preimage(normalise_, result) | blurred();
}

}  // namespace nacre::commands
