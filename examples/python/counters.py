"""Counters: that `ca` or `cb` equals `i` depends on which letters were seen. No invariant is given."""

from nacre_types import *

type Input = lang(r'a*|b*')


def f401(s: Input):
    i = 0
    ca = 0
    cb = 0
    while i < len(s):
        if s[i] == "a":
            ca += 1
        if s[i] == "b":
            cb += 1
        i += 1
    assert ca == len(s) or cb == len(s)
