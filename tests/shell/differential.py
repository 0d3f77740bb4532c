#!/usr/bin/env python3
"""Random shell scripts: nacre sh must do what dash, bash --posix and yash agree on.

    differential.py NACRE [COUNT [SEED]]

Scripts are generated from the grammar below (expansions, patterns, IFS, redirections, functions, traps,
errexit, arithmetic, here-documents), run in batches by each shell in an empty directory, and compared by
standard output and exit status. A difference is printed with the script that shows it.
"""

import os
import random
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

BATCH = 50
PEERS = [["dash"], ["yash"], ["bash", "--posix"]]  # the cheapest first


class Generator:
    """One random script, made of lines that use a few variables and functions."""

    def __init__(self, rng):
        self.rng = rng
        self.depth = 0
        self.loops = 0  # each has a counter of its own, so that every script ends

    def pick(self, *choices):
        choice = self.rng.choice(choices)
        return choice() if callable(choice) else choice

    def name(self):
        return self.pick("a", "b", "c", "x", "y")

    def text(self):
        return self.pick("foo", "bar", "a b", "a  b", "", "x:y", "1", "42", "-3", "*", "?", "[ab]*", "f*", "a/b/c",
                         "foo.tar.gz", " lead", "trail ", ":a::b:", "'", "\\", "#", "~", "$", "\"q\"", "a\tb")

    def quoted(self, text):
        return "'" + text.replace("'", "'\\''") + "'"

    def pattern(self):
        return self.pick("*", "?", "f*", "*.*", "[a-f]*", "[!a]*", "*/", "/*", "*b", "a*", "'*'", "\"$x\"", "$y", "*:",
                         "\\*", "[[:alpha:]]*", "??", "[]x]", "'a'*", "f?o")

    escaped = "a\\ b c"

    def number(self):
        return self.pick("0", "1", "2", "3", "7", "10", "010", "0x1F", "255", "-1")

    def arithmetic(self):
        self.depth += 1
        if self.depth > 4:
            self.depth -= 1
            return self.number()
        result = self.pick(
            self.number, self.number, lambda: self.name(),
            lambda: f"{self.arithmetic()} {self.pick('+', '-', '*', '<', '<=', '==', '!=', '&', '|', '^', '&&', '||')} {self.arithmetic()}",
            lambda: f"({self.arithmetic()})", lambda: f"-{self.number()}".replace("--", "- -"), lambda: f"!{self.number()}",
            lambda: f"~{self.number()}", lambda: f"{self.arithmetic()} ? {self.arithmetic()} : {self.arithmetic()}",
            lambda: f"({self.name()} = {self.arithmetic()})", lambda: f"({self.name()} += {self.number()})",
            lambda: f"{self.arithmetic()} << {self.pick('1', '2', '3')}", lambda: f"{self.arithmetic()} % {self.pick('3', '5', '7')}",
            lambda: f"{self.arithmetic()} / {self.pick('2', '3')}")
        self.depth -= 1
        return result

    def parameter(self):
        name = self.name()
        return self.pick(
            f"${name}", f"${{{name}}}", f"${{#{name}}}", lambda: f"${{{name}#{self.pattern()}}}",
            lambda: f"${{{name}##{self.pattern()}}}", lambda: f"${{{name}%{self.pattern()}}}",
            lambda: f"${{{name}%%{self.pattern()}}}", lambda: f"${{{name}-{self.operand()}}}",
            lambda: f"${{{name}:-{self.operand()}}}", lambda: f"${{{name}+{self.operand()}}}",
            lambda: f"${{{name}:+{self.operand()}}}", lambda: f"${{{name}={self.operand()}}}",
            lambda: f"${{{name}:={self.operand()}}}", "$1", "$2", "$#", "$*", "$@", "$?", "${1-none}", "${9-nine}")

    def operand(self):
        return self.pick("foo", "", "d", "$x", "$y", "a\\ b", "1")

    def word(self):
        self.depth += 1
        if self.depth > 4:
            self.depth -= 1
            return "w"
        result = self.pick(
            "foo", "bar", "a", lambda: self.quoted(self.text()), self.parameter, lambda: f'"{self.parameter()}"',
            lambda: f'"{self.parameter()}"', lambda: f"pre{self.parameter()}post", lambda: f'"a {self.parameter()} b"',
            lambda: f"$(({self.arithmetic()}))", lambda: f"$({self.simple()})", lambda: f'"$({self.simple()})"',
            lambda: f"`echo {self.pick('foo', '$x', 'a b')}`", lambda: self.word() + self.word(), '"$@"', '"$*"', '""',
            "*", "f*", "?", "[ab]", "\\*", "~+", "a\\ b")
        self.depth -= 1
        return result

    def words(self, low=0, high=3):
        return " ".join(self.word() for _ in range(self.rng.randint(low, high)))

    def simple(self):
        return self.pick(
            lambda: f"printf '<%s>' {self.words(1)}; echo", lambda: f"echo {self.words()}".replace("\\", ""),
            lambda: f"p {self.words()}", lambda: f"p {self.words()}", "true", "false", ":", lambda: f"set -- {self.words()}",
            lambda: f"{self.name()}={self.word()}", lambda: f"{self.name()}={self.word()}", lambda: f"unset {self.name()}",
            lambda: f"f {self.words()}", lambda: f"g {self.words()}", lambda: f"{self.name()}={self.word()} p {self.words()}",
            "shift 2>/dev/null || :", lambda: f"IFS={self.pick(chr(39) + chr(39), ':', chr(39) + ' ' + chr(39), chr(39) + ': ' + chr(39), 'b')}",
            "unset IFS", lambda: f"echo $(({self.arithmetic()}))", lambda: f": $(({self.name()} = {self.arithmetic()}))",
            lambda: f"(exit {self.pick('0', '1', '3')})", lambda: f"[ {self.word_one()} {self.pick('=', '!=')} {self.word_one()} ]",
            lambda: f"[ {self.pick('-n', '-z')} {self.word_one()} ]", lambda: f"test {self.number_one()} {self.pick('-eq', '-lt', '-ge')} {self.number_one()}",
            lambda: f"command {self.pick('true', 'false', 'echo hi')}", lambda: f"eval {self.quoted(self.pick('echo $x', 'x=5', 'p $y', 'set -- 1 2'))}",
            lambda: f"read {self.name()} {self.name()} <<E\n{self.pick('a b c', ':a:b', ' x  y ', 'one', '$x', self.escaped)}\nE",
            lambda: f"cat <<E\n{self.pick('text', '$x $y', '$((1 + 2))', '$(echo in)', '${x-u}')}\nE",
            lambda: f"cat <<'E'\n{self.pick('$x', '`a`', chr(92) + 'n')}\nE", lambda: f"printf '%s\\n' {self.words(1)} >out; cat <out",
            lambda: f"printf '%s\\n' {self.words(1)} | cat", lambda: f"{{ {self.simple()}; }} >out; cat <out",
            lambda: f"export {self.name()}={self.pick('1', 'foo')}", lambda: f"readonly r{self.rng.randint(0, 99)}=1",
            "echo $#", lambda: f"printf '%d %s|' {self.number()} {self.word_one()}; echo",
            lambda: f"getopts ab:c opt -a -b {self.pick('v', 'w')} -c; echo $opt $OPTIND", "pwd >/dev/null",
            "wait")

    def word_one(self):
        return f'"{self.pick("$x", "$y", "foo", "", "1", "${x#f}", "$1", "a b")}"'

    def number_one(self):
        return self.pick("0", "1", "2", "$#", "$((1 + 1))", "10")

    def body(self, depth):
        return "\n".join(self.command(depth - 1) for _ in range(self.rng.randint(1, 2)))

    def loop(self, depth):
        self.loops += 1
        i = f"i{self.loops}"
        last = self.pick("", "continue", "break", f"[ ${i} = 2 ] && break")
        return (f"{i}=0\n{self.pick('while', 'until !')} [ ${i} -lt {self.pick('1', '2', '3')} ]; do\n"
                f"{i}=$(({i} + 1))\n{self.body(depth)}\n{last}\ndone")

    def function(self, depth):
        self.loops += 1
        body = self.body(depth)
        return f"h{self.loops}() {{\n{body}\nreturn {self.pick('', '0', '1', '$?')}\n}}\nh{self.loops} {self.words()}"

    def command(self, depth=2):
        if depth <= 0 or self.rng.random() < 0.55:
            return self.simple()
        return self.pick(
            lambda: f"if {self.simple()}; then\n{self.body(depth)}\nelse\n{self.body(depth)}\nfi",
            lambda: f"for {self.name()} in {self.words(0, 4)}; do\n{self.body(depth)}\ndone",
            lambda: self.loop(depth),
            lambda: f"case {self.word()} in\n{self.pattern()}) {self.simple()} ;;\n{self.pattern()} | {self.pattern()})\n{self.body(depth)}\n;;\n*) echo none ;;\nesac",
            lambda: f"( {self.body(depth)}\n)", lambda: f"{{ {self.body(depth)}\n}}", lambda: f"! {{ {self.body(depth)}\n}}",
            lambda: f"{{ {self.body(depth)}\n}} && {self.simple()}", lambda: f"{{ {self.body(depth)}\n}} || {self.simple()}",
            lambda: self.function(depth), lambda: f"( {self.body(depth)}\n) | cat",
            lambda: f"(trap 'echo trapped $?' {self.pick('EXIT', '0')}; {self.simple()}\n)", lambda: f"x=$(\n{self.body(depth)}\n)",
            lambda: f"(set -e; {self.body(depth)}\necho alive)", lambda: f"(set -u; {self.body(depth)}\necho alive)",
            lambda: f"(set -f; {self.body(depth)}\n)")

    def script(self):
        lines = ["x=foo y='a b' c=a:b", "set -- one 'two words' ''" if self.rng.random() < 0.5 else "set -- 1 2",
                 "p() { echo \"$#:\" \"$@\"; }", "f() { p \"$@\"; x=inf; return 2; }", "g() { echo g; }"]
        if self.rng.random() < 0.9:  # starting a program costs more than all the rest
            lines.append("cat() { while IFS= read -r line; do printf '%s\\n' \"$line\"; done; }")
        lines += [self.command() for _ in range(self.rng.randint(2, 5))]
        return "\n".join(lines) + "\necho \"st=$?\"\n"


