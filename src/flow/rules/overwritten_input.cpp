// X201: the shell empties the file of `> file` before the command that reads it begins.
//
//   X201: sort names > names
//   X201: sed 's/a/b/' "$file" > "$file"
//   X201: jq '.a = 1' config.json > ./config.json
//   X201: grep -v x log | sort > log
//   X201: tr a b < list > list
//   quiet: sort -o names names
//   quiet: sort names > names.sorted
//   quiet: sort names >> names
//   quiet: grep log messages > log
//   quiet: echo names > names
//   quiet: read -r n < count\necho "$((n + 1))" > count
//   quiet: grep -v x log | sponge log
#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <utility>
#include <vector>

#include "commands/check_arguments.h"
#include "flow/rules/publish.h"
#include "shell/visitor.h"

namespace nacre::flow::rules {

namespace {

// A file that a command reads or writes: by its name if that is known, else as it is written.
struct NamedFile {
  std::string name;
  Span span;
};

// Two words that are written alike name one file if nothing in them may differ from time to time.
std::optional<NamedFile> file_of(const shell::Word& word, const RuleContext& in) {
  if (word.is_literal()) {
    const std::string_view path = plain_path(word.literal());
    if (path.empty() || path.starts_with("/dev/") || path.starts_with("/proc/")) return {};
    return NamedFile{std::string(path), word.span};
  }
  bool is_stable = word.has(shell::kWordHasExpansion) && !word.has(shell::kWordMayGlob);
  walk(word, shell::Visitor{[&](const shell::Part& part) {
         is_stable &= part.kind != shell::PartKind::kCommand &&
                      part.kind != shell::PartKind::kProcess &&
                      part.kind != shell::PartKind::kArithmetic;
       }});
  if (!is_stable) return {};
  std::string text;
  for (const char c : in.text(word.span))
    if (c != '"' && c != '{' && c != '}') text += c;
  return NamedFile{std::move(text), word.span};
}

std::vector<NamedFile> emptied_by(const Command& command, const RuleContext& in) {
  std::vector<NamedFile> result;
  for (const shell::Redirection& each : command.redirections) {
    const bool empties =
        each.op == shell::RedirectOp::kOutput || each.op == shell::RedirectOp::kClobber;
    if (!empties || each.descriptor > 1 || !each.variable.empty()) continue;
    if (auto file = file_of(each.target, in)) result.push_back(std::move(*file));
  }
  return result;
}

std::vector<NamedFile> redirected_to(const Command& command, const RuleContext& in) {
  std::vector<NamedFile> result;
  for (const shell::Redirection& each : command.redirections) {
    if (each.op != shell::RedirectOp::kInput || each.descriptor > 0) continue;
    if (auto file = file_of(each.target, in)) result.push_back(std::move(*file));
  }
  return result;
}

// The operands that the card says are read.
std::vector<NamedFile> read_operands(const shell::SimpleCommand& simple,
                                     const commands::Invocation& invocation,
                                     const RuleContext& in) {
  std::vector<NamedFile> result;
  const auto& operands = invocation.operands;
  for (size_t i = 0; i < operands.size(); i++) {
    const auto* spec = commands::operand_spec(*invocation.card, i, operands.size());
    if (spec == nullptr || spec->kind != commands::OperandKind::kFile) continue;
    for (const shell::Word& word : simple.words) {
      if (word.span != operands[i].span) continue;
      if (auto file = file_of(word, in)) result.push_back(std::move(*file));
    }
  }
  return result;
}

void compare_files(const std::vector<NamedFile>& read, const std::vector<NamedFile>& emptied,
                   RuleContext& in) {
  for (const NamedFile& target : emptied) {
    for (const NamedFile& source : read) {
      if (source.name != target.name) continue;
      Diagnostic result = in.finding(
          "X201", target.span,
          fmt::format("{} is emptied before it is read: the shell opens it for writing first",
                      in.text(target.span)));
      result.notes.push_back(in.note(source.span, "it is read here"));
      in.report(std::move(result));
    }
  }
}

}  // namespace

void overwritten_input(const InvocationEvent& event, RuleContext& in) {
  const Call& call = event.call;
  const auto read = read_operands(call.simple, event.invocation, in);
  compare_files(read, emptied_by(call.node, in), in);
  if (read.empty() || in.where.pipeline == nullptr) return;
  const auto items = in.where.pipeline->items;
  const auto is_this = [&](const auto& item) { return item.command == &call.node; };
  if (std::none_of(items.begin(), items.end(), is_this)) return;
  for (const shell::PipelineItem& item : items) {
    if (item.command != nullptr && item.command != &call.node)
      compare_files(read, emptied_by(*item.command, in), in);
  }
}

void overwritten_redirection(const TextEvent& event, RuleContext& in) {
  std::vector<NamedFile> read = redirected_to(event.command, in);
  std::vector<NamedFile> emptied = emptied_by(event.command, in);
  if (const auto* pipeline = std::get_if<shell::Pipeline>(&event.command.node)) {
    for (const shell::PipelineItem& item : pipeline->items) {
      if (item.command == nullptr) continue;
      for (auto& file : redirected_to(*item.command, in)) read.push_back(std::move(file));
      for (auto& file : emptied_by(*item.command, in)) emptied.push_back(std::move(file));
    }
  }
  compare_files(read, emptied, in);
}

}  // namespace nacre::flow::rules
