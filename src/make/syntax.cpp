#include "make/syntax.h"

#include <algorithm>
#include <array>

#include "make/text.h"

namespace nacre::make {

namespace {

// A logical line without its comment; offsets are of the whole text. Blanks, newlines and their
// backslashes between words all count as blanks.
class Line {
 public:
  Line(std::string_view text, Span span) : text_(text), at_(span.begin), end_(span.end) {}

  [[nodiscard]] bool at_end() const { return at_ >= end_; }
  [[nodiscard]] uint32_t at() const { return at_; }
  [[nodiscard]] uint32_t end() const { return end_; }
  void skip_to(uint32_t at) { at_ = at; }

  void skip_blanks() {
    while (at_ < end_ && is_gap(at_)) at_++;
  }
  // The next word, without moving.
  [[nodiscard]] Span word() const {
    uint32_t end = at_;
    while (end < end_ && !is_gap(end)) end++;
    return {at_, end};
  }
  [[nodiscard]] Span rest() const {
    uint32_t end = end_;
    while (end > at_ && is_gap(end - 1)) end--;
    return {at_, end};
  }

  [[nodiscard]] bool is_gap(uint32_t at) const {
    if (is_space(text_[at])) return true;
    return text_[at] == '\\' && (text_.substr(at + 1, end_ - at - 1).starts_with('\n') ||
                                 text_.substr(at + 1, end_ - at - 1).starts_with("\r\n"));
  }

 private:
  std::string_view text_;
  uint32_t at_, end_;
};

Span shifted(Span span, uint32_t by) { return {span.begin + by, span.end + by}; }

// A word of the assignment is over where a blank or an operator begins.
struct Operator {
  std::string_view text;
  AssignOp op;
};
constexpr std::array<Operator, 7> kOperators = {{{":::=", AssignOp::kImmediate},
                                                 {"::=", AssignOp::kPosixSimple},
                                                 {":=", AssignOp::kSimple},
                                                 {"+=", AssignOp::kAppend},
                                                 {"?=", AssignOp::kConditional},
                                                 {"!=", AssignOp::kShell},
                                                 {"=", AssignOp::kRecursive}}};

const Operator* operator_at(std::string_view text, size_t at) {
  for (const Operator& each : kOperators) {
    if (text.substr(at).starts_with(each.text)) return &each;
  }
  return nullptr;
}

bool is_conditional(std::string_view word) {
  return word == "ifdef" || word == "ifndef" || word == "ifeq" || word == "ifneq";
}

Kind directive_kind(std::string_view word) {
  if (is_conditional(word)) return Kind::kIf;
  if (word == "else") return Kind::kElse;
  if (word == "endif") return Kind::kEndif;
  if (word == "export" || word == "unexport") return Kind::kExport;
  if (word == "vpath") return Kind::kVpath;
  if (word == "include" || word == "-include" || word == "sinclude") return Kind::kInclude;
  if (word == "load" || word == "-load") return Kind::kLoad;
  return Kind::kBlank;
}

// One line after its comment was cut off.
class LineReader {
 public:
  LineReader(std::string_view text, Statement& statement, Span code)
      : text_(text), statement_(statement), code_(code), line_(text, code) {}

  void read() {
    line_.skip_blanks();
    if (line_.at_end()) return;
    if (read_assignment(line_.at())) return;
    if (read_directive()) return;
    read_rule();
  }

 private:
  [[nodiscard]] std::string_view of(Span span) const {
    return text_.substr(span.begin, span.size());
  }
  [[nodiscard]] std::string_view from(uint32_t at) const {
    return text_.substr(at, code_.end - at);
  }

  // Modifiers may stand before an assignment, and only there.
  bool read_assignment(uint32_t begin) {
    Modifiers modifiers;
    Line line = line_;
    line.skip_to(begin);
    for (line.skip_blanks(); !line.at_end(); line.skip_blanks()) {
      if (auto found = find_assignment(from(line.at()))) {
        statement_.kind = Kind::kAssign;
        statement_.modifiers = modifiers;
        set_assignment(*found, line.at());
        return true;
      }
      const Span word = line.word();
      const std::string_view name = of(word);
      line.skip_to(word.end);
      if (name == "export") {
        modifiers.exports = true;
      } else if (name == "override") {
        modifiers.overrides = true;
      } else if (name == "private") {
        modifiers.is_private = true;
      } else if (name == "define" || name == "undefine") {
        statement_.modifiers = modifiers;
        return read_named(line, word, name == "define" ? Kind::kDefine : Kind::kUndefine);
      } else {
        return false;
      }
    }
    return false;
  }

  void set_assignment(const Assignment& found, uint32_t at) {
    statement_.op = found.op;
    statement_.name = shifted(found.name, at);
    statement_.operation = shifted(found.operation, at);
    statement_.value = {at + found.value, code_.end};
  }

