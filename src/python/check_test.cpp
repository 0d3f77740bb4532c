#include "python/check.h"

#include <chrono>
#include <cstdio>
#include <doctest/doctest.h>
#include <string>

#include "python/characters.h"

using namespace nacre::python;

namespace {

FunctionReport last_function(const std::string& source) {
  FileReport report = check_python(source);
  REQUIRE(report.problems.empty());
  REQUIRE_FALSE(report.functions.empty());
  return report.functions.back();
}

bool is_verified(const std::string& source) {
  return last_function(source).verdict == Verdict::kVerified;
}

// The call that makes the function fail, or "".
std::string failing(const std::string& source) {
  for (const Finding& finding : last_function(source).findings) {
    if (finding.is_confirmed) return finding.arguments.empty() ? "()" : finding.arguments[0];
  }
  return "";
}

std::string function(const std::string& regex, const std::string& body) {
  std::string out = "def f(s: lang(r'" + regex + "')):\n";
  for (size_t at = 0; at < body.size();) {
    size_t end = std::min(body.find('\n', at), body.size());
    out += "    " + body.substr(at, end - at) + "\n";
    at = end + 1;
  }
  return out;
}

}  // namespace

TEST_CASE("types of expressions are inferred exactly") {
  FunctionReport report = last_function(
      "def extract_minor(s: lang(r'[0-9]+\\.[0-9]+\\.[0-9]+')) -> lang(r'[0-9]+'):\n"
      "    i1 = s.index('.') + 1\n"
      "    show_type(s[i1:])\n"
      "    i2 = s.index('.', i1)\n"
      "    return s[i1:i2]\n");
  CHECK(report.verdict == Verdict::kVerified);
  CHECK(report.returns == "r'[0-9]+'");
  REQUIRE(report.shown.size() == 1);
  CHECK(report.shown[0].type == "r'[0-9]+\\.[0-9]+'");
}

TEST_CASE("loops need no invariants") {
  CHECK(is_verified(function(
      "(a.b)*",
      "i = 0\nwhile i < len(s):\n  a,x,b = s[i:i+3]\n  assert a == 'a' and b == 'b'\n  i += 3")));
  CHECK(
      is_verified(function("a*|b*",
                           "i = ca = cb = 0\nwhile i < len(s):\n  if s[i] == 'a': ca += 1\n  if "
                           "s[i] == 'b': cb += 1\n  i += 1\nassert ca == len(s) or cb == len(s)")));
  CHECK(is_verified(
      function("[a-z ]*", "t = ''\nfor c in s:\n  if c != ' ': t += c\nassert ' ' not in t")));
  CHECK(is_verified(function("[ab]*", "assert all(c in 'ab' for c in s)")));
  CHECK(failing(function("[ab]*", "for c in s:\n  assert c == 'a'")) == "'b'");
}

TEST_CASE("loops that count down below zero come to their end") {
  for (const char* body : {"for i in range(10, -1, -1):\n  pass\nassert False",
                           "i = len(s) - 1\nwhile i > -1:\n  i -= 1\nassert False",
                           "for i in range(len(s) - 1, -1, -1):\n  pass\nassert False"}) {
    CAPTURE(std::string(body));
    CHECK(failing(function("(ab[ab]){2}", body)) == "'abaaba'");
  }
}

TEST_CASE("negative indices, slices and empty strings are Python's") {
  CHECK(failing(function("a*", "return s[-1]")) == "''");
  CHECK(is_verified(function("a+", "return s[-1]")));
  CHECK(is_verified(function("a*", "assert s[-3:] == s[max(0, len(s) - 3):]")));
  CHECK(is_verified(function("a*b", "assert s[::-1].startswith('b')")));
  CHECK(failing(function("[ab]{2}", "a, b, c = s")) == "'aa'");
}

