#include "docker/check.h"

#include <algorithm>
#include <set>

#include "base/codes.h"
#include "base/memory_files.h"
#include "docker/rules.h"
#include "flow/check.h"
#include "shell/visitor.h"

namespace nacre::docker {

namespace {

// What a RUN sees of the outside: no file, and the variables that it reads as far as the Dockerfile
// gives them.
void set_variables(const Facts& facts, const Script& script, MemoryFiles& files) {
  std::set<std::string_view> seen;
  shell::walk(script.program().tree.program(),
              shell::Visitor{[&](const shell::Parameter& parameter) {
                if (!seen.insert(parameter.name).second) return;
                const Definition* found = facts.stages.find_variable(parameter.name, *script.step);
                if (found != nullptr && found->value)
                  files.set_variable(std::string(parameter.name), *found->value);
              }});
  if (const auto directory = facts.stages.working_directory(*script.step))
    files.set_variable("PWD", *directory);
}

// ShellCheck's names for it, so that what others wrote about them still holds.
void add_aliases(Diagnostic& diagnostic) {
  if (const Code* code = find_code(diagnostic.code)) {
    for (const std::string_view twin : code->shellcheck_twins)
      diagnostic.aliases.emplace_back(twin);
  }
}

class Checker {
 public:
  Checker(const SourceFile& source, const commands::CardLibrary& cards, const CheckOptions& options)
      : cards_(cards),
        options_(options),
        gathered_(gather_facts(source, cards, {options.reads_pragmas, options.max_scripts})),
        facts_(*gathered_),
        findings_(source) {
    facts_.demands = options.demands;
    facts_.ignore_file = options.ignore_file;
  }

  CheckResult run() {
    result_.is_exhausted = facts_.is_exhausted;
    for (const Rule rule : rules()) rule(facts_, findings_);
    report_pragmas();
    result_.findings = findings_.take();
    result_.is_valid &= facts_.file.problems.empty() && !facts_.file.instructions.empty();
    for (const auto& script : facts_.scripts) check_script(*script);
    for (const auto& script : facts_.commands) check_script(*script);
    limit();
    describe_layout();
    return std::move(result_);
  }

 private:
  void report_pragmas() {
    constexpr size_t kMaxPragmas = 1'000;  // of a file; they must not use up the limit for the rest
    auto& ignoring = facts_.pragmas.ignoring;
    if (ignoring.size() > kMaxPragmas) ignoring.resize(kMaxPragmas);
    for (const Span comment : ignoring)
      findings_.add("D009", comment, "this comment hides findings", {"DL1001"},
                    Confidence::kCertain);
  }

  void check_script(const Script& script) {
    if (result_.findings.size() > options_.max_findings) return;
    if (script.step->instruction->form == Form::kJson) return;
    std::vector<Diagnostic> found;
    for (const auto& program : script.programs) {
      for (const Diagnostic& each : program->diagnostics) found.push_back(each);
    }
    result_.is_valid &= script.program().is_valid();
    MemoryFiles files;
    // When the image runs, `docker run -e` may have set its variables to anything.
    if (script.step->instruction->keyword == Keyword::kRun) set_variables(facts_, script, files);
    flow::CheckOptions options;
    options.files = &files;
    options.concretizes = true;
    const Shell& shell = facts_.shell_of(*script.step);
    // An sh that is not known may be busybox's or bash.
    options.is_program = shell.is_of_image && shell.dialect == shell::Dialect::kDash;
    options.budget.stop = options_.stop;
    flow::CheckResult checked = flow::check(script.program().tree, cards_, options);
    result_.is_exhausted |= checked.is_exhausted;
    std::move(checked.findings.begin(), checked.findings.end(), std::back_inserter(found));
    for (Diagnostic& each : found) {
      if (each.code == "J104" || is_known(each)) continue;  // a build has no other users
      if (each.code == "P002" && is_defined(each.span, *script.step)) continue;
      add_aliases(each);
      result_.findings.push_back(std::move(each));
    }
  }

  // `$UID` is a variable like others where ARG or ENV sets it.
  [[nodiscard]] bool is_defined(Span span, const Step& step) const {
    std::string_view name = facts_.file.source.text(span);
    name.remove_prefix(std::min(name.find_first_not_of("${"), name.size()));
    name = name.substr(0, name.find('}'));
    return facts_.stages.find_variable(name, step) != nullptr;
  }

  // A rule of this module has more to say about the same place.
  [[nodiscard]] bool is_known(const Diagnostic& diagnostic) const {
    return std::any_of(result_.findings.begin(), result_.findings.end(),
                       [&](const Diagnostic& each) {
                         return each.code == "D311" && diagnostic.span.contains(each.span) &&
                                (diagnostic.code == "X102" || diagnostic.code == "X110");
                       });
  }

  void limit() {
    if (result_.findings.size() <= options_.max_findings) return;
    result_.findings.resize(options_.max_findings);
    result_.is_exhausted = true;
  }

  void describe_layout() {
    result_.layout.comments = facts_.file.comments;
    for (const Instruction& each : facts_.file.instructions)
      result_.layout.statements.push_back(each.span);
    result_.layout.suppressions = std::move(facts_.pragmas.suppressions);
  }

  const commands::CardLibrary& cards_;
  const CheckOptions& options_;
  std::unique_ptr<Facts> gathered_;
  Facts& facts_;
  Findings findings_;
  CheckResult result_;
};

}  // namespace

CheckResult check(const SourceFile& source, const commands::CardLibrary& cards,
                  const CheckOptions& options) {
  return Checker(source, cards, options).run();
}

}  // namespace nacre::docker
