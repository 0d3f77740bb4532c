// The decisions of one run over an open world (world/oracle.h): which questions came up, in their
// order, which answers each could have had, and which one was taken. A run is given the choices of
// its first questions and takes the first answer of every other one; the explorer then plans the
// runs that answer differently.
//
//   Decider decider(expectations, {0, 2, 1});
//   scene.tree.set_oracle(&decider);
//   ... play ...
//   decider.decisions();       // what was asked
//
// The first answer is the expected one. The rank of an answer says how likely it is: 0 as likely as
// the expected one, 1 unlikely, 2 hardly ever (a file where a directory is meant).
#pragma once

#include <map>
#include <set>

#include "explore/expectations.h"
#include "simulate/scene.h"
#include "world/oracle.h"

namespace nacre::explore {

struct Answer {
  std::string text;  // "absent", "a file", "a directory", "empty", "status 1"
  unsigned rank = 0;
  std::optional<world::NewNode> node = {};                          // of an entry
  std::vector<std::pair<std::string, world::NewNode>> others = {};  // of a listing
  std::string contents = {};                                        // of a file
  simulate::StubResult result = {};                                 // of a command
};

struct Decision {
  enum Kind : uint8_t {
    kEntry,     // what is at a path
    kListing,   // what else is in a directory
    kContents,  // what a file holds
    kCommand,   // how a command without a model ends
    kValue,     // of an argument or variable
  };
  Kind kind = kEntry;
  std::string subject;  // a path, the words of a command, a name
  std::vector<Answer> answers;
  size_t chosen = 0;

  [[nodiscard]] const Answer& answer() const { return answers[chosen]; }
  // The answers do not cover everything that could be: they are representatives.
  [[nodiscard]] bool is_sample() const {
    return kind == kListing || kind == kContents || kind == kValue;
  }
};

// What must stay the same from one script of a scenario to the next, besides the tree.
struct Memory {
  std::map<std::string, std::string> contents;               // by the first path
  std::map<std::string, simulate::StubResult> commands;      // by all words
  std::map<std::string, std::string, std::less<>> programs;  // where a command is; "": nowhere
};

struct DecideLimits {
  bool is_deep = false;  // links, fifos, unreadable files
  unsigned user = 0;     // who runs the script: owns what is in `home`
  unsigned group = 0;
  std::string home;
  unsigned file_mode = 0644;    // of files that were not made by the script
  bool has_open_lines = false;  // a file may end without a newline
  size_t max_decisions = 200;   // in one run
};

class Decider final : public world::Oracle {
 public:
  Decider(const Expectations& expectations, DecideLimits limits, Memory memory,
          std::vector<size_t> choices)
      : expected_(expectations),
        limits_(std::move(limits)),
        memory_(std::move(memory)),
        choices_(std::move(choices)) {}

  std::optional<world::NewNode> entry(const std::string& path, world::Use use) override;
  std::vector<std::string> names(const std::string& directory) override;
  std::vector<std::pair<std::string, world::NewNode>> others(
      const std::string& directory, const std::vector<std::string>& known) override;
  std::string contents(const std::string& path) override;
  // How a command without a model ends.
  simulate::StubResult result_of(const std::vector<std::string>& words);
  // A value for `name`, one of `values`; the first is the expected one.
  std::string value_of(const std::string& name, const std::vector<Answer>& values);

  [[nodiscard]] const std::vector<Decision>& decisions() const { return decisions_; }
  [[nodiscard]] const Memory& memory() const { return memory_; }
  // Questions that were not asked because a bound was reached: sentences.
  [[nodiscard]] const std::set<std::string>& bounds() const { return bounds_; }

 private:
  const Answer& decide(Decision::Kind kind, std::string subject, std::vector<Answer> answers);
  std::optional<world::NewNode> program(const std::string& path, std::string_view name);
  [[nodiscard]] world::NewNode node(const std::string& path, world::FileKind kind,
                                    world::Use use) const;
  [[nodiscard]] std::vector<Answer> answers_for(const std::string& path, world::Use use) const;
  void add_deep_answers(const std::string& path, std::vector<Answer>& answers) const;

  const Expectations& expected_;
  DecideLimits limits_;
  Memory memory_;
  std::vector<size_t> choices_;
  std::vector<Decision> decisions_;
  std::set<std::string> bounds_;
};

// The first tree of a run: `start` with what was decided. Undecided parts stay open.
[[nodiscard]] world::FileTree first_tree(world::FileTree start,
                                         const std::vector<Decision>& decisions,
                                         const Memory& memory);

}  // namespace nacre::explore
