#include "commands/behaviour.h"

namespace nacre::commands {

Source source_of(std::span<const Argument> files, const Surroundings& around) {
  if (files.empty()) return {around.input, true};
  Source result{empty_stream(around.context()), false};
  for (const Argument& file : files) {
    const bool is_input = file.text == "-" || file.text == "/dev/stdin";
    result.uses_input |= is_input;
    result.lines = concatenated(result.lines, is_input ? around.input : around.file_content(file));
  }
  return result;
}

}  // namespace nacre::commands
