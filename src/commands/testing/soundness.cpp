#include "commands/testing/soundness.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fmt/core.h>
#include <fstream>
#include <iterator>
#include <set>

#include "commands/models.h"
#include "regular/decide.h"
#include "regular/testing/tool_process.h"

namespace nacre::commands {

namespace {

using Lines = std::vector<std::string>;

Lines lines_of(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

bool are_grouped(const Lines& lines) {
  std::set<std::string_view> ended;
  for (size_t i = 0; i < lines.size(); i++) {
    if (i > 0 && lines[i] != lines[i - 1]) ended.insert(lines[i - 1]);
    if (ended.contains(lines[i])) return false;
  }
  return true;
}

bool are_distinct(const Lines& lines) {
  return std::set<std::string_view>(lines.begin(), lines.end()).size() == lines.size();
}

class Judge {
 public:
  // `files` are the lines of the files that it was said to read.
  Judge(Experiment& experiment, const Lines& input, const Lines& files)
      : experiment_(experiment), printed_(lines_of(experiment.printed)) {
    if (experiment.claimed->reads_input) read_ = input;
    reads_both_ = !read_.empty() && !files.empty();
    read_.insert(read_.end(), files.begin(), files.end());
  }

  void run(size_t consumed) {
    const Behaviour& claimed = *experiment_.claimed;
    if (!claimed.problems.empty()) {
      // The others are legal: the command does something that was not meant.
      const auto refused = std::find_if(claimed.problems.begin(), claimed.problems.end(),
                                        [](const Problem& each) { return each.is_certain; });
      if (refused != claimed.problems.end() && experiment_.status == 0)
        fail("it is refused: " + refused->message);
      return;
    }
    if (!claimed.reads_input && consumed > 0) fail("it does not read its input");
    if (claimed.never_selects && experiment_.status == 0) fail("it never selects a line");
    stream(claimed.output);
    if (claimed.trace) origins(*claimed.trace);
    for (const Check& check : claimed.checks) idleness(check);
  }

 private:
  void fail(std::string claim) { experiment_.false_claims.push_back(std::move(claim)); }

  void stream(const Stream& claimed) {
    for (size_t i = 0; i < printed_.size(); i++) {
      const Lang lang = i < claimed.first.size() ? claimed.first[i] : claimed.rest;
      if (!regular::contains(lang, printed_[i]))
        fail(fmt::format("line {} cannot be \"{}\"", i + 1, printed_[i]));
    }
    // A command that failed may have stopped early.
    const bool is_short = printed_.size() < claimed.count.least && experiment_.status == 0;
    if (is_short || printed_.size() > claimed.count.most) {
      fail(fmt::format("{} to {} lines, not {}", claimed.count.least,
                       static_cast<int64_t>(claimed.count.most), printed_.size()));
    }
    if (claimed.order == Order::kSorted && !std::is_sorted(printed_.begin(), printed_.end()))
      fail("its lines are sorted");
    if (claimed.order == Order::kGrouped && !are_grouped(printed_)) fail("its lines are grouped");
    if (!claimed.may_lack_newline && claimed.choice == Choice::kFormat &&
        !experiment_.printed.empty() && !experiment_.printed.ends_with('\n'))
      fail("its last line ends with a newline");
    if (claimed.is_distinct && !are_distinct(printed_)) fail("its lines are distinct");
  }

  void origins(const LineMap& trace) {
    for (const std::string& line : printed_) {
      const Lang origin =
          regular::preimage(trace.map, trace.keeps.context().literal(line)) & trace.keeps;
      if (!std::any_of(read_.begin(), read_.end(),
                       [&](const std::string& l) { return regular::contains(origin, l); }))
        fail(fmt::format("no line that it read becomes \"{}\"", line));
    }
  }

  // T104: a stage that is idle on every line prints what it read.
  void idleness(const Check& check) {
    if (check.asks != Asks::kEffect || check.kind != Check::Kind::kNotAll || read_.empty() ||
        reads_both_) {
      return;
    }
    if (check.message.find("changes nothing") == std::string::npos &&
        check.message.find("keeps every line") == std::string::npos)
      return;
    const bool is_idle = std::all_of(read_.begin(), read_.end(), [&](const std::string& line) {
      return regular::contains(check.lines, line);
    });
    if (is_idle && printed_ != read_) fail("it changes nothing: " + check.message);
  }

  Experiment& experiment_;
  Lines printed_;
  Lines read_;
  bool reads_both_ = false;
};

std::optional<std::string> spare_line(const Stream& claimed, const Lines& printed) {
  if (claimed.count.most == 0) return std::nullopt;
  const std::vector<std::string_view> words(printed.begin(), printed.end());
  Context& context = claimed.rest.context();
  return regular::shortest(any_line(claimed) - context.words(words));
}

}  // namespace

Stream Laboratory::of_lines(Context& context, const Lines& lines) {
  Stream result(context.empty());
  for (const std::string& line : lines) result.first.push_back(context.literal(line));
  result.count = {lines.size(), lines.size()};
  result.order = std::is_sorted(lines.begin(), lines.end()) ? Order::kSorted
                 : are_grouped(lines)                       ? Order::kGrouped
                                                            : Order::kScattered;
  result.is_distinct = are_distinct(lines);
  return result;
}

Lines Laboratory::content(const Argument& argument) const {
  if (!argument.text) return {};
  const auto path = std::filesystem::path(directory_) / *argument.text;
  if (!std::filesystem::is_regular_file(path)) return {};
  std::ifstream file(path);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  return lines_of(bytes);
}

std::optional<Behaviour> Laboratory::claims(const Trial& trial, const Stream& input,
                                            Lines& files) const {
  const auto [card, implied] = cards_.meaning_of(trial.words[0]);
  if (!card) return std::nullopt;
  Context& context = input.rest.context();
  std::vector<Argument> arguments;
  std::vector<std::string> words(implied.begin(), implied.end());
  words.insert(words.end(), trial.words.begin() + 1, trial.words.end());
  for (const std::string& word : words) {
    arguments.push_back({{}, context.literal(word), word, word, false});
  }
  const Invocation invocation = parse_invocation(*card, {}, std::move(arguments));
  std::multiset<std::string> read_files;  // asking twice about a file is not reading it twice
  const auto read = [&](const Argument& file) {
    const Lines lines = content(file);
    const std::string name = file.text.value_or("");
    read_files.insert(name);
    if (read_files.count(name) <= static_cast<size_t>(std::count(words.begin(), words.end(), name)))
      files.insert(files.end(), lines.begin(), lines.end());
    Stream result = of_lines(context, lines);
    result.may_lack_newline = true;
    return result;
  };
  return behaviour_of(invocation,
                      {input, read, [this](std::string_view name) { return cards_.find(name); }});
}

Experiment Laboratory::run(const Trial& trial, const Stream& input,
                           const std::string& bytes) const {
  Experiment result;
  Lines files;
  const auto start = std::chrono::steady_clock::now();
  result.claimed = claims(trial, input, files);
  result.milliseconds =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  if (!result.claimed) return result;
  // `ls | xargs cat` opens the named pipe that lies in the directory, and would wait for ever.
  Lines command = {"timeout", "10"};
  if (trial.shell.empty())
    command.insert(command.end(), trial.words.begin(), trial.words.end());
  else
    command.insert(command.end(), {trial.shell, "-c", trial.text});
  const auto run = regular::run_tool(command, bytes, "C", directory_.c_str());
  if (run.status == 127) return result;
  result.was_run = true;
  result.status = run.status;
  result.printed = run.out;
  result.errors = run.err;
  Judge(result, lines_of(bytes), files).run(run.consumed);
  result.spare_line = spare_line(result.claimed->output, lines_of(run.out));
  return result;
}

}  // namespace nacre::commands
