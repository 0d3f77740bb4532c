#include "prove/verify.h"

#include <algorithm>

#include "explore/open_scene.h"
#include "explore/prepare.h"
#include "prove/subject.h"
#include "purify/purify.h"
#include "purify/values.h"

namespace nacre::prove {

namespace {

struct Row {
  std::string_view name;
  Property decide;
};
constexpr Row kProperties[] = {
    {"determinism", determinism},
    {"idempotence-root", idempotence_root},
    {"idempotence-user", idempotence_user},
    {"injection", injection},
    {"toctou", toctou},
    {"termination", termination},
    {"posix", posix},
    {"undefined-variables", undefined_variables},
    {"unchecked-failures", unchecked_failures},
};

// For a script of bash: its translation, if every construct has one.
std::string text_to_explore(const Subject& subject) {
  if (!subject.is_bash()) return std::string(subject.file.bytes());
  purify::Settings settings;
  settings.dialect = shell::Dialect::kBash;
  settings.goals = purify::kPosix;
  const Purified translated = purify::purify(subject.file, settings, subject.cards);
  return translated.refused.empty() ? translated.text : "";
}

}  // namespace

Subject::Subject(const SourceFile& source, const commands::CardLibrary& library,
                 VerifyOptions given)
    : file(source), cards(library), options(std::move(given)) {
  purify::Settings settings;
  settings.dialect = purify::dialect_of(source).value_or(shell::Dialect::kSh);
  script = std::make_unique<purify::Script>(source, settings, library);
  is_valid = script->is_valid();
  calls = purify::calls_of(*script);
  has_unknown_code = script->has_unknown_code();
}

bool Subject::is_bash() const { return script->settings().dialect == shell::Dialect::kBash; }

const Explored& Subject::explored(const std::string& user) {
  const auto [found, is_new] = explorations_.try_emplace(user);
  Explored& result = found->second;
  if (!is_new) return result;
  const std::string text = text_to_explore(*this);
  if (text.empty()) {
    result.refusal = "constructs of bash that have no other spelling";
    return result;
  }
  result.start = explore::open_world();
  explore::Given given;
  given.user = user;
  auto prepared = explore::prepare(SourceFile(file.name(), text), given, result.start);
  if (!prepared) {
    result.refusal = prepared.error().message;
    return result;
  }
  result.script = std::move(*prepared);
  // Trees are any: also those in which the directories of the system are the user's own.
  if (result.script.actor.user != 0) explore::give_all(result.script, result.start);
  explore::Budget budget;
  budget.runs = options.runs;
  budget.steps = 3'000'000;
  budget.steps_of_run = 60'000;
  result.report = explore::report_on(result.script, result.start, budget);
  result.refusal = result.report.refusal;
  return result;
}

std::string symbol_of(const Subject& subject, const shell::Word& word) {
  if (const auto text = purify::constant_of(*subject.script, word)) {
    std::string path = *text;
    while (path.starts_with("./")) path = path.substr(2);
    return path;
  }
  std::string text = subject.script->text(word.span);
  std::erase_if(text, [](char c) { return c == '"' || c == '{' || c == '}'; });
  return text;
}

bool is_plain_trap(const Subject& subject, const purify::Call& call) {
  if (!call.is("trap") || call.words.size() < 3 || !call.words[1].is_literal()) return false;
  const std::string_view text = call.words[1].literal();
  return text == "-" || text.empty() || subject.script->has_function(text);
}

std::vector<Finding> verify(const SourceFile& file, const commands::CardLibrary& cards,
                            const VerifyOptions& options) {
  Subject subject(file, cards, options);
  std::vector<Finding> result;
  for (const Row& row : kProperties) {
    const auto& wanted = options.properties;
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), row.name) == wanted.end())
      continue;
    Finding finding;
    if (subject.is_valid) {
      finding = row.decide(subject);
    } else {
      finding.reason = "the script does not parse";
    }
    finding.property = row.name;
    result.push_back(std::move(finding));
  }
  return result;
}

}  // namespace nacre::prove
