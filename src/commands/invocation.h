// A command line, read as the command itself reads it: which words are options, which are their
// arguments, which are operands. Words that are not constant count as operands: what they expand to
// is known only when the script runs.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/span.h"
#include "commands/card.h"
#include "regular/lang.h"

namespace nacre::commands {

struct Argument {
  Span span;                        // in the script
  regular::Lang value;              // everything that it may be
  std::optional<std::string> text;  // set when it can be only this
  std::string prefix;      // what it begins with in any case; the whole of `text`, when that is set
  bool is_opaque = false;  // nothing is known of where it comes from ($1, an environment variable)
  bool may_be_many = false;  // a pattern that names several files
  bool may_vanish = false;   // an expansion without quotes: if it is empty there is no argument
  // It stands for several words: those that these texts are cut into at blanks and newlines.
  std::optional<regular::Lang> whole = std::nullopt;
  // What it is made of, where that was printed by a command: see Stream.
  std::vector<LineKind> kinds = {};
  ProducerPointer producer = {};
};

struct GivenOption {
  const OptionSpec* spec;
  Span span;
  std::optional<Argument> argument;
};

// What the command would refuse: the words of its own message.
struct OptionProblem {
  Span span;
  std::string message;     // "unknown option -z"
  std::string suggestion;  // an option that was perhaps meant, or empty
  bool is_certain = true;  // false: the card does not list all options
};

struct Invocation {
  const Card* card = nullptr;
  Span name_span;
  std::vector<GivenOption> options;  // in their order
  std::vector<Argument> operands;
  std::vector<OptionProblem> problems;
  bool is_uncertain =
      false;  // an option that the card does not know: what follows it may be its argument
  // It asks for help, or has an option that only other implementations have (date -j, tail -r):
  // what it does then is not on the card.
  bool is_foreign = false;

  // Of a subcommand: the command line as the command above it reads it.
  std::shared_ptr<const Invocation> outer = nullptr;

  // By either spelling: has("-l"), has("--lines").
  [[nodiscard]] bool has(std::string_view option) const { return last(option) != nullptr; }
  [[nodiscard]] const GivenOption* last(std::string_view option) const;
  // The first of these options whose argument is surely no number.
  [[nodiscard]] const GivenOption* not_a_number(
      std::initializer_list<std::string_view> names) const;
  // The value of the first `key` line of the card whose conditions hold; if a subcommand's card has
  // none, of the card above it.
  [[nodiscard]] const Property* property(CardKey key) const;
  [[nodiscard]] bool holds(const Condition& condition) const;
};

// `arguments` are the words after the command's name. The card must outlive the result.
Invocation parse_invocation(const Card& card, Span name_span, std::vector<Argument> arguments);

// The same for a command that runs: each word has one value. `before` are the words that its name
// stands for (CardLibrary::Meaning); `context` must outlive the result.
Invocation parse_words(regular::Context& context, const Card& card,
                       std::span<const std::string_view> before,
                       std::span<const std::string> words);

}  // namespace nacre::commands
