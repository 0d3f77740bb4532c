// What the shape of an awk program tells of its output: how many lines it prints, and whether
// printing is all that it does.
#pragma once

#include "commands/awk_program.h"
#include "commands/stream.h"

namespace nacre::awk {

// Bounds on the number of lines, if every print and printf gives at most one line.
commands::LineCount lines_printed(const Program& program, commands::LineCount input);

// The records, by their numbers, for which a test of NR against a constant holds.
struct RecordRange {
  uint64_t first;
  uint64_t last;  // kManyLines: all that follow
};
std::optional<RecordRange> records_numbered(const Program& program, ExprId condition);
// Those for which it does not hold, if they are one range as well.
std::optional<RecordRange> other_records(RecordRange range);

// Records are what was read: nothing assigns to $0, a field or NR.
bool keeps_records(const Program& program);

// It prints one line for each record, which depends on nothing else: `{print $2}`.
bool prints_each(const Program& program);

// All that it prints is the first or the last field of each record: the record itself, if that has
// no separator.
bool prints_outer_field(const Program& program);

// The one field that is all it prints of a record.
std::optional<uint32_t> printed_field(const Program& program);

// What it prints of a record depends on that record and its number only: it sets no variable and
// prints nothing before or after all records.
bool is_record_by_record(const Program& program);

// It prints in END only: what it has gathered of all records.
bool prints_at_end(const Program& program);

// It prints, and has no other effect: it writes no file and runs no command.
bool only_prints(const Program& program);

}  // namespace nacre::awk
