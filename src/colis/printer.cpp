#include "colis/printer.h"

#include <fmt/format.h>
#include <utility>

namespace nacre::colis {

namespace {

std::string quoted(std::string_view text) {
  std::string result = "'";
  for (char c : text) {
    if (c == '\'' || c == '\\') result += '\\';
    result += c;
  }
  return result + "'";
}

constexpr std::string_view kCodes[] = {"success", "failure", "previous"};

bool is_negated_true(const Instruction& i) {
  return i.kind == Instruction::kNot && is_plain_utility(i.parts[0], "true");
}

class Printer {
 public:
  std::string take() { return std::move(out_); }

  void program(const Program& program) {
    for (const FunctionDefinition& function : program.functions) {
      out_ += "function " + name(function.name) + " ";
      block("begin", function.body, "end");
      out_ += "\n";
    }
    block("begin", program.body, "end");
    out_ += "\n";
  }

  // One that may stand where the grammar has a single instruction.
  void instruction(const Instruction& i) {
    switch (i.kind) {
      case Instruction::kAssignment: out_ += i.name + " := ", string(i.value); return;
      case Instruction::kSequence: block("begin", i, "end"); return;
      case Instruction::kProcess: block("process", i.parts[0], "endprocess"); return;
      case Instruction::kNoOutput: block("nooutput", i.parts[0], "endnooutput"); return;
      case Instruction::kIf: conditional(i); return;
      case Instruction::kNot: out_ += "not ", instruction(i.parts[0]); return;
      case Instruction::kPipe: pipe(i); return;
      case Instruction::kWhile:
        out_ += "while ", instruction(i.parts[0]), out_ += " ";
        block("do", i.parts[1], "done");
        return;
      case Instruction::kFor:
        out_ += "for " + i.name + " in ", list(i.list), out_ += " ";
        block("do", i.parts[0], "done");
        return;
      case Instruction::kUtility: out_ += name(i.name), optional_list(i.list); return;
      case Instruction::kCall: out_ += "call " + name(i.name), optional_list(i.list); return;
      case Instruction::kReturn: out_ += fmt::format("return {}", code(i)); return;
      case Instruction::kExit: out_ += fmt::format("exit {}", code(i)); return;
      case Instruction::kShift:
        out_ += i.count ? fmt::format("shift {}", *i.count) : "shift";
        return;
      case Instruction::kExport: out_ += "export " + i.name; return;
      case Instruction::kCd: out_ += "cd ", string(i.value); return;
    }
  }

  void string(const StringExpression& e) {
    switch (e.kind) {
      case StringExpression::kLiteral: out_ += quoted(e.text); return;
      case StringExpression::kVariable: out_ += name(e.text); return;
      case StringExpression::kArgument: out_ += fmt::format("arg {}", e.number); return;
      case StringExpression::kEmbed: embed(e.embedded[0]); return;
      case StringExpression::kConcat: break;
    }
    for (size_t i = 0; i < e.parts.size(); ++i) {
      if (i > 0) out_ += " ";
      string(e.parts[i]);
    }
  }

 private:
  static std::string name(std::string_view text) {
    return is_identifier(text) ? std::string(text) : quoted(text);
  }
  static std::string_view code(const Instruction& i) { return kCodes[static_cast<size_t>(i.code)]; }

  void line() {
    if (is_flat_) {
      out_ += " ";
    } else {
      out_ += "\n" + std::string(2 * indent_, ' ');
    }
  }

  void block(std::string_view open, const Instruction& body, std::string_view close) {
    out_ += open;
    ++indent_;
    items(body);
    --indent_;
    line();
    out_ += close;
  }
  void items(const Instruction& body) {
    if (body.kind != Instruction::kSequence) {
      line(), instruction(body);
      return;
    }
    for (size_t i = 0; i < body.parts.size(); ++i) {
      if (i > 0) out_ += " ;";
      line(), instruction(body.parts[i]);
    }
  }

  void conditional(const Instruction& i) {
    const bool is_and = is_negated_true(i.parts[2]);
    if (is_and || is_plain_utility(i.parts[1], "true")) {
      out_ += "(", instruction(i.parts[0]);
      out_ += is_and ? " && " : " || ";
      instruction(i.parts[is_and ? 1 : 2]), out_ += ")";
      return;
    }
    out_ += "if ", instruction(i.parts[0]), out_ += " then";
    ++indent_;
    items(i.parts[1]);
    --indent_;
    if (!is_plain_utility(i.parts[2], "true")) {
      line();
      block("else", i.parts[2], "fi");
    } else {
      line(), out_ += "fi";
    }
  }

  void pipe(const Instruction& i) {
    out_ += "pipe ", instruction(i.parts[0]);
    const Instruction* rest = &i.parts[1];
    for (; rest->kind == Instruction::kPipe; rest = &rest->parts[1])
      out_ += " into ", instruction(rest->parts[0]);
    out_ += " into ", instruction(*rest), out_ += " endpipe";
  }

