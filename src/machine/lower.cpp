#include "machine/lower.h"

#include <algorithm>
#include <vector>

#include "machine/builtin.h"
#include "machine/lower_word.h"

namespace nacre::machine {
namespace {

class Lowering {
 public:
  Lowering(Code& code, Names& names, LowerOptions options)
      : code_(code),
        tree_(*code.tree),
        names_(names),
        options_(options),
        words_(code, names, [this](const sh::Sequence& body) { return sequence(body); }) {
    words_.expands_braces = options.expands_braces;
  }

  const Node* sequence(const sh::Sequence& from) {
    std::vector<const Node*> children;
    for (const sh::Item& item : from.items) {
      const Node* child = command(*item.command);
      if (item.terminator == sh::Terminator::kBackground) child = background(child, item);
      children.push_back(child);
    }
    if (children.empty()) return nullptr;
    if (children.size() == 1) return children[0];
    Node node = make(NodeKind::kSequence, from.span);
    node.children = keep(children);
    return code_.arena.make(node);
  }

 private:
  template <typename T>
  std::span<const T> keep(const std::vector<T>& values) {
    return code_.arena.copy(std::span<const T>(values));
  }
  std::string_view keep(std::string_view text) { return code_.arena.copy(text); }

  Node make(NodeKind kind, Span span) {
    Node node;
    node.kind = kind;
    node.span = span;
    node.line = tree_.line_of(span.begin) + options_.lines_before;
    node.text = tree_.text(span);
    return node;
  }

  // A body that may be empty only where the grammar was not followed.
  const Node* body(const sh::Sequence& from) {
    const Node* lowered = sequence(from);
    if (lowered != nullptr) return lowered;
    return code_.arena.make(make(NodeKind::kSequence, from.span));
  }

  const Node* background(const Node* child, const sh::Item& item) {
    Node node = make(NodeKind::kBackground, item.command->span);
    node.children = keep(std::vector<const Node*>{child});
    return code_.arena.make(node);
  }

  const Node* command(const sh::Command& from) {
    const Node* inner =
        std::visit([&](const auto& node) { return lower_node(node, from); }, from.node);
    bool takes_own = std::holds_alternative<sh::SimpleCommand>(from.node);
    if (from.redirections.empty() || takes_own) return inner;
    Node group = make(NodeKind::kGroup, from.span);
    group.children = keep(std::vector<const Node*>{inner});
    group.redirects = redirects(from.redirections);
    return code_.arena.make(group);
  }

  const Node* lower_node(const sh::SimpleCommand& from, const sh::Command& whole) {
    Node node = make(NodeKind::kSimple, whole.span);
    if (!from.words.empty() && from.words[0].is_literal()) {
      std::string_view name = from.words[0].literal();
      node.name = names_.intern(name);
      node.builtin = find_builtin(name, is_bash());
    }
    node.assignments = assignments(from.assignments);
    node.words = words(from.words, declares(from.words));
    node.redirects = redirects(whole.redirections);
    return code_.arena.make(node);
  }

  // `export x=~/a` and also `command export x=~/a`: the arguments are assignments.
  bool is_bash() const { return tree_.dialect() == sh::Dialect::kBash; }

  bool declares(std::span<const sh::Word> words) const {
    size_t at = 0;
    while (at < words.size() && words[at].is_literal() && words[at].literal() == "command") ++at;
    if (at >= words.size() || !words[at].is_literal()) return false;
    const Builtin* builtin = find_builtin(words[at].literal(), is_bash());
    return builtin != nullptr && builtin->is(kDeclares);
  }

  const Node* lower_node(const sh::Pipeline& from, const sh::Command& whole) {
    std::vector<const Node*> children;
    for (const sh::PipelineItem& item : from.items) {
      const Node* stage = command(*item.command);
      children.push_back(item.pipes_errors ? with_errors(stage) : stage);
    }
    const Node* inner = children.empty() ? nullptr : children[0];
    if (children.size() > 1) {
      Node node = make(NodeKind::kPipeline, whole.span);
      node.children = keep(children);
      inner = code_.arena.make(node);
    }
    if (from.is_negated) {
      // To bash, `!` alone is the opposite of an empty command.
      if (inner == nullptr) inner = code_.arena.make(make(NodeKind::kSimple, whole.span));
      Node node = make(NodeKind::kNot, whole.span);
      node.children = keep(std::vector<const Node*>{inner});
      inner = code_.arena.make(node);
    }
    return from.is_timed ? timed(inner, from, whole) : inner;
  }

