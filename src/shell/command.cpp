#include "shell/bodies.h"
#include "shell/builtins.h"
#include "shell/parser_scopes.h"
#include "shell/skim.h"

namespace nacre::shell {

Sequence Parser::program() {
  advance(Mode::kCommand);
  return sequence(kEndOfInput, {"", "", {}}, true);
}

bool Parser::complete_command(Sequence& result) {
  advance(Mode::kCommand);
  if (token_ == Token::kEnd) return false;
  size_t mark = items_.mark();
  uint32_t begin = token_begin_;
  while (!is_halted_) {
    expand_aliases();
    if (token_ == Token::kNewline || token_ == Token::kEnd) break;
    if (sequence_ends(kEndOfInput, {"", "", {}})) continue;
    sequence_item(kEndOfInput);
    bool is_separator = token_ == Token::kSemicolon || token_ == Token::kAmpersand ||
                        (token_ == Token::kNewline && is_in_alias());
    if (is_separator) advance(Mode::kCommand);
  }
  result.items = items_.take(mark, arena_);
  result.span = file_span(begin, std::max(begin, at_));
  return true;
}

uint32_t Parser::closer() const {
  switch (token_) {
    case Token::kEnd: return kEndOfInput;
    case Token::kRightParenthesis: return kCloseParenthesis;
    case Token::kDoubleSemicolon:
    case Token::kSemicolonAnd:
    case Token::kDoubleSemicolonAnd: return kCaseArmEnd;
    case Token::kWord: break;
    default: return 0;
  }
  switch (keyword_) {
    case Keyword::kThen: return kThen;
    case Keyword::kElse: return kElse;
    case Keyword::kElif: return kElif;
    case Keyword::kFi: return kFi;
    case Keyword::kDo: return kDo;
    case Keyword::kDone: return kDone;
    case Keyword::kEsac: return kEsac;
    case Keyword::kRightBrace: return kCloseBrace;
    default: return 0;
  }
}

// Where a command or what ends a sequence may begin.
void Parser::expand_aliases() {
  while (options_.aliases && expand_alias(Mode::kCommand)) {
  }
}

void Parser::skip_newlines(Mode mode) {
  while (token_ == Token::kNewline) advance(mode);
}

// Whether the current token ends the sequence. A stray closing token is reported and skipped.
bool Parser::sequence_ends(uint32_t closers, const Opener& opener) {
  expand_aliases();
  while (uint32_t found = closer()) {
    if ((found & closers) != 0) return true;
    unexpected(opener.close, &opener);
    if ((found & (enclosing_ | kEndOfInput)) != 0 || is_halted_) return true;
    advance(Mode::kCommand);
    panics_ = false;
    skip_newlines();
  }
  return false;
}

// One and-or list and what ends it. False if the sequence ends after it.
bool Parser::sequence_item(uint32_t closers) {
  Item item;
  uint32_t begin = token_begin_;
  item.command = and_or();
  if (panics_) recover();
  if (item.command == nullptr && previous_end_ > begin) item.command = broken(begin);
  item.terminator_at = token_begin_;
  switch (token_) {
    case Token::kSemicolon: item.terminator = Terminator::kSemicolon; break;
    case Token::kAmpersand: item.terminator = Terminator::kBackground; break;
    case Token::kNewline: item.terminator = Terminator::kNewline; break;
    default: item.terminator_at = previous_end_; break;
  }
  item.terminator_at = file_span(item.terminator_at, item.terminator_at).begin;
  if (item.command != nullptr) items_.push(item);
  if (item.terminator != Terminator::kNone) return true;
  if (closer() != 0) return false;
  if (closers == kAnyCloser) {  // back-quotes in dash
    Deferred deferred(*this);
    unexpected();
    at_ = size_;
    token_ = Token::kEnd;
    return false;
  }
  unexpected();
  recover();
  return true;
}

// Commands up to one of `closers`, which stays the current token. `later_closers` belong to the
// same construct but are not due yet: one of them also ends the sequence, with an error.
Sequence Parser::sequence(uint32_t closers, const Opener& opener, bool may_be_empty,
                          uint32_t later_closers) {
  uint32_t outer = enclosing_;
  enclosing_ |= closers | later_closers;
  size_t mark = items_.mark();
  skip_newlines();
  uint32_t begin = token_begin_;
  while (!sequence_ends(closers, opener)) {
    bool goes_on = sequence_item(closers);
    panics_ = false;
    if (!goes_on) continue;
    if (token_ != Token::kEnd && closer() == 0) advance(Mode::kCommand);
    do {
      skip_newlines();
      expand_aliases();
    } while (token_ == Token::kNewline);
  }
  if (items_.count(mark) == 0 && !may_be_empty && !is_halted_) unexpected({}, &opener);
  enclosing_ = outer;
  Sequence result;
  result.items = items_.take(mark, arena_);
  uint32_t end = result.items.empty() ? begin : std::max(begin, previous_end_);
  result.span = file_span(begin, end);
  return result;
}

const Command* Parser::and_or() {
  uint32_t begin = token_begin_;
  const Command* first = pipeline();
  if (token_ != Token::kAndIf && token_ != Token::kOrIf) return first;
  size_t mark = and_or_items_.mark();
  and_or_items_.push({AndOrOp::kFirst, first});
  while ((token_ == Token::kAndIf || token_ == Token::kOrIf) && !panics_) {
    AndOrOp op = token_ == Token::kAndIf ? AndOrOp::kAnd : AndOrOp::kOr;
    advance(Mode::kCommand);
    skip_newlines();
    const Command* next = pipeline();
    if (next != nullptr) and_or_items_.push({op, next});
  }
  if (first == nullptr || and_or_items_.count(mark) < 2) {  // after an error
    and_or_items_.drop(mark);
    return first;
  }
  AndOr list;
  list.items = and_or_items_.take(mark, arena_);
  return make_command(begin, list, redirections_.mark());
}

// [!] [time] command { | command }
const Command* Parser::pipeline() {
  uint32_t begin = token_begin_;
  Pipeline pipeline;
  uint32_t bangs = 0;
  read_pipeline_prefix(pipeline, bangs);
  pipeline.is_negated = bangs % 2 == 1;
  bool has_prefix = bangs > 0 || pipeline.is_timed;
  bool may_be_missing =
      has_prefix && can(Feature::kTime) &&
      (token_ == Token::kEnd || token_ == Token::kNewline || token_ == Token::kSemicolon ||
       (token_ == Token::kAmpersand && is_ksh() && bangs == 0) ||
       (token_ == Token::kRightParenthesis && is_parenthesised_ && bangs == 0));
  const Command* first = may_be_missing ? nullptr : command();
  if (!has_prefix && token_ != Token::kPipe && token_ != Token::kPipeBoth) return first;
  size_t mark = pipeline_items_.mark();
  if (first != nullptr) pipeline_items_.push({first, false});
  while ((token_ == Token::kPipe || token_ == Token::kPipeBoth) && !panics_) {
    if (token_ == Token::kPipeBoth) {
      check(Feature::kPipeErrors, file_span(token_begin_, token_end_), true);
      if (pipeline_items_.count(mark) > 0) pipeline_items_.back().pipes_errors = true;
    }
    advance(Mode::kCommand);
    skip_newlines();
    const Command* next = command();
    if (next != nullptr) pipeline_items_.push({next, false});
  }
  pipeline.items = pipeline_items_.take(mark, arena_);
  if (pipeline.items.empty() && !may_be_missing) return nullptr;
  return make_command(begin, pipeline, redirections_.mark());
}

void Parser::read_pipeline_prefix(Pipeline& pipeline, uint32_t& bangs) {
  expand_aliases();
  while (token_ == Token::kWord) {
    if (keyword_ == Keyword::kBang) {
      if (bangs++ > 0 && !can(Feature::kRepeatedBang)) return unexpected();
      advance(Mode::kCommand);
    } else if (keyword_ == Keyword::kTime && can(Feature::kTime)) {
      pipeline.is_timed = true;
      advance(Mode::kCommand);
      if (token_ == Token::kWord && word_.is_plain() && word_.literal() == "-p") {
        pipeline.time_is_posix = true;
        advance(Mode::kCommand);
      }
      if (token_ == Token::kWord && word_.is_plain() && word_.literal() == "--") {
        advance(Mode::kCommand);
      }
    } else {
      return;
    }
  }
}

const Command* Parser::command() {
  Level level(*this);
  if (level.is_too_deep()) return nullptr;
  expand_aliases();
  switch (token_) {
    case Token::kAssignment:
    case Token::kRedirection: return simple_command();
    case Token::kLeftParenthesis: return subshell();
    case Token::kWord:
      if (keyword_ == Keyword::kNone) return simple_command();
      return compound_command();
    default: unexpected(); return nullptr;
  }
}

// At a reserved word, or a word that is one in other dialects.
const Command* Parser::compound_command() {
  switch (keyword_) {
    case Keyword::kIf: return if_command();
    case Keyword::kWhile:
    case Keyword::kUntil: return while_command();
    case Keyword::kFor: return for_command();
    case Keyword::kCase: return case_command();
    case Keyword::kLeftBrace: return brace_group();
    case Keyword::kSelect:
      if (can(Feature::kSelect)) return for_command();
      break;
    case Keyword::kFunction:
      if (can(Feature::kFunctionKeyword)) return keyword_function();
      break;
    case Keyword::kLeftConditional:
      if (can(Feature::kConditional)) return conditional_command();
      lacks(Feature::kConditional, file_span(token_begin_, token_end_), false);
      break;
    case Keyword::kCoproc:
      if (can(Feature::kCoproc)) return coproc_command();
      break;
    case Keyword::kTime:
      if (!can(Feature::kTime)) break;
      return pipeline();  // bash: `a | time b`
    case Keyword::kRightConditional:
      if (is_bash()) unexpected();
      break;
    case Keyword::kBang:
      if (is_ksh()) return pipeline();  // `a | ! b`
      [[fallthrough]];
    default: unexpected(); return nullptr;
  }
  return simple_command();
}

// Arguments of these may be arrays.
bool Parser::is_declaration(const Word& word) const {
  if (!word.is_plain() || !can(Feature::kArrays)) return false;
  const BuiltinInfo* info = builtin_named(word.literal());
  return info != nullptr && info->is(kTakesArrays);
}

const Command* Parser::simple_command() {
  uint32_t begin = token_begin_;
  size_t assignments = assignments_.mark();
  size_t words = words_.mark();
  size_t redirections = redirections_.mark();
  Mode next = Mode::kCommand;
  while (!panics_) {
    if (token_ == Token::kAssignment) {
      assignments_.push(assignment_);
      advance(next);
    } else if (token_ == Token::kWord) {
      if (words_.count(words) == 0) {
        bool is_name_only =
            assignments_.count(assignments) == 0 && redirections_.count(redirections) == 0;
        if (!is_name_only && options_.aliases && expand_alias(next)) continue;
        next = is_declaration(word_) ? Mode::kDeclaration : Mode::kArgument;
        words_.push(word_);
        advance(next);
        if (token_ == Token::kLeftParenthesis && is_name_only) {
          const Word name = words_.back();
          words_.drop(words);
          return function_after_name(name, begin);
        }
        continue;
      }
      if (expand_after_blank(next)) continue;
      words_.push(word_);
      advance(next);
    } else if (token_ == Token::kRedirection) {
      read_redirection(next);
    } else {
      break;
    }
  }
  const SimpleCommand simple = {assignments_.take(assignments, arena_), words_.take(words, arena_)};
  return make_command(begin, simple, redirections);
}

// To dash a `$` in a delimiter is literal, and so the parenthesis of `$(` ends the word.
bool Parser::check_delimiter() {
  for (const Part& part : word_.parts()) {
    const bool has_parenthesis =
        part.kind == PartKind::kArithmetic ||
        (part.kind == PartKind::kCommand && part.command().form == SubstitutionForm::kDollar);
    if (!has_parenthesis) continue;
    unexpected();
    return false;
  }
  return true;
}

// At the operator; `next` is how the word after the target is read.
void Parser::read_redirection(Mode next) {
  Redirection redirection;
  redirection.op = redirect_op_;
  redirection.descriptor = redirect_descriptor_;
  redirection.variable = redirect_variable_;
  uint32_t begin = token_begin_;
  bool strips_tabs = strips_tabs_;
  advance(Mode::kTarget);
  if (token_ != Token::kWord) return unexpected();
  redirection.target = word_;
  redirection.span = file_span(begin, token_end_);
  if (redirection.op == RedirectOp::kHereDocument) {
    if (is_ash() && !check_delimiter()) return;
    HereDocument document;
    document.strips_tabs = strips_tabs;
    document.delimiter = word_without_quotes(token_begin_, token_end_);
    document.is_quoted = word_.is_quoted();
    HereDocument* stored = arena_.make(document);
    redirection.here_document = stored;
    pending_.push_back({stored, redirection.span});
  }
  redirections_.push(redirection);
  advance(next);
}

bool Parser::is_function_name(const Word& name) {
  if (!is_ash()) return true;
  return name.is_plain() && is_name(name.literal()) && !is_special_builtin(name.literal());
}

// name ( ) body: at the `(`.
const Command* Parser::function_after_name(const Word& name, uint32_t begin) {
  advance();
  if (token_ != Token::kRightParenthesis) {
    unexpected(")");
    return nullptr;
  }
  if (!is_function_name(name)) error("S010", name.span, "Syntax error: Bad function name");
  advance(Mode::kCommand);
  skip_newlines();
  std::string_view text = name.is_literal() ? name.literal() : file_.text(name.span);
  return function_body({text, name.span}, false, true, begin);
}

const Command* Parser::function_body(const Name& name, bool has_keyword, bool has_parentheses,
                                     uint32_t begin) {
  Function function;
  function.has_keyword = has_keyword;
  function.has_parentheses = has_parentheses;
  bool is_compound =
      token_ == Token::kLeftParenthesis ||
      (token_ == Token::kWord && keyword_ != Keyword::kNone && keyword_ != Keyword::kTime &&
       keyword_ != Keyword::kCoproc && keyword_ != Keyword::kFunction);
  const bool is_prefix = is_keyword(Keyword::kBang) || is_keyword(Keyword::kTime);
  if ((!is_compound && is_bash()) || (is_prefix && is_ksh())) {
    unexpected();
    return nullptr;
  }
  if (!options_.defers_bodies || !skip_body(function)) {
    function.body = command();
    if (function.body == nullptr) return nullptr;
  }
  function.name = arena_.make(name);
  return make_command(begin, function, redirections_.mark());
}

std::optional<size_t> Parser::end_of_body() const {
  if (options_.bodies != nullptr && options_.bodies->is_about(size_)) {
    if (const auto known = options_.bodies->end_of(token_begin_)) return known;
  }
  return end_of_braces(text(), token_begin_);
}

bool Parser::skip_body(Function& function) {
  if (!is_keyword(Keyword::kLeftBrace) || !pending_.empty()) return false;
  const auto end = end_of_body();
  if (!end) return false;
  function.unread = text().substr(token_begin_, *end - token_begin_);
  at_ = token_end_ = static_cast<uint32_t>(*end);
  advance(Mode::kCommand);
  return true;
}

const Command* Parser::broken(uint32_t begin) {
  return make_command(begin, Broken{}, redirections_.mark());
}

// Redirections after a compound command.
size_t Parser::trailing_redirections() {
  size_t mark = redirections_.mark();
  while (token_ == Token::kRedirection && !panics_) read_redirection(Mode::kCommand);
  return mark;
}

}  // namespace nacre::shell
