// A parsed program: the nodes of ast.h, the memory that holds them, and the file they came from.
// Movable, not copyable; share it with std::shared_ptr<const Tree> where nodes outlive their parse
// (functions of a running shell).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/source_file.h"
#include "shell/arena.h"
#include "shell/ast.h"
#include "shell/dialect.h"

namespace nacre::shell {

// From `#` to the end of the line, without the newline.
struct Comment {
  Span span;
};

class Tree {
 public:
  Tree(SourceFile file, Dialect dialect, uint32_t first_line, Arena arena, Sequence program,
       std::vector<Comment> comments, uint32_t commands)
      : file_(std::move(file)),
        arena_(std::move(arena)),
        program_(program),
        comments_(std::move(comments)),
        first_line_(first_line),
        commands_(commands),
        dialect_(dialect) {}
  Tree(Tree&&) = default;
  Tree& operator=(Tree&&) = default;

  [[nodiscard]] const SourceFile& file() const { return file_; }
  [[nodiscard]] Dialect dialect() const { return dialect_; }
  [[nodiscard]] const Sequence& program() const { return program_; }
  [[nodiscard]] std::string_view text(Span span) const { return file_.text(span); }
  // Counted from the start of the input, also where the file is only one command of a stream.
  [[nodiscard]] uint32_t line_of(uint32_t offset) const {
    return first_line_ + file_.line_of(offset) - 1;
  }

  // In the order of the text, also those within substitutions.
  [[nodiscard]] std::span<const Comment> comments() const { return comments_; }
  // The comments on the lines directly above `node`, with no blank line between.
  [[nodiscard]] std::span<const Comment> comments_above(Span node) const;
  // The comment after `node` on its last line, or null.
  [[nodiscard]] const Comment* comment_after(Span node) const;

  // How many commands were read, at any depth; a few of them twice, where the first reading was
  // given up.
  [[nodiscard]] uint32_t commands_read() const { return commands_; }
  [[nodiscard]] size_t memory() const { return arena_.bytes(); }

 private:
  SourceFile file_;
  Arena arena_;
  Sequence program_;
  std::vector<Comment> comments_;
  uint32_t first_line_;
  uint32_t commands_;
  Dialect dialect_;
};

}  // namespace nacre::shell
