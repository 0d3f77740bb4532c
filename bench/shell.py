"""Runs small loops in several shells and prints their CPU time relative to dash (see shell.sh)."""

import math
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile

# name, script; `$1` is a file of 100,000 lines. Kinds: interpretive first, then those that start processes.
ROWS = [
    ("arithmetic", "i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done"),
    ("string building", "s=; i=0; while [ $i -lt 60000 ]; do s=\"$s.\"; i=$((i + 1)); done"),
    ("parameter patterns", "p=/usr/local/share/doc/file.tar.gz; i=0; while [ $i -lt 100000 ]; do b=${p##*/}; d=${p%/*}; e=${b%%.*}; f=${b#*.}; i=$((i + 1)); done"),
    ("function calls", "f() { return 0; }; g() { f \"$1\" b; }; i=0; while [ $i -lt 100000 ]; do g a; i=$((i + 1)); done"),
    ("case", "i=0; while [ $i -lt 200000 ]; do case $i in *9) x=n ;; *[02468]) x=e ;; abc | d*) x=a ;; *) x=o ;; esac; i=$((i + 1)); done"),
    ("field splitting", "l='one two three four five six seven eight'; i=0; while [ $i -lt 60000 ]; do set -- $l; i=$((i + $#)); i=$((i - 7)); done"),
    ("read, 100,000 lines", "while read -r a b c; do x=$b; done <\"$1\""),
    ("here-documents", "i=0; while [ $i -lt 15000 ]; do read x <<E\nline $i\nE\ni=$((i + 1)); done"),
    ("echo to a file", "i=0; while [ $i -lt 100000 ]; do echo \"line $i\"; i=$((i + 1)); done >/dev/null"),
    ("for, positional", "set -- a b c d e f g h; i=0; while [ $i -lt 25000 ]; do for x in \"$@\"; do y=$x; done; i=$((i + 1)); done"),
    ("substitution of builtins", "i=0; while [ $i -lt 4000 ]; do x=$(echo $i); i=$((i + 1)); done"),
    ("subshells of builtins", "i=0; while [ $i -lt 4000 ]; do (x=$i; [ $x -ge 0 ]); i=$((i + 1)); done"),
    ("substitution of commands", "i=0; while [ $i -lt 800 ]; do x=$(/bin/true); i=$((i + 1)); done"),
    ("commands", "i=0; while [ $i -lt 1000 ]; do /bin/true; i=$((i + 1)); done"),
    ("pipelines", "i=0; while [ $i -lt 500 ]; do echo $i | cat >/dev/null; i=$((i + 1)); done"),
    ("start-up", None),
]

SHELLS = [("dash", ["dash"]), ("bash", ["bash"]), ("mksh", ["mksh"]), ("ksh93u+m", ["ksh93"]), ("yash", ["yash"]),
          ("busybox", ["busybox", "sh"])]


def cpu_time(command, arguments):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command + arguments, check=True, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(command, script, path, runs):
    if script is None:
        return statistics.median(sum(cpu_time(command, ["-c", ":"]) for _ in range(50)) for _ in range(runs))
    return statistics.median(cpu_time(command, ["-c", script, "sh", path]) for _ in range(runs))


def main():
    nacre, runs = sys.argv[1], int(sys.argv[2])
    shells = [("nacre", [nacre, "sh"])] + [shell for shell in SHELLS if shutil.which(shell[1][0])]
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as lines:
        lines.writelines(f"word{i} second third and more of line {i}\n" for i in range(100000))
        lines.flush()
        print(f"{'CPU time relative to dash':<26}" + "".join(f"{name:>10}" for name, _ in shells) + "   dash [s]")
        logs = {name: [] for name, _ in shells}
        for row, script in ROWS:
            times = {name: measure(command, script, lines.name, runs) for name, command in shells}
            base = max(times["dash"], 1e-4)
            ratios = {name: max(time, 1e-4) / base for name, time in times.items()}
            if script is not None:
                for name, ratio in ratios.items():
                    logs[name].append(math.log(ratio))
            print(f"{row:<26}" + "".join(f"{ratios[name]:>10.2f}" for name, _ in shells) + f"   {base:.3f}", flush=True)
        means = {name: math.exp(sum(values) / len(values)) for name, values in logs.items()}
        print(f"{'geometric mean':<26}" + "".join(f"{means[name]:>10.2f}" for name, _ in shells) + "   (without start-up)")


if __name__ == "__main__":
    main()
