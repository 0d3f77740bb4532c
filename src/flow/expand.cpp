// Words to fields, and words to strings where nothing is split.
#include <algorithm>
#include <fmt/core.h>
#include <utility>

#include "flow/call_words.h"
#include "flow/interpreter.h"
#include "flow/rules/publish.h"
#include "regular/decide.h"

namespace nacre::flow {

using regular::CharSet;
using shell::Part;
using shell::PartKind;

namespace {

constexpr uint64_t kMostAlternatives = 1000;
constexpr uint64_t kMostCounted = 20;  // lines of a substitution; more are any number

// Behind the first one.
uint32_t more_lines(uint64_t lines) {
  return lines == 0 ? 0 : static_cast<uint32_t>(std::min(lines, kMostCounted) - 1);
}

bool is_brace_alone(const shell::Word& word) {
  return word.parts().size() == 1 && word.parts()[0].kind == PartKind::kBrace;
}

// The numbers or letters of `{1..5}`; nothing if there are too many.
std::optional<std::vector<std::string>> sequence_of(const shell::Brace& brace) {
  const auto [low, high] = std::minmax(brace.first, brace.last);
  // Two numbers of 64 bits may be further apart than another one can say.
  const uint64_t distance = static_cast<uint64_t>(high) - static_cast<uint64_t>(low);
  const uint64_t last = distance / static_cast<uint64_t>(brace.step);  // which is positive
  if (last >= kMostAlternatives) return std::nullopt;
  std::vector<std::string> result;
  for (int64_t i = 0; std::cmp_less_equal(i, last); i++) {
    const int64_t way = i * brace.step;
    const int64_t at = brace.first < brace.last ? brace.first + way : brace.first - way;
    result.push_back(brace.form == shell::BraceForm::kCharacters
                         ? std::string(1, static_cast<char>(at))
                         : fmt::format("{:0{}}", at, brace.width));
  }
  return result;
}

}  // namespace

std::vector<Field> Interpreter::expand_all(std::span<const shell::Word> words,
                                           Environment& environment) {
  std::vector<Field> result;
  for (const shell::Word& word : words) {
    std::vector<Field> more = expand(word, environment);
    result.insert(result.end(), std::make_move_iterator(more.begin()),
                  std::make_move_iterator(more.end()));
  }
  return result;
}

std::vector<Field> Interpreter::expand(const shell::Word& word, Environment& environment) {
  std::vector<Field> result;
  if (word.is_literal()) {
    Value text = constant(context_, word.literal(), word.span);
    result.push_back(
        {{word.span, text.strings, std::move(text.text), std::move(text.prefix), text.is_opaque},
         &word,
         {},
         false,
         false});
    return result;
  }
  if (is_brace_alone(word)) {
    const shell::Brace& brace = word.parts()[0].brace();
    if (brace.form == shell::BraceForm::kList) return expand_all(brace.alternatives, environment);
    if (const auto texts = sequence_of(brace)) {
      for (const std::string& text : *texts) {
        result.push_back(
            {{word.span, context_.literal(text), text, text, false}, &word, {}, false, false});
      }
      return result;
    }
  }
  std::vector<Fragment> fragments;
  {
    const std::string_view text = tree_.text(word.span);
    const Scoped assigning(where_.assigning, word.has(shell::kWordIsAssignment)
                                                 ? text.substr(0, text.find_first_of("=+["))
                                                 : where_.assigning);
    add_fragments(word.parts(), false, environment, fragments);
  }
  if (fragments.empty()) {  // ""
    result.push_back({{word.span, context_.literal(""), "", "", false}, &word, {}, false, false});
    return result;
  }
  result = fields_of(word, std::move(fragments), ifs(environment));
  const auto is_cut = [](const Field& field) {
    return std::any_of(field.fragments.begin(), field.fragments.end(), [](const Fragment& each) {
      return each.kind == FragmentKind::kExpansion && !each.is_quoted;
    });
  };
  if (knows_ifs(environment) || !std::any_of(result.begin(), result.end(), is_cut)) return result;
  Field any = result[0];  // one or several, cut anywhere
  any.argument.value = any_value(context_);
  any.argument.text.reset();
  any.argument.prefix.clear();
  any.may_vanish = any.may_repeat = true;
  return {any};
}

Value Interpreter::value_of(const shell::Word& word, Environment& environment) {
  if (word.is_literal()) return constant(context_, word.literal(), word.span);
  std::vector<Fragment> fragments;
  add_fragments(word.parts(), true, environment, fragments);
  if (fragments.empty()) return constant(context_, "", word.span);
  join_lists(fragments);
  return concatenated(context_, fragments, word.span);
}

Value Interpreter::value_again(const shell::Word& word, const Environment& environment) {
  const Findings::Muted muted(findings_);
  Environment scratch = environment;
  return value_of(word, scratch);
}

std::vector<Field> Interpreter::fields_again(const shell::Word& word,
                                             const Environment& environment) {
  const Findings::Muted muted(findings_);
  Environment scratch = environment;
  return expand(word, scratch);
}

// What one argument of a call or one item of a list may be.
Value Interpreter::value_of_field(const Field& field, Span origin) {
  Value result(field.argument.value);
  result.text = field.argument.text;
  result.prefix = field.argument.prefix;
  result.is_opaque = field.argument.is_opaque;
  result.origin = origin;
  for (const Fragment& fragment : field.fragments) {
    result.source = std::max(result.source, fragment.value.source);
    add_taint(result, fragment.value);
  }
  if (!field.argument.kinds.empty())
    result.printed = std::make_shared<const Printed>(
        Printed{field.argument.producer, field.argument.kinds});
  if (!field.may_repeat) return result;
  const auto& fragments = field.fragments;
  const auto is_many = [](const Fragment& each) { return each.kind != FragmentKind::kGlob; };
  const bool is_cut =
      fragments.size() > 1 && std::any_of(fragments.begin(), fragments.end(), is_many);
  const bool is_matched = std::any_of(fragments.begin(), fragments.end(), [](const Fragment& each) {
    const bool is_own = each.value.source == Source::kScript && !each.value.is_opaque;
    return is_own && may_match_files(each);  // `x='*.c'`
  });
  if (!is_cut && !is_matched) return result;
  // What stands around an expansion is only in the first and the last of its words; and what it
  // matches may have any name.
  result.text.reset();
  result.prefix.clear();
  result.is_opaque |= is_matched;
  result.strings = is_matched ? any_value(context_) - context_.literal("")
                              : star(context_.set(symbols_of(result.strings)));
  return result;
}

void Interpreter::add_fragments(std::span<const Part> parts, bool is_quoted,
                                Environment& environment, std::vector<Fragment>& out) {
  out.reserve(out.size() + parts.size());
  for (const Part& part : parts) {
    if (part.kind == PartKind::kDoubleQuoted || part.kind == PartKind::kLocaleQuoted) {
      const size_t before = out.size();
      add_fragments(part.parts(), true, environment, out);
      if (out.size() == before) {  // "" keeps a word alive
        out.push_back({FragmentKind::kLiteral, true, part.span, &part, constant(context_, "")});
      }
      continue;
    }
    out.push_back(fragment(part, is_quoted, environment));
  }
}

Fragment Interpreter::fragment(const Part& part, bool is_quoted, Environment& environment) {
  const auto made = [&](FragmentKind kind, Value&& value) {
    return Fragment{kind, is_quoted, part.span, &part, std::move(value)};
  };
  switch (part.kind) {
    case PartKind::kLiteral:
    case PartKind::kEscaped:
    case PartKind::kSingleQuoted:
    case PartKind::kAnsiQuoted: {
      Fragment result = made(FragmentKind::kLiteral, constant(context_, part.text()));
      result.is_quoted |= part.kind != PartKind::kLiteral;
      return result;
    }
    case PartKind::kCommand:
      return made(FragmentKind::kExpansion,
                  substitution(part.command().body, part.span, environment));
    case PartKind::kArithmetic:
      return made(FragmentKind::kExpansion, arithmetic(part.arithmetic(), environment));
    case PartKind::kTilde: return made(FragmentKind::kLiteral, home(part, environment));
    case PartKind::kGlob: return made(FragmentKind::kGlob, file_name(part.span));
    case PartKind::kParameter: return parameter_fragment(part, is_quoted, environment);
    case PartKind::kProcess: {
      Environment inner = environment;
      Io io{opaque()};
      io.is_captured = true;
      const Stream printed = sequence(part.process().body, inner, io).output;
      if (part.process().is_input)
        processes_.insert_or_assign({part.span.begin, part.span.end}, printed);
      Value path(context_.literal("/dev/fd/") + integers(context_));
      return made(FragmentKind::kLiteral, std::move(path));
    }
    case PartKind::kArray: return made(FragmentKind::kList, array(part.array(), environment));
    case PartKind::kBrace: {
      expand_all(part.brace().alternatives, environment);  // checks what is in it
      Fragment result = made(FragmentKind::kList, unknown(context_, Source::kScript, part.span));
      return result;
    }
    case PartKind::kExtGlob:
    case PartKind::kDoubleQuoted:
    case PartKind::kLocaleQuoted: break;
  }
  return made(FragmentKind::kGlob, file_name(part.span));
}

// What a wildcard matches: a part of a file's name. If nothing matches it stays as it is.
Value Interpreter::file_name(Span span) {
  const CharSet in_name = CharSet::all(context_.alphabet()) - CharSet::of('\0') - CharSet::of('/');
  Value result(star(context_.set(in_name)));
  result.source = Source::kCommand;
  result.origin = span;
  return result;
}

Value Interpreter::home(const Part& part, Environment& environment) {
  if (part.text().empty()) {
    Value result = value(names_["HOME"], environment);
    if (!result.may_be_foreign) return result;
  }
  Value result(context_.literal("/") + any_value(context_));
  result.source = Source::kEnvironment;
  result.prefix = "/";
  result.origin = part.span;
  return result;
}

Value Interpreter::array(const shell::Array& node, Environment& environment) {
  std::optional<Value> result;
  bool may_be_nothing = true;
  for (const shell::ArrayElement& element : node.elements) {
    if (element.subscript) evaluate_subscript("", *element.subscript, environment);
    const auto fields =
        element.subscript ? std::vector<Field>{} : expand(element.value, environment);
    if (element.subscript) {
      Value one = value_of(element.value, environment);
      result = result ? joined(*result, one) : one;
      may_be_nothing = false;
    }
    for (const Field& field : fields) {
      Value one = value_of_field(field, element.span);
      may_be_nothing &= field.may_vanish;
      result = result ? joined(*result, one) : one;
    }
  }
  if (!result) result = unset(context_);
  result->is_array = true;
  result->may_be_unset = may_be_nothing;
  result->text.reset();
  return *result;
}

// Runs the body of a substitution.
Ran Interpreter::captured(const shell::Sequence& body, Capture& capture, Environment& environment,
                          const Io& io) {
  Subshell subshell{none(), unreachable()};
  {
    const Scoped tested(where_.tested, 0U);
    const Scoped noted(where_.substituted, nullptr);
    const Scoped captured(where_.capture, &capture);
    subshell = this->subshell(environment, [&](Environment& inner) {
      if (tree_.dialect() == shell::Dialect::kBash)  // `shopt -s inherit_errexit`, or not
        inner.options.spares = inherits_errexit_ ? Known::kMaybe : Known::kYes;
      return sequence(body, inner, io);
    });
  }
  if (where_.capture) {
    where_.capture->may_print_more |= capture.may_print_more;
    where_.capture->prints_elsewhere |= capture.prints_elsewhere;
  }
  return subshell.ran;
}

// The lines that the body prints, with the last newlines removed.
Value Interpreter::substitution(const shell::Sequence& body, Span span, Environment& environment) {
  const Status before = environment.status;
  Io io = own_input();
  io.is_captured = true;
  Capture capture;
  const Ran ran = captured(body, capture, environment, io);
  Stream stream = capture.prints_elsewhere ? opaque() : ran.output;  // `exec 4>&1; ... >&4`
  const Status status = environment.status;
  environment.status = before;  // or, for a $? after it, that of the substitution
  environment.status.can_succeed |= status.can_succeed;
  environment.status.can_fail |= status.can_fail;
  if (where_.substituted)
    *where_.substituted = {status, stream.count.most > 0 && is_told_by_status(body, environment)};
  publish(SubstitutionEvent{body, span, stream, capture.may_print_more}, rules_);
  if (stream.count.most == 0) {
    Value result = constant(context_, "", span);
    result.source = Source::kCommand;
    return result;
  }
  const Lang line = commands::any_line(stream);
  const Lang newline = context_.literal("\n");
  // Empty lines at the end vanish.
  const uint32_t least = is_nullable(line) ? 0 : more_lines(stream.count.least);
  Lang text = line + repeat(newline + line, least,
                            stream.count.most > kMostCounted ? regular::kUnbounded
                                                             : more_lines(stream.count.most));
  // A first line that is surely there, and not empty, stays what it is.
  if (!stream.first.empty() && stream.count.least > 0 && stream.count.most > 1 &&
      !is_nullable(stream.first[0]))
    text = text & (stream.first[0] + optional(newline + context_.all()));
  Value result(stream.count.least == 0 ? optional(text) : text);
  if (stream.count.least == 1 && stream.count.most == 1 &&
      stream.choice == commands::Choice::kFormat) {
    const auto only = regular::shortest(line, options_.budget);
    if (only && context_.literal(*only) == line) result = constant(context_, *only, span);
  }
  result.is_opaque = stream.choice == commands::Choice::kOpaque;
  result.source = Source::kCommand;
  if (!stream.kinds.empty())
    result.printed = std::make_shared<const Printed>(Printed{stream.producer, stream.kinds});
  result.is_filtered = stream.is_filtered;
  result.captured = 1;
  result.origin = span;
  result.own_path = own_path_printed(body, environment);
  result.skeleton = ran.skeleton;
  const bool is_alone = body.items.size() == 1 && body.items[0].command &&
                        std::holds_alternative<shell::SimpleCommand>(body.items[0].command->node);
  if (is_alone) {
    result.needs = ran.file_read;
    result.asked_command = asked_command(
        std::get<shell::SimpleCommand>(body.items[0].command->node), cards_, context_);
  }
  return result;
}

// One of several that the script has set is not known; what others may have set is not assumed.
bool Interpreter::knows_ifs(const Environment& environment) const {
  const Value& value = this->value(ifs_, environment);
  if (value.is_opaque || !value.is_assigned || is_surely_unset(value)) return true;
  return value.text && !value.may_be_unset;
}

std::string Interpreter::ifs(const Environment& environment) {
  return field_separators(value(ifs_, environment));
}

}  // namespace nacre::flow
