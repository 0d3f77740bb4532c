#include "colis/to_shell.h"

#include <fmt/format.h>
#include <map>
#include <set>
#include <utility>

#include "colis/from_shell.h"
#include "shell/builtins.h"
#include "shell/token.h"

namespace nacre::colis {

namespace {

std::string single_quoted(std::string_view text) {
  std::string result = "'";
  for (char c : text) {
    if (c == '\'')
      result += "'\\''";
    else
      result += c;
  }
  return result + "'";
}

bool is_keyword(std::string_view name) {
  return !name.empty() && shell::keyword_named(name) != shell::Keyword::kNone;
}

bool can_be_function(const std::string& name) {
  return is_identifier(name) && !is_keyword(name) && !shell::is_special_builtin(name);
}

class Writer {
 public:
  explicit Writer(const Program& program) {
    for (const FunctionDefinition& function : program.functions) {
      if (!can_be_function(function.name)) continue;
      functions_.emplace(function.name, function.name);
      names_.insert(function.name);
    }
    size_t made = 0;
    for (const FunctionDefinition& function : program.functions) {
      if (functions_.contains(function.name)) continue;
      std::string name;
      do name = fmt::format("function_{}", ++made);
      while (!names_.insert(name).second);
      functions_.emplace(function.name, std::move(name));
    }
  }

  std::string program(const Program& program) {
    out_ = "set -ef\n";
    for (const FunctionDefinition& function : program.functions) {
      out_ += functions_[function.name] + "() {\n";
      lines(function.body, 1);
      out_ += "}\n";
    }
    lines(program.body, 0);
    return std::move(out_);
  }

 private:
  void lines(const Instruction& body, size_t indent) {
    if (body.kind != Instruction::kSequence) {
      out_ += std::string(2 * indent, ' ') + command(body, indent) + "\n";
      return;
    }
    for (const Instruction& part : body.parts)
      out_ += std::string(2 * indent, ' ') + command(part, indent) + "\n";
  }

  // `open` newline, the lines of `body`, `close`.
  std::string block(std::string_view open, const Instruction& body, std::string_view close,
                    size_t indent) {
    std::string outer = std::exchange(out_, "");
    lines(body, indent + 1);
    std::string inner = std::exchange(out_, std::move(outer));
    return fmt::format("{}\n{}{}{}", open, inner, std::string(2 * indent, ' '), close);
  }
  std::string group(const Instruction& body, size_t indent) {
    return block("{", body, "}", indent);
  }

  std::string command(const Instruction& i, size_t indent) {
    switch (i.kind) {
      case Instruction::kAssignment: return i.name + "=" + quoted(i.value, indent);
      case Instruction::kSequence: return group(i, indent);
      case Instruction::kProcess: return block("(", i.parts[0], ")", indent);
      case Instruction::kNoOutput: return group(i.parts[0], indent) + " >/dev/null";
      case Instruction::kNot: return "! " + group(i.parts[0], indent);
      case Instruction::kPipe: return group(i.parts[0], indent) + " | " + group(i.parts[1], indent);
      case Instruction::kIf:
        return block(
            "if", i.parts[0],
            block("then", i.parts[1], "", indent) + block("else", i.parts[2], "fi", indent),
            indent);
      case Instruction::kWhile:
        return block("while", i.parts[0], block("do", i.parts[1], "done", indent), indent);
      case Instruction::kFor:
        return fmt::format("for {} in{}; {}", i.name, list(i.list, indent),
                           block("do", i.parts[0], "done", indent));
      case Instruction::kUtility: return utility_call(i, indent);
      case Instruction::kCall: {
        // What is no function fails, whatever utility has its name.
        auto found = functions_.find(i.name);
        return found == functions_.end() ? utility_call(utility("false", i.list), indent)
                                         : found->second + list(i.list, indent);
      }
      case Instruction::kReturn: return "return " + code(i.code);
      case Instruction::kExit: return "exit " + code(i.code);
      // By itself a `shift` that fails ends a shell, also where it is tested.
      case Instruction::kShift:
        return i.count ? fmt::format("command shift {}", *i.count) : "command shift";
      case Instruction::kExport: return "export " + i.name;
      case Instruction::kCd: return "cd " + quoted(i.value, indent);
    }
    return "";
  }

  static std::string code(ResultCode code) {
    return code == ResultCode::kSuccess ? "0" : code == ResultCode::kFailure ? "1" : "$?";
  }

  std::string utility_call(const Instruction& i, size_t indent) {
    const bool is_plain =
        (is_identifier(i.name) && !is_keyword(i.name)) || i.name == ":" || i.name == "[";
    const std::string name = is_plain ? i.name : single_quoted(i.name);
    const std::string call =
        (names_.contains(i.name) ? "command " : "") + name + list(i.list, indent);
    return acts_on_shell(i.name) ? "(" + call + ")" : call;
  }

  std::string list(const ListExpression& items, size_t indent) {
    std::string result;
    for (const ListFragment& item : items)
      result += " " + (item.is_split ? unquoted(item.value, indent) : quoted(item.value, indent));
    return result;
  }

  std::string expansion(const StringExpression& e, size_t indent) {
    if (e.kind == StringExpression::kVariable) return "${" + e.text + "}";
    if (e.kind == StringExpression::kArgument) return fmt::format("${{{}}}", e.number);
    return block("$(", e.embedded[0], ")", indent);
  }

  std::string quoted(const StringExpression& e, size_t indent) {
    if (e.kind == StringExpression::kLiteral) return single_quoted(e.text);
    if (e.kind != StringExpression::kConcat) return "\"" + expansion(e, indent) + "\"";
    std::string result;
    for (const StringExpression& part : e.parts) result += quoted(part, indent);
    return result;
  }

  // Blanks of literals stay bare: they are where the word is cut.
  std::string unquoted(const StringExpression& e, size_t indent) {
    if (e.kind == StringExpression::kConcat) {
      std::string result;
      for (const StringExpression& part : e.parts) result += unquoted(part, indent);
      return result;
    }
    if (e.kind != StringExpression::kLiteral) return expansion(e, indent);
    std::string result;
    for (char c : e.text) {
      if (c == ' ' || c == '\t' || c == '\n')
        result += ' ';
      else
        result += is_name_character(c) || c == '/' || c == '.' || c == '-' ? std::string(1, c)
                                                                           : single_quoted({&c, 1});
    }
    return result;
  }

  std::string out_;
  std::map<std::string, std::string, std::less<>> functions_;  // how they are called in the script
  std::set<std::string, std::less<>> names_;                   // by which
};

}  // namespace

std::string to_shell(const Program& program) { return Writer(program).program(program); }

}  // namespace nacre::colis
