#!/bin/sh
# The checker on every sh and bash script of this machine and of the Debian packages that bench/syntax.sh fetches: CPU time and
# memory per file, findings per line, ShellCheck's CPU time on a sample: ./dev bench check [--every N] [--peer N] [--sample N --seed N]
set -eu
corpus=build/corpus
if [ ! -f "$corpus/scripts" ]; then
  echo "check: there is no list of scripts; ./dev bench syntax --fetch makes it" >&2
  exit 0
fi
python3 bench/check.py build/bench/nacre "$corpus/scripts" "$corpus/findings.txt" "$@"
