// ls stat
#include <algorithm>
#include <array>
#include <cerrno>
#include <fmt/format.h>

#include "utilities/date.h"
#include "utilities/options.h"
#include "utilities/paths.h"
#include "utilities/table.h"

namespace nacre::utilities {
namespace {

using world::FileKind;
using world::FileStatus;

struct Row {
  std::string name;  // as shown
  std::string path;
  FileStatus status;
};

// 1.5K, 12M as -h prints sizes: one digit after the point below 10, rounded up.
std::string human_size(uint64_t size) {
  if (size < 1024) return std::to_string(size);
  static constexpr std::string_view kUnits = "KMGTPE";
  double value = static_cast<double>(size);
  size_t unit = 0;
  while ((value /= 1024) >= 1024 && unit + 1 < kUnits.size()) ++unit;
  auto up = [](double x) {
    auto whole = static_cast<uint64_t>(x);
    return static_cast<double>(whole) < x ? whole + 1 : whole;
  };
  uint64_t tenths = up(value * 10);
  if (tenths < 100) return fmt::format("{}.{}{}", tenths / 10, tenths % 10, kUnits[unit]);
  return fmt::format("{}{}", up(value), kUnits[unit]);
}

class Lister {
 public:
  Lister(Context& context, const Options& options) : context_(context), options_(options) {
    is_long_ =
        options.last_of("l1C") == 'l' || options.has('n') || options.has('g') || options.has('o');
  }

  int run() {
    std::vector<std::string> operands = options_.operands;
    if (operands.empty()) operands.emplace_back(".");
    std::vector<Row> files;
    std::vector<Row> directories;
    for (const std::string& path : operands) {
      Row row{path, path, {}};
      bool follows = !is_long_ && !options_.has('d') && !options_.has('F');
      if (options_.has('l') || options_.has('s') || options_.has('S'))
        context_.os.need_size(path.c_str());
      int error = context_.os.status(path.c_str(), follows, row.status);
      if (error < 0 && follows) error = context_.os.status(path.c_str(), false, row.status);
      if (error < 0) {
        context_.fail(fmt::format("cannot access {}", quoted(path)), error);
        status_ = 2;
      } else if (row.status.kind == FileKind::kDirectory && !options_.has('d')) {
        directories.push_back(row);
      } else {
        files.push_back(row);
      }
    }
    sort(files);
    sort(directories);
    print(files, false);
    bool has_headers = operands.size() > 1 || options_.has('R');
    is_first_ = files.empty();
    for (const Row& row : directories) list_directory(row.path, has_headers);
    return status_;
  }

 private:
  void list_directory(const std::string& path, bool has_header) {
    int error = 0;
    std::vector<std::string> names = list(context_.os, path, error);
    if (error < 0) {
      context_.fail(fmt::format("cannot open directory {}", quoted(path)), error);
      status_ = std::max(status_, is_nested_ ? 1 : 2);
      return;
    }
    if (!is_first_) context_.out('\n');
    is_first_ = false;
    if (has_header) context_.out(path + ":\n");
    if (options_.last_of("aA") == 'a') names.insert(names.begin(), {".", ".."});
    std::vector<Row> rows;
    for (const std::string& name : names) {
      bool is_hidden = name[0] == '.' && options_.last_of("aA") == 0;
      if (is_hidden) continue;
      Row row{name, joined(path, name), {}};
      if (options_.has('l') || options_.has('s') || options_.has('S'))
        context_.os.need_size(row.path.c_str());
      if (int failed = context_.os.status(row.path.c_str(), false, row.status); failed < 0) {
        // Names alone need no more than the directory itself.
        if (is_long_ || options_.last_of("FRitSs") != 0) {
          context_.fail(fmt::format("cannot access {}", quoted(row.path)), failed);
          status_ = std::max(status_, 1);
        }
        row.status.kind = FileKind::kRegular;
      }
      rows.push_back(row);
    }
    sort(rows);
    print(rows, true);
    if (!options_.has('R')) return;
    is_nested_ = true;
    for (const Row& row : rows) {
      bool is_dot = row.name == "." || row.name == "..";
      if (row.status.kind == FileKind::kDirectory && !is_dot) list_directory(row.path, true);
    }
  }

