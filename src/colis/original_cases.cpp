// The utilities as the original specifies them: lists of cases, each a formula that relates the
// tree before with the tree after, in its words. Differences from real utilities (`rm -f` of a
// directory succeeds, links are never followed, `mkdir -p` is not known) are its own; the default
// profile has the cards instead. Where the original crashes (`mv`, `cp`), the cards are used.
#include <fmt/format.h>

#include "colis/symbolic.h"

namespace nacre::colis {

namespace {

using Cases = std::vector<UtilityCase<SymbolicFiles>>;
using Formula = std::function<std::vector<SymbolicFiles>(SymbolicFiles)>;  // one for each disjunct
constexpr Kinds kNotDirectory = static_cast<Kinds>(kAnyKind & ~kDirectory);

std::vector<std::string> components(const std::string& cwd, const std::string& path) {
  const std::string whole = path.starts_with('/') ? path : cwd + "/" + path;
  std::vector<std::string> result;
  for (size_t begin = 0; begin < whole.size();) {
    const size_t end = std::min(whole.find('/', begin), whole.size());
    if (end > begin) result.push_back(whole.substr(begin, end - begin));
    begin = end + 1;
  }
  return result;
}

// The nodes from the root along a path.
struct Spine {
  std::vector<NodeId> nodes;
  std::vector<std::string> names;
};

bool resolve(SymbolicFiles& files, const std::vector<std::string>& path, Spine& spine) {
  spine.nodes = {files.root};
  for (const std::string& name : path) {
    if (name == ".") continue;
    if (name == "..") {
      if (!files.clause.kinds(spine.nodes.back(), kDirectory)) return false;
      if (spine.names.empty()) continue;
      spine.nodes.pop_back();
      spine.names.pop_back();
      continue;
    }
    const NodeId next = files.clause.fresh();
    if (!files.clause.feature(spine.nodes.back(), name, next)) return false;
    spine.nodes.push_back(files.clause.find(next));
    spine.names.push_back(name);
  }
  return true;
}

using Ways = std::vector<SymbolicFiles>;

// If the path resolves, then to a node of `kinds` (kinds 0: it does not resolve).
void may_resolve(SymbolicFiles files, const std::vector<std::string>& path, size_t at, Spine spine,
                 Kinds kinds, Ways& ways) {
  if (at == path.size()) {
    if (kinds != 0 && files.clause.kinds(spine.nodes.back(), kinds))
      ways.push_back(std::move(files));
    return;
  }
  const std::string& name = path[at];
  if (name == "..") {
    SymbolicFiles blocked = files;
    if (blocked.clause.kinds(spine.nodes.back(), kNotDirectory)) ways.push_back(std::move(blocked));
    if (!files.clause.kinds(spine.nodes.back(), kDirectory)) return;
    if (!spine.names.empty()) {
      spine.nodes.pop_back();
      spine.names.pop_back();
    }
  } else if (name != ".") {
    const bool is_last = at + 1 == path.size();
    if (is_last && kinds == 0) {
      if (files.clause.absent(spine.nodes.back(), name)) ways.push_back(std::move(files));
      return;
    }
    const NodeId next = files.clause.fresh();
    if (!files.clause.maybe(spine.nodes.back(), name, next)) return;
    spine.nodes.push_back(next);
    spine.names.push_back(name);
  }
  may_resolve(std::move(files), path, at + 1, std::move(spine), kinds, ways);
}

// The tree in which the entry `name` of the end of the spine is another one.
void update(SymbolicFiles& files, const Spine& spine, const std::string& name,
            std::optional<NodeId> entry) {
  NodeId made = files.clause.updated(spine.nodes.back(), name, entry);
  for (size_t i = spine.names.size(); i > 0; --i)
    made = files.clause.updated(spine.nodes[i - 1], spine.names[i - 1], made);
  files.root = made;
}

Formula anything() {
  return [](SymbolicFiles files) { return Ways{std::move(files)}; };
}
Formula resolves(std::vector<std::string> path, Kinds kinds = kAnyKind) {
  return [=](SymbolicFiles files) {
    Spine spine;
    const bool holds = resolve(files, path, spine) && files.clause.kinds(spine.nodes.back(), kinds);
    return holds ? Ways{std::move(files)} : Ways{};
  };
}
Formula may_be(std::vector<std::string> path, Kinds kinds) {
  return [=](SymbolicFiles files) {
    Ways ways;
    const NodeId root = files.root;
    may_resolve(std::move(files), path, 0, {{root}, {}}, kinds, ways);
    return ways;
  };
}
// The entry at the end of `path`, which is of `kinds` (0: not there), becomes what `make` makes.
Formula changes(std::vector<std::string> path, Kinds kinds,
                std::function<std::optional<NodeId>(Clause&)> make) {
  return [=](SymbolicFiles files) {
    std::vector<std::string> above = path;
    const std::string name = above.back();
    above.pop_back();
    Spine spine;
    bool holds = resolve(files, above, spine) && files.clause.kinds(spine.nodes.back(), kDirectory);
    if (holds && kinds == 0) {
      holds = files.clause.absent(spine.nodes.back(), name);
    } else if (holds) {
      const NodeId entry = files.clause.fresh();
      holds =
          files.clause.feature(spine.nodes.back(), name, entry) && files.clause.kinds(entry, kinds);
    }
    if (!holds) return Ways{};
    update(files, spine, name, make(files.clause));
    return Ways{std::move(files)};
  };
}

struct Case {
  bool is_success;
  std::string description;
  Formula formula;
};

Cases apply(const std::vector<Case>& cases, const SymbolicState& state) {
  Cases result;
  for (const Case& one : cases) {
    for (SymbolicFiles& files : one.formula(state.files)) {
      SymbolicState next = state;
      next.files = std::move(files);
      next.log.push_back("[TRACE] " + one.description);
      result.push_back(
          {std::move(next), one.is_success ? UtilityResult::kTrue : UtilityResult::kFalse});
    }
  }
  return result;
}

Cases single(SymbolicState state, UtilityResult result, const std::string& line = "") {
  if (!line.empty()) state.log.push_back(line);
  Cases cases;
  cases.push_back({std::move(state), result});
  return cases;
}

std::string stripped(std::string path) {
  while (path.ends_with('/')) path.pop_back();
  return path;
}
bool ends_in_dots(const std::string& path) {
  const std::string last = path.substr(path.rfind('/') + 1);
  return last == "." || last == "..";
}

Cases touch(const std::string& path, SymbolicState state) {
  const std::string bare = stripped(path);
  if (bare.empty())
    return single(std::move(state), UtilityResult::kFalse,
                  "[TRACE] cannot touch '': No such file or directory");
  const auto whole = components(state.context.cwd, bare);
  if (ends_in_dots(bare)) {
    return apply({{true, fmt::format("touch {}: path resolves", bare), resolves(whole)},
                  {false, fmt::format("touch {}: path does not resolve", bare), may_be(whole, 0)}},
                 state);
  }
  std::vector<std::string> above(whole.begin(), whole.end() - 1);
  auto file = [](Clause& clause) { return std::optional(clause.fresh(kRegular)); };
  return apply(
      {{true, fmt::format("touch {}: path resolves", bare), resolves(whole)},
       {true, fmt::format("touch {}: create file", bare), changes(whole, 0, file)},
       {false, fmt::format("touch {}: parent path does not resolve or resolves to dir", bare),
        may_be(above, kNotDirectory)}},
      state);
}

Cases mkdir(const std::string& path, SymbolicState state) {
  const std::string bare = stripped(path);
  if (bare.empty())
    return single(std::move(state), UtilityResult::kFalse,
                  "[TRACE] mkdir: cannot create directory ''");
  const auto whole = components(state.context.cwd, bare);
  std::vector<std::string> above(whole.begin(), whole.end() - 1);
  if (ends_in_dots(bare)) {
    const std::string shown = bare.substr(0, bare.rfind('/'));
    return apply({{false, fmt::format("mkdir {}: target already exists", shown),
                   resolves(above, kDirectory)},
                  {false, fmt::format("mkdir {}: path does not resolve", shown),
                   may_be(above, kNotDirectory)}},
                 state);
  }
  auto directory = [](Clause& clause) { return std::optional(clause.empty_directory()); };
  return apply(
      {{true, fmt::format("mkdir {}: create directory", bare), changes(whole, 0, directory)},
       {false, fmt::format("mkdir {}: target already exists", bare), resolves(whole)},
       {false, fmt::format("mkdir {}: parent path is file or does not resolve", bare),
        may_be(above, kNotDirectory)}},
      state);
}

Cases rm(const std::string& path, bool is_recursive, SymbolicState state) {
  if (ends_in_dots(path))
    return single(std::move(state), UtilityResult::kFalse, "[TRACE] rm: cannot remove .. or .");
  if (path.ends_with('/') && !is_recursive)
    return single(std::move(state), UtilityResult::kFalse, "[TRACE] rm: cannot remove a directory");
  const std::string bare = stripped(path);
  if (bare.empty())
    return single(std::move(state), UtilityResult::kFalse, "[TRACE] rm: cannot remove ''");
  const auto whole = components(state.context.cwd, bare);
  auto nothing = [](Clause&) { return std::optional<NodeId>(); };
  if (is_recursive) {
    return apply({{true, fmt::format("rm -r {}: remove file or directory", bare),
                   changes(whole, kAnyKind, nothing)},
                  {false, fmt::format("rm -r {}: target does not exist", bare), may_be(whole, 0)}},
                 state);
  }
  return apply(
      {{true, fmt::format("rm {}: remove file", bare), changes(whole, kNotDirectory, nothing)},
       {false, fmt::format("rm {}: target does not exist or is a directory", bare),
        may_be(whole, kDirectory)}},
      state);
}

// --- test

class OriginalTest {
 public:
  OriginalTest(std::vector<std::string> words, const SymbolicState& state)
      : words_(std::move(words)), start_(state) {}

