// The script that is verified, as all properties see it: its places and facts, its calls, its
// exploration over an open world. Made once.
#pragma once

#include <memory>
#include <optional>

#include "explore/outcome.h"
#include "prove/knowledge.h"
#include "prove/verify.h"

namespace nacre::prove {

// Where a run of the script may begin, and all that came of it.
struct Explored {
  std::string refusal;  // not empty: it was not explored
  explore::Script script;
  explore::World start;
  explore::Report report;
};

struct Subject {
  Subject(const SourceFile& source, const commands::CardLibrary& library, VerifyOptions given);

  const SourceFile& file;
  const commands::CardLibrary& cards;
  VerifyOptions options;
  std::unique_ptr<purify::Script> script;
  std::vector<purify::Call> calls;
  bool is_valid = true;
  // Text that is put together and run, sourced files, computed command names.
  bool has_unknown_code = false;

  [[nodiscard]] uint32_t line(Span place) const { return file.line_of(place.begin); }
  [[nodiscard]] bool is_bash() const;
  // By that user; kept.
  const Explored& explored(const std::string& user);

 private:
  std::map<std::string, Explored> explorations_;
};

[[nodiscard]] inline Finding open_at(Span place, std::string reason) {
  return {{}, Verdict::kOpen, std::move(reason), place, {}, false};
}

// What a word stands for, as text that can be compared: constants are written out.
[[nodiscard]] std::string symbol_of(const Subject& subject, const shell::Word& word);

// trap NAME EXIT: a function of the script, which is looked at by itself.
[[nodiscard]] bool is_plain_trap(const Subject& subject, const purify::Call& call);

using Property = Finding (*)(Subject& subject);
[[nodiscard]] Finding posix(Subject& subject);
[[nodiscard]] Finding injection(Subject& subject);
[[nodiscard]] Finding toctou(Subject& subject);
[[nodiscard]] Finding termination(Subject& subject);
[[nodiscard]] Finding determinism(Subject& subject);
[[nodiscard]] Finding idempotence_root(Subject& subject);
[[nodiscard]] Finding idempotence_user(Subject& subject);
[[nodiscard]] Finding undefined_variables(Subject& subject);
[[nodiscard]] Finding unchecked_failures(Subject& subject);

}  // namespace nacre::prove
