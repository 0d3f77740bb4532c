// The work of from_shell.h: a walk over the shell's tree. Commands are in from_shell.cpp, simple
// commands in from_shell_simple.cpp, redirections in from_shell_redirections.cpp, words in
// from_shell_words.cpp. After the first refusal the walk goes on without effect, and the first one
// is what the caller gets.
#pragma once

#include <map>
#include <set>

#include "colis/from_shell.h"

namespace nacre::colis {

class Translator {
 public:
  Translator(const shell::Tree& tree, const TranslationOptions& options)
      : tree_(&tree), options_(options) {}

  Result<Program> run();

 private:
  // Whether a part of a word is cut at blanks.
  enum class Split : uint8_t { kAny, kYes, kNo };
  struct Piece {
    StringExpression value;
    Split split = Split::kAny;
    bool is_mixed = false;  // `${x:-"a b"}`: cut or not, as x is
  };
  // What is known of a function before it is called.
  struct Function {
    const shell::Function* node = nullptr;
    const shell::Tree* tree = nullptr;
    bool wants_arguments = false;  // has "$@" or $*: there is one copy for each number of arguments
    std::vector<std::vector<uint32_t>>
        scopes;  // where it is defined; it can be called within these
  };

  // --- commands
  // A branch or a loop's body; in a group or a file that is read in, what is defined stays known.
  Instruction sequence_of(const shell::Sequence& body, bool is_scope = true);
  Instruction command(const shell::Command& command);
  Instruction node(const shell::Command& command);
  Instruction pipeline(const shell::Pipeline& pipeline);
  Instruction and_or(const shell::AndOr& list);
  Instruction if_command(const shell::If& node);
  Instruction while_command(const shell::While& node);
  Instruction for_command(const shell::For& node, Span span);
  Instruction case_command(const shell::Case& node);
  Instruction matches(const shell::Word& pattern, const std::string& subject, bool& is_star);
  Instruction function(const shell::Function& node, Span span);
  Instruction negated(Instruction of);
  void add_function(const std::string& name, const Function& function,
                    std::optional<size_t> arguments);

  // --- simple commands
  Instruction simple(const shell::SimpleCommand& simple, Span span);
  Instruction assignments(std::span<const shell::Assignment> list);
  Instruction set_anyway(const std::string& name, StringExpression value);
  Instruction with_prefix(std::span<const shell::Assignment> list, Instruction call);
  Instruction named(const std::string& name, std::span<const shell::Word> words, Span span);
  Instruction special(const std::string& name, std::span<const shell::Word> words, Span span);
  Instruction utility_call(const std::string& name, std::span<const shell::Word> words, Span span);
  Instruction function_call(const std::string& name, ListExpression list, Span span);
  Instruction leave(Instruction::Kind kind, std::span<const shell::Word> words, Span span);
  Instruction set_options(std::span<const shell::Word> words, Span span);
  Instruction export_variables(std::span<const shell::Word> words, Span span);
  Instruction change_directory(std::span<const shell::Word> words, Span span);
  Instruction unset_variables(std::span<const shell::Word> words, Span span);
  Instruction default_values(std::span<const shell::Word> words, Span span);
  Instruction read_in(const std::string& path, Span span);

  // --- redirections
  Instruction redirected(const shell::Command& command, size_t from, bool is_discarded);
  Instruction redirected_more(const shell::Command& command, size_t from, bool is_discarded);
  Instruction written(const shell::Command& command, size_t from);

  [[nodiscard]] bool changes_context(const Instruction& i) const;
  Instruction fed(Instruction from, Instruction to, Span span);

  // --- words
  ListExpression list(std::span<const shell::Word> words);
  void add_to_list(const shell::Word& word, ListExpression& result);
  bool add_surrounded_arguments(const shell::Word& word, ListExpression& result);
  ListFragment fragment(const shell::Word& word);
  StringExpression whole(const shell::Word& word);  // where nothing is split: assignments, `case`
  StringExpression quoted_text(const shell::Word& word);
  std::vector<Piece> pieces(const shell::Word& word);
  void add_pieces(std::span<const shell::Part> parts, bool is_quoted, std::vector<Piece>& result);
  StringExpression parameter(const shell::Part& part, bool& is_there);
  StringExpression special_parameter(const shell::Part& part);
  StringExpression with_operator(const shell::Part& part);
  StringExpression arithmetic(const shell::Part& part);
  StringExpression by_shell(const std::string& expression, const std::vector<std::string>& names,
                            uint64_t positions, Span span);
  StringExpression count_of_arguments();
  [[nodiscard]] bool is_all_arguments(const shell::Word& word) const;
  [[nodiscard]] std::optional<std::vector<StringExpression>> all_arguments(Span span);

  void refuse(Span span, std::string reason);
  void refuse_feature(Span span, const std::string& feature) {
    refuse(span, "unsupported feature: " + feature);
  }
  [[nodiscard]] std::string nothing() const { return options_.is_original ? ":" : "true"; }
  void note_words(const shell::Tree& tree, Span span);
  // Names that occur nowhere in the script.
  [[nodiscard]] std::string unused(std::string name);
  [[nodiscard]] std::string fresh(const std::string& purpose);

  const shell::Tree* tree_;
  const TranslationOptions& options_;
  std::optional<Error> refused_;
  Program program_;
  std::map<std::string, Function, std::less<>> functions_;
  std::set<std::string, std::less<>> used_names_, being_added_, plain_calls_;
  std::vector<std::unique_ptr<shell::Tree>> read_in_;
  std::optional<Span> source_span_;  // of the `.` in the script, while another file is read
  std::vector<uint32_t> scope_;      // the sequences around, by number
  uint32_t scopes_made_ = 0;
  uint32_t names_made_ = 0;
  std::set<std::string, std::less<>> words_, made_;  // of the scripts that were read; by unused()
  std::map<std::pair<std::string, size_t>, std::string> copies_;  // by function and arguments
  uint32_t depth_ = 0;                                            // of compound commands around
  uint32_t sources_ = 0;                                          // files within each other
  uint32_t captures_ = 0;  // substitutions and left sides of pipes around
  bool in_function_ = false;
  bool shifts_ = false;                // the scope has a `shift`
  std::optional<size_t> known_count_;  // of the arguments of the function that is translated
  bool wanted_count_ = false;          // it has "$@"
};

}  // namespace nacre::colis
