// Redirections: standard output may be dropped or, for commands that cannot fail, written to a file
// by `tee`; standard input may be a text. Standard error is not known to CoLiS, so that what
// becomes of it does not matter, unless it would be captured.
#include <algorithm>
#include <fmt/format.h>

#include "colis/translator.h"

namespace nacre::colis {

using shell::Redirection;
using shell::RedirectOp;

namespace {

int descriptor_of(const Redirection& r) {
  if (r.descriptor >= 0) return r.descriptor;
  const bool is_input = r.op == RedirectOp::kInput || r.op == RedirectOp::kHereDocument ||
                        r.op == RedirectOp::kDuplicateInput || r.op == RedirectOp::kReadWrite;
  return is_input ? 0 : 1;
}
bool is_to_null(const Redirection& r) {
  const bool writes =
      r.op == RedirectOp::kOutput || r.op == RedirectOp::kAppend || r.op == RedirectOp::kClobber;
  return writes && r.target.is_literal() && r.target.literal() == "/dev/null";
}
// The descriptor that is copied, or -1.
int copied(const Redirection& r) {
  if (r.op != RedirectOp::kDuplicateOutput || !r.target.is_literal()) return -1;
  const std::string_view text = r.target.literal();
  return text.size() == 1 && text[0] >= '0' && text[0] <= '9' ? text[0] - '0' : -1;
}

Instruction silenced(Instruction of) {
  std::vector<Instruction> parts;
  parts.push_back(std::move(of));
  return with_parts(Instruction::kNoOutput, std::move(parts));
}
Instruction piped(Instruction from, Instruction to) {
  std::vector<Instruction> parts;
  parts.push_back(std::move(from));
  parts.push_back(std::move(to));
  return with_parts(Instruction::kPipe, std::move(parts));
}

// printf fails at what is no number, and at an option.
bool is_text_format(const ListExpression& words) {
  if (words.empty() || words[0].value.kind != StringExpression::kLiteral) return false;
  const std::string& format = words[0].value.text;
  if (format.starts_with('-')) return false;
  for (size_t at = format.find('%'); at != std::string::npos; at = format.find('%', at + 2)) {
    if (at + 1 >= format.size() || (format[at + 1] != 's' && format[at + 1] != '%')) return false;
  }
  return true;
}

// Cannot fail and changes nothing, so that it may run in a pipe.
bool only_prints(const Instruction& i) {
  if (i.kind == Instruction::kUtility)
    return i.name == "echo" || i.name == "true" || i.name == ":" ||
           (i.name == "printf" && is_text_format(i.list));
  return i.kind == Instruction::kPipe && only_prints(i.parts[0]) &&
         is_plain_utility(i.parts[1], "cat");
}

}  // namespace

// Whether the context is another one afterwards: a pipe would lose that.
bool Translator::changes_context(const Instruction& i) const {
  switch (i.kind) {
    case Instruction::kAssignment:
    case Instruction::kExport:
    case Instruction::kCd:
    case Instruction::kShift:
    case Instruction::kFor: return true;
    case Instruction::kProcess:
    case Instruction::kPipe: return false;
    case Instruction::kCall: {
      const auto& all = program_.functions;
      const auto found =
          std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.name == i.name; });
      const bool is_done = found != all.end() && !is_plain_utility(found->body, "");
      return !is_done || changes_context(found->body);
    }
    default: break;
  }
  return std::any_of(i.parts.begin(), i.parts.end(),
                     [&](const Instruction& part) { return changes_context(part); });
}

Instruction Translator::fed(Instruction from, Instruction to, Span span) {
  if (changes_context(to)) refuse_feature(span, "input for what changes variables");
  return piped(std::move(from), std::move(to));
}

// The redirections from `from` on, the first of them outermost.
Instruction Translator::redirected(const shell::Command& command, size_t from, bool is_discarded) {
  if (refused_) return {};
  if (from == command.redirections.size()) {
    ++depth_;
    Instruction result = node(command);
    --depth_;
    return result;
  }
  const Redirection& r = command.redirections[from];
  const auto* simple = std::get_if<shell::SimpleCommand>(&command.node);
  const bool is_exec = simple != nullptr && simple->words.size() == 1 &&
                       simple->words[0].is_literal() && simple->words[0].literal() == "exec";
  if (is_exec && copied(r) >= 0 && depth_ == 0 && command.redirections.size() == 1)
    return utility("true");
  if (is_exec) {
    refuse_feature(command.span,
                   options_.is_original ? "other redirections" : "special builtin: exec");
    return {};
  }
  const int fd = descriptor_of(r);
  if (fd == 1 && is_to_null(r)) return silenced(redirected(command, from + 1, true));
  if (fd == 1 && copied(r) >= 2) return silenced(redirected(command, from + 1, is_discarded));
  if (fd >= 2 && is_to_null(r)) return redirected(command, from + 1, is_discarded);
  if (fd >= 2 && copied(r) == 1 && is_discarded) return redirected(command, from + 1, true);
  if (options_.is_original) {
    refuse_feature(r.span,
                   r.op == RedirectOp::kHereDocument ? "here document" : "other redirections");
    return {};
  }
  return redirected_more(command, from, is_discarded);
}

Instruction Translator::redirected_more(const shell::Command& command, size_t from,
                                        bool is_discarded) {
  const Redirection& r = command.redirections[from];
  const int fd = descriptor_of(r);
  if (fd >= 2 && copied(r) >= 1 && (captures_ == 0 || copied(r) >= 2))
    return redirected(command, from + 1, is_discarded);
  if (fd == 0 && r.op == RedirectOp::kHereDocument) {
    Instruction text =
        utility("printf", words({literal("%s"), quoted_text(r.here_document->body)}));
    return fed(std::move(text), redirected(command, from + 1, is_discarded), r.span);
  }
  if (fd == 0 && r.op == RedirectOp::kInput && r.target.is_literal() &&
      r.target.literal() == "/dev/null")
    return fed(utility("true"), redirected(command, from + 1, is_discarded), r.span);
  const bool writes =
      r.op == RedirectOp::kOutput || r.op == RedirectOp::kAppend || r.op == RedirectOp::kClobber;
  if (fd == 1 && writes) return written(command, from);
  refuse_feature(r.span, "other redirections");
  return {};
}

// `echo x > f` is what tee does, because echo cannot fail.
Instruction Translator::written(const shell::Command& command, size_t from) {
  const Redirection& r = command.redirections[from];
  const auto* one = std::get_if<shell::SimpleCommand>(&command.node);
  const bool is_empty = one != nullptr && one->words.empty() && one->assignments.empty();
  Instruction inner = is_empty ? utility("true") : redirected(command, from + 1, false);
  if (refused_) return {};
  if (!only_prints(inner)) {
    refuse_feature(r.span, "output of a command that may fail, into a file");
    return {};
  }
  ListFragment target = fragment(r.target);
  target.is_split = false;  // the target of a redirection is not split
  ListExpression list;
  if (r.op == RedirectOp::kAppend) list.push_back({literal("-a"), false});
  list.push_back({literal("--"), false});
  list.push_back(std::move(target));
  return silenced(piped(std::move(inner), utility("tee", std::move(list))));
}

}  // namespace nacre::colis
