// F110: a file that is read is emptied first, by the `>` of the same command or pipeline.
//
//   F110: sort a > a
//   quiet: sort a > b
//   F110: grep -v x ./conf | sort > conf
//   quiet: grep conf other > conf
//   F110: f=/etc/hosts\nsed s/a/b/ "$f" > "$f"
//   quiet: sort a >> a
//   F110: tr a b < list > list
//   quiet: echo a > a
//   quiet: stty -g < "$tty" > "$tty"
//   quiet: cat /dev/null > /dev/null
#include <algorithm>
#include <fmt/format.h>

#include "commands/check_arguments.h"
#include "flow/place_names.h"
#include "flow/rules/publish.h"

namespace nacre::flow::rules {

namespace {

// The keys of the files that the command reads: its operands, by its card, and `< file`.
std::vector<std::string> files_read(const shell::Command& command, const Environment& environment,
                                    const RuleContext& in) {
  std::vector<std::string> result;
  for (const shell::Redirection& each : command.redirections) {
    if (each.op != shell::RedirectOp::kInput || each.descriptor > 0) continue;
    auto key = place_named_by(each.target, environment, in);
    const bool is_variable = key && key->starts_with("${") && key->find('/') == key->npos;
    if (key && !is_variable) result.push_back(*key);  // `stty < $tty > $tty`
  }
  const auto* simple = std::get_if<shell::SimpleCommand>(&command.node);
  if (!simple || simple->words.empty() || !simple->words[0].is_literal()) return result;
  const std::string_view name = simple->words[0].literal();
  const commands::Card* card = in.function_named(name, environment) ? nullptr : in.cards.find(name);
  if (!card || card->echoes) return result;
  std::vector<commands::Argument> arguments;
  for (const shell::Word& word : simple->words.subspan(1)) {
    commands::Argument one{word.span, in.languages.epsilon(), {}, {}, false};
    one.text = word.is_literal() && word.literal().starts_with('-')
                   ? std::string(word.literal())
                   : place_named_by(word, environment, in).value_or("?");
    one.prefix = *one.text;
    arguments.push_back(std::move(one));
  }
  const auto invocation =
      commands::parse_invocation(*card, simple->words[0].span, std::move(arguments));
  if (invocation.is_uncertain || invocation.is_foreign) return result;
  const size_t count = invocation.operands.size();
  for (size_t i = 0; i < count; i++) {
    const commands::OperandSpec* spec = commands::operand_spec(*card, i, count);
    if (spec && (spec->kind == commands::OperandKind::kFile))
      result.push_back(*invocation.operands[i].text);
  }
  return result;
}

const shell::Redirection* output_of(const shell::Command& command) {
  for (const shell::Redirection& each : command.redirections) {
    const bool is_output = each.descriptor == 1 || each.descriptor == -1;
    if (is_output && each.variable.empty() &&
        (each.op == shell::RedirectOp::kOutput || each.op == shell::RedirectOp::kClobber))
      return &each;
  }
  return nullptr;
}

void judge_output(const shell::Command& writer, std::span<const std::string> read,
                  const Environment& environment, RuleContext& in) {
  const shell::Redirection* output = output_of(writer);
  if (!output || read.empty()) return;
  const auto key = place_named_by(output->target, environment, in);
  if (!key || is_device_place(*key) || names_several(*key)) return;
  if (std::find(read.begin(), read.end(), *key) == read.end()) return;
  in.report(in.finding(
      "F110", output->span,
      fmt::format("{} is emptied before it is read: the shell opens it for writing first",
                  readable_place(*key))));
}

}  // namespace

void emptied_input(const CallEvent& event, RuleContext& in) {
  if (!output_of(event.call.node) || event.call.io.is_piped) return;
  judge_output(event.call.node, files_read(event.call.node, event.call.environment, in),
               event.call.environment, in);
}

void emptied_input_of_pipeline(const PipelineEvent& event, RuleContext& in) {
  const shell::Command* last =
      event.node.items.size() < 2 ? nullptr : event.node.items.back().command;
  if (!last || !output_of(*last)) return;
  std::vector<std::string> read;
  for (const shell::PipelineItem& item : event.node.items) {
    if (!item.command) return;
    for (std::string& key : files_read(*item.command, event.environment, in))
      read.push_back(std::move(key));
  }
  judge_output(*last, read, event.environment, in);
}

}  // namespace nacre::flow::rules
