#!/bin/sh
# The cards of Debian's helpers against the helpers themselves, in a root directory of their own: ./dev bench helpers ROOT [--show]
set -eu
exec python3 bench/helpers.py build/bench/nacre "$@"
