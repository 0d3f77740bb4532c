// Random scripts are run by a real shell, in an empty directory and as a user without rights; what
// a variable holds must be in the type that it was given. The scripts hold nothing but assignments,
// conditions, loops, functions and filters, and write one file in that directory.
#include <cstdio>
#include <cstdlib>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <memory>
#include <random>
#include <unistd.h>

#include "flow/check.h"
#include "regular/parse_type.h"
#include "shell/parse.h"

using namespace nacre;

namespace {

class ScriptMaker {
 public:
  explicit ScriptMaker(uint32_t seed) : random_(seed) {}

  std::string script() {
    std::string result = "a=foo b='x y' c=12\n";
    for (int i = 0; i < 6; i++) result += statement(2);
    return result + "printf '%s\\n' \"$a\"\nprintf '%s\\n' \"$b\"\nprintf '%s\\n' \"$c\"\n";
  }

 private:
  std::string pick(std::initializer_list<const char*> choices) {
    return *(choices.begin() + random_() % choices.size());
  }
  std::string name() { return pick({"a", "b", "c"}); }

  std::string word() {
    const std::string x = name();
    switch (random_() % 8) {
      case 0: return pick({"foo", "'a b'", "''", "x.tar.gz", "/usr/lib/", "12", "-3", "'a*'"});
      case 1: return "\"$" + x + "\"";
      case 2: return "\"${" + x + pick({"%.*", "##*/", "#a", "%%b*", "%", "#*[0-9]"}) + "}\"";
      case 3: return "\"${" + x + pick({":-d", ":+e", "-d", "+e"}) + "}\"";
      case 4: return "\"${#" + x + "}\"";
      case 5: return "$((${#" + x + "} + 3))";
      case 6: return "\"${" + x + "}" + pick({"-1", "/", " z"}) + "\"";
      default:
        return "\"$(printf '%s\\n' \"$" + x + "\" | " +
               pick({"tr a-z A-Z", "cut -c 1-3", "sed 's/a/b/'", "grep o", "head -n 1",
                     "cut -d / -f 2", "sed 's/[0-9]*$//'", "tr -d o"}) +
               ")\"";
    }
  }

  std::string condition() {
    const std::string x = "\"$" + name() + "\"";
    switch (random_() % 4) {
      case 0: return "[ -n " + x + " ]";
      case 1: return "[ " + x + " = " + pick({"foo", "12", "''"}) + " ]";
      case 2: return "[ " + x + " != foo ] && [ -n " + x + " ]";
      default: return "printf '%s\\n' " + x + " | grep -q o";
    }
  }

  std::string statement(int depth) {
    if (depth == 0 || random_() % 3 != 0) return name() + "=" + word() + "\n";
    switch (random_() % 7) {
      case 0:
        return "if " + condition() + "; then\n" + statement(depth - 1) + "else\n" +
               statement(depth - 1) + "fi\n";
      case 1:
        return "case $" + name() + " in\n  " + pick({"a*", "*[!0-9]*", "''", "*.gz"}) + ") " +
               statement(depth - 1) + ";;\n  *) " + statement(depth - 1) + ";;\nesac\n";
      case 2:
        return "for " + name() + " in $" + name() + " u v; do\n" + statement(depth - 1) + "done\n";
      case 3: {  // each has its own name, for it may be called within another
        const std::string function = "f" + std::to_string(functions_++);
        return function + "() {\n" + pick({"local a\na=$1\n", "", "set -- x \"$1\"\n"}) +
               statement(depth - 1) + name() + "=\"$1\"\n}\n" + function + " " + word() + "\n";
      }
      case 4:
        return "printf '%s\\n' " + word() + " '1 2 3' > lines\nwhile read -r " + name() + " " +
               name() + "; do\n" + statement(depth - 1) + pick({"break\n", "continue\n", ""}) +
               "done < lines\n";
      case 5:
        return name() + "=" + word() + "\nread -r " + name() + " <<END\n$" + name() + " q\nEND\n";
      default:
        return "n=0\nwhile [ $n -lt 3 ]; do\n" + statement(depth - 1) + "n=$((n + 1))\ndone\n" +
               name() + "=$n\n";
    }
  }

  std::mt19937 random_;
  int functions_ = 0;
};

// What the shell prints, line by line.
std::vector<std::string> run(const std::string& script) {
  char directory[] = "/tmp/nacre-soundness-XXXXXX";
  REQUIRE(mkdtemp(directory) != nullptr);
  const std::string home = directory;
  std::ofstream(home + "/script.sh") << script;
  std::filesystem::permissions(
      home, std::filesystem::perms::others_read | std::filesystem::perms::others_write |
                std::filesystem::perms::others_exec | std::filesystem::perms::owner_all);
  const std::string user =
      geteuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups " : "";
  const std::string command = "cd " + home + " && " + user + "sh -f script.sh 2>&1 < /dev/null";
  std::vector<std::string> lines;
  {
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
    REQUIRE(pipe != nullptr);
    char buffer[4096];
    while (std::fgets(buffer, sizeof buffer, pipe.get()) != nullptr) {
      lines.emplace_back(buffer);
      if (!lines.back().empty() && lines.back().back() == '\n') lines.back().pop_back();
    }
  }
  std::filesystem::remove_all(home);
  return lines;
}

}  // namespace

TEST_CASE("what a shell computes is in the inferred type") {
  const commands::CardLibrary cards;
  int compared = 0;
  for (uint32_t seed = 0; seed < 150; seed++) {
    const std::string script = ScriptMaker(seed).script();
    const auto lines = run(script);
    if (lines.size() != 3) continue;
    const auto parsed = shell::parse_file(SourceFile("test.sh", script), shell::Dialect::kSh);
    flow::CheckOptions options;
    options.wants_types = true;
    const auto types = flow::check(parsed.tree, cards, options).types;
    for (size_t i = 0; i < 3; i++) {
      const size_t place = script.rfind("\"$" + std::string(1, "abc"[i]) + "\"");
      for (const flow::TypeAt& type : types) {
        if (!type.is_variable || type.span.begin != place + 1) continue;
        regular::Context context;
        const auto lang = regular::parse_type(context, type.output);
        if (!lang) continue;  // a shape in words
        compared++;
        INFO(script, "\n", type.name, " : ", type.output, " but it is ", lines[i]);
        CHECK(contains(*lang, lines[i]));
      }
    }
  }
  CHECK(compared > 150);
}
