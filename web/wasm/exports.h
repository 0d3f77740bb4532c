// How the page calls a function of a module: with a list of texts, as netstrings ("5:hello"), which
// may hold any byte; the answer is a text of its own, kept until the next call.
#pragma once

#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace nacre::web {

inline std::vector<std::string> read_texts(const char* bytes, size_t size) {
  std::vector<std::string> result;
  std::string_view rest(bytes, size);
  while (!rest.empty()) {
    const size_t colon = rest.find(':');
    if (colon == std::string_view::npos) break;
    const size_t length = std::strtoul(std::string(rest.substr(0, colon)).c_str(), nullptr, 10);
    result.emplace_back(rest.substr(colon + 1, length));
    rest.remove_prefix(std::min(rest.size(), colon + 1 + length));
  }
  return result;
}

// Keeps `text` and gives its address.
const char* answer(std::string text);

}  // namespace nacre::web
