// What a command does to files, as its card says it (`does`): a small program over the kernel's
// calls. This header is the program as data; effect_run.h runs one over a store (a world, a
// constraint tree, facts), effect_words.h finds the line of a card that a command line means.
//
//   does  -p|--parents : each P in operands { each D in parents P { if not dir D { mkdir D } }; ...
//   }
//
//   program ::= statement { ";" statement }
//   statement ::= call | "try" call | "if" test block ["else" (block | "if" ...)]
//       | "each" NAME "in" list block | "let" NAME "=" path | "either" block {"or" block}
//       | "fail" [N] | "stop" [N] | "nothing" | "unknown" | "print" path
//   test ::= atom { ("and" | "or") atom }      from the left, without precedence
//   atom ::= "not" atom | "(" test ")" | property path | relation path path | "given" OPTION |
//   "many" path ::= "first" | "last" | "fresh" | NAME | 'text' | "option" OPTION
//       | ("base" | "parent" | "bare" | "target") path
//   list ::= "operands" | "sources" | "rest"
//       | ("parents" | "ancestors" | "entries" | "below" | "chosen") path
//
// A call that fails makes the status 1 and ends the round of the innermost loop over operands
// (without one, the program): the habit of the GNU utilities. `fail` does the same without a call,
// `stop` ends the program. The pieces of text are those of the card, which must outlive this.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace nacre::commands {

enum class EffectCall : uint8_t {
  kMkdir,      // P: a new directory
  kCreate,     // P: a new empty file if nothing is there
  kWrite,      // P: new contents, made if it is not there
  kAppend,     // P: more contents, made if it is not there
  kRead,       // P: a file
  kUnlink,     // P: anything but a directory
  kRmdir,      // P: an empty directory
  kRemove,     // P and everything below it
  kMkfifo,     // P: a new named pipe
  kStamp,      // P: new times
  kEnter,      // P becomes the working directory
  kRename,     // P Q
  kSymlink,    // TEXT P: a link P with this target
  kLink,       // P Q: a second name Q of P
  kChmod,      // MODE P, links are followed
  kChown,      // OWNER P, links are followed
  kChgrp,      // GROUP P, links are followed
  kCopy,       // P Q: contents and mode; P is followed
  kCopyTree,   // P Q: with everything below, links as links; Q may be a directory that gets more
  kOverTree,   // the same, and what is in the way of a file is removed
  kChmodTree,  // MODE P, and everything below it but links
};

// What is asked of a path. Links are followed but for those whose name begins with an l.
enum class PathTest : uint8_t {
  kThere,
  kLthere,
  kMissing,  // not there because a name is (ENOENT, ENOTDIR), and not for lack of permission
  kAbsent,   // not there because the last name is not (ENOENT)
  kDirectory,
  kLdirectory,
  kFile,
  kLink,
  kEmpty,     // a directory without entries, or a file of size 0
  kNonempty,  // a file of size > 0
  kReadable,
  kWritable,
  kExecutable,
  // Of the text alone.
  kDots,     // its last component is . or ..
  kDot,      // its last component is .
  kRoot,     // nothing but slashes
  kSlashed,  // ends with a slash
  kBlank,    // empty
  // Of this run.
  kMade,  // a rename or a copy of this run has gone there
};
constexpr bool is_textual(PathTest test) { return test >= PathTest::kDots; }

enum class PathRelation : uint8_t {
  kSame,   // both lead to one file
  kLsame,  // both are one file, links not followed
  kOnto,   // the first leads to what the second is
  kPlace,  // both name one entry of one directory
};

struct PathTerm {
  enum Kind : uint8_t {
    kName,    // of `let` or `each`
    kText,    // 'text'
    kFirst,   // the first operand
    kLast,    // the value of -t, the last of several operands, or "."
    kFresh,   // a new name for a temporary file
    kOption,  // the value of an option
    kBase,
    kParent,
    kBare,    // without slashes at its end
    kTarget,  // where this source goes: into the last operand (or -t) if that is a directory
  } kind = kName;
  std::string_view word;
  std::vector<PathTerm> of;  // one, of the last four
};

struct EffectTest {
  enum Kind : uint8_t { kProperty, kRelation, kGiven, kMany, kNot, kAnd, kOr } kind = kProperty;
  PathTest property = PathTest::kThere;
  PathRelation relation = PathRelation::kSame;
  std::string_view option;  // of kGiven
  std::vector<PathTerm> paths;
  std::vector<EffectTest> of;
};

struct PathList {
  enum Kind : uint8_t {
    kOperands,
    kSources,    // all operands but the last; all if there is one or -t is given
    kRest,       // all operands but the first
    kParents,    // of a/b/c: a, a/b
    kAncestors,  // of a/b/c: a/b, a
    kEntries,    // what is in a directory
    kBelow,      // the path itself, and everything below it but links
    kChosen,     // some of kBelow, deepest first: which ones is not said
  } kind = kOperands;
  std::vector<PathTerm> of;
};

struct Statement {
  enum Kind : uint8_t {
    kCall,
    kTry,  // a call whose failure does not matter
    kIf,
    kEach,
    kLet,
    kEither,  // not known which: a decision
    kFail,
    kStop,
    kNothing,
    kUnknown,  // what happens is not on the card
    kPrint,
  } kind = kNothing;
  EffectCall call = EffectCall::kMkdir;
  std::string_view name;        // of kLet, kEach
  std::vector<PathTerm> paths;  // of kCall, kTry, kLet, kPrint
  std::vector<EffectTest> test;
  PathList list;
  std::vector<std::vector<Statement>> blocks;  // of kIf (then, else), kEach, kEither
  int status = 1;                              // of kFail, kStop
};
using EffectProgram = std::vector<Statement>;

// The span of an error is in `text`.
[[nodiscard]] Result<EffectProgram> parse_effect(std::string_view text);
// `letter -s nonempty` of test's card: what a letter asks of a path, which is called P.
[[nodiscard]] Result<EffectTest> parse_effect_test(std::string_view text);

}  // namespace nacre::commands
