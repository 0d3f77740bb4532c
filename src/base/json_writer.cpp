#include "base/json_writer.h"

#include <cassert>
#include <fmt/format.h>
#include <iterator>
#include <utf8proc.h>
#include <utility>

namespace nacre {

namespace {

void append_character(std::string_view bytes, utf8proc_int32_t code, std::string& out) {
  switch (code) {
    case '"': out += "\\\""; return;
    case '\\': out += "\\\\"; return;
    case '\n': out += "\\n"; return;
    case '\t': out += "\\t"; return;
    case '\r': out += "\\r"; return;
    default: break;
  }
  const bool is_line_end = code == 0x2028 || code == 0x2029;
  if (code < 0x20 || (code >= 0x7F && code < 0xA0) || is_line_end)
    fmt::format_to(std::back_inserter(out), "\\u{:04x}", code);
  else
    out += bytes;
}

void append_quoted(std::string_view text, std::string& out) {
  out += '"';
  while (!text.empty()) {
    utf8proc_int32_t code = 0;
    const auto size = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                       static_cast<utf8proc_ssize_t>(text.size()), &code);
    const size_t taken = size > 0 ? static_cast<size_t>(size) : 1;
    if (size > 0)
      append_character(text.substr(0, taken), code, out);
    else
      out += "\xEF\xBF\xBD";
    text.remove_prefix(taken);
  }
  out += '"';
}

}  // namespace

void JsonWriter::indent() {
  out_ += '\n';
  out_.append(2 * closers_.size(), ' ');
}

// The comma and the white space that come before a key or an element.
void JsonWriter::before_item() {
  if (!is_first_) out_ += shape_ == Shape::kLine && !breaks_line_ ? ", " : ",";
  if (breaks_line_) out_ += '\n';
  if (shape_ == Shape::kIndented && !closers_.empty()) indent();
  is_first_ = false;
  breaks_line_ = false;
}

JsonWriter& JsonWriter::raw(std::string_view text) {
  assert((closers_.empty() || closers_.back() == ']' || has_key_) && "a value needs a key");
  if (!has_key_) before_item();
  has_key_ = false;
  out_ += text;
  return *this;
}

JsonWriter& JsonWriter::begin(char open, char close) {
  raw({&open, 1});
  closers_ += close;
  is_first_ = true;
  return *this;
}

JsonWriter& JsonWriter::end(char close) {
  assert(!closers_.empty() && closers_.back() == close && !has_key_);
  closers_.pop_back();
  if (breaks_line_) out_ += '\n';
  if (shape_ == Shape::kIndented && !is_first_) indent();
  out_ += close;
  is_first_ = false;
  breaks_line_ = false;
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  assert(!closers_.empty() && closers_.back() == '}' && !has_key_);
  before_item();
  append_quoted(name, out_);
  out_ += shape_ == Shape::kCompact ? ":" : ": ";
  has_key_ = true;
  return *this;
}

JsonWriter& JsonWriter::value(std::string_view text) {
  raw("");
  append_quoted(text, out_);
  return *this;
}

JsonWriter& JsonWriter::value(bool truth) { return raw(truth ? "true" : "false"); }
JsonWriter& JsonWriter::value(double number) { return raw(fmt::format("{}", number)); }
JsonWriter& JsonWriter::null() { return raw("null"); }

JsonWriter& JsonWriter::line_break() {
  breaks_line_ = shape_ != Shape::kIndented;
  return *this;
}

std::string JsonWriter::take() {
  assert(closers_.empty() && "something was begun and not ended");
  is_first_ = true;
  return std::exchange(out_, {});
}

std::string json_quoted(std::string_view text) {
  std::string result;
  append_quoted(text, result);
  return result;
}

}  // namespace nacre
