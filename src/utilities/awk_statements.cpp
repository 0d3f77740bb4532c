// Statements of a running awk program.
#include <fmt/format.h>

#include "utilities/awk_interpreter.h"
#include "utilities/awk_level.h"

namespace nacre::utilities {

AwkInterpreter::Flow AwkInterpreter::execute(awk::StmtId id) {
  Level level(*this);
  spend();
  return std::visit([&](const auto& node) { return statement(node); }, program_[id].node);
}

AwkInterpreter::Flow AwkInterpreter::execute_all(const awk::Stmts& body) {
  for (awk::StmtId id : body) {
    if (Flow flow = execute(id); flow != Flow::kNormal) return flow;
  }
  return Flow::kNormal;
}

AwkInterpreter::Flow AwkInterpreter::statement(const awk::Simple& node) {
  evaluate(node.value);
  return Flow::kNormal;
}

AwkInterpreter::Flow AwkInterpreter::statement(const awk::If& node) {
  if (evaluate(node.condition).is_true()) return execute(node.then);
  return node.otherwise ? execute(*node.otherwise) : Flow::kNormal;
}

// After the body of a loop: whether the loop ends; then `flow` is what the loop itself does.
bool AwkInterpreter::leaves_loop(Flow& flow) {
  if (flow == Flow::kNormal || flow == Flow::kContinue) {
    flow = Flow::kNormal;
    return false;
  }
  if (flow == Flow::kBreak) flow = Flow::kNormal;
  return true;
}

AwkInterpreter::Flow AwkInterpreter::statement(const awk::While& node) {
  while (evaluate(node.condition).is_true()) {
    Flow flow = execute(node.body);
    if (leaves_loop(flow)) return flow;
  }
  return Flow::kNormal;
}

AwkInterpreter::Flow AwkInterpreter::statement(const awk::DoWhile& node) {
  do {
    Flow flow = execute(node.body);
    if (leaves_loop(flow)) return flow;
  } while (evaluate(node.condition).is_true());
  return Flow::kNormal;
}

AwkInterpreter::Flow AwkInterpreter::statement(const awk::For& node) {
  if (node.init) execute(*node.init);
  while (!node.condition || evaluate(*node.condition).is_true()) {
    Flow flow = execute(node.body);
    if (leaves_loop(flow)) return flow;
    if (node.step) execute(*node.step);
  }
  return Flow::kNormal;
}

AwkInterpreter::Flow AwkInterpreter::statement(const awk::ForIn& node) {
  for (std::string& key : array(node.array).keys()) {
    store(cell(node.variable), AwkValue::input(std::move(key)));
    Flow flow = execute(node.body);
    if (leaves_loop(flow)) return flow;
  }
  return Flow::kNormal;
}

bool AwkInterpreter::is_case(const AwkValue& subject, awk::ExprId id) {
  if (const auto* regex = std::get_if<awk::Regex>(&program_[id].node)) {
    return compiled(regex->source).matches(text(subject));
  }
  return compare(subject, evaluate(id), number_format_) == 0;
}

AwkInterpreter::Flow AwkInterpreter::statement(const awk::Switch& node) {
  AwkValue subject = evaluate(node.subject);
  size_t chosen = node.cases.size();
  for (size_t i = node.cases.size(); i-- > 0;) {
    const auto& value = node.cases[i].value;
    if (!value && chosen == node.cases.size()) chosen = i;
  }
  for (size_t i = 0; i < node.cases.size(); ++i) {
    if (node.cases[i].value && is_case(subject, *node.cases[i].value)) {
      chosen = i;
      break;
    }
  }
  for (; chosen < node.cases.size(); ++chosen) {
    Flow flow = execute_all(node.cases[chosen].body);
    if (flow == Flow::kBreak) return Flow::kNormal;
    if (flow != Flow::kNormal) return flow;
  }
  return Flow::kNormal;
}

AwkInterpreter::Flow AwkInterpreter::statement(const awk::Output& node) {
  std::string line;
  if (node.is_printf) {
    line = formatted(node.arguments);
  } else {
    std::string format = set_text(ofmt_);
    if (node.arguments.empty()) line = text(field(0));
    for (size_t i = 0; i < node.arguments.size(); ++i) {
      if (i > 0) line += set_text(ofs_);
      line += evaluate(node.arguments[i]).to_text(format);
    }
    line += set_text(ors_);
  }
  if (!node.destination) {
    context_.out(line);
    return Flow::kNormal;
  }
  using Redirect = awk::Output::Redirect;
  using Target = AwkStreams::Target;
  Target target = node.redirect == Redirect::kPipe     ? Target::kCommand
                  : node.redirect == Redirect::kAppend ? Target::kAppended
                                                       : Target::kFile;
  std::string name = text(*node.destination);
  if (int error = streams_.write(target, name, line); error < 0) {
    fatal(fmt::format("{}: {}", name, error_text(error)));
  }
  return Flow::kNormal;
}

AwkInterpreter::Flow AwkInterpreter::statement(const awk::Delete& node) {
  AwkArray& target = array(node.array);
  if (node.subscripts.empty()) {
    target.clear();
  } else {
    target.erase(key_of(node.subscripts));
  }
  return Flow::kNormal;
}

AwkInterpreter::Flow AwkInterpreter::statement(const awk::Jump& node) {
  switch (node.kind) {
    case awk::Jump::Kind::kBreak: return Flow::kBreak;
    case awk::Jump::Kind::kContinue: return Flow::kContinue;
    case awk::Jump::Kind::kNext: return Flow::kNext;
    case awk::Jump::Kind::kNextFile: return Flow::kNextFile;
  }
  return Flow::kNormal;
}

AwkInterpreter::Flow AwkInterpreter::statement(const awk::Exit& node) {
  if (node.status) status_ = static_cast<int>(evaluate(*node.status).to_number()) & 255;
  return Flow::kExit;
}

AwkInterpreter::Flow AwkInterpreter::statement(const awk::Return& node) {
  returned_ = node.value ? evaluate(*node.value) : AwkValue();
  return Flow::kReturn;
}

}  // namespace nacre::utilities
