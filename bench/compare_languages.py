"""Puts the two outputs of the languages benchmark beside each other; fails if an answer differs."""
import re
import statistics
import sys


def load(name):
    with open(name, encoding="latin-1") as lines:
        rows = [line.rstrip("\n").split("\t") for line in lines]
    return {row[0]: row for row in rows}


def answer(text, is_peer):
    """Of a "no" only the length of its shortest witness counts: several are equally short."""
    if not text.startswith("no"):
        return text
    witness = text[3:]
    return "no", int(witness) if is_peer else len(re.sub(r"\\x..", "?", witness))


def percentile(times, share):
    return sorted(times)[min(len(times) - 1, int(len(times) * share))]


ours, peer = load(sys.argv[1]), load(sys.argv[2])
mine = {name: answer(row[3], False) for name, row in ours.items()}
theirs = {name: answer(row[3], True) for name, row in peer.items()}
inexact = [n for n, a in mine.items() if isinstance(a, str) and ("unknown" in a or "most" in a)]
unanswered = [n for n, a in theirs.items() if a == "unanswered"]
different = [n for n in mine if theirs[n] not in (mine[n], "unanswered")]

classes = {}
for name, row in ours.items():
    for group in (row[1], "ALL"):
        classes.setdefault(group, []).append((float(row[2]), float(peer[name][2])))
classes["ALL"] = classes.pop("ALL")
print(f"{'class':<12}{'n':>4}{'nacre median':>14}{'p99':>11}{'brics median':>14}{'p99':>11}"
      f"{'ratio':>8}{'at p99':>8}   (microseconds of CPU)")
for group, pairs in classes.items():
    left, right = [p[0] for p in pairs], [p[1] for p in pairs]
    m, n = statistics.median(left), statistics.median(right)
    p, q = percentile(left, 0.99), percentile(right, 0.99)
    print(f"{group:<12}{len(pairs):>4}{m:>14.1f}{p:>11.1f}{n:>14.1f}{q:>11.1f}{n / m:>8.1f}{q / p:>8.1f}")
print(f"{len(mine)} queries: nacre left {len(inexact)} inexact {inexact}; brics left {len(unanswered)} "
      f"unanswered in 4 s (counted as 4 s); {len(different)} answers differ {different}")
sys.exit(1 if inexact or different else 0)
