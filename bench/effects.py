#!/usr/bin/env python3
"""Findings about values against labelled scripts: ./dev bench effects [CORPUS] [--show]

The scripts are only read, never run: many of them wipe directories. For each kind of bug that is a matter of values: how many
of its points (a script and a kind) have a finding of that kind on one of the true lines; how often one stays on the line of a
fixed script; and how many findings a script has."""
import collections
import json
import os
import re
import subprocess
import sys
import tempfile

KINDS = {
    "word_split": {"X103", "X101"},
    "word_split_del_sys_file": {"X101", "X103"},
    "unbound": {"X102", "X110", "X104"},
    "unbound_setu": {"X104", "X102", "X110"},
    "del_sys_file": {"X101", "X105"},
    "const_cond": {"T301", "X106"},
    "loop_once": {"X107"},
    "capturing_empty_output": {"T303"},
    "not_a_command": {"T304"},
    "function_use_before_def": {"T305"},
    "unexpected_stdin": {"T306", "T307", "T102", "T103", "T101"},
}
# Bugs that are a matter of the file system.
FILES = {
    "cmd_expected_path_state": {"F101", "F105", "F109"},
    "data_loss": {"F102", "F105", "F110"},
    "del_user_dir": {"F103"},
    "redir_func": {"F104"},
    "command_can_only_fail": {"F106", "F101"},
    "dead_code": {"F107"},
    "infinite_loop": {"F108"},
}
KINDS |= FILES
FINDING = re.compile(r"^[^:]*:(\d+):\d+: (\w+): .* \[(\w+)\]$")


def findings(nacre, entry, directory):
    path = os.path.join(directory, "script.sh")
    with open(path, "w", encoding="utf-8", errors="surrogateescape") as file:
        file.write(entry["script"])
    shell = ["--shell", entry["shell"]] if entry["shell"] else []
    done = subprocess.run([nacre, "check", "--format", "gcc", *shell, "script.sh"], cwd=directory, capture_output=True,
                          text=True, errors="replace", timeout=120)
    found = [FINDING.match(line) for line in done.stdout.splitlines()]
    return [(int(match[1]), match[3]) for match in found if match]


def main():
    nacre = os.path.abspath(sys.argv[1])
    corpus = sys.argv[2]
    shows = "--show" in sys.argv
    points, hits = collections.Counter(), collections.Counter()
    repaired, stayed = collections.Counter(), collections.Counter()
    counts = []
    with open(corpus, encoding="utf-8") as lines, tempfile.TemporaryDirectory() as directory:
        for line in lines:
            entry = json.loads(line)
            found = findings(nacre, entry, directory)
            counts.append(len([code for _, code in found if code[0] in "XTJ"]))
            is_fixed = entry["kind"] in ("fixed", "fixed_variant")
            if is_fixed and entry["vacuous_fix"]:
                continue
            for bug in entry["bugs"]:
                kind = bug["code"]
                if kind not in KINDS or None in bug["lines"]:
                    continue
                here = [number for number, code in found if code in KINDS[kind] and number in bug["lines"]]
                (repaired if is_fixed else points)[kind] += 1
                if here:
                    (stayed if is_fixed else hits)[kind] += 1
                if shows and bool(here) == is_fixed:
                    print("STAYED" if is_fixed else "MISSED", kind, entry["id"], bug["lines"], found)
    print(f"{'kind':<26}{'points':>8}{'found':>8}{'fixed':>8}{'stayed':>8}")
    for kind in KINDS:
        print(f"{kind:<26}{points[kind]:>8}{hits[kind]:>8}{repaired[kind]:>8}{stayed[kind]:>8}")
    total, found = sum(points.values()), sum(hits.values())
    print(f"{'all':<26}{total:>8}{found:>8}{sum(repaired.values()):>8}{sum(stayed.values()):>8}"
          f"   recall {100 * found / total:.1f} %")
    print(f"{len(counts)} scripts, {sum(counts) / len(counts):.2f} findings each")


if __name__ == "__main__":
    main()
