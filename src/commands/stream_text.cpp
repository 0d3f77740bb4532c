#include "commands/stream_text.h"

#include <algorithm>
#include <optional>

#include "regular/decide.h"
#include "regular/line_select.h"
#include "regular/translate_chars.h"
#include "regular/words.h"

namespace nacre::commands {

namespace {

uint32_t bound(uint64_t count) {
  return count >= regular::kUnbounded ? regular::kUnbounded : static_cast<uint32_t>(count);
}

// How many newlines the texts have.
LineCount newlines_in(Lang texts, const Budget& budget) {
  regular::TrPlan plan;
  for (uint32_t byte = 0; byte < 256; byte++) {
    plan.map[byte] = static_cast<uint8_t>(byte);
    plan.removed[byte] = byte != '\n';
  }
  const auto lengths =
      regular::lengths_of(regular::image(regular::translate_chars(plan), texts, budget), budget);
  if (lengths.empty()) return {0, 0};
  const uint32_t most = lengths.most();
  LineCount result{lengths.least(), most == regular::kUnbounded ? kManyLines : most};
  while (result.least_if_any < most && !lengths.contains(result.least_if_any))
    result.least_if_any++;
  return result;
}

// A stretch of a text between two newlines that stand in it for certain: pieces without a newline,
// and some (`open`) that are any string of a set with the newline in it, here without it.
struct TextPieces {
  std::vector<Lang> langs;
  std::vector<size_t> open;
};

// How many newlines a factor of a text is, if it is nothing else.
std::optional<size_t> count_newlines(Lang factor) {
  constexpr size_t kMax = 4;
  for (size_t count = 1; count <= kMax; count++) {
    if (factor == factor.context().literal(std::string(count, '\n'))) return count;
  }
  return std::nullopt;
}

// All stretches of the texts; the last one is empty if a newline ends them. `is_rough`: a piece
// that may hold a newline is taken for any string of its symbols.
std::optional<std::vector<TextPieces>> stretches_of(Lang texts, bool is_rough) {
  constexpr size_t kMaxOpen = 4;  // lines may begin and end in any of them
  Context& context = texts.context();
  std::vector<TextPieces> result(1);
  for (const Lang factor : regular::factors_of(texts)) {
    const auto symbols = regular::symbols_of(factor);
    TextPieces& last = result.back();
    if (!symbols.contains('\n')) {
      last.langs.push_back(factor);
    } else if (const auto newlines = count_newlines(factor)) {
      result.resize(result.size() + *newlines);
    } else if ((is_rough || regular::starred_set(factor)) && last.open.size() < kMaxOpen) {
      last.open.push_back(last.langs.size());
      last.langs.push_back(star(context.set(symbols - regular::CharSet::of('\n'))));
    } else {
      return std::nullopt;
    }
  }
  if (result.size() > kMaxKnownLines) return std::nullopt;
  return result;
}

// A line begins with the stretch or within an open piece, and ends within a later one or with the
// stretch. Without a newline after it, nothing is no line.
Stream lines_of_pieces(Context& context, const TextPieces& pieces, bool has_newline) {
  const std::span<const Lang> langs(pieces.langs);
  const auto from = [&](size_t begin) {
    Lang result = concat(context, langs.subspan(begin));
    if (!has_newline && is_nullable(result)) result = result - context.epsilon();
    for (const size_t end : pieces.open) {
      if (end >= begin) result = result | concat(context, langs.subspan(begin, end + 1 - begin));
    }
    return result;
  };
  Stream result(context.empty());
  result.first.push_back(from(0));
  result.count = {1, pieces.open.empty() ? 1 : kManyLines};
  for (const size_t begin : pieces.open) result.rest = result.rest | from(begin);
  return result;
}

Stream lines_of_stretches(Context& context, std::span<const TextPieces> stretches) {
  Stream result = empty_stream(context);
  for (const TextPieces& stretch : stretches.first(stretches.size() - 1))
    result = concatenated(result, lines_of_pieces(context, stretch, true));
  const TextPieces& last = stretches.back();
  if (last.langs.empty()) return result;
  Stream rest = lines_of_pieces(context, last, false);
  if (std::all_of(last.langs.begin(), last.langs.end(), regular::is_nullable))
    rest.count.least = 0;  // nothing after the last newline: no line
  return concatenated(result, rest);
}

}  // namespace

Lang text_of(const Stream& stream) {
  Context& context = stream.rest.context();
  const Lang newline = context.literal("\n");
  const uint64_t firsts = std::min<uint64_t>(stream.first.size(), stream.count.most);
  const uint64_t least = stream.count.least > firsts ? stream.count.least - firsts : 0;
  const uint64_t most = stream.count.most == kManyLines ? kManyLines : stream.count.most - firsts;
  Lang result = repeat(stream.rest + newline, bound(least), bound(most));
  for (uint64_t i = firsts; i > 0; i--) {
    result = stream.first[i - 1] + newline + result;
    if (i > stream.count.least) result = optional(result);
  }
  return result;
}

Lang with_last_newline(Lang texts) {
  Context& context = texts.context();
  const Lang newline = context.literal("\n");
  const Lang ended = optional(context.all() + newline);  // or empty
  return (texts & ended) | ((texts - ended) + newline);
}

Stream lines_of_text(Context& context, std::string_view text) {
  std::vector<std::string_view> lines;
  const bool is_open = !text.empty() && !text.ends_with('\n');
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  Stream result(context.empty());
  if (lines.size() <= kMaxKnownLines) {
    for (const std::string_view line : lines) result.first.push_back(context.literal(line));
  } else {
    result.rest = context.words(lines);
  }
  result.count = {lines.size(), lines.size()};
  result.may_lack_newline = is_open;
  if (lines.size() > 1 && lines.size() <= kMaxOwnLines) {
    for (const Lang line : result.first)
      result.kinds.push_back({std::string(kOwnLine), Frequency::kEvery, Place::kAnywhere, line});
    result.kinds.front().place = Place::kFirst;
    result.kinds.back().place = Place::kLast;
  }
  const bool is_one = lines.size() <= 1;
  result.order = is_one ? Order::kSorted : Order::kScattered;
  result.is_distinct = is_one;
  return result;
}

Stream rough_stream_of(Lang texts) {
  const auto stretches = stretches_of(texts, true);
  return stretches ? lines_of_stretches(texts.context(), *stretches) : stream_of(texts);
}

Stream stream_of(Lang texts, const Budget& budget) {
  Context& context = texts.context();
  if (const auto stretches = stretches_of(texts, false))
    return lines_of_stretches(context, *stretches);
  const auto alphabet = context.alphabet();
  if (!regular::ends_with(texts, '\n')) texts = with_last_newline(texts);
  const auto each = regular::each_line(alphabet);
  const LineCount count = newlines_in(texts, budget);
  const uint64_t firsts =
      std::min(kMaxKnownLines, count.most == kManyLines ? count.least + 1 : count.most);
  std::vector<Lang> first;
  Lang left = texts;
  for (uint64_t i = 0; i < firsts; i++) {
    first.push_back(regular::image(regular::first_lines(alphabet, 1).then(each), left, budget));
    left = regular::image(regular::without_first_lines(alphabet, 1), left, budget);
  }
  Stream result(regular::image(each, left, budget));
  result.first = std::move(first);
  result.count = count;
  return result;
}

}  // namespace nacre::commands
