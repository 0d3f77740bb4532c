#include "shell/testing/real_shell.h"

#include <cassert>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <unistd.h>

#include "shell/testing/corpus.h"
#include "shell/testing/process.h"

namespace nacre::shell {

namespace {

using Program = std::vector<std::string>;

std::vector<Program> programs_of(Dialect dialect) {
  switch (dialect) {
    case Dialect::kSh:
    case Dialect::kDash: return {{"dash"}};
    case Dialect::kBash: return {{"bash"}};
    case Dialect::kKsh: return {{"ksh93"}, {"mksh"}};
    case Dialect::kBusybox: return {{"busybox", "sh"}};
  }
  return {};
}

Program with(Program program, const std::vector<std::string>& arguments) {
  program.insert(program.end(), arguments.begin(), arguments.end());
  return program;
}

// `PATH: LINE: MESSAGE` (dash) or `PATH: line LINE: MESSAGE` (bash). Warnings of bash do not count.
void read_complaint(const std::string& errors, const std::string& path, ShellVerdict& verdict) {
  for (size_t begin = 0; begin < errors.size();) {
    size_t end = std::min(errors.find('\n', begin), errors.size());
    std::string_view line = std::string_view(errors).substr(begin, end - begin);
    begin = end + 1;
    if (!line.starts_with(path + ": ")) continue;
    line.remove_prefix(path.size() + 2);
    if (line.starts_with("line ")) line.remove_prefix(5);
    uint32_t number = 0;
    const auto parsed = std::from_chars(line.data(), line.data() + line.size(), number);
    if (parsed.ec != std::errc() || line.find("warning: ") != line.npos) continue;
    line.remove_prefix(static_cast<size_t>(parsed.ptr - line.data()));
    if (line.starts_with(": ")) line.remove_prefix(2);
    verdict.line = number;
    verdict.message = line;
    return;
  }
}

ShellVerdict verdict_of(const std::vector<std::string>& command, const std::string& path) {
  const ProcessRun run = run_process(command);
  ShellVerdict verdict;
  read_complaint(run.errors, path, verdict);
  // bash stops at an error in [[ ]] and says so, but exits with 0.
  verdict.is_valid = run.status == 0 && verdict.line == 0;
  return verdict;
}

void collect_rejected(Dialect dialect, const std::vector<std::string>& texts, size_t begin,
                      size_t end, const ScratchFile& file, std::vector<size_t>& rejected) {
  std::string joined;
  for (size_t i = begin; i < end; ++i) joined += texts[i] + "\n";
  file.write(joined);
  if (ask_shell(dialect, file.path()).is_valid) return;
  if (end - begin == 1) {
    rejected.push_back(begin);
    return;
  }
  const size_t middle = begin + (end - begin) / 2;
  collect_rejected(dialect, texts, begin, middle, file, rejected);
  collect_rejected(dialect, texts, middle, end, file, rejected);
}

}  // namespace

bool has_real_shell(Dialect dialect) {
  static std::map<Dialect, bool> answers;  // asked again and again
  const auto [answer, is_new] = answers.emplace(dialect, true);
  if (!is_new) return answer->second;
  for (const Program& program : programs_of(dialect))
    answer->second = answer->second && run_process(with(program, {"-c", ":"})).status == 0;
  return answer->second;
}

ShellVerdict ask_shell(Dialect dialect, const std::string& path) {
  const Program program = programs_of(dialect)[0];
  const ShellVerdict verdict = verdict_of(with(program, {"-n", path}), path);
  if (verdict.is_valid || dialect != Dialect::kBash) return verdict;
  return verdict_of({"bash", "-O", "extglob", "-n", path}, path);
}

std::optional<bool> agreed_verdict(Dialect dialect, const std::string& path) {
  std::optional<bool> agreed;
  for (const Program& program : programs_of(dialect)) {
    const bool is_valid = run_process(with(program, {"-n", path})).status == 0;
    if (agreed.has_value() && *agreed != is_valid) return std::nullopt;
    agreed = is_valid;
  }
  return agreed;
}

ScratchFile::ScratchFile(std::string_view text) {
  path_ = (std::filesystem::temp_directory_path() / "nacre-XXXXXX").string();
  const int descriptor = mkstemp(path_.data());
  assert(descriptor >= 0);
  close(descriptor);
  write(text);
}

ScratchFile::~ScratchFile() { unlink(path_.c_str()); }

void ScratchFile::write(std::string_view text) const { write_file(path_, text); }

std::vector<size_t> rejected_by_shell(Dialect dialect, const std::vector<std::string>& texts) {
  std::vector<size_t> rejected;
  const ScratchFile file;
  constexpr size_t kBatch = 256;
  for (size_t begin = 0; begin < texts.size(); begin += kBatch)
    collect_rejected(dialect, texts, begin, std::min(begin + kBatch, texts.size()), file, rejected);
  return rejected;
}

}  // namespace nacre::shell
