#include <array>
#include <fmt/format.h>

#include "shell/characters.h"
#include "shell/print.h"
#include "shell/source_writer.h"
#include "shell/token.h"
#include "shell/visitor.h"

namespace nacre::shell {

namespace {

template <typename Node>
std::string source_of(const Node& node) {
  SourceWriter writer;
  writer.write(node);
  return writer.finish();
}

}  // namespace

std::string to_source(const Sequence& sequence) { return source_of(sequence); }
std::string to_source(const Command& command) { return source_of(command); }
std::string to_source(const Word& word) { return source_of(word); }
std::string to_source(const ArithmeticExpression& expression) { return source_of(expression); }
std::string to_source(const ConditionalExpression& expression) { return source_of(expression); }

std::string SourceWriter::finish() {
  if (!pending_.empty()) newline();
  return std::move(out_);
}

// A new line, after the bodies of the here-documents that were opened on this one.
void SourceWriter::newline() {
  out_ += '\n';
  std::vector<const HereDocument*> pending;
  pending.swap(pending_);
  for (const HereDocument* document : pending) {
    parts(document->body.parts(), document->is_quoted ? Context::kUnquoted : Context::kHere);
    if (!out_.ends_with('\n')) out_ += '\n';
    text(document->delimiter);
    out_ += '\n';
  }
  out_.append(2 * indent_, ' ');
}

void SourceWriter::write(const Sequence& sequence) {
  bool is_first = true;
  for (const Item& item : sequence.items) {
    if (!is_first) newline();
    is_first = false;
    write(*item.command);
    if (item.terminator == Terminator::kBackground) text(" &");
  }
}

// a; b: with a newline only where a here-document needs one.
void SourceWriter::in_line(const Sequence& sequence) {
  for (const Item& item : sequence.items) {
    write(*item.command);
    bool is_background = item.terminator == Terminator::kBackground;
    if (is_background) text(" &");
    if (!pending_.empty()) {
      newline();
    } else {
      text(is_background ? " " : "; ");
    }
  }
}

void SourceWriter::block(const Sequence& sequence) {
  indent_++;
  newline();
  write(sequence);
  indent_--;
  newline();
}

namespace {

// Whether a `!` or `time` without a command is last, which only a newline or `;` may follow.
bool ends_in_bare_prefix(const Command& command) {
  if (const auto* list = std::get_if<AndOr>(&command.node))
    return ends_in_bare_prefix(*list->items.back().command);
  if (const auto* coproc = std::get_if<Coproc>(&command.node))
    return ends_in_bare_prefix(*coproc->command);
  const auto* pipeline = std::get_if<Pipeline>(&command.node);
  if (pipeline == nullptr) return false;
  return pipeline->items.empty() || ends_in_bare_prefix(*pipeline->items.back().command);
}

}  // namespace

// The here-documents of the line around it wait until that line ends.
void SourceWriter::within(std::string_view open, const Sequence& body, std::string_view close) {
  std::vector<const HereDocument*> outer;
  outer.swap(pending_);
  text(open);
  const bool is_single =
      body.items.size() == 1 && body.items[0].terminator != Terminator::kBackground;
  if (is_single && !ends_in_bare_prefix(*body.items[0].command)) {
    write(*body.items[0].command);
    if (!pending_.empty()) newline();
  } else if (!body.items.empty()) {
    block(body);
  }
  text(close);
  pending_ = std::move(outer);
}

void SourceWriter::write(const Command& command) {
  if (const auto* simple = std::get_if<SimpleCommand>(&command.node)) {
    bool is_first = true;
    auto item = [&](const auto& child) {
      if (!is_first) text(" ");
      is_first = false;
      using Child = std::decay_t<decltype(child)>;
      if constexpr (std::is_same_v<Child, Word>) {
        write(child);
      } else if constexpr (std::is_same_v<Child, Assignment>) {
        assignment(child);
      } else {
        redirection(child);
      }
    };
    detail::for_each_in_simple(*simple, command.redirections, item);
    return;
  }
  std::visit([this](const auto& alternative) { node(alternative); }, command.node);
  redirections(command.redirections);
}

void SourceWriter::node(const SimpleCommand&) {}

void SourceWriter::node(const Pipeline& pipeline) {
  if (pipeline.is_timed) text(pipeline.time_is_posix ? "time -p " : "time ");
  if (pipeline.is_negated) text("! ");
  if (pipeline.items.empty() && !pipeline.is_timed && !pipeline.is_negated) text("! ! ");
  for (size_t i = 0; i < pipeline.items.size(); i++) {
    write(*pipeline.items[i].command);
    if (i + 1 < pipeline.items.size()) text(pipeline.items[i].pipes_errors ? " |& " : " | ");
  }
}

void SourceWriter::node(const AndOr& list) {
  for (const AndOrItem& item : list.items) {
    if (item.op != AndOrOp::kFirst) text(item.op == AndOrOp::kAnd ? " && " : " || ");
    write(*item.command);
  }
}

void SourceWriter::node(const BraceGroup& group) {
  text("{");
  block(group.body);
  text("}");
}

void SourceWriter::node(const Subshell& subshell) {
  text("(");
  block(subshell.body);
  text(")");
}

void SourceWriter::node(const If& node) {
  for (size_t i = 0; i < node.arms.size(); i++) {
    text(i == 0 ? "if " : "elif ");
    in_line(node.arms[i].condition);
    text("then");
    block(node.arms[i].body);
  }
  if (node.else_body != nullptr) {
    text("else");
    block(*node.else_body);
  }
  text("fi");
}

void SourceWriter::node(const While& loop) {
  text(loop.is_until ? "until " : "while ");
  in_line(*loop.condition);
  text("do");
  block(*loop.body);
  text("done");
}

// In quotes where the text alone would be read as something else.
void SourceWriter::name(const Name& name) {
  // What only bash reserves is a name like others to dash, which takes no quotes here.
  const Keyword keyword = name.text.empty() ? Keyword::kNone : keyword_named(name.text);
  const bool is_reserved = keyword != Keyword::kNone && keyword < Keyword::kFunction;
  const bool is_plain = !name.text.empty() && !is_reserved &&
                        name.text.find_first_of(std::string_view(" \t\n;&|()<>\0`\\\"'$*?[]~{}#!=",
                                                                 26)) == name.text.npos;
  if (is_plain) return text(name.text);
  text("'");
  for (const char c : name.text)
    text(c == '\'' ? std::string_view("'\\''") : std::string_view(&c, 1));
  text("'");
}

void SourceWriter::node(const For& loop) {
  text(loop.is_select ? "select " : "for ");
  is_name(loop.name->text) ? text(loop.name->text) : name(*loop.name);  // `for if` is no `if`
  if (loop.has_in) text(" in");
  for (const Word& word : loop.words()) {
    text(" ");
    write(word);
  }
  text(loop.has_in ? "; do" : " do");
  block(*loop.body);
  text("done");
}

void SourceWriter::node(const ArithmeticFor& loop) {
  text("for ((");
  const Arithmetic* texts[] = {loop.initial, loop.condition, loop.step};
  for (size_t i = 0; i < 3; i++) {
    if (i > 0) text(";");
    if (texts[i] != nullptr) parts(texts[i]->word.parts(), Context::kDouble);
  }
  text(")); do");
  block(*loop.body);
  text("done");
}

void SourceWriter::node(const Case& choice) {
  constexpr std::array<std::string_view, 4> kEnds = {";;", ";;", ";&", ";;&"};
  text("case ");
  write(*choice.subject);
  text(" in");
  for (const CaseArm& arm : choice.arms) {
    newline();
    text("(");
    for (size_t i = 0; i < arm.patterns.size(); i++) {
      if (i > 0) text(" | ");
      write(arm.patterns[i]);
    }
    text(")");
    block(arm.body);
    text(kEnds[static_cast<size_t>(arm.end)]);
  }
  newline();
  text("esac");
}

void SourceWriter::node(const Function& function) {
  if (function.has_keyword) text("function ");
  name(*function.name);
  text(function.has_parentheses ? "() " : " ");
  write(*function.body);
}

void SourceWriter::node(const Conditional& conditional) {
  text("[[ ");
  write(*conditional.expression);
  text(" ]]");
}

void SourceWriter::node(const ArithmeticCommand& command) {
  text("((");
  parts(command.arithmetic->word.parts(), Context::kDouble);
  text("))");
}

void SourceWriter::node(const Coproc& coproc) {
  text("coproc ");
  if (coproc.name != nullptr) {
    name(*coproc.name);
    text(" ");
  }
  write(*coproc.command);
}

void SourceWriter::node(const Broken&) { text(": # broken"); }

void SourceWriter::redirections(std::span<const Redirection> redirections) {
  for (const Redirection& next : redirections) {
    text(" ");
    redirection(next);
  }
}

void SourceWriter::redirection(const Redirection& redirection) {
  constexpr std::array<std::string_view, 11> kOperators = {"<",  ">",  ">>",  "<>", ">|", "<&",
                                                           ">&", "&>", "&>>", "<<", "<<<"};
  if (!redirection.variable.empty()) text(fmt::format("{{{}}}", redirection.variable));
  if (redirection.descriptor >= 0) text(fmt::format("{}", redirection.descriptor));
  text(kOperators[static_cast<size_t>(redirection.op)]);
  const HereDocument* document = redirection.here_document;
  if (document != nullptr && document->strips_tabs) text("-");
  auto target = redirection.target.parts();  // `< <(a)` is not `<<(a)`
  bool is_process = !target.empty() && target[0].kind == PartKind::kProcess;
  if (redirection.op == RedirectOp::kHereString || is_process) text(" ");
  // An expansion in a delimiter is not expanded: it must stay as it is.
  const bool is_raw =
      document != nullptr && !document->is_quoted && !redirection.target.is_literal();
  if (is_raw) {
    text(document->delimiter);
  } else {
    write(redirection.target);
  }
  if (document != nullptr) pending_.push_back(document);
}

void SourceWriter::assignment(const Assignment& assignment) {
  text(assignment.name);
  if (assignment.subscript != nullptr) subscript(*assignment.subscript);
  text(assignment.is_append ? "+=" : "=");
  write(assignment.value);
}

void SourceWriter::write(const ConditionalExpression& expression) {
  constexpr std::array<std::string_view, 15> kOperators = {"",    "==",  "!=",  "=~",  "<",
                                                           ">",   "-eq", "-ne", "-lt", "-le",
                                                           "-gt", "-ge", "-nt", "-ot", "-ef"};
  switch (expression.kind) {
    case ConditionalKind::kWord: write(expression.left); break;
    case ConditionalKind::kUnary:
      text(fmt::format("-{} ", expression.letter));
      write(expression.left);
      break;
    case ConditionalKind::kBinary:
      write(expression.left);
      text(fmt::format(" {} ", kOperators[static_cast<size_t>(expression.op)]));
      write(expression.right);
      break;
    case ConditionalKind::kNot:
      text("! ");
      write(*expression.first);
      break;
    case ConditionalKind::kGroup:
      text("( ");
      write(*expression.first);
      text(" )");
      break;
    case ConditionalKind::kAnd:
    case ConditionalKind::kOr:
      write(*expression.first);
      text(expression.kind == ConditionalKind::kAnd ? " && " : " || ");
      write(*expression.second);
      break;
  }
}

}  // namespace nacre::shell
