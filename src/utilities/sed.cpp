// sed: runs a program over the lines of its inputs.
#include <cctype>
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <memory>

#include "utilities/input.h"
#include "utilities/options.h"
#include "utilities/sed_script.h"
#include "utilities/spawn.h"
#include "utilities/table.h"

namespace nacre::utilities {
namespace {

// Lines of several files as one stream, with a look at whether there is another.
class Lines {
 public:
  Lines(Context& context, std::vector<std::string> paths)
      : context_(context), paths_(std::move(paths)) {
    load();
  }
  bool next(std::string& line) {
    if (!has_ahead_) return false;
    line = std::move(ahead_);
    was_terminated_ = ahead_terminated_;
    load();
    return true;
  }
  [[nodiscard]] bool is_last() const { return !has_ahead_; }
  [[nodiscard]] bool was_terminated() const { return was_terminated_; }
  [[nodiscard]] int status() const { return status_; }

 private:
  void load() {
    while (true) {
      if (input_ == nullptr) {
        if (at_ == paths_.size()) {
          has_ahead_ = false;
          return;
        }
        input_ = std::make_unique<Input>(context_, paths_[at_++]);
      }
      has_ahead_ = input_->error() == 0 && input_->line(ahead_);
      if (input_->error() != 0) {
        bool is_dir = input_->error() == -EISDIR;
        const std::string& path = paths_[at_ - 1];
        context_.fail(fmt::format("{} {}: {}", is_dir ? "read error on" : "can't read", path,
                                  error_text(input_->error())));
        status_ = is_dir ? 4 : 2;
        if (is_dir) at_ = paths_.size();  // the end of everything
      }
      if (has_ahead_) break;
      input_ = nullptr;
    }
    ahead_terminated_ = input_->was_terminated();
  }

  Context& context_;
  std::vector<std::string> paths_;
  size_t at_ = 0;
  std::unique_ptr<Input> input_;
  std::string ahead_;
  bool has_ahead_ = false;
  bool ahead_terminated_ = true;
  bool was_terminated_ = true;
  int status_ = 0;
};

class Editor {
  using Kind = sed::Address::Kind;
  static constexpr size_t kMuch = 65536;  // from here on, memory is counted
  static constexpr size_t kBytesPerStep = 16;

 public:
  Editor(Context& context, const SedScript& script, bool is_quiet)
      : context_(context), script_(script), is_quiet_(is_quiet) {
    active_.resize(script.parts.size());
    range_end_.resize(script.parts.size());
  }

  int status = 0;
  bool has_quit = false;
  std::string output;
  bool collects = false;  // -i: into `output`

  void run(Lines& lines) {
    lines_ = &lines;
    while (!has_quit && lines.next(pattern_)) {
      ++number_;
      do {
        restarts_ = false;
        cycle();
      } while (restarts_ && !has_quit);
    }
  }
  void reset_lines() { number_ = 0; }

 private:
  void write(std::string_view text, bool ends_line) {
    std::string line(text);
    if (missing_newline_) line.insert(0, "\n");
    missing_newline_ = false;
    if (ends_line)
      line += '\n';
    else
      missing_newline_ = true;
    if (collects)
      output += line;
    else
      context_.out(line);
  }
  // Of a, c and i: a line with its newline, or nothing.
  void write_text(std::string_view text) {
    if (!text.empty()) write(text.substr(0, text.size() - 1), true);
  }
  void print_pattern() { write(pattern_, lines_->was_terminated() || !lines_->is_last()); }

