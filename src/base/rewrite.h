// What a purifier does to a text, as values: a rewrite is a few edits with the obligations that had
// to hold for them, and a class that says what the reader may expect. All languages share these;
// each has its own list of functions that offer rewrites.
//
//   Purified result;
//   RewriteRounds rounds(file, {.equal_only = true}, result);
//   while (rounds.apply(offer(rounds.current()))) {}
//
// An obligation that is not discharged keeps its place as it is: the rewrite goes to `kept`. A
// rewrite without edits is a remark. `refused` has what must be reached and is not.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"

namespace nacre {

enum class RewriteClass : uint8_t {
  kEqual,     // the same on every run
  kRepair,    // the same but where `differs_when` says
  kAssuming,  // needs a sentence to be true
};

enum class ObligationKind : uint8_t {
  kStatus,        // the status is not tested
  kCopy,          // every edited byte is the file's own
  kNoFile,        // no recipe makes the target, no implicit rule does
  kOrder,         // the order of the list is not used, or is the same
  kLabel,         // the varying value gets only into texts and names
  kOutputs,       // what is made is known by name
  kUnordered,     // a pair of writers was found
  kOneUse,        // the value is used at one place
  kField,         // exactly one field, whatever the value
  kUnlisted,      // no list is meant: the value is not to be split
  kShell,         // what is changed in the shell or a subshell of it is not used later
  kScope,         // the name is read by no other code
  kFresh,         // the new name occurs nowhere
  kConstant,      // the word is this text on every pass
  kSameLanguage,  // the new pattern matches the same strings
  kOneLine,       // a value without a newline
  kClosed,        // a stream with at least one line, and the last one closed
  kPure,          // what is moved, dropped or evaluated twice has no effect
  kErrexit,       // stays within or outside of conditions
  kEcho,          // what is printed has no backslash and no option
  kTrap,          // no handler of that signal, or one that can be extended
  kName,          // the value is a variable's name
  kPositional,    // the positional parameters are not used
  kImage,         // the image has this shell, user or tool
  kTarget,        // the target has the construct
};

struct Obligation {
  ObligationKind kind;
  Span place;
  bool is_discharged = true;
  std::string why;
};

struct Rewrite {
  std::string_view name;  // "mkdir-p"
  RewriteClass kind = RewriteClass::kRepair;
  Span place;
  std::string message = {};
  std::string differs_when = {};
  std::vector<Edit> edits = {};
  std::vector<Obligation> needs = {};

  [[nodiscard]] bool is_discharged() const;
};

// Places are those of the text that was given.
struct Purified {
  std::string text;
  std::vector<Rewrite> done;
  std::vector<Rewrite> kept;     // an obligation failed; the place stays as it was
  std::vector<Rewrite> refused;  // a goal that must be reached is not
  unsigned rounds = 0;
  bool is_unfinished = false;  // the last round that was allowed left something to do
};

[[nodiscard]] std::string_view name_of(RewriteClass kind);
[[nodiscard]] std::string_view name_of(ObligationKind kind);

// `edits` were made; where the bytes at `place` of the new text stood, or what they replaced.
[[nodiscard]] Span place_before(Span place, const std::vector<Edit>& edits);

// Applies rewrites round after round until none is left.
class RewriteRounds {
 public:
  struct Options {
    bool equal_only = false;
    unsigned max_rounds = 8;
  };

  RewriteRounds(const SourceFile& file, Options options, Purified& result)
      : current_(file), options_(options), result_(result) {
    result_.text = current_.bytes();
  }

  [[nodiscard]] const SourceFile& current() const { return current_; }
  // Makes those of `offered` that may be made and do not overlap an earlier one; true if the text
  // has changed and another round is due.
  bool apply(std::vector<Rewrite> offered);
  // The place in the text that was given.
  [[nodiscard]] Span original(Span place) const;

 private:
  SourceFile current_;
  Options options_;
  Purified& result_;
  std::vector<std::vector<Edit>> made_;  // in each round
};

}  // namespace nacre
