// sed scripts to sed_program.h. The text is read as GNU sed reads it, a command at a time; where a
// command ends depends on which it is.
#include <fmt/core.h>
#include <map>
#include <utility>

#include "base/ascii.h"
#include "commands/sed_program.h"

namespace nacre::sed {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }
bool is_space(char c) { return is_blank(c) || (c >= '\n' && c <= '\r'); }

class ScriptParser {
 public:
  ScriptParser(std::string_view text, bool sandboxed) : text_(text), sandboxed_(sandboxed) {}

  Result<Program> run() {
    program_.starts_with_n = text_ == "#n" || text_.starts_with("#n\n");
    while (!error_ && skip_to_command()) command();
    if (!error_ && !open_blocks_.empty())
      fail_at(program_.commands[open_blocks_.back()].span, "unmatched `{'");
    if (!error_) resolve_labels();
    if (error_) return tl::unexpected<Error>(*error_);
    return std::move(program_);
  }

 private:
  [[nodiscard]] bool at_end() const { return at_ >= text_.size(); }
  [[nodiscard]] char peek(size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  [[nodiscard]] uint32_t here() const { return static_cast<uint32_t>(at_); }

  void fail_at(Span span, std::string message) {
    if (!error_) error_ = Error{span, std::move(message)};
  }
  void fail(std::string message) {
    const auto end = static_cast<uint32_t>(std::min(at_ + 1, text_.size()));
    fail_at({std::min(here(), end), end}, std::move(message));
  }

  void skip_blanks() {
    while (!at_end() && is_blank(peek())) at_++;
  }
  void skip_spaces() {
    while (!at_end() && is_space(peek())) at_++;
  }
  bool skip_to_command() {
    while (!at_end() && (is_space(peek()) || peek() == ';')) at_++;
    return !at_end();
  }

  uint64_t number() {
    uint64_t value = 0;
    while (is_digit(peek())) {
      const auto digit = static_cast<uint64_t>(text_[at_++] - '0');
      value = value > (UINT64_MAX - digit) / 10 ? UINT64_MAX : value * 10 + digit;
    }
    return value;
  }

  // --- addresses

  std::optional<Address> address(bool is_second) {
    Address result;
    if (is_digit(peek())) {
      result.line = number();
      skip_blanks();
      if (peek() == '~' && !is_second) {
        at_++;
        result.kind = Address::Kind::kStep;
        result.step = number();
      }
      return result;
    }
    if (is_second && (peek() == '+' || peek() == '~')) {
      result.kind = peek() == '+' ? Address::Kind::kPlus : Address::Kind::kMultiple;
      at_++;
      result.line = number();
      return result;
    }
    if (peek() == '$') {
      at_++;
      result.kind = Address::Kind::kLast;
      return result;
    }
    if (peek() == '/' || peek() == '\\') {
      if (text_[at_++] == '\\' && at_end()) fail("unterminated address regex");
      result.kind = Address::Kind::kPattern;
      result.pattern = delimited_pattern("unterminated address regex");
      while (peek() == 'I' || peek() == 'M') {
        (peek() == 'I' ? result.pattern.ignores_case : result.pattern.is_multiline) = true;
        at_++;
      }
      return result;
    }
    return std::nullopt;
  }

  void addresses(Command& command) {
    command.first = address(false);
    if (!command.first || error_) return;
    skip_blanks();
    if (peek() == ',') {
      at_++;
      skip_blanks();
      command.second = address(true);
      if (!command.second) return fail("unexpected `,'");
    }
    const bool first_is_zero =
        command.first->kind == Address::Kind::kLine && command.first->line == 0;
    if (first_is_zero && (!command.second || command.second->kind != Address::Kind::kPattern)) {
      fail("invalid usage of line address 0");
    }
  }

  // --- what stands between delimiters

  // Reads up to `delimiter`, which a backslash makes a plain character. In a pattern a bracket
  // expression hides it too, as in GNU sed 4.9, and a newline ends the search.
  std::optional<std::string> until(char delimiter, bool is_pattern) {
    std::string out;
    while (!at_end()) {
      const char c = peek();
      if (c == '\n' && is_pattern) return std::nullopt;
      if (c == delimiter) {
        at_++;
        return out;
      }
      if (c == '\\') {
        if (!escape(delimiter, out)) return std::nullopt;
      } else if (c == '[' && is_pattern) {
        bracket(delimiter, out);
      } else {
        out += text_[at_++];
      }
    }
    return std::nullopt;
  }

  // `s|a\|b|c|`: the backslash goes, and what is left keeps its meaning in the regular expression.
  bool escape(char delimiter, std::string& out) {
    if (at_ + 1 >= text_.size()) return false;
    // `s&x&\&&` puts a plain & there: without its backslash it would be the match.
    if (peek(1) != delimiter || delimiter == '&') out += '\\';
    out += peek(1);
    at_ += 2;
    return true;
  }

  void bracket(char delimiter, std::string& out) {
    const auto copy = [&] { out += text_[at_++]; };
    copy();
    if (peek() == '^') copy();
    if (peek() == ']') copy();
    while (!at_end() && peek() != ']' && peek() != '\n') {
      const char kind = peek(1);
      const bool is_class = peek() == '[' && (kind == ':' || kind == '.' || kind == '=');
      const size_t close =
          is_class ? text_.find(std::string{kind, ']'}, at_ + 2) : std::string_view::npos;
      if (close != std::string_view::npos) {
        while (at_ < close + 2) copy();
      } else if (peek() == '\\' && peek(1) == delimiter) {
        escape(delimiter, out);
      } else {
        copy();
      }
    }
    if (peek() == ']') copy();
  }

  // The delimiter is the character at hand for `\c…c`, or the `/` that was just taken.
  Pattern delimited_pattern(std::string message) {
    const char delimiter = text_[at_ - 1] == '\\' ? text_[at_++] : '/';
    if (delimiter == '\n' || delimiter == '\\') fail("unterminated address regex");
    const uint32_t begin = here();
    auto source = until(delimiter, true);
    if (!source) {
      fail_at({begin, static_cast<uint32_t>(text_.size())}, std::move(message));
      return {};
    }
    return {{begin, here() - 1}, std::move(*source), false, false};
  }

  // --- commands

  void command() {
    Command result;
    const uint32_t begin = here();
    addresses(result);
    skip_spaces();
    while (peek() == '!') {
      if (std::exchange(result.is_negated, true)) fail("multiple `!'s");
      at_++;
      skip_spaces();
    }
    if (error_) return;
    if (at_end()) return fail("missing command");
    result.name = text_[at_++];
    arguments(result, begin);
    result.span = {begin, here()};
    if (!error_ && result.name != '#') program_.commands.push_back(std::move(result));
  }

  void arguments(Command& command, uint32_t begin) {
    switch (command.name) {
      case '#':
        if (command.first) return fail("comments don't accept any addresses");
        at_ = std::min(text_.find('\n', at_), text_.size());
        return;
      case ':': return label_definition(command);
      case '{': open_blocks_.push_back(program_.commands.size()); return;
      case '}': return close_block(command, begin);
      case '=':
      case 'd':
      case 'D':
      case 'F':
      case 'g':
      case 'G':
      case 'h':
      case 'H':
      case 'n':
      case 'N':
      case 'p':
      case 'P':
      case 'x':
      case 'z': return end_of_command();
      case 'a':
      case 'i':
      case 'c': return added_text(command);
      case 'b':
      case 't':
      case 'T': command.text = word(); return end_of_command();
      case 'e':
        skip_blanks();
        command.text = rest_of_line();
        return refuse_in_sandbox();
      case 'r':
      case 'R':
      case 'w':
      case 'W': return file_name(command);
      case 'q':
      case 'Q':
        if (command.second) return fail("command only uses one address");
        return optional_number(command);
      case 'l':
      case 'L': return optional_number(command);
      case 's': substitution(command.substitution); return use_last_pattern(command);
      case 'v': word(); return end_of_command();
      case 'y': return transliteration(command);
      default: at_--; return fail(fmt::format("unknown command: `{}'", command.name));
    }
  }

  void end_of_command() {
    skip_blanks();
    if (peek() == '\r') at_++;
    if (at_end() || peek() == '\n' || peek() == ';') return;
    if (peek() != '}' && peek() != '#') fail("extra characters after command");
  }

  void refuse_in_sandbox() {
    if (sandboxed_) fail("e/r/w commands disabled in sandbox mode");
  }

  std::string rest_of_line() {
    const size_t end = std::min(text_.find('\n', at_), text_.size());
    std::string out(text_.substr(at_, end - at_));
    at_ = end;
    return out;
  }
  std::string word() {
    skip_blanks();
    const size_t begin = at_;
    while (!at_end() && !is_space(peek()) && peek() != ';' && peek() != '}') at_++;
    return std::string(text_.substr(begin, at_ - begin));
  }

  void optional_number(Command& command) {
    skip_blanks();
    if (is_digit(peek())) command.number = number();
    end_of_command();
  }

  // A label of `:` runs to a blank or `;`, and may hold a `}`.
  void label_definition(Command& command) {
    if (command.first) return fail(": doesn't want any addresses");
    skip_blanks();
    const size_t begin = at_;
    while (!at_end() && !is_space(peek()) && peek() != ';') at_++;
    command.text = text_.substr(begin, at_ - begin);
    if (command.text.empty()) return fail("\":\" lacks a label");
    labels_.emplace(command.text, program_.commands.size());
  }

  void close_block(Command& command, uint32_t begin) {
    if (open_blocks_.empty()) return fail_at({begin, here()}, "unexpected `}'");
    if (command.first) return fail_at({begin, here()}, "} doesn't want any addresses");
    program_.commands[open_blocks_.back()].target = program_.commands.size() + 1;
    open_blocks_.pop_back();
    end_of_command();
  }

  void file_name(Command& command) {
    skip_blanks();
    command.text = rest_of_line();
    if (command.text.empty()) return fail("missing filename in r/R/w/W commands");
    refuse_in_sandbox();
  }

  // `a\` newline text, and GNU's `a text`. In the text a backslash quotes the next character, and
  // before a newline it lets the text go on.
  void added_text(Command& command) {
    skip_blanks();
    if (at_end()) return fail("expected \\ after `a', `c' or `i'");
    if (peek() == '\\') {
      at_++;
      skip_blanks();
      if (at_end()) return;  // GNU adds no line then, but the newline that the last one may lack
      if (peek() == '\n') at_++;
    }
    while (!at_end() && peek() != '\n') {
      if (peek() == '\\' && at_ + 1 < text_.size()) at_++;
      command.text += text_[at_++];
    }
    command.text += '\n';
  }

  // An empty pattern is the last one that was used: after one address, that of the address.
  static void use_last_pattern(Command& command) {
    Pattern& pattern = command.substitution.pattern;
    if (!pattern.source.empty() || command.second || !command.first) return;
    if (command.first->kind == Address::Kind::kPattern) pattern = command.first->pattern;
  }

  void substitution(Substitution& result) {
    const char delimiter = peek();
    if (at_end() || delimiter == '\n' || delimiter == '\\') return fail("unterminated `s' command");
    const uint32_t pattern_begin = static_cast<uint32_t>(++at_);
    auto pattern = until(delimiter, true);
    const uint32_t replacement_begin = here();
    auto replacement = pattern ? until(delimiter, false) : std::nullopt;
    if (!replacement) {
      return fail_at({pattern_begin, static_cast<uint32_t>(text_.size())},
                     "unterminated `s' command");
    }
    result.pattern = {{pattern_begin, replacement_begin - 1}, std::move(*pattern), false, false};
    result.replacement_span = {replacement_begin, here() - 1};
    result.replacement = std::move(*replacement);
    substitution_flags(result);
  }

  void substitution_flags(Substitution& result) {
    bool has_number = false;
    const auto once = [this](bool& flag, char name) {
      if (std::exchange(flag, true))
        fail(fmt::format("multiple `{}' options to `s' command", name));
      at_++;
    };
    while (!error_) {
      switch (peek()) {
        case 'i':
        case 'I':
          result.pattern.ignores_case = true;
          at_++;
          break;
        case 'm':
        case 'M':
          result.pattern.is_multiline = true;
          at_++;
          break;
        case 'e':
          result.executes = true;
          at_++;
          refuse_in_sandbox();
          break;
        case 'p': once(result.prints, 'p'); break;
        case 'g': once(result.is_global, 'g'); break;
        case 'w':
          at_++;
          skip_blanks();
          result.file = rest_of_line();
          if (result.file->empty()) fail("missing filename in r/R/w/W commands");
          return refuse_in_sandbox();
        case '0':
        case '1':
        case '2':
        case '3':
        case '4':
        case '5':
        case '6':
        case '7':
        case '8':
        case '9':
          if (std::exchange(has_number, true))
            return fail("multiple number options to `s' command");
          result.occurrence = number();
          if (result.occurrence == 0) return fail("number option to `s' command may not be zero");
          break;
        case ' ':
        case '\t': at_++; break;  // GNU sed lets blanks stand among the flags
        default: {
          const bool ends =
              at_end() || is_space(peek()) || peek() == ';' || peek() == '}' || peek() == '#';
          if (!ends) fail("unknown option to `s'");
          return;
        }
      }
    }
  }

  void transliteration(Command& command) {
    const char delimiter = peek();
    if (at_end() || delimiter == '\n' || delimiter == '\\') return fail("unterminated `y' command");
    at_++;
    auto from = until(delimiter, false);
    auto to = from ? until(delimiter, false) : std::nullopt;
    if (!to) return fail("unterminated `y' command");
    command.from = unescape(*from);
    command.to = unescape(*to);
    if (command.from.size() != command.to.size())
      return fail("strings for `y' command are different lengths");
    end_of_command();
  }

  static std::string unescape(std::string_view text) {
    std::string out;
    for (size_t i = 0; i < text.size(); i++) {
      const char next = text[i] == '\\' && i + 1 < text.size() ? text[i + 1] : '\0';
      if (next == '\\' || next == 'n' || next == '\n') {
        out += next == '\\' ? '\\' : '\n';
        i++;
      } else {
        out += text[i];
      }
    }
    return out;
  }

  void resolve_labels() {
    for (Command& command : program_.commands) {
      if (command.name != 'b' && command.name != 't' && command.name != 'T') continue;
      command.target = program_.commands.size();
      if (command.text.empty()) continue;
      auto label = labels_.find(command.text);
      if (label == labels_.end())
        return fail_at(command.span,
                       fmt::format("can't find label for jump to `{}'", command.text));
      command.target = label->second;
    }
  }

  std::string_view text_;
  bool sandboxed_;
  size_t at_ = 0;
  Program program_;
  std::vector<size_t> open_blocks_;
  std::map<std::string, size_t> labels_;
  std::optional<Error> error_;
};

}  // namespace

Result<Program> parse(std::string_view text, bool sandboxed) {
  return ScriptParser(text, sandboxed).run();
}

}  // namespace nacre::sed
