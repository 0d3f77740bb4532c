// X220: getopts takes an option for which `case` has no arm, or an arm is for an option that
// getopts does not take.
//
//   X220: while getopts ab:c o; do case $o in a) x=1 ;; b) y=$OPTARG ;; esac; done\necho "$x$y"
//   X220: while getopts ab o; do case $o in a) x=1 ;; b) y=1 ;; v) z=1 ;; esac; done
//   X220: while getopts :f: o; do case "$o" in f) x=1 ;; v) z=1 ;; *) exit 2 ;; esac; done
//   quiet: while getopts ab: o; do case $o in a) x=1 ;; b) y=$OPTARG ;; esac; done
//   quiet: while getopts ah o; do case $o in a) x=1 ;; *) exit 2 ;; esac; done
//   quiet: while getopts ah o; do case $o in a) x=1 ;; [h?]) exit 2 ;; esac; done
//   quiet: while getopts :a-: o; do case $o in a) x=1 ;; -) y=1 ;; [:?]) exit 2 ;; esac; done
#include <fmt/format.h>
#include <string>

#include "flow/rules/publish.h"
#include "shell/visitor.h"

namespace nacre::flow::rules {

namespace {

struct OptionLoop {
  std::string_view letters;  // without colons
  const shell::Word* given = nullptr;
  std::string_view variable;
};

// `while getopts LETTERS NAME`
std::optional<OptionLoop> option_loop(const shell::While& loop) {
  if (loop.condition->items.size() != 1 || !loop.condition->items[0].command) return {};
  const auto* simple = std::get_if<shell::SimpleCommand>(&loop.condition->items[0].command->node);
  if (!simple || simple->words.size() < 3) return {};
  for (const shell::Word& word : simple->words.first(3))
    if (!word.is_literal()) return {};
  if (simple->words[0].literal() != "getopts") return {};
  return OptionLoop{simple->words[1].literal(), &simple->words[1], simple->words[2].literal()};
}

bool asks_for(const shell::Case& node, std::string_view variable) {
  const shell::Part* part = nullptr;
  for (const shell::Part& each : node.subject->parts()) {
    if (part != nullptr) return false;
    part = &each;
  }
  if (part && part->kind == shell::PartKind::kDoubleQuoted)
    part = part->parts().size() == 1 ? &part->parts()[0] : nullptr;
  return part && part->kind == shell::PartKind::kParameter && part->parameter().name == variable &&
         part->parameter().op == shell::ParameterOp::kNone;
}

// The one `case` in the body that looks at the letter; null if there is none or several.
const shell::Case* only_case(const shell::Sequence& body, std::string_view variable) {
  const shell::Case* result = nullptr;
  bool is_only = true;
  walk(body, shell::Visitor{[&](const Command& command) {
         const auto* found = std::get_if<shell::Case>(&command.node);
         if (!found || !asks_for(*found, variable)) return;
         is_only &= result == nullptr;
         result = found;
       }});
  return is_only ? result : nullptr;
}

// Whether the pattern, as it is written, may match the letter.
bool may_take(const shell::Word& pattern, char letter) {
  if (pattern.is_literal()) return pattern.literal() == std::string_view(&letter, 1);
  return true;
}

void judge_case(const OptionLoop& loop, const shell::Case& node, RuleContext& in) {
  std::string missing;
  for (const char letter : loop.letters) {
    if (letter == ':') continue;
    bool is_taken = false;
    for (const shell::CaseArm& arm : node.arms)
      for (const shell::Word& pattern : arm.patterns) is_taken |= may_take(pattern, letter);
    if (!is_taken) missing += fmt::format("{}-{}", missing.empty() ? "" : ", ", letter);
  }
  if (!missing.empty()) {
    in.report(
        in.finding("X220", loop.given->span,
                   fmt::format("getopts accepts {}, but no arm of case handles it", missing)));
  }
  for (const shell::CaseArm& arm : node.arms) {
    for (const shell::Word& pattern : arm.patterns) {
      if (!pattern.is_literal() || pattern.literal().size() != 1) continue;
      const char letter = pattern.literal()[0];
      if (letter == '?' || letter == ':' || loop.letters.find(letter) != loop.letters.npos)
        continue;
      in.report(
          in.finding("X220", pattern.span,
                     fmt::format("never reached: getopts does not accept -{}; its options are {}",
                                 letter, loop.letters)));
    }
  }
}

}  // namespace

void unhandled_option(const TextEvent& event, RuleContext& in) {
  const auto* loop = std::get_if<shell::While>(&event.command.node);
  if (!loop || loop->is_until) return;
  const auto options = option_loop(*loop);
  if (!options) return;
  if (const shell::Case* node = only_case(*loop->body, options->variable))
    judge_case(*options, *node, in);
}

}  // namespace nacre::flow::rules
