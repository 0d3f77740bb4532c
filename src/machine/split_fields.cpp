// The last stages of expansion: field splitting, pathname expansion, quote removal.
#include <fmt/format.h>

#include "machine/glob.h"
#include "machine/machine.h"
#include "machine/pattern.h"

namespace nacre::machine {

// Quoted characters get a backslash.
namespace {

// Whether a regular expression that is read from left to right is within brackets, where a
// backslash would stand for itself.
class RegexBrackets {
 public:
  [[nodiscard]] bool is_inside() const { return is_inside_; }
  void take(char c, bool is_quoted) {
    if (!is_inside_) {
      is_inside_ = c == '[' && !is_quoted && !is_escaped_;
      is_first_ = is_inside_;
      is_escaped_ = c == '\\' && !is_quoted && !is_escaped_;
      return;
    }
    bool is_class = last_ == '[' && (c == ':' || c == '.' || c == '=') && class_ == 0;
    if (class_ != 0) {
      if (last_ == class_ && c == ']') class_ = 0;
    } else if (is_class && !is_first_) {
      class_ = c;
      c = 0;  // it does not end what it begins
    } else if (c == ']' && !is_first_) {
      is_inside_ = false;
    }
    is_first_ = is_first_ && c == '^' && last_ != '^';
    last_ = is_inside_ ? c : 0;
  }

 private:
  bool is_inside_ = false;
  bool is_first_ = false;  // a ] would be an element
  bool is_escaped_ = false;
  char class_ = 0;  // of [:alpha:]
  char last_ = 0;
};

}  // namespace

void Machine::to_pattern(size_t text_base, size_t region_base, std::string_view special,
                         bool is_regex) {
  bool has_quoted = false;
  for (size_t i = region_base; i < regions.size(); ++i)
    has_quoted |= regions[i].region == Region::kQuoted;
  if (!has_quoted) return;
  std::string pattern;
  RegexBrackets brackets;
  for (size_t i = region_base; i < regions.size(); ++i) {
    size_t end = i + 1 < regions.size() ? regions[i + 1].begin : text.size();
    for (size_t at = regions[i].begin; at < end; ++at) {
      bool is_quoted = regions[i].region == Region::kQuoted;
      if (is_quoted && !brackets.is_inside() && special.find(text[at]) != std::string_view::npos)
        pattern += '\\';
      if (is_regex) brackets.take(text[at], is_quoted);
      pattern += text[at];
    }
  }
  text.resize(text_base);
  text += pattern;
}

void Machine::classify_separators() {
  char_class.fill(0);
  wide_separators.clear();
  for (char c : {'*', '?', '['}) char_class[static_cast<uint8_t>(c)] = kGlobChar;
  if (state.options.has(Option::kExtGlob)) char_class[static_cast<uint8_t>('(')] = kGlobChar;
  const std::string* ifs = state.variables.get("IFS");
  std::string_view rest = ifs == nullptr ? std::string_view(" \t\n") : std::string_view(*ifs);
  while (!rest.empty()) {
    std::string_view character = rest.substr(0, state.locale.next(rest));
    rest.remove_prefix(character.size());
    bool is_blank = character == " " || character == "\t" || character == "\n";
    bool is_wide = character.size() > 1;
    if (is_wide) wide_separators.emplace_back(character);
    char_class[static_cast<uint8_t>(character[0])] |= is_wide    ? kIfsWide
                                                      : is_blank ? kIfsBlank
                                                                 : kIfsOther;
  }
}

size_t Machine::wide_separator_at(std::string_view from) const {
  for (const std::string& separator : wide_separators) {
    if (from.starts_with(separator)) return separator.size();
  }
  return 0;
}

namespace {

// Builds fields from the regions of one word (POSIX 2.6.5), and beside each field the pattern that
// it is, when something in the word could glob.
class Splitter {
 public:
  Splitter(Machine& machine, bool may_glob) : machine_(machine), may_glob_(may_glob) {}

  void add(std::string_view piece, Region region) {
    if (region == Region::kExpanded) return add_expanded(piece);
    if (region == Region::kQuoted || !piece.empty()) {
      has_field_ = true;
      after_ = kNothing;
    }
    field_ += piece;
    if (may_glob_) add_to_pattern(piece, region);
    if (machine_.fine_steps) show(piece, region == Region::kQuoted);
  }
  // Between two of "$@": whatever was begun is a field.
  void end_field() {
    if (has_field_) emit();
    after_ = kNothing;
  }

 private:
  enum After : uint8_t { kNothing, kBlank, kOther };

  void add_expanded(std::string_view piece) {
    size_t begin = 0;
    for (size_t i = 0; i < piece.size(); ++i) {
      size_t size = machine_.separator_at(piece, i);
      if (size == 0) {
        has_field_ = true;
        after_ = kNothing;
        continue;
      }
      keep(piece.substr(begin, i - begin));
      begin = i + size;
      delimit((machine_.char_class[static_cast<uint8_t>(piece[i])] & kIfsBlank) != 0);
      i = begin - 1;
    }
    keep(piece.substr(begin));
  }

