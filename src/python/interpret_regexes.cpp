// The `re` module. Where the subject is one string, the matcher of regex_match.h decides. Otherwise
// the subject is cut into the parts of the regex, in every way that fits: each group is a piece of
// the subject and shares its words. A loop over a class of characters takes all that it can, so
// what follows it must not be something that it could have taken, too.
#include <algorithm>
#include <functional>

#include "python/interpreter.h"
#include "python/regex_match.h"

namespace nacre::python {
namespace {

namespace rx = regular::regex;
using regular::NodeId;
using regular::Regex;

// Only characters, loops, choices and groups: what node_words() says of it is exact.
bool is_plain(const Regex& regex, NodeId id) {
  if (regex.get<rx::Assert>(id) != nullptr || regex.get<rx::Look>(id) != nullptr ||
      regex.get<rx::BackReference>(id) != nullptr)
    return false;
  if (const auto* group = regex.get<rx::Group>(id))
    return !group->is_atomic && is_plain(regex, group->body);
  if (const auto* repeat = regex.get<rx::Repeat>(id))
    return repeat->greed != rx::Greed::kPossessive && is_plain(regex, repeat->body);
  auto all = [&](std::span<const NodeId> items) {
    return std::all_of(items.begin(), items.end(),
                       [&](NodeId item) { return is_plain(regex, item); });
  };
  if (const auto* sequence = regex.get<rx::Sequence>(id)) return all(regex.children(*sequence));
  if (const auto* choice = regex.get<rx::Choice>(id)) return all(regex.children(*choice));
  return true;
}

bool has_groups(const Regex& regex, NodeId id) {
  if (const auto* group = regex.get<rx::Group>(id))
    return group->index > 0 || has_groups(regex, group->body);
  if (const auto* repeat = regex.get<rx::Repeat>(id)) return has_groups(regex, repeat->body);
  if (const auto* look = regex.get<rx::Look>(id)) return has_groups(regex, look->body);
  auto any = [&](std::span<const NodeId> items) {
    return std::any_of(items.begin(), items.end(),
                       [&](NodeId item) { return has_groups(regex, item); });
  };
  if (const auto* sequence = regex.get<rx::Sequence>(id)) return any(regex.children(*sequence));
  if (const auto* choice = regex.get<rx::Choice>(id)) return any(regex.children(*choice));
  return false;
}

// The class of characters that the node is a greedy loop over, also inside groups.
std::optional<NodeId> greedy_class(const Regex& regex, NodeId id) {
  while (const auto* group = regex.get<rx::Group>(id)) id = group->body;
  const auto* repeat = regex.get<rx::Repeat>(id);
  if (repeat == nullptr || repeat->greed != rx::Greed::kGreedy || repeat->max < 1'000'000)
    return std::nullopt;
  NodeId body = repeat->body;
  while (const auto* group = regex.get<rx::Group>(body)) body = group->body;
  const bool is_class =
      regex.get<rx::Class>(body) != nullptr || regex.get<rx::Literal>(body) != nullptr;
  return is_class ? std::optional(body) : std::nullopt;
}

// One way to cut the subject: the groups so far, and the state in which it is so.
struct Parse {
  State state;
  std::vector<Value> groups;
};

class Cutter {
 public:
  Cutter(const Program& program, const Domain& domain, const SearchPattern& pattern, size_t limit)
      : program_(program), domain_(domain), pattern_(pattern), limit_(limit) {}

