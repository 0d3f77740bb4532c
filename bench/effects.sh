#!/bin/sh
# Findings about values against labelled scripts, which are read and never run: ./dev bench effects [CORPUS] [--show]
set -eu
corpus=../shared/corpora/effects-dev.jsonl
case ${1:-} in
  "" | --*) ;;
  *) corpus=$1; shift ;;
esac
if [ ! -f "$corpus" ]; then
  echo "effects: there is no corpus at $corpus"
  exit 0
fi
python3 bench/effects.py build/bench/nacre "$corpus" "$@"