  // define NAME [=]; undefine NAME.
  bool read_named(Line line, Span keyword, Kind kind) {
    statement_.kind = kind;
    statement_.keyword = keyword;
    line.skip_blanks();
    statement_.name = line.rest();
    if (kind != Kind::kDefine || line.at_end()) return true;
    // The last word may be an operator, also without a blank before it.
    if (auto found = find_assignment(from(line.at()))) {
      statement_.op = found->op;
      statement_.name = shifted(found->name, line.at());
      statement_.operation = shifted(found->operation, line.at());
      statement_.value = {line.at() + found->value, line.rest().end};
    }
    return true;
  }

  bool read_directive() {
    const Span word = line_.word();
    const Kind kind = directive_kind(of(word));
    if (kind == Kind::kBlank) return false;
    statement_.kind = kind;
    statement_.keyword = word;
    line_.skip_to(word.end);
    line_.skip_blanks();
    const Span next = line_.word();
    if (kind == Kind::kElse && is_conditional(of(next))) {
      statement_.keyword = next;
      line_.skip_to(next.end);
      line_.skip_blanks();
    }
    statement_.value = line_.rest();
    return true;
  }

  void read_rule() {
    const std::string_view rest = from(line_.at());
    const size_t stop = find_unquoted(rest, ":;", true);
    statement_.kind = Kind::kExpanded;
    statement_.targets = line_.rest();
    if (stop == std::string_view::npos) return;
    if (rest[stop] == ';') {
      statement_.inline_recipe = {line_.at() + as_offset(stop) + 1, code_.end};
      return;
    }
    statement_.kind = Kind::kRule;
    uint32_t colon = line_.at() + as_offset(stop);
    const bool is_grouped = stop > 0 && rest[stop - 1] == '&';
    const bool is_double = stop + 1 < rest.size() && rest[stop + 1] == ':';
    statement_.targets = {line_.at(), colon - (is_grouped ? 1 : 0)};
    statement_.operation = {statement_.targets.end, colon + (is_double ? 2 : 1)};
    read_after_colon(statement_.operation.end);
  }

  // A target's own variable, or prerequisites and perhaps a recipe.
  void read_after_colon(uint32_t at) {
    const Span targets = statement_.targets;
    if (read_assignment(at) && statement_.kind == Kind::kAssign) {
      statement_.targets = targets;
      return;
    }
    statement_.kind = Kind::kRule;
    const std::string_view rest = from(at);
    const size_t semicolon = find_unquoted(rest, ";", true);
    Line list(text_,
              {at, semicolon == std::string_view::npos ? code_.end : at + as_offset(semicolon)});
    list.skip_blanks();
    statement_.prerequisites = list.rest();
    if (semicolon != std::string_view::npos) {
      statement_.inline_recipe = {at + as_offset(semicolon) + 1, statement_.span.end};
      while (statement_.inline_recipe.end > statement_.inline_recipe.begin &&
             (text_[statement_.inline_recipe.end - 1] == '\n' ||
              text_[statement_.inline_recipe.end - 1] == '\r')) {
        statement_.inline_recipe.end--;
      }
    }
  }

