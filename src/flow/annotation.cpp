#include "flow/annotation.h"

#include <algorithm>
#include <array>
#include <fmt/core.h>
#include <vector>

#include "base/nearest.h"

namespace nacre::flow {

namespace {

constexpr std::string_view kBlanks = " \t";

// What follows the keyword.
enum class Form : uint8_t {
  kType,     // "TYPE"
  kSubject,  // SUBJECT --> "TYPE"
  kEither,   // either of them
};

struct Keyword {
  std::string_view name;
  AnnotationKind kind;
  Side side;
  Form form;
};

using enum AnnotationKind;
using enum Side;

constexpr auto kKeywords = std::to_array<Keyword>({
    {"assume", kAssume, kOutput, Form::kSubject},
    {"assume_output", kAssume, kOutput, Form::kEither},
    {"assume_input", kAssume, kInput, Form::kEither},
    {"input", kAssume, kInput, Form::kType},
    {"assert", kAssert, kOutput, Form::kSubject},
    {"assert_output", kAssert, kOutput, Form::kEither},
    {"assert_input", kAssert, kInput, Form::kEither},
    {"expect", kAssert, kInput, Form::kSubject},
    {"output", kAssert, kOutput, Form::kType},
    {"assert_contains", kContains, kOutput, Form::kSubject},
    {"assert_output_contains", kContains, kOutput, Form::kEither},
    {"assert_input_contains", kContains, kInput, Form::kEither},
    {"expect_contains", kContains, kInput, Form::kSubject},
    {"output_contains", kContains, kOutput, Form::kType},
    {"input_contains", kContains, kInput, Form::kType},
    {"var", kVariable, kOutput, Form::kSubject},
    {"file", kFile, kOutput, Form::kSubject},
    {"concretize", kConcretize, kOutput, Form::kSubject},
});

const Keyword* find_keyword(std::string_view name) {
  const auto* found = std::find_if(kKeywords.begin(), kKeywords.end(),
                                   [&](const Keyword& each) { return each.name == name; });
  return found == kKeywords.end() ? nullptr : found;
}

bool is_quote(char c) { return c == '"' || c == '\''; }

bool is_keyword_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

std::string_view trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return text.substr(text.size());
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

// A text in quotes without them, and nothing if it is not in quotes.
std::optional<std::string_view> unquoted(std::string_view text) {
  text = trimmed(text);
  if (text.size() < 2 || !is_quote(text.front()) || text.back() != text.front())
    return std::nullopt;
  return text.substr(1, text.size() - 2);
}

// The two texts around an arrow or a colon: it is before a quote, and after one where the
// first text is quoted. An arrow is stronger than a colon, which commands hold more often.
struct Halves {
  std::string_view left;
  std::string_view right;
  bool has_arrow = false;
};

std::optional<Halves> split(std::string_view text) {
  const bool is_quoted = !text.empty() && is_quote(text.front());
  for (const std::string_view separator : {"-->", "->", ":"}) {
    for (size_t at = text.find(separator); at != std::string_view::npos;
         at = text.find(separator, at + 1)) {
      const std::string_view left = trimmed(text.substr(0, at));
      const std::string_view right = trimmed(text.substr(at + separator.size()));
      if (is_quoted && !unquoted(left)) continue;
      if (!left.empty() && !right.empty() && is_quote(right.front())) {
        return Halves{left, right, separator != ":"};
      }
    }
  }
  return std::nullopt;
}

class Reader {
 public:
  Reader(std::string_view comment, uint32_t offset) : comment_(comment), offset_(offset) {}

  AnnotationText run() {
    const size_t hashes = std::min(comment_.find_first_not_of('#'), comment_.size());
    const std::string_view text = trimmed(comment_.substr(hashes));
    if (text.starts_with("nacre type ")) return named_type(text);
    if (!text.starts_with('@')) return {};
    size_t end = 1;
    while (end < text.size() && is_keyword_byte(text[end])) end++;
    const std::string_view name = text.substr(1, end - 1);
    const std::string_view rest = trimmed(text.substr(end));
    const bool has_quotes = rest.find_first_of("\"'") != std::string_view::npos;
    const Keyword* keyword = find_keyword(name);
    if (keyword == nullptr) return unknown(name, rest);
    if (!has_quotes) return {};
    return annotation(*keyword, text, rest);
  }