  void cycle() {
    substituted_ = false;
    for (size_t i = 0; i < script_.parts.size(); ++i) {
      context_.os.spend(1 + pattern_.size() / kBytesPerStep);
      if (pattern_.size() + hold_.size() > kMuch) context_.holds(pattern_.size() + hold_.size());
      const sed::Command& command = script_.program.commands[i];
      bool selected = is_selected(command, i) != command.is_negated;
      if (command.name == '{') {
        if (!selected) jump(i, command.target);
        continue;
      }
      if (!selected) continue;
      switch (command.name) {
        case 'b': jump(i, command.target); break;
        case 't':
          if (substituted_) jump(i, command.target);
          substituted_ = false;
          break;
        case 'T':
          if (!substituted_) jump(i, command.target);
          substituted_ = false;
          break;
        case 'd': flush_appended(); return;
        case 'D': {
          size_t end = pattern_.find('\n');
          if (end == std::string::npos) {
            flush_appended();
            return;
          }
          pattern_.erase(0, end + 1);
          restarts_ = true;
          flush_appended();
          return;
        }
        case 'c': {
          bool in_range = command.second && active_[i] && !command.is_negated;
          if (!in_range) write_text(command.text);
          flush_appended();
          return;
        }
        case 'n':
          if (lines_->is_last()) {
            // GNU: without a next line, print and end without running the rest.
            if (!is_quiet_) print_pattern();
            flush_appended();
            has_quit = true;
            return;
          }
          if (!is_quiet_) print_pattern();
          flush_appended();
          lines_->next(pattern_);
          ++number_;
          break;
        case 'N': {
          if (lines_->is_last()) {
            if (!is_quiet_) print_pattern();
            flush_appended();
            has_quit = true;
            return;
          }
          flush_appended();
          std::string next;
          lines_->next(next);
          ++number_;
          pattern_ += '\n' + next;
          break;
        }
        case 'q':
        case 'Q':
          if (command.name == 'q' && !is_quiet_) print_pattern();
          flush_appended();
          status = static_cast<int>(command.number.value_or(0) & 0xff);
          has_quit = true;
          return;
        default: run_simple(command, script_.parts[i]);
      }
    }
    if (!is_quiet_) print_pattern();
    flush_appended();
  }

  void jump(size_t& at, size_t target) {
    context_.os.spend(1);
    at = target - 1;  // wraps for the first; the loop adds one
  }

  void run_simple(const sed::Command& command, const SedParts& parts) {
    switch (command.name) {
      case 's': substitute(command.substitution, parts); break;
      case 'y':
        for (char& c : pattern_) {
          size_t at = command.from.find(c);
          if (at != std::string::npos) c = command.to[at];
        }
        break;
      case 'p': print_pattern(); break;
      case 'P': write(std::string_view(pattern_).substr(0, pattern_.find('\n')), true); break;
      case '=': write(std::to_string(number_), true); break;
      case 'a': appended_ += command.text; break;
      case 'i': write_text(command.text); break;
      case 'r': {
        Input input(context_, command.text);
        if (input.error() == 0) appended_ += input.rest();
        break;
      }
      case 'w': {
        int fd = context_.os.open(command.text.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0666);
        std::string line = pattern_ + "\n";
        if (fd >= 0) context_.os.write(fd, line.data(), line.size());
        if (fd >= 0) context_.os.close(fd);
        break;
      }
      case 'g': pattern_ = hold_; break;
      case 'G': pattern_ += '\n' + hold_; break;
      case 'h': hold_ = pattern_; break;
      case 'H': hold_ += '\n' + pattern_; break;
      case 'x': std::swap(pattern_, hold_); break;
      case 'z': pattern_.clear(); break;
      default: break;
    }
  }

  void flush_appended() {
    if (appended_.empty()) return;
    bool ends = appended_.ends_with('\n');
    std::string text = ends ? appended_.substr(0, appended_.size() - 1) : appended_;
    appended_.clear();
    write(text, ends);
  }

  bool matches(const sed::Address& address, const std::optional<Regex>& own) {
    switch (address.kind) {
      case Kind::kLine: return number_ == address.line;
      case Kind::kLast: return lines_->is_last();
      case Kind::kPattern: {
        const Regex* regex = use(own);
        return regex != nullptr && regex->matches(pattern_);
      }
      case Kind::kStep:
        if (address.step == 0) return number_ == address.line;
        return number_ >= address.line && (number_ - address.line) % address.step == 0;
      default: return false;
    }
  }
  // An empty pattern is the last one that was used.
  const Regex* use(const std::optional<Regex>& own) {
    if (own) last_regex_ = &*own;
    return last_regex_;
  }

