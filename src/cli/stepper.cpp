#include "cli/stepper.h"

#include <algorithm>
#include <fmt/format.h>

namespace nacre::cli {
namespace {

using simulate::FileChange;
using simulate::Record;
using simulate::ValueChange;

constexpr std::string_view kPlain = "\033[0m";
constexpr std::string_view kBold = "\033[1m";
constexpr std::string_view kDim = "\033[2m";
constexpr std::string_view kReverse = "\033[7m";
constexpr std::string_view kExpansion = "\033[35m";
constexpr std::string_view kEvaluation = "\033[34m";
constexpr std::string_view kChanged = "\033[1;32m";

// As much as fits, with what would move the cursor made visible. A character is a column; its
// further bytes (of UTF-8) go with the first.
std::string fit(std::string_view text, size_t width) {
  std::string result;
  size_t columns = 0;
  for (char c : text) {
    bool continues = (static_cast<unsigned char>(c) & 0xC0) == 0x80;
    if (!continues && columns++ == width) break;
    bool is_control = static_cast<unsigned char>(c) < 32 || c == 127;
    result += c == '\t' ? ' ' : is_control ? '?' : c;
  }
  result.append(width - std::min(columns, width), ' ');
  return result;
}

std::string one_line(std::string_view text) {
  std::string result;
  for (char c : text) result += c == '\n' ? "\\n" : std::string(1, c);
  return result;
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

void set(std::map<std::string, std::string>& values, const std::string& name,
         const std::optional<std::string>& value) {
  if (value) {
    values[name] = *value;
  } else {
    values.erase(name);
  }
}

std::string styled(std::string_view style, const std::string& text) {
  return fmt::format("{}{}{}", style, text, kPlain);
}

}  // namespace

Stepper::Stepper(simulate::Tracer& tracer)
    : tracer_(tracer), script_(lines_of(tracer.scene().script)) {}

const Record* Stepper::current() const {
  return position_ == 0 ? nullptr : &tracer_.records()[position_ - 1];
}

bool Stepper::is_command(const Record& record) const { return record.after.is_new; }

void Stepper::apply(const Record& record) {
  if (!shells_.contains(record.pid)) {
    auto parent = shells_.find(record.parent);
    shells_[record.pid] = parent != shells_.end()
                              ? parent->second
                              : Shell{tracer_.first_variables(), tracer_.first_descriptors()};
  }
  Shell& shell = shells_[record.pid];
  for (const ValueChange& change : record.variables)
    set(shell.variables, change.name, change.after);
  for (const ValueChange& change : record.descriptors) {
    set(shell.descriptors, change.name, change.after);
  }
  for (const FileChange& change : record.files) {
    File& file = files_.try_emplace(change.path, File{change.before, {}}).first->second;
    file.now = change.after;
  }
  output_ += record.output + record.errors;
}

void Stepper::undo(const Record& record) {
  Shell& shell = shells_[record.pid];
  for (const ValueChange& change : record.variables)
    set(shell.variables, change.name, change.before);
  for (const ValueChange& change : record.descriptors) {
    set(shell.descriptors, change.name, change.before);
  }
  for (size_t i = record.files.size(); i-- > 0;) {
    File& file = files_[record.files[i].path];
    file.now = record.files[i].before;
    if (file.now == file.original) files_.erase(record.files[i].path);
  }
  output_.resize(output_.size() - record.output.size() - record.errors.size());
}

bool Stepper::forward() {
  if (position_ == tracer_.records().size()) {
    if (is_complete_) return false;
    if (!tracer_.advance()) {
      is_complete_ = true;
      // What came after the last record belongs to it.
      bool has_records = position_ > 0;
      if (has_records) undo(tracer_.records().back());
      trouble_ = tracer_.end().trouble;
      if (has_records) apply(tracer_.records().back());
      return false;
    }
  }
  apply(tracer_.records()[position_]);
  ++position_;
  return true;
}

bool Stepper::back() {
  if (position_ == 0) return false;
  undo(tracer_.records()[--position_]);
  return true;
}

bool Stepper::next_command() {
  while (forward()) {
    if (is_command(*current())) return true;
  }
  return false;
}

bool Stepper::previous_command() {
  while (back()) {
    if (position_ > 0 && is_command(*current())) return true;
  }
  return false;
}

bool Stepper::to_line(uint32_t line) {
  while (forward()) {
    if (is_command(*current()) && current()->after.line == line) return true;
  }
  return false;
}

void Stepper::to_end() {
  while (forward()) {
  }
}

void Stepper::to_start() {
  while (back()) {
  }
}

void Stepper::toggle_break(uint32_t line) {
  if (breaks_.erase(line) == 0) breaks_.insert(line);
}

bool Stepper::run_to_break() {
  while (forward()) {
    if (is_command(*current()) && breaks_.contains(current()->after.line)) return true;
  }
  return false;
}

std::vector<std::string> Stepper::script_pane(size_t width, size_t height) const {
  std::vector<std::string> pane;
  uint32_t line = current() == nullptr ? 1 : current()->after.line;
  size_t first = line > height / 2 ? line - height / 2 : 1;
  for (size_t i = first; i <= script_.size() && pane.size() < height; ++i) {
    bool has_break = breaks_.contains(static_cast<uint32_t>(i));
    std::string text = fit(
        fmt::format("{}{}{:4} {}", i == line ? '>' : ' ', has_break ? '*' : ' ', i, script_[i - 1]),
        width);
    pane.push_back(i == line ? styled(kReverse, text) : text);
  }
  pane.resize(height, std::string(width, ' '));
  return pane;
}

std::vector<std::string> Stepper::state_pane(size_t width, size_t height) const {
  const Record* record = current();
  std::vector<std::string> variables;
  std::vector<std::string> descriptors;
  std::vector<std::string> files;
  auto mark = [&](const std::string& text, bool is_changed) {
    return is_changed ? styled(kChanged, fit("* " + text, width)) : fit("  " + text, width);
  };
  auto is_changed = [](const std::vector<ValueChange>& changes, const std::string& name) {
    return std::any_of(changes.begin(), changes.end(),
                       [&](const ValueChange& change) { return change.name == name; });
  };
  auto shell = record == nullptr ? shells_.end() : shells_.find(record->pid);
  if (shell != shells_.end()) {
    const Values& first = tracer_.first_variables();
    for (int pass = 0; pass < 2;
         ++pass) {  // what changed in this step first, then the script's own
      for (const auto& [name, value] : shell->second.variables) {
        bool changed = is_changed(record->variables, name);
        auto old = first.find(name);
        bool is_own = old == first.end() || old->second != value;
        if (changed == (pass == 0) && (changed || is_own)) {
          variables.push_back(mark(fmt::format("{}={}", name, one_line(value)), changed));
        }
      }
    }
    for (const auto& [fd, name] : shell->second.descriptors) {
      descriptors.push_back(
          mark(fmt::format("{:>2} {}", fd, name), is_changed(record->descriptors, fd)));
    }
  }
  for (const auto& entry : files_) {  // clang 14 captures no structured bindings
    const auto& path = entry.first;
    const auto& file = entry.second;
    bool changed = record != nullptr &&
                   std::any_of(record->files.begin(), record->files.end(),
                               [&](const FileChange& change) { return change.path == path; });
    std::string text = !file.now ? fmt::format("- {}", path)
                                 : fmt::format("{} {} {:04o} {}", file.original ? "~" : "+", path,
                                               file.now->mode, one_line(file.now->contents));
    files.push_back(mark(text, changed));
  }
  std::vector<std::string> pane;
  size_t share = height / 3;
  auto add = [&](std::string_view title, const std::vector<std::string>& rows, size_t most) {
    pane.push_back(styled(kBold, fit(title, width)));
    for (size_t i = 0; i < rows.size() && i + 1 < most; ++i) pane.push_back(rows[i]);
    while (pane.size() % share != 0 && most == share) pane.push_back(std::string(width, ' '));
  };
  add("variables", variables, share);
  add("descriptors", descriptors, share);
  add("files", files, height - 2 * share);
  pane.resize(height, std::string(width, ' '));
  return pane;
}

std::vector<std::string> Stepper::output_pane(size_t width, size_t height) const {
  std::vector<std::string> pane = {styled(kBold, fit("output", width))};
  std::vector<std::string> lines = lines_of(output_);
  size_t first = lines.size() > height - 1 ? lines.size() - (height - 1) : 0;
  for (size_t i = first; i < lines.size(); ++i) pane.push_back(fit(lines[i], width));
  pane.resize(height, std::string(width, ' '));
  return pane;
}

std::string Stepper::screen(size_t width, size_t height, std::string_view prompt) const {
  constexpr size_t kFixedRows = 5;  // title, before, after, rule line, keys
  width = std::max<size_t>(width, 40);
  height = std::max<size_t>(height, 16);
  const Record* record = current();
  std::string_view style = record != nullptr && record->is_expansion ? kExpansion : kEvaluation;
  std::string rule = record == nullptr ? "start" : std::string(machine::name_of(record->rule));
  std::string title = fmt::format(
      " {}   step {}{}   {}{}", tracer_.scene().script_name, position_,
      is_complete_ ? fmt::format(" of {}", tracer_.records().size()) : "", rule,
      record == nullptr ? ""
                        : fmt::format("   process {}   status {}", record->pid, record->status));
  bool is_last = is_complete_ && position_ == tracer_.records().size();
  if (is_last) title += trouble_.empty() ? "   the script has ended" : "   " + trouble_;
  size_t output_rows = std::max<size_t>((height - kFixedRows) / 4, 3);
  size_t rows = height - kFixedRows - output_rows;
  size_t left = width / 2 - 1;
  size_t right = width - left - 3;
  std::vector<std::string> script = script_pane(left, rows);
  std::vector<std::string> state = state_pane(right, rows);
  std::string result = "\033[H" + styled(kReverse, fit(title, width)) + "\r\n";
  for (size_t i = 0; i < rows; ++i) result += fmt::format("{} | {}\r\n", script[i], state[i]);
  result += styled(kDim, fit(std::string(width, '-'), width)) + "\r\n";
  result += styled(kDim, fit("before: " + (record == nullptr ? "" : one_line(record->before.text)),
                             width)) +
            "\r\n";
  result += styled(style, fit("after:  " + (record == nullptr ? "" : one_line(record->after.text)),
                              width)) +
            "\r\n";
  for (const std::string& row : output_pane(width, output_rows)) result += row + "\r\n";
  std::string_view keys =
      "space/n step  b back  c next command  p previous  : to line  * break  r run  g/G ends  q "
      "quit";
  result += styled(kReverse, fit(prompt.empty() ? keys : prompt, width));
  return result;
}

}  // namespace nacre::cli
