# expect: ok
"""Page ranges: 12-17, or a single page."""
from nacre_types import lang

Page = lang(r"[1-9][0-9]{0,3}")
Range = lang(r"[1-9][0-9]{0,3}(-[1-9][0-9]{0,3})?")
RangeList = lang(r"[1-9][0-9]{0,3}(-[1-9][0-9]{0,3})?(,[1-9][0-9]{0,3}(-[1-9][0-9]{0,3})?)*")


def first(r: Range) -> Page:
    return r.partition("-")[0]


def last(r: Range) -> Page:
    head, dash, tail = r.partition("-")
    return tail if dash else head


def pages(r: Range) -> list[int]:
    return list(range(int(first(r)), int(last(r)) + 1))


def parsed(text: RangeList) -> list[Range]:
    return text.split(",")


def flatten(text: RangeList) -> set[int]:
    every: set[int] = set()
    for part in parsed(text):
        every.update(pages(part))
    return every


def shown(low: int, high: int) -> Range:
    if not 1 <= low <= high <= 9999:
        raise ValueError("no such pages")
    return str(low) if low == high else f"{low}-{high}"


print(sorted(flatten("1-3,7")), shown(3, 9))
