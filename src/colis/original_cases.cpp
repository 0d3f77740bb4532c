// The utilities as the original specifies them: lists of cases, each a formula that relates the
// tree before with the tree after, in its words. Differences from real utilities (`rm -f` of a
// directory succeeds, links are never followed, `mkdir -p` is not known) are its own; the default
// profile has the cards instead. Where the original crashes (`mv`, `cp`), the cards are used.
#include <fmt/format.h>

#include "colis/original_formulas.h"

namespace nacre::colis {

using namespace original;

namespace {

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
  if (name == "test") return {test_cases(words, state), std::nullopt};
  if (name == "[") {
    std::vector<std::string> inner = words;
    const bool is_closed = !inner.empty() && inner.back() == "]";
    if (is_closed) inner.pop_back();
    if (is_closed) return {test_cases(inner, state), std::nullopt};
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
