// Commands that are not there, substitutions that capture nothing, and code that strangers write.
#include <algorithm>
#include <cctype>
#include <fmt/format.h>

#include "base/codes.h"
#include "base/path.h"
#include "flow/interpreter.h"
#include "flow/slip.h"
#include "regular/decide.h"
#include "shell/visitor.h"

namespace nacre::flow {

namespace {

// Those that are no business of find_builtin(): they leave the state alone. `print` is one of ksh.
bool is_shell_builtin(std::string_view name) {
  static constexpr std::string_view kNames[] = {
      "alias",  "bg",     "print", "echo",  "fg",   "hash",  "jobs",    "kill",
      "pwd",    "test",   "[",     "times", "type", "umask", "unalias", "wait",
      "ulimit", "disown", "dirs",  "pushd", "popd", "fc",    "help",    "history"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

// `"$JAVA_HOME/bin/"`
bool is_directory(const Field& word) {
  const auto& text = word.fragments.empty() ? word.argument.text : word.fragments.back().value.text;
  return text && text->ends_with('/');
}

// How many operands come before the files: the pattern of grep, unless an option gives it.
size_t program_operands(const commands::Invocation& invocation) {
  const auto& operands = invocation.card->operands;
  const bool has_program =
      !operands.empty() && (operands[0].kind == "pattern" || operands[0].kind == "script");
  return has_program && !invocation.has("-e") && !invocation.has("-f") ? 1 : 0;
}

// A list of names that a command has printed.
bool may_be_lines(const Value& value) {
  return value.source == Source::kCommand && !value.is_opaque &&
         symbols_of(value.strings).intersects(regular::CharSet::of('\n'));
}

// It looks like the name of a file, and like no pattern.
bool names_file(const Field& field) {
  const auto& text = field.argument.text;
  return text && text->find_first_of("/.") != text->npos &&
         text->find_first_of("*[\\^$|") == text->npos;
}

// ovs_vsctl wraps ovs-vsctl.
bool is_same_but_dashes(std::string a, std::string_view b) {
  for (size_t i = 0; i < a.size() && i < b.size(); i++) {
    if (a[i] == '-' && b[i] == '_') a[i] = '_';
  }
  return a == b;
}

}  // namespace

// `[ "$(echo a+ | grep a+)" = a+ ]`: both texts stand in the script, so that it is the commands
// that are asked for what they do.
bool Interpreter::prints_own_text(const Command& command) const {
  const auto* pipeline = std::get_if<shell::Pipeline>(&command.node);
  const Command* first =
      pipeline && !pipeline->items.empty() ? pipeline->items[0].command : &command;
  const auto* simple = first ? std::get_if<shell::SimpleCommand>(&first->node) : nullptr;
  if (!simple || simple->words.empty()) return false;
  const auto is_literal = [](const shell::Word& word) { return word.is_literal(); };
  const commands::Card* card =
      simple->words[0].is_literal() ? cards_.find(simple->words[0].literal()) : nullptr;
  return card && card->echoes &&
         std::all_of(simple->words.begin(), simple->words.end(), is_literal);
}

// The words of the command that is run in the end: behind sudo, env, nohup and the like.
bool Interpreter::is_model(std::string_view model, const Call& call) const {
  const auto& name = call.fields[0].argument.text;
  const commands::Card* card = name ? cards_.find(base_name(*name)) : nullptr;
  return card && card->model == model;
}

std::span<const Field> Interpreter::innermost(std::span<const Field> words) const {
  while (words.size() > 1 && words[0].argument.text) {
    const commands::Card* card = cards_.find(base_name(*words[0].argument.text));
    if (!card || !runs_operands(*card)) break;
    std::vector<commands::Argument> arguments;
    for (const Field& field : words.subspan(1)) arguments.push_back(field.argument);
    const auto invocation =
        commands::parse_invocation(*card, words[0].argument.span, std::move(arguments));
    if (invocation.property("asks") != nullptr) return {};
    const size_t first = called_at(words, invocation);
    if (first == 0) break;
    words = words.subspan(first);
  }
  return words;
}

void Interpreter::judge_command(const Call& call) {
  if (findings_.is_muted()) return;
  const auto words = innermost(call.fields);
  judge_removal(call, words);
  judge_split(call, words);
  judge_dashes(words);
  if (words.empty()) return;
  if (words[0].argument.text) judge_name(call, words[0]);
  if (is_directory(words[0]) && words.data() == call.fields.data()) {
    findings_.add(finding("T304", tree_.file(), words[0].argument.span,
                          "a name that ends with / is a directory, not a command"));
  }
}

void Interpreter::judge_name(const Call& call, const Field& word) {
  const std::string& name = *word.argument.text;
  const Environment& environment = call.environment;
  if (function_named(name, environment) || find_builtin(name) ||
      name.find('/') != std::string::npos)
    return;
  const auto place = word.argument.span;
  if (const auto known = environment.commands->find(name); known != environment.commands->end()) {
    if (known->second) return;
    findings_.add(finding("T304", tree_.file(), place,
                          fmt::format("{} is run where a test before has found it missing", name)));
    return;
  }
  const commands::Card* card = cards_.find(name);
  if (is_shell_builtin(name)) return;
  const Value& path = value(names_["PATH"], environment);
  if ((path.text && path.text->empty()) || is_surely_unset(path)) {
    Diagnostic result =
        finding("T304", tree_.file(), place, fmt::format("{} is not found: PATH is empty", name));
    result.path.push_back({tree_.file(), path.origin, "PATH gets this value here"});
    findings_.add(std::move(result));
    return;
  }
  if (environment.has_unknown_code || card || is_in_uncalled_ || call.io.drops_errors) return;
  if (const auto later = survey_.functions.find(name); later != survey_.functions.end()) {
    Diagnostic result = finding("T305", tree_.file(), place,
                                fmt::format("{} is called before it is defined", name));
    result.notes.push_back({tree_.file(), later->second->name->span, "its definition is here"});
    findings_.add(std::move(result));
    return;
  }
  judge_typing(name, place);
}

// A name that nobody knows, one slip of the finger from one that is known.
void Interpreter::judge_typing(const std::string& name, Span place) {
  if (name.size() < 3) return;
  std::vector<std::string_view> names = {"echo", "printf", "export", "return", "local", "unset"};
  for (const auto& [function, definition] : survey_.functions) names.push_back(function);
  auto meant = std::find_if(names.begin(), names.end(), [&](std::string_view each) {
    return each.size() >= 3 && is_one_slip(name, each) && !is_same_but_dashes(name, each);
  });
  if (meant == names.end()) {
    names.clear();
    for (const auto& [command, card] : commands::builtin_cards()) names.push_back(command);
    meant = std::find_if(names.begin(), names.end(), [&](std::string_view each) {
      return each.size() >= 3 && is_swapped(name, each);
    });
  }
  if (meant == names.end()) return;
  Diagnostic result = finding("T304", tree_.file(), place,
                              fmt::format("nothing here defines {}, and no known command has "
                                          "that name",
                                          name));
  result.notes.push_back({tree_.file(), place, fmt::format("did you mean {}?", *meant)});
  findings_.add(std::move(result));
}

// What was not found may be there after this: somebody installs it, or defines a function.
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

// A function that sets variables, and whose every message goes elsewhere: it could not have printed
// anything today either.
bool Interpreter::is_mute(const shell::Function& function) const {
  static constexpr std::string_view kPrinters[] = {"printf",  "eval",     ".",       "source",
                                                   "command", "exec",     "declare", "typeset",
                                                   "export",  "readonly", "set",     "trap"};
  bool result = true;
  walk(*function.body, shell::Visitor{[&](const Command& command) {
    const auto* simple = std::get_if<shell::SimpleCommand>(&command.node);
    if (!simple || simple->words.empty()) return;
    const auto& first = simple->words[0];
    const std::string_view name = first.is_literal() ? first.literal() : "";
    const commands::Card* card = cards_.find(name);
    const bool is_silent =
        test_condition(*simple) ||
        (find_builtin(name) &&
         std::find(std::begin(kPrinters), std::end(kPrinters), name) == std::end(kPrinters));
    result &= is_silent || (card && card->echoes && !command.redirections.empty());
  }});
  return result;
}

void Interpreter::judge_capture(const shell::Sequence& body, Span span, const Stream& printed) {
  if (findings_.is_muted() || printed.count.most != 0 || body.items.empty() || may_print_more_)
    return;
  if (asking_ && prints_own_text(*body.items[0].command)) return;
  // Nobody reads the variable: it is the status that was wanted.
  if (!assigning_.empty() && !survey_.reads.contains(assigning_)) return;
  bool has_command = false;
  walk(body, shell::Visitor{[&](const Command& command) {
         const auto* simple = std::get_if<shell::SimpleCommand>(&command.node);
         if (!simple || simple->words.empty()) return;
         const auto& first = simple->words[0];
         if (!first.is_literal() || find_builtin(first.literal())) return;
         const auto function = survey_.functions.find(first.literal());
         has_command |= function == survey_.functions.end()
                            ? cards_.find(first.literal()) != nullptr
                            : is_mute(*function->second);
       }});
  if (!has_command) return;
  Diagnostic result =
      finding("T303", tree_.file(), span,
              "this is always empty: what runs in it prints nothing to standard output");
  if (command_word_ == span) {
    result.severity = Severity::kInfo;
    result.message =
        "what runs in this prints nothing: without $() around it, its status says the same";
  }
  findings_.add(std::move(result));
}

// A command in the body of `while read` that reads what was meant for the loop.
void Interpreter::judge_input(const Call& call, const commands::Invocation& invocation,
                              const commands::Behaviour& behaviour) {
  if (call.io.reading_loop.empty() || !behaviour.reads_input || findings_.is_muted()) return;
  const commands::Property* reads = invocation.property("reads");
  const bool has_own_syntax = invocation.card->style == commands::OptionStyle::kNone;
  const bool is_known =
      !invocation.card->model.empty() ||
      (reads && (reads->value == "input" || (reads->value == "operands" && !has_own_syntax)));
  if (!is_known || invocation.is_uncertain) return;
  Diagnostic result =
      finding("T306", tree_.file(), call.node.span,
              fmt::format("{} reads the rest of the loop's input, so read gets no further line",
                          invocation.card->name));
  const Span end = call.node.span;
  result.fixes.push_back(
      {"give it an input of its own", {{{end.end, end.end}, " < /dev/null"}}, false});
  findings_.add(std::move(result));
}

// `cat $files` without any file, `grep $word list` without a word: what is read then is whatever
// the script itself was given to read. Who names his files in $1 may well mean that.
void Interpreter::judge_vanishing(const Call& call, const commands::Invocation& invocation) {
  const commands::Property* reads = invocation.property("reads");
  const bool is_own = !call.io.is_piped && !call.io.has_own_input && call.io.is_typed;
  if (findings_.is_muted() || !is_own || !reads || reads->value != "operands") return;
  const size_t first_file = program_operands(invocation);
  size_t sure = 0, lost = 0;
  const Fragment* vanishing = nullptr;
  for (const Field& field : std::span(call.fields).subspan(1)) {
    const auto at =
        std::find_if(invocation.operands.begin(), invocation.operands.end(),
                     [&](const auto& operand) { return operand.span == field.argument.span; });
    if (at == invocation.operands.end()) continue;
    if (!field.may_vanish || field.fragments.size() != 1) {
      sure++;
      continue;
    }
    const Fragment& fragment = field.fragments[0];
    const bool is_file = sure + lost++ >= first_file;
    if (fragment.kind != FragmentKind::kExpansion) return;
    const bool is_asked_for = fragment.value.source == Source::kEnvironment;
    if (is_file ? !may_be_lines(fragment.value) : is_asked_for || !names_file(call.fields.back()))
      return;
    vanishing = &fragment;
  }
  if (!vanishing || sure > first_file || sure + lost <= first_file) return;
  const std::string_view text = tree_.text(vanishing->span);
  if (!findings_.is_first(fmt::format("vanishing {}", text))) return;
  Diagnostic result = finding(
      "T306", tree_.file(), call.node.span,
      fmt::format("if {} is empty, {} reads the input of the script", text, invocation.card->name));
  result.counterexample = "";
  show_origin(result, vanishing->value);
  findings_.add(std::move(result));
}

// A stage that prints nothing, and one that reads it.
void Interpreter::judge_silent(std::span<const Stage> stages) {
  for (size_t i = 1; i < stages.size(); i++) {
    const commands::Behaviour& writer = stages[i - 1].behaviour;
    const bool is_silent =
        stages[i].input.count.most == 0 && !writer.is_filter && !writer.never_selects;
    // `sleep 9 | server`: what is not known may want nothing but an input that stays open.
    const bool is_known = cards_.find(base_name(stages[i].name)) != nullptr;
    if (!is_silent || !is_known || !stages[i].is_piped || !stages[i].behaviour.reads_input)
      continue;
    Diagnostic result = finding("T307", tree_.file(), stages[i].span,
                                fmt::format("{} gets nothing to read: {} prints nothing",
                                            stages[i].name, stages[i - 1].name));
    result.path.push_back({tree_.file(), stages[i - 1].span, "this prints nothing"});
    findings_.add(std::move(result));
  }
}

// What a server sends is run as it comes.
void Interpreter::judge_download(std::span<const Stage> stages) {
  if (stages.size() < 2 || !stages.front().fetches || !stages.back().interprets_input) return;
  Diagnostic result = finding(
      "J103", tree_.file(), stages.back().span,
      fmt::format("what {} downloads is run as code, unseen", base_name(stages.front().name)));
  if (tree_.text(stages.front().span).find("http://") != std::string_view::npos) {
    result.notes.push_back({tree_.file(), stages.front().span,
                            "and anybody on the way can change it: this is not https"});
  }
  findings_.add(std::move(result));
}

// A reader that stops early ends the writer with a signal, and with pipefail that is a failure.
void Interpreter::judge_early_end(std::span<const Stage> stages, const Environment& environment) {
  constexpr uint64_t kMoreThanPipeHolds = 10'000;  // lines
  if (environment.options.pipefail != Known::kYes || stages.size() < 2) return;
  if (tested_ == 0 && environment.options.errexit != Known::kYes) return;
  if (ignored_ > 0) return;
  for (size_t i = 1; i < stages.size(); i++) {
    const Stage& reader = stages[i];
    const bool is_long = stages[i - 1].is_endless || reader.input.count.least >= kMoreThanPipeHolds;
    if (!reader.stops_early || !reader.is_piped || !is_long) continue;
    Diagnostic result = finding(
        "T308", tree_.file(), reader.span,
        fmt::format("{} stops reading early: {} dies of SIGPIPE, and pipefail makes that a failure",
                    reader.name, stages[i - 1].name));
    findings_.add(std::move(result));
    return;
  }
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

// Within a condition nothing ends a function that fails halfway.
void Interpreter::judge_tested_call(const Call& call, const shell::Function& function) {
  if (tested_ == 0 || call.environment.options.errexit != Known::kYes || findings_.is_muted())
    return;
  const Command* body = body_of(function);
  const auto* group = body ? std::get_if<shell::BraceGroup>(&body->node) : nullptr;
  if (!group || group->body.items.size() < 2) return;
  const auto is_ignored = [&](const shell::Item& item) {
    const auto* simple =
        item.command ? std::get_if<shell::SimpleCommand>(&item.command->node) : nullptr;
    if (!simple || simple->words.empty() || !simple->words[0].is_literal()) return false;
    if (test_condition(*simple)) return true;  // `[ -f list ]` as a command: what it is there for
    const std::string_view name = simple->words[0].literal();
    if (name == "false" || name == "cd") return true;
    const commands::Card* card = cards_.find(name);
    // What nobody here knows is run for what it does.
    if (!card)
      return !call.environment.has_unknown_code && !find_builtin(name) && !is_shell_builtin(name) &&
             !function_named(name, call.environment) && !survey_.functions.contains(name);
    return std::any_of(card->operands.begin(), card->operands.end(), [](const auto& spec) {
      return spec.kind == "path-removed" || spec.kind == "path-written";
    });
  };
  const auto front = group->body.items.first(group->body.items.size() - 1);
  const auto ignored = std::find_if(front.begin(), front.end(), is_ignored);
  if (ignored == front.end()) return;
  Diagnostic result = finding("T309", tree_.file(), call.node.span,
                              fmt::format("set -e does not hold within {} when it is called in a "
                                          "condition",
                                          function.name->text));
  result.path.push_back(
      {tree_.file(), ignored->command->span, "if this fails, the function goes on"});
  findings_.add(std::move(result));
}

// In arithmetic bash expands what a variable holds once more: a[$(reboot)] runs reboot.
void Interpreter::judge_arithmetic(const Value& value, Span span) {
  if (findings_.is_muted() || !value.is_tainted || tree_.dialect() != shell::Dialect::kBash) return;
  if (value.source == Source::kEnvironment) return;  // who sets that may as well run what he likes
  const Lang number = optional(context_.set(regular::CharSet::of("+-"))) +
                      star(context_.set(regular::CharSet::range('0', '9')));
  if (!regular::included(expansion_of(value), number, options_.budget).no()) return;
  Diagnostic result =
      finding("J101", tree_.file(), span,
              fmt::format("{} comes from outside, and arithmetic runs the commands in it",
                          tree_.text(span)));
  result.counterexample = "a[$(reboot)]";
  show_origin(result, value);
  findings_.add(std::move(result));
}

// $1, or a variable that is nothing but a copy of it: anything else may have been quoted on the
// way.
bool Interpreter::is_argument(const Fragment& fragment) const {
  if (!fragment.part || fragment.part->kind != shell::PartKind::kParameter) return false;
  if (fragment.part->parameter().kind == shell::ParameterKind::kPositional) return true;
  const Value& held = values_[fragment.value.from];
  return fragment.value.copied == fragment.part->parameter().name && !held.copied.empty() &&
         std::isdigit(static_cast<unsigned char>(held.copied[0])) != 0 &&
         held.text_before.empty() && held.text_after.empty();
}

// `eval "name=$1"`: the argument of the script becomes a part of a text that has one of its own.
// What functions are given is chosen by the script.
void Interpreter::judge_evaluated_argument(const Call& call) {
  if (running_function() != nullptr || call.fields.size() != 2) return;
  const Field& field = call.fields[1];
  if (field.fragments.size() < 2 || field.fragments[0].kind != FragmentKind::kLiteral) return;
  for (const Fragment& fragment : field.fragments) {
    const bool is_tainted = fragment.value.source == Source::kArgument && fragment.value.is_tainted;
    if (!is_argument(fragment) || !is_tainted || is_harmless_text(fragment.value)) continue;
    Diagnostic result =
        finding("J105", tree_.file(), fragment.span,
                fmt::format("{} comes from outside and becomes a part of the program",
                            tree_.text(fragment.span)));
    result.counterexample = injection(call.fields, fragment);
    return findings_.add(std::move(result));
  }
}

void Interpreter::judge_eval(const Call& call) {
  if (findings_.is_muted()) return;
  judge_evaluated_argument(call);
  const auto is_foreign = [&](const Fragment& fragment) {  // eval "$@" is what was asked for
    return fragment.kind != FragmentKind::kList && fragment.value.is_tainted &&
           fragment.value.source == Source::kInput && !is_harmless_text(fragment.value);
  };
  for (const Field& field : std::span(call.fields).subspan(1)) {
    const auto foreign = std::find_if(field.fragments.begin(), field.fragments.end(), is_foreign);
    if (foreign == field.fragments.end()) continue;
    // A whole line that the user types is a command that the user wants.
    const bool is_whole = call.fields.size() == 2 && field.fragments.size() == 1;
    if (is_whole && foreign->value.is_typed) return;
    Diagnostic result =
        finding("J102", tree_.file(), foreign->span,
                fmt::format("{} was {} and is run as code here", tree_.text(foreign->span),
                            foreign->value.is_typed ? "typed in" : "read from a file or a pipe"));
    result.counterexample = injection(call.fields, *foreign);
    show_origin(result, foreign->value);
    findings_.add(std::move(result));
    return;  // one tells it all
  }
}

}  // namespace nacre::flow
