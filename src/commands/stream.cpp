#include "commands/stream.h"

#include <algorithm>

#include "regular/decide.h"

namespace nacre::commands {

namespace {

LineCount sum(LineCount a, LineCount b) {
  const bool is_open = a.most == kManyLines || b.most == kManyLines;
  return {a.least + b.least, is_open ? kManyLines : a.most + b.most};
}

Choice weaker(Choice a, Choice b) { return std::max(a, b); }

}  // namespace

Lang any_text(Context& context) {
  return star(context.set(regular::CharSet::of('\n').complement(context.alphabet())));
}

Stream opaque_stream(Context& context) {
  Stream result(any_text(context));
  result.choice = Choice::kOpaque;
  return result;
}

Stream empty_stream(Context& context) {
  Stream result(context.empty());
  result.count = {0, 0};
  result.order = Order::kSorted;
  result.is_distinct = true;
  return result;
}

Lang any_line(const Stream& stream) {
  Lang result = stream.rest;
  for (Lang line : stream.first) result = result | line;
  return result;
}

Order order_by_field(const Stream& stream, uint32_t field) {
  if (stream.order < Order::kGrouped) return stream.order;
  const bool is_key =
      stream.sorted_field == field || (stream.order == Order::kSorted && field == 1);
  return is_key ? Order::kUnknown : Order::kScattered;
}

Lang below_heading(const Stream& stream) {
  if (stream.first.empty()) return stream.rest;
  Lang result = stream.rest;
  for (size_t i = 1; i < stream.first.size(); i++) result = result | stream.first[i];
  return regular::is_empty(result).yes() ? any_line(stream) : result;
}

bool is_silent(const Stream& stream) {
  return stream.count.most == 0 || regular::is_empty(any_line(stream)).yes();
}

bool is_exact(const Stream& stream) {
  return stream.rest.is_exact() && std::all_of(stream.first.begin(), stream.first.end(),
                                               [](Lang line) { return line.is_exact(); });
}

Stream filtered(const Stream& input, Lang kept) {
  Stream result = input;
  result.first.clear();
  result.rest = any_line(input) & kept;
  result.count.lower(0);
  uint64_t dropped = 0;
  for (const Lang line : input.first) {
    const bool is_sure = result.first.size() + dropped < input.count.least;
    const auto is_kept = regular::included(line, kept);
    const auto is_dropped = regular::disjoint(line, kept);
    if (is_sure && is_kept.yes() && is_kept.is_certain) {
      result.first.push_back(line);
    } else if (is_sure && is_dropped.yes() && is_dropped.is_certain) {
      dropped++;
    } else {
      return result;
    }
  }
  result.rest = input.rest & kept;
  result.count.least = result.first.size();
  if (input.count.most != kManyLines) result.count.most = input.count.most - dropped;
  return result;
}

Stream concatenated(const Stream& a, const Stream& b) {
  if (a.count.most == 0) return b;
  if (b.count.most == 0) return a;
  Stream result(any_line(a) | any_line(b));
  // The first lines are those of `a` as far as `a` surely reaches; its last one may be open.
  auto sure = static_cast<size_t>(std::min<uint64_t>(a.count.least, a.first.size()));
  result.count = sum(a.count, b.count);
  if (a.may_lack_newline) {
    result.rest = result.rest | (any_line(a) + any_line(b));
    if (sure > 0) sure--;
    if (result.count.least > 0 && a.count.least > 0 && b.count.least > 0) result.count.least--;
  }
  result.first.assign(a.first.begin(), a.first.begin() + static_cast<std::ptrdiff_t>(sure));
  // If `a` has these lines and no others, what follows is known, too.
  if (a.count.most == sure && !a.may_lack_newline && sure + b.first.size() <= kMaxKnownLines) {
    result.first.insert(result.first.end(), b.first.begin(), b.first.end());
    result.rest = b.rest;
  }
  result.may_lack_newline = b.may_lack_newline || (a.may_lack_newline && b.count.least == 0);
  result.choice = weaker(a.choice, b.choice);
  result.order = result.choice == Choice::kOpaque ? Order::kUnknown : Order::kScattered;
  return result;
}

Stream either(const Stream& a, const Stream& b) {
  Stream result(a.rest | b.rest);
  for (size_t i = 0; i < std::max(a.first.size(), b.first.size()); i++) {
    result.first.push_back((i < a.first.size() ? a.first[i] : a.rest) |
                           (i < b.first.size() ? b.first[i] : b.rest));
  }
  result.count = {std::min(a.count.least, b.count.least), std::max(a.count.most, b.count.most)};
  result.choice = weaker(a.choice, b.choice);
  result.order = std::min(a.order, b.order);
  result.scattered_by = a.order == Order::kScattered ? a.scattered_by : b.scattered_by;
  result.is_distinct = a.is_distinct && b.is_distinct;
  result.may_lack_newline = a.may_lack_newline || b.may_lack_newline;
  return result;
}

}  // namespace nacre::commands
