// Whole modules: what is outside of typed functions, methods, containers, regexes with groups; and
// what must not be claimed.
#include <doctest/doctest.h>
#include <string>

#include "python/check.h"

using namespace nacre::python;

namespace {

const FunctionReport* report_named(const FileReport& report, const std::string& name) {
  for (const FunctionReport& function : report.functions) {
    if (function.name == name) return &function;
  }
  return nullptr;
}

Verdict verdict(const std::string& source, const std::string& name) {
  const FileReport report = check_python("from nacre_types import lang\n" + source);
  const FunctionReport* function = report_named(report, name);
  REQUIRE(function != nullptr);
  return function->verdict;
}

// The call that shows the first failure of the file, or "".
std::string shown(const std::string& source) {
  const FileReport report = check_python("from nacre_types import lang\n" + source);
  for (const FunctionReport& function : report.functions) {
    for (const Finding& finding : function.findings) {
      if (finding.is_confirmed || finding.is_constant) return finding.call;
    }
  }
  return "";
}

const std::string kMinor =
    "def minor(s: lang(r'[0-9]+\\.[0-9]+')) -> lang(r'[0-9]+'):\n    return s.split('.')[1]\n";

}  // namespace

TEST_CASE("calls outside of typed functions are checked") {
  CHECK(shown(kMinor + "print(minor('1.2'))\n").empty());
  CHECK(shown(kMinor + "print(minor('12'))\n") == "running the module");
  CHECK(shown(kMinor + "def main():\n    print(minor('12'))\n") == "main()");
  CHECK(shown(kMinor + "if __name__ == '__main__':\n    minor('12')\n") == "running the module");
  CHECK(shown(kMinor + "def main(argv):\n    if argv:\n        minor('12')\n") == "'12'");
  CHECK(shown(kMinor + "def main(argv):\n    minor(argv)\n").empty());
  CHECK(shown(kMinor + "xs = [minor(x) for x in ['1.2', '3']]\n") == "running the module");
  CHECK(shown("def f(s: lang(r'a') = 'b') -> str:\n    return s\n") == "'b'");
}

TEST_CASE("methods are checked on what their class makes") {
  const std::string reader =
      "class Reader:\n    def __init__(self, sep: lang(r'[,;]')) -> None:\n        self.sep = "
      "sep\n";
  CHECK(
      shown(reader + "    def f(self, s: lang(r'a*')) -> str:\n        return s[0] + self.sep\n") ==
      "Reader(',').f('')");
  CHECK(verdict(reader + "    def f(self) -> lang(r'[,;]x'):\n        return self.sep + 'x'\n",
                "Reader.f") == Verdict::kVerified);
  CHECK(shown("class A:\n    @staticmethod\n    def f(s: lang(r'a?')) -> str:\n        return "
              "s[0]\n") == "A.f('')");
  CHECK(shown("from dataclasses import dataclass\n@dataclass\nclass P:\n    n: lang(r'[0-9]')\n"
              "P('x')\n") == "running the module");
  CHECK(shown("class A:\n    def f(self) -> lang(r'a'):\n        return 'a'\n"
              "class B(A):\n    def f(self) -> lang(r'a'):\n        return 'b'\n") == "B().f()");
}

TEST_CASE("lists and dictionaries keep the types of what they hold") {
  CHECK(verdict("def f(xs: list[lang(r'[ab]')]) -> lang(r'[ab]*'):\n    return ''.join(xs)\n",
                "f") == Verdict::kVerified);
  CHECK(shown("def f(xs: list[lang(r'[ab]?')]) -> lang(r'[ab]'):\n"
              "    for x in xs:\n        return x\n    return 'a'\n") == "f([''])");
  CHECK(shown("def f(s: lang(r'a')) -> lang(r'x*'):\n    xs = []\n    ys = xs\n"
              "    ys.append(s)\n    return ''.join(xs)\n") == "f('a')");
  CHECK(verdict("def f(d: dict[lang(r'k'), lang(r'v')]) -> lang(r'(kv)*'):\n"
                "    return ''.join(k + v for k, v in d.items())\n",
                "f") == Verdict::kVerified);
}

TEST_CASE("groups of a regex are pieces of the subject") {
  const std::string date =
      "import re\nD = re.compile(r'([0-9]{4})-([0-9]{2})')\n"
      "def f(s: lang(r'[0-9]{4}-[0-9]{2}')) -> lang(r'[0-9]{2}'):\n"
      "    m = D.fullmatch(s)\n    assert m\n";
  CHECK(verdict(date + "    return m.group(2)\n", "f") == Verdict::kVerified);
  CHECK(shown(date + "    return m[1]\n") == "f('0000-00')");
  CHECK(shown("import re\ndef f(s: lang(r'a?')) -> str:\n    return re.match('a', s).group()\n") ==
        "f('')");
  CHECK(verdict("import re\ndef f(s: lang(r'[a-z ]*')) -> lang(r'[a-z-]*'):\n"
                "    return re.sub(r' +', '-', s)\n",
                "f") == Verdict::kVerified);
}

