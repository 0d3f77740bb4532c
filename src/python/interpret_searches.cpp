// Methods that look for something in a string, or take something off its ends.
#include <algorithm>

#include "python/interpreter.h"

namespace nacre::python {

void Interpreter::find(State state, const MethodCall& call, Evaluations& out, bool backwards,
                       bool must_find) {
  const Text* pattern = !call.arguments.empty() ? call.arguments[0].as<Text>() : nullptr;
  if (pattern == nullptr) {
    if (call.arguments.empty() || call.arguments[0].as<Unknown>() == nullptr)
      return raise(std::move(state), "TypeError", "the pattern must be a string", call.span);
    return out.push_back({std::move(state), unknown(call.span, "a search for an unknown value")});
  }
  auto missing = [&](State absent) {
    if (must_find)
      raise(std::move(absent), "ValueError", "substring not found", call.span);
    else
      out.push_back({std::move(absent), {Linear(-1)}});
  };
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
  for (State& absent : beyond.yes) missing(std::move(absent));
  for (State& within : beyond.no) {
    for (auto& [from_state, from] : clamp(std::move(within), *low, length)) {
      for (auto& [to_state, to] : clamp(std::move(from_state), *high, length)) {
        Split order = domain_.compare(std::move(to_state), to - from);
        for (State& absent : order.no) missing(std::move(absent));
        for (State& good : order.yes) {
          for (Divided& end : domain_.cut(std::move(good), call.subject, to)) {
            Text head = end.before;
            for (Divided& begin : domain_.cut(std::move(end.state), head, from))
              find_in(std::move(begin), *pattern, backwards, missing, out);
          }
        }
      }
    }
  }
}

// Searches what comes after the cut; positions count from before it.
void Interpreter::find_in(Divided window, const Text& pattern, bool backwards,
                          const std::function<void(State)>& missing, Evaluations& out) {
  auto search = [&](State here, const Word& word) {
    Word wanted = word;
    if (backwards) std::reverse(wanted.begin(), wanted.end());
    States none;
    for (Divided& hit : domain_.scan(std::move(here), window.after,
                                     domain_.first_occurrence(wanted), backwards, none)) {
      Linear position =
          domain_.length(hit.state, window.before) + domain_.length(hit.state, hit.before);
      if (!backwards) position = position - static_cast<int64_t>(word.size());
      out.push_back({std::move(hit.state), {std::move(position)}});
    }
    for (State& nothing : none) missing(std::move(nothing));
  };
  if (std::optional<Word> word = domain_.constant(window.state, pattern))
    return search(std::move(window.state), *word);
  if (by_constant(window.state, pattern, search)) return;
  // Anywhere in the window, or nowhere.
  State& state = window.state;
  missing(state);
  SymbolId offset = state.add_number({0, kUnlimited});
  Linear room =
      domain_.length(state, window.after) - domain_.length(state, pattern) - Linear::of(offset);
  if (!domain_.assume(state, room)) return;
  Linear position = domain_.length(state, window.before) + Linear::of(offset);
  out.push_back({std::move(state), {std::move(position)}});
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
    unknown(call.span, "removing a value that is not a constant");
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

void Interpreter::method_count(State state, const MethodCall& call, Evaluations& out) {
  const auto* text = call.arguments.size() == 1 ? call.arguments[0].as<Text>() : nullptr;
  std::optional<Word> pattern;
  if (text != nullptr) pattern = domain_.constant(state, *text);
  if (pattern && pattern->empty()) {
    Linear count = domain_.length(state, call.subject) + 1;
    return out.push_back({std::move(state), {std::move(count)}});
  }
  // A few occurrences are told apart; of more only bounds are known.
  const size_t pieces = state.text(call.subject).size();
  const int64_t counted = domain_.is_concrete() ? kUnlimited : pieces < 2 ? 4 : pieces < 4 ? 1 : 0;
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

// Without the letters of the set at one end. `all` gets the states where nothing else is there.
std::vector<Divided> Interpreter::skip(State state, const Text& text, const LetterSet& set,
                                       bool backwards, States& all) {
  LetterSet others = set;
  others.flip();
  std::vector<Divided> out;
  for (Divided& hit :
       domain_.scan(std::move(state), text, domain_.first_letter(others), backwards, all)) {
    // The scan stops after the first other letter; the cut belongs before it.
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
      unknown(call.span, "stripping a value that is not a constant");
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

}  // namespace nacre::python
