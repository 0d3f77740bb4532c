#!/usr/bin/env python3
"""The full-screen stepper, driven through tmux: forward, back, commands, lines, breaks, panes.

    stepper.py NACRE
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

SCRIPT = """x=hello
echo "$x world" >file
cat file
for i in 1 2; do
  y=$i
done
exec 3<file
echo end
"""


class Screen:
    def __init__(self, nacre, script):
        self.socket = tempfile.mktemp(prefix="nacre-tmux-")
        command = f"exec '{nacre}' step '{script}'"
        self.tmux("new-session", "-d", "-x", "120", "-y", "40", command)
        self.wait_for("step 1")

    def tmux(self, *arguments):
        return subprocess.run(["tmux", "-S", self.socket, "-f", "/dev/null", *arguments], capture_output=True, text=True, check=True).stdout

    def text(self):
        return self.tmux("capture-pane", "-p")

    def wait_for(self, *wanted, without="(?!)", timeout=20):
        """The screen once it shows all that is wanted: a frame may be seen half drawn."""
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            shown = self.text()
            if all(re.search(one, shown) for one in wanted) and not re.search(without, shown):
                return shown
            time.sleep(0.05)
        raise AssertionError(f"the screen does not show {wanted!r} without {without!r}:\n{self.text()}")

    def press(self, keys, *wanted, without="(?!)"):
        self.tmux("send-keys", "-l", keys) if keys not in ("Left", "Right", "Up", "Down", "Enter") else self.tmux("send-keys", keys)
        return self.wait_for(*wanted, without=without)

    def close(self):
        subprocess.run(["tmux", "-S", self.socket, "kill-server"], capture_output=True)


def step_number(text):
    return int(re.search(r"step (\d+)", text).group(1))


def check(nacre, script):
    screen = Screen(nacre, script)
    try:
        screen.wait_for(r">\s+1 x=hello")
        screen.press("n", "step 2")
        screen.press("Right", "step 3")
        screen.press("b", "step 2")
        screen.press("Left", "step 1")
        at_command = step_number(screen.press("c", r">\s+2 echo", r"\|\s+x=hello"))  # to the next command: x is set
        screen.press("c", r">\s+3 cat", r"\+ /home/user/file 0644 hello world")
        screen.press("p", rf"step {at_command}\b", r">\s+2 echo", without=r"\+ /home/user/file")  # undone
        screen.press(":", "to line:")
        screen.press("5", "to line: 5")
        screen.press("Enter", r">\s+5\s+y=\$i", r"\| \* i=1")
        screen.press("*", "break at line:")
        screen.press("8", "break at line: 8")
        screen.press("Enter", r"\*\s+8 echo end")
        screen.press("r", r">\*\s+8 echo end", "hello world", r"\|\s+y=2", r"\|\s+3 file")  # 3: the descriptors' pane
        last = step_number(screen.press("G", "the script has ended", r"output\s+hello world\s+end"))
        screen.press("g", "step 0")
        screen.press("G", rf"step {last}\b", "the script has ended")
        screen.tmux("send-keys", "q")
    finally:
        screen.close()


def main():
    if shutil.which("tmux") is None:
        print("skipped: there is no tmux")
        return 77
    if not os.path.exists("/dev/pts/ptmx"):
        print("skipped: there are no pseudo terminals (/dev/pts is not mounted)")
        return 77
    with tempfile.TemporaryDirectory() as directory:
        script = os.path.join(directory, "script.sh")
        with open(script, "w", encoding="utf-8") as file:
            file.write(SCRIPT)
        check(os.path.abspath(sys.argv[1]), script)
    print("the stepper steps")
    return 0


if __name__ == "__main__":
    sys.exit(main())
