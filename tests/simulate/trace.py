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


# Scripts and what their first shell shows after some of its steps, in this order: (rule, residual command).
RESIDUALS = {
    "x=old; x=$(echo new)": [
        ("CmdAssignSet", "x=old; x=$(echo new)"), ("CmdSubst", "x=$(echo new)"), ("CmdSubstWait", "x=new"), ("ExpQuote", "x=new"),
        ("CmdAssignSet", "x=new"), ("CmdAssignDoneNoCmd", "")],
    "y=1; y=2": [("ExpQuote", "y=1; y=2"), ("ExpQuote", "y=2"), ("CmdAssignSet", "y=2")],
    "x=1 x=$x$x": [("CmdAssignSet", "x=1 x=$x$x"), ("EWCtrl", "x=1 x=1$x"), ("CmdAssignSet", "x=1 x=11")],
    "x=w; echo $x >f$x 2>&1 <<E\n<$x>\nE": [
        ("CmdStart", "echo $x >f$x 2>&1 <<E\n<$x>\nE"), ("ExpSplit", "echo ‹w› >f$x 2>&1 <<E\n<$x>\nE"),
        ("CmdArgDone", "echo w >f$x 2>&1 <<E\n<$x>\nE"), ("EWCtrl", "echo w >fw 2>&1 <<E\n<$x>\nE"),
        ("CmdRedir", "echo w >fw 2>&1 <<E\n<$x>\nE"), ("EWCtrl", "echo w >fw 2>&1 <<'E'\n<w>\nE"),
        ("CmdRedirDone", "echo w >fw 2>&1 <<'E'\n<w>\nE"), ("CmdRun", "echo w >fw 2>&1 <<'E'\n<w>\nE"), ("Run", "")],
    "false || echo b; echo c": [
        ("Or", "false || echo b; echo c"), ("CmdRun", "false || echo b; echo c"), ("Run", "false || echo b; echo c"),
        ("Or", "echo b; echo c"), ("Run", "echo c")],
    "{ true; false; } && echo x": [("Seq", "{ true; false; } && echo x"), ("Seq", "{ false; } && echo x"), ("And", "")],
    "sleep 1 & echo x": [("Seq", "sleep 1 & echo x"), ("Background", "sleep 1 & echo x"), ("Background", "echo x")],
    "for i in a 'b c'; do echo $i; done": [
        ("ForArgs", "for i in a 'b c'; do echo $i; done"), ("ForRunning", "echo $i; for i in 'b c'; do echo $i; done"),
        ("CmdArgDone", "echo a; for i in 'b c'; do echo $i; done"), ("Run", "for i in 'b c'; do echo $i; done"),
        ("ForRunning", "echo $i; for i in; do echo $i; done"), ("ForDone", "")],
    "i=; while [ -z $i ]; do\n  i=1\ndone": [
        ("WhileCond", "while [ -z $i ]; do i=1; done"), ("Run", "while true; do i=1; done"),
        ("WhileBody", "i=1; while [ -z $i ]; do i=1; done"), ("CmdAssignDoneNoCmd", "while [ -z $i ]; do i=1; done"),
        ("Run", "while false; do i=1; done"), ("WhileDone", "")],
    "if true; then echo a; else echo b; fi": [("If", "if true; then echo a; else echo b; fi"), ("IfThen", "echo a")],
    "case a$HOME in b) echo b;; a*|c) echo a;; esac": [
        ("EWCtrl", "case a/home/user in b) echo b;; a* | c) echo a;; esac"), ("CaseMatch", "case a/home/user in a* | c) echo a;; esac"), ("CaseCheck", "echo a")],
    "f() { echo $1; echo end; }; f x >g; echo z": [
        ("Call", "{ echo $1; echo end; } >g; echo z"), ("CmdArgDone", "{ echo x; echo end; } >g; echo z"), ("CallDone", ">g; echo z")],
    "x='a b'; echo \"$x\" $x ${y-$x}": [
        ("EWCtrl", "echo \"a b\" $x ${y-$x}"), ("EWCtrl", "echo 'a b' a b ${y-$x}"), ("ExpSplit", "echo 'a b' ‹a› ‹b› ${y-$x}"),
        ("EWCtrl", "echo 'a b' a b $x"), ("ExpSplit", "echo 'a b' a b ‹a› ‹b›")],
    "x=a.b; echo ${x%$(echo .b)} $((1 + ${#x}))": [
        ("CmdSubstWait", "echo ${x%.b} $((1 + ${#x}))"), ("ExpExpand", "echo a $((1 + ${#x}))"), ("EWCtrl", "echo a $((1 + 3))"),
        ("ExpExpand", "echo a 4")],
    "trap 'echo t' USR1; kill -USR1 $$; echo end": [("Trapped", "echo end"), ("EvalCmd", "echo t; echo end"), ("TrappedDone", "echo end")],
}

