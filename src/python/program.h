// A file made ready for checking: its functions, its type aliases and constants, the letters that
// it can tell apart, and its regexes as sets of words over those letters. Read-only after `prepare`
// but for the store, which grows; one thread at a time.
#pragma once

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
#include "python/scope.h"
#include "python/words.h"
#include "regular/char_set.h"
#include "regular/dfa.h"

namespace nacre::python {

// Classes of code points that the program treats alike.
class Letters {
 public:
  explicit Letters(const std::vector<regular::CharSet>& sets);
  [[nodiscard]] uint32_t size() const { return static_cast<uint32_t>(classes_.size()); }
  [[nodiscard]] const regular::CharSet& operator[](Letter letter) const { return classes_[letter]; }
  [[nodiscard]] Letter letter(uint32_t code_point) const;
  [[nodiscard]] bool is_single(Letter letter) const { return classes_[letter].size() == 1; }
  // The letters all of whose characters are in the set.
  [[nodiscard]] LetterSet inside(const regular::CharSet& set) const;
  [[nodiscard]] Word word(std::string_view utf8) const;
  // Each letter as its most natural character.
  [[nodiscard]] std::string text(const Word& word) const;

 private:
  std::vector<regular::CharSet> classes_;
  std::vector<std::pair<uint32_t, Letter>> starts_;  // sorted: from this code point on, this letter
};

struct Type {
  enum class Kind : uint8_t { kNone, kStr, kInt, kBool, kLanguage, kMissing, kOther };
  Kind kind = Kind::kMissing;
  Words words{};  // kLanguage
};

enum class Search : uint8_t { kFullMatch, kMatch, kSearch };

struct Function {
  StmtId stmt{};
  const FunctionDef* definition = nullptr;
  std::unique_ptr<Scope> scope;
  std::vector<Type> parameters;
  Type returns;
  bool is_checked = false;  // carries a language type, an invariant or show_type
};

class Program {
 public:
  // The first error of the file's annotations does not hide the rest: problems are collected.
  static std::unique_ptr<Program> prepare(Tree tree, const Budget& budget);

  [[nodiscard]] const Tree& tree() const { return tree_; }
  [[nodiscard]] const Letters& letters() const { return *letters_; }
  [[nodiscard]] WordStore& words() const { return *store_; }
  [[nodiscard]] const std::vector<Function>& functions() const { return functions_; }
  [[nodiscard]] const Function* function(const std::string& name) const;
  [[nodiscard]] Optional global(const std::string& name) const;
  [[nodiscard]] bool defines_class(const std::string& name) const {
    return classes_.count(name) > 0;
  }
  [[nodiscard]] const std::vector<Error>& problems() const { return problems_; }
  [[nodiscard]] const std::set<int64_t>& numbers() const { return numbers_; }
  [[nodiscard]] const std::set<Words>& constants() const { return constants_; }

  [[nodiscard]] Type type(ExprId annotation) const;
  // The words that `re.KIND(pattern, word)` accepts, for a call that `prepare` has seen.
  [[nodiscard]] std::optional<Words> pattern(ExprId pattern, Search search) const;

  // What repr() puts between single quotes as it is.
  static regular::CharSet plain_characters();
  [[nodiscard]] LetterSet letters_of(std::string_view method) const;
  [[nodiscard]] LetterSet white_space() const { return letters_of("isspace"); }
  [[nodiscard]] std::vector<bool> single_letters() const;

 private:
  explicit Program(Tree tree) : tree_(std::move(tree)) {}
  void collect_definitions(const Block& block);
  void collect_patterns();
  void compile(ExprId pattern, Search search, bool is_type, ExprId call);
  std::optional<std::string> string_constant(ExprId expr) const;
  std::string interpolate(const std::string& pattern, Span span, int depth);
  void collect_letters();
  void collect_constants();
  [[nodiscard]] std::set<std::string, std::less<>> used_names() const;
  [[nodiscard]] std::vector<regular::CharSet> literal_characters() const;
  void add_literal(std::string_view utf8, std::vector<regular::CharSet>& sets) const;
  Words from_dfa(const regular::Dfa& dfa) const;
  Type resolve(ExprId annotation, int depth) const;
  void prepare_functions();

  Tree tree_;
  std::unique_ptr<Letters> letters_;
  std::unique_ptr<WordStore> store_;
  std::vector<Function> functions_;
  std::unordered_map<std::string, size_t> by_name_;
  std::unordered_map<std::string, ExprId> aliases_;
  std::unordered_map<std::string, ExprId> globals_;
  std::set<std::string> classes_;
  std::set<std::string> reassigned_;
  std::vector<Error> problems_;
  std::set<int64_t> numbers_;
  std::set<Words> constants_;
  struct Compiled {
    std::shared_ptr<const regular::Dfa> dfa;
    Words words{};
  };
  std::unordered_map<uint64_t, Compiled> patterns_;  // by expression and kind of search
  Budget budget_;
};

}  // namespace nacre::python