  Cases run() {
    if (words_.empty())
      return single(start_, UtilityResult::kFalse, "[TRACE] test: empty expression");
    Cases result = disjunction(single(start_, UtilityResult::kTrue));
    if (at_ == words_.size() && !is_wrong_) return result;
    return single(start_, UtilityResult::kFalse,
                  fmt::format("[TRACE] test: parse error in `{}`", fmt::join(words_, " ")));
  }

 private:
  bool accept(std::string_view word) {
    if (at_ >= words_.size() || words_[at_] != word) return false;
    ++at_;
    return true;
  }

  Cases disjunction(Cases from) { return chain(std::move(from), "-o", false); }
  // Both sides are always evaluated, the second in the states of the first.
  Cases chain(Cases from, const char* op, bool is_and) {
    Cases left = is_and ? literal(from) : chain(from, "-a", true);
    if (is_wrong_ || !accept(op)) return left;
    const size_t right_at = at_;
    Cases result;
    for (UtilityCase<SymbolicFiles>& one : left) {
      if (one.result == UtilityResult::kIncomplete) {
        result.push_back(std::move(one));
        continue;
      }
      at_ = right_at;
      const bool first = one.result == UtilityResult::kTrue;
      Cases start;
      start.push_back({one.state, UtilityResult::kTrue});
      for (UtilityCase<SymbolicFiles>& both : chain(std::move(start), op, is_and)) {
        if (both.result != UtilityResult::kIncomplete) {
          const bool second = both.result == UtilityResult::kTrue;
          both.result = (is_and ? first && second : first || second) ? UtilityResult::kTrue
                                                                     : UtilityResult::kFalse;
        }
        result.push_back(std::move(both));
      }
    }
    return result;
  }

