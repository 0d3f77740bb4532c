#include "utilities/sed_program.h"

#include <cctype>
#include <fmt/format.h>

namespace nacre::utilities {
namespace {

class SedParser {
 public:
  SedParser(Context& context, const std::string& script, bool is_extended)
      : context_(context), text_(script), is_extended_(is_extended) {}

  std::optional<SedProgram> parse() {
    if (text_.starts_with("#n\n") || text_ == "#n") program_.is_quiet_by_comment = true;
    while (status_ == 0) {
      skip(" \t\n;");
      if (at_ >= text_.size()) break;
      if (text_[at_] == '#') {
        skip_line();
        continue;
      }
      parse_command();
    }
    if (status_ == 0 && !blocks_.empty()) error("unmatched `{'");
    if (status_ == 0) resolve_labels();
    if (status_ != 0) return std::nullopt;
    return std::move(program_);
  }
  [[nodiscard]] int status() const { return status_; }

 private:
  void error(std::string_view message) {
    if (status_ != 0) return;
    context_.fail(
        fmt::format("-e expression #1, char {}: {}", std::min(at_, text_.size()), message));
    status_ = 1;
  }
  void not_modelled(std::string_view what) {
    if (status_ == 0) status_ = context_.not_modelled(what);
  }
  [[nodiscard]] char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skip(std::string_view characters) {
    while (at_ < text_.size() && characters.find(text_[at_]) != std::string_view::npos) ++at_;
  }
  void skip_line() { at_ = std::min(text_.find('\n', at_), text_.size()); }
  size_t number() {
    size_t value = 0;
    while (std::isdigit(static_cast<unsigned char>(peek())) != 0 && value < 1'000'000'000) {
      value = value * 10 + static_cast<size_t>(text_[at_++] - '0');
    }
    return value;
  }

  std::optional<Regex> compile(const std::string& pattern, bool ignores_case) {
    if (pattern.empty()) return std::nullopt;  // the last one
    std::string why;
    auto regex = Regex::compile(pattern, is_extended_, ignores_case, why);
    if (!regex) error(why);
    return regex;
  }

  // Up to `delimiter`. In a regular expression \n is a newline and \DELIMITER the delimiter;
  // brackets protect it.
  std::string delimited(char delimiter, bool is_regex) {
    std::string result;
    bool in_bracket = false;
    while (at_ < text_.size()) {
      char c = text_[at_++];
      if (c == '\\' && at_ < text_.size() && !in_bracket) {
        char next = text_[at_++];
        if (next == delimiter) {
          // s|a\|b|x|: the delimiter stands for itself.
          result += next;
        } else if (next == 'n' && is_regex) {
          result += '\n';
        } else if (next == 't' && is_regex) {
          result += '\t';
        } else {
          result += {'\\', next};
        }
        continue;
      }
      if (c == delimiter && !in_bracket) return result;
      if (is_regex && c == '[' && !in_bracket) {
        in_bracket = true;
        result += c;
        if (peek() == '^') result += text_[at_++];
        if (peek() == ']') result += text_[at_++];
        continue;
      }
      if (in_bracket && c == '[' && (peek() == ':' || peek() == '.' || peek() == '=')) {
        size_t close = text_.find({peek(), ']'}, at_ + 1);
        if (close != std::string::npos) {
          result += text_.substr(at_ - 1, close + 3 - at_);
          at_ = close + 2;
          continue;
        }
      }
      if (in_bracket && c == '\\' && (peek() == 'n' || peek() == 't')) {
        result += text_[at_++] == 'n' ? '\n' : '\t';
        continue;
      }
      if (in_bracket && c == ']') in_bracket = false;
      result += c;
    }
    error("unterminated address regex");
    return result;
  }

