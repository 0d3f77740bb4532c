// Reads nacre.toml and pyproject.toml. The only file that knows toml++.
#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <span>

// toml++ 3.3 takes for granted that the name of a table begins like a key, also where it does not
// (`[ = 1`). Without that assumption, which it makes in releases and asserts otherwise, its parser
// reports the mistake.
#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_ASSERT(condition) static_assert(true)
#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

#include "base/nearest.h"
#include "base/path.h"
#include "project/settings.h"
#include "purify/profiles.h"

namespace nacre::project {

namespace {

using Names = std::span<const std::string_view>;

constexpr std::string_view kFileKeys[] = {"select",  "ignore",    "threshold", "shell", "severity",
                                          "exclude", "max-bytes", "override",  "target"};
constexpr std::string_view kOverrideKeys[] = {"files",     "select", "ignore",
                                              "threshold", "shell",  "severity"};
constexpr std::string_view kSeverities[] = {"error", "warning", "info", "style"};
constexpr std::string_view kShells[] = {"sh", "dash", "bash", "ksh", "busybox"};

std::string suggestion(std::string_view word, Names candidates) {
  auto meant = nearest(word, candidates);
  return meant ? fmt::format("; did you mean '{}'?", *meant) : "";
}

// Walks the parsed document; the first mistake is kept and ends the reading.
class Reader {
 public:
  explicit Reader(std::string name) : name_(std::move(name)) {}

  Configuration read(const toml::table& document, std::string directory) {
    Configuration result;
    result.directory = std::move(directory);
    result.settings.origin = name_;
    check_keys(document, kFileKeys);
    read_choice(document, result.settings.choice);
    if (auto threshold = read_threshold(document)) result.settings.threshold = *threshold;
    result.settings.shell = read_word(document, "shell", kShells);
    if (const toml::node* node = document.get("target")) read_targets(*node, result.settings);
    if (const toml::node* node = document.get("exclude")) result.settings.exclude = strings(*node);
    if (const toml::node* node = document.get("max-bytes"))
      read_size(*node, result.settings.max_bytes);
    if (const toml::node* node = document.get("override")) read_overrides(*node, result.overrides);
    return result;
  }

  [[nodiscard]] const std::string& mistake() const { return mistake_; }

 private:
  void complain(const toml::source_region& where, std::string_view message) {
    if (!mistake_.empty()) return;
    mistake_ = fmt::format("{}:{}:{}: {}", name_, where.begin.line, where.begin.column, message);
  }

  void check_keys(const toml::table& table, Names known) {
    for (const auto& [key, value] : table) {
      if (std::find(known.begin(), known.end(), key.str()) != known.end()) continue;
      complain(key.source(),
               fmt::format("unknown key '{}'{}", key.str(), suggestion(key.str(), known)));
    }
  }

  std::vector<std::string> strings(const toml::node& node) {
    std::vector<std::string> result;
    const toml::array* array = node.as_array();
    if (array == nullptr) complain(node.source(), "expected a list of strings");
    for (size_t i = 0; array != nullptr && i < array->size(); i++) {
      if (auto text = (*array)[i].value_exact<std::string>()) {
        result.push_back(*text);
      } else {
        complain((*array)[i].source(), "expected a string");
      }
    }
    return result;
  }

  CodeSet read_codes(const toml::node& node) {
    std::vector<std::string> patterns = strings(node);
    for (const std::string& pattern : patterns) check_code(node.source(), pattern);
    return CodeSet(std::move(patterns));
  }

  void check_code(const toml::source_region& where, std::string_view pattern) {
    if (!is_code_pattern(pattern)) complain(where, fmt::format("unknown code '{}'", pattern));
  }

  // The string under `key`, one of `known`; empty when the key is not there.
  std::string read_word(const toml::table& table, std::string_view key, Names known) {
    const toml::node* node = table.get(key);
    return node == nullptr ? "" : word(*node, known);
  }

  std::string word(const toml::node& node, Names known) {
    std::string text = node.value_or(std::string());
    if (std::find(known.begin(), known.end(), text) != known.end()) return text;
    complain(node.source(),
             fmt::format("expected one of {}{}", fmt::join(known.begin(), known.end(), ", "),
                         suggestion(text, known)));
    return "";
  }

  void read_targets(const toml::node& node, Settings& settings) {
    settings.targets = strings(node);
    std::vector<std::string_view> names;
    for (const purify::Profile& each : purify::profiles()) names.push_back(each.name);
    for (const std::string& target : settings.targets) {
      if (purify::profile_named(target) == nullptr)
        complain(node.source(),
                 fmt::format("expected {}{}", fmt::join(names, ", "), suggestion(target, names)));
    }
  }

