#include <array>
#include <fmt/format.h>

#include "shell/source_writer.h"

namespace nacre::shell {

void SourceWriter::write(const Word& word) { parts(word.parts(), Context::kUnquoted); }

void SourceWriter::parts(std::span<const Part> parts, Context context) {
  ends_in_literal_dollar_ = false;
  for (const Part& next : parts) {
    part(next, context);
    ends_in_literal_dollar_ = next.kind == PartKind::kLiteral && next.text().ends_with('$');
  }
}

void SourceWriter::part(const Part& part, Context context) {
  switch (part.kind) {
    case PartKind::kLiteral:
      text(part.text());
      // An unquoted backslash was the last byte of its text: the one that "`a \\`" leaves.
      if (context == Context::kUnquoted && part.text().ends_with('\\')) text("\\");
      return;
    case PartKind::kGlob: return text(part.text());
    case PartKind::kTilde: text("~"); return text(part.text());
    case PartKind::kEscaped: text("\\"); return text(part.text());
    case PartKind::kSingleQuoted:
      text("'");
      text(part.text());
      return text("'");
    case PartKind::kAnsiQuoted: return ansi_quoted(part.text());
    case PartKind::kDoubleQuoted:
    case PartKind::kLocaleQuoted:
      text(part.kind == PartKind::kLocaleQuoted ? "$\"" : "\"");
      parts(part.parts(), Context::kDouble);
      return text("\"");
    case PartKind::kParameter: return parameter(part.parameter(), context);
    case PartKind::kCommand: return substitution(part.command());
    case PartKind::kArithmetic:
      text(part.arithmetic().is_bracket ? "$[" : "$((");
      parts(part.arithmetic().word.parts(), Context::kDouble);
      return text(part.arithmetic().is_bracket ? "]" : "))");
    case PartKind::kProcess:
      return within(part.process().is_input ? "<(" : ">(", part.process().body, ")");
    case PartKind::kExtGlob: {
      text(fmt::format("{}(", part.ext_glob().op));
      bool is_first = true;
      for (const Word& word : part.ext_glob().alternatives) {
        if (!is_first) text("|");
        is_first = false;
        write(word);
      }
      return text(")");
    }
    case PartKind::kBrace: return brace(part.brace());
    case PartKind::kArray: return array(part.array());
  }
}

void SourceWriter::ansi_quoted(std::string_view bytes) {
  text("$'");
  for (char c : bytes) {
    auto code = static_cast<unsigned char>(c);
    if (c == '\\' || c == '\'') {
      text(fmt::format("\\{}", c));
    } else if (code < 32 || code == 127) {
      text(fmt::format("\\{:03o}", code));
    } else {
      out_ += c;
    }
  }
  text("'");
}

// Always $( ): back-quotes would need another level of backslashes. A space keeps `$( (a) )` from
// becoming arithmetic, a backslash keeps "$`a`" from becoming `$$` and a parenthesis.
void SourceWriter::substitution(const CommandSubstitution& substitution) {
  const bool was_backquoted = substitution.form == SubstitutionForm::kBackquote;
  if (was_backquoted && ends_in_literal_dollar_) out_.insert(out_.size() - 1, 1, '\\');
  size_t inside = out_.size() + 2;
  within("$(", substitution.body, ")");
  if (out_[inside] == '(') out_.insert(inside, 1, ' ');
}

void SourceWriter::parameter(const Parameter& parameter, Context context) {
  if (!parameter.has_braces) {
    text("$");
    return text(parameter.name);
  }
  text("${");
  if (parameter.op == ParameterOp::kLength) text("#");
  bool has_mark = parameter.is_indirect || parameter.op == ParameterOp::kNames;
  if (has_mark) text("!");
  text(parameter.name);
  if (parameter.subscript != nullptr) subscript(*parameter.subscript);
  parameter_operator(parameter, context);
  text("}");
}

void SourceWriter::parameter_operator(const Parameter& parameter, Context context) {
  constexpr std::array<std::string_view, 25> kOperators = {
      "",   "",   "-", "=",  "?", "+",  "#", "##", "%", "%%", ":", "/", "//",
      "/#", "/%", "^", "^^", ",", ",,", "~", "~~", "@", "",   "",  ""};
  bool is_quoted = context != Context::kUnquoted;
  bool keeps_context = parameter.op <= ParameterOp::kAlternative ||
                       parameter.op == ParameterOp::kSlice || parameter.op == ParameterOp::kBad;
  Context inner = is_quoted && keeps_context ? Context::kDouble : Context::kUnquoted;
  if (parameter.has_colon) text(":");
  text(kOperators[static_cast<size_t>(parameter.op)]);
  if (parameter.letter != 0) text(std::string_view(&parameter.letter, 1));
  if (parameter.argument != nullptr) {
    const auto argument = parameter.argument->parts();
    // "${`a`}", which no shell can expand: in `${$(a)}` the `$` would be a name.
    const bool would_be_name = parameter.op == ParameterOp::kBad && parameter.name.empty() &&
                               !argument.empty() && argument[0].kind == PartKind::kCommand;
    if (would_be_name) text(".");
    parts(argument, inner);
  }
  if (parameter.replacement() == nullptr) return;
  text(parameter.op == ParameterOp::kSlice ? ":" : "/");
  parts(parameter.replacement()->parts(), inner);
}

void SourceWriter::subscript(const Subscript& subscript) {
  text("[");
  parts(subscript.word.parts(), Context::kDouble);
  text("]");
}

void SourceWriter::array(const Array& array) {
  text("(");
  bool is_first = true;
  for (const ArrayElement& element : array.elements) {
    if (!is_first) text(" ");
    is_first = false;
    if (element.subscript != nullptr) {
      subscript(*element.subscript);
      text(element.is_append ? "+=" : "=");
    }
    write(element.value);
  }
  text(")");
}

void SourceWriter::brace(const Brace& brace) {
  text("{");
  if (brace.form == BraceForm::kList) {
    for (size_t i = 0; i < brace.alternatives.size(); i++) {
      if (i > 0) text(",");
      write(brace.alternatives[i]);
    }
  } else {
    auto bound = [&](int64_t value) {
      if (brace.form == BraceForm::kCharacters) {
        text(std::string(1, static_cast<char>(value)));
      } else {
        text(fmt::format("{:0{}}", value, brace.width));
      }
    };
    bound(brace.first);
    text("..");
    bound(brace.last);
    if (brace.step != 1) text(fmt::format("..{}", brace.step));
  }
  text("}");
}

namespace {

constexpr std::array<std::string_view, 27> kArithmeticOperators = {
    "",   "+", "-", "*", "/",  "%",  "**", "<<", ">>", "<", "<=", ">",  ">=", "==",
    "!=", "&", "^", "|", "&&", "||", ",",  "+",  "-",  "!", "~",  "++", "--"};

}  // namespace

void SourceWriter::write(const ArithmeticExpression& expression) {
  std::string_view op = kArithmeticOperators[static_cast<size_t>(expression.op)];
  switch (expression.kind) {
    case ArithmeticKind::kNumber: return text(fmt::format("{}", expression.value));
    case ArithmeticKind::kVariable:
      text(expression.name);
      if (expression.subscript != nullptr) subscript(*expression.subscript);
      return;
    case ArithmeticKind::kExpansion: return parts(expression.parts, Context::kDouble);
    case ArithmeticKind::kGroup:
      text("(");
      write(*expression.left);
      return text(")");
    case ArithmeticKind::kUnary:
      text(op);
      // `- -x` is not `--x`
      if (expression.left->kind == ArithmeticKind::kUnary) text(" ");
      return write(*expression.left);
    case ArithmeticKind::kPostfix: write(*expression.left); return text(op);
    case ArithmeticKind::kBinary:
    case ArithmeticKind::kAssign:
      write(*expression.left);
      text(expression.kind == ArithmeticKind::kAssign ? fmt::format(" {}= ", op)
           : expression.op == ArithmeticOp::kComma    ? std::string(", ")
                                                      : fmt::format(" {} ", op));
      return write(*expression.right);
    case ArithmeticKind::kTernary:
      write(*expression.condition);
      text(" ? ");
      write(*expression.left);
      text(" : ");
      return write(*expression.right);
  }
}

}  // namespace nacre::shell
