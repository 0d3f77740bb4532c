// The frames of the machine's stack: what is being done, and how far it is. A frame is a header
// that all kinds share (the command, whether its status is tested, the sizes of the other stacks)
// and one struct of its kind with a Phase of its own. All are trivially copyable: copying the stack
// is what fork() does in a world where processes are values.
//
//   Frame& frame = machine.push(WordFrame{.word = &word}, node);
//   if (frame.is<WordFrame>()) frame.as<WordFrame>().next = 1;
//
// Invariants (assertions in Machine::push and in the steps):
// 1. What lies above `base` on the stacks of fields, text, regions, saved variables and moves
//    belongs to the frame or to one above it. A frame that ends cuts the stacks back, except for
//    the result that it leaves for the frame below (fields or text of a word).
// 2. The bottom frame is the Source of the shell, an ExitTrap, or the End of a child process.
// 3. A Word stands on the frame that wants it: Simple, For, Case, Group, Compound, a Word (as the
//    operand of one of its parts) or Parameter. A Parameter and a CommandSubst stand on a Word. All
//    but the bottom Word run in expand_prompt(), which may start anywhere.
// 4. A Launch in Phase::kInside stands directly below the simple command that it starts.
// 5. A Call stands on the Simple that calls, and has the last Context.
// 6. A Pipeline that is past kStart owns a job of Machine::pending_jobs until it waits for it.
#pragma once

#include <cassert>
#include <cstdint>
#include <type_traits>
#include <variant>

#include "machine/code.h"
#include "world/os.h"

