#include "colis/symbolic.h"

#include <fmt/format.h>

#include "colis/clause_store.h"
#include "colis/from_shell.h"
#include "colis/model.h"
#include "colis/sealed.h"
#include "colis/test_expression.h"
#include "shell/parse.h"
#include "simulate/scene.h"

namespace nacre::colis {

namespace {

using Answer = UtilityAnswer<SymbolicFiles>;

Answer one_case(SymbolicState state, UtilityResult result) {
  Answer answer;
  answer.cases.push_back({std::move(state), result});
  return answer;
}
UtilityResult result_of(bool is_true) {
  return is_true ? UtilityResult::kTrue : UtilityResult::kFalse;
}

std::string line_of(const UtilityCall& call) {
  std::string line = call.name;
  for (const std::string& word : call.arguments) line += " " + (word.empty() ? "''" : word);
  return line;
}

Answer give_up(const UtilityCall& call, SymbolicState state, const std::string& reason) {
  state.log.push_back(fmt::format("[INCOMPLETE] {}: {}", call.name, reason));
  return one_case(std::move(state), UtilityResult::kIncomplete);
}

// Programs that stand for commands (`acts`), kept as long as states may refer to them.
struct Translated {
  std::map<std::string, Result<Program>> programs;
};

bool has_print(const commands::EffectProgram& program) {
  for (const commands::Statement& statement : program) {
    if (statement.kind == commands::Statement::kPrint) return true;
    for (const commands::EffectProgram& block : statement.blocks) {
      if (has_print(block)) return true;
    }
  }
  return false;
}

class SymbolicUtilities {
 public:
  explicit SymbolicUtilities(const SymbolicOptions& options)
      : options_(options), translated_(std::make_shared<Translated>()) {}

  Answer operator()(const UtilityCall& call, SymbolicState state) const {
    if (options_.is_original) return original_utility(call, std::move(state), options_);
    if (auto result = constant_result(call)) return one_case(std::move(state), result_of(*result));
    if (call.name == "test" || call.name == "[") return test(call, std::move(state));
    if (is_plain_echo(call)) return echo(call, std::move(state));
    return by_card(call, std::move(state));
  }

 private:
  // Without options but -n and without backslashes, which shells treat differently.
  static bool is_plain_echo(const UtilityCall& call) {
    return call.name == "echo" &&
           std::none_of(call.arguments.begin(), call.arguments.end(), [](const std::string& word) {
             return word.find('\\') != std::string::npos;
           });
  }
  static Answer echo(const UtilityCall& call, SymbolicState state) {
    const bool has_newline = call.arguments.empty() || call.arguments[0] != "-n";
    for (size_t i = has_newline ? 0 : 1; i < call.arguments.size(); ++i) {
      if (i > (has_newline ? 0U : 1U)) state.stdout_text += " ";
      state.stdout_text += call.arguments[i];
    }
    if (has_newline) state.stdout_text += "\n";
    return one_case(std::move(state), UtilityResult::kTrue);
  }

  // Runs `work` once for each way its questions can be answered.
  template <typename Work>
  Answer cases(const UtilityCall& call, const SymbolicState& state, Work work) const {
    Answer answer;
    Choices choices;
    constexpr size_t kNodesAStep = 8;  // a clause is copied for each case
    const uint64_t steps_of_case = 1 + state.files.clause.size() / kNodesAStep;
    do {
      answer.steps += steps_of_case;
      if (options_.bounds.is_over_time && options_.bounds.is_over_time()) {
        answer.abort = over_time();
        return answer;
      }
      if (answer.cases.size() >= options_.max_cases) {
        Answer rest =
            give_up(call, state, "more than " + std::to_string(options_.max_cases) + " cases");
        answer.cases.push_back(std::move(rest.cases[0]));
        break;
      }
      SymbolicState one = state;
      ClauseStore store(one.files, one.context.cwd, choices, options_.considers_links,
                        !state.stdin_text.empty());
      UtilityResult result = work(store, one);
      if (store.walker().is_dead()) continue;
      if (store.walker().gave_up()) {
        one.log.push_back(fmt::format("[INCOMPLETE] {}: {}", call.name, *store.walker().gave_up()));
        result = UtilityResult::kIncomplete;
      }
      answer.cases.push_back({std::move(one), result});
    } while (choices.advance());
    return answer;
  }

  Answer test(const UtilityCall& call, SymbolicState state) const {
    std::vector<std::string> words = call.arguments;
    if (call.name == "[") {
      if (words.empty() || words.back() != "]") {
        state.log.push_back("[TRACE] [: missing ]");
        return one_case(std::move(state), UtilityResult::kFalse);
      }
      words.pop_back();
    }
    return cases(call, state, [&](ClauseStore& store, SymbolicState& one) {
      const TestAnswer answer = evaluate_test(
          words, [&](const std::string& op, const std::string& path, const std::string& other) {
            return op == "-ef" ? is_same_file(store, path, other) : ask_letter(store, op, path);
          });
      one.log.push_back(fmt::format("[TRACE] {}: {}", line_of(call),
                                    !answer.error.empty() ? answer.error
                                    : answer.is_true      ? "true"
                                                          : "false"));
      return result_of(answer.is_true);
    });
  }

