#include "python/check.h"

#include <algorithm>
#include <fmt/core.h>

#include "base/codes.h"
#include "python/confirm.h"
#include "python/parse.h"
#include "python/show.h"
#include "python/sink_calls.h"

namespace nacre::python {
namespace {

class FunctionChecker {
 public:
  FunctionChecker(const Program& program, const Function& function, const Limits& limits,
                  std::map<const Function*, uint64_t>& costs)
      : program_(program), function_(function), limits_(limits), costs_(costs) {}

  // Where to put the types of its expressions.
  void record_types(std::vector<TypedPlace>* places) { places_ = places; }

  FunctionReport run() {
    FunctionReport report;
    report.name = function_.facts->name;
    report.span = function_.definition->name_span;
    report.is_typed = function_.is_typed;
    // Little can be said of functions without types: they get a small part of the budget.
    constexpr uint64_t kUntypedPart = 8;
    if (!function_.is_typed && !is_script()) {
      limits_.steps /= kUntypedPart;
      limits_.work /= kUntypedPart;
    }
    program_.words().allow_work(limits_.work);
    Interpreter interpreter(program_, false, limits_);
    interpreter.know_costs(&costs_);
    std::map<ExprId, Interpreter::Recorded> types;
    if (places_ != nullptr) interpreter.record_types(&types);
    Outcome outcome = interpreter.run(function_);
    if (places_ != nullptr) describe_types(types);
    costs_[&function_] = interpreter.steps();
    domain_ = &interpreter.domain();
    report.unsupported = outcome.unsupported;
    report.assumptions = outcome.assumptions;
    report.is_exhausted = outcome.is_exhausted;
    report.raises.assign(outcome.raises.begin(), outcome.raises.end());
    program_.words().allow_work(limits_.work);
    Confirmer confirmer(program_, function_, *domain_, limits_);
    for (const Failure* failure : shortest_first(outcome.failures))
      add_finding(*failure, outcome, confirmer, report);
    std::sort(report.findings.begin(), report.findings.end(),
              [](const Finding& a, const Finding& b) { return a.span.begin < b.span.begin; });
    const auto any = [&](const auto& holds) {
      return std::any_of(report.findings.begin(), report.findings.end(), holds);
    };
    const bool is_rejected = any([](const Finding& finding) {
      return !is_sink(finding.kind) && (finding.is_confirmed || finding.is_constant);
    });
    const bool is_open = outcome.is_exhausted || !report.unsupported.empty() ||
                         any([](const Finding& finding) { return !is_sink(finding.kind); });
    report.verdict = is_rejected ? Verdict::kRejected
                     : is_open   ? Verdict::kUnknown
                                 : Verdict::kVerified;
    for (const Shown& shown : outcome.shown) {
      report.shown.push_back(
          {shown.span, shown.is_string ? show(program_, shown.words) : show(program_, shown.type)});
    }
    if (!outcome.is_exhausted && outcome.returns_anything) {
      report.returns = outcome.returns_only_strings ? show(program_, outcome.returned) : "";
      report.returned_type = show(program_, outcome.returned_type);
    }
    return report;
  }

 private:
  void describe_types(const std::map<ExprId, Interpreter::Recorded>& types) {
    const Parameters& parameters = function_.definition->parameters;
    size_t at = 0;
    for (const auto* list :
         {&parameters.positional_only, &parameters.positional, &parameters.keyword_only}) {
      for (const Parameter& one : *list) {
        const Type& type = function_.parameters[at++];
        if (!type.is_any()) places_->push_back({one.span, one.name, show(program_, type)});
      }
    }
    for (const auto& [id, recorded] : types) {
      const auto* name = program_.tree().get<Name>(id);
      if (recorded.type.is_any() || program_.tree()[id].span.empty()) continue;
      places_->push_back({program_.tree()[id].span, name != nullptr ? name->id : "",
                          show(program_, recorded.type), !recorded.is_assigned});
    }
  }

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

  // The module, or a function that is called without arguments: it does one thing only.
  [[nodiscard]] bool is_script() const {
    return !function_.facts->cls && function_.parameters.empty();
  }