  // The text is a word of the node, with what groups inside it hold.
  std::vector<Parse> cut(Parse parse, NodeId id, const Text& text) {
    const Regex& regex = pattern_.regex;
    std::vector<Parse> out;
    if (const auto* group = regex.get<rx::Group>(id)) {
      out = cut(std::move(parse), group->body, text);
      if (group->index > 0) {
        for (Parse& one : out) one.groups[group->index] = {one.state.text(text)};
      }
      return out;
    }
    if (!has_groups(regex, id)) {
      for (State& yes : inside(std::move(parse.state), text, id))
        out.push_back({std::move(yes), parse.groups});
      return out;
    }
    if (const auto* sequence = regex.get<rx::Sequence>(id)) {
      std::span<const NodeId> items = regex.children(*sequence);
      cut_sequence(std::move(parse), {items.begin(), items.end()}, 0, text,
                   domain_.words().empty_word(), true, out);
      return out;
    }
    if (const auto* choice = regex.get<rx::Choice>(id)) {
      States open;
      open.push_back(std::move(parse.state));
      for (NodeId item : regex.children(*choice)) {
        States next;
        for (State& one : open) {
          // An earlier alternative that fits is taken, if nothing but its letters decides.
          if (!is_plain(regex, item)) next.push_back(one);
          Split split = domain_.member(std::move(one), text, words(item));
          for (State& yes : split.yes) {
            for (Parse& done : cut({std::move(yes), parse.groups}, item, text))
              out.push_back(std::move(done));
          }
          if (is_plain(regex, item)) append(next, std::move(split.no));
        }
        open.swap(next);
      }
      return out;
    }
    if (const auto* repeat = regex.get<rx::Repeat>(id); repeat != nullptr && repeat->max == 1) {
      // Nothing at all, or once; greedy: once if it can be.
      Split split = domain_.member(std::move(parse.state), text, words(repeat->body));
      for (State& yes : split.yes) {
        for (Parse& done : cut({std::move(yes), parse.groups}, repeat->body, text))
          out.push_back(std::move(done));
      }
      if (repeat->min == 0) {
        const bool is_sure = repeat->greed == rx::Greed::kGreedy && is_plain(regex, repeat->body);
        if (!is_sure) {
          for (Parse& done : std::vector<Parse>(out)) split.no.push_back(std::move(done.state));
        }
        for (State& no : split.no) {
          for (State& empty : domain_.member(std::move(no), text, domain_.words().empty_word()).yes)
            out.push_back({std::move(empty), parse.groups});
        }
      }
      return out;
    }
    // A loop: each group holds what its last round left there, or nothing.
    for (State& yes : inside(std::move(parse.state), text, id)) {
      Parse open{std::move(yes), parse.groups};
      loosen(open, id);
      out.push_back(std::move(open));
    }
    return out;
  }

  // The items one after the other; what is left must be a word of `rest`.
  void cut_sequence(Parse parse, const std::vector<NodeId>& items, size_t at, const Text& text,
                    Words rest, bool is_exact, std::vector<Parse>& out) {
    if (out.size() > limit_) return;
    WordStore& store = domain_.words();
    if (at == items.size()) {
      for (State& yes : domain_.member(std::move(parse.state), text, rest).yes)
        out.push_back({std::move(yes), std::move(parse.groups)});
      return;
    }
    if (at + 1 == items.size() && rest == store.empty_word()) {
      for (Parse& done : cut(std::move(parse), items[at], text)) out.push_back(std::move(done));
      return;
    }
    Words after = rest;
    bool is_plain_after = is_exact;
    for (size_t i = items.size(); i-- > at + 1;) {
      after = store.concat(words(items[i]), after);
      is_plain_after = is_plain_after && is_plain(pattern_.regex, items[i]);
    }
    Words behind = after;
    if (std::optional<NodeId> loop = greedy_class(pattern_.regex, items[at]);
        loop && is_plain_after) {
      const Words letter = words(*loop);
      behind = store.minus(after, store.concat(store.concat(letter, store.star(letter)), after));
    }
    State& state = parse.state;
    const Text whole = state.text(text);
    // A place anywhere in the text.
    const SymbolId place = state.add_number({0, kUnlimited});
    const Linear length = domain_.length(state, whole);
    if (!domain_.assume(state, length - Linear::of(place))) return;
    for (Divided& divided : domain_.cut(std::move(state), whole, Linear::of(place))) {
      const Text before = divided.before, tail = divided.after;
      for (State& one : domain_.member(std::move(divided.state), before, words(items[at])).yes) {
        for (State& both : domain_.member(std::move(one), tail, behind).yes) {
          for (Parse& first : cut({std::move(both), parse.groups}, items[at], before)) {
            // What was cut stays cut: the rest is looked up anew.
            cut_sequence(std::move(first), items, at + 1, tail, rest, is_exact, out);
          }
        }
      }
    }
  }