  Cases literal(const Cases& from) {
    const bool is_negated = accept("!");
    Cases result = atom(from);
    for (UtilityCase<SymbolicFiles>& one : result) {
      if (!is_negated || one.result == UtilityResult::kIncomplete) continue;
      one.result =
          one.result == UtilityResult::kTrue ? UtilityResult::kFalse : UtilityResult::kTrue;
    }
    return result;
  }

  Cases atom(const Cases& from) {
    if (accept("(")) {
      Cases inner = disjunction(from);
      if (!accept(")")) is_wrong_ = true;
      return inner;
    }
    static const std::string kLetters = "bcdefghknprstuwxzLOGS";
    auto is_unary = [](const std::string& word) {
      return word.size() == 2 && word[0] == '-' && kLetters.find(word[1]) != std::string::npos;
    };
    Cases result;
    if (at_ >= words_.size()) {
      is_wrong_ = true;
      return result;
    }
    if (is_unary(words_[at_])) {
      if (at_ + 1 >= words_.size()) {
        is_wrong_ = true;
        return result;
      }
      const std::string op = words_[at_], operand = words_[at_ + 1];
      at_ += 2;
      return each(from, [&](const SymbolicState& state) { return unary(op, operand, state); });
    }
    static const char* const kBinary[] = {"=",   "!=",  "-eq", "-ne", "-lt", "-le",
                                          "-gt", "-ge", "-nt", "-ot", "-ef"};
    const bool is_binary =
        at_ + 2 < words_.size() &&
        std::find(std::begin(kBinary), std::end(kBinary), words_[at_ + 1]) != std::end(kBinary);
    if (is_binary) {
      const std::string left = words_[at_], op = words_[at_ + 1], right = words_[at_ + 2];
      at_ += 3;
      return each(from, [&](const SymbolicState& state) { return binary(left, op, right, state); });
    }
    const std::string word = words_[at_++];
    return each(from, [&](const SymbolicState& state) {
      return single(state, UtilityResult::kIncomplete,
                    "[INCOMPLETE] test: unsupported single argument: " + word);
    });
  }

