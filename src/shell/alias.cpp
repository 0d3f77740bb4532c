// Alias substitution, POSIX 2.3.1. The input comes line by line, so that only the rest of one line
// lies after the word: the replacement and a copy of that rest are appended to the text, and
// reading goes on there. Offsets of what was read before stay as they are.
#include "shell/parser.h"

namespace nacre::shell {

// If the current token is a word with an alias, replaces it, reads the first token of the
// replacement and returns true.
bool Parser::expand_alias(Mode mode) {
  if (token_ != Token::kWord || keyword_ != Keyword::kNone || !word_.is_plain() || attempts_ > 0 ||
      is_halted_ || map_ == nullptr) {
    return false;
  }
  while (!active_aliases_.empty() && active_aliases_.back().end <= token_begin_) {
    active_aliases_.pop_back();
  }
  std::string name(word_.literal());
  for (const ActiveAlias& active : active_aliases_) {
    if (active.name == name) return false;
  }
  auto value = options_.aliases(name);
  if (!value) return false;

  uint32_t begin = size_;
  auto length = static_cast<uint32_t>(value->size());
  for (ActiveAlias& active : active_aliases_) {
    active.end = begin + length + (active.end > token_end_ ? active.end - token_end_ : 0);
  }
  active_aliases_.push_back({std::move(name), begin + length});
  if (length > 0) map_->add_whole(begin, file_span(token_begin_, token_end_));
  map_->repeat(token_end_, begin, begin + length);
  std::string added(*value);
  added += view(token_end_, size_);
  append_text(added);
  at_ = begin;
  if (length > 0 && is(value->back(), kBlank)) alias_blank_end_ = begin + length;
  uint32_t before = previous_end_;
  advance(mode);
  previous_end_ = before;
  return true;
}

// The word after an alias that ends in a blank is looked at, too; false if this is not one.
bool Parser::expand_after_blank(Mode mode) {
  if (alias_blank_end_ == 0 || token_begin_ < alias_blank_end_) return false;
  alias_blank_end_ = 0;
  while (expand_alias(mode)) {
  }
  return true;
}

}  // namespace nacre::shell
