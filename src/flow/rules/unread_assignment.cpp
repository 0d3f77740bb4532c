// X223: a variable that is assigned and never read, with a name one slip away from one that is.
//
//   X223 bash: #!/bin/bash\nresult=\nfor f in *; do resutl=$f; done\necho "$result"
//   X223: #!/bin/sh\noutput_dir=/srv\nif [ -n "$1" ]; then ouptut_dir=$1; fi\nls "$output_dir"
//   X223: #!/bin/sh\nverbose=0\nfor o; do [ "$o" = -v ] && verbsoe=1; done\necho "$verbose"
//   quiet: #!/bin/sh\nresult=1\necho "$result"
//   quiet: #!/bin/sh\nfiles=1\nfile=2\necho "$file"
//   quiet: #!/bin/sh\nexport RESUTL=1\nRESULT=2\necho "$RESULT"
//   quiet: #!/bin/sh\ncount1=1\ncount2=2\necho "$count2"
//   quiet: #!/bin/sh\nread -r user userr\necho "$user"
//   quiet: #!/bin/sh\nresutl=1\nresult=2\n. ./more\necho "$result"
#include <algorithm>
#include <fmt/format.h>

#include "base/ascii.h"
#include "base/slip.h"
#include "flow/rules/publish.h"
#include "flow/rules/variable_names.h"
#include "shell/visitor.h"

namespace nacre::flow::rules {

namespace {

// The name occurs once in the whole text, and so is read by nothing: not by eval, not by a
// here-document, not by another file's convention that a comment tells.
bool occurs_once(std::string_view text, std::string_view name) {
  const size_t first = text.find(name);
  return first != text.npos && text.find(name, first + 1) == text.npos;
}

// A slip in the middle: names of a series differ at their end, and `x1`, `x2` by a digit.
bool is_slip_inside(std::string_view a, std::string_view b) {
  constexpr size_t kMinLength = 5;
  if (a.size() < kMinLength || b.size() < kMinLength) return false;
  const auto digits = [](std::string_view name) {
    return std::count_if(name.begin(), name.end(), is_digit);
  };
  if (digits(a) != digits(b)) return false;
  if (is_swapped(a, b)) return true;
  return a.size() != b.size() && a.back() == b.back() && a[0] == b[0] && is_one_slip(a, b);
}

// Code from elsewhere may read every variable.
bool runs_other_code(const RuleContext& in) {
  bool result = false;
  walk(in.tree.program(), shell::Visitor{[&](const Command& command) {
         const auto* simple = std::get_if<shell::SimpleCommand>(&command.node);
         if (!simple || simple->words.empty() || !simple->words[0].is_literal()) return;
         const std::string_view name = simple->words[0].literal();
         result |= name == "." || name == "source" || name == "eval";
       }});
  return result;
}

}  // namespace

void unread_assignment(const ScriptEvent&, RuleContext& in) {
  if (!in.script.is_program || in.survey.exported.contains("*") || runs_other_code(in)) return;
  for (const auto& [name, span] : in.survey.assignments) {
    const std::string_view rest = text_after(in.tree, name, span.begin);
    // `read a b c` has to name what it skips.
    if (!rest.starts_with('=') || in.survey.reads.contains(name) ||
        in.survey.exported.contains(std::string(name)) || !occurs_once(in.file().bytes(), name))
      continue;
    for (const auto& [read, count] : in.survey.reads) {
      if (!is_slip_inside(name, read) || !in.survey.assigned.contains(read)) continue;
      in.report(
          in.finding("X223", {span.begin, span.begin + static_cast<uint32_t>(name.size())},
                     fmt::format("{} is assigned and never read; did you mean {}?", name, read)));
      break;
    }
  }
}

}  // namespace nacre::flow::rules
