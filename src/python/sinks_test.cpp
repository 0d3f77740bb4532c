// Texts in other languages: what may break out of its place is reported, what cannot is not; and
// shell commands are put together with their places in the file.
#include <doctest/doctest.h>
#include <string>

#include "python/check.h"
#include "python/parse.h"
#include "python/shell_texts.h"

using namespace nacre;
using namespace nacre::python;

namespace {

// The kinds of the findings at sinks, as letters: s(ql), c(ommand), f(ile), e(val).
std::string sinks(const std::string& source) {
  const FileReport report =
      check_python("import os, shlex, subprocess\nfrom nacre_types import lang\n" + source);
  std::string out;
  for (const FunctionReport& function : report.functions) {
    for (const Finding& finding : function.findings) {
      if (finding.kind == FailureKind::kSql) out += 's';
      if (finding.kind == FailureKind::kShell) out += 'c';
      if (finding.kind == FailureKind::kFileName) out += 'f';
      if (finding.kind == FailureKind::kCode) out += 'e';
    }
  }
  return out;
}

std::string body(const std::string& parameters, const std::string& statement) {
  return "def f(" + parameters + "):\n    " + statement + "\n";
}

ShellText shell_text(const std::string& source) {
  const auto tree = parse(source);
  REQUIRE(tree);
  std::vector<ShellText> all = find_shell_texts(*tree, source);
  return all.size() == 1 ? std::move(all[0]) : ShellText{};
}

}  // namespace

TEST_CASE("a value in an SQL text must be one item of it") {
  CHECK(sinks(body("c, n: str", "c.execute(f\"SELECT * FROM t WHERE n = '{n}'\")")) == "s");
  CHECK(sinks(body("c, n: str", "c.execute('SELECT * FROM t WHERE n = ' + n)")) == "s");
  CHECK(sinks(body("c, n: lang(r'[a-z ]+')", "c.execute('DELETE FROM t WHERE n = %s' % n)")) ==
        "s");
  CHECK(sinks(body("c, n: lang(r'[a-z_]+')", "c.execute('DELETE FROM ' + n)")).empty());
  CHECK(sinks(body("c, n: int", "c.execute(f'SELECT * FROM t WHERE n = {n}')")).empty());
  CHECK(sinks(body("c, n: str", "c.execute('SELECT * FROM t WHERE n = ?', (n,))")).empty());
  CHECK(sinks(body("c, n: str", "c.execute(\"SELECT '\" + n.replace(\"'\", \"''\") + \"'\")"))
            .empty());
  // A wrapper, or something that is no SQL.
  CHECK(sinks(body("c, n: str", "c.execute(n)")).empty());
  CHECK(sinks(body("c, n: str", "c.execute('move ' + n)")).empty());
}

TEST_CASE("a value in a shell command must be quoted") {
  CHECK(sinks(body("n: str", "os.system('rm -f ' + n)")) == "c");
  CHECK(sinks(body("n: str", "subprocess.run(f'ls {n}', shell=True)")) == "c");
  CHECK(sinks(body("n: str", "os.system(f'ls \"{n}\"')")) == "c");
  CHECK(sinks(body("n: str", "os.system('rm -f ' + shlex.quote(n))")).empty());
  CHECK(sinks(body("n: lang(r'[a-z]+')", "os.system(f'ls {n}.txt')")).empty());
  CHECK(sinks(body("n: lang(r'[^\\']+')", "os.system(f\"ls '{n}'\")")).empty());
  CHECK(sinks(body("n: str", "subprocess.run(['ls', n])")).empty());
  CHECK(sinks(body("n: str", "subprocess.run(f'ls {n}')")).empty());
  CHECK(sinks("from typing import Literal\n" +
              body("n: Literal['a b', '$x']", "os.system('echo ' + n)"))
            .empty());
  CHECK(sinks(body("n: str", "os.system(n)")).empty());
  // The command itself.
  CHECK(sinks(body("n: str", "os.system(n + ' --version')")).empty());
  CHECK(sinks(body("n: str, m: str", "os.system(f'{n} -o {m}')")) == "c");
}

