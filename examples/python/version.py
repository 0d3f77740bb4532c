"""Substrings: the type of the result is checked, and would be inferred without the annotation."""

from nacre_types import *


def extract_minor(s: lang(r'[0-9]+\.[0-9]+\.[0-9]+')) -> lang(r'[0-9]+'):
    i1 = s.index('.') + 1
    show_type(s[i1:])
    i2 = s.index('.', i1)
    return s[i1:i2]
