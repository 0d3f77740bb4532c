// Kinds of lines in what a command prints: the heading above a table, the total below it, notes,
// the rows themselves. A stage may treat one kind well and another badly, so each is followed on
// its own through a pipeline; how often a kind comes decides how much a mistake about it matters.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "regular/lang.h"

namespace nacre::commands {

enum class Frequency : uint8_t {
  kEvery,      // in every run
  kUsual,      // the rows themselves
  kSometimes,  // in a normal state of the system: a stopped service, a detached head
  kRare,
};

enum class Place : uint8_t { kAnywhere, kFirst, kLast };

// What the cells of a column are for, where a type does not tell.
enum class ColumnRole : uint8_t {
  kValue,
  kProse,      // text for people: a search for a name finds it here, too
  kArguments,  // the command line of a process
};

struct LineKind {
  std::string name;  // "heading", "row", "total"
  Frequency frequency = Frequency::kUsual;
  Place place = Place::kAnywhere;
  regular::Lang lines;  // or what became of them
};

// The kind of a number of lines that counts a heading, too.
inline constexpr std::string_view kFramesCounted = "count with heading";

// The command that printed the lines first, for messages.
struct Producer {
  struct Column {
    std::string heading;  // empty: it has none
    regular::Lang cells;
    ColumnRole role = ColumnRole::kValue;
    std::string object = {};  // what the cells name: "container"
    bool is_right = false;    // blanks stand before its cells, so that they end below each other
  };
  std::string command;  // "docker ps"
  std::vector<Column> columns;
  std::string separator = " ";  // that may stand between two cells
  bool lists_reader = false;    // the process that reads the lines is one of the rows (ps -e)
  bool prints_json = false;     // a backslash in its lines is an escape of JSON
};
using ProducerPointer = std::shared_ptr<const Producer>;

// A row with `text` in this column and a shortest cell in every other; nothing if some column has
// no cells.
std::optional<std::string> row_with(const Producer& producer, size_t column, std::string_view text);

// "the NAME column of kubectl get" for texts that only one column of it can hold; empty if several
// can, or none.
std::string column_of(const Producer& producer, regular::Lang texts);

// What the texts name, if they are just the cells of a column that says it; else empty.
std::string object_in(const Producer& producer, regular::Lang texts);

}  // namespace nacre::commands
