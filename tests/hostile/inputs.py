"""The hostile inputs: texts that are deep, wide, huge, random or cruel, for each verb and language.

all_inputs() lists them. Most are products: every text of SCRIPTS goes to every verb that reads a
shell script, every text of RUNAWAY to the verbs that run one in a simulated world. An input that
must reach a limit says with `says` which words name that limit in the output.
"""

import random
from dataclasses import dataclass, field

FIFO, LOOP, SOCKET = "a named pipe", "a link to itself", "a socket"  # files that are not regular


@dataclass
class Input:
    name: str
    arguments: list
    files: dict = field(default_factory=dict)  # name -> text, or one of the special files
    stdin: str | bytes = ""
    says: str = ""  # a regular expression that the output must contain
    is_slow: bool = False  # left out of the quick part


def nest(opening, inside, closing, depth):
    return opening * depth + inside + closing * depth


def lines(template, count):
    return "".join(template.format(i=i, j=i + 1) for i in range(count))


# Scripts that are hostile to read or to analyse. Run for real, they do no harm and end.
SCRIPTS = {
    "subshells": nest("(", ":", ")", 9_800) + "\n",
    "groups": nest("{ ", ":", "; }", 5_000) + "\n",
    "ifs": nest("if :; then ", ":", "; fi", 5_000) + "\n",
    "whiles": nest("while false; do ", ":", "; done", 5_000) + "\n",
    "loops in loops": nest("while false; do ", ":", "; done", 40) + "\n",
    "loops in conditions": nest("until ", "true", "; do :; done", 40) + "\n",
    "loops of items": nest("for i in 1; do ", ":", "; done", 40) + "\n",
    "substitutions in cases": nest("case $(", "echo a", ") in a) echo a ;; esac", 40) + "\n",
    "cases": nest("case x in y) ", ":", ";; esac", 5_000) + "\n",
    "functions": nest("f() { ", ":", "; }", 5_000) + "\n",
    "substitutions": ": " + nest("$(: ", "", ")", 3_000) + "\n",
    "backquotes": ": `: \\`: \\\\\\`:\\\\\\`\\``\n",
    "expansions": ": " + nest("${x:-", "y", "}", 5_000) + "\n",
    "quoted expansions": ": " + nest('"${x:-', "y", '}"', 5_000) + "\n",
    "arithmetic parentheses": ": $((" + nest("(", "1", ")", 5_000) + "))\n",
    "arithmetic terms": ": $((" + "+".join(["1"] * 28_200) + "))\n",
    "arithmetic signs": ": $((" + "- " * 20_000 + "1))\n",
    "arithmetic powers": "#!/bin/bash\n: $((" + "**".join(["1"] * 20_000) + "))\n",
    "arithmetic conditions": ": $((" + "1?" * 10_000 + "1" + ":1" * 10_000 + "))\n",
    "arithmetic assignments": ": $((" + "x=" * 20_000 + "1))\n",
    "arithmetic of a variable": "x=" + "(" * 5_000 + "1" + ")" * 5_000 + "\n: $((x))\n",
    "arithmetic in a circle": "x=y y=x\n: $((x)) $((y + x))\n",
    "arithmetic of indices": "#!/bin/bash\na=(0)\n: $(( " + nest("a[", "0", "]", 3_000) + "))\n",
    "least integer": ": $((-9223372036854775807 - 1))\n: $(( (-9223372036854775807 - 1) / -1 ))\n"
    ": $(( (-9223372036854775807 - 1) % -1 )) $((1 << 64)) $((1 << -1))\n",
    "and or": " && ".join([":"] * 20_000) + "\n",
    "pipeline": "true | " * 60 + "true\n",
    "negations": "! " * 5_000 + ":\n",
    "braces": "#!/bin/bash\n: " + nest("{a,", "b", "}", 9_800) + "\n",
    "brace product": "#!/bin/bash\nfalse && : " + "{a,b}" * 40 + "\n",
    "brace range": "#!/bin/bash\nfalse && : {1..9223372036854775807}\n",
    "wide case": "case x in *" + "a*" * 50_000 + ") ;; esac\n",
    "case alternatives": "case x in " + "|".join(f"a{i}" for i in range(20_000)) + ") ;; esac\n",
    "case branches": "case x in\n" + lines("a{i}) : ;;\n", 5_000) + "esac\n",
    "cruel pattern": "x=" + "a" * 10_000 + "\ncase $x in " + "*a" * 500 + "b) ;; esac\n",
    "cruel trims": "x=" + "a" * 3_000 + "\n: ${x##" + "*a" * 40 + "b} ${x%%b" + "a*" * 40 + "}\n",
    "extended patterns": "#!/bin/bash\nshopt -s extglob\ncase x in " + nest("@(", "a", ")", 3_000)
    + ") ;; esac\n",
    "repeated patterns": "#!/bin/bash\nshopt -s extglob\ncase " + "a" * 30 + " in "
    + nest("+(", "a", ")", 12) + "b) ;; esac\n",
    "bracket": "case x in [" + "a-z" * 10_000 + "]) ;; esac\n",
    "open bracket": "case x in " + "[" * 20_000 + ") ;; esac\n",
    "here documents": lines("cat <<E{i} >/dev/null; ", 300) + "\n" + lines("x\nE{i}\n", 300),
    "open here document": "cat <<E\n" + "x\n" * 20_000,
    "nested here documents": "cat <<E >/dev/null\n" + nest("$(cat <<F\n", "x\n", "F\n)", 200) + "\nE\n",
    "redirections": ": " + "</dev/null " * 10_000 + "\n",
    "assignments": " ".join(f"a{i}=1" for i in range(20_000)) + "\n",
    "variables": lines("a{i}=1\n", 10_000),
    "copies": "a0=x\n" + lines("a{j}=$a{i}\n", 5_000),
    "doubling": "a0=x\n" + lines("a{j}=$a{i}$a{i}\n", 18),
    "declared functions": lines("f{i}() {{ :; }}\n", 5_000),
    "function chain": "f0() { :; }\n" + lines("f{j}() {{ f{i}; }}\n", 900) + "f900\n",
    "tests": "[ " + "! " * 5_000 + "x ]\n",
    "test parentheses": "[ " + "\\( " * 5_000 + "x" + " \\)" * 5_000 + " ]\n",
    "test ands": "[ " + " -a ".join(["x"] * 10_000) + " ]\n",
    "conditions": "#!/bin/bash\n[[ " + nest("( ", "x", " )", 5_000) + " ]]\n",
    "condition negations": "#!/bin/bash\n[[ " + "! " * 5_000 + "x ]]\n",
    "condition regex": "#!/bin/bash\n[[ " + "a" * 40 + " =~ ^" + nest("(", "a", ")*", 40) + "b$ ]]\n",
    "long word": ": " + "x" * 1_000_000 + "\n",
    "long line": "; ".join([":"] * 20_000) + "\n",
    "long comment": "#" * 1_000_000 + "\n",
    "newlines": "\n" * 1_000_000,
    "continuations": ":" + " \\\n" * 100_000 + "\n",
    "suppressions": lines("# nacre disable=T101 -- reason\n:\n", 10_000),
    "empty": "",
    "nul": ":\0:\n",
    "byte order marks": "\ufeff" * 1_000 + ":\n",
    "carriage returns": ":\r\n" * 10_000,
    "control characters": ": '" + "".join(map(chr, range(1, 32))) + "\x7f\x9b31m' \x1b]0;title\x07\n",
    "unfinished": "if (while { case x in ( $(( ${ `\n",
    "open quotes": "'" * 9_999 + "\n",
    "dollars": ": " + "$" * 20_000 + "\n",
    "evals": "eval " * 2_000 + ":\n",
    "nested evals": "x=:\n" + "x=\"eval $x\"\n" * 500 + "$x\n",
    "execs": "(" + "exec " * 500 + "true)\n",
    "wrappers": "env " * 400 + "true\n",
    "mixed wrappers": "command env nice nohup timeout 1 " * 50 + "true >/dev/null 2>&1\n",
    "aliases": "alias a=b b=a\na\n",
    "alias chain": lines("alias a{i}='a{j} '\n", 500) + "a0 a0 a0 2>/dev/null\n",
    "positional": "set -- " + "a " * 20_000 + "\nshift 10\n: \"$@\" $#\n",
    "nested loops": nest("for i in 1; do ", ":", "; done", 400) + "\n",
    "types that double": "# nacre type n0 = a\n"
    + lines("# nacre type n{j} = {{n{i}}}{{n{i}}}\n", 59) + ":\n",
    "types in a circle": "# nacre type a = {b}\n# nacre type b = {a}\n:\n",
    "deep type": "# nacre type a = " + nest("(", "a", ")", 9_800) + "\n:\n",
    "filters": "echo x" + " | grep -v a | sed s/a/b/" * 40 + " >/dev/null\n",
    "deep awk": "awk 'BEGIN { x = " + nest("(", "1", ")", 3_000) + " }'\n",
    "deep sed": "echo a | sed '" + nest("{", "p", "}", 3_000) + "'\n",
    "deep regex": "echo a | grep -E '" + nest("(", "a", ")", 5_000) + "'\n",
    "deep expr": "expr " + nest("\\( ", "1", " \\)", 3_000) + "\n",
    "counted regex": "echo a | grep -E '" + "(" * 6 + "a" + "){200}" * 6 + "'\n",
    "tr repeat": "echo a | tr a '[b*2147483647]'\n",
    "jq": "echo 1 | jq '" + nest("[", "1", "]", 3_000) + "'\n",
    "find parentheses": "find . " + "\\( " * 3_000 + "-name x" + " \\)" * 3_000 + "\n",
    "xargs chain": "echo x | " + "xargs " * 16 + "echo\n",
    "traps": "trap '" + "trap : EXIT; " * 2_000 + "' EXIT\n",
}

