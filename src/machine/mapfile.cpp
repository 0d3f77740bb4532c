// mapfile and readarray: lines into an array.
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>

#include "machine/arithmetic.h"
#include "machine/builtin_options.h"
#include "machine/builtins.h"
#include "machine/machine.h"
#include "machine/quote.h"

namespace nacre::machine {
namespace {

struct MapOptions {
  char delimiter = '\n';
  bool strips = false;    // -t
  int64_t max_lines = 0;  // -n; 0: all
  int64_t origin = 0;     // -O
  bool keeps = false;     // -O was given: the array is not cleared
  int64_t skipped = 0;    // -s
  int fd = 0;             // -u
  std::string_view array = "MAPFILE";
  std::string_view callback;  // -C: run with the index and the line
  int64_t quantum = 5000;     // -c: before each line with this number
};

bool number(std::string_view text, int64_t& value) {
  return parse_integer(text, value) && value >= 0;
}

// 0, or a status after a message.
int scan(Machine& machine, Args args, MapOptions& options) {
  OptionScanner scanner(args, "d:n:O:s:tu:C:c:");
  while (char letter = scanner.next()) {
    int64_t value = 0;
    bool is_number =
        letter == 'n' || letter == 'O' || letter == 's' || letter == 'u' || letter == 'c';
    if (is_number && !number(scanner.value(), value)) {
      return machine.builtin_failure(args[0],
                                     fmt::format("{}: invalid {}", scanner.value(),
                                                 letter == 'O'   ? "array origin"
                                                 : letter == 'u' ? "file descriptor specification"
                                                 : letter == 'c' ? "callback quantum"
                                                                 : "line count"));
    }
    switch (letter) {
      case 'd': options.delimiter = scanner.value().empty() ? '\0' : scanner.value()[0]; break;
      case 't': options.strips = true; break;
      case 'n': options.max_lines = value; break;
      case 'O':
        options.origin = value;
        options.keeps = true;
        break;
      case 's': options.skipped = value; break;
      case 'u': options.fd = static_cast<int>(value); break;
      case 'C': options.callback = scanner.value(); break;
      case 'c': options.quantum = std::max<int64_t>(value, 1); break;
      default: return machine.bad_option(args[0], scanner.letter());
    }
  }
  if (scanner.operands() < args.size()) options.array = args[scanner.operands()];
  if (!is_name(options.array)) {
    return machine.builtin_failure(args[0],
                                   fmt::format("`{}': not a valid identifier", options.array));
  }
  return 0;
}

}  // namespace

// All of the input is read first, into read_buffer, so that a world which blocks can go on.
int run_mapfile(Machine& machine, Args args) {
  MapOptions options;
  if (int status = scan(machine, args, options)) return status;
  int64_t wanted = options.max_lines == 0 ? 0 : options.max_lines + options.skipped;
  std::string& buffer = machine.read_buffer;
  auto lines = static_cast<int64_t>(std::count(buffer.begin(), buffer.end(), options.delimiter));
  while (wanted == 0 || lines < wanted) {
    char piece[4096];
    ssize_t got = machine.os->read_until(
        options.fd < 3 ? machine.io[options.fd]
                       : machine.resolve(options.fd, machine.frames.back().base.moves),
        options.delimiter, piece, sizeof piece);
    if (got == world::kWouldBlock) return kNotReady;
    if (got == -EINTR) continue;
    if (got < 0) {
      buffer.clear();
      return machine.builtin_failure(
          args[0], fmt::format("{}: {}", options.fd, std::strerror(static_cast<int>(-got))));
    }
    if (got == 0) break;
    buffer.append(piece, static_cast<size_t>(got));
    if (buffer.back() == options.delimiter) ++lines;
  }
  std::string all = std::move(buffer);
  buffer.clear();
  NameId id = machine.assignable(machine.names().intern(options.array));
  if (id == kNoName) return 1;
  if (machine.state.variables.at(id).is_associative()) {
    return machine.builtin_failure(args[0], fmt::format("{}: not an indexed array", options.array));
  }
  Array& array = machine.state.variables.array_for_change(id);
  if (!options.keeps) array.clear();
  array.is_assigned = true;
  int64_t line = 0;
  std::string calls;
  for (size_t at = 0; at < all.size(); ++line) {
    size_t end = std::min(all.find(options.delimiter, at), all.size());
    size_t next = std::min(end + 1, all.size());
    if (line >= options.skipped) {
      bool strips = options.strips || options.delimiter == '\0';
      int64_t index = options.origin + line - options.skipped;
      std::string& value = array.at(Key(index));
      value = all.substr(at, (strips ? end : next) - at);
      if (!options.callback.empty() && (line - options.skipped + 1) % options.quantum == 0) {
        calls += fmt::format("{} {} {}\n", options.callback, index, quoted(value));
      }
    }
    at = next;
  }
  if (calls.empty()) return 0;
  machine.push_source(Source::of_text("mapfile", std::move(calls)), false);
  return kPushed;
}

}  // namespace nacre::machine
