// A command line in a RUN instruction, and how it is read with the help of its card: which words
// are options, which are their arguments, which are operands. Made for the questions of the rules
// about builds; what the card says under `takes` are the options that have an argument.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/span.h"
#include "commands/card.h"
#include "commands/card_library.h"

namespace nacre::docker {

struct Argument {
  std::string text;      // what is not known is left out
  bool is_known = true;  // false: an expansion whose value is not in the Dockerfile
  Span span;
};

struct Call {
  std::string name;  // without its directory
  Span name_span;
  Span span;
  std::vector<Argument> words;                                        // after the name
  std::vector<std::pair<std::string, std::string>> assignments = {};  // before it
  const commands::Card* card = nullptr;                               // null: there is none
};

struct GivenFlag {
  std::string word;   // as it is written, without an attached long value: "-yq", "--yes"
  std::string value;  // of `--name=value`, or of the next word
  Span span;
};

// A call, read.
struct Usage {
  const Call* call = nullptr;
  std::vector<GivenFlag> flags;
  std::vector<Argument> operands;  // without those after `--`
  bool has_unknown = false;        // a word may be an option

  // `-y` (also within `-yq`), `--yes`, `-nv`; `-qq`, `-q*2` and `--quiet*2` if it is given twice;
  // `APT::Install-Recommends=false` as the value of any option.
  [[nodiscard]] bool has(std::string_view option) const;
  [[nodiscard]] bool has_any(std::string_view options) const;
  [[nodiscard]] const GivenFlag* flag(std::string_view option) const;

  // The value of the first line of the card with this key whose conditions hold; null: none.
  [[nodiscard]] const commands::Property* property(commands::CardKey key) const;
  // The operands after those that the conditions of `property` name.
  [[nodiscard]] std::vector<Argument> operands_after(const commands::Property& property) const;
  // `DL3008` for "pins": the `hadolint` line of the card. Empty: none.
  [[nodiscard]] std::string hadolint_name(std::string_view key) const;
};

Usage read_usage(const Call& call);

// The calls that `call` makes by its words: sudo, env, xargs, `python -m pip`; itself first.
std::vector<Call> unfold(Call call, const commands::CardLibrary& cards);

}  // namespace nacre::docker