  // Names of the same file are the same name, or those that a program has linked.
  static bool is_same_file(ClauseStore& store, const std::string& path, const std::string& other) {
    const Place left = store.walker().find(path, true);
    if (left.error < 0) return false;
    const Place right = store.walker().find(other, true);
    if (right.error < 0) return false;
    if (left.whole() == right.whole()) return true;
    return store.walker().are_linked(*left.node, *right.node);
  }

  // What the card of `test` says that a letter asks.
  static bool ask_letter(ClauseStore& store, const std::string& op, const std::string& path) {
    static const auto kLetters = [] {
      std::map<char, commands::EffectTest> letters;
      const commands::Card* card = simulate::builtin_library().find("test");
      for (const commands::Property& property : card->properties) {
        if (property.key != commands::CardKey::kLetter || property.value.size() < 4) continue;
        if (auto test = commands::parse_effect_test(property.value.substr(3)))
          letters.emplace(property.value[1], std::move(*test));
      }
      return letters;
    }();
    static const std::map<char, Kinds> kKinds = {
        {'b', kBlock}, {'c', kCharacter}, {'p', kFifo}, {'S', kSocket}};
    const char letter = op.size() == 2 ? op[1] : '\0';
    if (auto found = kLetters.find(letter); found != kLetters.end()) {
      const commands::EffectWords words;
      return commands::EffectRun<ClauseStore>(words, store).holds_of(found->second, path);
    }
    if (auto kind = kKinds.find(letter); kind != kKinds.end()) {
      const Place found = store.walker().find(path, true);
      return found.error == 0 && store.walker().is_of(*found.node, kind->second);
    }
    store.walker().give_up(fmt::format("what {} asks of {}", op, path));
    return false;
  }

  Answer by_card(const UtilityCall& call, SymbolicState state) const {
    const commands::CardLibrary& library = simulate::builtin_library();
    std::vector<std::string> words = {call.name};
    words.insert(words.end(), call.arguments.begin(), call.arguments.end());
    const commands::Card* card = library.find(call.name);
    auto effect = commands::find_effect(library, words);
    if (!effect || card == nullptr) return sealed(call, std::move(state));
    if (effect->kind == commands::Effect::kActs)
      return acts(call, std::string(effect->script), std::move(state));
    if (effect->kind == commands::Effect::kRefused) {
      state.log.push_back(fmt::format("[TRACE] {}: these options are refused", line_of(call)));
      return one_case(std::move(state), UtilityResult::kFalse);
    }
    const bool is_verbose = effect->words.has("-v") || effect->words.has("--verbose");
    const bool is_silent = card->has_property(commands::CardKey::kLines, "0") && !is_verbose;
    const bool copies_input = card->has_property(commands::CardKey::kOutput, "{in}");
    const bool is_told = is_silent || copies_input || has_print(effect->program);
    if (!is_told && effect->words.operands.empty()) return sealed(call, std::move(state));
    return cases(call, state, [&](ClauseStore& store, SymbolicState& one) {
      const commands::EffectEnd end = commands::run_effect(effect->program, effect->words, store);
      if (!end.is_known) store.walker().give_up("its card does not tell what these options do");
      if (!is_told && !one.is_discarded && end.status == 0)
        store.walker().give_up("what it prints is not known");
      if (copies_input) one.stdout_text += std::exchange(one.stdin_text, "");
      one.stdout_text += store.printed;
      const std::string what = store.events.empty()
                                   ? (end.status == 0 ? "changes nothing" : "fails")
                                   : fmt::format("{}", fmt::join(store.events, "; "));
      one.log.push_back(fmt::format("[TRACE] {}: {}", line_of(call), what));
      return result_of(end.status == 0);
    });
  }

  // A command that its card tells as a shell script: a program of its own, which is not strict.
  Answer acts(const UtilityCall& call, const std::string& script, SymbolicState state) const {
    std::string key = line_of(call) + "\n" + script;
    auto found = translated_->programs.find(key);
    if (found == translated_->programs.end()) {
      TranslationOptions translation;
      translation.arguments = call.arguments;
      shell::ParseResult parsed =
          shell::parse_file(SourceFile(call.name, script), shell::Dialect::kSh);
      Result<Program> program = parsed.is_valid() ? from_shell(parsed.tree, translation)
                                                  : Result<Program>(fail({}, "not a valid script"));
      found = translated_->programs.emplace(std::move(key), std::move(program)).first;
    }
    if (!found->second)
      return give_up(call, std::move(state),
                     "its card cannot be translated: " + found->second.error().message);
    const Context outer = state.context;
    state.context.arguments = call.arguments;
    std::erase_if(state.context.vars, [](const auto& one) { return !one.second.is_exported; });
    const Utilities<SymbolicFiles> utilities = *this;
    Interpreter<SymbolicFiles> interpreter(utilities, options_.bounds, {});
    Input input;
    input.under_condition = true;
    input.argument0 = call.name;
    input.loop_limit = std::max<uint64_t>(options_.loop_limit, 50);
    input.stack_size = options_.stack_size;
    Answer answer;
    state.context.funs = nullptr;
    for (auto& outcome : interpreter.run(*found->second, input, std::move(state))) {
      const bool is_true = outcome.state.context.result;
      outcome.state.context = outer;
      answer.cases.push_back({std::move(outcome.state), outcome.behaviour == Behaviour::kFailure
                                                            ? UtilityResult::kIncomplete
                                                            : result_of(is_true)});
    }
    answer.abort = interpreter.aborted();
    answer.steps = interpreter.steps();
    return answer;
  }

