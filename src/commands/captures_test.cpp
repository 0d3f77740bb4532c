// Cards against what real commands have printed: tests/captures/COMMAND/NAME.txt, made by
// tests/captures/collect. Every line must be of the card's type, and of one of its kinds.
#include <algorithm>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>

#include "commands/card_library.h"
#include "commands/models.h"
#include "commands/testing/trial.h"
#include "regular/decide.h"

using namespace nacre::commands;
namespace regular = nacre::regular;

namespace {

struct Capture {
  std::string command;
  std::vector<std::string> lines;
};

Capture read_capture(const std::filesystem::path& path) {
  std::ifstream file(path);
  Capture result;
  std::string line;
  std::getline(file, line);  // the version
  std::getline(file, line);
  result.command = line.substr(2);
  while (std::getline(file, line)) result.lines.push_back(line);
  return result;
}

std::vector<std::filesystem::path> captures() {
  std::vector<std::filesystem::path> result;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(NACRE_SOURCE_DIR "/tests/captures")) {
    if (entry.path().extension() == ".txt") result.push_back(entry.path());
  }
  std::sort(result.begin(), result.end());
  return result;
}

// Words in single quotes or without any.
std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> result;
  bool is_quoted = false, is_open = false;
  for (const char c : text) {
    if (c == '\'') {
      is_quoted = !is_quoted;
      if (!is_open) result.emplace_back();
      is_open = true;
    } else if (c == ' ' && !is_quoted) {
      is_open = false;
    } else {
      if (!is_open) result.emplace_back();
      is_open = true;
      result.back() += c;
    }
  }
  return result;
}

Stream claimed(const CardLibrary& cards, Context& context, const std::vector<std::string>& words) {
  const auto [card, implied] = cards.meaning_of(words[0]);
  REQUIRE(card != nullptr);
  std::vector<Argument> arguments;
  for (size_t i = 1; i < words.size(); i++)
    arguments.push_back({{}, context.literal(words[i]), words[i], words[i]});
  const Invocation invocation = parse_invocation(*card, {}, std::move(arguments));
  CHECK(invocation.problems.empty());
  const auto file = [&](const Argument&) { return opaque_stream(context); };
  return behaviour_of(invocation, {empty_stream(context), file, {}}).output;
}

}  // namespace

TEST_CASE("what real commands have printed is of the types that their cards give") {
  const CardLibrary cards;
  for (const auto& path : captures()) {
    const Capture capture = read_capture(path);
    CAPTURE(path.string());
    Context context;
    const Stream stream = claimed(cards, context, words_of(capture.command));
    CHECK(stream.choice == Choice::kFormat);
    for (size_t i = 0; i < capture.lines.size(); i++) {
      const std::string& line = capture.lines[i];
      CAPTURE(line);
      const Lang expected = i < stream.first.size() ? stream.first[i] : stream.rest;
      CHECK(regular::contains(expected, line));
      if (stream.kinds.empty()) continue;
      CHECK(std::any_of(stream.kinds.begin(), stream.kinds.end(),
                        [&](const LineKind& kind) { return regular::contains(kind.lines, line); }));
    }
  }
}
