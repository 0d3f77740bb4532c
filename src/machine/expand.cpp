// Word expansion: the transition system of the semantics. A word's parts are expanded one after the
// other into `text`, with marks that say what each piece still is (source text, result of an
// expansion, quoted); then the whole is split, globbed and its quotes removed.
//
// Invariants:
// 1. Everything that a word adds to `text` and `regions` lies after the sizes that its frame has
//    recorded; finishing the word (or unwinding the frame) cuts both back.
// 2. A word starts with a mark of its own, so that regions of two words never merge.
// 3. expand_*() return false when a frame was pushed, which goes on later, or after an error, when
//    the machine unwinds. Nothing may be touched after a false.
#include <fmt/format.h>

#include "base/ascii.h"
#include "machine/lower.h"
#include "machine/machine.h"

namespace nacre::machine {

void Machine::append(std::string_view piece, Region region) {
  if (regions.empty() || regions.back().region != region || regions.back().is_break) {
    regions.push_back({text.size(), region, false});
  }
  text.append(piece);
}

void Machine::append_break() { regions.push_back({text.size(), Region::kSource, true}); }

std::string Machine::take_text(size_t base) {
  std::string result = text.substr(base);
  text.resize(base);
  return result;
}

void Machine::expansion_error(std::string_view message) {
  if (!message.empty()) error(message);
  shell_error(1);
}

bool Machine::expand_word(const Word& word, ExpandMode mode) {
  if (mode == ExpandMode::kFields && !fine_steps) {
    if (word.is_literal) {
      fields.push(word.literal);
      return true;
    }
    if (word.parts.size() == 1 && word.parts[0].kind == PartKind::kParameter &&
        word.parts[0].parameter->is_plain) {
      if (const std::string* value = state.variables.get(word.parts[0].parameter->name)) {
        bool is_plain = word.parts[0].region == Region::kQuoted;
        if (!is_plain && !value->empty()) {
          is_plain = true;
          for (char c : *value) is_plain &= char_class[static_cast<uint8_t>(c)] == 0;
        }
        if (is_plain) {
          fields.push(*value);
          return true;
        }
      }
    }
  }
  size_t text_base = text.size();
  size_t region_base = regions.size();
  bool splits = mode == ExpandMode::kFields;
  regions.push_back({text_base, Region::kSource, false});
  if (word.is_inline && !fine_steps) {
    uint32_t index = 0;
    if (!expand_parts(word, index, splits)) {
      text.resize(text_base);
      regions.resize(region_base);
      return false;
    }
    if (splits && word.is_joined) {
      fields.push(std::string_view(text).substr(text_base));
      text.resize(text_base);
      regions.resize(region_base);
    } else {
      finish_word(mode, text_base, region_base);
    }
    return true;
  }
  Frame& frame = push(WordFrame{.mode = mode, .splits = splits, .word = &word});
  frame.base.text = text_base;
  frame.base.regions = region_base;
  return false;
}

bool Machine::expand_parts(const Word& word, uint32_t& index, bool splits) {
  while (index < word.parts.size()) {
    if (!expand_part(word.parts[index++], splits)) return false;
  }
  return true;
}

Rule Machine::step_word(Frame& frame) {
  using Phase = WordFrame::Phase;
  auto& word = frame.as<WordFrame>();
  size_t self = frames.size() - 1;
  if (word.phase == Phase::kStart) {
    word.phase = Phase::kParts;
    if (fine_steps) return Rule::kExpStart;
  }
  if (word.phase != Phase::kParts) return step_stages(frame);
  std::span<const Part> parts = word.word->parts;
  bool splits = word.splits;
  while (frames[self].as<WordFrame>().next < parts.size()) {
    const Part& part = parts[frames[self].as<WordFrame>().next++];
    bool done = expand_part(part, splits);
    if (!done) return unwinding == Unwind::kNone ? Rule::kEWCtrl : Rule::kEWCtrlErr;
    if (fine_steps) return part.kind == PartKind::kText ? Rule::kEWLit : Rule::kEWCtrl;
  }
  Frame done = frames[self];
  ExpandMode mode = done.as<WordFrame>().mode;
  if (fine_steps && mode != ExpandMode::kAppend) {
    bool is_split = mode == ExpandMode::kFields;
    frames[self].as<WordFrame>().phase = is_split ? Phase::kSplit : Phase::kPath;
    return is_split ? Rule::kExpExpandSplit : Rule::kExpExpandNoSplit;
  }
  pop();
  finish_word(mode, done.base.text, done.base.regions);
  return mode == ExpandMode::kAppend ? Rule::kExpExpand : Rule::kExpQuote;
}

void Machine::finish_word(ExpandMode mode, size_t text_base, size_t region_base) {
  switch (mode) {
    case ExpandMode::kAppend: return;
    case ExpandMode::kFields: split_fields(region_base); break;
    case ExpandMode::kOneField: fields.push(std::string_view(text).substr(text_base)); break;
    case ExpandMode::kPattern: to_pattern(text_base, region_base); break;
    case ExpandMode::kRegex: to_pattern(text_base, region_base, "\\.[]{}()*+?^$|", true); break;
    case ExpandMode::kReplacement: to_pattern(text_base, region_base, "&\\"); break;
    case ExpandMode::kString: break;
  }
  if (mode <= ExpandMode::kOneField) text.resize(text_base);
  regions.resize(region_base);
}

bool Machine::expand_part(const Part& part, bool splits) {
  switch (part.kind) {
    case PartKind::kText: append(part.text, part.region); return true;
    case PartKind::kTilde: expand_tilde(part); return true;
    case PartKind::kParameter: return expand_parameter(part, splits);
    case PartKind::kArithmetic: return expand_arithmetic(part);
    case PartKind::kCommand: {
      did_substitute = true;
      if (part.body == nullptr) {  // $()
        state.status = 0;
        append("", part.region);
        return true;
      }
      push(CommandSubstFrame{.part = &part}, part.body);
      return false;
    }
    case PartKind::kProcess: push(ProcessSubstFrame{.part = &part}, part.body); return false;
  }
  return true;
}

namespace {

// ~N, ~+N and ~-N: the directory at that place of what `dirs` lists; null if there is none.
const std::string* stacked_directory(const State& state, std::string_view text) {
  bool from_bottom = text.starts_with('-');
  if (text.starts_with('+') || from_bottom) text.remove_prefix(1);
  if (text.size() > 9 || !is_digits(text)) return nullptr;
  int64_t at = std::stol(std::string(text));
  auto count = static_cast<int64_t>(state.directories.size());
  if (from_bottom) at = count - at;
  if (at < 0 || at > count) return nullptr;
  return at == 0 ? &state.directory : &state.directories[static_cast<size_t>(at - 1)];
}

}  // namespace

void Machine::expand_tilde(const Part& part) {
  if (part.text.empty()) {
    const std::string* home = state.variables.get("HOME");
    if (home == nullptr) unspecified("tilde expansion with HOME unset");
    append(home != nullptr ? std::string_view(*home) : "~", part.region);
    return;
  }
  if (is_bash() && (part.text == "+" || part.text == "-")) {
    const std::string* directory = state.variables.get(part.text == "+" ? "PWD" : "OLDPWD");
    append(directory != nullptr ? *directory : "~" + std::string(part.text), part.region);
    return;
  }
  if (is_bash() && part.text.find_first_not_of("+-0123456789") == std::string_view::npos) {
    if (const std::string* directory = stacked_directory(state, part.text)) {
      append(*directory, part.region);
      return;
    }
  }
  auto home = os->home_of(std::string(part.text));
  append(home ? *home : "~" + std::string(part.text), part.region);
}

// The caller is in the middle of something else, so this steps the machine itself: frames above
// `depth` are the prompt's own.
std::string Machine::expand_prompt(std::string_view prompt) {
  if (prompt.find_first_of("$`\\") == std::string_view::npos) return std::string(prompt);
  // Read like a here-document: expansions, but no quotes.
  auto source =
      Source::of_text("prompt", fmt::format(": <<nacre-prompt\n{}\nnacre-prompt\n", prompt));
  shell::ReadResult read = source->reader().next({});
  if (read.status != shell::ReadStatus::kCommand) return std::string(prompt);
  std::shared_ptr<const Code> code = lower(read.tree, names());
  if (code->root == nullptr || code->root->redirects.empty()) return std::string(prompt);
  int status = state.status;
  size_t depth = frames.size();
  size_t base = text.size();
  bool done = expand_word(code->root->redirects[0].target, ExpandMode::kString);
  while (!done && frames.size() > depth && unwinding == Unwind::kNone) step();
  if (unwinding != Unwind::kNone) {
    unwinding = Unwind::kNone;
    while (frames.size() > depth) pop();
  }
  std::string result = take_text(base);
  if (!result.empty()) result.pop_back();  // the newline of the here-document
  state.status = status;
  return result;
}

}  // namespace nacre::machine
