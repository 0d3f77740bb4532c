// F105: several files get one name.
//
//   F105: mv *.JPG *.jpg
//   quiet: mv *.JPG pictures/
//   F105: find . -name '*.R' | xargs -I f mv f target
//   quiet: find . -name '*.R' | xargs -I f mv f target/
//   quiet: mkdir target\nfind . -name '*.R' | xargs -I f mv f target
//   quiet: find . -name '*.R' | xargs -I f mv f f.old
//   F105: find . -name '*.bak' -exec mv {} saved \;
//   quiet: find . -name '*.bak' -exec mv {} /srv/saved \;
//   F105: now=$(date +%s)\nwhile read -r l; do cp a.txt old/a.txt.$now; done
//   quiet: while read -r l; do now=$(date +%s); cp a.txt old/a.txt.$now; done
//   quiet: now=$(date +%s)\nfor m in a b; do cp a.txt old/a.txt.$now && break; done
#include <algorithm>
#include <fmt/format.h>

#include "base/path.h"
#include "flow/assigned.h"
#include "flow/call_words.h"
#include "flow/place_names.h"
#include "flow/rules/publish.h"
#include "shell/visitor.h"

namespace nacre::flow::rules {

namespace {

// cp and mv: the last operand is where the others go.
bool has_target(const commands::Card* card) {
  return card && card->operands.size() == 2 &&
         card->operands[1].kind == commands::OperandKind::kPathWritten;
}

std::string_view last_component(std::string_view path) { return path.substr(path.rfind('/') + 1); }

// `*.jpg`: a star, and an extension after it.
bool is_extension_pattern(const shell::Word& word, const RuleContext& in) {
  const std::string_view text = last_component(in.text(word.span));
  return text.starts_with("*.") && text.find_first_of("$`\"'", 1) == text.npos;
}

void check_wildcards(std::span<const Field> words, const Call& call, RuleContext& in) {
  const bool has_option = std::any_of(words.begin() + 1, words.end(), [](const Field& field) {
    return field.argument.text && field.argument.text->starts_with("-t");
  });
  const Field& last = words.back();
  if (has_option || words.size() < 3 || !last.word || !is_extension_pattern(*last.word, in)) return;
  const bool has_source = std::any_of(words.begin() + 1, words.end() - 1, [&](const Field& field) {
    return field.word && is_extension_pattern(*field.word, in);
  });
  if (!has_source) return;
  in.report(in.finding(
      "F105", last.word->span,
      fmt::format("the shell replaces both patterns before {} is called: it gets the names of all "
                  "files, and the last one is the target",
                  in.text(call.fields[0].argument.span))));
}

// Some command other than these names the target: it is made or asked for there.
bool is_named_elsewhere(std::string_view target, const RuleContext& in) {
  bool result = false;
  const auto look = [&](const shell::Command& command) {
    const auto* simple = std::get_if<shell::SimpleCommand>(&command.node);
    if (!simple || simple->words.empty() || !simple->words[0].is_literal()) return true;
    const std::string_view name = simple->words[0].literal();
    if (name == "xargs" || name == "find" || has_target(in.cards.find(name))) return true;
    for (const shell::Word& word : simple->words.subspan(1)) {
      std::string_view text = word.is_literal() ? word.literal() : std::string_view{};
      while (text.ends_with('/')) text.remove_suffix(1);
      result |= text == target;
    }
    return true;
  };
  shell::walk(in.tree.program(), shell::Visitor{look});
  return result;
}

// `xargs -I f mv f TARGET`, `find ... -exec mv {} TARGET \;`: once for each file.
void check_repeated(std::span<const Field> words, std::string_view each, RuleContext& in) {
  if (!words[0].argument.text || !has_target(in.cards.find(base_name(*words[0].argument.text))))
    return;
  std::vector<const Field*> operands;
  for (const Field& field : words.subspan(1)) {
    if (!field.argument.text) return;
    if (field.argument.text->starts_with("-t") || field.argument.text->starts_with("--")) return;
    if (!field.argument.text->starts_with('-')) operands.push_back(&field);
  }
  if (operands.size() != 2) return;
  const std::string& target = *operands[1]->argument.text;
  const bool is_plain = target.find('/') == target.npos && target.find(each) == target.npos &&
                        target != "." && target != "..";
  if (!is_plain || operands[0]->argument.text->find(each) == std::string::npos ||
      is_named_elsewhere(target, in))
    return;
  Diagnostic result = in.finding(
      "F105", operands[1]->argument.span,
      fmt::format("unless {} is a directory, each file replaces the one before", target));
  result.severity = Severity::kInfo;  // it may well be one
  const Span span = operands[1]->argument.span;
  result.fixes.push_back({"demand a directory", {{{span.end, span.end}, "/"}}, false});
  in.report(std::move(result));
}

void check_loop_body(const shell::Sequence& body, std::span<const Assigned> assigned,
                     RuleContext& in) {
  bool leaves = false;
  std::vector<const shell::SimpleCommand*> copies;
  const auto look = [&](const shell::Command& command) {
    if (std::holds_alternative<shell::Function>(command.node)) return false;
    const auto* simple = std::get_if<shell::SimpleCommand>(&command.node);
    if (!simple || simple->words.empty() || !simple->words[0].is_literal()) return true;
    const std::string_view name = simple->words[0].literal();
    leaves |= name == "break" || name == "exit" || name == "return";
    if (simple->words.size() == 3 && has_target(in.cards.find(name))) copies.push_back(simple);
    return true;
  };
  shell::walk(body, shell::Visitor{look});
  if (leaves) return;
  for (const shell::SimpleCommand* copy : copies) {
    const shell::Word& source = copy->words[1];
    const shell::Word& target = copy->words[2];
    if (!source.is_literal() || !target.has(shell::kWordHasExpansion)) continue;
    const std::string name(last_component(source.literal()));
    const std::string_view text = in.text(target.span);
    const size_t at = text.rfind('/' + name);
    if (name.empty() || at == text.npos || text.find('$', at) == text.npos) continue;
    bool is_constant = true;
    const auto look_at = [&](const shell::Part& part) {
      if (part.kind == shell::PartKind::kCommand || part.kind == shell::PartKind::kArithmetic)
        is_constant = false;
      if (part.kind != shell::PartKind::kParameter) return;
      const shell::Parameter& node = part.parameter();
      is_constant &= node.kind == shell::ParameterKind::kVariable &&
                     std::none_of(assigned.begin(), assigned.end(),
                                  [&](const Assigned& each) { return each.name == node.name; });
    };
    shell::walk(target, shell::Visitor{look_at});
    if (!is_constant) continue;
    in.report(in.finding("F105", target.span,
                         "the name is the same in every iteration, so only the last copy "
                         "remains"));
  }
}

}  // namespace

void same_target(const CallEvent& event, RuleContext& in) {
  const auto words = event.words;
  if (words.empty() || !words[0].argument.text) return;
  const std::span<const Field> outer = event.call.fields;
  if (has_target(in.cards.find(base_name(*words[0].argument.text))) &&
      !has_model("xargs", outer[0], in.cards))
    check_wildcards(words, event.call, in);
  if (has_model("xargs", outer[0], in.cards)) {
    for (size_t i = 1; i + 1 < outer.size(); i++) {
      const auto& text = outer[i].argument.text;
      if (!text || !text->starts_with("-I")) continue;
      const auto& each = text->size() > 2 ? text : outer[i + 1].argument.text;
      if (each) check_repeated(words, text->size() > 2 ? each->substr(2) : *each, in);
      return;
    }
  }
  if (!has_model("find", outer[0], in.cards)) return;
  for (size_t i = 1; i + 1 < outer.size(); i++) {
    if (outer[i].argument.text != "-exec") continue;
    size_t end = i + 1;
    while (end < outer.size() && outer[end].argument.text != ";") end++;
    if (end < outer.size() && end > i + 1)
      check_repeated(outer.subspan(i + 1, end - i - 1), "{}", in);
  }
}

void same_target_in_while(const WhileEvent& event, RuleContext& in) {
  std::vector<Assigned> assigned = assigned_in(*event.node.body);
  const std::vector<Assigned> asked = assigned_in(*event.node.condition);
  assigned.insert(assigned.end(), asked.begin(), asked.end());
  check_loop_body(*event.node.body, assigned, in);
}

void same_target_in_for(const ForEvent& event, RuleContext& in) {
  std::vector<Assigned> assigned = assigned_in(*event.node.body);
  assigned.push_back({event.node.name->text, event.node.name->span});
  check_loop_body(*event.node.body, assigned, in);
}

}  // namespace nacre::flow::rules
