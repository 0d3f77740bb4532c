#include "machine/locale.h"

#include <cctype>
#include <cstring>
#include <cwctype>
#include <langinfo.h>

namespace nacre::machine {
namespace {

std::shared_ptr<__locale_struct> load(int mask, const std::string& name) {
  if (name.empty() || name == "C" || name == "POSIX") return nullptr;
  locale_t made = newlocale(mask, name.c_str(), nullptr);
  if (made == nullptr) return nullptr;
  return {made, freelocale};
}

}  // namespace

Locale::Locale(const std::string& ctype, const std::string& collate)
    : ctype_(load(LC_CTYPE_MASK, ctype)), collate_(load(LC_COLLATE_MASK, collate)) {
  is_utf8_ = ctype_ != nullptr && std::strcmp(nl_langinfo_l(CODESET, ctype_.get()), "UTF-8") == 0;
}

size_t Locale::next_utf8(std::string_view text) {
  auto first = static_cast<unsigned char>(text[0]);
  size_t size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < size) return 1;
  for (size_t i = 1; i < size; ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) return 1;
  }
  return size;
}

size_t Locale::previous(std::string_view text, size_t end) const {
  if (!is_utf8_) return end - 1;
  for (size_t size = 2; size <= 4 && size <= end; ++size) {
    if (next(text.substr(end - size, size)) == size) return end - size;
  }
  return end - 1;
}

size_t Locale::length(std::string_view text) const {
  if (!is_utf8_) return text.size();
  size_t count = 0;
  for (; !text.empty(); text.remove_prefix(next(text))) ++count;
  return count;
}

uint32_t Locale::decode(std::string_view character) const {
  auto byte = [&](size_t i) {
    return static_cast<uint32_t>(static_cast<unsigned char>(character[i]));
  };
  switch (character.size()) {
    case 2: return (byte(0) & 0x1F) << 6 | (byte(1) & 0x3F);
    case 3: return (byte(0) & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F);
    case 4:
      return (byte(0) & 0x07) << 18 | (byte(1) & 0x3F) << 12 | (byte(2) & 0x3F) << 6 |
             (byte(3) & 0x3F);
    default:
      // A stray byte is no character of the locale: it gets a number of its own.
      return is_utf8_ && byte(0) >= 0x80 ? 0x110000 + byte(0) : byte(0);
  }
}

bool Locale::is_in_class(uint32_t character, std::string_view name) const {
  char buffer[32];
  if (name.size() >= sizeof buffer) return false;
  std::memcpy(buffer, name.data(), name.size());
  buffer[name.size()] = '\0';
  if (ctype_ == nullptr) {
    wctype_t type = wctype(buffer);
    return type != 0 && character < 0x80 && iswctype(static_cast<wint_t>(character), type) != 0;
  }
  wctype_t type = wctype_l(buffer, ctype_.get());
  return type != 0 && iswctype_l(static_cast<wint_t>(character), type, ctype_.get()) != 0;
}

int Locale::compare(const std::string& a, const std::string& b) const {
  int order = collate_ == nullptr ? 0 : strcoll_l(a.c_str(), b.c_str(), collate_.get());
  return order != 0 ? order : a.compare(b);
}

}  // namespace nacre::machine
