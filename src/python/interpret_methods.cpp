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
  const auto* match = subject.as<Sequence>();
  bool is_group =
      name == "group" && match != nullptr && !match->is_list && match->items.size() == 1;
  bool is_whole = is_group && (arguments.empty() || as_constant(state, arguments[0]) == 0);
  if (is_whole && match->items[0].as<Text>() != nullptr)
    return out.push_back({std::move(state), match->items[0]});
  if (is_whole) {
    Text any = any_text(state);
    return out.push_back({std::move(state), {std::move(any)}});
  }
  if (subject.as<NoneValue>() != nullptr) {
    return raise(std::move(state), "AttributeError", "None has no attribute '" + name + "'", span);
  }
  out.push_back({std::move(state), unknown(span, "the method '" + name + "'")});
}

// ---- searching

void Interpreter::find(State state, const MethodCall& call, Evaluations& out, bool backwards,
                       bool must_find) {
  const Text* pattern = !call.arguments.empty() ? call.arguments[0].as<Text>() : nullptr;
  auto missing = [&](State none) {
    if (must_find)
      raise(std::move(none), "ValueError", "substring not found", call.span);
    else
      out.push_back({std::move(none), {Linear(-1)}});
  };
  if (pattern == nullptr) {
    if (call.arguments.empty() || call.arguments[0].as<Unknown>() == nullptr) {
      return raise(std::move(state), "TypeError", "the pattern must be a string", call.span);
    }
    return out.push_back({std::move(state), unknown(call.span, "a search for an unknown value")});
  }
  auto bound = [&](size_t i, const Linear& otherwise) -> std::optional<Linear> {
    if (call.arguments.size() <= i || call.arguments[i].as<NoneValue>() != nullptr)
      return otherwise;
    return as_number(call.arguments[i]);
  };
  // The window [from, to), as a slice; a start beyond the end finds nothing, not even "".
  Linear length = domain_.length(state, call.subject);
  std::optional<Linear> low = bound(1, Linear());
  std::optional<Linear> high = bound(2, length);
  if (!low || !high)
    return out.push_back({std::move(state), unknown(call.span, "a search with these bounds")});
  Linear excess = *low - length - 1;
  Split beyond = domain_.compare(std::move(state), excess);
  for (State& none : beyond.yes) missing(std::move(none));
  for (State& within : beyond.no) {
    for (auto& [from_state, from] : clamp(std::move(within), *low, length)) {
      for (auto& [to_state, to] : clamp(std::move(from_state), *high, length)) {
        Split order = domain_.compare(std::move(to_state), to - from);
        for (State& none : order.no) missing(std::move(none));
        for (State& good : order.yes) {
          for (Divided& end : domain_.cut(std::move(good), call.subject, to)) {
            Text head = end.before;
            for (Divided& begin : domain_.cut(std::move(end.state), head, from)) {
              const Text before = begin.before;
              const Text window = begin.after;
              auto search = [&](State here, const Word& word) {
                Word wanted = word;
                if (backwards) std::reverse(wanted.begin(), wanted.end());
                States none;
                for (Divided& hit :
                     domain_.scan(std::move(here), window, domain_.first_occurrence(wanted),
                                  backwards, none)) {
                  Linear position =
                      domain_.length(hit.state, before) + domain_.length(hit.state, hit.before);
                  if (!backwards) position = position - static_cast<int64_t>(word.size());
                  out.push_back({std::move(hit.state), {std::move(position)}});
                }
                for (State& nothing : none) missing(std::move(nothing));
              };
              if (std::optional<Word> word = domain_.constant(begin.state, *pattern)) {
                search(std::move(begin.state), *word);
                continue;
              }
              if (by_constant(begin.state, *pattern, search)) continue;
              // Anywhere in the window, or nowhere.
              missing(begin.state);
              SymbolId offset = begin.state.add_number({0, kUnlimited});
              Linear room = domain_.length(begin.state, window) -
                            domain_.length(begin.state, *pattern) - Linear::of(offset);
              if (!domain_.assume(begin.state, room)) continue;
              Linear position = domain_.length(begin.state, before) + Linear::of(offset);
              out.push_back({std::move(begin.state), {std::move(position)}});
            }
          }
        }
      }
    }
  }
}

