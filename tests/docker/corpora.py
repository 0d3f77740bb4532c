#!/usr/bin/env python3
"""Checks of Dockerfiles against two collections of cases beside the project (../shared/corpora): hadolint's and BuildKit's own
expectations. Skipped (status 77) where they are absent.

usage: tests/docker/corpora.py NACRE [-v]

A case of hadolint is a Dockerfile, perhaps with a configuration, and a rule that must or must not be reported. A case of BuildKit is a
Dockerfile, perhaps with a .dockerignore, and the warnings with their lines. Some cases of BuildKit are the same text with different
expectations (the tests give build arguments that a file does not show), so not all of them can hold.
"""
import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
CORPORA = os.path.join(ROOT, "..", "shared", "corpora")
if not os.path.isdir(CORPORA):
    CORPORA = os.path.join(ROOT, "..", "..", "shared", "corpora")
LEAST = {"hadolint": 0.95, "buildkit": 0.80}
BUILDKIT_RULES = {"StageNameCasing", "FromAsCasing", "NoEmptyContinuation", "ConsistentInstructionCasing", "DuplicateStageName",
                  "ReservedStageName", "JSONArgsRecommended", "MaintainerDeprecated", "UndefinedArgInFrom", "WorkdirRelativePath",
                  "UndefinedVar", "MultipleInstructionsDisallowed", "LegacyKeyValueFormat", "RedundantTargetPlatform",
                  "SecretsUsedInArgOrEnv", "InvalidDefaultArgInFrom", "FromPlatformFlagConstDisallowed", "CopyIgnoredFile",
                  "InvalidDefinitionDescription", "ExposeProtoCasing", "ExposeInvalidFormat"}


def findings(nacre, dockerfile, extra):
    """(alias, line) of all findings."""
    with tempfile.TemporaryDirectory() as directory:
        for name, text in {"Dockerfile": dockerfile, **extra}.items():
            with open(os.path.join(directory, name), "w", encoding="utf-8") as file:
                file.write(text)
        run = subprocess.run([nacre, "check", "-q", "-f", "json", "Dockerfile"], cwd=directory, capture_output=True, check=False)
        report = json.loads(run.stdout)
    return [(alias, each["begin"]["line"]) for each in report["findings"] for alias in each.get("aliases", [])]


def hadolint_holds(nacre, case):
    found = {alias for alias, _ in findings(nacre, case["dockerfile"], {".hadolint.yaml": case["yaml"]} if case["yaml"] else {})}
    found = {alias for alias in found if alias[:2] in ("DL", "SC")}
    if case["rule"] == "*":
        return not found
    hit = any(alias.startswith("SC") for alias in found) if case["rule"] == "SC*" else case["rule"] in found
    return hit == (case["expect"] == "flagged")


def buildkit_holds(nacre, case):
    extra = {".dockerignore": case["dockerignore"]} if case["dockerignore"] else {}
    found = {pair for pair in findings(nacre, case["dockerfile"], extra) if pair[0] in BUILDKIT_RULES}
    return found == {tuple(pair) for pair in case["warnings"]}


def score(nacre, name, holds, is_verbose):
    path = os.path.join(CORPORA, {"hadolint": "hadolint-dev.jsonl", "buildkit": "buildkit-check-dev.jsonl"}[name])
    if not os.path.exists(path):
        return None
    with open(path, encoding="utf-8") as file:
        cases = [json.loads(line) for line in file]
    failed = [case["id"] for case in cases if not holds(nacre, case)]
    share = 1 - len(failed) / len(cases)
    print(f"{name}: {len(cases) - len(failed)} of {len(cases)} ({share:.1%})")
    if is_verbose:
        print(" ".join(failed))
    return share >= LEAST[name]


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    binary = os.path.abspath(sys.argv[1])
    results = [score(binary, "hadolint", hadolint_holds, "-v" in sys.argv), score(binary, "buildkit", buildkit_holds, "-v" in sys.argv)]
    if None in results:
        print("the corpora are not there: skipped")
        sys.exit(77)
    sys.exit(0 if all(results) else 1)