# Scripts that never end or that use whatever they are given: for simulated worlds only.
RUNAWAY = {
    "loop": "while :; do :; done\n",
    "busy loop": "while :; do echo x; done\n",
    "recursion": "f() { f; }\nf\n",
    "recursion in subshells": "f() { (f); }\nf\n",
    "recursion in substitutions": "f() { x=$(f); }\nf\n",
    "forks": "f() { f | f & }\nf\nwait\n",
    "background": "while :; do sleep 1000 & done\n",
    "doubling": "x=x\nwhile :; do x=$x$x; done\n",
    "doubling fields": "set -- x\nwhile :; do set -- \"$@\" \"$@\"; done\n",
    "doubling array": "#!/bin/bash\na=(x)\nwhile :; do a+=(\"${a[@]}\"); done\n",
    "sequence": "seq 1 100000000000 | tail -n 1\n",
    "yes": "yes | tail -n 1\n",
    "yes to a file": "yes >f\n",
    "zeros": "cat /dev/zero >f\n",
    "zeros counted": "head -c 100000000000 /dev/zero | wc -c\n",
    "disk": "dd if=/dev/zero of=f bs=1M count=100000\n",
    "truncate": "truncate -s 100G f; cat f | wc -c; cp f g\n",
    "sed loop": "echo a | sed ':x;s/a/aa/;bx'\n",
    "sed growth": "echo a | sed ':x;s/a/aaaaaaaaaaaaaaaa/g;tx'\n",
    "awk loop": "awk 'BEGIN { while (1) x = x \"a\" }'\n",
    "awk doubling": "awk 'BEGIN { x = \"a\"; while (1) x = x x }'\n",
    "awk array": "awk 'BEGIN { while (1) a[i++] = i }'\n",
    "awk recursion": "awk 'function f(x) { return f(x + 1) } BEGIN { f(1) }'\n",
    "awk width": "awk 'BEGIN { printf \"%2000000000d\", 1 }'\n",
    "printf width": "printf '%2000000000d' 1\n",
    "printf precision": "printf '%.2000000000d' 1\n",
    "append to itself": "echo x >f\ncat f >>f\n",
    "directories": "while mkdir d; do cd d; done\n",
    "files": "i=0\nwhile :; do >f$i; i=$((i + 1)); done\n",
    "links": "ln -s a b; ln -s b a; cat a; cd a; ls -L a; find -L .\n",
    "link tree": "mkdir d; cd d; ln -s . a; ln -s . b; ls */*/*/*/*/*/*/*/*/*/*/*/*/*/*/*\n",
    "copy into itself": "mkdir d; cp -r d d/e; cp -r d d/f; mv d d/g\n",
    "glob": "mkdir d; cd d; for i in 1 2 3 4 5 6 7 8 9; do mkdir $i $i/1 $i/2 $i/3; done; echo "
    + "/".join(["*"] * 4) + "*" * 5_000 + "\n",
    "back references": "echo " + "a" * 60 + " | grep -E '^(a*)*(a*)*(a*)*\\1\\2\\3b$'\n",
    "sed back references": "echo " + "a" * 5_000 + " | sed -E 's/^(a*)(a*)(a*)(a*)\\1\\2\\3\\4b$/x/'\n",
    "brace product": "#!/bin/bash\n: " + "{a,b}" * 40 + "\n",
    "brace range": "#!/bin/bash\n: {1..9223372036854775807}\n",
    "replacement": "#!/bin/bash\nx=a\nwhile :; do x=${x//a/aaaaaaaa}; done\n",
    "eval of itself": "x='eval \"$x\"'\neval \"$x\"\n",
    "source of itself": "echo '. ./f' >f\n. ./f\n",
    "exec of itself": "echo 'exec sh f' >f\nexec sh f\n",
    "sh of itself": "echo 'sh f' >f\nsh f\n",
    "trap of itself": "trap 'kill -USR1 $$' USR1\nkill -USR1 $$\nwhile :; do :; done\n",
    "exit trap": "trap 'while :; do :; done' EXIT\n",
    "sleep": "sleep 100000000\n",
    "sleep loop": "while sleep 1; do :; done\n",
    "pipe that blocks": "mkfifo p; cat p\n",
    "read that blocks": "mkfifo p; cat p & cat p >p\n",
    "kill everything": "kill -9 -1; kill -STOP $$\n",
    "expr chain": "expr " + " + ".join(["1"] * 50_000) + "\n",
    "expr parentheses": "expr " + "\\( " * 20_000 + "1" + " \\)" * 20_000 + "\n",
    "find parentheses": "find . " + "\\( " * 20_000 + "-name x" + " \\)" * 20_000 + "\n",
    "find negations": "find . " + "! " * 50_000 + "-name x\n",
    "find ors": "find . -name x" + " -o -name x" * 20_000 + "\n",
    "grep parentheses": "echo a | grep -E '" + nest("(", "a", ")", 50_000) + "'\n",
    "grep stars": "echo a | grep -E 'a" + "*" * 50_000 + "'\n",
    "grep counts": "echo a | grep -E '((((a{255}){255}){255}){255}'\necho a | grep -E '(((a{255}){255}){255}){255}'\n",
    "grep alternatives": "echo a | grep -E '" + "|".join(["a"] * 50_000) + "'\n",
    "grep cruel": "echo " + "a" * 5_000 + " | grep -E '^(a|a)*(a|a)*(a|a)*b$'\n",
    "test parentheses": "test " + "\\( " * 20_000 + "x" + " \\)" * 20_000 + "\n",
    "awk parentheses": "awk 'BEGIN { print " + nest("(", "1", ")", 20_000) + " }'\n",
    "awk signs": "awk 'BEGIN { print " + "- " * 50_000 + "1 }'\n",
    "awk powers": "awk 'BEGIN { print " + "^".join(["1"] * 20_000) + " }'\n",
    "awk blocks": "awk 'BEGIN " + nest("{", "", "}", 20_000) + "'\n",
    "awk ifs": "awk 'BEGIN { " + "if (1) " * 20_000 + "x = 1 }'\n",
    "sed blocks": "echo a | sed '" + nest("{", "p", "}", 20_000) + "'\n",
    "jq arrays": "echo 1 | jq '" + nest("[", "1", "]", 20_000) + "'\n",
    "jq input": "echo '" + nest("[", "1", "]", 50_000) + "' | jq .\n",
    "bc": "echo '2^1000000000' | bc\n",
    "bc parentheses": "echo '" + nest("(", "1", ")", 20_000) + "' | bc\n",
    "xargs": "yes | xargs echo\n",
    "xargs of xargs": "echo x | " + "xargs " * 1_000 + "echo\n",
    "wrappers": "env " * 4_000 + "true\n",
    "sort": "yes | head -n 100000000 | sort | uniq -c\n",
    "tee": "yes | tee a b c d e >f\n",
    "split": "yes | head -c 1000000000 | split -b 1\n",
    "tar": "truncate -s 10G f; tar cf a.tar f; gzip f\n",
    "date": "date -d @99999999999999999999; date +" + "%Y" * 100_000 + "\n",
    "numbers": "seq 99999999999999999999999; head -n 99999999999999999999 f; shift 99999999999999999999; "
    "exit 99999999999999999999\n",
    "descriptors": "i=3\nwhile exec 3<&0; do eval \"exec $i</dev/null\"; i=$((i + 1)); done\n",
    "command substitution of everything": "x=$(yes)\n",
    "read of everything": "yes | tr -d '\\n' | { read x; echo ${#x}; }\n",
    "here document": "x=$(seq 1 20000)\nwhile :; do x=$(cat <<E\n$x$x\nE\n); done\n",
}


