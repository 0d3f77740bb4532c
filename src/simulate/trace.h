// The trace of a script: one record for each step of each shell, with what the step has changed in
// variables, descriptors, files and output, and one for what a program writes. Records hold old and
// new values, so that a reader can go through them in both directions; the terminal's stepper and
// web pages need nothing else.
//
//   Tracer tracer(scene);
//   while (tracer.advance()) show(tracer.records().back());
//   tracer.end();
#pragma once

#include <map>

#include "machine/control.h"
#include "simulate/scene.h"
#include "world/tree_diff.h"

namespace nacre::simulate {

// Of a variable or a descriptor; absent: not there.
struct ValueChange {
  std::string name;
  std::optional<std::string> before;
  std::optional<std::string> after;
};

struct FileState {
  std::string kind;  // file, directory, link, fifo, device
  unsigned mode = 0;
  unsigned owner = 0;
  unsigned group = 0;
  std::string contents;  // of a file; the target of a link
  friend bool operator==(const FileState&, const FileState&) = default;
};

struct FileChange {
  std::string path;
  std::optional<FileState> before;
  std::optional<FileState> after;
};

struct Record {
  uint64_t number = 0;
  world::Pid pid = 0;
  world::Pid parent = 0;                      // a process starts with what its parent has
  machine::Rule rule = machine::Rule::kDone;  // kOutput: of a program, which has no rules
  bool is_expansion = false;                  // otherwise evaluation
  machine::Control before;
  machine::Control after;
  int status = 0;  // $? after the step
  std::vector<ValueChange> variables;
  std::vector<ValueChange> descriptors;
  std::vector<FileChange> files;
  std::string output;
  std::string errors;
};

struct TraceEnd {
  world::Ending ending = world::Ending::kFinished;
  int status = 0;
  std::string trouble;                           // nothing, or a sentence
  std::map<std::string, std::string> variables;  // of the first shell
  std::vector<FileChange> files;                 // from the start to the end
  std::string output;
  std::string errors;
};

[[nodiscard]] bool is_expansion(machine::Rule rule);
[[nodiscard]] std::vector<FileChange> file_changes(world::FileTree& before, world::FileTree& after);

class Tracer {
 public:
  explicit Tracer(Scene scene);
  ~Tracer();
  Tracer(const Tracer&) = delete;
  Tracer& operator=(const Tracer&) = delete;

  // At least one record more, which never changes again until end(); false when the script has
  // ended.
  bool advance();
  [[nodiscard]] const std::vector<Record>& records() const;
  [[nodiscard]] const Scene& scene() const;
  // What the first shell starts with.
  [[nodiscard]] const std::map<std::string, std::string>& first_variables() const;
  [[nodiscard]] const std::map<std::string, std::string>& first_descriptors() const;
  // After advance() has returned false.
  [[nodiscard]] TraceEnd end();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The whole trace as one JSON document (docs/step.schema.json).
[[nodiscard]] std::string trace_json(Tracer& tracer);
// What became of a script that was played: an object like the `end` of a trace, without variables.
[[nodiscard]] std::string outcome_json(const Scene& scene, Outcome& outcome);

}  // namespace nacre::simulate