  Answer sealed(const UtilityCall& call, SymbolicState state) const {
    auto run = call_sealed(call, state.context.cwd, filter(state.context.vars), state.stdin_text,
                           options_.fuel);
    if (run) {
      state.stdout_text += run->output;
      state.stdin_text = std::move(run->rest_of_input);
      return one_case(std::move(state), result_of(run->status == 0));
    }
    const bool is_known = simulate::builtin_library().find(call.name) != nullptr;
    const std::string message =
        (call.name.empty() ? "''" : call.name) +
        (is_known ? ": its card does not tell what it does to files" : ": command not found");
    if (options_.unknown == UnknownBehaviour::kException && !is_known)
      return {{}, Abort{Abort::kUnknownUtility, message}};
    if (options_.unknown == UnknownBehaviour::kError) {
      state.log.push_back("[ERROR] " + message);
      return one_case(std::move(state), UtilityResult::kFalse);
    }
    state.log.push_back("[INCOMPLETE] " + message);
    return one_case(std::move(state), UtilityResult::kIncomplete);
  }

  SymbolicOptions options_;
  std::shared_ptr<Translated> translated_;
};

}  // namespace

SymbolicState initial_state(const SymbolicOptions& options, Context context) {
  SymbolicState state;
  state.files = unknown_files(options.is_original);
  state.context = std::move(context);
  if (options.is_original) return state;
  // Things that are not files but kept as files are there from the beginning.
  world::FileTree system;
  simulate::complete_system(system);
  Clause& clause = state.files.clause;
  world::InodeId registers = world::kNoInode;
  const std::string name(world::kRegisters);
  if (system.find(world::Actor(), "/" + name, true, registers) == 0) {
    const NodeId node = clause.fresh(kDirectory);
    (void)clause.feature(state.files.root, name, node);
    for (const auto& [kind, id] : system.known_entries(registers))
      (void)clause.feature(node, kind, clause.fresh(kDirectory));
  }
  return state;
}

Result<void> add_known_files(SymbolicFiles& files, std::string_view text) {
  uint32_t at = 0;
  (void)files.clause.kinds(files.initial, kDirectory);
  while (at < text.size()) {
    const auto end = static_cast<uint32_t>(std::min(text.find('\n', at), text.size()));
    const std::string_view line = text.substr(at, end - at);
    const Span span{at, end};
    at = end + 1;
    if (line.empty()) continue;
    if (line[0] != '/') return fail(span, "a path must begin with /");
    NodeId here = files.initial;
    for (size_t begin = 1; begin < line.size();) {
      const size_t stop = std::min(line.find('/', begin), line.size());
      const std::string name(line.substr(begin, stop - begin));
      const bool is_directory = stop < line.size();
      begin = stop + 1;
      if (name.empty()) continue;
      if (name == "." || name == "..") return fail(span, ". and .. are not allowed in a path");
      const Kinds kinds = is_directory ? kDirectory : static_cast<Kinds>(kAnyKind & ~kDirectory);
      const SlotId slot = files.clause.learn(here, name);
      if (!files.clause.make_there(slot) || !files.clause.kinds(files.clause.there(slot), kinds))
        return fail(span, "this contradicts a line above: a file cannot be a directory");
      here = files.clause.there(slot);
    }
  }
  return {};
}

Utilities<SymbolicFiles> symbolic_utilities(const SymbolicOptions& options) {
  return SymbolicUtilities(options);
}

SymbolicRun run_symbolic(const Program& program, const std::string& argument0, SymbolicState state,
                         const SymbolicOptions& options) {
  const Utilities<SymbolicFiles> utilities = symbolic_utilities(options);
  InterpreterOptions<SymbolicFiles> interpretation;
  interpretation.is_original = options.is_original;
  const bool prunes = options.prunes_initial;
  if (options.merges)
    interpretation.merge_key = [prunes](const SymbolicFiles& files) {
      return key_of(files, !prunes);
    };
  Interpreter<SymbolicFiles> interpreter(utilities, options.bounds, interpretation);
  Input input;
  input.argument0 = argument0;
  input.loop_limit = options.loop_limit;
  input.stack_size = options.stack_size;
  SymbolicRun run;
  run.outcomes = interpreter.run(program, input, std::move(state));
  run.abort = interpreter.aborted();
  return run;
}

}  // namespace nacre::colis