def random_texts(count, seed=7):
    """Random token soup, and random bytes: the same for every run."""
    chance = random.Random(seed)
    tokens = ("if then else fi for in do done case esac while until { } ( ) [[ ]] (( )) | || & && ; ;; < > << "
              "<<- >& <> ' \" ` $( ${ $(( \\ # ! = * ? [ ] ~ x y 1 $x \"$x\" $@ $# f() echo eval set -e "
              "local export unset read test [ -n -f % + , : @ ^ / .. \n \n \t").split(" ")
    for index in range(count):
        if index % 3 == 2:
            yield f"bytes {index}", bytes(chance.randrange(1, 256) for _ in range(2_000)).decode("latin-1")
        else:
            yield f"tokens {index}", " ".join(chance.choice(tokens) for _ in range(400)) + "\n"


READERS = {
    "check": ["check", "-q", "FILE"],
    "lint": ["lint", "-q", "FILE"],
    "ast": ["ast", "FILE"],
    "type": ["type", "FILE:1"],
    "show types": ["check", "--show-types", "FILE"],
    "sh": ["sh", "FILE"],
    "bash": ["bash", "FILE"],
    "run": ["run", "--world", "simulated", "FILE"],
    "step": ["step", "--text", "--fuel", "3000", "FILE"],
    "explore": ["explore", "--budget", "20", "FILE"],
    # A CoLiS program runs as long as it likes unless a limit is given.
    "colis": ["colis", "--cpu-time-limit", "4", "--memory-limit", "900m", "FILE"],
    "colis symbolic": ["colis", "-s", "--cpu-time-limit", "4", "--memory-limit", "900m", "FILE"],
    "print colis": ["colis", "-p", "FILE"],
    "purify": ["purify", "--worlds", "2", "FILE"],
    "verify": ["verify", "--budget", "5", "FILE"],
}
RUNNERS = ("run", "step", "explore", "colis", "purify", "verify", "check")


