// Values where their kind matters: numbers that may be missing or several, names of files that
// anybody can foresee, programs that are put together from text.
#include <algorithm>
#include <fmt/format.h>

#include "base/codes.h"
#include "base/path.h"
#include "flow/interpreter.h"
#include "regular/decide.h"
#include "shell/embedded.h"

namespace nacre::flow {

using regular::CharSet;

namespace {

// The text of a file, if each of its lines is known.
std::optional<std::string> known_text(const Stream& lines) {
  if (lines.count.least != lines.count.most || lines.first.size() != lines.count.most)
    return std::nullopt;
  std::string result;
  for (const Lang line : lines.first) {
    const auto only = regular::shortest(line);
    if (!only || !(line.context().literal(*only) == line)) return std::nullopt;
    (result += *only) += '\n';
  }
  return result;
}

// Nobody else is there while such a script runs. Nothing that it does tells so: only where it lies,
// with those who make the disk, or which library of the disk it reads. Hence the names.
bool is_of_initial_ram_disk(const SourceFile& file) {
  const auto holds = [](std::string_view text, std::initializer_list<std::string_view> words) {
    return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
      return text.find(word) != std::string_view::npos;
    });
  };
  return holds(file.name(), {"/dracut/modules.d/", "/initramfs-tools/", "/live/boot/"}) ||
         holds(file.bytes(), {". /lib/dracut-lib.sh", ". /scripts/functions"});
}

}  // namespace

void Interpreter::show_origin(Diagnostic& diagnostic, const Value& value) const {
  if (!value.origin.empty())
    diagnostic.path.push_back({tree_.file(), value.origin, "its value comes from here"});
}

// What a command printed, and it is never one line.
bool Interpreter::is_several_lines(const Value& value) {
  if (value.is_opaque || value.text || value.source != Source::kCommand) return false;
  const Lang broken = context_.all() + context_.literal("\n") + context_.all();
  return regular::included(value.strings, broken, options_.budget).yes();
}

// An operand of `[ -gt ]`: one number, and nothing else will do.
void Interpreter::judge_number(const shell::Word& word, const Value& value) {
  if (findings_.is_muted() || value.is_opaque || value.text || value.source != Source::kCommand)
    return;
  const Lang number = integers(context_);
  if (is_several_lines(value)) {
    Diagnostic result = finding(
        "X109", tree_.file(), word.span,
        fmt::format("{} is several lines, and a number is needed here", tree_.text(word.span)));
    result.counterexample = regular::shortest(value.strings, options_.budget).value_or("");
    show_origin(result, value);
    findings_.add(std::move(result));
    return;
  }
  if (!value.needs || !regular::included(value.strings, optional(number), options_.budget).yes())
    return;
  Diagnostic result =
      finding("X108", tree_.file(), word.span,
              fmt::format("{} is empty if {} is missing, and a number is needed here",
                          tree_.text(word.span), tree_.text(*value.needs)));
  result.counterexample = "";
  result.path.push_back(
      {tree_.file(), *value.needs, "nobody has looked whether there is such a file"});
  findings_.add(std::move(result));
}

// What makes the name of a file: the assignment of the variable that it begins with, or the word
// itself.
Span Interpreter::origin_of_name(const shell::Word& word, const Environment& environment) {
  std::span<const shell::Part> parts = word.parts();
  if (!parts.empty() && parts[0].kind == shell::PartKind::kDoubleQuoted) parts = parts[0].parts();
  const bool is_variable = !parts.empty() && parts[0].kind == shell::PartKind::kParameter &&
                           parts[0].parameter().kind == shell::ParameterKind::kVariable;
  if (!is_variable) return word.span;
  const Span origin = value(names_[parts[0].parameter().name], environment).origin;
  return origin.empty() ? word.span : origin;
}

// `> /tmp/name.$$`: somebody else can put a link there first. One report for each name tells it
// all.
void Interpreter::judge_temporary(const shell::Redirection& redirection, const Value& target,
                                  const Environment& environment) {
  if (findings_.is_muted() || redirection.op == shell::RedirectOp::kDuplicateOutput) return;
  if (target.is_opaque || target.may_be_unset || target.source != Source::kScript) return;
  if (!target.prefix.starts_with("/tmp/") && !target.prefix.starts_with("/var/tmp/")) return;
  if (is_of_initial_ram_disk(tree_.file())) return;
  const Lang name = plus(context_.set(CharSet::all(context_.alphabet()) - CharSet::of('/')));
  const Lang shared = context_.literal("/tmp/") | context_.literal("/var/tmp/");
  if (!regular::included(target.strings, shared + name, options_.budget).yes()) return;
  const Span place = redirection.target.span;
  const Span origin = origin_of_name(redirection.target, environment);
  if (!findings_.is_first(fmt::format("name {}", tree_.text(origin)))) return;
  Diagnostic result =
      finding("J104", tree_.file(), place,
              "others can foresee this name, and put a link there before the file is made");
  // A constant name is one that others are to find: a log, a lock, the input of another command.
  if (target.text) result.severity = Severity::kInfo;
  if (origin != place) result.path.push_back({tree_.file(), origin, "the name is made here"});
  findings_.add(std::move(result));
}

