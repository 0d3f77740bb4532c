#include "shell/reader.h"

#include <algorithm>

#include "shell/parser.h"

namespace nacre::shell {

struct CommandReader::State {
  SourceFile file;    // a file: where spans point
  ReadMore more;      // a stream: where lines come from
  std::string name;   // a stream: what to call it
  uint32_t at = 0;    // a file: where the next command starts
  std::string ahead;  // a stream: read but not given to the parser
  std::string given;  // a stream: the lines of the current command
  uint32_t line = 1;

  [[nodiscard]] bool is_stream() const { return more != nullptr; }

  ReadResult next(const ParseOptions& options);

  // The next line of the stream, with its newline; false at the end.
  bool next_line(std::string& to) {
    while (ahead.find('\n') == std::string::npos) {
      size_t before = ahead.size();
      bool is_continued = !given.empty() || !ahead.empty();
      if (!more(ahead, is_continued) || ahead.size() == before) break;
    }
    size_t size = std::min(ahead.find('\n'), ahead.size() - 1) + 1;
    if (ahead.empty()) return false;
    to = ahead.substr(0, size);
    ahead.erase(0, size);
    given += to;
    return true;
  }

  // The next line of the file.
  bool next_file_line(std::string& to) {
    std::string_view rest = file.bytes().substr(at);
    if (rest.empty()) return false;
    to = rest.substr(0, std::min(rest.find('\n'), rest.size() - 1) + 1);
    at += static_cast<uint32_t>(to.size());
    return true;
  }
};

CommandReader::CommandReader(SourceFile file) : state_(std::make_unique<State>()) {
  state_->file = std::move(file);
}

CommandReader::CommandReader(ReadMore more, std::string name) : state_(std::make_unique<State>()) {
  state_->more = std::move(more);
  state_->name = std::move(name);
}

CommandReader::CommandReader(CommandReader&&) noexcept = default;
CommandReader& CommandReader::operator=(CommandReader&&) noexcept = default;
CommandReader::~CommandReader() = default;

namespace {

ReadResult result_of(Parser& parser, bool has_command, const Sequence& sequence,
                     const SourceFile& file, Dialect dialect, uint32_t line) {
  ReadResult result;
  if (!parser.is_valid()) {
    result.status = ReadStatus::kError;
    result.is_in_array = parser.fails_in_array();
    for (Diagnostic& diagnostic : parser.take_diagnostics()) {
      if (diagnostic.severity != Severity::kError) continue;
      diagnostic.file = file;
      for (Note& note : diagnostic.notes) note.file = file;
      result.error = std::move(diagnostic);
      break;
    }
  } else if (has_command) {
    result.status = ReadStatus::kCommand;
    auto comments = parser.take_comments();
    result.tree = std::make_shared<const Tree>(file, dialect, line, parser.take_arena(), sequence,
                                               std::move(comments), parser.commands_read());
  }
  return result;
}

}  // namespace

ReadResult CommandReader::next(const ParseOptions& options) {
  State& state = *state_;
  uint32_t begin = state.at;
  ReadResult result = state.next(options);
  if (result.is_in_array && result.error && !state.is_stream() && !options.aliases) {
    // Only the rest of its line is lost.
    size_t end = state.file.bytes().find('\n', result.error->span.begin);
    if (end != std::string_view::npos) state.at = static_cast<uint32_t>(end) + 1;
  }
  result.input = state.is_stream()
                     ? std::string_view(state.given)
                     : std::string_view(state.file.bytes()).substr(begin, state.at - begin);
  return result;
}

ReadResult CommandReader::State::next(const ParseOptions& options) {
  Sequence sequence;
  if (!is_stream() && !options.aliases) {
    Parser parser(file, file.bytes(), options, /*recovers=*/false);
    parser.set_start(at);
    bool has_command = parser.complete_command(sequence);
    at = parser.at();
    return result_of(parser, has_command, sequence, file, options.dialect, 1);
  }
  given.clear();
  SourceFile none;
  Parser parser(is_stream() ? none : file, std::string_view(""), options, false);
  TextMap map(nullptr);
  map.add_copy(0, is_stream() ? 0 : at);
  parser.set_map(&map);
  parser.set_more_text(
      [this](std::string& to) { return is_stream() ? next_line(to) : next_file_line(to); });
  bool has_command = parser.complete_command(sequence);
  if (!is_stream()) {
    return result_of(parser, has_command, sequence, file, options.dialect, 1);
  }
  SourceFile lines(name, given);
  uint32_t first_line = line;
  line += static_cast<uint32_t>(std::count(given.begin(), given.end(), '\n'));
  return result_of(parser, has_command, sequence, lines, options.dialect, first_line);
}

void CommandReader::skip_line() { state_->ahead.clear(); }

uint32_t CommandReader::line() const {
  return state_->is_stream() ? state_->line : state_->file.line_of(state_->at);
}

}  // namespace nacre::shell
