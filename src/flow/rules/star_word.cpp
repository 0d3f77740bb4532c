// X120: an unquoted list with a `*` among its words: the shell puts the names of files there.
//
//   X120: for b in $(git branch); do git log -1 "$b"; done
//   quiet: for b in $(git branch --format='%(refname:short)'); do git log -1 "$b"; done
#include <algorithm>
#include <fmt/format.h>

#include "flow/rules/publish.h"
#include "regular/decide.h"
#include "regular/parse_type.h"

namespace nacre::flow::rules {

void star_word(const ForEvent& event, RuleContext& in) {
  const Lang starred = *regular::parse_type(in.languages, "(.*[ \\t])?[*]([ \\t].*)?");
  for (const Field& field : event.fields) {
    for (const Fragment& fragment : field.fragments) {
      if (fragment.is_quoted || !fragment.value.printed) continue;
      for (const commands::LineKind& kind : fragment.value.printed->kinds) {
        if (kind.frequency > commands::Frequency::kUsual ||
            !regular::included(kind.lines, starred, in.budget).yes())
          continue;
        return in.report(in.finding(
            "X120", field.word->span,
            fmt::format("the {} line of {} has a *, which the shell replaces by the names of files",
                        kind.name, fragment.value.printed->producer->command)));
      }
    }
  }
}

}  // namespace nacre::flow::rules
