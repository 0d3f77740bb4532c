"""The database that `nacre make -p` prints against that of GNU make (`make -pnq`), and the verdict of both.

usage: build_files_database.py NACRE [-v] FILE...

make runs as nobody in an empty directory with SHELL=/bin/true, so that nothing of the files is run. Left out are files whose
own $(error) stops make and those that take it longer than 20 s.
"""
import collections
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile

REFUSALS = re.compile(
    r"\*\*\* (missing separator|recipe commences|missing rule|unterminated|missing '?endif|missing .endif|missing .endef"
    r"|extraneous|only one|invalid syntax|empty variable name|target pattern|multiple target|missing target pattern"
    r"|mixed implicit and static|mixed implicit and normal rules\.|target file|insufficient number|first argument"
    r"|second argument|non-numeric|Recursive variable|commands commence|grouped targets|invalid .)")
# Set by make itself, or by where it was called.
OWN = {"GNUMAKEFLAGS", "PATH", ".SHELLSTATUS", "MAKEFILE_LIST", ".DEFAULT_GOAL", "MAKEFLAGS", "SHELL", "CURDIR"}
HOLE = "<?>"  # what nacre does not know


def in_directory(path, command):
    directory = tempfile.mkdtemp(prefix="make.")
    os.chmod(directory, 0o755)
    try:
        name = path.split("__")[-1]
        shutil.copy(path, f"{directory}/{name}")
        os.chmod(f"{directory}/{name}", 0o644)
        done = subprocess.run(command + [name], cwd=directory, capture_output=True, stdin=subprocess.DEVNULL, timeout=60)
        return done.returncode, done.stdout.decode("utf8", "replace"), done.stderr.decode("utf8", "replace")
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def of_make(path):
    as_nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] if os.getuid() == 0 else []
    return in_directory(path, ["timeout", "20"] + as_nobody + ["env", "-i", "PATH=/usr/bin:/bin", "LC_ALL=C", "make",
                                                               "SHELL=/bin/true", "-pnq", "-f"])


def variables(text, is_make):
    found, assumed, origin = {}, False, None
    lines = iter(text.split("\n"))
    for line in lines:
        if is_make and line.startswith("# "):
            origin = line
        if line == "# assumed":
            assumed = True
            continue
        counts = not is_make or (origin is not None and (origin.startswith("# makefile") or "override" in origin))
        block = re.match(r"^define (.*?)(?: (:?=))?$", line)
        simple = re.match(r"^([^\s#][^=]*?) (:?=) ?(.*)$", line)
        if block and counts:
            body = []
            for inner in lines:
                if inner == "endef":
                    break
                body.append(inner)
            found[block[1]] = (block[2] or "=", "\n".join(body), assumed)
            assumed, origin = False, None
        elif simple and not re.match(r"^[^=]*:\s", line):
            if counts:
                found[simple[1]] = (simple[2], simple[3], assumed)
                assumed = False
            origin = None
    return found


def rules_of_make(text):
    begin = text.find("\n# Files")
    if begin < 0:
        return None
    rules, current, is_target = {}, None, True
    for line in text[begin:text.find("\n# files hash-table")].split("\n"):
        if line.startswith("# Not a target"):
            is_target = False
        elif line.startswith("\t"):
            if current is not None:
                rules[current][1].append(line[1:])
        elif not line.strip():
            current = None
        elif not line.startswith("#"):
            head = re.match(r"^(.*?)(::?)(?: (.*))?$", line)
            if not head or re.match(r"^\S+: \S+ [:+?]?=", line):
                continue
            if not is_target:
                is_target, current = True, None
                continue
            current = head[1]
            rules.setdefault(current, (set(), []))[0].update((head[3] or "").replace("| ", "").split())
    return rules


def own_rules(text):
    rules, current = {}, []
    for line in text[text.find("\n# Rules") + 8:].split("\n"):
        if line.startswith("\t"):
            for target in current:
                rules[target][1].append(line[1:])
            continue
        head = re.match(r"^(.*?)\s*&?(::?)(?= |$)(.*)$", line)
        if line.startswith("# Default") or not line.strip() or not head:
            continue
        rest, pattern = head[3], None
        static = re.match(r"^ (\S*%\S*):(.*)$", rest)
        if static:
            pattern, rest = static[1], static[2]
        current = head[1].split()
        for target in current:
            rule = rules.setdefault(target, (set(), []))
            for word in rest.replace("| ", "").split():
                if pattern and "%" in word:
                    before, after = pattern.split("%", 1)
                    if target.startswith(before) and target.endswith(after):
                        word = word.replace("%", target[len(before):len(target) - len(after)], 1)
                rule[0].add(word)
    return rules


