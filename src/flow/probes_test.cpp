// Random scripts are run by a real shell. Wherever it passes a probe, each variable must hold a
// string of the type that it was given there; and a probe that has no types is in a branch that was
// taken for dead, which the shell must not enter. Nor may it pass where a finding says that nothing
// ever comes.
//
// What is assumed of the user is kept out of these scripts: see Value::is_opaque.
#include <algorithm>
#include <doctest/doctest.h>
#include <fstream>
#include <map>

#include "flow/check.h"
#include "flow/testing/probed_script.h"
#include "flow/testing/real_shell.h"
#include "regular/parse_type.h"
#include "shell/parse.h"

using namespace nacre;

namespace {

// The expansions of a probe, by the places of their first bytes.
std::vector<uint32_t> places_of(const std::string& script, const std::string& number) {
  std::vector<uint32_t> result;
  size_t at = script.find("'" + number + "'");
  const size_t end = script.find('\n', at);
  for (at = script.find("\"$", at); at < end; at = script.find("\"$", at + 1))
    result.push_back(static_cast<uint32_t>(at + 1));
  return result;
}

class ProbedTypes {
 public:
  explicit ProbedTypes(const std::vector<flow::TypeAt>& types) {
    for (const flow::TypeAt& type : types)
      if (type.is_variable) types_.emplace(type.span.begin, type);
  }
  // Empty if the value is of the type; else what is wrong.
  std::string mistake(uint32_t place, const std::string& value) {
    const auto known = types_.find(place);
    if (known == types_.end()) return "this was taken for dead";
    const std::string type = known->second.output();
    if (type.starts_with('<')) return "";  // a shape in words
    const auto lang = langs_.try_emplace(type, regular::parse_type(context_, type)).first->second;
    if (!lang) return "no type: " + type;
    if (contains(*lang, value)) return "";
    return known->second.name + " : " + type + " but it is '" + value + "'";
  }

 private:
  regular::Context context_;
  std::map<uint32_t, flow::TypeAt> types_;
  std::map<std::string, Result<regular::Lang>> langs_;
};

// The probe that opens what the finding calls unreachable; empty if it says no such thing.
std::string probe_ruled_out(const Diagnostic& found, const std::string& script) {
  const std::string_view before = std::string_view(script).substr(0, found.span.begin);
  const std::string_view after = std::string_view(script).substr(found.span.end);
  const bool is_false = found.message.find("always false") != std::string::npos;
  const bool is_true = found.message.find("always true") != std::string::npos;
  const bool is_branch =
      found.code == "T301" &&
      ((is_false && (after.starts_with("; then\ns=$?") || after.starts_with(" && {\ns=$?"))) ||
       (is_true && after.starts_with(" || {\ns=$?")));
  const bool is_arm = found.code == "T302" && before.ends_with('\n') && !before.ends_with(";&\n") &&
                      after.starts_with(")");
  if ((!is_branch && !is_arm) || before.ends_with("! ")) return "";
  const size_t begin = script.find("'#", found.span.end) + 1;
  return script.substr(begin, script.find('\'', begin) - begin);
}

// Runs and types one script; the number of values that were compared.
int compare(const std::string& script, bool is_bash, uint32_t seed,
            const commands::CardLibrary& cards) {
  const auto values = flow::testing::run_for_values(is_bash ? "bash" : "sh", script);
  const auto parsed = shell::parse_file(SourceFile("test.sh", script),
                                        is_bash ? shell::Dialect::kBash : shell::Dialect::kSh);
  if (!parsed.is_valid()) {
    FAIL_CHECK("seed ", seed, ", not valid: ", parsed.diagnostics[0].message, "\n", script);
    return 0;
  }
  flow::CheckOptions options;
  options.wants_types = true;
  const flow::CheckResult result = flow::check(parsed.tree, cards, options);
  for (const Diagnostic& found : result.findings) {
    const std::string probe = probe_ruled_out(found, script);
    const bool is_passed = std::find(values.begin(), values.end(), probe) != values.end();
    if (!probe.empty() && is_passed)
      FAIL_CHECK("seed ", seed, ", probe ", probe, ": ", found.message, "\n", script);
  }
  ProbedTypes types(flow::types_of(result.facts));
  int compared = 0;
  for (size_t at = 0; at < values.size();) {
    const std::string probe = values[at++];
    for (const uint32_t place : places_of(script, probe)) {
      if (at >= values.size() || values[at].starts_with('#')) break;
      const std::string mistake = types.mistake(place, values[at++]);
      compared++;
      if (mistake.empty()) continue;
      FAIL_CHECK("seed ", seed, ", probe ", probe, ": ", mistake, "\n", script);
      return compared;
    }
  }
  return compared;
}

uint32_t from_environment(const char* name, uint32_t otherwise) {
  const char* text = std::getenv(name);
  return text ? static_cast<uint32_t>(std::atoi(text)) : otherwise;
}

}  // namespace

TEST_CASE("wherever a shell comes, its variables are of their types") {
  const commands::CardLibrary cards;
  // More of them are for whoever has changed what is inferred: NACRE_SEEDS=2000.
  const uint32_t begin = from_environment("NACRE_FIRST_SEED", 0);
  const uint32_t seeds = from_environment("NACRE_SEEDS", 80);
  int compared = 0;
  for (uint32_t seed = begin; seed < begin + seeds; seed++) {
    const bool is_bash = seed % 3 != 0;
    compared += compare(flow::testing::ProbedScript(seed, is_bash).text(), is_bash, seed, cards);
  }
  CHECK(compared > 10 * static_cast<int>(seeds));
}

// Each statement in so many scripts of its own: NACRE_EACH=3.
TEST_CASE("each statement alone") {
  const commands::CardLibrary cards;
  const uint32_t begin = from_environment("NACRE_FIRST_SEED", 0);
  const auto compare_all = [&](flow::testing::Templates statements, uint32_t seed, bool is_bash) {
    for (const std::string_view statement : statements) {
      const std::string script = flow::testing::ProbedScript(seed, is_bash).text_of(statement);
      compare(script, is_bash, seed, cards);
    }
  };
  for (uint32_t seed = begin; seed < begin + from_environment("NACRE_EACH", 0); seed++) {
    for (const auto& each : flow::testing::kPortable) compare_all(each, seed, seed % 2 == 0);
    for (const auto& each : flow::testing::kBashOnly) compare_all(each, seed, true);
  }
}

// For whoever reduces a script that fails: NACRE_PROBED=script.sh, or script.bash.
TEST_CASE("a probed script of one's own") {
  const char* path = std::getenv("NACRE_PROBED");
  if (!path) return;
  std::ifstream file(path);
  const std::string script{std::istreambuf_iterator<char>(file), {}};
  compare(script, std::string_view(path).ends_with(".bash"), 0, commands::CardLibrary());
}
