#!/usr/bin/env python3
"""The scripts of cases.txt: nacre sh must do what at least four of dash, bash, yash, mksh and ksh do.

    majority.py NACRE [FILE]

Scripts are separated by lines of `===`. Exits with 77, "skipped", when one of the shells is missing.
"""

import os
import shutil
import subprocess
import sys
import tempfile

PEERS = [["dash"], ["bash", "--posix"], ["yash"], ["mksh"], ["ksh93"]]


def run(shell, script):
    directory = tempfile.mkdtemp(prefix="nacre-case-")
    try:
        path = os.path.join(directory, "script.sh")
        with open(path, "w") as file:
            file.write(script)
        work = os.path.join(directory, "work")
        os.mkdir(work)
        done = subprocess.run(shell + [path], cwd=work, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, timeout=60,
                              env={"PATH": os.environ["PATH"], "HOME": "/root"})
        return done.stdout.decode("utf-8", "replace"), done.returncode
    except subprocess.TimeoutExpired:
        return "timeout", -1
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def outvoted(ours, case):
    """What at least four peers do, if that is not what nacre does. Two of five on its side are enough to know."""
    theirs = []
    for shell in PEERS:
        theirs.append(run(shell, case))
        if theirs.count(ours) == 2:
            return None
    common = max(theirs, key=theirs.count)
    return common if theirs.count(common) >= 4 and common != ours else None


def main():
    nacre = [os.path.abspath(sys.argv[1]), "sh"]
    if any(shutil.which(shell[0]) is None for shell in PEERS):
        print("skipped: a shell is missing")
        return 77
    path = sys.argv[2] if len(sys.argv) > 2 else os.path.join(os.path.dirname(__file__), "cases.txt")
    with open(path) as file:
        cases = file.read().split("===\n")
    failed = 0
    for case in cases:
        ours = run(nacre, case)
        if (common := outvoted(ours, case)) is not None:
            failed += 1
            print("-" * 80, case, f"most shells: {common}", f"nacre:       {ours}", sep="\n")
    print(f"{len(cases)} scripts, {failed} differ from what most shells do")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
