#!/bin/sh
# The CoLiS language: tests of the original implementation, properties, facts about real utilities:
# ./dev bench colis [--show] [--packages DIR]
set -eu
corpora=../shared/corpora
if [ -f "$corpora/colis-tests.jsonl" ]; then
  python3 bench/colis.py build/bench/nacre "$corpora/colis-tests.jsonl" "$@"
else
  echo "colis: there are no tests at $corpora/colis-tests.jsonl"
fi
build/bench/bench_colis "$corpora/utilities-ground-truth.jsonl" "${COLIS_PROGRAMS:-2000}"
