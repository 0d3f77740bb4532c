// `test` as the original has it: its grammar, its words, and both sides of -a and -o evaluated.
#include <fmt/format.h>

#include "colis/original_formulas.h"

namespace nacre::colis::original {

namespace {

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

  Cases disjunction(const Cases& from) { return chain(from, "-o", false); }
  // Both sides are always evaluated, the second in the states of the first.
  Cases chain(const Cases& from, const char* op, bool is_and) {
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
      for (UtilityCase<SymbolicFiles>& both : chain(start, op, is_and)) {
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

}  // namespace

Cases test_cases(const std::vector<std::string>& words, const SymbolicState& state) {
  return OriginalTest(words, state).run();
}

}  // namespace nacre::colis::original