  bool parse_address(SedAddress& address, bool is_second) {
    char c = peek();
    if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
      address.kind = SedAddress::kLine;
      address.number = number();
      if (peek() == '~' && !is_second) {
        ++at_;
        address.kind = SedAddress::kStep;
        address.step = number();
      }
      return true;
    }
    if (c == '$') {
      ++at_;
      address.kind = SedAddress::kLast;
      return true;
    }
    if (is_second && (c == '+' || c == '~')) {
      ++at_;
      address.kind = c == '+' ? SedAddress::kPlus : SedAddress::kMultiple;
      address.number = number();
      return true;
    }
    if (c != '/' && c != '\\') return false;
    ++at_;
    char delimiter = '/';
    if (c == '\\') delimiter = text_[std::min(at_++, text_.size() - 1)];
    std::string pattern = delimited(delimiter, true);
    bool ignores_case = false;
    while (peek() == 'I') {
      ignores_case = true;
      ++at_;
    }
    address.kind = SedAddress::kRegex;
    address.regex = compile(pattern, ignores_case);
    return true;
  }

  void parse_command() {
    SedCommand command;
    if (parse_address(command.first, false)) {
      skip(" \t");
      if (peek() == ',') {
        ++at_;
        skip(" \t");
        if (!parse_address(command.second, true)) return error("unexpected `,'");
      }
    }
    skip(" \t");
    while (peek() == '!') {
      command.is_negated = true;
      ++at_;
      skip(" \t");
    }
    if (at_ >= text_.size()) return error("missing command");
    command.name = text_[at_++];
    parse_rest(command);
    if (status_ == 0) program_.commands.push_back(std::move(command));
  }

  void parse_rest(SedCommand& command) {
    switch (command.name) {
      case '{': blocks_.push_back(program_.commands.size()); return;
      case '}':
        if (blocks_.empty()) return error("unexpected `}'");
        program_.commands[blocks_.back()].target = program_.commands.size();
        blocks_.pop_back();
        return end_command();
      case 's': return parse_substitution(command);
      case 'y': return parse_transliteration(command);
      case 'a':
      case 'i':
      case 'c': return parse_text(command);
      case ':':
      case 'b':
      case 't':
      case 'T': {
        skip(" \t");
        const char* ends = command.name == ':' ? "\n;} \t" : "\n;}";
        size_t end = std::min(text_.find_first_of(ends, at_), text_.size());
        command.text = text_.substr(at_, end - at_);
        while (command.text.ends_with(' ')) command.text.pop_back();
        at_ = end;
        return;
      }
      case 'r':
      case 'w': {
        skip(" \t");
        size_t end = std::min(text_.find('\n', at_), text_.size());
        command.text = text_.substr(at_, end - at_);
        at_ = end;
        return;
      }
      case 'q':
      case 'Q':
        skip(" \t");
        command.exit_status = static_cast<int>(number());
        return end_command();
      case 'd':
      case 'D':
      case 'g':
      case 'G':
      case 'h':
      case 'H':
      case 'n':
      case 'N':
      case 'p':
      case 'P':
      case 'x':
      case '=':
      case 'z': return end_command();
      case 'l':
      case 'e':
      case 'F':
      case 'R':
      case 'W':
      case 'v': return not_modelled(fmt::format("the command '{}'", command.name));
      default: return error(fmt::format("unknown command: `{}'", command.name));
    }
  }

  void end_command() {
    skip(" \t");
    char c = peek();
    if (c == '}' || c == '#' || at_ >= text_.size()) return;
    if (c != ';' && c != '\n') error("extra characters after command");
  }

  void parse_text(SedCommand& command) {
    skip(" \t");
    if (peek() == '\\') {
      ++at_;
      skip(" \t");
      if (peek() == '\n') ++at_;
    }
    if (at_ >= text_.size()) return error("expected \\ after `a', `c' or `i'");
    while (at_ < text_.size() && text_[at_] != '\n') {
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
      command.text += text_[at_++];
    }
    command.text += '\n';
  }

  void parse_substitution(SedCommand& command) {
    if (at_ >= text_.size()) return error("unterminated `s' command");
    char delimiter = text_[at_++];
    std::string pattern = delimited(delimiter, true);
    std::string replacement = raw_until(delimiter);
    if (status_ != 0) return;
    command.replacement = parse_replacement(replacement);
    bool ignores_case = false;
    while (true) {
      char c = peek();
      if (c == 'g')
        command.is_global = true;
      else if (c == 'p')
        command.prints = true;
      else if (c == 'i' || c == 'I')
        ignores_case = true;
      else if (c == 'w' || c == 'e' || c == 'm' || c == 'M')
        return not_modelled(fmt::format("the flag '{}' of s", c));
      else if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
        command.occurrence = number();
        if (command.occurrence == 0) return error("number option to `s' command may not be zero");
        continue;
      } else
        break;
      ++at_;
    }
    command.regex = compile(pattern, ignores_case);
    end_command();
  }

