#include "python/parse.h"

#include <cstdio>
#include <doctest/doctest.h>
#include <fstream>
#include <iterator>
#include <sstream>

#include "python/dump.h"

using namespace nacre;
using namespace nacre::python;

namespace {

std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string output_of(const std::string& command) {
  std::string out;
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return out;
  char buffer[4096];
  while (size_t count = fread(buffer, 1, sizeof buffer, pipe)) out.append(buffer, count);
  pclose(pipe);
  return out;
}

// As tests/python/normal_form.py computes it.
std::string answer(const std::string& text) {
  Result<Tree> tree = parse(text);
  if (!tree) return "invalid";
  uint64_t hash = 0xCBF29CE484222325u;
  for (unsigned char byte : dump(*tree)) hash = (hash ^ byte) * 0x100000001B3u;
  return fmt::format("{:016x}", hash);
}

bool is_valid(const std::string& text) { return parse(text).has_value(); }

}  // namespace

TEST_CASE("the standard library parses as CPython parses it") {
  const char* chosen = std::getenv("NACRE_PYTHON_FILES");  // "COUNT SEED" or files
  std::string command = "python3 " NACRE_SOURCE_DIR "/tests/python/normal_form.py ";
  std::istringstream lines(output_of(command + (chosen != nullptr ? chosen : "150 1")));
  size_t count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    size_t tab = line.find('\t');
    INFO(line.substr(0, tab));
    CHECK(answer(read(line.substr(0, tab))) == line.substr(tab + 1));
  }
  MESSAGE(count << " files compared");
  if (count == 0) MESSAGE("python3 is absent: skipped");
}

TEST_CASE("the tree has the shape of the source") {
  auto shown = [](const std::string& text) {
    Result<Tree> tree = parse(text);
    return tree ? dump(*tree) : tree.error().message;
  };
  CHECK(shown("type T = lang(r'a*')\n") ==
        "(Module [(TypeAlias (Name 1:T) [] (Call (Name 4:lang) [(Str 2:a*)] []))])");
  CHECK(shown("f'{x!r:>{w}}a'") ==
        "(Module [(Expr (JoinedStr [(FormattedValue (Name 1:x) 1:r (JoinedStr [(Str 1:>) "
        "(FormattedValue "
        "(Name 1:w) 1:- -)])) (Str 1:a)]))])");
  CHECK(shown("f'{a['b']}'") ==  // 3.12: the same quotes inside
        "(Module [(Expr (JoinedStr [(FormattedValue (Subscript (Name 1:a) (Str 1:b)) 1:- -)]))])");
  CHECK(shown("def f[T: int, *Ts, **P](): pass") ==
        "(Module [(FunctionDef 1:f [(TypeVar 1:T (Name 3:int)) (TypeVarTuple 2:Ts -) (ParamSpec "
        "1:P -)] "
        "(arguments [] [] - [] [] - []) [(Pass)] [] -)])");
  CHECK(shown("match = match(x)\nmatch x:\n  case 1: pass\n").find("(Match (Name 1:x)") !=
        std::string::npos);
}

TEST_CASE("what is not Python is refused with a place") {
  for (const char* text : {
           "x = = 1",
           "f() = 1",
           "a + 1 += 2",
           "def f(:\n  pass",
           "if x\n  y",
           "x = (1, 2",
           "x = 1)",
           "for x in: pass",
           "  x = 1",
           "if x:\npass",
           "if x:\n    a\n  b",
           "'abc",
           "'''abc",
           "f'{'",
           "f'{}'",
           "f'}'",
           "1__0",
           "0777",
           "0x",
           "1abc",
           "x = $",
           "f(a=1, b)",
           "f(**a, *b)",
           "f(x for x in y, 1)",
           "def f(a=1, b): pass",
           "def f(*): pass",
           "def f(*, **k): pass",
           "lambda *: 1",
           "try:\n  x\n",
           "try: x\nexcept: y\nexcept E: z",
           "del f()",
           "del 1",
           "(*a)",
           "[*a for a in b]",
           "import a.b as",
           "from . import",
           "class",
           "x: int: str",
           "(a, b): int",
           "1 = x",
           "None = 1",
           "x if y",
           "not",
           "a b",
           "return = 1",
           "with a as 1: pass",
           "match x:\n  case a.b as c.d: pass",
           "match x:\n  case {**_}: pass",
           "b'\xC3\xA4'",
           "'a' b'b'",
           "'\\x1'",
           "'\\U00110000'",
           "a := 1",
           "x[a:=1:2]",
           "@\ndef f(): pass",
           "async x",
           "\tx\n  y",
           "if x:\n\ty\n        z",
           "else: x",
           "lambda: (yield) = 1",
           "a, b += 1",
           "from a import (b, c",
           "x = yield = 1",
           "f(a for a in b, c for c in d)",
           "f'{x!z}'",
           "f'{lambda x: 1}'",
           "def f(a, /, b, /): pass",
           "import *",
           "print 1",
           "x = 5 if",
           "a <> b",
           "{a: 1, b}",
           "{1, a: b}",
           "\\x",
       }) {
    CAPTURE(std::string(text));
    CHECK_FALSE(is_valid(text));
  }
}

TEST_CASE("what CPython's parser accepts and its compiler would not") {
  for (const char* text : {"return 1",
                           "break",
                           "*a = 1",
                           "*a",
                           "await x",
                           "nonlocal x",
                           "def f(a, a): pass",
                           "f(a=1, a=2)",
                           "x = 1if y else 2",
                           "()",
                           "(yield)",
                           "x[*a]",
                           "for x in *a, b: pass",
                           "with (a, b): pass",
                           "with (a as b, c as d,): pass",
                           "with (yield): pass",
                           "print(*a, **b)",
                           "a = b = yield",
                           "try: x\nexcept* E: y",
                           "lambda x, /, y=1, *a, z, **k: 0",
                           "",
                           "\n\n# c\n",
                           "x;",
                           "if x: y; z",
                           "type = 5",
                           "type(x)",
                           "case = match = _ = 1",
                           "match[x]",
                           "match (x), y:\n case _: pass",
                           "\xEF\xBB\xBFx = 1",
                           "def f():\n\treturn 1\n",
                           "x = \\\n  1",
                           "@a.b[c]\ndef f(): pass"}) {
    CAPTURE(std::string(text));
    CHECK(is_valid(text));
  }
}

TEST_CASE("deep and long inputs end in time, with a tree or a message") {
  auto repeated = [](const std::string& part, size_t count) {
    std::string out;
    while (count-- > 0) out += part;
    return out;
  };
  CHECK_FALSE(is_valid(repeated("(", 100000)));
  CHECK_FALSE(is_valid(repeated("[", 100000)));
  CHECK_FALSE(is_valid(repeated("not ", 100000) + "x"));
  CHECK_FALSE(is_valid(repeated("-", 100000) + "x"));
  CHECK_FALSE(is_valid(repeated("lambda: ", 100000) + "x"));
  CHECK_FALSE(is_valid(repeated("f'{", 100000)));
  CHECK_FALSE(is_valid("if x: y\n" + repeated("elif x: y\n", 100000)));
  CHECK_FALSE(is_valid(repeated("x ** ", 100000) + "x"));
  CHECK(is_valid(repeated("(", 190) + "x" + repeated(")", 190)));
  CHECK(is_valid("x = 1" + repeated(" + 1", 100000)));
  CHECK(is_valid("x" + repeated(".y", 100000)));
  CHECK(is_valid(repeated("x = [1, 'a', f(y)]\n", 100000)));
  CHECK(is_valid("if x: y\n" + repeated("elif x: y\n", 500)));
}
