#!/usr/bin/env python3
"""Random command lines over random trees: the modelled utilities must do what the real ones do.

    utilities.py NACRE [COUNT [SEED]]

Each command runs in a small tree of files, directories and links with random owners and modes, once in the simulated
world and once for real, as root and as nobody: exit status, standard output and the tree after are compared. Without
root there are no other owners, and everything runs as the user.
"""

import json
import os
import pathlib
import random
import shutil
import stat
import subprocess
import sys
import tempfile

BATCH = 60
NOBODY = 65534
NAMES = ["a", "b", "d", "d/a", "d/b", "e", "l", "d/e/f", "nosuch", "a/", "d/", "d/.", "e/../a", "d/l"]
TEXTS = ["", "one\n", "b 2\na 10\nc 3\nb 2\n", "x y z", "Hello World\nhello world\n\n\nbye\n", "1\n2\n10\n9\n", "a:b:c\nd:e\nf\n",
         "  lead\ttab\nfoo.bar\n", "foo\nfoo\nbar\n"]


class Commands:
    def __init__(self, rng):
        self.rng = rng

    def some(self, options, most=2):
        return " ".join(self.rng.sample(options, self.rng.randint(0, min(most, len(options)))))

    def path(self):
        return self.rng.choice(NAMES)

    def of(self, text, *choices):
        return text.replace("@", self.rng.choice(choices)).replace("PATHS", self.paths()).replace("PATH", self.path())

    def paths(self, low=1, high=2):
        return " ".join(self.path() for _ in range(self.rng.randint(low, high)))

    def mode(self):
        return self.rng.choice(["644", "755", "600", "000", "4755", "1777", "u+x", "go-rwx", "a=r", "u=rw,g=r", "+x", "-w", "g+s", "o=u", "a+X", "=r"])

    def pattern(self):
        return self.rng.choice(["'a'", "o", "'[0-9]'", "'^b'", "'l*'", "hello", "'o\\|a'", "'.'", "'^$'", "'x y'", "foo.bar"])

    def sed(self):
        return self.rng.choice(["s/o/0/", "s/o/0/g", "2d", "'$d'", "-n 2p", "-n '/b/p'", "'s/\\(.\\)\\(.\\)/\\2\\1/'", "1,2d", "'/a/,/c/d'", "-E 's/([a-z]+)/<\\1>/g'",
                                "'s/.*/&&/;2q'", "y/abc/xyz/", "'1!G;h;$!d'", "-n '$='", "'s/^/> /'", "'/^$/d'", "'a\\end'", "'1i\\top'", "2c\\\\mid", "'N;P;D'", "'s/l*/X/g'",
                                "-e 's/a/b/' -e 's/b/c/'", "'s/o/0/2'", "-n '2{p;q}'", "':a;s/o/0/;ta'", "'s/\\w\\+/\\U&/'", "'0~2d'", "'2,+1d'", "'$!N;s/\\n/ /'"])

    def make(self):
        some, path, paths = self.some, self.path, self.paths
        return self.rng.choice([
            lambda: f"rm {some(['-r', '-f'])} {paths()}", lambda: f"rmdir {some(['-p'])} {path()}",
            lambda: f"mkdir {some(['-p', '-m ' + self.mode().replace('-w', '700')])} {paths()}", lambda: f"touch {some(['-c'])} {paths()}",
            lambda: f"cp {some(['-r', '-f', '-n', '-T'])} {path()} {path()}", lambda: f"cp {some(['-r', '-a'], 1)} {paths(1, 3)} d",
            lambda: f"mv {some(['-f', '-n', '-T'], 1)} {path()} {path()}", lambda: f"mv {paths(1, 3)} d",
            lambda: f"ln {some(['-s', '-f', '-n', '-T'])} {path()} {path()}", lambda: f"chmod {some(['-R'])} {self.mode()} {path()}",
            lambda: f"cat {some(['-n', '-A', '-s', '-b'], 1)} {paths()}", lambda: f"ls {some(['-a', '-A', '-F', '-p', '-d', '-r', '-1'])} {paths(0, 2)}",
            lambda: self.of("find PATH @ | sort", '', '-type f', '-type d', '-name a', '-name "*"', '-maxdepth 1', '-mindepth 1', '-empty', '-perm -400',
                            '! -type d', '-type f -o -name d', '-type l'),
            lambda: self.of("find PATH -type f -exec grep -H . {} @ | sort", "\\;", "+"),
            lambda: f"grep {some(['-c', '-n', '-v', '-i', '-o', '-w', '-x', '-l', '-q', '-h', '-H', '-E', '-F', '-s', '-m1'])} {self.pattern()} {paths()}",
            lambda: f"grep -r {some(['-n', '-l', '-c'], 1)} {self.pattern()} {path()} | sort", lambda: f"grep {some(['-A1', '-B1', '-C1', '-n'])} {self.pattern()} {path()}",
            lambda: f"sed {self.sed()} {path()}", lambda: f"sed {self.sed()} {path()}", lambda: f"sed -i {self.sed()} {path()}",
            lambda: f"sort {some(['-n', '-r', '-u', '-f', '-k2', '-k2n', '-t:', '-k1,1', '-b', '-s'])} {paths()}",
            lambda: f"sort {path()} | uniq {some(['-c', '-d', '-u', '-i'], 1)}", lambda: f"head {self.rng.choice(['-n 1', '-n 2', '-c 5', '-2', '-n -1', ''])} {paths()}",
            lambda: f"tail {self.rng.choice(['-n 1', '-n 2', '-2', '-n +2', ''])} {paths()}", lambda: f"wc {some(['-l', '-w', '-c', '-L'])} {paths()}",
            lambda: f"wc -l <{path()}", lambda: self.of("tr @ <PATH", 'a-z A-Z', '-d o', '-s l', '-cd a-z', '[:lower:] [:upper:]', "'[:lower:]a' '[:upper:]'", "'l' '[:upper:]'", "a-z '[:digit:]'", "-c '[:lower:]' '[:upper:]'", "'a-z[:lower:]' 'A-Z[:upper:]'", "-t '[:lower:]a' '[:upper:]'", 'abc x', '-s " " "\\n"', '-c a-z _'),
            lambda: self.of("cut @ PATH", '-c1-3', '-d: -f1', '-d: -f2-', '-f1 -d" "', '-c2', '-d: -f2 -s', '-b1,3', '-d: --complement -f1'),
            lambda: f"stat -c '%a %F %s %u %g %h %A' {path()}".replace("%s", "%n") if self.rng.random() < 0.5 else f"stat -c '%a %n %u:%g' {paths()}",
            lambda: self.of('readlink @ PATH | sed "s|$PWD|HERE|"', "", "-f", "-e", "-m"), lambda: f"echo t | tee {some(['-a'])} {path()}",
            lambda: f"cmp {some(['-s'])} {path()} {path()}", lambda: f"test {self.rng.choice(['-r', '-w', '-x', '-e', '-f', '-d', '-s', '-L', '-p'])} {path()}",
            lambda: f"umask {self.rng.choice(['077', '027', '0', '002'])}; mkdir n; touch n2; cp a n3; echo x >n4", lambda: f"echo text >{path()}", lambda: f"echo text >>{path()}",
            lambda: f"cd {path()} && ls", lambda: f"cat <{path()}", lambda: self.of("printf '%s\\n' a d nosuch | xargs @", 'ls -d', 'echo', '-n1 echo', '-I{} echo x{}y', 'cat'),
            lambda: f"seq {self.rng.choice(['5', '2 4', '1 2 7', '3 -1 1', '-w 8 11', '-s, 3', '0.5 2'])}",
            lambda: self.of("expr @", '1 + 2', '7 / 2', '5 % 0', 'abc : a.', 'length abc', 'substr hello 2 3', '3 \\> 2', 'a = b', '0', '2 \\* 3 + 1',
                            'abc : "\\(.\\)"', 'index abc c', '1 +'),
            lambda: f"basename {self.rng.choice(['/a/b', 'a/', '/', 'x.c .c', '//', 'a.b.c .c'])}", lambda: f"dirname {self.rng.choice(['/a/b', 'a/', '/', 'a', '//x', 'a//b'])}",
            lambda: f"paste {some(['-s', '-d:'])} {paths()}", lambda: f"comm {some(['-12', '-3'], 1)} a b", lambda: f"tac {path()}", lambda: f"nl {path()}", lambda: f"fold -w 4 {path()}",
            lambda: f"chown nobody {path()}", lambda: f"chown {some(['-h'])} 65534:65534 {path()}", lambda: f"mkfifo {path()}", lambda: f"install -m 600 {path()} {path()}",
            lambda: "date -u -d " + self.rng.choice(["@0", "@86400", "2026-01-02", "'2026-01-02 03:04:05'", "'2026-01-02 +1 day'", "@-1"]) + " +%F_%T",
            lambda: "date -u -d @1700000000 '+" + self.rng.choice(["%Y %m %d", "%H:%M:%S", "%j %U %u", "%a %A %b %B", "%s", "%y%%", "%e|%k|%I %p", "%D %R", "%-d/%-m", "%N"]) + "'",
            lambda: self.of("id @", "-u", "-g", "-un", "-gn", "-u nobody", "-un root", "nosuch", "-nu"), lambda: self.of("uname @", "-s", "-o"),
            lambda: self.of("env @", "-i A=b env", "A=1 B=2 sh -c 'echo $A$B'", "-u PATH /bin/echo x", "nosuch", "-i /bin/echo a b", "A=1 printenv A"),
            lambda: self.of("sleep @; echo $?", "0", "0.01", "x", "", "0 0.01"), lambda: self.of("mktemp @ | tr -c '/\\n' x", "-u aXXXX", "-d -u XXXXb", "-u aXX"),
            lambda: f"unlink {path()}", lambda: "printf '%s\\n' x y | while read -r v; do mkdir $v && touch $v/in; done; rm -rf x",
        ])()


