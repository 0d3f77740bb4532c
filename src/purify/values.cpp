#include "purify/values.h"

#include <algorithm>

#include "regular/decide.h"
#include "regular/parse_type.h"

namespace nacre::purify {

using shell::Part;
using shell::PartKind;

const flow::ExpansionFact* expansion_of(const Script& script, const Part& part) {
  return script.facts().expansion(part);
}

namespace {

bool is_within(const flow::ExpansionFact* fact, regular::Lang type) {
  return fact != nullptr && regular::covers(fact->strings.bound()) &&
         regular::included(fact->strings, type).yes();
}

regular::Lang without(regular::Context& languages, std::string_view symbols) {
  regular::CharSet set = regular::CharSet::all(languages.alphabet());
  for (char c : symbols) set = set - regular::CharSet::of(static_cast<unsigned char>(c));
  return languages.set(set);
}

}  // namespace

bool is_one_field(const Script& script, const Part& part) {
  if (script.mentions("IFS")) return false;
  const flow::ExpansionFact* fact = expansion_of(script, part);
  return is_within(fact, regular::plus(without(script.facts().languages(), " \t\n*?[\\")));
}

bool is_of_type(const Script& script, const Part& part, std::string_view type) {
  auto parsed = regular::parse_type(script.facts().languages(), type);
  return parsed && is_within(expansion_of(script, part), *parsed);
}

bool has_no_newline(const Script& script, const Part& part) {
  return is_within(expansion_of(script, part),
                   regular::star(without(script.facts().languages(), "\n")));
}

std::optional<std::string> constant_of(const Script& script, const Part& part) {
  const flow::ExpansionFact* fact = expansion_of(script, part);
  if (fact == nullptr) return std::nullopt;
  const flow::Value& value = script.facts().value(fact->value);
  if (value.may_be_unset || value.may_be_foreign) return std::nullopt;
  return value.text;
}

std::optional<std::string> constant_of(const Script& script, const shell::Word& word) {
  if (word.is_literal()) return std::string(word.literal());
  std::string result;
  const auto add = [&](const Part& part, const auto& self) -> bool {
    if (part.is_text()) {
      result += part.text();
      return part.kind != PartKind::kGlob && part.kind != PartKind::kTilde;
    }
    if (part.kind == PartKind::kDoubleQuoted) {
      return std::all_of(part.parts().begin(), part.parts().end(),
                         [&](const Part& each) { return self(each, self); });
    }
    const auto text = constant_of(script, part);
    if (text) result += *text;
    return text.has_value();
  };
  for (const Part& part : word.parts()) {
    if (!add(part, add)) return std::nullopt;
  }
  return result;
}

const flow::Value* variable_before(const Script& script, const Place& place,
                                   std::string_view name) {
  const flow::CommandFact* fact = script.fact(place);
  return fact == nullptr ? nullptr : &script.facts().variable(name, fact->before);
}

}  // namespace nacre::purify