void Interpreter::affix(State state, const MethodCall& call, Evaluations& out, bool is_prefix) {
  WordStore& words = domain_.words();
  if (call.arguments.size() != 1)
    return out.push_back({std::move(state), unknown(call.span, "startswith/endswith with bounds")});
  std::vector<Value> candidates = {call.arguments[0]};
  if (const auto* tuple = call.arguments[0].as<Sequence>()) candidates = tuple->items;
  States open;
  open.push_back(std::move(state));
  for (const Value& candidate : candidates) {
    States next;
    const auto* part = candidate.as<Text>();
    for (State& one : open) {
      if (part == nullptr) {
        out.push_back({one, {true}});
        out.push_back({std::move(one), unknown(call.span, "startswith/endswith of this value")});
        continue;
      }
      auto check = [&](State here, const Word& word) {
        Words fixed = words.word(word);
        Words set = is_prefix ? words.concat(fixed, words.all()) : words.concat(words.all(), fixed);
        Split split = domain_.member(std::move(here), call.subject, set);
        for (State& yes : split.yes) out.push_back({std::move(yes), {true}});
        for (State& no : split.no) next.push_back(std::move(no));
      };
      if (std::optional<Word> word = domain_.constant(one, *part))
        check(std::move(one), *word);
      else if (!by_constant(one, *part, check)) {
        out.push_back({one, {true}});
        next.push_back(std::move(one));
      }
    }
    open.swap(next);
  }
  for (State& no : open) out.push_back({std::move(no), {false}});
}

void Interpreter::remove_affix(State state, const MethodCall& call, Evaluations& out,
                               bool is_prefix) {
  WordStore& words = domain_.words();
  const auto* part = call.arguments.size() == 1 ? call.arguments[0].as<Text>() : nullptr;
  std::optional<Word> word;
  if (part != nullptr) word = domain_.constant(state, *part);
  if (!word) {
    unknown(call.span, "removing what is not a constant");
    Text any = any_text(state);
    return out.push_back({std::move(state), {std::move(any)}});
  }
  Words fixed = words.word(*word);
  Split split = domain_.member(
      std::move(state), call.subject,
      is_prefix ? words.concat(fixed, words.all()) : words.concat(words.all(), fixed));
  for (State& no : split.no) out.push_back({std::move(no), {call.subject}});
  auto size = static_cast<int64_t>(word->size());
  for (State& yes : split.yes) {
    Linear position = is_prefix ? Linear(size) : domain_.length(yes, call.subject) - size;
    for (Divided& cut : domain_.cut(std::move(yes), call.subject, position)) {
      out.push_back({std::move(cut.state), {is_prefix ? cut.after : cut.before}});
    }
  }
}

// ---- pieces

// Without the letters of the set at one end. `all` gets the states where nothing else is there.
std::vector<Divided> Interpreter::skip(State state, const Text& text, const LetterSet& set,
                                       bool backwards, States& all) {
  LetterSet others = set;
  others.flip();
  std::vector<Divided> out;
  for (Divided& hit :
       domain_.scan(std::move(state), text, domain_.first_letter(others), backwards, all)) {
    // The scan stops behind the first other letter; the cut belongs before it.
    Text near = backwards ? hit.after : hit.before;
    Linear position = backwards ? Linear(1) : domain_.length(hit.state, near) - 1;
    Text before = hit.before, after = hit.after;
    for (Divided& cut : domain_.cut(std::move(hit.state), near, position)) {
      Divided result{std::move(cut.state), {}, {}};
      if (backwards) {
        result.before = before;
        result.before.insert(result.before.end(), cut.before.begin(), cut.before.end());
        result.after = cut.after;
      } else {
        result.before = cut.before;
        result.after = cut.after;
        result.after.insert(result.after.end(), after.begin(), after.end());
      }
      out.push_back(std::move(result));
    }
  }
  return out;
}

