#include "purify/patterns.h"

#include <algorithm>
#include <fmt/format.h>

#include "purify/quoting.h"
#include "purify/values.h"
#include "regular/decide.h"
#include "regular/lower.h"
#include "regular/parse_glob.h"
#include "regular/parse_posix.h"

namespace nacre::purify {

using regular::Regex;
using shell::Part;
using shell::PartKind;

namespace {

constexpr size_t kMaxPatterns = 16;
using Texts = std::vector<std::string>;

std::optional<Texts> product(const Texts& left, const Texts& right) {
  if (left.size() * right.size() > kMaxPatterns) return std::nullopt;
  Texts result;
  for (const std::string& a : left) {
    for (const std::string& b : right) result.push_back(a + b);
  }
  return result;
}

// [^a] is [!a] to dash.
std::string posix_bracket(std::string text) {
  if (text.starts_with("[^")) text[1] = '!';
  return text;
}

std::string inverted_bracket(const std::string& text) {
  if (text.starts_with("[!") || text.starts_with("[^")) return "[" + text.substr(2);
  return "[!" + text.substr(1);
}

std::optional<Texts> alternatives(const Script& script, const shell::Word& word);

std::optional<Texts> of_part(const Script& script, const Part& part) {
  if (part.kind == PartKind::kGlob) return Texts{posix_bracket(script.text(part.span))};
  if (part.kind != PartKind::kExtGlob) return Texts{script.text(part.span)};
  const shell::ExtGlob& node = part.ext_glob();
  if (node.op != '@' && node.op != '?') return std::nullopt;
  Texts result;
  if (node.op == '?') result.emplace_back();
  for (const shell::Word& each : node.alternatives) {
    const auto inner = alternatives(script, each);
    if (!inner || result.size() + inner->size() > kMaxPatterns) return std::nullopt;
    result.insert(result.end(), inner->begin(), inner->end());
  }
  return result;
}

std::optional<Texts> alternatives(const Script& script, const shell::Word& word) {
  Texts result = {""};
  for (const Part& part : word.parts()) {
    const auto more = of_part(script, part);
    if (!more) return std::nullopt;
    const auto both = product(result, *more);
    if (!both) return std::nullopt;
    result = *both;
  }
  for (std::string& each : result) {
    if (each.empty()) each = "''";
  }
  return result;
}

// +([0-9]) alone: not empty, and nothing but these.
std::optional<PatternList> repeated_class(const Script& script, const Part& part) {
  const shell::ExtGlob& node = part.ext_glob();
  if (node.op == '!') {
    PatternList result{{}, true};
    for (const shell::Word& each : node.alternatives) {
      const auto inner = alternatives(script, each);
      if (!inner) return std::nullopt;
      result.patterns.insert(result.patterns.end(), inner->begin(), inner->end());
    }
    return result;
  }
  if (node.alternatives.size() != 1 || (node.op != '+' && node.op != '*')) return std::nullopt;
  const auto parts = node.alternatives[0].parts();
  if (parts.size() != 1 || parts[0].kind != PartKind::kGlob) return std::nullopt;
  const std::string set = script.text(parts[0].span);
  if (!set.starts_with('[')) return std::nullopt;
  PatternList result{{}, true};
  if (node.op == '+') result.patterns.emplace_back("''");
  result.patterns.push_back("*" + inverted_bracket(set) + "*");
  return result;
}

// From the tree of a regex to globs; nothing where a glob cannot say it.
class Globs {
 public:
  Globs(const Regex& regex, std::string_view text) : regex_(regex), text_(text) {}

  std::optional<Texts> of(regular::NodeId id) const {
    namespace rx = regular::regex;
    const rx::Node& node = regex_.node(id);
    if (const auto* literal = std::get_if<rx::Literal>(&node)) return of_character(*literal);
    if (std::holds_alternative<rx::Class>(node)) return of_class(id);
    if (const auto* group = std::get_if<rx::Group>(&node)) return of(group->body);
    if (std::holds_alternative<rx::Empty>(node)) return Texts{""};
    if (std::holds_alternative<rx::Sequence>(node)) return of_sequence(id);
    if (std::holds_alternative<rx::Choice>(node)) return of_choice(id);
    if (const auto* repeat = std::get_if<rx::Repeat>(&node)) return of_repeat(*repeat);
    return std::nullopt;
  }
  [[nodiscard]] std::string source(regular::NodeId id) const {
    return std::string(text_.substr(regex_.span(id).begin, regex_.span(id).size()));
  }