  void sort(std::vector<Row>& rows) {
    if (options_.has('U')) return;
    bool by_time = options_.has('t');
    bool by_size = options_.has('S');
    std::stable_sort(rows.begin(), rows.end(), [&](const Row& a, const Row& b) {
      if (by_size && a.status.size != b.status.size) return a.status.size > b.status.size;
      if (by_time && a.status.modified_ns != b.status.modified_ns) {
        return a.status.modified_ns > b.status.modified_ns;
      }
      return a.name < b.name;
    });
    if (options_.has('r')) std::reverse(rows.begin(), rows.end());
  }

  std::string decorated(const Row& row) {
    std::string name = row.name;
    bool is_dir = row.status.kind == FileKind::kDirectory;
    int style = options_.last_of("Fp");
    if (style == 'p' && is_dir) return name + "/";
    if (style != 'F') return name;
    switch (row.status.kind) {
      case FileKind::kDirectory: return name + "/";
      case FileKind::kLink: return is_long_ ? name : name + "@";
      case FileKind::kFifo: return name + "|";
      case FileKind::kSocket: return name + "=";
      default: return (row.status.mode & 0111) != 0 ? name + "*" : name;
    }
  }

  void print(const std::vector<Row>& rows, bool is_directory) {
    std::vector<std::vector<std::string>> cells;
    uint64_t blocks = 0;
    for (const Row& row : rows) {
      blocks += row.status.blocks;
      cells.push_back(cells_of(row));
    }
    if (is_directory && is_long_) {
      context_.out(options_.has('h') ? fmt::format("total {}\n", human_size(blocks * 512))
                                     : fmt::format("total {}\n", blocks / 2));
    }
    std::vector<size_t> widths;
    for (const auto& row : cells) {
      widths.resize(std::max(widths.size(), row.size()));
      for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    }
    for (size_t r = 0; r < rows.size(); ++r) {
      for (size_t i = 0; i < cells[r].size(); ++i) {
        context_.out(is_left_[i] ? fmt::format("{:<{}} ", cells[r][i], widths[i])
                                 : fmt::format("{:>{}} ", cells[r][i], widths[i]));
      }
      context_.out(decorated(rows[r]));
      std::string target;
      if (is_long_ && rows[r].status.kind == FileKind::kLink &&
          context_.os.read_symbolic_link(rows[r].path.c_str(), target) >= 0) {
        context_.out(" -> " + target);
      }
      context_.out('\n');
    }
  }

  // What stands before the name.
  std::vector<std::string> cells_of(const Row& row) {
    std::vector<std::string> cells;
    is_left_.clear();
    auto add = [&](std::string text, bool left) {
      cells.push_back(std::move(text));
      is_left_.push_back(left);
    };
    const FileStatus& status = row.status;
    if (options_.has('i')) add(std::to_string(status.inode), false);
    if (options_.has('s')) {
      add(options_.has('h') ? human_size(status.blocks * 512) : std::to_string(status.blocks / 2),
          false);
    }
    if (!is_long_) return cells;
    add(mode_text(status), true);
    add(std::to_string(status.links), false);
    bool numeric = options_.has('n');
    if (!options_.has('g')) {
      add(numeric ? std::to_string(status.owner) : user_name(context_.os, status.owner), true);
    }
    if (!options_.has('o') && !options_.has('G')) {
      add(numeric ? std::to_string(status.group) : group_name(context_.os, status.group), true);
    }
    add(options_.has('h') ? human_size(status.size) : std::to_string(status.size), false);
    constexpr int64_t kHalfYear = int64_t{31'556'952} / 2 * 1'000'000'000;
    int64_t age = context_.os.clock_ns() - status.modified_ns;
    bool is_recent = age >= 0 && age < kHalfYear;
    add(*format_date(is_recent ? "%b %e %H:%M" : "%b %e  %Y", status.modified_ns), true);
    return cells;
  }

