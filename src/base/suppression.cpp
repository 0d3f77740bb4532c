#include "base/suppression.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <optional>
#include <string_view>

#include "base/codes.h"

namespace nacre {

namespace {

constexpr std::string_view kBlank = " \t";

std::string_view trim(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlank), text.size()));
  return text.substr(0, text.find_last_not_of(kBlank) + 1);
}

bool take_prefix(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

// "# nacre VERB=CODES -- reason", taken apart; nothing when the comment is no directive of ours.
struct Directive {
  std::string_view verb;
  std::vector<std::string_view> codes;
  bool is_shellcheck = false;
  bool is_well_formed = false;
};

std::vector<std::string_view> split_codes(std::string_view list) {
  std::vector<std::string_view> codes;
  for (size_t begin = 0; begin <= list.size();) {
    size_t end = std::min(list.find(',', begin), list.size());
    codes.push_back(trim(list.substr(begin, end - begin)));
    begin = end + 1;
  }
  return codes;
}

// ShellCheck allows several key=value in one directive; only disable= is ours to read.
std::optional<Directive> read_shellcheck(std::string_view text) {
  while (!(text = trim(text)).empty() && text[0] != '#') {
    size_t end = std::min(text.find_first_of(kBlank), text.size());
    std::string_view word = text.substr(0, end);
    if (take_prefix(word, "disable=")) return Directive{"disable", split_codes(word), true, true};
    text.remove_prefix(end);
  }
  return std::nullopt;
}

std::optional<Directive> read_directive(std::string_view comment) {
  comment.remove_prefix(1);
  comment = trim(comment);
  if (take_prefix(comment, "shellcheck ")) return read_shellcheck(comment);
  if (!take_prefix(comment, "nacre ") && !take_prefix(comment, "nacre:")) return std::nullopt;
  comment = trim(comment);
  if (!comment.starts_with("disable")) return std::nullopt;  // another verb, or a sentence
  Directive directive;
  directive.verb = comment.substr(0, comment.find_first_of("= \t"));
  comment = trim(comment.substr(directive.verb.size()));
  if (!take_prefix(comment, "=")) return directive;
  comment = trim(comment.substr(0, comment.find("--")));
  directive.is_well_formed =
      !comment.empty() && comment.find_first_of(kBlank) == std::string_view::npos;
  directive.codes = split_codes(comment);
  return directive;
}

bool is_own_line(const SourceFile& file, Span comment) {
  Span line = file.line_span(file.line_of(comment.begin));
  return trim(file.text({line.begin, comment.begin})).empty();
}

bool is_comment_or_blank(std::string_view line) {
  line = trim(line);
  return line.empty() || line[0] == '#';
}

uint32_t last_continuation(const SourceFile& file, uint32_t line) {
  while (line < file.line_count() && file.text(file.line_span(line)).ends_with('\\')) line++;
  return line;
}

// The last line of the largest statement that begins on `line`.
uint32_t end_of_statement(const SourceFile& file, const Layout& layout, uint32_t line) {
  uint32_t last = last_continuation(file, line);
  auto first = std::lower_bound(
      layout.statements.begin(), layout.statements.end(), file.line_span(line).begin,
      [](Span statement, uint32_t offset) { return statement.begin < offset; });
  for (auto it = first; it != layout.statements.end() && file.line_of(it->begin) == line; ++it) {
    if (!it->empty()) last = std::max(last, file.line_of(it->end - 1));
  }
  return last;
}

// The lines that are neither blank nor a comment.
std::vector<uint32_t> find_code_lines(const SourceFile& file) {
  std::vector<uint32_t> lines;
  for (uint32_t line = 1; line <= file.line_count(); line++) {
    if (!is_comment_or_blank(file.text(file.line_span(line)))) lines.push_back(line);
  }
  return lines;
}

class Reader {
 public:
  Reader(const SourceFile& file, const Layout& layout, size_t max_directives)
      : file_(file), layout_(layout), max_directives_(max_directives) {}

  Suppressions read() {
    for (Span comment : layout_.comments) {
      auto directive = read_directive(file_.text(comment));
      if (!directive) continue;
      if (result_.list.size() + result_.mistakes.size() >= max_directives_) {
        mistake(comment, "too many directives: this one and all later ones are ignored");
        break;
      }
      if (code_lines_.empty()) code_lines_ = find_code_lines(file_);
      take(comment, *directive);
    }
    for (const Suppression& open : open_)
      mistake(open.directive, "disable-begin without disable-end");
    return std::move(result_);
  }

 private:
  void mistake(Span comment, std::string message) {
    result_.mistakes.push_back(
        finding("S007", file_, comment, std::move(message), Confidence::kCertain));
  }

  void take(Span comment, const Directive& directive) {
    if (!directive.is_well_formed) {
      mistake(comment, "expected `# nacre disable=CODE -- reason`");
      return;
    }
    for (std::string_view code : directive.codes) {
      if (!directive.is_shellcheck && !is_code_pattern(code)) {
        mistake(comment, fmt::format("unknown code '{}'", code));
      } else {
        take_code(comment, directive, code);
      }
    }
  }

  void take_code(Span comment, const Directive& directive, std::string_view code) {
    Suppression made{
        .directive = comment,
        .pattern = std::string(code),
        .is_shellcheck = directive.is_shellcheck,
        .is_alone = directive.codes.size() == 1 && !directive.verb.starts_with("disable-")};
    uint32_t line = file_.line_of(comment.begin);
    if (directive.verb == "disable") {
      set_reach(made, line);
    } else if (directive.verb == "disable-begin") {
      made.first_line = line;
      open_.push_back(std::move(made));
      return;
    } else if (directive.verb == "disable-end") {
      close(comment, code, line);
      return;
    } else if (directive.verb != "disable-file") {
      mistake(comment, fmt::format("unknown directive '{}'", directive.verb));
      return;
    }
    result_.list.push_back(std::move(made));
  }

  void set_reach(Suppression& made, uint32_t line) const {
    if (!is_own_line(file_, made.directive)) {
      made.first_line = made.last_line = line;
      return;
    }
    auto next = std::upper_bound(code_lines_.begin(), code_lines_.end(), line);
    // ShellCheck: a directive before the first command holds for the whole file.
    if (made.is_shellcheck && next == code_lines_.begin()) return;
    made.first_line = next == code_lines_.end() ? line : *next;
    made.last_line = end_of_statement(file_, layout_, made.first_line);
  }

  void close(Span comment, std::string_view code, uint32_t line) {
    auto open = std::find_if(open_.rbegin(), open_.rend(),
                             [&](const Suppression& each) { return each.pattern == code; });
    if (open == open_.rend()) {
      mistake(comment, fmt::format("disable-end without disable-begin for '{}'", code));
      return;
    }
    open->last_line = line;
    result_.list.push_back(std::move(*open));
    open_.erase(std::next(open).base());
  }

  const SourceFile& file_;
  const Layout& layout_;
  size_t max_directives_;
  std::vector<uint32_t> code_lines_;
  Suppressions result_;
  std::vector<Suppression> open_;
};

// "SC2086" -> 2086; 0 when it is no such code.
unsigned shellcheck_number(std::string_view text) {
  if (text.starts_with("SC")) text.remove_prefix(2);
  unsigned number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? number : 0;
}

bool has_twin(std::string_view code, std::string_view pattern) {
  const Code* known = find_code(code);
  if (known == nullptr) return false;
  if (pattern == "all") return !known->shellcheck_twins.empty();
  size_t dash = pattern.find('-');
  unsigned first = shellcheck_number(pattern.substr(0, dash));
  unsigned last =
      dash == std::string_view::npos ? first : shellcheck_number(pattern.substr(dash + 1));
  return std::any_of(known->shellcheck_twins.begin(), known->shellcheck_twins.end(),
                     [&](std::string_view twin) {
                       unsigned number = shellcheck_number(twin);
                       return number != 0 && first <= number && number <= last;
                     });
}

// BuildKit's "all" is all of its own checks, whose names are words.
bool answers_to(const Diagnostic& diagnostic, std::string_view name) {
  const auto fits = [&](const std::string& alias) {
    const bool is_word = alias.find_first_of("0123456789") == std::string::npos;
    return alias == name || (name == "all" && is_word);
  };
  return diagnostic.code == name || has_twin(diagnostic.code, name) ||
         std::any_of(diagnostic.aliases.begin(), diagnostic.aliases.end(), fits);
}

bool ends_word(std::string_view text) {
  return text.empty() || std::string_view(" \t;&|()").find(text.back()) != std::string_view::npos;
}

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t") == std::string_view::npos;
}

}  // namespace

