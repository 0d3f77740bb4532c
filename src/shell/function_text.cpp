#include "shell/function_text.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>
#include <vector>

#include "shell/print.h"

namespace nacre::shell {

namespace {

constexpr size_t kIndent = 4;

class FunctionText {
 public:
  std::string definition(std::string_view name, const Command& body) {
    out_ = fmt::format("{} () \n", name);
    function_body(body);
    return std::move(out_) + "\n";
  }

 private:
  void newline() {
    out_ += '\n';
    out_.append(indent_ * kIndent, ' ');
  }

  // The bodies of the here-documents that the text so far announces; false if there are none.
  bool write_documents() {
    if (documents_.empty()) return false;
    out_ += '\n';
    for (const HereDocument* document : std::exchange(documents_, {})) {
      out_ += fmt::format("{}{}\n", here_text(*document), document->delimiter);
    }
    return had_documents_ = true;
  }
  // An operator between two commands, perhaps with the documents of the first after it.
  void separate(std::string_view plain, std::string_view before, std::string_view after) {
    out_ += documents_.empty() ? plain : before;
    if (write_documents()) out_ += after;
  }

  static std::string here_text(const HereDocument& document) {
    std::string result;
    for (const Part& part : document.body.parts()) {
      Word word;
      if (part.kind == PartKind::kLiteral) {
        result += part.text();
      } else {
        word.root = part;
        word.root.word_flags = kWordIsInPlace;
        result += to_source(word);
      }
    }
    return result;
  }

  void function_body(const Command& body) {
    bool is_group = std::holds_alternative<BraceGroup>(body.node);
    if (is_group || std::holds_alternative<Subshell>(body.node)) return write(body);
    out_ += "{ ";
    ++indent_;
    newline();
    write(body);
    write_documents();
    --indent_;
    newline();
    out_ += "}";
  }

  void sequence(const Sequence& sequence) {
    for (size_t i = 0; i < sequence.items.size(); ++i) {
      const Item& item = sequence.items[i];
      write(*item.command);
      bool is_last = i + 1 == sequence.items.size();
      if (item.terminator == Terminator::kBackground) {
        if (is_last) out_ += " &";
        if (!is_last) separate(" & ", " &", "  ");
      } else if (!is_last) {
        if (!write_documents() && !std::exchange(had_documents_, false)) out_ += ';';
        newline();
      }
    }
  }
  // The list of a condition or body, up to the semicolon after it.
  void list(const Sequence& body) {
    sequence(body);
    write_documents();
    if (!out_.ends_with('&') && !out_.ends_with('\n')) out_ += ';';
  }
  void block(const Sequence& body) {
    ++indent_;
    newline();
    list(body);
    --indent_;
    newline();
  }

  void write(const Command& command) {
    std::visit([&](const auto& node) { this->node(node, command); }, command.node);
    if (!std::holds_alternative<SimpleCommand>(command.node)) redirections(command.redirections);
  }

  void redirections(std::span<const Redirection> all) {
    for (const Redirection& redirection : all) {
      out_ += ' ';
      out_ += redirection_text(redirection);
    }
  }

  std::string redirection_text(const Redirection& redirection) {
    std::string fd = redirection.descriptor >= 0 ? std::to_string(redirection.descriptor) : "";
    if (!redirection.variable.empty()) fd = fmt::format("{{{}}}", redirection.variable);
    if (redirection.here_document != nullptr) {
      const HereDocument& document = *redirection.here_document;
      documents_.push_back(&document);
      std::string_view dash = document.strips_tabs ? "-" : "";
      return document.is_quoted ? fmt::format("{}<<{}'{}'", fd, dash, document.delimiter)
                                : fmt::format("{}<<{}{}", fd, dash, document.delimiter);
    }
    std::string target = to_source(redirection.target);
    switch (redirection.op) {
      case RedirectOp::kInput: return fmt::format("{}< {}", fd, target);
      case RedirectOp::kOutput: return fmt::format("{}> {}", fd, target);
      case RedirectOp::kAppend: return fmt::format("{}>> {}", fd, target);
      case RedirectOp::kReadWrite: return fmt::format("{}<> {}", fd, target);
      case RedirectOp::kClobber: return fmt::format("{}>| {}", fd, target);
      case RedirectOp::kDuplicateInput: return fmt::format("{}<&{}", fd.empty() ? "0" : fd, target);
      case RedirectOp::kDuplicateOutput:
        return fmt::format("{}>&{}", fd.empty() ? "1" : fd, target);
      case RedirectOp::kOutputAll: return fmt::format("&> {}", target);
      case RedirectOp::kAppendAll: return fmt::format("&>> {}", target);
      default: return fmt::format("{}<<< {}", fd, target);
    }
  }

  void node(const SimpleCommand& simple, const Command& command) {
    // What to_source() writes, but with the redirections of bash.
    Command plain = command;
    plain.redirections = {};
    out_ += simple.words.empty() && simple.assignments.empty() ? "" : to_source(plain);
    std::string_view separator = simple.words.empty() && simple.assignments.empty() ? "" : " ";
    for (const Redirection& redirection : command.redirections) {
      out_ += separator;
      out_ += redirection_text(redirection);
      separator = " ";
    }
  }

