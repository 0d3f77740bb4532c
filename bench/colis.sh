#!/bin/sh
# The CoLiS language: tests of the original implementation, maintainer scripts, properties, facts about real utilities:
#
#   ./dev bench colis [--show] [--packages DIR]
#
# DIR has unpacked packages; by default those of bench/scenarios.list, where ./dev bench scenarios has put them ($NACRE_PACKAGES).
set -eu
corpora=../shared/corpora
packages=${NACRE_PACKAGES:-/var/tmp/nacre-packages}
previous=
for word in "$@"; do
  [ "$previous" != --packages ] || packages=$word
  previous=$word
done
if [ ! -d "$packages" ]; then
  echo "colis: there are no packages in $packages; ./dev bench scenarios downloads them" >&2
elif [ "$previous" = "" ] || [ "$previous" = --show ]; then
  set -- "$@" --packages "$packages"
fi
status=0
if [ -f "$corpora/colis-tests.jsonl" ]; then
  python3 bench/colis.py build/bench/nacre "$corpora/colis-tests.jsonl" "$@"
else
  echo "colis: there are no tests at $corpora/colis-tests.jsonl"
fi
if [ -d "$packages" ]; then
  find "$packages" -path '*/DEBIAN/*' -type f \( -name preinst -o -name postinst -o -name prerm -o -name postrm -o -name config \) \
    -exec build/bench/bench_colis --scripts {} + || status=1
fi
build/bench/bench_colis "$corpora/utilities-ground-truth.jsonl" "${COLIS_PROGRAMS:-2000}" || status=1
exit $status
