// X202: `local` outside of a function fails, and the variable is not set.
//
//   X202 bash: #!/bin/bash\nlocal name=world\necho "hello $name"
//   X202: #!/bin/sh\nfor i in 1 2; do local j; j=$i; echo "$j"; done
//   X202 bash: #!/bin/bash\nif [ -n "$1" ]; then local -i count=$1; fi
//   quiet bash: #!/bin/bash\ngreet() { local name=world; echo "hello $name"; }\ngreet
//   quiet bash: local name=world
//   quiet: #!/bin/sh\nlocal x=$(function_of_the_caller a)\necho "$x"
//   quiet bash: #!/bin/bash\nf() { eval 'local x=1'; }\nf
#include "flow/call_words.h"
#include "flow/rules/publish.h"
#include "shell/visitor.h"

namespace nacre::flow::rules {

namespace {

// A command that nothing defines and no card describes: the file is a part of a program that
// defines it, and a function of that may source the file.
bool calls_unknown(const RuleContext& in) {
  bool result = false;
  walk(in.tree.program(), shell::Visitor{[&](const Command& command) {
         const auto* simple = std::get_if<shell::SimpleCommand>(&command.node);
         if (!simple || simple->words.empty() || !simple->words[0].is_plain()) return;
         const std::string_view name = simple->words[0].literal();
         result |= name.find('/') == name.npos && !in.cards.find(name) && !is_shell_builtin(name) &&
                   !is_interpreted_builtin(name) && !in.survey.functions.contains(name);
       }});
  return result;
}

}  // namespace

void misplaced_local(const TextEvent& event, RuleContext& in) {
  // A file without `#!` may be sourced by a function.
  if (!in.script.is_program) return;
  const auto* simple = std::get_if<shell::SimpleCommand>(&event.command.node);
  if (!simple || simple->words.empty() || !simple->words[0].is_plain() ||
      simple->words[0].literal() != "local" || in.survey.functions.contains("local"))
    return;
  for (const Command* outer : event.around)
    if (std::holds_alternative<shell::Function>(outer->node)) return;
  if (calls_unknown(in)) return;
  in.report(in.finding("X202", event.command.span,
                       "local fails outside of a function, and its variables are not set"));
}

}  // namespace nacre::flow::rules
