// How a line falls into words: between blanks with quotes, as JSON, and here-documents.
#include <algorithm>

#include "docker/parse_arguments.h"
#include "docker/text.h"

namespace nacre::docker {

namespace {

bool is_blank(char c) { return kBlanks.find(c) != std::string_view::npos; }

// One JSON string, from its first quote on.
class JsonReader {
 public:
  JsonReader(const Line& line, size_t at, bool allows_comment)
      : line_(line), text_(line.text), at_(at), allows_comment_(allows_comment) {}

  std::optional<std::vector<Word>> list() {
    std::vector<Word> words;
    skip();
    if (!take('[')) return std::nullopt;
    skip();
    if (take(']')) return at_rest(std::move(words));
    while (true) {
      auto word = string();
      if (!word) return std::nullopt;
      words.push_back(*std::move(word));
      skip();
      if (take(']')) return at_rest(std::move(words));
      if (!take(',')) return std::nullopt;
      skip();
    }
  }

 private:
  std::optional<std::vector<Word>> at_rest(std::vector<Word> words) {
    skip();
    const bool is_comment = at_ < text_.size() && text_[at_] == '#' && allows_comment_;
    return at_ == text_.size() || is_comment ? std::optional(std::move(words)) : std::nullopt;
  }
  void skip() {
    while (at_ < text_.size() && is_blank(text_[at_])) at_++;
  }
  bool take(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    at_++;
    return true;
  }

  std::optional<Word> string() {
    const size_t begin = at_;
    if (!take('"')) return std::nullopt;
    Word word;
    while (at_ < text_.size() && text_[at_] != '"') {
      if (text_[at_] == '\\') {
        if (!escape(word.text)) return std::nullopt;
      } else if (static_cast<unsigned char>(text_[at_]) < ' ') {
        return std::nullopt;
      } else {
        word.text += text_[at_++];
      }
    }
    if (!take('"')) return std::nullopt;
    word.span = line_.place(begin, at_);
    return word;
  }

  bool escape(std::string& out) {
    constexpr std::string_view kFrom = "\"\\/bfnrt", kTo = "\"\\/\b\f\n\r\t";
    if (at_ + 1 >= text_.size()) return false;
    const char c = text_[at_ + 1];
    if (const size_t known = kFrom.find(c); known != std::string_view::npos) {
      out += kTo[known];
      at_ += 2;
      return true;
    }
    if (c != 'u' || at_ + 6 > text_.size()) return false;
    const std::string digits(text_.substr(at_ + 2, 4));
    if (digits.find_first_not_of("0123456789abcdefABCDEF") != std::string::npos) return false;
    append_utf8(static_cast<uint32_t>(std::stoul(digits, nullptr, 16)), out);
    at_ += 6;
    return true;
  }

  static void append_utf8(uint32_t code, std::string& out) {
    if (code < 0x80) {
      out += static_cast<char>(code);
    } else if (code < 0x800) {
      out += static_cast<char>(0xC0 | (code >> 6));
      out += static_cast<char>(0x80 | (code & 0x3F));
    } else {
      out += static_cast<char>(0xE0 | (code >> 12));
      out += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
      out += static_cast<char>(0x80 | (code & 0x3F));
    }
  }

  const Line& line_;
  std::string_view text_;
  size_t at_;
  bool allows_comment_;
};

// `<<EOF`, `<<-"EOF"`, `3<<EOF`: a whole word, as BuildKit has it; `cat<<EOF` is none for it.
std::optional<HereDocument> read_introducer(std::string_view word) {
  word.remove_prefix(std::min(word.find_first_not_of("0123456789"), word.size()));
  if (!word.starts_with("<<")) return std::nullopt;
  HereDocument made;
  word.remove_prefix(2);
  if (word.starts_with('-')) {
    made.strips_tabs = true;
    word.remove_prefix(1);
  }
  if (word.find('<') != std::string_view::npos) return std::nullopt;
  for (const char c : word) {
    const bool is_quote = c == '"' || c == '\'' || c == '\\';
    made.expands &= !is_quote;
    if (!is_quote) made.name += c;
  }
  return made.name.empty() ? std::nullopt : std::optional(std::move(made));
}

}  // namespace

size_t end_of_word(std::string_view text, size_t at, char escape) {
  char quote = '\0';
  while (at < text.size()) {
    const char c = text[at];
    if (c == escape && quote != '\'') {
      at = std::min(at + 2, text.size());
      continue;
    }
    if (quote != '\0') {
      if (c == quote) quote = '\0';
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (is_blank(c)) {
      break;
    }
    at++;
  }
  return at;
}

std::optional<std::vector<Word>> read_json_list(const Line& line, size_t begin,
                                                bool allows_comment) {
  return JsonReader(line, begin, allows_comment).list();
}

std::vector<Word> split_words(const Line& line, size_t begin, char escape) {
  std::vector<Word> words;
  const std::string_view text = line.text;
  size_t at = begin;
  while (true) {
    while (at < text.size() && is_blank(text[at])) at++;
    if (at >= text.size()) return words;
    const size_t end = end_of_word(text, at, escape);
    words.push_back({std::string(text.substr(at, end - at)), line.place(at, end)});
    at = end;
  }
}

bool may_hold_documents(const Instruction& instruction) {
  if (instruction.keyword == Keyword::kOnbuild)
    return instruction.inner != nullptr && may_hold_documents(*instruction.inner);
  const bool is_one = instruction.keyword == Keyword::kRun ||
                      instruction.keyword == Keyword::kCopy || instruction.keyword == Keyword::kAdd;
  return is_one && instruction.form == Form::kShell &&
         instruction.arguments().find("<<") != std::string_view::npos;
}

std::vector<HereDocument> find_here_documents(const Instruction& instruction) {
  const Instruction& real = instruction.inner ? *instruction.inner : instruction;
  std::vector<HereDocument> found;
  for (const Word& word : real.words) {
    if (auto made = read_introducer(word.text)) {
      made->introducer = word.span;
      found.push_back(*std::move(made));
    }
  }
  return found;
}

}  // namespace nacre::docker
