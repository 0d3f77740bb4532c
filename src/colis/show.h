// The states that a symbolic run ends in, as text (in the order of the original's report), JSON,
// one HTML page, and a graph of each clause for Graphviz.
#pragma once

#include <string>

#include "colis/symbolic.h"

namespace nacre::colis {

struct FinalState {
  enum Kind : uint8_t { kNormal, kError, kIncomplete } kind = kNormal;
  std::string id;                          // normal-1
  std::vector<std::string> before, after;  // facts
  std::vector<std::string> model;          // a first tree, one path a line; empty if incomplete
  std::string stdout_text;
  std::vector<std::string> log;
  std::string graph;  // dot
};

struct StatesReport {
  std::string program;
  std::vector<std::string> initial;  // facts
  std::vector<FinalState> states;    // normal ones, then errors, then incomplete ones
  std::vector<std::string> assumed;

  [[nodiscard]] size_t count(FinalState::Kind kind) const;
};

// The graphs are made if `wants_graphs`. Nothing: there was no time for it (Bounds).
[[nodiscard]] std::optional<StatesReport> report_on(const std::string& program,
                                                    const SymbolicFiles& initial,
                                                    const SymbolicRun& run,
                                                    const SymbolicOptions& options,
                                                    bool wants_graphs = false);

[[nodiscard]] std::string show_text(const StatesReport& report);
[[nodiscard]] std::string show_json(const StatesReport& report);
[[nodiscard]] std::string show_html(const StatesReport& report);
[[nodiscard]] std::string show_dot(const SymbolicFiles& files, bool with_initial);

}  // namespace nacre::colis
