// Simple commands: assignments, builtins, and commands that have a card.
#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "base/path.h"
#include "commands/known_files.h"
#include "commands/models.h"
#include "commands/pattern_slips.h"
#include "flow/call_words.h"
#include "flow/interpreter.h"
#include "flow/rules/publish.h"
#include "regular/decide.h"
#include "shell/builtins.h"

namespace nacre::flow {

using commands::Argument;
using commands::Behaviour;
using commands::Choice;
using commands::Wanted;

namespace {

// An expansion that may be an option, `-`, or nothing at all: `head $option`, `tail "$@"`. One that
// has a slash beside it is a path, and so is a variable that the script never sets.
bool may_be_option(const Field& field, const Environment& environment, const Survey& survey) {
  const auto is_own = [&](const Fragment& part) {
    if (part.kind == FragmentKind::kList || part.value.is_assigned) return true;
    const bool is_variable = part.part && part.part->kind == shell::PartKind::kParameter;
    return is_variable &&
           (environment.has_unknown_code || survey.assigned.contains(part.part->parameter().name));
  };
  const auto is_path = [](const Fragment& part) {
    return part.kind == FragmentKind::kLiteral && part.value.text &&
           part.value.text->find('/') != std::string::npos;
  };
  Context& context = field.argument.value.context();
  const Lang dashed = context.literal("-") + context.all();
  // `sed -e a $(if b; then echo "-e c"; fi)`
  if (field.fragments.size() == 1 && !field.fragments[0].is_quoted && field.fragments[0].part &&
      field.fragments[0].part->kind == shell::PartKind::kCommand)
    return regular::included(field.fragments[0].value.strings, optional(dashed)).yes();
  if (field.fragments.empty() || field.fragments[0].kind == FragmentKind::kLiteral ||
      field.fragments[0].kind == FragmentKind::kGlob ||
      std::none_of(field.fragments.begin(), field.fragments.end(), is_own) ||
      std::any_of(field.fragments.begin(), field.fragments.end(), is_path))
    return false;
  return field.may_vanish || field.may_repeat ||
         !regular::disjoint(field.argument.value, dashed).yes();
}

// Whatever the command, these words ask it to read what is piped into it: `crontab -`, `curl -d
// @-`, `wget --input-file=-`.
bool names_input(std::string_view word) {
  return word == "-" || word.ends_with("=-") || word.ends_with("@-") ||
         word.ends_with("/dev/stdin") || word.ends_with("/dev/fd/0");
}

// A word that the script may have left empty is no file to be read; `-` is the input.
bool may_read_input(const Call& call, const commands::Invocation& invocation,
                    const Survey& survey) {
  const commands::Card& card = *invocation.card;
  const bool has_own_syntax = card.style == commands::OptionStyle::kNone && card.model.empty();
  if (invocation.is_uncertain || has_own_syntax) return true;
  const commands::Property* reads = invocation.property("reads");
  const bool reads_files = reads && reads->value == "operands";
  return std::any_of(call.fields.begin() + 1, call.fields.end(), [&](const Field& field) {
    const auto& text = field.argument.text;
    if (!text) return reads_files && may_be_option(field, call.environment, survey);
    return !card.echoes && names_input(*text);
  });
}

// Whether a command may change the file if it is given this word: its name, that of a directory
// above it, or code that names it. What nothing is known of is left to the user.
bool may_change(const Argument& word, const std::string& file) {
  if (!word.text) return !word.is_opaque && contains(word.value, file);
  return word.text->find(file) != std::string::npos || file.starts_with(*word.text + '/');
}

void add_to(std::vector<uint64_t>& key, Lang lang) {
  key.push_back((uint64_t{lang.key()} << 2) | (lang.is_exact() ? 1 : 0));
}

void add_to(std::vector<uint64_t>& key, const Argument& argument) {
  add_to(key, argument.value);
  key.push_back((uint64_t{argument.span.begin} << 3) | (argument.may_vanish ? 4 : 0) |
                (argument.is_opaque ? 2 : 0) | (argument.text ? 1 : 0));
}

void add_to(std::vector<uint64_t>& key, const Stream& stream) {
  for (const Lang line : stream.first) add_to(key, line);
  add_to(key, stream.rest);
  key.insert(key.end(), {stream.first.size(), stream.count.least, stream.count.most,
                         stream.count.least_if_any, static_cast<uint64_t>(stream.choice),
                         static_cast<uint64_t>(stream.order), stream.scattered_by.begin,
                         uint64_t{stream.is_distinct}, uint64_t{stream.may_lack_newline}});
}

// Nobody else has chosen what it prints, or it has quoted it for the shell.
bool prints_own(const Call& call, const commands::Card& card,
                const commands::Invocation& invocation) {
  if (invocation.property("quotes") != nullptr) return true;
  const Behaviour& behaviour = call.stages.back().behaviour;
  if (!card.echoes) return call.io.is_own_text && (behaviour.trace || behaviour.is_filter);
  // Whoever sets the environment of a script may as well run what he likes.
  const auto is_foreign = [](const Fragment& fragment) {
    const Source source = fragment.value.source;
    return source == Source::kCommand ||
           (fragment.value.is_tainted && source != Source::kEnvironment);
  };
  return std::none_of(call.fields.begin(), call.fields.end(), [&](const Field& field) {
    return std::any_of(field.fragments.begin(), field.fragments.end(), is_foreign);
  });
}

}  // namespace

Ran Interpreter::simple_command(const Command& node, const shell::SimpleCommand& simple,
                                Environment& environment, const Io& io,
                                std::vector<Stage>& stages) {
  Substituted substituted;
  const bool is_one_word = simple.words.size() == 1 && simple.words[0].parts().size() == 1;
  const auto expand_words = [&] {
    const Scoped noted(where_.substituted, &substituted);
    const Scoped word(where_.command_word, is_one_word ? simple.words[0].parts()[0].span : Span{});
    return expand_all(simple.words, environment);
  };
  std::vector<Field> fields = expand_words();
  if (fields.empty()) {
    substituted.prints_on_success = false;
    {
      const Scoped noted(where_.substituted, &substituted);
      for (const shell::Assignment& each : simple.assignments) assign(each, environment);
    }
    environment.status = substituted.status.value_or(Status{});
    environment.status.origin = node.span;
    if (substituted.status && simple.assignments.size() == 1) {
      const Implied implied{names_[simple.assignments[0].name], substituted.prints_on_success};
      implied_.insert_or_assign({node.span.begin, node.span.end}, implied);
    }
    // But for dash, `$(< file)` is what is in the file.
    const bool is_read = io.is_captured && io.has_own_input && simple.assignments.empty();
    const bool is_dash = tree_.dialect() == shell::Dialect::kDash;
    return is_read && simple.words.empty() && !is_dash ? io.input : none();
  }
  // Assignments before a command hold while it runs.
  std::vector<Hidden> hidden;
  for (const shell::Assignment& assignment : simple.assignments) {
    const Scoped noted(where_.substituted, &substituted);
    const Name name = names_[assignment.name];
    const ValueId before = assign(assignment, environment);
    hidden.push_back({name, before, lookup(name, environment)});
  }
  const bool is_special = tree_.dialect() != shell::Dialect::kBash && fields[0].argument.text &&
                          shell::is_special_builtin(*fields[0].argument.text);
  Call call{node, simple, std::move(fields), environment, io, stages, hidden, substituted};
  Ran ran = dispatch(call);
  for (auto at = hidden.rbegin(); at != hidden.rend(); ++at) {
    // Some shells keep them behind a special builtin, and what `export` in a function has changed.
    const ValueId left = lookup(at->name, environment);
    const bool may_stay = left != at->given || (is_special && environment.is_reachable);
    put(at->name, may_stay ? values_.join(at->before, left) : at->before, environment);
  }
  return ran;
}

Ran Interpreter::dispatch(Call& call) {
  if (!findings_.is_muted()) publish(CallEvent{call, innermost(call.fields, cards_)}, rules_);
  forget_missing(call);
  const Argument first = call.fields[0].argument;
  if (!first.text) {
    call_unnamed(first, call.environment);
    return unknown_command(call, "the command");
  }
  const std::string name = *first.text;
  if (const shell::Function* function = function_named(name, call.environment)) {
    const Definition& known = (*call.environment.functions)[static_cast<size_t>(names_[name])];
    return known.may_be_missing || known.may_be_other ? call_any(call, known)
                                                      : call_function(call, *function);
  }
  return dispatch_command(call);
}

// What was not found may be there after this: a command installs it, or defines a function.
void Interpreter::forget_missing(const Call& call) {
  const FoundCommands& known = *call.environment.commands;
  if (known.empty() || !call.fields[0].argument.text) return;
  const std::string_view name = base_name(*call.fields[0].argument.text);
  if (name == "echo" || name == "printf" || known.contains(name)) return;
  const bool runs_code = name == "sh" || name == "bash" || name == "eval" || name == "make";
  const auto installs = [&](const Field& field) {
    if (!field.argument.text) return runs_code;
    const std::string_view text = *field.argument.text;
    return text.find("install") != std::string_view::npos || text == "add" || text == "-S";
  };
  const bool installs_any = std::any_of(call.fields.begin() + 1, call.fields.end(), installs);
  const auto is_named = [&](std::string_view missing) {
    return std::any_of(call.fields.begin() + 1, call.fields.end(), [&](const Field& field) {
      return field.argument.text && base_name(*field.argument.text) == missing;
    });
  };
  std::erase_if(call.environment.commands.edit(), [&](const auto& entry) {
    return !entry.second && (installs_any || is_named(entry.first));
  });
}

// Whatever functions there are: `command cd`.
Ran Interpreter::dispatch_command(Call& call) {
  if (!call.fields[0].argument.text) return unknown_command(call, "the command");
  const std::string name = *call.fields[0].argument.text;
  if (const Builtin builtin = find_builtin(name)) {
    publish(BuiltinEvent{call}, rules_);
    return (this->*builtin)(call);
  }
  return dispatch_external(call);
}

Ran Interpreter::dispatch_external(Call& call) {
  const Argument first = call.fields[0].argument;
  const std::string name = *first.text;
  const auto meaning = cards_.meaning_of(name);
  if (!meaning.card) {
    // `x+=a`, which sh takes for a command: the branch is for another shell.
    if (const size_t end = name.find("+="); end != std::string::npos && end > 0) {
      store(names_[std::string_view(name).substr(0, end)],
            unknown(context_, Source::kScript, call.node.span), call.environment);
    }
    return unknown_command(call, name);
  }
  for (std::string_view variable : meaning.card->sets)
    store(names_[variable], unknown(context_, Source::kCommand, call.node.span), call.environment);
  for (size_t i = 0; i < meaning.words.size(); i++) {  // egrep is grep -E
    const std::string word(meaning.words[i]);
    Field field{{first.span, context_.literal(word), word, word, false}, nullptr, {}, false, false};
    call.fields.insert(call.fields.begin() + 1 + static_cast<std::ptrdiff_t>(i), std::move(field));
  }
  Ran ran = by_card(call, *meaning.card, name);
  call.environment.status.is_printed = meaning.card->echoes && prints_at_hand(call.node);
  return ran;
}

// `env X=1 sort`, `nice make`: the command that is run is what reads and prints. False if the words
// do not say which it is.
bool Interpreter::enter_called(Call& call, const commands::Invocation& invocation) {
  if (!invocation.card->model.empty()) return false;
  // sudo -S takes the password that is piped into it; what is left is for the command.
  const commands::Property* reads = invocation.property("reads");
  if (reads && reads->value == "maybe" && call.io.is_piped) return false;
  const size_t first = called_at(call.fields, invocation);
  if (first == 0 || !call.fields[first].argument.text) return false;
  call.fields.erase(call.fields.begin(), call.fields.begin() + static_cast<std::ptrdiff_t>(first));
  return true;
}

// In code that nothing is reported of, what a filter makes of lines that the code has not written
// itself is not worth the work: they are some other unknown lines.
bool Interpreter::filters_elsewhere(const Call& call, const commands::Card& card) const {
  const auto reads = [](const commands::Property& property) {
    return property.key == "reads" && property.value != "nothing";
  };
  const bool is_own = call.io.input.choice == Choice::kFormat &&
                      (call.stages.empty() || call.stages.back().prints_words);
  return where_.elsewhere > 0 && !is_own && call.environment.files->empty() &&
         std::any_of(card.properties.begin(), card.properties.end(), reads);
}

// `tr -dc a-z < /dev/urandom`, and what reads all that such a command prints.
bool Interpreter::is_endless(const Call& call) const {
  static constexpr std::string_view kDevices[] = {"/dev/urandom", "/dev/random", "/dev/zero"};
  const auto is_device = [](std::string_view path) {
    return std::find(std::begin(kDevices), std::end(kDevices), path) != std::end(kDevices);
  };
  if (call.io.is_piped) return !call.stages.empty() && call.stages.back().is_endless;
  if (!call.io.file.empty()) return is_device(tree_.text(call.io.file));
  const auto& fields = call.fields;  // options may say how much of it is read
  return fields.size() == 2 && fields[1].argument.text && is_device(*fields[1].argument.text);
}

Ran Interpreter::by_card(Call& call, const commands::Card& card, std::string_view name) {
  // What nobody reads need not be typed, if there is nothing to be said of it either.
  const bool is_asked = where_.tested > 0 && call.io.has_own_input;
  const bool is_typed =
      (call.io.is_captured && !filters_elsewhere(call, card)) || is_asked || options_.wants_types;
  const bool prints_words = card.echoes && !card.is_counted;
  const bool is_judged = !findings_.is_muted() && (call.io.is_piped || !prints_words);
  note_implied(call, card);
  if (!is_typed && !is_judged) return unknown_command(call, std::string(name));
  std::vector<Argument> arguments;
  const std::string separators = ifs(call.environment);
  for (const Field& field : std::span(call.fields).subspan(1))
    arguments.push_back(argument_for_card(field, separators));
  const auto invocation =
      commands::parse_invocation(card, call.fields[0].argument.span, std::move(arguments));
  if (enter_called(call, invocation)) return dispatch_external(call);
  const bool knows_file = is_judged && reads_known_file(invocation, call.environment);
  const bool reads = call.io.is_piped || call.io.input.choice == Choice::kFormat || knows_file;
  const Wanted wanted = is_typed ? Wanted::kLines : reads ? Wanted::kAnything : Wanted::kMistakes;
  Behaviour behaviour = behaviour_of(call, invocation, wanted);
  if (call.io.is_piped && may_read_input(call, invocation, survey_)) behaviour.reads_input = true;
  const bool holds_setting = is_setting(call, card);
  if (holds_setting) spare_setting(invocation, behaviour);
  call.environment.status = uncertain(call.node.span);
  publish(InvocationEvent{call, invocation, behaviour}, rules_);
  // `ls *.gz 2>/dev/null`: the author expects that there may be none.
  if (call.io.drops_errors && behaviour.prints_names) behaviour.output.is_filtered = true;
  Ran ran = behaviour.output;
  ran.file_read = file_read(call, invocation);
  ran.selects = behaviour.selects;
  forget_written(invocation, call.environment);
  const bool stops_early = invocation.property("ends") != nullptr;
  const bool is_endless = !stops_early && this->is_endless(call);
  call.stages.push_back(
      {call.node.span, std::string(name), call.io.is_piped, call.io.input, std::move(behaviour)});
  Stage& stage = call.stages.back();
  stage.stops_early = stops_early;
  stage.is_endless = is_endless;
  stage.drops_errors = call.io.drops_errors;
  stage.reads_known_file = knows_file;
  stage.prints_words = card.echoes;
  const auto format = call.fields.size() > 1 ? call.fields[1].argument.text : std::nullopt;
  const bool is_formatted = name == "printf" && (format == "%s\\n" || format == "%s");
  const bool is_looked_at = call.io.is_captured || !findings_.is_muted();
  if (card.echoes && is_looked_at && call.fields.size() == (is_formatted ? 3U : 2U))
    stage.skeleton = possible_path(call.fields.back());
  stage.holds_setting = holds_setting;
  stage.is_own_text = prints_own(call, card, invocation);
  stage.fetches = invocation.property("fetches") != nullptr;
  stage.interprets_input = invocation.property("interprets") != nullptr;
  return ran;
}

// Whether a stage reads or prints what the script's own variables hold: in another run, or another
// version of the script, they hold something else.
bool Interpreter::is_setting(const Call& call, const commands::Card& card) {
  if (call.io.is_piped) return !call.stages.empty() && call.stages.back().holds_setting;
  if (call.io.holds_setting) return true;
  const auto is_own = [&](const Fragment& fragment) {
    const bool is_told = fragment.value.text && fragment.value.source != Source::kEnvironment;
    const bool is_passed = where_.function != nullptr && fragment.part &&
                           fragment.part->kind == shell::PartKind::kParameter &&
                           fragment.part->parameter().kind != shell::ParameterKind::kVariable;
    // `$SECONDS | cut -d. -f1`: in another shell it has a fraction.
    const bool is_kept = fragment.part && fragment.part->kind == shell::PartKind::kParameter &&
                         script_.kept.contains(names_[fragment.part->parameter().name]);
    return fragment.kind != FragmentKind::kLiteral &&
           (fragment.value.is_assigned || is_told || is_passed || is_kept);
  };
  return card.echoes &&
         std::any_of(call.fields.begin() + 1, call.fields.end(), [&](const Field& field) {
           return std::any_of(field.fragments.begin(), field.fragments.end(), is_own);
         });
}

// Of such lines only that is said which would hold of any others.
void Interpreter::spare_setting(const commands::Invocation& invocation, Behaviour& behaviour) {
  std::erase_if(behaviour.checks, [](const commands::Check& check) {
    return check.kind == commands::Check::Kind::kNotAll;
  });
  const auto is_idle = [](const Behaviour& each) {
    return each.never_selects || (each.is_filter && commands::is_silent(each.output));
  };
  if (!is_idle(behaviour)) return;
  const auto content = [this](const Argument&) { return opaque(); };
  const auto find_card = [this](std::string_view called) { return cards_.find(called); };
  const Behaviour general = commands::behaviour_of(invocation, {opaque(), content, find_card});
  if (is_idle(general)) return;
  behaviour.is_filter = behaviour.never_selects = false;
  if (where_.capture) where_.capture->may_print_more = true;
}

// A command in a loop or a function meets the same lines again and again.
Behaviour Interpreter::behaviour_of(const Call& call, const commands::Invocation& invocation,
                                    Wanted wanted) {
  BehaviourKey key{&call.node, invocation.card, wanted, {}};
  add_to(key.parts, call.io.input);
  for (const Argument& operand : invocation.operands) add_to(key.parts, operand);
  for (const commands::GivenOption& option : invocation.options) {
    key.parts.push_back(option.span.begin);
    if (option.argument) add_to(key.parts, *option.argument);
  }
  if (const auto known = behaviours_.find(key); known != behaviours_.end()) return known->second;
  bool reads_file = false;  // what is in it may change
  const auto content = [&](const Argument& file) {
    reads_file = true;
    return content_of_argument(file, call.environment);
  };
  const auto find_card = [this](std::string_view called) { return cards_.find(called); };
  Behaviour result =
      commands::behaviour_of(invocation, {call.io.input, content, find_card, wanted});
  is_exhausted_ |= result.is_exhausted;
  if (!reads_file) behaviours_.emplace(std::move(key), result);
  return result;
}

// A constant name that stands nowhere else in the script.
bool Interpreter::is_named_once(std::string_view name) const {
  if (name.empty() || name.find_first_of("$`*?[\"'\\") != std::string_view::npos) return false;
  const std::string_view text = tree_.file().bytes();
  const auto is_part = [](char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-';
  };
  uint32_t count = 0;
  for (size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
    const size_t end = at + name.size();
    const bool is_whole =
        (at == 0 || !is_part(text[at - 1])) && (end == text.size() || !is_part(text[end]));
    count += is_whole ? 1 : 0;
  }
  return count == 1;
}

// A file that nobody has asked for, named by an operand or by `< file`: it may be missing. One that
// the script names elsewhere is made, read or looked for there; whose name is in a variable, those
// know who have put it there.
std::optional<Span> Interpreter::file_read(const Call& call,
                                           const commands::Invocation& invocation) {
  const auto& specs = invocation.card->operands;
  const bool reads = std::any_of(specs.begin(), specs.end(), [](const auto& spec) {
    return spec.kind == "file" || spec.kind == "path-read";
  });
  if (!reads) return std::nullopt;
  const bool is_redirected = !call.io.file.empty();
  if (!is_redirected && invocation.operands.empty()) return std::nullopt;
  const Span file = is_redirected ? call.io.file : invocation.operands.back().span;
  const std::string_view name = tree_.text(file);
  const bool is_of_system = name == "-" || name.starts_with("/proc/") ||
                            name.starts_with("/sys/") || name.starts_with("/dev/") ||
                            commands::known_file(context_, std::string(name));
  return !is_of_system && is_named_once(name) ? std::optional(file) : std::nullopt;
}

// What the script knows of a file that the command may write.
void Interpreter::forget_written(const commands::Invocation& invocation, Environment& environment) {
  if (environment.files->empty() || invocation.card->echoes) return;
  const auto forget = [&](const Argument& word) {
    forget_files(environment, [&](const std::string& file) { return may_change(word, file); });
  };
  const auto& specs = invocation.card->operands;
  for (size_t i = 0; i < invocation.operands.size(); i++) {
    const std::string_view kind = specs.empty() ? "" : specs[std::min(i, specs.size() - 1)].kind;
    const bool only_reads = kind == "file" || kind == "path-read" || kind == "pattern";
    if (!only_reads || invocation.has("--in-place")) forget(invocation.operands[i]);
  }
  for (const commands::GivenOption& option : invocation.options)
    if (option.argument) forget(*option.argument);
}

// The one file that it reads, which is its last operand, was written by the script.
bool Interpreter::reads_known_file(const commands::Invocation& invocation,
                                   const Environment& environment) const {
  const auto& specs = invocation.card->operands;
  const bool reads = !specs.empty() && specs.back().kind == "file";
  if (!reads || invocation.operands.size() != specs.size()) return false;
  const Argument& last = invocation.operands.back();
  if (auto known = content_named_by(last.span)) return known->choice == Choice::kFormat;
  const auto written =
      last.text ? environment.files->find(plain_path(*last.text)) : environment.files->end();
  return written != environment.files->end() && written->second.choice == Choice::kFormat;
}

Stream Interpreter::content_of_argument(const Argument& file, const Environment& environment) {
  if (auto known = content_named_by(file.span)) return *known;
  return file.text ? content_of(*file.text, environment) : opaque();
}

Ran Interpreter::unknown_command(Call& call, std::string name) {
  Stream output = opaque();
  // A file that is named in its words may be written by it.
  forget_files(call.environment, [&](const std::string& file) {
    return std::any_of(call.fields.begin() + 1, call.fields.end(),
                       [&](const Field& field) { return may_change(field.argument, file); });
  });
  call.environment.status = uncertain(call.node.span);
  Behaviour behaviour(output);
  for (const Field& field : std::span(call.fields).subspan(1)) {
    const std::string slip =
        field.argument.text ? commands::slip_in_any(*field.argument.text) : std::string();
    if (!slip.empty())
      behaviour.problems.push_back(
          {commands::Flaw::kPattern, field.argument.span, slip, "", false});
  }
  call.stages.push_back(
      {call.node.span, std::move(name), call.io.is_piped, call.io.input, std::move(behaviour)});
  return output;
}

// `x+=text`; of an array it is the first element that grows, which may be missing.
Value Interpreter::appended(Value before, const Value& text, Span origin) {
  before.may_be_unset |= before.is_array;
  Value sum = concatenated(context_,
                           {{FragmentKind::kLiteral, true, {}, nullptr, before},
                            {FragmentKind::kLiteral, true, {}, nullptr, text}},
                           origin);
  sum.is_array = before.is_array;
  return sum;
}

Value Interpreter::assigned_text(const shell::Assignment& assignment, Environment& environment) {
  const Scoped assigning(where_.assigning, assignment.name);
  return value_of(assignment.value, environment);
}

// The result is what the variable was before, when the new value was expanded: `x=${x:=a} f`.
ValueId Interpreter::assign(const shell::Assignment& assignment, Environment& environment) {
  const Name name = names_[assignment.name];
  Value result = assigned_text(assignment, environment);
  const ValueId former = lookup(name, environment);
  const Value before = values_[former];
  const bool is_array = assignment.value.has(shell::kWordHasArray);
  const bool is_new = before.may_be_foreign && !before.is_assigned && !before.is_array;
  result.origin = assignment.span;
  if (assignment.subscript != nullptr) {  // one element of an array
    evaluate_subscript(assignment.name, *assignment.subscript, environment);
    Value element = before;  // or another one, or none yet
    element.may_be_unset = true;
    if (assignment.is_append) result = appended(element, result, assignment.span);
    if (!is_new) result = joined(result, before);
    result.is_array = true;
    result.text.reset();
    result.may_be_unset = false;
  } else if (assignment.is_append && is_array) {
    if (!is_new) result = joined(result, before);
    result.is_array = true;
  } else if (assignment.is_append) {
    result = appended(before, result, assignment.span);
  }
  // Without a subscript it is the first element, and there may be others.
  if (before.is_array && !is_array && assignment.subscript == nullptr) {
    result = joined(result, before);
    result.text.reset();
  }
  result.origin = assignment.span;
  if (records_types())
    recorder_.variable(assignment.name_span, assignment.name, expansion_of(result));
  store(name, std::move(result), environment);
  return former;
}

}  // namespace nacre::flow
