#include "flow/facts.h"

#include <algorithm>
#include <unordered_map>

#include "commands/describe_stream.h"
#include "regular/decide.h"
#include "regular/print.h"

namespace nacre::flow {

namespace {

std::pair<uint32_t, uint32_t> order_of(Span span) { return {span.begin, ~span.end}; }

template <typename Fact>
const Fact* find_fact(std::span<const Fact> facts, Span span) {
  const auto at = std::lower_bound(
      facts.begin(), facts.end(), order_of(span),
      [](const Fact& fact, const auto& place) { return order_of(fact.span) < place; });
  return at != facts.end() && at->span == span ? &*at : nullptr;
}

}  // namespace

// Most places of a script have one of few types.
struct Facts::Printer {
  explicit Printer(regular::Context& context) : names(regular::known_names(context)) {
    options.longest = 300;  // a row of `ls -l` is long
    options.names = names;
  }
  std::vector<regular::NamedLang> names;
  regular::PrintOptions options;
  std::unordered_map<uint32_t, std::string> texts;  // by the key of the language
};

Facts::Facts(std::shared_ptr<regular::Context> languages, Values values, Names names)
    : languages_(std::move(languages)),
      values_(std::move(values)),
      names_(std::move(names)),
      printer_(std::make_shared<Printer>(*languages_)) {}

const CommandFact* Facts::command(const shell::Command& node) const {
  return find_fact(commands(), node.span);
}

const ExpansionFact* Facts::expansion(const shell::Part& part) const {
  return find_fact(expansions(), part.span);
}

const Value& Facts::variable(std::string_view name, const Environment& environment) const {
  const auto number = names_.find(name);
  const auto at = number ? static_cast<size_t>(*number) : environment.variables->size();
  return values_[at < environment.variables->size() ? (*environment.variables)[at]
                                                    : values_.inherited()];
}

const std::string& Facts::describe(Lang lang) const {
  const auto [text, is_new] = printer_->texts.try_emplace(lang.key());
  if (is_new) text->second = regular::describe(lang, printer_->options);
  return text->second;
}

std::string Facts::describe(const commands::Stream& stream) const {
  return commands::describe(stream, [this](Lang lang) { return describe(lang); });
}

std::string Facts::polymorphic(const CommandFact& fact) const {
  if (!fact.passes || !fact.reads_input) return "";
  std::string result = "A -> " + commands::describe_count(fact.output.count) + "A";
  if (!regular::equivalent(*fact.passes, commands::any_text(*languages_)).yes())
    result += " & " + describe(*fact.passes);
  if (fact.demands) result += ", A in " + describe(*fact.demands);
  return result;
}

std::string TypeAt::input() const {
  return command_ && command_->reads_input ? facts_->describe(command_->input) : "";
}

std::string TypeAt::output() const {
  return command_ ? facts_->describe(command_->output) : facts_->describe(*held_);
}

std::string TypeAt::polymorphic() const { return command_ ? facts_->polymorphic(*command_) : ""; }

std::vector<TypeAt> types_of(const std::shared_ptr<const Facts>& facts) {
  std::vector<TypeAt> result;
  for (const CommandFact& fact : facts->commands()) {
    TypeAt& type = result.emplace_back();
    type.span = fact.span;
    type.name = fact.name;
    type.facts_ = facts;
    type.command_ = &fact;
  }
  for (const NameFact& fact : facts->names()) {
    if (fact.use == NameUse::kUnset) continue;
    TypeAt& type = result.emplace_back();
    type.span = fact.span;
    type.is_variable = true;
    type.is_read = fact.use == NameUse::kRead;
    type.name = facts->text(fact.name);
    type.facts_ = facts;
    type.held_ = fact.strings;
  }
  std::stable_sort(result.begin(), result.end(), [](const TypeAt& a, const TypeAt& b) {
    return order_of(a.span) < order_of(b.span);
  });
  return result;
}

}  // namespace nacre::flow
