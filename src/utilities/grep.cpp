// grep egrep fgrep
#include <cerrno>
#include <fmt/format.h>

#include "utilities/input.h"
#include "utilities/options.h"
#include "utilities/paths.h"
#include "utilities/regex.h"
#include "utilities/table.h"

namespace nacre::utilities {
namespace {

// The patterns of one call; a text matches if one of them does.
class Patterns {
 public:
  bool add(Context& context, const std::string& pattern, const Options& options) {
    int syntax = options.last_of("GEFP");
    ignores_case_ = options.last_of("iy") != 0;
    whole_line_ = options.has('x');
    whole_word_ = options.has('w');
    std::string text = pattern;
    if (syntax == 'F') {
      text.clear();
      for (char c : pattern) {
        if (std::string_view(".[]*\\^$").find(c) != std::string_view::npos) text += '\\';
        text += c;
      }
    }
    std::string error;
    auto compiled = Regex::compile(text, syntax == 'E', ignores_case_, error);
    if (!compiled) {
      context.fail(error);
      return false;
    }
    regexes_.push_back(*compiled);
    return true;
  }

  [[nodiscard]] bool matches(std::string_view line) const {
    if (!whole_line_ && !whole_word_) {
      for (const Regex& regex : regexes_) {
        if (regex.matches(line)) return true;
      }
      return false;
    }
    return find(line, 0).has_value();
  }

  // The leftmost match, the longest of those.
  [[nodiscard]] std::optional<Match::Range> find(std::string_view line, size_t from) const {
    std::optional<Match::Range> best;
    for (const Regex& regex : regexes_) {
      for (size_t at = from; at <= line.size();) {
        auto match = regex.search(line, at);
        if (!match) break;
        Match::Range range = match->groups[0];
        if (is_allowed(line, range)) {
          bool is_better = !best || range.begin < best->begin ||
                           (range.begin == best->begin && range.end > best->end);
          if (is_better) best = range;
          break;
        }
        at = range.begin + 1;
      }
    }
    return best;
  }

 private:
  static bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  }
  bool is_allowed(std::string_view line, Match::Range range) const {
    if (whole_line_) return range.begin == 0 && range.end == line.size();
    if (!whole_word_) return true;
    bool starts = range.begin == 0 || !is_word(line[range.begin - 1]);
    bool ends = range.end == line.size() || !is_word(line[range.end]);
    return starts && ends;
  }

  std::vector<Regex> regexes_;
  bool ignores_case_ = false;
  bool whole_line_ = false;
  bool whole_word_ = false;
};

class Searcher {
 public:
  Searcher(Context& context, const Options& options, Patterns patterns)
      : context_(context), options_(options), patterns_(std::move(patterns)) {
    auto number = [&](char letter, int64_t otherwise) {
      const std::string* text = options.last(letter);
      return text == nullptr ? otherwise : parse_number(*text).value_or(0);
    };
    int64_t around = number('C', 0);
    before_ = static_cast<size_t>(number('B', around));
    after_ = static_cast<size_t>(number('A', around));
    max_count_ = number('m', INT64_MAX);
    is_quiet_ = options.has('q');
    is_listing_ = options.last_of("lL");
  }

  bool has_selected = false;
  bool has_failed = false;

  void search(const std::string& path, bool shows_name) {
    Input input(context_, path);
    world::FileStatus status;
    bool is_dir = path != "-" && context_.os.status(path.c_str(), true, status) >= 0 &&
                  status.kind == world::FileKind::kDirectory;
    if (input.error() != 0 || is_dir) {
      has_failed = true;
      if (!options_.has('s')) context_.fail(path, input.error() != 0 ? input.error() : -EISDIR);
      if (input.error() != 0) return;
    }
    shows_name_ = shows_name;
    name_ = path == "-" ? "(standard input)" : path;
    int64_t count = is_dir ? 0 : search_lines(input);
    has_selected |= is_listing_ == 'L' ? false : count > 0;
    if (is_listing_ == 'L' && count == 0) has_selected = true;
    if (is_quiet_) return;
    bool lists = (is_listing_ == 'l' && count > 0) || (is_listing_ == 'L' && count == 0);
    if (lists) {
      context_.out(name_ + "\n");
    } else if (is_listing_ == 0 && options_.has('c')) {
      context_.out(shows_name_ ? fmt::format("{}:{}\n", name_, count) : fmt::format("{}\n", count));
    }
  }

 private:
  [[nodiscard]] bool prints() const { return !is_quiet_ && is_listing_ == 0 && !options_.has('c'); }

  int64_t search_lines(Input& input) {
    int64_t count = 0;
    int64_t number = 0;
    int64_t printed = 0;
    size_t trailing = 0;
    std::vector<std::string> earlier;
    std::string line;
    while (count < max_count_ || trailing > 0) {
      if (!input.line(line, options_.has('z') ? '\0' : '\n')) break;
      ++number;
      bool selected = count < max_count_ && patterns_.matches(line) != options_.has('v');
      if (!selected && count >= max_count_ && trailing == 0) break;
      if (selected) {
        ++count;
        if (is_quiet_ || is_listing_ != 0) return count;
        print_context(earlier, number, printed);
        print_line(line, number, true);
        printed = number;
        trailing = after_;
        earlier.clear();
        continue;
      }
      if (trailing > 0) {
        --trailing;
        print_line(line, number, false);
        printed = number;
      } else if (before_ > 0) {
        earlier.push_back(line);
        if (earlier.size() > before_) earlier.erase(earlier.begin());
      }
    }
    return count;
  }

