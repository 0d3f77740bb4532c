#!/usr/bin/env python3
"""Random awk programs: the modelled awk must print what gawk and mawk print where they agree.

    awk.py NACRE [COUNT [SEED]]
"""

import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

BATCH = 100
INPUTS = [
    "a 1 x\nb 22 y\nc 3 z\n",
    "root:x:0:0\nuser:x:1000:\n::\nlast",
    "  two  words \n\n10 9\n9 10\nabc def ghi jkl\n",
    "one,two;three\n1.5,2e3;-7\n0x10,abc;\n",
    "p q\nr s\n\n\nt u\nv\n\nw\n",
    "",
]
REGEXES = ["/a/", "/^[a-c]/", "/[0-9]+/", "/o$/", "/(b|2)+/", "/[^ :]*x/", "/[,;]/", "/\\./", "/^$/", "/w.*d/", "/[[:alpha:]]+/", "/x*/", "/[]x]/", "/a+b?/"]
PLACES = ["$1", "$2", "$NF", "x", "y", "a[$1]", "a[NR]", "$3"]
SEPARATORS = ["", "-F:", "-F,", "-F'[,;]'", "-F'\\t'", "-F'|'", "-vFS=x", "-vRS=", "-vOFS=-", "-vORS='|'", "-v 'x=a\\tb'", "-v x=10", "-vRS=';'"]


class Programs:
    """Makes programs that say the same in every awk: no order of arrays, no random numbers."""

    def __init__(self, rng):
        self.rng = rng

    def pick(self, *choices):
        choice = self.rng.choice(choices)
        return choice() if callable(choice) else choice

    def number(self):
        return self.pick("0", "1", "2", "3", "10", "1.5", "100", "-1", "NR", "NF", "length($0)", "x", "$2", "1e3", "'0'".replace("'", '"'))

    def text(self, depth):
        return self.pick("$0", "$1", "$2", "$NF", '"abc"', '"a b c"', '""', "x", "y", '"x1y22"', lambda: self.value(depth + 1))

    def value(self, depth=0):
        if depth > 2:
            return self.pick(self.number, "$1", "$0", '"s"')
        value, number, text = (lambda: self.value(depth + 1)), self.number, (lambda: self.text(depth))
        return self.pick(
            number, number, text, text,
            lambda: f"({value()} {self.pick('+', '-', '*', '')} {value()})",
            lambda: f"({number()} {self.pick('%', '/', '^')} {self.pick('2', '3')})",
            lambda: f"({value()} {self.pick('<', '<=', '==', '!=', '>', '>=')} {value()})",
            lambda: f"({text()} {self.pick('~', '!~')} {self.rng.choice(REGEXES)})",
            lambda: f"({value()} ? {value()} : {value()})",
            lambda: f"({value()} {self.pick('&&', '||')} {value()})", lambda: f"!{value()}", lambda: f"-{value()}",
            lambda: f"length({text()})", lambda: f"substr({text()}, {self.pick('1', '2', '3')}, {self.pick('1', '2', '9')})", lambda: f"substr({text()}, {self.pick('1', '2')})",
            lambda: f"index({text()}, {self.pick(chr(34) + 'b' + chr(34), '$1')})", lambda: f"toupper({text()})", lambda: f"tolower({text()})", lambda: f"int({value()})",
            lambda: f"sprintf({self.format()})", lambda: f"match({text()}, {self.rng.choice(REGEXES)})", lambda: f"split({text()}, p{self.pick('', ', /[,;]/', ', ' + chr(34) + ':' + chr(34))})",
            "p[1]", "p[2]", "RSTART", "RLENGTH", '("k" in a)', "(NR in a)", "(($1, $2) in a)", lambda: f"{self.pick('x', 'y', 'n')}{self.pick('++', '--')}",
            lambda: f"f({value()})", lambda: f"({self.rng.choice(PLACES)} {self.pick('=', '+=', '-=', '*=')} {value()})")

    def format(self):
        kind = self.rng.choice(["%d", "%5d", "%-5d|", "%05d", "%s", "%5s", "%-5s|", "%.2s", "%.2f", "%8.3f", "%e", "%g", "%c", "%x", "%o", "%i%%", "%+d", "%*d"])
        if kind == "%*d":
            return f'"%*d", 5, int({self.number()})'
        # Characters by number, large and negative numbers are where awks differ.
        argument = "$1" if kind == "%c" else f"length({self.value(2)})" if kind in ("%x", "%o") else self.value(2)
        return f'"<{kind}>", {argument}'

    def statement(self, depth=0):
        value, place = self.value, lambda: self.rng.choice(PLACES)
        block = lambda: "{ " + "; ".join(self.statement(depth + 1) for _ in range(self.rng.randint(1, 2))) + " }"
        simple = [
            lambda: f"print {value()}", lambda: f"print {value()}, {value()}", "print", lambda: f"printf {self.format()}; print \"\"",
            lambda: f"{place()} = {value()}", lambda: f"{place()} {self.pick('+=', '-=', '*=')} {value()}", lambda: f"{self.pick('x', 'n', 'a[$1]')}++",
            lambda: f"{self.pick('sub', 'gsub')}({self.rng.choice(REGEXES)}, {self.pick(chr(34) + '[&]' + chr(34), chr(34) + chr(34), chr(34) + 'Q' + chr(34))}{self.pick('', ', x', ', $1', ', $0')})",
            "a[$1, $2] = NR", "delete a[$1]", lambda: f"NF = {self.pick('1', '2', '4')}", "$0 = $2 \" \" $1", "print length(a)", "n = split($0, p)", "print NF, NR, FNR",
            "$1 = $1", "print > \"out\"", "print $1 >> \"more\"", "print $1 | \"sort\"", 'while (("echo c d; echo e" | getline line) > 0) print "got " line; close("echo c d; echo e")', "if ((getline line) > 0) print \"next \" line",
            'x = system("exit 3"); print x',
        ]
        if depth > 1:
            return self.pick(*simple)
        return self.pick(*simple, *simple, lambda: f"if ({value()}) {block()}", lambda: f"if ({value()}) {block()} else {block()}",
                         lambda: f"for (i{depth} = 0; i{depth} < {self.pick('2', '3', 'NF')}; i{depth}++) {block()}", lambda: f"j{depth} = 3; while (j{depth}-- > 0) {block()}",
                         lambda: f"k{depth} = 0; do {block()} while (++k{depth} < 2)", lambda: f"for (m{depth} = 1; m{depth} <= NF && m{depth} < 5; m{depth}++) print $m{depth}", "next",
                         lambda: f"for (q{depth} = 0; q{depth} < 4; q{depth}++) {{ if (q{depth} == 2) {self.pick('break', 'continue')}; print q{depth} }}")

    def rule(self):
        pattern = self.pick("", "", lambda: self.rng.choice(REGEXES), "NR == 2", "NR > 1", lambda: self.value(1), lambda: f"{self.rng.choice(REGEXES)}, {self.rng.choice(REGEXES)}", "$1 == \"b\"", "$2 > 5")
        body = "; ".join(self.statement() for _ in range(self.rng.randint(1, 3)))
        return f"{pattern} {{ {body} }}" if not pattern or self.rng.random() < 0.8 else pattern

    def program(self):
        rules = [self.rule() for _ in range(self.rng.randint(1, 3))]
        if self.rng.random() < 0.3:
            rules.insert(0, "BEGIN { x = 7; y = \"init\" }")
        if self.rng.random() < 0.4:
            rules.append("END { print NR, x, y, n, length(a) }")
        if self.rng.random() < 0.1:
            rules.append("END { exit 3 }")
        return "\n".join(rules + ["function f(v, w) { w = v + 1; return w }"])

    def options(self):
        return " ".join(self.rng.choice(SEPARATORS) for _ in range(self.rng.randint(0, 2)))


