// Collects Facts during a run. Internal to this module.
#pragma once

#include <map>
#include <memory>

#include "commands/behaviour.h"
#include "flow/facts.h"
#include "flow/where.h"

namespace nacre::flow {

class Recorder {
 public:
  // If not `is_full`, states and expansions are left out.
  explicit Recorder(bool is_full) : is_full_(is_full) {}

  // `name` and `behaviour` are of a simple command; the status is the one that `after` has.
  void command(const shell::Command& node, const std::string& name, const commands::Stream& input,
               const commands::Stream& output, const commands::Behaviour* behaviour,
               const Where& where);
  void state(const shell::Command& node, const Environment& before, Values& values);
  void status(Span command, const Status& status, const StatusUse& use);
  void expansion(const shell::Part& part, const Value& value, const Where& where, Values& values);
  void name(Span span, Name name, NameUse use, Lang strings, bool is_local, const Where& where);

  // What was collected, with the stores of the run, which end here.
  std::shared_ptr<const Facts> finish(std::shared_ptr<regular::Context> languages, Values values,
                                      Names names);

 private:
  using Place = std::pair<uint32_t, uint32_t>;  // begin, and the end counted from the other side
  static Place place_of(Span span) { return {span.begin, ~span.end}; }

  const bool is_full_;
  std::map<Place, CommandFact> commands_;
  std::map<Place, Environment> states_;
  std::map<Place, StatusUse> uses_;
  std::map<Place, Status> statuses_;
  std::map<Place, ExpansionFact> expansions_;
  std::map<std::pair<Place, NameUse>, NameFact> names_;
};

}  // namespace nacre::flow
