"""Which labelled pipelines the checker finds something in: python3 bench/pipelines.py NACRE CORPUS [--show] [--codes]

Counts a program as found if a warning or an error is reported. Infos do not count. Nothing is run.
"""
import collections
import concurrent.futures
import json
import pathlib
import subprocess
import sys
import tempfile


def findings(nacre, directory, case):
    path = pathlib.Path(directory) / (case["id"] + ".sh")
    path.write_text(case["script"])
    ran = subprocess.run([nacre, "check", "--format", "json", str(path)], capture_output=True, text=True, timeout=120)
    if ran.returncode not in (0, 1):
        sys.exit(f"{case['id']}: nacre ended with {ran.returncode}: {ran.stderr}")
    report = json.loads(ran.stdout)
    return [each for each in report["findings"] if each["severity"] in ("error", "warning")]


def main():
    nacre, corpus = sys.argv[1:3]
    cases = [json.loads(line) for line in open(corpus)]
    with tempfile.TemporaryDirectory() as directory, concurrent.futures.ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda case: findings(nacre, directory, case), cases))
    classes = collections.defaultdict(lambda: [0, 0])
    hits, alarms = [], []
    for case, report in zip(cases, found):
        is_buggy = case["label"] == "buggy"
        if is_buggy:
            classes[case["class"]][1] += 1
            classes[case["class"]][0] += bool(report)
        if report:
            (hits if is_buggy else alarms).append(case)
        if "--show" in sys.argv:
            verdict = ("found" if report else "MISSED") if is_buggy else ("FALSE ALARM" if report else "")
            texts = "; ".join(f"{each['code']} {each['message']}" for each in report)
            if verdict:
                print(f"{verdict:11} {case['id']} {case['class']}: {texts}")
    bugs = sum(case["label"] == "buggy" for case in cases)
    for name, (number, total) in sorted(classes.items()):
        print(f"{name:24} {number} of {total}")
    print(f"{len(hits)} of {bugs} bugs found, {len(alarms)} of {len(cases) - bugs} correct programs flagged")


main()
