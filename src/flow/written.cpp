#include "flow/written.h"

#include <type_traits>
#include <vector>

#include "flow/rules/publish.h"
#include "shell/visitor.h"

namespace nacre::flow {

namespace {

// One way through the tree that knows which commands hold the one at hand.
class TextWalk {
 public:
  explicit TextWalk(RuleContext& rules) : rules_(rules) {}

  template <typename Node>
  void visit(const Node& node) {
    constexpr bool kIsCommand = std::is_same_v<Node, Command>;
    if constexpr (kIsCommand) publish(TextEvent{node, around_}, rules_);
    if constexpr (kIsCommand) around_.push_back(&node);
    shell::for_each_child(node, [this](const auto& child) { this->visit(child); });
    if constexpr (kIsCommand) around_.pop_back();
  }

 private:
  RuleContext& rules_;
  std::vector<const Command*> around_;
};

}  // namespace

void publish_text(Run& run) {
  publish(ScriptEvent{}, run.rules);
  // What could not be read is perhaps another language.
  bool is_whole = true;
  walk(run.tree.program(), shell::Visitor{[&](const Command& command) {
         is_whole &= !std::holds_alternative<shell::Broken>(command.node);
       }});
  if (!is_whole) return;
  TextWalk(run.rules).visit(run.tree.program());
}

}  // namespace nacre::flow
