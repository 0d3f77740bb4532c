#include <cstring>

#include "shell/parser_scopes.h"

namespace nacre::shell {

// The delimiter as the body is compared with it: quotes removed, nothing expanded.
std::string_view Parser::word_without_quotes(uint32_t begin, uint32_t end) {
  std::string plain;
  char quote = '\0';
  for (uint32_t i = begin; i < end; i++) {
    char c = text_[i];
    bool next_matters = i + 1 < end && (quote == '\0' || text_[i + 1] == '"' ||
                                        text_[i + 1] == '\\' || text_[i + 1] == '$');
    if (c == '\\' && quote != '\'' && next_matters) {
      if (text_[++i] != '\n') plain += text_[i];
    } else if (quote == '\0' && (c == '\'' || c == '"')) {
      quote = c;
    } else if (c == quote && quote != '\0') {
      quote = '\0';
    } else {
      plain += c;
    }
  }
  return arena_.copy(plain);
}

// After the newline: the bodies of all here-documents whose operators stood before it.
void Parser::read_here_documents() {
  std::vector<PendingHereDocument> pending;
  pending.swap(pending_);
  for (const PendingHereDocument& next : pending) read_here_document(next);
}

namespace {

// Whether the newline after the line does not count, in an unquoted body.
bool continues(std::string_view line) {
  size_t backslashes = 0;
  while (backslashes < line.size() && line[line.size() - 1 - backslashes] == '\\') backslashes++;
  return backslashes % 2 == 1;
}

// The lines that the next one continues. bash joins them before it compares with the delimiter;
// dash and busybox only skip those that are nothing but a backslash; ksh93 does not end there.
struct ContinuedLines {
  bool is_open = false;
  bool are_bare = true;
  std::string text;

  void add(std::string_view line, std::string_view stripped) {
    is_open = true;
    are_bare = are_bare && line == "\\";
    text += stripped.substr(0, stripped.size() - 1);
  }
  [[nodiscard]] bool may_end(Dialect dialect) const {
    if (!is_open || dialect == Dialect::kBash) return true;
    return are_bare && dialect != Dialect::kKsh;
  }
};

}  // namespace

void Parser::read_here_document(const PendingHereDocument& pending) {
  HereDocument& document = *pending.document;
  const uint32_t begin = at_;
  uint32_t end = at_;
  document.is_terminated = false;
  ContinuedLines continued;
  while (!is_at_end()) {
    const void* found = std::memchr(text_ + at_, '\n', size_ - at_);
    if (found == nullptr && more_text()) continue;
    uint32_t line_end =
        found == nullptr ? size_ : static_cast<uint32_t>(static_cast<const char*>(found) - text_);
    uint32_t start = at_;
    const bool strips_tabs = document.strips_tabs && continued.text.empty();
    while (strips_tabs && start < line_end && text_[start] == '\t') start++;
    const std::string_view line = view(start, line_end);
    const std::string_view whole_line = view(at_, line_end);
    if (!continued.is_open) end = at_;
    at_ = found == nullptr ? size_ : line_end + 1;
    if (continued.may_end(options_.dialect) && document.delimiter.starts_with(continued.text) &&
        line == document.delimiter.substr(continued.text.size())) {
      document.is_terminated = true;
      document.end_span = file_span(end, line_end);
      break;
    }
    if (!is_ash() && is_parenthesised_ && line.starts_with(document.delimiter) &&
        line.find(')', document.delimiter.size()) != line.npos) {
      // bash and ksh: `E)` at the end of `$(cat <<E` closes both.
      at_ = start + static_cast<uint32_t>(document.delimiter.size());
      document.is_terminated = true;
      document.end_span = file_span(end, at_);
      break;
    }
    if (!document.is_quoted && continues(line)) {
      continued.add(whole_line, line);
    } else {
      continued = {};
    }
  }
  if (!document.is_terminated) {
    end = size_;
    document.end_span = file_span(size_, size_);
    missing_delimiter(pending);
  }
  document.span = file_span(begin, end);
  read_here_document_body(document, begin, end);
}

// A piece of the text in a buffer that ends with a NUL.
std::string_view Parser::copy_text(uint32_t begin, uint32_t end, TextMap& map) {
  map.add_copy(0, begin);
  return keep_text(std::string(view(begin, end)));
}

// The same without the tabs that `<<-` removes. After a line that goes on they stay.
std::string_view Parser::copy_without_tabs(uint32_t begin, uint32_t end, bool is_quoted,
                                           TextMap& map) {
  std::string body;
  body.reserve(end - begin + 1);
  bool is_continued = false;
  for (uint32_t at = begin; at < end;) {
    while (!is_continued && at < end && text_[at] == '\t') at++;
    map.add_copy(static_cast<uint32_t>(body.size()), at);
    const void* found = std::memchr(text_ + at, '\n', end - at);
    const uint32_t line_end =
        found == nullptr ? end : static_cast<uint32_t>(static_cast<const char*>(found) - text_);
    is_continued = !is_quoted && continues(view(at, line_end));
    const uint32_t next = std::min(line_end + 1, end);
    body.append(view(at, next));
    at = next;
  }
  if (body.empty()) map.add_copy(0, begin);
  return keep_text(std::move(body));
}

std::string_view Parser::keep_text(std::string text) {
  text += '\0';
  const std::string_view copy = arena_.copy(text);
  return copy.substr(0, copy.size() - 1);
}

void Parser::read_here_document_body(HereDocument& document, uint32_t begin, uint32_t end) {
  std::string_view body = view(begin, end);
  bool is_literal =
      document.is_quoted || body.find_first_of(std::string_view("$`\\")) == std::string_view::npos;
  size_t mark = parts_.mark();
  if (is_literal && !document.strips_tabs) {
    if (begin < end) push_part(PartKind::kLiteral, document.span, body);
    document.body = finish_word(mark, document.span);
    return;
  }
  auto map = std::make_unique<TextMap>(map_);
  body = document.strips_tabs ? copy_without_tabs(begin, end, document.is_quoted, *map)
                              : copy_text(begin, end, *map);
  if (is_literal) {
    if (!body.empty()) push_part(PartKind::kLiteral, document.span, body);
    document.body = finish_word(mark, document.span);
    return;
  }
  maps_.push_back(std::move(map));
  Level level(*this);
  if (level.is_too_deep()) return;
  Inner inner(*this);
  Deferred deferred(*this, is_bash() || is_ksh());
  Nested nested(*this, body, 0, maps_.back().get());
  read_here_parts();
  end_here_documents();
  document.body = finish_word(mark, document.span);
}

// Like within double quotes, but a quote is an ordinary character.
void Parser::read_here_parts() {
  while (true) {
    uint32_t run = at_;
    while (!is(text_[at_], kStopsDouble)) at_++;
    push_literal(run, at_);
    char c = text_[at_];
    if (at_ >= size_) return;
    if (c == '\\' && byte(1) != '"') {
      read_escape(true, false);
    } else if (c == '$') {
      read_dollar(true);
    } else if (c == '`') {
      read_backquoted(true);
    } else {
      push_literal(at_, at_ + 1);
      at_++;
    }
  }
}

}  // namespace nacre::shell