 private:
  [[nodiscard]] Span span_of(std::string_view part) const {
    const auto begin = static_cast<uint32_t>(part.data() - comment_.data());
    return {offset_ + begin, offset_ + begin + static_cast<uint32_t>(part.size())};
  }

  static AnnotationText problem(std::string message) { return {std::nullopt, std::move(message)}; }

  // Other tools have keywords of their own; one that is nearly ours is a slip.
  static AnnotationText unknown(std::string_view name, std::string_view rest) {
    if (rest.empty() || !is_quote(rest.front())) return {};
    std::vector<std::string_view> names;
    for (const Keyword& each : kKeywords) names.push_back(each.name);
    const auto meant = nearest(name, names);
    if (!meant) return {};
    return problem(fmt::format("there is no annotation @{}; did you mean @{}?", name, *meant));
  }

  AnnotationText annotation(const Keyword& keyword, std::string_view text, std::string_view rest) {
    Annotation result;
    result.kind = keyword.kind;
    result.side = keyword.side;
    result.span = span_of(text);
    result.keyword = fmt::format("@{}", keyword.name);
    const auto halves = keyword.form == Form::kType ? std::nullopt : split(rest);
    if (halves) return halves_of(std::move(result), *halves);
    const auto type = unquoted(rest);
    if (!type || keyword.form == Form::kSubject) return problem(usage(keyword));
    return with_type(std::move(result), *type);
  }

  // An arrow shows how the lines flow: `command --> "type"` is what the command prints, `"type" -->
  // "command"` what it reads. Before a colon always stands what is spoken of.
  AnnotationText halves_of(Annotation result, const Halves& halves) {
    const auto right = unquoted(halves.right);
    if (!right) return problem("the text after the arrow or the colon has no closing quote");
    const std::string_view left = unquoted(halves.left).value_or(halves.left);
    const bool is_reversed = halves.has_arrow && result.side == kInput;
    result.subject = is_reversed ? *right : left;
    return with_type(std::move(result), is_reversed ? left : *right);
  }

  AnnotationText with_type(Annotation result, std::string_view type) {
    result.type = type;
    result.type_span = span_of(type);
    return {std::move(result), ""};
  }

  static std::string usage(const Keyword& keyword) {
    if (keyword.form == Form::kType) return fmt::format("write @{} \"TYPE\"", keyword.name);
    switch (keyword.kind) {
      case kVariable: return "write @var \"$NAME\": \"TYPE\"";
      case kFile: return "write @file \"PATH\": \"TYPE\"";
      case kConcretize: return "write @concretize \"PATH\" --> \"FILE\"";
      default: break;
    }
    if (keyword.side == kInput)
      return fmt::format("write @{} \"TYPE\" --> \"COMMAND\"", keyword.name);
    return fmt::format("write @{} \"COMMAND\" --> \"TYPE\"", keyword.name);
  }

  // nacre type NAME = TYPE
  AnnotationText named_type(std::string_view text) {
    const std::string_view rest = trimmed(text.substr(std::string_view("nacre type ").size()));
    const size_t equals = rest.find('=');
    if (equals == std::string_view::npos) return {};  // a sentence
    const std::string_view name = trimmed(rest.substr(0, equals));
    const bool is_name = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
      return is_keyword_byte(c) || c == '-';
    });
    if (!is_name) return problem("write `nacre type NAME = TYPE`");
    Annotation result;
    result.kind = kName;
    result.span = span_of(text);
    result.keyword = "nacre type";
    result.subject = name;
    const std::string_view type = trimmed(rest.substr(equals + 1));
    return with_type(std::move(result), unquoted(type).value_or(type));
  }

  std::string_view comment_;
  uint32_t offset_;
};

}  // namespace

AnnotationText read_annotation(std::string_view comment, uint32_t offset) {
  return Reader(comment, offset).run();
}

}  // namespace nacre::flow