  void add_finding(const Failure& failure, const Outcome& outcome, Confirmer& confirmer,
                   FunctionReport& report) {
    // What a function without types expects of its arguments is not known.
    const bool is_type =
        failure.kind != FailureKind::kRaise && failure.kind != FailureKind::kAssert;
    if (!function_.is_typed && !is_script() && !is_type) return;
    auto known =
        std::find_if(report.findings.begin(), report.findings.end(), [&](const Finding& finding) {
          return finding.span == failure.span && finding.kind == failure.kind;
        });
    const bool is_known = known != report.findings.end();
    if (is_known && known->is_confirmed) return;
    std::optional<Witness> shown = confirmer.confirm(failure);
    if (!shown && !failure.doubt.empty()) {
      // Too little is known to blame this place without a run that fails there.
      const auto same = [&](const Unsupported& one) { return one.span == failure.span; };
      if (std::none_of(report.unsupported.begin(), report.unsupported.end(), same))
        report.unsupported.push_back({failure.span, "whether " + failure.doubt});
      return;
    }
    if (!is_known) {
      report.findings.push_back({failure.kind, failure.span, message(failure), {}, "", false});
      known = report.findings.end() - 1;
    }
    if (shown) {
      known->is_confirmed = true;
      known->is_constant = false;
      known->arguments = std::move(shown->arguments);
      known->call = std::move(shown->call);
      return;
    }
    // The same constant whenever this place is reached, and never a right one.
    const bool is_checked_place =
        failure.kind == FailureKind::kArgument || failure.kind == FailureKind::kVariable;
    known->is_constant = is_checked_place && !failure.constant.empty() &&
                         outcome.passed.count(failure.span.begin) == 0 && !outcome.is_exhausted;
    if (known->is_constant) known->call = failure.constant;
  }

  static std::string message(const Failure& failure) {
    switch (failure.kind) {
      case FailureKind::kRaise: return fmt::format("{}: {}", failure.exception, failure.reason);
      case FailureKind::kAssert: return "AssertionError: the assertion can fail";
      case FailureKind::kArgument: return "argument: " + failure.reason;
      case FailureKind::kReturn: return "result: " + failure.reason;
      case FailureKind::kVariable: return "variable: " + failure.reason;
      case FailureKind::kInvariant: return "the invariant does not hold";
      case FailureKind::kSql:
      case FailureKind::kShell:
      case FailureKind::kFileName:
      case FailureKind::kCode: return failure.reason;
    }
    return "";
  }

  const Program& program_;
  const Function& function_;
  Limits limits_;
  std::map<const Function*, uint64_t>& costs_;
  const Domain* domain_ = nullptr;
  std::vector<TypedPlace>* places_ = nullptr;
};

constexpr std::string_view kCodes[] = {"Y101", "Y102", "Y103", "Y104", "Y105",
                                       "Y106", "Y401", "Y402", "Y403", "Y404"};

// A place is reported once: by a run that shows the failure if there is one, otherwise by the first
// function that leads there.
class Reporter {
 public:
  Reporter(const SourceFile& file, const FileReport& report) : file_(file) {
    for (const FunctionReport& function : report.functions) {
      for (const Finding& found : function.findings) {
        if (found.is_confirmed || found.is_constant) shown_.insert(key(found));
      }
    }
  }

  void add(const FunctionReport& report) {
    for (const Finding& found : report.findings) add(found, report);
    if (report.is_typed) {
      for (const Unsupported& unsupported : report.unsupported) {
        if (!named_.insert(unsupported.span.begin).second) continue;
        out_.push_back(finding("Y202", file_, unsupported.span,
                               fmt::format("{} is not checked, so '{}' cannot be verified",
                                           unsupported.what, report.name),
                               Confidence::kCertain));
      }
      if (report.is_exhausted) {
        out_.push_back(finding("Y203", file_, report.span,
                               fmt::format("the check of '{}' was not finished", report.name),
                               Confidence::kCertain));
      }
    }
    if (report.is_typed && report.verdict == Verdict::kVerified) {
      out_.push_back(finding("Y302", file_, report.span, verified(report), Confidence::kCertain));
    }
    for (const ShownType& shown : report.shown)
      out_.push_back(
          finding("Y301", file_, shown.span, "the type is " + shown.type, Confidence::kCertain));
  }

  std::vector<Diagnostic> take() { return std::move(out_); }

 private:
  using Key = std::pair<uint32_t, FailureKind>;
  static Key key(const Finding& found) { return {found.span.begin, found.kind}; }

