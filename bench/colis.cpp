// The interpreters of CoLiS against what the report proves of them and against facts about real
// utilities: round trips, properties over random programs, cases. Part of `./dev bench colis`.
//
// usage: bench_colis [FACTS] [PROGRAMS]
//        bench_colis --scripts FILE...    each script beside its translation, with the words that
//        dpkg gives
#include <cstdio>
#include <ctime>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <span>

#include "colis/parser.h"
#include "colis/printer.h"
#include "colis/testing/properties.h"
#include "colis/testing/random_programs.h"

using namespace nacre::colis;
using nlohmann::json;

namespace {

TreeValue tree_of(const json& value) {
  TreeValue tree;
  if (value.is_object()) {
    for (const auto& [name, child] : value.items()) tree.entries.emplace(name, tree_of(child));
    return tree;
  }
  const std::string text = value.get<std::string>();
  tree.kind =
      text.starts_with("l:") ? nacre::world::FileKind::kLink : nacre::world::FileKind::kRegular;
  tree.bytes = text.substr(2);
  return tree;
}

std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  for (size_t begin = 0; begin < line.size();) {
    const size_t end = std::min(line.find(' ', begin), line.size());
    const std::string word = line.substr(begin, end - begin);
    words.push_back(word == "''" ? "" : word);
    begin = end + 1;
  }
  return words;
}

int check_facts(const char* path) {
  std::ifstream file(path);
  if (!file) {
    fmt::print("facts: skipped, there is no {}\n", path);
    return 0;
  }
  size_t count = 0, held = 0, shown = 0;
  for (std::string line; std::getline(file, line);) {
    const json fact = json::parse(line);
    const json& after = fact["after"] == "same" ? fact["before"] : fact["after"];
    const std::string command = fact["cmd"];
    const std::string wrong =
        check_fact(words_of(command), tree_of(fact["before"]), fact["rc"] == 0, tree_of(after));
    ++count;
    held += wrong.empty() ? 1 : 0;
    if (!wrong.empty() && ++shown <= 20)
      fmt::print("  {} before {}: {}; status {}, after {}\n", command, fact["before"].dump(), wrong,
                 fact["rc"].dump(), fact["after"].dump());
  }
  fmt::print("facts: {} of {} in exactly one case, with its status and its tree\n", held, count);
  return held == count ? 0 : 1;
}

int show(const char* name, const PropertyResult& result) {
  for (const std::string& violation : result.violations) {
    if (violation != "(not shown)") fmt::print("--- {}\n", violation);
  }
  fmt::print(
      "{}: {} violations in {} programs, {} runs compared, {} covered by an incomplete state "
      "only\n",
      name, result.violations.size(), result.programs, result.checks, result.incomplete);
  std::fflush(stdout);
  return result.violations.empty() ? 0 : 1;
}

int check_round_trip(size_t trees) {
  RandomPrograms programs(1);
  size_t held = 0;
  for (size_t i = 0; i < trees; ++i) {
    const Program program = programs.any_program();
    auto again = parse(print(program), {});
    held += again && *again == program ? 1 : 0;
  }
  fmt::print("round trip: parse(print(p)) == p for {} of {} random trees\n", held, trees);
  return held == trees ? 0 : 1;
}

// The words that dpkg gives to a maintainer script.
std::vector<std::string> calls_of(const std::string& path) {
  const std::string name = path.substr(path.rfind('/') + 1);
  if (name == "preinst") return {"install"};
  if (name == "prerm") return {"remove"};
  if (name == "postrm") return {"remove", "purge", "abort-install"};
  if (name == "postinst") return {"configure", "abort-remove"};
  return {"configure"};
}

int check_scripts(std::span<char*> paths) {
  size_t compared = 0, alike = 0, left_out = 0;
  for (const char* path : paths) {
    std::ifstream file(path);
    const std::string script{std::istreambuf_iterator<char>(file), {}};
    for (const std::string& word : calls_of(path)) {
      const auto wrong = check_translation(script, {word});
      left_out += wrong ? 0 : 1;
      compared += wrong ? 1 : 0;
      alike += wrong && wrong->empty() ? 1 : 0;
      if (wrong && !wrong->empty()) fmt::print("--- {} {}: {}\n", path, word, *wrong);
    }
  }
  fmt::print(
      "translations: {} of {} calls end as in the shell under -e (result, output, files); {} left "
      "out (not translated, or a utility without a model)\n",
      alike, compared, left_out);
  return alike == compared ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::span<char*> arguments(argv, static_cast<size_t>(argc));
  if (argc > 1 && std::string_view(argv[1]) == "--scripts")
    return check_scripts(arguments.subspan(2));
  const size_t programs = argc > 2 ? std::stoul(argv[2]) : 2000;
  const clock_t begin = std::clock();
  int failures = check_round_trip(10 * (programs > 1000 ? 1000 : programs));
  failures += check_facts(argc > 1 ? argv[1] : "../shared/corpora/utilities-ground-truth.jsonl");
  failures += show("over-approximation", check_over_approximation(1, programs, false));
  failures += show("over-approximation with links", check_over_approximation(2, programs, true));
  failures += show("under-approximation", check_under_approximation(3, programs));
  failures += show("agreement with the shell", check_shell_agreement(4, programs));
  failures += show("bounds", check_bounds(5, programs));
  fmt::print("CPU: {:.1f} s\n", static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
  return failures == 0 ? 0 : 1;
}
