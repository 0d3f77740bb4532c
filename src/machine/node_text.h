// A command as one line of shell text: its source where that is one line, otherwise rebuilt from
// its parts with `;` between them. For people to read: the bodies of here-documents are left out.
#pragma once

#include <string>

#include "machine/code.h"

namespace nacre::machine {

// Text up to a limit; what comes after it is left out, and the end says so.
class LimitedText {
 public:
  explicit LimitedText(size_t limit) : limit_(limit) {}
  LimitedText& add(std::string_view piece);
  [[nodiscard]] bool is_full() const { return text_.size() >= limit_; }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  std::string text_;
  size_t limit_;
};

void add_node(const Node& node, const Names& names, LimitedText& to);
// In braces where it is a list, so that it can be part of another command.
void add_nested(const Node& node, const Names& names, LimitedText& to);
[[nodiscard]] std::string node_text(const Node& node, const Names& names, size_t limit);
[[nodiscard]] std::string nested_text(const Node& node, const Names& names, size_t limit);

}  // namespace nacre::machine
