// Variables of an awk program, and the records for which a condition holds.
#include <cmath>

#include "commands/awk_lines.h"
#include "commands/awk_run.h"
#include "commands/line_formats.h"
#include "regular/decide.h"
#include "regular/lower.h"
#include "regular/parse_awk.h"

namespace nacre::awk {

using regular::CharSet;

Value Run::constant(std::string_view text) { return {context_.literal(text), false, false}; }

Value Run::number() { return {number_text(), true, false}; }

// A count, such as NF; numbers that are whole are printed without point and exponent.
Value Run::natural() { return whole(true); }

Value Run::anything() { return {any_string(), false, true}; }

Lang Run::any_string() { return star(context_.set(CharSet::all(context_.alphabet()))); }

// What awk prints for a number: an integer, or OFMT's six digits.
Lang Run::number_text(bool is_signed) {
  const Lang fraction = context_.literal(".") + commands::digits(context_);
  const Lang exponent =
      context_.literal("e") + context_.set(CharSet::of("+-")) + commands::digits(context_);
  // OFMT and CONVFMT may be anything; nan and inf, which only broken input gives, are left out.
  if (variables_.contains("OFMT") || variables_.contains("CONVFMT")) return any_string();
  const Lang sign = is_signed ? optional(context_.literal("-")) : context_.epsilon();
  return sign + commands::digits(context_) + optional(fraction) + optional(exponent);
}

std::string Run::keys_of(const std::string& array) { return array + "[]"; }

std::string Run::elements_of(const std::string& array) { return array + "[]="; }

Value Run::variable(const std::string& name) {
  if (auto found = variables_.find(name); found != variables_.end()) return found->second;
  if (name == "NR" || name == "NF" || name == "FNR" || name == "RSTART") return natural();
  if (name == "RLENGTH") return number();
  if (name == "OFS" || name == "FS") return constant(" ");
  if (name == "SUBSEP") return constant("\x1c");
  if (name == "ORS" || name == "RS") return constant("\n");
  if (name == "FILENAME" || name.starts_with("ENVIRON") || name.starts_with("ARGV"))
    return anything();
  return constant("");  // never assigned
}

void Run::assign(const std::string& name, const Value& value) {
  const bool is_separator = name == "OFS" || name == "FS" || name == "ORS" || name == "RS";
  if (name == "RS") records_ = any_records();
  auto [found, is_new] = variables_.try_emplace(name, value);
  if (is_new) {
    changed_ = true;
    // OFS and its like have a value from the start, but are mostly set before anything is read;
    // user's variables are empty before.
    if (!is_separator) found->second = value | constant("");
    return;
  }
  if (regular::included(value.text, found->second.text).yes()) return;
  changed_ = true;
  found->second =
      widens_ ? (value.is_number ? number() | constant("") : anything()) : found->second | value;
}

const FieldSplitter* Run::splitter() {
  const Value separator = variable("FS");
  const auto text = regular::shortest(separator.text);
  if (!text || !regular::included(separator.text, context_.literal(*text)).yes()) return nullptr;
  auto [found, is_new] = splitters_.try_emplace(*text);
  if (is_new) found->second = FieldSplitter::make(context_, *text);
  return found->second ? &*found->second : nullptr;
}

std::optional<regular::Transducer> Run::map_to_field(uint64_t number) {
  const FieldSplitter* split = splitter();
  return split ? split->map_to(number) : std::nullopt;
}

std::optional<uint64_t> Run::constant_index(ExprId id) const {
  const auto* number = std::get_if<Number>(&program_[ungrouped(id)].node);
  if (!number || number->value < 0 || number->value > 1000 ||
      number->value != std::floor(number->value))
    return std::nullopt;
  return static_cast<uint64_t>(number->value);
}

ExprId Run::ungrouped(ExprId id) const {
  while (const auto* group = std::get_if<Grouping>(&program_[id].node)) {
    if (group->items.size() != 1) break;
    id = group->items[0];
  }
  return id;
}

// Cut by another separator than newline, a record is any piece of the text.
Lang Run::any_records() {
  return star(context_.set(regular::symbols_of(lines_) | CharSet::of('\n')));
}

// --- conditions

// The records for which the condition may hold.
Lang Run::true_records(ExprId id) { return records(id, true); }

Lang Run::false_records(ExprId id) { return records(id, false); }

Lang Run::records(ExprId id, bool wanted) {
  const Expr& expr = program_[ungrouped(id)];
  const Lang all = any_string();
  if (is_exhausted()) return all;
  if (const auto* regex = std::get_if<Regex>(&expr.node)) {
    auto lang = matching(regex->source);
    if (!lang || fields_are_changed_) return all;
    return wanted ? *lang : all - *lang;
  }
  if (const auto* unary = std::get_if<Unary>(&expr.node); unary && unary->op == UnaryOp::kNot) {
    return records(unary->operand, !wanted);
  }
  const auto* binary = std::get_if<Binary>(&expr.node);
  if (!binary) return all;
  if (const auto lines = numbered(id, wanted)) return *lines;
  switch (binary->op) {
    case BinaryOp::kAnd:
      return wanted ? records(binary->left, true) & records(binary->right, true)
                    : records(binary->left, false) | records(binary->right, false);
    case BinaryOp::kOr:
      return wanted ? records(binary->left, true) | records(binary->right, true)
                    : records(binary->left, false) & records(binary->right, false);
    case BinaryOp::kMatch: return matched(*binary, wanted);
    case BinaryOp::kNotMatch: return matched(*binary, !wanted);
    case BinaryOp::kEqual: return equal(*binary, wanted);
    case BinaryOp::kNotEqual: return equal(*binary, !wanted);
    default: return all;
  }
}

// `NR > 1`: the lines at these places of the input.
std::optional<Lang> Run::numbered(ExprId id, bool wanted) {
  if (input_.first.empty() || variables_.contains("RS") || !keeps_records(program_))
    return std::nullopt;
  auto range = records_numbered(program_, id);
  if (range && !wanted) range = other_records(*range);
  if (!range) return std::nullopt;
  Lang result = range->last > input_.first.size() ? input_.rest : context_.empty();
  for (size_t i = 0; i < input_.first.size(); i++) {
    if (i + 1 >= range->first && i + 1 <= range->last) result = result | input_.first[i];
  }
  return result;
}

// `$N ~ /re/`
Lang Run::matched(const Binary& binary, bool wanted) {
  auto pattern = pattern_text(binary.right);
  const auto* field = std::get_if<Field>(&program_[ungrouped(binary.left)].node);
  if (!pattern || !field) return any_string();
  auto lang = matching(*pattern);
  auto index = constant_index(field->index);
  if (!lang || !index || fields_are_changed_) return any_string();
  return records_where(*index, wanted ? *lang : any_string() - *lang);
}

// `$N == "text"`: a number on the right compares as a number, so only text narrows.
Lang Run::equal(const Binary& binary, bool wanted) {
  const auto* text = std::get_if<String>(&program_[ungrouped(binary.right)].node);
  const auto* field = std::get_if<Field>(&program_[ungrouped(binary.left)].node);
  if (!text || !field || fields_are_changed_) return any_string();
  auto index = constant_index(field->index);
  if (!index) return any_string();
  const Lang same = context_.literal(text->value);
  return records_where(*index, wanted ? same : any_string() - same);
}

Lang Run::records_where(uint64_t index, Lang wanted) {
  if (index == 0) return wanted;
  const FieldSplitter* split = splitter();
  return split ? split->records_with(index, wanted) : any_string();
}

std::optional<std::string> Run::pattern_text(ExprId id) const {
  const Expr& expr = program_[ungrouped(id)];
  if (const auto* regex = std::get_if<Regex>(&expr.node)) return regex->source;
  if (const auto* text = std::get_if<String>(&expr.node)) return text->value;
  return std::nullopt;
}

std::optional<Lang> Run::matching(const std::string& source) {
  auto regex = regular::parse_awk(source);
  if (!regex) return std::nullopt;
  auto lang = regular::lower(context_, *regex, {.match = regular::Match::kContains});
  if (!lang) return std::nullopt;
  return *lang;
}

}  // namespace nacre::awk
