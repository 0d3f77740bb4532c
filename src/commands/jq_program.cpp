#include "commands/jq_program.h"

#include <array>

#include "base/ascii.h"

namespace nacre::jq {

namespace {

using Kind = Filter::Kind;
constexpr int kMaxDepth = 100;

bool begins_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

FilterPointer made(Filter filter) { return std::make_shared<const Filter>(std::move(filter)); }

FilterPointer made(Kind kind, FilterPointer left = {}, FilterPointer right = {},
                   std::string name = {}) {
  Filter result;
  result.kind = kind;
  result.left = std::move(left);
  result.right = std::move(right);
  result.name = std::move(name);
  return made(std::move(result));
}

// Every function gives null for what is not understood, and the callers hand it on.
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  FilterPointer run() {
    FilterPointer result = pipe();
    skip();
    return at_ == text_.size() ? result : nullptr;
  }

 private:
  void skip() {
    while (at_ < text_.size()) {
      if (is_blank_or_newline(text_[at_]))
        at_++;
      else if (text_[at_] == '#')
        while (at_ < text_.size() && text_[at_] != '\n') at_++;
      else
        return;
    }
  }
  bool sees(std::string_view token) {
    skip();
    return text_.substr(at_).starts_with(token);
  }
  bool take(std::string_view token) {
    if (!sees(token)) return false;
    at_ += token.size();
    return true;
  }
  std::string_view word() const {
    size_t end = at_;
    while (end < text_.size() && (begins_name(text_[end]) || is_digit(text_[end]))) end++;
    return text_.substr(at_, end - at_);
  }
  bool take_word(std::string_view wanted) {
    skip();
    if (word() != wanted) return false;
    at_ += wanted.size();
    return true;
  }

  FilterPointer pipe() {
    if (++depth_ > kMaxDepth) return nullptr;
    FilterPointer result = comma();
    while (result && sees("|") && !sees("|=")) {
      take("|");
      FilterPointer right = comma();
      result = right ? made(Kind::kPipe, result, right) : nullptr;
    }
    depth_--;
    return result;
  }

  FilterPointer comma() {
    FilterPointer result = binary(0);
    while (result && take(",")) {
      FilterPointer right = binary(0);
      result = right ? made(Kind::kComma, result, right) : nullptr;
    }
    return result;
  }

  // From the loosest to the tightest; `//` is looser than `or`.
  static constexpr size_t kLevels = 6;
  std::string operator_at(size_t level) {
    static constexpr std::array<std::array<std::string_view, 6>, kLevels> kOperators = {{
        {"//"},
        {"or"},
        {"and"},
        {"==", "!=", "<=", ">=", "<", ">"},
        {"+", "-"},
        {"*", "/", "%"},
    }};
    skip();
    for (const std::string_view name : kOperators[level]) {
      if (name.empty() || !text_.substr(at_).starts_with(name)) continue;
      if (begins_name(name[0]) && word() != name) continue;
      const std::string_view rest = text_.substr(at_ + name.size());
      if (!begins_name(name[0]) && level > 3 && rest.starts_with('=')) return "=";  // an update
      if (name == "/" && rest.starts_with('/')) return "";
      return std::string(name);
    }
    return "";
  }

  FilterPointer binary(size_t level) {
    if (level == kLevels) return postfix();
    FilterPointer result = binary(level + 1);
    for (std::string name = operator_at(level); result && !name.empty();
         name = operator_at(level)) {
      if (name == "=") return nullptr;
      at_ += name.size();
      FilterPointer right = binary(level + 1);
      result =
          !right ? nullptr : made(name == "//" ? Kind::kOr : Kind::kOperator, result, right, name);
    }
    return result;
  }

  FilterPointer postfix() {
    FilterPointer result = primary();
    while (result) {
      if (take("?"))
        result = made(Kind::kOptional, result);
      else if (at_ < text_.size() && text_[at_] == '[')
        result = bracket(result);
      else if (sees(".[") && !sees("..")) {
        take(".");
        result = bracket(result);
      } else if (at_ + 1 < text_.size() && text_[at_] == '.' &&
                 (begins_name(text_[at_ + 1]) || text_[at_ + 1] == '"'))
        result = member(result);
      else if (take_word("as"))
        return nullptr;
      else
        break;
    }
    return result;
  }

  // After the dot, or the dot itself.
  FilterPointer member(FilterPointer of) {
    take(".");
    if (at_ < text_.size() && text_[at_] == '"') {
      const FilterPointer text = string();
      if (!text || text->parts.size() != 1 || text->parts[0].second) return nullptr;
      return made(Kind::kMember, std::move(of), nullptr, text->parts[0].first);
    }
    const std::string name(word());
    at_ += name.size();
    return made(Kind::kMember, std::move(of), nullptr, name);
  }

  FilterPointer bracket(FilterPointer of) {
    take("[");
    if (take("]")) return made(Kind::kIterate, std::move(of));
    if (take(":")) return pipe() && take("]") ? made(Kind::kSlice, std::move(of)) : nullptr;
    FilterPointer index = pipe();
    if (!index) return nullptr;
    if (take(":")) {
      if (take("]")) return made(Kind::kSlice, std::move(of));
      return pipe() && take("]") ? made(Kind::kSlice, std::move(of)) : nullptr;
    }
    return take("]") ? made(Kind::kIndex, std::move(of), index) : nullptr;
  }

