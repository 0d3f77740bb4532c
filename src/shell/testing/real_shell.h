// What the real shells say of a text: `dash -n`, `bash -n`. The truth that our verdicts are
// compared with.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shell/dialect.h"

namespace nacre::shell {

struct ShellVerdict {
  bool is_valid = false;
  uint32_t line = 0;    // of the first error; 0 if there is none
  std::string message;  // of the shell, without the name of the file
};

// Whether the shell of the dialect (dash for kSh and kDash, ksh93 and mksh for kKsh) can be run.
[[nodiscard]] bool has_real_shell(Dialect dialect);

// bash is asked a second time with `-O extglob` where it rejects: extended globs are an option that
// the caller of a script may have set.
[[nodiscard]] ShellVerdict ask_shell(Dialect dialect, const std::string& path);

// What the shells of a dialect agree on: ksh93 and mksh for kKsh, which often differ; the one shell
// of the others. Nothing if they disagree.
[[nodiscard]] std::optional<bool> agreed_verdict(Dialect dialect, const std::string& path);

// A file for a text that a shell is asked about; removed at the end.
class ScratchFile {
 public:
  explicit ScratchFile(std::string_view text = {});
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;
  ~ScratchFile();

  void write(std::string_view text) const;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// The texts among `texts` that the shell rejects, by index. Costs a few processes when nearly all
// are valid: many are asked about at once, one after the other in a file, and only a rejected
// file is halved. Two texts with unclosed quotes may hide each other when they are neighbours.
[[nodiscard]] std::vector<size_t> rejected_by_shell(Dialect dialect,
                                                    const std::vector<std::string>& texts);

}  // namespace nacre::shell
