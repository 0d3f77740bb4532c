#include "project/check.h"

#include <atomic>
#include <doctest/doctest.h>
#include <new>
#include <stdexcept>

#include "base/memory_files.h"
#include "project/analyses.h"

using namespace nacre;
using namespace nacre::project;

namespace {

std::vector<std::string> codes_of(const Checked& checked) {
  std::vector<std::string> result;
  for (const Diagnostic& each : checked.findings) result.push_back(each.code);
  return result;
}

Checked check_text(const Files& files, const std::string& name, const std::string& text) {
  Workspace workspace(files);
  const auto settings = workspace.settings_for(absolute_path(files, name));
  REQUIRE(settings);
  return check({SourceFile(name, text)}, *settings, workspace);
}

constexpr const char* kUnsorted = "#!/bin/sh\nprintf 'b\\na\\nb\\n' | uniq\n";

}  // namespace

TEST_CASE("settings come from the nearest configuration above the document") {
  MemoryFiles files;
  CHECK(codes_of(check_text(files, "/p/a.sh", kUnsorted)) == std::vector<std::string>{"T106"});
  files.put("/p/nacre.toml", "ignore = [\"T106\"]\n");
  CHECK(check_text(files, "/p/a.sh", kUnsorted).findings.empty());
  CHECK(check_text(files, "/p/deep/below/a.sh", kUnsorted).findings.empty());
  CHECK(check_text(files, "/q/a.sh", kUnsorted).findings.size() == 1);
  files.put("/p/deep/.nacre.toml", "");
  CHECK(check_text(files, "/p/deep/below/a.sh", kUnsorted).findings.size() == 1);
}

TEST_CASE("a document is suppressed, chosen and sorted") {
  const MemoryFiles files;
  CHECK(check_text(files, "/a.sh", "printf 'b\\na\\n' | uniq # nacre disable=T106 -- known\n")
            .findings.empty());
  Workspace workspace(files);
  Settings settings;
  settings.choice.severities["T106"] = Severity::kStyle;
  settings.threshold = Severity::kInfo;
  CHECK(check({SourceFile("/a.sh", kUnsorted)}, settings, workspace).findings.empty());
}

TEST_CASE("sourced files are read through the files, and are known afterwards") {
  MemoryFiles files;
  files.put("/p/lib.sh", "#!/bin/sh\nusage() { echo usage; }\n");
  const char* text = "#!/bin/sh\n. ./lib.sh\n. ./missing.sh\nusage | grep -q use\n";
  const Checked checked = check_text(files, "/p/a.sh", text);
  CHECK(checked.consulted == std::vector<std::string>{"/p/lib.sh", "/p/missing.sh"});
}

TEST_CASE("an open buffer hides the file below it") {
  MemoryFiles disk;
  disk.put("/p/lib.sh", "say() { echo a; }\n");
  MemoryFiles open(&disk);
  const char* text = "#!/bin/sh\n. ./lib.sh\nsay | grep '^[0-9]'\n";
  CHECK(codes_of(check_text(open, "/p/a.sh", text)) == std::vector<std::string>{"T102"});
  open.put("/p/lib.sh", "say() { echo 1; }\n");
  CHECK(codes_of(check_text(open, "/p/a.sh", text)) == std::vector<std::string>{"T104"});
}

TEST_CASE("cards of a project hold below its directory, and are read once") {
  MemoryFiles files;
  files.set_variable("HOME", "/home/me");
  files.put("/home/me/.config/nacre/commands/users.card", "command users-of\noutput : [a-z]+\n");
  files.put("/p/.nacre/commands/ids.card", "command ids-of\noutput : [0-9]+\n");
  Workspace workspace(files);
  const auto cards = workspace.cards_for("/p/bin/a.sh");
  CHECK(cards->library->find("ids-of") != nullptr);
  CHECK(cards->library->find("users-of") != nullptr);
  CHECK(cards == workspace.cards_for("/p/lib/b.sh"));
  CHECK(workspace.cards_for("/q/a.sh")->library->find("ids-of") == nullptr);
  files.put("/p/.nacre/commands/bad.card", "colour red\n");
  CHECK(workspace.cards_for("/p/a.sh")->mistakes.empty());
  workspace.refresh();
  CHECK(workspace.cards_for("/p/a.sh")->mistakes.size() == 1);
}

TEST_CASE("what is not a regular file is refused, wherever it is named") {
  MemoryFiles files;
  files.put_special("/p/nacre.toml");
  files.put_special("/q/.nacre/commands/pipe.card");
  files.put("/q/.nacre/commands/x.card", "command x\n");
  Workspace workspace(files);
  const auto settings = workspace.settings_for("/p/a.sh");
  REQUIRE_FALSE(settings);
  CHECK(settings.error().message == "/p/nacre.toml: not a regular file");
  const auto cards = workspace.cards_for("/q/a.sh");
  REQUIRE(cards->mistakes.size() == 1);
  CHECK(cards->mistakes[0].message == "cannot be read: not a regular file");
}

