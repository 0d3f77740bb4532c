#!/bin/sh
# Findings against labelled pipelines, which are read and never run: ./dev bench pipelines [CORPUS] [--show]
set -eu
corpus=../shared/corpora/pipelines-dev.jsonl
case ${1:-} in
  "" | --*) ;;
  *) corpus=$1; shift ;;
esac
if [ ! -f "$corpus" ]; then
  echo "pipelines: there is no corpus at $corpus"
  exit 0
fi
python3 bench/pipelines.py build/bench/nacre "$corpus" "$@"
