// Simple commands: their assignments, and what their first word calls.
#include "flow/simple_command.h"

#include <algorithm>
#include <utility>

#include "base/path.h"
#include "commands/pattern_slips.h"
#include "flow/builtins.h"
#include "flow/call_words.h"
#include "flow/expansion.h"
#include "flow/function_calls.h"
#include "flow/place_effects.h"
#include "flow/rules/publish.h"
#include "flow/run.h"
#include "flow/variables.h"
#include "shell/builtins.h"

namespace nacre::flow {

using commands::Argument;
using commands::Behaviour;

namespace {

// What was not found may be there after this: a command installs it, or defines a function.
void forget_missing(const Call& call) {
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

Ran dispatch(Run& run, Call& call) {
  if (!run.findings.is_muted())
    publish(CallEvent{call, innermost(call.fields, run.cards)}, run.rules);
  forget_missing(call);
  const Argument first = call.fields[0].argument;
  if (!first.text) {
    call_unnamed(run, first, call.environment);
    return unknown_command(run, call, "the command");
  }
  const std::string name = *first.text;
  if (const shell::Function* function = run.function_named(name, call.environment)) {
    const Definition& known = (*call.environment.functions)[static_cast<size_t>(run.names[name])];
    return known.may_be_missing || known.may_be_other ? call_any(run, call, known)
                                                      : call_function(run, call, *function);
  }
  return dispatch_command(run, call);
}

Value assigned_text(Run& run, const shell::Assignment& assignment, Environment& environment) {
  const Scoped assigning(run.where.assigning, assignment.name);
  const Scoped expanding(run.where.expanding, ExpansionContext::kAssignment);
  return value_of(run, assignment.value, environment);
}

// The result is what the variable was before, when the new value was expanded: `x=${x:=a} f`.
ValueId assign(Run& run, const shell::Assignment& assignment, Environment& environment) {
  const Name name = run.names[assignment.name];
  publish(AssignmentEvent{assignment, environment}, run.rules);
  Value result = assigned_text(run, assignment, environment);
  const ValueId former = run.lookup(name, environment);
  const Value before = run.values[former];
  const bool is_array = assignment.value.has(shell::kWordHasArray);
  const bool is_new = before.may_be_foreign && !before.is_assigned && !before.is_array;
  result.origin = assignment.span;
  if (assignment.subscript != nullptr) {  // one element of an array
    evaluate_subscript(run, assignment.name, *assignment.subscript, environment);
    Value element = before;  // or another one, or none yet
    element.may_be_unset = true;
    if (assignment.is_append) result = appended(run, element, result, assignment.span);
    if (!is_new) result = joined(result, before);
    result.is_array = true;
    result.text.reset();
    result.may_be_unset = false;
  } else if (assignment.is_append && is_array) {
    if (!is_new) result = joined(result, before);
    result.is_array = true;
  } else if (assignment.is_append) {
    result = appended(run, before, result, assignment.span);
  }
  // Without a subscript it is the first element, and there may be others.
  if (before.is_array && !is_array && assignment.subscript == nullptr) {
    result = joined(result, before);
    result.text.reset();
  }
  result.origin = assignment.span;
  note_name(run, assignment.name_span, name, NameUse::kAssigned, result);
  store(run, name, std::move(result), environment);
  if (assignment.subscript == nullptr && !assignment.is_append && !is_array)
    note_temporary(run, assignment, environment);
  return former;
}

// A command of assignments alone. `substituted` is in words that became nothing.
Ran assign_all(Run& run, const Command& node, const shell::SimpleCommand& simple,
               Environment& environment, const Io& io, Substituted substituted) {
  substituted.prints_on_success = false;
  {
    const Scoped noted(run.where.substituted, &substituted);
    const Scoped kept(run.where.keeps_status, run.where.tested == 0 && run.where.ignored == 0);
    for (const shell::Assignment& each : simple.assignments) assign(run, each, environment);
  }
  environment.status = substituted.status.value_or(Status{});
  environment.status.origin = node.span;
  if (substituted.status && simple.assignments.size() == 1) {
    const Implied implied{run.names[simple.assignments[0].name], substituted.prints_on_success};
    run.implied.insert_or_assign({node.span.begin, node.span.end}, implied);
  }
  // But for dash, `$(< file)` is what is in the file.
  const bool is_read = io.is_captured && io.has_own_input && simple.assignments.empty();
  const bool is_dash = run.tree.dialect() == shell::Dialect::kDash;
  return is_read && simple.words.empty() && !is_dash ? io.input : run.none();
}

}  // namespace

Ran interpret_simple(Run& run, const Command& node, const shell::SimpleCommand& simple,
                     Environment& environment, const Io& io, std::vector<Stage>& stages) {
  Substituted substituted;
  const bool is_one_word = simple.words.size() == 1 && simple.words[0].parts().size() == 1;
  const auto expand_words = [&] {
    const Scoped noted(run.where.substituted, &substituted);
    const Scoped kept(run.where.keeps_status, false);
    const Scoped word(run.where.command_word,
                      is_one_word ? simple.words[0].parts()[0].span : Span{});
    return expand_all(run, simple.words, environment);
  };
  std::vector<Field> fields = expand_words();
  if (fields.empty()) return assign_all(run, node, simple, environment, io, substituted);
  if (run.where.capture) {
    for (const Field& field : fields)
      for (const Fragment& each : field.fragments) run.where.capture->varies |= each.value.varies;
  }
  // Assignments before a command hold while it runs.
  std::vector<Hidden> hidden;
  for (const shell::Assignment& assignment : simple.assignments) {
    const Scoped noted(run.where.substituted, &substituted);
    const Name name = run.names[assignment.name];
    const ValueId before = assign(run, assignment, environment);
    hidden.push_back({name, before, run.lookup(name, environment)});
  }
  const bool is_special = run.tree.dialect() != shell::Dialect::kBash && fields[0].argument.text &&
                          shell::is_special_builtin(*fields[0].argument.text);
  Call call{node, simple, std::move(fields), environment, io, stages, hidden, substituted};
  Ran ran = dispatch(run, call);
  for (auto at = hidden.rbegin(); at != hidden.rend(); ++at) {
    // Some shells keep them after a special builtin, and what `export` in a function has changed.
    const ValueId left = run.lookup(at->name, environment);
    const bool may_stay = left != at->given || (is_special && environment.is_reachable);
    run.put(at->name, may_stay ? run.values.join(at->before, left) : at->before, environment);
  }
  return ran;
}

// Whatever functions there are: `command cd`.
Ran dispatch_command(Run& run, Call& call) {
  if (!call.fields[0].argument.text) return unknown_command(run, call, "the command");
  const std::string name = *call.fields[0].argument.text;
  if (const Builtin builtin = find_builtin(name)) {
    publish(BuiltinEvent{call}, run.rules);
    return builtin(run, call);
  }
  return dispatch_external(run, call);
}

Ran dispatch_external(Run& run, Call& call) {
  const Argument first = call.fields[0].argument;
  const std::string name = *first.text;
  const auto meaning = run.cards.meaning_of(name);
  if (!meaning.card) {
    // `x+=a`, which sh takes for a command: the branch is for another shell.
    if (const size_t end = name.find("+="); end != std::string::npos && end > 0) {
      store(run, run.names[std::string_view(name).substr(0, end)],
            unknown(run.languages, Source::kScript, call.node.span), call.environment);
    }
    return unknown_command(run, call, name);
  }
  for (std::string_view variable : meaning.card->sets)
    store(run, run.names[variable], unknown(run.languages, Source::kCommand, call.node.span),
          call.environment);
  for (size_t i = 0; i < meaning.words.size(); i++) {  // egrep is grep -E
    const std::string word(meaning.words[i]);
    Field field{
        {first.span, run.languages.literal(word), word, word, false}, nullptr, {}, false, false};
    call.fields.insert(call.fields.begin() + 1 + static_cast<std::ptrdiff_t>(i), std::move(field));
  }
  act_on_places(run, call, *meaning.card);
  Ran ran = by_card(run, call, *meaning.card, name);
  call.environment.status.is_printed = meaning.card->echoes && prints_at_hand(call.node);
  return ran;
}

Ran unknown_command(Run& run, Call& call, std::string name) {
  Stream output = run.opaque();
  const bool has_card =
      call.fields[0].argument.text && run.cards.find(*call.fields[0].argument.text);
  if (!has_card && !call.environment.places->empty()) call.environment.places = {};
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
Value appended(Run& run, Value before, const Value& text, Span origin) {
  before.may_be_unset |= before.is_array;
  Value sum = concatenated(run.languages,
                           {{FragmentKind::kLiteral, true, {}, nullptr, before},
                            {FragmentKind::kLiteral, true, {}, nullptr, text}},
                           origin);
  sum.is_array = before.is_array;
  return sum;
}

// Whether a command may change the file if it is given this word: its name, that of a directory
// above it, or code that names it. What nothing is known of is left to the user.
bool may_change(const Argument& word, const std::string& file) {
  if (!word.text) return !word.is_opaque && contains(word.value, file);
  return word.text->find(file) != std::string::npos || file.starts_with(*word.text + '/');
}

}  // namespace nacre::flow
