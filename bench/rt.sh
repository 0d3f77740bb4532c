#!/bin/sh
# The type checker against a corpus of labelled pipelines: ./dev bench rt [CORPUS] [--show]
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
