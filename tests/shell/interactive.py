#!/usr/bin/env python3
"""nacre sh on a terminal: prompts, editing keys, history, completion, job control.

    interactive.py NACRE

Types into a pseudo terminal and looks for what the shell should show. Exits with 77, "skipped", when libedit is not
installed.
"""

import contextlib
import fcntl
import os
import pty
import re
import select
import shutil
import signal
import struct
import sys
import tempfile
import termios
import time

TIMEOUT = 20


class Session:
    """A shell on a terminal of its own, in an empty directory that is also its HOME."""

    def __init__(self, nacre, home, **variables):
        env = {"PATH": os.environ["PATH"], "HOME": home, "TERM": "xterm", "PS1": "ready> ", "LC_ALL": "C.UTF-8"}
        env.update(variables)
        self.seen = ""
        self.was_edited = False
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.chdir(home)
            for number in (signal.SIGINT, signal.SIGQUIT):  # ignored where the tests run in the background
                signal.signal(number, signal.SIG_DFL)
            os.execve(nacre, ["nacre", "sh"], env)
        self.expect("ready> ")

    def type(self, text):
        """Types when the editor has the terminal: keys that come before are handled by the kernel's plain one."""
        deadline = time.time() + (2 if self.was_edited else 0.2)
        while not self.is_edited() and time.time() < deadline:
            time.sleep(0.005)
        self.was_edited = self.was_edited or self.is_edited()
        os.write(self.terminal, text.encode())

    def wait_for_foreground(self, name):
        """Until a program called `name` has the terminal, so that keys which are signals reach it."""
        deadline = time.time() + TIMEOUT
        while True:
            with contextlib.suppress(OSError), open(f"/proc/{os.tcgetpgrp(self.terminal)}/comm") as comm:
                if comm.read() == name + "\n":
                    return
            assert time.time() < deadline, f"{name} does not run in the foreground"
            time.sleep(0.005)

    def is_edited(self):
        return termios.tcgetattr(self.terminal)[3] & termios.ICANON == 0

    def expect(self, pattern):
        """Reads until `pattern` is seen; what was before it is returned and forgotten."""
        deadline = time.time() + TIMEOUT
        while True:
            plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\r", "", self.seen)
            found = re.search(pattern, plain)
            if found:
                self.seen = plain[found.end():]
                return plain[:found.start()]
            if not select.select([self.terminal], [], [], max(0, deadline - time.time()))[0]:
                raise AssertionError(f"no {pattern!r} in {plain!r}")
            try:
                piece = os.read(self.terminal, 4096)
            except OSError:
                piece = b""
            if not piece:
                raise AssertionError(f"the shell ended; no {pattern!r} in {plain!r}")
            self.seen += piece.decode("utf-8", "replace")

    def run(self, line, pattern):
        self.type(line + "\r")
        self.expect(pattern)
        self.expect("ready> ")

    def ends(self):
        """Waits for the end of the shell; its status."""
        deadline = time.time() + TIMEOUT
        while time.time() < deadline:
            if select.select([self.terminal], [], [], 0.01)[0]:
                try:
                    os.read(self.terminal, 4096)
                except OSError:
                    pass
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                os.close(self.terminal)
                return os.waitstatus_to_exitcode(status)
        raise AssertionError("the shell did not end")

    def close(self):
        try:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
            os.close(self.terminal)
        except OSError:
            pass


def test_commands_and_prompts(start):
    session = start()
    session.run("echo out$((1 + 1))", r"\nout2\n")
    session.type("if true\r")
    session.expect("> ")
    session.type("then echo yes; fi\r")
    session.expect(r"\nyes\n")
    session.expect("ready> ")
    session.type("PS1='[!]ready> ' PS2='more> '\r")
    session.expect(r"\[4\]ready> ")
    session.type("echo 'a\r")
    session.expect("more> ")
    session.type("b'\r")
    session.expect(r"\na\nb\n")
    session.type("exit 3\r")
    assert session.ends() == 3


def test_emacs_keys_and_history(start):
    session = start()
    session.run("echo first", r"\nfirst\n")
    session.run("\x10", r"\nfirst\n")  # the line before
    session.run("cho moved\x01e\x05!", r"\nmoved!\n")  # to the start, to the end
    session.run("\x12irst", r"\nfirst\n")  # search
    session.run("history", r"1  echo first\n")
    session.run("fc -ln 1 2", r"\n\techo first\n\techo first\n")
    session.run("FCEDIT='sed -i s/first/edited/' fc 1 1", r"\nedited\n")
    session.run("fc -s nosuch", "out of range")
    session.run("fc -s first=second 1", r"\nsecond\n")


def test_vi_keys(start):
    session = start()
    session.run("set -o vi; set +o | grep 'o vi'", r"\nset -o vi\n")
    session.type("echo xbc\x1b")
    time.sleep(0.2)
    session.run("0wra", r"\nabc\n")
    session.run("set -o emacs; set +o | grep 'o vi'", r"\nset \+o vi\n")
    session.run("bc\x01echo ", r"\nbc\n")


def test_completion(start):
    session = start()
    open(os.path.join(session.home, "some_long_name"), "w").close()
    session.run("ech\tso\t", r"\nsome_long_name\n")
    session.run("NACRE_UNIQUE=42", "")
    session.run("echo $NACRE_UN\t", r"\n42\n")
    session.type("echo NACRE_FUNCTION; unal\t\x15")
    session.expect("unalias ")


