// Brace expansion as a part of a word. The lexer takes braces and commas for literal text; this
// pass, made only for words with an unquoted `{`, finds those that belong together.
#include <charconv>

#include "shell/parser.h"

namespace nacre::shell {

namespace {

bool has_brace(std::span<const Part> parts) {
  for (const Part& part : parts) {
    if (part.kind == PartKind::kLiteral && part.text().find('{') != std::string_view::npos) {
      return true;
    }
  }
  return false;
}

// A `{` that waits for its `}`, and where its alternatives start in the list of pieces.
struct Open {
  size_t piece;                // the `{` itself
  std::vector<size_t> commas;  // pieces that are the commas of this level
};

struct Bound {
  bool is_number = false;
  bool is_character = false;
  int64_t value = 0;
  uint32_t width = 0;  // of a number with a leading zero
};

Bound bound(std::string_view text) {
  Bound result;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), result.value);
  result.is_number = !text.empty() && error == std::errc() && end == text.data() + text.size();
  if (result.is_number) {
    std::string_view digits = text[0] == '-' ? text.substr(1) : text;
    if (digits.size() > 1 && digits[0] == '0') result.width = static_cast<uint32_t>(text.size());
  } else if (text.size() == 1 && is(text[0], kStartsName) && text[0] != '_') {
    result.is_character = true;
    result.value = static_cast<unsigned char>(text[0]);
  }
  return result;
}

// 1..5, a..e, 1..9..2: fills `brace`; false if it is not one.
bool read_sequence(std::string_view text, Brace& brace) {
  size_t dots = text.find("..");
  if (dots == std::string_view::npos) return false;
  std::string_view second = text.substr(dots + 2), third;
  size_t more = second.find("..");
  if (more != std::string_view::npos) {
    third = second.substr(more + 2);
    second = second.substr(0, more);
  }
  Bound first = bound(text.substr(0, dots));
  Bound last = bound(second);
  bool are_numbers = first.is_number && last.is_number;
  if (!are_numbers && !(first.is_character && last.is_character)) return false;
  brace.form = are_numbers ? BraceForm::kNumbers : BraceForm::kCharacters;
  brace.first = first.value;
  brace.last = last.value;
  brace.width = std::max(first.width, last.width);
  brace.step = 1;
  if (more != std::string_view::npos) {
    Bound step = bound(third);
    if (!step.is_number) return false;
    brace.step = step.value == INT64_MIN || step.value == 0 ? 1 : std::abs(step.value);
  }
  return true;
}

// The literal parts cut at `{`, `,` and `}`, which become parts of one byte.
std::vector<Part> cut_at_braces(std::span<const Part> parts) {
  std::vector<Part> pieces;
  auto add = [&pieces](const Part& part, size_t begin, size_t end) {
    if (begin == end) return;
    Part piece = part;
    piece.bytes = part.bytes + begin;
    piece.size = static_cast<uint32_t>(end - begin);
    if (part.span.size() == part.size) {
      piece.span = {part.span.begin + static_cast<uint32_t>(begin),
                    part.span.begin + static_cast<uint32_t>(end)};
    }
    pieces.push_back(piece);
  };
  for (const Part& part : parts) {
    if (part.kind != PartKind::kLiteral) {
      pieces.push_back(part);
      continue;
    }
    size_t run = 0;
    for (size_t i = 0; i < part.size; i++) {
      char c = part.bytes[i];
      if (c != '{' && c != ',' && c != '}') continue;
      add(part, run, i);
      add(part, i, i + 1);
      run = i + 1;
    }
    add(part, run, part.size);
  }
  return pieces;
}

// Lists within each other: no more than may be, because the parser stops there.
uint32_t depth_of(std::span<const Part> parts) {
  uint32_t result = 0;
  for (const Part& part : parts) {
    if (part.kind != PartKind::kBrace) continue;
    result = std::max(result, 1U);
    for (const Word& word : part.brace().alternatives)
      result = std::max(result, 1 + depth_of(word.parts()));
  }
  return result;
}

bool is_mark(const Part& part, char mark) {
  return part.kind == PartKind::kLiteral && part.size == 1 && part.bytes[0] == mark;
}

}  // namespace

void Parser::expand_braces(size_t mark) {
  if (!has_brace(parts_.view(mark))) return;
  std::vector<Part> pieces = cut_at_braces(parts_.view(mark));
  std::vector<Part> done;
  std::vector<Open> open;
  bool found = false;
  for (const Part& piece : pieces) {
    if (is_mark(piece, '{')) {
      open.push_back({done.size(), {}});
    } else if (is_mark(piece, ',') && !open.empty()) {
      open.back().commas.push_back(done.size());
    } else if (is_mark(piece, '}') && !open.empty()) {
      Open last = std::move(open.back());
      open.pop_back();
      if (make_brace(done, last.piece, last.commas, piece.span.end)) {
        found = true;
        continue;
      }
    }
    done.push_back(piece);
  }
  if (!found) return;
  check(Feature::kBraceExpansion, parts_.view(mark).front().span, false);
  if (!can(Feature::kBraceExpansion)) return;
  parts_.drop(mark);
  for (const Part& part : done) push_joined(mark, part);
}

// Like push_literal, for a part that exists already.
void Parser::push_joined(size_t mark, const Part& part) {
  if (part.kind == PartKind::kLiteral && parts_.count(mark) > 0) {
    Part& last = parts_.back();
    if (last.kind == PartKind::kLiteral && last.bytes + last.size == part.bytes &&
        last.span.end == part.span.begin) {
      last.size += part.size;
      last.span.end = part.span.end;
      return;
    }
  }
  parts_.push(part);
}

// Replaces what follows the `{` at `at` in `done` by one part, if it is a list or a sequence.
bool Parser::make_brace(std::vector<Part>& done, size_t at, const std::vector<size_t>& commas,
                        uint32_t end) {
  Brace brace;
  bool is_one_text = done.size() == at + 2 && done[at + 1].kind == PartKind::kLiteral;
  if (commas.empty() && !(is_one_text && read_sequence(done[at + 1].text(), brace))) return false;
  if (can(Feature::kBraceExpansion) &&
      depth_ + depth_of(std::span(done).subspan(at + 1)) >= options_.max_depth) {
    halt_too_deep();
    return false;
  }
  size_t words = words_.mark();
  size_t begin = at + 1;
  for (size_t i = 0; brace.form == BraceForm::kList && i <= commas.size(); i++) {
    size_t stop = i < commas.size() ? commas[i] : done.size();
    size_t mark = parts_.mark();
    for (size_t k = begin; k < stop; k++) push_joined(mark, done[k]);
    uint32_t from = begin < done.size() ? done[begin].span.begin : end - 1;
    uint32_t to = i < commas.size() ? done[commas[i]].span.begin : end - 1;
    words_.push(finish_word(mark, {std::min(from, to), to}));
    begin = stop + 1;
  }
  brace.alternatives = words_.take(words, arena_);
  Part part;
  part.kind = PartKind::kBrace;
  part.span = {done[at].span.begin, end};
  part.brace_ = arena_.make(brace);
  done.resize(at);
  done.push_back(part);
  return true;
}

}  // namespace nacre::shell
