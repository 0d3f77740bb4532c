#include "docker/script.h"

#include <algorithm>
#include <set>

#include "base/path.h"
#include "base/shebang.h"
#include "docker/text.h"
#include "shell/checked_commands.h"
#include "shell/embedded.h"
#include "shell/visitor.h"

namespace nacre::docker {

namespace {

// What the shell gets, and where its bytes stand.
struct ShellText {
  std::string text;
  TextMap map{nullptr};
  shell::Dialect dialect = shell::Dialect::kSh;
  bool is_document = false;
};

void append_document(const SourceFile& source, const HereDocument& document, ShellText& made) {
  const std::string_view body = source.text(document.body);
  size_t at = 0;
  while (at < body.size()) {
    const size_t end = std::min(body.find('\n', at), body.size() - 1) + 1;
    size_t begin = at;
    if (document.strips_tabs) begin = std::min(body.find_first_not_of('\t', at), end);
    made.map.add_copy(static_cast<uint32_t>(made.text.size()),
                      document.body.begin + static_cast<uint32_t>(begin));
    made.text += body.substr(begin, end - begin);
    at = end;
  }
  // The end has a place as well; of an empty document it is the only one.
  made.map.add_copy(static_cast<uint32_t>(made.text.size()), document.body.end);
}

bool is_only_document(const Instruction& run) {
  return run.here_documents.size() == 1 &&
         trim(run.line->text.substr(run.rest)).size() == run.here_documents[0].introducer.size();
}

// `RUN <<EOF`: the document is the program, run by what its `#!` names.
std::optional<ShellText> document_text(const Stages& stages, const Step& step) {
  ShellText made;
  made.is_document = true;
  made.dialect = stages.shell_at(step).dialect;
  append_document(stages.file->source, step.instruction->here_documents[0], made);
  if (made.text.starts_with("#!")) {
    const auto named = shell::dialect_named(interpreter_of(made.text));
    if (!named) return std::nullopt;
    made.dialect = *named;
  }
  return made;
}

// The line, and the documents of its redirections as they stand in the file.
ShellText line_text(const Stages& stages, const Step& step) {
  const Instruction& run = *step.instruction;
  ShellText made;
  made.dialect = stages.shell_at(step).dialect;
  made.map = run.line->map_from(run.rest);
  made.text = run.arguments();
  if (run.here_documents.empty()) return made;
  const uint32_t begin = run.here_documents.front().body.begin;
  const uint32_t end = run.here_documents.back().end.end;
  made.map.add_copy(static_cast<uint32_t>(made.text.size()), begin > 0 ? begin - 1 : 0);
  made.text += '\n';
  made.text += stages.file->source.text({begin, end});
  return made;
}

class ScriptReader {
 public:
  ScriptReader(const Stages& stages, const Step& step, const commands::CardLibrary& cards)
      : stages_(stages), step_(step), cards_(cards) {
    script_ = std::make_unique<Script>();
    script_->step = &step;
  }

  std::unique_ptr<Script> run() {
    const Instruction& instruction = *step_.instruction;
    const Shell& shell = stages_.shell_at(step_);
    if (instruction.form == Form::kJson) return read_list();
    const bool is_document = is_only_document(instruction);
    const bool has_shebang =
        is_document &&
        stages_.file->source.text(instruction.here_documents[0].body).starts_with("#!");
    if (shell.kind != Shell::Kind::kPosix && !has_shebang) return nullptr;
    auto made =
        is_document ? document_text(stages_, step_) : std::optional(line_text(stages_, step_));
    if (!made) return nullptr;
    script_->is_document = is_document;
    script_->has_errexit = shell.has_errexit;
    if (is_document && made->text.starts_with("#!")) {
      const std::string_view first = std::string_view(made->text).substr(0, made->text.find('\n'));
      script_->has_errexit |= first.find(" -e") != std::string_view::npos;
    }
    script_->text = made->text;
    add_program(*made);
    return finish();
  }

 private:
  std::unique_ptr<Script> finish() {
    for (const Call& call : script_->calls) {
      if (call.card != nullptr) script_->usages.push_back(read_usage(call));
    }
    return std::move(script_);
  }

  // RUN ["program", "argument"]: one call, without a shell.
  std::unique_ptr<Script> read_list() {
    const auto& words = step_.instruction->words;
    ShellText nothing;
    nothing.map.add_copy(0, step_.instruction->span.begin);
    add_program(nothing);
    if (words.empty()) return finish();
    Call call;
    call.name = base_name(words[0].text);
    call.name_span = words[0].span;
    call.span = cover(words.front().span, words.back().span);
    for (size_t i = 1; i < words.size(); i++)
      call.words.push_back({words[i].text, true, words[i].span});
    add(std::move(call));
    script_->commands = 1;
    return finish();
  }

