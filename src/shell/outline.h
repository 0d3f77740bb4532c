// The tree as plain nodes of one shape - kind, place, attributes, children - for what shows trees
// (`nacre ast`, editors) and does not care for each kind. Text attributes are the bytes of the
// file.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/span.h"
#include "shell/ast.h"
#include "shell/tree.h"

namespace nacre::shell {

struct OutlineNode {
  std::string_view kind;
  Span span;
  std::vector<std::pair<std::string_view, std::string>> attributes;
  std::vector<OutlineNode> children;
};

[[nodiscard]] OutlineNode outline(const Tree& tree);

// As JSON: {"kind": ..., "span": [begin, end], attributes..., "children": [...]}. Bytes that are
// not UTF-8 are shown as U+FFFD.
[[nodiscard]] std::string outline_json(const OutlineNode& root);
// As a graph for Graphviz.
[[nodiscard]] std::string outline_dot(const OutlineNode& root);

}  // namespace nacre::shell
