// What one command is: its options and operands, where it reads, and the type of what it prints. A
// card is plain text (the folder commands/ of the project; docs/cards.md describes the format) and
// everything reads the same one: the checker, the editor's help, the linter. Cards are immutable
// once loaded and may be shared between threads; what they hold are pieces of that text.
//
//   command   wc
//   about     print newline, word and byte counts
//   option    -l --lines                        posix
//   option    --files0-from=FILE                gnu
//   operands  file...
//   reads     operands
//   output    -l operands:0 : [0-9]+
//   lines     operands:0    : 1
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "commands/card_keys.h"
#include "commands/line_kind.h"

namespace nacre::commands {

// The standards and systems that have an option or a command, as bits.
enum Standard : uint8_t {
  kInPosix = 1,
  kInPosix2024 = 2,  // and not in POSIX.1-2017
  kInGnu = 4,
  kInBsd = 8,
  kInMacos = 16,
  kInSysv = 32,
  kInBusybox = 64,
};
// 0: no standard has this name.
[[nodiscard]] uint8_t standard_named(std::string_view name);

enum class OptionArgument : uint8_t { kNone, kRequired, kOptional };

struct OptionSpec {
  std::string_view short_name;  // "l", without its dash; of find's and java's kind "name"; "NUM":
                                // any number, as in head -5
  std::string_view long_name;   // "lines", without its dashes
  OptionArgument argument = OptionArgument::kNone;
  size_t more_arguments = 0;     // words after its argument that also belong to it (jq --arg a 1)
  std::string_view placeholder;  // "FILE", for help
  uint8_t standards = 0;         // who has it; 0: the card does not say
  uint8_t missing = 0;           // who is known to lack it: `!bsd`
  bool is_foreign = false;       // of bsd, sysv or busybox alone: neither posix nor gnu has it

