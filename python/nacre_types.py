"""Language types for programs that Nacre checks, so that they also run under plain Python.

    from nacre_types import *

    type Version = lang(r'[0-9]+\\.[0-9]+')

    def major(v: Version) -> lang(r'[0-9]+'):
        return v[:v.index('.')]

    def read(text: str) -> Version:
        return Version.parse(text)  # or ValueError

`nacre check` proves such types before anything runs; this module only gives the names a meaning at
run time. Needs Python 3.8; `type X = ...` itself needs 3.12 (`X: TypeAlias = ...` works in all).
"""

import builtins
import re
import sys

__all__ = ["lang", "inv", "show_type", "isinstance"]


class _Language(type):
    """The type of language types: their instances are the strings that match."""

    def __instancecheck__(cls, value):
        return builtins.isinstance(value, str) and cls.regex.fullmatch(value) is not None

    def parse(cls, value):
        """`value` itself, or ValueError if it is no string of this type."""
        if not builtins.isinstance(value, cls):
            raise ValueError("%r is not in %r" % (value, cls))
        return value

    def __repr__(cls):
        return "lang(%r)" % cls.regex.pattern


def lang(pattern):
    """The strings that `pattern` matches from end to end; `.` matches every character, {Name} what the alias Name does."""
    names = sys._getframe(1)  # pylint: disable=protected-access

    def expand(braces):
        kind = names.f_locals.get(braces[1], names.f_globals.get(braces[1]))
        kind = getattr(kind, "__value__", kind)
        return "(?:%s)" % kind.regex.pattern if builtins.isinstance(kind, _Language) else braces[0]

    return _Language("lang", (), {"regex": re.compile(re.sub(r"\{([^\W\d]\w*)\}", expand, pattern), re.DOTALL)})


def inv(*conditions):
    """A loop invariant, checked here each time the loop body begins."""
    for condition in conditions:
        assert condition, "the invariant does not hold"


def show_type(value):
    """Asks `nacre check` for the type of an expression; does nothing at run time."""


def isinstance(value, types):  # pylint: disable=redefined-builtin
    """As the builtin, and also for aliases made by `type X = lang(...)`."""
    types = types if builtins.isinstance(types, tuple) else (types,)
    return any(builtins.isinstance(value, getattr(kind, "__value__", kind)) for kind in types)
