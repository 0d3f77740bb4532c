#include "docker/label_values.h"

#include <algorithm>
#include <set>

#include "base/ascii.h"
#include "base/embedded.h"
#include "docker/text.h"

namespace nacre {

std::span<const EmbeddedFile> embedded_licenses();

}  // namespace nacre

namespace nacre::docker {

namespace {

bool is_alphanumeric(char c) { return is_digit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z'); }

// Text of a fixed shape: 0 is any digit, everything else itself.
bool has_shape(std::string_view text, std::string_view shape) {
  return text.size() == shape.size() &&
         std::equal(text.begin(), text.end(), shape.begin(),
                    [](char c, char wanted) { return wanted == '0' ? is_digit(c) : c == wanted; });
}

bool is_url(std::string_view text) {
  const size_t colon = text.find("://");
  const bool has_scheme =
      colon != std::string_view::npos && colon > 0 &&
      std::all_of(text.begin(), text.begin() + static_cast<int>(colon),
                  [](char c) { return is_alphanumeric(c) || c == '+' || c == '-' || c == '.'; });
  return has_scheme && colon + 3 < text.size() &&
         text.find_first_of(" \t\n<>\"{}|\\^`") == std::string_view::npos;
}

// 2021-03-10T10:26:33[.5]Z or +01:00
bool is_time(std::string_view text) {
  constexpr size_t kSeconds = 19;
  if (text.size() <= kSeconds) return false;
  std::string first(text.substr(0, kSeconds));
  if (first[10] == 't' || first[10] == ' ') first[10] = 'T';
  if (!has_shape(first, "0000-00-00T00:00:00")) return false;
  std::string_view rest = text.substr(kSeconds);
  if (rest.starts_with('.')) {
    const size_t end = std::min(rest.find_first_not_of("0123456789", 1), rest.size());
    if (end == 1) return false;
    rest.remove_prefix(end);
  }
  return rest == "Z" || rest == "z" || has_shape(rest, "+00:00") || has_shape(rest, "-00:00");
}

const std::set<std::string_view>& licenses() {
  static const std::set<std::string_view> kIds = [] {
    const auto lines = split(embedded_licenses().front().bytes, '\n');
    return std::set<std::string_view>(lines.begin() + 1, lines.end());
  }();
  return kIds;
}

// Identifiers, joined by AND, OR and WITH.
bool is_license(std::string_view text) {
  std::string plain(text);
  std::replace_if(
      plain.begin(), plain.end(), [](char c) { return c == '(' || c == ')'; }, ' ');
  bool expects_name = true, is_exception = false;
  for (std::string_view word : split_blanks(plain)) {
    if (!expects_name) {
      is_exception = word == "WITH";
      if (word != "AND" && word != "OR" && !is_exception) return false;
    } else {
      if (word.ends_with('+')) word.remove_suffix(1);
      const bool is_known =
          is_exception || licenses().contains(word) || word.starts_with("LicenseRef-");
      if (!is_known) return false;
    }
    expects_name = !expects_name;
  }
  return !expects_name;
}

bool is_hash(std::string_view text) {
  constexpr size_t kShort = 7, kLong = 40;
  return (text.size() == kShort || text.size() == kLong) &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// Parts between dots of letters, digits and dashes; numbers do not begin with a zero.
bool are_identifiers(std::string_view text, bool are_numbers) {
  const auto parts = split(text, '.');
  return !parts.empty() && std::all_of(parts.begin(), parts.end(), [&](std::string_view part) {
    const bool is_padded = is_digits(part) && part.size() > 1 && part[0] == '0';
    const bool is_word = !part.empty() && std::all_of(part.begin(), part.end(), [](char c) {
      return is_alphanumeric(c) || c == '-';
    });
    return are_numbers ? is_digits(part) && !is_padded : is_word;
  });
}

bool is_version(std::string_view text) {
  const size_t plus = std::min(text.find('+'), text.size());
  if (plus < text.size() && !are_identifiers(text.substr(plus + 1), false)) return false;
  text = text.substr(0, plus);
  const size_t dash = std::min(text.find('-'), text.size());
  if (dash < text.size() && !are_identifiers(text.substr(dash + 1), false)) return false;
  text = text.substr(0, dash);
  return std::count(text.begin(), text.end(), '.') == 2 && are_identifiers(text, true);
}

bool is_email(std::string_view text) {
  const size_t at = text.rfind('@');
  return at != std::string_view::npos && at > 0 && at + 1 < text.size() &&
         text.find_first_of(" \t<>") == std::string_view::npos &&
         std::all_of(text.begin() + static_cast<int>(at) + 1, text.end(),
                     [](char c) { return is_alphanumeric(c) || c == '-' || c == '.'; });
}

}  // namespace

bool is_valid(std::string_view value, LabelType type) {
  switch (type) {
    case LabelType::kText: return true;
    case LabelType::kUrl: return is_url(value);
    case LabelType::kTime: return is_time(value);
    case LabelType::kLicense: return is_license(value);
    case LabelType::kHash: return is_hash(value);
    case LabelType::kVersion: return is_version(value);
    case LabelType::kEmail: return is_email(value);
  }
  return true;
}

std::string_view describe(LabelType type) {
  constexpr std::string_view kNames[] = {"a text",           "a URL",      "a time of RFC 3339",
                                         "an SPDX licence",  "a git hash", "a semantic version",
                                         "an e-mail address"};
  return kNames[static_cast<size_t>(type)];
}

}  // namespace nacre::docker
