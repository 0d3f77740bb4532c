"""CPU time of nacre check and shellcheck over the programs of a corpus, each in a process of its own.

usage: rt_speed.py NACRE CORPUS [COUNT]

The two take turns, program by program, so that what else the machine does hits both.
"""
import json
import os
import resource
import subprocess
import sys
import tempfile


def cpu(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def main():
    nacre, corpus = os.path.abspath(sys.argv[1]), sys.argv[2]
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 150
    with open(corpus, encoding="utf-8") as file:
        scripts = [json.loads(line)["script"] for line in file]
    scripts = scripts[::max(1, len(scripts) // count)]
    total = {"nacre": 0.0, "shellcheck": 0.0}
    with tempfile.TemporaryDirectory(prefix="nacre-rt-") as directory:
        path = os.path.join(directory, "program.sh")
        for script in scripts:
            with open(path, "w", encoding="utf-8") as file:
                file.write(script)
            total["nacre"] += cpu([nacre, "check", "-q", "-s", "bash", path])
            total["shellcheck"] += cpu(["shellcheck", "-s", "bash", path])
    for name, seconds in total.items():
        print(f"{name:<12}{1000 * seconds / len(scripts):8.2f} ms of CPU for each of {len(scripts)} programs")
    print(f"nacre is {total['shellcheck'] / total['nacre']:.1f} times as fast")


if __name__ == "__main__":
    main()
