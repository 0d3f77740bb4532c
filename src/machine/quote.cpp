#include "machine/quote.h"

#include <algorithm>
#include <fmt/format.h>

namespace nacre::machine {

std::string quoted(std::string_view text) {
  std::string result = "'";
  for (char c : text) {
    if (c == '\'') {
      result += "'\\''";
    } else {
      result += c;
    }
  }
  return result + '\'';
}

std::string quoted_if_needed(std::string_view text) {
  auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_-+=:,./@%^").find(c) != std::string_view::npos;
  };
  bool plain =
      !text.empty() && is_plain(text[0]) &&
      std::all_of(text.begin(), text.end(), [&](char c) { return c == '#' || is_plain(c); });
  return plain ? std::string(text) : quoted(text);
}

// Bytes beyond ASCII count as characters: what they mean is a matter of the locale.
bool needs_ansi_quotes(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7f;
  });
}

std::string ansi_quoted(std::string_view text) {
  constexpr std::string_view kBytes = "\a\b\t\n\v\f\r\x1b'\\";
  constexpr std::string_view kLetters = "abtnvfrE'\\";
  std::string result = "$'";
  for (char c : text) {
    size_t found = kBytes.find(c);
    if (found != std::string_view::npos) {
      result += '\\';
      result += kLetters[found];
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      result += fmt::format("\\{:03o}", static_cast<unsigned>(c));
    } else {
      result += c;
    }
  }
  return result + '\'';
}

std::string double_quoted(std::string_view text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\' || c == '$' || c == '`') result += '\\';
    result += c;
  }
  return result + '"';
}

std::string reusable_quoted(std::string_view text) {
  if (needs_ansi_quotes(text)) return ansi_quoted(text);
  return text == "'" ? "\\'" : quoted(text);
}

std::string backslash_quoted(std::string_view text) {
  if (text.empty()) return "''";
  if (needs_ansi_quotes(text)) return ansi_quoted(text);
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    bool is_special =
        std::string_view(" '\"\\|&;()<>!{}*[]?^$`,").find(text[i]) != std::string_view::npos ||
        (i == 0 && (text[i] == '#' || text[i] == '~'));
    bool is_tilde = text[i] == '~' && i > 0 && (text[i - 1] == ':' || text[i - 1] == '=');
    if (is_special || is_tilde) result += '\\';
    result += text[i];
  }
  return result;
}

}  // namespace nacre::machine