  // As a person writes it: "-l", or "--lines" where there is no short form.
  [[nodiscard]] std::string spelling() const;
  // By either name: is("-l"), is("--lines").
  [[nodiscard]] bool is(std::string_view option) const;
};

// How the command finds its options among its words.
enum class OptionStyle : uint8_t {
  kGnu,    // getopt_long: options and operands in any order, long ones may be shortened, `--` ends
           // them
  kPosix,  // the first operand ends the options (env, xargs, sudo: what follows is another command
           // line)
  kWords,  // `-name` is one option, not four (find, java, openssl)
  kPairs,  // key=value (dd)
  kNone,   // every word is an operand (echo, expr, test)
};

// What the command does with an operand; each has its word on a card, in this order.
enum class OperandKind : uint8_t {
  kText,
  kFile,  // is read
  kPath,
  kPathWritten,
  kPathRemoved,
  kPattern,
  kNumber,
  kFormat,
  kScript,   // a program in a language of its own: awk, sed, jq
  kCommand,  // with the operands after it
};

constexpr bool is_path(OperandKind kind) {
  return kind == OperandKind::kPath || kind == OperandKind::kPathWritten ||
         kind == OperandKind::kPathRemoved;
}

struct OperandSpec {
  OperandKind kind = OperandKind::kText;
  std::string_view placeholder;  // "PID": which ArgumentType it has; empty: none
  bool is_optional = false;
  bool repeats = false;
};

// `-l`, `!-l`, `-a|-b`, `operands:0`, `operands:1`, `operands:2+`, `first:add|rm`, `word:--all`,
// `only:-n|--all`, `arg:-o=json|yaml`. All must hold.
struct Condition {
  enum class Kind : uint8_t {
    kOptions,   // one of `words` is given as an option
    kOperands,  // there are `least` to `most` operands
    kFirst,     // the first operand is one of `words`: the subcommand of git, ip, systemctl
    kWord,      // some operand is one of `words`; `--format=*` is any that begins so
    kOnly,      // no operand begins with a dash but is none of `words`; `-NUM` is any number
    kArgument,  // the argument of `option` is one of `words`; `json*` is any that begins so, `*Id`
                // any that ends so
  } kind = Kind::kOptions;
  bool is_negated = false;
  std::string_view option = {};
  std::vector<std::string_view> words;
  uint32_t least = 0, most = 0;
  bool counts_patterns = false;  // `operands:many`: a pattern such as *.c counts as several
};

// One line `key condition... : value`; for each key the first line whose conditions hold is the
// answer.
struct Property {
  CardKey key;
  std::vector<Condition> conditions;
  std::string_view value;
  uint32_t line = 0;  // in the card, for messages
};

// What the command does with a word that is not of the type it wants.
enum class Reaction : uint8_t {
  kRefuses,   // an error message, and nothing is done
  kActs,      // it takes the word for another object: `docker stop CONTAINER`
  kMisreads,  // a wrong result, without a message
};

// `type PID "a process id" {pid} refuses`: the language of each operand and option argument with
// this placeholder.
struct ArgumentType {
  std::string_view placeholder;
  std::string_view noun;  // for messages
  std::string_view type;
  Reaction reaction = Reaction::kRefuses;
  std::string_view object;  // what the word names, as columns say it: `container`
  uint32_t line = 0;
};

// `column user {user} USER rare [0-9]+`: a column of the rows that the command prints.
struct ColumnSpec {
  std::string_view name;
  std::string_view type;  // what usually stands in it
  std::string_view rare;  // what else may, in odd cases; empty: nothing
  std::string_view heading;
  bool is_right = false;  // aligned to the right: blanks may come before it
  ColumnRole role = ColumnRole::kValue;
  std::string_view object;  // what its cells name: `of:container`
  uint32_t line = 0;
};

// `line total every last --total : T`: lines that are not rows. All whose conditions hold count.
struct LineSpec {
  std::string_view name;
  Frequency frequency = Frequency::kEvery;
  Place place = Place::kAnywhere;
  Property property;
};

struct Card {
  std::string name;  // of a subcommand with those before it: "docker ps"
  std::vector<std::string_view> aliases;
  std::string_view about;
  std::vector<std::string_view>
      means;  // "grep", "-E": it is that command with these words before its own
  std::string_view
      model;  // the C++ model that types it, where its type depends on a program in its arguments
  OptionStyle style = OptionStyle::kGnu;
  uint8_t standards = 0;                // `standards`: the systems that have it; 0: not said
  bool is_open = false;                 // `open`: it has more options than the card knows
  bool is_counted = false;              // `counted`: it refuses another number of operands
  bool echoes = false;                  // `echoes`: all that it prints is its own operands
  bool takes_negative_numbers = false;  // `numbers`: -5 is an operand, not an option (seq)
  std::vector<std::string_view>
      sets;                     // `sets`: variables of the shell that it sets (debconf's RET)
  bool is_bundled = false;      // `bundled`: a first word without a dash is options, too (tar xzf)
  bool shares_options = false;  // `globals`: its options are those of its subcommands, too
  bool is_exact = false;  // `exact`: long options may not be shortened (docker, kubectl, systemd's
                          // subcommands)
  std::vector<OptionSpec> options;
  std::vector<OperandSpec> operands;
  std::vector<ArgumentType> types;
  std::vector<ColumnSpec> columns;
  std::vector<LineSpec> lines;
  std::vector<Card> subcommands;                   // `command docker ps`, below `command docker`
  std::vector<std::string_view> subcommand_names;  // `subcommands`: those that have no card, too
  std::vector<Property> properties;
  std::string_view text;  // the card as it was written

  [[nodiscard]] const OptionSpec* short_option(std::string_view name) const;
  [[nodiscard]] const OptionSpec* long_option(std::string_view name) const;
  // Whether some line of it has this key, and this value if one is given; which of them holds, only
  // an Invocation tells.
  [[nodiscard]] bool has_property(CardKey key, std::string_view value = {}) const;
  [[nodiscard]] const ArgumentType* type_of(std::string_view placeholder) const;
  [[nodiscard]] const ColumnSpec* column(std::string_view name) const;
  // By its last word or an alias; null if it has no card.
  [[nodiscard]] const Card* subcommand(std::string_view name) const;
};

// The cards of one text, which must outlive them; the span of an error is in the text.
Result<std::vector<Card>> parse_cards(std::string_view text);

}  // namespace nacre::commands
