#include "utilities/awk_record.h"

#include "base/ascii.h"

namespace nacre::utilities {
namespace {

using UseField = std::function<void(std::string_view)>;

}  // namespace

void AwkSeparator::split_blanks(std::string_view text, const UseField& use) const {
  size_t at = 0;
  while (true) {
    while (at < text.size() && is_blank_or_newline(text[at])) ++at;
    if (at == text.size()) return;
    size_t begin = at;
    while (at < text.size() && !is_blank_or_newline(text[at])) ++at;
    use(text.substr(begin, at - begin));
  }
}

// An empty match separates nothing.
void AwkSeparator::split_regex(std::string_view text, const UseField& use) const {
  size_t begin = 0;
  size_t from = 0;
  while (from <= text.size()) {
    std::optional<Match> match = regex->search(text, from);
    if (!match) break;
    if (match->begin() == match->end()) {
      from = match->end() + 1;
      continue;
    }
    use(text.substr(begin, match->begin() - begin));
    begin = from = match->end();
  }
  use(text.substr(begin));
}

void AwkSeparator::split(std::string_view text, const UseField& use) const {
  if (text.empty()) return;
  if (kind == kBlanks) return split_blanks(text, use);
  if (kind == kRegex) return split_regex(text, use);
  if (kind == kEach) {
    for (size_t i = 0; i < text.size(); ++i) use(text.substr(i, 1));
    return;
  }
  size_t begin = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] != character && !(with_newlines && text[at] == '\n')) continue;
    use(text.substr(begin, at - begin));
    begin = at + 1;
  }
  use(text.substr(begin));
}

void AwkRecord::set(std::string text, std::shared_ptr<const AwkSeparator> separator) {
  text_ = std::move(text);
  separator_ = std::move(separator);
  is_split_ = separator_ == nullptr;
  needs_join_ = false;
  if (is_split_) fields_.clear();
}

void AwkRecord::split() {
  if (is_split_) return;
  is_split_ = true;
  fields_.clear();
  separator_->split(text_, [&](std::string_view field) {
    fields_.push_back(AwkValue::input(std::string(field)));
  });
}

size_t AwkRecord::field_count() {
  split();
  return fields_.size();
}

void AwkRecord::set_field_count(size_t count) {
  split();
  fields_.resize(count, AwkValue::input(""));
  needs_join_ = true;
}

AwkValue AwkRecord::field(size_t number) {
  if (number == 0) return AwkValue::input(text_);
  split();
  return number <= fields_.size() ? fields_[number - 1] : AwkValue();
}

void AwkRecord::set_field(size_t number, AwkValue value) {
  split();
  if (number > fields_.size()) fields_.resize(number, AwkValue::input(""));
  fields_[number - 1] = std::move(value);
  needs_join_ = true;
}

void AwkRecord::join(const std::string& separator, const std::string& format) {
  needs_join_ = false;
  text_.clear();
  for (size_t i = 0; i < fields_.size(); ++i) {
    if (i > 0) text_ += separator;
    text_ += fields_[i].to_text(format);
  }
}

}  // namespace nacre::utilities