Layout guess_layout(const SourceFile& file, CommentStyle style) {
  Layout layout;
  std::string_view bytes = file.bytes();
  for (size_t at = bytes.find('#'); at != std::string_view::npos; at = bytes.find('#', at)) {
    size_t end = std::min(bytes.find('\n', at), bytes.size());
    const Span line = file.line_span(file.line_of(static_cast<uint32_t>(at)));
    const std::string_view before = bytes.substr(line.begin, at - line.begin);
    const bool is_comment = style == CommentStyle::kHash ? ends_word(before) : is_blank(before);
    if (is_comment) layout.comments.push_back({static_cast<uint32_t>(at), line.end});
    // In a line that does not begin with a `#`, none of those after it begins a comment, either.
    at = is_comment || style == CommentStyle::kHashLine ? end : at + 1;
  }
  return layout;
}

bool Suppression::reaches(const Diagnostic& diagnostic) const {
  uint32_t line = diagnostic.file.line_of(diagnostic.span.begin);
  if (line < first_line || line > last_line) return false;
  if (is_shellcheck) return has_twin(diagnostic.code, pattern);
  if (is_alias) return answers_to(diagnostic, pattern);
  return pattern == "all" || diagnostic.code.starts_with(pattern);
}

Suppressions find_suppressions(const SourceFile& file, const Layout& layout,
                               size_t max_directives) {
  return Reader(file, layout, max_directives).read();
}

}  // namespace nacre