def make_tree(rng, directory, is_root):
    def owner(path):
        if is_root:
            user, group = rng.choice([(0, 0), (NOBODY, NOBODY), (NOBODY, 0), (0, NOBODY)])
            os.lchown(path, user, group)

    def mode(path, is_dir):
        os.chmod(path, rng.choice([0o755, 0o755, 0o777, 0o700, 0o555, 0o1777, 0o000, 0o711] if is_dir else [0o644, 0o644, 0o666, 0o600, 0o755, 0o444, 0o000, 0o4755]))

    made = []
    for name in ["a", "b"]:
        if rng.random() < 0.85:
            (directory / name).write_text(rng.choice(TEXTS))
            made.append((directory / name, False))
    if rng.random() < 0.85:
        (directory / "d").mkdir()
        made.append((directory / "d", True))
        for name in ["a", "b"]:
            if rng.random() < 0.5:
                (directory / "d" / name).write_text(rng.choice(TEXTS))
                made.append((directory / "d" / name, False))
        if rng.random() < 0.4:
            (directory / "d" / "e").mkdir()
            made.append((directory / "d" / "e", True))
            if rng.random() < 0.5:
                (directory / "d" / "e" / "f").write_text("deep\n")
        if rng.random() < 0.3:
            (directory / "d" / "l").symlink_to("../a")
    if rng.random() < 0.4:
        (directory / "e").mkdir()
        made.append((directory / "e", True))
    if rng.random() < 0.5:
        (directory / "l").symlink_to(rng.choice(["a", "d", "nosuch", "l", "d/a"]))
    for path, is_dir in reversed(made):
        owner(path)
        mode(path, is_dir)
    owner(directory)
    os.chmod(directory, rng.choice([0o777, 0o777, 0o755, 0o1777, 0o555]))