  // Ranges: the end is looked for from the line after the first.
  bool is_selected(const sed::Command& command, size_t index) {
    if (!command.first) return true;
    const SedParts& parts = script_.parts[index];
    if (!command.second) return matches(*command.first, parts.first);
    const sed::Address& end = *command.second;
    bool is_counted = end.kind != Kind::kPattern && end.kind != Kind::kLast;
    bool from_zero = command.first->kind == Kind::kLine && command.first->line == 0 &&
                     number_ == 1 && !active_[index];
    if (!active_[index]) {
      if (!from_zero && !matches(*command.first, parts.first)) return false;
      active_[index] = true;
      range_end_[index] = end_of_range(end);
      if (is_counted && range_end_[index] <= number_) active_[index] = false;
      if (end.kind == Kind::kLast && lines_->is_last()) active_[index] = false;
      if (!from_zero || end.kind != Kind::kPattern) return true;
    }
    if (!is_counted) {
      if (matches(end, parts.second)) active_[index] = false;
      return true;
    }
    if (number_ > range_end_[index]) {
      active_[index] = false;
      return matches(*command.first, parts.first);
    }
    if (number_ == range_end_[index]) active_[index] = false;
    return true;
  }
  // The last line of a range that begins here, if its end is counted.
  [[nodiscard]] uint64_t end_of_range(const sed::Address& end) const {
    if (end.kind == Kind::kPlus) return number_ + end.line;
    if (end.kind != Kind::kMultiple) return end.line;
    return end.line > 0 ? (number_ + end.line - 1) / end.line * end.line : number_;
  }

  void substitute(const sed::Substitution& command, const SedParts& parts) {
    const Regex* regex = use(parts.pattern);
    if (regex == nullptr) return;
    std::string result;
    size_t copied = 0;
    size_t count = 0;
    bool changed = false;
    for (size_t at = 0; at <= pattern_.size();) {
      context_.os.spend((pattern_.size() - at) / kBytesPerStep);
      auto match = regex->search(pattern_, at);
      if (!match) break;
      if (result.size() > kMuch) context_.holds(pattern_.size() + hold_.size() + result.size());
      bool is_empty = match->begin() == match->end();
      // An empty match right after the last one is none.
      bool is_valid = !(is_empty && count > 0 && match->begin() == copied && changed_at_ == copied);
      if (is_valid && ++count >= command.occurrence) {
        result.append(pattern_, copied, match->begin() - copied);
        append_replacement(parts.replacement, *match, result);
        copied = match->end();
        changed = true;
        if (!command.is_global) break;
      }
      changed_at_ = match->end();
      at = is_empty ? match->end() + 1 : match->end();
    }
    changed_at_ = std::string::npos;
    if (!changed) return;
    result.append(pattern_, copied, std::string::npos);
    pattern_ = std::move(result);
    substituted_ = true;
    if (command.executes) execute();
    if (command.prints) print_pattern();
  }

  // The pattern space is a command; what it prints takes its place, without the last newline.
  void execute() {
    int ends[2];
    context_.flush();
    if (context_.os.pipe(ends) < 0) return;
    const world::FdMove moves[] = {{1, ends[1]}};
    const world::Pid pid = start_command(context_, {"sh", "-c", pattern_}, moves);
    context_.os.close(ends[1]);
    pattern_.clear();
    char buffer[4096];
    for (ssize_t got = 0; (got = context_.os.read(ends[0], buffer, sizeof buffer)) > 0;)
      pattern_.append(buffer, static_cast<size_t>(got));
    context_.os.close(ends[0]);
    if (pid >= 0) wait_for(context_, pid);
    if (pattern_.ends_with('\n')) pattern_.pop_back();
  }

  void append_replacement(const regular::Replacement& replacement, const Match& match,
                          std::string& result) {
    for (const regular::ReplacementItem& item : replacement) {
      result += item.text;
      if (!item.group) continue;
      regular::LetterCase one = item.first;
      for (char c : match.group(pattern_, *item.group)) {
        result += converted(c, one == regular::LetterCase::kKeep ? item.all : one);
        one = regular::LetterCase::kKeep;
      }
    }
  }
  static char converted(char c, regular::LetterCase to) {
    auto byte = static_cast<unsigned char>(c);
    if (to == regular::LetterCase::kUpper) return static_cast<char>(std::toupper(byte));
    return to == regular::LetterCase::kLower ? static_cast<char>(std::tolower(byte)) : c;
  }

