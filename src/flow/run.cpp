#include "flow/run.h"

#include <algorithm>
#include <cassert>

#include "base/shebang.h"
#include "flow/expansion.h"
#include "flow/narrowing.h"
#include "flow/other_code.h"

namespace nacre::flow {

Run::Run(const shell::Tree& given_tree, const commands::CardLibrary& library,
         const CheckOptions& given)
    : tree(given_tree), cards(library), options(given) {
  script.is_program = options.is_program || !interpreter_of(tree.file().bytes()).empty();
  const std::string_view name = tree.file().name();
  programs.paths.emplace_back(name.substr(name.rfind('/') + 1));
  for (shell::Embedded& inner : shell::find_embedded(tree)) {
    if (inner.program.is_valid()) programs.embedded.emplace(inner.host, std::move(inner));
  }
}

Io Run::own_input() {
  Io result{opaque()};
  result.is_captured = wants_types();
  result.is_typed = !survey.redirects_input;
  return result;
}

Stream Run::followed(const Io& io, const Stream& a, const Stream& b) {
  return io.is_captured ? commands::concatenated(a, b) : none();
}

bool Run::is_local(Name name) const {
  const auto is_this = [&](const auto& local) { return local.first == name; };
  for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame) {
    if (std::any_of(frame->locals.begin(), frame->locals.end(), is_this)) return true;
    if (frame->function) break;
  }
  return false;
}

ValueId Run::lookup(Name name, const Environment& environment) const {
  const auto at = static_cast<size_t>(name);
  return at < environment.variables->size() ? (*environment.variables)[at] : values.inherited();
}

void Run::put(Name name, ValueId id, Environment& environment) const {
  const auto at = static_cast<size_t>(name);
  auto& variables = environment.variables.edit();
  if (variables.size() <= at) variables.resize(at + 1, values.inherited());
  variables[at] = id;
}

const shell::Function* Run::function_named(std::string_view name, const Environment& environment) {
  const auto at = static_cast<size_t>(names[name]);
  return at < environment.functions->size() ? (*environment.functions)[at].function : nullptr;
}

Frame& Run::process_frame() {
  assert(!frames.empty());
  const auto is_end = [](const Frame& frame) { return frame.is_subshell; };
  const auto inner = std::find_if(frames.rbegin(), frames.rend(), is_end);
  return inner == frames.rend() ? frames.front() : *inner;
}

Value RunEvaluator::value_again(const shell::Word& word, const Environment& environment) {
  return flow::value_again(run_, word, environment);
}

std::vector<Field> RunEvaluator::fields_again(const shell::Word& word,
                                              const Environment& environment) {
  return flow::fields_again(run_, word, environment);
}

Branches RunEvaluator::decide_again(const Condition& condition, Span span,
                                    const Environment& before) {
  return flow::decide_again(run_, condition, span, before);
}

const shell::Tree* RunEvaluator::embedded_in(const Command& node, shell::EmbeddedKind kind) const {
  return flow::embedded_in(run_, node, kind);
}

}  // namespace nacre::flow
