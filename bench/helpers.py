#!/usr/bin/env python3
"""The cards of Debian's helpers against the helpers themselves: ./dev bench helpers ROOT [--show]

ROOT is a minimal Debian (debootstrap --variant=minbase) that only this bench uses; each block of bench/helpers.cases is run there in
an overlay that is thrown away, and in the simulated world of nacre. Needs root, and touches nothing but the overlay."""
import os
import subprocess
import sys
import tempfile


# What dpkg sets for the scripts of a package.
SETTINGS = "export DPKG_MAINTSCRIPT_NAME=postinst DPKG_MAINTSCRIPT_PACKAGE=zz\n"


def blocks(path):
    with open(path, encoding="utf-8") as file:
        text = "".join(line for line in file if not line.startswith("#"))
    return [block.strip() + "\n" for block in text.split("\n\n") if block.strip()]


def real(root, script):
    with tempfile.TemporaryDirectory() as work:
        upper, inner, top = (os.path.join(work, name) for name in ("upper", "inner", "top"))
        for directory in (upper, inner, top):
            os.mkdir(directory)
        options = f"lowerdir={root},upperdir={upper},workdir={inner}"
        subprocess.run(["mount", "-t", "overlay", "overlay", "-o", options, top], check=True)
        try:
            done = subprocess.run(["chroot", top, "/bin/sh", "-c", script], capture_output=True, text=True, timeout=60,
                                  stdin=subprocess.DEVNULL, env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C",
                                                                 "DEBIAN_FRONTEND": "noninteractive"})
        finally:
            subprocess.run(["umount", top], check=True)
    return done.stdout, done.returncode


def simulated(nacre, script):
    with tempfile.NamedTemporaryFile("w", suffix=".sh") as file:
        file.write(script)
        file.flush()
        done = subprocess.run([nacre, "run", "--world", "simulated", "--user", "root", file.name], capture_output=True, text=True,
                              timeout=60, stdin=subprocess.DEVNULL)
    return done.stdout, done.returncode


def main():
    if len(sys.argv) < 3 or not os.path.isdir(os.path.join(sys.argv[2], "var/lib/dpkg")):
        print("helpers: give the root directory of a minimal Debian, made by debootstrap")
        return 0
    nacre, root, shows = sys.argv[1], sys.argv[2], "--show" in sys.argv
    cases = blocks("bench/helpers.cases")
    agree = 0
    for case in cases:
        script = SETTINGS + case
        expected, got = real(root, script), simulated(nacre, script)
        agree += expected == got
        if expected != got or shows:
            print(f"{'agrees' if expected == got else 'DIFFERS'}: {case}  real:      {expected}\n  simulated: {got}")
    print(f"{agree} of {len(cases)} cases agree")
    return 0 if agree == len(cases) else 1


if __name__ == "__main__":
    sys.exit(main())