  void print_context(const std::vector<std::string>& earlier, int64_t number, int64_t printed) {
    bool has_context = before_ > 0 || after_ > 0;
    int64_t first = number - static_cast<int64_t>(earlier.size());
    if (has_context && printed > 0 && first > printed + 1 && prints() && !options_.has('o')) {
      context_.out("--\n");
    } else if (has_context && printed == 0 && has_printed_ && prints() && !options_.has('o')) {
      context_.out("--\n");
    }
    for (size_t i = 0; i < earlier.size(); ++i) {
      print_line(earlier[i], first + static_cast<int64_t>(i), false);
    }
  }

  void print_prefix(int64_t number, char separator) {
    if (shows_name_) context_.out(name_ + separator);
    if (options_.has('n')) context_.out(fmt::format("{}{}", number, separator));
  }

  void print_line(std::string_view line, int64_t number, bool is_match) {
    if (!prints()) return;
    has_printed_ = true;
    char separator = is_match ? ':' : '-';
    if (!options_.has('o')) {
      print_prefix(number, separator);
      context_.out(line);
      context_.out(options_.has('z') ? '\0' : '\n');
      return;
    }
    if (!is_match || options_.has('v')) return;
    for (size_t at = 0; at <= line.size();) {
      auto range = patterns_.find(line, at);
      if (!range) break;
      if (range->end > range->begin) {
        print_prefix(number, separator);
        context_.out(line.substr(range->begin, range->end - range->begin));
        context_.out('\n');
      }
      at = range->end > range->begin ? range->end : range->end + 1;
    }
  }

  Context& context_;
  const Options& options_;
  Patterns patterns_;
  size_t before_ = 0;
  size_t after_ = 0;
  int64_t max_count_ = 0;
  bool is_quiet_ = false;
  int is_listing_ = 0;
  bool shows_name_ = false;
  bool has_printed_ = false;
  std::string name_;
};

void add_lines(std::vector<std::string>& list, std::string_view text) {
  while (true) {
    size_t end = text.find('\n');
    list.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
}

// Files below a directory, in the order of their names.
void collect(Context& context, const std::string& path, std::vector<std::string>& files) {
  if (!is_directory(context.os, path, false)) {
    world::FileStatus status;
    bool is_plain = context.os.status(path.c_str(), false, status) >= 0 &&
                    status.kind == world::FileKind::kRegular;
    if (is_plain) files.push_back(path);
    return;
  }
  int error = 0;
  for (const std::string& name : list(context.os, path, error)) {
    collect(context, joined(path, name), files);
  }
  if (error < 0) context.fail(path, error);
}

int search_all(Context& context, Options options) {
  if (options.has('G') + options.has('E') + options.has('F') > 1) {
    context.fail("conflicting matchers specified");
    return 2;
  }
  std::vector<std::string> patterns;
  for (const Given& given : options.given) {
    if (given.letter == 'e') add_lines(patterns, given.value);
    if (given.letter != 'f') continue;
    Input input(context, given.value);
    if (input.error() != 0) {
      context.fail(given.value, input.error());
      return 2;
    }
    std::string line;
    while (input.line(line)) patterns.push_back(line);
  }
  bool has_own = options.has('e') || options.has('f');
  if (!has_own && options.operands.empty()) {
    context.fail("no pattern");
    return 2;
  }
  if (!has_own) {
    add_lines(patterns, options.operands[0]);
    options.operands.erase(options.operands.begin());
  }
  Patterns compiled;
  for (const std::string& pattern : patterns) {
    if (!compiled.add(context, pattern, options)) return 2;
  }
  std::vector<std::string> files = options.operands;
  bool is_recursive = options.has('r') || options.has('R');
  if (is_recursive) {
    std::vector<std::string> below;
    if (files.empty()) {
      collect(context, ".", below);
      for (std::string& path : below) path.erase(0, 2);
    }
    for (const std::string& path : files) {
      if (is_directory(context.os, path))
        collect(context, path, below);
      else
        below.push_back(path);
    }
    files = below;
  } else if (files.empty()) {
    files.emplace_back("-");
  }
  bool shows_name = options.last_of("hH") == 'H' ||
                    (options.last_of("hH") == 0 && (is_recursive || files.size() > 1));
  if (is_recursive && options.operands.size() == 1 && options.last_of("hH") == 0 &&
      !is_directory(context.os, options.operands[0])) {
    shows_name = false;
  }
  Searcher searcher(context, options, std::move(compiled));
  for (const std::string& path : files) {
    searcher.search(path, shows_name);
    if (options.has('q') && searcher.has_selected) return 0;
  }
  if (searcher.has_failed) return 2;
  return searcher.has_selected ? 0 : 1;
}

int grep_with(Context& context, std::string_view syntax) {
  if (!syntax.empty()) context.arguments.insert(context.arguments.begin() + 1, std::string(syntax));
  auto options = parse_options(
      context, "grep", "GEFivwxclLqsnhHorRefmABCzay --silent:q --color= --colour= -NUM:C", 2);
  if (!options) return options.error();
  // Without a terminal, only `always` colours.
  for (const char* name : {"--color", "--colour"}) {
    const std::string* when = options->last(name);
    const bool is_plain = when == nullptr || when->empty() || *when == "auto" || *when == "never";
    if (!is_plain) return context.not_modelled(fmt::format("{}={}", name, *when));
  }
  return search_all(context, std::move(*options));
}

}  // namespace

int grep(Context& context) { return grep_with(context, ""); }
int egrep(Context& context) { return grep_with(context, "-E"); }
int fgrep(Context& context) { return grep_with(context, "-F"); }

}  // namespace nacre::utilities
