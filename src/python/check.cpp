#include "python/check.h"

#include <algorithm>
#include <fmt/core.h>

#include "base/codes.h"
#include "python/parse.h"
#include "python/show.h"

namespace nacre::python {
namespace {

// Does the function fail on these arguments, when it is really run?
class Replay {
 public:
  Replay(const Program& program, const Function& function, const Limits& limits)
      : program_(program), function_(function), limits_(limits) {}

  // Whether the only way in which a run can end is this failure.
  bool fails(const std::vector<Word>& words, const std::vector<Value>& inputs, Span span,
             FailureKind kind) const {
    Interpreter interpreter(program_, true, limits_);
    State state;
    std::vector<Value> arguments = inputs;
    for (size_t i = 0; i < arguments.size(); ++i) {
      if (arguments[i].as<Text>() != nullptr)
        arguments[i] = {interpreter.domain().constant_text(state, words[i])};
    }
    Outcome outcome = interpreter.run(function_, &arguments, std::move(state));
    if (outcome.is_exhausted || !outcome.unsupported.empty() || outcome.endings != 1) return false;
    return outcome.failures.size() == 1 && outcome.failures[0].span == span &&
           outcome.failures[0].kind == kind;
  }

 private:
  const Program& program_;
  const Function& function_;
  Limits limits_;
};

class FunctionChecker {
 public:
  FunctionChecker(const Program& program, const Function& function, const Limits& limits)
      : program_(program),
        function_(function),
        limits_(limits),
        replay_(program, function, limits) {}

  FunctionReport run() {
    FunctionReport report;
    report.name = function_.definition->name;
    report.span = function_.definition->name_span;
    Interpreter interpreter(program_, false, limits_);
    Outcome outcome = interpreter.run(function_, nullptr);
    domain_ = &interpreter.domain();
    report.unsupported = outcome.unsupported;
    report.is_exhausted = outcome.is_exhausted;
    for (const Failure* failure : shortest_first(outcome.failures)) add_finding(*failure, report);
    std::sort(report.findings.begin(), report.findings.end(),
              [](const Finding& a, const Finding& b) { return a.span.begin < b.span.begin; });
    bool is_rejected = std::any_of(report.findings.begin(), report.findings.end(),
                                   [](const Finding& finding) { return finding.is_confirmed; });
    bool is_open = outcome.is_exhausted || !outcome.unsupported.empty() || !report.findings.empty();
    report.verdict = is_rejected ? Verdict::kRejected
                     : is_open   ? Verdict::kUnknown
                                 : Verdict::kVerified;
    for (const Shown& shown : outcome.shown) {
      report.shown.push_back(
          {shown.span, shown.is_string ? show(program_, shown.words) : shown.other});
    }
    if (!outcome.is_exhausted && outcome.returns_anything) {
      report.returns = outcome.returns_only_strings ? show(program_, outcome.returned) : "";
    }
    return report;
  }

 private:
  // By the length of the inputs that lead there, so that examples are short.
  [[nodiscard]] std::vector<const Failure*> shortest_first(
      const std::vector<Failure>& failures) const {
    std::vector<std::pair<size_t, const Failure*>> sized;
    for (const Failure& failure : failures) {
      size_t size = ~size_t{0};
      if (std::optional<std::vector<Word>> words = domain_->example(failure.state, nullptr)) {
        size = 0;
        for (const Word& word : *words) size += word.size();
      }
      sized.emplace_back(size, &failure);
    }
    std::stable_sort(sized.begin(), sized.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<const Failure*> result;
    for (const auto& [size, failure] : sized) result.push_back(failure);
    return result;
  }

  void add_finding(const Failure& failure, FunctionReport& report) {
    auto known =
        std::find_if(report.findings.begin(), report.findings.end(), [&](const Finding& finding) {
          return finding.span == failure.span && finding.kind == failure.kind;
        });
    if (known == report.findings.end()) {
      report.findings.push_back({failure.kind, failure.span, message(failure), {}, false});
      known = report.findings.end() - 1;
    }
    if (known->is_confirmed) return;
    confirm(failure, *known);
  }

  static std::string message(const Failure& failure) {
    switch (failure.kind) {
      case FailureKind::kRaise: return fmt::format("{}: {}", failure.exception, failure.reason);
      case FailureKind::kAssert: return "AssertionError: the assertion can fail";
      case FailureKind::kArgument: return "argument: " + failure.reason;
      case FailureKind::kReturn: return "result: " + failure.reason;
      case FailureKind::kVariable: return "variable: " + failure.reason;
      case FailureKind::kInvariant: return "the invariant does not hold";
    }
    return "";
  }

  void confirm(const Failure& failure, Finding& finding) {
    std::vector<int64_t> numbers;
    std::vector<Value> inputs = failure.state.inputs;
    if (std::optional<std::vector<Word>> words = domain_->example(failure.state, &numbers)) {
      size_t next = 0;
      for (Value& input : inputs) {
        if (input.as<Linear>() != nullptr) input = {Linear(numbers[next++])};
      }
      if (try_words(*words, inputs, failure, finding)) return;
    } else {
      for (Value& input : inputs) {
        if (input.as<Linear>() != nullptr) input = {Linear(0)};
      }
    }
    if (tried_ > kMaxTries) return;
    // The state joins several paths and its own example was none of them: look further.
    for (size_t i = 0; i < inputs.size(); ++i) {
      const auto* text = failure.state.inputs[i].as<Text>();
      if (text == nullptr) continue;
      std::vector<Word> others;
      for (const Value& input : failure.state.inputs) {
        const auto* other = input.as<Text>();
        Words language =
            other != nullptr ? domain_->language(failure.state, *other) : program_.words().none();
        std::vector<Word> first = program_.words().first_words(language, 1);
        others.push_back(first.empty() ? Word{} : first[0]);
      }
      const Words language = domain_->language(failure.state, *text);
      for (bool is_varied : {false, true}) {
        for (Word& word : is_varied ? program_.words().varied_words(language, 60)
                                    : program_.words().first_words(language, 60)) {
          others[i] = std::move(word);
          if (++tried_ > kMaxTries || try_words(others, inputs, failure, finding)) return;
        }
      }
    }
  }

  bool try_words(const std::vector<Word>& words, const std::vector<Value>& inputs,
                 const Failure& failure, Finding& finding) {
    if (!replay_.fails(words, inputs, failure.span, failure.kind)) return false;
    finding.is_confirmed = true;
    finding.arguments.clear();
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (inputs[i].as<Text>() != nullptr)
        finding.arguments.push_back(python_literal(program_.letters().text(words[i])));
      else if (const auto* number = inputs[i].as<Linear>())
        finding.arguments.push_back(std::to_string(number->constant));
      else if (const auto* truth = inputs[i].as<bool>())
        finding.arguments.emplace_back(*truth ? "True" : "False");
      else
        finding.arguments.emplace_back("None");
    }
    return true;
  }