  template <typename Evaluate>
  static Cases each(const Cases& from, Evaluate evaluate) {
    Cases result;
    for (const UtilityCase<SymbolicFiles>& one : from) {
      for (UtilityCase<SymbolicFiles>& next : evaluate(one.state))
        result.push_back(std::move(next));
    }
    return result;
  }

  static Cases unary(const std::string& op, const std::string& operand,
                     const SymbolicState& state) {
    const char letter = op[1];
    if (letter == 'n' || letter == 'z') {
      const std::string line = fmt::format("[TRACE] test {} '{}': string is {}", op, operand,
                                           operand.empty() ? "empty" : "non-empty");
      return single(
          state, operand.empty() == (letter == 'z') ? UtilityResult::kTrue : UtilityResult::kFalse,
          line);
    }
    if (letter == 't') return single(state, UtilityResult::kFalse, "[ERROR] test: option -t");
    if (letter == 'e') {
      const std::string bare = stripped(operand);
      const auto path = components(state.context.cwd, bare);
      return apply(
          {{true, fmt::format("test -e {}: path resolves", operand), resolves(path)},
           {false, fmt::format("test -e {}: path does not resolve", operand), may_be(path, 0)}},
          state);
    }
    const auto path = components(state.context.cwd, operand);
    static const std::map<char, Kinds> kKinds = {
        {'b', kBlock}, {'c', kCharacter}, {'d', kDirectory}, {'f', kRegular},
        {'p', kFifo},  {'S', kSocket},    {'h', kSymlink},   {'L', kSymlink}};
    if (auto kind = kKinds.find(letter); kind != kKinds.end()) {
      if (letter != 'd' && (operand.ends_with('/') || ends_in_dots(operand)))
        return single(state, UtilityResult::kFalse,
                      fmt::format("[TRACE] test: path to file ends with {} ",
                                  operand.ends_with('/') ? "/" : ". or .."));
      return apply(
          {{true,
            fmt::format("test {} {}: path resolves to file of type '{}'", op, operand, letter),
            resolves(path, kind->second)},
           {false,
            fmt::format("test {} {}: path does not resolve or file of type other than '{}'", op,
                        operand, letter),
            may_be(path, static_cast<Kinds>(kAnyKind & ~kind->second))}},
          state);
    }
    return apply(
        {{true,
          fmt::format("test '{}': path resolves, attribute {} OK (overapprox to -e)", operand, op),
          resolves(path)},
         {false,
          fmt::format("test '{}': path does not resolve or resolves but attribute {} not OK "
                      "(overapprox to -e)",
                      operand, op),
          anything()}},
        state);
  }

  static Cases binary(const std::string& left, const std::string& op, const std::string& right,
                      const SymbolicState& state) {
    if (op == "=" || op == "!=") {
      const bool is_equal = left == right, is_true = is_equal == (op == "=");
      // The original's words: "strings" where the test succeeds, "string" where it fails.
      const std::string line =
          fmt::format("[TRACE] test '{}' {} '{}': {} are {}equal", left, op, right,
                      is_true ? "strings" : "string", is_equal ? "" : "not ");
      return single(state, is_true ? UtilityResult::kTrue : UtilityResult::kFalse, line);
    }
    if (op == "-nt" || op == "-ot" || op == "-ef")
      return single(state, UtilityResult::kFalse, "[ERROR] test: option " + op);
    return single(state, UtilityResult::kIncomplete, "[INCOMPLETE] test: option " + op);
  }