def dump(directory):
    """path -> (kind, mode, uid, gid, contents), from the disk."""
    result = {}

    def visit(path, name):
        info = os.lstat(path)
        kind = {stat.S_IFDIR: "directory", stat.S_IFLNK: "link", stat.S_IFIFO: "fifo"}.get(stat.S_IFMT(info.st_mode), "file")
        text = os.readlink(path) if kind == "link" else path.read_bytes().decode(errors="replace") if kind == "file" else ""
        result[name] = (kind, stat.S_IMODE(info.st_mode), info.st_uid, info.st_gid, text)
        if kind == "directory":
            for child in sorted(os.listdir(path)):
                visit(path / child, f"{name}/{child}")

    for child in sorted(os.listdir(directory)):
        visit(directory / child, f"/{child}")
    return result


def apply(tree, changes):
    tree = dict(tree)
    for change in changes:
        after = change["after"]
        if after is None:
            tree.pop(change["path"], None)
        else:
            tree[change["path"]] = (after["kind"], int(after["mode"], 8), after["owner"], after["group"], after["contents"])
    return tree


def run_batch(nacre, rng, count, as_user):
    """Pairs of (command, difference or None)."""
    is_root = os.getuid() == 0
    commands = [Commands(rng).make() for _ in range(count)]
    with tempfile.TemporaryDirectory() as scratch:
        os.chmod(scratch, 0o755)
        root = pathlib.Path(scratch) / "root"
        root.mkdir()
        os.chmod(root, 0o777)
        driver = ""
        for i, command in enumerate(commands):
            case = root / f"c{i}"
            case.mkdir()
            make_tree(rng, case, is_root)
            driver += f"( cd c{i} || exit; {command}\n ) >out{i} 2>err{i} </dev/null; echo {i} $? >>statuses\n"
        (root / "driver.sh").write_text(driver)
        os.chmod(root / "driver.sh", 0o644)
        before = dump(root)
        environment = {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "HOME": "/"}
        user = ["--user", "nobody"] if as_user else []
        simulated = subprocess.run([nacre, "run", "--json", "--fuel", "50000000", "--root", str(root), *user, "driver.sh"], cwd=root,
                                   env=environment, capture_output=True, timeout=60, stdin=subprocess.DEVNULL, preexec_fn=lambda: os.umask(0o022))
        outcome = json.loads(simulated.stdout)
        drop = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"] if as_user else []
        subprocess.run([*drop, nacre, "sh", "driver.sh"], cwd=root, env=environment, capture_output=True, timeout=60, stdin=subprocess.DEVNULL,
                       preexec_fn=lambda: os.umask(0o022))
        after = dump(root)
        ours = apply(before, outcome["files"])
    trees = []
    for tree in (ours, after):
        trees.append([{p: v for p, v in tree.items() if p == f"/c{i}" or p.startswith(f"/c{i}/")} for i in range(count)])
    result = []
    for i, command in enumerate(commands):
        sides = []
        for tree, parts in ((ours, trees[0]), (after, trees[1])):
            statuses = dict(line.split() for line in tree.get("/statuses", ("", 0, 0, 0, ""))[4].splitlines())
            output = tree.get(f"/out{i}", ("", 0, 0, 0, None))[4]
            sides.append((statuses.get(str(i)), output, parts[i]))
        difference = None
        if sides[0] != sides[1]:
            before_here = {p: v for p, v in before.items() if p == f"/c{i}" or p.startswith(f"/c{i}/")}
            errors = [tree.get(f"/err{i}", ("",) * 5)[4] for tree in (ours, after)]
            difference = f"  before {before_here}\n  simulated {sides[0]}\n  {errors[0]!r}\n  real      {sides[1]}\n  {errors[1]!r}"
        result.append((command, difference))
    return result


def main():
    nacre = os.path.abspath(sys.argv[1])
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 240
    rng = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    can_drop = os.getuid() == 0 and shutil.which("setpriv") is not None
    done = differences = 0
    while done < count:
        for as_user in (False, True) if can_drop else (False,):
            for command, difference in run_batch(nacre, rng, BATCH, as_user):
                done += 1
                if difference is None:
                    continue
                differences += 1
                if differences <= int(os.environ.get("SHOWN", "5")):
                    print(f"{'user' if as_user else 'root'}: {command}\n{difference}")
    print(f"{done - differences} of {done} commands do the same in both worlds")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
