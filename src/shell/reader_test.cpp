#include "shell/reader.h"

#include <doctest/doctest.h>
#include <map>

using namespace nacre;
using namespace nacre::shell;

namespace {

// The words of the first command of each complete command, with `/` between complete commands.
std::string words_of(CommandReader& reader, const ParseOptions& options) {
  std::string result;
  while (true) {
    ReadResult read = reader.next(options);
    if (read.status == ReadStatus::kEnd) return result;
    if (read.status == ReadStatus::kError) return result + "error";
    for (const Item& item : read.tree->program().items) {
      if (const auto* simple = std::get_if<SimpleCommand>(&item.command->node)) {
        for (const Word& word : simple->words) {
          result += word.is_literal() ? std::string(word.literal()) : "?";
          result += ' ';
        }
      } else {
        result += "compound ";
      }
    }
    result += "/ ";
  }
}

ReadMore lines_of(std::vector<std::string> lines, std::string* log = nullptr) {
  return
      [lines = std::move(lines), next = size_t{0}, log](std::string& to, bool continued) mutable {
        if (log != nullptr) *log += continued ? '2' : '1';
        if (next == lines.size()) return false;
        to += lines[next++];
        return true;
      };
}

}  // namespace

TEST_CASE("a stream is read one complete command at a time and no further") {
  std::string prompts;
  CommandReader reader(lines_of({"a b\n", "if c\n", "then d; fi\n", "e \\\n", "f\n"}, &prompts),
                       "in");
  CHECK(words_of(reader, {}) == "a b / compound / e f / ");
  CHECK(prompts == "112121");
}

TEST_CASE("a file and a stream give the same commands") {
  std::string text = "a; b &\n\n# comment\ncat <<E; c\nbody $x\nE\nd 'x\ny' \"$(e\n)\"\nlast";
  CommandReader file(SourceFile("f", text));
  std::vector<std::string> lines;
  for (char c : text) {
    if (lines.empty() || lines.back().back() == '\n') lines.emplace_back();
    lines.back() += c;
  }
  CommandReader stream(lines_of(lines), "in");
  CommandReader block(lines_of({text}), "in");
  std::string expected = words_of(file, {});
  CHECK(expected == "a b / / / cat c / d x\ny ? / last / ");
  CHECK(words_of(stream, {}) == expected);
  CHECK(words_of(block, {}) == expected);
}

TEST_CASE("lines are counted through the stream") {
  CommandReader reader(lines_of({"a\n", "b 'x\n", "'\n", "c\n"}), "in");
  CHECK(reader.line() == 1);
  (void)reader.next({});
  ReadResult second = reader.next({});
  CHECK(second.tree->line_of(second.tree->program().span.begin) == 2);
  ReadResult third = reader.next({});
  CHECK(third.tree->line_of(0) == 4);
}

TEST_CASE("an error ends the command and the next one can be read") {
  CommandReader reader(lines_of({"a )\n", "b\n"}), "in");
  ReadResult first = reader.next({});
  CHECK(first.status == ReadStatus::kError);
  REQUIRE(first.error.has_value());
  CHECK(first.error->message == "Syntax error: \")\" unexpected");
  CHECK(reader.next({}).status == ReadStatus::kCommand);
  CHECK(reader.next({}).status == ReadStatus::kEnd);
}

TEST_CASE("aliases") {
  std::map<std::string, std::string, std::less<>> aliases = {
      {"ll", "ls -l"},      {"ls", "ls -F"},         {"sudo", "sudo "}, {"begin", "if true; then"},
      {"quote", "echo 'a"}, {"two", "x\ny"},         {"none", ""},      {"loop", "loop2"},
      {"loop2", "loop 1"},  {"nohup", "nohup nice "}};
  ParseOptions options;
  options.aliases = [&](std::string_view name) -> std::optional<std::string_view> {
    auto found = aliases.find(name);
    if (found == aliases.end()) return std::nullopt;
    return found->second;
  };
  auto read = [&](std::string text) {
    CommandReader reader(SourceFile("f", std::move(text)));
    return words_of(reader, options);
  };
  CHECK(read("ll x; ll\n") == "ls -F -l x ls -F -l / ");
  CHECK(read("sudo ll\n") == "sudo ls -F -l / ");
  CHECK(read("nohup sudo ll ll\n") == "nohup nice sudo ls -F -l ll / ");
  CHECK(read("'ll' \\ll echo ll\n") == "ll ll echo ll / ");
  CHECK(read("begin a; fi\nb\n") == "compound / b / ");
  CHECK(read("quote b'\n") == "echo a b / ");
  CHECK(read("two z\nb\n") == "x y z / b / ");
  CHECK(read("none ll\n") == "ls -F -l / ");
  CHECK(read("loop\n") == "loop 1 / ");
  CHECK(read("echo $(ll) `ll`\n") == "echo ? ? / ");
}

TEST_CASE("aliases may change between two commands") {
  bool is_defined = false;
  ParseOptions options;
  options.aliases = [&](std::string_view name) -> std::optional<std::string_view> {
    if (is_defined && name == "a") return "b";
    return std::nullopt;
  };
  CommandReader reader(SourceFile("f", "a\na\n"));
  auto word = [&] {
    auto read = reader.next(options);
    return std::string(
        std::get<SimpleCommand>(read.tree->program().items[0].command->node).words[0].literal());
  };
  CHECK(word() == "a");
  is_defined = true;
  CHECK(word() == "b");
}

TEST_CASE("nothing is read after a feature that the dialect lacks") {
  for (const char* text : {"a > <(b)<(c) > >()", "a=(b", "for ((;;", "a |& b", "a <<< b"}) {
    CommandReader reader(SourceFile("f", text));
    CHECK(reader.next({}).status == ReadStatus::kError);
  }
}