def is_same(own, theirs):
    theirs = re.sub(r"^\$\(subst ,,( *)\)", r"\1", theirs.replace("$$", "$") if own != theirs else theirs)
    if own == theirs:
        return True
    pieces = re.sub(r"\s*<\?>\s*", HOLE, own).split(HOLE)
    return len(pieces) > 1 and re.fullmatch(".*".join(map(re.escape, pieces)), theirs, re.S) is not None


def variable_differences(own_text, make_text):
    own = variables(own_text, False)
    for name, (flavour, value, _) in variables(make_text[:make_text.find("\n# Files")], True).items():
        if name in OWN or name.startswith("DPKG_CACHE") or "/make." in name:
            continue
        if name not in own:
            yield f"variable {name} is missing"
        elif own[name][2]:
            continue
        elif not is_same(own[name][1], value):
            yield f"variable {name}: make {value[:80]!r}, nacre {own[name][1][:80]!r}"
        elif own[name][0] != flavour:
            yield f"flavour of {name}"


def rule_differences(path, own_text, rules):
    own = own_rules(own_text)
    heads = [line.split(":")[0] for line in own_text[own_text.find("\n# Rules"):].split("\n") if not line.startswith("\t")]
    has_hole = any(HOLE in head for head in heads)
    needed = {word for prerequisites, _ in own.values() for word in prerequisites}
    for target, (prerequisites, recipe) in rules.items():
        if target not in own:
            is_plain = not prerequisites and not recipe or target.endswith(".mk") or target == path.split("__")[-1]
            is_special = target in (".SUFFIXES", "Makefile", ".DEFAULT") or re.match(r"^\.[^./%]+(\.[^./%]+)?$", target)
            if not (is_plain or is_special or has_hole or "(" in target or target in needed):
                yield f"target {target} is missing"
            continue
        missing = [word for word in prerequisites if word not in own[target][0]]
        if missing and HOLE not in own[target][0] and own[target][1]:
            yield f"prerequisites of {target}: {missing[:3]}"
        theirs, ours = "\n".join(recipe).split(), "\n".join(own[target][1]).split()
        if theirs and ours and not set(theirs) <= set(ours) and HOLE not in " ".join(ours):
            yield f"recipe of {target}"


def compare(nacre, path):
    status, text, errors = of_make(path)
    try:
        own_status, own_text, own_errors = in_directory(path, [nacre, "make", "-p", "--empty-environment"])
    except subprocess.TimeoutExpired:
        return "TIMEOUT", path
    if own_status not in (0, 1):
        return "CRASH", str(own_status)
    refusal = REFUSALS.search(errors)
    if status == 124 or (not refusal and re.search(r"^[^:\n]+:\d+: \*\*\* ", errors, re.M)):
        return "left out", ""
    if refusal:
        return ("refused by both", "") if own_status == 1 else ("REFUSED BY MAKE ALONE", refusal[0])
    if own_status == 1:
        return "REFUSED BY NACRE ALONE", own_errors[:200]
    rules = rules_of_make(text)
    if rules is None:
        return "left out", ""
    differences = [*variable_differences(own_text, text), *rule_differences(path, own_text, rules)]
    return ("same database", "") if not differences else ("DIFFERENT", "; ".join(differences[:4]))


def main():
    is_verbose = "-v" in sys.argv
    nacre, *files = [word for word in sys.argv[1:] if word != "-v"]
    nacre = os.path.abspath(nacre)
    counts = collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for path, (kind, why) in zip(files, pool.map(lambda path: compare(nacre, path), files)):
            counts[kind] += 1
            if is_verbose and kind.isupper():
                print(kind, os.path.basename(path), why)
    decided = sum(counts.values()) - counts["left out"]
    agreed = counts["same database"] + counts["refused by both"]
    print(f"database: {agreed} of {decided} as GNU make has them ({100 * agreed / max(decided, 1):.1f} %); "
          + ", ".join(f"{kind} {count}" for kind, count in sorted(counts.items())))


if __name__ == "__main__":
    main()
