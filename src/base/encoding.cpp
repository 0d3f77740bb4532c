#include "base/encoding.h"

#include <fmt/format.h>
#include <string_view>
#include <utf8proc.h>

#include "base/codes.h"
#include "base/counted.h"

namespace nacre {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

Span at(size_t offset, size_t size = 1) {
  return {static_cast<uint32_t>(offset), static_cast<uint32_t>(offset + size)};
}

void check_byte_order_mark(const SourceFile& file, std::vector<Diagnostic>& found) {
  if (!file.bytes().starts_with(kByteOrderMark)) return;
  Span mark = at(0, kByteOrderMark.size());
  Diagnostic diagnostic =
      finding("S003", file, mark, "the file begins with a byte order mark", Confidence::kCertain);
  diagnostic.fixes = {{"remove the byte order mark", {{mark, ""}}, true}};
  found.push_back(std::move(diagnostic));
}

// One finding for the whole file: such files have a CR on every line.
void check_carriage_returns(const SourceFile& file, std::vector<Diagnostic>& found) {
  std::vector<Edit> edits;
  for (size_t cr = file.bytes().find("\r\n"); cr != std::string_view::npos;
       cr = file.bytes().find("\r\n", cr + 1)) {
    edits.push_back({at(cr), ""});
  }
  if (edits.empty()) return;
  std::string message = "the line ends with a carriage return";
  if (edits.size() > 1) message += fmt::format(" (and {})", counted(edits.size() - 1, "more line"));
  Diagnostic diagnostic =
      finding("S004", file, edits[0].span, std::move(message), Confidence::kCertain);
  diagnostic.fixes = {{"end lines with a newline only", std::move(edits), true}};
  found.push_back(std::move(diagnostic));
}

void check_utf8(const SourceFile& file, std::vector<Diagnostic>& found) {
  std::string_view bytes = file.bytes();
  for (size_t offset = 0; offset < bytes.size();) {
    if (static_cast<unsigned char>(bytes[offset]) < 0x80) {
      offset++;
      continue;
    }
    utf8proc_int32_t code_point = 0;
    utf8proc_ssize_t length =
        utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(bytes.data() + offset),
                         static_cast<utf8proc_ssize_t>(bytes.size() - offset), &code_point);
    if (length <= 0) {
      auto byte = static_cast<unsigned char>(bytes[offset]);
      found.push_back(
          finding("S005", file, at(offset),
                  fmt::format("byte 0x{:02X} is not UTF-8 (only the first is reported)", byte),
                  Confidence::kCertain));
      return;
    }
    offset += static_cast<size_t>(length);
  }
}

}  // namespace

std::optional<uint32_t> find_nul(const SourceFile& file) {
  size_t nul = file.bytes().find('\0');
  if (nul == std::string_view::npos) return std::nullopt;
  return static_cast<uint32_t>(nul);
}

std::vector<Diagnostic> check_encoding(const SourceFile& file) {
  std::vector<Diagnostic> found;
  check_byte_order_mark(file, found);
  check_carriage_returns(file, found);
  check_utf8(file, found);
  return found;
}

}  // namespace nacre
