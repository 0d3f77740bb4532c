#!/usr/bin/env python3
"""What a shell meets when the system has no more to give: an error and a status, never a crash, a hang or a lie.

    faults.py NACRE [MEGABYTES [sanitized]]

MEGABYTES is the size of the large here-document (16). A sanitized build needs descriptors, memory and a larger stack of its own, so
it is not tried without them.
"""

import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile

UNUSED_USER = 61234  # has no other process


class Fault:
    """A script, how it is started, and what must be seen: output, status, and a pattern in standard error."""

    def __init__(self, name, script, output, status, error="", start=None, stdout=subprocess.PIPE):
        self.name, self.script, self.output, self.status, self.error = name, script, output, status, error
        self.start, self.stdout = start, stdout

    def failure(self, shell):
        done = subprocess.run([*shell, "-c", self.script, "sh", shell[0]], stdin=subprocess.DEVNULL, stdout=self.stdout,
                              stderr=subprocess.PIPE, preexec_fn=self.start, timeout=300, text=True, errors="replace")
        if done.returncode != self.status:
            return f"status {done.returncode} instead of {self.status}: {done.stderr[-300:]}"
        if self.output is not None and done.stdout != self.output:
            return f"output {done.stdout[:300]!r} instead of {self.output!r}"
        if not re.search(self.error, done.stderr):
            return f"standard error {done.stderr[-300:]!r} without {self.error!r}"
        return None


def no_more_processes():
    """The superuser has no limit of processes, so another user runs the shell."""
    resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))
    if os.getuid() == 0:
        os.setuid(UNUSED_USER)


def small_stack():
    resource.setrlimit(resource.RLIMIT_STACK, (1 << 20, 1 << 20))


def little_memory():
    resource.setrlimit(resource.RLIMIT_DATA, (200 << 20, 200 << 20))


def faults(megabytes):
    full = open("/dev/full", "w")
    words = " ".join(map(str, range(1, 100_001)))
    return [
        Fault("full standard output", "echo a; echo $? >&2", None, 0, "(?s)No space left.*\n[12]\n", stdout=full),
        Fault("full standard output at the end", "printf a", None, 1, "No space left", stdout=full),
        Fault("closed standard output", "exec >&-; echo a; echo $? >&2", "", 0, "(?s)Bad file descriptor.*\n[12]\n"),
        Fault("a reader that went away", "while :; do echo y; done | head -n 1", "y\n", 0),
        Fault("no process for a command", "/bin/true; echo $?", "126\n", 0, "unavailable", no_more_processes),
        Fault("no process for a pipeline", "/bin/echo a | /bin/cat; echo $?", "126\n", 0, "unavailable", no_more_processes),
        Fault("no process for a job", "sleep 1 & echo $?", "126\n", 0, "unavailable", no_more_processes),
        Fault("no process is needed", "x=$(echo a); (y=b); echo $x", "a\n", 0, start=no_more_processes),
        Fault("no descriptors", "ulimit -n 3; echo a >/dev/null; echo $?", "1\n", 0, "Too many open files"),
        Fault("no descriptors for a pipe", "ulimit -n 4; /bin/echo a | /bin/cat; echo $?", None, 2, "Too many open files"),
        Fault("100,000 arguments", "set -- $(seq 100000); echo $# ${100000}; echo \"$@\" | cksum; f() { echo $#; }; f \"$@\"",
              f"100000 100000\n{cksum(words)}\n100000\n", 0),
        Fault("a command line that is too long", "x=$(head -c 3000000 /dev/zero | tr '\\0' a); /bin/echo $x; echo $?",
              "126\n", 0, "Argument list too long"),
        Fault("functions without end", "f() { f; }; f; echo no", "", 2, "recursion|nest", small_stack),
        Fault("eval without end", "f() { eval f; }; f; echo no", "", 2, "recursion|nest", small_stack),
        Fault("substitutions without end", "f() { x=$(f); }; f; echo $?", "2\n", 0, "recursion|nest", small_stack),
        Fault("deep syntax", "(" * 20_000 + ":" + ")" * 20_000, "", 2, "deep", small_stack),
        Fault("a long sum", "echo $((1" + "+1" * 28_200 + "))", "28201\n", 0, start=small_stack),
        Fault("deep arithmetic", "echo $((" + "2**" * 28_200 + "1))", "", 1, "nested too deeply", small_stack),
        Fault("deep test", "[ " + "\\( " * 5_000 + "a" + " \\)" * 5_000 + " ]; echo $?", "2\n", 0, "nested too deeply", small_stack),
        Fault("a pattern of 20,000 stars", "case x in " + "*a" * 20_000 + ") echo y;; *) echo n;; esac", "n\n", 0, start=little_memory),
        Fault("a script without end", '"$1" sh /dev/zero', "", 126, "too large"),
        Fault("a shell that starts itself", "/proc/self/exe -c 'echo me'", "me\n", 0),
        Fault("a user of no system", "echo ~nosuchuser", "~nosuchuser\n", 0),
        Fault("a large here-document",
              f"x=$(head -c 1048576 /dev/zero | tr '\\0' a)\n{{ echo 'wc -c <<END'; i=0; while [ $i -lt {megabytes} ]; do "
              'echo "$x"; i=$((i + 1)); done; echo END; } | "$1" sh', f"{megabytes * 1048577}\n", 0),
    ]


def cksum(words):
    return subprocess.run(["cksum"], input=words + "\n", capture_output=True, text=True).stdout.strip()


def main():
    directory = tempfile.mkdtemp(prefix="nacre-faults-")  # the program may lie where other users cannot read
    os.chmod(directory, 0o755)
    shell = [shutil.copy(sys.argv[1], directory), "sh"]
    failed = 0
    table = faults(int(sys.argv[2]) if len(sys.argv) > 2 else 16)
    if "sanitized" in sys.argv:
        table = [fault for fault in table if not fault.name.startswith("no descriptors") and fault.start != little_memory]
        for fault in table:
            fault.start = None if fault.start == small_stack else fault.start  # its frames are several times as large
    for fault in table:
        failure = fault.failure(shell)
        if failure:
            failed += 1
            print(f"FAILED {fault.name}: {failure}")
    shutil.rmtree(directory)
    print(f"{len(table) - failed} of {len(table)} faults are met")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
