// Regular expressions with captures, for grep, sed, awk and expr: glibc's engine, which is the one
// that the GNU utilities use. Bytes, as in the C locale.
#pragma once

#include <memory>
#include <optional>
#include <regex.h>
#include <string>
#include <string_view>
#include <vector>

namespace nacre::utilities {

struct Match {
  struct Range {
    size_t begin = std::string::npos;  // npos: the group took no part
    size_t end = 0;
  };
  std::vector<Range> groups;  // the whole match first

  [[nodiscard]] size_t begin() const { return groups[0].begin; }
  [[nodiscard]] size_t end() const { return groups[0].end; }
  [[nodiscard]] std::string_view group(std::string_view text, size_t i) const {
    if (i >= groups.size() || groups[i].begin == std::string::npos) return {};
    return text.substr(groups[i].begin, groups[i].end - groups[i].begin);
  }
};

class Regex {
 public:
  // A search whose back-references would take longer than anyone waits; run_utility() says so.
  struct TooMuchWork {};

  // Nothing if the pattern is wrong, or so deep or large when its counts are written out that
  // glibc would need all memory for it; `error` says why.
  static std::optional<Regex> compile(const std::string& pattern, bool is_extended,
                                      bool ignores_case, std::string& error);

  // The leftmost-longest match that begins at `from` or later. May throw TooMuchWork.
  [[nodiscard]] std::optional<Match> search(std::string_view text, size_t from = 0) const;
  [[nodiscard]] bool matches(std::string_view text) const;  // somewhere
  [[nodiscard]] size_t group_count() const { return compiled_->re_nsub; }

 private:
  struct Free {
    void operator()(regex_t* compiled) const {
      regfree(compiled);
      delete compiled;
    }
  };
  Regex(regex_t* compiled, unsigned choices) : compiled_(compiled, Free()), choices_(choices) {}
  void check_work(std::string_view text) const;

  std::shared_ptr<const regex_t> compiled_;
  unsigned choices_;  // repetitions without an end in a pattern with back-references; otherwise 0
};

}  // namespace nacre::utilities
