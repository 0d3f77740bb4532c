// preservation: does a script do what another one does? A world that tells them apart refutes it;
// it is proved where the second is what purify makes of the first with equal rewrites alone.
#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "prove/validate.h"
#include "prove/verify.h"
#include "purify/purify.h"
#include "shell/parse.h"
#include "shell/visitor.h"

namespace nacre::prove {

namespace {

bool is_bash(const SourceFile& file) {
  return purify::dialect_of(file).value_or(shell::Dialect::kSh) == shell::Dialect::kBash;
}

// What a script that reads nothing may call.
bool is_closed_command(std::string_view name, const std::set<std::string_view>& functions) {
  constexpr std::string_view kNames[] = {"echo", "printf", ":",      "true", "false", "local",
                                         "set",  "export", "return", "exit", "unset", "readonly"};
  return functions.contains(name) ||
         std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

// The names that it sets and defines.
struct Names {
  std::set<std::string_view> functions, variables;
};

Names names_of(const shell::Tree& tree) {
  Names names;
  shell::walk(tree.program(),
              shell::Visitor{[&](const shell::Command& command) {
                               if (const auto* each = std::get_if<shell::Function>(&command.node))
                                 names.functions.insert(each->name->text);
                               return true;
                             },
                             [&](const shell::Assignment& each) {
                               names.variables.insert(each.name);
                               return true;
                             }});
  return names;
}

// A script that reads no argument, variable, input or file, and writes at most one file whose name
// is written out: what it does depends on nothing but what is at that path, and the worlds have
// every kind of thing there for root and for a user.
bool is_closed(const SourceFile& file, std::set<std::string>& written) {
  const shell::ParseResult parsed =
      shell::parse_file(file, is_bash(file) ? shell::Dialect::kBash : shell::Dialect::kSh);
  if (!parsed.is_valid()) return false;
  const Names names = names_of(parsed.tree);
  bool result = true;
  shell::walk(
      parsed.tree.program(),
      shell::Visitor{[&](const shell::Parameter& node) {
                       result &= node.kind == shell::ParameterKind::kVariable &&
                                 names.variables.contains(node.name);
                       return true;
                     },
                     [&](const shell::Word& word) {
                       result &= !word.has(shell::kWordMayGlob) && !word.has(shell::kWordHasTilde);
                       return true;
                     },
                     [&](const shell::Redirection& each) {
                       const bool is_file = each.op == shell::RedirectOp::kOutput ||
                                            each.op == shell::RedirectOp::kAppend ||
                                            each.op == shell::RedirectOp::kOutputAll ||
                                            each.op == shell::RedirectOp::kAppendAll;
                       const bool copies = each.op == shell::RedirectOp::kDuplicateOutput;
                       result &= (is_file || copies) && each.target.is_literal();
                       if (is_file && each.target.is_literal())
                         written.emplace(each.target.literal());
                       return true;
                     },
                     [&](const shell::Command& command) {
                       const auto* simple = std::get_if<shell::SimpleCommand>(&command.node);
                       if (simple == nullptr || simple->words.empty()) return true;
                       result &= simple->words[0].is_literal() &&
                                 is_closed_command(simple->words[0].literal(), names.functions);
                       return true;
                     }});
  return result;
}

// A script of bash that the simulation cannot run: in the spelling of sh, if that is the same.
SourceFile runnable(const SourceFile& file, const commands::CardLibrary& cards) {
  if (!is_bash(file)) return file;
  purify::Settings settings;
  settings.dialect = shell::Dialect::kBash;
  settings.goals = purify::kPosix;
  const Purified translated = purify::purify(file, settings, cards);
  const bool is_same =
      std::all_of(translated.done.begin(), translated.done.end(), [](const Rewrite& each) {
        return each.kind == RewriteClass::kEqual || each.name == "process-file";
      });
  return translated.refused.empty() && is_same ? SourceFile(file.name(), translated.text) : file;
}

}  // namespace

Finding preserves(const SourceFile& file, const SourceFile& original,
                  const commands::CardLibrary& cards, size_t worlds) {
  Finding result{"preservation", Verdict::kOpen, {}, {}, {}, false};
  Comparison compared =
      compare_in_worlds({original, is_bash(original)}, {file, is_bash(file)}, worlds);
  if (compared.worlds == 0) {
    const SourceFile before = runnable(original, cards), after = runnable(file, cards);
    compared = compare_in_worlds({before, is_bash(before)}, {after, is_bash(after)}, worlds);
  }
  if (compared.difference) {
    result.verdict = Verdict::kRefuted;
    result.reason = compared.difference->what;
    result.witness = compared.difference->world;
    return result;
  }
  purify::Settings settings;
  settings.dialect = purify::dialect_of(original).value_or(shell::Dialect::kSh);
  settings.equal_only = true;
  const Purified purified = purify::purify(original, settings, cards);
  if (purified.text == file.bytes() || original.bytes() == file.bytes()) {
    result.verdict = Verdict::kProved;
    result.reason =
        fmt::format("{} equal rewrites, every obligation discharged", purified.done.size());
    return result;
  }
  std::set<std::string> written;
  if (is_closed(original, written) && is_closed(file, written) && written.size() <= 1 &&
      compared.worlds > 0 && compared.undecided == 0) {
    result.verdict = Verdict::kProved;
    result.reason =
        fmt::format("both read nothing, so that {} worlds are all that matter", compared.worlds);
    return result;
  }
  result.reason = fmt::format("equal in {} worlds ({} decided nothing); no proof for the others",
                              compared.worlds, compared.undecided);
  return result;
}

}  // namespace nacre::prove
