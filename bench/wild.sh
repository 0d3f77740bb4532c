#!/bin/sh
# Findings on projects that the rules were not made with: ./dev bench wild [--sample N] [--seed S] [--peer]
set -eu
python3 bench/wild.py build/bench/nacre "$@"
