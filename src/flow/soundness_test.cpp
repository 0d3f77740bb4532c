// Random scripts are run by a real shell, in an empty directory and as a user without rights; what
// a variable holds must be in the type that it was given. The scripts hold nothing but assignments,
// conditions, loops, functions, filters and redirections, and write a few files in that directory.
#include <doctest/doctest.h>
#include <random>

#include "flow/check.h"
#include "flow/testing/real_shell.h"
#include "regular/parse_type.h"
#include "shell/parse.h"

using namespace nacre;

namespace {

class ScriptMaker {
 public:
  ScriptMaker(uint32_t seed, bool is_bash) : random_(seed), is_bash_(is_bash) {}

  std::string script() {
    std::string result = "a=foo b='x y' c=12\n";
    for (int i = 0; i < 6; i++) result += statement(2);
    return result + "printf '%s@' \"$a\" \"$b\" \"$c\"\n";
  }

 private:
  std::string pick(std::initializer_list<const char*> choices) {
    return *(choices.begin() + random_() % choices.size());
  }
  std::string name() { return pick({"a", "b", "c"}); }

  std::string word() {
    const std::string x = name();
    switch (random_() % 9) {
      case 0: return pick({"foo", "'a b'", "''", "x.tar.gz", "/usr/lib/", "12", "-3", "'a*'"});
      case 1: return "\"$" + x + "\"";
      case 2: return "\"${" + x + pick({"%.*", "##*/", "#a", "%%b*", "%", "#*[0-9]"}) + "}\"";
      case 3: return "\"${" + x + pick({":-d", ":+e", "-d", "+e"}) + "}\"";
      case 4: return "\"${#" + x + "}\"";
      case 5: return "$((${#" + x + "} + 3))";
      case 6: return "\"${" + x + "}" + pick({"-1", "/", " z"}) + "\"";
      case 7: return "\"$(" + redirected("\"$" + x + "\"") + ")\"";
      default:
        return "\"$(printf '%s\\n' \"$" + x + "\" | " +
               pick({"tr a-z A-Z", "cut -c 1-3", "sed 's/a/b/'", "grep o", "head -n 1",
                     "cut -d / -f 2", "sed 's/[0-9]*$//'", "tr -d o"}) +
               ")\"";
    }
  }

  // Commands that print to several places, and files that are read back.
  std::string redirected(const std::string& x) {
    const std::string both = "{ echo " + x + "; echo e >&2; }";
    const std::string errors = "{ echo " + x + " >&2; echo o; }";
    switch (random_() % (is_bash_ ? 16 : 12)) {
      case 0: return both + " 2>&1";
      case 1: return both + " 2>/dev/null";
      case 2: return errors + " 2>&1 >/dev/null";
      case 3: return errors + " >&2 2>&1";
      case 4: return "{ echo " + x + " >&3; echo o; } 3>&1 >/dev/null";
      case 5: return both + " 2>&1 | tr a-z A-Z";
      case 6: return "echo " + x + " > file; echo z >> file; cat file";
      case 7: return both + " > file 2>&1; cat file";
      case 8: return both + " 2> file; cat < file";
      case 9: return errors + " 2>> file >/dev/null; tail -n 1 file";
      case 10: return "echo " + x + " | tee file | tr a-z A-Z; cat file";
      case 11: return "cat <<END | sed 's/^/-/'\n$" + name() + "\nEND\n";
      case 12: return both + " |& tr a-z A-Z";
      case 13: return both + " &> file; cat file";
      case 14: return "cat <(echo " + x + ") - <<< o";
      default: return "cat <<< " + x;
    }
  }

  std::string condition() {
    const std::string x = "\"$" + name() + "\"";
    switch (random_() % 6) {
      case 0: return "[ -n " + x + " ]";
      case 1: return "[ " + x + " = " + pick({"foo", "12", "''"}) + " ]";
      case 2: return "[ " + x + " != foo ] && [ -n " + x + " ]";
      case 3: return "! echo " + x + " | grep -q '^[0-9]*$'";
      case 4: return "printf %s " + x + " | grep -Eqv '^(foo|x.*)?$'";
      default: return "printf '%s\\n' " + x + " | grep -q o";
    }
  }

  std::string statement(int depth) {
    if (depth == 0 || random_() % 3 != 0) return name() + "=" + word() + "\n";
    switch (random_() % 8) {
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
      case 6:
        return "echo " + word() + pick({" > kept\n", " >> kept\n"}) + name() + "=$(" +
               pick({"cat kept", "head -n 1 < kept", "tr a b < kept"}) + ")\n";
      default:
        return "n=0\nwhile [ $n -lt 3 ]; do\n" + statement(depth - 1) + "n=$((n + 1))\ndone\n" +
               name() + "=$n\n";
    }
  }

  std::mt19937 random_;
  bool is_bash_;
  int functions_ = 0;
};

}  // namespace

TEST_CASE("what a shell computes is in the inferred type") {
  const commands::CardLibrary cards;
  int compared = 0;
  for (uint32_t seed = 0; seed < 180; seed++) {
    const bool is_bash = seed % 3 == 0;
    const std::string script = ScriptMaker(seed, is_bash).script();
    const auto values = flow::testing::run_for_values(is_bash ? "bash" : "sh", script);
    if (values.size() != 3) continue;
    const auto parsed = shell::parse_file(SourceFile("test.sh", script),
                                          is_bash ? shell::Dialect::kBash : shell::Dialect::kSh);
    flow::CheckOptions options;
    options.wants_types = true;
    const auto types = flow::types_of(flow::check(parsed.tree, cards, options).facts);
    for (size_t i = 0; i < 3; i++) {
      const size_t place = script.rfind("\"$" + std::string(1, "abc"[i]) + "\"");
      for (const flow::TypeAt& type : types) {
        if (!type.is_variable || type.span.begin != place + 1) continue;
        if (type.output().starts_with('<')) continue;  // a shape in words
        regular::Context context;
        const auto lang = regular::parse_type(context, type.output());
        REQUIRE(lang);
        compared++;
        INFO(script, "\n", type.name, " : ", type.output(), " but it is ", values[i]);
        CHECK(contains(*lang, values[i]));
      }
    }
  }
  CHECK(compared > 300);
}