  Context& context_;
  const Options& options_;
  bool is_long_ = false;
  bool is_first_ = true;
  bool is_nested_ = false;
  int status_ = 0;
  std::vector<bool> is_left_;
};

std::string_view kind_text(const FileStatus& status) {
  switch (status.kind) {
    case FileKind::kRegular: return status.size == 0 ? "regular empty file" : "regular file";
    case FileKind::kDirectory: return "directory";
    case FileKind::kLink: return "symbolic link";
    case FileKind::kFifo: return "fifo";
    case FileKind::kSocket: return "socket";
    case FileKind::kBlockDevice: return "block special file";
    case FileKind::kCharacterDevice: return "character special file";
  }
  return "";
}

unsigned raw_mode(const FileStatus& status) {
  static constexpr std::array<unsigned, 7> kKinds = {0100000, 0040000, 0120000, 0010000,
                                                     0140000, 0060000, 0020000};
  return kKinds[static_cast<size_t>(status.kind)] | status.mode;
}

// One conversion of stat -c; nothing if it is not modelled.
std::optional<std::string> stat_field(Context& context, char c, const std::string& path,
                                      const FileStatus& status) {
  constexpr std::string_view kTime = "%Y-%m-%d %H:%M:%S.%N +0000";
  switch (c) {
    case 'n': return path;
    case 's': return std::to_string(status.size);
    case 'a': return fmt::format("{:o}", status.mode);
    case 'A': return mode_text(status);
    case 'u': return std::to_string(status.owner);
    case 'U': return user_name(context.os, status.owner);
    case 'g': return std::to_string(status.group);
    case 'G': return group_name(context.os, status.group);
    case 'F': return std::string(kind_text(status));
    case 'h': return std::to_string(status.links);
    case 'i': return std::to_string(status.inode);
    case 'f': return fmt::format("{:x}", raw_mode(status));
    case 'b': return std::to_string(status.blocks);
    case 'B': return "512";
    case 'o': return "4096";
    case 'd': return std::to_string(status.device);
    case 'X': return std::to_string(status.accessed_ns / kSecond);
    case 'Y': return std::to_string(status.modified_ns / kSecond);
    case 'Z': return std::to_string(status.changed_ns / kSecond);
    case 'x': return format_date(kTime, status.accessed_ns);
    case 'y': return format_date(kTime, status.modified_ns);
    case 'z': return format_date(kTime, status.changed_ns);
    case '%': return "%";
    case 'N': {
      std::string target;
      if (status.kind != FileKind::kLink) return quoted(path);
      context.os.read_symbolic_link(path.c_str(), target);
      return quoted(path) + " -> " + quoted(target);
    }
    default: return std::nullopt;
  }
}

}  // namespace

int ls(Context& context) {
  auto options = parse_options(context, "ls", "1aAldRFpinhstSrUgoG --classify:F", 2);
  if (!options) return options.error();
  if (options->has('C')) return context.not_modelled("output in columns");
  return Lister(context, *options).run();
}

int stat(Context& context) {
  auto options = parse_options(context, "stat", "cL --printf");
  if (!options) return options.error();
  if (options->operands.empty()) return context.fail("missing operand");
  const std::string* format = options->last('c');
  bool is_printf = format == nullptr;
  if (is_printf) format = options->last("--printf");
  if (format == nullptr) return context.not_modelled("the long format");
  int status = 0;
  for (const std::string& path : options->operands) {
    FileStatus found;
    context.os.need_size(path.c_str());
    if (int error = context.os.status(path.c_str(), options->has('L'), found); error < 0) {
      status = context.fail(fmt::format("cannot statx {}", quoted(path)), error);
      continue;
    }
    for (size_t i = 0; i < format->size(); ++i) {
      char c = (*format)[i];
      if (is_printf && c == '\\' && i + 1 < format->size()) {
        char escape = (*format)[++i];
        context.out(escape == 'n' ? '\n' : escape == 't' ? '\t' : escape == '0' ? '\0' : escape);
        continue;
      }
      if (c != '%' || i + 1 == format->size()) {
        context.out(c);
        continue;
      }
      auto field = stat_field(context, (*format)[++i], path, found);
      if (!field) return context.not_modelled(fmt::format("'%{}'", (*format)[i]));
      context.out(*field);
    }
    if (!is_printf) context.out('\n');
  }
  return status;
}

}  // namespace nacre::utilities
