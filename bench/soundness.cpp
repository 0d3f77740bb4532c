// Every card and model against the real commands, for as long as one likes.
//
//   bench_soundness [--seed N] [--rounds N] [--chains N] [--show] [--write FILE]
//
// Prints what was said and is false, and how many command lines are exact; --show lists those that
// are not, with a line too many. --write makes the page of docs.
#include <cstdlib>
#include <filesystem>
#include <fmt/core.h>
#include <fstream>
#include <string_view>

#include "commands/testing/survey.h"

namespace {

constexpr double kSlow = 20;  // milliseconds

struct Options {
  uint32_t seed = 1, rounds = 20, chains = 2000;
  bool shows = false;
  std::string page;
  std::string only;  // trials that begin with this
};

Options options_of(int argc, char** argv) {
  Options result;
  for (int i = 1; i < argc; i++) {
    const std::string_view name = argv[i];
    const std::string value = i + 1 < argc ? argv[i + 1] : "";
    const auto number = static_cast<uint32_t>(std::strtoul(value.c_str(), nullptr, 10));
    if (name == "--show") {
      result.shows = true;
      continue;
    }
    if (name == "--seed") result.seed = number;
    if (name == "--rounds") result.rounds = number;
    if (name == "--chains") result.chains = number;
    if (name == "--write") result.page = value;
    if (name == "--only") result.only = value;
    i++;
  }
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace nacre::commands;
  const Options options = options_of(argc, argv);
  const ScratchDirectory scratch(std::filesystem::absolute("tests/commands/tree.sh"));
  const CardLibrary cards;
  const Laboratory laboratory(scratch.path(), cards);
  std::vector<Trial> trials = read_all_trials("tests/commands");
  std::erase_if(trials, [&](const Trial& t) { return !t.text.starts_with(options.only); });
  Survey survey(laboratory, std::move(trials), options.seed);
  survey.run_each(options.rounds);
  survey.run_chains(options.chains);
  size_t runs = 0, exact = 0, tried = 0, wrong = 0;
  for (const Record& record : survey.records()) {
    runs += record.runs;
    tried += record.runs > 0;
    exact += record.runs > 0 && record.is_exact;
    wrong += record.false_claims.size();
    for (const std::string& claim : record.false_claims) fmt::print("{}\n", claim);
    if (options.shows && record.runs == 0) fmt::print("not run: {}\n", record.trial->text);
    if (options.shows && record.slowest > kSlow)
      fmt::print("slow: {}: {:.0f} ms\n", record.trial->text, record.slowest);
    if (options.shows && !record.is_exact)
      fmt::print("not exact: {}: \"{}\"\n", record.trial->text, record.spare_line);
  }
  fmt::print("{} command lines, {} of them run, {} exact; {} runs, {} false claims\n",
             survey.records().size(), tried, exact, runs, wrong);
  if (!options.page.empty()) std::ofstream(options.page) << page_of(cards, survey.records());
  return wrong == 0 ? 0 : 1;
}
