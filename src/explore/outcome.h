// Runs that end alike, put together: how the script ends, where, with which message, and what it
// has changed. An outcome keeps one run as its witness, the most plausible one.
#pragma once

#include "explore/explorer.h"

namespace nacre::explore {

// What was decided: "no /etc/foo.d", "/var/lib/foo/ is there".
struct Fact {
  Decision::Kind kind = Decision::kEntry;
  std::string subject;
  std::string answer;
  friend bool operator==(const Fact&, const Fact&) = default;
  friend bool operator<(const Fact& a, const Fact& b) {
    return std::tie(a.kind, a.subject, a.answer) < std::tie(b.kind, b.subject, b.answer);
  }
  [[nodiscard]] std::string text() const;
};

struct Answers {
  std::set<std::string> taken;
  size_t possible = 0;
  [[nodiscard]] bool are_all() const { return taken.size() == possible; }
  friend bool operator==(const Answers&, const Answers&) = default;
};

struct Outcome {
  Run::End end = Run::kExited;
  int status = 0;
  Place last;                        // the command that decided it
  Place changed;                     // the last command that changed a file
  std::string message;               // the last line on standard error
  bool is_deliberate = false;        // the script says `exit N` itself
  std::vector<std::string> changes;  // "makes /etc/foo.conf", "removes /var/log/foo/", ...
  size_t runs = 0;
  // What all of its runs have asked and not answered in every way: the answers by question.
  std::map<std::pair<Decision::Kind, std::string>, Answers> condition;
  // Of the witness.
  unsigned rank = 0;
  unsigned deviations = 0;
  std::vector<Fact> facts;
  std::vector<Decision> decisions;
  World after;
  std::vector<std::string> not_modelled;

  [[nodiscard]] bool succeeded() const { return end == Run::kExited && status == 0; }
  [[nodiscard]] std::string how() const;  // "ok", "fails", "never ends"
};

struct Report {
  std::string script;
  std::vector<std::string> arguments;
  std::vector<Outcome> outcomes;  // failures first, the likely ones first
  size_t runs = 0;
  uint64_t steps = 0;
  std::set<std::string> bounds;   // what was not tried
  std::set<std::string> assumed;  // what was taken for granted, or by representatives
  std::set<std::string> unmodelled;
  std::string refusal;  // not empty: why it was not explored

  // Every outcome over every file system is here.
  [[nodiscard]] bool is_complete() const {
    return refusal.empty() && bounds.empty() && assumed.empty() && unmodelled.empty();
  }
};

// What the answers to one question have in common, as a fact.
[[nodiscard]] Fact fact_of(Decision::Kind kind, const std::string& subject, const Answers& answers);

class Collector {
 public:
  Collector(const World& start, size_t max_outcomes) : start_(start), max_(max_outcomes) {}
  void add(Run&& run);
  // Sorted; the collector is empty afterwards.
  [[nodiscard]] Report take();

 private:
  using Key = std::tuple<Run::End, int, uint32_t, std::string, std::string>;
  const World& start_;
  size_t max_;
  std::map<Key, Outcome> outcomes_;
  Report report_;
};

// What happened between two trees, in words; a path is shown once for a whole tree that is gone.
[[nodiscard]] std::vector<std::string> describe_changes(world::FileTree& before,
                                                        world::FileTree& after);

// All outcomes of the script from `start`.
[[nodiscard]] Report report_on(const Script& script, const World& start, const Budget& budget,
                               size_t max_outcomes = 1000);

}  // namespace nacre::explore
