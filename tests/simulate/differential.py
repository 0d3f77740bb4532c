#!/usr/bin/env python3
"""Random shell scripts: the simulated world must give what this system gives.

    differential.py NACRE [COUNT [SEED]]

The scripts of tests/shell/differential.py are run by the same shell in both worlds; standard output, exit status and
the files that are left are compared.
"""

import importlib.util
import os
import pathlib
import random
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
BATCH = 50

# Runs s0.sh, s1.sh, ... each in a directory of its own and prints what came of it.
DRIVER = """
n=0
while [ -e s$n.sh ]; do
  mkdir w$n; cd w$n
  sh ../s$n.sh >../out$n 2>/dev/null </dev/null
  echo "== $n: status $?"
  cd ..
  cat out$n
  find w$n | sort | while read -r path; do
    echo "-- $path"
    if [ -f "$path" ]; then cat "$path"; fi
  done
  n=$((n + 1))
done
"""


def load_generator():
    spec = importlib.util.spec_from_file_location("shell_differential", HERE.parent / "shell/differential.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run_batch(nacre, scripts):
    with tempfile.TemporaryDirectory() as directory:
        root = pathlib.Path(directory) / "root"
        tools = pathlib.Path(directory) / "tools"
        root.mkdir()
        tools.mkdir()
        (tools / "sh").symlink_to(nacre)
        (root / "driver.sh").write_text(DRIVER)
        for i, script in enumerate(scripts):
            (root / f"s{i}.sh").write_text(script)
        environment = {"PATH": f"{tools}:{os.environ['PATH']}", "HOME": "/", "LC_ALL": "C"}
        simulated = subprocess.run([nacre, "run", "--fuel", "100000000", "--root", str(root), "driver.sh"], cwd=root, env=environment,
                                   capture_output=True, timeout=600)
        system = subprocess.run([nacre, "run", "driver.sh"], cwd=root, env=environment, capture_output=True, timeout=600)
    return simulated, system


def parts(text):
    result = {}
    for part in text.split(b"== ")[1:]:
        number, _, rest = part.partition(b":")
        if number.isdigit():
            result[int(number)] = rest
    return result


def main():
    nacre = os.path.abspath(sys.argv[1])
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    rng = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    module = load_generator()
    differences = 0
    for start in range(0, count, BATCH):
        scripts = [module.Generator(rng).script() for _ in range(min(BATCH, count - start))]
        simulated, system = run_batch(nacre, scripts)
        ours, theirs = parts(simulated.stdout), parts(system.stdout)
        for i, script in enumerate(scripts):
            if ours.get(i) != theirs.get(i):
                differences += 1
                if differences <= 5:
                    print(f"--- script {start + i}\n{script}\n--- simulated\n{ours.get(i)}\n--- system\n{theirs.get(i)}")
        if simulated.returncode == 125:
            print(simulated.stderr.decode(errors="replace")[-500:])
            differences += 1
    print(f"{count - differences} of {count} scripts do the same in both worlds")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
