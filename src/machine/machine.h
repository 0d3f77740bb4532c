// The shell as a small-step abstract machine: control (the top frame), environment (State) and a
// stack of frames (frame.h). step() applies one rule and says which; nothing is kept on the C++
// stack between two steps, so a machine is a value: copying it at any step is what fork() does in a
// world where processes are values. The one exception is a prompt (PS1, PS4) that runs a command:
// expand_prompt() steps the machine itself until the prompt is there.
//
//   Machine machine(os, names);
//   machine.push_source(...);
//   run(machine, [](const Machine&, Rule) {});   // to the end; the observer is compiled in
//
// Without `fine_steps` a step may do several rules at once (it expands a whole simple word, runs a
// whole builtin command); what it does is the same. An observer that does nothing costs nothing.
//
// Where a process of its own would make no difference, a subshell or substitution runs in the same
// process: every change is journalled and undone at its end (see subshell.cpp).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "machine/builtin.h"
#include "machine/fields.h"
#include "machine/frame.h"
#include "machine/pattern.h"
#include "machine/place.h"
#include "machine/rules.h"
#include "machine/source.h"
#include "machine/state.h"

namespace nacre::machine {

// Where standard input, output and error of the shell itself are: a descriptor, or a capture.
constexpr int kFirstCapture = -2;  // and downwards: the output of a substitution, kept in memory

// Bits of Machine::char_class.
constexpr uint8_t kIfsBlank = 1;
constexpr uint8_t kIfsOther = 2;
constexpr uint8_t kGlobChar = 4;
constexpr uint8_t kIfsWide = 8;  // starts a multi-byte character of IFS
constexpr uint8_t kIfsAny = kIfsBlank | kIfsOther | kIfsWide;

enum class Unwind : uint8_t { kNone, kBreak, kContinue, kReturn, kExit, kError };

struct Machine {
  struct Context;
  struct Launch;
  // `limits`: of frames (nesting of commands and calls).
  Machine(world::Os& world, std::shared_ptr<Names> names, size_t max_frames = 400'000);

  // One rule. After Rule::kDone the machine has ended with state.status; after Rule::kBlocked the
  // world has to run another process first.
  Rule step();
  [[nodiscard]] bool is_done() const { return frames.empty(); }

  // --- control (machine.cpp; commands that contain commands: compound.cpp)
  template <typename Body>
  Frame& push(Body body, const Node* node = nullptr) {
    Frame& frame = push_empty(FrameKind(FrameBody(body).index()));
    frame.body = body;
    frame.node = node;
    return frame;
  }
  Frame& push_empty(FrameKind kind);
  void pop() { frames.pop_back(); }
  void cut_to(const Marks& base);  // fields, text and regions
  void forget_shown(size_t base) {
    if (shown_values.size() > base) shown_values.resize(base);
  }
  void push_node(const Node* node, bool tested);
  void unwind(Unwind how, int depth = 1);
  // An error of the shell itself: ends a script, in an interactive shell the current command.
  void shell_error(int status);
  void unset_error();  // of set -u and ${x?}: ends a script also in bash
  void exit_shell(int status);
  Rule finish_command(bool tested);  // errexit
  Rule step_definition(Frame& frame);
  Rule define_function(Frame& frame);
  Rule step_unwind();
  static Rule rule_of_unwinding(const Frame& frame);
  bool stop_unwinding_at(Frame& frame, Rule& rule);
  bool stop_unwinding_at_loop(Frame& frame, Rule& rule);
  Rule step_sequence(Frame& frame);
  Rule step_and_or(Frame& frame);
  Rule step_not(Frame& frame);
  Rule step_if(Frame& frame);
  Rule step_while(Frame& frame);
  Rule step_for(Frame& frame);
  void trace_loop(std::string_view keyword, const Node& node);
  bool refer_to(NameId name, std::string_view target);  // false after a message
  Rule step_case(Frame& frame);
  bool test_pattern(Frame& frame);
  Rule run_case_arm(Frame& frame);
  Rule step_group(Frame& frame);

  // --- commands of bash (conditional.cpp, arithmetic_command.cpp, select.cpp, time.cpp; coproc:
  // process_substitution.cpp)
  Rule step_conditional(Frame& frame);
  // The test whose operands are there: 1, 0, or -1 after an error.
  int test_condition(const Condition& condition, const std::string& left, const std::string& right);
  Rule step_arithmetic(Frame& frame);
  Rule step_arithmetic_loop(Frame& frame);
  Rule step_select(Frame& frame);
  Rule step_time(Frame& frame);
  Rule step_coproc(Frame& frame);
  // Nothing after an error, which it has printed (expand_arithmetic.cpp).
  std::optional<int64_t> evaluate_text(std::string_view expression);

  // --- simple commands (simple_command.cpp, run_command.cpp)
  Rule step_simple(Frame& frame);
  // These three return true when they are through; otherwise `rule` is the step's.
  bool expand_arguments(Frame& frame, Rule& rule);
  bool open_redirects(Frame& frame, Rule& rule);
  bool expand_assignments(Frame& frame, Rule& rule);
  bool append_in_place(const Assignment& assignment, Frame& frame);
  bool assign_expanded(Frame& frame, const Assignment& assignment);
  void resolve_command(Frame& frame);
  void skip_command_prefix(Frame& frame);
  Rule run_simple(Frame& frame);
  [[nodiscard]] size_t command_base(const Frame& frame) const;  // the field with its name
  Rule run_builtin(Frame& frame);
  Rule cannot_run(Frame& frame, std::string_view name, int failure);
  Rule run_external(Frame& frame);
  Rule exec_in_place(Frame& frame, const std::string& path);
  Rule wait_external(Frame& frame);
  Rule call_function(Frame& frame);
  Rule finish_simple(Frame& frame);
  // Says it; a special builtin's error is the shell's. Returns `status`.
  int builtin_failure(std::string_view name, std::string_view message, int status = 1);
  int bad_option(std::string_view name, char letter);  // the same, in bash with the usage
  int usage_failure(std::string_view name);            // in bash: its synopsis
  Rule step_call(Frame& frame);
  void finish_call(Frame& frame);
  void hide_traps(Context& context, bool is_traced);
  void restore_traps(Context& context);
  void trace();  // set -x: the simple command on top
  [[nodiscard]] int trace_depth() const;
  void trace_text(std::string_view command);   // after PS4
  void trace_compound(std::string_view head);  // of bash: only if set -x is on

  // --- assignments (assign.cpp, assign_array.cpp). False after a message: read-only, a bad index.
  bool assign(NameId name, std::string_view value, bool is_append = false) {
    const Variable& variable = state.variables.at(name);
    if (is_append || variable.is_readonly || variable.attributes != 0) [[unlikely]]
      return assign_special(name, value, is_append);
    state.variables.set(name, value);
    if (state.options.has(Option::kAllExport)) state.variables.set_exported(name, true);
    if (state.variables.has_changes()) react_to_changes();
    return true;
  }
  bool assign_special(NameId name, std::string_view value, bool is_append);
  bool assign_element(NameId name, const Key& key, std::string_view value, bool is_append = false);
  // name or name[subscript], as builtins have it in an argument.
  bool assign_named(std::string_view target, std::string_view value);
  bool assign_place(const Place& place, std::string_view value);
  // The variable that `name` refers to; kNoName after a message.
  NameId assignable(NameId name);
  // As the variable's attributes want it: evaluated, in capital letters.
  std::optional<std::string> converted(NameId name, std::string_view value, const std::string* old);
  bool complain_readonly(NameId name);
  // What a subscript means for that variable; nothing after a message.
  std::optional<Key> key_of(NameId name, std::string_view subscript);
  Rule step_compound(Frame& frame);
  bool add_compound_fields(Frame& frame);
  [[nodiscard]] bool fills_associative(const Frame& frame);
  bool assign_compound(NameId name, const CompoundValue& value, bool is_append);
  void drop_compounds(size_t first_field);
  void set_array(std::string_view name, const std::vector<std::string>& values);

  // --- expansion (words and their parts: expand.cpp; ${...}: parameter.cpp, parameter_list.cpp for
  // lists, declaration.cpp for ${x@A}; $((...)): expand_arithmetic.cpp; fields, patterns and quote
  // removal at the end: split_fields.cpp; PS1 and PS4: prompt.cpp)
  Rule step_word(Frame& frame);
  Rule step_parameter(Frame& frame);
  // Expands in one go; false if a frame had to be pushed, or after an error (unwinding).
  bool expand_word(const Word& word, ExpandMode mode);
  bool expand_parts(const Word& word, uint32_t& index, bool splits);
  bool expand_part(const Part& part, bool splits);
  bool expand_parameter(const Part& part, bool splits);
  bool expand_operator(const Part& part, bool splits, const Place& place);
  bool expand_argument(const Part& part, bool splits, const Place& place);
  bool expand_arithmetic(const Part& part);
  void expand_tilde(const Part& part);
  void finish_word(ExpandMode mode, size_t text_base, size_t region_base);
  // The words of an operator, expanded.
  struct Operands {
    std::string argument;
    std::optional<std::string> second;
  };
  bool finish_parameter(const Part& part, const Place& place, bool splits,
                        const Operands& operands);
  bool finish_arithmetic(const Part& part, std::string_view expression);
  // What a parameter stands for, its subscript being expanded; nothing after a message.
  std::optional<Place> place_of(const Parameter& parameter, std::string_view subscript);
  std::optional<Place> place_named(std::string_view text);  // ${!x}, -v: a name with a subscript
  const std::string* value_at(const Place& place, std::string& scratch);
  const std::string* special_parameter(const Place& place, std::string& scratch);
  List list_at(const Place& place, bool of_keys = false);
  std::string letter_transform(char letter, const Place& place, std::string_view value);
  void append(std::string_view text, Region region);
  void append_break();
  using Transform = std::function<std::string(std::string_view)>;
  void transform_list(const Part& part, const Place& place, bool splits,
                      const Transform& transform);
  void append_list(const List& list, bool is_joined, const Part& part, bool splits);
  void append_names(const Part& part, bool splits);
  bool append_slice(const Part& part, const Place& place, bool splits, const Operands& operands);
  bool slice_list(const Part& part, const Place& place, bool splits, int64_t offset,
                  std::optional<int64_t> length);
  [[nodiscard]] std::string_view list_separator(bool is_joined) const;
  [[nodiscard]] std::string_view without_match(const Parameter& parameter, std::string_view value,
                                               const std::string& pattern) const;
  // Variables whose value is computed (dynamic_variables.cpp).
  void declare_dynamic_variables();
  [[nodiscard]] std::vector<CallRecord> call_stack() const;
  // The frame that local variables belong to: of a call, or of a process that was forked in one;
  // null outside of functions.
  [[nodiscard]] const Frame* local_scope() const;
  [[nodiscard]] bool is_local(const Frame& scope, NameId name) const;
  const std::string* dynamic_value(NameId name, std::string& scratch);
  std::shared_ptr<const Array> dynamic_array(NameId name);
  bool assign_dynamic(NameId name, std::string_view value);
  [[nodiscard]] std::string file_of(const Code& code) const;  // where it was read
  [[nodiscard]] std::string command_text() const;             // BASH_COMMAND
  // ${x@P}: the escapes of a prompt, then its expansions.
  std::string decoded_prompt(std::string_view text);
  // The array of a variable; `computed` keeps one that is made now. Null if it is not one.
  const Array* array_of(NameId name, std::shared_ptr<const Array>& computed);
  void split_fields(size_t region_base);
  void add_field(std::string_view text, const std::string* pattern);
  // What a word becomes that may glob: its matches, itself, or nothing.
  std::vector<std::string> globbed(std::string_view pattern, std::string_view text);
  Rule step_stages(Frame& frame);  // fine_steps: splitting, globbing, quote removal
  void glob_pending_fields();
  // The size of the character of IFS that text[i] starts; 0 if it starts none.
  [[nodiscard]] size_t separator_at(std::string_view from, size_t i) const {
    uint8_t kind = char_class[static_cast<uint8_t>(from[i])];
    if ((kind & kIfsAny) == 0) return 0;
    return (kind & kIfsWide) == 0 ? 1 : wide_separator_at(from.substr(i));
  }
  [[nodiscard]] size_t wide_separator_at(std::string_view from) const;
  void classify_separators();
  void to_pattern(size_t text_base, size_t region_base, std::string_view special = "*?[]\\-!^()|+@",
                  bool is_regex = false);
  void expansion_error(std::string_view message);
  // What shopt and the locale say about patterns.
  [[nodiscard]] PatternRules pattern_rules() const {
    return {state.locale, state.options.has(Option::kExtGlob),
            state.options.has(Option::kNoCaseMatch)};
  }
  // A text that is expanded like a double-quoted one: PS1, PS4, ENV. Runs nested.
  std::string expand_prompt(std::string_view text);
  std::string take_text(size_t base);

  // --- redirections (redirect.cpp)
  // bash wants the target to be one field; what it is expanded to, or nothing after a message.
  [[nodiscard]] ExpandMode target_mode(const Redirect& redirect) const;
  std::optional<std::string> take_target(const Redirect& redirect, const Marks& base,
                                         size_t first_field);
  // Opens what `redirect` names (its word is expanded) and adds a move; false after a message.
  bool open_redirect(const Redirect& redirect, const std::string& target);
  bool open_path(const Redirect& redirect, const std::string& target);
  bool open_variable_fd(const Redirect& redirect, const std::string& target);  // {fd}>file
  bool apply_last_move();        // to the shell's own descriptors, remembering the old one
  void keep_moves(size_t base);  // for good: exec
  void undo_moves(size_t base);  // also of those that were not applied
  int resolve(int fd, size_t base) const;  // where `fd` leads to after the moves from `base` on
  int real_fd(int fd) const { return fd >= 0 && fd < 3 ? io[fd] : fd; }

  // --- subshells, pipelines, substitutions (subshell.cpp, process.cpp, launch.cpp, pipeline.cpp,
  // command_substitution.cpp, process_substitution.cpp)
  Rule step_command_subst(Frame& frame);
  Rule step_process_subst(Frame& frame);
  Rule step_subshell(Frame& frame);
  Rule wait_for_subshell(Frame& frame);
  Rule step_launch(Frame& frame);
  Rule step_pipeline(Frame& frame);
  Rule step_background(Frame& frame);
  Rule step_wait_job(Frame& frame);
  bool is_safe(const Node* node, int depth = 0);
  bool is_safe(const Word& word, int depth);
  bool is_safe(const Compound& compound, int depth);
  bool is_safe(const Assignment& assignment, int depth);
  bool runs_here(const Node* node);  // safe, and no SIGCHLD trap waits for its process
  bool is_direct(const Node* node);
  // The top frame is a program that is_direct(); what its LaunchFrame wants is launches.back().
  [[nodiscard]] bool is_launched_here() const;
  // A redirection of that program for which the shell itself would have to wait: a fifo.
  [[nodiscard]] bool would_block(const Redirect& redirect, const std::string& target) const;
  bool fork_instead();  // takes the program back, a copy of the shell will start it; false
  void enter_subshell();
  void leave_subshell(size_t variables_mark);
  void remember_directory();  // before a `cd` in a subshell without a process
  void return_to_directory(Context& context);
  // In a new process: what a subshell forgets. Its frames are gone.
  void become_child(bool is_async);
  void run_in_child(const Node* node, bool tested, bool is_async);
  bool start_fork();  // the result, fork_result, is for the next step
  Rule start_substitution(Frame& frame);
  Rule read_substitution(Frame& frame);
  void finish_substitution(Frame& frame);
  bool stage_done(Frame& frame);
  Rule start_stage(Frame& frame);
  Rule run_stage_here(const Node* stage, bool tested, int input);
  Rule wait_pipeline(Frame& frame);
  Rule start_background(Frame& frame);
  Rule finish_async_pipeline();
  void add_background_job(Job job);
  void finish_foreground(Job& job);
  void abandon(CommandSubstFrame& frame);  // closes what it holds
  void abandon(PipelineFrame& frame);
  void abandon(ProcessSubstFrame& frame);
  void abandon(CoprocFrame& frame);
  world::Pid spawn(size_t base, const std::string& path, std::span<const world::FdMove> wanted,
                   const Launch& launch);
  // What a session changes for itself and a command must not see.
  struct ChildSignals {
    std::vector<int> defaults;
    std::vector<int> ignored;
  };
  [[nodiscard]] ChildSignals child_signals(bool is_substitution) const;
  void note_ignored_signals();  // before the first of them is changed
  // A process that is a foreground job of its own; in the parent and in the child.
  void give_terminal(world::Pid group);
  bool leads_jobs() const { return state.options.has(Option::kMonitor) && !state.is_subshell; }
  // After a change of a child: its status, or kWouldBlock.
  int wait_for(world::Pid pid);
  void record_child(const world::ChildEvent& event);
  void reap_children();  // those that have ended already
  void reap_jobs();
  void report_jobs();
  std::optional<std::string> find_command(std::string_view name, NameId id, int& error,
                                          bool use_default_path = false);
  struct ExecAs {  // exec -c -l -a NAME of bash
    bool has_empty_environment = false;
    bool is_login = false;
    std::optional<std::string> name;
  };
  int exec_command(size_t base, const std::string& path);  // returns only an errno
  int exec_command(size_t base, const std::string& path, const ExecAs& as);
  // `who`: in bash, before what is not a missing command.
  int exec_error(std::string_view name, int error, std::string_view who = "");

  // --- reading commands, traps, options (source.cpp, traps.cpp, options.cpp)
  void push_source(std::unique_ptr<Source> source, bool is_function_like);
  void leave_source();
  Rule step_source(Frame& frame);
  bool stop_unwinding_at_source(Frame& frame);
  bool start_exit_trap();
  bool run_pending_traps();
  bool take_interrupt();  // a user's SIGINT is pending; a trap for it stays to be run
  void interrupt_session();
  bool warn_about_stopped_jobs();  // true: the shell must not end yet
  Rule step_trap(Frame& frame);
  bool run_trap(int signal, bool exits = false);  // ERR, DEBUG, RETURN; true if a frame was pushed
  bool debug_before(Frame& frame);  // the same for DEBUG, which runs once before each command
  Rule step_exit(Frame& frame);
  bool set_trap(int signal, std::optional<std::string> action);
  void reset_traps_for_subshell();
  void update_interactive_signals();
  void keep_children();  // when the shell starts
  [[nodiscard]] bool ignores_children() const;
  void set_option(Option option, bool on);
  void set_monitor(bool on);
  [[nodiscard]] bool is_bash() const { return state.options.has(Option::kBash); }
  [[nodiscard]] bool is_interactive() const { return state.options.has(Option::kInteractive); }

  // --- output
  void out(std::string_view piece) { out_buffer.append(piece); }
  bool flush_out();  // false after a failure, which is reported by the caller
  bool write_all(int fd, std::string_view text);
  void error(std::string_view message);  // "sh: message"
  void builtin_error(std::string_view name, std::string_view message);
  void unspecified(std::string_view what);  // --report-unspecified
  void react_to_changes();                  // of PATH, IFS, OPTIND and the locale (assign.cpp)

  [[nodiscard]] Names& names() const { return state.variables.names(); }
  [[nodiscard]] const Function* function(NameId name) const {
    auto i = static_cast<uint32_t>(name);
    if (i >= state.functions.size() || state.functions[i].code == nullptr) return nullptr;
    return &state.functions[i];
  }

  const volatile int* signal_flag;  // of the world: a caught signal waits
  world::Os* os;                    // never null; a clone is given its own
  State state;
  bool fine_steps = false;
  bool reports_unspecified = false;
  size_t max_frames;

  std::vector<Frame> frames;
  Fields fields;
  std::string text;  // words under expansion, one after the other
  struct Mark {
    size_t begin;
    Region region;
    bool is_break;
  };
  std::vector<Mark> regions;
  // fine_steps: fields of a word between two of its last stages.
  struct PendingField {
    std::string text;
    std::string pattern;
    bool may_glob = false;
    std::string shown;  // with quotes around what was quoted
  };
  std::vector<PendingField> pending_fields;
  // Expanded targets of redirections and values of assignments of the simple commands and groups
  // that are being prepared; kept only for those who show them (fine_steps, set -x).
  std::vector<std::string> shown_values;

  // Values of a=(...) under construction, and of the arguments of a `declare` that is being
  // prepared: those belong to the field with that number.
  struct PendingCompound {
    static constexpr size_t kNoField = ~size_t{0};
    size_t field = kNoField;
    CompoundValue value;
  };
  std::vector<PendingCompound> compounds;

  Unwind unwinding = Unwind::kNone;
  int unwind_depth = 0;
  int loop_depth = 0;            // loops that `break` can leave
  int function_depth = 0;        // functions and dot scripts that `return` can leave
  bool did_substitute = false;   // b of the semantics: a command substitution was run
  bool is_exiting = false;       // the EXIT trap runs or has run
  bool is_special_call = false;  // the builtin that runs was called as a special builtin
  int io[3] = {0, 1, 2};
  std::vector<std::string> captures;
  std::string out_buffer;

  // One entry for each target, old value first.
  struct Move {
    world::FdMove move;
    int saved = -1;    // the shell's copy of what was there; -1: nothing was open
    int saved_io = 0;  // for targets 0 to 2
    bool is_applied = false;
    bool is_copy = false;  // of another descriptor (>&): the source is the script's own
    bool is_kept = false;  // {fd}>: done, and not undone
  };
  std::vector<Move> moves;
  bool apply_move(Move& move);

  // What a call or a subshell restores.
  struct Context {
    Positional positional;
    Options options;
    Locale locale;
    int loop_depth = 0;
    int function_depth = 0;
    size_t getopts_offset = 0;
    int io[3] = {0, 1, 2};
    bool is_subshell = false;
    world::Pid background_pid = 0;
    std::shared_ptr<const Code> code;  // of the function that runs: it may be redefined meanwhile
    std::string last_argument;         // $_ after the function
    bool is_of_subshell = false;
    // ERR, DEBUG and RETURN, which a function does not inherit without -E or -T.
    std::array<std::optional<std::string>, kTrapCount - NSIG> traps;
    // Where a subshell was when its first `cd` came.
    struct Directory {
      int fd = -1;
      std::string name;
    };
    std::optional<Directory> directory;
  };
  std::vector<Context> contexts;
  int subshell_level = 0;  // those that run in this process

  struct Running {
    std::unique_ptr<Source> source;
    std::shared_ptr<const Code> code;
  };
  std::vector<std::shared_ptr<Running>> sources;
  std::vector<std::shared_ptr<Running>> child_code;  // in a forked child: what its node is part of

  // A process that is about to be started for a command; the kLaunch frame takes it off.
  struct Launch {
    std::vector<world::FdMove> moves;
    std::vector<int> closes;  // the shell's ends of pipes that a forked child must not keep
    bool is_async = false;
    bool is_substitution = false;
    world::Pid group = -1;
  };
  std::vector<Launch> launches;
  world::Pid launched = 0;        // result of kLaunch: 0 if it failed with state.status
  world::Pid fork_result = 0;     // a world that clones the machine sets it to 0 in the clone
  std::vector<Job> pending_jobs;  // pipelines under construction
  int terminal = -1;              // of job control

  std::array<uint8_t, 256> char_class{};     // of IFS and patterns, for splitting
  std::vector<std::string> wide_separators;  // the multi-byte characters of IFS
  std::string read_buffer;                   // what `read` has so far
};

template <typename Observer>
void run(Machine& machine, Observer&& observer) {
  while (!machine.is_done()) {
    Rule rule = machine.step();
    observer(machine, rule);
    if (rule == Rule::kBlocked) return;
  }
}

}  // namespace nacre::machine