# All rules of the figures 6 to 11 of the published semantics; a script for each group of them. CmdSubstReadErr needs a failing
# system call: src/machine/machine_test.cpp.
RULES = {
    "echo a $(echo b); set -f; echo *; x=1": "ExpStart ExpExpandSplit ExpSplit ExpPath ExpPathNoGlob ExpQuote EWSep EWLit EWCtrl CmdSubst "
    "CmdSubstRead CmdSubstWait CmdStart CmdArgExp CmdArgDone CmdRedirDone CmdAssignDoneCmd CmdRun Run CmdRunSpecial ExpExpandNoSplit "
    "CmdAssign CmdAssignSet CmdAssignDoneNoCmd",
    "echo ${x-a}": "ExpExpand",
    "echo ${x?gone}": "EWCtrlErr ExpExpandErr CmdArgErr",
    "echo a >${x?gone}": "CmdRedir EWCtrlErr ExpExpandErr CmdRedirErr",
    "echo a >no/dir/f": "CmdRedirDoneErr",
    "x=${x?gone}": "EWCtrlErr ExpExpandErr CmdAssignErr",
    "readonly x; x=1": "CmdAssignSetErr",
    "set -n\necho never": "CmdRunNoExec",
    "nosuchcommand": "RunFail",
    "shift 5": "RunFail",
    "set -e; false": "RunErr",
    "! true; ! false; ! exit": "Not NotSuccess NotFail NotCtrl",
}


def missing_residual(nacre, script, wanted):
    """The first pair that is not a step of the first shell after the pair before; None if all are."""
    trace = trace_of(nacre, script)
    first = trace["steps"][0]["process"]
    steps = iter([(step["rule"], step["after"]["text"]) for step in trace["steps"] if step["process"] == first])
    for pair in wanted:
        if pair not in steps:
            return pair
    return None


def missing_rules(nacre, script, wanted):
    found = {step["rule"] for step in trace_of(nacre, script)["steps"]}
    return set(wanted.split()) - found


def check_writers(nacre):
    """What each process writes is booked on that process."""
    trace = trace_of(nacre, "echo b; printf 'x\\n' | cat; (echo sub; ls /nosuch)")
    steps = [(step["process"], step["rule"], step["after"]["text"], step["output"], step["errors"]) for step in trace["steps"]]
    shell = steps[0][0]
    cat = [step for step in steps if step[3] == "x\n"]
    ls = [step for step in steps if step[4]]
    sub = [step for step in steps if step[3] == "sub\n"]
    own = [step for step in steps if step[3] == "b\n"]
    right = (len(cat) == len(ls) == len(sub) == len(own) == 1 and own[0][0] == shell and cat[0][1:3] == ("Output", "cat")
             and ls[0][1:3] == ("Output", "ls /nosuch") and len({own[0][0], cat[0][0], sub[0][0]}) == 3)
    return right or print("the writers differ:", own, cat, sub, ls)


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
    """The first row of the page's table that is not a step after that of the row before; None if all are."""
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
    for script, wanted in RESIDUALS.items():
        if pair := missing_residual(nacre, script, wanted):
            failures += 1
            print(f"{script!r}: no step {pair}")
    for script, wanted in RULES.items():
        if rules := missing_rules(nacre, script, wanted):
            failures += 1
            print(f"{script!r}: no step of {rules}")
    failures += not check_writers(nacre)
    missing = missing_stage(nacre)
    if missing:
        print(f"docs/stepping.md: no such step: {missing}")
    print(f"{len(SCRIPTS) - failures} of {len(SCRIPTS)} traces are valid and replay to their end")
    return 1 if failures or missing else 0


if __name__ == "__main__":
    sys.exit(main())
