#!/bin/sh
# The nine scenarios of colis-batch over the packages of bench/scenarios.list: ./dev bench scenarios [DIRECTORY [REPORT]]. The packages
# (those of priority required, important and standard, well-known servers and desktop programs, 234 at random; each has a maintainer
# script) are downloaded and unpacked outside of the tree, into $NACRE_PACKAGES, and never run; those that are there already stay. With
# a DIRECTORY of unpacked packages, those are tried instead. REPORT keeps the pages; a run that was interrupted goes on there.
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
report=${2:-}
if [ -z "$report" ]; then
  report=$(mktemp -d)
  trap 'rm -rf "$report"' EXIT
fi
nine=install,removal,removal-purge
for call in preinst-install postinst-configure postinst-abort-remove prerm-remove postrm-remove postrm-purge; do
  nine=$nine,idempotence-$call
done
time build/bench/nacre explore --package "$packages" --scenario "$nine" --jobs 2 --report "$report" || [ $? -eq 1 ]