  const Node* timed(const Node* inner, const sh::Pipeline& from, const sh::Command& whole) {
    Node node = make(NodeKind::kTime, whole.span);
    node.negated = from.time_is_posix;
    if (inner != nullptr) node.children = keep(std::vector<const Node*>{inner});
    return code_.arena.make(node);
  }

  // 2>&1
  Redirect errors_to_output() {
    Redirect redirect;
    redirect.op = sh::RedirectOp::kDuplicateOutput;
    redirect.fd = 2;
    redirect.written = "2>&1";
    redirect.target = words_.literal("1");
    return redirect;
  }
  const Node* with_errors(const Node* stage) {
    Node group = *stage;
    group.kind = NodeKind::kGroup;
    group.children = keep(std::vector<const Node*>{stage});
    group.redirects = keep(std::vector<Redirect>{errors_to_output()});
    group.words = {};
    group.assignments = {};
    group.arms = {};
    return code_.arena.make(group);
  }

  const Node* lower_node(const sh::AndOr& from, const sh::Command& whole) {
    Node node = make(NodeKind::kAndOr, whole.span);
    std::vector<const Node*> children;
    std::vector<sh::AndOrOp> ops;
    for (const sh::AndOrItem& item : from.items) {
      children.push_back(command(*item.command));
      ops.push_back(item.op);
    }
    node.children = keep(children);
    node.ops = keep(ops);
    return code_.arena.make(node);
  }

  const Node* lower_node(const sh::BraceGroup& from, const sh::Command&) { return body(from.body); }

  const Node* lower_node(const sh::Subshell& from, const sh::Command& whole) {
    Node node = make(NodeKind::kSubshell, whole.span);
    node.children = keep(std::vector<const Node*>{body(from.body)});
    return code_.arena.make(node);
  }

  const Node* lower_node(const sh::If& from, const sh::Command& whole) {
    Node node = make(NodeKind::kIf, whole.span);
    std::vector<const Node*> children;
    for (const sh::IfArm& arm : from.arms) {
      children.push_back(body(arm.condition));
      children.push_back(body(arm.body));
    }
    if (from.else_body != nullptr) children.push_back(body(*from.else_body));
    node.children = keep(children);
    return code_.arena.make(node);
  }

  const Node* lower_node(const sh::While& from, const sh::Command& whole) {
    Node node = make(NodeKind::kWhile, whole.span);
    node.negated = from.is_until;
    node.children = keep(std::vector<const Node*>{body(*from.condition), body(*from.body)});
    return code_.arena.make(node);
  }

  const Node* lower_node(const sh::For& from, const sh::Command& whole) {
    Node node = make(from.is_select ? NodeKind::kSelect : NodeKind::kFor, whole.span);
    node.has_in = from.has_in;
    node.name = names_.intern(from.name->text);
    node.words = words(from.words(), false);
    node.children = keep(std::vector<const Node*>{body(*from.body)});
    return code_.arena.make(node);
  }

  const Node* lower_node(const sh::Case& from, const sh::Command& whole) {
    Node node = make(NodeKind::kCase, whole.span);
    node.words = keep(std::vector<Word>{words_.word(*from.subject, {})});
    std::vector<CaseArm> arms;
    for (const sh::CaseArm& arm : from.arms) {
      CaseArm lowered;
      std::vector<Word> patterns;
      for (const sh::Word& pattern : arm.patterns) {
        patterns.push_back(words_.word(pattern, {.is_pattern = true}));
      }
      lowered.patterns = keep(patterns);
      lowered.body = sequence(arm.body);
      lowered.falls_through = arm.end == sh::CaseEnd::kFallThrough;
      lowered.continues = arm.end == sh::CaseEnd::kContinue;
      arms.push_back(lowered);
    }
    node.arms = keep(arms);
    return code_.arena.make(node);
  }

  const Node* lower_node(const sh::Function& from, const sh::Command& whole) {
    Node node = make(NodeKind::kFunction, whole.span);
    node.name = names_.intern(from.name->text);
    node.owner = &code_;
    node.source = from.body;
    node.line = tree_.line_of(from.body->span.begin) + options_.lines_before;  // of the {
    node.children = keep(std::vector<const Node*>{command(*from.body)});
    return code_.arena.make(node);
  }