 private:
  static std::optional<Texts> of_character(const regular::regex::Literal& literal) {
    if (literal.character < 0x20 || literal.character > 0x7e) return std::nullopt;
    const char c = static_cast<char>(literal.character);
    const bool is_plain = is_identifier(std::string("_") + c) ||
                          std::string_view(".,/:@%+-=").find(c) != std::string_view::npos;
    return Texts{is_plain ? std::string(1, c) : "\\" + std::string(1, c)};
  }
  [[nodiscard]] std::optional<Texts> of_class(regular::NodeId id) const {
    const std::string text = source(id);
    if (text == ".") return Texts{"?"};
    if (!text.starts_with('[') || text.find('\\') != std::string::npos) return std::nullopt;
    return Texts{posix_bracket(text)};
  }
  [[nodiscard]] std::optional<Texts> of_sequence(regular::NodeId id) const {
    Texts result = {""};
    for (regular::NodeId each :
         regex_.children(std::get<regular::regex::Sequence>(regex_.node(id)))) {
      const auto more = of(each);
      const auto both = more ? product(result, *more) : std::nullopt;
      if (!both) return std::nullopt;
      result = *both;
    }
    return result;
  }
  [[nodiscard]] std::optional<Texts> of_choice(regular::NodeId id) const {
    Texts result;
    for (regular::NodeId each :
         regex_.children(std::get<regular::regex::Choice>(regex_.node(id)))) {
      const auto more = of(each);
      if (!more || result.size() + more->size() > kMaxPatterns) return std::nullopt;
      result.insert(result.end(), more->begin(), more->end());
    }
    return result;
  }
  [[nodiscard]] std::optional<Texts> of_repeat(const regular::regex::Repeat& repeat) const {
    const auto body = of(repeat.body);
    if (!body || body->size() != 1) return std::nullopt;
    const std::string& one = (*body)[0];
    std::string result;
    constexpr uint32_t kMaxCopies = 8;
    if (repeat.max == regular::kUnbounded) {
      if (one != "?" || repeat.min > kMaxCopies) return std::nullopt;
      for (uint32_t i = 0; i < repeat.min; i++) result += "?";
      return Texts{result + "*"};
    }
    if (repeat.min == 0 && repeat.max == 1) return Texts{"", one};
    if (repeat.min != repeat.max || repeat.max > kMaxCopies) return std::nullopt;
    for (uint32_t i = 0; i < repeat.min; i++) result += one;
    return Texts{result};
  }

