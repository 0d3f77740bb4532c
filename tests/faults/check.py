#!/usr/bin/env python3
"""One call fails, each in turn (SQLite's way): check.py NACRE PRELOAD [STRIDE].

`nacre check` and `nacre check --fix` run over three files while the N-th allocation, read, write or open fails, for
every N (every STRIDE-th allocation). A run must
  - not end by a signal, and not hang;
  - either report exactly what a run without a fault reports, with the same status,
  - or end with status 2 or 3 and say why; a file that is not named as failed still has all its findings.
With --fix, each file holds its old or its new text, whole, and nothing is left beside it.
"""

import os
import shutil
import subprocess
import sys
import tempfile

SCRIPTS = {
    "a.sh": "#!/bin/sh\necho $a\r\nls | grep x | uniq\n",
    "b.sh": "#!/bin/sh\ncd $1\nrm -r $2/*\r\n",
    "c.sh": "#!/bin/sh\nif [ $x = y ]; then echo z; fi\r\n",
}


def run(nacre, preload, directory, arguments, fault=None, counts=None):
    environment = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "HOME": directory, "LD_PRELOAD": preload}
    if fault:
        environment["FAULT"] = fault
    if counts:
        environment["FAULT_COUNT"] = counts
    return subprocess.run([nacre, "check", "-q", "-j", "1", "-f", "gcc", *arguments, *sorted(SCRIPTS)], cwd=directory,
                          env=environment, capture_output=True, timeout=120, check=False)


def fresh(directory):
    for name in os.listdir(directory):
        os.unlink(os.path.join(directory, name))
    for name, text in SCRIPTS.items():
        with open(os.path.join(directory, name), "w", newline="") as file:
            file.write(text)


def texts(directory):
    return {name: open(os.path.join(directory, name), newline="").read() for name in os.listdir(directory)}


def findings_by_file(output):
    result = {name: [] for name in SCRIPTS}
    for line in output.decode("utf-8", "replace").splitlines():
        result.setdefault(line.split(":")[0], []).append(line)
    return result


def problem_of(done, expected, fault):
    if done.returncode < 0:
        return f"ends by signal {-done.returncode}: {done.stderr.decode()[-200:]}"
    if done.returncode == expected.returncode and done.stdout == expected.stdout:
        return ""
    if done.returncode not in (2, 3):
        return f"status {done.returncode} and another report than without a fault"
    said = done.stdout + done.stderr
    if not said and not fault.startswith("write"):  # a message whose write fails is lost
        return "fails without a word"
    wanted = findings_by_file(expected.stdout)
    found = findings_by_file(done.stdout)
    if any(found[name] for name in SCRIPTS):
        for name in SCRIPTS:
            failed = any("[S006]" in line or "[S001]" in line for line in found[name])
            if not failed and found[name] != wanted[name] and not fault.startswith("write"):
                return f"{name} lost findings without a word"
    return ""


def main():
    nacre, preload = sys.argv[1:3]
    stride = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    directory = tempfile.mkdtemp(prefix="nacre-faults-")
    failures = runs = 0
    for arguments in ([], ["--fix"]):
        fresh(directory)
        counts = directory + ".counts"
        expected = run(nacre, preload, directory, arguments, counts=counts)
        after = texts(directory)
        for line in open(counts):
            kind, count = line.split()
            step = stride if kind == "malloc" else 1
            for number in range(0, int(count), step):
                fresh(directory)
                fault = f"{kind}:{number}"
                problem = problem_of(run(nacre, preload, directory, arguments, fault), expected, fault)
                runs += 1
                for name, text in texts(directory).items():
                    if text not in (SCRIPTS.get(name), after.get(name)):
                        problem = problem or f"{name} is left half-written or behind"
                if problem:
                    failures += 1
                    print(f"check {' '.join(arguments)} with fault {fault}: {problem}")
    shutil.rmtree(directory)
    os.unlink(directory + ".counts")
    print(f"{runs} faults, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
