// The full-screen stepper without its terminal: the position in a trace, the state
// there, and how that looks on a screen. Going back applies the old values of the records.
#pragma once

#include <map>
#include <optional>
#include <set>

#include "simulate/trace.h"

namespace nacre::cli {

class Stepper {
 public:
  explicit Stepper(simulate::Tracer& tracer);

  bool forward();  // false at the end
  bool back();
  bool next_command();
  bool previous_command();
  bool to_line(uint32_t line);  // the next step that begins a command there
  void to_end();
  void to_start();
  void toggle_break(uint32_t line);
  bool run_to_break();  // or the end

  [[nodiscard]] size_t position() const { return position_; }
  [[nodiscard]] std::string screen(size_t width, size_t height, std::string_view prompt) const;

 private:
  using Values = std::map<std::string, std::string>;
  struct Shell {
    Values variables;
    Values descriptors;
  };
  struct File {
    std::optional<simulate::FileState> original;
    std::optional<simulate::FileState> now;
  };

  [[nodiscard]] const simulate::Record* current() const;
  [[nodiscard]] bool is_command(const simulate::Record& record) const;
  void apply(const simulate::Record& record);
  void undo(const simulate::Record& record);
  std::vector<std::string> script_pane(size_t width, size_t height) const;
  std::vector<std::string> state_pane(size_t width, size_t height) const;
  std::vector<std::string> output_pane(size_t width, size_t height) const;

  simulate::Tracer& tracer_;
  size_t position_ = 0;  // how many records are applied
  bool is_complete_ = false;
  std::string trouble_;
  std::map<world::Pid, Shell> shells_;
  std::map<std::string, File> files_;
  std::string output_;
  std::vector<std::string> script_;
  std::set<uint32_t> breaks_;
};

}  // namespace nacre::cli
