// Simple commands: assignments, functions, utilities, and the builtins that mean something in
// CoLiS.
#include <algorithm>
#include <fmt/format.h>

#include "base/ascii.h"
#include "colis/translator.h"
#include "shell/builtins.h"

namespace nacre::colis {

namespace {

bool has_embed(const StringExpression& e) {
  return !e.embedded.empty() || std::any_of(e.parts.begin(), e.parts.end(), has_embed);
}

// A variable of these names, outside of embedded instructions.
bool mentions(const StringExpression& e, const std::set<std::string, std::less<>>& names) {
  return (e.kind == StringExpression::kVariable && names.contains(e.text)) ||
         std::any_of(e.parts.begin(), e.parts.end(),
                     [&](const StringExpression& part) { return mentions(part, names); });
}

// `x=${y:-$(z)}` has the status of z, which the translation of the operator does not keep.
bool hides_status(std::span<const shell::Part> parts, bool is_operand = false) {
  return std::any_of(parts.begin(), parts.end(), [&](const shell::Part& part) {
    if (part.kind == shell::PartKind::kCommand) return is_operand;
    if (part.kind == shell::PartKind::kDoubleQuoted) return hides_status(part.parts(), is_operand);
    if (part.kind != shell::PartKind::kParameter) return false;
    const shell::Word* word = part.parameter().argument;
    return word != nullptr && hides_status(word->parts(), true);
  });
}

bool substitutes(std::span<const shell::Part> parts) {
  return std::any_of(parts.begin(), parts.end(), [](const shell::Part& part) {
    return part.kind == shell::PartKind::kCommand ||
           (part.kind == shell::PartKind::kDoubleQuoted && substitutes(part.parts()));
  });
}

// `x=$(z)${y%w}`: what stands for the operator is an `embed` of its own, with its own result.
bool computes_after_command(std::span<const shell::Part> parts, bool& has_command) {
  for (const shell::Part& part : parts) {
    if (part.kind == shell::PartKind::kCommand) has_command = true;
    if (part.kind == shell::PartKind::kDoubleQuoted &&
        computes_after_command(part.parts(), has_command))
      return true;
    const bool computes =
        part.kind == shell::PartKind::kArithmetic ||
        (part.kind == shell::PartKind::kParameter &&
         (part.parameter().op != shell::ParameterOp::kNone || part.parameter().name == "#"));
    if (computes && has_command) return true;
  }
  return false;
}

// A string whose evaluation ends with the result of the instruction before: what ends with
// `embed { exit previous }`.
void keep_result(StringExpression& value) {
  Instruction previous = with_parts(Instruction::kExit, {});
  previous.code = ResultCode::kPrevious;
  std::vector<StringExpression> parts;
  parts.push_back(std::move(value));
  parts.push_back(embed(std::move(previous)));
  value = concat(std::move(parts));
}

Instruction exported(const std::string& name) {
  Instruction result = with_parts(Instruction::kExport, {});
  result.name = name;
  return result;
}

}  // namespace

bool acts_on_shell(std::string_view name) {
  const shell::BuiltinInfo* info = shell::builtin_named(name);
  if (info == nullptr || info->is(shell::kIsProgram)) return false;
  const bool only_asks = name == "command" || name == "type" || name == "hash" || name == ":";
  return !only_asks && info->is_in(shell::Dialect::kDash);
}

Instruction Translator::simple(const shell::SimpleCommand& simple, Span span) {
  if (simple.words.empty()) return assignments(simple.assignments);
  const shell::Word& first = simple.words[0];
  const bool is_name =
      options_.is_original ? first.is_plain() : first.is_literal() && !first.literal().empty();
  if (!is_name) {
    refuse_feature(first.span, "name that was not a literal");
    return {};
  }
  const std::string name(first.literal());
  Instruction call = named(name, simple.words.subspan(1), span);
  if (simple.assignments.empty()) return call;
  if (options_.is_original || call.kind != Instruction::kUtility) {
    refuse_feature(simple.assignments[0].span, "prefix assignments");
    return {};
  }
  return with_prefix(simple.assignments, std::move(call));
}

Instruction Translator::assignments(std::span<const shell::Assignment> list) {
  std::vector<Instruction> items;
  // The status is that of the last substitution of a command.
  auto last_to_tell = list.end();
  for (auto one = list.begin(); one != list.end(); ++one) {
    if (substitutes(one->value.parts())) last_to_tell = one;
  }
  for (const shell::Assignment& one : list) {
    if (one.subscript != nullptr || one.is_append || one.value.has(shell::kWordHasArray))
      refuse_feature(one.span, "arrays and +=");
    // Words are cut at blanks, whatever IFS says.
    if (one.name == "IFS" && !options_.is_original) refuse_feature(one.span, "IFS");
    // The original's parser takes `x=` for the name of a command.
    if (options_.is_original && one.value.is_empty() && list.size() == 1)
      return utility(std::string(one.name) + "=");
    if (!options_.is_original && hides_status(one.value.parts()))
      refuse_feature(one.span, "a command in a default value that is assigned");
    bool has_command = false;
    if (!options_.is_original && computes_after_command(one.value.parts(), has_command))
      refuse_feature(one.span, "an operator after a command in a value that is assigned");
    if (options_.is_original || last_to_tell == list.end()) {
      items.push_back(assignment(std::string(one.name), whole(one.value)));
    } else if (&one < &*last_to_tell) {
      items.push_back(set_anyway(std::string(one.name), whole(one.value)));
    } else {
      items.push_back(assignment(std::string(one.name), whole(one.value)));
      if (&one > &*last_to_tell) keep_result(items.back().value);
    }
  }
  return sequence(std::move(items));
}

// Where the shell does not look at the status of the substitutions in a value (`export x=$(y)`,
// `case $(y) in`): the rule of lists drops it, the rule of assignments does not.
Instruction Translator::set_anyway(const std::string& name, StringExpression value) {
  if (options_.is_original || !has_embed(value)) return assignment(name, std::move(value));
  Instruction result = with_parts(Instruction::kFor, {});
  result.name = name;
  result.list.push_back({std::move(value), false});
  result.parts.push_back(utility("true"));
  return result;
}

// `A=b utility` is a process in which A is set and exported, after the words were expanded.
Instruction Translator::with_prefix(std::span<const shell::Assignment> list, Instruction call) {
  std::vector<Instruction> items;
  std::set<std::string, std::less<>> names;
  for (const shell::Assignment& one : list) names.emplace(one.name);
  for (ListFragment& item : call.list) {
    if (!has_embed(item.value) && !mentions(item.value, names)) continue;
    const std::string kept = fresh("word");
    items.push_back(set_anyway(kept, std::move(item.value)));
    item.value = variable(kept);
  }
  for (const shell::Assignment& one : list) {
    if (one.subscript != nullptr || one.is_append) refuse_feature(one.span, "arrays and +=");
    items.push_back(set_anyway(std::string(one.name), whole(one.value)));
    items.push_back(exported(std::string(one.name)));
  }
  items.push_back(std::move(call));
  std::vector<Instruction> parts;
  parts.push_back(sequence(std::move(items)));
  return with_parts(Instruction::kProcess, std::move(parts));
}

Instruction Translator::named(const std::string& name, std::span<const shell::Word> words,
                              Span span) {
  used_names_.insert(name);
  if (functions_.contains(name)) return function_call(name, list(words), span);
  if (shell::is_special_builtin(name) && (name != "local" || !options_.is_original))
    return special(name, words, span);
  if (name == "cd") return change_directory(words, span);
  if (!options_.is_original && acts_on_shell(name)) {
    refuse_feature(span, "builtin that acts on the shell: " + name);
    return {};
  }
  return utility_call(name, words, span);
}

// A word `${x:+"$y"}` is one word or none: two calls, one of which is made.
Instruction Translator::utility_call(const std::string& name, std::span<const shell::Word> words,
                                     Span span) {
  for (const shell::Word& word : words) {
    if (options_.is_original || word.parts().size() != 1) continue;
    const shell::Part& part = word.parts()[0];
    if (part.kind != shell::PartKind::kParameter) continue;
    const shell::Parameter& parameter = part.parameter();
    const bool is_choice = parameter.op == shell::ParameterOp::kAlternative &&
                           parameter.has_colon &&
                           parameter.kind == shell::ParameterKind::kVariable &&
                           parameter.argument != nullptr && parameter.argument->is_quoted();
    if (!is_choice) continue;
    const size_t at = static_cast<size_t>(&word - words.data());
    ListExpression before = list(words.subspan(0, at));
    ListExpression after = list(words.subspan(at + 1));
    ListExpression with = before;
    with.push_back(fragment(*parameter.argument));
    with.insert(with.end(), after.begin(), after.end());
    before.insert(before.end(), after.begin(), after.end());
    Instruction is_set = utility(
        "test", colis::words({variable(std::string(parameter.name)), literal("!="), literal("")}));
    return conditional(std::move(is_set), utility(name, std::move(with)),
                       utility(name, std::move(before)));
  }
  Instruction result = utility(name, list(words));
  result.span = span;
  return result;
}

Instruction Translator::function_call(const std::string& name, ListExpression list, Span span) {
  Instruction result = with_parts(Instruction::kCall, {});
  result.name = name;
  // One that is defined in a branch is not there outside of it.
  const auto& scopes = functions_[name].scopes;
  const bool is_defined = std::any_of(scopes.begin(), scopes.end(), [&](const auto& scope) {
    return scope.size() <= scope_.size() && std::equal(scope.begin(), scope.end(), scope_.begin());
  });
  if (!is_defined && !options_.is_original)
    refuse_feature(span, "function definition that may not be reached");
  if (functions_[name].wants_arguments) {
    for (const ListFragment& item : list) {
      if (item.is_split)
        refuse_feature(span, "\"$@\" in a function whose arguments are not counted");
    }
    const auto [copy, is_new] = copies_.try_emplace({name, list.size()});
    if (is_new) copy->second = unused(fmt::format("{}_{}", name, list.size()));
    result.name = copy->second;
    if (!refused_ && is_new) add_function(result.name, functions_[name], list.size());
  }
  if (result.name == name) plain_calls_.insert(name);
  result.list = std::move(list);
  return result;
}

Instruction Translator::special(const std::string& name, std::span<const shell::Word> words,
                                Span span) {
  if (name == "exit") return leave(Instruction::kExit, words, span);
  if (name == "return") return leave(Instruction::kReturn, words, span);
  if (name == "set") return set_options(words, span);
  if (name == "export") return export_variables(words, span);
  if (name == "shift" && words.size() <= (options_.is_original ? 0U : 1U)) {
    Instruction result = with_parts(Instruction::kShift, {});
    if (words.empty()) return result;
    if (words[0].is_literal() && is_digits(words[0].literal()) && words[0].literal().size() < 10) {
      result.count = std::stoull(std::string(words[0].literal()));
      return result;
    }
  }
  if (name == "." && words.size() == 1 && words[0].is_literal() &&
      words[0].literal().starts_with('/'))
    return read_in(std::string(words[0].literal()), span);
  if (!options_.is_original && name == ":") return default_values(words, span);
  if (!options_.is_original && name == "unset") return unset_variables(words, span);
  refuse_feature(span, "special builtin: " + name);
  return {};
}

// exit and return: every status but 0 is a failure.
Instruction Translator::leave(Instruction::Kind kind, std::span<const shell::Word> words,
                              Span span) {
  Instruction result = with_parts(kind, {});
  const std::string name = kind == Instruction::kExit ? "exit" : "return";
  result.code = ResultCode::kPrevious;
  if (words.empty()) return result;
  if (words.size() == 1 && words[0].is_literal() && is_digits(words[0].literal())) {
    const std::string_view digits = words[0].literal();
    bool is_zero = digits.find_first_not_of('0') == std::string_view::npos;
    if (!options_.is_original && kind == Instruction::kExit && digits.size() < 10)
      is_zero = std::stoul(std::string(digits)) % 256 == 0;  // of the status, a byte counts
    result.code = is_zero ? ResultCode::kSuccess : ResultCode::kFailure;
    return result;
  }
  const std::string_view text = words.size() == 1 ? tree_->text(words[0].span) : "";
  if (text == "$?" || (!options_.is_original && text == "\"$?\"")) return result;
  if (options_.is_original || words.size() != 1) {
    refuse_feature(span, "special builtin: " + name);
    return {};
  }
  const ListFragment status = fragment(words[0]);
  if (status.is_split && has_embed(status.value)) {
    refuse_feature(span, name + " with what a command prints");
    return {};
  }
  auto with = [&](ResultCode code) {
    Instruction leaving = with_parts(kind, {});
    leaving.code = code;
    return leaving;
  };
  auto by_number = [&] {
    return conditional(utility("test", colis::words({status.value, literal("-eq"), literal("0")})),
                       with(ResultCode::kSuccess), with(ResultCode::kFailure));
  };
  if (!status.is_split) return by_number();
  // Of an empty variable nothing is left: `exit` alone, with the status before.
  std::vector<Instruction> before;
  before.push_back(with_parts(Instruction::kExit, {}));
  before.back().code = ResultCode::kPrevious;
  return conditional(
      with_parts(Instruction::kProcess, std::move(before)),
      conditional(utility("test", colis::words({status.value, literal("="), literal("")})),
                  with(ResultCode::kSuccess), by_number()),
      by_number());
}

// Strict mode is on; of the other options none changes a result but -u, which makes a program fail
// that uses a variable before it is set.
Instruction Translator::set_options(std::span<const shell::Word> words, Span span) {
  bool is_known = !words.empty();
  for (const shell::Word& word : words) {
    const std::string_view text = word.is_literal() ? word.literal() : "";
    if (options_.is_original) {
      is_known = is_known && words.size() == 1 && text == "-e";
    } else {
      const bool sets = text.size() > 1 && text[0] == '-' &&
                        text.find_first_not_of("euvxhm", 1) == std::string_view::npos;
      const bool unsets = text.size() > 1 && text[0] == '+' &&
                          text.find_first_not_of("uvxhm", 1) == std::string_view::npos;
      is_known = is_known && (sets || unsets);
    }
  }
  if (!is_known) refuse_feature(span, "special builtin: set");
  return utility("true");
}

Instruction Translator::export_variables(std::span<const shell::Word> words, Span span) {
  std::vector<Instruction> items;
  for (const shell::Word& word : words) {
    const std::string_view text = tree_->text(word.span);
    const size_t equals = text.find('=');
    const std::string name(text.substr(0, equals));
    if (!is_identifier(name) && !is_reserved(name)) {
      refuse_feature(span, "export with one bad argument");
      return {};
    }
    if (equals != std::string_view::npos) {
      if (options_.is_original && fragment(word).is_split) break;
      const bool has_tilde =
          std::any_of(word.parts().begin(), word.parts().end(),
                      [](const auto& p) { return p.kind == shell::PartKind::kTilde; });
      if (has_tilde && !options_.is_original) refuse_feature(word.span, "tilde prefix");
      std::vector<Piece> value;
      add_pieces(word.parts(), false, value);
      size_t to_drop = equals + 1;  // the name and the `=`, which may stand in several pieces
      for (Piece& piece : value) {
        std::string& literal_text = piece.value.text;
        const bool is_literal = piece.value.kind == StringExpression::kLiteral;
        const size_t here = is_literal ? std::min(to_drop, literal_text.size()) : 0;
        literal_text.erase(0, here);
        to_drop -= here;
        if (to_drop == 0) break;
      }
      std::vector<StringExpression> parts;
      for (Piece& piece : value) {
        const bool is_empty =
            piece.value.kind == StringExpression::kLiteral && piece.value.text.empty();
        if (!is_empty) parts.push_back(std::move(piece.value));
      }
      items.push_back(set_anyway(name, concat(std::move(parts))));
    }
    items.push_back(exported(name));
  }
  const bool is_right = options_.is_original ? words.size() == 1 : !words.empty();
  if (!is_right || items.empty()) {
    refuse_feature(span, "export with no, several or splitable arguments");
    return {};
  }
  return sequence(std::move(items));
}

Instruction Translator::change_directory(std::span<const shell::Word> words, Span span) {
  Instruction result = with_parts(Instruction::kCd, {});
  if (words.size() != 1) {
    refuse_feature(span, "cd with multiple or zero arguments");
    return {};
  }
  ListFragment target = fragment(words[0]);
  if (!options_.is_original && words[0].is_literal() && words[0].literal().starts_with('-')) {
    refuse_feature(span, "cd with an option");
  } else if (target.is_split) {
    refuse_feature(span, "cd with multiple or zero arguments");
  }
  result.value = std::move(target.value);
  return result;
}

// To CoLiS a variable that is not set is empty.
Instruction Translator::unset_variables(std::span<const shell::Word> words, Span span) {
  std::vector<Instruction> items;
  for (const shell::Word& word : words) {
    const std::string name(word.is_literal() ? word.literal() : "");
    if (name == "-v") continue;
    if (!is_identifier(name) || name == "IFS") {
      refuse_feature(span, "special builtin: unset");
      return {};
    }
    items.push_back(assignment(name, literal("")));
  }
  return sequence(std::move(items));
}

// `: ${x:=y}` gives x a value if it has none; otherwise `:` ignores its arguments.
Instruction Translator::default_values(std::span<const shell::Word> words, Span) {
  std::vector<Instruction> items;
  for (const shell::Word& word : words) {
    std::span<const shell::Part> parts = word.parts();
    if (parts.size() == 1 && parts[0].kind == shell::PartKind::kDoubleQuoted)
      parts = parts[0].parts();
    const bool is_parameter = parts.size() == 1 && parts[0].kind == shell::PartKind::kParameter;
    const bool sets = is_parameter && parts[0].parameter().op == shell::ParameterOp::kAssign &&
                      parts[0].parameter().has_colon &&
                      parts[0].parameter().kind == shell::ParameterKind::kVariable;
    if (!sets) {
      (void)list({&word, 1});  // refused if it has no meaning
      continue;
    }
    const std::string name(parts[0].parameter().name);
    Instruction is_empty =
        utility("test", colis::words({variable(name), literal("="), literal("")}));
    const shell::Word* value = parts[0].parameter().argument;
    items.push_back(conditional(std::move(is_empty),
                                set_anyway(name, value == nullptr ? literal("") : whole(*value)),
                                utility("true")));
  }
  return items.empty() ? utility(":") : sequence(std::move(items));
}

// `. FILE`: the text of the file, in place.
Instruction Translator::read_in(const std::string& path, Span span) {
  if (!options_.sources) {
    refuse_feature(span, "absolute source without external sources");
    return {};
  }
  std::optional<std::string> text = options_.sources(path);
  if (!text) {
    refuse(span, "absolute source where external source could not be read");
    return {};
  }
  if (sources_ >= options_.max_sources) {
    refuse(span, fmt::format("more than {} files read in by each other", options_.max_sources));
    return {};
  }
  shell::ParseResult parsed =
      shell::parse_file(SourceFile(path, std::move(*text)), tree_->dialect());
  if (!parsed.is_valid()) {
    refuse(span, fmt::format("{}: not a valid script", path));
    return {};
  }
  read_in_.push_back(std::make_unique<shell::Tree>(std::move(parsed.tree)));
  note_words(*read_in_.back(), span);
  const shell::Tree* outer = std::exchange(tree_, read_in_.back().get());
  const auto outer_span = source_span_;
  if (!source_span_) source_span_ = span;
  ++sources_;
  Instruction result = sequence_of(tree_->program(), false);
  --sources_;
  source_span_ = outer_span;
  tree_ = outer;
  return result;
}

}  // namespace nacre::colis