void Interpreter::strip(State state, const MethodCall& call, Evaluations& out, bool left,
                        bool right) {
  LetterSet set = program_.white_space();
  if (!call.arguments.empty() && call.arguments[0].as<NoneValue>() == nullptr) {
    const auto* letters = call.arguments[0].as<Text>();
    std::optional<Word> word;
    if (letters != nullptr) word = domain_.constant(state, *letters);
    if (!word) {
      unknown(call.span, "stripping what is not a constant");
      Text any = any_text(state);
      return out.push_back({std::move(state), {std::move(any)}});
    }
    set.assign(set.size(), false);
    for (Letter letter : *word) set[letter] = true;
  }
  Evaluations open;
  open.push_back({std::move(state), {call.subject}});
  for (bool backwards : {false, true}) {
    if (backwards ? !right : !left) continue;
    Evaluations next;
    for (Evaluated& one : open) {
      Text text = *one.value.as<Text>();
      States all;
      for (Divided& rest : skip(std::move(one.state), text, set, backwards, all)) {
        next.push_back({std::move(rest.state), {backwards ? rest.before : rest.after}});
      }
      for (State& empty : all) next.push_back({std::move(empty), {Text{}}});
    }
    open.swap(next);
  }
  for (Evaluated& result : open) out.push_back(std::move(result));
}

std::vector<Interpreter::Piece> Interpreter::next_piece(State state, const Text& rest,
                                                        const Word& separator, States& none) {
  std::vector<Piece> out;
  if (!separator.empty()) {
    States last;
    auto size = static_cast<int64_t>(separator.size());
    for (Divided& hit :
         domain_.scan(std::move(state), rest, domain_.first_occurrence(separator), false, last)) {
      Text head = hit.before;
      Text tail = hit.after;
      Linear position = domain_.length(hit.state, head) - size;
      for (Divided& cut : domain_.cut(std::move(hit.state), head, position)) {
        out.push_back({std::move(cut.state), std::move(cut.before), tail, false});
      }
    }
    for (State& end : last) out.push_back({std::move(end), rest, {}, true});
    return out;
  }
  // Runs of white space: items are not empty.
  const LetterSet space = program_.white_space();
  for (Divided& start : skip(std::move(state), rest, space, false, none)) {
    Text body = start.after;
    LetterSet others = space;
    others.flip();
    States last;
    for (Divided& end : skip(std::move(start.state), body, others, false, last)) {
      Text piece = end.before;
      Text tail = end.after;
      // Only white space behind it: this was the last one.
      States only_space;
      for (Divided& more : skip(std::move(end.state), tail, space, false, only_space)) {
        out.push_back({std::move(more.state), piece, more.after, false});
      }
      for (State& final : only_space) out.push_back({std::move(final), piece, {}, true});
    }
    for (State& final : last) out.push_back({std::move(final), body, {}, true});
  }
  return out;
}

void Interpreter::expand(State state, const SplitList& split, size_t most,
                         const std::function<void(State, std::vector<Text>)>& then, States& more) {
  std::function<void(State, const Text&, std::vector<Text>)> walk =
      [&](State here, const Text& rest, const std::vector<Text>& items) {
        if (items.size() == most) return more.push_back(std::move(here));
        States none;
        for (Piece& piece : next_piece(std::move(here), rest, split.separator, none)) {
          std::vector<Text> longer = items;
          longer.push_back(piece.piece);
          if (piece.is_last)
            then(std::move(piece.state), std::move(longer));
          else
            walk(std::move(piece.state), piece.rest, std::move(longer));
        }
        for (State& empty : none) then(std::move(empty), items);
      };
  walk(std::move(state), split.subject, {});
}

