#!/usr/bin/env python3
"""Random bash scripts: nacre bash must print what bash prints, and end with its status.

    bash_differential.py NACRE [COUNT] [SEED]

Exits with 77, "skipped", when there is no bash 5.2. What differs is printed with the seed that makes it again.
"""

import os
import random
import shutil
import subprocess
import sys
import tempfile

WORDS = ["a", "foo", "bar", "x y", "", "a*b", "12", "-3", "007", "Foo Bar", "tab\\there", "é", "a.b.c", "/usr/lib", "k=v"]
NAMES = ["x", "y", "z", "w"]
ARRAYS = ["a", "b"]
MAPS = ["m", "n"]
KEYS = ["one", "two", "k 1", "0", "x"]
PATTERNS = ["a", "*", "?", "[a-m]", "[^a-m]*", "f*", "*r", ".", "o", "*[0-9]*", "@(a|foo)", "+([a-z])", "!(foo)"]


class Script:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.depth = 0

    def pick(self, values):
        return self.random.choice(values)

    def quoted(self):
        return "'" + self.pick(WORDS) + "'"

    def number(self):
        return str(self.random.randint(-3, 12))

    def index(self):
        return self.pick(["0", "1", "2", "5", "-1", "i", "i+1", "${#a[@]}-1"])

    def key(self):
        return '"' + self.pick(KEYS) + '"'

    def arithmetic(self, depth=0):
        if depth > 2 or self.random.random() < 0.4:
            return self.pick([self.number(), "i", "j", "a[1]", "${#a[@]}", "b[i]", "m[x]", "${#x}"])
        op = self.pick(["+", "-", "*", "<", ">", "==", "&&", "||", "&", "|", "^", "<<", ","])
        return f"({self.arithmetic(depth + 1)} {op} {self.arithmetic(depth + 1)})"

    def subject(self):
        return self.pick([self.pick(NAMES), f"{self.pick(ARRAYS)}[{self.index()}]", f"{self.pick(MAPS)}[{self.key()}]",
                          f"{self.pick(ARRAYS)}[@]", f"{self.pick(ARRAYS)}[*]", f"{self.pick(MAPS)}[@]", "@", "*", "1"])

    def expansion(self):
        subject = self.subject()
        op = self.random.randint(0, 15)
        pattern = self.pick(PATTERNS)
        if op < 3:
            return "${" + subject + "}"
        if op == 3:
            return "${#" + subject + "}"
        if op == 4:
            return "${" + subject + self.pick([":-", "-", ":+", "+"]) + self.pick(["d", "'e f'", "$x"]) + "}"
        if op == 5:
            return "${" + subject + self.pick(["#", "##", "%", "%%"]) + pattern + "}"
        if op == 6:
            return "${" + subject + self.pick(["/", "//", "/#", "/%"]) + pattern + "/" + self.pick(["X", "", "<&>", "$y"]) + "}"
        if op == 7:
            return "${" + subject + ":" + self.pick(["0", "1", "2", " -1", "i"]) + self.pick(["", ":1", ":2"]) + "}"
        if op == 8:
            return "${" + subject + self.pick(["^", "^^", ",", ",,"]) + "}"
        if op == 9:
            return "${" + subject + "@Q}"
        if op == 10:
            return "${!" + self.pick(ARRAYS + MAPS) + "[@]}"
        if op == 11:
            return "$((" + self.arithmetic() + "))"
        if op == 12:
            return "$(echo " + self.pick(["$x", '"${a[@]}"', "$((i+1))", self.quoted()]) + ")"
        return "$" + self.pick(NAMES)

    def word(self):
        kind = self.random.randint(0, 5)
        if kind == 0:
            return self.quoted()
        if kind == 1:
            return self.pick(["a", "b{1,2}", "{1..3}", "$'t\\tb'", "a\\ b"])
        if kind == 2:
            return '"' + self.pick(["p", ""]) + self.expansion() + self.pick(["s", ""]) + '"'
        return '"' + self.expansion() + '"' if kind < 5 else self.expansion()

    def words(self):
        return " ".join(self.word() for _ in range(self.random.randint(0, 3)))

    def condition(self):
        value = '"' + self.expansion() + '"' if self.random.random() < 0.6 else "$" + self.pick(NAMES)
        return self.pick([
            f"[[ {value} == {self.pick(PATTERNS)} ]]",
            f"[[ {value} != '{self.pick(WORDS)}' ]]",
            f"[[ -n {value} && ! -z $x ]]",
            f"[[ {value} =~ ^([a-z]+)(.*)$ ]]",
            f"[[ {value} < foo || $i -gt {self.number()} ]]",
            f"(( {self.arithmetic()} ))",
            f"[ {value} = foo ]".replace("[ $", '[ "$').replace(" = foo", '" = foo') if value.startswith("$") else f"[ {value} = foo ]",
            f"[[ -v {self.pick(NAMES + ARRAYS)} ]]",
            self.pick(["true", "false"]),
        ])

    def body(self):
        return "; ".join(self.command() for _ in range(self.random.randint(1, 2)))

    def command(self):
        self.depth += 1
        try:
            return self.simple() if self.depth > 3 or self.random.random() < 0.7 else self.compound()
        finally:
            self.depth -= 1

    def simple(self):
        kind = self.random.randint(0, 16)
        array, name, table = self.pick(ARRAYS), self.pick(NAMES), self.pick(MAPS)
        return [
            lambda: f"show {self.words()}",
            lambda: f"show {self.words()}",
            lambda: f"{name}={self.word()}",
            lambda: f"{name}+={self.word()}",
            lambda: f"{array}=({self.words()})",
            lambda: f"{array}+=({self.words()})",
            lambda: f"{array}[{self.pick(['0', '1', '3', 'i', 'i+2'])}]={self.word()}",
            lambda: f"{table}[{self.key()}]={self.word()}",
            lambda: f"unset '{array}[{self.pick(['0', '1'])}]'",
            lambda: f"(( {self.pick(['i', 'j', 'a[2]', 'b[i]'])} {self.pick(['=', '+=', '-='])} {self.arithmetic()} ))",
            lambda: f"printf -v {name} '%s-%s' {self.word()} z",
            lambda: f"read -r {name} y <<< {self.word()}",
            lambda: f"IFS=. read -ra {array} <<< {self.word()}",
            lambda: f"mapfile -t {array} < <(printf '%s\\n' {self.words()})",
            lambda: f"declare -p {self.pick(ARRAYS + MAPS)}",
            lambda: f"f {self.words()}",
            lambda: f"printf '%s|%q\\n' {self.word()} {self.word()}",
        ][kind]()

    def compound(self):
        return self.pick([
            lambda: f"if {self.condition()}; then {self.body()}; else {self.body()}; fi",
            lambda: f"for v in {self.words()}; do show \"$v\"; {self.body()}; done",
            lambda: f"for ((k = 0; k < 3; k++)); do {self.body()}; done",
            lambda: f"case {self.word()} in {self.pick(PATTERNS)}) {self.body()};{self.pick([';', ';', ';&', '&'])} *) {self.body()};; esac".replace(";& *)", ";;& *)") if self.random.random() < 0.2
            else f"case {self.word()} in {self.pick(PATTERNS)}) {self.body()};; *) {self.body()};; esac",
            lambda: f"{self.condition()} && {{ {self.body()}; }}",
            lambda: f"( {self.body()}; show sub )",
            lambda: f"{{ {self.body()}; }} | sed 's/^/> /'",
            lambda: f"{self.condition()}; show $? \"${{BASH_REMATCH[@]}}\"",
            lambda: f"f() {{ local {self.pick(NAMES)}={self.word()} i=$#; {self.body()}; return $((i % 3)); }}",
        ])()

    def text(self):
        head = ("shopt -s extglob; i=1 j=2; x=foo y='a b'; declare -A m n; m[x]=1; a=(p 'q r'); set -- '1 2' three\n"
                "show() { printf '<%s>' \"$@\"; echo; }; f() { show f \"$@\"; }\n")
        return head + "\n".join(self.command() for _ in range(self.random.randint(2, 6))) + "\nshow \"$?\" \"${a[@]}\" \"${!m[@]}\"\n"


