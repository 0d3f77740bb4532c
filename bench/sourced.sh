#!/bin/sh
# A project whose tests all source one library: CPU time of checking the tests, and of the same tests without their calls (which
# is the time for reading the library). ShellCheck, which follows sourced files with -x, is the peer on some of them:
# ./dev bench sourced [FUNCTIONS] [TESTS]
set -eu
nacre=build/bench/nacre functions=${1:-120} tests=${2:-300}
project=$(mktemp -d)
trap 'rm -rf "$project"' EXIT

# A library of FUNCTIONS functions that call each other, of 28 lines each.
awk -v n="$functions" 'BEGIN {
  for (i = 0; i < n; i++) {
    printf "lib_%d() {\n  local input=\"${1-}\" name result version\n", i
    printf "  if [ -z \"$input\" ]; then\n    echo \"usage: lib_%d NAME\" >&2\n    return 127\n  fi\n", i
    printf "  name=\"$(printf %%s \"$input\" | sed -e \"s/^v//\" -e \"s/-rc[0-9]*$//\")\"\n"
    printf "  case $name in\n    [0-9]*) version=\"v$name\" ;;\n    stable | unstable) version=$name ;;\n"
    printf "    *)\n      >&2 echo \"unknown: $name\"\n      return 2 ;;\n  esac\n"
    printf "  if [ -d \"$LIB_DIR/$version\" ]; then\n"
    printf "    result=$(ls -1 \"$LIB_DIR/$version\" | grep \"^v\" | sort | tail -n 1)\n"
    printf "  else\n    result=$(curl -s \"$LIB_URL/index.tab\" | awk \"NR > 1 { print \\$1 }\" | head -n 1)\n  fi\n"
    if (i > 0) printf "  lib_%d \"$result\" || return 3\n", int(i / 3)
    if (i > 1) printf "  lib_%d \"$name\" >/dev/null\n", int(i / 2)
    printf "  for each in $result; do\n    if [ \"$each\" != \"$version\" ]; then\n      echo \"$each\"\n    fi\n  done\n}\n\n"
  }
  print "LIB_DIR=${LIB_DIR-\"$HOME/.lib\"}\nLIB_URL=https://example.org"
}' >"$project/lib.sh"

mkdir "$project/calling" "$project/sourcing"
i=0
while [ "$i" -lt "$tests" ]; do
  printf '#!/bin/sh\ndie() { echo "$@"; exit 1; }\n. ../lib.sh\n' | tee "$project/sourcing/$i.sh" >"$project/calling/$i.sh"
  function=lib_$((i % functions))
  printf 'output=$(%s 1.2.%d) || die "%s failed"\n[ "$output" = v1.2.%d ] || die "got $output"\n' \
    "$function" "$i" "$function" "$i" >>"$project/calling/$i.sh"
  i=$((i + 1))
done


seconds() {
  python3 -c '
import os, resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(f"{used.ru_utime + used.ru_stime:.2f}")' "$@"
}

echo "$tests tests source $(wc -l <"$project/lib.sh") lines; CPU seconds:"
echo "  nacre, calling      $(seconds "$nacre" check -q -j 1 "$project/calling")"
echo "  nacre, sourcing     $(seconds "$nacre" check -q -j 1 "$project/sourcing")"
if command -v shellcheck >/dev/null; then
  sample=$(find "$project/calling" -name '?.sh' | head -n 3)
  # shellcheck disable=SC2086
  echo "  shellcheck -x, $(echo "$sample" | wc -l) of them  $(seconds shellcheck -x -P "$project/calling" $sample)"
fi
