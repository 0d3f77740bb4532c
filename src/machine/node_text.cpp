#include "machine/node_text.h"

namespace nacre::machine {

LimitedText& LimitedText::add(std::string_view piece) {
  constexpr std::string_view kMore = "...";
  if (is_full()) return *this;
  if (text_.size() + piece.size() <= limit_) {
    text_ += piece;
  } else {
    text_ += piece.substr(0, limit_ - text_.size());
    text_ += kMore;
  }
  return *this;
}

namespace {

class NodeText {
 public:
  NodeText(const Names& names, LimitedText& to) : names_(names), to_(to) {}

  void add(const Node& node) {
    if (to_.is_full()) return;
    // The text of a list may end in a separator, and never has its last `&`.
    bool is_list = node.kind == NodeKind::kSequence || node.kind == NodeKind::kBackground;
    if (!is_list && !node.text.empty() && node.text.find('\n') == std::string_view::npos) {
      to_.add(node.text);
      return;
    }
    rebuild(node);
  }

  void nested(const Node& node) {
    if (node.kind != NodeKind::kSequence) return add(node);
    to_.add("{ ");
    add(node);
    to_.add(ends_itself(node) ? " }" : "; }");
  }

 private:
  // `a &` needs no `;` after it.
  static bool ends_itself(const Node& node) {
    if (node.kind == NodeKind::kBackground) return true;
    return node.kind == NodeKind::kSequence && !node.children.empty() &&
           ends_itself(*node.children.back());
  }

  void body(std::string_view before, const Node& node, std::string_view after) {
    to_.add(before);
    add(node);
    to_.add(ends_itself(node) ? " " : "; ").add(after);
  }

  void rebuild(const Node& node) {
    switch (node.kind) {
      case NodeKind::kSequence: return sequence(node);
      case NodeKind::kAndOr: return and_or(node);
      case NodeKind::kNot: to_.add("! "); return nested(*node.children[0]);
      case NodeKind::kPipeline:
        for (size_t i = 0; i < node.children.size(); ++i) {
          if (i > 0) to_.add(" | ");
          nested(*node.children[i]);
        }
        return;
      case NodeKind::kBackground:
        nested(*node.children[0]);
        to_.add(" &");
        return;
      case NodeKind::kSubshell:
        to_.add("(");
        add(*node.children[0]);
        to_.add(")");
        return;
      case NodeKind::kGroup:
        nested(*node.children[0]);
        for (const Redirect& redirect : node.redirects) to_.add(" ").add(redirect.written);
        return;
      case NodeKind::kIf: return conditional(node);
      case NodeKind::kWhile:
        body(node.negated ? "until " : "while ", *node.children[0], "");
        return body("do ", *node.children[1], "done");
      case NodeKind::kFor:
        to_.add("for ").add(names_.text(node.name));
        if (node.has_in) to_.add(" in");
        for (const Word& word : node.words) to_.add(" ").add(word.written);
        return body("; do ", *node.children[0], "done");
      case NodeKind::kCase: return choice(node);
      case NodeKind::kFunction:
        to_.add(names_.text(node.name)).add("() ");
        return nested(*node.children[0]);
      case NodeKind::kArithmeticLoop:
        to_.add("for ((").add(node.words[0].written).add("; ").add(node.words[1].written);
        to_.add("; ").add(node.words[2].written).add(")); ");
        return body("do ", *node.children[0], "done");
      case NodeKind::kTime:
        to_.add(node.negated ? "time -p " : "time ");
        if (!node.children.empty()) nested(*node.children[0]);
        return;
      case NodeKind::kSelect:
        to_.add("select ").add(names_.text(node.name));
        if (node.has_in) to_.add(" in");
        for (const Word& word : node.words) to_.add(" ").add(word.written);
        return body("; do ", *node.children[0], "done");
      case NodeKind::kCoproc:
        to_.add("coproc ").add(names_.text(node.name)).add(" ");
        return nested(*node.children[0]);
      case NodeKind::kSimple:
      case NodeKind::kConditional:
      case NodeKind::kArithmetic:
      case NodeKind::kUnsupported: to_.add(node.text); return;
    }
  }

  void sequence(const Node& node) {
    for (size_t i = 0; i < node.children.size(); ++i) {
      if (i > 0) to_.add(ends_itself(*node.children[i - 1]) ? " " : "; ");
      add(*node.children[i]);
    }
  }

  void and_or(const Node& node) {
    for (size_t i = 0; i < node.children.size(); ++i) {
      if (i > 0) to_.add(node.ops[i] == shell::AndOrOp::kAnd ? " && " : " || ");
      nested(*node.children[i]);
    }
  }

  void conditional(const Node& node) {
    for (size_t i = 0; i + 1 < node.children.size(); i += 2) {
      body(i == 0 ? "if " : "elif ", *node.children[i], "");
      body("then ", *node.children[i + 1], "");
    }
    if (node.children.size() % 2 != 0) body("else ", *node.children.back(), "");
    to_.add("fi");
  }

  void choice(const Node& node) {
    to_.add("case ").add(node.words[0].written).add(" in");
    for (const CaseArm& arm : node.arms) {
      for (size_t i = 0; i < arm.patterns.size(); ++i) {
        to_.add(i == 0 ? " " : " | ").add(arm.patterns[i].written);
      }
      to_.add(") ");
      if (arm.body != nullptr) add(*arm.body);
      to_.add(arm.falls_through ? ";&" : ";;");
    }
    to_.add(" esac");
  }

  const Names& names_;
  LimitedText& to_;
};

}  // namespace

void add_node(const Node& node, const Names& names, LimitedText& to) {
  NodeText(names, to).add(node);
}

void add_nested(const Node& node, const Names& names, LimitedText& to) {
  NodeText(names, to).nested(node);
}

std::string node_text(const Node& node, const Names& names, size_t limit) {
  LimitedText text(limit);
  add_node(node, names, text);
  return text.take();
}

std::string nested_text(const Node& node, const Names& names, size_t limit) {
  LimitedText text(limit);
  add_nested(node, names, text);
  return text.take();
}

}  // namespace nacre::machine
