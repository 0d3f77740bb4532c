// The escapes of bash's prompts: \u, \w, \$ and their like.
#include <algorithm>
#include <ctime>
#include <fmt/format.h>

#include "machine/machine.h"

namespace nacre::machine {

namespace {

std::string time_as(Machine& machine, const char* format) {
  auto moment = static_cast<time_t>(machine.os->clock_ns() / world::kNanosecondsPerSecond);
  std::tm parts{};
  localtime_r(&moment, &parts);
  char buffer[256];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  size_t size = std::strftime(buffer, sizeof buffer, format, &parts);
#pragma GCC diagnostic pop
  return std::string(buffer, size);
}

std::string variable_or(Machine& machine, std::string_view name, std::string_view otherwise) {
  const std::string* value = machine.state.variables.get(name);
  return value != nullptr ? *value : std::string(otherwise);
}

// With ~ for the home directory.
std::string shown_directory(Machine& machine) {
  std::string home = variable_or(machine, "HOME", "");
  const std::string& here = machine.state.directory;
  bool is_below = !home.empty() && home != "/" && here.starts_with(home) &&
                  (here.size() == home.size() || here[home.size()] == '/');
  return is_below ? "~" + here.substr(home.size()) : here;
}

std::string base_of(const std::string& path) {
  size_t slash = path.rfind('/');
  return slash == std::string::npos || path.size() == 1 ? path : path.substr(slash + 1);
}

std::string escape(Machine& machine, char letter) {
  std::string host = variable_or(machine, "HOSTNAME", "localhost");
  switch (letter) {
    case 'a': return "\a";
    case 'e': return "\033";
    case 'n': return "\n";
    case 'r': return "\r";
    case '\\': return "\\";
    case '[':
    case ']': return "";
    case 'd': return time_as(machine, "%a %b %d");
    case 't': return time_as(machine, "%H:%M:%S");
    case 'T': return time_as(machine, "%I:%M:%S");
    case '@': return time_as(machine, "%I:%M %p");
    case 'A': return time_as(machine, "%H:%M");
    case 'u': return variable_or(machine, "USER", machine.os->user_id() == 0 ? "root" : "user");
    case 'h': return host.substr(0, host.find('.'));
    case 'H': return host;
    case 'w': return shown_directory(machine);
    case 'W': return base_of(shown_directory(machine));
    case 's': return base_of(machine.state.arg0);
    case 'v': return "5.2";
    case 'V': return "5.2.15";
    case 'j': return std::to_string(machine.state.jobs.all().size());
    case '!':
    case '#': return std::to_string(machine.state.commands_read + 1);
    case '$': return machine.os->user_id() == 0 ? "#" : "$";
    default: return std::string("\\") + letter;
  }
}

}  // namespace

std::string Machine::decoded_prompt(std::string_view prompt) {
  std::string decoded;
  for (size_t i = 0; i < prompt.size(); ++i) {
    if (prompt[i] != '\\' || i + 1 == prompt.size()) {
      decoded += prompt[i];
      continue;
    }
    char letter = prompt[++i];
    if (letter >= '0' && letter <= '7') {
      int value = 0;
      size_t end = std::min(i + 3, prompt.size());
      for (; i < end && prompt[i] >= '0' && prompt[i] <= '7'; ++i)
        value = value * 8 + prompt[i] - '0';
      --i;
      decoded += static_cast<char>(value);
      continue;
    }
    std::string piece = escape(*this, letter);
    // What a directory or name holds is not expanded again.
    bool is_data =
        letter == 'w' || letter == 'W' || letter == 'u' || letter == 'h' || letter == 'H';
    for (char c : piece) {
      if (is_data && (c == '$' || c == '`' || c == '\\')) decoded += '\\';
      decoded += c;
    }
  }
  return expand_prompt(decoded);
}

namespace {

// What bash calls the command of a compound that the DEBUG trap comes before.
std::string head_of(const Machine& machine, const Frame& frame) {
  const Node& node = *frame.node;
  switch (frame.kind()) {
    case FrameKind::kFor:
    case FrameKind::kSelect: {
      std::string head = fmt::format("{} {} in", frame.is<ForFrame>() ? "for" : "select",
                                     machine.names().text(node.name));
      for (const Word& word : node.words) head += fmt::format(" {}", word.written);
      return node.has_in ? head : head + " \"$@\"";
    }
    case FrameKind::kCase: return fmt::format("case {} in ", node.words[0].written);
    case FrameKind::kArithmeticLoop: {
      auto phase = frame.as<ArithmeticLoopFrame>().phase;
      size_t next = phase == ArithmeticLoopFrame::Phase::kInitial ? 0
                    : phase == ArithmeticLoopFrame::Phase::kBody  ? 2
                                                                  : 1;
      std::string_view text = node.words[next].written;
      text.remove_prefix(std::min(text.find_first_not_of(" \t\n"), text.size()));
      return fmt::format("(({}))", text.empty() ? "1" : text);
    }
    default: return std::string(node.text);
  }
}

}  // namespace

std::string Machine::command_text() const {
  // In a trap, the command that it interrupts.
  size_t end = frames.size();
  for (size_t i = frames.size(); i-- > 0;) {
    if (!frames[i].is<TrapFrame>()) continue;
    end = i;
    break;
  }
  if (end > 0 && frames[end - 1].has_debugged) return head_of(*this, frames[end - 1]);
  for (size_t i = end; i-- > 0;) {
    if (frames[i].is<SimpleFrame>() && frames[i].node != nullptr) {
      return std::string(frames[i].node->text);
    }
  }
  return "";
}

}  // namespace nacre::machine
