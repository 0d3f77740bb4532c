// awk: its options and operands; awk_run.h does the rest.
#include <algorithm>
#include <fmt/format.h>
#include <map>

#include "commands/awk_lines.h"
#include "commands/awk_program.h"
#include "commands/awk_run.h"
#include "commands/awk_tests.h"
#include "commands/format_text.h"
#include "commands/models.h"
#include "commands/pattern_slips.h"
#include "regular/decide.h"
#include "regular/parse_awk.h"

namespace nacre::commands {

namespace {

using Variables = std::map<std::string, awk::Value>;

// `name=value` of -v and among the operands; escapes count in it. False if the name is unknown.
bool assign(Variables& variables, const Argument& argument, Context& context) {
  const size_t equals = argument.prefix.find('=');
  if (equals == std::string::npos) return false;
  const std::string name = argument.prefix.substr(0, equals);
  awk::Value value{star(context.set(regular::CharSet::all(context.alphabet()))), false, true};
  if (argument.text) {
    const Unescaped text = unescape(argument.text->substr(equals + 1), EscapeStyle::kPrintf);
    value = {context.literal(text.text), false, false};
  }
  variables.insert_or_assign(name, value);
  return true;
}

// -F and -v. -F t is a tab in gawk, as POSIX has it, and the letter in mawk.
std::optional<Variables> initial_variables(const Invocation& invocation, Context& context) {
  Variables result;
  for (const GivenOption& given : invocation.options) {
    const std::string_view name = given.spec->short_name;
    if (!given.argument) continue;
    if (name == "v" && !assign(result, *given.argument, context)) return std::nullopt;
    if (name != "F") continue;
    if (!given.argument->text) return std::nullopt;
    const std::string text = unescape(*given.argument->text, EscapeStyle::kPrintf).text;
    const Lang separator = context.literal(text);
    result.insert_or_assign(
        "FS",
        awk::Value{text == "t" ? separator | context.literal("\t") : separator, false, false});
  }
  return result;
}

bool is_assignment(const Argument& operand) {
  const size_t equals = operand.prefix.find('=');
  if (equals == std::string::npos || equals == 0) return false;
  const auto is_name = [](char c) {
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  };
  return std::all_of(operand.prefix.begin(),
                     operand.prefix.begin() + static_cast<std::ptrdiff_t>(equals), is_name);
}

// A regular expression between slashes is read with the program.
std::optional<Error> refused_regex(const awk::Program& program) {
  for (const awk::Expr& expr : program.exprs) {
    const auto* regex = std::get_if<awk::Regex>(&expr.node);
    if (!regex) continue;
    if (auto parsed = regular::parse_awk(regex->source); !parsed)
      return Error{expr.span, parsed.error().message};
  }
  return std::nullopt;
}

void find_slips(const awk::Program& program, Span word, std::vector<Problem>& problems) {
  for (const awk::Expr& expr : program.exprs) {
    const auto* regex = std::get_if<awk::Regex>(&expr.node);
    const std::string slip = regex ? slip_in(regex->source, InSets::kBackslashQuotes) : "";
    if (!slip.empty()) problems.push_back({Flaw::kPattern, word, slip, "", false, expr.span});
  }
}

// `$limit` with a variable that nothing sets is $0: a variable of the shell was meant.
void find_unset_fields(const Invocation& invocation, const awk::Program& program,
                       std::vector<Problem>& problems) {
  const std::string& text = *invocation.operands[0].text;
  for (const awk::Expr& expr : program.exprs) {
    const auto* field = std::get_if<awk::Field>(&expr.node);
    const auto* variable =
        field ? std::get_if<awk::Variable>(&program.exprs[static_cast<size_t>(field->index)].node)
              : nullptr;
    if (!variable ||
        variable->name.find_first_of("abcdefghijklmnopqrstuvwxyz") == std::string::npos)
      continue;
    // Anything that may set it: an assignment, a loop, a parameter, -v, getline, split.
    size_t mentions = 0;
    for (size_t at = text.find(variable->name); at != std::string::npos;
         at = text.find(variable->name, at + 1))
      mentions += at == 0 || text[at - 1] != '$' ? 1 : 0;
    const auto sets = [&](const Argument& word) {
      return !word.text || word.text->starts_with(variable->name + "=");
    };
    const bool is_set_outside =
        std::any_of(invocation.operands.begin() + 1, invocation.operands.end(), sets) ||
        std::any_of(
            invocation.options.begin(), invocation.options.end(),
            [&](const GivenOption& given) { return given.argument && sets(*given.argument); });
    if (mentions > 0 || is_set_outside) continue;
    problems.push_back({Flaw::kPattern, invocation.operands[0].span,
                        "awk: nothing sets " + variable->name + ", so $" + variable->name +
                            " is the whole line; -v " + variable->name + "=\"$" + variable->name +
                            "\" passes the shell variable",
                        "", false, expr.span});
    return;
  }
}

// The first lines, if each of them becomes one line: a heading stays apart from what is below it.
std::vector<Lang> headings_by_awk(const awk::Program& program, const Stream& input,
                                  const Variables& variables) {
  std::vector<Lang> result;
  if (input.first.size() > kMaxHeadings || regular::is_empty(input.rest).yes() ||
      !awk::prints_each(program))
    return result;
  for (const Lang line : input.first) {
    Stream alone(line);
    alone.count = {1, 1};
    awk::Run run(program, line.context(), alone, variables);
    run.run();
    const Stream printed = run.output();
    if (run.is_exhausted() || printed.count.most != 1) return {};
    result.push_back(any_line(printed));
  }
  return result;
}

// The records that the pattern of the only rule chooses.
std::optional<Lang> chosen_records(const Invocation& invocation, const awk::Program& program,
                                   const Stream& input) {
  if (program.rules.size() != 1 || program.rules[0].kind != awk::Rule::Kind::kPattern ||
      !awk::keeps_records(program))
    return std::nullopt;
  const Span pattern = program[*program.rules[0].pattern].span;
  const auto alone =
      awk::parse(invocation.operands[0].text->substr(pattern.begin, pattern.end - pattern.begin));
  auto variables = initial_variables(invocation, input.rest.context());
  if (!alone || !variables) return std::nullopt;
  awk::Run run(*alone, input.rest.context(), input, std::move(*variables));
  run.run();
  return run.is_exhausted() || !run.only_filters() ? std::nullopt : std::optional(run.kept());
}

// `awk -F: '{print $1}'` of lines without a colon.
void demand_separator(const Invocation& invocation, const awk::Program& program,
                      Behaviour& result) {
  const GivenOption* given = invocation.last("-F");
  if (!given || !given->argument || !given->argument->text || !awk::prints_outer_field(program))
    return;
  const std::string& text = *given->argument->text;
  const char separator = text == "\\t" ? '\t' : text.empty() ? ' ' : text[0];
  if ((text.size() != 1 && text != "\\t") || separator == ' ' || text == "t") return;
  Context& context = result.output.rest.context();
  const auto others = regular::CharSet::of(std::string("\n") + separator);
  result.checks.push_back({Check::Kind::kNotAll, Asks::kEffect,
                           star(context.set(others.complement(context.alphabet()))),
                           "awk changes nothing: no line that reaches it holds its separator", "",
                           false});
}

}  // namespace

Behaviour model_awk(const Invocation& invocation, const Surroundings& around) {
  Context& context = around.context();
  const bool has_file = invocation.has("-f") || invocation.has("-e");
  const size_t first_file = std::min<size_t>(has_file ? 0 : 1, invocation.operands.size());
  std::vector<Argument> files, assignments;
  for (const Argument& operand : std::span(invocation.operands).subspan(first_file))
    (is_assignment(operand) ? assignments : files).push_back(operand);
  const Source source = source_of(files, around);
  Behaviour result(opaque_stream(context));
  result.reads_input = source.uses_input;
  if (has_file || invocation.operands.empty() || !invocation.operands[0].text) return result;
  auto program = awk::parse(*invocation.operands[0].text);
  if (!program && program.error().message == awk::kTooDeep) return result;
  const auto refusal = program ? refused_regex(*program) : std::optional(program.error());
  if (refusal) {
    result.problems.push_back({Flaw::kProgram, invocation.operands[0].span,
                               "awk: " + refusal->message, "", true, refusal->span});
    result.output = empty_stream(context);
    return result;
  }
  find_slips(*program, invocation.operands[0].span, result.problems);
  find_unset_fields(invocation, *program, result.problems);
  auto variables = initial_variables(invocation, context);
  if (variables && assignments.empty())
    find_wrong_tests(*program, invocation.operands[0], source.lines, *variables, result.problems);
  const auto reads = [](const awk::Rule& rule) { return rule.kind != awk::Rule::Kind::kBegin; };
  const auto& rules = program->rules;
  if (!variables ||
      (around.wanted == Wanted::kMistakes && std::any_of(rules.begin(), rules.end(), reads)))
    return result;
  for (const Argument& assignment : assignments) {
    assign(*variables, assignment, context);
    // It is made when its turn comes among the files: until then the variable has another value.
    auto& value = variables->at(assignment.prefix.substr(0, assignment.prefix.find('=')));
    value.text = value.text | context.literal(" ") | context.epsilon();
  }
  const auto first = headings_by_awk(*program, source.lines, *variables);
  Stream read = source.lines;
  if (!first.empty()) read.first.clear();
  awk::Run run(*program, context, read, std::move(*variables));
  run.run();
  result.output = run.output();
  result.output.first = first;
  result.reads_input = source.uses_input && run.reads_input();
  result.is_filter = awk::only_prints(*program);
  result.is_exhausted = run.is_exhausted();
  if (result.is_exhausted) return result;
  result.is_line_by_line = awk::is_record_by_record(*program);
  result.chooses_lines =
      result.is_line_by_line && std::all_of(rules.begin(), rules.end(), [](const awk::Rule& rule) {
        return rule.kind == awk::Rule::Kind::kPattern;
      });
  result.takes_fields = result.is_line_by_line && !run.only_filters();
  demand_separator(invocation, *program, result);
  if (!source.lines.kinds.empty())
    result.chosen = chosen_records(invocation, *program, source.lines);
  if (const auto field = awk::printed_field(*program)) {
    result.output.order = order_by_field(source.lines, *field);
    const bool is_told = any_line(source.lines) != any_text(context);  // else any line is an answer
    auto map = is_told && awk::prints_each(*program) ? run.map_to_field(*field) : std::nullopt;
    if (map) result.trace = LineMap{any_text(context), std::move(*map)};
  }
  if (run.only_filters()) {
    result.output.order = source.lines.order;
    result.trace = LineMap{run.kept(), {}};
  }
  return result;
}

}  // namespace nacre::commands
