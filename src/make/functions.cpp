// The functions of GNU make on texts with holes. A function that looks at each word alone keeps
// what it knows; one that looks at the list as a whole gives a hole where any word is unknown.
#include <algorithm>
#include <cctype>
#include <fmt/format.h>

#include "make/expand.h"

namespace nacre::make {

namespace {

using Arguments = std::span<const Text>;

bool any_hole(Arguments arguments) {
  return std::any_of(arguments.begin(), arguments.end(),
                     [](const Text& each) { return !is_known(each.bytes); });
}

bool any_assumed(Arguments arguments) {
  return std::any_of(arguments.begin(), arguments.end(),
                     [](const Text& each) { return each.is_assumed; });
}

Text made(std::string bytes, Arguments from) { return {std::move(bytes), any_assumed(from)}; }
Text hole(Arguments from) { return {std::string(1, kHole), any_assumed(from)}; }

// Each known word of the list mapped; unknown ones stay unknown.
template <typename Map>
Text map_words(const Text& list, Arguments from, Map map) {
  std::vector<std::string> words;
  for (std::string_view word : words_of(list.bytes)) {
    words.push_back(is_known(word) ? map(word) : std::string(1, kHole));
  }
  return made(join_words(words), from);
}

Text run_subst(Expander&, Arguments a) {
  if (any_hole(a)) return hole(a);
  const std::string &from = a[0].bytes, &to = a[1].bytes;
  if (from.empty()) return made(a[2].bytes + to, a);
  std::string out;
  const std::string_view text = a[2].bytes;
  size_t at = 0;
  for (size_t found = text.find(from); found != std::string_view::npos;
       found = text.find(from, at)) {
    out += text.substr(at, found - at);
    out += to;
    at = found + from.size();
  }
  return made(out += text.substr(at), a);
}

Text run_patsubst(Expander&, Arguments a) {
  if (any_hole(a.first(2))) return hole(a);
  const Pattern pattern(a[0].bytes), replacement(a[1].bytes);
  return map_words(
      a[2], a, [&](std::string_view word) { return substitute_word(pattern, replacement, word); });
}

Text run_strip(Expander&, Arguments a) {
  return map_words(a[0], a, [](std::string_view word) { return std::string(word); });
}

Text run_findstring(Expander&, Arguments a) {
  if (any_hole(a)) return hole(a);
  return made(a[1].bytes.find(a[0].bytes) != std::string::npos ? a[0].bytes : "", a);
}

Text filter(Arguments a, bool keeps) {
  if (!is_known(a[0].bytes)) return words_of(a[1].bytes).empty() ? made("", a) : hole(a);
  std::vector<Pattern> patterns;
  for (std::string_view word : words_of(a[0].bytes)) patterns.emplace_back(word);
  std::vector<std::string> words;
  for (std::string_view word : words_of(a[1].bytes)) {
    if (!is_known(word)) {
      words.emplace_back(1, kHole);
      continue;
    }
    const bool matches = std::any_of(patterns.begin(), patterns.end(), [&](const Pattern& each) {
      return each.stem_of(word).has_value();
    });
    if (matches == keeps) words.emplace_back(word);
  }
  return made(join_words(words), a);
}
Text run_filter(Expander&, Arguments a) { return filter(a, true); }
Text run_filter_out(Expander&, Arguments a) { return filter(a, false); }

Text run_sort(Expander&, Arguments a) {
  if (any_hole(a)) return hole(a);
  auto views = words_of(a[0].bytes);
  std::sort(views.begin(), views.end());
  views.erase(std::unique(views.begin(), views.end()), views.end());
  return made(join_words({views.begin(), views.end()}), a);
}

std::optional<size_t> number_of(std::string_view text) {
  text = strip(text);
  size_t value = 0;
  if (text.empty() || text.size() > 9) return std::nullopt;
  for (char c : text) {
    if (std::isdigit(static_cast<unsigned char>(c)) == 0) return std::nullopt;
    value = value * 10 + static_cast<size_t>(c - '0');
  }
  return value;
}

std::optional<size_t> numeric(Expander& expander, std::string_view function, const Text& text,
                              size_t least) {
  const auto number = number_of(text.bytes);
  if (number && *number >= least) return number;
  expander.hooks().problem(
      "M008", fmt::format("`$({} ...)` needs a number from {} on, not '{}': make stops here",
                          function, least, text.bytes));
  return std::nullopt;
}

Text run_word(Expander& expander, Arguments a) {
  if (!is_known(a[0].bytes)) return hole(a);
  const auto index = numeric(expander, "word", a[0], 1);
  if (!index || !is_known(a[1].bytes)) return hole(a);
  const auto words = words_of(a[1].bytes);
  return made(*index <= words.size() ? std::string(words[*index - 1]) : "", a);
}

Text run_wordlist(Expander& expander, Arguments a) {
  if (any_hole(a.first(2))) return hole(a);
  const auto first = numeric(expander, "wordlist", a[0], 1);
  const auto last = numeric(expander, "wordlist", a[1], 0);
  if (!first || !last || any_hole(a)) return hole(a);
  std::vector<std::string> words;
  const auto all = words_of(a[2].bytes);
  for (size_t i = *first; i <= *last && i <= all.size(); i++) words.emplace_back(all[i - 1]);
  return made(join_words(words), a);
}

Text run_words(Expander&, Arguments a) {
  if (any_hole(a)) return hole(a);
  return made(std::to_string(words_of(a[0].bytes).size()), a);
}

Text run_firstword(Expander&, Arguments a) {
  const auto words = words_of(a[0].bytes);
  if (words.empty()) return made("", a);
  return is_known(words.front()) ? made(std::string(words.front()), a) : hole(a);
}

Text run_lastword(Expander&, Arguments a) {
  const auto words = words_of(a[0].bytes);
  if (words.empty()) return made("", a);
  return is_known(words.back()) ? made(std::string(words.back()), a) : hole(a);
}

Text run_dir(Expander&, Arguments a) { return map_words(a[0], a, directory_part); }
Text run_notdir(Expander&, Arguments a) {
  Text result = map_words(a[0], a, [](std::string_view w) { return std::string(file_part(w)); });
  result.bytes = std::string(strip(result.bytes));
  return result;
}

size_t suffix_at(std::string_view word) {
  const size_t dot = word.rfind('.');
  const size_t slash = word.rfind('/');
  const bool has =
      dot != std::string_view::npos && (slash == std::string_view::npos || dot > slash);
  return has ? dot : word.size();
}
Text run_basename(Expander&, Arguments a) {
  return map_words(a[0], a,
                   [](std::string_view w) { return std::string(w.substr(0, suffix_at(w))); });
}
Text run_suffix(Expander&, Arguments a) {
  std::vector<std::string> words;
  for (std::string_view word : words_of(a[0].bytes)) {
    std::string suffix(is_known(word) ? word.substr(suffix_at(word)) : std::string_view(&kHole, 1));
    if (!suffix.empty()) words.push_back(std::move(suffix));
  }
  return made(join_words(words), a);
}

Text run_addsuffix(Expander&, Arguments a) {
  return map_words(a[1], a, [&](std::string_view w) { return std::string(w) + a[0].bytes; });
}
Text run_addprefix(Expander&, Arguments a) {
  return map_words(a[1], a, [&](std::string_view w) { return a[0].bytes + std::string(w); });
}

Text run_join(Expander&, Arguments a) {
  if (any_hole(a)) return hole(a);
  const auto left = words_of(a[0].bytes), right = words_of(a[1].bytes);
  std::vector<std::string> words;
  for (size_t i = 0; i < std::max(left.size(), right.size()); i++) {
    std::string word(i < left.size() ? left[i] : "");
    if (i < right.size()) word += right[i];
    words.push_back(std::move(word));
  }
  return made(join_words(words), a);
}

// What only the running system knows.
Text run_outside(Expander&, Arguments a) { return hole(a); }

// Without the newlines at its end, the others are blanks.
Text run_shell(Expander& expander, Arguments a) {
  const auto& shell = expander.hooks().shell;
  auto printed = shell && !any_hole(a) ? shell(a[0].bytes) : std::nullopt;
  if (!printed) return hole(a);
  while (printed->ends_with('\n')) printed->pop_back();
  std::replace(printed->begin(), printed->end(), '\n', ' ');
  return made(*std::move(printed), a);
}

Text run_wildcard(Expander& expander, Arguments a) {
  const auto& wildcard = expander.hooks().wildcard;
  if (!wildcard || any_hole(a)) return hole(a);
  std::vector<std::string> names;
  for (std::string_view pattern : words_of(a[0].bytes)) {
    const auto found = wildcard(pattern);
    if (!found) return hole(a);
    names.insert(names.end(), found->begin(), found->end());
  }
  return made(join_words(names), a);
}

// An absolute path without its dots; a relative one depends on where make runs.
Text run_abspath(Expander&, Arguments a) {
  return map_words(a[0], a, [](std::string_view word) -> std::string {
    if (!word.starts_with('/')) return std::string(1, kHole);
    std::vector<std::string_view> kept;
    while (!word.empty()) {
      const size_t end = std::min(word.find('/'), word.size());
      const std::string_view name = word.substr(0, end);
      if (name == ".." && !kept.empty()) kept.pop_back();
      if (!name.empty() && name != "." && name != "..") kept.push_back(name);
      word.remove_prefix(std::min(end + 1, word.size()));
    }
    std::string out;
    for (std::string_view name : kept) out.append("/").append(name);
    return out.empty() ? "/" : out;
  });
}

// Whether a condition holds: nothing if that is not known.
std::optional<bool> truth_of(const Text& text) {
  const bool has_text = std::any_of(text.bytes.begin(), text.bytes.end(),
                                    [](char c) { return c != kHole && !is_space(c); });
  if (text.is_assumed) return std::nullopt;
  if (has_text) return true;
  return is_known(text.bytes) ? std::optional(!text.bytes.empty()) : std::nullopt;
}

// One of two texts.
Text either(Text a, const Text& b) {
  if (a.bytes == b.bytes) {
    a.is_assumed |= b.is_assumed;
    return a;
  }
  return unknown_text();
}

Text run_if(Expander& expander, Arguments a) {
  const Text condition = expander.expand(strip(a[0].bytes));
  const auto truth = truth_of(condition);
  if (truth && *truth) return expander.expand(a[1].bytes);
  if (truth) return a.size() > 2 ? expander.expand(a[2].bytes) : Text{};
  const Text other = a.size() > 2 ? expander.expand(a[2].bytes) : Text{};
  Text chosen = expander.expand(a[1].bytes);
  // A default decides: what follows is the usual case, and an assumption.
  if (condition.is_assumed && is_known(condition.bytes)) {
    chosen = strip(condition.bytes).empty() ? other : chosen;
    chosen.is_assumed = true;
    return chosen;
  }
  return either(std::move(chosen), other);
}

Text run_or(Expander& expander, Arguments a) {
  for (const Text& each : a) {
    Text value = expander.expand(strip(each.bytes));
    const auto truth = truth_of(value);
    if (!truth) return unknown_text();
    if (*truth) return value;
  }
  return {};
}

Text run_and(Expander& expander, Arguments a) {
  Text value;
  for (const Text& each : a) {
    value = expander.expand(strip(each.bytes));
    const auto truth = truth_of(value);
    if (!truth) return unknown_text();
    if (!*truth) return {};
  }
  return value;
}

Text run_foreach(Expander& expander, Arguments a) {
  const Text name = expander.expand(a[0].bytes);
  const Text list = expander.expand(a[1].bytes);
  const Text frame[] = {name, list};
  if (!is_known(name.bytes)) return hole(frame);
  VariableMap scope;
  Variable& variable = scope[std::string(strip(name.bytes))];
  variable.is_recursive = false;
  variable.origin = Origin::kAutomatic;
  Expander::Scope hidden(expander, scope);
  Text result = made("", frame);
  for (std::string_view word : words_of(list.bytes)) {
    if (!result.bytes.empty()) result.bytes += ' ';
    variable.value = word;
    result.append(expander.expand(a[2].bytes));
    if (expander.is_over()) return unknown_text();
  }
  return result;
}

Text run_call(Expander& expander, Arguments a) {
  const std::string name(strip(a[0].bytes));
  if (name.empty()) return made("", a);
  if (!is_known(name)) return hole(a);
  if (const Function* function = find_function(name)) {
    const Arguments rest = a.subspan(1);
    if (rest.size() < function->min_arguments) return hole(a);
    return function->run(expander, rest);
  }
  const Variable* variable = expander.find(name);
  if (variable == nullptr) return expander.hooks().undefined(name);
  VariableMap scope;
  for (size_t i = 0; i < a.size(); i++) {
    scope[std::to_string(i)] = {.value = i == 0 ? name : a[i].bytes,
                                .is_recursive = false,
                                .is_assumed = a[i].is_assumed,
                                .origin = Origin::kAutomatic};
  }
  // Arguments of an outer call do not show through.
  for (size_t i = a.size(); i < 10; i++) {
    scope[std::to_string(i)] = {.value = "", .is_recursive = false, .origin = Origin::kAutomatic};
  }
  Expander::Scope hidden(expander, scope);
  return expander.call_value(name, Variable(*variable));
}

Text run_value(Expander& expander, Arguments a) {
  if (any_hole(a)) return hole(a);
  const Variable* variable = expander.find(strip(a[0].bytes));
  if (variable == nullptr) return expander.hooks().undefined(strip(a[0].bytes));
  return {variable->value, variable->is_assumed};
}

Text run_origin(Expander& expander, Arguments a) {
  constexpr std::string_view kNames[] = {"undefined",    "default",  "environment", "file",
                                         "command line", "override", "automatic"};
  if (any_hole(a)) return hole(a);
  const Variable* variable = expander.find(strip(a[0].bytes));
  if (variable == nullptr) {
    return {"undefined", expander.hooks().undefined(strip(a[0].bytes)).is_assumed};
  }
  return {std::string(kNames[static_cast<size_t>(variable->origin)]), variable->is_assumed};
}

Text run_flavor(Expander& expander, Arguments a) {
  if (any_hole(a)) return hole(a);
  const Variable* variable = expander.find(strip(a[0].bytes));
  if (variable == nullptr) {
    return {"undefined", expander.hooks().undefined(strip(a[0].bytes)).is_assumed};
  }
  return {variable->is_recursive ? "recursive" : "simple", variable->is_assumed};
}

Text run_eval(Expander& expander, Arguments a) {
  expander.hooks().eval(a[0]);
  return {};
}
Text run_error(Expander& expander, Arguments a) {
  expander.hooks().stop(a[0].bytes);
  return {};
}
Text run_nothing(Expander&, Arguments) { return {}; }
Text run_file(Expander&, Arguments a) {
  return skip_space(a[0].bytes).starts_with('<') ? hole(a) : Text{};
}

constexpr Function kFunctions[] = {
    {"abspath", 0, 1, true, run_abspath},
    {"addprefix", 2, 2, true, run_addprefix},
    {"addsuffix", 2, 2, true, run_addsuffix},
    {"and", 1, 0, false, run_and},
    {"basename", 0, 1, true, run_basename},
    {"call", 1, 0, true, run_call},
    {"dir", 0, 1, true, run_dir},
    {"error", 0, 1, true, run_error},
    {"eval", 0, 1, true, run_eval},
    {"file", 1, 2, true, run_file},
    {"filter", 2, 2, true, run_filter},
    {"filter-out", 2, 2, true, run_filter_out},
    {"findstring", 2, 2, true, run_findstring},
    {"firstword", 0, 1, true, run_firstword},
    {"flavor", 0, 1, true, run_flavor},
    {"foreach", 3, 3, false, run_foreach},
    {"guile", 0, 1, true, run_outside},
    {"if", 2, 3, false, run_if},
    {"info", 0, 1, true, run_nothing},
    {"join", 2, 2, true, run_join},
    {"lastword", 0, 1, true, run_lastword},
    {"notdir", 0, 1, true, run_notdir},
    {"or", 1, 0, false, run_or},
    {"origin", 0, 1, true, run_origin},
    {"patsubst", 3, 3, true, run_patsubst},
    {"realpath", 0, 1, true, run_outside},
    {"shell", 0, 1, true, run_shell},
    {"sort", 0, 1, true, run_sort},
    {"strip", 0, 1, true, run_strip},
    {"subst", 3, 3, true, run_subst},
    {"suffix", 0, 1, true, run_suffix},
    {"value", 0, 1, true, run_value},
    {"warning", 0, 1, true, run_nothing},
    {"wildcard", 0, 1, true, run_wildcard},
    {"word", 2, 2, true, run_word},
    {"wordlist", 3, 3, true, run_wordlist},
    {"words", 0, 1, true, run_words},
};

}  // namespace

const Function* find_function(std::string_view name) {
  const auto* found = std::lower_bound(
      std::begin(kFunctions), std::end(kFunctions), name,
      [](const Function& function, std::string_view key) { return function.name < key; });
  return found != std::end(kFunctions) && found->name == name ? found : nullptr;
}

const Function* called_function(std::string_view inside) {
  size_t end = 0;
  while (end < inside.size() &&
         (std::islower(static_cast<unsigned char>(inside[end])) != 0 || inside[end] == '-')) {
    end++;
  }
  if (end == inside.size() || !is_space(inside[end])) return nullptr;
  return find_function(inside.substr(0, end));
}

std::vector<std::string_view> split_arguments(std::string_view text, char open,
                                              size_t max_arguments) {
  const char close = open == '(' ? ')' : '}';
  std::vector<std::string_view> pieces;
  size_t begin = 0;
  int depth = 0;
  for (size_t at = 0; at < text.size(); at++) {
    if (text[at] == open) depth++;
    if (text[at] == close) depth--;
    if (text[at] != ',' || depth > 0) continue;
    if (max_arguments != 0 && pieces.size() + 1 == max_arguments) break;
    pieces.push_back(text.substr(begin, at - begin));
    begin = at + 1;
  }
  pieces.push_back(text.substr(begin));
  return pieces;
}

}  // namespace nacre::make
