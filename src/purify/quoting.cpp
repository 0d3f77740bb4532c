#include "purify/quoting.h"

#include <algorithm>

namespace nacre::purify {

using shell::Part;
using shell::PartKind;
using shell::Word;

namespace {

bool is_word_character(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

std::string escaped(std::string_view text, std::string_view special) {
  std::string result;
  for (char c : text) {
    if (special.find(c) != std::string_view::npos) result += '\\';
    result += c;
  }
  return result;
}

// Appends a piece; `$x` before a letter needs braces.
void append(std::string& text, std::string_view piece, const Part*& open, const Part* part) {
  if (open != nullptr && !piece.empty() && is_word_character(piece[0])) {
    const std::string name(open->parameter().name);
    text.replace(text.size() - name.size(), name.size(), "{" + name + "}");
  }
  text += piece;
  const bool is_bare =
      part != nullptr && part->kind == PartKind::kParameter && !part->parameter().has_braces;
  if (!piece.empty()) open = is_bare ? part : nullptr;
}

// The last part within double quotes, if it is a bare parameter.
const Part* last_of(const Part& quotes) {
  if (quotes.parts().empty()) return nullptr;
  const Part& last = quotes.parts().back();
  return last.kind == PartKind::kParameter && !last.parameter().has_braces ? &last : nullptr;
}

bool may_join(const Part& part) {
  switch (part.kind) {
    case PartKind::kLiteral:
    case PartKind::kEscaped:
    case PartKind::kDoubleQuoted:
    case PartKind::kParameter:
    case PartKind::kArithmetic: return true;
    case PartKind::kCommand: return part.command().form == shell::SubstitutionForm::kDollar;
    default: return false;
  }
}

// Parts of a word that become one pair of double quotes.
struct Run {
  std::string text;
  const Part* open = nullptr;
  bool has_expansion = false;
  Span span;
};

void add(const Script& script, Run& run, const Part& part) {
  run.span = run.text.empty() && run.span.empty() ? part.span : cover(run.span, part.span);
  switch (part.kind) {
    case PartKind::kLiteral:
    case PartKind::kEscaped:
      append(run.text, escaped(part.text(), "\\\"$`"), run.open, nullptr);
      break;
    case PartKind::kDoubleQuoted: {
      const std::string inner = script.text({part.span.begin + 1, part.span.end - 1});
      append(run.text, inner, run.open, nullptr);
      run.open = last_of(part);
      break;
    }
    default:
      run.has_expansion |= is_splittable(part) || part.kind == PartKind::kCommand;
      append(run.text, script.text(part.span), run.open, &part);
  }
}

void flush(const Script& script, Run& run, std::string& result) {
  if (run.has_expansion) {
    // `--name=` reads better outside of the quotes.
    const size_t equals = run.text.find('=');
    const bool has_name =
        equals != std::string::npos && run.text.find_first_of("\"$\\`") > equals &&
        std::all_of(run.text.begin(), run.text.begin() + static_cast<long>(equals),
                    [](char c) { return is_word_character(c) || c == '-'; });
    const size_t begin = has_name ? equals + 1 : 0;
    result += run.text.substr(0, begin) + '"' + run.text.substr(begin) + '"';
  } else {
    result += script.text(run.span);
  }
  run = {};
}

}  // namespace

bool is_identifier(std::string_view text) {
  return !text.empty() && !(text[0] >= '0' && text[0] <= '9') &&
         std::all_of(text.begin(), text.end(), is_word_character);
}

std::string single_quoted(std::string_view text) {
  std::string result = "'";
  for (char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

std::string shell_word(std::string_view text) {
  const bool is_plain = !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return is_word_character(c) || std::string_view("%+,-./:=@").find(c) != std::string_view::npos;
  });
  return is_plain ? std::string(text) : single_quoted(text);
}

bool is_all_arguments(const Part& part) {
  return part.kind == PartKind::kParameter && part.parameter().op == shell::ParameterOp::kNone &&
         (part.parameter().name == "@" || part.parameter().name == "*");
}

bool is_splittable(const Part& part) {
  if (part.kind == PartKind::kCommand) return true;
  if (part.kind != PartKind::kParameter || is_all_arguments(part)) return false;
  const shell::Parameter& parameter = part.parameter();
  if (parameter.op == shell::ParameterOp::kLength) return false;
  return parameter.kind != shell::ParameterKind::kSpecial || parameter.name == "0";
}

bool has_splittable(const Word& word) {
  const auto parts = word.parts();
  return std::any_of(parts.begin(), parts.end(), is_splittable);
}

std::string quoted(const Script& script, const Word& word) {
  std::string result;
  Run run;
  for (const Part& part : word.parts()) {
    if (may_join(part)) {
      add(script, run, part);
      continue;
    }
    flush(script, run, result);
    result += script.text(part.span);
  }
  flush(script, run, result);
  return result;
}

std::optional<std::string> double_quoted_text(const Script& script, const Word& word) {
  Run run;
  for (const Part& part : word.parts()) {
    if (part.kind == PartKind::kSingleQuoted || part.kind == PartKind::kAnsiQuoted) {
      append(run.text, escaped(part.text(), "\\\"$`"), run.open, nullptr);
    } else if (may_join(part) && !is_all_arguments(part)) {
      add(script, run, part);
    } else {
      return std::nullopt;
    }
  }
  return run.text;
}

std::optional<std::string> here_document_text(const Script& script, const Word& word) {
  std::string text;
  const Part* open = nullptr;
  const auto add_part = [&](const Part& part, const auto& self) -> bool {
    switch (part.kind) {
      case PartKind::kLiteral:
      case PartKind::kEscaped:
      case PartKind::kSingleQuoted:
      case PartKind::kAnsiQuoted:
        append(text, escaped(part.text(), "\\$`"), open, nullptr);
        return true;
      case PartKind::kDoubleQuoted:
        return std::all_of(part.parts().begin(), part.parts().end(),
                           [&](const Part& each) { return self(each, self); });
      case PartKind::kParameter:
        // Quotes within `${x-"..."}` mean something else in a here-document.
        if (part.parameter().argument != nullptr &&
            part.parameter().argument->has(shell::kWordIsQuoted))
          return false;
        append(text, script.text(part.span), open, &part);
        return true;
      case PartKind::kArithmetic: append(text, script.text(part.span), open, nullptr); return true;
      case PartKind::kCommand:
        if (part.command().form != shell::SubstitutionForm::kDollar) return false;
        append(text, script.text(part.span), open, nullptr);
        return true;
      default: return false;
    }
  };
  for (const Part& part : word.parts()) {
    if (!add_part(part, add_part)) return std::nullopt;
  }
  return text;
}

}  // namespace nacre::purify
