// Words to fields, and words to strings where nothing is split.
#include "flow/expansion.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "flow/interpreter.h"
#include "flow/run.h"

namespace nacre::flow {

using regular::CharSet;
using shell::Part;
using shell::PartKind;

namespace {

// What a wildcard matches: a part of a file's name. If nothing matches it stays as it is.
Value matched_name(Run& run, Span span) {
  const CharSet in_name =
      CharSet::all(run.languages.alphabet()) - CharSet::of('\0') - CharSet::of('/');
  Value result(star(run.languages.set(in_name)));
  result.source = Source::kCommand;
  result.origin = span;
  return result;
}

Value home_directory(Run& run, const Part& part, Environment& environment) {
  if (part.text().empty()) {
    Value result = run.value(run.names["HOME"], environment);
    if (!result.may_be_foreign) return result;
  }
  Value result(run.languages.literal("/") + any_value(run.languages));
  result.source = Source::kEnvironment;
  result.prefix = "/";
  result.origin = part.span;
  return result;
}

Value array_value(Run& run, const shell::Array& node, Environment& environment) {
  std::optional<Value> result;
  bool may_be_nothing = true;
  for (const shell::ArrayElement& element : node.elements) {
    if (element.subscript) evaluate_subscript(run, "", *element.subscript, environment);
    const auto fields =
        element.subscript ? std::vector<Field>{} : expand(run, element.value, environment);
    if (element.subscript) {
      Value one = value_of(run, element.value, environment);
      result = result ? joined(*result, one) : one;
      may_be_nothing = false;
    }
    for (const Field& field : fields) {
      Value one = value_of_field(run, field, element.span);
      may_be_nothing &= field.may_vanish;
      result = result ? joined(*result, one) : one;
    }
  }
  if (!result) result = unset(run.languages);
  result->is_array = true;
  result->may_be_unset = may_be_nothing;
  result->text.reset();
  return *result;
}

bool is_brace_alone(const shell::Word& word) {
  return word.parts().size() == 1 && word.parts()[0].kind == PartKind::kBrace;
}

constexpr uint64_t kMaxAlternatives = 1000;

// The numbers or letters of `{1..5}`; nothing if there are too many.
std::optional<std::vector<std::string>> sequence_of(const shell::Brace& brace) {
  const auto [low, high] = std::minmax(brace.first, brace.last);
  // Two numbers of 64 bits may be further apart than another one can say.
  const uint64_t distance = static_cast<uint64_t>(high) - static_cast<uint64_t>(low);
  const uint64_t last = distance / static_cast<uint64_t>(brace.step);  // which is positive
  if (last >= kMaxAlternatives) return std::nullopt;
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

Fragment make_fragment(Run& run, const Part& part, bool is_quoted, Environment& environment) {
  const auto made = [&](FragmentKind kind, Value&& value) {
    return Fragment{kind, is_quoted, part.span, &part, std::move(value)};
  };
  switch (part.kind) {
    case PartKind::kLiteral:
    case PartKind::kEscaped:
    case PartKind::kSingleQuoted:
    case PartKind::kAnsiQuoted: {
      Fragment result = made(FragmentKind::kLiteral, constant(run.languages, part.text()));
      result.is_quoted |= part.kind != PartKind::kLiteral;
      return result;
    }
    case PartKind::kCommand:
      return made(FragmentKind::kExpansion,
                  substitution_value(run, part.command().body, part.span, environment));
    case PartKind::kArithmetic:
      return made(FragmentKind::kExpansion, arithmetic_value(run, part.arithmetic(), environment));
    case PartKind::kTilde:
      return made(FragmentKind::kLiteral, home_directory(run, part, environment));
    case PartKind::kGlob: return made(FragmentKind::kGlob, matched_name(run, part.span));
    case PartKind::kParameter: return parameter_fragment(run, part, is_quoted, environment);
    case PartKind::kProcess: {
      const Scoped quoted(run.where.is_quoted, false);
      Environment inner = environment;
      Io io{run.opaque()};
      io.is_captured = true;
      const Stream printed = interpret(run, part.process().body, inner, io).output;
      if (part.process().is_input)
        run.processes.insert_or_assign({part.span.begin, part.span.end}, printed);
      Value path(run.languages.literal("/dev/fd/") + integers(run.languages));
      return made(FragmentKind::kLiteral, std::move(path));
    }
    case PartKind::kArray:
      return made(FragmentKind::kList, array_value(run, part.array(), environment));
    case PartKind::kBrace: {
      expand_all(run, part.brace().alternatives, environment);  // checks what is in it
      Fragment result =
          made(FragmentKind::kList, unknown(run.languages, Source::kScript, part.span));
      return result;
    }
    case PartKind::kExtGlob:
    case PartKind::kDoubleQuoted:
    case PartKind::kLocaleQuoted: break;
  }
  return made(FragmentKind::kGlob, matched_name(run, part.span));
}

// The pieces of a word of a command. `export x=$y` is an assignment, too.
std::vector<Fragment> fragments_of(Run& run, const shell::Word& word, Environment& environment) {
  const bool is_assignment = word.has(shell::kWordIsAssignment);
  const std::string_view text = run.tree.text(word.span);
  const Scoped assigning(run.where.assigning, is_assignment
                                                  ? text.substr(0, text.find_first_of("=+["))
                                                  : run.where.assigning);
  const Scoped expanding(run.where.expanding, is_assignment ? ExpansionContext::kAssignment
                                                            : ExpansionContext::kArgument);
  std::vector<Fragment> result;
  add_fragments(run, word.parts(), false, environment, result);
  return result;
}

}  // namespace

std::vector<Field> expand_all(Run& run, std::span<const shell::Word> words,
                              Environment& environment) {
  std::vector<Field> result;
  for (const shell::Word& word : words) {
    std::vector<Field> more = expand(run, word, environment);
    result.insert(result.end(), std::make_move_iterator(more.begin()),
                  std::make_move_iterator(more.end()));
  }
  return result;
}

std::vector<Field> expand(Run& run, const shell::Word& word, Environment& environment) {
  std::vector<Field> result;
  if (word.is_literal()) {
    Value text = constant(run.languages, word.literal(), word.span);
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
    if (brace.form == shell::BraceForm::kList)
      return expand_all(run, brace.alternatives, environment);
    if (const auto texts = sequence_of(brace)) {
      for (const std::string& text : *texts) {
        result.push_back(
            {{word.span, run.languages.literal(text), text, text, false}, &word, {}, false, false});
      }
      return result;
    }
  }
  std::vector<Fragment> fragments = fragments_of(run, word, environment);
  if (fragments.empty()) {  // ""
    result.push_back(
        {{word.span, run.languages.literal(""), "", "", false}, &word, {}, false, false});
    return result;
  }
  result = fields_of(word, std::move(fragments), ifs(run, environment));
  const auto is_cut = [](const Field& field) {
    return std::any_of(field.fragments.begin(), field.fragments.end(), [](const Fragment& each) {
      return each.kind == FragmentKind::kExpansion && !each.is_quoted;
    });
  };
  if (knows_ifs(run, environment) || !std::any_of(result.begin(), result.end(), is_cut))
    return result;
  Field any = result[0];  // one or several, cut anywhere
  any.argument.value = any_value(run.languages);
  any.argument.text.reset();
  any.argument.prefix.clear();
  any.may_vanish = any.may_repeat = true;
  return {any};
}

Value value_of(Run& run, const shell::Word& word, Environment& environment) {
  if (word.is_literal()) return constant(run.languages, word.literal(), word.span);
  std::vector<Fragment> fragments;
  add_fragments(run, word.parts(), true, environment, fragments);
  if (fragments.empty()) return constant(run.languages, "", word.span);
  join_lists(fragments);
  return concatenated(run.languages, fragments, word.span);
}

Value value_again(Run& run, const shell::Word& word, const Environment& environment) {
  const Findings::Muted muted(run.findings);
  const Scoped again(run.where.is_again, true);
  Environment scratch = environment;
  return value_of(run, word, scratch);
}

std::vector<Field> fields_again(Run& run, const shell::Word& word, const Environment& environment) {
  const Findings::Muted muted(run.findings);
  const Scoped again(run.where.is_again, true);
  Environment scratch = environment;
  return expand(run, word, scratch);
}

// What one argument of a call or one item of a list may be.
Value value_of_field(Run& run, const Field& field, Span origin) {
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
    result.printed =
        std::make_shared<const Printed>(Printed{field.argument.producer, field.argument.kinds});
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
  result.strings = is_matched ? any_value(run.languages) - run.languages.literal("")
                              : star(run.languages.set(symbols_of(result.strings)));
  return result;
}

void add_fragments(Run& run, std::span<const Part> parts, bool is_quoted, Environment& environment,
                   std::vector<Fragment>& out) {
  out.reserve(out.size() + parts.size());
  for (const Part& part : parts) {
    if (part.kind == PartKind::kDoubleQuoted || part.kind == PartKind::kLocaleQuoted) {
      const size_t before = out.size();
      const Scoped quoted(run.where.is_quoted, true);
      add_fragments(run, part.parts(), true, environment, out);
      if (out.size() == before) {  // "" keeps a word alive
        out.push_back(
            {FragmentKind::kLiteral, true, part.span, &part, constant(run.languages, "")});
      }
      continue;
    }
    out.push_back(fragment_of(run, part, is_quoted, environment));
  }
}

Fragment fragment_of(Run& run, const Part& part, bool is_quoted, Environment& environment) {
  Fragment result = make_fragment(run, part, is_quoted, environment);
  if (part.is_expansion() && run.records())
    run.recorder->expansion(part, result.value, run.where, run.values);
  return result;
}
// One of several that the script has set is not known; what others may have set is not assumed.
bool knows_ifs(Run& run, const Environment& environment) {
  const Value& value = run.value(run.ifs, environment);
  if (value.is_opaque || !value.is_assigned || is_surely_unset(value)) return true;
  return value.text && !value.may_be_unset;
}

std::string ifs(Run& run, const Environment& environment) {
  return field_separators(run.value(run.ifs, environment));
}

}  // namespace nacre::flow
