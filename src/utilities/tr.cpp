// tr
#include <array>
#include <cctype>
#include <fmt/format.h>

#include "utilities/input.h"
#include "utilities/options.h"
#include "utilities/table.h"

namespace nacre::utilities {
namespace {

// A set as tr writes it: ranges, classes, escapes, repeats. In order, with duplicates.
class SetReader {
 public:
  SetReader(std::string_view text, size_t fill_to) : text_(text), fill_to_(fill_to) {}

  // Nothing after an error, which is in `error`.
  std::optional<std::string> read() {
    while (at_ < text_.size()) {
      if (text_[at_] == '[' && read_bracket()) continue;
      if (!error.empty()) return std::nullopt;
      unsigned char first = read_character();
      if (at_ + 1 < text_.size() && text_[at_] == '-') {
        ++at_;
        unsigned char last = read_character();
        if (last < first) {
          error = fmt::format("range-endpoints of '{}-{}' are in reverse collating sequence order",
                              static_cast<char>(first), static_cast<char>(last));
          return std::nullopt;
        }
        for (int c = first; c <= last; ++c) result_ += static_cast<char>(c);
      } else {
        result_ += static_cast<char>(first);
      }
    }
    if (fill_at_ != std::string::npos && result_.size() < fill_to_) {
      result_.insert(fill_at_, fill_to_ - result_.size(), fill_char_);
    }
    return result_;
  }
  // Where a class begins in the set, and whether it is [:lower:] or [:upper:].
  struct ClassAt {
    size_t begin;
    bool has_case;
  };
  [[nodiscard]] const std::vector<ClassAt>& classes() const { return classes_; }
  [[nodiscard]] bool ends_with_class() const {
    return class_end_ == result_.size() && !classes_.empty();
  }
  std::string error;

 private:
  unsigned char read_character() {
    char c = text_[at_++];
    if (c != '\\' || at_ == text_.size()) return static_cast<unsigned char>(c);
    c = text_[at_++];
    switch (c) {
      case 'n': return '\n';
      case 't': return '\t';
      case 'r': return '\r';
      case 'a': return '\a';
      case 'b': return '\b';
      case 'f': return '\f';
      case 'v': return '\v';
      default: break;
    }
    if (c < '0' || c > '7') return static_cast<unsigned char>(c);
    unsigned value = static_cast<unsigned>(c - '0');
    for (int i = 0; i < 2 && at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '7'; ++i) {
      unsigned next = value * 8 + static_cast<unsigned>(text_[at_] - '0');
      if (next > 255) break;
      value = next;
      ++at_;
    }
    return static_cast<unsigned char>(value);
  }

  // [:class:], [=c=], [c*n]; false: an ordinary bracket.
  bool read_bracket() {
    std::string_view rest = text_.substr(at_);
    if (rest.starts_with("[:")) {
      size_t end = rest.find(":]", 2);
      if (end == std::string_view::npos) return false;
      return add_class(rest.substr(2, end - 2)) && (at_ += end + 2, true);
    }
    if (rest.starts_with("[=") && rest.size() >= 5 && rest.substr(3, 2) == "=]") {
      result_ += rest[2];
      at_ += 5;
      return true;
    }
    size_t save = at_;
    ++at_;
    if (at_ < text_.size()) {
      char c = static_cast<char>(read_character());
      size_t end = text_.find(']', at_);
      if (at_ < text_.size() && text_[at_] == '*' && end != std::string_view::npos) {
        std::string_view digits = text_.substr(at_ + 1, end - at_ - 1);
        bool is_count = digits.find_first_not_of("0123456789") == std::string_view::npos;
        if (is_count) {
          auto count = digits.empty() ? 0 : parse_number(digits).value_or(0);
          if (count == 0) {
            fill_at_ = result_.size();
            fill_char_ = c;
          } else {
            // No set is translated that is longer than this.
            constexpr size_t kMaxSet = size_t{1} << 20;
            result_.append(
                std::min(static_cast<size_t>(count), kMaxSet - std::min(result_.size(), kMaxSet)),
                c);
          }
          at_ = end + 1;
          return true;
        }
      }
    }
    at_ = save;
    return false;
  }

