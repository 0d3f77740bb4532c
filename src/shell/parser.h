// The parser itself: lexer and grammar in one pass over the bytes, private to this module (parse.h
// and reader.h are its faces). One class, spread over files by what is parsed:
//
//   lexer.cpp         blanks, comments, operators, plain words
//   word.cpp          quotes, tildes: the parts of words
//   pattern.cpp       globs and extended patterns
//   ansi_quote.cpp    $'...'
//   substitution.cpp  $( ) ` ` <( ) $(( ))
//   parameter.cpp     $x ${x...}
//   brace.cpp         {a,b} {1..9}
//   array.cpp         a=( ) and subscripts
//   here_document.cpp
//   arithmetic.cpp    trees of arithmetic texts
//   conditional.cpp   [[ ]]
//   command.cpp       sequences, and-or lists, pipelines, simple commands, functions
//   compound.cpp      if, while, for, case ...
//   alias.cpp         replacement of aliases
//   syntax_error.cpp  diagnostics and recovery
//
// The parser always holds one token that is not consumed yet (`token_`); a Mode passed to advance()
// tells how the next word is to be read. Lists under construction live on scratch stacks and are
// copied to the arena when they are complete.
//
// Positions are offsets, not pointers: when the input comes line by line, the text may move to a
// larger buffer in the middle of a word (more_text()). Old buffers stay alive in the arena, so that
// views into them remain good.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/diagnostic.h"
#include "base/text_map.h"
#include "shell/arena.h"
#include "shell/ast.h"
#include "shell/characters.h"
#include "shell/features.h"
#include "shell/parse.h"
#include "shell/scratch.h"
#include "shell/token.h"
#include "shell/tree.h"

namespace nacre::shell {

class Parser {
 public:
  // Asked for more text when the input ran out; appends to `buffer` and returns true if it did.
  using MoreText = std::function<bool(std::string& buffer)>;

  // `text` must be followed by a NUL and outlive the parser's tree. `recovers`: go on after errors.
  // Aliases are replaced only if the text comes line by line, from more_text.
  Parser(const SourceFile& file, std::string_view text, const ParseOptions& options, bool recovers);

  // Offsets of the text are lifted through `map`, which must outlive the parser and may grow.
  void set_map(TextMap* map) { map_ = map; }
  // Parses a copy of `text`, which the tree keeps.
  void set_text(std::string_view text) {
    size_ = 0;
    append_text(text);
  }
  void set_start(uint32_t at) { at_ = at; }
  // Typical scripts need five to eight bytes of nodes for a byte of text.
  void expect_text(size_t bytes) { arena_ = Arena(std::max<size_t>(5 * bytes, 1024)); }
  void set_more_text(MoreText more) { more_text_ = std::move(more); }

  // Everything up to the end of the input.
  Sequence program();
  // The commands up to and with the next newline; false if only blanks and comments are left.
  bool complete_command(Sequence& result);

  [[nodiscard]] bool is_valid() const { return is_valid_; }
  [[nodiscard]] uint32_t at() const { return at_; }
  [[nodiscard]] std::string_view text() const { return {text_, size_}; }
  [[nodiscard]] uint32_t commands_read() const { return commands_; }
  [[nodiscard]] Arena take_arena() { return std::move(arena_); }
  [[nodiscard]] std::vector<Comment> take_comments() { return std::move(comments_); }
  [[nodiscard]] bool fails_in_array() const { return fails_in_array_; }
  [[nodiscard]] std::vector<Diagnostic> take_diagnostics() { return std::move(diagnostics_); }

 private:
  // How the word after the next blanks is read.
  enum class Mode : uint8_t {
    kCommand,      // the start of a command: assignments
    kArgument,     // brace expansion
    kDeclaration,  // arguments of `declare` and the like: also arrays
    kPattern,      // of a case: neither
    kTarget,       // of a redirection, subject of a case
  };