  void add(const Finding& found, const FunctionReport& report) {
    if (is_sink(found.kind)) return add_sink(found);
    if (!found.is_confirmed && !found.is_constant) {
      if (!report.is_typed || shown_.count(key(found)) > 0 || !open_.insert(key(found)).second)
        return;
      out_.push_back(finding("Y201", file_, found.span, "not proved: " + found.message,
                             Confidence::kPossible));
      return;
    }
    if (!reported_.insert(key(found)).second) return;
    std::string message = found.message;
    if (found.is_constant) message += ", whenever this place is reached";
    out_.push_back(finding(kCodes[static_cast<size_t>(found.kind)], file_, found.span, message,
                           Confidence::kCertain));
    out_.back().counterexample = found.call;
  }

  [[nodiscard]] std::string verified(const FunctionReport& report) const {
    std::string out = fmt::format("'{}' is verified", report.name);
    for (size_t i = 0; i < report.assumptions.size(); ++i) {
      const Unsupported& one = report.assumptions[i];
      out += fmt::format("{}{} (line {})", i == 0 ? ", if " : ", and ", one.what,
                         file_.line_of(one.span.begin));
    }
    return out;
  }

  // Whether the caller means it so is not known.
  void add_sink(const Finding& found) {
    if (!reported_.insert(key(found)).second) return;
    out_.push_back(finding(kCodes[static_cast<size_t>(found.kind)], file_, found.span,
                           found.message, Confidence::kLikely));
    out_.back().counterexample = found.call;
  }

  const SourceFile& file_;
  std::set<Key> shown_, reported_, open_;
  std::set<uint32_t> named_;
  std::vector<Diagnostic> out_;
};

// Functions inside others are checked where they are called; those that nothing calls are not
// reached by any check, and say so.
bool is_checked_alone(const Function& function) {
  return !function.facts->is_lambda && !function.facts->parent &&
         function.facts->binding != Binding::kModule && !function.definition->is_async;
}

// Does the module do anything but define things?
bool has_statements(const Program& program) {
  const Tree& tree = program.tree();
  return std::any_of(tree.body().begin(), tree.body().end(), [&](StmtId id) {
    if (const auto* statement = tree.get<ExprStmt>(id))
      return tree.get<StringLiteral>(statement->value) == nullptr;
    if (const auto* assign = tree.get<Assign>(id)) {
      const auto* call = tree.get<Call>(assign->value);
      const auto* name = call != nullptr ? tree.get<Name>(call->function) : nullptr;
      return name == nullptr || name->id != "lang";
    }
    return tree.get<Import>(id) == nullptr && tree.get<ImportFrom>(id) == nullptr &&
           tree.get<TypeAlias>(id) == nullptr && tree.get<Pass>(id) == nullptr &&
           (tree.get<FunctionDef>(id) == nullptr ||
            !tree.get<FunctionDef>(id)->parameters.defaults.empty());
  });
}

}  // namespace

std::vector<Diagnostic> findings_of(const FileReport& report, const SourceFile& file) {
  std::vector<Diagnostic> out;
  for (const Error& problem : report.problems) {
    out.push_back(finding(report.is_syntax_error ? "Y001" : "Y002", file, problem.span,
                          problem.message, Confidence::kCertain));
  }
  Reporter reporter(file, report);
  for (const FunctionReport& function : report.functions) reporter.add(function);
  for (Diagnostic& one : reporter.take()) out.push_back(std::move(one));
  return out;
}

namespace {

bool holds_any(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
    return text.find(word) != std::string_view::npos;
  });
}

// Without one of these words there is nothing to check.
bool may_have_types(std::string_view text) {
  return holds_any(text, {"lang", "show_type", "inv", "type "});
}
bool may_have_sinks(std::string_view text) {
  return holds_any(text, {": str", ":str"}) &&
         holds_any(text, {"execute", "shell=True", "system", "popen", "getoutput", "eval(", "exec(",
                          "open(", "remove(", "unlink(", "rmtree("});
}

// In a file without language types only what reaches a sink from a declared string is looked at.
bool is_worth_checking(const Program& program, const Function& function) {
  if (!is_checked_alone(function)) return false;
  if (program.has_types()) return true;
  return function.takes_strings && calls_sink(program.tree(), function.definition->body);
}