  const Node* lower_node(const sh::ArithmeticFor& from, const sh::Command& whole) {
    Node node = make(NodeKind::kArithmeticLoop, whole.span);
    std::vector<Word> parts;
    for (const sh::Arithmetic* part : {from.initial, from.condition, from.step}) {
      parts.push_back(part == nullptr ? Word{} : words_.arithmetic_word(*part));
    }
    node.words = keep(parts);
    node.children = keep(std::vector<const Node*>{body(*from.body)});
    return code_.arena.make(node);
  }
  const Node* lower_node(const sh::ArithmeticCommand& from, const sh::Command& whole) {
    Node node = make(NodeKind::kArithmetic, whole.span);
    node.words = keep(std::vector<Word>{words_.arithmetic_word(*from.arithmetic)});
    return code_.arena.make(node);
  }

  const Node* lower_node(const sh::Conditional& from, const sh::Command& whole) {
    Node node = make(NodeKind::kConditional, whole.span);
    std::vector<Condition> tests;
    std::vector<Word> operands;
    add_tests(*from.expression, Condition::kIsTrue, Condition::kIsFalse, tests, operands);
    // They were made from the last to the first.
    auto last = static_cast<int32_t>(tests.size()) - 1;
    std::reverse(tests.begin(), tests.end());
    for (Condition& test : tests) {
      if (test.if_true >= 0) test.if_true = last - test.if_true;
      if (test.if_false >= 0) test.if_false = last - test.if_false;
    }
    node.conditions = keep(tests);
    node.words = keep(operands);
    return code_.arena.make(node);
  }

  // Adds the tests of `from`, the first of them last, so that targets are known; returns its index.
  int32_t add_tests(const sh::ConditionalExpression& from, int32_t if_true, int32_t if_false,
                    std::vector<Condition>& tests, std::vector<Word>& operands) {
    switch (from.kind) {
      case sh::ConditionalKind::kGroup:
        return add_tests(*from.first, if_true, if_false, tests, operands);
      case sh::ConditionalKind::kNot:
        return add_tests(*from.first, if_false, if_true, tests, operands);
      case sh::ConditionalKind::kAnd: {
        int32_t second = add_tests(*from.second, if_true, if_false, tests, operands);
        return add_tests(*from.first, second, if_false, tests, operands);
      }
      case sh::ConditionalKind::kOr: {
        int32_t second = add_tests(*from.second, if_true, if_false, tests, operands);
        return add_tests(*from.first, if_true, second, tests, operands);
      }
      default: break;
    }
    Condition test;
    test.kind = from.kind;
    test.op = from.op;
    test.letter = from.letter;
    test.left = static_cast<uint32_t>(operands.size());
    test.if_true = if_true;
    test.if_false = if_false;
    operands.push_back(words_.word(from.left, {}));
    if (from.kind == sh::ConditionalKind::kBinary) {
      operands.push_back(words_.word(from.right, {.is_pattern = true}));
    }
    tests.push_back(test);
    return static_cast<int32_t>(tests.size()) - 1;
  }
  const Node* lower_node(const sh::Coproc& from, const sh::Command& whole) {
    Node node = make(NodeKind::kCoproc, whole.span);
    node.name = names_.intern(from.name == nullptr ? "COPROC" : from.name->text);
    node.children = keep(std::vector<const Node*>{command(*from.command)});
    return code_.arena.make(node);
  }
  const Node* lower_node(const sh::Broken&, const sh::Command& whole) {
    return unsupported("syntax error", whole);
  }

  const Node* unsupported(std::string_view what, const sh::Command& whole) {
    Node node = make(NodeKind::kUnsupported, whole.span);
    node.text = what;
    return code_.arena.make(node);
  }

  // `&>file`, `&>>file`, and `>&file` of bash.
  bool sends_all(const sh::Redirection& from) const {
    if (from.op == sh::RedirectOp::kOutputAll || from.op == sh::RedirectOp::kAppendAll) return true;
    if (!is_bash() || from.op != sh::RedirectOp::kDuplicateOutput || from.descriptor >= 0)
      return false;
    return from.target.is_literal() &&
           from.target.literal().find_first_not_of("0123456789-") != std::string_view::npos;
  }

