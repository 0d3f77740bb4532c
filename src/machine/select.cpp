// select: a menu on standard error, an answer from standard input, and the body for each answer.
#include <cerrno>
#include <fmt/format.h>

#include "machine/arithmetic.h"
#include "machine/machine.h"

namespace nacre::machine {

namespace {

size_t digits_of(size_t number) { return std::to_string(number).size(); }

// In columns, downwards, as wide as COLUMNS (80) allows; the layout of bash.
std::string menu_of(const Fields& fields, size_t first, size_t columns) {
  size_t count = fields.size() - first;
  size_t longest = 0;
  for (size_t i = 0; i < count; ++i) longest = std::max(longest, fields[first + i].size());
  size_t width = longest + digits_of(count) + 2 + 2;  // `1) ` and the space between two columns
  size_t across = std::max<size_t>(1, columns / width);
  size_t rows = (count + across - 1) / across;
  if (rows == 1) rows = count;
  std::string result;
  for (size_t row = 0; row < rows; ++row) {
    for (size_t at = row; at < count; at += rows) {
      size_t indent = at < rows ? digits_of(rows) : digits_of(count);
      std::string item = fmt::format("{:>{}}) {}", at + 1, indent, fields[first + at]);
      result += item;
      if (at + rows < count) result.append(width > item.size() ? width - item.size() : 1, ' ');
    }
    result += '\n';
  }
  return result;
}

}  // namespace

Rule Machine::step_select(Frame& frame) {
  using Phase = SelectFrame::Phase;
  const Node& node = *frame.node;
  auto& self = frame.as<SelectFrame>();
  if (self.phase == Phase::kWords) {
    if (self.next == 0 && debug_before(frame)) return Rule::kTrapped;
    while (self.next < node.words.size()) {
      uint32_t i = self.next++;
      if (!expand_word(node.words[i], ExpandMode::kFields)) return Rule::kForArgs;
    }
    if (!node.has_in) {
      for (size_t i = 0; i < state.positional.size(); ++i) fields.push(state.positional[i]);
    }
    trace_loop("select", node);
    if (fields.size() == frame.base.fields) {
      state.status = 0;
      pop();
      return Rule::kForDone;
    }
    self.phase = Phase::kMenu;
    ++loop_depth;
  }
  const std::string* reply = state.variables.get("REPLY");
  bool shows_again = self.phase == Phase::kBody && reply != nullptr && reply->empty();
  if (self.phase == Phase::kMenu || shows_again) {
    const std::string* columns = state.variables.get("COLUMNS");
    int64_t width = 80;
    if (columns == nullptr || !parse_integer(*columns, width)) width = 80;
    write_all(io[2],
              menu_of(fields, frame.base.fields, static_cast<size_t>(std::max<int64_t>(width, 1))));
  }
  if (self.phase != Phase::kRead) {
    const std::string* prompt = state.variables.get("PS3");
    write_all(io[2], prompt == nullptr ? "#? " : *prompt);
    self.phase = Phase::kRead;
    read_buffer.clear();
  }
  while (!read_buffer.ends_with('\n')) {
    char piece[4096];
    ssize_t got = os->read_until(io[0], '\n', piece, sizeof piece);
    if (got == world::kWouldBlock) return Rule::kBlocked;
    if (got == -EINTR) continue;
    if (got <= 0) {
      write_all(io[1], "\n");
      read_buffer.clear();
      fields.truncate(frame.base.fields);
      state.status = 1;
      --loop_depth;
      pop();
      return Rule::kForDone;
    }
    read_buffer.append(piece, static_cast<size_t>(got));
  }
  std::string line = std::move(read_buffer);
  read_buffer.clear();
  line.pop_back();
  size_t begin = std::min(line.find_first_not_of(" \t"), line.size());
  size_t end = line.find_last_not_of(" \t");
  line = begin == line.size() ? "" : line.substr(begin, end - begin + 1);
  assign(names().intern("REPLY"), line);
  if (line.empty()) {
    self.phase = Phase::kMenu;
    return Rule::kForArgs;
  }
  int64_t number = 0;
  size_t count = fields.size() - frame.base.fields;
  bool is_choice =
      parse_integer(line, number) && number >= 1 && static_cast<uint64_t>(number) <= count;
  std::string choice(is_choice ? fields[frame.base.fields + static_cast<size_t>(number) - 1]
                               : std::string_view());
  if (!assign(node.name, choice)) {
    shell_error(1);
    return Rule::kRunFail;
  }
  self.phase = Phase::kBody;
  push_node(node.children[0], frame.tested);
  return Rule::kForRunning;
}

}  // namespace nacre::machine
