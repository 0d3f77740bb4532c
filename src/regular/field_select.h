// Parts of a line by number: cut(1). Fields between delimiters, bytes or characters; lists, open
// ranges, complement, -s and --output-delimiter as GNU cut has them. Exact, unless a list names
// positions beyond the budget.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/budget.h"
#include "base/result.h"
#include "regular/transducer.h"

namespace nacre::regular {

// Numbers from first to last, counted from 1.
struct NumberRange {
  uint64_t first = 1;
  uint64_t last = kNoEnd;
  static constexpr uint64_t kNoEnd = ~uint64_t{0};
  friend bool operator==(NumberRange, NumberRange) = default;
};

// Sorted and disjoint; ranges that touch stay apart, because --output-delimiter goes between them.
using NumberList = std::vector<NumberRange>;

// What the list counts; it decides only the words of error messages.
enum class ListKind : uint8_t { kFields, kPositions };

// LIST of cut -f, -b, -c: "1,3-5,7-", "-2", separated by commas or blanks.
Result<NumberList> parse_number_list(std::string_view text, ListKind kind);
NumberList complement(const NumberList& list);

struct FieldOptions {
  Alphabet alphabet = Alphabet::kBytes;
  Symbol delimiter = '\t';
  NumberList list = {};
  bool only_delimited = false;  // -s: lines without the delimiter print nothing
  std::optional<std::string> output_delimiter = std::nullopt;  // none: the delimiter itself
};
// cut -f. Without the delimiter a line passes whole, unless only_delimited.
Transducer field_select(const FieldOptions& options, const Budget& budget = {});

// kSymbol: bytes over the byte alphabet, which is what GNU's cut -b and -c count; kCharacter: UTF-8
// characters, as POSIX wants -c.
enum class CountBy : uint8_t { kSymbol, kCharacter };

struct PositionOptions {
  Alphabet alphabet = Alphabet::kBytes;
  NumberList list = {};
  std::string output_delimiter = {};  // between ranges of the list
  CountBy count_by = CountBy::kSymbol;
};
// cut -b and -c.
Transducer position_select(const PositionOptions& options, const Budget& budget = {});

}  // namespace nacre::regular