TEST_CASE("string methods") {
  CHECK(is_verified(function(" *x+ *", "assert isinstance(s.strip(), lang(r'x+'))")));
  CHECK(is_verified(function("[a-z]+=[a-z]*", "k, v = s.split('=')\nassert k")));
  CHECK(is_verified(function(
      "a+,b*,c",
      "parts = s.split(',')\nassert len(parts) == 3 and parts[2] == 'c' and parts[-1] == 'c'")));
  CHECK(is_verified(function("[a-c]+", "assert s.upper().replace('A', 'B').isalpha()")));
  CHECK(is_verified(function("[0-9]{1,3}", "assert 0 <= int(s) <= 999")));
  CHECK(failing(function("[0-9]*", "return int(s)")) == "''");
  CHECK(is_verified(function("a{1,3}", "assert len(s.zfill(4)) == 4")));
  CHECK(is_verified(
      function("xx*abx*", "assert s.find('ab') >= 1 and s.rfind('ab') == s.find('ab')")));
  CHECK(is_verified(function("([a-z]+ )*[a-z]+", "for w in s.split():\n  assert w.isalpha()")));
  CHECK(is_verified(function("ab*", "head, sep, tail = s.partition('b')\nassert head == 'a'")));
  CHECK(
      is_verified("import re\n" +
                  function("[0-9]+-[0-9]+",
                           "assert re.fullmatch(r'\\d+-\\d+', s)\nassert not re.search('x', s)")));
}

TEST_CASE("numbers are bounded by the words that spell them") {
  CHECK(is_verified(function("[0-2][0-9]:[0-5][0-9]",
                             "h, m = s.split(':')\nassert 0 <= int(h) * 60 + int(m) < 1800")));
  CHECK(is_verified(function("[+-]?[0-9]+", "assert int(s) >= 0 or s.startswith('-')")));
  CHECK(failing(function("[0-9]{1,3}(\\.[0-9]{1,3}){3}",
                         "for x in s.split('.'):\n  assert int(x) <= 255")) != "");
  CHECK(is_verified(
      function("[0-9]+(;[0-9]+)*",
               "t = 0\nfor x in s.split(';'):\n  t += int(x)\n  t += len(x)\nassert t >= 0")));
}

TEST_CASE("f-strings: conversions and formats") {
  CHECK(is_verified(function("[a-z]{1,4}",
                             "t = f'{s:>6}|{s:<5}|{s:^7}'\n"
                             "assert len(t) == 20 and t.strip()[0] == s[0]")));
  CHECK(is_verified(function("-?[1-9][0-9]?",
                             "n = int(s)\nassert len(f'{n:04d}') == 4\n"
                             "assert f'{n:+}'[0] in '+-'")));
  CHECK(is_verified(function("[a-z]*", "assert f'{s!r}' == \"'\" + s + \"'\"")));
  CHECK(
      is_verified(function("[ab]+", "w = 3\nassert f'{s:.2}' == s[:2] and len(f'{7:{w}}') == 3")));
  CHECK(failing(function("a", "return f'{s:d}'")) == "'a'");
  CHECK(is_verified(function("[0-9]", "assert f'{int(s) + 10:02x}' in '0a0b0c0d0e0f10111213'")));
  CHECK(is_verified(function("[0-9]", "assert '%02d' % int(s) == '0' + str(int(s))")));
  CHECK(is_verified(function("[0-9]", "assert '{0}-{0:>2}'.format(s) == s + '- ' + s")));
}

TEST_CASE("unpacking with a star") {
  CHECK(is_verified(
      function("a+(,b+)*", "x, *y = s.split(',')\nassert x[0] == 'a'\nfor r in y:\n  assert r")));
  CHECK(is_verified(function("[ab]{2,}",
                             "x, *y, z = s\nassert x + ''.join(y) + z == s\n"
                             "assert len(y) == len(s) - 2")));
  CHECK(failing(function("[ab]*", "x, *y = s")) == "''");
  CHECK(failing(function("a?", "x, *y, z = s.split('a')")) == "''");
}

TEST_CASE("what is used up by reading it is not taken for a list") {
  FunctionReport report = last_function(function(
      "[0-9],[0-9]", "m = map(int, s.split(','))\nfor x in m:\n  pass\nassert sum(m) == 0"));
  CHECK(report.verdict == Verdict::kUnknown);
  CHECK_FALSE(is_verified(function("a*", "assert len({s, s}) == 2")));
}

