#include "docker/pragmas.h"

#include <algorithm>
#include <optional>

#include "base/ascii.h"
#include "docker/text.h"

namespace nacre::docker {

namespace {

bool take(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text = trim_left(text.substr(word.size()));
  return true;
}

// DL3008, SC2086, D202
bool is_rule_name(std::string_view text) {
  const size_t digits = std::min(text.find_first_of("0123456789"), text.size());
  const std::string_view letters = text.substr(0, digits);
  const bool has_letters =
      !letters.empty() &&
      std::all_of(letters.begin(), letters.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
  return has_letters && is_digits(text.substr(digits));
}

// The list up to the first word that does not belong to it: what follows is a reason. One name that
// is none makes the whole list void, as in hadolint.
std::vector<std::string_view> read_rules(std::string_view text) {
  std::vector<std::string_view> rules;
  while (true) {
    text = trim_left(text);
    const size_t end = std::min(text.find_first_of(", \t"), text.size());
    if (!is_rule_name(text.substr(0, end))) return {};
    rules.push_back(text.substr(0, end));
    text = trim_left(text.substr(end));
    if (!text.starts_with(',')) return rules;
    text.remove_prefix(1);
  }
}

class PragmaReader {
 public:
  explicit PragmaReader(const File& file) : file_(file) {}

  Pragmas run() {
    for (const Directive& directive : file_.directives) {
      if (directive.name == "check") read_check(directive.value, directive.span, 1, UINT32_MAX);
    }
    for (size_t i = 0; i < file_.items.size(); i++) {
      if (file_.items[i].kind == ItemKind::kComment) read_comment(i);
    }
    return std::move(result_);
  }

 private:
  [[nodiscard]] uint32_t line_of(uint32_t offset) const { return file_.source.line_of(offset); }

  // The first instruction after an item; null: there is none.
  [[nodiscard]] const Instruction* next_after(size_t item) {
    next_ = std::max(next_, item);
    while (next_ < file_.items.size() && file_.items[next_].kind != ItemKind::kInstruction) next_++;
    return next_ < file_.items.size() ? &file_.instructions[file_.items[next_].index] : nullptr;
  }

  void read_comment(size_t item) {
    const Span span = file_.items[item].span;
    std::string_view text = trim(file_.source.text(span));
    text = trim_left(text.substr(1));
    const Span comment = {span.begin,
                          span.begin + static_cast<uint32_t>(trim(file_.source.text(span)).size())};
    const Instruction* next = next_after(item);
    if (take(text, "hadolint")) {
      read_hadolint(text, comment, next);
    } else if (take(text, "check") && take(text, "=") && next != nullptr) {
      read_check(text, comment, line_of(next->span.begin), line_of(next->span.end));
    }
  }

  void read_hadolint(std::string_view text, Span comment, const Instruction* next) {
    const bool is_global = take(text, "global");
    const bool is_stage = !is_global && take(text, "stage");
    if (take(text, "shell") && take(text, "=")) {
      result_.shells[comment.begin] = text.substr(0, text.find_first_of(" \t#"));
      return;
    }
    if (!take(text, "ignore") || !take(text, "=")) return;
    result_.ignoring.push_back(comment);
    uint32_t first = 1, last = UINT32_MAX;
    if (!is_global) {
      if (next == nullptr) return;
      first = line_of(next->span.begin);
      last = is_stage ? end_of_stage(*next) : line_of(next->span.end);
    }
    for (const std::string_view rule : read_rules(text)) add(rule, comment, first, last);
  }

  // The line before the FROM that follows.
  [[nodiscard]] uint32_t end_of_stage(const Instruction& first) const {
    for (const Instruction& each : file_.instructions) {
      if (each.keyword == Keyword::kFrom && each.span.begin > first.span.begin)
        return line_of(each.span.begin) - 1;
    }
    return UINT32_MAX;
  }

  // skip=A,B;error=true;experimental=all // reason
  void read_check(std::string_view text, Span comment, uint32_t first, uint32_t last) {
    text = text.substr(0, text.find("//"));
    for (const std::string_view option : split(text, ';')) {
      const size_t equals = std::min(option.find('='), option.size());
      const std::string_view key = trim(option.substr(0, equals));
      if (key == "experimental") result_.is_experimental = true;
      if (key != "skip" || equals == option.size()) continue;
      for (const std::string_view rule : split(option.substr(equals + 1), ','))
        add(rule, comment, first, last);
    }
  }

  void add(std::string_view rule, Span comment, uint32_t first, uint32_t last) {
    constexpr size_t kMaxPragmas = 10'000;
    if (result_.suppressions.size() >= kMaxPragmas) return;
    Suppression made;
    made.directive = comment;
    made.pattern = rule;
    made.is_alias = true;
    made.first_line = first;
    made.last_line = last;
    result_.suppressions.push_back(std::move(made));
  }

  const File& file_;
  Pragmas result_;
  size_t next_ = 0;
};

}  // namespace

Pragmas read_pragmas(const File& file) { return PragmaReader(file).run(); }

}  // namespace nacre::docker