def of_file(verb, arguments, name, text, file="x.sh"):
    return Input(f"{verb}: {name}", [word.replace("FILE", file) for word in arguments], {file: text})


def scripts():
    for name, text in SCRIPTS.items():
        for verb, arguments in READERS.items():
            yield of_file(verb, arguments, name, text)
    for name, text in random_texts(30):
        for verb in ("check", "ast", "run", "purify", "explore"):
            yield of_file(verb, READERS[verb], name, text)
    for name, text in RUNAWAY.items():
        for verb in RUNNERS:
            yield of_file(verb, READERS[verb], "runaway " + name, text)


MAKEFILES = {
    "chain": lines("a{i}: a{j}\n\techo {i}\n", 5_000),
    "circle": "a: b\nb: a\n",
    "conditionals": nest("ifdef x\n", "a:\n", "endif\n", 5_000),
    "doubling": "a0 = x\n" + lines("a{j} = $(a{i})$(a{i})\n", 60) + "all: ; echo $(a60)\n",
    "doubling at once": "a0 := x\n" + lines("a{j} := $(a{i})$(a{i})\n", 60) + "all: ; echo $(a60)\n",
    "itself": "a = $(a)\nall: ; echo $(a)\n",
    "deep references": "all: ; echo " + nest("$(a", "", ")", 9_000) + "\n",
    "deep calls": "all: ; echo $(subst " + nest("$(subst a,b,", "x", ")", 5_000) + ",b,c)\n",
    "call of itself": "f = $(call f,$(1)$(1))\nall: ; echo $(call f,x)\n",
    "foreach": "n = 1 2 3 4 5 6 7 8 9 0\nall: ; echo $(foreach a,$n,$(foreach b,$n,$(foreach c,$n,"
    "$(foreach d,$n,$(foreach e,$n,$(foreach f,$n,$(foreach g,$n,x)))))))\n",
    "eval": "define e\n$(eval $(e))\nendef\n$(eval $(e))\nall:\n",
    "include of itself": "include Makefile\nall:\n",
    "patterns": lines("%.a{i}: %.a{j}\n\tcp $< $@\n", 200) + "all: x.a0\n",
    "long line": "all:" + " a" * 100_000 + "\n",
    "continuations": "all: \\\n" * 20_000,
    "define": "define x\n" * 5_000,
    "deep shell": "all:\n\t" + nest("(", ":", ")", 9_000) + "\n",
    "loop": "all:\n\twhile :; do :; done\n",
    "rules": lines("a{i}:\n\techo $@\n", 10_000),
    "dollars": "all: ; echo " + "$" * 20_001 + "\n",
    "shell": "x = $(shell yes)\nall: ; echo $(x)\n",
    "control characters": "a\x1b[31m:\n\techo \x1b]0;x\x07\n",
}
DOCKERFILES = {
    "stages": "FROM a AS s0\n" + lines("FROM s{i} AS s{j}\n", 5_000),
    "circle": "FROM b AS a\nFROM a AS b\n",
    "continuations": "FROM a\nRUN : \\\n" + "  && : \\\n" * 20_000 + "  && :\n",
    "deep shell": "FROM a\nRUN " + nest("(", ":", ")", 9_000) + "\n",
    "deep JSON": "FROM a\nCMD " + nest("[", "", "]", 50_000) + "\n",
    "doubling": "FROM a\nARG a0=x\n" + lines("ARG a{j}=$a{i}$a{i}\n", 60),
    "deep variables": "FROM a\nENV x=" + nest("${a:-", "", "}", 5_000) + "\n",
    "here documents": "FROM a\n" + lines("RUN <<E{i}\n:\nE{i}\n", 2_000),
    "open here document": "FROM a\nRUN <<E\n" + ":\n" * 20_000,
    "long line": "FROM a\nENV" + " a=b" * 100_000 + "\n",
    "instructions": "FROM a\n" + "RUN echo x\n" * 3_000,
    "escapes": "# escape=`\nFROM a\nRUN " + "`" * 20_001 + "\n",
    "loop": "FROM debian\nRUN while :; do :; done\nRUN yes > f\n",
    "onbuild": "FROM a\n" + "ONBUILD " * 10_000 + "RUN x\n",
    "labels": "FROM a\nLABEL " + " ".join(f"a{i}=1" for i in range(10_000)) + "\n",
    "control characters": "FROM \x1b[31ma\nRUN echo \x1b]0;x\x07\n",
    "garbage": "\xff\xfe" * 10_000,
}
PYTHON = {
    "parentheses": "x = " + nest("(", "1", ")", 9_000) + "\n",
    "lists": "x = " + nest("[", "1", "]", 9_000) + "\n",
    "indents": "".join(" " * i + "if x:\n" for i in range(900)) + " " * 900 + "pass\n",
    "lambdas": "x = " + "lambda: " * 9_000 + "1\n",
    "signs": "x = " + "-" * 20_000 + "1\n",
    "nots": "x = " + "not " * 20_000 + "1\n",
    "sum": "x = " + "+".join(["'a'"] * 20_000) + "\n",
    "powers": "x = " + "**".join(["1"] * 9_000) + "\n",
    "calls": "x = " + nest("f(", "1", ")", 9_000) + "\n",
    "attributes": "x = a" + ".b" * 20_000 + "\n",
    "subscripts": "x = a" + "[0]" * 20_000 + "\n",
    "comparisons": "x = 1" + " < 1" * 20_000 + "\n",
    "conditionals": "x = " + "1 if x else " * 9_000 + "1\n",
    "doubling": "x = 'a'\n" + "x = x + x\n" * 60,
    "doubling input": "x = input()\n" + "x = x + x\n" * 60,
    "repetition": "x = 'a' * 10**9\ny = 'ab' * (2**62)\n",
    "zero index": "def f(s: str) -> str:\n    return s[0*len(s)]\n",
    "zero division": "def f(s: str) -> int:\n    return len(s) % (0*len(s)) + len(s) // (0 * len(s))\n",
    "cruel regex": "import re\nre.match(r'" + nest("(", "a", ")*", 3_000) + "b', 'a' * 40)\n",
    "counted regex": "import re\nre.fullmatch(r'" + "(" * 6 + "a" + "){900}" * 6 + "', input())\n",
    "f-strings": "x = " + "f'{" * 1_000 + "1" + "}'" * 1_000 + "\n",
    "functions": lines("def f{i}(s: str) -> str:\n    return f{j}(s)\n", 3_000),
    "recursion": "def f(s: str) -> str:\n    return f(s + s)\nf('a')\n",
    "branches": "def f(s: str) -> str:\n    x = s\n" + lines("    if s == '{i}':\n        x = x + '{i}'\n", 300)
    + "    return x\n",
    "decorators": "@a\n" * 20_000 + "def f(): pass\n",
    "statements": lines("x{i} = 'a'\n", 50_000),
    "open quotes": "'''" * 9_999,
    "backslashes": "x = '" + "\\" * 100_001 + "\n",
    "surrogates": "x = '" + "\\ud800" * 5_000 + "'\nprint(x)\n",
    "long integer": "x = " + "9" * 100_000 + "\ny = int('" + "9" * 5_000 + "')\n",
    "control characters": "x = 'a\x1b[31m' + 1\n\x1b]0;x\x07\n",
    "format": "x = '{:>2000000000}'.format('a')\ny = '%2000000000d' % 1\n",
    "loops": nest("for i in x: ", "pass", "", 1) + "\n" + "".join(" " * i + "while x:\n" for i in range(90)) + " " * 90
    + "x = x + 'a'\n",
}


