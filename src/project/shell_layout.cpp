#include "project/shell_layout.h"

#include <algorithm>

#include "shell/visitor.h"

namespace nacre::project {

namespace {

using namespace shell;

// Adds the span of each command, in the order in which they begin. Commands within words are left
// to the statement that they are part of.
class Collector {
 public:
  explicit Collector(std::vector<Span>& spans) : spans_(spans) {}

  void sequence(const Sequence* sequence) {
    if (sequence == nullptr) return;
    for (const Item& item : sequence->items) command(item.command);
  }

 private:
  void command(const Command* command) {
    if (command == nullptr) return;
    spans_.push_back(command->span);
    std::visit([this](const auto& node) { inside(node); }, command->node);
  }

  void inside(const Pipeline& node) {
    for (const PipelineItem& item : node.items) command(item.command);
  }
  void inside(const AndOr& node) {
    for (const AndOrItem& item : node.items) command(item.command);
  }
  void inside(const BraceGroup& node) { sequence(&node.body); }
  void inside(const Subshell& node) { sequence(&node.body); }
  void inside(const If& node) {
    for (const IfArm& arm : node.arms) {
      sequence(&arm.condition);
      sequence(&arm.body);
    }
    sequence(node.else_body);
  }
  void inside(const While& node) {
    sequence(node.condition);
    sequence(node.body);
  }
  void inside(const For& node) { sequence(node.body); }
  void inside(const ArithmeticFor& node) { sequence(node.body); }
  void inside(const Case& node) {
    for (const CaseArm& arm : node.arms) sequence(&arm.body);
  }
  void inside(const Function& node) { command(node.body); }
  void inside(const Coproc& node) { command(node.command); }
  void inside(const SimpleCommand&) {}
  void inside(const Conditional&) {}
  void inside(const ArithmeticCommand&) {}
  void inside(const Broken&) {}

  std::vector<Span>& spans_;
};

}  // namespace

Layout layout_of(const Tree& tree) {
  Layout layout;
  const SourceFile& file = tree.file();
  for (const Comment& comment : tree.comments()) {
    // To the shell a CR before the newline is part of the comment; here it is part of the line end.
    uint32_t end = file.line_span(file.line_of(comment.span.begin)).end;
    layout.comments.push_back({comment.span.begin, std::min(comment.span.end, end)});
  }
  Collector(layout.statements).sequence(&tree.program());
  return layout;
}

}  // namespace nacre::project
