#include "machine/locale.h"

#include <algorithm>
#include <clocale>
#include <cstring>
#include <cwctype>
#include <langinfo.h>
#include <optional>

namespace nacre::machine {
namespace {

// Sorted by bytes, which in UTF-8 is by code points.
bool is_plain_locale(std::string_view name) {
  return name.empty() || name == "C" || name == "POSIX" || name.starts_with("C.");
}

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

}  // namespace

struct Locale::Names {
  class Loaded {
   public:
    Loaded(int mask, const std::string& name) : handle_(newlocale(mask, name.c_str(), nullptr)) {}
    ~Loaded() {
      if (handle_ != nullptr) freelocale(handle_);
    }
    Loaded(const Loaded&) = delete;
    Loaded& operator=(const Loaded&) = delete;
    [[nodiscard]] locale_t get() const { return handle_; }  // null: there is no such locale

   private:
    locale_t handle_;
  };

  std::string ctype_name;
  std::string collate_name;
  std::optional<Loaded> ctype;
  std::optional<Loaded> collate;
  bool is_utf8 = false;

  void load_ctype() {
    if (ctype) return;
    ctype.emplace(LC_CTYPE_MASK, ctype_name);
    if (ctype->get() == nullptr || ctype_name.empty()) return;
    // nl_langinfo_l() of a static glibc answers for the current locale, whatever it is given.
    locale_t before = uselocale(ctype->get());
    is_utf8 = std::strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    uselocale(before);
  }
};

Locale::Locale(std::string ctype, std::string collate) {
  auto is_c = [](const std::string& name) {
    return name.empty() || name == "C" || name == "POSIX";
  };
  if (is_c(ctype) && is_plain_locale(collate)) return;
  names_ = std::make_shared<Names>();
  names_->ctype_name = is_c(ctype) ? "C" : std::move(ctype);
  names_->collate_name = std::move(collate);
}

bool Locale::is_utf8() const {
  if (names_ == nullptr) return false;
  names_->load_ctype();
  return names_->is_utf8;
}

size_t Locale::next_wide(std::string_view text) const {
  auto first = static_cast<unsigned char>(text[0]);
  size_t size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < size || !is_utf8()) return 1;
  for (size_t i = 1; i < size; ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) return 1;
  }
  return size;
}

size_t Locale::previous(std::string_view text, size_t end) const {
  if (names_ == nullptr) return end - 1;
  for (size_t size = 2; size <= 4 && size <= end; ++size) {
    if (next(text.substr(end - size, size)) == size) return end - size;
  }
  return end - 1;
}

size_t Locale::length(std::string_view text) const {
  if (names_ == nullptr || is_ascii(text)) return text.size();
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
      return byte(0) >= 0x80 && is_utf8() ? 0x110000 + byte(0) : byte(0);
  }
}

bool Locale::is_in_class(uint32_t character, std::string_view name) const {
  char buffer[32];
  if (name.size() >= sizeof buffer) return false;
  if (name == "ascii") return character < 0x80;
  std::memcpy(buffer, name.data(), name.size());
  buffer[name.size()] = '\0';
  // ASCII is the same in all locales.
  if (character < 0x80 || names_ == nullptr) {
    wctype_t type = wctype(buffer);
    return type != 0 && character < 0x80 && iswctype(static_cast<wint_t>(character), type) != 0;
  }
  names_->load_ctype();
  locale_t ctype = names_->ctype->get();
  wctype_t type = ctype == nullptr ? 0 : wctype_l(buffer, ctype);
  return type != 0 && iswctype_l(static_cast<wint_t>(character), type, ctype) != 0;
}

int Locale::compare(const std::string& a, const std::string& b) const {
  if (names_ == nullptr || is_plain_locale(names_->collate_name)) return a.compare(b);
  if (!names_->collate) names_->collate.emplace(LC_COLLATE_MASK, names_->collate_name);
  locale_t collate = names_->collate->get();
  int order = collate == nullptr ? 0 : strcoll_l(a.c_str(), b.c_str(), collate);
  return order != 0 ? order : a.compare(b);
}

}  // namespace nacre::machine
