// split() and partition(). The items of a split stay pieces of its subject, cut off only as far as
// they are looked at.
#include <algorithm>

#include "python/interpreter.h"

namespace nacre::python {

std::vector<Interpreter::Piece> Interpreter::next_piece(State state, const Text& rest,
                                                        const SplitList& list, States& none) {
  std::vector<Piece> out;
  const Word& separator = list.separator;
  if (list.is_letters) {
    Linear length = domain_.length(state, rest);
    Split empty = domain_.equals_zero(std::move(state), length);
    append(none, std::move(empty.yes));
    for (State& one : empty.no) {
      for (Divided& cut : domain_.cut(std::move(one), rest, Linear(1))) {
        Linear left = domain_.length(cut.state, cut.after);
        Split last = domain_.equals_zero(std::move(cut.state), left);
        for (State& end : last.yes) out.push_back({std::move(end), cut.before, {}, true});
        for (State& more : last.no) out.push_back({std::move(more), cut.before, cut.after, false});
      }
    }
    return out;
  }
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
      // Only white space after it: this was the last one.
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

void Interpreter::split(State state, const MethodCall& call, Evaluations& out, bool backwards) {
  Word separator;
  if (!call.arguments.empty() && call.arguments[0].as<NoneValue>() == nullptr) {
    const auto* text = call.arguments[0].as<Text>();
    std::optional<Word> word;
    if (text != nullptr) word = domain_.constant(state, *text);
    if (!word)
      return out.push_back(
          {std::move(state), unknown(call.span, "a split at a value that is not a constant")});
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
        {std::move(state), unknown(call.span, "a partition at a value that is not a constant")});
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

namespace {

// Whether an end of the word is also its beginning: then its last occurrence in a text need not be
// one at which split() cuts.
bool overlaps_itself(const Word& word) {
  for (size_t i = 1; i < word.size(); ++i) {
    if (std::equal(word.begin() + static_cast<std::ptrdiff_t>(i), word.end(), word.begin()))
      return true;
  }
  return false;
}

}  // namespace

void Interpreter::index_split(Span span, State state, const SplitList& split, int64_t at,
                              Evaluations& out) {
  auto wrong = [&](State bad) {
    raise(std::move(bad), "IndexError", "list index out of range", span);
  };
  if (at == -1 && !split.separator.empty() && !overlaps_itself(split.separator))
    return last_of_split(std::move(state), split, out);
  const auto needed = static_cast<size_t>(at < 0 ? 0 : at);
  if (needed > most_items()) {
    Value any = {any_text(state)};
    unknown(span, "an item so far after");
    return out.push_back({std::move(state), std::move(any)});
  }
  if (at >= 0) {
    return take(std::move(state), split, needed + 1,
                [&](State here, const std::vector<Value>& items, const Value&) {
                  if (items.size() <= needed) return wrong(std::move(here));
                  out.push_back({std::move(here), items[needed]});
                });
  }
  States more;
  items_of(
      std::move(state), {split}, most_items(),
      [&](State here, const std::vector<Value>& items) {
        int64_t position = static_cast<int64_t>(items.size()) + at;
        if (position < 0) return wrong(std::move(here));
        out.push_back({std::move(here), items[static_cast<size_t>(position)]});
      },
      more);
  for (State& many : more) {
    Text any = any_text(many);
    out.push_back({std::move(many), {std::move(any)}});
  }
}

// What follows the last separator, or all.
void Interpreter::last_of_split(State state, const SplitList& split, Evaluations& out) {
  Word backwards(split.separator.rbegin(), split.separator.rend());
  Linear size(static_cast<int64_t>(split.separator.size()));
  States none;
  for (Divided& last : domain_.scan(std::move(state), split.subject,
                                    domain_.first_occurrence(backwards), true, none)) {
    Text tail = last.after;
    for (Divided& cut : domain_.cut(std::move(last.state), tail, size))
      out.push_back({std::move(cut.state), {std::move(cut.after)}});
  }
  for (State& whole : none) out.push_back({std::move(whole), {split.subject}});
}

// The first `count` items (fewer where there are no more), and the list of the others.
void Interpreter::take(State state, const SplitList& split, size_t count,
                       const std::function<void(State, std::vector<Value>, Value)>& then) {
  std::function<void(State, const Text&, std::vector<Value>)> walk =
      [&](State here, const Text& rest, const std::vector<Value>& items) {
        if (items.size() == count)
          return then(std::move(here), items, {SplitList{rest, split.separator, split.is_letters}});
        States none;
        for (Piece& piece : next_piece(std::move(here), rest, split, none)) {
          if (!spend()) return;  // ways to cut multiply with every item
          std::vector<Value> longer = items;
          longer.push_back({std::move(piece.piece)});
          if (piece.is_last)
            then(std::move(piece.state), std::move(longer), {Sequence{{}, true}});
          else
            walk(std::move(piece.state), piece.rest, std::move(longer));
        }
        for (State& empty : none) then(std::move(empty), items, {Sequence{{}, true}});
      };
  walk(std::move(state), split.subject, {});
}

// ---- items

bool Interpreter::is_iterable(const Value& value) {
  return value.as<Text>() != nullptr || value.as<SplitList>() != nullptr ||
         value.as<Sequence>() != nullptr;
}

void Interpreter::items_of(State state, const Value& value, size_t most,
                           const std::function<void(State, const std::vector<Value>&)>& then,
                           States& more) {
  if (const auto* sequence = value.as<Sequence>()) return then(std::move(state), sequence->items);
  const auto* text = value.as<Text>();
  SplitList list = text != nullptr ? SplitList{*text, {}, true} : *value.as<SplitList>();
  take(std::move(state), list, most,
       [&](State here, const std::vector<Value>& items, const Value& rest) {
         if (rest.as<SplitList>() != nullptr)
           more.push_back(std::move(here));
         else
           then(std::move(here), items);
       });
}

}  // namespace nacre::python