  // What may end a sequence of commands; a set of bits.
  enum Closer : uint32_t {
    kEndOfInput = 1,
    kThen = 2,
    kElse = 4,
    kElif = 8,
    kFi = 16,
    kDo = 32,
    kDone = 64,
    kEsac = 128,
    kCloseBrace = 256,
    kCloseParenthesis = 512,
    kCaseArmEnd = 1024,
    kAnyCloser = 2047,
  };

  // A construct that waits for its end, for messages.
  struct Opener {
    std::string_view what;   // "if"
    std::string_view close;  // "fi"
    Span span;
  };

  // An alias whose replacement is being read: it is not replaced again before `end`.
  struct ActiveAlias {
    std::string name;
    uint32_t end;
  };

  struct PendingHereDocument {
    HereDocument* document;
    Span delimiter;
  };

  // Everything that must be put back when an attempt is given up.
  struct Checkpoint {
    uint32_t at;
    size_t diagnostics, comments;
    bool is_valid, end_is_reported, panics;
    std::vector<PendingHereDocument> pending;  // a newline may have read them
  };

  class Nested;  // parser_scopes.h
  class Inner;
  class Level;
  class Deferred;

  // lexer.cpp
  void advance(Mode mode = Mode::kArgument);
  void skip_blanks() {
    while (is(text_[at_], kBlank)) at_++;
    if (is(text_[at_], kMayContinueBlanks)) skip_more_blanks();
  }
  void skip_more_blanks();
  void skip_comment();
  void read_operator();
  void read_angle_operator();
  void read_token_word(Mode mode);
  bool read_descriptor_variable();
  void set_plain_word(uint32_t begin);
  void set_word_token(const Word& word);
  void redirection_token(RedirectOp op, uint32_t length, int32_t descriptor, uint32_t begin);
  bool is_at_end();
  bool more_text();
  void append_text(std::string_view added);
  char peek();
  [[nodiscard]] char byte(uint32_t ahead) const {
    return at_ + ahead <= size_ ? text_[at_ + ahead] : '\0';
  }
  // Whether no word goes on at at_, whatever it is.
  [[nodiscard]] bool word_ends() const {
    const char c = text_[at_];
    return is(c, kEndsWord) && c != '(' && (byte(1) != '(' || (c != '<' && c != '>'));
  }
  void skip_continuations() {
    while (text_[at_] == '\\' && byte(1) == '\n') at_ += 2;
  }

  // word.cpp
  Word read_word(uint32_t begin, Mode mode, bool is_assignment);
  Word read_word_rest(size_t mark, uint32_t start, uint32_t begin, Mode mode, bool is_assignment);
  Word read_word_after(uint32_t begin, uint32_t bracket, const Subscript& subscript);
  bool read_word_piece(uint32_t begin, Mode mode, bool is_assignment);
  Word finish_word(size_t mark, Span span, Mode mode = Mode::kTarget);
  void push_joined_value(size_t mark, size_t size);
  Word literal_word(uint32_t begin, uint32_t end);
  void push_part(PartKind kind, Span span, std::string_view text);
  void push_literal(uint32_t begin, uint32_t end);
  void read_escape(bool in_double, bool in_braces);
  void read_single_quoted();
  void read_ansi_quoted(uint32_t begin);
  void read_double_quoted(PartKind kind, uint32_t begin);
  void read_double_parts();
  void read_glob();
  uint32_t bracket_end();
  uint32_t class_end(uint32_t at);
  bool read_tilde(bool only_in_assignment, bool in_braces);
  bool read_ext_glob();
  void read_alternative();
  bool read_angle_part();

