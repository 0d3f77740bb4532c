"""Random programs of the checked fragment with random types, and what CPython says of them.

usage: random_programs.py COUNT SEED

Prints records separated by \\x1e: the source, \\x1f, and either "safe" (no word of the type up to the bound fails) or
"fails" and a word that does.
"""

import itertools
import random
import re
import signal
import sys

LENGTH = 7  # of the words that are tried
MOST_SECONDS = 0.02  # of one run; beyond it, the steps are counted
MOST_STEPS = 2000
MOST_WORDS = 400  # of a function whose steps are counted


MODULE = """import os
import pathlib
import re

class Box:
    def __init__(self, value):
        self.value = value
        self.count = 0

    def add(self, more):
        self.value += more
        self.count += 1

    def get(self):
        return self.value if self.count < 2 else 'a'

"""


class Steps(BaseException):
    """The run takes too long: it says nothing. No handler of the program catches it."""


class Generator:
    def __init__(self, rng):
        self.rng = rng
        self.depth = 0
        self.is_module = rng.random() < 0.4

    def pick(self, *items):
        return self.rng.choice(items)

    # Types.
    def regex(self, depth=0):
        kind = self.rng.random()
        if depth > 2 or kind < 0.35:
            return self.pick("a", "b", "a", "b", ".", "[ab]", "[^a]", "[^b]", "ab", "ba", "")
        if kind < 0.6:
            return self.regex(depth + 1) + self.regex(depth + 1)
        if kind < 0.75:
            return "(?:%s|%s)" % (self.regex(depth + 1), self.regex(depth + 1))
        return "(?:%s)%s" % (self.regex(depth + 1) or "a", self.pick("*", "*", "+", "?", "{2}"))

    # Expressions.
    def letter(self):
        return self.pick("'a'", "'b'", "'a'", "'b'", "'ab'", "''")

    def integer(self):
        return self.pick(
            "0", "1", "2", "i", "i", "i", "j", "n", "i + 1", "i - 1", "len(s)", "len(s) - 1", "len(t)", "-1",
            "s.find(%s)" % self.letter(), "s.rfind(%s)" % self.letter(), "s.find(%s, i)" % self.letter(),
            "s.count(%s)" % self.pick("'a'", "'b'"), "s.index(%s)" % self.letter(), "len(s) // 2", "i + j", "n + 1",
            "min(i, len(s))", "abs(j)",
        )

    def text(self):
        return self.pick(
            "s", "t", "s", "s[i]", "s[i]", "s[0]", "s[-1]", "s[i:]", "s[:i]", "s[i:j]", "s[i:i + 2]", "s[1:]", "s[:-1]",
            "t[0]", "t + s", "s[::-1]", "s.strip('a')", "s.lstrip('ab')", "s.rstrip('b')", "s.replace('a', 'b')",
            "s.removeprefix('a')", "s.removesuffix('b')", "s.partition('b')[0]", "s.partition('ab')[2]", "s.split('b')[0]",
            "s.rpartition('a')[2]", "'a' + t", "t + s[i]", "f'{t}b'", "s.split('a')[-1]", "s.replace('ab', '')", "t[i:]",
            "f'{s:>3}'", "f'{n:02d}'", "f'{i}{t:.2}'", "s[i::-1]", "s[:i:-1]", "s[j:i:-1]", "''.join(c for c in s if c != 'a')",
            "''.join([c.replace('b', 'a') for c in s])", "s.split('aa')[-1]", "','.join(s)", "s.split('a')[1]",
        )

    def condition(self):
        kind = self.rng.random()
        if kind < 0.35:
            return "%s %s %s" % (self.integer(), self.pick("==", "!=", "<", "<=", ">", ">="), self.integer())
        if kind < 0.6:
            return "%s %s %s" % (self.text(), self.pick("==", "!="), self.letter())
        if kind < 0.7:
            return "%s %s %s" % (self.letter(), self.pick("in", "not in"), self.text())
        if kind < 0.76:
            return "%s.%s(%s)" % (self.text(), self.pick("startswith", "endswith"), self.letter())
        if kind < 0.8:
            return self.pick("f", "not f", "f", "s", "not t")
        if kind < 0.84:
            return "0 <= i < len(s)"
        if kind < 0.87:
            return "%s %s %s" % (self.text(), self.pick("<", ">=", "<="), self.pick("'a'", "'b'"))
        if kind < 0.9:
            return "isinstance(%s, lang(r'%s'))" % (self.text(), self.regex(1))
        if kind < 0.92:
            return self.pick("all(c == 'a' for c in s)", "any(c in t for c in s)",
                             "len([c for c in s if c == 'a']) > 1")
        if kind < 0.94:
            return "%s in ('a', 'b', 'ab')" % self.text()
        return "%s %s %s" % (self.condition(), self.pick("and", "or"), self.condition())

    # Statements.
    def block(self, indent, count=None, in_loop=False):
        out = []
        for _ in range(count or self.rng.randint(1, 3)):
            out += self.statement(indent, in_loop)
        return out

    # What modules have besides: lists, dictionaries, instances and groups of regexes.
    def module_statement(self, pad):
        return [pad + self.pick(
            "xs.append(t)", "xs.append(s[i:])", "xs.append('a')", "ys = xs", "ys = list(xs)", "ys.append(s)", "xs.extend([t, 'b'])",
            "t = ''.join(xs)", "t = '-'.join(ys)", "n = len(xs)", "assert all(x == s for x in xs)", "assert 'b' not in xs",
            "for x in xs: t = x", "xs = [x + 'a' for x in xs]", "d[t] = i", "d['a'] = t", "t = d.get('a', 'b')", "assert 'a' not in d",
            "for k, v in d.items(): n += 1", "o.add(t)", "o.add(s[:1])", "t = o.get()", "n = o.count", "o = Box(t)", "assert o.count < 2",
            "t = o.value + s", "m = re.match(r'(a*)(b)?', s)", "m = re.fullmatch(r'(a|b)(.*)', s)", "m = re.search(r'b(a?)', s)",
            "t = m.group(1)", "t = m.group(2)", "t = m[0]", "assert m is not None", "assert not m or m.group(1) == 'a'",
            "t = re.sub(r'a+', 'b', s)", "t = re.sub(r'[^a]', '', s)", "ys = re.findall(r'a+', s)", "t = '%s%d' % (t, n)",
            "t = '{:>2}'.format(s)", "t = f'{n:03d}'", "n = max([len(x) for x in xs] + [0])", "t = sorted(xs)[0] if xs else 'a'",
            "t = s.translate(str.maketrans('ab', 'ba'))", "t = s.translate({ord('a'): None, 98: 'aa'})", "t = t.expandtabs()",
            "t = s.casefold()", "t = os.path.join(t, s)", "t, x = os.path.splitext(s)", "t = str(pathlib.PurePosixPath('b') / s)",
            "t = pathlib.PurePosixPath('a', s).name", "assert pathlib.PurePosixPath(s).suffix == ''", "ys = s.split('b')[:2]",
            "f = any(x == 'a' for x in s.split('b'))", "ys = xs + [t]",
            "xs, ys = ys, xs", "t = max(t, s)", "f = isinstance(t, Input)", "t = xs[-1]", "t = xs.pop()")]

    def statement(self, indent, in_loop):
        pad = "    " * indent
        if self.is_module and self.rng.random() < 0.4:
            return self.module_statement(pad)
        kind = self.rng.random()
        deep = indent > 3
        if kind < 0.2:
            return [pad + "assert " + self.condition()]
        if kind < 0.32:
            return [pad + "%s = %s" % (self.pick("i", "j", "n"), self.integer())]
        if kind < 0.42:
            return [pad + "%s %s %s" % (self.pick("i", "j", "n"), self.pick("+=", "+=", "-="), self.pick("1", "1", "2"))]
        if kind < 0.5:
            return [pad + "t = " + self.text()]
        if kind < 0.55:
            return [pad + "t += " + self.pick("'a'", "s[i]", "'b'", "s[:i]")]
        if kind < 0.59:
            return [pad + "f = " + self.pick("True", "False", self.condition())]
        if kind < 0.62:
            return [pad + self.pick("a, b = s", "a, b = s[i:i + 2]", "a, b = s.split('b')", "a, x, b = s.partition('a')",
                              "a, *r = s", "*r, b = s", "a, *r = s.split('b')", "a, *r, b = s", "r = s.split('b')[1:]")]
        if kind < 0.65:
            return [pad + self.pick("return t", "return", "raise ValueError")] if not in_loop else [pad + "break"]
        if kind < 0.67 and in_loop:
            return [pad + self.pick("break", "continue")] if in_loop == "for" else [pad + "break"]
        if kind < 0.84 and not deep:
            out = [pad + "if %s:" % self.condition()] + self.block(indent + 1, None, in_loop)
            if self.rng.random() < 0.5:
                out += [pad + "else:"] + self.block(indent + 1, None, in_loop)
            return out
        if kind < 0.88 and not deep:
            return [pad + "try:"] + self.block(indent + 1, None, in_loop) + [pad + "except %s:" % self.pick("ValueError", "IndexError", "Exception")] + self.block(indent + 1, 1, in_loop)
        if kind < 0.93 and not deep:
            head = self.pick("for c in s:", "for i in range(len(s)):", "for c in t:", "for k, c in enumerate(s):", "for c in s.split('b'):", "for j in range(2):", "for i in range(len(s) - 1, -1, -1):")
            body = self.block(indent + 1, None, "for")
            if self.rng.random() < 0.4 and " c " in head:
                body.insert(0, "    " * (indent + 1) + self.pick("assert c == 'a'", "t += c", "if c == 'b': break", "if c != 'a': t += c"))
            return [pad + head] + body
        if not deep:
            variable = self.pick("i", "i", "j")
            forward = self.rng.random() < 0.8
            head = "while %s:" % (self.pick("%s < len(s)", "%s < len(s) - 1", "%s < 3", "%s < len(s) and s[%s] == 'a'") if forward else self.pick("%s > 0", "%s >= 0")).replace("%s", variable)
            body = self.block(indent + 1, None, "while")
            body.append("    " * (indent + 1) + "%s %s %s" % (variable, "+=" if forward else "-=", self.pick("1", "1", "1", "2")))
            return [pad + head] + body
        return [pad + "pass"]

    def program(self):
        first = ["    i = %s" % self.pick("0", "0", "0", "1", "len(s)", "len(s) - 1"), "    j = %s" % self.pick("0", "1", "i"), "    n = 0", "    t = %s" % self.pick("''", "s", "'a'"), "    f = False"]
        if self.is_module:
            first += ["    xs, ys, d, o, m = [], [t], {}, Box(s), None"]
        body = self.block(1, self.rng.randint(1, 4) + 3 * self.is_module)
        return (MODULE if self.is_module else "") + "type Input = lang(r'%s')\n\ndef f(s: Input):\n%s\n" % (self.regex(), "\n".join(first + body))


