// Where the bytes of a derived text come from. The text between back-quotes, the body of `<<-`, the
// string of `sh -c` and the replacement of an alias are parsed in a buffer of their own; their
// spans are lifted to the file through this map. Pieces are in the order of the buffer; there is at
// least one, also for an empty text.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/span.h"

namespace nacre {

class TextMap {
 public:
  // `parent`: the map of the text that the pieces point into; null when that is the file.
  explicit TextMap(const TextMap* parent) : parent_(parent) {}

  // All of the text stands at one place: a file that a command there reads.
  explicit TextMap(Span place) : parent_(nullptr), place_(place) {}

  // From `at` on, the buffer is a copy of the source from `from` on.
  void add_copy(uint32_t at, uint32_t from) { pieces_.push_back({at, {from, from}, false}); }
  // From `at` on, the buffer stands for `from` as a whole: an escape, an alias.
  void add_whole(uint32_t at, Span from) { pieces_.push_back({at, from, true}); }

  // What [begin, end) of the buffer stands for, once more from `at` on.
  void repeat(uint32_t begin, uint32_t end, uint32_t at) {
    size_t count = pieces_.size();
    for (size_t i = 0; i < count; i++) {
      Piece piece = pieces_[i];
      uint32_t next = i + 1 < count ? pieces_[i + 1].at : end;
      if (next <= begin || piece.at >= end) continue;
      uint32_t skipped = piece.at < begin ? begin - piece.at : 0;
      if (!piece.is_whole) piece.from = {piece.from.begin + skipped, piece.from.begin + skipped};
      piece.at = at + (piece.at + skipped - begin);
      pieces_.push_back(piece);
    }
  }

  [[nodiscard]] Span to_file(Span span) const {
    if (!place_) return lift_to_file(span);
    return span.empty() ? Span{place_->begin, place_->begin} : *place_;
  }

 private:
  struct Piece {
    uint32_t at;
    Span from;
    bool is_whole;
  };

  [[nodiscard]] Span lift_to_file(Span span) const {
    Span lifted = lift(span);
    return parent_ == nullptr ? lifted : parent_->to_file(lifted);
  }

  [[nodiscard]] const Piece& piece_at(uint32_t offset) const {
    assert(!pieces_.empty());
    auto after = std::upper_bound(pieces_.begin(), pieces_.end(), offset,
                                  [](uint32_t at, const Piece& piece) { return at < piece.at; });
    return after == pieces_.begin() ? *after : *(after - 1);
  }

  [[nodiscard]] Span lift(Span span) const {
    const Piece& first = piece_at(span.begin);
    uint32_t begin = first.is_whole ? first.from.begin : first.from.begin + span.begin - first.at;
    if (span.empty()) return {begin, begin};
    const Piece& last = piece_at(span.end - 1);
    uint32_t end = last.is_whole ? last.from.end : last.from.begin + span.end - last.at;
    return {begin, std::max(begin, end)};
  }

  const TextMap* parent_;
  std::optional<Span> place_;
  std::vector<Piece> pieces_;
};

}  // namespace nacre
