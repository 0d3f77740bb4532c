#!/bin/sh
# Every query of the languages workload, answered by Nacre and by dk.brics.automaton in one run.
# Prints medians and 99th percentiles in microseconds per class, and how the answers compare.
# usage: bench/languages.sh [DIRECTORY]   (the workload; ../shared/corpora/languages by default)
set -eu
cd "$(dirname "$0")/.."
workload=${1:-../shared/corpora/languages}
build=build/bench
if [ ! -f "$workload/workload.txt" ]; then
  echo "languages: there is no $workload/workload.txt; skipped" >&2
  exit 0
fi
"$build/bench_languages" --small
words=$workload/words/h100k.txt
shuf --random-source="$words" "$words" >"$build/shuffled.txt"
for file in "$words" "$build/shuffled.txt"; do "$build/bench_languages" --words "$file"; done
"$build/bench_languages" "$workload" >"$build/languages.nacre"
jar=/usr/share/java/automaton.jar
mkdir -p "$build/brics"
javac -cp "$jar" -d "$build/brics" bench/Brics*.java
java -Xss64m -Xmx2g -cp "$jar:$build/brics" BricsLanguages "$workload" >"$build/languages.brics"
python3 bench/compare_languages.py "$build/languages.nacre" "$build/languages.brics"
