// What is said about mistakes, and how parsing goes on after them. Messages are worded as the
// dialect's shell words them; the notes say what it does not.
#include <fmt/format.h>

#include "base/codes.h"
#include "shell/parser.h"

namespace nacre::shell {

std::string Parser::token_text() const {
  switch (token_) {
    case Token::kEnd:
    case Token::kNewline: return std::string(text_of(token_));
    default: return std::string(view(token_begin_, token_end_));
  }
}

std::string Parser::unexpected_message(std::string_view expected) const {
  std::string token = token_text();
  if (!is_ash()) {
    if (token_ == Token::kEnd) return "syntax error: unexpected end of file";
    return fmt::format("syntax error near unexpected token `{}'", token);
  }
  bool is_named = token_ == Token::kEnd || token_ == Token::kNewline;
  if (token_ == Token::kWord && keyword_ == Keyword::kNone) {
    token = "word";
    is_named = true;
  }
  std::string result = is_named ? fmt::format("Syntax error: {} unexpected", token)
                                : fmt::format("Syntax error: \"{}\" unexpected", token);
  if (!expected.empty()) result += fmt::format(" (expecting \"{}\")", expected);
  return result;
}

std::string Parser::unclosed_message(std::string_view what, std::string_view close) const {
  if (!is_ash()) {
    return fmt::format("unexpected EOF while looking for matching `{}'", close.back());
  }
  if (what == "`") return "Syntax error: EOF in backquote substitution";
  if (close == "}" || close == "))") return fmt::format("Syntax error: Missing '{}'", close);
  return "Syntax error: Unterminated quoted string";
}

std::string Parser::bad_loop_variable() const {
  return is_ash() ? "Syntax error: Bad for loop variable" : unexpected_message({});
}

void Parser::error(std::string_view code, Span span, std::string message) {
  if (panics_ || is_halted_) return;
  panics_ = true;
  if (may_report(span)) {
    diagnostics_.push_back(finding(code, file_, span, std::move(message), Confidence::kCertain));
    if (deferred_ > 0) diagnostics_.back().severity = Severity::kWarning;
  }
  if (deferred_ > 0) return;
  is_valid_ = false;
  if (!recovers_) end_attempt();
}

// Without recovery an error ends the parse, unless a tentative reading may still be given up.
void Parser::end_attempt() {
  if (is_valid_ || recovers_ || attempts_ > 0) return;
  is_halted_ = true;
  end_is_reported_ = true;
  at_ = size_;
}

// False when enough was reported; the first time, that is said.
bool Parser::may_report(Span span) {
  if (diagnostics_.size() < options_.max_findings) return true;
  if (diagnostics_.size() == options_.max_findings) {
    diagnostics_.push_back(finding("S010", file_, span,
                                   "too many findings: what follows is not reported",
                                   Confidence::kCertain));
  }
  return false;
}

void Parser::unexpected(std::string_view expected, const Opener* opener) {
  bool is_end = token_ == Token::kEnd;
  if (panics_ || (is_end && end_is_reported_)) {
    panics_ = true;
    return;
  }
  bool is_open = opener != nullptr && !opener->what.empty();
  Span span = is_end && is_open ? opener->span : file_span(token_begin_, token_end_);
  size_t before = diagnostics_.size();
  error(is_end && is_open ? "S011" : "S010", span, unexpected_message(expected));
  if (is_end) end_is_reported_ = true;
  if (is_open && !expected.empty() && diagnostics_.size() > before) {
    diagnostics_.back().notes.push_back(
        {file_, opener->span,
         fmt::format("this `{}` on line {} has no `{}`", opener->what,
                     file_.line_of(opener->span.begin), expected)});
  }
}

void Parser::unclosed(std::string_view what, std::string_view close, Span opened) {
  if (end_is_reported_) return;
  size_t before = diagnostics_.size();
  error("S012", opened, unclosed_message(what, close));
  end_is_reported_ = true;
  if (diagnostics_.size() > before) {
    diagnostics_.back().notes.push_back({file_, opened,
                                         fmt::format("this `{}` on line {} has no closing `{}`",
                                                     what, file_.line_of(opened.begin), close)});
  }
}

// Not an error to any shell: the body ends with the file, which is hardly ever meant.
void Parser::missing_delimiter(const PendingHereDocument& pending) {
  if (!recovers_ || is_halted_ || !may_report(pending.delimiter)) return;
  diagnostics_.push_back(finding("S013", file_, pending.delimiter,
                                 fmt::format("here-document delimited by end-of-file (wanted `{}')",
                                             pending.document->delimiter)));
}

void Parser::lacks(Feature feature, Span span, bool is_error) {
  if (is_halted_ || (!recovers_ && !is_error)) return;
  bool counts = is_error && deferred_ == 0;
  if (counts) is_valid_ = false;
  bool leaves_room = counts || diagnostics_.size() < options_.max_findings / 2;
  if (!leaves_room || !may_report(span)) return;
  diagnostics_.push_back(
      finding("P001", file_, span,
              fmt::format("{} does not have {}", name_of(options_.dialect), name_of(feature))));
  diagnostics_.back().confidence = Confidence::kCertain;
  if (!counts) return;
  diagnostics_.back().severity = Severity::kError;
  end_attempt();
}

// Skips to where a new command may begin.
void Parser::recover() {
  while (token_ != Token::kNewline && token_ != Token::kSemicolon && token_ != Token::kEnd &&
         closer() != kCaseArmEnd &&
         !(token_ == Token::kRightParenthesis && (enclosing_ & kCloseParenthesis) != 0)) {
    advance();
  }
  panics_ = false;
}

void Parser::halt_too_deep() {
  if (is_halted_) return;
  panics_ = false;
  error("S014", file_span(std::min(at_, size_), std::min(at_, size_)),
        fmt::format("nested more than {} levels deep", options_.max_depth));
  is_valid_ = false;
  halt();
}

// Ends everything: nothing more is read.
void Parser::halt() {
  is_halted_ = true;
  end_is_reported_ = true;
  at_ = size_;
}

Parser::Checkpoint Parser::checkpoint() const {
  return {at_,     diagnostics_.size(), comments_.size(), is_valid_, end_is_reported_, panics_,
          pending_};
}

void Parser::restore(const Checkpoint& checkpoint) {
  if (is_halted_) return;
  at_ = checkpoint.at;
  diagnostics_.resize(checkpoint.diagnostics);
  comments_.resize(checkpoint.comments);
  pending_ = checkpoint.pending;
  is_valid_ = checkpoint.is_valid;
  end_is_reported_ = checkpoint.end_is_reported;
  panics_ = checkpoint.panics;
}

}  // namespace nacre::shell