class Processes(Generator):
    """Scripts about programs: pipelines, descriptors, substitutions within them, jobs, signals."""

    def source(self):
        return self.pick("echo hi", "printf 'b\\na\\nb\\n'", "/bin/echo one two", "cat words", "env echo x", "nosuch 2>&1 | sed 's/.*not.*/none/'",
                         "{ echo a; echo b >&2; } 2>&1", "(echo s; exit 3)", "f 1 2", lambda: f"echo {self.words()}".replace("\\", ""),
                         "true", ":", "sh -c 'echo $0 $#' n a", "cat <<E\n$x line\n$(echo sub)\nE\n")

    def filter(self):
        return self.pick("/bin/cat", "cat", "sort", "tr a-z A-Z", "sed 's/^/>/'", "head -n 1", "tail -n +2", "wc -l | tr -d ' '",
                         "/bin/echo $(cat)", "printf '[%s]' \"$(cat)\"; echo", "while read -r l; do echo \"=$l\"; done",
                         "(read l; echo $l; cat)", "{ read l; /bin/echo \"$l\"; }", "xargs echo", "/bin/echo \"$(tr a-z A-Z)\" $x",
                         "env v=\"$(cat)\" sh -c 'echo $v'", "cat - words", "grep -c . ", "if read l; then echo $l; fi",
                         "case $(cat) in h*) echo h;; *) echo other;; esac", "cat >&2", "cat 2>&1 >inner; cat inner", "f \"$(head -n 1)\"",
                         "sh -c 'cat; exit 4'", "read l", "eval 'cat'", "command cat", "exec cat", "x=$(cat)", ". ./part")

    def pipeline(self):
        stages = [self.source()] + [self.filter() for _ in range(self.rng.randint(1, 3))]
        if stages[0].endswith("\n"):  # a here-document goes on after its line
            return stages[0].replace("\n", " | " + " | ".join(stages[1:]) + "\n", 1)
        return self.pick("", "", "", "! ") + " | ".join(stages)

    def simple(self):
        if self.depth > 3:
            return super().simple()
        self.depth += 1
        result = self.pick(
            super().simple, self.pipeline, self.pipeline, self.pipeline, lambda: f"x=$({self.pipeline()}\n); echo \"[$x] $?\"",
            lambda: f"{{ {self.pipeline()}\n}} {self.pick('>out', '2>out', '>out 2>&1', '2>&1 >out', '3>&1 >out 2>&3')}; cat out",
            lambda: f"{{ ( {self.pipeline()}\n) & wait $!; echo \"w $?\"; }}", "{ /bin/echo bg & wait; echo $?; }",
            lambda: f"(exec >out; {self.simple()}\n); cat out", lambda: f"(exec 3>&1 >&2; {self.simple()}\n)",
            lambda: f"exec 4<words; read l <&4; echo $l; {self.pick('cat <&4', 'read l <&4; echo $l', ':')}; exec 4<&-",
            lambda: f"(trap 'echo got {self.pick('1', '$?')}' {self.pick('TERM', 'USR1', 'HUP')}; kill -{self.pick('TERM', 'USR1', 'HUP')} $(sh -c 'echo $PPID'); echo after)",
            lambda: f"sh -c 'kill -{self.pick('TERM', 'KILL', 'HUP')} $$'; echo $?", lambda: f"{{ (exit {self.pick('1', '7')}) & (exit 5) & wait $!; echo $?; }}",
            lambda: f"while read -r l; do {self.simple()}\ndone <words", lambda: f"for i in $(cat words); do /bin/echo $i; done | {self.filter()}",
            lambda: f"echo {self.word()} >>log; {self.simple()}\ncat log; rm -f log", "/bin/echo a >&3; echo $?", "cat nosuch 2>/dev/null; echo $?",
            lambda: f"{self.name()}={self.word()} env | grep '^[abcxy]=' | sort", lambda: f"export x; sh -c 'echo \"[$x]\"'",
            lambda: f"set -C; echo a >words; echo $?; set +C; {self.simple()}", "alias al='echo aliased'; eval al; unalias al",
            lambda: f"eval \"$(echo 'echo evaluated; false')\"; echo $?", lambda: f". ./part; echo $?", "/bin/sh -c 'exit 9' | cat; echo $?",
            lambda: f"cd sub && {{ {self.simple()}\ncd ..; }}", "cd sub; pwd | sed 's,.*/,,'; cd - >/dev/null", "umask 027; umask; : >new; rm new",
            "command -v cat >/dev/null; echo $?", "type nosuch >/dev/null 2>&1 && echo yes || echo no", "./words; echo $?", "nosuch; echo $?",
            "trap 'echo bye' EXIT", "set -e", "hash -r; cat words | head -n 1", "ulimit -n >/dev/null; echo $?", "wait 99999; echo $?")
        self.depth -= 1
        return result

    def script(self):
        lines = ["x=foo y='a b'", "set -- one 'two words'", "p() { echo \"$#:\" \"$@\"; }", "f() { p \"$@\"; return 2; }", "g() { echo g; }",
                 "printf 'one two\\nthree\\nfour  five\\n' >words; echo 'echo part $x; x=p' >part; mkdir -p sub"]
        lines += [self.command() for _ in range(self.rng.randint(1, 3))]
        return "\n".join(lines) + "\necho \"st=$?\"\n"