TEST_CASE("lists are looked at as far as they are needed") {
  CHECK(is_verified(function("aaa", "assert s.split('aa')[-1] == 'a'")));
  CHECK(is_verified(function("[a-z]+(/[a-z]+)*", "p = s.split('/')\nfor x in p[1:]:\n  assert x")));
  CHECK(is_verified(function("[0-9]+(\\.[0-9]+){2}",
                             "a, b, c = [int(x) for x in s.split('.')]\nassert a + b + c >= 0")));
  CHECK(is_verified(function("[0-9]+,[0-9]+", "assert sum(map(int, s.split(','))) >= 0")));
  CHECK(is_verified(function("[a-z ]*",
                             "t = ''.join(c for c in s if c != ' ')\n"
                             "assert ' ' not in t and len(t) <= len(s)")));
  CHECK(is_verified(function("[ab]*", "for c in [c.upper() for c in s]:\n  assert c in 'AB'")));
  CHECK(is_verified(function("[a-z]+( [a-z]+){0,3}",
                             "assert all(w.isalpha() for w in s.split())\n"
                             "assert ' '.join(s.split()) == s")));
  CHECK(is_verified(function("[ab]{3}c",
                             "c = 1\nt = [c for c in s]\n"
                             "assert c == 1 and s[3:1:-1][0] == 'c'")));
  CHECK(failing(function("[ab]*", "return [c for c in s][2]")) == "''");
}

TEST_CASE("characters count, not bytes") {
  CHECK(is_verified(function("[äö𝄞]{3}", "assert len(s) == 3 and s[2] in 'äö𝄞'")));
}

TEST_CASE("two letters of one class are not the same letter") {
  CHECK_FALSE(is_verified(function("[^a][^a]", "assert s[0] == s[1]")));
}

TEST_CASE("exceptions are caught by the handlers that catch them") {
  CHECK(is_verified(
      function(".*", "try:\n  i = s.index('a')\nexcept ValueError:\n  i = -1\nassert i >= -1")));
  CHECK(failing(function("b?", "try:\n  s.index('a')\nexcept IndexError:\n  pass")) != "");
  CHECK(is_verified(function("[ab]*", "try:\n  return s[0]\nexcept LookupError:\n  return ''")));
  // Each way to the raise is a way into the handler.
  CHECK(failing(function("[ab]",
                         "n = 0\ntry:\n  raise ValueError(n if s == 'a' else s)\n"
                         "except ValueError:\n  assert s == 'b'")) == "'a'");
  CHECK(is_verified(function("a", "try:\n  raise ValueError(s[1])\nexcept IndexError:\n  pass")));
}

TEST_CASE("what a handler raises again is what it caught") {
  for (const char* again : {"raise", "raise e"}) {
    CAPTURE(std::string(again));
    CHECK(is_verified(
        function("a*", std::string("try:\n  try:\n    s[9]\n  except LookupError as e:\n    ") +
                           again + "\nexcept IndexError:\n  pass")));
  }
}

TEST_CASE("functions of the file are followed, recursive ones by their types") {
  CHECK(
      is_verified("def tail(t):\n    return t[1:]\n\ndef f(s: lang(r'ab*')) -> lang(r'b*'):\n    "
                  "return tail(s)\n"));
  CHECK(
      is_verified("def f(s: lang(r'a*')) -> lang(r'b*'):\n    if not s:\n        return s\n    "
                  "return 'b' + f(s[1:])\n"));
  CHECK(failing(
            "def g(t: lang(r'a+')):\n    return t\n\ndef f(s: lang(r'a*')):\n    return g(s)\n") ==
        "''");
}

TEST_CASE("invariants are checked at the head of the loop") {
  CHECK(is_verified(function("a*", "i = 0\nwhile i < len(s):\n  inv(0 <= i <= len(s))\n  i += 1")));
  CHECK(failing(function("a*", "i = 0\nwhile i < len(s):\n  inv(i < len(s))\n  i += 1")) == "''");
}

