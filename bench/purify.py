"""Purifies shell scripts and counts: crashes, results that dash -n rejects, results that purify would change
again, withdrawals by validation, refusals by dialect, and ShellCheck's quoting warnings in the results.

  purify.py NACRE [--count N] [--seed N] [DIRECTORY or LIST]...
"""
import argparse, collections, json, os, random, subprocess, sys, tempfile

def scripts_in(paths):
    for path in paths:
        if os.path.isdir(path):
            for root, _, names in os.walk(path):
                yield from (os.path.join(root, name) for name in sorted(names))
        elif os.path.exists(path):
            yield from open(path, errors="replace").read().splitlines()

def dialect_of(path, limit):
    try:
        if not os.path.isfile(path) or os.path.getsize(path) > limit: return None
        with open(path, "rb") as file: line = file.readline(200)
    except OSError: return None
    if not line.startswith(b"#!"): return None
    if b"bash" in line: return "bash"
    return "sh" if b"/sh" in line or b"dash" in line else None

def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("nacre"); parser.add_argument("paths", nargs="*")
    parser.add_argument("--count", type=int, default=300); parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=int, default=60000); parser.add_argument("-v", action="store_true")
    arguments = parser.parse_intermixed_args()
    files = list(scripts_in(arguments.paths))
    random.Random(arguments.seed).shuffle(files)
    tally = collections.Counter(); reasons = collections.Counter(); done = 0
    def note(what, dialect, path):
        tally[f"{dialect} {what}"] += 1
        if arguments.v and what != "scripts": print(what, path)
    with tempfile.TemporaryDirectory() as directory:
        proof, again = directory + "/proof.json", directory + "/again.sh"
        for path in files:
            if done == arguments.count: break
            dialect = dialect_of(path, arguments.limit)
            if dialect is None: continue
            if subprocess.run(["bash" if dialect == "bash" else "dash", "-n", path], capture_output=True).returncode: continue
            done += 1; note("scripts", dialect, path)
            command = [arguments.nacre, "purify"]
            try: run = subprocess.run(command + ["--proof", proof, path], capture_output=True, timeout=120)
            except subprocess.TimeoutExpired: note("timeouts", dialect, path); continue
            if run.returncode not in (0, 1): note("crashes", dialect, path); continue
            document = json.load(open(proof))
            if document["validation"]["withdrawn"]: note("withdrawals", dialect, path)
            if run.returncode == 1:
                note("refused", dialect, path)
                reasons.update({each["rewrite"] + ": " + each["message"][:60] for each in document["refused"]})
                continue
            if subprocess.run(["dash", "-n"], input=run.stdout, capture_output=True).returncode: note("rejected by dash -n", dialect, path)
            with open(again, "wb") as file: file.write(run.stdout)
            if subprocess.run(command + ["-q", again], capture_output=True).stdout != run.stdout: note("not fixed points", dialect, path)
            quoting = subprocess.run(["shellcheck", "-s", "sh", "-S", "warning", "-i", "SC2086,SC2046,SC2006", "-"], input=run.stdout, capture_output=True)
            if quoting.stdout.strip(): note("with quoting warnings", dialect, path)
    for key, count in sorted(tally.items()): print(f"{key:28} {count}")
    for reason, count in reasons.most_common(10): print(f"  {count:4} {reason}")
    return 0

sys.exit(main())