  void add_program(const ShellText& made) {
    shell::ParseOptions options;
    options.dialect = made.dialect;
    script_->programs.push_back(std::make_unique<shell::ParseResult>(
        shell::parse_mapped(stages_.file->source, made.map, made.text, options)));
    const shell::Tree& tree = script_->program().tree;
    look_at_top(tree.program());
    collect(tree);
  }

  void look_at_top(const shell::Sequence& program) {
    script_->is_joined = program.items.size() <= 1;
    for (const shell::Item& item : program.items) {
      const auto* list = std::get_if<shell::AndOr>(&item.command->node);
      if (list == nullptr) continue;
      for (const shell::AndOrItem& each : list->items)
        script_->is_joined &= each.op != shell::AndOrOp::kOr;
    }
  }

  void collect(const shell::Tree& tree) {
    checked_.merge(shell::checked_commands(tree.program()));
    shell::walk(tree.program(), shell::Visitor{[&](const shell::Parameter& parameter) {
                  script_->reads_status |= parameter.name == "?";
                }});
    std::set<std::string_view> looked_at;
    shell::walk(tree.program(), shell::Visitor{[&](const shell::Command& command) {
                  if (const auto* simple = std::get_if<shell::SimpleCommand>(&command.node))
                    looked_at.insert(tested_variable(*simple));
                }});
    shell::walk(tree.program(), shell::Visitor{[&](const shell::Assignment& assignment) {
                  script_->assigned.emplace(assignment.name);
                  if (looked_at.contains(assignment.name))
                    tested_values_.push_back(assignment.value.span);
                }});
    shell::walk(tree.program(), shell::Visitor{[&](const shell::Command& command) {
                  if (const auto* pipe = std::get_if<shell::Pipeline>(&command.node))
                    see_pipe(command, *pipe);
                  if (const auto* loop = std::get_if<shell::For>(&command.node))
                    script_->assigned.emplace(loop->name->text);
                  if (const auto* simple = std::get_if<shell::SimpleCommand>(&command.node))
                    see_simple(command, *simple);
                }});
    for (shell::Embedded& inner : shell::find_embedded(tree)) {
      if (inner.kind == shell::EmbeddedKind::kSsh) continue;
      script_->programs.push_back(std::make_unique<shell::ParseResult>(std::move(inner.program)));
      collect(script_->programs.back()->tree);
    }
  }

  // `test -n "$x"`, `[ "$x" ]`
  static std::string_view tested_variable(const shell::SimpleCommand& simple) {
    if (simple.words.size() < 2 || !simple.words[0].is_literal()) return {};
    const std::string_view name = simple.words[0].literal();
    if (name != "test" && name != "[") return {};
    const bool has_option = simple.words[1].is_literal() && simple.words[1].literal() == "-n";
    const size_t at = has_option ? 2 : 1;
    const size_t end = simple.words.size() - (name == "[" ? 1 : 0);
    if (at + 1 != end) return {};
    std::span<const shell::Part> parts = simple.words[at].parts();
    if (parts.size() == 1 && !parts[0].is_text() && !parts[0].is_expansion())
      parts = parts[0].parts();
    return parts.size() == 1 && parts[0].kind == shell::PartKind::kParameter
               ? parts[0].parameter().name
               : std::string_view();
  }

  // All that echo and printf do is print their words: they do not fail.
  bool only_prints(const shell::Command& command) {
    const auto* simple = std::get_if<shell::SimpleCommand>(&command.node);
    if (simple == nullptr || simple->words.empty() || !simple->words[0].is_literal()) return false;
    const commands::Card* card = cards_.find(base_name(simple->words[0].literal()));
    return card != nullptr && card->echoes;
  }

  // A last command that fails without input (grep, tar) tells that something went wrong before.
  bool notices_nothing(const shell::Command& command) {
    const auto* simple = std::get_if<shell::SimpleCommand>(&command.node);
    if (simple == nullptr || simple->words.empty()) return false;
    Call call = call_of(command, *simple);
    for (const Call& each : unfold(std::move(call), cards_)) {
      if (each.card != nullptr && read_usage(each).property(commands::CardKey::kNotices) != nullptr)
        return true;
    }
    return false;
  }