  void embed(const Instruction& i) {
    const bool was_flat = std::exchange(is_flat_, true);
    out_ += "embed { ", instruction(i), out_ += " }";
    is_flat_ = was_flat;
  }

  void optional_list(const ListExpression& items) {
    if (!items.empty()) out_ += " ", list(items);
  }
  void list(const ListExpression& items) {
    out_ += "[";
    for (size_t i = 0; i < items.size(); ++i) {
      if (i > 0) out_ += "; ";
      if (items[i].is_split) out_ += "split ";
      string(items[i].value);
    }
    out_ += "]";
  }

  std::string out_;
  size_t indent_ = 0;
  bool is_flat_ = false;
};

// What the original prints: no escapes, `process` and `nooutput` without an end, `epip`.
class OriginalPrinter {
 public:
  std::string program(const Program& program) {
    std::string result;
    for (const FunctionDefinition& function : program.functions)
      result += "function " + function.name + " " + instruction(function.body) + "\n";
    return result + "begin\n  " + items(program.body) + " end\n";
  }

 private:
  static bool is_nothing(const Instruction& i) { return is_plain_utility(i, ":"); }

  static std::string items(const Instruction& i) {
    if (i.kind != Instruction::kSequence) return instruction(i);
    std::string result;
    for (const Instruction& part : i.parts) {
      if (!result.empty()) result += " ;\n  ";
      result += items(part);
    }
    return result;
  }

  static std::string instruction(const Instruction& i) {
    switch (i.kind) {
      case Instruction::kAssignment: return i.name + " := " + string(i.value);
      case Instruction::kSequence: return "begin\n  " + items(i) + " end";
      case Instruction::kProcess: return "process " + instruction(i.parts[0]);
      case Instruction::kNoOutput: return "nooutput " + instruction(i.parts[0]);
      case Instruction::kIf: return conditional(i);
      case Instruction::kNot: return "not " + instruction(i.parts[0]);
      case Instruction::kPipe:
        return "pipe\n  " + instruction(i.parts[0]) + "\n  into " + instruction(i.parts[1]) +
               " epip";
      case Instruction::kWhile:
        return "while " + instruction(i.parts[0]) + " do " + items(i.parts[1]) + " done";
      case Instruction::kFor:
        return "for " + i.name + " in " + list(i.list) + " do " + items(i.parts[0]) + " done";
      case Instruction::kUtility: return i.name + (i.list.empty() ? "" : " " + list(i.list));
      case Instruction::kCall: return "call " + i.name + (i.list.empty() ? "" : " " + list(i.list));
      case Instruction::kReturn:
        return fmt::format("return {}", kCodes[static_cast<size_t>(i.code)]);
      case Instruction::kExit: return fmt::format("exit {}", kCodes[static_cast<size_t>(i.code)]);
      case Instruction::kShift: return i.count ? fmt::format("shift {}", *i.count) : "shift";
      case Instruction::kExport: return "export " + i.name;
      case Instruction::kCd: return "cd " + string(i.value);
    }
    return "";
  }

  static std::string conditional(const Instruction& i) {
    const std::string condition = instruction(i.parts[0]);
    if (is_nothing(i.parts[1])) return "(" + condition + " || " + instruction(i.parts[2]) + ")";
    const Instruction& otherwise = i.parts[2];
    if (otherwise.kind == Instruction::kNot && is_nothing(otherwise.parts[0]))
      return "(" + condition + " && " + instruction(i.parts[1]) + ")";
    std::string result = "if " + condition + " then " + items(i.parts[1]);
    if (!is_nothing(otherwise)) result += " else " + items(otherwise);
    return result + " fi";
  }

  static std::string string(const StringExpression& e) {
    switch (e.kind) {
      case StringExpression::kLiteral: return "'" + e.text + "'";
      case StringExpression::kVariable: return e.text;
      case StringExpression::kArgument: return fmt::format("arg {}", e.number);
      case StringExpression::kEmbed: return "embed { " + instruction(e.embedded[0]) + " }";
      case StringExpression::kConcat: break;
    }
    std::string result;
    for (const StringExpression& part : e.parts)
      result += (result.empty() ? "" : " ") + string(part);
    return result;
  }

  static std::string list(const ListExpression& items) {
    std::string result;
    for (const ListFragment& item : items) {
      if (!result.empty()) result += "; ";
      result += (item.is_split ? "split " : "") + string(item.value);
    }
    return items.empty() ? "[]" : "[ " + result + " ]";
  }
};

}  // namespace

std::string print(const Program& program) {
  Printer printer;
  printer.program(program);
  return printer.take();
}
std::string print(const Instruction& instruction) {
  Printer printer;
  printer.instruction(instruction);
  return printer.take();
}
std::string print(const StringExpression& expression) {
  Printer printer;
  printer.string(expression);
  return printer.take();
}
std::string print_original(const Program& program) { return OriginalPrinter().program(program); }

}  // namespace nacre::colis
