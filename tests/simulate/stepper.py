#!/usr/bin/env python3
"""The full-screen stepper, driven through tmux: forward, back, commands, lines, breaks, panes; signals on a plain terminal.

    stepper.py NACRE
"""

import fcntl
import os
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
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


class Terminal:
    """The stepper on a pseudo terminal of its own, without tmux between."""

    def __init__(self, nacre, script):
        self.pid, self.master = pty.fork()
        if self.pid == 0:
            os.execv(nacre, [nacre, "step", script])
        self.output = b""
        self.resize(100, 30)

    def resize(self, columns, rows):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def wait_for(self, wanted, timeout=20):
        end = time.monotonic() + timeout
        while wanted not in self.output:
            assert time.monotonic() < end, f"{wanted!r} does not come: {self.output[-300:]!r}"
            if select.select([self.master], [], [], 0.1)[0]:
                try:
                    self.output += os.read(self.master, 65536)
                except OSError:
                    assert wanted in self.output, (wanted, self.output[-300:])

    def modes(self):
        return termios.tcgetattr(self.master)[3] & (termios.ECHO | termios.ICANON)


def check_signals(nacre, script):
    """^C and a signal give the terminal back as it was and then kill; a new size is drawn."""
    for press, number in ((b"\x03", signal.SIGINT), (None, signal.SIGTERM)):
        terminal = Terminal(nacre, script)
        terminal.wait_for(b"step 1")
        assert terminal.modes() == 0, "not raw"
        if press:
            os.write(terminal.master, press)
        else:
            os.kill(terminal.pid, number)
        terminal.wait_for(b"\x1b[?25h\x1b[?1049l")
        status = os.waitpid(terminal.pid, 0)[1]
        assert os.WIFSIGNALED(status) and os.WTERMSIG(status) == number, status
        assert terminal.modes() == termios.ECHO | termios.ICANON, "the terminal is still raw"
        os.close(terminal.master)
    terminal = Terminal(nacre, script)
    terminal.wait_for(b"step 1")
    terminal.output = b""
    terminal.resize(60, 20)
    terminal.wait_for(b"m" + b"-" * 60 + b"\x1b")  # the line between the panes
    os.write(terminal.master, b"q")
    assert os.waitpid(terminal.pid, 0)[1] == 0


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
        check_signals(os.path.abspath(sys.argv[1]), script)
    print("the stepper steps")
    return 0


if __name__ == "__main__":
    sys.exit(main())