  // substitution.cpp
  void read_dollar(bool in_double);
  [[nodiscard]] bool dash_closes_earlier() const;
  void read_command_substitution(uint32_t begin);
  Sequence read_counted(const Opener& opener, uint32_t end);
  void read_backquoted(bool in_double);
  bool find_backquote_end(uint32_t& end, bool& has_escapes);
  Sequence backquoted_sequence(const Opener& opener);
  Sequence read_backquoted_body(uint32_t begin, uint32_t end, bool has_escapes, bool in_double);
  // Where the subshell after a `((` or `$((` at `begin` ends, if that is what it was found to be.
  [[nodiscard]] std::optional<uint32_t> subshell_end(uint32_t begin) const;
  bool read_arithmetic_substitution(uint32_t begin);
  void read_bracket_arithmetic(uint32_t begin);
  void read_process_substitution();
  Sequence read_parenthesised(const Opener& opener);
  enum class ArithmeticEnd : uint8_t { kClosed, kNotArithmetic, kUnclosed };
  ArithmeticEnd read_arithmetic_parts();
  struct ArithmeticBounds {
    char open, close;                     // brackets within the text must match
    std::string_view ends;                // bytes that end it outside of all brackets
    std::string_view ends_anywhere = {};  // ... and those that end it in any case
    bool is_quoted = false;               // a backslash is special only before some characters
  };
  // Pushes the parts up to a byte that ends the text, or the end of the input; at_ is there.
  // `depth` is the number of open brackets, before and after.
  void read_arithmetic_until(const ArithmeticBounds& bounds, uint32_t& depth);
  bool read_arithmetic_piece();
  const Arithmetic* make_arithmetic(size_t mark, Span span, bool is_bracket = false);

  // parameter.cpp
  void read_simple_parameter(uint32_t begin);
  void read_braced_parameter(uint32_t begin, bool in_double);
  void read_parameter_name(Parameter& parameter);
  bool read_parameter_prefix(Parameter& parameter);
  void read_parameter_operator(Parameter& parameter, bool in_double);
  void read_colon_operator(Parameter& parameter, bool in_double);
  void read_replacement(Parameter& parameter, bool in_double);
  void read_slice(Parameter& parameter, bool in_double);
  void read_bad_parameter(Parameter& parameter, uint32_t inside, bool in_double);
  void finish_parameter(Parameter& parameter, uint32_t begin);
  const Word* read_braced_word(bool in_double, char stop);
  [[nodiscard]] static bool is_in_choice(std::string_view offset, char stop);
  bool read_braced_piece(uint32_t begin, bool in_double, char stop);
  void read_braced_single_quote(bool in_double);
  std::string_view read_run(uint16_t set);

  // brace.cpp, array.cpp
  void expand_braces(size_t mark);
  void push_joined(size_t mark, const Part& part);
  bool make_brace(std::vector<Part>& done, size_t at, const std::vector<size_t>& commas,
                  uint32_t end);
  const Subscript* read_subscript(bool in_braces);
  void read_array();
  bool read_array_element();
  bool read_assignment_prefix(uint32_t begin, Mode mode);
  std::string_view name_at(uint32_t begin, uint32_t end);
  void read_assignment(uint32_t begin, uint32_t name_end, const Subscript* subscript);

  // here_document.cpp
  void read_here_documents();
  void end_here_documents();
  void read_here_document(const PendingHereDocument& pending);
  void read_here_document_body(HereDocument& document, uint32_t begin, uint32_t end);
  std::string_view copy_text(uint32_t begin, uint32_t end, TextMap& map);
  std::string_view copy_without_tabs(uint32_t begin, uint32_t end, bool is_quoted, TextMap& map);
  std::string_view keep_text(std::string text);
  void read_here_parts();
  std::string_view word_without_quotes(uint32_t begin, uint32_t end);

  // conditional.cpp
  bool is_chain_too_long(uint32_t length);
  const ConditionalExpression* conditional_or();
  const ConditionalExpression* conditional_and();
  const ConditionalExpression* conditional_term();
  const ConditionalExpression* conditional_primary();
  bool read_conditional_operator(ConditionalExpression& expression);
  void read_regex();
  bool read_regex_piece(uint32_t& depth);