TEST_CASE("a validator may raise, and narrows what it gives") {
  const std::string read =
      "import re\ndef read(s: str) -> lang(r'[0-9]+'):\n"
      "    if not re.fullmatch(r'[0-9]+', s):\n        raise ValueError(s)\n"
      "    return s\n";
  CHECK(verdict(read, "read") == Verdict::kVerified);
  CHECK(shown(read + "read('x')\n").empty());
  CHECK(verdict("T = lang(r'[0-9]')\ndef f(s: str) -> T:\n    return T.parse(s)\n", "f") ==
        Verdict::kVerified);
}

TEST_CASE("quoted values of a query hold no separators") {
  const std::string quote = "from urllib.parse import quote\ndef f(s: str) -> lang(r'[^&=]*'):\n";
  CHECK(verdict(quote + "    return quote(s, safe='')\n", "f") == Verdict::kVerified);
  CHECK(verdict(quote + "    return quote(s, safe='&')\n", "f") != Verdict::kVerified);
}

TEST_CASE("iterators raise when they are read") {
  CHECK(shown("def f(s: lang(r'[a-z]')) -> int:\n    g = (int(c) for c in s)\n    return 1\n")
            .empty());
  CHECK(shown("def f(s: lang(r'[a-z]')) -> int:\n    for x in map(int, ['1', s]):\n"
              "        return 3\n    return 2\n")
            .empty());
  CHECK(shown("def f(s: lang(r'[a-z]')) -> list:\n    return list(map(int, [s]))\n") == "f('a')");
  // A value of another type is no more certain than an exception.
  const std::string digit = "def digit(s: lang(r'[0-9]')) -> int:\n    return int(s)\n";
  CHECK(shown(digit + "def f(s: lang(r'[a-z]')):\n    g = (digit(c) for c in ['1', s])\n"
                      "    return next(g)\n")
            .empty());
  CHECK(shown(digit + "for n in map(digit, ['1', 'a']):\n    print(n)\n    break\n").empty());
  CHECK(shown(digit + "list(map(digit, ['1', 'a']))\n") == "running the module");
}

TEST_CASE("names mean what the module makes of them") {
  CHECK(shown("len = ord\ndef f(s: lang(r'a*')) -> int:\n    return len(s)\n") == "f('')");
  CHECK(verdict("def g(s):\n    return s\nif True:\n    def g(s):\n        return s.index('b')\n"
                "def f(s: lang(r'a')) -> lang(r'a'):\n    return g(s)\n",
                "f") == Verdict::kUnknown);
  CHECK(
      verdict("def d(f):\n    return None\n@d\ndef g(s: lang(r'a')) -> lang(r'a'):\n    return s\n"
              "def f(s: lang(r'a')) -> lang(r'a'):\n    return g(s)\n",
              "f") == Verdict::kUnknown);
}

TEST_CASE("what a verdict rests on is said") {
  const FileReport report = check_python(
      "from nacre_types import lang\ndef f(s: lang(r'[0-9]+')) -> int:\n    return int(s)\n");
  REQUIRE(report.functions.size() == 1);
  CHECK(report.functions[0].verdict == Verdict::kVerified);
  REQUIRE(report.functions[0].assumptions.size() == 1);
  CHECK(report.functions[0].assumptions[0].what == "int() gets no more than 4,300 digits");
  CHECK(shown("def f(s: lang(r'\\s[0-9]')) -> int:\n    return int(s)\n") == "f('\\x1c0')");
}

