#!/bin/sh
# The test suites in Debian's source packages of shells, run by Nacre and by the other shells: how many cases fail.
#   bench/conformance.sh [--suite NAME]... [--shell NAME]... [--list SHELL]
# The sources are fetched once, into build/conformance; nothing of them is part of this repository.
set -eu
cd "$(dirname "$0")/.."
nacre=${NACRE:-build/release/nacre}
[ -x "$nacre" ] || nacre=build/test/nacre
exec python3 bench/conformance.py "$nacre" "$@"
