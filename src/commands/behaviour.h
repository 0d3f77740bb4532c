// What one command line does, once its arguments and the type of its input are known: what it
// demands of its input, what it prints, and how a line it prints comes from a line it reads. Cards
// give it for most commands; for those whose arguments are programs there is a C++ model each
// (models.h).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "commands/invocation.h"
#include "commands/stream.h"
#include "regular/tr_set.h"
#include "regular/transducer.h"

namespace nacre::commands {

// What a check is about. Whether breaking it is a mistake is decided where the whole pipeline is
// known: flow/rules/line_checks.cpp, which also gives it its code.
enum class Asks : uint8_t {
  kForm,        // the command cannot work with lines of another form
  kOutput,      // it prints nothing of use
  kEffect,      // it leaves the lines as they are
  kOrder,       // it compares them in another way than their form wants
  kWholeNames,  // it splits lines that are names of files
};

// Something to be asked of the lines that a stage reads.
struct Check {
  enum class Kind : uint8_t {
    kEvery,   // each line must be in `lines`
    kNotAll,  // it is a mistake if every line is in `lines`: the stage does nothing, or not what
              // was meant
  } kind;
  Asks asks;
  Lang lines;
  std::string message;
  std::string help;                           // how to write it instead
  bool only_if_order_matters = false;         // a following uniq or wc makes it harmless
  bool spares_heading = false;                // the first line need not be as the others are
  std::optional<Lang> spared = std::nullopt;  // lines that are no mistakes if others fit
  bool spares_names = false;                  // names of files do not count: the script chose them
  std::string missing_option = {};            // with which it would be right: "-n"
  std::vector<Lang> together = {};            // of an order: a line of each kind shows the mistake
  bool only_if_picked = false;  // a mistake only if one line is chosen by its place: head -n 1
  // Lines of another implementation that would be of no use here either.
  std::optional<Lang> vain_elsewhere = std::nullopt;
};

// What is wrong with a command line; flow/rules/command_line.cpp gives it its code.
enum class Flaw : uint8_t {
  kUsage,     // the command refuses its options or operands
  kProgram,   // a program or regular expression in it is broken
  kPattern,   // a pattern in it is legal and surely not meant
  kUnsorted,  // it compares files that nothing has sorted
  kArgument,  // a word of it is never what the command takes there
  kJson,      // it treats JSON values of one kind as if they were of another
  kCells,     // it takes another cell of a line than was meant
  kNumber,    // it needs a number, and what it takes is none
};

// A mistake in the command line itself: an unknown option, a broken regular expression.
struct Problem {
  Flaw flaw;
  Span span;
  std::string message;
  std::string help;
  bool is_certain = true;  // false: legal, and surely not meant
  // Where in the text of the argument at `span` it is, if that is a program.
  std::optional<Span> inside = std::nullopt;
};

// How a printed line comes from a line that was read: it was one of `keeps`, and then went through
// `map`.
struct LineMap {
  Lang keeps;
  regular::Transducer map;
};

struct Behaviour {
  bool reads_input = true;          // false: the data piped into it is lost
  bool ignores_order = false;       // it prints the same for any order of equal groups of lines
  bool discards_order = false;      // it prints the same for any order of lines (sort, wc)
  bool picks_by_place = false;      // which lines it prints is a matter of their order (head, tail)
  Place picked = Place::kAnywhere;  // ... and from which end it takes them
  // By number, it puts sums of the other lines there: sort -n, sort -rn.
  std::optional<Place> puts_sums = std::nullopt;
  bool only_orders = false;     // all it does is to give the lines an order
  bool is_plain_order = false;  // which no option asks for
  bool needs_grouped = false;   // equal lines must stand together
  bool needs_many = false;    // it compares or orders lines: one line alone comes out as it went in
  bool compares = false;      // any order of its input will do, if it is always the same
  bool prints_names = false;  // each line is the name of a file
  bool counts_lines = false;  // all it tells of its input is how many lines there are
  bool chooses_lines = false;  // it prints only lines that hold what it looks for
  bool is_filter = false;  // its use is what it prints of its input: printing nothing is a mistake
  bool never_selects =
      false;  // it looks for lines that its input cannot hold, and says so only by its status
  bool is_exhausted =
      false;  // its program asks for more work than it is worth: it may print anything
  std::vector<Check> checks;
  std::vector<Problem> problems;
  Stream output;
  std::optional<Stream> found;  // the lines that decide its status, where it prints none (grep -q)
  std::optional<Lang> selects;  // it succeeds if some line that it reads is one of these, else not
  std::optional<Lang> elsewhere;  // the lines that other implementations print
  std::optional<LineMap> trace;   // none where a printed line has no single origin
  std::vector<Lang> errors;       // what it writes to standard error, one for each kind of message
  bool shows_progress = false;    // ... and that it draws how far it is
  // In a normal run it drops all that it reads; only unusual lines come out.
  bool drops_usual = false;
  // The lines of which it prints something, if it is not only those that pass through `trace`.
  std::optional<Lang> chosen = std::nullopt;
  // Each printed line comes from one line that was read, and depends on no other.
  bool is_line_by_line = false;
  // ... and is made of some of its fields, so that an order of the lines says little of their
  // order.
  bool takes_fields = false;
  // It does this to every byte that it reads, and nothing else.
  std::shared_ptr<const regular::TrPlan> byte_plan;

  explicit Behaviour(Stream printed) : output(std::move(printed)) {}
};

// What the caller needs to know about what a command prints.
enum class Wanted : uint8_t {
  kMistakes,  // nothing: only the mistakes in the command line matter
  kAnything,  // whether it prints anything at all
  kLines,
};

// What a model may ask about the outside.
struct Surroundings {
  Stream input;                                            // standard input
  std::function<Stream(const Argument&)> file_content;     // what is known of a file's lines
  std::function<const Card*(std::string_view)> find_card;  // of a command that this one calls
  Wanted wanted = Wanted::kLines;
  // How deep commands may call each other (`xargs env nice x`) before what they print is unknown.
  uint32_t max_calls = 4;

  [[nodiscard]] Context& context() const { return input.rest.context(); }
};

// What the command reads: the files among `files`, or standard input when there are none; `-` is
// standard input.
struct Source {
  Stream lines;
  bool uses_input;
};
Source source_of(std::span<const Argument> files, const Surroundings& around);

}  // namespace nacre::commands
