// What LC_ALL, LC_CTYPE, LC_COLLATE and LANG mean to the shell: what a character is, which class it
// is in, and how names are sorted. Plain bytes ("C") cost nothing; another locale is loaded when
// the first character beyond ASCII, or the first order other than that of bytes, is asked about:
// most scripts meet neither. Cheap to copy; copies share what is loaded.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace nacre::machine {

class Locale {
 public:
  Locale() = default;  // "C"
  // Names as in LC_CTYPE and LC_COLLATE; an unknown one is "C".
  Locale(std::string ctype, std::string collate);

  // Characters may be longer than a byte (UTF-8; other multi-byte encodings count as bytes).
  [[nodiscard]] bool is_utf8() const;
  [[nodiscard]] size_t length(std::string_view text) const;  // in characters
  // Size of the first character of `text`, which is not empty; a broken one is one byte.
  [[nodiscard]] size_t next(std::string_view text) const {
    return static_cast<unsigned char>(text[0]) >= 0x80 && names_ != nullptr ? next_wide(text) : 1;
  }
  // Where the character of `text` starts that ends at `end`, which is not 0.
  [[nodiscard]] size_t previous(std::string_view text, size_t end) const;
  [[nodiscard]] uint32_t decode(std::string_view character) const;
  // `name` as in [:name:].
  [[nodiscard]] bool is_in_class(uint32_t character, std::string_view name) const;
  [[nodiscard]] int compare(const std::string& a, const std::string& b) const;

 private:
  struct Names;  // and what was loaded for them
  [[nodiscard]] size_t next_wide(std::string_view text) const;

  std::shared_ptr<Names> names_;  // null: "C"
};

}  // namespace nacre::machine