def other_languages():
    for name, text in MAKEFILES.items():
        for verb, arguments in {"check": ["check", "-q"], "make": ["make"], "make -p": ["make", "-p"],
                                "purify": ["purify"], "verify": ["verify"]}.items():
            yield of_file("Makefile " + verb, arguments + ["FILE"], name, text, "Makefile")
    for name, text in DOCKERFILES.items():
        for verb, arguments in {"check": ["check", "-q"], "hadolint": ["hadolint"], "purify": ["purify"],
                                "verify": ["verify"]}.items():
            yield of_file("Dockerfile " + verb, arguments + ["FILE"], name, text, "Dockerfile")
    for name, text in PYTHON.items():
        yield of_file("Python check", ["check", "-q", "FILE"], name, text, "x.py")
        yield of_file("Python types", ["type", "FILE:1"], name, text, "x.py")


TYPES = {
    "parentheses": nest("(", "a", ")", 50_000),
    "stars": "a" + "*" * 50_000,
    "complements": "!" * 50_000 + "a",
    "counts": "(" * 6 + "a" + "){999}" * 6,
    "huge count": "a{2147483647}",
    "intersection": "&".join("(.*a.{%d}b.*)" % i for i in range(40)),
    "blow-up": "!(.*a.{40})",
    "alternatives": "|".join(f"a{i}b" for i in range(10_000)),
    "classes": "[" + "a-z" * 20_000 + "]",
    "open": "([{(" * 1_000,
    "names": "{integer}" * 2_000,
    "unknown name": "{" + "x" * 10_000 + "}",
    "long": "a" * 100_000,
    "control characters": "\x1b[31m\x07\x9b",
    "bytes": "".join(map(chr, range(128, 256))),
}


