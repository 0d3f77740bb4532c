#include "regular/print.h"

#include <algorithm>
#include <fmt/core.h>
#include <map>

#include "regular/decide.h"
#include "regular/dfa.h"
#include "regular/named_types.h"
#include "regular/parse_type.h"
#include "regular/print_term.h"

namespace nacre::regular {
namespace {

// Beyond this no regex from an automaton is short, and elimination is slow.
constexpr uint32_t kMaxEliminated = 300;
// What an algorithm finds is less readable than what people write.
constexpr size_t kLongestMade = 120;

std::optional<std::string> name_of(Lang a, const PrintOptions& options) {
  for (const NamedLang& named : options.names) {
    if (equivalent(a, named.lang, options.budget).yes()) return "{" + named.name + "}";
  }
  return std::nullopt;
}

std::optional<std::string> from_automaton(Lang a, const PrintOptions& options) {
  BoundedDfa dfa = to_dfa(a, options.budget);
  if (!dfa.is_exact || dfa.dfa->size() > kMaxEliminated) return std::nullopt;
  TermStore& terms = a.context().terms();
  PrintOptions shorter = options;
  shorter.longest = std::min(options.longest, kLongestMade);
  return print_term(terms, eliminate(terms, *dfa.dfa), shorter);
}

// One word alone: an automaton would give the same text. A word that is another term is missed.
bool is_word(Lang a) {
  const auto word = shortest(a);
  return word && a.context().literal(*word) == a;
}

}  // namespace

std::optional<std::string> to_regex(Lang a, const PrintOptions& options) {
  std::optional<std::string> as_made = print_term(a.context().terms(), a.id(), options);
  // What people wrote, or what an operation said, is clearer than what an algorithm finds, unless
  // it is much longer.
  constexpr size_t kShort = 24;
  if (as_made && (as_made->size() <= kShort || is_word(a))) return as_made;
  if (auto name = name_of(a, options)) return name;
  std::optional<std::string> made = from_automaton(a, options);
  if (!as_made || (made && made->size() * 3 < as_made->size() * 2)) return made;
  return as_made;
}

std::vector<NamedLang> known_names(Context& context) {
  std::vector<NamedLang> names;
  for (const NamedType& type : named_types()) {
    if (auto lang = parse_type(context, type.type)) {
      names.push_back({std::string(type.name), *lang});
      names.back().is_shorter = is_worth_naming(context.terms(), names.back(), {});
    }
  }
  return names;
}

std::string to_dot(Lang a, const Budget& budget) {
  BoundedDfa bounded = to_dfa(a, budget);
  const Dfa& dfa = *bounded.dfa;
  std::string text = "digraph language {\n  rankdir=LR;\n  node [shape=circle];\n";
  text += "  start [shape=point];\n  start -> 0;\n";
  for (uint32_t state = 0; state < dfa.size(); ++state) {
    if (dfa.accepting[state] != 0) text += fmt::format("  {} [shape=doublecircle];\n", state);
    std::map<uint32_t, CharSet> by_target;
    for (DfaArc arc : dfa.arcs_of(state)) by_target[arc.target].add(dfa.classes[arc.symbols]);
    for (const auto& [target, set] : by_target) {
      std::string label;
      for (char c : to_regex(set, dfa.alphabet)) {
        if (c == '"' || c == '\\') label += '\\';
        label += c;
      }
      text += fmt::format("  {} -> {} [label=\"{}\"];\n", state, target, label);
    }
  }
  return text + "}\n";
}

}  // namespace nacre::regular
