// The record of a running awk program, $0, and its fields. Fields are cut when they are first read,
// by the FS that was in force when the record was read; $0 is joined again when a field was
// changed.
#pragma once

#include <functional>
#include <vector>

#include "utilities/awk_value.h"
#include "utilities/regex.h"

namespace nacre::utilities {

// How a text is cut: FS, or the third argument of split().
struct AwkSeparator {
  enum Kind : uint8_t { kBlanks, kCharacter, kEach, kRegex } kind = kBlanks;
  char character = ' ';
  std::optional<Regex> regex;
  bool with_newlines = false;  // of paragraphs: a newline separates besides the character

  // Calls `use(field)` for each field.
  void split(std::string_view text, const std::function<void(std::string_view)>& use) const;

 private:
  void split_blanks(std::string_view text, const std::function<void(std::string_view)>& use) const;
  void split_regex(std::string_view text, const std::function<void(std::string_view)>& use) const;
};

class AwkRecord {
 public:
  void set(std::string text, std::shared_ptr<const AwkSeparator> separator);
  [[nodiscard]] size_t field_count();
  void set_field_count(size_t count);
  [[nodiscard]] AwkValue field(size_t number);
  // Any field but $0.
  void set_field(size_t number, AwkValue value);
  // Joins $0 again if a field was changed. `separator` is OFS, `format` CONVFMT.
  void join(const std::string& separator, const std::string& format);
  [[nodiscard]] bool needs_join() const { return needs_join_; }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  void split();

  std::string text_;
  std::vector<AwkValue> fields_;
  std::shared_ptr<const AwkSeparator> separator_;
  bool is_split_ = true;
  bool needs_join_ = false;
};

}  // namespace nacre::utilities
