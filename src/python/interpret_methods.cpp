// Methods of strings. Each works on the shared words of the subject: what a method learns narrows
// the subject, and what it returns are pieces of it where Python returns substrings.
#include <algorithm>

#include "python/interpreter.h"

namespace nacre::python {
namespace {

constexpr std::string_view kClasses[] = {"isdigit", "isalpha",   "isalnum",
                                         "isspace", "isnumeric", "isdecimal"};

}  // namespace

const std::map<std::string, Interpreter::Method>& Interpreter::methods() {
  static const std::map<std::string, Method> kTable = {
      {"find", &Interpreter::method_find},
      {"rfind", &Interpreter::method_rfind},
      {"index", &Interpreter::method_index},
      {"rindex", &Interpreter::method_rindex},
      {"startswith", &Interpreter::method_startswith},
      {"endswith", &Interpreter::method_endswith},
      {"removeprefix", &Interpreter::method_removeprefix},
      {"removesuffix", &Interpreter::method_removesuffix},
      {"strip", &Interpreter::method_strip},
      {"lstrip", &Interpreter::method_lstrip},
      {"rstrip", &Interpreter::method_rstrip},
      {"count", &Interpreter::method_count},
      {"split", &Interpreter::method_split},
      {"rsplit", &Interpreter::method_rsplit},
      {"partition", &Interpreter::method_partition},
      {"rpartition", &Interpreter::method_rpartition},
      {"join", &Interpreter::method_join},
      {"replace", &Interpreter::method_replace},
      {"upper", &Interpreter::method_upper},
      {"lower", &Interpreter::method_lower},
      {"zfill", &Interpreter::method_zfill},
      {"rjust", &Interpreter::method_rjust},
      {"ljust", &Interpreter::method_ljust},
      {"center", &Interpreter::method_center},
      {"capitalize", &Interpreter::method_capitalize},
      {"title", &Interpreter::method_title},
      {"casefold", &Interpreter::method_casefold},
      {"swapcase", &Interpreter::method_title},
      {"isupper", &Interpreter::method_isupper},
      {"islower", &Interpreter::method_islower},
      {"isascii", &Interpreter::method_isascii},
      {"splitlines", &Interpreter::method_splitlines},
      {"expandtabs", &Interpreter::method_expandtabs},
      {"translate", &Interpreter::method_translate},
      {"encode", &Interpreter::method_encode},
  };
  return kTable;
}

void Interpreter::method(const std::string& name, Span span, State state, const Value& subject,
                         const Arguments& arguments, Evaluations& out) {
  const auto* text = subject.as<Text>();
  if (text != nullptr) {
    bool is_class =
        std::find(std::begin(kClasses), std::end(kClasses), name) != std::end(kClasses) ||
        name == "isidentifier";
    if (is_class) return classify(name, std::move(state), *text, out);
    auto found = methods().find(name);
    if (found != methods().end())
      return (this->*found->second)(std::move(state), {span, *text, arguments}, out);
  }
  if (subject.as<NoneValue>() != nullptr) {
    return raise(std::move(state), "AttributeError", "None has no attribute '" + name + "'", span);
  }
  out.push_back({std::move(state), unknown(span, "the method '" + name + "'")});
}

void Interpreter::classify(const std::string& name, State state, const Text& subject,
                           Evaluations& out) {
  WordStore& words = domain_.words();
  Words set{};
  if (name == "isidentifier") {
    Words first = words.one_of(program_.letters_of("identifier_start"));
    Words rest = words.one_of(program_.letters_of("identifier_part"));
    set = words.concat(first, words.star(rest));
  } else {
    Words one = words.one_of(program_.letters_of(name));
    set = words.concat(one, words.star(one));
  }
  Split split = domain_.member(std::move(state), subject, set);
  for (State& yes : split.yes) out.push_back({std::move(yes), {true}});
  for (State& no : split.no) out.push_back({std::move(no), {false}});
}

// Exact for ASCII; anything else may become anything (some letters change into several).
void Interpreter::change_case(State state, const MethodCall& call, Evaluations& out,
                              bool is_upper) {
  WordStore& words = domain_.words();
  const Letters& letters = program_.letters();
  Words language = domain_.language(state, call.subject);
  const Automaton& source = words[language];
  std::vector<WordStore::WordArc> arcs;
  bool is_ascii = true;
  for (uint32_t q = 0; q < source.size(); ++q) {
    for (uint32_t c = 0; c < words.letters(); ++c) {
      uint32_t target = source.next[q * words.letters() + c];
      if (target == kNoState) continue;
      uint32_t first = letters[static_cast<Letter>(c)].min();
      is_ascii = is_ascii && first < 128;
      bool flips = is_upper ? first >= 'a' && first <= 'z' : first >= 'A' && first <= 'Z';
      arcs.push_back({q, {flips ? letters.letter(first ^ 0x20) : static_cast<Letter>(c)}, target});
    }
  }
  if (!is_ascii) {
    Text any = any_text(state);
    return out.push_back({std::move(state), {std::move(any)}});
  }
  SymbolId word = state.add_word(words.from_arcs(arcs, source.accepting));
  Linear difference = domain_.length(state, call.subject) - Linear::of(word);
  if (!domain_.assume_zero(state, difference)) return;
  out.push_back({std::move(state), {Text{word}}});
}

void Interpreter::method_join(State state, const MethodCall& call, Evaluations& out) {
  const Value content = call.arguments.size() == 1 ? state.deref(call.arguments[0]) : Value{};
  const Value* items = call.arguments.size() == 1 ? &content : nullptr;
  if (const auto* kept = content.as<Typed>(); kept != nullptr && kept->type->is_container())
    return join_typed(std::move(state), call, *kept, out);
  if (items != nullptr && items->as<Sequence>() != nullptr) {
    Text result;
    bool is_first = true;
    for (const Value& item : items->as<Sequence>()->items) {
      const auto* text = item.as<Text>();
      if (text == nullptr) {
        if (item.as<Unknown>() == nullptr)
          return raise(std::move(state), "TypeError", "join() needs strings", call.span);
        return out.push_back({std::move(state), unknown(call.span, "join() of unknown values")});
      }
      if (!is_first) result.insert(result.end(), call.subject.begin(), call.subject.end());
      is_first = false;
      result.insert(result.end(), text->begin(), text->end());
    }
    return out.push_back({std::move(state), {std::move(result)}});
  }
  if (items != nullptr && items->as<SplitList>() != nullptr &&
      !items->as<SplitList>()->separator.empty()) {
    const SplitList& split = *items->as<SplitList>();
    if (std::optional<Word> glue = domain_.constant(state, call.subject)) {
      if (*glue == split.separator) return out.push_back({std::move(state), {split.subject}});
      Words language = replaced(domain_.language(state, split.subject), split.separator, *glue);
      SymbolId word = state.add_word(language);
      return out.push_back({std::move(state), {Text{word}}});
    }
  }
  if (const Text* letters = items != nullptr ? letters_of(*items) : nullptr) {
    if (call.subject.empty()) return out.push_back({std::move(state), {*letters}});
    if (std::optional<Word> glue = domain_.constant(state, call.subject)) {
      SymbolId word = state.add_word(spaced(domain_.language(state, *letters), *glue));
      return out.push_back({std::move(state), {Text{word}}});
    }
  }
  States open;
  const auto* pieces = items != nullptr ? items->as<SplitList>() : nullptr;
  const bool is_spaced = pieces != nullptr && pieces->separator.empty() && !pieces->is_letters;
  if (is_spaced && !domain_.is_concrete() && has_many_words(state, pieces->subject)) {
    // Between runs of white space there may be nothing at all.
    Words glued = domain_.language(state, call.subject);
    Words piece = pieces_of(state, *pieces);
    WordStore& store = domain_.words();
    Words all = store.unite(store.empty_word(),
                            store.concat(piece, store.star(store.concat(glued, piece))));
    const SymbolId word = state.add_word(all);
    return out.push_back({std::move(state), {Text{word}}});
  }
  if (items != nullptr && items->as<SplitList>() != nullptr) {
    auto join = [&](State here, const std::vector<Value>& list) {
      MethodCall again{call.span, call.subject, {Value{Sequence{list, true}}}};
      method_join(std::move(here), again, out);
    };
    items_of(std::move(state), *items, most_items(), join, open);
  } else {
    open.push_back(std::move(state));
  }
  for (State& one : open) {
    std::optional<Type> item = items != nullptr ? item_type(one, *items) : std::nullopt;
    if (item) {
      const Typed all{
          std::make_shared<const Type>(type_of_parts(Type::Kind::kList, {std::move(*item)})), true};
      join_typed(std::move(one), call, all, out);
      continue;
    }
    any_string(std::move(one), call.span, "this join()", out);
  }
}

// More than a few words between white space?
bool Interpreter::has_many_words(const State& state, const Text& text) const {
  WordStore& words = domain_.words();
  LetterSet others = program_.white_space();
  const Words spaces = words.star(words.one_of(others));
  others.flip();
  const Words piece = words.concat(words.star(words.one_of(others)), spaces);
  Words few = spaces;
  for (size_t i = 0; i < limits_.items; ++i) few = words.concat(few, piece);
  return !words.is_empty(words.minus(domain_.language(state, text), few));
}

// Items of a type, as many as there may be, with the glue between them.
void Interpreter::join_typed(State state, const MethodCall& call, const Typed& list,
                             Evaluations& out) {
  WordStore& words = domain_.words();
  Words item = words.none();
  const Words glue = domain_.language(state, call.subject);
  for (const Type& one : alternatives(list.type->parts[0])) {
    if (one.kind == Type::Kind::kLanguage) {
      item = words.unite(item, one.words);
    } else if (one.kind == Type::Kind::kStr) {
      item = words.all();
    } else if (one.is_any()) {
      return any_string(std::move(state), call.span, "join() of unknown values", out);
    } else {
      raise(state, "TypeError", "join() needs strings", call.span);
    }
  }
  Words all = words.concat(item, words.star(words.concat(glue, item)));
  if (!list.is_filled) all = words.unite(all, words.empty_word());
  const SymbolId word = state.add_word(all);
  out.push_back({std::move(state), {Text{word}}});
}

// The words with `glue` put between their letters.
Words Interpreter::spaced(Words language, const Word& glue) {
  WordStore& words = domain_.words();
  const Automaton& source = words[language];
  if (source.size() == 0) return words.none();
  std::vector<uint8_t> accepting = {source.accepting[0]};
  accepting.insert(accepting.end(), source.accepting.begin(), source.accepting.end());
  std::vector<WordStore::WordArc> arcs;
  for (uint32_t q = 0; q < source.size(); ++q) {
    for (uint32_t c = 0; c < words.letters(); ++c) {
      uint32_t target = source.next[q * words.letters() + c];
      if (target == kNoState) continue;
      Word behind = glue;
      behind.push_back(static_cast<Letter>(c));
      arcs.push_back({q + 1, std::move(behind), target + 1});
      if (q == 0) arcs.push_back({0, {static_cast<Letter>(c)}, target + 1});
    }
  }
  return words.from_arcs(arcs, accepting);
}

// The words with every occurrence of `from`, leftmost first and without overlap, replaced: the
// matcher of Knuth, Morris and Pratt as a transducer that holds back what may still become a match.
Words Interpreter::replaced(Words language, const Word& from, const Word& to) {
  WordStore& words = domain_.words();
  const Automaton& source = words[language];
  const auto held = static_cast<uint32_t>(from.size());
  auto number = [&](uint32_t q, uint32_t m) { return q * held + m + 1; };
  std::vector<uint8_t> accepting(source.size() * held + 2, 0);
  std::vector<WordStore::WordArc> arcs;
  const uint32_t end = source.size() * held + 1;
  accepting[end] = 1;
  if (source.size() == 0) return words.none();
  arcs.push_back({0, {}, number(0, 0)});
  for (uint32_t q = 0; q < source.size(); ++q) {
    for (uint32_t m = 0; m < held; ++m) {
      if (source.accepting[q])
        arcs.push_back({number(q, m), Word(from.begin(), from.begin() + m), end});
      for (uint32_t c = 0; c < words.letters(); ++c) {
        uint32_t target = source.next[q * words.letters() + c];
        if (target == kNoState) continue;
        Word pending(from.begin(), from.begin() + m);
        pending.push_back(static_cast<Letter>(c));
        if (pending == from) {
          arcs.push_back({number(q, m), to, number(target, 0)});
          continue;
        }
        size_t keep = std::min<size_t>(pending.size(), held - 1);
        while (!std::equal(pending.end() - static_cast<std::ptrdiff_t>(keep), pending.end(),
                           from.begin()))
          --keep;
        Word emitted(pending.begin(), pending.end() - static_cast<std::ptrdiff_t>(keep));
        arcs.push_back(
            {number(q, m), std::move(emitted), number(target, static_cast<uint32_t>(keep))});
      }
    }
  }
  return words.from_arcs(arcs, accepting);
}

void Interpreter::method_replace(State state, const MethodCall& call, Evaluations& out) {
  WordStore& words = domain_.words();
  std::optional<Word> from, to;
  if (call.arguments.size() == 2 && call.arguments[0].as<Text>() != nullptr &&
      call.arguments[1].as<Text>() != nullptr) {
    from = domain_.constant(state, *call.arguments[0].as<Text>());
    to = domain_.constant(state, *call.arguments[1].as<Text>());
  }
  if (!from || !to || from->empty()) {
    unknown(call.span, "this replace()");
    Text any = any_text(state);
    return out.push_back({std::move(state), {std::move(any)}});
  }
  Words with = words.concat(words.concat(words.all(), words.word(*from)), words.all());
  Split split = domain_.member(std::move(state), call.subject, with);
  for (State& unchanged : split.no) out.push_back({std::move(unchanged), {call.subject}});
  for (State& changed : split.yes) {
    SymbolId word = changed.add_word(replaced(domain_.language(changed, call.subject), *from, *to));
    out.push_back({std::move(changed), {Text{word}}});
  }
}

}  // namespace nacre::python
