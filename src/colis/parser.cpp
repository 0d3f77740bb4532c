#include "colis/parser.h"

#include <fmt/format.h>

#include "colis/lexer.h"

namespace nacre::colis {

namespace {

// Recursive descent. After a failure everything returns without reading on: `failed_` is what the
// caller of parse() gets.
class Parser {
 public:
  Parser(std::vector<Token> tokens, const ParseOptions& options)
      : tokens_(std::move(tokens)), options_(options) {}

  Result<Program> program() {
    Program result;
    while (accept("function")) {
      FunctionDefinition function;
      function.name = name();
      function.body = body("begin", "end");
      result.functions.push_back(std::move(function));
    }
    result.body = body("begin", "end");
    if (!failed_ && peek().kind != Token::kEnd) reject();
    if (failed_) return tl::unexpected<Error>(*failed_);
    return result;
  }

 private:
  [[nodiscard]] const Token& peek(size_t ahead = 0) const {
    return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
  }
  [[nodiscard]] bool sees(std::string_view text, size_t ahead = 0) const {
    const Token& token = peek(ahead);
    return (token.kind == Token::kWord || token.kind == Token::kSymbol) && token.text == text;
  }
  [[nodiscard]] bool sees_name(size_t ahead = 0) const {
    const Token& token = peek(ahead);
    if (token.kind == Token::kLiteral) return !options_.is_original;
    return token.kind == Token::kWord && !is_reserved(token.text);
  }
  bool accept(std::string_view text) {
    if (failed_ || !sees(text)) return false;
    ++at_;
    return true;
  }
  void expect(std::string_view text) {
    if (!accept(text)) reject();
  }
  void reject(std::string message = "") {
    if (peek().kind == Token::kBad) message = peek().text;
    if (!failed_) failed_ = Error{peek().span, std::move(message)};
  }

  struct Deeper {
    explicit Deeper(Parser& its_parser) : parser(its_parser) {
      if (++parser.depth_ > parser.options_.max_depth)
        parser.reject(fmt::format("nested more than {} deep", parser.options_.max_depth));
    }
    ~Deeper() { --parser.depth_; }
    Parser& parser;
  };

  std::string name() {
    if (failed_ || !sees_name()) {
      reject();
      return "";
    }
    return tokens_[at_++].text;
  }
  // A name that may not be quoted: that of a variable.
  std::string identifier() {
    if (peek().kind == Token::kLiteral) reject();
    return name();
  }
  std::optional<uint64_t> number() {
    if (failed_ || peek().kind != Token::kNumber) return std::nullopt;
    uint64_t value = 0;
    for (char digit : tokens_[at_++].text) {
      const uint64_t next = value * 10 + static_cast<uint64_t>(digit - '0');
      value = value > (UINT64_MAX - 9) / 10 ? UINT64_MAX : next;
    }
    return value;
  }

  Instruction body(std::string_view open, std::string_view close) {
    expect(open);
    return sequence_until(close);
  }
  Instruction sequence_until(std::string_view close) {
    Instruction result = items(close);
    expect(close);
    return result;
  }
  // The instructions before one of the closing words.
  Instruction items(std::string_view close, std::string_view other_close = "") {
    std::vector<Instruction> result;
    const uint32_t begin = peek().span.begin;
    do {
      if (failed_) break;
      const bool is_over = sees(close) || (!other_close.empty() && sees(other_close));
      if (is_over && !result.empty() && !options_.is_original) break;
      result.push_back(instruction());
    } while (accept(";"));
    Instruction whole = sequence(std::move(result));
    whole.span = {begin, peek().span.begin};
    return whole;
  }

  // Chains of && and ||, from the left.
  Instruction instruction() {
    const Deeper deeper(*this);
    Instruction left = single();
    const uint32_t outer = depth_;
    while (!failed_ && (sees("&&") || sees("||"))) {
      const bool is_and = tokens_[at_++].text == "&&";
      if (++depth_ > options_.max_depth)
        reject(fmt::format("nested more than {} deep", options_.max_depth));
      Instruction right = single();
      instructions_ += 3;  // the conditional and what it has in place of the other branch
      const Span span = cover(left.span, right.span);
      left = is_and ? conditional(std::move(left), std::move(right), negation(utility("true")))
                    : conditional(std::move(left), utility("true"), std::move(right));
      left.span = span;
    }
    depth_ = outer;
    return left;
  }

  static Instruction negation(Instruction of) {
    std::vector<Instruction> parts;
    parts.push_back(std::move(of));
    return with_parts(Instruction::kNot, std::move(parts));
  }

  Instruction single() {
    if (failed_) return {};
    if (++instructions_ > options_.max_instructions)
      reject(fmt::format("the program has more than {} instructions", options_.max_instructions));
    const uint32_t begin = peek().span.begin;
    Instruction result = single_here();
    result.span = {begin, at_ > 0 ? tokens_[at_ - 1].span.end : begin};
    return result;
  }

