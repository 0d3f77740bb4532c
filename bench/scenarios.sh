#!/bin/sh
# Package scenarios over the packages of bench/scenarios.list, which are downloaded and unpacked outside of the tree and never run:
# ./dev bench scenarios [DIRECTORY]. With a DIRECTORY of unpacked packages, those are tried instead.
set -eu
packages=${1:-}
if [ -z "$packages" ]; then
  packages=${NACRE_PACKAGES:-/var/tmp/nacre-packages}
  mkdir -p "$packages"
  while read -r name; do
    [ -n "$name" ] && [ ! -d "$packages/$name" ] || continue
    (cd "$packages" && apt-get download -qq "$name" && dpkg-deb -R "$name"_*.deb "$name" && rm -f "$name"_*.deb) ||
      echo "scenarios: $name cannot be downloaded" >&2
  done < bench/scenarios.list
fi
report=$(mktemp -d)
trap 'rm -rf "$report"' EXIT
time build/bench/nacre explore --package "$packages" --report "$report" || [ $? -eq 1 ]
