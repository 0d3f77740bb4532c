"""A loop that reads a string letter by letter. Nothing but the type of the input is declared."""

from nacre_types import *

type Input = lang(r'a*')


def a_star(s: Input):
    i = 0
    while i < len(s):
        assert s[i] == "a"
        i += 1
