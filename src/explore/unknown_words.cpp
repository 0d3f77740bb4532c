#include "explore/unknown_words.h"

#include <algorithm>
#include <fmt/format.h>

#include "explore/explorer.h"
#include "flow/survey.h"
#include "shell/variables.h"
#include "shell/visitor.h"

namespace nacre::explore {

namespace {

constexpr unsigned kMaxArguments = 3;
constexpr size_t kMaxValues = 12;
constexpr std::string_view kDebconfAnswer = "RET";  // its library sets it
// The name of the only thing in the word, if that is a plain $x, "$x" or ${x}.
std::string_view parameter_in(const shell::Word& word) {
  std::span<const shell::Part> parts = word.parts();
  if (parts.size() == 1 && parts[0].kind == shell::PartKind::kDoubleQuoted)
    parts = parts[0].parts();
  if (parts.size() != 1 || parts[0].kind != shell::PartKind::kParameter) return {};
  return parts[0].parameter().name;
}

// A word that the pattern matches; empty if that is not plain to see.
std::string match_of(const shell::Word& pattern) {
  std::string result;
  for (const shell::Part& part : pattern.parts()) {
    if (part.kind == shell::PartKind::kGlob)
      result += part.text().starts_with('[') && !part.text().starts_with("[!") &&
                        !part.text().starts_with("[^")
                    ? part.text().substr(1, 1)
                    : "x";
    else if (part.is_text())
      result += part.text();
    else
      return "";
  }
  return result;
}

class WordReader {
 public:
  explicit WordReader(const shell::Tree& tree) : tree_(tree), survey_(flow::survey_of(tree)) {}

  std::vector<UnknownWord> run() {
    shell::walk(tree_.program(),
                shell::Visitor{[&](const shell::Command& command) { read(command); },
                               [&](const shell::Parameter& node) { read(node); }});
    std::vector<UnknownWord> result;
    for (unsigned i = 1; i <= arguments_; ++i) result.push_back(word(std::to_string(i)));
    for (const auto& [name, count] : survey_.reads) {
      if (is_foreign(name)) result.push_back(word(std::string(name)));
    }
    return result;
  }

 private:
  [[nodiscard]] bool is_foreign(std::string_view name) const {
    const bool is_name = !name.empty() && (name[0] == '_' || (name[0] >= 'A' && name[0] <= 'Z') ||
                                           (name[0] >= 'a' && name[0] <= 'z'));
    const shell::Variable* known = shell::find_variable(name);
    const bool is_set = known != nullptr && (known->owner != shell::VariableOwner::kBash ||
                                             tree_.dialect() == shell::Dialect::kBash);
    return is_name && !survey_.assigned.contains(name) && !is_set && name != kDebconfAnswer;
  }

  void read(const shell::Parameter& node) {
    const std::string_view name = node.name;
    if (name == "@" || name == "*" || name == "#") arguments_ = std::max(arguments_, 2u);
    if (name.size() == 1 && name[0] >= '1' && name[0] <= '9')
      arguments_ = std::max(arguments_, std::min(kMaxArguments, unsigned(name[0] - '0')));
  }

  void read(const shell::Command& command) {
    if (const auto* choice = std::get_if<shell::Case>(&command.node)) {
      const std::string_view name = parameter_in(*choice->subject);
      for (const shell::CaseArm& arm : choice->arms) {
        for (const shell::Word& pattern : arm.patterns) compared(name, match_of(pattern));
      }
    }
    const auto* simple = std::get_if<shell::SimpleCommand>(&command.node);
    if (simple == nullptr) return;
    for (size_t i = 1; i + 1 < simple->words.size(); ++i) {
      const shell::Word& op = simple->words[i];
      if (!op.is_literal() || (op.literal() != "=" && op.literal() != "!=")) continue;
      const shell::Word& left = simple->words[i - 1];
      const shell::Word& right = simple->words[i + 1];
      if (right.is_literal()) compared(parameter_in(left), std::string(right.literal()));
      if (left.is_literal()) compared(parameter_in(right), std::string(left.literal()));
    }
  }

  void compared(std::string_view name, std::string value) {
    if (name.empty() || value.empty()) return;
    auto& values = compared_[std::string(name)];
    const bool is_new = std::find(values.begin(), values.end(), value) == values.end();
    if (is_new && values.size() < kMaxValues) values.push_back(std::move(value));
  }

  UnknownWord word(const std::string& name) {
    UnknownWord result{name, {}};
    auto add = [&](std::string text, std::string value, unsigned rank) {
      for (const Answer& known : result.answers) {
        if (known.contents == value) return;
      }
      Answer answer{std::move(text), rank};
      answer.contents = std::move(value);
      result.answers.push_back(std::move(answer));
    };
    for (const std::string& value : compared_[name]) add(fmt::format("is '{}'", value), value, 0);
    const bool is_argument = name[0] >= '1' && name[0] <= '9';
    std::string plain = is_argument ? "ARG" + name : "value";
    add(fmt::format("is '{}'", plain), plain, 0);
    add("is not given", std::string(kUnset), 0);
    add("is empty", "", 1);
    add("is 'a b'", "a b", 2);
    add("is '-x'", "-x", 2);
    add("is '/'", "/", 2);
    return result;
  }

  const shell::Tree& tree_;
  flow::Survey survey_;
  unsigned arguments_ = 0;
  std::map<std::string, std::vector<std::string>> compared_;
};

}  // namespace

std::vector<UnknownWord> unknown_words(const shell::Tree& tree) { return WordReader(tree).run(); }

}  // namespace nacre::explore
