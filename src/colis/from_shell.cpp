#include "colis/from_shell.h"

#include <fmt/format.h>

#include "colis/translator.h"
#include "shell/builtins.h"

namespace nacre::colis {

using shell::Command;

namespace {

// A `shift` in this text, outside of functions of its own or within: better one too many.
bool has_shift(const shell::Tree& tree, Span span) {
  const std::string_view text = tree.text(span);
  for (size_t at = text.find("shift"); at != std::string_view::npos;
       at = text.find("shift", at + 1)) {
    const bool begins = at == 0 || !is_name_character(text[at - 1]);
    const bool ends = at + 5 >= text.size() || !is_name_character(text[at + 5]);
    if (begins && ends) return true;
  }
  return false;
}

uint32_t depth_of(const Instruction& instruction);
uint32_t depth_of(const StringExpression& expression) {
  uint32_t depth = 0;
  for (const StringExpression& part : expression.parts) depth = std::max(depth, depth_of(part));
  for (const Instruction& inner : expression.embedded) depth = std::max(depth, depth_of(inner));
  return depth + 1;
}
uint32_t depth_of(const Instruction& instruction) {
  uint32_t depth = depth_of(instruction.value);
  for (const ListFragment& item : instruction.list) depth = std::max(depth, depth_of(item.value));
  for (const Instruction& part : instruction.parts) depth = std::max(depth, depth_of(part));
  return depth + 1;
}

}  // namespace

Result<Program> from_shell(const shell::Tree& tree, const TranslationOptions& options) {
  return Translator(tree, options).run();
}

Result<Program> Translator::run() {
  shifts_ = has_shift(*tree_, tree_->file().whole());
  note_words(*tree_, {});
  program_.body = sequence_of(tree_->program(), false);
  if (refused_) return tl::unexpected<Error>(*refused_);
  uint32_t depth = depth_of(program_.body);
  for (const FunctionDefinition& function : program_.functions)
    depth = std::max(depth, depth_of(function.body));
  if (depth > options_.max_depth)
    return fail({}, fmt::format("the program is nested more than {} deep", options_.max_depth));
  return std::move(program_);
}

void Translator::refuse(Span span, std::string reason) {
  if (!refused_) refused_ = Error{source_span_.value_or(span), std::move(reason)};
}

// A file that is read in later may use a name that was made before.
void Translator::note_words(const shell::Tree& tree, Span span) {
  const std::string_view text = tree.file().bytes();
  for (size_t at = 0; at < text.size();) {
    size_t end = at;
    while (end < text.size() && is_name_character(text[end])) ++end;
    const std::string_view word = text.substr(at, end - at);
    if (!word.empty()) words_.emplace(word);
    if (made_.contains(word))
      refuse(span, fmt::format("{}: the name {}", tree.file().name(), word));
    at = end + 1;
  }
}

std::string Translator::unused(std::string name) {
  while (words_.contains(name) || functions_.contains(name) || made_.contains(name)) name += "_";
  made_.insert(name);
  return name;
}

std::string Translator::fresh(const std::string& purpose) {
  return unused(fmt::format("{}_{}", purpose, ++names_made_));
}

Instruction Translator::sequence_of(const shell::Sequence& body, bool is_scope) {
  std::vector<Instruction> items;
  if (is_scope) scope_.push_back(++scopes_made_);
  for (const shell::Item& item : body.items) {
    if (refused_) break;
    if (item.terminator == shell::Terminator::kBackground)
      refuse_feature(item.command->span, "asynchronous separator &");
    Instruction translated = command(*item.command);
    items.push_back(std::move(translated));
  }
  if (is_scope) scope_.pop_back();
  return sequence(std::move(items));
}

Instruction Translator::command(const Command& command) {
  if (refused_) return {};
  Instruction result = command.redirections.empty() ? node(command) : redirected(command, 0, false);
  result.span = source_span_.value_or(command.span);
  return result;
}

Instruction Translator::node(const Command& command) {
  if (const auto* one = std::get_if<shell::SimpleCommand>(&command.node))
    return simple(*one, command.span);
  if (const auto* group = std::get_if<shell::BraceGroup>(&command.node))
    return sequence_of(group->body, false);
  if (const auto* defined = std::get_if<shell::Function>(&command.node))
    return function(*defined, command.span);
  if (const auto* list = std::get_if<shell::AndOr>(&command.node)) return and_or(*list);
  if (const auto* pipe = std::get_if<shell::Pipeline>(&command.node)) return pipeline(*pipe);
  ++depth_;
  Instruction result;
  if (const auto* inner = std::get_if<shell::Subshell>(&command.node)) {
    std::vector<Instruction> parts;
    parts.push_back(sequence_of(inner->body));
    result = with_parts(Instruction::kProcess, std::move(parts));
  } else if (const auto* choice = std::get_if<shell::If>(&command.node)) {
    result = if_command(*choice);
  } else if (const auto* loop = std::get_if<shell::While>(&command.node)) {
    result = while_command(*loop);
  } else if (const auto* each = std::get_if<shell::For>(&command.node)) {
    result = for_command(*each, command.span);
  } else if (const auto* match = std::get_if<shell::Case>(&command.node)) {
    result = case_command(*match);
  } else {
    refuse_feature(command.span, "a command that the standard shell does not have");
  }
  --depth_;
  return result;
}

Instruction Translator::negated(Instruction of) {
  std::vector<Instruction> parts;
  parts.push_back(std::move(of));
  return with_parts(Instruction::kNot, std::move(parts));
}

Instruction Translator::pipeline(const shell::Pipeline& pipeline) {
  if (pipeline.is_timed || pipeline.items.empty()) {
    refuse_feature({}, "time");
    return {};
  }
  ++depth_;
  std::vector<Instruction> members;
  for (size_t i = 0; i < pipeline.items.size(); ++i) {
    const bool is_captured = i + 1 < pipeline.items.size();
    captures_ += is_captured ? 1 : 0;
    if (pipeline.items[i].pipes_errors) refuse_feature(pipeline.items[i].command->span, "|&");
    members.push_back(command(*pipeline.items[i].command));
    captures_ -= is_captured ? 1 : 0;
  }
  auto joined = [](Instruction left, Instruction right) {
    std::vector<Instruction> parts;
    parts.push_back(std::move(left));
    parts.push_back(std::move(right));
    return with_parts(Instruction::kPipe, std::move(parts));
  };
  Instruction result;
  if (options_.is_original) {  // it nests to the left
    result = std::move(members.front());
    for (size_t i = 1; i < members.size(); ++i)
      result = joined(std::move(result), std::move(members[i]));
  } else {
    result = std::move(members.back());
    for (size_t i = members.size() - 1; i > 0; --i)
      result = joined(std::move(members[i - 1]), std::move(result));
  }
  --depth_;
  return pipeline.is_negated ? negated(std::move(result)) : result;
}

Instruction Translator::and_or(const shell::AndOr& list) {
  ++depth_;
  Instruction result = command(*list.items[0].command);
  for (const shell::AndOrItem& item : list.items.subspan(1)) {
    Instruction right = command(*item.command);
    result = item.op == shell::AndOrOp::kAnd
                 ? conditional(std::move(result), std::move(right), negated(utility(nothing())))
                 : conditional(std::move(result), utility(nothing()), std::move(right));
  }
  --depth_;
  return result;
}

Instruction Translator::if_command(const shell::If& node) {
  std::vector<std::pair<Instruction, Instruction>> arms;
  for (const shell::IfArm& arm : node.arms) {
    Instruction condition = sequence_of(arm.condition);
    arms.emplace_back(std::move(condition), sequence_of(arm.body));
  }
  Instruction result =
      node.else_body == nullptr ? utility(nothing()) : sequence_of(*node.else_body);
  for (auto arm = arms.rbegin(); arm != arms.rend(); ++arm)
    result = conditional(std::move(arm->first), std::move(arm->second), std::move(result));
  return result;
}

Instruction Translator::while_command(const shell::While& node) {
  Instruction condition = sequence_of(*node.condition);
  if (node.is_until) condition = negated(std::move(condition));
  std::vector<Instruction> parts;
  parts.push_back(std::move(condition));
  parts.push_back(sequence_of(*node.body));
  return with_parts(Instruction::kWhile, std::move(parts));
}

Instruction Translator::for_command(const shell::For& node, Span span) {
  Instruction result = with_parts(Instruction::kFor, {});
  result.name = node.name->text;
  if (node.is_select || (!node.has_in && options_.is_original)) {
    refuse_feature(span, "for with no list");
  } else if (node.has_in) {
    result.list = list(node.words());
  } else if (auto all = all_arguments(span)) {
    result.list = words(std::move(*all));
  }
  result.parts.push_back(sequence_of(*node.body));
  return result;
}

// The pattern as a condition on the variable `subject`.
Instruction Translator::matches(const shell::Word& pattern, const std::string& subject,
                                bool& is_star) {
  const std::string_view text = tree_->text(pattern.span);
  is_star = text == "*";
  const auto parts = pattern.parts();
  const bool has_double_quotes = std::any_of(
      parts.begin(), parts.end(),
      [](const shell::Part& part) { return part.kind == shell::PartKind::kDoubleQuoted; });
  const bool is_plain = pattern.is_literal() && (!options_.is_original || !has_double_quotes);
  if (is_plain) {
    return utility(
        "test", words({variable(subject), literal("="), literal(std::string(pattern.literal()))}));
  }
  if (options_.is_original || pattern.has(shell::kWordHasExpansion)) {
    refuse_feature(pattern.span, "case when non-literal patterns");
    return {};
  }
  const std::string script = fmt::format("case $1 in {}) ;; *) exit 1 ;; esac", text);
  return utility("sh", words({literal("-c"), literal(script), literal("sh"), variable(subject)}));
}

Instruction Translator::case_command(const shell::Case& node) {
  const std::string subject = options_.is_original ? "case_N" : fresh("case");
  Instruction set = set_anyway(subject, whole(*node.subject));
  struct Arm {
    Instruction condition, body;
  };
  std::vector<Arm> arms;
  Instruction otherwise = utility(nothing());
  for (const shell::CaseArm& arm : node.arms) {
    if (arm.end == shell::CaseEnd::kFallThrough || arm.end == shell::CaseEnd::kContinue)
      refuse_feature(arm.span, ";& in case");
    const bool is_last = &arm == &node.arms.back();
    Instruction condition;
    bool has_star = false;
    for (const shell::Word& pattern : arm.patterns) {
      bool is_star = false;
      Instruction one;
      if (tree_->text(pattern.span) == "*" &&
          (!options_.is_original || (is_last && arm.patterns.size() == 1))) {
        is_star = true;
        one = utility("true");
      } else {
        one = matches(pattern, subject, is_star);
      }
      has_star = has_star || is_star;
      condition = &pattern == &arm.patterns.front()
                      ? std::move(one)
                      : conditional(std::move(condition), utility(nothing()), std::move(one));
    }
    Instruction body = sequence_of(arm.body);
    if (has_star) {  // nothing comes after it
      otherwise = std::move(body);
      break;
    }
    arms.push_back({std::move(condition), std::move(body)});
  }
  for (auto arm = arms.rbegin(); arm != arms.rend(); ++arm)
    otherwise = conditional(std::move(arm->condition), std::move(arm->body), std::move(otherwise));
  std::vector<Instruction> items;
  items.push_back(std::move(set));
  items.push_back(std::move(otherwise));
  return sequence(std::move(items));
}

// Functions are defined before the program begins; where one stood is `true`.
Instruction Translator::function(const shell::Function& node, Span span) {
  const std::string name(node.name->text);
  auto known = functions_.find(name);
  const bool is_again =
      known != functions_.end() && !options_.is_original &&
      known->second.tree->text(known->second.node->body->span) == tree_->text(node.body->span);
  if (is_again) {  // the same text in another branch
    known->second.scopes.push_back(scope_);
    return utility("true");
  }
  if (shell::is_special_builtin(name)) {
    refuse(span,
           options_.is_original ? "Syntax error" : "a function with the name of a special builtin");
  } else if (functions_.contains(name) || made_.contains(name)) {
    refuse_feature(span, "function definition shadowing an other function");
  } else if (used_names_.contains(name)) {
    refuse_feature(span, "function definition after a use of the same name");
  }
  if (refused_) return {};
  Function& defined = functions_[name];
  defined = {&node, tree_, false, {scope_}};
  add_function(name, defined, std::nullopt);
  return utility("true");
}

void Translator::add_function(const std::string& name, const Function& function,
                              std::optional<size_t> arguments) {
  if (!being_added_.insert(name).second) return;  // it calls itself
  const size_t place = program_.functions.size();
  program_.functions.push_back({name, {}});
  const bool was_in_function = std::exchange(in_function_, true);
  const bool was_shifting =
      std::exchange(shifts_, has_shift(*function.tree, function.node->body->span));
  const auto outer_count = std::exchange(known_count_, arguments);
  const bool wanted = std::exchange(wanted_count_, false);
  const uint32_t outer_depth = std::exchange(depth_, 0);
  const uint32_t outer_captures = std::exchange(captures_, 0);
  const shell::Tree* outer_tree = std::exchange(tree_, function.tree);
  Instruction body = command(*function.node->body);
  program_.functions[place].body = std::move(body);
  tree_ = outer_tree;
  captures_ = outer_captures;
  depth_ = outer_depth;
  const bool wants = std::exchange(wanted_count_, wanted);
  known_count_ = outer_count;
  shifts_ = was_shifting;
  in_function_ = was_in_function;
  if (wants && !arguments) {  // only its copies are called
    if (plain_calls_.contains(name))
      refuse_feature(function.node->body->span, "recursion with \"$@\"");
    functions_[name].wants_arguments = true;
    program_.functions.erase(program_.functions.begin() + static_cast<std::ptrdiff_t>(place));
  }
}

}  // namespace nacre::colis