def test_interrupt_and_end(start):
    session = start()
    session.type("echo half\x03")
    session.expect("ready> ")
    session.run("echo $?", r"\n130\n")
    session.type("if true\r")
    session.expect("> ")
    session.type("\x03")
    session.expect("ready> ")
    session.type("sleep 100\r")
    session.wait_for_foreground("sleep")
    session.type("\x03")
    session.expect("ready> ")
    session.run("echo $?", r"\n130\n")
    session.run("trap 'echo trapped' INT; echo set", r"\nset\n")
    session.type("\x03")
    session.expect("trapped")
    session.run("set -o ignoreeof; echo on", r"\non\n")
    session.type("\x04")
    session.expect("to leave")
    session.run("set +o ignoreeof; echo off", r"\noff\n")
    session.type("\x04")
    assert session.ends() == 0


def test_errors_do_not_end_the_shell(start):
    session = start()
    session.run("echo ${unset_variable?gone}", "gone")
    session.run("readonly r=1; r=2", "read only")
    session.run(". ./no_such_file", "not found")
    session.run("fi", "rror")
    session.run("echo alive", r"\nalive\n")


def test_interrupts_end_the_whole_line(start):
    session = start()
    session.type("while :; do sleep 50; done\r")
    session.wait_for_foreground("sleep")
    session.type("\x03")
    session.expect(r"\^C\nready> ")
    session.run("echo $?", r"\n130\n")
    session.type("sleep 50; echo next\r")
    session.wait_for_foreground("sleep")
    session.type("\x03")
    assert "next" not in session.expect("ready> ").replace("echo next", "")
    session.type("(while :; do :; done)\r")
    time.sleep(0.3)
    session.type("\x03")
    session.expect("ready> ")
    session.type("x=$(sleep 60)\r")
    time.sleep(0.5)
    session.type("\x1a")  # cannot be stopped
    time.sleep(0.2)
    session.type("\x03")
    session.expect("ready> ")
    session.run("echo still; (trap - INT; kill -INT $(sh -c 'echo $PPID'); echo no)", r"\nstill\n")
    session.run("echo $?", r"\n130\n")


def test_stopped_subshells(start):
    session = start()
    session.type("(sleep 51; echo in)\r")
    time.sleep(0.5)
    session.type("\x1a")
    session.expect("Stopped")
    session.expect("ready> ")
    session.type("exit\r")
    session.expect("stopped jobs")
    session.expect("ready> ")
    session.type("fg\r")
    time.sleep(0.3)
    session.type("\x03")
    session.expect("ready> ")
    session.type("exit 4\r")
    assert session.ends() == 4


def test_history_commands_do_not_run_themselves(start):
    session = start()
    session.run("echo one$((1 + 1))", r"\none2\n")
    session.run("fc -s", r"\none2\n")
    session.run("FCEDIT=true fc", r"\none2\n")
    session.run("fc -e - one=three", r"\nthree2\n")
    fcntl.ioctl(session.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 33, 99, 0, 0))
    session.run("echo one", r"\none\n")
    session.run("echo $COLUMNS $LINES", r"\n99 33\n")


def test_jobs(start):
    session = start()
    session.type("sleep 100\r")
    session.wait_for_foreground("sleep")
    session.type("\x1a")
    session.expect("Stopped")
    session.expect("ready> ")
    session.run("jobs", r"Stopped.*sleep 100")
    session.run("bg", r"sleep 100")
    session.run("jobs", r"Running.*sleep 100")
    session.type("fg\r")
    session.wait_for_foreground("sleep")
    session.type("\x03")
    session.expect("ready> ")
    session.run("jobs; echo none", r"\nnone\n")
    session.run("set -b; sleep 0.3 & echo started", "started")
    session.expect("Done")  # without another key
    session.run("echo a | cat | cat", r"\na\n")


def test_files(start):
    session = start(ENV="$HOME/env", MAIL="$HOME/box")
    session.run("echo $FROM_ENV", r"\nyes\n")
    session.type("exit\r")
    session.ends()
    session = start(MAIL=os.path.join(session.home, "box"), MAILCHECK="0")
    with open(os.path.join(session.home, "box"), "w") as box:
        box.write("mail\n")
    session.type(":\r")
    session.expect("you have mail")
    session.expect("ready> ")
    session.run("history", r"echo \$FROM_ENV\n")


def failure(test, nacre):
    """What goes wrong in a session of its own; None if nothing does."""
    home = tempfile.mkdtemp(prefix="nacre-home-")
    with open(os.path.join(home, "env"), "w") as env:
        env.write("FROM_ENV=yes\n")
    sessions = []

    def start(**variables):
        session = Session(nacre, home, **variables)
        session.home = home
        sessions.append(session)
        return session

    try:
        test(start)
        return None
    except AssertionError as error:
        return str(error)
    finally:
        for session in sessions:
            session.close()
        shutil.rmtree(home, ignore_errors=True)


def main():
    if not os.path.exists("/dev/pts/ptmx"):
        print("skipped: there are no pseudo terminals (/dev/pts is not mounted)")
        return 77
    nacre = os.path.abspath(sys.argv[1])
    tests = [test for name, test in globals().items() if name.startswith("test_")]
    failed = 0
    for test in tests:
        # A key that is typed before the editor has the terminal goes lost on a busy machine, as it does for people.
        errors = [failure(test, nacre)]
        while errors[-1] is not None and len(errors) < 3:
            errors.append(failure(test, nacre))
        if errors[-1] is not None:
            failed += 1
            print(f"{test.__name__}: {errors[0]}")
    print(f"{len(tests)} sessions, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