void Interpreter::split(State state, const MethodCall& call, Evaluations& out, bool backwards) {
  Word separator;
  if (!call.arguments.empty() && call.arguments[0].as<NoneValue>() == nullptr) {
    const auto* text = call.arguments[0].as<Text>();
    std::optional<Word> word;
    if (text != nullptr) word = domain_.constant(state, *text);
    if (!word)
      return out.push_back(
          {std::move(state), unknown(call.span, "a split at what is not a constant")});
    if (word->empty()) return raise(std::move(state), "ValueError", "empty separator", call.span);
    separator = *word;
  }
  std::optional<int64_t> limit =
      call.arguments.size() > 1 ? as_constant(state, call.arguments[1]) : -1;
  if (limit && *limit < 0)
    return out.push_back({std::move(state), {SplitList{call.subject, separator}}});
  if (!limit || separator.empty() || *limit > 8) {
    return out.push_back({std::move(state), unknown(call.span, "a split with this limit")});
  }
  auto size = static_cast<int64_t>(separator.size());
  Word wanted = separator;
  if (backwards) std::reverse(wanted.begin(), wanted.end());
  std::function<void(State, const Text&, std::vector<Value>)> walk =
      [&](State here, const Text& rest, std::vector<Value> items) {
        auto finish = [&](State done) {
          std::vector<Value> all = items;
          all.push_back({rest});
          if (backwards) std::reverse(all.begin(), all.end());
          out.push_back({std::move(done), {Sequence{std::move(all), true}}});
        };
        if (static_cast<int64_t>(items.size()) == *limit) return finish(std::move(here));
        States none;
        for (Divided& hit : domain_.scan(std::move(here), rest, domain_.first_occurrence(wanted),
                                         backwards, none)) {
          Text near = backwards ? hit.after : hit.before;
          Text far = backwards ? hit.before : hit.after;
          Linear position = backwards ? Linear(size) : domain_.length(hit.state, near) - size;
          for (Divided& cut : domain_.cut(std::move(hit.state), near, position)) {
            std::vector<Value> longer = items;
            longer.push_back({backwards ? cut.after : cut.before});
            walk(std::move(cut.state), far, std::move(longer));
          }
        }
        for (State& done : none) finish(std::move(done));
      };
  walk(std::move(state), call.subject, {});
}

void Interpreter::partition(State state, const MethodCall& call, Evaluations& out, bool backwards) {
  const auto* text = call.arguments.size() == 1 ? call.arguments[0].as<Text>() : nullptr;
  std::optional<Word> separator;
  if (text != nullptr) separator = domain_.constant(state, *text);
  if (!separator)
    return out.push_back(
        {std::move(state), unknown(call.span, "a partition at what is not a constant")});
  if (separator->empty())
    return raise(std::move(state), "ValueError", "empty separator", call.span);
  auto size = static_cast<int64_t>(separator->size());
  Word wanted = *separator;
  if (backwards) std::reverse(wanted.begin(), wanted.end());
  States none;
  for (Divided& hit : domain_.scan(std::move(state), call.subject, domain_.first_occurrence(wanted),
                                   backwards, none)) {
    Text near = backwards ? hit.after : hit.before;
    Text head = hit.before, tail = hit.after;
    Linear position = backwards ? Linear(size) : domain_.length(hit.state, near) - size;
    for (Divided& cut : domain_.cut(std::move(hit.state), near, position)) {
      std::vector<Value> items = backwards ? std::vector<Value>{{head}, {cut.before}, {cut.after}}
                                           : std::vector<Value>{{cut.before}, {cut.after}, {tail}};
      out.push_back({std::move(cut.state), {Sequence{std::move(items), false}}});
    }
  }
  for (State& missing : none) {
    std::vector<Value> items = backwards ? std::vector<Value>{{Text{}}, {Text{}}, {call.subject}}
                                         : std::vector<Value>{{call.subject}, {Text{}}, {Text{}}};
    out.push_back({std::move(missing), {Sequence{std::move(items), false}}});
  }
}