namespace nacre::machine {

enum class FrameKind : uint8_t {
  kDefinition,
  kSequence,
  kAndOr,
  kNot,
  kIf,
  kWhile,
  kFor,
  kCase,
  kGroup,
  kConditional,
  kArithmetic,
  kArithmeticLoop,
  kSelect,
  kTime,
  kCoproc,
  kSimple,
  kCall,
  kWord,
  kParameter,
  kCompound,
  kCommandSubst,
  kProcessSubst,
  kSubshell,
  kLaunch,
  kPipeline,
  kBackground,
  kWaitJob,
  kSource,
  kTrap,
  kExitTrap,
  kEnd,
};

// What becomes of an expanded word: fields, one field, text at the end of Machine::text, a pattern
// there, a regular expression there, the replacement of ${x/p/r} (where an unquoted & is the
// match), or a piece of the word that it is nested in.
enum class ExpandMode : uint8_t {
  kFields,
  kOneField,
  kString,
  kPattern,
  kRegex,
  kReplacement,
  kAppend
};

// A function definition, or something that this shell does not know: done in one step.
struct DefinitionFrame {};

struct SequenceFrame {
  uint32_t next = 0;  // child
};

struct AndOrFrame {
  uint32_t next = 0;  // child
};

struct NotFrame {
  bool is_inside = false;
};

struct IfFrame {
  enum class Phase : uint8_t { kStart, kCondition };
  Phase phase = Phase::kStart;
  uint32_t arm = 0;
};

struct WhileFrame {
  enum class Phase : uint8_t { kStart, kCondition, kBody };
  Phase phase = Phase::kStart;
  int last_status = 0;  // of the body
};

struct ForFrame {
  enum class Phase : uint8_t { kWords, kBody };
  Phase phase = Phase::kWords;
  uint32_t next = 0;    // kWords: the word to expand; kBody: the field to assign, counted from base
  int last_status = 0;  // of the body
};

// The subject is the text from base.text to subject_end; the pattern under test follows it.
struct CaseFrame {
  enum class Phase : uint8_t { kSubject, kSubjectDone, kArms, kPatternDone };
  Phase phase = Phase::kSubject;
  uint32_t arm = 0;
  uint32_t pattern = 0;  // the next one of the arm
  bool has_run = false;  // the body of an arm with ;;&, whose status stays
  size_t subject_end = 0;
};

// A compound command with redirections. `shown`: see SimpleFrame.
struct GroupFrame {
  enum class Phase : uint8_t { kRedirects, kTargetDone, kBody };
  Phase phase = Phase::kRedirects;
  uint32_t next = 0;  // redirection
  uint32_t shown = 0;
};

// [[ ]]: the operands are the text above base.text, the left one up to left_end.
struct ConditionalFrame {
  enum class Phase : uint8_t { kStart, kLeftDone, kRightDone };
  Phase phase = Phase::kStart;
  uint32_t next = 0;  // test
  size_t left_end = 0;
};

// (( )): the value is the text above base.text when `is_expanded`.
struct ArithmeticFrame {
  bool is_expanded = false;
};

struct ArithmeticLoopFrame {
  enum class Phase : uint8_t { kInitial, kCondition, kConditionDone, kBody, kStep };
  Phase phase = Phase::kInitial;
  int last_status = 0;
};

// select: the fields are the choices; `next` is the word to expand.
struct SelectFrame {
  enum class Phase : uint8_t { kWords, kMenu, kRead, kBody };
  Phase phase = Phase::kWords;
  uint32_t next = 0;
};

struct TimeFrame {
  bool has_started = false;
  int64_t start_ns = 0;
  world::CpuTimes start;
};

struct CoprocFrame {
  bool has_launched = false;
  int read_end = -1;   // of what the process writes
  int write_end = -1;  // of what it reads
  int child_input = -1;
  int child_output = -1;
};

// What the name of a simple command stands for.
enum class CommandTarget : uint8_t {
  kNothing,  // there is no name: only assignments and redirections
  kSpecialBuiltin,
  kPlainBuiltin,    // never looks at descriptors except through Machine::io
  kBuiltinCommand,  // any other builtin
  kFunctionCall,
  kProgram,
};

struct SimpleFrame {
  enum class Phase : uint8_t {
    kStart,
    kArguments,   // `next`: the word to expand
    kSeparator,   // fine_steps: between two words
    kRedirects,   // `next`: the redirection whose target to expand
    kTargetDone,  // the text above base.text is the target of redirection next - 1
    kAssignments,
    kKeyDone,    // the text above base.text is the subscript of assignment next - 1
    kValueDone,  // the text above base.text, or above key_end, is its value
    kReady,      // fine_steps: everything is expanded
    kRun,
    kWaiting,  // for `process`
    kFinish,
  };
  Phase phase = Phase::kStart;
  CommandTarget target = CommandTarget::kNothing;
  bool is_forgiving = false;        // called through `command`: errors do not end the shell
  bool uses_default_path = false;   // command -p
  bool restores_variables = false;  // assignments hold for this command only
  uint32_t next = 0;
  uint32_t prefix = 0;  // how many fields come before the command's own name: `command -p`
  uint32_t shown = 0;   // size of Machine::shown_values when the frame was pushed
  size_t key_end = 0;   // of the subscript of an assignment; the fields before a target
  world::Pid process = 0;
  const Builtin* builtin = nullptr;
};

struct CallFrame {
  NameId name = kNoName;
  uint32_t line = 0;         // of the call
  bool has_trapped = false;  // RETURN
};

struct WordFrame {
  enum class Phase : uint8_t { kStart, kParts, kSplit, kPath, kQuote };
  Phase phase = Phase::kStart;
  ExpandMode mode = ExpandMode::kFields;
  bool splits = false;  // fields are wanted, "$@" makes several
  uint32_t next = 0;    // part
  const Word* word = nullptr;
};

// ${x[subscript] op word} or $((word)) while a word of it is expanded. The text above base.text is
// the subscript; then the key that it means, up to key_end, and the operand; then also that up to
// argument_end, and the second operand.
struct ParameterFrame {
  enum class Phase : uint8_t { kSubscript, kArgument, kReplacement };
  Phase phase = Phase::kArgument;
  bool splits = false;
  size_t key_end = 0;
  size_t argument_end = 0;
  const Part* part = nullptr;
};

// Expands the elements of a=(...) into the last of Machine::compounds. `assignment` is null for an
// argument of `declare`, whose value stays there for the builtin.
struct CompoundFrame {
  enum class Phase : uint8_t { kNext, kKeyDone, kValueDone, kWordDone };
  Phase phase = Phase::kNext;
  uint32_t next = 0;
  size_t key_end = 0;
  const Compound* compound = nullptr;
  const Assignment* assignment = nullptr;
};

struct CommandSubstFrame {
  enum class Phase : uint8_t { kStart, kCaptured, kLaunched, kForked, kReading, kWaiting };
  Phase phase = Phase::kStart;
  int read_end = -1;
  int write_end = -1;
  world::Pid process = 0;
  const Part* part = nullptr;
};

// <(...) or >(...): a process whose output or input is named /dev/fd/N in the word.
struct ProcessSubstFrame {
  bool has_launched = false;
  int own_end = -1;
  int child_end = -1;
  const Part* part = nullptr;
};

struct SubshellFrame {
  enum class Phase : uint8_t { kStart, kInside, kForked, kWaiting };
  Phase phase = Phase::kStart;
  bool is_part = false;    // of a substitution or pipeline, whose own rules look at the status
  world::Pid process = 0;  // 0 while kWaiting: a WaitJob frame waits
};

// Starts a process for a command.
struct LaunchFrame {
  enum class Phase : uint8_t { kStart, kInside, kForked };
  Phase phase = Phase::kStart;
};

struct PipelineFrame {
  enum class Phase : uint8_t { kStart, kLaunched, kCaptured, kFed, kInside, kWait };
  Phase phase = Phase::kStart;
  bool has_waited = false;  // a WaitJob frame did it
  bool is_async = false;    // `a | b &`: the shell goes on when all stages are started
  uint32_t stage = 0;
  int input = -1;       // of the stage that is being launched
  int output = -1;      // what that stage writes to
  int next_input = -1;  // what the stage after it reads from
};

struct BackgroundFrame {
  enum class Phase : uint8_t { kStart, kLaunched, kForked };
  Phase phase = Phase::kStart;
  int input = -1;  // /dev/null
};

// Waits for a foreground job; the job is the last of pending_jobs until it has a number.
struct WaitJobFrame {
  int job = 0;  // 0: not numbered yet
};

// Reads and runs commands: the shell itself, `eval`, `.`, a trap.
struct SourceFrame {
  bool has_run = false;
  bool has_trapped = false;  // RETURN of bash, after a dot script
};

struct TrapFrame {
  int status = 0;  // $? from before the trap
  int signal = 0;
  bool exits = false;  // errexit waits for the ERR trap
  uint32_t line = 0;   // $LINENO from before the trap
};

struct ExitTrapFrame {
  int status = 0;
};

// The end of a child process: its EXIT trap.
struct EndFrame {};

using FrameBody =
    std::variant<DefinitionFrame, SequenceFrame, AndOrFrame, NotFrame, IfFrame, WhileFrame,
                 ForFrame, CaseFrame, GroupFrame, ConditionalFrame, ArithmeticFrame,
                 ArithmeticLoopFrame, SelectFrame, TimeFrame, CoprocFrame, SimpleFrame, CallFrame,
                 WordFrame, ParameterFrame, CompoundFrame, CommandSubstFrame, ProcessSubstFrame,
                 SubshellFrame, LaunchFrame, PipelineFrame, BackgroundFrame, WaitJobFrame,
                 SourceFrame, TrapFrame, ExitTrapFrame, EndFrame>;
static_assert(std::is_trivially_copyable_v<FrameBody>);
static_assert(std::variant_size_v<FrameBody> == static_cast<size_t>(FrameKind::kEnd) + 1);

template <FrameKind kKind, typename T>
constexpr bool kIsKind =
    std::is_same_v<std::variant_alternative_t<static_cast<size_t>(kKind), FrameBody>, T>;
static_assert(
    kIsKind<FrameKind::kDefinition, DefinitionFrame> &&
    kIsKind<FrameKind::kSequence, SequenceFrame> && kIsKind<FrameKind::kAndOr, AndOrFrame> &&
    kIsKind<FrameKind::kNot, NotFrame> && kIsKind<FrameKind::kIf, IfFrame> &&
    kIsKind<FrameKind::kWhile, WhileFrame> && kIsKind<FrameKind::kFor, ForFrame> &&
    kIsKind<FrameKind::kCase, CaseFrame> && kIsKind<FrameKind::kGroup, GroupFrame> &&
    kIsKind<FrameKind::kConditional, ConditionalFrame> &&
    kIsKind<FrameKind::kArithmetic, ArithmeticFrame> &&
    kIsKind<FrameKind::kArithmeticLoop, ArithmeticLoopFrame> &&
    kIsKind<FrameKind::kSimple, SimpleFrame> && kIsKind<FrameKind::kCall, CallFrame> &&
    kIsKind<FrameKind::kWord, WordFrame> && kIsKind<FrameKind::kParameter, ParameterFrame> &&
    kIsKind<FrameKind::kSelect, SelectFrame> && kIsKind<FrameKind::kTime, TimeFrame> &&
    kIsKind<FrameKind::kCoproc, CoprocFrame> && kIsKind<FrameKind::kCompound, CompoundFrame> &&
    kIsKind<FrameKind::kProcessSubst, ProcessSubstFrame> &&
    kIsKind<FrameKind::kCommandSubst, CommandSubstFrame> &&
    kIsKind<FrameKind::kSubshell, SubshellFrame> && kIsKind<FrameKind::kLaunch, LaunchFrame> &&
    kIsKind<FrameKind::kPipeline, PipelineFrame> &&
    kIsKind<FrameKind::kBackground, BackgroundFrame> &&
    kIsKind<FrameKind::kWaitJob, WaitJobFrame> && kIsKind<FrameKind::kSource, SourceFrame> &&
    kIsKind<FrameKind::kTrap, TrapFrame> && kIsKind<FrameKind::kExitTrap, ExitTrapFrame> &&
    kIsKind<FrameKind::kEnd, EndFrame>);

// Sizes of the machine's other stacks when a frame was pushed.
struct Marks {
  size_t fields = 0;
  size_t text = 0;
  size_t regions = 0;
  size_t variables = 0;
  size_t moves = 0;
};

struct Frame {
  FrameBody body;
  bool tested = false;        // the status is looked at: errexit does not apply
  bool has_debugged = false;  // the DEBUG trap has just run for what comes next
  const Node* node = nullptr;
  Marks base;

  [[nodiscard]] FrameKind kind() const { return static_cast<FrameKind>(body.index()); }
  template <typename T>
  [[nodiscard]] bool is() const {
    return std::holds_alternative<T>(body);
  }
  template <typename T>
  [[nodiscard]] T& as() {
    assert(is<T>());
    return *std::get_if<T>(&body);
  }
  template <typename T>
  [[nodiscard]] const T& as() const {
    assert(is<T>());
    return *std::get_if<T>(&body);
  }
  template <typename T>
  [[nodiscard]] const T* get() const {
    return std::get_if<T>(&body);
  }
};

// The part of the first three invariants that depends on two neighbours only.
[[nodiscard]] constexpr bool may_stand_on(FrameKind above, FrameKind below) {
  switch (above) {
    case FrameKind::kParameter:
    case FrameKind::kCommandSubst: return below == FrameKind::kWord;
    case FrameKind::kCall: return below == FrameKind::kSimple;
    case FrameKind::kEnd: return false;
    default: return below != FrameKind::kDefinition;
  }
}

}  // namespace nacre::machine
