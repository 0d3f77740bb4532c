#include "base/system_error.h"

#include <system_error>

namespace nacre {

std::string system_message(int error_number) {
  std::string text = std::generic_category().message(error_number);
  bool is_acronym = text.size() > 1 && text[1] >= 'A' && text[1] <= 'Z';
  if (!text.empty() && text[0] >= 'A' && text[0] <= 'Z' && !is_acronym) {
    text[0] = static_cast<char>(text[0] + ('a' - 'A'));
  }
  return text;
}

}  // namespace nacre
