#!/bin/sh
# Verdicts and time over the ad hoc parsers and their other types; then every counterexample is run under CPython.
# FLAT-Checker needs about a second for each program (its paper's own figure). Run by `./dev bench python`.
set -eu
witnesses=$(mktemp)
trap 'rm -f "$witnesses"' EXIT
status=0
build/bench/bench_python "${1:-../shared/corpora}" "$witnesses" || status=$?
[ "$status" -ne 2 ] || exit 0
python3 tests/python/replay.py "$witnesses" || status=1
exit "$status"