  Context& context_;
  const SedScript& script_;
  bool is_quiet_;
  Lines* lines_ = nullptr;
  std::string pattern_;
  std::string hold_;
  std::string appended_;
  uint64_t number_ = 0;
  size_t changed_at_ = std::string::npos;
  bool substituted_ = false;
  bool restarts_ = false;
  bool missing_newline_ = false;
  const Regex* last_regex_ = nullptr;
  std::vector<bool> active_;
  std::vector<uint64_t> range_end_;
};

int edit_in_place(Context& context, const SedScript& script, const Options& options, bool is_quiet,
                  const std::string& suffix) {
  int status = 0;
  for (const std::string& path : options.operands) {
    world::FileStatus found;
    int fd = context.os.open(path.c_str(), O_RDONLY, 0);
    if (fd < 0) {
      context.fail(fmt::format("can't read {}: {}", path, error_text(fd)));
      status = 2;
      continue;
    }
    context.os.status(fd, found);
    context.os.close(fd);
    if (found.kind != world::FileKind::kRegular) {
      context.fail(fmt::format("couldn't edit {}: not a regular file", path));
      status = 4;
      continue;
    }
    Lines lines(context, {path});
    Editor editor(context, script, is_quiet);
    editor.collects = true;
    editor.run(lines);
    std::string rest;
    // After q the rest of the file stays as it is.
    while (editor.has_quit && lines.next(rest))
      editor.output += rest + (lines.was_terminated() ? "\n" : "");
    if (!suffix.empty()) {
      std::string backup = suffix.find('*') == std::string::npos ? path + suffix : suffix;
      context.os.rename(path.c_str(), backup.c_str());
    } else {
      context.os.unlink(path.c_str());
    }
    fd = context.os.open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL, found.mode & 0777);
    if (fd < 0) {
      context.fail(fmt::format("couldn't open temporary file {}: {}", path, error_text(fd)));
      return 4;
    }
    // Before the text is written: that takes the set-id bits away, unless root does it.
    context.os.set_owner(path.c_str(), true, found.owner, found.group);
    context.os.set_mode(path.c_str(), found.mode);
    context.os.write(fd, editor.output.data(), editor.output.size());
    context.os.close(fd);
    if (editor.status != 0) status = editor.status;
  }
  return status;
}

}  // namespace

int sed(Context& context) {
  auto options = parse_options(context, "sed", "nefErsui= --silent:n");
  if (!options) return options.error();
  std::string text;
  bool has_script = false;
  for (const Given& given : options->given) {
    if (given.letter != 'e' && given.letter != 'f') continue;
    std::string part = given.value;
    if (given.letter == 'f') {
      Input input(context, given.value);
      if (input.error() != 0)
        return context.fail(fmt::format("couldn't open file {}", given.value), input.error());
      part = input.rest();
      if (part.ends_with('\n')) part.pop_back();
    }
    text += (has_script ? "\n" : "") + part;
    has_script = true;
  }
  if (!has_script) {
    if (options->operands.empty()) return context.fail("no script specified");
    text = options->operands[0];
    options->operands.erase(options->operands.begin());
  }
  int status = 0;
  auto script = compile_sed(context, text, options->has('E') || options->has('r'), status);
  if (!script) return status;
  bool is_quiet = options->has('n') || script->program.starts_with_n;
  if (const std::string* suffix = options->last('i'))
    return edit_in_place(context, *script, *options, is_quiet, *suffix);
  if (options->operands.empty()) options->operands.emplace_back("-");
  // w truncates its files first.
  for (const sed::Command& command : script->program.commands) {
    if (command.name != 'w') continue;
    int fd = context.os.open(command.text.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (fd >= 0) context.os.close(fd);
  }
  Editor editor(context, *script, is_quiet);
  if (!options->has('s')) {
    Lines lines(context, options->operands);
    editor.run(lines);
    return editor.status != 0 ? editor.status : lines.status();
  }
  for (const std::string& path : options->operands) {
    Lines lines(context, {path});
    editor.reset_lines();
    editor.run(lines);
    status = std::max(status, lines.status());
  }
  return editor.status != 0 ? editor.status : status;
}

}  // namespace nacre::utilities