  // Blanks around another separator belong to it; at the start they are nothing.
  void delimit(bool is_blank) {
    if (has_field_) {
      emit();
      after_ = is_blank ? kBlank : kOther;
    } else if (!is_blank) {
      if (after_ != kBlank) emit();
      after_ = kOther;
    }
  }

  void keep(std::string_view piece) {
    field_ += piece;
    if (may_glob_) pattern_ += piece;
    if (machine_.fine_steps) shown_ += piece;
  }

  void show(std::string_view piece, bool is_quoted) {
    if (is_quoted) shown_ += '"';
    shown_ += piece;
    if (is_quoted) shown_ += '"';
  }

  void add_to_pattern(std::string_view piece, Region region) {
    for (char c : piece) {
      if (region == Region::kQuoted &&
          std::string_view("*?[]\\-!^()|+@").find(c) != std::string_view::npos) {
        pattern_ += '\\';
      }
      pattern_ += c;
    }
  }

  void emit() {
    if (machine_.fine_steps) {
      machine_.pending_fields.push_back({field_, pattern_, may_glob_, shown_});
    } else {
      machine_.add_field(field_, may_glob_ ? &pattern_ : nullptr);
    }
    field_.clear();
    pattern_.clear();
    shown_.clear();
    has_field_ = false;
  }

  Machine& machine_;
  bool may_glob_;
  bool has_field_ = false;
  After after_ = kNothing;
  std::string field_;
  std::string pattern_;
  std::string shown_;
};

}  // namespace

void Machine::split_fields(size_t region_base) {
  std::string_view word = text;
  bool may_glob = false;
  if (!state.options.has(Option::kNoGlob)) {
    for (size_t i = region_base; i < regions.size() && !may_glob; ++i) {
      size_t end = i + 1 < regions.size() ? regions[i + 1].begin : text.size();
      if (regions[i].region == Region::kQuoted) continue;
      for (size_t at = regions[i].begin; at < end; ++at) {
        may_glob |= (char_class[static_cast<uint8_t>(text[at])] & kGlobChar) != 0;
      }
    }
  }
  Splitter splitter(*this, may_glob);
  for (size_t i = region_base; i < regions.size(); ++i) {
    size_t end = i + 1 < regions.size() ? regions[i + 1].begin : text.size();
    if (regions[i].is_break) splitter.end_field();
    splitter.add(word.substr(regions[i].begin, end - regions[i].begin), regions[i].region);
  }
  splitter.end_field();
}

Rule Machine::step_stages(Frame& frame) {
  using Phase = WordFrame::Phase;
  auto& word = frame.as<WordFrame>();
  bool makes_fields = word.mode == ExpandMode::kFields;
  if (word.phase == Phase::kSplit) {
    pending_fields.clear();
    split_fields(frame.base.regions);
    text.resize(frame.base.text);
    regions.resize(frame.base.regions);
    word.phase = Phase::kPath;
    return Rule::kExpSplit;
  }
  if (word.phase == Phase::kPath) {
    word.phase = Phase::kQuote;
    if (!makes_fields || state.options.has(Option::kNoGlob)) return Rule::kExpPathNoGlob;
    glob_pending_fields();
    return Rule::kExpPath;
  }
  WordFrame done = word;
  Marks base = frame.base;
  pop();
  if (makes_fields) {
    for (const PendingField& field : pending_fields) fields.push(field.text);
    pending_fields.clear();
  } else {
    finish_word(done.mode, base.text, base.regions);
  }
  return Rule::kExpQuote;
}

void Machine::glob_pending_fields() {
  std::vector<PendingField> made;
  for (PendingField& field : pending_fields) {
    if (!field.may_glob || !is_pattern(field.pattern, state.options.has(Option::kExtGlob))) {
      made.push_back(std::move(field));
      continue;
    }
    for (const std::string& name : globbed(field.pattern, field.text)) {
      made.push_back({name, "", false, name == field.text ? field.shown : name});
    }
  }
  pending_fields = std::move(made);
}

void Machine::add_field(std::string_view field, const std::string* pattern) {
  if (pattern == nullptr || !is_pattern(*pattern, state.options.has(Option::kExtGlob))) {
    fields.push(field);
    return;
  }
  for (const std::string& name : globbed(*pattern, field)) fields.push(name);
}

std::vector<std::string> Machine::globbed(std::string_view pattern, std::string_view written) {
  const Options& options = state.options;
  GlobRules rules(
      PatternRules(state.locale, options.has(Option::kExtGlob), options.has(Option::kNoCaseGlob)));
  rules.matches_hidden = options.has(Option::kDotGlob);
  rules.has_double_star = options.has(Option::kGlobStar);
  std::vector<std::string> names = glob(*os, pattern, rules);
  if (!names.empty() || options.has(Option::kNullGlob)) return names;
  if (options.has(Option::kFailGlob)) {
    expansion_error(fmt::format("no match: {}", written));
    return names;
  }
  return {std::string(written)};
}

}  // namespace nacre::machine
