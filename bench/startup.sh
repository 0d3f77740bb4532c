#!/bin/sh
# What it costs to start: CPU time of programs that have nothing to do, beside dash. Run by `./dev bench startup`.
set -eu
nacre=build/bench/nacre
table=$(mktemp)
trap 'rm -f "$table"' EXIT
set -- 'dash -c :' "$nacre --version"
if "$nacre" sh -c : 2>/dev/null; then set -- "$@" "$nacre sh -c :"; fi
hyperfine -N --warmup 20 --runs 500 --style none --export-csv "$table" "$@" 2>/dev/null
awk -F, '
  NR == 1 { printf "%-28s %10s %8s\n", "", "CPU ms", "x dash"; next }
  { cpu = ($5 + $6) * 1000 }
  NR == 2 { dash = cpu }
  { printf "%-28s %10.2f %8.2f\n", $1, cpu, cpu / dash }
' "$table"