  // command.cpp
  Sequence sequence(uint32_t closers, const Opener& opener, bool may_be_empty,
                    uint32_t later_closers = 0);
  bool sequence_item(uint32_t closers);
  bool sequence_ends(uint32_t closers, const Opener& opener);
  [[nodiscard]] uint32_t closer() const;
  void skip_newlines(Mode mode = Mode::kCommand);
  const Command* and_or();
  const Command* pipeline();
  const Command* command();
  const Command* compound_command();
  const Command* simple_command();
  void read_redirection(Mode next);
  bool check_delimiter();
  const Command* function_after_name(const Word& name, uint32_t begin);
  const Command* function_body(const Name& name, bool has_keyword, bool has_parentheses,
                               uint32_t begin);
  [[nodiscard]] std::optional<size_t> end_of_body() const;
  bool skip_body(Function& function);
  bool is_function_name(const Word& name);
  template <typename Node>
  const Command* make_command(uint32_t begin, const Node& node, size_t redirections);
  size_t trailing_redirections();
  void read_pipeline_prefix(Pipeline& pipeline, uint32_t& bangs);
  [[nodiscard]] bool is_declaration(const Word& word) const;
  const Command* broken(uint32_t begin);

  // compound.cpp
  const Command* brace_group();
  const Command* subshell();
  const Command* arithmetic_command();
  const Command* if_command();
  const Command* while_command();
  const Command* for_command();
  const Command* arithmetic_for(uint32_t begin);
  const Command* case_command();
  bool case_arm(const Opener& opener);
  const Command* keyword_function();
  const Command* conditional_command();
  bool reserved_word_follows();
  const Command* coproc_command();
  const Sequence* do_group(const Opener& loop);
  const Sequence* loop_body(const Opener& loop);
  template <typename Node>
  const Command* finish_compound(uint32_t begin, const Node& node);
  void close(Keyword keyword);
  bool expect(Keyword keyword, const Opener& opener);
  bool recover_in_case();
  const Arithmetic* arithmetic_for_text(bool is_last, uint32_t& depth, bool& is_good);
  // The value of the current word, or its text where it has no constant one.
  [[nodiscard]] std::string_view word_text() const {
    return word_.is_literal() ? word_.literal() : view(token_begin_, token_end_);
  }

  // alias.cpp
  bool expand_alias(Mode mode);
  void expand_aliases();
  bool expand_after_blank(Mode mode);
  [[nodiscard]] bool is_in_alias() const {
    return !active_aliases_.empty() && at_ < active_aliases_.back().end;
  }

  // syntax_error.cpp
  void unexpected(std::string_view expected = {}, const Opener* opener = nullptr);
  void unclosed(std::string_view what, std::string_view close, Span opened);
  void error(std::string_view code, Span span, std::string message);
  bool may_report(Span span);
  void lacks(Feature feature, Span span, bool is_error);
  void check(Feature feature, Span span, bool is_error) {
    if (!can(feature)) lacks(feature, span, is_error);
  }
  void missing_delimiter(const PendingHereDocument& pending);
  [[nodiscard]] std::string bad_loop_variable() const;
  [[nodiscard]] std::string unexpected_message(std::string_view expected) const;
  [[nodiscard]] std::string unclosed_message(std::string_view what, std::string_view close) const;
  [[nodiscard]] std::string token_text() const;
  void recover();
  void halt();
  void halt_too_deep();
  void end_attempt();
  [[nodiscard]] Checkpoint checkpoint() const;
  void restore(const Checkpoint& checkpoint);

