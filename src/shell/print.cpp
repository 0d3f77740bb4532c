#include "shell/print.h"

#include <cassert>
#include <vector>

#include "shell/visitor.h"

namespace nacre::shell {

namespace {

// The places of all leaves, in the order in which the walk meets them.
std::vector<Span> leaves_of(const Tree& tree) {
  std::vector<Span> leaves;
  walk(tree.program(), Visitor{[&](const Part& part) {
                                 bool is_leaf = part.is_text() || part.span.empty();
                                 if (is_leaf) leaves.push_back(part.span);
                                 return !is_leaf;
                               },
                               [&](const Command& command) {
                                 bool is_leaf = std::holds_alternative<Broken>(command.node);
                                 if (is_leaf) leaves.push_back(command.span);
                                 return !is_leaf;
                               }});
  for (const Comment& comment : tree.comments()) leaves.push_back(comment.span);
  std::sort(leaves.begin(), leaves.end(),
            [](Span a, Span b) { return a.begin != b.begin ? a.begin < b.begin : a.end < b.end; });
  return leaves;
}

}  // namespace

std::string print(const Tree& tree) {
  std::string result;
  result.reserve(tree.file().bytes().size());
  uint32_t at = 0;
  for (Span leaf : leaves_of(tree)) {
    assert(leaf.begin >= at || leaf.end <= at);
    if (leaf.begin < at) continue;
    result += tree.text({at, leaf.begin});  // keywords, operators, blanks
    result += tree.text(leaf);
    at = leaf.end;
  }
  result += tree.text({at, tree.file().whole().end});
  return result;
}

}  // namespace nacre::shell