  void see_pipe(const shell::Command& command, const shell::Pipeline& pipe) {
    if (pipe.items.size() < 2 || script_->sets_pipefail) return;
    const auto may_fail = [&](const shell::PipelineItem& item) {
      return !only_prints(*item.command);
    };
    if (std::none_of(pipe.items.begin(), pipe.items.end() - 1, may_fail)) return;
    if (script_->pipe.empty()) script_->pipe = command.span;
    // x=$(a | b) && test -n "$x"
    const bool is_tested =
        std::any_of(tested_values_.begin(), tested_values_.end(),
                    [&](const Span& value) { return value.contains(command.span); });
    if (is_tested) return;
    if (script_->unnoticed_pipe.empty() && !notices_nothing(*pipe.items.back().command))
      script_->unnoticed_pipe = command.span;
  }

  void see_simple(const shell::Command& command, const shell::SimpleCommand& simple) {
    script_->commands++;
    if (simple.words.empty()) return;
    Call call = call_of(command, simple);
    if (!call.name.empty()) add(std::move(call));
  }

  // Without a name where that is not known.
  Call call_of(const shell::Command& command, const shell::SimpleCommand& simple) {
    Call call;
    const Argument name = evaluate(simple.words[0]);
    if (name.is_known) call.name = base_name(name.text);
    call.name_span = simple.words[0].span;
    call.span = command.span;
    call.is_checked = checked_.contains(&command);
    for (const shell::Word& word : simple.words.subspan(1)) call.words.push_back(evaluate(word));
    for (const shell::Assignment& each : simple.assignments)
      call.assignments.emplace_back(each.name, evaluate(each.value).text);
    return call;
  }

  void add(Call call) {
    if (call.name == "set") see_set(call);
    if (call.name == "read" || call.name == "export" || call.name == "local") see_names(call);
    for (Call& each : unfold(std::move(call), cards_)) script_->calls.push_back(std::move(each));
  }

  void see_set(const Call& call) {
    for (const Argument& word : call.words) {
      script_->sets_pipefail |= word.text == "pipefail";
      script_->reads_status |= word.text.starts_with('+');
      const bool is_short = word.text.starts_with('-') && !word.text.starts_with("--");
      script_->has_errexit |=
          word.text == "errexit" || (is_short && word.text.find('e') != std::string::npos);
    }
  }

  void see_names(const Call& call) {
    for (const Argument& word : call.words)
      script_->assigned.insert(word.text.substr(0, word.text.find('=')));
  }

  Argument evaluate(const shell::Word& word) {
    Argument result;
    result.span = word.span;
    evaluate(word.parts(), result);
    return result;
  }

  void evaluate(std::span<const shell::Part> parts, Argument& result) {
    for (const shell::Part& part : parts) {
      if (part.kind == shell::PartKind::kTilde) {
        result.text += "~";
        result.text += part.text();
      } else if (part.is_text()) {
        result.text += part.text();
      } else if (!part.is_expansion()) {
        evaluate(part.parts(), result);
      } else if (const auto value = value_of(part)) {
        result.text += *value;
      } else {
        result.is_known = false;
      }
    }
  }

  // Of a variable that only the Dockerfile sets.
  std::optional<std::string> value_of(const shell::Part& part) {
    if (part.kind != shell::PartKind::kParameter) return std::nullopt;
    const shell::Parameter& parameter = part.parameter();
    const bool is_plain = parameter.op == shell::ParameterOp::kNone &&
                          parameter.subscript == nullptr && !parameter.is_indirect;
    if (!is_plain || script_->assigned.contains(parameter.name)) return std::nullopt;
    const Definition* found = stages_.find_variable(parameter.name, step_);
    return found == nullptr ? std::nullopt : found->value;
  }

  const Stages& stages_;
  const Step& step_;
  const commands::CardLibrary& cards_;
  std::unique_ptr<Script> script_;
  shell::CheckedCommands checked_;
  std::vector<Span> tested_values_;  // of variables that the script asks whether they are empty
};

bool is_short(const Script& script) {
  return script.commands == 1 && !script.is_document &&
         script.step->instruction->here_documents.empty();
}

bool has_same_flags(const Instruction& a, const Instruction& b) {
  return std::equal(
      a.flags.begin(), a.flags.end(), b.flags.begin(), b.flags.end(),
      [](const Flag& x, const Flag& y) { return x.name == y.name && x.value == y.value; });
}

}  // namespace

std::unique_ptr<Script> read_script(const Stages& stages, const Step& step,
                                    const commands::CardLibrary& cards) {
  return ScriptReader(stages, step, cards).run();
}

bool are_consecutive(const Script& first, const Script& second) {
  return first.step->index + 1 == second.step->index && first.step->stage == second.step->stage &&
         first.step->is_trigger == second.step->is_trigger && is_short(first) && is_short(second) &&
         has_same_flags(*first.step->instruction, *second.step->instruction);
}

}  // namespace nacre::docker