  static constexpr int kMaxTries = 300;
  const Program& program_;
  const Function& function_;
  Limits limits_;
  Replay replay_;
  const Domain* domain_ = nullptr;
  int tried_ = 0;
};

}  // namespace

namespace {

std::string call_text(const std::string& name, const std::vector<std::string>& arguments) {
  std::string out = name + "(";
  for (const std::string& argument : arguments) out += (out.back() == '(' ? "" : ", ") + argument;
  return out + ")";
}

constexpr std::string_view kCodes[] = {"Y101", "Y102", "Y103", "Y104", "Y105", "Y106"};

void diagnose(const SourceFile& file, const FunctionReport& report, std::vector<Diagnostic>& out) {
  for (const Finding& found : report.findings) {
    if (!found.is_confirmed) {
      out.push_back(
          finding("Y201", file, found.span, "not proved: " + found.message, Confidence::kPossible));
      continue;
    }
    out.push_back(finding(kCodes[static_cast<size_t>(found.kind)], file, found.span, found.message,
                          Confidence::kCertain));
    out.back().counterexample = call_text(report.name, found.arguments);
  }
  for (const Unsupported& unsupported : report.unsupported) {
    out.push_back(finding(
        "Y202", file, unsupported.span,
        fmt::format("{} is not checked, so '{}' cannot be verified", unsupported.what, report.name),
        Confidence::kCertain));
  }
  if (report.is_exhausted) {
    out.push_back(finding("Y203", file, report.span,
                          fmt::format("the check of '{}' was not finished", report.name),
                          Confidence::kCertain));
  }
  for (const ShownType& shown : report.shown)
    out.push_back(
        finding("Y301", file, shown.span, "the type is " + shown.type, Confidence::kCertain));
}

}  // namespace

std::vector<Diagnostic> diagnose_python(const SourceFile& file, const Limits& limits,
                                        bool* is_valid) {
  std::vector<Diagnostic> out;
  FileReport report = check_python(file.bytes(), limits);
  *is_valid = !report.is_syntax_error;
  for (const Error& problem : report.problems) {
    out.push_back(finding(report.is_syntax_error ? "Y001" : "Y002", file, problem.span,
                          problem.message, Confidence::kCertain));
  }
  for (const FunctionReport& function : report.functions) diagnose(file, function, out);
  return out;
}

FileReport check_python(std::string_view text, const Limits& limits) {
  FileReport report;
  Result<Tree> tree = parse(text);
  if (!tree) {
    report.problems.push_back(tree.error());
    report.is_syntax_error = true;
    return report;
  }
  std::unique_ptr<Program> program =
      Program::prepare(std::move(*tree), {.steps = 2'000'000, .states = 4'000});
  report.problems = program->problems();
  for (const Function& function : program->functions()) {
    if (function.is_checked)
      report.functions.push_back(FunctionChecker(*program, function, limits).run());
  }
  return report;
}

}  // namespace nacre::python
