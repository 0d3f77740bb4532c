// Commands that have a card.
#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "base/ascii.h"
#include "commands/known_files.h"
#include "commands/models.h"
#include "flow/expansion.h"
#include "flow/redirections.h"
#include "flow/rules/publish.h"
#include "flow/run.h"
#include "flow/simple_command.h"
#include "flow/tested.h"
#include "regular/decide.h"

namespace nacre::flow {

using commands::Argument;
using commands::Behaviour;
using commands::Choice;
using commands::Wanted;

namespace {

constexpr uint32_t kMaxWrappers = 32;  // each of them is a level of recursion

// `env X=1 sort`, `nice make`: the command that is run is what reads and prints. False if the words
// do not say which it is.
bool enter_called(Call& call, const commands::Invocation& invocation) {
  if (!invocation.card->model.empty()) return false;
  // sudo -S takes the password that is piped into it; what is left is for the command.
  const commands::Property* reads = invocation.property(commands::CardKey::kReads);
  if (reads && reads->value == "maybe" && call.io.is_piped) return false;
  const size_t first = called_at(call.fields, invocation);
  if (first == 0 || !call.fields[first].argument.text) return false;
  call.fields.erase(call.fields.begin(), call.fields.begin() + static_cast<std::ptrdiff_t>(first));
  return true;
}

// In code that nothing is reported of, what a filter makes of lines that the code has not written
// itself is not worth the work: they are some other unknown lines.
bool filters_elsewhere(Run& run, const Call& call, const commands::Card& card) {
  const auto reads = [](const commands::Property& property) {
    return property.key == commands::CardKey::kReads && property.value != "nothing";
  };
  const bool is_own = call.io.input.choice == Choice::kFormat &&
                      (call.stages.empty() || call.stages.back().prints_words);
  return run.where.elsewhere > 0 && !is_own && call.environment.files->empty() &&
         std::any_of(card.properties.begin(), card.properties.end(), reads);
}

// `tr -dc a-z < /dev/urandom`, and a command that reads all of its endless output.
bool is_endless(Run& run, const Call& call) {
  static constexpr std::string_view kDevices[] = {"/dev/urandom", "/dev/random", "/dev/zero"};
  const auto is_device = [](std::string_view path) {
    return std::find(std::begin(kDevices), std::end(kDevices), path) != std::end(kDevices);
  };
  if (call.io.is_piped) return !call.stages.empty() && call.stages.back().is_endless;
  if (!call.io.file.empty()) return is_device(run.tree.text(call.io.file));
  const auto& fields = call.fields;  // options may say how much of it is read
  return fields.size() == 2 && fields[1].argument.text && is_device(*fields[1].argument.text);
}

// Whether a stage reads or prints what the script's own variables hold: in another run, or another
// version of the script, they hold something else.
bool is_setting(Run& run, const Call& call, const commands::Card& card) {
  if (call.io.is_piped) return !call.stages.empty() && call.stages.back().holds_setting;
  if (call.io.holds_setting) return true;
  const auto is_own = [&](const Fragment& fragment) {
    const bool is_told = fragment.value.text && fragment.value.source != Source::kEnvironment;
    const bool is_passed = run.where.function != nullptr && fragment.part &&
                           fragment.part->kind == shell::PartKind::kParameter &&
                           fragment.part->parameter().kind != shell::ParameterKind::kVariable;
    // `$SECONDS | cut -d. -f1`: in another shell it has a fraction.
    const bool is_kept = fragment.part && fragment.part->kind == shell::PartKind::kParameter &&
                         run.script.kept.contains(run.names[fragment.part->parameter().name]);
    // What a command prints is the same in every version of the script.
    const bool is_printed = fragment.value.source == Source::kCommand && fragment.value.output;
    return fragment.kind != FragmentKind::kLiteral && !is_printed &&
           (fragment.value.is_assigned || is_told || is_passed || is_kept);
  };
  return card.echoes &&
         std::any_of(call.fields.begin() + 1, call.fields.end(), [&](const Field& field) {
           return std::any_of(field.fragments.begin(), field.fragments.end(), is_own);
         });
}

Stream content_of_argument(Run& run, const Argument& file, const Environment& environment) {
  if (auto known = content_named_by(run, file.span)) return *known;
  return file.text ? content_of_file(run, *file.text, environment) : run.opaque();
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

// A command in a loop or a function meets the same lines again and again.
Behaviour behaviour_of(Run& run, const Call& call, const commands::Invocation& invocation,
                       Wanted wanted) {
  BehaviourKey key{&call.node, invocation.card, wanted, {}};
  add_to(key.parts, call.io.input);
  for (const Argument& operand : invocation.operands) add_to(key.parts, operand);
  for (const commands::GivenOption& option : invocation.options) {
    key.parts.push_back(option.span.begin);
    if (option.argument) add_to(key.parts, *option.argument);
  }
  if (const auto known = run.memo.behaviours.find(key); known != run.memo.behaviours.end())
    return known->second;
  bool reads_file = false;  // what is in it may change
  const auto content = [&](const Argument& file) {
    reads_file = true;
    return content_of_argument(run, file, call.environment);
  };
  const auto find_card = [&run](std::string_view called) { return run.cards.find(called); };
  Behaviour result =
      commands::behaviour_of(invocation, {call.io.input, content, find_card, wanted});
  if (result.is_exhausted)
    run.limits.note_exhausted(call.node.span,
                              fmt::format("the program of {}", invocation.card->name));
  if (!reads_file) run.memo.behaviours.emplace(std::move(key), result);
  return result;
}

// For such lines only findings that would hold for any other lines are kept.
void allow_other_settings(Run& run, const commands::Invocation& invocation, Behaviour& behaviour) {
  std::erase_if(behaviour.checks, [](const commands::Check& check) {
    return check.kind == commands::Check::Kind::kNotAll;
  });
  const auto is_idle = [](const Behaviour& each) {
    return each.never_selects || (each.is_filter && commands::is_silent(each.output));
  };
  if (!is_idle(behaviour)) return;
  const auto content = [&run](const Argument&) { return run.opaque(); };
  const auto find_card = [&run](std::string_view called) { return run.cards.find(called); };
  const Behaviour general = commands::behaviour_of(invocation, {run.opaque(), content, find_card});
  if (is_idle(general)) return;
  behaviour.is_filter = behaviour.never_selects = false;
  if (run.where.capture) run.where.capture->may_print_more = true;
}

// A constant name that stands nowhere else in the script.
bool is_named_once(Run& run, std::string_view name) {
  if (name.empty() || name.find_first_of("$`*?[\"'\\") != std::string_view::npos) return false;
  const std::string_view text = run.tree.file().bytes();
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

// A file that the script has not tested for, named by an operand or by `< file`: it may be missing.
// One that the script names elsewhere is made, read or looked for there; whose name is in a
// variable, those know who have put it there.
std::optional<Span> file_read(Run& run, const Call& call, const commands::Invocation& invocation) {
  const auto& specs = invocation.card->operands;
  const bool reads = std::any_of(specs.begin(), specs.end(), [](const auto& spec) {
    return spec.kind == commands::OperandKind::kFile;
  });
  if (!reads) return std::nullopt;
  const bool is_redirected = !call.io.file.empty();
  if (!is_redirected && invocation.operands.empty()) return std::nullopt;
  const Span file = is_redirected ? call.io.file : invocation.operands.back().span;
  const std::string_view name = run.tree.text(file);
  const bool is_of_system = name == "-" || name.starts_with("/proc/") ||
                            name.starts_with("/sys/") || name.starts_with("/dev/") ||
                            commands::known_file(run.languages, std::string(name));
  return !is_of_system && is_named_once(run, name) ? std::optional(file) : std::nullopt;
}

// What the script knows of a file that the command may write.
void forget_written(const commands::Invocation& invocation, Environment& environment) {
  if (environment.files->empty() || invocation.card->echoes) return;
  const auto forget = [&](const Argument& word) {
    forget_files(environment, [&](const std::string& file) { return may_change(word, file); });
  };
  const auto& specs = invocation.card->operands;
  for (size_t i = 0; i < invocation.operands.size(); i++) {
    const commands::OperandKind kind =
        specs.empty() ? commands::OperandKind::kText : specs[std::min(i, specs.size() - 1)].kind;
    const bool only_reads =
        kind == commands::OperandKind::kFile || kind == commands::OperandKind::kPattern;
    if (!only_reads || invocation.has("--in-place")) forget(invocation.operands[i]);
  }
  for (const commands::GivenOption& option : invocation.options)
    if (option.argument) forget(*option.argument);
}

// The one file that it reads, which is its last operand, was written by the script, or has a format
// that the system gives.
bool reads_known_file(Run& run, const commands::Invocation& invocation,
                      const Environment& environment) {
  const auto& specs = invocation.card->operands;
  const bool reads = !specs.empty() && specs.back().kind == commands::OperandKind::kFile;
  if (!reads || invocation.operands.size() != specs.size()) return false;
  const Argument& last = invocation.operands.back();
  if (auto known = content_named_by(run, last.span)) return known->choice == Choice::kFormat;
  if (last.text && commands::known_file(run.languages, *last.text)) return true;
  const auto written =
      last.text ? environment.files->find(plain_path(*last.text)) : environment.files->end();
  return written != environment.files->end() && written->second.choice == Choice::kFormat;
}

// An expansion that may be an option, `-`, or nothing at all: `head $option`, `tail "$@"`. One that
// has a slash beside it is a path, and so is a variable that the script never sets.
bool may_be_option(const Field& field, const Environment& environment, const Survey& survey) {
  if (field.argument.prefix.starts_with('-')) return true;  // `head -$n`
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
  const commands::Property* reads = invocation.property(commands::CardKey::kReads);
  const bool reads_files = reads && reads->value == "operands";
  return std::any_of(call.fields.begin() + 1, call.fields.end(), [&](const Field& field) {
    const auto& text = field.argument.text;
    if (!text) return reads_files && may_be_option(field, call.environment, survey);
    return !card.echoes && names_input(*text);
  });
}

// What it prints was chosen by the script itself, or is quoted for the shell.
bool prints_own(const Call& call, const commands::Card& card,
                const commands::Invocation& invocation) {
  if (invocation.property(commands::CardKey::kQuotes) != nullptr) return true;
  const Behaviour& behaviour = call.stages.back().behaviour;
  if (!card.echoes) return call.io.is_own_text && (behaviour.trace || behaviour.is_filter);
  // A user who sets the environment of a script can run commands anyway.
  const auto is_foreign = [](const Fragment& fragment) {
    const Source source = fragment.value.source;
    return source == Source::kCommand ||
           (fragment.value.is_tainted && source != Source::kEnvironment);
  };
  return std::none_of(call.fields.begin(), call.fields.end(), [&](const Field& field) {
    return std::any_of(field.fragments.begin(), field.fragments.end(), is_foreign);
  });
}

// What the stages after this one and the rules about pipelines have to know of it.
void add_stage(Run& run, Call& call, const commands::Invocation& invocation, Behaviour behaviour,
               std::string_view name) {
  const commands::Card& card = *invocation.card;
  const bool prints_endlessly = is_endless(run, call);
  call.stages.push_back(
      {call.node.span, std::string(name), call.io.is_piped, call.io.input, std::move(behaviour)});
  Stage& stage = call.stages.back();
  stage.stops_early = invocation.property(commands::CardKey::kEnds) != nullptr;
  stage.is_endless = !stage.stops_early && prints_endlessly;
  stage.drops_errors = call.io.drops_errors;
  stage.prints_words = card.echoes;
  const auto format = call.fields.size() > 1 ? call.fields[1].argument.text : std::nullopt;
  const bool is_formatted = name == "printf" && (format == "%s\\n" || format == "%s");
  const bool is_looked_at = call.io.is_captured || !run.findings.is_muted();
  if (card.echoes && is_looked_at && call.fields.size() == (is_formatted ? 3U : 2U))
    stage.skeleton = possible_path(call.fields.back());
  stage.is_own_text = prints_own(call, card, invocation);
  stage.fetches = invocation.property(commands::CardKey::kFetches) != nullptr;
  stage.interprets_input = invocation.property(commands::CardKey::kInterprets) != nullptr;
}

}  // namespace

Ran by_card(Run& run, Call& call, const commands::Card& card, std::string_view name) {
  // Output that is not read need not be typed, if there is nothing to report about it either.
  const bool is_asked = run.where.tested > 0 && call.io.has_own_input;
  const bool is_typed =
      (call.io.is_captured && !filters_elsewhere(run, call, card)) || is_asked || run.wants_types();
  const bool prints_words = card.echoes && !card.is_counted;
  const bool is_judged = !run.findings.is_muted() && (call.io.is_piped || !prints_words);
  note_implied(run, call, card);
  if (!is_typed && !is_judged) return unknown_command(run, call, std::string(name));
  std::vector<Argument> arguments;
  const std::string separators = ifs(run, call.environment);
  for (const Field& field : std::span(call.fields).subspan(1))
    arguments.push_back(argument_for_card(field, separators));
  const auto invocation =
      commands::parse_invocation(card, call.fields[0].argument.span, std::move(arguments));
  if (enter_called(call, invocation)) {
    if (++call.wrappers <= kMaxWrappers) return dispatch_external(run, call);
    run.limits.note_exhausted(call.node.span, "a chain of commands that run each other");
    return unknown_command(run, call, std::string(name));
  }
  const bool knows_file = is_judged && reads_known_file(run, invocation, call.environment);
  const bool reads = call.io.is_piped || call.io.input.choice == Choice::kFormat || knows_file;
  const Wanted wanted = is_typed ? Wanted::kLines : reads ? Wanted::kAnything : Wanted::kMistakes;
  Behaviour behaviour = behaviour_of(run, call, invocation, wanted);
  if (call.io.is_piped && may_read_input(call, invocation, run.survey))
    behaviour.reads_input = true;
  const bool keeps_lines =
      behaviour.chooses_lines || behaviour.only_orders || behaviour.picks_by_place;
  behaviour.output.holds_names = behaviour.prints_names ||
                                 invocation.property(commands::CardKey::kNames) != nullptr ||
                                 (call.io.input.holds_names && keeps_lines);
  const bool holds_setting = is_setting(run, call, card);
  if (holds_setting) allow_other_settings(run, invocation, behaviour);
  call.environment.status = uncertain(call.node.span);
  publish(InvocationEvent{call, invocation, behaviour}, run.rules);
  // `ls *.gz 2>/dev/null`: the author expects that there may be none.
  if (call.io.drops_errors && behaviour.prints_names) behaviour.output.is_filtered = true;
  Ran ran = behaviour.output;
  ran.file_read = file_read(run, call, invocation);
  ran.selects = behaviour.selects;
  forget_written(invocation, call.environment);
  add_stage(run, call, invocation, std::move(behaviour), name);
  Stage& stage = call.stages.back();
  stage.reads_known_file = knows_file;
  stage.holds_setting = holds_setting;
  return ran;
}

}  // namespace nacre::flow