def run_batch(shell, scripts):
    """The output of all scripts. Each is read by a subshell of its own: not even a syntax error reaches the others."""
    directory = tempfile.mkdtemp(prefix="nacre-diff-")
    try:
        lines = []
        for i, script in enumerate(scripts):
            path = os.path.join(directory, f"{i}.sh")
            with open(path, "w") as file:
                file.write(script)
            lines.append(f': >out; (. {path}) 2>/dev/null </dev/null\necho "@@$?"\n')
        work = os.path.join(directory, "work")
        os.mkdir(work)
        for name in ("foo", "fab", "b", "a.b"):
            open(os.path.join(work, name), "w").close()
        env = {"PATH": os.environ["PATH"], "HOME": "/home/none", "LC_ALL": "C", "PWD": work}
        done = subprocess.run(shell + ["-c", "".join(lines)], cwd=work, env=env, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=60)
        return done.stdout.decode("utf-8", "replace")
    except subprocess.TimeoutExpired:
        return "timeout"
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def split(output):
    """The output of each script with its status."""
    results = []
    current = []
    for line in output.split("\n"):
        at = line.rfind("@@")
        if at >= 0 and line[at + 2:].isdigit():
            results.append(("\n".join(current + [line[:at]]), line[at + 2:]))
            current = []
        else:
            current.append(line)
    return results


