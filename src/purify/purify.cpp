#include "purify/purify.h"

#include <algorithm>

#include "base/shebang.h"
#include "purify/offers.h"

namespace nacre::purify {

namespace {

// In the order in which they are chosen where two of them touch the same bytes.
constexpr Offer kOffers[] = {offer_backquotes,
                             offer_let,
                             offer_conditionals,
                             offer_test_operators,
                             offer_patterns,
                             offer_arithmetic,
                             offer_arithmetic_loops,
                             offer_quote_forms,
                             offer_braces,
                             offer_parameters,
                             offer_functions,
                             offer_redirections,
                             offer_here_strings,
                             offer_appends,
                             offer_fall_through,
                             offer_process_substitutions,
                             offer_arrays,
                             offer_builtins,
                             offer_locals,
                             offer_options,
                             offer_clock,
                             offer_temporary_names,
                             offer_order,
                             offer_listed_files,
                             offer_flags,
                             offer_links,
                             offer_guards,
                             offer_single_lines,
                             offer_removal_guards,
                             offer_quotes,
                             offer_echo};

// Inner ones first: what stands around them is offered again in the next round.
std::vector<Rewrite> offers_for(const Script& script) {
  std::vector<Rewrite> result;
  for (Offer offer : kOffers) offer(script, result);
  std::stable_sort(result.begin(), result.end(), [](const Rewrite& a, const Rewrite& b) {
    return a.place.size() < b.place.size();
  });
  return result;
}

void drop_withdrawn(const RewriteRounds& rounds, const Withdrawn& withdrawn,
                    std::vector<Rewrite>& offers) {
  std::erase_if(offers, [&](const Rewrite& each) {
    return withdrawn.contains({std::string(each.name), rounds.original(each.place).begin});
  });
}

// Only when nothing else is left: marks, then the first line.
std::vector<Rewrite> last_offers(const Script& script) {
  std::vector<Rewrite> result;
  offer_marks(script, result);
  offer_interpreter(script, result);
  return result;
}

// `${NAME:-0} instead of ...`: the variable that is asked from now on.
void note_input(const Rewrite& done, Settings& settings) {
  const bool is_input = done.name == "clock" || done.name == "host" || done.name == "user";
  if (is_input) settings.inputs.insert(done.message.substr(2, done.message.find(':') - 2));
}

void sort_by_place(std::vector<Rewrite>& list) {
  std::stable_sort(list.begin(), list.end(), [](const Rewrite& a, const Rewrite& b) {
    return a.place.begin < b.place.begin;
  });
}

std::vector<Rewrite> syntax_errors(const Script& script) {
  std::vector<Rewrite> result;
  for (const Diagnostic& each : script.problems()) {
    if (each.severity == Severity::kError)
      result.push_back(rewrite("syntax", each.span, each.message));
  }
  if (result.empty()) result.push_back(rewrite("syntax", {}, "the script does not parse"));
  return result;
}

}  // namespace

std::optional<shell::Dialect> dialect_of(const SourceFile& file) {
  if (const auto dialect = shell::detect_dialect(file)) return dialect;
  const std::string_view interpreter = interpreter_of(file.bytes());
  return interpreter.empty() ? std::optional(shell::Dialect::kSh) : std::nullopt;
}

Purified purify(const SourceFile& file, const Settings& given, const commands::CardLibrary& cards,
                const Withdrawn& withdrawn) {
  Purified result;
  Settings settings = given;
  RewriteRounds rounds(file, {.equal_only = settings.equal_only, .max_rounds = settings.max_rounds},
                       result);
  const auto refuse = [&](std::vector<Rewrite> reasons) {
    for (Rewrite& each : reasons) {
      each.place = rounds.original(each.place);
      result.refused.push_back(std::move(each));
    }
  };
  while (true) {
    for (const Rewrite& each : result.done) note_input(each, settings);
    const Script script(rounds.current(), settings, cards);
    if (!script.is_valid()) {
      refuse(syntax_errors(script));
      break;
    }
    std::vector<Rewrite> offers = offers_for(script);
    drop_withdrawn(rounds, withdrawn, offers);
    if (rounds.apply(std::move(offers))) continue;
    if (rounds.apply(last_offers(script))) continue;
    refuse(find_refusals(script));
    break;
  }
  sort_by_place(result.done);
  sort_by_place(result.kept);
  return result;
}

}  // namespace nacre::purify