  std::string_view text_;
  Statement& statement_;
  Span code_;
  Line line_;
};

Span without_newline(std::string_view text, Span line) {
  if (!line.empty() && text[line.end - 1] == '\n') line.end--;
  if (!line.empty() && text[line.end - 1] == '\r') line.end--;
  return line;
}

bool is_keyword_line(std::string_view line, std::string_view keyword) {
  line = skip_space(line);
  if (!line.starts_with(keyword)) return false;
  line.remove_prefix(keyword.size());
  return line.empty() || is_space(line.front());
}

bool is_endef(std::string_view line) {
  if (!is_keyword_line(line, "endef")) return false;
  const std::string_view rest = skip_space(skip_space(line).substr(5));
  return rest.empty() || rest.front() == '#';
}

}  // namespace

std::optional<Assignment> find_assignment(std::string_view text) {
  size_t name_end = std::string_view::npos;
  const size_t begin = text.size() - skip_space(text).size();
  for (size_t at = begin; at < text.size(); at++) {
    const char c = text[at];
    if (c == '#') return std::nullopt;
    if (c == '$') {
      if (name_end != std::string_view::npos) return std::nullopt;
      if (at + 1 >= text.size()) return std::nullopt;
      at = reference_end(text, at) - 1;
      continue;
    }
    const bool is_continued =
        c == '\\' && at + 1 < text.size() && is_space(text[at + 1]) && !is_blank(text[at + 1]);
    if (is_space(c) || is_continued) {
      if (name_end == std::string_view::npos) name_end = at;
      continue;
    }
    if (const Operator* found = operator_at(text, at)) {
      Assignment result;
      if (name_end == std::string_view::npos) name_end = at;
      result.name = {as_offset(begin), as_offset(name_end)};
      result.operation = {as_offset(at), as_offset(at + found->text.size())};
      result.op = found->op;
      Line rest(text, {result.operation.end, as_offset(text.size())});
      rest.skip_blanks();
      result.value = rest.at();
      return result;
    }
    // Any other colon, or a second word, is no assignment.
    if (c == ':' || name_end != std::string_view::npos) return std::nullopt;
  }
  return std::nullopt;
}

uint32_t Reader::line_end(uint32_t from) const {
  const size_t newline = text_.find('\n', from);
  return newline == std::string_view::npos ? as_offset(text_.size()) : as_offset(newline + 1);
}

// With its continuations: an odd number of backslashes before the newline.
Span Reader::logical_line() const {
  uint32_t end = line_end(at_);
  while (true) {
    const Span content = without_newline(text_, {at_, end});
    if (content.end == end) break;  // the text ended without a newline
    uint32_t quotes = 0;
    while (quotes < content.size() && text_[content.end - 1 - quotes] == '\\') quotes++;
    if (quotes % 2 == 0 || end == text_.size()) break;
    end = line_end(end);
  }
  return {at_, end};
}

// Up to the `endef` that belongs to it; `define` lines within count.
void Reader::finish_define(Statement& statement) {
  const uint32_t begin = statement.span.end;
  uint32_t depth = 1;
  at_ = begin;
  while (at_ < text_.size()) {
    const Span line = logical_line();
    const std::string_view content = text_.substr(line.begin, line.size());
    at_ = line.end;
    if (content.front() == '\t') continue;
    if (is_keyword_line(content, "define")) depth++;
    if (is_endef(content) && --depth == 0) {
      statement.body = {begin, line.begin};
      statement.span.end = at_;
      return;
    }
  }
  // The lines that follow were hardly meant to be part of it: they are read on.
  statement.is_closed = false;
  statement.body = {begin, begin};
  at_ = begin;
}

std::optional<Statement> Reader::next(const ReaderState& state) {
  if (at_ >= text_.size()) return std::nullopt;
  Statement statement;
  statement.span = logical_line();
  const uint32_t mark = at_ == 0 && text_.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  at_ = statement.span.end;
  const Span content = without_newline(text_, {statement.span.begin + mark, statement.span.end});
  if (state.rule_is_open && !content.empty() && text_[content.begin] == state.recipe_prefix) {
    statement.kind = Kind::kRecipe;
    statement.body = {content.begin + 1, content.end};
    return statement;
  }
  Span code = content;
  const size_t hash = find_unquoted(text_.substr(content.begin, content.size()), "#", true);
  if (hash != std::string_view::npos) {
    code.end = content.begin + as_offset(hash);
    statement.comment = {code.end, content.end};
  }
  LineReader(text_, statement, code).read();
  if (!statement.inline_recipe.empty()) statement.comment = {};
  if (statement.kind == Kind::kDefine) finish_define(statement);
  return statement;
}

std::vector<Statement> parse(std::string_view text) {
  std::vector<Statement> statements;
  Reader reader(text);
  ReaderState state;
  while (auto statement = reader.next(state)) {
    switch (statement->kind) {
      case Kind::kRule:
      case Kind::kExpanded: state.rule_is_open = true; break;
      case Kind::kBlank:
      case Kind::kRecipe:
      case Kind::kIf:
      case Kind::kElse:
      case Kind::kEndif: break;
      default: state.rule_is_open = false;
    }
    const auto of = [&](Span span) { return text.substr(span.begin, span.size()); };
    if (statement->kind == Kind::kAssign && of(statement->name) == ".RECIPEPREFIX") {
      const std::string_view value = of(statement->value);
      state.recipe_prefix = value.empty() ? '\t' : value.front();
    }
    statements.push_back(*statement);
  }
  return statements;
}

std::string print(std::string_view text, const std::vector<Statement>& statements) {
  std::string out;
  for (const Statement& each : statements) out += text.substr(each.span.begin, each.span.size());
  return out;
}

std::vector<Span> word_spans(std::string_view text, Span list) {
  std::vector<Span> words;
  Line line(text, list);
  for (line.skip_blanks(); !line.at_end(); line.skip_blanks()) {
    const uint32_t begin = line.at();
    uint32_t at = begin;
    // Blanks within a reference do not end the word.
    while (at < list.end && !line.is_gap(at)) {
      at = text[at] == '$' ? as_offset(reference_end(text.substr(0, list.end), at)) : at + 1;
    }
    words.push_back({begin, at});
    line.skip_to(at);
  }
  return words;
}

}  // namespace nacre::make