def run_batch(nacre, awks, rng):
    """For each program: (program, what each awk of the system did, what ours did)."""
    made = [(Programs(rng).options(), Programs(rng).program(), rng.choice(INPUTS)) for _ in range(BATCH)]
    with tempfile.TemporaryDirectory() as scratch:
        results = []
        for awk in [*awks, None]:
            root = pathlib.Path(scratch) / (awk or "simulated")
            root.mkdir()
            driver = ""
            for i, (options, program, text) in enumerate(made):
                (root / f"d{i}").mkdir()
                (root / f"d{i}" / "program").write_text(program)
                (root / f"d{i}" / "input").write_text(text)
                driver += f"( cd d{i}; echo == {i}; {awk or 'awk'} {options} -f program input; echo \"status $?\"; cat out more ) 2>/dev/null </dev/null\n"
            (root / "driver.sh").write_text(driver)
            run = [nacre, "run", "--fuel", "100000000", "--root", str(root)] if awk is None else [nacre, "run"]
            environment = {"PATH": os.environ["PATH"], "LC_ALL": "C", "HOME": "/"}
            output = subprocess.run([*run, "driver.sh"], cwd=root, env=environment, capture_output=True, timeout=300, stdin=subprocess.DEVNULL)
            results.append({int(part.split(b"\n", 1)[0]): part for part in output.stdout.split(b"== ")[1:] if part.split(b"\n", 1)[0].isdigit()})
    return [(" ".join(made[i][:2]) + f"\n--- input {made[i][2]!r}", [result.get(i) for result in results[:-1]], results[-1].get(i)) for i in range(BATCH)]


def main():
    nacre = os.path.abspath(sys.argv[1])
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 600
    rng = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    awks = [awk for awk in ("gawk", "mawk") if shutil.which(awk)]
    if len(awks) < 2:
        print("skipped: gawk and mawk are needed")
        return 77
    compared = differences = 0
    for _ in range(0, count, BATCH):
        for program, theirs, ours in run_batch(nacre, awks, rng):
            if theirs[0] != theirs[1]:
                continue
            compared += 1
            if ours != theirs[0]:
                differences += 1
                if differences <= int(os.environ.get("SHOWN", "5")):
                    print(f"--- {program}\n--- the others {theirs[0]!r}\n--- ours       {ours!r}")
    print(f"{compared - differences} of {compared} awk programs do what gawk and mawk agree on ({count} were made)")
    return 1 if differences or compared < count // 3 else 0


if __name__ == "__main__":
    sys.exit(main())
