// The reader of Makefiles itself, private to this module (read.h is its face): statements become
// variables and rules, in the order of GNU make. One class, spread over files by what is read:
//
//   read.cpp               the loop over statements, variables, includes
//   read_conditionals.cpp  conditionals, as arms where the condition is not known
//   read_rules.cpp         rules, recipes, variables of targets
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "make/read.h"
#include "make/text.h"

namespace nacre::make {

// A text that is being read: a file, or what $(eval) was given.
struct Source {
  SourceFile file;
  std::string_view text;
  std::optional<Span> fixed;  // where all of it stands, if it is not a file of its own

  [[nodiscard]] Place place(Span span) const { return {file, fixed.value_or(span)}; }
  [[nodiscard]] std::string_view of(Span span) const {
    return text.substr(span.begin, span.size());
  }
};

// One `if` that is not closed yet.
struct Conditional {
  enum State : uint8_t { kTaken, kNotYet, kDone, kSkipped };
  State state = kTaken;      // kSkipped: within an arm that is not read
  bool is_choice = false;    // its condition is unknown: each arm is read
  bool is_complete = false;  // a later arm is certain
  bool has_else = false;
  uint32_t choice = 0;
  ArmId outer = kAlways;
  std::vector<size_t> open_before, open_after;  // rules that recipe lines belong to
  Place place;
};

struct OpenRules {
  std::vector<size_t> rules;
  bool maybe = false;  // a line that may have been a rule
};

// The line cut at an unquoted `;` (its recipe) or `#`.
struct RuleLine {
  std::string text;
  std::optional<Span> recipe;
};

// As far as the first colon, words are expanded one by one: what follows it may be a target's
// variable, which is expanded later.
struct Expanded {
  Text text;         // expanded up to the word with the colon
  std::string rest;  // not expanded yet
  size_t colon = std::string::npos;
  std::string recipe;  // after a `;` that an expansion brought
  bool has_recipe = false;
};

class MakefileReader {
 public:
  MakefileReader(const SourceFile& file, const ReadOptions& options)
      : options_(options), expander_(variables_, hooks(), options.limits) {
    database_.file = file;
    add_first_variables();
  }
  Database read();

 private:
  ExpandHooks hooks();
  void add_first_variables();
  // Only what is surely reached is an error of make; arms may never be.
  void report(std::string_view code, const Place& place, std::string message);
  void stop();
  void read_source(const Source& source);
  void add_to_makefile_list(const Source& source);
  [[nodiscard]] ReaderState state() const;
  [[nodiscard]] bool is_ignoring() const;
  void read_statement(const Source& source, const Statement& statement);
  void close_rules();
  void eval(const Text& text);
  void read_assignment(const Source& source, const Statement& statement);
  void read_define(const Source& source, const Statement& statement);
  void assign(const Source& source, const Statement& statement, const Text& name,
              const std::string& value);
  // The variable after `op value`; nothing if it stays as it is.
  std::optional<Variable> define(const Statement& statement, const Variable* old,
                                 const std::string& value);
  std::optional<Variable> append(const Variable* old, const std::string& value);
  void read_export(const Source& source, const Statement& statement);
  void read_include(const Source& source, const Statement& statement);
  void include_file(const Place& place, const std::string& name);
  void read_if(const Source& source, const Statement& statement);
  void enter_arm(const Conditional& level);
  void leave_arm(Conditional& level);
  void read_else(const Source& source, const Statement& statement);
  void read_endif(const Source& source, const Statement& statement);
  void close_conditional();
  // Nothing: it depends on what is not known.
  std::optional<bool> truth_of(const Source& source, const Statement& statement);
  std::optional<bool> bad_condition(const Source& source, const Statement& statement);
  static std::optional<std::pair<std::string, std::string>> split_condition(std::string_view text);
  static std::optional<std::pair<std::string, std::string>> split_parenthesised(
      std::string_view text);
  void add_recipe(const Source& source, Span body);
  static RuleLine cut_rule(const Source& source, Span span);
  Expanded expand_targets(const std::string& line);
  void read_rule(const Source& source, const Statement& statement);
  void no_colon(const Source& source, const Statement& statement, const RuleLine& line,
                const Text& text, const OpenRules& before);
  static void set_targets(Rule& rule, const std::string& targets);
  bool read_target_variable(const Source& source, const Statement& statement, const Rule& rule,
                            const std::string& rest, std::optional<Span> recipe);
  void add_target_variable(const Place& place, const Rule& rule, const std::string& name,
                           const Assignment& found, const Modifiers& modifiers,
                           const std::string& value);
  void finish_rule(const Source& source, Rule& rule, const std::string& rest, bool is_expanded,
                   std::optional<Span> recipe, const Expanded& left);
  bool set_prerequisites(Rule& rule, std::string_view list);
  static void add_names(Rule& rule, std::string_view list, std::vector<std::string>& names);
  void note_special(const Rule& rule);
  void finish();
  // `.a` or `.a.b` of suffixes that are known.
  [[nodiscard]] static bool is_suffix_rule(const Rule& rule, const std::set<std::string>& suffixes);
  void check_rule(size_t index);
  const ReadOptions& options_;
  Variables variables_;
  Expander expander_;
  Database database_;
  std::vector<Conditional> conditionals_;
  OpenRules open_;
  bool no_targets_ = false;
  bool has_second_expansion_ = false;
  bool is_in_unclosed_ = false;  // after a define without endef
  ArmId arm_ = kAlways;
  Place place_;
  uint32_t choices_ = 0;
  uint32_t nested_ = 0;
  uint32_t includes_ = 0;
  uint64_t statements_ = 0;
  std::vector<SourceFile> including_;
  std::vector<std::unique_ptr<std::string>> evaluated_;  // texts of $(eval), which places refer to
};

}  // namespace nacre::make