  [[nodiscard]] bool is_bash() const { return options_.dialect == Dialect::kBash; }
  [[nodiscard]] bool is_ksh() const { return options_.dialect == Dialect::kKsh; }
  [[nodiscard]] bool is_busybox() const { return options_.dialect == Dialect::kBusybox; }
  // dash and its cousin in busybox.
  [[nodiscard]] bool is_ash() const { return !is_bash() && !is_ksh(); }
  [[nodiscard]] bool can(Feature feature) const {
    bool is_new = feature == Feature::kAnsiQuotes || feature == Feature::kCaseFallThrough;
    return has(options_.dialect, feature) || (is_new && options_.posix_2024);
  }
  // As recorded in nodes: in the file.
  [[nodiscard]] Span file_span(uint32_t begin, uint32_t end) const {
    return map_ == nullptr ? Span{begin, end} : map_->to_file({begin, end});
  }
  [[nodiscard]] std::string_view view(uint32_t begin, uint32_t end) const {
    return {text_ + begin, end - begin};
  }
  [[nodiscard]] bool is_keyword(Keyword keyword) const {
    return token_ == Token::kWord && keyword_ == keyword;
  }

  const char* text_;
  uint32_t size_;
  uint32_t at_ = 0;         // after the current token
  TextMap* map_ = nullptr;  // null: offsets are those of the file
  char* buffer_ = nullptr;  // where the text lies if it grows
  size_t capacity_ = 0;     // of the buffer

  // The current token.
  Token token_ = Token::kNewline;
  Mode mode_ = Mode::kCommand;  // that it was read in
  Keyword keyword_ = Keyword::kNone;
  uint32_t token_begin_ = 0;
  uint32_t token_end_ = 0;
  uint32_t previous_end_ = 0;  // of the token before it
  Word word_;                  // kWord
  Assignment assignment_;      // kAssignment
  RedirectOp redirect_op_ = RedirectOp::kInput;
  int32_t redirect_descriptor_ = -1;
  std::string_view redirect_variable_;
  bool strips_tabs_ = false;

  const SourceFile& file_;
  const ParseOptions& options_;
  MoreText more_text_;
  bool recovers_;

  Arena arena_;
  Scratch<Part> parts_;
  Scratch<Word> words_;
  Scratch<Item> items_;
  Scratch<Assignment> assignments_;
  Scratch<Redirection> redirections_;
  Scratch<AndOrItem> and_or_items_;
  Scratch<PipelineItem> pipeline_items_;
  Scratch<IfArm> if_arms_;
  Scratch<CaseArm> case_arms_;
  Scratch<ArrayElement> elements_;
  std::vector<PendingHereDocument> pending_;
  std::vector<Comment> comments_;
  std::vector<std::unique_ptr<TextMap>> maps_;

  std::vector<ActiveAlias> active_aliases_;  // innermost last
  uint32_t alias_blank_end_ = 0;  // end of a replacement that ends in a blank, if one is pending
  uint32_t attempts_ = 0;         // readings that may be given up: no alias is replaced

  uint32_t commands_ = 0;
  uint32_t depth_ = 0;
  uint32_t deferred_ = 0;          // nesting of Deferred
  bool is_parenthesised_ = false;  // directly within $( ) or <( )
  uint32_t enclosing_ = 0;         // closers that some construct around waits for
  uint32_t no_bracket_until_ = 0;  // no `]` closes a `[` before this offset
  // `((` that turned out to open subshells, and where the first of these ends. The same text may be
  // read again within back-quotes that end earlier: then nothing is known about it.
  std::unordered_map<const char*, uint32_t> not_arithmetic_;

  bool is_valid_ = true;
  bool panics_ = false;           // an error was reported and nothing parsed since
  bool end_is_reported_ = false;  // the end of the input is no news
  bool is_halted_ = false;
  bool is_conditional_ = false;  // within [[ ]], where bash has extended patterns always
  bool fails_in_array_ = false;  // the first error is within a=( )
  std::vector<Diagnostic> diagnostics_;
};

// The whole text as a tree of `file`.
ParseResult parse_all(Parser& parser, const SourceFile& file, Dialect dialect);

template <typename Node>
const Command* Parser::make_command(uint32_t begin, const Node& node, size_t redirections) {
  commands_++;
  return arena_.make(
      Command{file_span(begin, previous_end_), redirections_.take(redirections, arena_), node});
}

}  // namespace nacre::shell
