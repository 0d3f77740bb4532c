#!/usr/bin/env python3
"""Permissions: each script does in the simulated world, as nobody, what the kernel makes of it.

    permissions.py NACRE

The trees are made by root, so without root (or setpriv) there is nothing to compare.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from utilities import NOBODY, apply, dump  # noqa: E402

# What root prepares in an empty directory of mode 0755, and what nobody then tries.
CASES = {
    "a directory where one may not": ("", "mkdir -p /app; mkdir app; mkdir -p app/lib; touch f; echo x >g"),
    "a directory that is there already": ("mkdir -p app/lib", "mkdir -p app app/lib; mkdir -p app/lib/x"),
    "parents that one may make": ("mkdir -m 777 open", "mkdir -p open/a/b; mkdir -p open/a/b/../c; ls -R open"),
    "sticky: files of others": ("mkdir -m 1777 t; echo r >t/root; echo n >t/mine; chown 65534 t/mine", "rm -f t/root; rm -f t/mine; mv t/root t/x; ls t"),
    "sticky: renaming over a file of another": ("mkdir -m 1777 t; echo r >t/root", "echo n >t/mine; mv -f t/mine t/root; cat t/root; ls t"),
    "sticky: one's own directory": ("mkdir -m 1777 t; chown 65534 t; echo r >t/root", "rm -f t/root; ls t"),
    "sticky: a directory of another": ("mkdir -m 1777 t; mkdir -m 777 t/d", "rmdir t/d; mv t/d t/e; touch t/d/f; ls t t/d"),
    "not sticky: writing the directory is enough": ("mkdir -m 777 t; echo r >t/root; chmod 600 t/root", "cat t/root; rm -f t/root; ls t"),
    "a read-only file": ("mkdir -m 777 d; echo x >d/f; chmod 444 d/f; chown 65534 d/f", "echo y >d/f; echo y >>d/f; cat d/f; chmod 644 d/f && echo y >d/f; cat d/f"),
    "a read-only file of another": ("echo x >f", "echo y >f; cat f; chmod 666 f; touch f; touch -c f; cp f /dev/null; test -w f; echo $?"),
    "times of a file of another": ("echo x >f; chmod 666 f", "touch f; echo $?; touch -t 202001010000 f; echo $?"),
    "a file that nobody may read": ("echo x >f; chmod 200 f; chown 65534 f", "cat f; echo y >>f; wc -c f; cp f g; test -r f; echo $?"),
    "the owner's bits count for the owner": ("mkdir -m 777 d; echo x >d/f; chmod 077 d/f; chown 65534:65534 d/f", "cat d/f; echo $?"),
    "the group's bits count for the group": ("echo x >f; chmod 604 f; chgrp 65534 f; echo y >g; chmod 640 g; chgrp 65534 g", "cat f; cat g"),
    "an unsearchable directory": ("mkdir d; echo x >d/f; chmod 644 d", "ls d; cat d/f; cd d; test -e d/f; echo $?; touch d/f; rm -f d/f; echo $?"),
    "a directory that may be searched, not read": ("mkdir d; echo x >d/f; chmod 711 d", "ls d; cat d/f; echo d/*; cd d && cat f; find . -name f"),
    "an unsearchable directory on the way": ("mkdir -p d/e; echo x >d/e/f; chmod 700 d", "cat d/e/f; mkdir d/e/g; ls d/e; cp d/e/f x; stat -c %a d; stat -c %a d/e"),
    "a directory one may read, not write": ("mkdir d; echo x >d/f; chmod 666 d/f; chmod 555 d", "echo y >d/f; cat d/f; rm -f d/f; mv d/f d/g; ln d/f d/h; touch d/n; ls d"),
    "umask": ("mkdir -m 777 w", "cd w; umask 077; touch a; mkdir b; umask 027; echo x >c; mkdir -p d/e; umask 0; touch f; mkdir g; mkfifo h; mkdir -m 1770 i; umask 777; touch j; echo y >>j; cat j"),
    "set-group-id directories": ("mkdir w; chgrp 65534 w; chmod 2777 w; mkdir x; chmod 2777 x", "touch w/f; mkdir w/d; touch x/f; mkdir x/d; cp -r w/d x/e; ln -s a x/l"),
    "changing modes of others": ("echo x >f; mkdir d", "chmod 777 f; chmod u+s f; chmod 777 d; chown 65534 f; chgrp 65534 f"),
    "giving away": ("mkdir -m 777 w; echo x >w/f; chown 65534:65534 w/f", "chown 0 w/f; chgrp 0 w/f; chgrp 65534 w/f; echo $?; chown 65534 w/f; echo $?"),
    "set-id bits go when others write": ("echo x >f; chown 65534 f; chmod 4777 f; echo y >g; chmod 6777 g", "echo z >>f; echo z >>g"),
    "set-group-id of a foreign group": ("mkdir -m 777 w; echo x >w/f; chown 65534:0 w/f", "chmod 2755 w/f; chmod g+s w/f"),
    "programs": ("printf '#!/bin/sh\\necho ran\\n' >p; chmod 744 p; cp p q; chmod 755 q", "./p; echo $?; ./q; sh p; test -x p; echo $?; test -x q; echo $?"),
    "hard links": ("mkdir -m 777 w; echo x >w/f; echo x >f; chmod 600 f", "ln w/f w/g; ln f w/h; ls w"),
    "symbolic links": ("mkdir -m 700 d; echo x >d/f; ln -s d/f l; ln -s . here; mkdir -m 777 w", "cat l; readlink l; cat here/l; ln -s nothing w/s; cat w/s; echo x >w/s; ls w; rm l"),
    "a link in a directory that may not be written": ("ln -s f l; echo x >f; chmod 666 f", "echo y >l; cat f; rm -f l; mv l m; ls"),
    "copying with attributes": ("mkdir -m 777 w; echo x >f; chmod 4755 f; mkdir -m 1711 d; echo y >d/g", "cp f w/a; cp -p f w/b; cp -r d w/d; cp -a d w/e; ls -R w"),
    "moving directories": ("mkdir -m 777 a b; mkdir a/mine a/root; chown 65534 a/mine", "mv a/mine b; mv a/root b; ls a b"),
    "removing trees": ("mkdir -m 777 w; mkdir w/d; touch w/d/f; mkdir -m 777 w/e; touch w/e/f; mkdir w/empty", "rm -rf w/d; rm -rf w/e; rm -rf w/empty; ls -R w; rm -rf w"),
    "temporary files": ("mkdir -m 1777 t", "f=$(mktemp t/x.XXXXXX) && stat -c %a \"$f\" && rm \"$f\"; d=$(mktemp -d t/x.XXXXXX) && stat -c %a \"$d\" && rmdir \"$d\"; mktemp nowhere.XXXXXX >/dev/null; echo $?"),
    "fifos and devices": ("mkfifo p; chmod 600 p", "echo x >p; test -p p; echo $?; echo x >/dev/null; cat /dev/null"),
    "install": ("mkdir -m 777 w; echo x >f", "install -m 750 f w/g; install -d w/x/y; install f g; stat -c '%a %u' w/g w/x/y"),
    "sed in place": ("mkdir -m 777 w; echo x >w/f; echo x >f; chmod 666 f", "sed -i s/x/y/ w/f; sed -i s/x/y/ f; cat w/f f; stat -c %u w/f"),
    "find": ("mkdir -m 700 d; mkdir -m 755 e; touch e/f", "find . | sort; find . -perm -004 | sort; find . -user root -type f; find d -maxdepth 0; echo $?"),
    "test as a user": ("touch f; chmod 640 f; mkdir -m 711 d; touch g; chown 65534 g; chmod 0 g", "for p in f d g; do for o in r w x; do test -$o $p; echo $p $o $?; done; done; test -O g; echo $?"),
}


def make(root, name, prepare):
    case = root / name
    case.mkdir()
    os.chmod(case, 0o755)
    subprocess.run(["sh", "-e", "-c", prepare], cwd=case, check=True)
    return case


def main():
    nacre = os.path.abspath(sys.argv[1])
    if os.getuid() != 0 or shutil.which("setpriv") is None:
        print("skipped: files of other users need root and setpriv")
        return 77
    os.umask(0o022)
    environment = {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "HOME": "/"}
    with tempfile.TemporaryDirectory() as scratch:
        os.chmod(scratch, 0o755)
        root = pathlib.Path(scratch) / "root"
        root.mkdir()
        os.chmod(root, 0o755)
        (root / "log").mkdir()
        os.chmod(root / "log", 0o777)
        driver = ""
        for i, (prepare, attempt) in enumerate(CASES.values()):
            make(root, f"c{i}", prepare)
            commands = "\n".join(f"{command.strip()}\necho \"= $?\"" for command in attempt.split("; ")) if "for " not in attempt and "&&" not in attempt else attempt
            driver += f"( cd c{i}\n{commands}\n ) >log/{i} 2>log/{i}e </dev/null\n"
        (root / "driver.sh").write_text(driver)
        before = dump(root)
        simulated = subprocess.run([nacre, "run", "--json", "--root", str(root), "--user", "nobody", "driver.sh"], cwd=root, env=environment, capture_output=True,
                                   timeout=120, stdin=subprocess.DEVNULL)
        ours = apply(before, json.loads(simulated.stdout)["files"])
        drop = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
        subprocess.run([*drop, nacre, "sh", "driver.sh"], cwd=root, env=environment, timeout=120, stdin=subprocess.DEVNULL, check=False)
        theirs = dump(root)
    differences = 0
    for i, name in enumerate(CASES):
        def mine(tree):
            return {p: v for p, v in tree.items() if p == f"/c{i}" or p.startswith((f"/c{i}/",)) or p == f"/log/{i}"}
        left, right = mine(ours), mine(theirs)
        if left == right:
            continue
        differences += 1
        print(f"--- {name}")
        for path in sorted(set(left) | set(right)):
            if left.get(path) != right.get(path):
                print(f"  {path}\n    simulated {left.get(path)}\n    real      {right.get(path)}")
        print(f"  {ours.get(f'/log/{i}e')}\n  {theirs.get(f'/log/{i}e')}")
    print(f"{len(CASES) - differences} of {len(CASES)} cases of permissions are as the kernel has them")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
