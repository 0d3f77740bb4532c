// What a command reads and where its output goes.
#include "flow/redirections.h"

#include <algorithm>
#include <utility>

#include "commands/known_files.h"
#include "commands/stream_text.h"
#include "flow/builtins.h"
#include "flow/expansion.h"
#include "flow/place_effects.h"
#include "flow/place_names.h"
#include "flow/rules/publish.h"
#include "flow/run.h"
#include "flow/variables.h"

namespace nacre::flow {

using shell::RedirectOp;

namespace {

const shell::Word& here_word(const shell::Redirection& redirection) {
  const bool is_document = redirection.here_document != nullptr;
  return is_document ? redirection.here_document->body : redirection.target;
}

// `exec {fd}< file`: the shell chooses a descriptor above 9 and sets the variable to its number.
void connect_named(Run& run, const shell::Redirection& redirection, Environment& environment) {
  const Value target = value_of(run, here_word(redirection), environment);
  const bool is_duplicate = redirection.op == RedirectOp::kDuplicateInput ||
                            redirection.op == RedirectOp::kDuplicateOutput;
  if (is_duplicate && target.text == "-") return;  // closed
  if (redirection.op == RedirectOp::kOutput || redirection.op == RedirectOp::kAppend)
    publish(OutputEvent{redirection, target, environment, false, false}, run.rules);
  if (target.text) environment.files.edit().erase(std::string(plain_path(*target.text)));
  const size_t subscript = redirection.variable.find('[');
  const Name name = run.names[redirection.variable.substr(0, subscript)];
  Value number(integers(run.languages));
  number.origin = redirection.span;
  if (subscript != std::string_view::npos) {
    number = joined(number, run.value(name, environment));
    number.is_array = true;
  }
  store(run, name, std::move(number), environment);
}

// The lines of a text that has a newline at its end.
Stream lines_of(Run& run, const Value& text) {
  if (const auto printed = lines_printed(text)) return commands::printed_again(*printed);
  Stream result = run.opaque();
  if (!text.text || text.is_opaque) return result;
  std::string_view rest = *text.text;
  Stream lines = run.none();
  while (!rest.empty()) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    if (lines.first.size() >= run.options.max_known_lines) return result;
    lines.first.push_back(run.languages.literal(rest.substr(0, end)));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  lines.count = {lines.first.size(), lines.first.size()};
  if (lines.count.most > 1) {  // tomorrow the text may have other lines
    lines.order = commands::Order::kUnknown;
    lines.is_distinct = false;
  }
  return lines;
}

void connect_input(Run& run, const shell::Redirection& redirection, Environment& environment,
                   Connected& connected) {
  const bool is_here =
      redirection.op == RedirectOp::kHereDocument || redirection.op == RedirectOp::kHereString;
  if (redirection.descriptor > 0) {
    if (!is_here) expand(run, redirection.target, environment);
    return;
  }
  connected.io.is_piped = connected.io.is_typed = false;
  connected.io.has_own_input = true;
  connected.io.reading_loop = {};
  connected.io.file = {};
  connected.io.holds_setting = connected.io.is_own_text = false;
  if (is_here) {
    const Scoped expanding(run.where.expanding, ExpansionContext::kHereDocument);
    const Value text = value_of(run, here_word(redirection), environment);
    connected.io.input = lines_of(run, text);
    connected.io.is_own_text = !text.is_tainted;
    connected.io.holds_setting =
        here_word(redirection).has(shell::kWordHasExpansion) && !lines_printed(text);
    return;
  }
  const Value target = value_of(run, redirection.target, environment);
  connected.io.input = run.opaque();
  if (!environment.places->empty()) {
    if (const auto place = place_named_by(redirection.target, environment, run.rules))
      forget_unread(environment, *place);
  }
  if (redirection.op != RedirectOp::kInput) return;
  connected.io.file = redirection.target.span;
  if (auto known = content_named_by(run, redirection.target.span))
    connected.io.input = *known;
  else if (target.text)
    connected.io.input = content_of_file(run, *target.text, environment);
}

// `>&2`, `2>&1`, and the descriptors that scripts open themselves: `3>&1` leads to where the output
// goes, for what prints to `>&3` later on.
void duplicate_output(Run& run, const shell::Redirection& redirection, const Value& target,
                      bool is_output, Connected& connected) {
  using Output = Connected::Output;
  if (target.text == "1") {
    if (redirection.descriptor == 2 && connected.is_null) connected.io.drops_errors = true;
    if (!is_output && connected.output == Output::kPassed) connected.output = Output::kMixed;
    if (!is_output) connected.takes_errors = true;
  } else if (is_output) {
    if (target.text != "2" && run.where.capture) run.where.capture->prints_elsewhere = true;
    // Errors that have taken the output's place stay there.
    if (connected.output == Output::kPassed) connected.output = Output::kDropped;
  }
}

void connect_output(Run& run, const shell::Redirection& redirection, Environment& environment,
                    Connected& connected) {
  const Value target = value_of(run, redirection.target, environment);
  const bool is_all =
      redirection.op == RedirectOp::kOutputAll || redirection.op == RedirectOp::kAppendAll;
  const bool is_output = is_all || redirection.descriptor == 1 || redirection.descriptor == -1;
  if (redirection.op == RedirectOp::kDuplicateOutput) {
    duplicate_output(run, redirection, target, is_output, connected);
    return;
  }
  const bool follows_errors = is_output && connected.output == Connected::Output::kMixed && !is_all;
  publish(OutputEvent{redirection, target, environment, follows_errors, connected.io.is_captured},
          run.rules);
  const bool is_null = target.text == "/dev/null";
  if (is_null && (is_all || redirection.descriptor == 2)) connected.io.drops_errors = true;
  if (!is_output) {  // what a file gets from errors is not known
    if (target.text)
      environment.files.edit().insert_or_assign(std::string(plain_path(*target.text)),
                                                run.opaque());
    return;
  }
  connected.is_null = is_null;
  // `2>&1 >file`: errors go on where the output went before.
  if (connected.output != Connected::Output::kMixed || is_all)
    connected.output = Connected::Output::kDropped;
  connected.file = plain_path(target.text.value_or(""));
  if (!target.text && !target.is_opaque) {
    forget_files(environment,
                 [&](const std::string& file) { return contains(target.strings, file); });
  }
  connected.takes_errors = is_all;
  connected.is_appended = redirection.op == RedirectOp::kAppend;  // of &>> nothing is known anyway
  // It may be refused, and what was there stays.
  connected.takes_errors |= environment.options.noclobber != Known::kNo;
  if (connected.file.starts_with("/dev/")) connected.file.clear();
  connected.io.is_captured = !connected.file.empty();
}

// `exec > file`: the shell itself is connected, not a command.
bool is_exec_alone(const Command& node) {
  const auto* simple = std::get_if<shell::SimpleCommand>(&node.node);
  return simple && simple->words.size() == 1 && simple->words[0].is_literal() &&
         simple->words[0].literal() == "exec";
}

// `echo text > file`, `cat > file << E`: what is written is in the script.
bool prints_own_words(const Command& node, const commands::CardLibrary& cards) {
  const auto* simple = std::get_if<shell::SimpleCommand>(&node.node);
  if (!simple || simple->words.empty() || !simple->words[0].is_literal()) return false;
  const auto is_here = [](const shell::Redirection& each) {
    return each.op == RedirectOp::kHereDocument || each.op == RedirectOp::kHereString;
  };
  if (std::any_of(node.redirections.begin(), node.redirections.end(), is_here)) return true;
  const commands::Card* card = cards.find(simple->words[0].literal());
  const shell::Word& last = simple->words.back();
  return card && card->echoes && simple->words.size() > 1 && last.span.end > last.span.begin &&
         !(last.is_literal() && (last.literal().empty() || last.literal() == "-n"));
}

}  // namespace

void note_written(Run& run, const Command& node, Environment& environment) {
  if (!environment.is_reachable) return;
  for (const shell::Redirection& redirection : node.redirections) {
    const bool writes =
        redirection.op == RedirectOp::kOutput || redirection.op == RedirectOp::kAppend ||
        redirection.op == RedirectOp::kClobber || redirection.op == RedirectOp::kOutputAll ||
        redirection.op == RedirectOp::kAppendAll;
    if (!writes || !redirection.variable.empty()) continue;
    const auto place = place_named_by(redirection.target, environment, run.rules);
    const bool is_output = redirection.descriptor == 1 || redirection.descriptor == -1;
    if (place)
      write_place(redirection, *place, is_output && prints_own_words(node, run.cards), environment);
    else if (!environment.places->empty())
      forget_place(environment.places.edit(), std::string(1, kAnyPlaceName));
  }
}

// A file that is not there, or not to be written, fails the command, whatever that is.
void note_refusal(std::span<const shell::Redirection> redirections, Environment& environment) {
  const auto may_be_refused = [](const shell::Redirection& redirection) {
    const auto parts = redirection.target.parts();
    const bool is_process = !parts.empty() && parts[0].kind == shell::PartKind::kProcess;
    const bool is_device =
        redirection.target.is_literal() && redirection.target.literal().starts_with("/dev/");
    switch (redirection.op) {
      case RedirectOp::kHereDocument:
      case RedirectOp::kHereString:
      case RedirectOp::kDuplicateInput:
      case RedirectOp::kDuplicateOutput: return false;
      default: return !is_process && !is_device;
    }
  };
  if (environment.is_reachable &&
      std::any_of(redirections.begin(), redirections.end(), may_be_refused))
    environment.status.can_fail = true;
}

// A builtin, a function or a group that reads a file which may be missing. That a file cannot be
// written is not assumed.
bool reads_missing_file(Run& run, const Command& node, const Environment& environment) {
  const auto may_be_missing = [&](const shell::Redirection& redirection) {
    if (redirection.op != RedirectOp::kInput) return false;
    const auto parts = redirection.target.parts();
    if (!parts.empty() && parts[0].kind == shell::PartKind::kProcess) return false;
    if (!redirection.target.is_literal()) return true;
    const std::string_view name = redirection.target.literal();
    return !name.starts_with("/dev/") && !name.starts_with("/proc/") &&
           !environment.files->contains(plain_path(name));
  };
  const auto& redirections = node.redirections;
  if (std::none_of(redirections.begin(), redirections.end(), may_be_missing)) return false;
  const auto* simple = std::get_if<shell::SimpleCommand>(&node.node);
  if (!simple || simple->words.empty() || !simple->words[0].is_literal()) return !simple;
  const std::string_view name = simple->words[0].literal();
  return name != "exec" && (run.function_named(name, environment) || find_builtin(name));
}

Connected connect(Run& run, const Command& node, Environment& environment, const Io& io) {
  const Scoped expanding(run.where.expanding, ExpansionContext::kRedirection);
  Connected result{io, Connected::Output::kPassed, "", false};
  for (const shell::Redirection& redirection : node.redirections) {
    if (!redirection.variable.empty()) {
      connect_named(run, redirection, environment);
      continue;
    }
    switch (redirection.op) {
      case RedirectOp::kInput:
      case RedirectOp::kReadWrite:
      case RedirectOp::kDuplicateInput:
      case RedirectOp::kHereDocument:
      case RedirectOp::kHereString: connect_input(run, redirection, environment, result); break;
      case RedirectOp::kOutput:
      case RedirectOp::kAppend:
      case RedirectOp::kClobber:
      case RedirectOp::kOutputAll:
      case RedirectOp::kAppendAll:
      case RedirectOp::kDuplicateOutput:
        connect_output(run, redirection, environment, result);
        break;
    }
  }
  if (!node.redirections.empty() && is_exec_alone(node)) {  // from now on, whatever is printed
    result.takes_errors = true;
    if (run.where.capture)
      run.where.capture->prints_elsewhere |= result.output != Connected::Output::kPassed;
  }
  return result;
}

Stream disconnect(Run& run, const Connected& connected, Environment& environment, Stream output) {
  if (!connected.file.empty()) {
    if (connected.takes_errors) output = run.opaque();
    const auto known = environment.files->find(connected.file);
    if (connected.is_appended) {
      Stream before = known == environment.files->end() ? run.opaque() : known->second;
      output = commands::concatenated(before, output);
    }
    environment.files.edit().insert_or_assign(connected.file, std::move(output));
    return connected.output == Connected::Output::kMixed ? run.opaque() : run.none();
  }
  switch (connected.output) {
    case Connected::Output::kPassed: return output;
    case Connected::Output::kDropped: return run.none();
    case Connected::Output::kMixed: return run.opaque();
  }
  return output;
}

std::optional<Stream> content_named_by(Run& run, Span word) {
  if (auto said = run.annotations.file_named_by(word)) return said;
  const auto process = run.processes.find({word.begin, word.end});
  return process == run.processes.end() ? std::nullopt : std::optional(process->second);
}

// What is known of a file's lines: what the script itself wrote into it, or the system's format.
Stream content_of_file(Run& run, const std::string& file, const Environment& environment) {
  const auto known = environment.files->find(plain_path(file));
  if (known != environment.files->end()) return known->second;
  if (run.options.files != nullptr && run.options.concretizes) {
    if (const auto text = run.options.files->read(file, run.options.max_bytes))
      return commands::lines_of_text(run.languages, *text);
  }
  if (auto format = commands::known_file(run.languages, file)) return *format;
  return file == "/dev/null" ? run.none() : run.opaque();
}

}  // namespace nacre::flow