  // Groups inside the node may hold any word of theirs, or nothing.
  void loosen(Parse& parse, NodeId id) {
    const Regex& regex = pattern_.regex;
    for (uint32_t i = 0; i < regex.size(); ++i) {
      const auto* group = regex.get<rx::Group>(NodeId{i});
      if (group == nullptr || group->index == 0 || !contains(id, NodeId{i})) continue;
      parse.groups[group->index] = {Unknown{}};
    }
  }

  [[nodiscard]] bool contains(NodeId outer, NodeId inner) const {
    if (outer == inner) return true;
    const Regex& regex = pattern_.regex;
    if (const auto* group = regex.get<rx::Group>(outer)) return contains(group->body, inner);
    if (const auto* repeat = regex.get<rx::Repeat>(outer)) return contains(repeat->body, inner);
    if (const auto* look = regex.get<rx::Look>(outer)) return contains(look->body, inner);
    auto any = [&](std::span<const NodeId> items) {
      return std::any_of(items.begin(), items.end(),
                         [&](NodeId item) { return contains(item, inner); });
    };
    if (const auto* sequence = regex.get<rx::Sequence>(outer))
      return any(regex.children(*sequence));
    if (const auto* choice = regex.get<rx::Choice>(outer)) return any(regex.children(*choice));
    return false;
  }

 private:
  Words words(NodeId id) const { return program_.node_words(pattern_, id); }
  States inside(State state, const Text& text, NodeId id) const {
    return domain_.member(std::move(state), text, words(id)).yes;
  }

