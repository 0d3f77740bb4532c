#!/bin/sh
# verify.sh: the verdicts of `nacre verify` on scripts with known truth, if the shared folder is there.
set -eu
nacre=$PWD/${NACRE:-build/bench/nacre}
scripts=../shared/corpora/verify-dev.jsonl
[ -f "$scripts" ] || { echo "skipped: ../shared is not there"; exit 0; }
python3 ../shared/tools/score_verify.py "$nacre" "$scripts" ../shared/corpora/verify-pairs-dev.jsonl -v