TEST_CASE("a file below a constant directory stays there") {
  CHECK(sinks(body("n: str", "open('data/' + n)")) == "f");
  CHECK(sinks(body("n: str", "open(os.path.join('/srv/data', n))")) == "f");
  CHECK(sinks(body("n: lang(r'[a-z./]+')", "open(f'data/{n}.txt')")) == "f");
  CHECK(sinks(body("n: lang(r'[a-z.]+')", "open(f'data/{n}.txt')")).empty());
  CHECK(sinks(body("n: lang(r'[a-z/]+')", "open('data/' + n)")).empty());
  CHECK(sinks(body("d: str, n: str", "open(d + '/' + n)")).empty());
  CHECK(sinks(body("n: str", "open(n)")).empty());
}

TEST_CASE("code that is evaluated is known or plain") {
  CHECK(sinks("T = lang(r'a')\n" + body("s: str", "eval(s)")) == "e");
  CHECK(sinks(body("s: lang(r'[a-z]+\\(\\)')", "eval(s)")) == "e");
  CHECK(sinks(body("s: lang(r'[0-9+*() -]+')", "eval(s)")).empty());
  CHECK(sinks(body("s: lang(r'[a-z]+')", "eval(s)")).empty());
  CHECK(sinks(body("s: str", "eval('1 + 2')")).empty());
  CHECK(sinks("def eval(s):\n    return s\n" + body("s: str", "eval(s)")).empty());
}

TEST_CASE("a file without language types is looked at where a declared string reaches a sink") {
  const auto count = [](const std::string& source) {
    return check_python(source).functions.size();
  };
  CHECK(count("import os\ndef f(n: str):\n    os.system('ls ' + n)\n") == 1);
  CHECK(count("import os\ndef f(n):\n    os.system('ls ' + n)\n") == 0);
  // Code is evaluated on purpose, and no verdict was asked for.
  CHECK(count("def f(n: str):\n    eval(n)\n") == 0);
  CHECK(count("import os\ndef f(n: str):\n    os.stat(open(n))\n") == 0);
}

TEST_CASE("shell commands are read off the calls") {
  CHECK(shell_text("import os\nos.system('ls -l')\n").text == "ls -l");
  CHECK(shell_text("from subprocess import run as r\nr('a ' 'b', shell=True)\n").text == "a b");
  CHECK(shell_text("import subprocess\nsubprocess.run('a b')\n").text.empty());
  CHECK(shell_text("import subprocess\nsubprocess.run('a', shell=True, executable='/bin/bash')\n")
            .text.empty());
  CHECK(shell_text("import os\nC = 'ls '\nos.system(C + x)\n").text == "ls ${python_0}");
  CHECK(shell_text("import os\nos.system(x)\n").text.empty());
  CHECK(shell_text("import os\nos.system(f\"a '{x}' {{}}\")\n").text == "a ''\"${python_0}\"'' {}");
  CHECK(shell_text("import os, shlex\nos.system(f'a {shlex.quote(x)}')\n").text ==
        "a \"${python_0}\"");
  CHECK(shell_text("import os\nos.system('a %s 5%%' % x)\n").text == "a ${python_0} 5%");
  CHECK(shell_text("import os\nos.system('a\\x41')\n").text.empty());
}

TEST_CASE("places in a shell command are places in the file") {
  const std::string source = "import os\nos.system('echo \\'x\\' | gerp ' + y)\n";
  const ShellText made = shell_text(source);
  const auto at = static_cast<uint32_t>(made.text.find("gerp"));
  const Span span = made.map.to_file({at, at + 4});
  CHECK(source.substr(span.begin, span.end - span.begin) == "gerp");
}
