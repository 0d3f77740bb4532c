#!/usr/bin/env python3
"""Runs tests/docker/rules.cases: each is a Dockerfile and a rule (by the name that hadolint or BuildKit has for it) that must be
reported in it or must be silent.

usage: tests/docker/rules.py NACRE
"""
import json
import os
import subprocess
import sys
import tempfile

CASES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "rules.cases")


def read_cases():
    with open(CASES, encoding="utf-8") as file:
        for case in file.read().split("\n=== ")[1:]:
            head, text = case.split("\n", 1)
            rule, expected = head.split()
            assert expected in ("reported", "silent"), head
            yield rule, expected == "reported", text


def main():
    nacre = os.path.abspath(sys.argv[1])
    cases = list(read_cases())
    with tempfile.TemporaryDirectory() as directory:
        names = [f"Dockerfile.{i}" for i in range(len(cases))]
        for name, (_, _, text) in zip(names, cases):
            with open(os.path.join(directory, name), "w", encoding="utf-8") as file:
                file.write(text + "\n")
        run = subprocess.run([nacre, "check", "-q", "-f", "json", *names], cwd=directory, capture_output=True, check=False)
    found = {name: set() for name in names}
    for each in json.loads(run.stdout)["findings"]:
        found[each["file"]].update(each.get("aliases", []))
    failed = 0
    for name, (rule, is_reported, text) in zip(names, cases):
        if (rule in found[name]) != is_reported:
            failed += 1
            print(f"{rule} must be {'reported' if is_reported else 'silent'}, found {sorted(found[name])}:\n{text}\n")
    print(f"{len(cases) - failed} of {len(cases)} cases hold")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
