#include "machine/lower.h"

#include <vector>

#include "machine/builtin.h"

namespace nacre::machine {
namespace {

namespace sh = nacre::shell;

// How a word is used decides which tildes count and whether its unquoted text can be split.
struct WordContext {
  bool is_assignment = false;  // tildes behind `=` and `:` count
  bool is_quoted = false;      // within double quotes or a here-document
  bool is_operand = false;     // of ${x-word}: its text is the result of an expansion
  bool is_pattern = false;     // of ${x#word}, case: never split
};

class Lowering {
 public:
  Lowering(Code& code, Names& names) : code_(code), tree_(*code.tree), names_(names) {}

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
    node.line = tree_.line_of(span.begin);
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
      node.builtin = find_builtin(name);
    }
    node.assignments = assignments(from.assignments);
    node.words = words(from.words, declares(from.words));
    node.redirects = redirects(whole.redirections);
    return code_.arena.make(node);
  }

  // `export x=~/a` and also `command export x=~/a`: the arguments are assignments.
  static bool declares(std::span<const sh::Word> words) {
    size_t at = 0;
    while (at < words.size() && words[at].is_literal() && words[at].literal() == "command") ++at;
    if (at >= words.size() || !words[at].is_literal()) return false;
    const Builtin* builtin = find_builtin(words[at].literal());
    return builtin != nullptr && builtin->is(kDeclares);
  }

  const Node* lower_node(const sh::Pipeline& from, const sh::Command& whole) {
    if (from.is_timed) return unsupported("time", whole);
    std::vector<const Node*> children;
    for (const sh::PipelineItem& item : from.items) children.push_back(command(*item.command));
    const Node* inner = children.empty() ? nullptr : children[0];
    if (children.size() > 1) {
      Node node = make(NodeKind::kPipeline, whole.span);
      node.children = keep(children);
      inner = code_.arena.make(node);
    }
    if (!from.is_negated) return inner;
    Node node = make(NodeKind::kNot, whole.span);
    node.children = keep(std::vector<const Node*>{inner});
    return code_.arena.make(node);
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
    if (from.is_select) return unsupported("select", whole);
    Node node = make(NodeKind::kFor, whole.span);
    node.has_in = from.has_in;
    node.name = names_.intern(from.name);
    node.words = words(from.words, false);
    node.children = keep(std::vector<const Node*>{body(*from.body)});
    return code_.arena.make(node);
  }

  const Node* lower_node(const sh::Case& from, const sh::Command& whole) {
    Node node = make(NodeKind::kCase, whole.span);
    node.words = keep(std::vector<Word>{word(*from.subject, {})});
    std::vector<CaseArm> arms;
    for (const sh::CaseArm& arm : from.arms) {
      CaseArm lowered;
      std::vector<Word> patterns;
      for (const sh::Word& pattern : arm.patterns) {
        patterns.push_back(word(pattern, {.is_pattern = true}));
      }
      lowered.patterns = keep(patterns);
      lowered.body = sequence(arm.body);
      lowered.falls_through = arm.end == sh::CaseEnd::kFallThrough;
      arms.push_back(lowered);
    }
    node.arms = keep(arms);
    return code_.arena.make(node);
  }

  const Node* lower_node(const sh::Function& from, const sh::Command& whole) {
    Node node = make(NodeKind::kFunction, whole.span);
    node.name = names_.intern(from.name);
    node.owner = &code_;
    node.children = keep(std::vector<const Node*>{command(*from.body)});
    return code_.arena.make(node);
  }

  const Node* lower_node(const sh::ArithmeticFor&, const sh::Command& whole) {
    return unsupported("for ((", whole);
  }
  const Node* lower_node(const sh::Conditional&, const sh::Command& whole) {
    return unsupported("[[", whole);
  }
  const Node* lower_node(const sh::ArithmeticCommand&, const sh::Command& whole) {
    return unsupported("((", whole);
  }
  const Node* lower_node(const sh::Coproc&, const sh::Command& whole) {
    return unsupported("coproc", whole);
  }
  const Node* lower_node(const sh::Broken&, const sh::Command& whole) {
    return unsupported("syntax error", whole);
  }

