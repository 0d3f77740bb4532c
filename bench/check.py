#!/usr/bin/env python3
"""Checks every shell script of a list, one process each: CPU time and memory per file, findings per line, and ShellCheck's
CPU time on a sample of the same files. See bench/check.sh."""
import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor


def run(command, limit):
    """(exit status, CPU seconds, peak MB, what it printed); status None: it ran out of time."""
    with tempfile.TemporaryFile() as out:
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT)
        timer = threading.Timer(limit, child.kill)
        timer.start()
        _, status, usage = os.wait4(child.pid, 0)
        timer.cancel()
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        text = out.read().decode(errors="replace")
        return (None if child.returncode == -signal.SIGKILL else child.returncode, usage.ru_utime + usage.ru_stime,
                usage.ru_maxrss / 1024, text)


def count_lines(path):
    with open(path, "rb") as file:
        return file.read().count(b"\n") + 1


def long_script(lines):
    """A script of about that many lines: functions with loops, pipelines, cases and here-documents, and calls of them."""
    chance = random.Random(2)
    words = ["alpha", "beta", "gamma", "delta", "config", "output", "source", "target"]
    text = ["#!/bin/sh", "set -eu", "work=${1:-/tmp/work}", "count=0"]
    bodies = [
        ['for file in "$work"/*.{word}; do', '  [ -f "$file" ] || continue', '  name=$(basename "$file" .{word})',
         '  sed "s/{word}/$name/g" "$file" > "$file.new"', '  mv "$file.new" "$file"', 'done'],
        ['while read -r key value; do', '  case $key in', '    {word}) {word}=$value ;;', '    "#"*) continue ;;',
         '    *) echo "unknown key: $key" >&2 ;;', '  esac', 'done < "$work/{word}.conf"'],
        ['total=$(grep -c {word} "$work/log" || true)', 'if [ "$total" -gt {number} ]; then',
         '  sort "$work/log" | uniq -c | sort -rn | head -n {number} > "$work/{word}.top"', 'fi'],
        ['{word}=$(ps -e | awk "{{ print \\$1 }}" | tail -n {number})', 'for id in ${word}; do', '  kill -0 "$id" || true', 'done'],
        ['cat > "$work/{word}.txt" <<EOF', 'name=${{1:-{word}}}', 'number={number}', 'EOF',
         'cut -d= -f2 "$work/{word}.txt" | tr a-z A-Z'],
        ['mkdir -p "$work/{word}"', 'cd "$work/{word}" || return 1', 'count=$((count + {number}))', 'cd - > /dev/null'],
    ]
    function = 0
    while len(text) < lines:
        text.append(f"step_{function}() {{")
        for body in chance.sample(bodies, 3):
            word, number = chance.choice(words), chance.randrange(1, 100)
            text += ["  " + line.format(word=word, number=number) for line in body]
        text += ["}", f'step_{chance.randrange(function + 1)} "{chance.choice(words)}" || exit 1', ""]
        function += 1
    # Here-documents end at the beginning of a line.
    return "\n".join("EOF" if line == "  EOF" else line for line in text) + "\n"


def check_long(nacre, lines):
    with tempfile.NamedTemporaryFile("w", suffix=".sh") as file:
        file.write(long_script(lines))
        file.flush()
        result = check(nacre, "sh", file.name)
    print(f"a script of {result['lines']} lines: {result['cpu']:.1f} s, {result['memory']:.0f} MB, status {result['status']}"
          + (", an analysis limit was reached" if "limit reached" in result["text"] else ""))


def check(nacre, dialect, path):
    command = [nacre, "check", "--format", "gcc", "--shell", dialect, path]
    status, cpu, memory, text = run(command, 60)
    findings = [line for line in text.splitlines() if ": error: " in line or ": warning: " in line]
    return {"path": path, "status": status, "cpu": cpu, "memory": memory, "lines": count_lines(path),
            "findings": findings, "text": text}


def compare(nacre, scripts, jobs):
    """The two take turns, script by script, so that what else the machine does hits both."""
    def both(script):
        return run(["shellcheck", script[1]], 120)[1], check(nacre, *script)["cpu"]

    with ThreadPoolExecutor(jobs) as pool:
        times = list(pool.map(both, scripts))
    peer, ours = (sum(column) for column in zip(*times))
    print(f"ShellCheck on {len(scripts)} of them: {peer:.1f} s, we {ours:.2f} s: {peer / ours:.1f} times less")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("nacre")
    parser.add_argument("scripts")
    parser.add_argument("findings", help="written: what was found, one line each")
    parser.add_argument("--every", type=int, default=1, help="only each n-th script")
    parser.add_argument("--peer", type=int, default=100, help="scripts that ShellCheck is timed on, chosen at random")
    parser.add_argument("--sample", type=int, default=0, help="print this number of findings, chosen at random")
    parser.add_argument("--seed", type=int, default=1, help="of that choice")
    parser.add_argument("--long", type=int, default=50_000, help="lines of a script that is made up; 0: none")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    with open(arguments.scripts) as file:
        scripts = [line.rstrip("\n").split("\t") for line in file][::arguments.every]
    with ThreadPoolExecutor(arguments.jobs) as pool:
        results = list(pool.map(lambda script: check(arguments.nacre, *script), scripts))
    lines = sum(result["lines"] for result in results)
    cpu = sum(result["cpu"] for result in results)
    findings = [line for result in results for line in result["findings"] if "[S" not in line and "[P" not in line]
    with open(arguments.findings, "w") as file:
        file.writelines(line + "\n" for line in findings)
    crashes = [result["path"] for result in results if result["status"] not in (0, 1, 2)]
    exhausted = [result["path"] for result in results if "limit reached" in result["text"]]
    print(f"{len(results)} scripts, {lines} lines, {cpu:.1f} s of CPU: {lines / cpu:.0f} lines per second")
    for key, unit in (("cpu", "s"), ("memory", "MB")):
        worst = sorted(results, key=lambda result: -result[key])[:5]
        print(f"most {key}: " + ", ".join(f"{result[key]:.1f} {unit} {result['path']}" for result in worst))
    print(f"crashes and hangs: {len(crashes)} {' '.join(crashes[:10])}")
    print(f"analysis limit reached: {len(exhausted)} ({100 * len(exhausted) / len(results):.1f} %)")
    print(f"{len(findings)} findings of warning or above: one per {lines / max(len(findings), 1):.0f} lines")
    if arguments.sample:
        chosen = random.Random(arguments.seed).sample(sorted(findings), min(arguments.sample, len(findings)))
        print("\n".join(sorted(chosen)))
    if arguments.long:
        check_long(arguments.nacre, arguments.long)
    if arguments.peer:
        compare(arguments.nacre, random.Random(1).sample(scripts, min(arguments.peer, len(scripts))), arguments.jobs)
    return 1 if crashes else 0


if __name__ == "__main__":
    sys.exit(main())