void Interpreter::method_count(State state, const MethodCall& call, Evaluations& out) {
  const auto* text = call.arguments.size() == 1 ? call.arguments[0].as<Text>() : nullptr;
  std::optional<Word> pattern;
  if (text != nullptr) pattern = domain_.constant(state, *text);
  if (pattern && pattern->empty()) {
    Linear count = domain_.length(state, call.subject) + 1;
    return out.push_back({std::move(state), {std::move(count)}});
  }
  // A few occurrences are told apart; of more only bounds are known.
  const int64_t counted = domain_.is_concrete() ? kUnlimited : 4;
  std::function<void(State, const Text&, int64_t)> walk = [&](State here, const Text& rest,
                                                              int64_t count) {
    if (!pattern || count == counted) {
      SymbolId number = here.add_number({pattern ? count : 0, kUnlimited});
      Linear room = domain_.length(here, call.subject);
      room.add(Linear::of(number), pattern ? -static_cast<int64_t>(pattern->size()) : -1);
      if (!domain_.assume(here, pattern ? room : room + 1)) return;
      return out.push_back({std::move(here), {Linear::of(number)}});
    }
    States none;
    for (Divided& hit :
         domain_.scan(std::move(here), rest, domain_.first_occurrence(*pattern), false, none)) {
      Text after = hit.after;
      walk(std::move(hit.state), after, count + 1);
    }
    for (State& done : none) out.push_back({std::move(done), {Linear(count)}});
  };
  if (text == nullptr) unknown(call.span, "this count()");
  walk(std::move(state), call.subject, 0);
}

// ---- new strings

void Interpreter::method_join(State state, const MethodCall& call, Evaluations& out) {
  const Value* items = call.arguments.size() == 1 ? &call.arguments[0] : nullptr;
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
  // A string is joined letter by letter.
  if (items != nullptr && items->as<Text>() != nullptr && call.subject.empty()) {
    return out.push_back({std::move(state), *items});
  }
  unknown(call.span, "this join()");
  Text any = any_text(state);
  out.push_back({std::move(state), {std::move(any)}});
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

void Interpreter::method_zfill(State state, const MethodCall& call, Evaluations& out) {
  WordStore& words = domain_.words();
  std::optional<int64_t> width =
      call.arguments.size() == 1 ? as_constant(state, call.arguments[0]) : std::nullopt;
  if (!width || *width > 64) {
    unknown(call.span, "this zfill()");
    Text any = any_text(state);
    return out.push_back({std::move(state), {std::move(any)}});
  }
  Linear room = domain_.length(state, call.subject) - *width;
  Split wide = domain_.compare(std::move(state), room);
  for (State& unchanged : wide.yes) out.push_back({std::move(unchanged), {call.subject}});
  LetterSet signs = program_.letters().inside(regular::CharSet::of("+-"));
  Words with_sign = words.concat(words.one_of(signs), words.all());
  for (State& narrow : wide.no) {
    // By length: how many zeros are put in, and whether behind a sign.
    for (int64_t size = 0; size < *width; ++size) {
      State fixed = narrow;
      Linear exact = domain_.length(fixed, call.subject) - size;
      if (!domain_.assume_zero(fixed, exact)) continue;
      Word zeros(static_cast<size_t>(*width - size), program_.letters().letter('0'));
      Split sign = domain_.member(std::move(fixed), call.subject, with_sign);
      for (State& plain : sign.no) {
        Text text = domain_.constant_text(plain, zeros);
        text.insert(text.end(), call.subject.begin(), call.subject.end());
        out.push_back({std::move(plain), {std::move(text)}});
      }
      for (State& with : sign.yes) {
        for (Divided& cut : domain_.cut(std::move(with), call.subject, Linear(1))) {
          Text text = cut.before;
          Text fill = domain_.constant_text(cut.state, zeros);
          text.insert(text.end(), fill.begin(), fill.end());
          text.insert(text.end(), cut.after.begin(), cut.after.end());
          out.push_back({std::move(cut.state), {std::move(text)}});
        }
      }
    }
  }
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

}  // namespace nacre::python
