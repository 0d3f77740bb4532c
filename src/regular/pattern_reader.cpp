#include "regular/pattern_reader.h"

#include <utf8proc.h>

namespace nacre::regular {

Symbol PatternReader::next() {
  assert(!at_end());
  const auto byte = static_cast<unsigned char>(text_[pos_]);
  if (byte < 0x80 || alphabet_ == Alphabet::kBytes) {
    ++pos_;
    return byte;
  }
  utf8proc_int32_t code = 0;
  const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(text_.data() + pos_);
  const utf8proc_ssize_t length =
      utf8proc_iterate(bytes, static_cast<utf8proc_ssize_t>(text_.size() - pos_), &code);
  if (length <= 0) {
    ++pos_;
    return byte;
  }
  pos_ += static_cast<uint32_t>(length);
  return static_cast<Symbol>(code);
}

}  // namespace nacre::regular
