// An abstract interpreter of streams: each command is given the type of its input and yields the
// type of what it prints; pipelines are folds, sequences concatenations, branches unions. Values of
// variables are unknown to it.
#include "flow/check.h"

#include <map>

#include "commands/models.h"
#include "flow/stage.h"
#include "flow/words.h"

namespace nacre::flow {

namespace {

using commands::Argument;
using commands::Behaviour;
using commands::Choice;
using commands::Stream;
using shell::Command;

constexpr int kMaxCalls = 8;  // of functions within each other; a deeper call prints anything

class Checker {
 public:
  Checker(const shell::Tree& tree, const commands::CardLibrary& cards)
      : tree_(tree), cards_(cards), values_{context_, [this](const shell::Sequence& body) {
                                              return printed(body);
                                            }} {}

  std::vector<Diagnostic> run() {
    sequence(tree_.program(), commands::opaque_stream(context_));
    return std::move(diagnostics_);
  }

 private:
  // What is printed by the body of a substitution, which reads the script's own input.
  Stream printed(const shell::Sequence& body) {
    return sequence(body, commands::opaque_stream(context_));
  }

  Stream sequence(const shell::Sequence& body, const Stream& input) {
    Stream result = commands::empty_stream(context_);
    for (const shell::Item& item : body.items) {
      if (item.command) result = commands::concatenated(result, command(*item.command, input));
    }
    return result;
  }

  // What the command prints into the pipe or the file behind it.
  Stream command(const Command& node, const Stream& input) {
    std::vector<Stage> stages;
    Stream output = stage(node, input, false, stages);
    report(stages);
    return output;
  }

  // What is to be said of the stages of one pipeline.
  void report(std::span<const Stage> stages) {
    for (size_t i = 0; i < stages.size(); i++) {
      const Stage* next = i + 1 < stages.size() ? &stages[i + 1] : nullptr;
      auto found = judge(tree_.file(), stages.first(i + 1), next);
      std::move(found.begin(), found.end(), std::back_inserter(diagnostics_));
    }
  }

  Stream redirected_input(const Command& node, Stream input) {
    for (const shell::Redirection& redirection : node.redirections) {
      if (redirection.descriptor > 0) continue;
      switch (redirection.op) {
        case shell::RedirectOp::kInput:
        case shell::RedirectOp::kReadWrite:
        case shell::RedirectOp::kDuplicateInput: input = commands::opaque_stream(context_); break;
        case shell::RedirectOp::kHereDocument:
        case shell::RedirectOp::kHereString: input = here_text(redirection); break;
        default: break;
      }
    }
    return input;
  }

  Stream here_text(const shell::Redirection& redirection) {
    const bool is_document = redirection.here_document != nullptr;
    const shell::Word& word = is_document ? redirection.here_document->body : redirection.target;
    Stream result = commands::opaque_stream(context_);
    if (is_document && redirection.here_document->is_quoted) return result;
    expand(word, values_);  // checks the substitutions in it
    return result;
  }

  [[nodiscard]] static bool has_input_redirection(const Command& node) {
    for (const shell::Redirection& redirection : node.redirections) {
      if (redirection.descriptor <= 0 && (redirection.op == shell::RedirectOp::kInput ||
                                          redirection.op == shell::RedirectOp::kHereDocument ||
                                          redirection.op == shell::RedirectOp::kHereString)) {
        return true;
      }
    }
    return false;
  }

  // Output that goes to a file does not go down the pipe; errors that join it make it anything.
  Stream redirected_output(const Command& node, Stream output) {
    for (const shell::Redirection& redirection : node.redirections) {
      const bool is_output = redirection.descriptor == 1 || redirection.descriptor == -1;
      switch (redirection.op) {
        case shell::RedirectOp::kOutput:
        case shell::RedirectOp::kAppend:
        case shell::RedirectOp::kClobber:
          if (is_output) output = commands::empty_stream(context_);
          break;
        case shell::RedirectOp::kOutputAll:
        case shell::RedirectOp::kAppendAll: output = commands::empty_stream(context_); break;
        case shell::RedirectOp::kDuplicateOutput: output = commands::opaque_stream(context_); break;
        default: break;
      }
    }
    return output;
  }

  // `stages` are those before this one in its pipeline.
  Stream stage(const Command& node, const Stream& piped, bool is_piped,
               std::vector<Stage>& stages) {
    const Stream input = redirected_input(node, piped);
    is_piped = is_piped && !has_input_redirection(node);
    Stream output = commands::opaque_stream(context_);
    if (const auto* simple = std::get_if<shell::SimpleCommand>(&node.node)) {
      output = simple_command(node, *simple, input, is_piped, stages);
    } else if (const auto* pipeline = std::get_if<shell::Pipeline>(&node.node)) {
      output = this->pipeline(*pipeline, input);
    } else {
      output = compound(node, input);
    }
    return redirected_output(node, output);
  }

  Stream pipeline(const shell::Pipeline& pipeline, const Stream& input) {
    std::vector<Stage> stages;
    Stream flowing = input;
    bool is_piped = false;
    for (const shell::PipelineItem& item : pipeline.items) {
      if (!item.command) continue;
      const size_t before = stages.size();
      flowing = stage(*item.command, flowing, is_piped, stages);
      if (item.pipes_errors) flowing = commands::opaque_stream(context_);
      // A stage that is no simple command starts a new account of where lines come from.
      if (stages.size() == before) stages.clear();
      is_piped = true;
    }
    report(stages);
    return flowing;
  }

