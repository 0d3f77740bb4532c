#!/bin/sh
# Makefiles and Dockerfiles of the Debian source packages and npm packages that bench/makefiles.list and bench/dockerfiles.list name: round trips,
# CPU time of checking, and the database of `nacre make -p` against that of GNU make: ./dev bench build_files [--fetch]
set -eu
corpus=build/corpus
[ "${1:-}" = --fetch ] || [ -d "$corpus/dockerfiles" ] || {
  echo "build_files: there are no files; ./dev bench build_files --fetch downloads them" >&2
  exit 0
}
if [ "${1:-}" = --fetch ]; then
  python3 bench/build_files_fetch.py bench/dockerfiles.list docker "$corpus/dockerfiles"
  python3 bench/build_files_fetch.py bench/makefiles.list make "$corpus/makefiles"
fi
build/bench/bench_build_files docker "$corpus"/dockerfiles/*
# The first 200, which have a limit of 0.5 s.
# shellcheck disable=SC2046
build/bench/bench_build_files docker $(find "$corpus/dockerfiles" -type f | LC_ALL=C sort | head -n 200)
build/bench/bench_build_files make "$corpus"/makefiles/*
python3 bench/build_files_database.py build/bench/nacre "$corpus"/makefiles/*
