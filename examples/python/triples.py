"""Three letters at a time: what is left of the string is of the type of the whole at each round."""

from nacre_types import *

type Input = lang(r'(a[^ab]b)*')


def f451(s: Input):
    i = 0
    while i < len(s):
        a, x, b = s[i:i+3]
        assert a == "a"
        assert b == "b"
        assert x != "a" and x != "b"
        i += 3
