#include "project/check.h"

#include <fmt/format.h>
#include <mutex>
#include <new>
#include <set>

#include "base/emitter.h"
#include "base/encoding.h"
#include "base/forwarding_files.h"
#include "project/analyses.h"

namespace nacre::project {

namespace {

// Keeps a list of the files that are asked for. One check runs in one thread.
class WatchedFiles : public ForwardingFiles {
 public:
  using ForwardingFiles::ForwardingFiles;

  [[nodiscard]] std::vector<std::string> consulted() const {
    return {paths_.begin(), paths_.end()};
  }

  [[nodiscard]] Result<std::string> read(const std::string& path,
                                         uint64_t max_bytes) const override {
    note(path);
    return below().read(path, max_bytes);
  }
  [[nodiscard]] std::string read_beginning(const std::string& path, size_t bytes) const override {
    note(path);
    return below().read_beginning(path, bytes);
  }
  [[nodiscard]] FileKind kind(const std::string& path) const override {
    note(path);
    return below().kind(path);
  }

 private:
  void note(const std::string& path) const { paths_.insert(absolute_path(below(), path)); }

  mutable std::set<std::string> paths_;
};

CodeSet split_codes(std::string_view text) {
  std::vector<std::string> patterns;
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    patterns.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return CodeSet(std::move(patterns));
}

Analysis analyse_binary(const SourceFile& file, uint32_t nul) {
  Analysis analysis;
  analysis.file = file;
  analysis.is_finished = false;
  analysis.findings = {
      finding("S002", file, {nul, nul + 1}, "this is not a text file", Confidence::kCertain)};
  return analysis;
}

// A named file is a shell script unless its name or contents say otherwise. A language without an
// analysis must not look like success.
Analysis analyse(const Document& document, const Job& job, std::vector<std::string>& remarks) {
  const SourceFile& file = document.file;
  if (const auto nul = find_nul(file)) return analyse_binary(file, *nul);
  const std::string_view foreign =
      document.language ? "" : foreign_language(file.name(), file.bytes());
  if (!foreign.empty()) {
    remarks.push_back(fmt::format("{}: skipped: {} files are not supported", file.name(), foreign));
    Analysis analysis;
    analysis.file = file;
    analysis.is_finished = false;
    return analysis;
  }
  const Language language = document.language
                                ? *document.language
                                : language_of(file.name(), file.bytes()).value_or(Language::kShell);
  const AnalysisRow* row = find_analysis(language, job.settings.verb);
  FileAnalysis result;
  if (row != nullptr) {
    row->run(job, result);
  } else {
    result.is_finished = false;
    result.remarks.push_back(fmt::format("{} files are not checked yet", name_of(language)));
  }
  remarks = std::move(result.remarks);
  Analysis analysis;
  analysis.file = file;
  analysis.verb = job.settings.verb;
  if (row != nullptr) analysis.examined = split_codes(row->codes);
  analysis.findings = check_encoding(file);
  std::erase_if(analysis.findings, [&](const Diagnostic& each) {
    return row != nullptr && !analysis.examined.contains(each.code);
  });
  std::move(result.findings.begin(), result.findings.end(), std::back_inserter(analysis.findings));
  analysis.layout =
      result.layout ? *std::move(result.layout) : guess_layout(file, comments_of(language));
  analysis.is_finished = result.is_finished;
  return analysis;
}

// Messages quote the script, whose words may be megabytes long; a report must stay readable.
std::string shortened(std::string text, size_t max_bytes) {
  if (text.size() <= max_bytes) return text;
  const auto is_within = [&](size_t at) {
    return (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
  };
  size_t begin = max_bytes * 2 / 3;
  size_t end = text.size() - max_bytes / 3;
  while (begin > 0 && is_within(begin)) begin--;
  while (end < text.size() && is_within(end)) end++;
  return text.substr(0, begin) + " … " + text.substr(end);
}

void shorten(Diagnostic& diagnostic) {
  constexpr size_t kMaxMessage = 600, kMaxCounterexample = 2000;
  diagnostic.message = shortened(std::move(diagnostic.message), kMaxMessage);
  diagnostic.counterexample = shortened(std::move(diagnostic.counterexample), kMaxCounterexample);
  for (auto* notes : {&diagnostic.notes, &diagnostic.path}) {
    for (Note& note : *notes) note.message = shortened(std::move(note.message), kMaxMessage);
  }
}

Checked run(const Document& document, const Settings& settings, Workspace& workspace, Stop stop) {
  const WatchedFiles files(workspace.files());
  Checked result;
  Analysis analysis =
      analyse(document, {document.file, settings, workspace, files, stop}, result.remarks);
  result.ending = analysis.is_finished ? Ending::kFinished : Ending::kIncomplete;
  if (stop.is_requested()) result.ending = Ending::kStopped;
  result.findings = emit(std::move(analysis), settings.choice);
  std::erase_if(result.findings,
                [&](const Diagnostic& each) { return each.severity > settings.threshold; });
  for (Diagnostic& each : result.findings) shorten(each);
  result.consulted = files.consulted();
  return result;
}

// Not subject to --select: a file that was not analysed is always reported.
Checked failure(const SourceFile& file, std::string message, Ending ending) {
  Checked result;
  result.ending = ending;
  result.findings = {
      finding("S006", SourceFile(file.name(), ""), {}, std::move(message), Confidence::kCertain)};
  return result;
}

}  // namespace

Checked check(const Document& document, const Settings& settings, Workspace& workspace, Stop stop) {
  try {
    return run(document, settings, workspace, stop);
  } catch (const std::bad_alloc&) {
    return failure(document.file, "not enough memory to analyse this file", Ending::kOutOfMemory);
  } catch (const std::exception& error) {
    return failure(document.file, fmt::format("internal error: {}", error.what()),
                   Ending::kIncomplete);
  }
}

}  // namespace nacre::project
