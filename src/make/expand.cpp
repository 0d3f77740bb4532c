#include "make/expand.h"

#include <algorithm>
#include <fmt/format.h>

namespace nacre::make {

// One text that is too much does not take the others with it, unless all are too much.
void Expander::spend(size_t bytes) {
  bytes_ += bytes;
  total_ += bytes;
  if (bytes_ <= limits_.max_bytes && total_ <= limits_.max_total) return;
  is_over_ = is_exhausted_ = true;
}

const Variable* Expander::find(std::string_view name) const {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    const auto found = (*scope)->find(name);
    if (found != (*scope)->end()) return &found->second;
  }
  return variables_.find(name);
}

Text Expander::call_value(std::string_view name, const Variable& variable) {
  if (!variable.is_recursive) return {variable.value, variable.is_assumed};
  const bool was_expanding = expanding_.erase(std::string(name)) > 0;
  Text result = expand(variable.value);
  if (was_expanding) expanding_.insert(std::string(name));
  result.is_assumed |= variable.is_assumed;
  return result;
}

Text Expander::expand_variable(std::string_view name, const Variable& variable) {
  if (!variable.is_recursive) return {variable.value, variable.is_assumed};
  if (expanding_.contains(name)) {
    hooks_.problem("M007",
                   fmt::format("variable '{}' refers to itself: make stops with \"Recursive "
                               "variable references itself\"; use `:=` or `+=`",
                               name));
    return unknown_text();
  }
  const std::string key(name);
  expanding_.insert(key);
  const bool is_assumed = variable.is_assumed;
  const std::string value = variable.value;  // $(eval) may replace it
  Text result = expand(value);
  expanding_.erase(key);
  result.is_assumed |= is_assumed;
  return result;
}

Text Expander::value_of(std::string_view name) {
  // A name that is computed from something unknown may be any variable.
  if (!is_known(name)) return unknown_text();
  if (const Variable* variable = find(name)) return expand_variable(name, *variable);
  return hooks_.undefined(name);
}

// $(name:from=to): `%` in `from`, or the end of each word.
Text Expander::expand_substitution(std::string_view name, std::string_view from,
                                   std::string_view to) {
  Text value = value_of(name);
  const bool has_percent = find_unquoted(from, "%", false) != std::string_view::npos;
  const Pattern pattern(has_percent ? std::string(from) : "%" + std::string(from));
  const Pattern replacement(has_percent ? std::string(to) : "%" + std::string(to));
  std::vector<std::string> words;
  for (std::string_view word : words_of(value.bytes)) {
    words.push_back(is_known(word) ? substitute_word(pattern, replacement, word)
                                   : std::string(1, kHole));
  }
  value.bytes = join_words(words);
  return value;
}

Text Expander::call_function(const Function& function, std::string_view inside, char open) {
  const std::string_view rest = skip_space(inside.substr(function.name.size()));
  const auto pieces = split_arguments(rest, open, function.max_arguments);
  if (pieces.size() < function.min_arguments) {
    hooks_.problem("M008", fmt::format("`$({} ...)` needs {} arguments and has {}: make stops here",
                                       function.name, function.min_arguments, pieces.size()));
    return unknown_text();
  }
  std::vector<Text> arguments;
  for (std::string_view piece : pieces) {
    arguments.push_back(function.expands ? expand(piece) : Text{std::string(piece), false});
  }
  return function.run(*this, arguments);
}

Text Expander::expand_name(std::string_view inside, bool is_nested) {
  Text name = is_nested ? expand(inside) : Text{std::string(inside), false};
  const std::string_view text = name.bytes;
  const size_t colon = text.find(':');
  const size_t equals = colon == std::string_view::npos ? colon : text.find('=', colon + 1);
  // A name that rests on a default may be another one: no cycle is sure.
  if (name.is_assumed && expanding_.contains(text)) return unknown_text();
  Text result =
      equals == std::string_view::npos
          ? value_of(text)
          : expand_substitution(text.substr(0, colon), text.substr(colon + 1, equals - colon - 1),
                                text.substr(equals + 1));
  result.is_assumed |= name.is_assumed;
  return result;
}

// Whether the brackets are even at `end`, where reference_end() stopped.
static bool is_closed(std::string_view text, size_t dollar, size_t end) {
  const char open = text[dollar + 1];
  const char close = open == '(' ? ')' : '}';
  if (end < text.size()) return true;
  const std::string_view inside = text.substr(dollar + 1);
  return std::count(inside.begin(), inside.end(), open) <=
         std::count(inside.begin(), inside.end(), close);
}

Reference reference_at(std::string_view text, size_t dollar) {
  const char open = text[dollar + 1];
  const char close = open == '(' ? ')' : '}';
  Reference result;
  result.function = called_function(text.substr(dollar + 2));
  const size_t first = text.find(close, dollar + 2);
  const size_t counted = reference_end(text, dollar);
  const bool balances = is_closed(text, dollar, counted);
  if (result.function != nullptr) {
    if (!balances) return result;
    result.end = counted;
  } else {
    if (first == std::string_view::npos) return result;
    result.is_nested =
        text.substr(dollar + 2, first - dollar - 2).find('$') != std::string_view::npos;
    // Without a `$` in it, the name goes up to the first bracket, as in `$((a)`.
    result.end = result.is_nested && balances ? counted : first + 1;
    result.is_nested &= balances;
  }
  result.inside = text.substr(dollar + 2, result.end - dollar - 3);
  return result;
}

Text Expander::expand_bracketed(std::string_view text, const Reference& reference, char open) {
  if (reference.end != 0) {
    return reference.function != nullptr
               ? call_function(*reference.function, reference.inside, open)
               : expand_name(reference.inside, reference.is_nested);
  }
  hooks_.problem(
      "M005",
      reference.function != nullptr
          ? fmt::format("the call of `{}` is not closed: make stops here", reference.function->name)
          : fmt::format("the reference `${}` is not closed: make stops here", text.substr(0, 40)));
  return unknown_text();
}

Text Expander::expand(std::string_view text) {
  Text result;
  if (depth_ == 0) {
    bytes_ = 0;
    is_over_ = total_ > limits_.max_total;
  }
  if (depth_ >= limits_.max_depth) is_over_ = is_exhausted_ = true;
  if (is_over_) return unknown_text();
  depth_++;
  size_t at = 0;
  while (at < text.size() && !is_over_) {
    const size_t dollar = std::min(text.find('$', at), text.size());
    result.bytes += text.substr(at, dollar - at);
    if (dollar == text.size()) break;
    const char next = dollar + 1 < text.size() ? text[dollar + 1] : '$';
    const size_t before = result.bytes.size();
    at = dollar + 2;
    if (next == '$') {
      result.bytes += '$';
    } else if (is_space(next)) {
      result.bytes += next;  // make drops the `$`
    } else if (next != '(' && next != '{') {
      result.append(value_of(std::string_view(&next, 1)));
    } else {
      const Reference reference = reference_at(text, dollar);
      at = reference.end != 0 ? reference.end : text.size();
      result.append(expand_bracketed(text.substr(dollar + 1), reference, next));
    }
    spend(at - dollar + result.bytes.size() - before);
  }
  depth_--;
  if (is_over_) return unknown_text();
  return result;
}

}  // namespace nacre::make