TEST_CASE("what is outside of the fragment is named") {
  for (const auto& [body, name] : {std::pair{"x = s.frobnicate()", "the method 'frobnicate'"},
                                   std::pair{"x = frob(s)", "the name 'frob'"},
                                   std::pair{"x = s.format_map({})", "the method 'format_map'"}}) {
    FunctionReport report = last_function(function("a*", body));
    CHECK(report.verdict == Verdict::kUnknown);
    REQUIRE(report.unsupported.size() == 1);
    CHECK(report.unsupported[0].what == name);
  }
}

TEST_CASE("what is not known is said, and nothing is verified with it") {
  FunctionReport report = last_function(function("a*", "x = frob(s)\nassert s != 'b'"));
  CHECK(report.verdict == Verdict::kUnknown);
  REQUIRE(report.unsupported.size() == 1);
}

TEST_CASE("bad input gets a message, never a crash") {
  for (const char* source :
       {"def f(s: lang(r'a(')): pass", "type A = B\ntype B = A\ndef f(s: A): pass",
        "def f(s: lang(x)): pass", "def f(:", "type A = lang(r'{A}')\ndef f(s: A): pass"}) {
    CAPTURE(std::string(source));
    CHECK_FALSE(check_python(source).problems.empty());
  }
  std::string loops = "def f(s: lang(r'(ab|c)*')):\n    i = j = n = 0\n";
  for (int i = 0; i < 30; ++i)
    loops +=
        "    while i < len(s):\n        if s[i] == 'a': j += 1\n        n += j\n        i += 1\n   "
        " i = 0\n";
  CHECK(check_python(loops).functions.size() == 1);
  std::string nested = "def f(s: lang(r'[ab]*')):\n    n = 0\n";
  for (int i = 0; i < 8; ++i)
    nested +=
        std::string(static_cast<size_t>(4 + 4 * i), ' ') + "for c" + std::to_string(i) + " in s:\n";
  CHECK(check_python(nested + std::string(36, ' ') + "n += 1\n").functions.size() == 1);
  std::string lines = "def f(s: lang(r'a*')):\n";
  for (int i = 0; i < 10000; ++i)
    lines += "    x" + std::to_string(i % 50) + " = s[:" + std::to_string(i % 7) + "]\n";
  CHECK(check_python(lines).functions.size() == 1);
}

TEST_CASE("items that can be cut in ever more ways use up the budget") {
  const FileReport report = check_python(
      "type Input = lang(r'(?:.)+a.bbaab')\n"
      "def f(s: Input):\n"
      "    i = 0\n"
      "    if s.split('aa')[-1] != 'b':\n"
      "        for i in range(len(s) - 1, -1, -1):\n"
      "            assert 0 == i\n");
  REQUIRE(report.functions.size() == 1);
  CHECK(report.functions[0].verdict != Verdict::kVerified);
}

TEST_CASE("character classes are CPython's") {
  const char* script =
      "python3 -c \"\n"
      "import unicodedata\n"
      "assigned = [c for c in map(chr, range(0x110000)) if unicodedata.category(c) != 'Cn']\n"
      "for m in ('isalpha', 'isdecimal', 'isdigit', 'isnumeric', 'isalnum', 'isspace'):\n"
      "    print(m, sum(ord(c) for c in assigned if getattr(c, m)()))\n"
      "print('identifier_start', sum(ord(c) for c in assigned if c.isidentifier()))\n"
      "print('identifier_part', sum(ord(c) for c in assigned if ('a' + c).isidentifier()))\n"
      "print('assigned', ' '.join(str(ord(c)) for c in assigned if 0))\" 2>/dev/null";
  FILE* pipe = popen(script, "r");
  REQUIRE(pipe != nullptr);
  char name[32];
  unsigned long long sum = 0;
  int compared = 0;
  while (fscanf(pipe, "%31s %llu", name, &sum) == 2) {
    unsigned long long own = 0;
    for (auto range : character_class(name).ranges()) {
      for (uint32_t c = range.first; c <= range.last; ++c) own += c;
    }
    // Newer tables of Unicode may add characters, never take any away.
    CAPTURE(std::string(name));
    CHECK(own >= sum);
    ++compared;
  }
  pclose(pipe);
  MESSAGE(compared << " classes compared");
}
