// cat tac tee rev
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <fmt/format.h>

#include "utilities/input.h"
#include "utilities/options.h"
#include "utilities/table.h"

namespace nacre::utilities {
namespace {

// Control characters as ^X, bytes above 127 as M-x.
std::string visible(std::string_view text, bool shows_tabs, bool shows_others) {
  std::string result;
  for (char c : text) {
    auto byte = static_cast<unsigned char>(c);
    if (c == '\t') {
      result += shows_tabs ? "^I" : "\t";
      continue;
    }
    if (!shows_others) {
      result += c;
      continue;
    }
    if (byte >= 128) {
      result += "M-";
      byte = static_cast<unsigned char>(byte - 128);
    }
    if (byte < 32) {
      result += '^';
      byte = static_cast<unsigned char>(byte + 64);
    } else if (byte == 127) {
      result += "^?";
      continue;
    }
    result += static_cast<char>(byte);
  }
  return result;
}

void cat_lines(Context& context, Input& input, const Options& options, uint64_t& number,
               bool& was_blank) {
  bool numbers_all = options.has('n') && !options.has('b');
  bool shows_ends = options.has('E') || options.has('A') || options.has('e');
  bool shows_tabs = options.has('T') || options.has('A') || options.has('t');
  bool shows_others = options.has('v') || options.has('A') || options.has('e') || options.has('t');
  std::string line;
  while (input.line(line)) {
    bool is_blank = line.empty();
    if (options.has('s') && is_blank && was_blank) continue;
    was_blank = is_blank;
    if (numbers_all || (options.has('b') && !is_blank))
      context.out(fmt::format("{:6}\t", ++number));
    context.out(visible(line, shows_tabs, shows_others));
    if (!input.was_terminated()) break;
    context.out(shows_ends ? "$\n" : "\n");
  }
}

// A file that is its own output would never end.
bool is_own_output(Context& context, const Input& input) {
  world::FileStatus from;
  world::FileStatus to;
  if (context.os.status(input.descriptor(), from) < 0 || context.os.status(1, to) < 0) return false;
  if (to.kind != world::FileKind::kRegular || from.device != to.device || from.inode != to.inode) {
    return false;
  }
  int64_t at = context.os.seek(input.descriptor(), 0, SEEK_CUR);
  return at >= 0 && static_cast<uint64_t>(at) < from.size;
}

}  // namespace

int cat(Context& context) {
  auto options = parse_options(context, "cat", "nbsvETAetu");
  if (!options) return options.error();
  bool by_lines = options->last_of("nbsvETAet") != 0;
  uint64_t number = 0;
  bool was_blank = false;
  bool has_failed = false;
  auto show = [&](Input& input, const std::string& path) {
    if (is_own_output(context, input)) {
      context.fail(fmt::format("{}: input file is output file", path));
      has_failed = true;
      return;
    }
    if (by_lines) return cat_lines(context, input, *options, number, was_blank);
    for (std::string_view piece = input.piece(); !piece.empty(); piece = input.piece()) {
      context.out(piece);
      if (!context.flush()) break;
    }
  };
  int status = for_each_input(context, options->operands, show);
  return has_failed ? 1 : status;
}

int tac(Context& context) {
  auto options = parse_options(context, "tac", "");
  if (!options) return options.error();
  return for_each_input(context, options->operands, [&](Input& input, const std::string&) {
    std::string all = input.rest();
    size_t end = all.size();
    while (end > 0) {
      size_t begin = all.rfind('\n', end - 1 - (all[end - 1] == '\n' && end > 1 ? 1 : 0));
      if (end == 1) begin = std::string::npos;
      begin = begin == std::string::npos || begin >= end ? 0 : begin + 1;
      context.out(std::string_view(all).substr(begin, end - begin));
      end = begin;
    }
  });
}

int rev(Context& context) {
  auto options = parse_options(context, "rev", "");
  if (!options) return options.error();
  return for_each_input(context, options->operands, [&](Input& input, const std::string&) {
    std::string line;
    while (input.line(line)) {
      std::reverse(line.begin(), line.end());
      context.out(line);
      if (input.was_terminated()) context.out('\n');
    }
  });
}

int tee(Context& context) {
  auto options = parse_options(context, "tee", "ai");
  if (!options) return options.error();
  if (options->has('i')) context.os.set_disposition(SIGINT, world::Disposition::kIgnore);
  int status = 0;
  std::vector<int> targets;
  int flags = O_WRONLY | O_CREAT | (options->has('a') ? O_APPEND : O_TRUNC);
  for (const std::string& path : options->operands) {
    int fd = context.os.open(path.c_str(), flags, 0666);
    if (fd < 0) {
      status = context.fail(path, fd);
    } else {
      targets.push_back(fd);
    }
  }
  Input input(context, "-");
  for (std::string_view piece = input.piece(); !piece.empty(); piece = input.piece()) {
    context.out(piece);
    if (!context.flush()) status = 1;
    for (int fd : targets) {
      if (context.os.write(fd, piece.data(), piece.size()) < 0) status = 1;
    }
  }
  return status;
}

}  // namespace nacre::utilities