// Where a function is followed into another one that was verified for all arguments of its types,
// what seems to fail in there is lost precision. Preconditions (assertions on plain values) are the
// caller's business.
void drop_refuted(const Program& program, FileReport& report) {
  std::vector<Span> verified;
  for (const Function& function : program.functions()) {
    for (const FunctionReport& known : report.functions) {
      if (known.verdict == Verdict::kVerified && known.is_typed &&
          !function.definition->body.empty() && function.definition->name_span == known.span &&
          !function.facts->is_lambda)
        verified.push_back(
            {known.span.begin, program.tree()[function.definition->body.back()].span.end});
    }
  }
  for (FunctionReport& function : report.functions) {
    const size_t before = function.findings.size();
    std::erase_if(function.findings, [&](const Finding& found) {
      return !found.is_confirmed && !found.is_constant && !is_sink(found.kind) &&
             found.kind != FailureKind::kAssert &&
             std::any_of(verified.begin(), verified.end(), [&](Span body) {
               return body.begin != function.span.begin && body.contains(found.span);
             });
    });
    const bool is_clear = function.findings.empty() && before > 0 && function.unsupported.empty() &&
                          !function.is_exhausted;
    if (is_clear && function.verdict == Verdict::kUnknown) function.verdict = Verdict::kVerified;
  }
}

// In a file without language types nobody asked for a verdict, and code that is evaluated is meant
// to be: only what reaches a database, a shell or a file from a declared string is kept.
void keep_sinks(FunctionReport& function) {
  function.is_typed = false;
  std::erase_if(function.findings, [](const Finding& found) {
    return !is_sink(found.kind) || found.kind == FailureKind::kCode;
  });
}

bool is_shown(const Finding& found) {
  return found.is_confirmed || found.is_constant || is_sink(found.kind);
}

}  // namespace

FileReport check_python(std::string_view text, const Limits& limits) {
  FileReport report;
  Result<Tree> tree = parse(text);
  if (!tree) {
    report.problems.push_back(tree.error());
    report.is_syntax_error = true;
    return report;
  }
  report.shell_texts = find_shell_texts(*tree, text);
  if (!may_have_types(text) && !may_have_sinks(text)) return report;
  std::unique_ptr<Program> program =
      Program::prepare(std::move(*tree), {.steps = 2'000'000, .states = 4'000});
  report.has_types = program->has_types();
  report.problems = program->problems();
  if (!program->has_types() && !program->has_sinks()) return report;
  std::map<const Function*, uint64_t> costs;
  for (const Function& function : program->functions()) {
    if (is_worth_checking(*program, function))
      report.functions.push_back(FunctionChecker(*program, function, limits, costs).run());
  }
  if (program->has_types() && has_statements(*program)) {
    FunctionReport module = FunctionChecker(*program, program->module(), limits, costs).run();
    module.is_typed = module.is_typed || !module.shown.empty();
    report.functions.push_back(std::move(module));
  }
  // A function that becomes verified by it may help another one.
  for (int round = 0; round < 2; ++round) drop_refuted(*program, report);
  if (!report.has_types) {
    for (FunctionReport& function : report.functions) keep_sinks(function);
  }
  // Functions without types are of interest only where they go wrong.
  std::erase_if(report.functions, [](const FunctionReport& function) {
    return !function.is_typed &&
           std::none_of(function.findings.begin(), function.findings.end(), is_shown);
  });
  return report;
}

std::vector<TypedPlace> python_types(std::string_view text, const Limits& limits) {
  std::vector<TypedPlace> places;
  Result<Tree> tree = parse(text);
  if (!tree) return places;
  std::unique_ptr<Program> program =
      Program::prepare(std::move(*tree), {.steps = 2'000'000, .states = 4'000}, true);
  std::map<const Function*, uint64_t> costs;
  for (const Function& function : program->functions()) {
    const bool is_module = &function == &program->module();
    if (!is_module && !is_checked_alone(function)) continue;
    FunctionChecker checker(*program, function, limits, costs);
    checker.record_types(&places);
    checker.run();
  }
  std::stable_sort(places.begin(), places.end(), [](const TypedPlace& a, const TypedPlace& b) {
    return a.span.begin != b.span.begin ? a.span.begin < b.span.begin : a.span.end > b.span.end;
  });
  return places;
}

}  // namespace nacre::python