def words_of(pattern):
    compiled = re.compile(pattern, re.DOTALL)
    for length in range(LENGTH + 1):
        for letters in itertools.product("abx", repeat=length):
            word = "".join(letters)
            if compiled.fullmatch(word):
                yield word


def fails(function, word):
    try:
        function(word)
    except Exception:
        return True
    return False


def fails_in_time(function, word):
    """As fails(), for a function that may not end; a run of too many steps says nothing."""
    steps = 0

    def trace(frame, event, argument):
        nonlocal steps
        steps += 1
        if steps > MOST_STEPS:
            raise Steps
        return trace

    sys.settrace(trace)
    try:
        return fails(function, word)
    except Steps:
        return False
    finally:
        sys.settrace(None)


def first_failing(function, words):
    """Counting steps is slow, so it is done only from the first word on that takes long."""
    words = iter(words)
    word = next(words, None)

    def stop(*_):
        raise Steps

    signal.signal(signal.SIGVTALRM, stop)
    try:
        while word is not None:
            signal.setitimer(signal.ITIMER_VIRTUAL, MOST_SECONDS)
            if fails(function, word):
                return word
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            word = next(words, None)
        return None
    except Steps:
        pass
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    rest = itertools.islice(itertools.chain([word], words), MOST_WORDS)
    return next((word for word in rest if fails_in_time(function, word)), None)


def oracle(source):
    import os
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../python"))
    names = {}
    exec("from nacre_types import *\n" + re.sub(r"(?m)^type (\w+) = ", r"\1 = ", source), names)
    word = first_failing(names["f"], words_of(names["Input"].regex.pattern))
    return "safe" if word is None else "fails " + word


def main(count, seed):
    rng = random.Random(seed)
    made = 0
    while made < count:
        source = Generator(rng).program()
        try:
            compile(re.sub(r"(?m)^type (\w+) = ", r"\1 = ", source), "program", "exec")
        except SyntaxError:
            continue
        made += 1
        sys.stdout.write(source + "\x1f" + oracle(source) + "\x1e")


main(int(sys.argv[1]), int(sys.argv[2]))