  const Program& program_;
  const Domain& domain_;
  const SearchPattern& pattern_;
  size_t limit_;
};

std::vector<uint32_t> characters(const Letters& letters, const Word& word) {
  std::vector<uint32_t> out;
  for (Letter letter : word) out.push_back(letters[letter].most_natural());
  return out;
}

Search search_of(const std::string& method) {
  return method == "match"    ? Search::kMatch
         : method == "search" ? Search::kSearch
                              : Search::kFullMatch;
}

}  // namespace

Evaluations Interpreter::call_regex(const std::string& method, ExprId place, const Actuals& actuals,
                                    Span span, State state) {
  Evaluations out;
  const SearchPattern& pattern = *program_.pattern(place);
  if (method == "compile") {
    out.push_back({std::move(state), {Callable{static_cast<uint32_t>(place), {}, "re.Pattern"}}});
    return out;
  }
  const bool is_sub = method == "sub" || method == "subn";
  const size_t at = is_sub ? 1 : 0;
  const bool is_match = method == "match" || method == "fullmatch" || method == "search";
  if (actuals.positional.size() <= at) {
    out.push_back({std::move(state), unknown(span, "this call of re." + method + "()")});
    return out;
  }
  const Value subject = actuals.positional[at];
  const auto* text = subject.as<Text>();
  if (text == nullptr) {
    if (subject.as<Unknown>() == nullptr && subject.as<Typed>() == nullptr)
      raise(std::move(state), "TypeError", "expected a string", span);
    else
      out.push_back({std::move(state), unknown(span, "a match of an unknown value")});
    return out;
  }
  // Places to begin and to end at are not looked at.
  const bool has_more = is_match && actuals.positional.size() > 1 &&
                        actuals.places.size() == actuals.positional.size();
  if (is_match && !has_more && pattern.dfas[static_cast<size_t>(search_of(method))] != nullptr)
    match_text(search_of(method), place, std::move(state), *text, out);
  else if (method == "sub")
    substitute(place, actuals, span, std::move(state), out);
  else if (method == "findall" || method == "finditer")
    find_all(place, method == "finditer", *text, std::move(state), out);
  else if (method == "split" && actuals.positional.size() == 1 && pattern.regex.group_count == 0)
    split_at_matches(place, *text, std::move(state), out);
  else
    out.push_back({std::move(state), unknown(span, "this call of re." + method + "()")});
  return out;
}

// None, or a match with its groups.
void Interpreter::match_text(Search search, ExprId place, State state, const Text& text,
                             Evaluations& out) {
  const SearchPattern& pattern = *program_.pattern(place);
  WordStore& store = domain_.words();
  const size_t count = pattern.regex.group_count + 1;
  Split split = domain_.member(std::move(state), text, pattern.words[static_cast<size_t>(search)]);
  for (State& no : split.no) out.push_back({std::move(no), {NoneValue{}}});
  for (State& yes : split.yes) {
    if (domain_.is_concrete()) {
      std::optional<Word> word = domain_.constant(yes, text);
      RegexOutcome found;
      if (word)
        found = match_regex(pattern.regex, characters(program_.letters(), *word), 0,
                            search == Search::kSearch, search == Search::kFullMatch);
      MatchObject match{std::vector<Value>(count, Value{Unknown{}}), place, Linear(0)};
      if (found.match && !found.is_exhausted) {
        for (size_t i = 0; i < count; ++i) {
          const auto& group = found.match->groups[i];
          match.groups[i] = {NoneValue{}};
          if (!group) continue;
          Word piece(word->begin() + static_cast<std::ptrdiff_t>(group->first),
                     word->begin() + static_cast<std::ptrdiff_t>(group->second));
          match.groups[i] = {domain_.constant_text(yes, piece)};
        }
        match.start = Linear(static_cast<int64_t>(found.match->begin()));
      }
      out.push_back({std::move(yes), {std::move(match)}});
      continue;
    }
    Cutter cutter(program_, domain_, pattern, limits_.states);
    Parse start{std::move(yes), std::vector<Value>(count, Value{NoneValue{}})};
    std::vector<Parse> parses;
    const NodeId root = pattern.regex.root();
    State kept = start.state;
    const bool cuts_groups = has_groups(pattern.regex, root);
    if (search == Search::kFullMatch) {
      parses = cuts_groups ? cutter.cut(std::move(start), root, text) : std::vector<Parse>{start};
      for (Parse& parse : parses) parse.groups[0] = {parse.state.text(text)};
    } else if (search == Search::kMatch) {
      std::vector<NodeId> items = {root};
      if (const auto* sequence = pattern.regex.get<rx::Sequence>(root)) {
        auto children = pattern.regex.children(*sequence);
        items.assign(children.begin(), children.end());
      }
      cutter.cut_sequence(std::move(start), items, 0, text, store.all(), true, parses);
      // The whole match is what the groups do not say: it begins the subject.
      for (Parse& parse : parses) parse.groups[0] = {Unknown{}};
    }
    if (parses.empty() || parses.size() > limits_.states * 2) {
      // Any words of the groups.
      parses.clear();
      Parse open{std::move(kept), std::vector<Value>(count, Value{NoneValue{}})};
      cutter.loosen(open, root);
      open.groups[0] = {Unknown{}};
      parses.push_back(std::move(open));
    }
    for (Parse& parse : parses) {
      MatchObject match{std::move(parse.groups), place, {}};
      const SymbolId begin =
          parse.state.add_number({0, search == Search::kSearch ? kUnlimited : 0});
      match.start = Linear::of(begin);
      out.push_back({std::move(parse.state), {std::move(match)}});
    }
  }
}

std::optional<size_t> Interpreter::group_number(const State& state, const MatchObject& match,
                                                const Value& group) const {
  if (std::optional<int64_t> number = as_constant(state, group))
    return *number < 0 ? std::nullopt : std::optional(static_cast<size_t>(*number));
  const auto* text = group.as<Text>();
  std::optional<Word> word = text != nullptr ? domain_.constant(state, *text) : std::nullopt;
  if (!word) return std::nullopt;
  const std::string name = program_.letters().text(*word);
  for (const regular::GroupName& known : program_.pattern(match.pattern)->regex.group_names) {
    if (known.name == name) return known.index;
  }
  return std::nullopt;
}

void Interpreter::match_method(const std::string& name, Span span, State state,
                               const MatchObject& match, const Actuals& actuals, Evaluations& out) {
  const SearchPattern& pattern = *program_.pattern(match.pattern);
  // A group of which only the language is known: any word of it, or None where it may be missing.
  auto with_group = [&](State here, size_t i, const std::function<void(State, Value)>& then) {
    if (match.groups[i].as<Unknown>() == nullptr) return then(std::move(here), match.groups[i]);
    Words words = program_.node_words(pattern, pattern.regex.root());
    for (uint32_t k = 0; k < pattern.regex.size(); ++k) {
      const auto* group = pattern.regex.get<rx::Group>(NodeId{k});
      if (group != nullptr && group->index == i) words = program_.node_words(pattern, group->body);
    }
    State none = here;
    const SymbolId word = here.add_word(words);
    if (!domain_.words().is_empty(words)) then(std::move(here), {Text{word}});
    if (i > 0) then(std::move(none), {NoneValue{}});
  };
  std::vector<size_t> numbers;
  if (name == "group" || name == "__getitem__") {
    for (const Value& argument : actuals.positional) {
      std::optional<size_t> number = group_number(state, match, argument);
      if (!number)
        return out.push_back({std::move(state), unknown(span, "a group that is not constant")});
      if (*number >= match.groups.size())
        return raise(std::move(state), "IndexError", "no such group", span);
      numbers.push_back(*number);
    }
    if (numbers.empty()) numbers.push_back(0);
  } else if (name == "groups" || name == "groupdict") {
    for (size_t i = 1; i < match.groups.size(); ++i) numbers.push_back(i);
  } else if ((name == "start" || name == "end" || name == "span") && actuals.positional.empty()) {
    return with_group(std::move(state), 0, [&](State here, const Value& whole) {
      Linear begin = here.linear(match.start);
      Linear end = begin + domain_.length(here, *whole.as<Text>());
      Value result = name == "start" ? Value{begin}
                     : name == "end" ? Value{end}
                                     : Value{Sequence{{Value{begin}, Value{end}}, false}};
      out.push_back({std::move(here), std::move(result)});
    });
  } else {
    return out.push_back({std::move(state), unknown(span, "the method '" + name + "' of a match")});
  }
  const Value missing =
      name == "groups" && !actuals.positional.empty() ? actuals.positional[0] : Value{NoneValue{}};
  std::function<void(State, size_t, std::vector<Value>)> walk = [&](State here, size_t at,
                                                                    std::vector<Value> values) {
    if (at == numbers.size()) {
      Value result;
      if (name == "groupdict") {
        Dict dict;
        for (const regular::GroupName& known : pattern.regex.group_names) {
          dict.keys.push_back({domain_.constant_text(here, program_.letters().word(known.name))});
          dict.values.push_back(values[known.index - 1]);
        }
        result = here.allocate({std::move(dict)});
      } else if (name == "groups" || numbers.size() > 1) {
        result = {Sequence{std::move(values), false}};
      } else {
        result = values[0];
      }
      return out.push_back({std::move(here), std::move(result)});
    }
    with_group(std::move(here), numbers[at], [&](State next, const Value& value) {
      std::vector<Value> longer = values;
      longer.push_back(value.as<NoneValue>() != nullptr ? missing : std::move(value));
      walk(std::move(next), at + 1, std::move(longer));
    });
  };
  walk(std::move(state), 0, {});
}

// ---- sub(), findall(), split()

namespace {

// A regex that is one class of characters, or a run of them.
struct ClassPattern {
  NodeId letter;
  bool is_run;
};

std::optional<ClassPattern> class_pattern(const Regex& regex) {
  NodeId id = regex.root();
  while (const auto* group = regex.get<rx::Group>(id)) id = group->body;
  auto is_class = [&](NodeId node) {
    return regex.get<rx::Class>(node) != nullptr || regex.get<rx::Literal>(node) != nullptr;
  };
  if (is_class(id)) return ClassPattern{id, false};
  const auto* repeat = regex.get<rx::Repeat>(id);
  if (repeat == nullptr || repeat->min != 1 || repeat->max < 1'000'000 ||
      repeat->greed != rx::Greed::kGreedy || !is_class(repeat->body))
    return std::nullopt;
  return ClassPattern{repeat->body, true};
}

}  // namespace

void Interpreter::substitute(ExprId place, const Actuals& actuals, Span span, State state,
                             Evaluations& out) {
  const SearchPattern& pattern = *program_.pattern(place);
  const Text text = *actuals.positional[1].as<Text>();
  const auto* with = actuals.positional[0].as<Text>();
  std::optional<Word> to = with != nullptr ? domain_.constant(state, *with) : std::nullopt;
  const std::string replacement = to ? program_.letters().text(*to) : "";
  WordStore& words = domain_.words();
  auto any = [&] {
    unknown(span, "this call of re.sub()");
    Text result = any_text(state);
    out.push_back({std::move(state), {std::move(result)}});
  };
  if (!to || replacement.find('\\') != std::string::npos || actuals.positional.size() > 2 ||
      !actuals.named.empty())
    return any();
  if (domain_.is_concrete()) {
    std::optional<Word> subject = domain_.constant(state, text);
    if (!subject) return any();
    const std::vector<uint32_t> all = characters(program_.letters(), *subject);
    Word result;
    size_t at = 0;
    while (at <= all.size()) {
      RegexOutcome found = match_regex(pattern.regex, all, at, true, false);
      // Empty matches have rules of their own.
      if (found.is_exhausted || (found.match && found.match->begin() == found.match->end()))
        return any();
      const size_t end = found.match ? found.match->begin() : all.size();
      result.insert(result.end(), subject->begin() + static_cast<std::ptrdiff_t>(at),
                    subject->begin() + static_cast<std::ptrdiff_t>(end));
      if (!found.match) break;
      result.insert(result.end(), to->begin(), to->end());
      at = found.match->end();
    }
    Text made = domain_.constant_text(state, result);
    return out.push_back({std::move(state), {std::move(made)}});
  }
  const Words language = domain_.language(state, text);
  std::optional<ClassPattern> simple = class_pattern(pattern.regex);
  if (!simple) {
    // Letters of the subject and of the replacement, in some order.
    LetterSet letters = words.letters_in(language);
    for (Letter letter : *to) letters[letter] = true;
    const SymbolId word = state.add_word(words.star(words.one_of(letters)));
    return out.push_back({std::move(state), {Text{word}}});
  }
  const LetterSet matching = words.letters_in(program_.node_words(pattern, simple->letter));
  const Automaton& source = words[language];
  std::vector<WordStore::WordArc> arcs;
  std::vector<uint8_t> accepting(source.size() * 2, 0);
  for (uint32_t q = 0; q < source.size(); ++q) {
    for (uint32_t in_run : {0u, 1u}) {
      accepting[q * 2 + in_run] = source.accepting[q];
      for (uint32_t c = 0; c < words.letters(); ++c) {
        const uint32_t target = source.next[size_t{q} * words.letters() + c];
        if (target == kNoState) continue;
        if (!matching[c])
          arcs.push_back({q * 2 + in_run, {static_cast<Letter>(c)}, target * 2});
        else if (simple->is_run && in_run == 1)
          arcs.push_back({q * 2 + 1, {}, target * 2 + 1});
        else
          arcs.push_back({q * 2 + in_run, *to, target * 2 + (simple->is_run ? 1 : 0)});
      }
    }
  }
  const SymbolId word = state.add_word(words.from_arcs(arcs, accepting));
  out.push_back({std::move(state), {Text{word}}});
}

// The matches, or what their groups hold.
void Interpreter::find_all(ExprId place, bool is_iterator, const Text& text, State state,
                           Evaluations& out) {
  const SearchPattern& pattern = *program_.pattern(place);
  const uint32_t groups = pattern.regex.group_count;
  WordStore& words = domain_.words();
  if (domain_.is_concrete()) {
    std::optional<Word> subject = domain_.constant(state, text);
    Sequence list{{}, true};
    const std::vector<uint32_t> all = characters(program_.letters(), subject.value_or(Word{}));
    bool is_known = subject.has_value();
    for (size_t at = 0; is_known && at <= all.size();) {
      RegexOutcome found = match_regex(pattern.regex, all, at, true, false);
      is_known = !found.is_exhausted;
      if (!found.match) break;
      auto piece = [&](size_t i) -> Value {
        const auto& group = found.match->groups[i];
        if (!group) return is_iterator ? Value{NoneValue{}} : Value{Text{}};
        Word word(subject->begin() + static_cast<std::ptrdiff_t>(group->first),
                  subject->begin() + static_cast<std::ptrdiff_t>(group->second));
        return {domain_.constant_text(state, word)};
      };
      std::vector<Value> items;
      for (size_t i = is_iterator || groups == 0 ? 0 : 1; i <= groups; ++i)
        items.push_back(piece(i));
      if (is_iterator)
        list.items.push_back(
            {MatchObject{items, place, Linear(static_cast<int64_t>(found.match->begin()))}});
      else
        list.items.push_back(items.size() == 1 ? items[0] : Value{Sequence{items, false}});
      at = found.match->end() + (found.match->begin() == found.match->end() ? 1 : 0);
    }
    Value result = is_known ? Value{std::move(list)} : Value{Unknown{}};
    if (is_known && !is_iterator) result = new_list(state, std::move(result));
    return out.push_back({std::move(state), std::move(result)});
  }
  auto group_words = [&](uint32_t index) {
    Words result = words.empty_word();  // of a group that took no part
    for (uint32_t k = 0; k < pattern.regex.size(); ++k) {
      const auto* group = pattern.regex.get<rx::Group>(NodeId{k});
      if (group != nullptr && group->index == index)
        result = program_.node_words(pattern, group->body);
    }
    return result;
  };
  const bool is_optional = [&] {
    // A group under a choice or a loop may be missing.
    NodeId root = pattern.regex.root();
    const auto* sequence = pattern.regex.get<rx::Sequence>(root);
    if (pattern.regex.get<rx::Group>(root) != nullptr) return false;
    if (sequence == nullptr) return true;
    auto children = pattern.regex.children(*sequence);
    return !std::all_of(children.begin(), children.end(), [&](NodeId child) {
      return pattern.regex.get<rx::Group>(child) != nullptr || !has_groups(pattern.regex, child);
    });
  }();
  Type item = type_of_words(program_.node_words(pattern, pattern.regex.root()));
  if (is_iterator) {
    item = type_of_kind(Type::Kind::kMatch);
    item.cls = static_cast<uint32_t>(place);
  } else if (groups > 0) {
    std::vector<Type> parts;
    for (uint32_t i = 1; i <= groups; ++i) {
      Words one = group_words(i);
      if (is_optional) one = words.unite(one, words.empty_word());
      parts.push_back(type_of_words(one));
    }
    item = groups == 1 ? parts[0] : type_of_parts(Type::Kind::kTuple, std::move(parts));
  }
  Value list = typed(
      type_of_parts(is_iterator ? Type::Kind::kIterable : Type::Kind::kList, {std::move(item)}));
  list = new_list(state, std::move(list));
  out.push_back({std::move(state), std::move(list)});
}

void Interpreter::split_at_matches(ExprId place, const Text& text, State state, Evaluations& out) {
  const SearchPattern& pattern = *program_.pattern(place);
  WordStore& words = domain_.words();
  if (domain_.is_concrete()) {
    std::optional<Word> subject = domain_.constant(state, text);
    Sequence list{{}, true};
    const std::vector<uint32_t> all = characters(program_.letters(), subject.value_or(Word{}));
    bool is_known = subject.has_value();
    for (size_t at = 0; is_known;) {
      RegexOutcome found = match_regex(pattern.regex, all, at, true, false);
      if (found.is_exhausted || (found.match && found.match->begin() == found.match->end())) {
        is_known = false;
        break;
      }
      const size_t end = found.match ? found.match->begin() : all.size();
      Word piece(subject->begin() + static_cast<std::ptrdiff_t>(at),
                 subject->begin() + static_cast<std::ptrdiff_t>(end));
      list.items.push_back({domain_.constant_text(state, piece)});
      if (!found.match) break;
      at = found.match->end();
    }
    Value result = is_known ? new_list(state, {std::move(list)}) : Value{Unknown{}};
    return out.push_back({std::move(state), std::move(result)});
  }
  LetterSet letters = words.letters_in(domain_.language(state, text));
  std::optional<ClassPattern> simple = class_pattern(pattern.regex);
  if (simple) {
    const LetterSet matching = words.letters_in(program_.node_words(pattern, simple->letter));
    for (size_t i = 0; i < letters.size(); ++i) letters[i] = letters[i] && !matching[i];
  }
  Value list = typed(
      type_of_parts(Type::Kind::kList, {type_of_words(words.star(words.one_of(letters)))}), true);
  list = new_list(state, std::move(list));
  out.push_back({std::move(state), std::move(list)});
}

}  // namespace nacre::python