def run(shell, path, directory):
    try:
        done = subprocess.run(shell + [path], cwd=directory, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, timeout=20, env={**os.environ, "LC_ALL": "C.UTF-8"})
        return done.stdout, done.returncode
    except subprocess.TimeoutExpired:
        return b"", None


def main():
    if shutil.which("bash") is None:
        print("skipped: there is no bash")
        return 77
    version = subprocess.run(["bash", "-c", "echo ${BASH_VERSINFO[0]}.${BASH_VERSINFO[1]}"], capture_output=True,
                             text=True, check=False).stdout.strip()
    if version != "5.2":
        print(f"skipped: this is bash {version}")
        return 77
    nacre = [os.path.abspath(sys.argv[1]), "bash"]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 100
    first = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    failed = 0
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "script")
        for seed in range(first, first + count):
            with open(path, "w", encoding="utf-8") as file:
                file.write(Script(seed).text())
            theirs, ours = run(["bash"], path, directory), run(nacre, path, directory)
            if theirs == ours or theirs[1] is None or theirs[1] < 0:  # bash has crashed, or never ends
                continue
            failed += 1
            if failed <= 10:
                with open(path, encoding="utf-8") as file:
                    print(f"{'-' * 80}\nseed {seed}\n{file.read()}\nbash:  {theirs}\nnacre: {ours}")
    print(f"{count} scripts from seed {first}, {failed} differ from bash")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
