#include "colis/lexer.h"

#include <fmt/format.h>

#include "base/ascii.h"
#include "colis/syntax.h"

namespace nacre::colis {

namespace {

class Lexer {
 public:
  Lexer(std::string_view text, bool accepts_comma, size_t max_tokens)
      : text_(text), accepts_comma_(accepts_comma), max_tokens_(max_tokens) {}

  std::vector<Token> run() {
    while (skip_blanks()) {
      const size_t begin = at_;
      Token token;
      if (!read(token)) break;
      if (tokens_.size() >= max_tokens_) {
        reject(begin, fmt::format("the program has more than {} words and symbols", max_tokens_));
        break;
      }
      token.span = span(begin);
      tokens_.push_back(std::move(token));
    }
    tokens_.push_back(problem_.empty() ? Token{Token::kEnd, span(at_), ""}
                                       : Token{Token::kBad, problem_span_, problem_});
    return std::move(tokens_);
  }

 private:
  [[nodiscard]] Span span(size_t begin) const {
    return {static_cast<uint32_t>(begin), static_cast<uint32_t>(at_)};
  }
  [[nodiscard]] bool sees(std::string_view wanted) const {
    return text_.substr(at_, wanted.size()) == wanted;
  }
  bool reject(size_t begin, std::string message) {
    problem_ = std::move(message);
    problem_span_ = span(begin);
    return false;
  }

  // False at the end of the text, and where a comment does not end.
  bool skip_blanks() {
    while (at_ < text_.size()) {
      if (sees("(*")) {
        if (!skip_comment()) return false;
      } else if (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n') {
        ++at_;
      } else {
        return true;
      }
    }
    return false;
  }

  bool skip_comment() {
    const size_t begin = at_;
    size_t depth = 0;
    do {
      if (at_ >= text_.size()) return reject(begin, "Unterminated comment");
      if (sees("(*")) {
        ++depth;
        at_ += 2;
      } else if (sees("*)")) {
        --depth;
        at_ += 2;
      } else {
        ++at_;
      }
    } while (depth > 0);
    return true;
  }

  bool read(Token& token) {
    const char c = text_[at_];
    if (c == '\'') return read_literal(token);
    if (is_digit(c)) return read_while(token, Token::kNumber, is_digit);
    if (is_name_start(c)) return read_while(token, Token::kWord, is_name_character);
    return read_symbol(token);
  }

  template <typename Belongs>
  bool read_while(Token& token, Token::Kind kind, Belongs belongs) {
    token.kind = kind;
    while (at_ < text_.size() && belongs(text_[at_])) token.text += text_[at_++];
    return true;
  }

  bool read_literal(Token& token) {
    const size_t begin = at_++;
    token.kind = Token::kLiteral;
    while (at_ < text_.size() && text_[at_] != '\'') {
      if (text_[at_] == '\\') ++at_;
      if (at_ < text_.size()) token.text += text_[at_++];
    }
    if (at_ >= text_.size()) return reject(begin, "Unterminated string");
    ++at_;
    return true;
  }

  bool read_symbol(Token& token) {
    const size_t begin = at_;
    token.kind = Token::kSymbol;
    for (std::string_view symbol :
         {":=", "&&", "||", "*)", "{", "}", "(", ")", ";", "[", "]", ","}) {
      if (!sees(symbol) || (symbol == "," && !accepts_comma_)) continue;
      at_ += symbol.size();
      token.text = symbol;
      return symbol != "*)" || reject(begin, "mismatched *)");
    }
    ++at_;
    return reject(begin, fmt::format("unknown character '{}'", text_[begin]));
  }

  std::string_view text_;
  bool accepts_comma_;
  size_t max_tokens_;
  size_t at_ = 0;
  std::vector<Token> tokens_;
  std::string problem_;
  Span problem_span_;
};

}  // namespace

std::vector<Token> tokens_of(std::string_view text, bool accepts_comma, size_t max_tokens) {
  return Lexer(text, accepts_comma, max_tokens).run();
}

}  // namespace nacre::colis
