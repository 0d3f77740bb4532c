#include "commands/sed_program.h"

#include <array>
#include <doctest/doctest.h>
#include <spawn.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace sed = nacre::sed;

namespace {

std::string error_of(std::string_view text) {
  auto program = sed::parse(text);
  return program ? "" : program.error().message;
}

// What the real sed says of a script, without the place that it names; empty if it takes it.
std::string real_error_of(const std::string& text) {
  std::array<int, 2> pipe_ends{};
  REQUIRE(pipe(pipe_ends.data()) == 0);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", 0, 0);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", 1, 0);
  posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], 2);
  posix_spawn_file_actions_addclose(&actions, pipe_ends[0]);
  std::string script = text;
  std::array<char*, 4> argv{const_cast<char*>("sed"), const_cast<char*>("-n"), script.data(),
                            nullptr};
  std::array<char*, 2> environment{const_cast<char*>("LC_ALL=C"), nullptr};
  pid_t child = 0;
  REQUIRE(posix_spawnp(&child, "sed", &actions, nullptr, argv.data(), environment.data()) == 0);
  posix_spawn_file_actions_destroy(&actions);
  close(pipe_ends[1]);
  std::string out;
  std::array<char, 512> buffer{};
  for (ssize_t n = 0; (n = read(pipe_ends[0], buffer.data(), buffer.size())) > 0;) {
    out.append(buffer.data(), static_cast<size_t>(n));
  }
  close(pipe_ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (out.find(": couldn't open") != std::string::npos ||
      out.find("can't read") != std::string::npos)
    return "";
  const size_t place = out.find(", char ");
  const size_t message = out.find(": ", place == std::string::npos ? 0 : place);
  if (message == std::string::npos) return out;
  return out.substr(message + 2, out.size() - message - 3);
}

}  // namespace

TEST_CASE("sed scripts are accepted and refused in the words of the real sed") {
  const std::array scripts = {
      "p",
      "s/a/b/",
      "s/a/b",
      "s/a",
      "s",
      "y/abc/d/",
      "y/abc/def/",
      "y/a",
      "k",
      "p x",
      "}",
      "{p",
      "{p}",
      "{p;}",
      "{;p;}",
      "bfoo",
      "b",
      "b;p",
      ":a;N;ba",
      ":a;s/x/y/;ta",
      "b end; :end",
      ": a",
      ":",
      ": ",
      "1:a",
      "/a",
      "\\,a\\,b,p",
      "\\",
      "1,p",
      "1,",
      "0p",
      "0,/x/p",
      "0,5p",
      "1~2p",
      "1,~4p",
      "2,+3d",
      "2,+d",
      "$!d",
      "$ p",
      "1 , 3p",
      "/x/ p",
      "/x/I,/y/Mp",
      "1!!p",
      "1! p",
      "s|a\\|b|c|",
      "s/[/]/x/",
      "s/[]/]/x/",
      "s/[[:alpha:]/]/x/",
      "s/[/x/",
      "s/a\nb/c/",
      "s/x/\\\n/",
      "s/a/b/gg",
      "s/a/b/pp",
      "s/a/b/0",
      "s/a/b/2g",
      "s/a/b/2g3",
      "s/a/b/k",
      "s/a/b/ ;p",
      "s/a/b/ p",
      "s/a/b/w",
      "s/x/y/;;p",
      "1,5!s/a/b/2gpI",
      "a",
      "a hello",
      "ahello",
      "a\\\nhello\\\nworld",
      "1i\\  x",
      "$!{$!N};P;D",
      "y/\\n/ /",
      "y/a\\/b/c\\/d/",
      "#n",
      "#n\np",
      "1#x",
      "# comment\np",
      "p # comment",
      "n;d}",
      "q5",
      "q 5",
      "1,2q",
      "1q",
      "l 3",
      "r",
      "z",
      "p;p",
      "p}",
      "dp",
      "x;G;1!h;s/\\n/,/g;$!d",
      "/a/{s//b/;}",
      "1;p",
      "1",
      ";",
      "",
      "\n\n",
      "s,x\\,y,z,",
      "/start/,/end/{/x/d}",
      "=",
      "F",
      "1,3c\\\ntext",
      "t;T;b",
  };
  for (const char* script : scripts) {
    CAPTURE(script);
    CHECK(error_of(script) == real_error_of(script));
  }
}

TEST_CASE("the parts of a substitution") {
  auto program = sed::parse("1,$s|a\\|[|]|\\1&x|2gIp");
  REQUIRE(program);
  const sed::Command& command = program->commands.at(0);
  CHECK(command.first->line == 1);
  CHECK(command.second->kind == sed::Address::Kind::kLast);
  CHECK(command.substitution.pattern.source == "a|[|]");
  CHECK(command.substitution.pattern.ignores_case);
  CHECK(command.substitution.replacement == "\\1&x");
  CHECK(command.substitution.occurrence == 2);
  CHECK(command.substitution.is_global);
  CHECK(command.substitution.prints);
}

TEST_CASE("blocks and labels know where control goes on") {
  auto program = sed::parse(":top;/x/{s/x/y/;b top\n};t end;p;:end");
  REQUIRE(program);
  const auto& commands = program->commands;
  REQUIRE(commands.size() == 8);
  CHECK(commands[1].name == '{');
  CHECK(commands[1].target == 5);
  CHECK(commands[3].target == 0);
  CHECK(commands[5].target == 7);
}

TEST_CASE("text, transliteration and files") {
  auto program = sed::parse("a\\\none\\\ntwo\ny/a\\nb/x y/\nw out file\n$q3");
  REQUIRE(program);
  const auto& commands = program->commands;
  CHECK(commands[0].text == "one\ntwo\n");
  CHECK(commands[1].from == "a\nb");
  CHECK(commands[1].to == "x y");
  CHECK(commands[2].text == "out file");
  CHECK(commands[3].number == 3);
  CHECK(sed::parse("w x", true).error().message == "e/r/w commands disabled in sandbox mode");
}
