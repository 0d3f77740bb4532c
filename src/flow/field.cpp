#include "flow/field.h"

#include <algorithm>

#include "commands/words.h"
#include "regular/decide.h"

namespace nacre::flow {

using commands::Argument;
using regular::CharSet;

namespace {

bool is_split(const Fragment& fragment) {
  return !fragment.is_quoted && fragment.kind == FragmentKind::kExpansion;
}

// A constant word is split as the shell does it. Only blanks separate here: other bytes of IFS
// make empty fields, and a word with them counts as unknown.
std::optional<std::vector<std::string>> split_constant(const std::vector<Fragment>& fragments,
                                                       std::string_view ifs) {
  std::vector<std::string> result;
  bool is_open = false;  // the last field may grow
  for (const Fragment& fragment : fragments) {
    if (!fragment.value.text || fragment.value.may_be_unset) return std::nullopt;
    if (fragment.kind == FragmentKind::kGlob || fragment.kind == FragmentKind::kList)
      return std::nullopt;
    if (!is_split(fragment)) {
      if (!is_open) result.emplace_back();
      result.back() += *fragment.value.text;
      is_open = true;
      continue;
    }
    for (char c : *fragment.value.text) {
      if (c == '*' || c == '?' || c == '[') return std::nullopt;
      if (ifs.find(c) != std::string_view::npos) {
        if (c != ' ' && c != '\t' && c != '\n') return std::nullopt;
        is_open = false;
        continue;
      }
      if (!is_open) result.emplace_back();
      result.back() += c;
      is_open = true;
    }
  }
  return result;
}

Argument argument_of(const shell::Word& word, const Value& value) {
  Argument result{word.span, expansion_of(value), value.may_be_unset ? std::nullopt : value.text,
                  value.prefix, value.is_opaque};
  if (value.printed) {
    result.kinds = value.printed->kinds;
    result.producer = value.printed->producer;
  }
  return result;
}

// What each of the fields may be that a string of this language is cut into.
Lang any_field(Lang whole, std::string_view ifs) {
  if (ifs == " \t\n") return commands::words_of(whole);
  const CharSet symbols = symbols_of(whole) - CharSet::of(ifs);
  Context& context = whole.context();
  const Lang superset = star(context.set(symbols));
  return Lang(context, superset.id(), regular::Bound::kSuperset);
}

bool all_may_be_empty(const std::vector<Fragment>& fragments) {
  for (const Fragment& fragment : fragments) {
    const bool can_be_no_word = is_split(fragment) || fragment.kind == FragmentKind::kList;
    if (!can_be_no_word || !may_be_empty(fragment.value)) return false;
  }
  return !fragments.empty();
}

// `[:digit:]`, `[a-z]`: a wildcard that is hardly ever one.
bool is_set(const Fragment& fragment) {
  return fragment.kind == FragmentKind::kGlob && fragment.part != nullptr &&
         fragment.part->kind == shell::PartKind::kGlob && fragment.part->text().starts_with('[');
}

// The text of a word of constants and one such set; several are a pattern for names.
std::optional<std::string> unmatched_text(const std::vector<Fragment>& fragments) {
  std::string result;
  const bool has_set = std::count_if(fragments.begin(), fragments.end(), is_set) == 1;
  for (const Fragment& fragment : fragments) {
    if (is_set(fragment)) {
      result += fragment.part->text();
    } else if (fragment.kind == FragmentKind::kLiteral && fragment.value.text) {
      result += *fragment.value.text;
    } else {
      return std::nullopt;
    }
  }
  return has_set ? std::optional(result) : std::nullopt;
}

// From the end: a concatenation grows at its front at no cost.
template <typename LangOf>
Lang concatenated_by(Context& context, const std::vector<Fragment>& fragments, LangOf lang_of) {
  Lang result = context.epsilon();
  for (auto at = fragments.rbegin(); at != fragments.rend(); ++at) result = lang_of(*at) + result;
  return result;
}

}  // namespace

bool may_split(const Fragment& fragment, std::string_view ifs) {
  if (!is_split(fragment)) return false;
  const Lang strings = fragment.value.strings;
  const CharSet separators = CharSet::of(ifs);
  if (!symbols_of(strings).intersects(separators)) return false;
  // A part that may be any string tells it at once.
  const auto is_any = [&](Lang factor) {
    const auto symbols = starred_set(factor);
    return symbols && symbols->intersects(separators);
  };
  const auto factors = factors_of(strings);
  if (std::any_of(factors.begin(), factors.end(), is_any)) return true;
  Context& context = strings.context();
  return !disjoint(strings, context.all() + context.set(separators) + context.all()).yes();
}

bool may_match_files(const Fragment& fragment) {
  return is_split(fragment) && symbols_of(fragment.value.strings).intersects(CharSet::of("*?["));
}

namespace {

// `$x/lib`: one value with constant texts around it.
void note_copy(const std::vector<Fragment>& fragments, Value& result) {
  for (const Fragment& fragment : fragments) {
    const Value& part = fragment.value;
    if (part.text && !part.may_be_unset) {
      (result.copied.empty() ? result.text_before : result.text_after) += *part.text;
    } else if (!part.copied.empty() && result.copied.empty()) {
      result.copied = part.copied;
      result.from = part.from;
      result.text_before += part.text_before;
      result.text_after = part.text_after;
    } else {
      result.copied = {};
      return;
    }
  }
}

// One value that a command printed, with constant texts around it.
void note_kinds(const std::vector<Fragment>& fragments, Value& result) {
  const auto is_printed = [](const Fragment& each) { return each.value.printed != nullptr; };
  const auto is_constant = [](const Fragment& each) {
    return each.value.text && !each.value.may_be_unset;
  };
  const auto only = std::find_if(fragments.begin(), fragments.end(), is_printed);
  if (only == fragments.end() ||
      std::count_if(fragments.begin(), fragments.end(), is_constant) + 1 !=
          static_cast<std::ptrdiff_t>(fragments.size()))
    return;
  std::string before, after;
  for (auto at = fragments.begin(); at != only; ++at) before += *at->value.text;
  for (auto at = only + 1; at != fragments.end(); ++at) after += *at->value.text;
  Context& context = result.strings.context();
  result.printed = mapped(only->value.printed, [&](Lang lines) {
    return context.literal(before) + lines + context.literal(after);
  });
}

}  // namespace

Value concatenated(Context& context, const std::vector<Fragment>& fragments, Span origin) {
  if (fragments.size() == 1) {
    Value only = fragments[0].value;
    if (only.may_be_unset) {
      only.text.reset();
      only.prefix.clear();
    }
    only.strings = expansion_of(only);
    only.may_be_unset = false;
    only.origin = origin;
    return only;
  }
  Value result = constant(context, "", origin);
  result.strings = concatenated_by(
      context, fragments, [](const Fragment& fragment) { return expansion_of(fragment.value); });
  for (const Fragment& fragment : fragments) {
    const Value& more = fragment.value;
    if (&fragment == &fragments.front()) {
      result.own_path = more.own_path;
    } else if (result.own_path && more.text && !more.may_be_unset) {
      *result.own_path += *more.text;
    } else {
      result.own_path.reset();
    }
    result.parts += more.parts;
    result.captured += more.captured;
    if (result.text) result.prefix += more.may_be_unset ? "" : more.prefix;
    if (result.text && more.text && !more.may_be_unset)
      *result.text += *more.text;
    else
      result.text.reset();
    result.source = std::max(result.source, more.source);
    result.is_opaque |= more.is_opaque;
    add_taint(result, more);
    result.is_list |= more.is_list;
  }
  note_copy(fragments, result);
  note_kinds(fragments, result);
  if (result.is_opaque || result.source != Source::kScript) {
    result.skeleton = concatenated_by(
        context, fragments, [](const Fragment& fragment) { return skeleton_of(fragment.value); });
  }
  simplify(result);
  return result;
}

Argument argument_for_card(const Field& field, std::string_view ifs) {
  Argument result = field.argument;
  result.may_vanish = field.may_vanish;
  Context& context = result.value.context();
  if (auto text = unmatched_text(field.fragments)) {
    result.value = context.literal(*text);
    result.prefix = *text;
    result.text = std::move(text);
    return result;
  }
  result.may_be_many = std::any_of(field.fragments.begin(), field.fragments.end(),
                                   [](const Fragment& f) { return f.kind == FragmentKind::kGlob; });
  const bool has_list =
      std::any_of(field.fragments.begin(), field.fragments.end(),
                  [](const Fragment& each) { return each.kind == FragmentKind::kList; });
  if (has_list && !result.text && !result.is_opaque) {  // with blanks between, as echo prints them
    result.value = star(context.set(symbols_of(result.value) | CharSet::of(' ')));
    return result;
  }
  const bool is_split = std::any_of(field.fragments.begin(), field.fragments.end(),
                                    [&](const Fragment& each) { return may_split(each, ifs); });
  if (!is_split || result.text) return result;
  if (field.fragments.size() > 1) {
    result.value = star(context.set(symbols_of(result.value) | CharSet::of(' ')));
    return result;
  }
  if (ifs == " \t\n" && !result.is_opaque) {
    const Value& value = field.fragments[0].value;
    result.whole = value.strings;
    if (value.printed) result.kinds = value.printed->kinds;
  }
  const CharSet in_word = symbols_of(field.fragments[0].value.strings) - CharSet::of(ifs);
  // Separators that are no blanks have words between them that may be empty.
  const bool has_others = ifs.find_first_not_of(" \t\n") != std::string_view::npos;
  const Lang word = has_others ? star(context.set(in_word)) : plus(context.set(in_word));
  result.value = optional(word + star(context.literal(" ") + word));
  return result;
}

bool runs_operands(const commands::Card& card) {
  return std::any_of(card.operands.begin(), card.operands.end(),
                     [](const auto& spec) { return spec.kind == commands::OperandKind::kCommand; });
}

size_t called_at(std::span<const Field> words, const commands::Invocation& invocation) {
  if (invocation.property(commands::CardKey::kAsks) != nullptr) return 0;
  const auto& specs = invocation.card->operands;
  const auto& operands = invocation.operands;
  size_t at = 0;
  while (at < specs.size() && specs[at].kind != commands::OperandKind::kCommand) at++;
  if (at == specs.size()) return 0;
  while (at < operands.size() && operands[at].prefix.find('=') != std::string::npos) at++;
  if (at >= operands.size()) return 0;
  const auto first = std::find_if(words.begin(), words.end(), [&](const Field& word) {
    return word.argument.span == operands[at].span && word.argument.text == operands[at].text;
  });
  return first == words.end() ? 0 : static_cast<size_t>(first - words.begin());
}

std::string_view injection(std::span<const Field> fields, const Fragment& place) {
  char quote = 0;
  const auto read = [&](std::string_view text) {
    for (size_t i = 0; i < text.size(); i++) {
      if (text[i] == '\\' && quote != '\'')
        i++;
      else if (text[i] == quote)
        quote = 0;
      else if (quote == 0 && (text[i] == '\'' || text[i] == '"'))
        quote = text[i];
    }
  };
  for (const Field& field : fields) {
    if (field.fragments.empty()) read(field.argument.prefix);
    for (const Fragment& fragment : field.fragments) {
      if (&fragment == &place) return quote == '\'' ? "'$(reboot)'" : "$(reboot)";
      if (fragment.kind == FragmentKind::kLiteral) read(fragment.value.prefix);
    }
  }
  return "$(reboot)";
}

std::vector<Field> fields_of(const shell::Word& word, std::vector<Fragment> fragments,
                             std::string_view ifs) {
  std::vector<Field> result;
  Context& context = fragments.front().value.strings.context();
  if (auto words = split_constant(fragments, ifs)) {
    for (const std::string& text : *words) {
      result.push_back(
          {argument_of(word, constant(context, text)), &word, fragments, false, false});
    }
    return result;
  }
  bool splits = false, repeats = false;
  for (const Fragment& fragment : fragments) {
    splits |= may_split(fragment, ifs);
    repeats |= fragment.kind == FragmentKind::kList || fragment.kind == FragmentKind::kGlob ||
               may_match_files(fragment);
  }
  const Value whole = concatenated(context, fragments, word.span);
  Field field{argument_of(word, whole), &word, {}, false, splits || repeats};
  if (splits) field.argument.text.reset();
  if (splits && !whole.is_opaque) field.argument.value = any_field(whole.strings, ifs);
  if (splits && ifs == " \t\n") {
    for (commands::LineKind& kind : field.argument.kinds)
      kind.lines = commands::words_of(kind.lines);
  }
  field.may_vanish = all_may_be_empty(fragments);
  field.fragments = std::move(fragments);
  result.push_back(std::move(field));
  return result;
}

bool holds_text(const Field& field, std::string_view ifs) {
  const bool has_blanks = ifs.find_first_not_of(" \t\n") == ifs.npos;
  const auto is_word = [&](const Fragment& fragment) {
    const bool is_given = fragment.kind == FragmentKind::kList && fragment.value.is_opaque &&
                          fragment.part && fragment.part->kind == shell::PartKind::kParameter &&
                          fragment.part->parameter().kind == shell::ParameterKind::kSpecial;
    return is_given || (is_split(fragment) && has_blanks);
  };
  const auto is_name = [](const Fragment& each) { return each.kind == FragmentKind::kGlob; };
  const auto& fragments = field.fragments;
  return std::any_of(fragments.begin(), fragments.end(), is_name) ||
         (!fragments.empty() && std::all_of(fragments.begin(), fragments.end(), is_word));
}

Lang possible_path(const Field& field) {
  if (field.fragments.empty() || field.argument.text) return field.argument.value;
  Context& context = field.argument.value.context();
  Lang result = context.literal("");
  for (const Fragment& fragment : field.fragments) {
    result = result + (fragment.kind == FragmentKind::kGlob ? context.literal(kAnyFile)
                                                            : skeleton_of(fragment.value));
  }
  return result;
}

std::string field_separators(const Value& ifs) {
  return ifs.text && !ifs.may_be_unset ? *ifs.text : " \t\n";
}

// Several of them with a separator between, as "$*" gives them.
Value all_in_one(Value each, std::optional<std::string_view> separator) {
  Context& context = each.strings.context();
  each.strings = separator
                     ? optional(each.strings + star(context.literal(*separator) + each.strings))
                     : any_value(context);
  each.text.reset();
  each.prefix.clear();
  each.may_be_unset = false;
  each.is_array = false;
  each.skeleton.reset();
  each.copied = {};
  return each;
}

void join_lists(std::vector<Fragment>& fragments) {
  for (Fragment& each : fragments) {
    const bool is_list = each.part && each.part->kind == shell::PartKind::kParameter;
    if (is_list && each.kind == FragmentKind::kList)
      each.value = all_in_one(std::move(each.value), " ");
  }
}

}  // namespace nacre::flow
