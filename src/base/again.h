// The option with which a command does not fail when its work is done already: mkdir -p, rm -f,
// ln -sfn. Purifiers of all languages add it; whether they may is theirs to decide.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/diagnostic.h"

namespace nacre {

// A word of a command line, as far as it is known, and where it stands.
struct WrittenWord {
  std::string_view text;
  Span span;
  bool is_own = true;  // the text stands there as it is
};

struct AgainEdit {
  std::string_view name;     // of the rewriting: "mkdir-p"
  std::string_view message;  // "mkdir -p"
  std::string_view differs_when;
  Edit edit;
};

// `words` begins with the name of the command. Nothing: it has the option, asks before it acts, or
// is none of these commands.
[[nodiscard]] std::optional<AgainEdit> edit_for_again(std::span<const WrittenWord> words);

}  // namespace nacre
