#include "utilities/input.h"

#include <cerrno>
#include <fcntl.h>

namespace nacre::utilities {

namespace {
constexpr size_t kPiece = 65536;
}

Input::Input(Context& context, std::string_view path) : context_(context) {
  if (path == "-") return;
  fd_ = context.os.open(std::string(path).c_str(), O_RDONLY, 0);
  if (fd_ < 0) error_ = fd_;
}

Input::~Input() {
  if (fd_ > 0) context_.os.close(fd_);
}

std::string_view Input::piece() {
  if (begin_ < buffer_.size()) {
    std::string_view rest = std::string_view(buffer_).substr(begin_);
    begin_ = buffer_.size();
    return rest;
  }
  if (error_ != 0) return {};
  buffer_.resize(kPiece);
  begin_ = 0;
  ssize_t got = 0;
  do {
    got = context_.os.read(fd_, buffer_.data(), buffer_.size());
  } while (got == -EINTR);
  if (got < 0) error_ = static_cast<int>(got);
  buffer_.resize(got < 0 ? 0 : static_cast<size_t>(got));
  begin_ = buffer_.size();
  return buffer_;
}

bool Input::line(std::string& text, char delimiter) {
  text.clear();
  while (true) {
    std::string_view rest = std::string_view(buffer_).substr(begin_);
    size_t end = rest.find(delimiter);
    if (end != std::string_view::npos) {
      text.append(rest.substr(0, end));
      begin_ += end + 1;
      was_terminated_ = true;
      constexpr unsigned kLinesPerStep = 8;
      if (++lines_ % kLinesPerStep == 0) context_.os.spend(1);
      return true;
    }
    text.append(rest);
    if (text.size() > kPiece) context_.holds(text.size());
    begin_ = buffer_.size();
    if (piece().empty()) break;
    begin_ = 0;
  }
  was_terminated_ = false;
  return !text.empty();
}

std::string Input::rest() {
  std::string all;
  for (std::string_view next = piece(); !next.empty(); next = piece()) {
    all.append(next);
    context_.holds(all.size());
  }
  return all;
}

}  // namespace nacre::utilities
