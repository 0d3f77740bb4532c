#!/bin/sh
# Python without language types: no crash, and no finding but certain ones. Run by `./dev bench library`.
set -eu
python3 bench/library.py build/bench/nacre "${1:-build/python-packages}"