  std::vector<std::string> words_;
  const SymbolicState& start_;
  size_t at_ = 0;
  bool is_wrong_ = false;
};

// --- which

Cases which_one(const std::string& path, const SymbolicState& state) {
  const auto whole = components(state.context.cwd, path);
  Cases result = apply(
      {{true,
        fmt::format("which '{}': path resolves to a regular executable (overapprox to -f)", path),
        resolves(whole, kRegular)},
       {false, fmt::format("which '{}': path does not resolve", path), may_be(whole, 0)},
       {false, fmt::format("which '{}': path resolves but not to regular executable)", path),
        resolves(whole)}},
      state);
  for (UtilityCase<SymbolicFiles>& one : result) {
    if (one.result != UtilityResult::kTrue) continue;
    one.state.stdout_text += path + "\n";
    one.state.log.push_back(path);
  }
  return result;
}

Cases which(const std::string& name, SymbolicState state) {
  if (name.find('/') != std::string::npos) return which_one(name, state);
  Cases done, going = single(std::move(state), UtilityResult::kFalse);
  for (const char* directory : {"/usr/sbin/", "/usr/bin/", "/sbin/", "/bin/"}) {
    Cases next;
    for (UtilityCase<SymbolicFiles>& one : going) {
      for (UtilityCase<SymbolicFiles>& found : which_one(directory + name, one.state))
        (found.result == UtilityResult::kTrue ? done : next).push_back(std::move(found));
    }
    going = std::move(next);
  }
  for (UtilityCase<SymbolicFiles>& one : going) {
    one.state.log.push_back(fmt::format("[TRACE] which: `{}` not found in PATH", name));
    done.push_back(std::move(one));
  }
  return done;
}

// --- all of them

struct Flags {
  std::set<std::string> given;
  std::vector<std::string> operands;
  std::string error;
};

// GNU style, with the flags that are known: a list of spellings of one flag each.
Flags parse_flags(const std::string& name, const std::vector<std::string>& words,
                  const std::map<std::string, std::string>& known) {
  Flags flags;
  bool is_over = false;
  for (const std::string& word : words) {
    if (is_over || word.size() < 2 || word[0] != '-') {
      flags.operands.push_back(word);
    } else if (word == "--") {
      is_over = true;
    } else {
      std::vector<std::string> options;
      if (word.starts_with("--"))
        options.push_back(word);
      else
        for (char letter : word.substr(1)) options.push_back({'-', letter});
      for (const std::string& option : options) {
        auto found = known.find(option);
        if (found == known.end()) {
          if (flags.error.empty())
            flags.error = fmt::format("{0}: parse error: {0}: unknown option '{1}'.", name, option);
        } else {
          flags.given.insert(found->second);
        }
      }
    }
  }
  if (flags.error.empty() && flags.operands.empty())
    flags.error = fmt::format("{0}: parse error: {0}: a required argument is missing", name);
  return flags;
}

template <typename One>
Cases for_all(const std::vector<std::string>& operands, SymbolicState state, One one) {
  Cases going = single(std::move(state), UtilityResult::kTrue);
  for (const std::string& operand : operands) {
    Cases next;
    for (UtilityCase<SymbolicFiles>& before : going) {
      const bool was_true = before.result == UtilityResult::kTrue;
      for (UtilityCase<SymbolicFiles>& after : one(operand, std::move(before.state))) {
        if (!was_true && after.result == UtilityResult::kTrue) after.result = UtilityResult::kFalse;
        next.push_back(std::move(after));
      }
    }
    going = std::move(next);
  }
  return going;
}

using Answer = UtilityAnswer<SymbolicFiles>;

Answer unknown(const std::string& message, SymbolicState state, const SymbolicOptions& options) {
  if (options.unknown == UnknownBehaviour::kException)
    return {{}, Abort{Abort::kUnknownUtility, message}};
  const bool is_error = options.unknown == UnknownBehaviour::kError;
  return {single(std::move(state), is_error ? UtilityResult::kFalse : UtilityResult::kIncomplete,
                 (is_error ? "[ERROR] " : "[INCOMPLETE] ") + message),
          std::nullopt};
}

Answer maintscript_helper(const UtilityCall& call, SymbolicState state,
                          const SymbolicOptions& options) {
  for (const char* name : {"DPKG_MAINTSCRIPT_PACKAGE", "DPKG_MAINTSCRIPT_NAME"}) {
    if (!state.context.vars.contains(name))
      return unknown(
          fmt::format("dpkg-maintscript-helper: environment variable {} is required", name),
          std::move(state), options);
  }
  if (call.arguments.empty())
    return unknown("dpkg-maintscript-helper: no command", std::move(state), options);
  // It compares versions with an operator that dpkg does not have, so that nothing is ever done.
  return {single(std::move(state), UtilityResult::kTrue), std::nullopt};
}

Answer by_cards(const UtilityCall& call, SymbolicState state, SymbolicOptions options) {
  options.is_original = false;
  return symbolic_utilities(options)(call, std::move(state));
}

}  // namespace

Answer original_utility(const UtilityCall& call, SymbolicState state,
                        const SymbolicOptions& options) {
  const std::vector<std::string>& words = call.arguments;
  const std::string& name = call.name;
  auto has = [&](const char* word) {
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  if (name == "true" || name == ":" || name == "update-menus")
    return {single(std::move(state), UtilityResult::kTrue), std::nullopt};
  if (name == "false") return {single(std::move(state), UtilityResult::kFalse), std::nullopt};
  if (name == "echo") {
    const std::string line = fmt::format("{}", fmt::join(words, " "));
    state.stdout_text += line + "\n";
    return {single(std::move(state), UtilityResult::kTrue, line), std::nullopt};
  }
  if (name == "test") return {OriginalTest(words, state).run(), std::nullopt};
  if (name == "[") {
    std::vector<std::string> inner = words;
    const bool is_closed = !inner.empty() && inner.back() == "]";
    if (is_closed) inner.pop_back();
    if (is_closed) return {OriginalTest(inner, state).run(), std::nullopt};
    return {single(std::move(state), UtilityResult::kFalse,
                   fmt::format("[TRACE] test: parse error in `{}`", fmt::join(words, " "))),
            std::nullopt};
  }
  if (name == "touch") {
    const Flags flags = parse_flags(name, words, {});
    if (!flags.error.empty()) return unknown(flags.error, std::move(state), options);
    return {for_all(flags.operands, std::move(state), touch), std::nullopt};
  }
  if (name == "mkdir") {
    const Flags flags = parse_flags(name, words, {{"-p", "p"}, {"--parents", "p"}});
    if (!flags.error.empty()) return unknown(flags.error, std::move(state), options);
    if (flags.given.contains("p"))
      return {single(std::move(state), UtilityResult::kIncomplete, "[INCOMPLETE] mkdir: option -p"),
              std::nullopt};
    return {for_all(flags.operands, std::move(state), mkdir), std::nullopt};
  }
  if (name == "rm") {
    const Flags flags = parse_flags(
        name, words,
        {{"-r", "r"}, {"-R", "r"}, {"--recursive", "r"}, {"-f", "f"}, {"--force", "f"}});
    if (!flags.error.empty()) return unknown(flags.error, std::move(state), options);
    Cases cases =
        for_all(flags.operands, std::move(state), [&](const std::string& path, SymbolicState one) {
          Cases removed = rm(path, flags.given.contains("r"), std::move(one));
          for (auto& each : removed) {
            if (flags.given.contains("f")) each.result = UtilityResult::kTrue;
          }
          return removed;
        });
    return {std::move(cases), std::nullopt};
  }
  if (name == "mv" || name == "cp") {
    if (has("-i"))
      return {single(std::move(state), UtilityResult::kFalse,
                     fmt::format("[ERROR] {}: option `-i` forbidden", name)),
              std::nullopt};
    if (name == "cp" && has("-a"))
      return {single(std::move(state), UtilityResult::kIncomplete, "[INCOMPLETE] cp: option -a"),
              std::nullopt};
    return by_cards(call, std::move(state), options);
  }
  if (name == "which") {
    const Flags flags = parse_flags(name, words, {});
    if (!flags.error.empty()) return unknown(flags.error, std::move(state), options);
    return {for_all(flags.operands, std::move(state), which), std::nullopt};
  }
  if (name == "silent-which" && words.size() == 1) {
    return {
        apply({{true, fmt::format("silent-which '{}': assuming command is found", words[0]),
                anything()},
               {false, fmt::format("silent-which '{}': assuming command is not found", words[0]),
                anything()}},
              state),
        std::nullopt};
  }
  if (name == "dpkg" && !words.empty() && words[0] == "-L")
    return {{},
            Abort{Abort::kNoPackage,
                  "Error in command line parsing: Package name has not been set yet"}};
  if (name == "dpkg" && words.size() == 4 && words[0] == "--compare-versions")
    return {single(std::move(state), UtilityResult::kIncomplete,
                   "[INCOMPLETE] dpkg: support for --compare-versions not yet implemented"),
            std::nullopt};
  if (name == "update-alternatives") {
    for (const std::string& word : words) {
      if (word != "--quiet")
        return unknown("update-alternatives: unsupported argument: " + word, std::move(state),
                       options);
    }
    return {single(std::move(state), UtilityResult::kFalse,
                   "[ERROR] update-alternatives: no arguments"),
            std::nullopt};
  }
  if (name == "dpkg-maintscript-helper") return maintscript_helper(call, std::move(state), options);
  return unknown(name + ": command not found", std::move(state), options);
}

}  // namespace nacre::colis
