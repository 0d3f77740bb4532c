#!/bin/sh
# Whole Python modules: planted bugs, right modules flagged, functions left open; counterexamples under CPython.
# Run by `./dev bench modules`.
set -eu
status=0
echo "modules of the project:"
python3 bench/modules.py build/bench/bench_modules bench/python_modules/*.py || status=1
corpus=${1:-../shared/corpora}/python-modules-dev.jsonl
if [ -f "$corpus" ]; then
  echo "modules of the corpus:"
  python3 bench/modules.py build/bench/bench_modules "$corpus" || status=1
else
  echo "there is no $corpus: skipped"
fi
if python3 -m mypy --version >/dev/null 2>&1; then
  python3 bench/modules_mypy.py bench/python_modules/*.py
else
  echo "there is no mypy to compare with: skipped"
fi
exit "$status"
