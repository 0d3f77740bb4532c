// F107: commands after one that ends the script, the function or the round of a loop.
//
//   F107: echo a\nexit 0\necho b
//   quiet: echo a\nexit 0
//   F107: f() { return 1; echo done; }\nf
//   quiet: usage() { echo use; exit 1; }\n[ "$1" ] || usage\necho go
//   quiet: usage() { echo use; exit 1; }\nusage\nexit 1
//   F107: if [ "$1" ]; then exit 0; else exit 1; fi\nrm -f lock
//   quiet: if [ "$1" ]; then exit 0; fi\nrm -f lock
//   quiet: exec ./server\necho 'cannot run it' >&2
//   quiet: exit 0\nhelper() { echo a; }
//   F107: die() { echo "$1"; exit 1; }\ndie no\nrm -f lock
//   quiet: while [ -n "$1" ]; do shift; done\necho end
//   quiet: f() { exit 1; }\nf() { echo a; }\nf\nrm -f lock
//   F107: case $1 in a) exit 0 ;; *) exit 1 ;; esac\necho end
//   quiet: case $1 in a) exit 0 ;; b) exit 1 ;; esac\necho end
#include <algorithm>
#include <set>

#include "flow/rules/publish.h"

namespace nacre::flow::rules {

namespace {

std::string_view name_called(const shell::Command& command) {
  const auto* simple = std::get_if<shell::SimpleCommand>(&command.node);
  if (!simple || simple->words.empty() || !simple->words[0].is_literal()) return {};
  return simple->words[0].literal();
}

// What is written after such a command out of habit: `usage; exit 1`.
bool is_habit(const shell::Command& command) {
  if (std::holds_alternative<shell::Function>(command.node)) return true;
  const std::string_view name = name_called(command);
  for (const std::string_view habit :
       {"exit", "return", "break", "continue", ":", "true", "shift"}) {
    if (name == habit) return true;
  }
  return false;
}

// Whether the text alone says that nothing comes after it. What the checker takes for impossible by
// the values that it expects is not enough to call the rest dead.
class Ending {
 public:
  explicit Ending(const RuleContext& in) : in_(in) {}

  bool ends(const shell::Command& command) {
    if (const auto* group = std::get_if<shell::BraceGroup>(&command.node)) return ends(group->body);
    if (const auto* branch = std::get_if<shell::If>(&command.node)) {
      bool all = branch->else_body != nullptr && ends(*branch->else_body);
      for (const shell::IfArm& arm : branch->arms) all = all && ends(arm.body);
      return all;
    }
    if (const auto* branch = std::get_if<shell::Case>(&command.node)) return ends(*branch);
    return ends_by_name(name_called(command));
  }

 private:
  bool ends(const shell::Sequence& body) {
    for (const shell::Item& item : body.items) {
      const bool is_here = item.terminator != shell::Terminator::kBackground;
      if (item.command && is_here && ends(*item.command)) return true;
    }
    return false;
  }
  bool ends(const shell::Case& branch) {
    bool takes_all = false;
    for (const shell::CaseArm& arm : branch.arms) {
      for (const shell::Word& pattern : arm.patterns) takes_all |= in_.text(pattern.span) == "*";
      const bool is_last = arm.end == shell::CaseEnd::kBreak || arm.end == shell::CaseEnd::kNone;
      if (!is_last || !ends(arm.body)) return false;
    }
    return takes_all;
  }
  bool ends_by_name(std::string_view name) {
    if (name == "exit" || name == "return" || name == "break" || name == "continue") return true;
    const auto function = in_.survey.functions.find(name);
    if (function == in_.survey.functions.end() || !seen_.insert(name).second) return false;
    const auto is_named = [&](const shell::Function* each) { return each->name->text == name; };
    const auto& known = in_.script.known_functions;  // another one of that name may be called
    if (std::count_if(known.begin(), known.end(), is_named) > 1) return false;
    return function->second->body != nullptr && exits(*function->second->body);
  }
  // A function that ends the script, whatever happens: `return` ends only itself.
  bool exits(const shell::Command& body) {
    const auto* group = std::get_if<shell::BraceGroup>(&body.node);
    if (!group) return false;
    for (const shell::Item& item : group->body.items) {
      if (!item.command) continue;
      const std::string_view name = name_called(*item.command);
      if (name == "exit") return true;
      if (std::get_if<shell::SimpleCommand>(&item.command->node) == nullptr || name == "return")
        return false;
    }
    return false;
  }

  const RuleContext& in_;
  std::set<std::string_view> seen_;
};

}  // namespace

void never_run(const AfterEvent& event, RuleContext& in) {
  const Span place = event.next.span;
  if (event.is_reached || is_habit(event.next) || !Ending(in).ends(event.before))
    return in.pass("F107", place);
  Diagnostic result = in.finding("F107", place, "unreachable: this is never run");
  result.path.push_back(in.note(event.before.span, "this always ends it"));
  in.pass("F107", place, std::move(result));
}

}  // namespace nacre::flow::rules
