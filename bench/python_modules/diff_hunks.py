# expect: line 24, old_side('@@ -0 +0 @@')
"""Headers of unified diffs: @@ -12,3 +14,5 @@."""
import re
from dataclasses import dataclass
from nacre_types import lang

Header = lang(r"@@ -[0-9]+(,[0-9]+)? \+[0-9]+(,[0-9]+)? @@")
Count = lang(r"[0-9]+")
HUNK = re.compile(r"@@ -([0-9]+)(?:,([0-9]+))? \+([0-9]+)(?:,([0-9]+))? @@")


@dataclass
class Side:
    start: Count
    count: Count = "1"

    def __str__(self) -> lang(r"[0-9]+,[0-9]+"):
        return f"{self.start},{self.count}"


def old_side(header: Header) -> Side:
    m = HUNK.match(header)
    assert m
    return Side(m.group(1), m.group(2))


def new_side(header: Header) -> Side:
    m = HUNK.match(header)
    assert m
    start, count = m.group(3, 4)
    return Side(start, count if count is not None else "1")


def rebuilt(old: Side, new: Side) -> Header:
    return f"@@ -{old} +{new} @@"


def added(header: Header) -> int:
    return int(new_side(header).count) - int(old_side(header).count)


if __name__ == "__main__":
    print(added("@@ -1 +1,2 @@"), rebuilt(Side("1"), Side("2", "3")))