  // Keeps backslashes, but not before the delimiter.
  std::string raw_until(char delimiter) {
    std::string result;
    while (at_ < text_.size()) {
      char c = text_[at_++];
      if (c == delimiter) return result;
      if (c == '\\' && at_ < text_.size()) {
        char next = text_[at_++];
        // s,x,\,,: the delimiter itself; but \& must stay quoted.
        if (next == delimiter && next != '&')
          result += next;
        else
          result += {'\\', next};
        continue;
      }
      result += c;
    }
    error("unterminated `s' command");
    return result;
  }

  static std::vector<SedPiece> parse_replacement(std::string_view text) {
    std::vector<SedPiece> pieces;
    auto add_text = [&](char c) {
      if (pieces.empty() || pieces.back().kind != SedPiece::kText) pieces.emplace_back();
      pieces.back().text += c;
    };
    for (size_t i = 0; i < text.size(); ++i) {
      char c = text[i];
      if (c == '&') {
        pieces.push_back({SedPiece::kGroup, "", 0});
        continue;
      }
      if (c != '\\' || i + 1 == text.size()) {
        add_text(c);
        continue;
      }
      c = text[++i];
      switch (c) {
        case 'n': add_text('\n'); break;
        case 't': add_text('\t'); break;
        case 'U': pieces.push_back({SedPiece::kUpper, "", 0}); break;
        case 'L': pieces.push_back({SedPiece::kLower, "", 0}); break;
        case 'u': pieces.push_back({SedPiece::kUpperOne, "", 0}); break;
        case 'l': pieces.push_back({SedPiece::kLowerOne, "", 0}); break;
        case 'E': pieces.push_back({SedPiece::kEndCase, "", 0}); break;
        default:
          if (c >= '0' && c <= '9')
            pieces.push_back({SedPiece::kGroup, "", static_cast<size_t>(c - '0')});
          else
            add_text(c);
      }
    }
    return pieces;
  }

  void parse_transliteration(SedCommand& command) {
    if (at_ >= text_.size()) return error("unterminated `y' command");
    char delimiter = text_[at_++];
    auto unescape = [](const std::string& text) {
      std::string result;
      for (size_t i = 0; i < text.size(); ++i) {
        bool escapes = text[i] == '\\' && i + 1 < text.size();
        if (!escapes) {
          result += text[i];
          continue;
        }
        char c = text[++i];
        result += c == 'n' ? '\n' : c == 't' ? '\t' : c;
      }
      return result;
    };
    std::string from = unescape(raw_until(delimiter));
    std::string to = unescape(raw_until(delimiter));
    if (from.size() != to.size()) return error("strings for `y' command are different lengths");
    for (size_t i = 0; i < 256; ++i) command.map[i] = static_cast<char>(i);
    for (size_t i = 0; i < from.size(); ++i)
      command.map[static_cast<unsigned char>(from[i])] = to[i];
    end_command();
  }

  void resolve_labels() {
    for (SedCommand& command : program_.commands) {
      if (command.name != 'b' && command.name != 't' && command.name != 'T') continue;
      command.target = program_.commands.size();
      if (command.text.empty()) continue;
      bool is_found = false;
      for (size_t i = 0; i < program_.commands.size(); ++i) {
        if (program_.commands[i].name == ':' && program_.commands[i].text == command.text) {
          command.target = i;
          is_found = true;
        }
      }
      if (!is_found) {
        context_.fail(fmt::format("-e expression #1, char {}: can't find label for jump to `{}'",
                                  text_.size(), command.text));
        status_ = 1;
        return;
      }
    }
  }

  Context& context_;
  std::string text_;
  bool is_extended_;
  size_t at_ = 0;
  int status_ = 0;
  SedProgram program_;
  std::vector<size_t> blocks_;
};

}  // namespace

std::optional<SedProgram> parse_sed(Context& context, const std::string& script, bool is_extended,
                                    int& status) {
  SedParser parser(context, script, is_extended);
  auto program = parser.parse();
  status = parser.status();
  return program;
}

}  // namespace nacre::utilities