def languages():
    for name, text in TYPES.items():
        yield Input(f"lang: {name}", ["lang", text])
        yield Input(f"lang --witness: {name}", ["lang", text, "--witness", "--examples", "3"])
        yield Input(f"lang --subset-of: {name}", ["lang", "(a|b)*", "--subset-of", text])
        yield Input(f"type --input: {name}", ["type", "cut -c2 | grep a", "--input", text])
        yield Input(f"explore --arg: {name}", ["explore", "--arg", "1=" + text, "x.sh"],
                    {"x.sh": "[ \"$1\" = a ] && rm x\n"})
    for name in ("xargs ", "env ", "sudo ", "timeout 1 ", "eval ", "exec ", "command ", "nice nohup "):
        yield Input(f"type: {name}line", ["type", name * 2_000 + "x"])
        yield Input(f"card --cases: {name}chain", ["card", "--cases", name * 2_000 + "rm x"])
    yield Input("type: long pipeline", ["type", "grep a | sed s/a/b/ | " * 500 + "cat"])
    yield Input("card: unknown", ["card", "x" * 100_000])
    yield Input("card: path", ["card", "../../../../etc/passwd", "/dev/zero", "."])
    yield Input("card: control characters", ["card", "\x1b]0;x\x07"])
    yield Input("explain: unknown", ["explain", "x" * 100_000, "\x1b[31m"])
    yield Input("help: unknown", ["help", "\x1b[31m" + "x" * 10_000])
    yield Input("declare: hostile type", ["type", "--declare", "foo", nest("(", "a", ")", 20_000)])


CARDS = {
    "itself": "# foo: x\nusage: foo\nmeans xargs foo\n",
    "circle": "means env bar\n",
    "deep type": "output: " + nest("(", "a", ")", 20_000) + "\n",
    "long": "option -a\n" * 50_000,
    "garbage": "\x01\x02\xff" * 5_000,
    "control characters": "\x1b[31m: \x1b]0;x\x07\n",
}
CONFIGURATIONS = {
    "dotted keys": ".".join(["a"] * 90_000) + " = 1\n",
    "dotted table": "[" + ".".join(["a"] * 90_000) + "]\n",
    "arrays": "a = " + nest("[", "1", "]", 50_000) + "\n",
    "inline tables": "a = " + nest("{ a = ", "1", " }", 20_000) + "\n",
    "keys": lines("a{i} = 1\n", 50_000),
    "long string": "ignore = ['" + "x" * 1_000_000 + "']\n",
    "open string": "a = '''" + "\n" * 50_000,
    "codes": "ignore = [" + "'T101'," * 50_000 + "]\n",
    "control characters": "\"\x1b[31m\" = \x1b]0;x\x07\n",
    "garbage": "\xff\xfe\x00" * 1_000,
    "special": FIFO,
    "loop": LOOP,
}
IGNORES = {
    "stars": "*" * 20_000 + "b\n" + "**/" * 5_000 + "a\n" + "*a" * 500 + "\n",
    "brackets": "[" * 20_000 + "\n",
    "lines": lines("a{i}*\n", 20_000),
    "special": FIFO,
    "loop": LOOP,
}


