#include "machine/quote.h"

#include <algorithm>

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
  bool plain = !text.empty() && std::all_of(text.begin(), text.end(), is_plain);
  return plain ? std::string(text) : quoted(text);
}

}  // namespace nacre::machine
