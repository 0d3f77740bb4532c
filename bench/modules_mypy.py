"""What mypy says of modules with planted bugs: its messages, and those at the lines of the bugs.

    python3 bench/modules_mypy.py FILE.py...
"""

import re
import subprocess
import sys


def main(paths):
    bugs = {path: re.search(r"line (\d+)", open(path, encoding="utf-8").readline()) for path in paths}
    done = subprocess.run([sys.executable, "-m", "mypy", "--ignore-missing-imports", "--follow-imports=skip", "--no-incremental", *paths],
                          capture_output=True, text=True, check=False)
    messages = [line for line in done.stdout.splitlines() if ": error:" in line]
    refused = [line for line in messages if "[valid-type]" in line]
    print(f"mypy: {len(messages)} errors, {len(refused)} of them about types that it does not accept; "
          f"{sum(1 for bug in bugs.values() if bug)} planted bugs; at their lines:")
    for line in messages:
        path, number = line.split(":")[:2]
        if line not in refused and bugs.get(path) and bugs[path][1] == number:
            print("  " + line)


main(sys.argv[1:])
