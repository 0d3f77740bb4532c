// The types that a check has seen, for people who ask for them: of what each command reads and
// prints, and of what each variable holds where it is used. A place that is passed several times
// (in a loop, by calls) has the type of all its passes together.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "commands/behaviour.h"
#include "commands/stream.h"
#include "regular/print.h"
#include "shell/ast.h"

namespace nacre::flow {

using commands::Stream;
using regular::Lang;

struct TypeAt {
  Span span;
  bool is_variable = false;
  std::string name;    // of the command or the variable
  std::string input;   // of a command: what it can work with; "" if it reads nothing
  std::string output;  // of a command: what it prints; of a variable: what it holds
  // What the command does to any input, where it passes lines on: "A -> A&.*x.*"; else empty.
  std::string polymorphic;
};

class Recorder {
 public:
  // `behaviour` is null for what is no simple command.
  void command(Span span, std::string name, const Stream& input, const Stream& output,
               const commands::Behaviour* behaviour);
  void variable(Span span, std::string_view name, Lang value);

  // In the order of the text; outer commands before those within them.
  [[nodiscard]] std::vector<TypeAt> types(regular::Context& context) const;

 private:
  struct CommandType {
    std::string name;
    Stream input, output;
    bool reads_input = true;
    std::optional<Lang> passes;   // it prints lines as it reads them: which
    std::optional<Lang> demands;  // what it can work with
  };
  static std::string polymorphic(const CommandType& type, const regular::PrintOptions& options);
  struct VariableType {
    std::string name;
    Lang value;
  };
  using Place = std::pair<uint32_t, uint32_t>;  // begin, and the end counted from the other side
  std::map<Place, CommandType> commands_;
  std::map<Place, VariableType> variables_;
};

}  // namespace nacre::flow