LIMIT = "limit|more than [0-9]* |was stopped after|command not found|Success cases: 1"
# CoLiS programs that end by a limit, and what the concrete run then says.
COLIS = {
    "loop": ("begin while true do true done end", "Loop limit: more than 100000 rounds"),
    "loop with utilities": ("begin while test ['a'; '='; 'a'] do echo ['x'] done end", "was stopped after 5000000 steps"),
    "nested loops": ("begin " + nest("while true do ", "true", " done", 20) + " end", "Loop limit|was stopped after"),
    "growing text": ("begin x := 'a' ; while true do x := x x done end", "was stopped after 5000000 steps"),
    "growing output": ("begin x := 'aaaaaaaaaaaaaaaa' ; while true do x := x x ; echo [x] done end", "limit|was stopped"),
    "growing list": ("begin x := 'a a a a' ; while true do x := x ' ' x ; for y in [split x] do true done done end",
                     "was stopped after 5000000 steps"),
    "growing pipe": ("begin x := 'aaaaaaaaaaaaaaaa' ; while true do x := x x ; pipe echo [x] into cat endpipe done end",
                     "limit|was stopped"),
    "recursion": ("function f begin call f end begin call f end", "Nesting limit: more than 1000 evaluations"),
    "recursion that forks": ("function f begin call f ; call f end begin if call f then true fi end", "Nesting limit"),
    "recursion in conditions": ("function f begin if call f then call f else call f fi end begin call f end", "Nesting limit"),
    "10 MB of instructions": ("begin\n" + "true;\n" * 1_700_000 + "true end", "more than 1000000 instructions"),
    "10 MB of words": ("begin echo [" + "x;" * 5_000_000 + "x] end", "more than 4000000 words and symbols"),
    "10 MB of text": ("begin echo ['" + "x" * 10_000_000 + "'] ; frobnicate end", "frobnicate: command not found"),
    "10 MB of fragments": ("begin x := " + "'a' " * 2_600_000 + "; frobnicate end", "more than 2000000 strings"),
    "10 MB that run": ("begin\n" + "true; (* *)\n" * 850_000 + "frobnicate end", "frobnicate: command not found"),
    "a million words": ("begin for x in [" + "'a';" * 999_999 + "'a'] do true done ; frobnicate end",
                        "frobnicate: command not found|was stopped after"),
    "a million words, echoed": ("begin for x in [" + "'a';" * 999_999 + "'a'] do echo [x] done end", "was stopped after"),
    "clause that explodes": ("begin " + "".join(f"if test ['-e'; '/a{i}'] then touch ['/b{i}'] fi ; " for i in range(40))
                             + "frobnicate end", "frobnicate: command not found"),
    "case that explodes": ("begin " + "rm ['-rf'; " + "; ".join(f"'/a{i}/b/c'" for i in range(40)) + "] ; frobnicate end",
                           "frobnicate: command not found"),
    "many directories": ("begin " + "".join(f"mkdir ['-p'; '/a{i}/b/c/d'] ; " for i in range(2_000)) + "frobnicate end",
                         "frobnicate: command not found|was stopped after|Permission"),
    "unknown utility": ("begin frobnicate ['/a'] end", "frobnicate: command not found"),
}


