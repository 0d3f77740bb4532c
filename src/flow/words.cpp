#include "flow/words.h"

#include <fmt/core.h>

namespace nacre::flow {

namespace {

using commands::Argument;
using commands::Stream;
using regular::CharSet;
using regular::Context;
using regular::Lang;
using shell::Part;
using shell::PartKind;

// A piece of an argument: its text while that is constant, and its language always.
struct Piece {
  Lang value;
  std::optional<std::string> text;
  std::string prefix;
  bool is_opaque = false;
};

// A longer text is not worth a language: it is taken for any.
constexpr size_t kMostConstantBytes = 4096;

Piece constant(Context& context, std::string_view text) {
  if (text.size() > kMostConstantBytes) return {any_value(context), std::nullopt, "", true};
  return {context.literal(text), std::string(text), std::string(text), false};
}
Piece unknown(Context& context) { return {any_value(context), std::nullopt, "", true}; }

Piece joined(const Piece& a, const Piece& b) {
  Piece result{a.value + b.value, std::nullopt, a.prefix, a.is_opaque || b.is_opaque};
  if (a.text) result.prefix += b.prefix;
  if (a.text && b.text) result.text = *a.text + *b.text;
  return result;
}

// The lines of a stream with its last newlines removed, as `$(…)` gives them.
Piece substituted(const Stream& stream, Context& context) {
  const Lang line = commands::any_line(stream);
  const Lang newline = context.literal("\n");
  const bool is_opaque = stream.choice == commands::Choice::kOpaque;
  if (stream.count.most == 0) return constant(context, "");
  const Lang text = stream.count.most == 1 ? line : line + star(newline + line);
  return {stream.count.least == 0 ? optional(text) : text, std::nullopt, "", is_opaque};
}

Piece expand_part(const Part& part, const Values& values);

Piece expand_parts(std::span<const Part> parts, const Values& values) {
  Piece result = constant(values.context, "");
  for (const Part& part : parts) result = joined(result, expand_part(part, values));
  return result;
}

Piece expand_part(const Part& part, const Values& values) {
  Context& context = values.context;
  switch (part.kind) {
    case PartKind::kLiteral:
    case PartKind::kEscaped:
    case PartKind::kSingleQuoted:
    case PartKind::kAnsiQuoted: return constant(context, part.text());
    case PartKind::kDoubleQuoted:
    case PartKind::kLocaleQuoted: return expand_parts(part.parts(), values);
    case PartKind::kCommand: return substituted(values.printed(part.command().body), context);
    case PartKind::kArithmetic: {
      const Lang digits = plus(context.set(CharSet::range('0', '9')));
      return {optional(context.literal("-")) + digits, std::nullopt, "", false};
    }
    case PartKind::kTilde:
      return {context.literal("/") + any_value(context), std::nullopt, "", false};
    case PartKind::kGlob: {
      // What it matches is a file's name; if nothing matches it stays as it is.
      const CharSet in_name =
          CharSet::all(context.alphabet()) - CharSet::of('\0') - CharSet::of('/');
      return {star(context.set(in_name)), std::nullopt, "", false};
    }
    case PartKind::kParameter:
    case PartKind::kProcess:
    case PartKind::kExtGlob:
    case PartKind::kBrace:
    case PartKind::kArray: return unknown(context);
  }
  return unknown(context);
}

constexpr int64_t kMostAlternatives = 1000;

// `{1..5}`, `{a,b}` standing alone; with more around it the word is unknown.
bool expand_brace(const shell::Word& word, const Values& values, std::vector<Argument>& out) {
  if (word.count != 1 || word.single.kind != PartKind::kBrace) return false;
  const shell::Brace& brace = word.single.brace();
  if (brace.form == shell::BraceForm::kList) {
    for (const shell::Word& alternative : brace.alternatives) {
      std::vector<Argument> inner = expand(alternative, values);
      out.insert(out.end(), inner.begin(), inner.end());
    }
    return true;
  }
  const int64_t step = std::abs(brace.step);
  if (std::abs(brace.last - brace.first) / step >= kMostAlternatives) return false;
  for (int64_t i = 0; i <= std::abs(brace.last - brace.first) / step; i++) {
    const int64_t at = brace.first < brace.last ? brace.first + i * step : brace.first - i * step;
    const std::string text = brace.form == shell::BraceForm::kCharacters
                                 ? std::string(1, static_cast<char>(at))
                                 : fmt::format("{:0{}}", at, brace.width);
    out.push_back({word.span, values.context.literal(text), text, text, false});
  }
  return true;
}

}  // namespace

Lang any_value(Context& context) {
  return star(context.set(CharSet::all(context.alphabet()) - CharSet::of('\0')));
}

std::vector<Argument> expand(const shell::Word& word, const Values& values) {
  std::vector<Argument> result;
  if (expand_brace(word, values, result)) return result;
  Piece piece = word.is_literal() ? constant(values.context, word.literal())
                                  : expand_parts(word.parts(), values);
  result.push_back(
      {word.span, piece.value, std::move(piece.text), std::move(piece.prefix), piece.is_opaque});
  return result;
}

}  // namespace nacre::flow
