#!/usr/bin/env python3
"""Runs the tests in the source packages of bash, busybox, mksh and yash with several shells.

    conformance.py NACRE [--suite NAME]... [--shell NAME]... [--list SHELL] [--jobs N]

Prints one table: a row for each suite, the number of failures for each shell. --list names the cases that one shell
fails. A case of bash's own suite counts only if bash itself passes it here: the others need another locale, a terminal
or a program that is missing.
"""

import argparse
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), ".."))
CACHE = os.path.join(ROOT, "build", "conformance")
PACKAGES = {"bash": "bash", "ash": "busybox", "hush": "busybox", "mksh": "mksh", "yash": "yash"}
TIMEOUT = 60


def fetch(package):
    """The unpacked source of a Debian package, or None with a message."""
    target = os.path.join(CACHE, package)
    if os.path.isdir(target):
        return target
    os.makedirs(os.path.join(CACHE, "lists", "partial"), exist_ok=True)
    os.makedirs(os.path.join(CACHE, "archives"), exist_ok=True)
    sources = os.path.join(CACHE, "sources.list")
    with open(sources, "w", encoding="utf-8") as file:
        release = "bookworm"
        with open("/etc/os-release", encoding="utf-8") as info:
            found = re.search(r"VERSION_CODENAME=(\w+)", info.read())
            release = found.group(1) if found else release
        file.write(f"deb-src http://deb.debian.org/debian {release} main\n")
    apt = ["apt-get", "-qq", "-o", f"Dir::Etc::sourcelist={sources}", "-o", "Dir::Etc::sourceparts=-",
           "-o", f"Dir::State::lists={CACHE}/lists", "-o", f"Dir::Cache={CACHE}/archives",
           "-o", "Acquire::Languages=none"]
    if not os.path.exists(os.path.join(CACHE, "updated")):
        subprocess.run(apt + ["update"], check=False, stderr=subprocess.DEVNULL)
        open(os.path.join(CACHE, "updated"), "w", encoding="utf-8").close()
    with tempfile.TemporaryDirectory(dir=CACHE) as work:
        done = subprocess.run(apt + ["source", "--download-only", package], cwd=work, check=False,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        archive = next((name for name in os.listdir(work) if ".orig.tar" in name), None)
        if done.returncode != 0 or archive is None:
            print(f"conformance: the source of {package} could not be fetched", file=sys.stderr)
            return None
        unpacked = os.path.join(work, "unpacked")
        os.mkdir(unpacked)
        subprocess.run(["tar", "-xf", os.path.join(work, archive), "-C", unpacked, "--strip-components=1"], check=True)
        os.rename(unpacked, target)
    return target


def run(command, cwd, extra=None, timeout=TIMEOUT):
    """Output and status; None as the status after a timeout."""
    environment = {"PATH": os.environ["PATH"], "HOME": cwd, "LC_ALL": "C", "TMPDIR": cwd, **(extra or {})}
    try:
        done = subprocess.run(command, cwd=cwd, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=timeout, start_new_session=True)
        return done.stdout, done.returncode
    except subprocess.TimeoutExpired:
        return b"", None


class BashSuite:
    """tests/run-*: each runs a script and compares its output with a file."""

    def __init__(self, source, _):
        self.tests = os.path.join(source, "tests")
        self.helpers = os.path.join(source, "helpers")
        if not os.path.isdir(self.helpers):
            os.mkdir(self.helpers)
            # They want what configure makes; the standard headers are enough.
            headers = os.path.join(self.helpers, "include")
            os.mkdir(headers)
            for name in ("config.h", "bashansi.h", "bashtypes.h", "chartypes.h"):
                with open(os.path.join(headers, name), "w", encoding="utf-8") as file:
                    file.write("#include <stdlib.h>\n#include <string.h>\n#include <stdio.h>\n#include <ctype.h>\n"
                               "#include <unistd.h>\n")
            for name in ("recho", "zecho", "printenv", "xcase"):
                subprocess.run(["cc", "-w", "-I", headers, "-o", os.path.join(self.helpers, name),
                                os.path.join(source, "support", name + ".c")], check=True)
        skipped = {"run-all", "run-minimal", "run-gprof"}
        self.cases = sorted(name for name in os.listdir(self.tests) if name.startswith("run-") and name not in skipped)
        self.usable = None

    def restrict(self, reference):
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            passes = pool.map(lambda case: self.passes(reference, case), self.cases)
        self.cases = [case for case, good in zip(self.cases, passes) if good]

    def passes(self, shell, case):
        with tempfile.TemporaryDirectory() as work:
            tests = os.path.join(work, "tests")
            shutil.copytree(self.tests, tests, symlinks=True)
            link = os.path.join(work, "bash")
            with open(link, "w", encoding="utf-8") as file:
                file.write("#!/bin/sh\nexec " + " ".join(shell) + ' "$@"\n')
            os.chmod(link, 0o755)
            extra = {"THIS_SH": link, "PATH": f"{tests}:{self.helpers}:{os.environ['PATH']}",
                     "BASH_TSTOUT": os.path.join(work, "out"), "TMPDIR": work}
            _, status = run(["sh", "./" + case], tests, extra)
            return status == 0


class AshSuite:
    """shell/ash_test/ash-*/X.tests: the output must be that of X.right."""

    directory = "ash_test"

    def __init__(self, source, _):
        self.tests = os.path.join(source, "shell", self.directory)
        self.cases = []
        for directory in sorted(os.listdir(self.tests)):
            path = os.path.join(self.tests, directory)
            if not os.path.isdir(path):
                continue
            for name in sorted(os.listdir(path)):
                if name.endswith(".tests") and os.path.exists(os.path.join(path, name[:-6] + ".right")):
                    self.cases.append(f"{directory}/{name}")
        helpers = os.path.join(source, "helpers")
        self.helpers = helpers
        if not os.path.isdir(helpers):
            os.mkdir(helpers)
            for name in ("recho", "zecho", "printenv"):
                subprocess.run(["cc", "-w", "-o", os.path.join(helpers, name), os.path.join(source, "shell", "ash_test", name + ".c")],
                               check=False)

    def passes(self, shell, case):
        directory, name = case.split("/")
        with tempfile.TemporaryDirectory() as work:
            tests = os.path.join(work, "tests")
            shutil.copytree(os.path.join(self.tests, directory), tests, symlinks=True)
            extra = {"THIS_SH": " ".join(shell), "PATH": f"{tests}:{self.helpers}:{os.environ['PATH']}"}
            output, status = run(shell + ["./" + name], tests, extra)
            with open(os.path.join(tests, name[:-6] + ".right"), "rb") as file:
                right = file.read()
            # Messages start with the name of the shell, of which there are several.
            strip = lambda text: re.sub(rb"(?m)^\S*?: (line \d+: |\d+: )?", b"", text)
            return status is not None and strip(output) == strip(right)


class HushSuite(AshSuite):
    directory = "hush_test"


class MkshSuite:
    """check.t, run by check.pl of the same source: one run tells all."""

    def __init__(self, source, _):
        self.source = source
        self.cases = ["check.t"]

    def failures(self, shell):
        with tempfile.TemporaryDirectory() as work:
            # Categories: what is not mksh's own language.
            command = ["perl", os.path.join(self.source, "check.pl"), "-s", os.path.join(self.source, "check.t"),
                       "-C", "shell:legacy-no", "-e", "PATH=" + os.environ["PATH"], "-p", " ".join(shell)]
            output, _ = run(command, work, timeout=900)
        text = output.decode("utf-8", "replace")
        failed = re.findall(r"^FAIL .*?:(\S+)", text, re.M)
        passed = re.findall(r"^pass .*?:(\S+)", text, re.M)
        return failed, len(failed) + len(passed)


class YashSuite:
    """tests/*-p.tst: the POSIX cases, run by run-test.sh of the same source."""

    def __init__(self, source, _):
        self.tests = os.path.join(source, "tests")
        self.cases = sorted(name for name in os.listdir(self.tests) if name.endswith("-p.tst"))

    def failures(self, shell):
        failed, total = [], 0
        with tempfile.TemporaryDirectory() as work:
            tests = os.path.join(work, "tests")
            shutil.copytree(self.tests, tests, symlinks=True)
            wrapper = os.path.join(work, "shell")
            with open(wrapper, "w", encoding="utf-8") as file:
                file.write("#!/bin/sh\nexec " + " ".join(shell) + ' "$@"\n')
            os.chmod(wrapper, 0o755)
            for case in self.cases:
                run(["sh", "./run-test.sh", wrapper, case], tests, timeout=300)
                result = os.path.join(tests, case[:-4] + ".trs")
                if not os.path.exists(result):
                    continue
                with open(result, encoding="utf-8", errors="replace") as file:
                    text = file.read()
                failed += [f"{case}: {name}" for name in re.findall(r"^%%% FAILED: \S*?:(.*)$", text, re.M)]
                total += len(re.findall(r"^%%% (?:PASSED|FAILED|OK|ERROR)", text, re.M))
        return failed, total


SUITES = {"bash": BashSuite, "ash": AshSuite, "hush": HushSuite, "mksh": MkshSuite, "yash": YashSuite}


def failures_of(suite, shell, jobs):
    if hasattr(suite, "failures"):
        return suite.failures(shell)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        passes = list(pool.map(lambda case: suite.passes(shell, case), suite.cases))
    return [case for case, good in zip(suite.cases, passes) if not good], len(suite.cases)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("nacre")
    parser.add_argument("--suite", action="append", choices=SUITES)
    parser.add_argument("--shell", action="append")
    parser.add_argument("--list", metavar="SHELL")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    # One word: some cases run "$THIS_SH" in quotes.
    links = tempfile.TemporaryDirectory()
    for name in ("sh", "bash"):
        os.symlink(os.path.abspath(options.nacre), os.path.join(links.name, name))
    nacre = os.path.join(links.name, "sh")
    shells = {"nacre": [nacre], "dash": ["dash"], "bash": ["bash"], "mksh": ["mksh"], "ksh93": ["ksh93"],
              "yash": ["yash"], "busybox": ["busybox", "sh"]}
    shells = {name: command for name, command in shells.items()
              if shutil.which(command[0]) and (not options.shell or name in options.shell)}
    if options.list:
        shells = {options.list: shells[options.list]}
    rows = []
    for name in options.suite or SUITES:
        source = fetch(PACKAGES[name])
        if source is None:
            rows.append((name, "?", {}))
            continue
        suite = SUITES[name](source, nacre)
        if hasattr(suite, "restrict"):
            suite.restrict(["bash"])
        result, total = {}, 0
        for shell, command in shells.items():
            if name == "bash" and shell not in ("nacre", "bash"):
                continue  # its own language
            if name == "bash" and shell == "nacre":
                command = [os.path.join(links.name, "bash")]
            failed, total = failures_of(suite, command, options.jobs)
            result[shell] = len(failed)
            if options.list:
                print("\n".join(f"{name}: {case}" for case in failed))
        rows.append((name, total, result))
    print("| suite | cases | " + " | ".join(shells) + " |")
    print("|---|---|" + "---|" * len(shells))
    for name, total, result in rows:
        print(f"| {name} | {total} | " + " | ".join(str(result.get(shell, "–")) for shell in shells) + " |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