  const Regex& regex_;
  std::string_view text_;
};

// What an alternative of the whole regex is made of between its anchors.
struct Anchored {
  std::vector<regular::NodeId> body;
  bool has_start = false, has_end = false;
};

Anchored anchored(const Regex& regex, regular::NodeId id) {
  namespace rx = regular::regex;
  Anchored result;
  std::vector<regular::NodeId> items;
  if (const auto* sequence = std::get_if<rx::Sequence>(&regex.node(id))) {
    for (regular::NodeId each : regex.children(*sequence)) items.push_back(each);
  } else {
    items.push_back(id);
  }
  for (size_t i = 0; i < items.size(); i++) {
    if (const auto* assertion = std::get_if<rx::Assert>(&regex.node(items[i]))) {
      result.has_start |= i == 0 && assertion->position == rx::Position::kSubjectStart;
      result.has_end |= i + 1 == items.size() && assertion->position == rx::Position::kSubjectEnd;
      if (i == 0 || i + 1 == items.size()) continue;
    }
    result.body.push_back(items[i]);
  }
  return result;
}

// ^[0-9]+$
std::optional<PatternList> only_class(const Regex& regex, const Globs& globs,
                                      const Anchored& whole) {
  namespace rx = regular::regex;
  if (!whole.has_start || !whole.has_end || whole.body.size() != 1) return std::nullopt;
  const auto* repeat = std::get_if<rx::Repeat>(&regex.node(whole.body[0]));
  if (repeat == nullptr || repeat->max != regular::kUnbounded || repeat->min > 1)
    return std::nullopt;
  const std::string set = globs.source(repeat->body);
  if (!set.starts_with('[')) return std::nullopt;
  PatternList result{{}, true};
  if (repeat->min == 1) result.patterns.emplace_back("''");
  result.patterns.push_back("*" + inverted_bracket(set) + "*");
  return result;
}

std::optional<Texts> globs_of(const Globs& globs, const Anchored& whole) {
  Texts result = {whole.has_start ? "" : "*"};
  for (regular::NodeId each : whole.body) {
    const auto more = globs.of(each);
    const auto both = more ? product(result, *more) : std::nullopt;
    if (!both) return std::nullopt;
    result = *both;
  }
  if (!whole.has_end) result = *product(result, {"*"});
  for (std::string& each : result) {
    if (each.empty()) each = "''";
  }
  return result;
}

// SAME-LANGUAGE.
bool is_same_language(const PatternList& list, const Regex& regex) {
  regular::Context languages;
  auto wanted = regular::lower(languages, regex, {.match = regular::Match::kContains});
  if (!wanted || !wanted->is_exact()) return false;
  regular::Lang found = languages.empty();
  for (const std::string& pattern : list.patterns) {
    auto glob =
        regular::parse_glob(pattern == "''" ? "" : pattern, {.shell = regular::GlobShell::kPosix});
    if (!glob) return false;
    auto lowered = regular::lower(languages, *glob);
    if (!lowered) return false;
    found = found | *lowered;
  }
  if (list.is_negated) found = !found;
  return regular::equivalent(found, *wanted, {.steps = 200'000, .states = 20'000}).yes();
}

}  // namespace

std::string PatternList::text() const {
  std::string result;
  for (const std::string& each : patterns) result += (result.empty() ? "" : " | ") + each;
  return result;
}

std::optional<PatternList> plain_patterns(const Script& script, const shell::Word& word) {
  const auto parts = word.parts();
  if (parts.size() == 1 && parts[0].kind == PartKind::kExtGlob &&
      std::string_view("+*!").find(parts[0].ext_glob().op) != std::string_view::npos)
    return repeated_class(script, parts[0]);
  auto texts = alternatives(script, word);
  if (!texts) return std::nullopt;
  return PatternList{std::move(*texts), false};
}

std::optional<PatternList> patterns_of_regex(std::string_view text) {
  auto regex =
      regular::parse_posix(text, {.is_extended = true, .tool = regular::PosixTool::kRegcomp});
  if (!regex) return std::nullopt;
  const Globs globs(*regex, text);
  std::vector<regular::NodeId> choices = {regex->root()};
  if (const auto* choice = std::get_if<regular::regex::Choice>(&regex->node(regex->root()))) {
    const auto children = regex->children(*choice);
    choices.assign(children.begin(), children.end());
  }
  PatternList result;
  if (choices.size() == 1) {
    if (auto list = only_class(*regex, globs, anchored(*regex, choices[0]))) result = *list;
  }
  if (result.patterns.empty()) {
    for (regular::NodeId each : choices) {
      const auto more = globs_of(globs, anchored(*regex, each));
      if (!more || result.patterns.size() + more->size() > kMaxPatterns) return std::nullopt;
      result.patterns.insert(result.patterns.end(), more->begin(), more->end());
    }
  }
  if (!is_same_language(result, *regex)) return std::nullopt;
  return result;
}

std::optional<std::string> regex_text(const Script& script, const shell::Word& word) {
  std::string result;
  for (const Part& part : word.parts()) {
    switch (part.kind) {
      case PartKind::kLiteral:
      case PartKind::kGlob:
      case PartKind::kExtGlob:
      case PartKind::kEscaped: result += script.text(part.span); break;
      case PartKind::kParameter: {
        const auto value = constant_of(script, part);
        if (!value) return std::nullopt;
        result += *value;
        break;
      }
      case PartKind::kSingleQuoted:
        for (char c : part.text()) {
          if (!is_identifier(std::string("_") + c)) result += '\\';
          result += c;
        }
        break;
      default: return std::nullopt;
    }
  }
  return result;
}

}  // namespace nacre::purify
