#!/bin/sh
# CPU time of the shells on small loops, relative to dash: median of 5, all in one run.
#   bench/shell.sh [RUNS]
set -eu
cd "$(dirname "$0")/.."
runs=${1:-5}
nacre=${NACRE:-build/bench/nacre}
[ -x "$nacre" ] || nacre=build/release/nacre
exec python3 bench/shell.py "$nacre" "$runs"