// Each of these fails under CPython for some word of the type.
TEST_CASE("of what a function makes itself nothing is taken for granted") {
  const std::string collected =
      "def f(s: lang(r'[ab]*')):\n    xs = []\n    for c in s:\n        "
      "xs.append(c)\n    ";
  const std::string counted =
      "def f(s: lang(r'[ab]*')):\n    d = {}\n    for c in s:\n        "
      "d[c] = 1\n    ";
  for (const char* last : {"return xs[0]", "return xs.pop()", "return xs.pop(0)", "xs.remove('a')",
                           "return max(xs)", "a, b = xs", "return xs.index('b')", "xs[3] = 'a'",
                           "return sorted(xs)[0]", "return xs[1:][0]"}) {
    CAPTURE(std::string(last));
    CHECK(verdict(collected + last + "\n", "f") != Verdict::kVerified);
  }
  for (const char* last : {"return d['a']", "return d.pop('a')", "del d['a']"}) {
    CAPTURE(std::string(last));
    CHECK(verdict(counted + last + "\n", "f") != Verdict::kVerified);
  }
  // The handler is reached.
  CHECK(
      verdict(counted +
                  "try:\n        n = d['a']\n    except KeyError:\n        n = 0\n    assert n == "
                  "1\n",
              "f") != Verdict::kVerified);
  CHECK(verdict(counted + "try:\n        return d['a']\n    except KeyError:\n        return 0\n",
                "f") == Verdict::kVerified);
  CHECK(verdict(collected + "if xs:\n        return xs[0]\n", "f") == Verdict::kVerified);
  // What it was given is the caller's business.
  CHECK(verdict("def f(xs: list[lang(r'a')], d: dict[str, lang(r'b')]) -> lang(r'ab'):\n"
                "    return xs[2] + d['x']\n",
                "f") == Verdict::kVerified);
}

TEST_CASE("operations that Python refuses are refused") {
  for (const char* body :
       {"t = {1, 2}\n    t[0]", "t = {1, 2}\n    t[0] = 3", "t = {s}\n    t[0] = 3",
        "t = (s, s)\n    t[0] = 'b'", "d = {}\n    d[[s]] = 1", "d = {[s]: 1}", "x = {[s]}",
        "x = set()\n    x.add([s])", "x = set([[s]])", "xs = [s, 1]\n    xs.sort()",
        "sorted([s, 1])", "sorted([s, None])", "max(s, 1)", "min([s, None])", "1 << (len(s) - 2)",
        "(s + '\\u00e9').encode('ascii')"}) {
    CAPTURE(std::string(body));
    CHECK(verdict("def f(s: lang(r'a*')):\n    " + std::string(body) + "\n", "f") !=
          Verdict::kVerified);
  }
  for (const char* body : {"xs = [s, 'b']\n    xs.sort()", "max(len(s), 1.5)", "s.encode('ascii')",
                           "d = {(s, 1): 2}", "sorted([[s], ['b']])"}) {
    CAPTURE(std::string(body));
    CHECK(verdict("def f(s: lang(r'a*')):\n    " + std::string(body) + "\n", "f") ==
          Verdict::kVerified);
  }
}

TEST_CASE("a container that a loop reads and changes leaves the function open") {
  const std::string head = "def f(s: lang(r'a*')):\n    d = {'a': 1, 'b': 2}\n    ";
  for (const char* loop :
       {"for k in d: del d[k]", "for k in d: d[k + 'x'] = 1", "for k, v in d.items(): d.pop(k)",
        "e = d\n    for k in d:\n        if k == 'a': e['c'] = 1"}) {
    CAPTURE(std::string(loop));
    CHECK(verdict(head + loop + "\n", "f") != Verdict::kVerified);
  }
  for (const char* loop :
       {"for k in d: d[k] = 3", "for k in list(d): d.pop(k, 0)",
        "for k in d:\n        if k == 'a':\n            d['c'] = 1\n            break"}) {
    CAPTURE(std::string(loop));
    CHECK(verdict(head + loop + "\n", "f") == Verdict::kVerified);
  }
}

TEST_CASE("a method that is bound again may do anything") {
  const std::string cls = "class C:\n    def g(self, x):\n        return x\n";
  const std::string use = "def f(s: lang(r'a')):\n    assert C().g(s) == 'a'\n";
  CHECK(verdict(cls + use, "f") == Verdict::kVerified);
  CHECK(verdict(cls + "C.g = lambda self, x: 'b'\n" + use, "f") == Verdict::kUnknown);
  CHECK(verdict(cls + "    g = lambda self, x: 'b'\n" + use, "f") == Verdict::kUnknown);
}

TEST_CASE("no program takes all time and memory") {
  std::string doubling = "def f(x: lang(r'a*')) -> str:\n";
  for (int i = 0; i < 60; ++i) doubling += "    x = x + x\n";
  CHECK(shown(doubling + "    return x\n").empty());
  CHECK(shown("def f(s: lang(r'a*')) -> str:\n    return s[0*len(s)]\n") == "f('')");
  std::string table = "T = lang(r'a')\nx = {", list = "T = lang(r'a')\ny = [";
  for (int i = 0; i < 20'000; ++i) {
    table += "'k" + std::to_string(i) + "': 'value', ";
    list += "'item', ";
  }
  CHECK(shown(table + "}\n").empty());
  CHECK(shown(list + "]\n").empty());
}
