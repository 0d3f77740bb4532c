// Does a failure that the abstract interpreter found happen for real? Inputs are chosen from the
// state in which it was found, and the function is run on them: the interpreter with single values
// is an ordinary interpreter.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "python/interpreter.h"

namespace nacre::python {

struct Witness {
  std::vector<std::string> arguments;  // Python literals
  std::string call;
};

class Confirmer {
 public:
  Confirmer(const Program& program, const Function& function, const Domain& domain,
            const Limits& limits)
      : program_(program), function_(function), domain_(domain), limits_(limits) {}

  std::optional<Witness> confirm(const Failure& failure);

 private:
  // For each input of the state a word (texts only), a number, or a variant to choose a sample by.
  struct Choice {
    std::vector<Word> words;
    std::vector<int64_t> numbers;
    size_t variant = 0;
  };
  std::optional<Witness> attempt(const Failure& failure, const Choice& choice);
  std::optional<Value> input(const Value& given, size_t index, const Choice& choice,
                             State& state) const;
  std::optional<Value> sample(const Type& type, size_t variant, State& state) const;
  [[nodiscard]] std::string literal(const State& state, const Value& value) const;
  [[nodiscard]] std::string made(const Recipe& recipe, const State& state,
                                 const std::vector<Value>& inputs) const;
  [[nodiscard]] Witness witness(const Failure& failure, const State& state,
                                const std::vector<Value>& inputs) const;

  static constexpr int kMaxTries = 300;
  const Program& program_;
  const Function& function_;
  const Domain& domain_;
  Limits limits_;
  int tried_ = 0;
};

}  // namespace nacre::python
