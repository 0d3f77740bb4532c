// split() and partition(). The items of a split stay pieces of its subject, cut off only as far as
// they are looked at.
#include <algorithm>

#include "python/interpreter.h"

namespace nacre::python {

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

void Interpreter::index_split(Span span, State state, const SplitList& split, int64_t at,
                              Evaluations& out) {
  if (at == -1 && !split.separator.empty()) {
    // The last item is what follows the last separator.
    Word reversed_separator(split.separator.rbegin(), split.separator.rend());
    States none;
    for (Divided& last : domain_.scan(std::move(state), split.subject,
                                      domain_.first_occurrence(reversed_separator), true, none)) {
      Text tail = last.after;
      for (Divided& cut : domain_.cut(std::move(last.state), tail,
                                      Linear(static_cast<int64_t>(split.separator.size())))) {
        out.push_back({std::move(cut.state), {std::move(cut.after)}});
      }
    }
    for (State& whole : none) out.push_back({std::move(whole), {split.subject}});
    return;
  }
  if (at < 0) {
    States more;
    expand(
        std::move(state), split, 8,
        [&](State here, std::vector<Text> items) {
          int64_t position = static_cast<int64_t>(items.size()) + at;
          if (position < 0)
            return raise(std::move(here), "IndexError", "list index out of range", span);
          out.push_back({std::move(here), {items[static_cast<size_t>(position)]}});
        },
        more);
    for (State& many : more) {
      Text any = any_text(many);
      out.push_back({std::move(many), {std::move(any)}});
    }
    return;
  }
  // Walk to the item.
  std::function<void(State, const Text&, int64_t)> walk = [&](State here, const Text& rest,
                                                              int64_t left) {
    States none;
    for (Piece& piece : next_piece(std::move(here), rest, split.separator, none)) {
      if (left == 0)
        out.push_back({std::move(piece.state), {std::move(piece.piece)}});
      else if (piece.is_last)
        raise(std::move(piece.state), "IndexError", "list index out of range", span);
      else
        walk(std::move(piece.state), piece.rest, left - 1);
    }
    for (State& bad : none) raise(std::move(bad), "IndexError", "list index out of range", span);
  };
  walk(std::move(state), split.subject, at);
}

}  // namespace nacre::python