  FilterPointer string() {
    take("\"");
    Filter result;
    result.kind = Kind::kString;
    std::string text;
    while (at_ < text_.size() && text_[at_] != '"') {
      char c = text_[at_++];
      if (c == '\\' && at_ < text_.size() && text_[at_] == '(') {
        at_++;
        FilterPointer inside = pipe();
        if (!inside || !take(")")) return nullptr;
        result.parts.emplace_back(std::move(text), inside);
        text.clear();
        continue;
      }
      if (c == '\\' && at_ < text_.size()) {
        c = text_[at_++];
        if (c == 'u') return nullptr;
        c = c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c;
      }
      text += c;
    }
    if (at_ >= text_.size()) return nullptr;
    at_++;
    result.parts.emplace_back(std::move(text), nullptr);
    return made(std::move(result));
  }

  FilterPointer primary() {
    skip();
    if (at_ >= text_.size()) return nullptr;
    const char c = text_[at_];
    if (c == '.') return dot();
    if (c == '"') return string();
    if (c == '@') return format();
    if (c == '$') return variable();
    if (c == '-') {
      at_++;
      FilterPointer operand = postfix();
      return operand ? made(Kind::kNegation, operand) : nullptr;
    }
    if (c == '(') {
      at_++;
      FilterPointer inside = pipe();
      return inside && take(")") ? inside : nullptr;
    }
    if (c == '[') {
      at_++;
      if (take("]")) return made(Kind::kArray);
      FilterPointer inside = pipe();
      return inside && take("]") ? made(Kind::kArray, inside) : nullptr;
    }
    if (c == '{') return object();
    if (is_digit(c)) return number();
    return begins_name(c) ? named() : nullptr;
  }

  FilterPointer dot() {
    at_++;
    if (at_ < text_.size() && text_[at_] == '.') return nullptr;  // ..
    if (at_ < text_.size() && text_[at_] == '[') return bracket(made(Kind::kIdentity));
    if (at_ < text_.size() && (begins_name(text_[at_]) || text_[at_] == '"'))
      return member(made(Kind::kIdentity));
    return made(Kind::kIdentity);
  }

  FilterPointer format() {
    at_++;
    const std::string name(word());
    at_ += name.size();
    skip();
    if (at_ >= text_.size() || text_[at_] != '"') return made(Kind::kFormat, {}, {}, name);
    const FilterPointer text = string();
    if (!text) return nullptr;
    Filter result = *text;
    result.kind = Kind::kFormat;
    result.name = name;
    return made(std::move(result));
  }

  FilterPointer variable() {
    at_++;
    const std::string name(word());
    at_ += name.size();
    return name.empty() ? nullptr : made(Kind::kVariable, {}, {}, name);
  }

  FilterPointer number() {
    const size_t begin = at_;
    while (at_ < text_.size() && (is_digit(text_[at_]) || text_[at_] == '.')) at_++;
    return made(Kind::kNumber, {}, {}, std::string(text_.substr(begin, at_ - begin)));
  }

  FilterPointer object() {
    take("{");
    Filter result;
    result.kind = Kind::kObject;
    while (!take("}")) {
      skip();
      std::string key;
      if (at_ < text_.size() && text_[at_] == '"') {
        const FilterPointer text = string();
        if (!text || text->parts.size() != 1) return nullptr;
        key = text->parts[0].first;
      } else {
        if (take("$")) return nullptr;
        key = std::string(word());
        at_ += key.size();
      }
      if (key.empty()) return nullptr;
      FilterPointer value = made(Kind::kMember, made(Kind::kIdentity), nullptr, key);
      if (take(":")) value = binary(0);
      if (!value) return nullptr;
      result.entries.emplace_back(key, value);
      if (!take(",") && !sees("}")) return nullptr;
    }
    return made(std::move(result));
  }

  FilterPointer named() {
    const std::string name(word());
    at_ += name.size();
    if (name == "true" || name == "false") return made(Kind::kBoolean);
    if (name == "null") return made(Kind::kNull);
    if (name == "if") return condition();
    if (name == "def" || name == "reduce" || name == "foreach" || name == "try" ||
        name == "label" || name == "import" || name == "include")
      return nullptr;
    Filter result;
    result.kind = Kind::kCall;
    result.name = name;
    if (take("(")) {
      do {
        FilterPointer argument = pipe();
        if (!argument) return nullptr;
        result.arguments.push_back(argument);
      } while (take(";"));
      if (!take(")")) return nullptr;
    }
    return made(std::move(result));
  }

  FilterPointer condition() {
    Filter result;
    result.kind = Kind::kIf;
    result.left = pipe();
    if (!result.left || !take_word("then")) return nullptr;
    FilterPointer then = pipe();
    if (!then) return nullptr;
    result.arguments.push_back(then);
    while (take_word("elif")) {
      if (!pipe() || !take_word("then")) return nullptr;
      FilterPointer more = pipe();
      if (!more) return nullptr;
      result.arguments.push_back(more);
    }
    if (take_word("else")) {
      result.right = pipe();
      if (!result.right) return nullptr;
    }
    return take_word("end") ? made(std::move(result)) : nullptr;
  }

  std::string_view text_;
  size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

FilterPointer parse(std::string_view program) { return Parser(program).run(); }

}  // namespace nacre::jq