  void node(const Pipeline& pipeline, const Command&) {
    if (pipeline.is_timed) out_ += pipeline.time_is_posix ? "time -p " : "time ";
    if (pipeline.is_negated) out_ += "! ";
    for (size_t i = 0; i < pipeline.items.size(); ++i) {
      if (i > 0 && pipeline.items[i - 1].pipes_errors) out_ += " 2>&1";
      if (i > 0) separate(" | ", " |", "  ");
      write(*pipeline.items[i].command);
    }
  }

  void node(const AndOr& list, const Command&) {
    for (const AndOrItem& item : list.items) {
      std::string_view op = item.op == AndOrOp::kAnd ? " && " : " || ";
      if (item.op != AndOrOp::kFirst) separate(op, op, " ");
      write(*item.command);
    }
  }

  void node(const BraceGroup& group, const Command&) {
    out_ += "{ ";
    ++indent_;
    newline();
    sequence(group.body);
    write_documents();
    --indent_;
    newline();
    out_ += "}";
  }

  void node(const Subshell& subshell, const Command&) {
    out_ += "( ";
    sequence(subshell.body);
    write_documents();
    out_ += " )";
  }

  void node(const If& choice, const Command&) {
    size_t depth = 0;
    for (size_t i = 0; i < choice.arms.size(); ++i) {
      if (i > 0) {  // elif is an if within else
        out_ += "else";
        ++indent_;
        ++depth;
        newline();
      }
      out_ += "if ";
      list(choice.arms[i].condition);
      out_ += " then";
      block(choice.arms[i].body);
    }
    if (choice.else_body != nullptr) {
      out_ += "else";
      block(*choice.else_body);
    }
    out_ += "fi";
    for (; depth > 0; --depth) {
      out_ += ';';
      --indent_;
      newline();
      out_ += "fi";
    }
  }

  void node(const While& loop, const Command&) {
    out_ += loop.is_until ? "until " : "while ";
    list(*loop.condition);
    out_ += " do";
    block(*loop.body);
    out_ += "done";
  }

  void node(const For& loop, const Command&) {
    out_ += loop.is_select ? "select " : "for ";
    out_ += loop.name->text;
    out_ += " in";
    if (loop.has_in) {
      for (const Word& word : loop.words()) out_ += " " + to_source(word);
    } else {
      out_ += " \"$@\"";
    }
    out_ += ";";
    newline();
    out_ += "do";
    block(*loop.body);
    out_ += "done";
  }

  static std::string text_of(const Arithmetic* arithmetic) {
    if (arithmetic == nullptr) return "1";
    std::string text = to_source(arithmetic->word);
    text.erase(0, std::min(text.find_first_not_of(" \t\n"), text.size()));
    return text.empty() ? "1" : text;
  }
  void node(const ArithmeticFor& loop, const Command&) {
    out_ += fmt::format("for (({}; {}; {}))", text_of(loop.initial), text_of(loop.condition),
                        text_of(loop.step));
    newline();
    out_ += "do";
    block(*loop.body);
    out_ += "done";
  }

  void node(const Case& choice, const Command&) {
    out_ += fmt::format("case {} in ", to_source(*choice.subject));
    ++indent_;
    for (const CaseArm& arm : choice.arms) {
      newline();
      for (size_t i = 0; i < arm.patterns.size(); ++i) {
        out_ += (i > 0 ? " | " : "") + to_source(arm.patterns[i]);
      }
      out_ += ")";
      ++indent_;
      newline();
      sequence(arm.body);
      write_documents();
      --indent_;
      newline();
      out_ += arm.end == CaseEnd::kFallThrough ? ";&"
              : arm.end == CaseEnd::kContinue  ? ";;&"
                                               : ";;";
    }
    --indent_;
    newline();
    out_ += "esac";
  }

  void node(const Function& function, const Command&) {
    out_ += fmt::format("function {} () ", function.name->text);
    newline();
    if (function.body != nullptr) function_body(*function.body);
  }

  void node(const Conditional& conditional, const Command&) {
    out_ += fmt::format("[[ {} ]]", to_source(*conditional.expression));
  }
  void node(const ArithmeticCommand& command, const Command&) {
    out_ += fmt::format("(({}))", to_source(command.arithmetic->word));
  }
  void node(const Coproc& coproc, const Command&) {
    out_ += fmt::format("coproc {} ", coproc.name == nullptr ? "COPROC" : coproc.name->text);
    write(*coproc.command);
  }
  void node(const Broken&, const Command&) {}

  std::string out_;
  size_t indent_ = 0;
  bool had_documents_ = false;  // bash leaves out the next semicolon
  std::vector<const HereDocument*> documents_;
};

}  // namespace

std::string function_text(std::string_view name, const Command& body) {
  return FunctionText().definition(name, body);
}

}  // namespace nacre::shell