  Instruction single_here() {
    if (accept("exit")) return with_code(Instruction::kExit);
    if (accept("return")) return with_code(Instruction::kReturn);
    if (accept("shift")) {
      Instruction result = with_parts(Instruction::kShift, {});
      result.count = number();
      return result;
    }
    if (accept("export")) {
      Instruction result = with_parts(Instruction::kExport, {});
      result.name = identifier();
      return result;
    }
    if (accept("if")) return if_instruction();
    if (accept("not")) {
      const Deeper deeper(*this);
      return negation(single());
    }
    if (accept("for")) return for_instruction();
    if (accept("while")) {
      std::vector<Instruction> parts;
      parts.push_back(instruction());
      parts.push_back(body("do", "done"));
      return with_parts(Instruction::kWhile, std::move(parts));
    }
    if (accept("begin")) return sequence_until("end");
    if (accept("process")) return wrapped(Instruction::kProcess, "endprocess");
    if (accept("nooutput")) return wrapped(Instruction::kNoOutput, "endnooutput");
    if (accept("pipe")) return pipe();
    if (accept("(")) {
      Instruction inner = instruction();
      expect(")");
      return inner;
    }
    return call_or_assignment();
  }

  Instruction call_or_assignment() {
    if (accept("call")) {
      Instruction result = with_parts(Instruction::kCall, {});
      result.name = name();
      result.list = optional_list();
      return result;
    }
    if (sees(":=", 1)) {
      std::string target = identifier();
      expect(":=");
      return assignment(std::move(target), string());
    }
    if (sees("cd") && !options_.is_original && starts_string(1)) {
      ++at_;
      Instruction result = with_parts(Instruction::kCd, {});
      result.value = string();
      return result;
    }
    std::string command = name();
    return utility(std::move(command), optional_list());
  }

  Instruction with_code(Instruction::Kind kind) {
    Instruction result = with_parts(kind, {});
    if (accept("success")) {
      result.code = ResultCode::kSuccess;
    } else if (accept("failure")) {
      result.code = ResultCode::kFailure;
    } else {
      result.code = ResultCode::kPrevious;
      expect("previous");
    }
    return result;
  }

  Instruction if_instruction() {
    Instruction condition = instruction();
    expect("then");
    Instruction then = items("else", "fi");
    Instruction otherwise = utility("true");
    if (accept("else")) otherwise = items("fi");
    expect("fi");
    return conditional(std::move(condition), std::move(then), std::move(otherwise));
  }

  Instruction for_instruction() {
    Instruction result = with_parts(Instruction::kFor, {});
    result.name = identifier();
    expect("in");
    result.list = list();
    result.parts.push_back(body("do", "done"));
    return result;
  }

  Instruction wrapped(Instruction::Kind kind, std::string_view close) {
    std::vector<Instruction> parts;
    parts.push_back(sequence_until(close));
    return with_parts(kind, std::move(parts));
  }

  // `pipe a into b into c` is a into (b into c).
  Instruction pipe() {
    const Deeper deeper(*this);
    Instruction first = instruction();
    if (accept("endpipe") || failed_) return first;
    expect("into");
    std::vector<Instruction> parts;
    parts.push_back(std::move(first));
    parts.push_back(pipe());
    return with_parts(Instruction::kPipe, std::move(parts));
  }

  ListExpression optional_list() { return sees("[") ? list() : ListExpression{}; }
  ListExpression list() {
    ListExpression result;
    expect("[");
    if (accept("]")) return result;
    do {
      const bool is_split = accept("split");
      result.push_back({string(), is_split});
    } while (!failed_ && (accept(";") || accept(",")));
    expect("]");
    return result;
  }

  [[nodiscard]] bool starts_string(size_t ahead = 0) const {
    const Token& token = peek(ahead);
    if (token.kind == Token::kLiteral) return true;
    if (token.kind != Token::kWord) return false;
    return token.text == "embed" || token.text == "arg" || !is_reserved(token.text);
  }

  StringExpression string() {
    const Deeper deeper(*this);
    std::vector<StringExpression> parts;
    while (!failed_ && starts_string()) parts.push_back(fragment());
    if (parts.empty()) reject();
    return concat(std::move(parts));
  }

  StringExpression fragment() {
    if (++strings_ > options_.max_strings) {
      reject(fmt::format("the program has more than {} strings", options_.max_strings));
      return {};
    }
    if (peek().kind == Token::kLiteral) return literal(tokens_[at_++].text);
    if (accept("arg")) {
      std::optional<uint64_t> which = number();
      if (!which) reject();
      return argument(which.value_or(0));
    }
    if (accept("embed")) {
      expect("{");
      Instruction inner = instruction();
      expect("}");
      return embed(std::move(inner));
    }
    return variable(name());
  }

  std::vector<Token> tokens_;
  const ParseOptions& options_;
  size_t at_ = 0;
  uint32_t depth_ = 0;
  size_t instructions_ = 0;
  size_t strings_ = 0;
  std::optional<Error> failed_;
};

}  // namespace

Result<Program> parse(std::string_view text, const ParseOptions& options) {
  return Parser(tokens_of(text, !options.is_original, options.max_tokens), options).program();
}

}  // namespace nacre::colis