  std::optional<Severity> read_threshold(const toml::table& table) {
    return severity_named(read_word(table, "threshold", kSeverities));
  }

  void read_choice(const toml::table& table, Choice& choice) {
    if (const toml::node* node = table.get("select")) choice.select = read_codes(*node);
    if (const toml::node* node = table.get("ignore")) choice.ignore = read_codes(*node);
    const toml::node* node = table.get("severity");
    if (node == nullptr) return;
    if (!node->is_table())
      return complain(node->source(), "expected a table of code = \"severity\"");
    for (const auto& [key, value] : *node->as_table()) {
      if (find_code(key.str()) == nullptr) {
        complain(key.source(), fmt::format("unknown code '{}'", key.str()));
      }
      if (auto severity = severity_named(word(value, kSeverities))) {
        choice.severities[std::string(key.str())] = *severity;
      }
    }
  }

  void read_size(const toml::node& node, uint64_t& size) {
    auto value = node.value_exact<int64_t>();
    if (!value || *value <= 0) return complain(node.source(), "expected a positive number");
    size = static_cast<uint64_t>(*value);
  }

  void read_overrides(const toml::node& node, std::vector<Configuration::Override>& overrides) {
    const toml::array* array = node.as_array();
    if (array == nullptr) return complain(node.source(), "write [[override]], with two brackets");
    for (const toml::node& entry : *array) {
      const toml::table* table = entry.as_table();
      if (table == nullptr) return complain(entry.source(), "expected a table");
      overrides.push_back(read_override(*table));
    }
  }

  Configuration::Override read_override(const toml::table& table) {
    Configuration::Override result;
    result.choice.select = CodeSet();
    check_keys(table, kOverrideKeys);
    if (const toml::node* files = table.get("files")) {
      result.files = strings(*files);
    } else {
      complain(table.source(), "an override needs `files`");
    }
    for (const std::string& pattern : result.files) result.patterns.emplace_back(pattern);
    read_choice(table, result.choice);
    result.threshold = read_threshold(table);
    result.shell = read_word(table, "shell", kShells);
    return result;
  }

  std::string name_;
  std::string mistake_;
};

// Tables within tables are made, and freed, by recursion, so their depth is limited before anything
// is read. Outside of strings and comments a dot is part of a key or of a number.
class DepthCheck {
 public:
  explicit DepthCheck(std::string_view text) : text_(text) {}

  // Where a key has too many parts.
  std::optional<uint32_t> run() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (c == '"' || c == '\'') {
        skip_string(c);
      } else {
        if (std::string_view("\n=,[]{}").find(c) != std::string_view::npos) dots_ = 0;
        if (c == '.' && ++dots_ >= kMaxKeyParts) return static_cast<uint32_t>(at_);
        at_++;
      }
    }
    return std::nullopt;
  }

 private:
  static constexpr uint32_t kMaxKeyParts = 32;

  // To its end, or to that of the text; a quote that ends with the line is none.
  void skip_string(char quote) {
    const std::string three(3, quote);
    const bool is_long = text_.substr(at_).starts_with(three);
    const std::string_view end =
        is_long ? std::string_view(three) : std::string_view(three).substr(0, 1);
    at_ += end.size();
    while (at_ < text_.size() && !text_.substr(at_).starts_with(end)) {
      if (text_[at_] == '\n' && !is_long) return;
      at_ += text_[at_] == '\\' && quote == '"' ? 2 : 1;
    }
    at_ = std::min(at_ + end.size(), text_.size());
  }

  std::string_view text_;
  size_t at_ = 0;
  uint32_t dots_ = 0;
};

}  // namespace

Result<Configuration> parse_configuration(const SourceFile& file, std::string directory) {
  if (const auto deep = DepthCheck(file.bytes()).run()) {
    const Position at = file.position(*deep);
    return fail({}, fmt::format("{}:{}:{}: this key has too many parts", file.name(), at.line,
                                at.character));
  }
  toml::parse_result parsed = toml::parse(file.bytes(), file.name());
  if (!parsed) {
    const toml::parse_error& error = parsed.error();
    return fail({}, fmt::format("{}:{}:{}: {}", file.name(), error.source().begin.line,
                                error.source().begin.column, error.description()));
  }
  Reader reader(file.name());
  const toml::table* settings = &parsed.table();
  if (base_name(file.name()) == "pyproject.toml") {
    settings = parsed.table()["tool"]["nacre"].as_table();
    if (settings == nullptr) return Configuration{};
  }
  Configuration result = reader.read(*settings, std::move(directory));
  if (!reader.mistake().empty()) return fail({}, reader.mistake());
  return result;
}

}  // namespace nacre::project
