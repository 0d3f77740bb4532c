// The values of texts with references: `$x`, `$(x)`, `$(x:a=b)` and the functions, as GNU make
// expands them. Nothing is run: `$(shell)` and files are holes unless the hooks know better. Work
// is bounded by ExpandLimits; beyond them the result is a hole and `is_exhausted` says so.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "make/variables.h"

namespace nacre::make {

struct ExpandLimits {
  uint32_t max_depth = 300;        // references within each other
  uint64_t max_bytes = 4u << 20;   // of one text and what is expanded in it
  uint64_t max_total = 64u << 20;  // of all texts
};

// What an expansion needs from outside of it.
struct ExpandHooks {
  std::function<Text(std::string_view name)> undefined;  // the value of a variable without one
  std::function<void(const Text& text)> eval;
  std::function<void(std::string_view code, std::string message)> problem;
  std::function<void(std::string_view message)> stop;  // $(error ...)
  // What a command prints, the files that match a pattern; null, or nothing: not known.
  std::function<std::optional<std::string>(std::string_view command)> shell = nullptr;
  std::function<std::optional<std::vector<std::string>>(std::string_view pattern)> wildcard =
      nullptr;
};

struct Function;

// `$(...)` or `${...}` as make cuts it out of a text.
struct Reference {
  size_t end = 0;  // after the bracket; 0: it is not closed
  std::string_view inside;
  bool is_nested = false;  // the name has references in it
  const Function* function = nullptr;
};
[[nodiscard]] Reference reference_at(std::string_view text, size_t dollar);

class Expander {
 public:
  Expander(Variables& variables, ExpandHooks hooks, ExpandLimits limits)
      : variables_(variables), hooks_(std::move(hooks)), limits_(limits) {}

  [[nodiscard]] Text expand(std::string_view text);
  // The value of a variable, as a reference to it gives it.
  [[nodiscard]] Text value_of(std::string_view name);
  [[nodiscard]] const Variable* find(std::string_view name) const;

  // Variables that hide the global ones: of a target, of `call` and `foreach`.
  class Scope {
   public:
    Scope(Expander& expander, const VariableMap& map) : expander_(expander) {
      expander_.scopes_.push_back(&map);
    }
    ~Scope() { expander_.scopes_.pop_back(); }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Expander& expander_;
  };

  // Some text was given up; and whether the present one is.
  [[nodiscard]] bool is_exhausted() const { return is_exhausted_; }
  [[nodiscard]] bool is_over() const { return is_over_; }
  [[nodiscard]] const ExpandHooks& hooks() const { return hooks_; }
  // Expands within a call of the variable's own value: it may refer to itself.
  [[nodiscard]] Text call_value(std::string_view name, const Variable& variable);

 private:
  Text expand_bracketed(std::string_view text, const Reference& reference, char open);
  Text call_function(const Function& function, std::string_view inside, char open);
  Text expand_name(std::string_view inside, bool is_nested);
  Text expand_substitution(std::string_view name, std::string_view from, std::string_view to);
  Text expand_variable(std::string_view name, const Variable& variable);
  void spend(size_t bytes);

  Variables& variables_;
  ExpandHooks hooks_;
  ExpandLimits limits_;
  std::vector<const VariableMap*> scopes_;
  std::set<std::string, std::less<>> expanding_;
  uint32_t depth_ = 0;
  uint64_t bytes_ = 0;  // of the present text
  uint64_t total_ = 0;
  bool is_over_ = false;  // the present text is given up
  bool is_exhausted_ = false;
};

// functions.cpp: the functions of GNU make.
struct Function {
  std::string_view name;
  size_t min_arguments = 0;
  size_t max_arguments = 0;  // 0: any number
  bool expands = true;       // its arguments are expanded before it is called
  Text (*run)(Expander& expander, std::span<const Text> arguments) = nullptr;
};
// The function that a reference calls: its name and a blank stand first.
[[nodiscard]] const Function* called_function(std::string_view inside);
[[nodiscard]] const Function* find_function(std::string_view name);
// Cuts the arguments at commas outside of brackets of that kind.
[[nodiscard]] std::vector<std::string_view> split_arguments(std::string_view text, char open,
                                                            size_t max_arguments);

}  // namespace nacre::make
