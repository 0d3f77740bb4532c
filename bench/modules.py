"""How well `nacre check` does on whole modules: planted bugs found, right modules flagged, functions left
open. Every counterexample is run under CPython with the declared types enforced (python_enforce.py).

    python3 bench/modules.py BENCH_MODULES [-v] FILE.py... FILE.jsonl...

A module says in its first line what is wrong with it: `# expect: ok`, `# expect: line 30, call(...)`, or
`# expect: line 41, main` for what happens when it is run. Rows of a .jsonl have `source` and `bug`.
"""

import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))


def modules(paths, folder):
    for path in paths:
        if path.endswith(".jsonl"):
            for row in map(json.loads, open(path, encoding="utf-8")):
                target = os.path.join(folder, row["id"] + ".py")
                with open(target, "w", encoding="utf-8") as out:
                    out.write(row["source"])
                bug = row["bug"]
                yield target, {bug["line"], bug["shown_line"]} if bug else None
        else:
            expected = open(path, encoding="utf-8").readline().split("expect: ")[1].strip()
            yield path, None if expected == "ok" else {int(expected.split(",")[0].split()[1])}


def run(path, call):
    command = [sys.executable, os.path.join(HERE, "python_enforce.py"), path]
    if call != "running the module":
        command.append(call)
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        return json.loads(done.stdout)
    except (ValueError, subprocess.TimeoutExpired):
        return {"failure": None, "broken": True}


def check(tool, path):
    try:
        done = subprocess.run([tool, path], capture_output=True, text=True, timeout=60, check=False)
        return json.loads(done.stdout)
    except (ValueError, subprocess.TimeoutExpired):
        return None


def main():
    tool, arguments = sys.argv[1], sys.argv[2:]
    verbose = "-v" in arguments
    arguments = [a for a in arguments if a != "-v"]
    totals = {"bugs": 0, "found": 0, "right": 0, "flagged": 0, "functions": 0, "open": 0, "wrong": 0, "claims": 0}
    seconds = 0.0
    with tempfile.TemporaryDirectory() as folder:
        cases = list(modules(arguments, folder))
        for path, bug in cases:
            name = os.path.basename(path)[:-3]
            report = check(tool, path)
            if report is None:
                print(f"{name}: the checker crashed or took a minute")
                totals["wrong"] += 1
                continue
            seconds += report["seconds"]
            typed = [f for f in report["functions"] if f["typed"]]
            totals["functions"] += len(typed)
            shown, remarks = set(), []
            for function in report["functions"]:
                if function["verdict"] == "open" and function["typed"]:
                    totals["open"] += 1
                    why = [f"{u['line']}: {u['what']}" for u in function["unknown"]]
                    why += [f"{f['line']}: not proved: {f['message']}" for f in function["findings"]]
                    remarks.append(f"  open {function['name']}{' (budget)' if function['exhausted'] else ''}: " + "; ".join(why[:4]))
                for finding in function["findings"]:
                    if not finding["confirmed"] and not finding["constant"]:
                        continue
                    shown.add(finding["line"])
                    if not finding["confirmed"]:
                        continue
                    totals["claims"] += 1
                    result = run(path, finding["call"])
                    if result["failure"] is None or result["explicit"]:
                        totals["wrong"] += 1
                        remarks.append(f"  WRONG CLAIM {finding['line']}: {finding['message']}: {finding['call']} -> {result}")
            extra = shown - (bug or set())
            if bug:
                totals["bugs"] += 1
                totals["found"] += bool(shown & bug)
                if not shown & bug:
                    remarks.insert(0, f"  MISSED line {sorted(bug)}")
            else:
                totals["right"] += 1
                totals["flagged"] += bool(shown)
            for problem in report["problems"]:
                remarks.append(f"  problem {problem['line']}: {problem['what']}")
            if extra:
                every = [(f["line"], f["message"], f["call"]) for fn in report["functions"] for f in fn["findings"]
                         if f["line"] in extra and (f["confirmed"] or f["constant"])]
                remarks.append(f"  {'FLAGGED' if not bug else 'also'} {every[:3]}")
            if remarks and verbose:
                print(f"{name} ({report['seconds']:.2f} s)")
                print("\n".join(remarks))
    t = totals
    print(f"planted bugs found: {t['found']} of {t['bugs']}; right modules flagged: {t['flagged']} of {t['right']}; "
          f"functions left open: {t['open']} of {t['functions']}; "
          f"counterexamples that CPython refutes: {t['wrong']} of {t['claims']}; {seconds:.2f} s of CPU")
    return 1 if t["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
