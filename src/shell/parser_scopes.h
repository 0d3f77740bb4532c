// What the parser sets aside while it reads something within something else. Each is an object that
// puts things back when it dies; private to this module.
#pragma once

#include <utility>

#include "shell/parser.h"

namespace nacre::shell {

// Another text that is parsed in place of the input.
class Parser::Nested {
 public:
  Nested(Parser& parser, std::string_view text, uint32_t at, TextMap* map)
      : parser_(parser),
        text_(parser.text_),
        size_(parser.size_),
        at_(parser.at_),
        no_bracket_until_(parser.no_bracket_until_),
        end_is_reported_(parser.end_is_reported_),
        map_(parser.map_),
        buffer_(parser.buffer_),
        capacity_(parser.capacity_),
        more_text_(std::move(parser.more_text_)),
        aliases_(std::move(parser.active_aliases_)) {
    parser.text_ = text.data();
    parser.size_ = static_cast<uint32_t>(text.size());
    parser.at_ = at;
    parser.map_ = map;
    parser.buffer_ = nullptr;
    parser.more_text_ = nullptr;
    parser.active_aliases_.clear();
    parser.no_bracket_until_ = 0;
  }
  ~Nested() {
    parser_.text_ = text_;
    parser_.size_ = size_;
    parser_.at_ = parser_.is_halted_ ? size_ : at_;
    parser_.end_is_reported_ = end_is_reported_ || parser_.is_halted_;
    parser_.map_ = map_;
    parser_.buffer_ = buffer_;
    parser_.capacity_ = capacity_;
    parser_.more_text_ = std::move(more_text_);
    parser_.active_aliases_ = std::move(aliases_);
    parser_.no_bracket_until_ = no_bracket_until_;
  }
  Nested(const Nested&) = delete;
  Nested& operator=(const Nested&) = delete;

 private:
  Parser& parser_;
  const char* text_;
  uint32_t size_, at_, no_bracket_until_;
  bool end_is_reported_;
  TextMap* map_;
  char* buffer_;
  size_t capacity_;
  MoreText more_text_;
  std::vector<ActiveAlias> aliases_;
};

// Commands within a word: the token around them is put back.
class Parser::Inner {
 public:
  explicit Inner(Parser& parser)
      : parser_(parser),
        token_(parser.token_),
        enclosing_(parser.enclosing_),
        token_begin_(parser.token_begin_),
        token_end_(parser.token_end_),
        previous_end_(parser.previous_end_),
        is_parenthesised_(parser.is_parenthesised_),
        pending_(std::move(parser.pending_)) {
    parser.enclosing_ = 0;
    parser.is_parenthesised_ = false;
    parser.pending_.clear();
  }
  ~Inner() {
    parser_.token_ = token_;
    parser_.enclosing_ = enclosing_;
    parser_.token_begin_ = token_begin_;
    parser_.token_end_ = token_end_;
    parser_.previous_end_ = previous_end_;
    parser_.is_parenthesised_ = is_parenthesised_;
    parser_.keyword_ = Keyword::kNone;
    // A here-document that was opened within `$( )` may follow the line of the `)`.
    pending_.insert(pending_.end(), parser_.pending_.begin(), parser_.pending_.end());
    parser_.pending_ = std::move(pending_);
  }
  Inner(const Inner&) = delete;
  Inner& operator=(const Inner&) = delete;

 private:
  Parser& parser_;
  Token token_;
  uint32_t enclosing_, token_begin_, token_end_, previous_end_;
  bool is_parenthesised_;
  std::vector<PendingHereDocument> pending_;
};

// One level of nesting.
class Parser::Level {
 public:
  explicit Level(Parser& parser) : parser_(parser) { parser.depth_++; }
  ~Level() { parser_.depth_--; }
  Level(const Level&) = delete;
  Level& operator=(const Level&) = delete;
  [[nodiscard]] bool is_too_deep() const {
    if (parser_.depth_ <= parser_.options_.max_depth) return false;
    parser_.halt_too_deep();
    return true;
  }

 private:
  Parser& parser_;
};

// Errors are warnings: the shell looks at this text only when it runs.
class Parser::Deferred {
 public:
  explicit Deferred(Parser& parser, bool is_deferred = true)
      : parser_(parser),
        is_deferred_(is_deferred),
        panics_(parser.panics_),
        end_is_reported_(parser.end_is_reported_) {
    if (is_deferred_) parser.deferred_++;
  }
  ~Deferred() {
    if (!is_deferred_) return;
    parser_.deferred_--;
    if (parser_.is_halted_) return;
    parser_.panics_ = panics_;
    parser_.end_is_reported_ = end_is_reported_;
  }
  Deferred(const Deferred&) = delete;
  Deferred& operator=(const Deferred&) = delete;

 private:
  Parser& parser_;
  bool is_deferred_, panics_, end_is_reported_;
};

}  // namespace nacre::shell
