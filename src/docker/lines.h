// The lines of a Dockerfile as BuildKit's parser reads them (frontend/dockerfile/parser): an escape
// character at the end of a line, with blanks after it or not, continues it; comment lines and
// blank lines within a continued line vanish.
#pragma once

#include "base/source_file.h"
#include "docker/syntax.h"

namespace nacre::docker {

class LineReader {
 public:
  LineReader(const SourceFile& source, char escape) : bytes_(source.bytes()), escape_(escape) {}

  void set_escape(char escape) { escape_ = escape; }
  void set_position(uint32_t at) { at_ = at; }
  [[nodiscard]] bool at_end() const { return at_ >= bytes_.size(); }
  [[nodiscard]] uint32_t at() const { return at_; }

  // The next physical line, without its newline and the CR before it; moves after the newline.
  Span physical();
  // What physical() would give.
  [[nodiscard]] Span peek() const;
  // The next line with all that continues it.
  Line logical();

  [[nodiscard]] std::string_view text(Span span) const {
    return bytes_.substr(span.begin, span.size());
  }

 private:
  bool take(Span line, Line& result);

  std::string_view bytes_;
  char escape_;
  uint32_t at_ = 0;
};

}  // namespace nacre::docker
