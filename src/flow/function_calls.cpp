// Calls of functions. A body is interpreted with the arguments and the state of each call, as often
// and as deep as the options allow; a call beyond that may do whatever the text of the function,
// and of those that it may call, could do to the variables of its caller.
#include "flow/function_calls.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "flow/assigned.h"
#include "flow/expansion.h"
#include "flow/interpreter.h"
#include "flow/other_code.h"
#include "flow/place_names.h"
#include "flow/rules/publish.h"
#include "flow/run.h"
#include "flow/tested.h"
#include "flow/variables.h"
#include "shell/visitor.h"

namespace nacre::flow {

namespace {

// The body with its ends apart, whether or not its status is asked for.
Tested test_function(Run& run, const Command& body, Environment& inside, const Io& io) {
  const auto* group = std::get_if<shell::BraceGroup>(&body.node);
  if (run.where.tested > 0 && group && body.redirections.empty())
    return test(run, group->body, inside, io);
  Stream output = interpret(run, body, inside, io).output;
  inside.status.is_printed = false;
  return {split_status(run, std::move(inside)), output};
}

Branches enter_function(Run& run, const shell::Function& function, Call& call, Stream& output) {
  Environment inside = call.environment;
  const Positional outer = inside.positional;
  inside.positional = {{}, false};
  for (const Field& field : std::span(call.fields).subspan(1)) {
    if (field.may_vanish || field.may_repeat) {
      inside.positional.may_have_more = true;
      break;
    }
    Value given = value_of_field(run, field, field.argument.span);
    if (field.fragments.size() == 1) {  // `require "$x"`: what the function learns of $1 holds of x
      given.copied = field.fragments[0].value.copied;
      given.from = field.fragments[0].value.from;
    }
    inside.positional.first.push_back(run.values.add(std::move(given)));
  }
  run.frames.emplace_back().function = &function;
  run.frames.back().call = call.node.span;
  for (const Hidden& each : call.hidden)
    run.frames.back().hidden.emplace_back(each.name, each.before);
  Io io = call.io;
  io.is_piped = false;
  const Scoped running(run.where.function, &function);
  const Scoped called_by(run.where.function_call, call.node.span);
  const Tested tested = test_function(run, *body_of(run, function), inside, io);
  output = tested.output;
  const Frame frame = std::move(run.frames.back());
  run.frames.pop_back();
  Branches result{join(run.values, tested.branches.success, frame.ends.success),
                  join(run.values, tested.branches.failure, frame.ends.failure)};
  for (Environment* end : {&result.success, &result.failure}) {
    end->positional = outer;
    end->status.origin = call.node.span;
    end->status.is_printed = false;
    for (auto hidden = frame.locals.rbegin(); hidden != frame.locals.rend(); ++hidden) {
      run.put(hidden->first, hidden->second, *end);
      if (!end->places->empty())
        forget_places_naming(end->places.edit(), place_variable(run.names.text(hidden->first)));
    }
  }
  return result;
}

const FunctionEffects& all_effects_of(Run& run, const shell::Function& function) {
  Havoc& all = run.functions.all_effects[&function];
  if (all.definitions == run.functions.by_name.size()) return all.effects;
  all = {run.functions.by_name.size(), {}};
  for (const shell::Function* reached : reached_from(run, {&function})) {
    const FunctionEffects& effects = effects_of(run, *reached);
    all.effects.runs_text |= effects.runs_text;
    all.effects.assigned.insert(all.effects.assigned.end(), effects.assigned.begin(),
                                effects.assigned.end());
  }
  auto& assigned = all.effects.assigned;
  std::sort(assigned.begin(), assigned.end());
  assigned.erase(std::unique(assigned.begin(), assigned.end()), assigned.end());
  return all.effects;
}

void havoc(Run& run, const shell::Function& function, Environment& environment) {
  const FunctionEffects& all = all_effects_of(run, function);
  Value anything = unknown(run.languages, Source::kCommand, function.name->span);
  anything.may_be_unset = true;
  environment.files = {};
  environment.places = {};
  if (all.runs_text) forget_variables(run, environment, function.name->span);
  for (const Name name : all.assigned) {
    anything.is_array = run.value(name, environment).is_array;
    store(run, name, anything, environment);
  }
}

// Of `name=$value`: the name with what follows it.
std::string_view leading_text(const shell::Word& word) {
  if (word.is_literal()) return word.literal();
  const auto parts = word.parts();
  return !parts.empty() && parts[0].is_text() ? parts[0].text() : "";
}

// `printf -v "$n"`, `read "$n"`, `declare "$n=$x"`: which variable it sets, the text does not tell.
bool writes_by_name(std::span<const shell::Word> words) {
  const std::string_view name = words[0].literal();
  if (name == "printf") {
    return words.size() > 2 && words[1].is_literal() && words[1].literal() == "-v" &&
           leading_text(words[2]).empty();
  }
  if (name == "declare" || name == "typeset" || name == "local") {  // -n: by another name
    const bool refers = std::any_of(words.begin() + 1, words.end(), [](const shell::Word& word) {
      const std::string_view text = leading_text(word);
      return text.starts_with('-') && text.find('n') != text.npos;
    });
    if (refers || name == "local") return refers;
  }
  constexpr std::string_view kWriters[] = {"read",    "mapfile", "readarray", "unset",
                                           "declare", "typeset", "export",    "getopts"};
  if (std::find(std::begin(kWriters), std::end(kWriters), name) == std::end(kWriters)) return false;
  for (size_t i = 1; i < words.size(); i++) {
    const std::string_view text = leading_text(words[i]);
    const bool takes_next = text.size() > 1 && text[0] == '-' && name != "declare" &&
                            std::string_view("dinNptusOcC").find(text.back()) != text.npos;
    if (takes_next || (name == "getopts" && i != 2))
      i += takes_next ? 1 : 0;
    else if (text.empty() && !words[i].is_literal())
      return true;
  }
  return false;
}

}  // namespace

Ran call_function(Run& run, Call& call, const shell::Function& function) {
  if (run.where.tested > 0 && !run.findings.is_muted())
    publish(TestedCallEvent{call, function, body_of(run, function)}, run.rules);
  call.stages.clear();
  run.functions.called.insert(&function);
  const auto is_calling = [&](const Frame& frame) { return frame.function == &function; };
  const bool is_deep = run.frames.size() >= run.options.max_nested ||
                       std::count_if(run.frames.begin(), run.frames.end(), is_calling) >= 2;
  const bool is_foreign = run.functions.foreign.contains(&function);
  const bool is_skipped = run.functions.calls[&function]++ >=
                          (is_foreign ? run.options.max_foreign_calls : run.options.max_calls);
  const bool is_possible = !is_deep && !is_skipped && body_of(run, function);
  if (is_possible && !run.limits.spend(call.environment))
    run.limits.note_exhausted(call.node.span, fmt::format("a call of {}", function.name->text));
  if (!is_possible || run.limits.is_spent()) {
    if (!is_deep && !is_foreign) run.functions.skipped.insert(&function);
    havoc(run, function, call.environment);
    call.environment.status = uncertain(call.node.span);
    return run.opaque();
  }
  Stream output = run.none();
  Branches ends{unreachable(), unreachable()};
  const auto enter_body = [&] {
    ends = enter_function(run, function, call, output);
    return output;
  };
  Ran ran = is_foreign ? run_elsewhere(run, enter_body) : enter_body();
  call.environment = merged(run, ends);
  if (run.where.tested > 0) ran.ends = std::move(ends);
  return ran;
}

// Any of the functions that the name may call here, or none of them.
Ran call_any(Run& run, Call& call, Definition definition) {
  const Environment before = call.environment;
  Environment after = unreachable();
  Stream output = run.opaque();
  const auto [first, last] =
      run.functions.by_name.equal_range(run.names[definition.function->name->text]);
  std::vector<const shell::Function*> candidates = {definition.function};
  for (auto each = first; definition.may_be_other && each != last; ++each) {
    if (each->second != definition.function) candidates.push_back(each->second);
  }
  for (const shell::Function* function : candidates) {
    call.environment = before;
    const Stream printed = call_function(run, call, *function).output;
    output = function == candidates[0] ? printed : either(output, printed);
    after = join(run.values, after, call.environment);
  }
  if (definition.may_be_missing) {
    Environment missing = before;
    missing.status = uncertain(call.node.span);
    after = join(run.values, after, missing);
    output = run.opaque();
  }
  call.environment = std::move(after);
  return output;
}

const FunctionEffects& effects_of(Run& run, const shell::Function& function) {
  const auto [known, is_new] = run.functions.effects.try_emplace(&function);
  FunctionEffects& result = known->second;
  if (!is_new) return result;
  const Command* body = body_of(run, function);
  if (!body) {
    result.runs_text = true;
    return result;
  }
  std::set<std::string_view> own;
  std::set<std::string_view> called;
  walk(*body, shell::Visitor{[&](const Command& command) {
    const auto* simple = std::get_if<shell::SimpleCommand>(&command.node);
    const auto words = simple ? called_words(*simple) : std::span<const shell::Word>();
    if (words.empty() || !words[0].is_literal()) return;
    const std::string_view name = words[0].literal();
    result.runs_text |= name == "eval" || name == "." || name == "source" || writes_by_name(words);
    called.insert(name);
    if (name != "local") return;
    for (const shell::Word& word : words.subspan(1)) {
      const std::string_view text = leading_text(word);
      own.insert(text.substr(0, text.find_first_of("=+[")));
    }
  }});
  for (const std::string_view name : called) result.called.push_back(run.names[name]);
  for (const Assigned& assigned : assigned_in(*body)) {
    if (!own.contains(assigned.name)) result.assigned.push_back(run.names[assigned.name]);
  }
  return result;
}

std::vector<const shell::Function*> reached_from(Run& run, std::set<const shell::Function*> found) {
  std::vector<const shell::Function*> result(found.begin(), found.end());
  for (size_t i = 0; i < result.size(); i++) {
    for (const Name name : effects_of(run, *result[i]).called) {
      const auto [first, last] = run.functions.by_name.equal_range(name);
      for (auto called = first; called != last; ++called) {
        if (found.insert(called->second).second) result.push_back(called->second);
      }
    }
  }
  return result;
}

// `"$@"`, `$callback`: any function whose name matches. That one of them empties what
// the script relies on is not assumed; nor that a word which nothing is known of names one.
void call_unnamed(Run& run, const commands::Argument& name, Environment& environment) {
  if (name.is_opaque || contains(name.value, kSomeName)) return;
  const regular::CharSet symbols = symbols_of(name.value);
  const Shared<std::vector<Definition>> functions = environment.functions;
  for (size_t i = 0; i < functions->size(); i++) {
    const shell::Function* function = (*functions)[i].function;
    if (!function) continue;
    const std::string_view text = run.names.text(Name{static_cast<uint32_t>(i)});
    const bool may_be_this = std::all_of(text.begin(), text.end(), [&](char c) {
      return symbols.contains(static_cast<unsigned char>(c));
    });
    if (!may_be_this || !contains(name.value, text)) continue;
    const FunctionEffects& all = all_effects_of(run, *function);
    if (all.runs_text) forget_variables(run, environment, function->name->span);
    environment.files = {};
    for (const Name assigned : all.assigned)
      run.put(assigned, run.values.join(run.lookup(assigned, environment), run.set_elsewhere),
              environment);
  }
}

}  // namespace nacre::flow
