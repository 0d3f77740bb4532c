#!/bin/sh
# purify.sh [OPTIONS of purify.py] [DIRECTORY or LIST]...: the purifier on real scripts, and on the cases of the
# shared folder if it is there. Scripts are only read; the cases are run in throw-away directories.
set -eu
nacre=$PWD/${NACRE:-build/bench/nacre}
cases=../shared/corpora/purify-dev.jsonl
if [ -f "$cases" ]; then
  ids=$(python3 -c 'import json, sys; print(",".join(c["id"] for c in map(json.loads, open(sys.argv[1])) if c["kind"] == "shell"))' "$cases")
  python3 ../shared/tools/check_cases.py "$cases" --cmd "$nacre purify -q {in}" --ids "$ids" -v
else
  echo "skipped: ../shared is not there"
fi
[ $# -eq 0 ] || python3 bench/purify.py "$nacre" "$@"
