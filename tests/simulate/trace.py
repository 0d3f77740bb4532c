#!/usr/bin/env python3
"""Traces of scripts: each is valid by docs/step.schema.json, and replaying its changes gives its end. The stages of a line that
docs/stepping.md shows are among its steps.

    trace.py NACRE
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

import jsonschema

ROOT = pathlib.Path(__file__).resolve().parents[2]

SCRIPTS = {
    "assignment": "x=1; y=$x; x=$((x + 1)); unset y",
    "output": "echo hello; echo oops >&2",
    "file": "echo a >f; echo b >>f; cat f; rm f",
    "directory": "mkdir -p a/b; cd a; touch b/c; cd ..; mv a d; ls d",
    "expansion": "x='a b'; echo ~ \"$x\" $x $((1 + 2)) $(echo hi) *",
    "pipe": "printf 'b\\na\\n' | sort | cat",
    "endless pipe": "while true; do echo 5; done | { read x; echo $((x+42)); }",
    "endless to nobody": "while true; do echo 5; done | true",
    "loop": "for i in 1 2 3; do echo $i; done; while [ $i -gt 0 ]; do i=$((i - 1)); done",
    "case": "case abc in a*) echo yes;; *) echo no;; esac",
    "function": "f() { local x=2; echo $1 $x; return 3; }; f a; echo $?",
    "subshell": "x=1; (x=2; echo $x); echo $x",
    "background": "sleep 1 & wait; echo done",
    "trap": "trap 'echo bye' EXIT; echo hi",
    "here-document": "cat <<E\n$((6 * 7))\nE",
    "descriptors": "exec 3>f; echo x >&3; exec 3>&-; cat f",
    "errexit": "set -e; false; echo never",
    "failure": "nosuchcommand; echo $?",
    "bytes": "printf '\\377\\001' >f; cat f",
    "links and modes": "echo x >f; ln -s f l; chmod 600 f; cat l",
    "fuel": "while :; do :; done",
    "if": "if test -e /etc/passwd; then echo there; else echo not; fi",
    "parameters": "x=foo.tar.gz; echo ${x%.*} ${x##*.} ${#x} ${y:-none} ${y:=set}; echo $y",
    "globs": "touch a.c b.c; echo *.c '*'.c",
}


def replay(trace):
    """Applies the changes of all steps; returns the variables of the first shell, files, output and errors."""
    variables, files, output, errors = {}, {}, "", ""
    original = {}
    first = None
    for step in trace["steps"]:
        process = step["process"]
        first = process if first is None else first
        if process not in variables:
            variables[process] = dict(variables.get(step["parent"], trace["start"]["variables"]))
        for change in step["variables"]:
            old = variables[process].get(change["name"])
            assert old == change["before"], (step["step"], change, old)
            if change["after"] is None:
                variables[process].pop(change["name"], None)
            else:
                variables[process][change["name"]] = change["after"]
        for change in step["files"]:
            original.setdefault(change["path"], change["before"])
            assert files.get(change["path"], original[change["path"]]) == change["before"], change
            files[change["path"]] = change["after"]
        output += step["output"]
        errors += step["errors"]
    files = {path: (original[path], now) for path, now in files.items() if original[path] != now}
    return variables.get(first, {}), files, output, errors


def trace_of(nacre, text):
    with tempfile.TemporaryDirectory() as directory:
        script = pathlib.Path(directory) / "script.sh"
        script.write_text(text + "\n")
        run = subprocess.run([nacre, "step", "--json", "--fuel", "20000", str(script)], stdin=subprocess.DEVNULL,
                             capture_output=True, timeout=120)
    return json.loads(run.stdout)


def missing_stage(nacre):
    """The first row of the page's table that is not a step behind that of the row before; None if all are."""
    page = (ROOT / "docs/stepping.md").read_text()
    line = re.search(r"every stage of one line, `(.*)`, without", page)[1]
    trace = trace_of(nacre, "touch notes todo\n" + line)
    steps = iter([(step["rule"], step["after"]["text"].replace("\n", "\\n")) for step in trace["steps"]])
    for rule, command in re.findall(r"^\|[^|]*\| `(\w+)` \| `(.*)` \|$", page, re.MULTILINE):
        if (rule, command) not in steps:
            return rule, command
    return None


def main():
    nacre = sys.argv[1]
    schema = json.loads((ROOT / "docs/step.schema.json").read_text())
    failures = 0
    for name, text in SCRIPTS.items():
        trace = trace_of(nacre, text)
        jsonschema.validate(trace, schema)
        end = trace["end"]
        wanted = (end["variables"], {c["path"]: (c["before"], c["after"]) for c in end["files"]}, end["output"], end["errors"])
        if replay(trace) != wanted:
            failures += 1
            print(f"{name}: the replay differs\n  {replay(trace)}\n  {wanted}")
        fuel_ran_out = end["ending"] == "out of fuel"
        if fuel_ran_out != (name == "fuel"):
            failures += 1
            print(f"{name}: {end['ending']}")
    missing = missing_stage(nacre)
    if missing:
        print(f"docs/stepping.md: no such step: {missing}")
    print(f"{len(SCRIPTS) - failures} of {len(SCRIPTS)} traces are valid and replay to their end")
    return 1 if failures or missing else 0


if __name__ == "__main__":
    sys.exit(main())