TEST_CASE("the current files and environment are used only if asked for") {
  MemoryFiles files;
  files.put("/data.txt", "abc\n");
  Workspace workspace(files);
  Settings settings;
  const SourceFile script("/a.sh", "#!/bin/sh\ngrep '^[0-9]' <data.txt\n");
  CHECK(check({script}, settings, workspace).findings.empty());
  settings.concretizes = true;
  const Checked checked = check({script}, settings, workspace);
  REQUIRE(checked.findings.size() == 1);
  CHECK(checked.findings[0].message.ends_with("(given the current files and environment)"));
}

TEST_CASE("a language that nothing looks at is not finished") {
  const MemoryFiles files;
  Workspace workspace(files);
  Settings settings;
  settings.verb = "no such verb";
  const Checked checked = check({SourceFile("/a.sh", "true\n")}, settings, workspace);
  CHECK(checked.ending == Ending::kIncomplete);
  CHECK(checked.remarks.size() == 1);
}

TEST_CASE("the language may be given where the name does not tell it") {
  const MemoryFiles files;
  Workspace workspace(files);
  const SourceFile file("untitled", "def f(:\n");
  const Checked checked = check({file, Language::kPython}, {}, workspace);
  CHECK(checked.ending == Ending::kIncomplete);
  CHECK(codes_of(check({file}, {}, workspace)) != codes_of(checked));
}

TEST_CASE("a check that is stopped ends soon and says so") {
  const MemoryFiles files;
  Workspace workspace(files);
  std::string text = "#!/bin/bash\nf() { for i in 1 2 3; do g \"$1$i\"; done; }\n";
  for (int i = 0; i < 20'000; i++) text += "x=$(f $RANDOM | sed 's/a/b/' | sort | uniq)\n";
  std::atomic<bool> flag = true;
  CHECK(check({SourceFile("/a.sh", text)}, {}, workspace, Stop(flag)).ending == Ending::kStopped);
}

TEST_CASE("a failure within one file is a finding of that file") {
  class FailingFiles : public MemoryFiles {
   public:
    [[nodiscard]] Result<std::string> read(const std::string& path, uint64_t) const override {
      if (path.ends_with("large.sh")) throw std::bad_alloc();
      throw std::runtime_error("a bug");
    }
  };
  const FailingFiles files;
  Workspace workspace(files);
  Settings settings;
  settings.choice.select =
      CodeSet({"T"});  // that a file was not analysed is not a matter of choice
  const Checked large = check({SourceFile("/a.sh", ". ./large.sh\n")}, settings, workspace);
  CHECK(large.ending == Ending::kOutOfMemory);
  REQUIRE(codes_of(large) == std::vector<std::string>{"S006"});
  CHECK(large.findings[0].file.name() == "/a.sh");
  const Checked bug = check({SourceFile("/b.sh", ". ./other.sh\n")}, settings, workspace);
  CHECK(bug.ending == Ending::kIncomplete);
  CHECK(bug.findings.at(0).message == "internal error: a bug");
}

TEST_CASE("messages stay short, whatever the script holds") {
  const MemoryFiles files;
  Workspace workspace(files);
  const std::string name(100'000, 'n');
  for (const Diagnostic& each : check({SourceFile("/a.sh", "#!/bin/sh\n" + name + "=1\necho \"$" +
                                                               name + "x\" $(" + name + ")\n")},
                                      {}, workspace)
                                    .findings) {
    CHECK(each.message.size() < 1'000);
    for (const Note& note : each.notes) CHECK(note.message.size() < 1'000);
  }
}

TEST_CASE("suppressions of codes that another verb reports are not called useless") {
  const MemoryFiles files;
  for (const Code& code : codes()) {
    if (code.verb == "check") continue;
    const std::string line = "true # nacre disable=" + std::string(code.name) + " -- reason\n";
    CHECK(check_text(files, "/a.sh", line).findings.empty());
  }
  CHECK(codes_of(check_text(files, "/a.sh", "true # nacre disable=T106 -- reason\n")) ==
        std::vector<std::string>{"S008"});
}

TEST_CASE("every code that an analysis looks for has its verb") {
  for (const AnalysisRow& row : analyses()) CHECK_FALSE(row.codes.empty());
  CHECK(find_analysis(Language::kShell) != nullptr);
  CHECK(find_analysis(Language::kShell, "dance") == nullptr);
}
