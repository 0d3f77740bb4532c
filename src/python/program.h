// A file made ready for checking: its functions and classes, its type aliases and constants, the
// letters that it can tell apart, and its regexes as sets of words over those letters. Read-only
// after `prepare` but for the store, which grows; one thread at a time.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/budget.h"
#include "base/result.h"
#include "python/ast.h"
#include "python/definitions.h"
#include "python/letters.h"
#include "python/scope.h"
#include "python/types.h"
#include "python/words.h"
#include "regular/char_set.h"
#include "regular/dfa.h"
#include "regular/regex.h"

namespace nacre::python {

enum class Search : uint8_t { kFullMatch, kMatch, kSearch };

// A regex of the file that is given to the `re` module.
struct SearchPattern {
  regular::Regex regex;
  std::array<std::shared_ptr<const regular::Dfa>, 3>
      dfas;  // by Search; null: not regular or too large
  std::array<Words, 3> words = {};
  mutable std::unordered_map<uint32_t, Words> nodes;  // of parts, once they were asked for
};

struct Function {
  const FunctionDef* definition = nullptr;
  const FunctionFacts* facts = nullptr;
  uint32_t index = 0;
  std::unique_ptr<Scope> scope;
  // Positional, keyword-only, then what `*rest` and `**rest` collect (their items).
  std::vector<Type> parameters;
  Type returns;
  bool is_typed = false;        // carries a language type, an invariant or show_type
  bool takes_strings = false;   // a parameter is declared to be a string
  bool declares_raise = false;  // an exception that it raises itself is one of its results
  std::set<std::string>
      plain_names;  // parameters without language types, and what is made of them alone
  [[nodiscard]] size_t named_parameters() const;
};

class Program {
 public:
  // The first error of the file's annotations does not hide the rest: problems are collected.
  // `is_wanted`: functions are prepared even if the file has neither language types nor sinks.
  static std::unique_ptr<Program> prepare(Tree tree, const Budget& budget, bool is_wanted = false);

  [[nodiscard]] const Tree& tree() const { return tree_; }
  [[nodiscard]] const Definitions& definitions() const { return *definitions_; }
  [[nodiscard]] const Letters& letters() const { return *letters_; }
  [[nodiscard]] WordStore& words() const { return *store_; }
  [[nodiscard]] const std::vector<Function>& functions() const { return functions_; }
  [[nodiscard]] const std::vector<ClassFacts>& classes() const { return definitions_->classes(); }
  [[nodiscard]] const Function& module() const { return functions_.back(); }
  [[nodiscard]] const Function* function(const std::string& name) const;
  [[nodiscard]] const Function* method(uint32_t cls, const std::string& name,
                                       size_t skip = 0) const;
  // The one value that a name of the module ever has, and its declared type.
  [[nodiscard]] Optional global(const std::string& name) const;
  [[nodiscard]] std::optional<Type> global_type(const std::string& name) const;
  [[nodiscard]] const std::vector<Error>& problems() const { return problems_; }
  [[nodiscard]] const std::set<int64_t>& numbers() const { return numbers_; }
  [[nodiscard]] const std::set<Words>& constants() const { return constants_; }
  // Does the file use language types at all?
  [[nodiscard]] bool has_types() const { return has_types_; }
  // Does it call anything by the name of a sink (sinks.h)?
  [[nodiscard]] bool has_sinks() const { return has_sinks_; }

  [[nodiscard]] Type type(ExprId annotation) const;
  // The type that a name of the module stands for.
  [[nodiscard]] std::optional<Type> alias(const std::string& name) const;
  // The class of the library that a name in an annotation stands for.
  [[nodiscard]] std::optional<LibraryClass> library_class(const std::string& name) const;
  // The string forms of paths.
  [[nodiscard]] Words normal_paths() const;
  // The declared type of a field of the class's instances.
  [[nodiscard]] std::optional<Type> field_type(uint32_t cls, const std::string& name) const;
  // The regex written at `pattern`, or that of the compiled one that it names.
  [[nodiscard]] const SearchPattern* pattern(ExprId pattern) const;
  [[nodiscard]] std::optional<ExprId> pattern_place(ExprId pattern) const;
  // The words that match a part of a regex, or more where it has conditions (is_plain: exactly).
  [[nodiscard]] Words node_words(const SearchPattern& pattern, regular::NodeId node) const;

  // What repr() puts between single quotes as it is.
  static regular::CharSet plain_characters();
  static regular::CharSet line_ends();   // where splitlines() cuts
  static regular::CharSet shell_safe();  // what shlex.quote() leaves alone
  [[nodiscard]] LetterSet letters_of(std::string_view method) const;
  [[nodiscard]] LetterSet white_space() const { return letters_of("isspace"); }
  [[nodiscard]] std::vector<bool> single_letters() const;

 private:
  explicit Program(Tree tree) : tree_(std::move(tree)) {}
  void collect_names();
  [[nodiscard]] bool is_type_expression(ExprId expr) const;
  void collect_patterns();
  void compile_type(ExprId pattern, ExprId call);
  void compile_pattern(const Call& call, const std::string& method);
  std::shared_ptr<const regular::Dfa> to_dfa(const regular::Regex& regex, Search search,
                                             std::string* problem) const;
  std::optional<std::string> string_constant(ExprId expr) const;
  std::string interpolate(const std::string& pattern, Span span, int depth);
  void collect_letters();
  void collect_constants();
  [[nodiscard]] std::set<std::string, std::less<>> used_names() const;
  [[nodiscard]] std::vector<regular::CharSet> literal_characters() const;
  void add_literal(std::string_view utf8, std::vector<regular::CharSet>& sets) const;
  static void add_regex_characters(const regular::Regex& regex,
                                   std::vector<regular::CharSet>& sets);
  Words from_dfa(const regular::Dfa& dfa) const;
  Type resolve(ExprId annotation, int depth) const;
  Type resolve_name(const std::string& name, int depth) const;
  Type resolve_generic(const std::string& name, const Subscript& subscript, int depth) const;
  void check_aliases();
  void prepare_functions();
  void prepare_function(Function& function);
  [[nodiscard]] bool is_made_of_types(uint32_t cls) const;
  void find_plain_names(Function& function) const;

  Tree tree_;
  std::unique_ptr<Definitions> definitions_;
  std::unique_ptr<Letters> letters_;
  std::unique_ptr<WordStore> store_;
  std::vector<Function> functions_;
  std::unordered_map<std::string, ExprId> aliases_;
  std::unordered_map<std::string, ExprId> globals_;
  std::unordered_map<std::string, ExprId> global_annotations_;
  std::vector<Error> problems_;
  std::set<int64_t> numbers_;
  std::set<Words> constants_;
  struct Compiled {
    std::shared_ptr<const regular::Dfa> dfa;
    Words words{};
  };
  std::unordered_map<uint32_t, Compiled> types_;  // of lang(), by the expression of its regex
  std::unordered_map<uint32_t, SearchPattern> patterns_;  // by the expression of the regex
  bool has_types_ = false;
  bool has_sinks_ = false;
  bool is_wanted_ = false;
  Budget budget_;
};

}  // namespace nacre::python