// The code that a command hands to a shell of its own.
void Interpreter::judge_child(const Call& call) {
  if (findings_.is_muted() || !call.fields[0].argument.text) return;
  judge_found_names(call);
  if (const shell::Tree* code = embedded_in(call.node, shell::EmbeddedKind::kShell)) {
    judge_child_code(call, *code);
    return;
  }
  judge_program_text(call);
  const auto dialect = shell::dialect_named(base_name(*call.fields[0].argument.text));
  if (!dialect || call.fields.size() < 2 || !call.fields[1].argument.text) return;
  const auto file = call.environment.files->find(*call.fields[1].argument.text);
  if (file == call.environment.files->end()) return;
  const auto text = known_text(file->second);
  if (!text) return;
  const auto parsed = shell::parse_elsewhere(tree_.file(), call.fields[1].argument.span, *text,
                                             {.dialect = *dialect});
  if (parsed.is_valid()) judge_child_code(call, parsed.tree);
}

// `find -exec sh -c 'wc {}'`, `xargs -I{} sh -c 'wc {}'`: the name of a file becomes a part of the
// program.
void Interpreter::judge_found_names(const Call& call) {
  const bool is_xargs = is_model("xargs", call);
  std::string placeholder;
  for (size_t i = 0; i + 2 < call.fields.size(); i++) {
    const auto& text = call.fields[i].argument.text;
    const auto& next = call.fields[i + 1].argument.text;
    if (text == "-exec" || text == "-execdir" || text == "-ok") placeholder = "{}";
    if (is_xargs && text && text->starts_with("-I"))
      placeholder = text->size() > 2 ? text->substr(2) : next.value_or("");
    const bool is_shell = text && shell::dialect_named(base_name(*text)).has_value();
    if (placeholder.empty() || !is_shell || next != "-c") continue;
    const auto& program = call.fields[i + 2].argument;
    if (!program.text || program.text->find(placeholder) == std::string::npos) continue;
    Diagnostic result =
        finding("J105", tree_.file(), program.span,
                "the name of each file becomes a part of the program; let it be an argument, $1");
    result.counterexample = "./; reboot";
    findings_.add(std::move(result));
  }
}

// Within a program it is a word, or a part of one, and nothing else.
bool Interpreter::is_harmless_text(const Value& value) {
  const Lang harmless = star(context_.set(CharSet::range('a', 'z') | CharSet::range('A', 'Z') |
                                          CharSet::range('0', '9') | CharSet::of("_./:@%+=,-")));
  return !regular::included(expansion_of(value), harmless, options_.budget).no();
}

// `sh -c "rm $1"`: what is in $1 becomes a part of the program.
void Interpreter::judge_program_text(const Call& call) {
  size_t at = 0;
  while (at < call.fields.size() &&
         !(call.fields[at].argument.text &&
           shell::dialect_named(base_name(*call.fields[at].argument.text))))
    at++;
  if (at + 2 >= call.fields.size() || call.fields[at + 1].argument.text != "-c") return;
  const Field& program = call.fields[at + 2];
  if (program.fragments.size() < 2) return;  // the program is asked for as it is
  for (const Fragment& fragment : program.fragments) {
    const bool is_foreign =
        fragment.value.source == Source::kInput || fragment.value.source == Source::kArgument;
    if (fragment.kind != FragmentKind::kExpansion || !fragment.value.is_tainted || !is_foreign)
      continue;
    if (is_harmless_text(fragment.value)) continue;
    Diagnostic result =
        finding("J105", tree_.file(), fragment.span,
                fmt::format("{} comes from outside and becomes a part of the program",
                            tree_.text(fragment.span)));
    result.counterexample = injection(std::span(call.fields).subspan(at + 2), fragment);
    findings_.add(std::move(result));
  }
}

}  // namespace nacre::flow
