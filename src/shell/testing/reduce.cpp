#include "shell/testing/reduce.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <vector>

namespace nacre::shell {

namespace {

enum class Unit { kLines, kTokens, kBytes };

bool is_word_byte(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::vector<std::string> pieces_of(const std::string& text, Unit unit) {
  std::vector<std::string> pieces;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool joins =
        i > 0 && (unit == Unit::kLines    ? text[i - 1] != '\n'
                  : unit == Unit::kTokens ? is_word_byte(text[i]) && is_word_byte(text[i - 1])
                                          : false);
    if (!joins) pieces.emplace_back();
    pieces.back() += text[i];
  }
  return pieces;
}

std::string joined_without(const std::vector<std::string>& pieces, size_t begin, size_t end) {
  std::string text;
  for (size_t i = 0; i < pieces.size(); ++i)
    if (i < begin || i >= end) text += pieces[i];
  return text;
}

// One sweep for each chunk size from half of the pieces to one of them.
void remove_pieces(std::string& text, Unit unit,
                   const std::function<bool(std::string_view)>& still_shows, size_t& budget) {
  std::vector<std::string> pieces = pieces_of(text, unit);
  for (size_t chunk = std::max<size_t>(pieces.size() / 2, 1); chunk > 0 && budget > 0; chunk /= 2) {
    for (size_t begin = 0; begin < pieces.size() && budget > 0;) {
      const size_t end = std::min(begin + chunk, pieces.size());
      std::string candidate = joined_without(pieces, begin, end);
      --budget;
      if (still_shows(candidate)) {
        pieces.erase(pieces.begin() + static_cast<ptrdiff_t>(begin),
                     pieces.begin() + static_cast<ptrdiff_t>(end));
        text = std::move(candidate);
      } else {
        begin = end;
      }
    }
  }
}

}  // namespace

std::string reduce(std::string text, const std::function<bool(std::string_view)>& still_shows,
                   size_t budget) {
  size_t size = 0;
  do {
    size = text.size();
    for (const Unit unit : {Unit::kLines, Unit::kTokens, Unit::kBytes})
      remove_pieces(text, unit, still_shows, budget);
  } while (text.size() < size && budget > 0);
  return text;
}

}  // namespace nacre::shell
