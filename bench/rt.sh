#!/bin/sh
# The type checker against a corpus of labelled pipelines, and its speed beside ShellCheck's, one process for each
# program: ./dev bench rt [CORPUS] [--show] [--certain] [--slow]
set -eu
corpus=../shared/corpora/rt-dev.jsonl
case ${1:-} in
  "" | --*) ;;
  *) corpus=$1; shift ;;
esac
if [ ! -f "$corpus" ]; then
  echo "rt: there is no corpus at $corpus"
  exit 0
fi
build/bench/bench_rt "$corpus" "$@"
python3 bench/rt_speed.py build/bench/nacre "$corpus"
