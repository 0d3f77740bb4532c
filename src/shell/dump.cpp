#include "shell/dump.h"

#include <fmt/core.h>
#include <string_view>
#include <variant>

namespace nacre::shell {

namespace {

constexpr std::string_view kRedirectNames[] = {"<",  ">",  ">>",  "<>", ">|", "<&",
                                               ">&", "&>", "&>>", "<<", "<<<"};
constexpr std::string_view kParameterOps[] = {
    "",   "length", "-", "=",  "?", "+",  "#", "##", "%", "%%",    "slice", "/",  "//",
    "/#", "/%",     "^", "^^", ",", ",,", "~", "~~", "@", "names", "keys",  "bad"};
constexpr std::string_view kArithmeticOps[] = {"",   "+",  "-", "*",  "/",  "%",  "**", "<<", ">>",
                                               "<",  "<=", ">", ">=", "==", "!=", "&",  "^",  "|",
                                               "&&", "||", ",", "+",  "-",  "!",  "~",  "++", "--"};
constexpr std::string_view kConditionalOps[] = {
    "", "=", "!=", "=~", "<", ">", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-nt", "-ot", "-ef"};

template <typename Enum, size_t N>
std::string_view name_in(const std::string_view (&names)[N], Enum value) {
  return names[static_cast<size_t>(value)];
}

// Text that could be taken for a list, or that holds blanks or control characters, is quoted.
std::string quoted(std::string_view text) {
  bool is_plain = !text.empty();
  for (const char c : text)
    is_plain = is_plain && c > ' ' && c < 127 && std::string_view("()\"\\").find(c) == text.npos;
  if (is_plain) return std::string(text);
  std::string result = "\"";
  for (const char c : text) {
    if (c == '\n')
      result += "\\n";
    else if (c == '\t')
      result += "\\t";
    else if (c == '"' || c == '\\')
      (result += '\\') += c;
    else if (c < ' ' || c == 127)
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    else
      result += c;
  }
  return result + "\"";
}

class Dumper {
 public:
  void sequence(const Sequence& sequence) {
    for (const Item& item : sequence.items) {
      line();
      command(*item.command);
      if (item.terminator == Terminator::kBackground) out_ += " &";
    }
  }

  void command(const Command& command) {
    std::visit([&](const auto& node) { this->node(node); }, command.node);
    for (const Redirection& each : command.redirections) redirection(each);
    out_ += ')';
  }

  void word(const Word& word) {
    const size_t begin = out_.size();
    if (parts(word.parts()) == 1) return;
    out_.insert(begin, "(word ");
    out_ += ')';
  }

  std::string take() { return std::move(out_); }

 private:
  void line() {
    if (!out_.empty()) out_ += '\n';
    out_.append(indent_, ' ');
  }
  void atom(std::string_view text) { (out_ += ' ') += text; }
  void spaced(const Word& each) {
    out_ += ' ';
    word(each);
  }

  // A named list of commands, one level deeper.
  void body(std::string_view name, const Sequence& inner) {
    indent_ += 2;
    line();
    (out_ += '(') += name;
    indent_ += 2;
    sequence(inner);
    indent_ -= 4;
    out_ += ')';
  }
  void inner_command(const Command& inner) {
    indent_ += 2;
    line();
    command(inner);
    indent_ -= 2;
  }

  // ---- commands: each leaves its list open, the redirections follow

  void node(const SimpleCommand& simple) {
    out_ += "(simple";
    for (const Assignment& each : simple.assignments) {
      out_ += fmt::format(" ({} {}", each.is_append ? "append" : "assign", each.name);
      if (each.subscript != nullptr) subscript(*each.subscript);
      spaced(each.value);
      out_ += ')';
    }
    for (const Word& each : simple.words) spaced(each);
  }
  void node(const Pipeline& pipeline) {
    out_ += "(pipeline";
    if (pipeline.is_timed) atom(pipeline.time_is_posix ? "time-p" : "time");
    if (pipeline.is_negated) atom("not");
    for (const PipelineItem& item : pipeline.items) {
      if (item.command != nullptr) inner_command(*item.command);
      if (item.pipes_errors) atom("|&");
    }
  }
  void node(const AndOr& list) {
    out_ += "(and-or";
    for (const AndOrItem& item : list.items) {
      if (item.op != AndOrOp::kFirst) atom(item.op == AndOrOp::kAnd ? "&&" : "||");
      inner_command(*item.command);
    }
  }
  void node(const BraceGroup& group) {
    out_ += "(group";
    body("do", group.body);
  }
  void node(const Subshell& subshell) {
    out_ += "(subshell";
    body("do", subshell.body);
  }
  void node(const If& conditional) {
    out_ += "(if";
    for (const IfArm& arm : conditional.arms) {
      body("when", arm.condition);
      body("then", arm.body);
    }
    if (conditional.else_body != nullptr) body("else", *conditional.else_body);
  }
  void node(const While& loop) {
    out_ += loop.is_until ? "(until" : "(while";
    body("when", *loop.condition);
    body("do", *loop.body);
  }
  void node(const For& loop) {
    out_ += loop.is_select ? "(select " : "(for ";
    out_ += loop.name->text;
    if (loop.has_in) atom("in");
    for (const Word& each : loop.words()) spaced(each);
    body("do", *loop.body);
  }
  void node(const ArithmeticFor& loop) {
    out_ += "(for-arithmetic";
    for (const Arithmetic* each : {loop.initial, loop.condition, loop.step}) {
      out_ += ' ';
      if (each != nullptr)
        arithmetic(*each);
      else
        out_ += "()";
    }
    body("do", *loop.body);
  }
  void node(const Case& choice) {
    out_ += "(case";
    spaced(*choice.subject);
    for (const CaseArm& arm : choice.arms) case_arm(arm);
  }
  void case_arm(const CaseArm& arm) {
    constexpr std::string_view kEnds[] = {"", "", " ;&", " ;;&"};
    indent_ += 2;
    line();
    out_ += "(arm";
    for (const Word& each : arm.patterns) spaced(each);
    body("do", arm.body);
    (out_ += name_in(kEnds, arm.end)) += ')';
    indent_ -= 2;
  }
  void node(const Function& function) {
    out_ += fmt::format("({} {}", function.has_keyword ? "function-keyword" : "function",
                        quoted(function.name->text));
    inner_command(*function.body);
  }
  void node(const Conditional& conditional) {
    out_ += "(conditional ";
    this->conditional(*conditional.expression);
  }
  void node(const ArithmeticCommand& command) {
    out_ += "(arithmetic-command ";
    arithmetic(*command.arithmetic);
  }
  void node(const Coproc& coproc) {
    out_ += "(coproc";
    if (coproc.name != nullptr) atom(coproc.name->text);
    inner_command(*coproc.command);
  }
  void node(const Broken&) { out_ += "(broken"; }

  void redirection(const Redirection& each) {
    out_ += fmt::format(" ({}", name_in(kRedirectNames, each.op));
    if (each.here_document != nullptr && each.here_document->strips_tabs) out_ += '-';
    if (each.descriptor >= 0) out_ += fmt::format(" {}", each.descriptor);
    if (!each.variable.empty()) out_ += fmt::format(" {{{}}}", each.variable);
    if (each.here_document != nullptr) {
      out_ += fmt::format(" {}{} ", each.here_document->is_quoted ? "quoted " : "",
                          quoted(each.here_document->delimiter));
      word(each.here_document->body);
    } else {
      spaced(each.target);
    }
    out_ += ')';
  }

  // ---- words

  // Neighbouring literals are one: a continued line between them means nothing. Returns how many
  // were written.
  size_t parts(std::span<const Part> all) {
    size_t count = 0;
    for (size_t i = 0; i < all.size(); ++i) {
      if (count++ > 0) out_ += ' ';
      std::string text(all[i].kind == PartKind::kLiteral ? all[i].text() : "");
      while (!text.empty() && i + 1 < all.size() && all[i + 1].kind == PartKind::kLiteral)
        text += all[++i].text();
      if (text.empty())
        part(all[i]);
      else
        out_ += quoted(text);
    }
    return count;
  }
  void part(const Part& part) {
    switch (part.kind) {
      case PartKind::kLiteral: out_ += quoted(part.text()); break;
      case PartKind::kGlob: out_ += fmt::format("(glob {})", quoted(part.text())); break;
      case PartKind::kTilde:
        out_ += fmt::format("({} {})", part.only_in_assignment ? "assignment-tilde" : "tilde",
                            quoted(part.text()));
        break;
      case PartKind::kEscaped: out_ += fmt::format("(escaped {})", quoted(part.text())); break;
      case PartKind::kSingleQuoted: out_ += fmt::format("(single {})", quoted(part.text())); break;
      case PartKind::kAnsiQuoted: out_ += fmt::format("(ansi {})", quoted(part.text())); break;
      case PartKind::kDoubleQuoted: list("double", part.parts()); break;
      case PartKind::kLocaleQuoted: list("locale", part.parts()); break;
      case PartKind::kParameter: parameter(part.parameter()); break;
      case PartKind::kCommand: command_substitution(part.command()); break;
      case PartKind::kArithmetic: arithmetic(part.arithmetic()); break;
      case PartKind::kProcess: process(part.process()); break;
      case PartKind::kExtGlob: ext_glob(part.ext_glob()); break;
      case PartKind::kBrace: brace(part.brace()); break;
      case PartKind::kArray: array(part.array()); break;
    }
  }
  void list(std::string_view name, std::span<const Part> all) {
    (out_ += '(') += name;
    if (!all.empty()) out_ += ' ';
    parts(all);
    out_ += ')';
  }
  void subscript(const Subscript& subscript) {
    if (subscript.kind == SubscriptKind::kAllSeparate) return atom("[@]");
    if (subscript.kind == SubscriptKind::kAllJoined) return atom("[*]");
    out_ += " [";
    word(subscript.word);
    out_ += ']';
  }
  void parameter(const Parameter& parameter) {
    out_ +=
        fmt::format("(parameter {}{}", parameter.is_indirect ? "!" : "", quoted(parameter.name));
    if (parameter.subscript != nullptr) this->subscript(*parameter.subscript);
    if (parameter.op != ParameterOp::kNone)
      out_ += fmt::format(" {}{}", parameter.has_colon ? ":" : "",
                          name_in(kParameterOps, parameter.op));
    if (parameter.letter != 0) out_ += parameter.letter;
    if (parameter.argument != nullptr) spaced(*parameter.argument);
    if (parameter.replacement() != nullptr) spaced(*parameter.replacement());
    out_ += ')';
  }
  void substituted(std::string_view name, const Sequence& body) {
    (out_ += '(') += name;
    indent_ += 4;
    sequence(body);
    indent_ -= 4;
    out_ += ')';
  }
  void command_substitution(const CommandSubstitution& substitution) {
    constexpr std::string_view kNames[] = {"command", "command", "brace-command"};
    substituted(name_in(kNames, substitution.form), substitution.body);
  }
  void process(const ProcessSubstitution& process) {
    substituted(process.is_input ? "process<" : "process>", process.body);
  }
  void words(std::span<const Word> all) {
    for (const Word& each : all) spaced(each);
    out_ += ')';
  }
  void ext_glob(const ExtGlob& glob) {
    out_ += fmt::format("(extglob {}", glob.op);
    words(glob.alternatives);
  }
  void brace(const Brace& brace) {
    if (brace.form == BraceForm::kList) {
      out_ += "(brace";
      return words(brace.alternatives);
    }
    out_ += fmt::format("({} {} {} {} width {})",
                        brace.form == BraceForm::kNumbers ? "numbers" : "characters", brace.first,
                        brace.last, brace.step, brace.width);
  }
  void array(const Array& array) {
    out_ += "(array";
    for (const ArrayElement& element : array.elements) {
      if (element.subscript == nullptr) {
        spaced(element.value);
        continue;
      }
      out_ += element.is_append ? " (append" : " (at";
      subscript(*element.subscript);
      spaced(element.value);
      out_ += ')';
    }
    out_ += ')';
  }

  // ---- arithmetic and conditions

  void arithmetic(const Arithmetic& arithmetic) {
    out_ += arithmetic.is_bracket ? "(arithmetic[] " : "(arithmetic ";
    if (arithmetic.expression != nullptr)
      expression(*arithmetic.expression);
    else
      word(arithmetic.word);
    out_ += ')';
  }
  void expression(const ArithmeticExpression& e) {
    switch (e.kind) {
      case ArithmeticKind::kNumber: out_ += fmt::format("{}", e.value); return;
      case ArithmeticKind::kVariable:
        if (e.subscript == nullptr) {
          out_ += e.name;
          return;
        }
        out_ += fmt::format("(element {}", e.name);
        subscript(*e.subscript);
        break;
      case ArithmeticKind::kExpansion: list("expansion", e.parts); return;
      case ArithmeticKind::kGroup: out_ += "(parentheses"; break;
      case ArithmeticKind::kUnary: out_ += fmt::format("({}", name_in(kArithmeticOps, e.op)); break;
      case ArithmeticKind::kPostfix:
        out_ += fmt::format("(post{}", name_in(kArithmeticOps, e.op));
        break;
      case ArithmeticKind::kBinary:
        out_ += fmt::format("({}", name_in(kArithmeticOps, e.op));
        break;
      case ArithmeticKind::kAssign:
        out_ += fmt::format("({}=", name_in(kArithmeticOps, e.op));
        break;
      case ArithmeticKind::kTernary: out_ += "(?:"; break;
    }
    for (const ArithmeticExpression* operand : {e.condition, e.left, e.right}) {
      if (operand == nullptr) continue;
      out_ += ' ';
      expression(*operand);
    }
    out_ += ')';
  }
  void conditional(const ConditionalExpression& e) {
    switch (e.kind) {
      case ConditionalKind::kWord: return word(e.left);
      case ConditionalKind::kUnary:
        out_ += fmt::format("(-{}", e.letter);
        spaced(e.left);
        break;
      case ConditionalKind::kBinary:
        out_ += fmt::format("({}", name_in(kConditionalOps, e.op));
        spaced(e.left);
        spaced(e.right);
        break;
      case ConditionalKind::kNot: out_ += "(not"; break;
      case ConditionalKind::kAnd: out_ += "(and"; break;
      case ConditionalKind::kOr: out_ += "(or"; break;
      case ConditionalKind::kGroup: out_ += "(parentheses"; break;
    }
    for (const ConditionalExpression* operand : {e.first, e.second}) {
      if (operand == nullptr) continue;
      out_ += ' ';
      conditional(*operand);
    }
    out_ += ')';
  }

  std::string out_;
  size_t indent_ = 0;
};

}  // namespace

std::string dump(const Tree& tree) {
  Dumper dumper;
  dumper.sequence(tree.program());
  return dumper.take();
}

std::string dump(const Command& command) {
  Dumper dumper;
  dumper.command(command);
  return dumper.take();
}

std::string dump(const Word& word) {
  Dumper dumper;
  dumper.word(word);
  return dumper.take();
}

}  // namespace nacre::shell