  const Node* unsupported(std::string_view what, const sh::Command& whole) {
    Node node = make(NodeKind::kUnsupported, whole.span);
    node.text = what;
    return code_.arena.make(node);
  }

  std::span<const Redirect> redirects(std::span<const sh::Redirection> from) {
    std::vector<Redirect> result;
    for (const sh::Redirection& redirection : from) {
      Redirect redirect;
      redirect.op = redirection.op;
      bool reads = redirection.op == sh::RedirectOp::kInput ||
                   redirection.op == sh::RedirectOp::kReadWrite ||
                   redirection.op == sh::RedirectOp::kDuplicateInput ||
                   redirection.op == sh::RedirectOp::kHereDocument ||
                   redirection.op == sh::RedirectOp::kHereString;
      redirect.fd = redirection.descriptor >= 0 ? redirection.descriptor : reads ? 0 : 1;
      if (redirection.here_document != nullptr) {
        redirect.target = word(redirection.here_document->body, {.is_quoted = true});
      } else {
        redirect.target = word(redirection.target, {});
      }
      result.push_back(redirect);
    }
    return keep(result);
  }

  std::span<const Assignment> assignments(std::span<const sh::Assignment> from) {
    std::vector<Assignment> result;
    for (const sh::Assignment& assignment : from) {
      Assignment lowered;
      lowered.name = names_.intern(assignment.name);
      lowered.value = word(assignment.value, {.is_assignment = true});
      lowered.appends = starts_with_itself(lowered);
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

  std::span<const Word> words(std::span<const sh::Word> from, bool declares) {
    std::vector<Word> result;
    for (const sh::Word& w : from) {
      bool assigns = declares && (w.flags & sh::kWordIsAssignment) != 0;
      Word lowered = word(w, {.is_assignment = assigns});
      lowered.is_assignment = assigns;
      lowered.is_joined |= assigns;
      result.push_back(lowered);
    }
    return keep(result);
  }

  const Word* kept_word(const sh::Word& from, WordContext context) {
    return code_.arena.make(word(from, context));
  }

  Word word(const sh::Word& from, WordContext context) {
    Word result;
    result.span = from.span;
    std::vector<Part> parts;
    add_parts(from.parts(), context, parts);
    result.parts = keep(parts);
    result.is_literal = true;
    result.is_inline = true;
    result.is_joined = true;
    for (const Part& part : parts) note(part, context, result);
    if (result.is_literal) result.literal = literal_of(parts);
    return result;
  }

  std::string_view literal_of(const std::vector<Part>& parts) {
    if (parts.empty()) return "";
    if (parts.size() == 1) return parts[0].text;
    std::string joined;
    for (const Part& part : parts) joined += part.text;
    return keep(joined);
  }

  static void note(const Part& part, const WordContext& context, Word& result) {
    bool is_list = part.kind == PartKind::kParameter &&
                   (part.parameter->special == '@' || part.parameter->special == '*');
    if (part.kind == PartKind::kCommand) result.is_inline = false;
    if (part.kind == PartKind::kParameter && part.parameter->argument != nullptr) {
      result.is_inline &= part.parameter->argument->is_inline;
    }
    if (part.expression_word != nullptr) result.is_inline &= part.expression_word->is_inline;
    if (part.kind != PartKind::kText) result.is_literal = false;
    if (part.may_glob) result.is_literal = result.is_joined = false;
    if (part.kind != PartKind::kText && part.kind != PartKind::kTilde &&
        part.region != Region::kQuoted) {
      result.is_joined = false;
    }
    if (is_list) result.is_joined = false;
    if (part.region == Region::kExpanded) result.is_joined = false;
    // A nested "$@" or a nested unquoted word may make more or fewer fields than one.
    if (part.kind == PartKind::kParameter && part.parameter->argument != nullptr) {
      result.is_joined &= part.parameter->argument->is_joined ||
                          part.parameter->op >= sh::ParameterOp::kRemoveShortestPrefix;
    }
    if (context.is_operand && part.region != Region::kQuoted) result.is_joined = false;
  }

  void add_text(std::string_view text, Region region, bool may_glob, std::vector<Part>& to) {
    if (!to.empty() && to.back().kind == PartKind::kText && to.back().region == region) {
      std::string joined(to.back().text);
      joined += text;
      to.back().text = keep(joined);
      to.back().may_glob |= may_glob;
      return;
    }
    Part part;
    part.region = region;
    part.text = keep(text);
    part.may_glob = may_glob;
    to.push_back(part);
  }

  void add_parts(std::span<const sh::Part> from, const WordContext& context,
                 std::vector<Part>& to) {
    for (const sh::Part& part : from) add_part(part, context, to);
  }

  void add_part(const sh::Part& from, const WordContext& context, std::vector<Part>& to) {
    Region plain = context.is_quoted    ? Region::kQuoted
                   : context.is_operand ? Region::kExpanded
                                        : Region::kSource;
    switch (from.kind) {
      case sh::PartKind::kLiteral: {
        bool globs =
            !context.is_quoted && from.text().find_first_of("*?[") != std::string_view::npos;
        return add_text(from.text(), plain, globs, to);
      }
      case sh::PartKind::kGlob: return add_text(from.text(), plain, !context.is_quoted, to);
      case sh::PartKind::kTilde: return add_tilde(from, context, plain, to);
      case sh::PartKind::kEscaped:
      case sh::PartKind::kSingleQuoted:
      case sh::PartKind::kAnsiQuoted: return add_text(from.text(), Region::kQuoted, false, to);
      case sh::PartKind::kDoubleQuoted:
      case sh::PartKind::kLocaleQuoted: return add_quoted(from, context, to);
      case sh::PartKind::kParameter: return add_parameter(from, context, to);
      case sh::PartKind::kCommand: return add_command(from, context, to);
      case sh::PartKind::kArithmetic: return add_arithmetic(from, context, to);
      default: return add_text(tree_.text(from.span), plain, false, to);
    }
  }

  void add_tilde(const sh::Part& from, const WordContext& context, Region plain,
                 std::vector<Part>& to) {
    if (context.is_quoted || (from.only_in_assignment && !context.is_assignment)) {
      return add_text(tree_.text(from.span), plain, false, to);
    }
    Part part;
    part.kind = PartKind::kTilde;
    part.region = Region::kQuoted;
    part.text = keep(from.text());
    to.push_back(part);
  }

  // Quotes that hold nothing still make a field; "$@" alone makes as many as there are parameters.
  void add_quoted(const sh::Part& from, WordContext context, std::vector<Part>& to) {
    bool only_lists = !from.parts().empty();
    for (const sh::Part& part : from.parts()) {
      only_lists &= part.kind == sh::PartKind::kParameter && part.parameter().name == "@";
    }
    if (!only_lists) add_text("", Region::kQuoted, false, to);
    context.is_quoted = true;
    add_parts(from.parts(), context, to);
  }

  Parameter parameter(const sh::Part& from, const WordContext& context) {
    const sh::Parameter& p = from.parameter();
    Parameter result;
    result.op = p.op;
    result.has_colon = p.has_colon;
    result.text = tree_.text(from.span);
    if (p.subscript != nullptr || p.is_indirect || p.op >= sh::ParameterOp::kSlice) {
      result.op = sh::ParameterOp::kBad;
    }
    switch (p.kind) {
      case sh::ParameterKind::kVariable:
        result.kind = ParameterKind::kVariable;
        result.name = names_.intern(p.name);
        break;
      case sh::ParameterKind::kPositional:
        result.kind = p.position == 0 ? ParameterKind::kSpecial : ParameterKind::kPositional;
        result.special = p.position == 0 ? '0' : '\0';
        result.position = p.position;
        break;
      case sh::ParameterKind::kSpecial:
        result.kind = ParameterKind::kSpecial;
        result.special = p.name.empty() ? '\0' : p.name[0];
        break;
    }
    if (p.argument != nullptr && result.op != sh::ParameterOp::kBad) {
      bool is_pattern = p.op >= sh::ParameterOp::kRemoveShortestPrefix;
      WordContext inner{.is_quoted = context.is_quoted && !is_pattern,
                        .is_operand = !is_pattern,
                        .is_pattern = is_pattern};
      result.argument = kept_word(*p.argument, inner);
    }
    return result;
  }

  static Region region_of(const WordContext& context) {
    return context.is_quoted ? Region::kQuoted : Region::kExpanded;
  }

  void add_parameter(const sh::Part& from, const WordContext& context, std::vector<Part>& to) {
    Part part;
    part.kind = PartKind::kParameter;
    part.region = region_of(context);
    part.parameter = code_.arena.make(parameter(from, context));
    to.push_back(part);
  }

  void add_command(const sh::Part& from, const WordContext& context, std::vector<Part>& to) {
    Part part;
    part.kind = PartKind::kCommand;
    part.region = region_of(context);
    part.body = sequence(from.command().body);
    to.push_back(part);
  }

  void add_arithmetic(const sh::Part& from, const WordContext& context, std::vector<Part>& to) {
    const sh::Arithmetic& arithmetic = from.arithmetic();
    Part part;
    part.kind = PartKind::kArithmetic;
    part.region = region_of(context);
    part.text = tree_.text(from.span);
    part.expression_word = kept_word(arithmetic.word, {.is_quoted = true});
    std::vector<const Parameter*> slots;
    if (arithmetic.expression != nullptr) {
      part.expression = expression(*arithmetic.expression, slots);
      part.slots = keep(slots);
    }
    to.push_back(part);
  }

  // Null where a leaf is more than `$name`.
  const Expression* expression(const sh::ArithmeticExpression& from,
                               std::vector<const Parameter*>& slots) {
    Expression result;
    result.op = from.op;
    switch (from.kind) {
      case sh::ArithmeticKind::kNumber: result.value = from.value; break;
      case sh::ArithmeticKind::kVariable:
        if (from.subscript != nullptr) return nullptr;
        result.kind = Expression::kVariable;
        result.name = names_.intern(from.name);
        break;
      case sh::ArithmeticKind::kExpansion: return slot(from, slots);
      case sh::ArithmeticKind::kGroup: return expression(*from.left, slots);
      case sh::ArithmeticKind::kUnary: result.kind = Expression::kUnary; break;
      case sh::ArithmeticKind::kPostfix: result.kind = Expression::kPostfix; break;
      case sh::ArithmeticKind::kBinary: result.kind = Expression::kBinary; break;
      case sh::ArithmeticKind::kAssign: result.kind = Expression::kAssign; break;
      case sh::ArithmeticKind::kTernary: result.kind = Expression::kTernary; break;
    }
    bool is_whole = true;
    auto child = [&](const sh::ArithmeticExpression* of) -> const Expression* {
      if (of == nullptr) return nullptr;
      const Expression* lowered = expression(*of, slots);
      is_whole &= lowered != nullptr;
      return lowered;
    };
    result.condition = child(from.condition);
    result.left = child(from.left);
    result.right = child(from.right);
    bool changes =
        from.kind == sh::ArithmeticKind::kAssign || from.kind == sh::ArithmeticKind::kPostfix ||
        from.op == sh::ArithmeticOp::kIncrement || from.op == sh::ArithmeticOp::kDecrement;
    if (!is_whole || (changes && result.left->kind != Expression::kVariable)) return nullptr;
    return code_.arena.make(result);
  }

  const Expression* slot(const sh::ArithmeticExpression& from,
                         std::vector<const Parameter*>& slots) {
    if (from.parts.size() != 1 || from.parts[0].kind != sh::PartKind::kParameter) return nullptr;
    const sh::Parameter& p = from.parts[0].parameter();
    if (p.op != sh::ParameterOp::kNone || p.subscript != nullptr || p.is_indirect) return nullptr;
    if (p.kind == sh::ParameterKind::kSpecial && p.name != "#" && p.name != "?") return nullptr;
    Expression result;
    result.kind = Expression::kSlot;
    result.value = static_cast<int64_t>(slots.size());
    slots.push_back(code_.arena.make(parameter(from.parts[0], {.is_quoted = true})));
    return code_.arena.make(result);
  }

  Code& code_;
  const sh::Tree& tree_;
  Names& names_;
};

}  // namespace

std::shared_ptr<const Code> lower(std::shared_ptr<const shell::Tree> tree, Names& names) {
  auto code = std::make_shared<Code>();
  code->tree = std::move(tree);
  code->root = Lowering(*code, names).sequence(code->tree->program());
  return code;
}

}  // namespace nacre::machine
