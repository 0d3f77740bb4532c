// X202: `local` outside of a function fails, and the variable is not set.
//
//   X202 bash: #!/bin/bash\nlocal name=world\necho "hello $name"
//   X202: #!/bin/sh\nfor i in 1 2; do local j; j=$i; echo "$j"; done
//   X202 bash: #!/bin/bash\nif [ -n "$1" ]; then local -i count=$1; fi
//   quiet bash: #!/bin/bash\ngreet() { local name=world; echo "hello $name"; }\ngreet
//   quiet bash: local name=world
//   quiet bash: #!/bin/bash\nf() { eval 'local x=1'; }\nf
#include <fmt/format.h>

#include "flow/rules/publish.h"

namespace nacre::flow::rules {

void misplaced_local(const TextEvent& event, RuleContext& in) {
  // A file without `#!` may be sourced by a function.
  if (!in.script.is_program) return;
  const auto* simple = std::get_if<shell::SimpleCommand>(&event.command.node);
  if (!simple || simple->words.empty() || !simple->words[0].is_plain() ||
      simple->words[0].literal() != "local" || in.survey.functions.contains("local"))
    return;
  for (const Command* outer : event.around)
    if (std::holds_alternative<shell::Function>(outer->node)) return;
  in.report(in.finding("X202", event.command.span,
                       "local fails outside of a function, and its variables are not set"));
}

}  // namespace nacre::flow::rules