  std::span<const Redirect> redirects(std::span<const sh::Redirection> from) {
    std::vector<Redirect> result;
    for (const sh::Redirection& redirection : from) {
      Redirect redirect;
      redirect.op = redirection.op;
      const bool is_all = sends_all(redirection);
      if (is_all) {
        bool appends = redirection.op == sh::RedirectOp::kAppendAll;
        redirect.op = appends ? sh::RedirectOp::kAppend : sh::RedirectOp::kOutput;
      }
      redirect.written = tree_.text(redirection.span);
      redirect.variable = redirection.variable;
      bool reads = redirection.op == sh::RedirectOp::kInput ||
                   redirection.op == sh::RedirectOp::kReadWrite ||
                   redirection.op == sh::RedirectOp::kDuplicateInput ||
                   redirection.op == sh::RedirectOp::kHereDocument ||
                   redirection.op == sh::RedirectOp::kHereString;
      redirect.fd = redirection.descriptor >= 0 ? redirection.descriptor : reads ? 0 : 1;
      if (redirection.here_document != nullptr) {
        redirect.delimiter = redirection.here_document->delimiter;
        redirect.target = words_.word(redirection.here_document->body, {.is_quoted = true});
      } else {
        redirect.target = words_.word(redirection.target, {});
      }
      result.push_back(redirect);
      if (is_all) result.push_back(errors_to_output());
    }
    return keep(result);
  }

  std::span<const Assignment> assignments(std::span<const sh::Assignment> from) {
    std::vector<Assignment> result;
    for (const sh::Assignment& assignment : from) {
      Assignment lowered;
      lowered.name = names_.intern(assignment.name);
      lowered.subscript = words_.subscript(assignment.subscript);
      if (assignment.value.has(sh::kWordHasArray)) {
        lowered.compound = words_.compound(assignment.value);
        lowered.value.written = tree_.text(assignment.value.span);
      } else {
        lowered.value = words_.word(assignment.value, {.is_assignment = true});
      }
      lowered.is_append = assignment.is_append;
      lowered.appends =
          !lowered.is_append && lowered.subscript == nullptr && starts_with_itself(lowered);
      result.push_back(lowered);
    }
    return keep(result);
  }

  static bool is_plain(const Part& part) {
    if (part.kind == PartKind::kText) return true;
    return part.kind == PartKind::kParameter && part.parameter->op == sh::ParameterOp::kNone &&
           part.parameter->special != '@' && part.parameter->special != '*';
  }
  static bool starts_with_itself(const Assignment& assignment) {
    std::span<const Part> parts = assignment.value.parts;
    if (parts.size() < 2) return false;
    for (const Part& part : parts) {
      if (!is_plain(part)) return false;
      bool is_itself = part.kind == PartKind::kParameter && part.parameter->name == assignment.name;
      if (is_itself != (&part == parts.data())) return false;
    }
    return true;
  }

  // `declare a=(...)`: the name and its operator, and the value apart.
  Word compound_argument(const sh::Word& from) {
    std::string name;
    for (const sh::Part& part : from.parts()) {
      if (part.is_text()) name += part.text();
      if (part.kind == sh::PartKind::kGlob) name += tree_.text(part.span);
    }
    Word result = words_.literal(keep(std::string_view(name)));
    result.written = tree_.text(from.span);
    result.compound = words_.compound(from);
    return result;
  }

  std::span<const Word> words(std::span<const sh::Word> from, bool declares) {
    std::vector<Word> result;
    for (const sh::Word& w : from) {
      bool assigns = declares && w.has(sh::kWordIsAssignment);
      if (w.has(sh::kWordHasArray)) {
        result.push_back(compound_argument(w));
        continue;
      }
      if (w.has(sh::kWordHasBrace) && !assigns && words_.expands_braces) {
        words_.add_braced(w, result);
        continue;
      }
      // dd if=~/x: bash expands the tildes of what looks like an assignment.
      bool has_tildes = assigns || (options_.expands_argument_tildes && is_bash() &&
                                    w.has(sh::kWordIsAssignment));
      Word lowered = words_.word(w, {.is_assignment = has_tildes});
      lowered.is_assignment = assigns;
      lowered.is_joined |= assigns;
      result.push_back(lowered);
    }
    return keep(result);
  }

  Code& code_;
  const sh::Tree& tree_;
  Names& names_;
  LowerOptions options_;
  WordLowering words_;
};

}  // namespace

std::shared_ptr<const Code> lower(std::shared_ptr<const shell::Tree> tree, Names& names,
                                  LowerOptions options) {
  auto code = std::make_shared<Code>();
  code->tree = std::move(tree);
  code->root = Lowering(*code, names, options).sequence(code->tree->program());
  return code;
}

}  // namespace nacre::machine
