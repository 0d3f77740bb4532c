#!/usr/bin/env python3
"""Thousands of signals while a script runs: no result may change, no child get lost, nothing hang.

    signals.py NACRE [ROUNDS]

The script checks its own results after each kind of command; traps count in between. At the end it must have no
children left.
"""

import os
import signal
import subprocess
import sys
import time

SCRIPT = r"""
n=0
trap 'n=$((n + 1)); (exit 9)' USR1
trap 'f >/dev/null' USR2
trap '' HUP
f() { return 4; }
bad() { echo "round $i: $*"; }
i=0
echo ready
while [ "$i" -lt ROUNDS ]; do
  i=$((i + 1))
  x=$(echo "$i") y=$(/bin/echo "$i")
  [ "$x$y" = "$i$i" ] || bad "substitution: $x $y"
  x=$(echo "$i" | cat | cat)
  [ "$x" = "$i" ] || bad "pipeline: $x"
  (exit 3)
  s=$?; [ $s = 3 ] || bad "subshell: $s"
  sh -c 'exit 5'
  s=$?; [ $s = 5 ] || bad "command: $s"
  f
  s=$?; [ $s = 4 ] || bad "function: $s"
  (exit 7) & p=$!
  while wait $p; s=$?; [ $s -gt 128 ]; do :; done
  [ $s = 7 ] || bad "wait: $s"
  { read -r a; read -r b; } <<END
one
two
END
  [ "$a $b" = "one two" ] || bad "read: $a $b"
  echo "$i" >"$1/file"
  read -r a <"$1/file"
  [ "$a" = "$i" ] || bad "file: $a"
done
wait
[ $n -gt 0 ] || bad "no trap was run"
children=
read -r children <"/proc/$$/task/$$/children"
[ -z "$children" ] || bad "children are left: $children"
echo end
"""


def main():
    nacre = os.path.abspath(sys.argv[1])
    rounds = sys.argv[2] if len(sys.argv) > 2 else "150"
    script = SCRIPT.replace("ROUNDS", rounds)
    directory = subprocess.check_output(["mktemp", "-d"], text=True).strip()
    shell = subprocess.Popen([nacre, "sh", "-c", script, "sh", directory], stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, text=True)
    output = shell.stdout.readline()
    sent = 0
    deadline = time.time() + 120
    while shell.poll() is None and time.time() < deadline:
        for number in (signal.SIGUSR1, signal.SIGUSR2, signal.SIGHUP, signal.SIGCONT, signal.SIGWINCH, signal.SIGCHLD):
            if shell.poll() is None:
                shell.send_signal(number)
                sent += 1
        time.sleep(0.0005)
    if shell.poll() is None:
        children = subprocess.run(["ps", "--ppid", str(shell.pid), "-o", "pid,stat,cmd"], capture_output=True, text=True)
        shell.kill()
        print("the shell hangs; its children:", children.stdout)
        return 1
    output += shell.stdout.read()
    subprocess.run(["rm", "-r", directory], check=True)
    print(f"{sent} signals, status {shell.returncode}")
    if output != "ready\nend\n" or shell.returncode != 0:
        print(output)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
