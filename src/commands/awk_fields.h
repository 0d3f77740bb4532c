// How awk cuts a record into fields, as transducers from the record to one field.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "commands/stream.h"
#include "regular/transducer.h"

namespace nacre::commands {

class FieldSplitter {
 public:
  // `separator` is the value of FS: one blank (runs of blanks and newlines separate, ends are
  // trimmed), another single character (itself, a tab too), or a regular expression. Nothing if it
  // is no valid expression.
  static std::optional<FieldSplitter> make(Context& context, const std::string& separator);

  // The language of $number over the records `record`, with the empty string where there is no such
  // field.
  [[nodiscard]] Lang field(Lang record, uint64_t number) const;
  [[nodiscard]] Lang last_field(Lang record) const;
  // From a record to its field; nothing if the separator is an expression.
  [[nodiscard]] std::optional<regular::Transducer> map_to(uint64_t number) const;
  // The records whose field `number` may be in `wanted`.
  [[nodiscard]] Lang records_with(uint64_t number, Lang wanted) const;

 private:
  FieldSplitter(Context& context, regular::Transducer normalise, char separator)
      : context_(&context), normalise_(std::move(normalise)), separator_(separator) {}

  [[nodiscard]] Lang separated(uint64_t least_fields) const;  // of normalised records
  [[nodiscard]] Lang blurred() const;
  [[nodiscard]] regular::Transducer select(uint64_t number) const;

  Context* context_;
  regular::Transducer normalise_;  // to fields with one `separator_` between them
  char separator_;
};

}  // namespace nacre::commands
