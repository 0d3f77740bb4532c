#!/usr/bin/env python3
"""The scripts of bash_cases.txt: nacre bash must print what bash prints, and end with its status.

    bash.py NACRE [FILE]

Scripts are separated by lines of `===`. Exits with 77, "skipped", when there is no bash 5.
"""

import os
import shutil
import subprocess
import sys

from majority import run


def main():
    if shutil.which("bash") is None:
        print("skipped: there is no bash")
        return 77
    version = subprocess.run(["bash", "-c", "echo ${BASH_VERSINFO[0]}"], capture_output=True, text=True).stdout.strip()
    if version != "5":
        print(f"skipped: this is bash {version}")
        return 77
    nacre = [os.path.abspath(sys.argv[1]), "bash"]
    path = sys.argv[2] if len(sys.argv) > 2 else os.path.join(os.path.dirname(__file__), "bash_cases.txt")
    with open(path, encoding="utf-8") as file:
        cases = file.read().split("===\n")
    failed = 0
    for case in cases:
        theirs, ours = run(["bash"], case), run(nacre, case)
        if theirs != ours:
            failed += 1
            print("-" * 80, case, f"bash:  {theirs}", f"nacre: {ours}", sep="\n")
    print(f"{len(cases)} scripts, {failed} differ from bash")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