  bool add_class(std::string_view name) {
    struct Class {
      std::string_view name;
      int (*test)(int);
    };
    static constexpr Class kClasses[] = {
        {"alnum", isalnum}, {"alpha", isalpha}, {"blank", isblank}, {"cntrl", iscntrl},
        {"digit", isdigit}, {"graph", isgraph}, {"lower", islower}, {"print", isprint},
        {"punct", ispunct}, {"space", isspace}, {"upper", isupper}, {"xdigit", isxdigit}};
    for (const Class& known : kClasses) {
      if (known.name != name) continue;
      classes_.push_back({result_.size(), name == "lower" || name == "upper"});
      for (int c = 0; c < 128; ++c) {
        if (known.test(c) != 0) result_ += static_cast<char>(c);
      }
      class_end_ = result_.size();
      return true;
    }
    error = fmt::format("invalid character class {}", quoted(name));
    return false;
  }

  std::string_view text_;
  size_t fill_to_;
  size_t at_ = 0;
  std::string result_;
  std::vector<ClassAt> classes_;
  size_t class_end_ = 0;
  size_t fill_at_ = std::string::npos;
  char fill_char_ = 0;
};

std::string complement(const std::string& set) {
  std::array<bool, 256> is_in{};
  for (char c : set) is_in[static_cast<unsigned char>(c)] = true;
  std::string result;
  for (size_t c = 0; c < 256; ++c) {
    if (!is_in[c]) result += static_cast<char>(c);
  }
  return result;
}

// What tr has against classes in its second set; empty if nothing.
std::string class_problem(const SetReader& first, bool inverts, const SetReader& second) {
  for (const SetReader::ClassAt& target : second.classes()) {
    if (!target.has_case) {
      return "when translating, the only character classes that may appear in\n"
             "string2 are 'upper' and 'lower'";
    }
    bool is_aligned = false;
    for (const SetReader::ClassAt& from : first.classes()) {
      is_aligned |= !inverts && from.has_case && from.begin == target.begin;
    }
    if (!is_aligned) return "misaligned [:upper:] and/or [:lower:] construct";
  }
  return "";
}

}  // namespace

int tr(Context& context) {
  auto options = parse_options(context, "tr", "dscCt");
  if (!options) return options.error();
  bool deletes = options->has('d');
  bool squeezes = options->has('s');
  size_t wanted = deletes == squeezes ? 2 : 1;
  size_t given = options->operands.size();
  if (given < wanted || given == 0) return context.fail("missing operand");
  if (given > 2 || (deletes && !squeezes && given > 1)) return context.fail("extra operand");
  SetReader first_reader(options->operands[0], 0);
  auto first = first_reader.read();
  if (!first) return context.fail(first_reader.error);
  bool inverts = options->has('c') || options->has('C');
  if (inverts) *first = complement(*first);
  std::string second;
  if (given == 2) {
    SetReader reader(options->operands[1], first->size());
    auto set = reader.read();
    if (!set) return context.fail(reader.error);
    second = *set;
    if (!deletes) {
      std::string problem = class_problem(first_reader, inverts, reader);
      if (problem.empty() && reader.ends_with_class() && second.size() < first->size() &&
          !options->has('t')) {
        problem =
            "when translating with string1 longer than string2,\n"
            "the latter string must not end with a character class";
      }
      if (!problem.empty()) return context.fail(problem);
    }
  }
  bool translates = given == 2 && !deletes;
  if (translates && second.empty() && !options->has('t')) {
    return context.fail("when not truncating set1, string2 must be non-empty");
  }
  if (translates && options->has('t')) first->resize(std::min(first->size(), second.size()));
  if (translates && second.size() < first->size() && !second.empty()) {
    second.resize(first->size(), second.back());
  }
  std::array<bool, 256> removed{};
  std::array<bool, 256> squeezed{};
  std::array<char, 256> map;
  for (size_t c = 0; c < 256; ++c) map[c] = static_cast<char>(c);
  for (size_t i = 0; i < first->size(); ++i) {
    auto from = static_cast<unsigned char>((*first)[i]);
    if (deletes) removed[from] = true;
    if (translates) map[from] = second[i];
  }
  for (char c : given == 2 ? second : *first) squeezed[static_cast<unsigned char>(c)] = squeezes;
  Input input(context, "-");
  int last = -1;
  std::string output;
  for (std::string_view piece = input.piece(); !piece.empty(); piece = input.piece()) {
    output.clear();
    for (char c : piece) {
      if (removed[static_cast<unsigned char>(c)]) continue;
      char mapped = map[static_cast<unsigned char>(c)];
      auto byte = static_cast<unsigned char>(mapped);
      if (squeezed[byte] && last == byte) continue;
      last = byte;
      output += mapped;
    }
    context.out(output);
    if (!context.flush()) return 1;
  }
  return input.error() == 0 ? 0 : context.fail("read error", input.error());
}

}  // namespace nacre::utilities