  Stream compound(const Command& node, const Stream& input) {
    struct Visit {
      Checker& self;
      const Stream& input;
      Stream operator()(const shell::SimpleCommand&) const { return none(); }
      Stream operator()(const shell::Pipeline&) const { return none(); }
      Stream operator()(const shell::AndOr& list) const {
        Stream result = none();
        for (const shell::AndOrItem& item : list.items) {
          Stream more = self.command(*item.command, input);
          if (item.op != shell::AndOrOp::kFirst) more.count.least = 0;
          result = commands::concatenated(result, more);
        }
        return result;
      }
      Stream operator()(const shell::BraceGroup& group) const {
        return self.sequence(group.body, input);
      }
      Stream operator()(const shell::Subshell& group) const {
        return self.sequence(group.body, input);
      }
      Stream operator()(const shell::If& branches) const {
        Stream result = branches.else_body ? self.sequence(*branches.else_body, input) : none();
        for (const shell::IfArm& arm : branches.arms) {
          Stream condition = self.sequence(arm.condition, input);
          Stream body = commands::concatenated(condition, self.sequence(arm.body, input));
          result = commands::either(result, body);
        }
        return result;
      }
      Stream operator()(const shell::Case& choice) const {
        expand(*choice.subject, self.values_);
        Stream result = none();
        for (const shell::CaseArm& arm : choice.arms)
          result = commands::either(result, self.sequence(arm.body, input));
        return result;
      }
      Stream operator()(const shell::While& loop) const {
        const Stream condition = self.sequence(*loop.condition, input);
        return repeated(commands::concatenated(condition, self.sequence(*loop.body, input)));
      }
      Stream operator()(const shell::For& loop) const {
        for (const shell::Word& word : loop.words) expand(word, self.values_);
        return repeated(self.sequence(*loop.body, input));
      }
      Stream operator()(const shell::ArithmeticFor& loop) const {
        return repeated(self.sequence(*loop.body, input));
      }
      Stream operator()(const shell::Function& function) const {
        self.functions_[std::string(function.name)] = function.body;
        self.command(*function.body,
                     commands::opaque_stream(self.context_));  // checked once, whatever calls it
        return none();
      }
      Stream operator()(const shell::Conditional&) const { return none(); }
      Stream operator()(const shell::ArithmeticCommand&) const { return none(); }
      Stream operator()(const shell::Coproc& coproc) const {
        self.command(*coproc.command, commands::opaque_stream(self.context_));
        return none();
      }
      Stream operator()(const shell::Broken&) const {
        return commands::opaque_stream(self.context_);
      }

      [[nodiscard]] Stream none() const { return commands::empty_stream(self.context_); }
      // Any number of rounds.
      static Stream repeated(const Stream& body) {
        Stream result(commands::any_line(body));
        result.choice = body.choice;
        result.order = commands::Order::kUnknown;
        if (body.count.most == 0) result.count = {0, 0};
        return result;
      }
    };
    return std::visit(Visit{*this, input}, node.node);
  }

  Stream simple_command(const Command& node, const shell::SimpleCommand& simple,
                        const Stream& input, bool is_piped, std::vector<Stage>& stages) {
    for (const shell::Assignment& assignment : simple.assignments)
      expand(assignment.value, values_);
    std::vector<Argument> arguments;
    for (const shell::Word& word : simple.words) {
      std::vector<Argument> more = expand(word, values_);
      arguments.insert(arguments.end(), std::make_move_iterator(more.begin()),
                       std::make_move_iterator(more.end()));
    }
    if (arguments.empty()) return commands::empty_stream(context_);
    if (!arguments[0].text) return unknown(node, "the command", input, is_piped, stages);
    const std::string name = *arguments[0].text;
    if (auto function = functions_.find(name); function != functions_.end())
      return call(*function->second, input, stages);
    const commands::Card* card = cards_.find(name.substr(name.rfind('/') + 1));
    if (!card) return unknown(node, name, input, is_piped, stages);
    const Span name_span = arguments[0].span;
    arguments.erase(arguments.begin());
    const auto invocation = commands::parse_invocation(*card, name_span, std::move(arguments));
    Behaviour behaviour = commands::behaviour_of(
        invocation, {input, [this](const Argument&) { return commands::opaque_stream(context_); },
                     [this](std::string_view called) { return cards_.find(called); }});
    Stream output = behaviour.output;
    stages.push_back({node.span, name, is_piped, input, std::move(behaviour)});
    return output;
  }

  Stream unknown(const Command& node, std::string name, const Stream& input, bool is_piped,
                 std::vector<Stage>& stages) {
    Stream output = commands::opaque_stream(context_);
    stages.push_back({node.span, std::move(name), is_piped, input, Behaviour(output)});
    return output;
  }

  Stream call(const Command& body, const Stream& input, std::vector<Stage>& stages) {
    stages.clear();
    if (calls_ >= kMaxCalls) return commands::opaque_stream(context_);
    calls_++;
    Stream result = command(body, input);
    calls_--;
    return result;
  }

  regular::Context context_;
  const shell::Tree& tree_;
  const commands::CardLibrary& cards_;
  Values values_;
  std::map<std::string, const Command*, std::less<>> functions_;
  int calls_ = 0;
  std::vector<Diagnostic> diagnostics_;
};

}  // namespace

std::vector<Diagnostic> check(const shell::Tree& tree, const commands::CardLibrary& cards) {
  return Checker(tree, cards).run();
}

}  // namespace nacre::flow