def configurations():
    for name, text in CARDS.items():
        files = {".nacre/commands/foo.card": text, ".nacre/commands/bar.card": text, "x.sh": "foo a | bar b\n"}
        yield Input(f"hostile card, check: {name}", ["check", "-q", "x.sh"], files)
        yield Input(f"hostile card, card: {name}", ["card", "foo"], files)
        yield Input(f"hostile card, type: {name}", ["type", "foo x | bar"], files)
    yield Input("hostile card, special", ["check", "-q", "x.sh"], {".nacre/commands/foo.card": FIFO, "x.sh": "foo\n"})
    for name, text in CONFIGURATIONS.items():
        files = {"nacre.toml": text, "x.sh": "echo $x\n"}
        yield Input(f"hostile nacre.toml: {name}", ["check", "-q", "x.sh"], files)
        yield Input(f"hostile nacre.toml, settings: {name}", ["check", "--show-settings", "x.sh"], files)
    for name, text in IGNORES.items():
        yield Input(f"hostile .gitignore: {name}", ["check", "-q", "."],
                    {".gitignore": text, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.sh": "echo $x\n", "x.sh": ":\n"})
    for name, text in {"deep": nest("[", "1", "]", 50_000), "garbage": "\xff" * 1_000, "special": FIFO,
                       "objects": nest('{"a":', "1", "}", 50_000)}.items():
        yield Input(f"hostile baseline: {name}", ["check", "--baseline", "b.json", "x.sh"],
                    {"b.json": text, "x.sh": "echo $x\n"})
        yield Input(f"hostile scene: {name}", ["run", "--scene", "s.json", "x.sh"], {"s.json": text, "x.sh": ":\n"})
        yield Input(f"hostile --fs: {name}", ["explore", "--fs", "fs", "x.sh"], {"fs": text, "x.sh": ":\n"})
    deep_path = "/" + "a/" * 20_000
    yield Input("hostile --fs: deep path", ["explore", "--fs", "fs", "x.sh"], {"fs": deep_path, "x.sh": ":\n"})
    for name, text in {"parentheses": nest("(", "1", ")", 20_000), "ifs": nest("if true then ", "true", " fi", 9_000),
                       "begins": nest("begin ", "true", " end", 9_000), "quotes": "'" * 9_999,
                       "nots": "begin " + "not " * 20_000 + "true end", "garbage": "\xff\x01" * 1_000,
                       "process": nest("embed { ", "x", " }", 9_000)}.items():
        yield Input(f"CoLiS program: {name}", ["colis", "x.cls"], {"x.cls": text})
        yield Input(f"CoLiS program, symbolic: {name}", ["colis", "-s", "x.cls"], {"x.cls": text})
    yield Input("CoLiS limit: memory", ["colis", "--memory-limit", "60m", "x.cls"],
                {"x.cls": COLIS["a million words"][0]}, says="the memory limit of 60m was reached")
    for name, (text, says) in COLIS.items():
        yield Input(f"CoLiS limit: {name}", ["colis", "x.cls"], {"x.cls": text}, says=says)
        yield Input(f"CoLiS limit, symbolic: {name}", ["colis", "-s", "x.cls"], {"x.cls": text}, says=LIMIT)


def special_files():
    for verb, arguments in READERS.items():
        for name, file in {"named pipe": FIFO, "link to itself": LOOP, "socket": SOCKET}.items():
            if verb in ("sh", "bash") and file == FIFO:
                continue  # a shell reads a pipe that it is told to read, and waits for its writer
            yield Input(f"{verb}: special {name}", [word.replace("FILE", "x") for word in arguments], {"x": file})
        if verb != "type":
            yield Input(f"{verb}: special directory", [word.replace("FILE", ".") for word in arguments])
            yield Input(f"{verb}: special missing", [word.replace("FILE", "a\x1b[31m\nb") for word in arguments])
            if verb not in ("sh", "bash"):
                yield Input(f"{verb}: special kernel log", [word.replace("FILE", "/proc/kmsg") for word in arguments])
            yield Input(f"{verb}: special zeros", [word.replace("FILE", "/dev/zero") for word in arguments])
            yield Input(f"{verb}: special memory", [word.replace("FILE", "/proc/self/mem") for word in arguments])
    for verb in ("make", "hadolint", "checkmake"):
        for name in ("/dev/zero", "/proc/kmsg", ".", "missing"):
            yield Input(f"{verb}: {name}", [verb, name])
    yield Input("run --root: named pipes", ["run", "--root", ".", "x.sh"], {"p": FIFO, "x.sh": "cat /p; ls /\n"})
    yield Input("run --root: links", ["run", "--root", ".", "x.sh"], {"l": LOOP, "x.sh": "cat /l; ls /\n"})
    yield Input("source of a pipe", ["check", "-q", "x.sh"], {"p": FIFO, "x.sh": ". ./p\n"})
    yield Input("source of zeros", ["check", "-q", "x.sh"], {"x.sh": ". /dev/zero\n"})
    yield Input("include of a pipe", ["check", "-q", "Makefile"], {"p": FIFO, "Makefile": "include p\nall:\n"})
    yield Input("include of zeros", ["make", "Makefile"], {"Makefile": "include /dev/zero\nall:\n"})
    for format_name in "text gcc json jsonl sarif checkstyle junit gitlab github diff".split():
        yield Input(f"long findings: {format_name}", ["check", "-f", format_name, "x.sh"],
                    {"x.sh": "rm $a" + "x" * 200_000 + "; " + "echo $a; " * 2_000 + "\n"})
    for index in range(20):
        yield Input(f"many files {index}", ["check", "-q", "."],
                    {f"{i}.sh": SCRIPTS[name] for i, name in enumerate(list(SCRIPTS)[index::20])}, is_slow=True)


HUGE = {
    "functions": lines("f{j}() {{ f{i}; }}\n", 100_000) + "f100000\n",
    "suppressions": lines("# nacre disable=T101 -- reason\necho $x\n", 100_000),
    "variables": lines("a{i}=1\n", 1_000_000),
    "uses": lines("echo $a{i}\n", 100_000),
    "pipes": lines("echo a | grep b | sed s/a/b/\n", 20_000),
    "zeros": "\0" * 50_000_000,
    "one word": "x" * 50_000_000,
    "one string": "x='" + "y\n" * 20_000_000 + "'\n",
    "comment": "# x\n" * 10_000_000,
    "wrappers": "env " * 4_000 + "x\n",
    "xargs": "xargs " * 4_000 + "x\n",
}


def huge():
    for name, text in HUGE.items():
        for verb in ("check", "ast", "purify"):
            made = of_file("huge " + verb, READERS[verb], name, text)
            made.is_slow = True
            yield made


def all_inputs():
    made = [*scripts(), *other_languages(), *languages(), *configurations(), *special_files(), *huge()]
    names = [each.name for each in made]
    assert len(names) == len(set(names)), {name for name in names if names.count(name) > 1}
    return made
