// More methods of strings: those that pad, change case, and split lines.
#include <algorithm>

#include "python/interpreter.h"

namespace nacre::python {

void Interpreter::any_string(State state, Span span, const char* what, Evaluations& out) {
  unknown(span, what);
  Text any = any_text(state);
  out.push_back({std::move(state), {std::move(any)}});
}

void Interpreter::justify(State state, const MethodCall& call, char align, Evaluations& out) {
  constexpr int64_t kMaxWidth = 64;
  const int64_t width =
      call.arguments.empty() ? -1 : as_constant(state, call.arguments[0]).value_or(kMaxWidth + 1);
  Letter fill = program_.letters().letter(' ');
  bool is_known = !call.arguments.empty() && width <= kMaxWidth;
  if (call.arguments.size() > 1) {
    const auto* text = call.arguments[1].as<Text>();
    std::optional<Word> word = text != nullptr ? domain_.constant(state, *text) : std::nullopt;
    is_known = is_known && word && word->size() == 1;
    if (is_known) fill = (*word)[0];
  }
  if (!is_known) return any_string(std::move(state), call.span, "this padding", out);
  pad(std::move(state), call.subject, {width, fill, align, ""}, out);
}

// center() puts the odd blank at the left or at the right, by the parity of the width.
void Interpreter::method_center(State state, const MethodCall& call, Evaluations& out) {
  if (domain_.is_concrete()) return any_string(std::move(state), call.span, "center()", out);
  Words language = domain_.language(state, call.subject);
  Word fill = program_.letters().word(" ");
  if (call.arguments.size() > 1) {
    const auto* text = call.arguments[1].as<Text>();
    std::optional<Word> word = text != nullptr ? domain_.constant(state, *text) : std::nullopt;
    if (!word) return any_string(std::move(state), call.span, "this padding", out);
    fill = *word;
  }
  WordStore& words = domain_.words();
  Words blanks = words.star(words.word(fill));
  SymbolId word = state.add_word(words.concat(blanks, words.concat(language, blanks)));
  out.push_back({std::move(state), {Text{word}}});
}

// The first letter in upper case, the others in lower case.
void Interpreter::method_capitalize(State state, const MethodCall& call, Evaluations& out) {
  Linear room = domain_.length(state, call.subject) - 1;
  Split filled = domain_.compare(std::move(state), room);
  for (State& empty : filled.no) out.push_back({std::move(empty), {Text{}}});
  for (State& one : filled.yes) {
    for (Divided& divided : domain_.cut(std::move(one), call.subject, Linear(1))) {
      const Text tail = divided.after;
      Evaluations heads;
      divided.state.stack.push_back({tail});
      change_case(std::move(divided.state), {call.span, divided.before, {}}, heads, true);
      for (Evaluated& head : heads) {
        const Text rest = *head.state.stack.back().as<Text>();
        head.state.stack.back() = head.value;
        Evaluations tails;
        change_case(std::move(head.state), {call.span, rest, {}}, tails, false);
        for (Evaluated& lowered : tails) {
          Text whole = *lowered.state.stack.back().as<Text>();
          lowered.state.stack.pop_back();
          const Text& more = *lowered.value.as<Text>();
          whole.insert(whole.end(), more.begin(), more.end());
          out.push_back({std::move(lowered.state), {std::move(whole)}});
        }
      }
    }
  }
}

// title() and swapcase(): each letter in one case or the other.
void Interpreter::method_title(State state, const MethodCall& call, Evaluations& out) {
  if (domain_.is_concrete()) return any_string(std::move(state), call.span, "title()", out);
  WordStore& words = domain_.words();
  const Letters& letters = program_.letters();
  const Words language = domain_.language(state, call.subject);
  const Automaton& source = words[language];
  std::vector<WordStore::WordArc> arcs;
  for (uint32_t q = 0; q < source.size(); ++q) {
    for (uint32_t c = 0; c < words.letters(); ++c) {
      const uint32_t target = source.next[size_t{q} * words.letters() + c];
      if (target == kNoState) continue;
      const uint32_t first = letters[static_cast<Letter>(c)].min();
      if (first >= 128) {
        Text any = any_text(state);
        return out.push_back({std::move(state), {std::move(any)}});
      }
      arcs.push_back({q, {static_cast<Letter>(c)}, target});
      const bool is_letter = (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z');
      if (is_letter) arcs.push_back({q, {letters.letter(first ^ 0x20)}, target});
    }
  }
  SymbolId word = state.add_word(words.from_arcs(arcs, source.accepting));
  out.push_back({std::move(state), {Text{word}}});
}

// Exact for ASCII: a letter of the case, and none of the other.
void Interpreter::has_case(State state, const MethodCall& call, bool is_upper, Evaluations& out) {
  WordStore& words = domain_.words();
  const Letters& letters = program_.letters();
  const auto upper = regular::CharSet::range('A', 'Z'), lower = regular::CharSet::range('a', 'z');
  const LetterSet wanted = letters.inside(is_upper ? upper : lower);
  const LetterSet other = letters.inside(is_upper ? lower : upper);
  const LetterSet ascii = letters.inside(regular::CharSet::range(0, 127));
  Split plain = domain_.member(std::move(state), call.subject, words.star(words.one_of(ascii)));
  const Words with_wanted =
      words.concat(words.concat(words.all(), words.one_of(wanted)), words.all());
  const Words with_other =
      words.concat(words.concat(words.all(), words.one_of(other)), words.all());
  for (State& one : plain.yes) {
    Split split =
        domain_.member(std::move(one), call.subject, words.minus(with_wanted, with_other));
    for (State& yes : split.yes) out.push_back({std::move(yes), {true}});
    for (State& no : split.no) out.push_back({std::move(no), {false}});
  }
  for (State& any : plain.no) {
    if (domain_.is_concrete()) unknown(call.span, "the case of these letters");
    out.push_back({any, {true}});
    out.push_back({std::move(any), {false}});
  }
}

void Interpreter::method_isascii(State state, const MethodCall& call, Evaluations& out) {
  WordStore& words = domain_.words();
  const LetterSet ascii = program_.letters().inside(regular::CharSet::range(0, 127));
  Split split = domain_.member(std::move(state), call.subject, words.star(words.one_of(ascii)));
  for (State& yes : split.yes) out.push_back({std::move(yes), {true}});
  for (State& no : split.no) out.push_back({std::move(no), {false}});
}

// Pieces without line ends; an empty one at the end does not count.
void Interpreter::method_splitlines(State state, const MethodCall& call, Evaluations& out) {
  WordStore& words = domain_.words();
  const LetterSet ends = program_.letters().inside(Program::line_ends());
  const Words with_end = words.concat(words.concat(words.all(), words.one_of(ends)), words.all());
  Split split = domain_.member(std::move(state), call.subject, with_end);
  auto give = [&](State here, Value list) {
    list = new_list(here, std::move(list));
    out.push_back({std::move(here), std::move(list)});
  };
  for (State& single : split.no) {
    Linear room = domain_.length(single, call.subject) - 1;
    Split filled = domain_.compare(std::move(single), room);
    for (State& one : filled.yes) give(std::move(one), {Sequence{{Value{call.subject}}, true}});
    for (State& none : filled.no) give(std::move(none), {Sequence{{}, true}});
  }
  for (State& many : split.yes) {
    std::optional<Word> word = domain_.constant(many, call.subject);
    if (domain_.is_concrete() && word && call.arguments.empty()) {
      Sequence list{{}, true};
      Word line;
      for (size_t i = 0; i < word->size(); ++i) {
        if (!ends[(*word)[i]]) {
          line.push_back((*word)[i]);
          continue;
        }
        list.items.push_back({domain_.constant_text(many, line)});
        line.clear();
        const bool is_return = program_.letters()[(*word)[i]].contains('\r');
        if (is_return && i + 1 < word->size() && program_.letters()[(*word)[i + 1]].contains('\n'))
          ++i;
      }
      if (!line.empty()) list.items.push_back({domain_.constant_text(many, line)});
      give(std::move(many), {std::move(list)});
      continue;
    }
    if (domain_.is_concrete()) unknown(call.span, "this splitlines()");
    LetterSet letters = words.letters_in(domain_.language(many, call.subject));
    for (size_t i = 0; call.arguments.empty() && i < letters.size(); ++i)
      letters[i] = letters[i] && !ends[i];
    give(std::move(many),
         typed(type_of_parts(Type::Kind::kList, {type_of_words(words.star(words.one_of(letters)))}),
               true));
  }
}

// A string without tabs stays; in others each tab becomes some blanks, or none where it takes no
// room.
void Interpreter::method_expandtabs(State state, const MethodCall& call, Evaluations& out) {
  WordStore& words = domain_.words();
  const Word tab = program_.letters().word("\t");
  const Words with_tab = words.concat(words.concat(words.all(), words.word(tab)), words.all());
  Split split = domain_.member(std::move(state), call.subject, with_tab);
  for (State& plain : split.no) out.push_back({std::move(plain), {call.subject}});
  for (State& one : split.yes) {
    if (domain_.is_concrete()) unknown(call.span, "this expandtabs()");
    const Words blanks = words.star(words.word(program_.letters().word(" ")));
    const Words others = words.minus(words.lengths(1, 1), words.word(tab));
    // Blanks may stand wherever a tab stood; the other letters stay.
    LetterSet letters = words.letters_in(domain_.language(one, call.subject));
    letters[tab[0]] = false;
    const Words kept = words.intersect(words.one_of(letters), others);
    const SymbolId word = one.add_word(words.star(words.unite(kept, blanks)));
    out.push_back({std::move(one), {Text{word}}});
  }
}

// The words with each letter replaced by its image; nothing stays as it is.
Words Interpreter::mapped(Words language,
                          const std::function<std::optional<Word>(Letter)>& image) const {
  WordStore& words = domain_.words();
  const Automaton& source = words[language];
  if (source.size() == 0) return words.none();
  std::vector<WordStore::WordArc> arcs;
  for (uint32_t q = 0; q < source.size(); ++q) {
    for (uint32_t c = 0; c < words.letters(); ++c) {
      const uint32_t target = source.next[size_t{q} * words.letters() + c];
      if (target == kNoState) continue;
      const auto letter = static_cast<Letter>(c);
      arcs.push_back({q, image(letter).value_or(Word{letter}), target});
    }
  }
  return words.from_arcs(arcs, source.accepting);
}

// By a table of single characters: str.maketrans() gives a dictionary from ordinals to strings or
// None; any other table is not followed.
void Interpreter::method_translate(State state, const MethodCall& call, Evaluations& out) {
  const Value table = call.arguments.size() == 1 ? state.deref(call.arguments[0]) : Value{};
  const auto* dict = table.as<Dict>();
  std::map<Letter, Word> images;
  bool is_known = dict != nullptr;
  for (size_t i = 0; is_known && i < dict->keys.size(); ++i) {
    const std::optional<int64_t> key = as_constant(state, dict->keys[i]);
    if (!key || *key < 0 || *key > 0x10FFFF) {
      is_known = false;
      break;
    }
    const Letter letter = program_.letters().letter(static_cast<uint32_t>(*key));
    const auto* text = dict->values[i].as<Text>();
    const std::optional<Word> word = text != nullptr ? domain_.constant(state, *text)
                                     : dict->values[i].as<NoneValue>() != nullptr
                                         ? std::optional(Word{})
                                         : std::nullopt;
    is_known = word && program_.letters().is_single(letter);
    if (is_known) images[letter] = *word;
  }
  if (!is_known) return any_string(std::move(state), call.span, "this translate()", out);
  const Words language = domain_.language(state, call.subject);
  const SymbolId word = state.add_word(mapped(language, [&](Letter letter) -> std::optional<Word> {
    const auto found = images.find(letter);
    return found != images.end() ? std::optional(found->second) : std::nullopt;
  }));
  out.push_back({std::move(state), {Text{word}}});
}

// As lower() for ASCII; some other letters become several.
void Interpreter::method_casefold(State state, const MethodCall& call, Evaluations& out) {
  change_case(std::move(state), call, out, false);
}

void Interpreter::method_encode(State state, const MethodCall& call, Evaluations& out) {
  const auto* encoding = call.arguments.empty() ? nullptr : call.arguments[0].as<Text>();
  const std::optional<Word> name =
      encoding != nullptr ? domain_.constant(state, *encoding) : std::nullopt;
  const std::string known = name ? program_.letters().text(*name) : "";
  if ((known == "ascii" || known == "us-ascii") && call.arguments.size() == 1) {
    const LetterSet ascii = program_.letters().inside(regular::CharSet::range(0, 127));
    WordStore& words = domain_.words();
    Split split = domain_.member(std::move(state), call.subject, words.star(words.one_of(ascii)));
    for (State& bad : split.no)
      raise(std::move(bad), "UnicodeError", "the text is not ASCII", call.span);
    for (State& good : split.yes)
      out.push_back({std::move(good), typed(type_of_kind(Type::Kind::kBytes))});
    return;
  }
  const bool is_utf8 = call.arguments.empty() || known == "utf-8" || known == "utf8";
  if (may_be_surrogate(state, call.subject) || !is_utf8)
    assume(call.span, "the text can be encoded");
  out.push_back({std::move(state), typed(type_of_kind(Type::Kind::kBytes))});
}

}  // namespace nacre::python