def outcomes(shell, scripts):
    """What each script prints and ends with; None for one that ends the shell around it, too."""
    results = split(run_batch(shell, scripts))
    if len(results) == len(scripts):
        return results
    if len(scripts) == 1:
        return [None]
    half = len(scripts) // 2
    return outcomes(shell, scripts[:half]) + outcomes(shell, scripts[half:])


def compare(nacre, scripts):
    """Tuples (script, what the peers agree on, what nacre does) that differ.

    Where nacre does what the first peer does, the others need not be asked: whatever they do, nacre does not differ
    from what all agree on.
    """
    ours = outcomes(nacre, scripts)
    suspects = list(zip(scripts, ours))
    for i, peer in enumerate(PEERS):
        if not suspects:
            return []
        theirs = outcomes(peer, [suspect[0] for suspect in suspects])
        if i == 0:
            suspects = [(script, other, own) for (script, own), other in zip(suspects, theirs) if own != other]
        else:
            suspects = [suspect for suspect, other in zip(suspects, theirs) if suspect[1] == other]
    return [suspect for suspect in suspects if suspect[1] is not None]


def main():
    nacre = [os.path.abspath(sys.argv[1]), "sh"]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 5000
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    missing = [shell[0] for shell in PEERS if shutil.which(shell[0]) is None]
    if missing:
        print("skipped: not installed:", *missing)
        return 77
    rng = random.Random(seed)
    scripts = [Generator(rng).script() for _ in range(count)]
    scripts += [Processes(rng).script() for _ in range(count // 10)]
    batches = [scripts[i:i + BATCH] for i in range(0, len(scripts), BATCH)]
    differences = []
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for found in pool.map(lambda batch: compare(nacre, batch), batches):
            differences += found
    for script, theirs, ours in differences[:10]:
        print("-" * 80, script, "the peers:", theirs, "nacre:    ", ours, sep="\n")
    print(f"{len(scripts)} scripts, {len(differences)} differences from what all peers do")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
