#include "commands/testing/survey.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fmt/core.h>

#include "commands/card_type.h"
#include "regular/testing/tool_process.h"

namespace nacre::commands {

namespace {

constexpr uint32_t kMaxLines = 7;

std::string shown(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '\n')
      out += "\\n";
    else if (c == '\t')
      out += "\\t";
    else if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7f)
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    else
      out += c;
  }
  return out;
}

}  // namespace

std::string Survey::joined(const std::vector<std::string>& lines) {
  std::string bytes;
  for (const std::string& line : lines) bytes += line + "\n";
  // A last line without its newline is still a line, unless it is empty.
  if (!lines.empty() && !lines.back().empty() && random_.below(4) == 0) bytes.pop_back();
  return bytes;
}

Survey::Input Survey::known_lines(Context& context, const Trial& trial) {
  const auto lines = random_.lines(kMaxLines, [&] {
    if (trial.lines.empty()) return random_.troublesome();
    return random_.member(card_type(context, trial.lines, any_text(context)));
  });
  Input result{Laboratory::of_lines(context, lines), joined(lines)};
  result.type.may_lack_newline = !result.bytes.empty() && !result.bytes.ends_with('\n');
  return result;
}

Survey::Input Survey::typed_lines(Context& context, const Trial& trial) {
  static constexpr std::string_view kTypes[] = {".*",
                                                "[0-9]+",
                                                " *[0-9]+ [a-z]*",
                                                "[a-z]+:[^:]*:[0-9]{1,2}",
                                                "[^\t]*\t[^\t]*\t.*",
                                                "(foo|bar)[ab]*",
                                                "[a-z/.]+",
                                                "-?[0-9]+(\\.[0-9]+)?"};
  const std::string_view type =
      trial.lines.empty() ? kTypes[random_.below(std::size(kTypes))] : trial.lines;
  Stream stream(card_type(context, type, any_text(context)));
  const auto lines = random_.lines(kMaxLines, [&] {
    return type == ".*" ? random_.troublesome() : random_.member(stream.rest);
  });
  if (type == ".*") stream.choice = Choice::kOpaque;
  Input result{stream, joined(lines)};
  result.type.may_lack_newline = !result.bytes.empty() && !result.bytes.ends_with('\n');
  return result;
}

Experiment Survey::run(size_t index, const Input& input, const std::string& before) {
  Experiment result = laboratory_.run(trials_[index], input.type, input.bytes);
  Record& record = records_[index];
  if (!result.was_run) return result;
  record.runs++;
  record.slowest = std::max(record.slowest, result.milliseconds);
  record.was_refused |= !result.claimed->problems.empty();
  for (const std::string& claim : result.false_claims) {
    record.false_claims.push_back(
        fmt::format("{}{}: said, but false: {} (input \"{}\", printed \"{}\", status {}{})", before,
                    trials_[index].text, shown(claim), shown(input.bytes), shown(result.printed),
                    result.status, result.errors.empty() ? "" : ", " + shown(result.errors)));
  }
  return result;
}

void Survey::run_each(uint32_t rounds) {
  for (size_t i = 0; i < trials_.size(); i++) {
    for (uint32_t round = 0; round < rounds; round++) {
      Context context;
      const bool is_known = round % 2 == 0;
      const Experiment result = run(
          i, is_known ? known_lines(context, trials_[i]) : typed_lines(context, trials_[i]), "");
      if (!is_known || !result.was_run || !result.spare_line) continue;
      records_[i].is_exact = false;
      records_[i].spare_line = *result.spare_line;
    }
  }
}

void Survey::run_chains(uint32_t count) {
  const auto total = static_cast<uint32_t>(trials_.size());
  for (uint32_t chain = 0; chain < count; chain++) {
    Context context;
    size_t index = random_.below(total);
    Input input = typed_lines(context, trials_[index]);
    std::string before;
    for (uint32_t left = 2 + random_.below(3); left > 0; left--) {
      const Experiment result = run(index, input, before);
      if (!result.was_run || !result.claimed->problems.empty() || !result.false_claims.empty())
        break;
      // Commands that read text refuse what holds a NUL, each in its own way.
      if (result.printed.find('\0') != std::string::npos) break;
      before += trials_[index].text + " | ";
      input = {result.claimed->output, result.printed};
      index = random_.below(total);
    }
  }
}

ScratchDirectory::ScratchDirectory(const std::string& script) {
  path_ = (std::filesystem::temp_directory_path() / "nacre-trials-XXXXXX").string();
  if (mkdtemp(path_.data()) == nullptr) path_.clear();
  (void)regular::run_tool({"sh", script}, "", "C", path_.c_str());
}

ScratchDirectory::~ScratchDirectory() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

}  // namespace nacre::commands
