// The last resort: if the program is about to die of a signal (our own mistake, or a limit of CPU
// time that the system set), it says on standard error which file it was working on: a bare
// "Segmentation fault" does not tell which of two thousand files to leave out.
//
//   watchdog::start(argc, argv);
//   const watchdog::Subject subject("deploy.sh");  // this thread works on it
#pragma once

#include <memory>
#include <string>

namespace nacre::cli::watchdog {

// For the whole process; `argv` is what it was doing where no thread says more. Signals that are
// ignored stay ignored, and one that another process or the user sent is not explained.
void start(int argc, char** argv);

// What the calling thread works on, until the object goes. They do not nest. `name` must outlive
// it.
class Subject {
 public:
  explicit Subject(const std::string& name);
  ~Subject();
  Subject(const Subject&) = delete;
  Subject& operator=(const Subject&) = delete;
};

// A stack for the handler in the calling thread, for when its own is full.
class Stack {
 public:
  Stack();
  ~Stack();
  Stack(const Stack&) = delete;
  Stack& operator=(const Stack&) = delete;

 private:
  std::unique_ptr<char[]> memory_;
};

}  // namespace nacre::cli::watchdog
