#!/usr/bin/env python3
"""Runs the conformance cases beside the project (../shared/corpora/posix-dev.jsonl) in nacre sh.

    conformance.py NACRE [TIMES]

Each case is a script in an empty directory with TEST_SHELL set; standard output and status have to be the
expected ones (output that a case does not name is not compared, nor standard error that is null). Cases marked
as disputed are counted, not required. Exits with 77, "skipped", when the file is not there.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

CORPUS = os.path.join(os.path.dirname(__file__), "..", "..", "..", "shared", "corpora", "posix-dev.jsonl")


def passes(shell, case):
    directory = tempfile.mkdtemp(prefix="nacre-case-")
    try:
        script = os.path.join(directory, "script.sh")
        with open(script, "w") as file:
            file.write(case["script"])
        work = os.path.join(directory, "work")
        os.mkdir(work)
        done = subprocess.run(shell + [script], cwd=work, env=dict(os.environ, TEST_SHELL=" ".join(shell)),
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
    except subprocess.TimeoutExpired:
        return False
    finally:
        shutil.rmtree(directory, ignore_errors=True)
    same_output = case["stdout"] in ("", done.stdout.decode("utf-8", "replace"))
    error = done.stderr.decode("utf-8", "replace")
    # The cases expect the prompt of an ordinary user; POSIX lets root have another one, and all shells give it "# ".
    expected = [case["stderr"], (case["stderr"] or "").replace("$ $ $ ", "# # # ") if os.geteuid() == 0 else None]
    same_error = case["stderr"] is None or error in expected
    return same_output and same_error and done.returncode == case["status"]


def main():
    # One word, also to the cases that set IFS to digits and then run $TEST_SHELL.
    directory = tempfile.mkdtemp(prefix="nacre-link-")
    links = directory.translate(str.maketrans("0123456789", "ghijklmnop"))
    os.rename(directory, links)
    os.symlink(os.path.abspath(sys.argv[1]), os.path.join(links, "sh"))
    shell = [os.path.join(links, "sh")]
    times = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    if not os.path.exists(CORPUS):
        print("skipped: there is no", os.path.normpath(CORPUS))
        return 77
    with open(CORPUS) as file:
        cases = [json.loads(line) for line in file] * times
    with ThreadPoolExecutor(4) as pool:
        results = list(zip(cases, pool.map(lambda case: passes(shell, case), cases)))
    shutil.rmtree(links)
    failed = [case["id"] for case, passed in results if not passed]
    required = [case["id"] for case, passed in results if not passed and "disputed" not in case]
    print(f"{len(cases) - len(failed)} of {len(cases)} pass; failed but disputed: {len(failed) - len(required)}")
    for name in required:
        print("FAILED", name)
    return 1 if required else 0


if __name__ == "__main__":
    sys.exit(main())
