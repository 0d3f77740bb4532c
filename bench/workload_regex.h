// The regex syntax of the workload that bench/languages.cpp runs: bytes, whole-string matching,
// `.` and negated classes without newline, `&`, `~(A)` as `.*` minus A, \W{FILE} for a word list.
// Trusted input: mistakes in it are assertions.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "regular/lang.h"

namespace nacre::bench {

// The lines of each word list, read before anything is timed.
using WordFiles = std::map<std::string, std::vector<std::string_view>, std::less<>>;

class WorkloadRegex {
 public:
  WorkloadRegex(regular::Context& context, const WordFiles& files, std::string_view text)
      : cx_(context), files_(files), text_(text) {}

  regular::Lang parse() { return parse_union(); }

 private:
  [[nodiscard]] bool at(char c) const { return at_ < text_.size() && text_[at_] == c; }
  bool take(char c) { return at(c) && (++at_, true); }

  regular::Lang parse_union() {
    std::vector<regular::Lang> parts = {parse_intersection()};
    while (take('|')) parts.push_back(parse_intersection());
    return any_of(cx_, parts);
  }

  regular::Lang parse_intersection() {
    std::vector<regular::Lang> parts = {parse_concat()};
    while (take('&')) parts.push_back(parse_concat());
    return all_of(cx_, parts);
  }

  regular::Lang parse_concat() {
    std::vector<regular::Lang> parts;
    while (at_ < text_.size() && !at('|') && !at('&') && !at(')')) parts.push_back(parse_factor());
    return concat(cx_, parts);
  }

  regular::Lang parse_factor() {
    regular::Lang factor = parse_atom();
    for (;;) {
      if (take('*')) {
        factor = star(factor);
      } else if (take('+')) {
        factor = plus(factor);
      } else if (take('?')) {
        factor = optional(factor);
      } else if (take('{')) {
        uint32_t least = parse_number();
        uint32_t most = least;
        if (take(',')) most = at('}') ? regular::kUnbounded : parse_number();
        take('}');
        factor = repeat(factor, least, most);
      } else {
        return factor;
      }
    }
  }

  uint32_t parse_number() {
    uint32_t value = 0;
    while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') {
      value = value * 10 + static_cast<uint32_t>(text_[at_++] - '0');
    }
    return value;
  }

  regular::Lang parse_atom() {
    if (take('.')) return cx_.set(not_newline());
    if (take('[')) return cx_.set(parse_class());
    if (take('~')) return star(cx_.set(not_newline())) - parse_atom();
    if (take('(')) {
      regular::Lang inner = parse_union();
      take(')');
      return inner;
    }
    if (text_.substr(at_).starts_with("\\W{")) {
      size_t end = text_.find('}', at_);
      auto file = files_.find(text_.substr(at_ + 3, end - at_ - 3));
      at_ = end + 1;
      return cx_.words(file->second);
    }
    return cx_.set(regular::CharSet::of(parse_symbol()));
  }

  static regular::CharSet not_newline() {
    return regular::CharSet::of('\n').complement(regular::Alphabet::kBytes);
  }

  regular::CharSet parse_class() {
    bool negated = take('^');
    regular::CharSet set;
    while (!take(']')) {
      regular::Symbol first = parse_symbol();
      bool is_range = at('-') && at_ + 1 < text_.size() && text_[at_ + 1] != ']';
      if (is_range) ++at_;
      set.add(regular::SymbolRange{first, is_range ? parse_symbol() : first});
    }
    return negated ? not_newline() - set : set;
  }

  regular::Symbol parse_symbol() {
    auto byte = [&] { return static_cast<unsigned char>(text_[at_++]); };
    unsigned char c = byte();
    if (c != '\\') return c;
    switch (c = byte()) {
      case 'n': return '\n';
      case 't': return '\t';
      case 'r': return '\r';
      case 'x':
        at_ += 2;
        return static_cast<regular::Symbol>(
            std::stoi(std::string(text_.substr(at_ - 2, 2)), nullptr, 16));
      default: return c;
    }
  }

  regular::Context& cx_;
  const WordFiles& files_;
  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace nacre::bench
