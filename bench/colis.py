"""Runs the tests of the original CoLiS implementation with `nacre colis`, and says how many agree.

usage: colis.py NACRE TESTS.jsonl [--show] [--packages DIR]

With --original each test must end as the original does: exit status, printed program (up to blanks), refusal and its line, and for
symbolic runs the multiset of (kind, standard output, log). Tests on which the original crashes are judged by exit status 7 or by the
default profile. `correct` answers are judged by CORRECT below, in the default profile. --packages DIR translates the maintainer scripts
of the unpacked packages in DIR (DIR/NAME/DEBIAN), and measures symbolic calls of those that the original translates.
"""
import collections
import json
import os
import re
import resource
import subprocess
import sys
import tempfile


def run(nacre, options, name, text, arguments, files):
    with tempfile.TemporaryDirectory() as directory:
        for path, content in {name: text, **files}.items():
            with open(os.path.join(directory, path), "w", encoding="utf-8", newline="") as out:
                out.write(content)
        done = subprocess.run([nacre, "colis", *options, name, *arguments], cwd=directory, capture_output=True, timeout=300)
    return done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")


def squeezed(text):
    return "".join(text.split()).replace("case_N", "case_")


def states(report):
    return collections.Counter(
        (s["kind"], tuple(s["stdout"] if isinstance(s["stdout"], list) else s["stdout"].splitlines()), tuple(s["log"])) for s in report["states"])


# The files that the options name are not part of the tests; these have what their notes say.
KNOWN_FILES = {"fs-given.fs": "/bin/sh\n/lib/\n", "fs-given-mkdir.fs": "/usr/\n", "fs-bad-line.fs": "usr/\n"}


def extra_files(test):
    return {name: KNOWN_FILES[name] for name in test["input"].get("options", []) if name in KNOWN_FILES}


def check_parse(nacre, test, name):
    want = test["expected"]
    options = ["--run", "--original", "--colis", "--unknown-behaviour", "ERROR"]
    rc, out, err = run(nacre, options, name, test["input"]["script"], [], {})
    if rc != want["rc"]:
        return f"status {rc}, not {want['rc']}: {err}"
    if want["accepted"]:
        return "" if out == want["stdout"] else f"output {out!r}"
    return "" if err.rstrip("\n") == want["error"].replace("\r", "\\r") else f"error {err!r}"


def check_translate(nacre, test, name):
    want = test["expected"]
    rc, out, err = run(nacre, ["--print-colis", "--original"], name, test["input"]["script"], test["input"].get("args", []), {})
    if want["rc"] == 2:
        return "" if rc == 6 else f"the original crashes; status {rc}"
    if rc != want["rc"]:
        return f"status {rc}, not {want['rc']}: {err}{out}"
    if rc == 0:
        return "" if squeezed(out) == squeezed(want["colis_pretty"]) else f"printed {out!r}"
    if want["error"] not in err:
        return f"refusal {err!r}"
    line = int(re.search(r"line (\d+)", err).group(1))
    return "" if line == want["line"] else f"line {line}, not {want['line']}"


def check_concrete(nacre, test, name):
    want, given = test["expected"], test["input"]
    options = ["--run", "--original", *given.get("options", []), *(["--colis"] if given["lang"] == "colis" else ["--shell"])]
    rc, out, err = run(nacre, options, name, given["script"], given.get("args", []), {})
    if (rc, out) != (want["rc"], want["stdout"]):
        return f"status {rc}, output {out!r}, {err!r}"
    return "" if want["stderr"] in err else f"errors {err!r}"


def check_symbolic(nacre, test, name):
    want, given = test["expected"], test["input"]
    options = ["--run-symbolic", "--original", "--format", "json", *given.get("options", [])]
    rc, out, err = run(nacre, options, name, given["script"], given.get("args", []), extra_files(test))
    if want["rc"] == 2:
        return "" if rc in (0, 1, 4, 7) else f"the original crashes; status {rc}"
    if rc != want["rc"]:
        return f"status {rc}, not {want['rc']}: {err}"
    if "states" not in want:
        return "" if want.get("stderr", "") in err else f"errors {err!r}"
    got = states(json.loads(out))
    if got == states(want) or ("expected_with_fence_fix" in test and got == states(test["expected_with_fence_fix"])):
        return ""
    return f"states {sorted(got.elements())}\n    not {sorted(states(want).elements())}"


# What the answer `correct` means for the default profile: a function of the report and the status.
def kinds(report):
    return {s["kind"] for s in report["states"]}


def after_lines(report, kind):
    return [set(s["after"]) for s in report["states"] if s["kind"] == kind]


