// One text that the user gave: its name and its bytes, never changed. Maps byte offsets to what
// people count (lines, and columns in which tabs and wide characters take their width) and back.
// Cheap to copy: the bytes are shared. Immutable, so it may be read from several threads. Lines are
// looked for when first asked for. Files are limited to 4 GiB - 1 bytes: spans are 32 bits.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/span.h"

namespace nacre {

// All counts start at 1. `column` counts what a terminal shows (a tab moves to the next multiple of
// 8); `byte_column` counts bytes; `character` counts code points, as most formats do; `utf16`
// counts UTF-16 code units, as the language server protocol does. A byte that is not UTF-8 is one
// of each.
struct Position {
  uint32_t line = 1;
  uint32_t column = 1;
  uint32_t byte_column = 1;
  uint32_t character = 1;
  uint32_t utf16 = 1;
  friend bool operator==(Position, Position) = default;
};

// What a column counts where a place is given by line and column.
enum class ColumnUnit : uint8_t { kByte, kCharacter, kUtf16 };

class SourceFile {
 public:
  SourceFile() : SourceFile("", "") {}
  SourceFile(std::string name, std::string bytes);

  [[nodiscard]] const std::string& name() const { return data_->name; }
  [[nodiscard]] std::string_view bytes() const { return data_->bytes; }
  [[nodiscard]] std::string_view text(Span span) const {
    return bytes().substr(span.begin, span.size());
  }
  [[nodiscard]] Span whole() const { return {0, static_cast<uint32_t>(bytes().size())}; }

  // A last line without a newline counts; an empty file has one line.
  [[nodiscard]] uint32_t line_count() const;
  [[nodiscard]] uint32_t line_of(uint32_t offset) const;
  // Without its newline (and without the CR of a CRLF). `line` counts from 1.
  [[nodiscard]] Span line_span(uint32_t line) const;
  [[nodiscard]] Position position(uint32_t offset) const;
  // The offset of a line and a column, the inverse of position(). Beyond the last line it is the
  // end of the file, beyond the end of a line the end of that line (before its newline); a column
  // within a character is where that character begins.
  [[nodiscard]] uint32_t offset_of(uint32_t line, uint32_t column, ColumnUnit unit) const;

 private:
  struct Checkpoint {
    uint32_t offset, column, character, utf16;
  };
  struct Lines {
    std::vector<uint32_t> starts;
    std::vector<Checkpoint> checkpoints;  // inside long lines, sorted
  };
  struct Data {
    Data(std::string its_name, std::string its_bytes)
        : name(std::move(its_name)), bytes(std::move(its_bytes)) {}
    std::string name;
    std::string bytes;
    mutable std::once_flag lines_are_known;
    mutable Lines lines;
  };
  static std::vector<Checkpoint> find_checkpoints(std::string_view bytes,
                                                  const std::vector<uint32_t>& starts);
  [[nodiscard]] const Lines& lines() const;
  std::shared_ptr<const Data> data_;
};

}  // namespace nacre
