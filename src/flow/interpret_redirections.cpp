// What a command reads and where its output goes.
#include <algorithm>

#include "commands/known_files.h"
#include "commands/stream_text.h"
#include "flow/interpreter.h"
#include "flow/rules/publish.h"

namespace nacre::flow {

using shell::RedirectOp;

namespace {

const shell::Word& here_word(const shell::Redirection& redirection) {
  const bool is_document = redirection.here_document != nullptr;
  return is_document ? redirection.here_document->body : redirection.target;
}

// `exec > file`: the shell itself is connected, not a command.
bool is_exec_alone(const Command& node) {
  const auto* simple = std::get_if<shell::SimpleCommand>(&node.node);
  return simple && simple->words.size() == 1 && simple->words[0].is_literal() &&
         simple->words[0].literal() == "exec";
}

}  // namespace

// A file that is not there, or not to be written, fails the command, whatever that is.
void Interpreter::note_refusal(std::span<const shell::Redirection> redirections,
                               Environment& environment) {
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
bool Interpreter::reads_missing_file(const Command& node, const Environment& environment) {
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
  return name != "exec" && (function_named(name, environment) || find_builtin(name));
}

Connected Interpreter::connect(const Command& node, Environment& environment, const Io& io) {
  Connected result{io, Connected::Output::kPassed, "", false};
  for (const shell::Redirection& redirection : node.redirections) {
    if (!redirection.variable.empty()) {
      connect_named(redirection, environment);
      continue;
    }
    switch (redirection.op) {
      case RedirectOp::kInput:
      case RedirectOp::kReadWrite:
      case RedirectOp::kDuplicateInput:
      case RedirectOp::kHereDocument:
      case RedirectOp::kHereString: connect_input(redirection, environment, result); break;
      case RedirectOp::kOutput:
      case RedirectOp::kAppend:
      case RedirectOp::kClobber:
      case RedirectOp::kOutputAll:
      case RedirectOp::kAppendAll:
      case RedirectOp::kDuplicateOutput: connect_output(redirection, environment, result); break;
    }
  }
  if (!node.redirections.empty() && is_exec_alone(node)) {  // from now on, whatever is printed
    result.takes_errors = true;
    if (where_.capture)
      where_.capture->prints_elsewhere |= result.output != Connected::Output::kPassed;
  }
  return result;
}

// `exec {fd}< file`: the shell chooses a descriptor above 9 and sets the variable to its number.
void Interpreter::connect_named(const shell::Redirection& redirection, Environment& environment) {
  const Value target = value_of(here_word(redirection), environment);
  const bool is_duplicate = redirection.op == RedirectOp::kDuplicateInput ||
                            redirection.op == RedirectOp::kDuplicateOutput;
  if (is_duplicate && target.text == "-") return;  // closed
  if (redirection.op == RedirectOp::kOutput || redirection.op == RedirectOp::kAppend)
    publish(OutputEvent{redirection, target, environment}, rules_);
  if (target.text) environment.files.edit().erase(std::string(plain_path(*target.text)));
  const size_t subscript = redirection.variable.find('[');
  const Name name = names_[redirection.variable.substr(0, subscript)];
  Value number(integers(context_));
  number.origin = redirection.span;
  if (subscript != std::string_view::npos) {
    number = joined(number, value(name, environment));
    number.is_array = true;
  }
  store(name, std::move(number), environment);
}

void Interpreter::connect_input(const shell::Redirection& redirection, Environment& environment,
                                Connected& connected) {
  const bool is_here =
      redirection.op == RedirectOp::kHereDocument || redirection.op == RedirectOp::kHereString;
  if (redirection.descriptor > 0) {
    if (!is_here) expand(redirection.target, environment);
    return;
  }
  connected.io.is_piped = connected.io.is_typed = false;
  connected.io.has_own_input = true;
  connected.io.reading_loop = {};
  connected.io.file = {};
  connected.io.holds_setting = connected.io.is_own_text = false;
  if (is_here) {
    const Value text = value_of(here_word(redirection), environment);
    connected.io.input = lines_of(text);
    connected.io.is_own_text = !text.is_tainted;
    connected.io.holds_setting = here_word(redirection).has(shell::kWordHasExpansion);
    return;
  }
  const Value target = value_of(redirection.target, environment);
  connected.io.input = opaque();
  if (redirection.op != RedirectOp::kInput) return;
  connected.io.file = redirection.target.span;
  if (auto known = content_named_by(redirection.target.span))
    connected.io.input = *known;
  else if (target.text)
    connected.io.input = content_of(*target.text, environment);
}

// The lines of a text that has a newline at its end.
Stream Interpreter::lines_of(const Value& text) {
  Stream result = opaque();
  if (!text.text || text.is_opaque) return result;
  std::string_view rest = *text.text;
  Stream lines = none();
  while (!rest.empty()) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    if (lines.first.size() >= options_.most_known_lines) return result;
    lines.first.push_back(context_.literal(rest.substr(0, end)));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  lines.count = {lines.first.size(), lines.first.size()};
  if (lines.count.most > 1) {  // tomorrow the text may have other lines
    lines.order = commands::Order::kUnknown;
    lines.is_distinct = false;
  }
  return lines;
}

void Interpreter::connect_output(const shell::Redirection& redirection, Environment& environment,
                                 Connected& connected) {
  const Value target = value_of(redirection.target, environment);
  const bool is_all =
      redirection.op == RedirectOp::kOutputAll || redirection.op == RedirectOp::kAppendAll;
  const bool is_output = is_all || redirection.descriptor == 1 || redirection.descriptor == -1;
  if (redirection.op == RedirectOp::kDuplicateOutput) {
    duplicate_output(redirection, target, is_output, connected);
    return;
  }
  publish(OutputEvent{redirection, target, environment}, rules_);
  const bool is_null = target.text == "/dev/null";
  if (is_null && (is_all || redirection.descriptor == 2)) connected.io.drops_errors = true;
  if (!is_output) {  // what a file gets from errors is not known
    if (target.text)
      environment.files.edit().insert_or_assign(std::string(plain_path(*target.text)), opaque());
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

// `>&2`, `2>&1`, and the descriptors that scripts open themselves: `3>&1` leads to where the output
// goes, for whoever prints to `>&3` later on.
void Interpreter::duplicate_output(const shell::Redirection& redirection, const Value& target,
                                   bool is_output, Connected& connected) {
  using Output = Connected::Output;
  if (target.text == "1") {
    if (redirection.descriptor == 2 && connected.is_null) connected.io.drops_errors = true;
    if (!is_output && connected.output == Output::kPassed) connected.output = Output::kMixed;
    if (!is_output) connected.takes_errors = true;
  } else if (is_output) {
    if (target.text != "2" && where_.capture) where_.capture->prints_elsewhere = true;
    // Errors that have taken the output's place stay there.
    if (connected.output == Output::kPassed) connected.output = Output::kDropped;
  }
}

Stream Interpreter::disconnect(const Connected& connected, Environment& environment,
                               Stream output) {
  if (!connected.file.empty()) {
    if (connected.takes_errors) output = opaque();
    const auto known = environment.files->find(connected.file);
    if (connected.is_appended) {
      Stream before = known == environment.files->end() ? opaque() : known->second;
      output = commands::concatenated(before, output);
    }
    environment.files.edit().insert_or_assign(connected.file, std::move(output));
    return connected.output == Connected::Output::kMixed ? opaque() : none();
  }
  switch (connected.output) {
    case Connected::Output::kPassed: return output;
    case Connected::Output::kDropped: return none();
    case Connected::Output::kMixed: return opaque();
  }
  return output;
}

std::optional<Stream> Interpreter::content_named_by(Span word) const {
  if (auto said = annotations_.file_named_by(word)) return said;
  const auto process = processes_.find({word.begin, word.end});
  return process == processes_.end() ? std::nullopt : std::optional(process->second);
}

// What is known of a file's lines: what the script itself wrote into it, or the system's format.
Stream Interpreter::content_of(const std::string& file, const Environment& environment) {
  const auto known = environment.files->find(plain_path(file));
  if (known != environment.files->end()) return known->second;
  if (options_.files != nullptr && options_.concretizes) {
    if (const auto text = options_.files->read(file, options_.max_bytes))
      return commands::lines_of_text(context_, *text);
  }
  if (auto format = commands::known_file(context_, file)) return *format;
  return file == "/dev/null" ? none() : opaque();
}

}  // namespace nacre::flow