CORRECT = {
    "mkdir-root": lambda r, rc: r["error"] == 1 and r["success"] == 0 and r["incomplete"] == 0,
    "mkdir-p": lambda r, rc: kinds(r) == {"normal", "error"} and all("/a/b is a directory" in a for a in after_lines(r, "normal"))
    and all("/a is a directory" not in set(s["before"]) or any("/a/b is" in b for b in s["before"]) for s in r["states"] if s["kind"] == "error"),
    "rm-f": lambda r, rc: r["error"] == 1 and all("/a is a directory" in set(s["before"]) for s in r["states"] if s["kind"] == "error"),
    "rm-f-noarg": lambda r, rc: rc == 0 and r["success"] == 1,
    "mv": lambda r, rc: r["incomplete"] == 0 and r["success"] >= 5 and r["error"] >= 3,
    "cp": lambda r, rc: r["success"] >= 3 and r["error"] >= 3,
    "cp-r": lambda r, rc: r["success"] >= 4 and r["error"] >= 2,
    "test-int": lambda r, rc: rc == 0,
    "test-single": lambda r, rc: rc == 0,
    "test-parse-error": lambda r, rc: rc == 0,
    "dpkg-compare": lambda r, rc: rc == 0 and r["success"] == 1,
    "dmh-rm-conffile": lambda r, rc: kinds(r) == {"normal"} and any("no /etc/x.dpkg-remove" in a for a in after_lines(r, "normal"))
    and any(any(l.startswith("/etc/x.dpkg-bak is") for l in a) for a in after_lines(r, "normal")),
    "echo-n": lambda r, rc: [s["stdout"] for s in r["states"]] == ["a"],
    "mkdir-twice": lambda r, rc: r["success"] == 0,
    "mkdir-rm": lambda r, rc: r["success"] == 0,
    "mkdir-touch-test": lambda r, rc: not any("touch" in line for s in r["states"] if s["kind"] == "error" for line in s["log"]),
    "mkdir-fresh-empty": lambda r, rc: {s["stdout"] for s in r["states"] if s["kind"] == "normal"} == {"empty\n"},
    "fs-given-mkdir": lambda r, rc: r["success"] == 0 and r["error"] == 1,
    "symlink-not-followed": lambda r, rc: any("/a is a link" in line and s["kind"] == "normal" for s in r["states"] for line in s["before"]),
    "double-slash": lambda r, rc: r["success"] == 1 and r["error"] == 1 and any("no /a" in s["before"] for s in r["states"]),
}


def check_correct(nacre, test, name):
    given = test["input"]
    options = ["--run-symbolic", "--format", "json", *given.get("options", [])]
    rc, out, err = run(nacre, options, name, given["script"], given.get("args", []), extra_files(test))
    if not out:
        return f"status {rc}: {err}"
    report = json.loads(out)
    short = test["id"].split("/")[-1]
    return "" if CORRECT[short](report, rc) else f"status {rc}: " + json.dumps([(s["kind"], s["before"], s["log"]) for s in report["states"]])[:1500]


CHECKS = {"parse": check_parse, "translate": check_translate, "concrete": check_concrete, "symbolic": check_symbolic}


# The words that dpkg gives to a maintainer script.
CALLS = {"preinst": ["install"], "postinst": ["configure", "abort-remove"], "prerm": ["remove"], "postrm": ["remove", "purge", "abort-install"], "config": ["configure"]}


def maintainer_scripts(root):
    return sorted(os.path.join(root, package, "DEBIAN", name) for package in os.listdir(root) for name in CALLS
                  if os.path.isfile(os.path.join(root, package, "DEBIAN", name)))


def cpu_of_children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def translate(nacre, path, *options):
    return subprocess.run([nacre, "colis", "--print-colis", "--shell", *options, path, "configure"], capture_output=True, timeout=60)


def translate_packages(nacre, root, scripts, show):
    translated = 0
    reasons = collections.Counter()
    for path in scripts:
        done = translate(nacre, path)
        translated += done.returncode == 0
        if done.returncode != 0:
            reason = done.stderr.decode("utf-8", "replace").strip()
            reasons[reason.split("rror: ", 1)[-1].replace("unsupported feature: ", "")] += 1
            if show:
                print("  ", reason)
    print(f"maintainer scripts below {root}: {translated} of {len(scripts)} translated "
          f"({100 * translated / max(len(scripts), 1):.1f} %; the original: 46 % of 1,798)")
    for reason, number in reasons.most_common(12):
        print(f"  {number:4} {reason}")


# The original's figure is for symbolic runs of the scripts that it converts, one run for each word. So these are run here, as it
# runs them.
def time_calls(nacre, scripts):
    converted = [path for path in scripts if translate(nacre, path, "--original").returncode == 0]
    calls = [(path, word) for path in converted for word in CALLS[os.path.basename(path)]]
    begin = cpu_of_children()
    for path, word in calls:
        subprocess.run([nacre, "colis", "--run-symbolic", "--original", "--shell", path, word], capture_output=True, timeout=60)
    seconds = cpu_of_children() - begin
    each = 1000 * seconds / max(len(calls), 1)
    print(f"CPU: {seconds:.2f} s for {len(calls)} symbolic calls of the {len(converted)} scripts that --original translates, {each:.2f} ms each "
          f"(the original: 65 s for 954 calls, 68 ms each: {68.1 / max(each, 0.001):.0f} times as much)")


def main():
    nacre, path, *rest = sys.argv[1:]
    nacre = os.path.abspath(nacre)
    show = "--show" in rest
    with open(path, encoding="utf-8") as lines:
        tests = [json.loads(line) for line in lines]
    right = collections.Counter()
    total = collections.Counter()
    for test in tests:
        kind, name = test["kind"], os.path.basename(test["input"]["file"])
        problem = CHECKS[kind](nacre, test, name)
        total[kind] += 1
        right[kind] += not problem
        if problem and show:
            print(f"{test['id']}: {problem}")
    seconds = cpu_of_children()
    print("with --original: " + ", ".join(f"{kind} {right[kind]}/{total[kind]}" for kind in CHECKS))
    print(f"CPU: {seconds:.2f} s for {len(tests)} calls, {1000 * seconds / len(tests):.2f} ms each (the original: 65 s for 954 calls, 68 ms each)")
    wanted = [test for test in tests if "correct" in test]
    answers = {test["id"]: check_correct(nacre, test, os.path.basename(test["input"]["file"])) for test in wanted}
    print(f"`correct` answers by default: {sum(not a for a in answers.values())}/{len(answers)}")
    for name, problem in answers.items():
        if problem and show:
            print(f"{name}: {problem}")
    if "--packages" in rest:
        root = rest[rest.index("--packages") + 1]
        scripts = maintainer_scripts(root)
        translate_packages(nacre, root, scripts, show)
        time_calls(nacre, scripts)


main()
