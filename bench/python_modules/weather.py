# expect: line 29, strongest('00000KT')
"""METAR wind groups: 24015G25KT."""
import re
from typing import Optional
from nacre_types import lang

Wind = lang(r"([0-3][0-9]0|VRB)[0-9]{2}(G[0-9]{2})?KT")
Digits2 = lang(r"[0-9]{2}")

WIND = re.compile(r"(?P<dir>[0-3][0-9]0|VRB)(?P<speed>[0-9]{2})(G(?P<gust>[0-9]{2}))?KT")


def speed(w: Wind) -> Digits2:
    m = WIND.fullmatch(w)
    assert m is not None
    return m.group("speed")


def gust(w: Wind) -> Optional[Digits2]:
    m = WIND.fullmatch(w)
    if m is None:
        return None
    return m["gust"]


def strongest(w: Wind) -> int:
    g = gust(w)
    base = int(speed(w))
    return max(base, int(g))


def direction(w: Wind) -> int:
    d = w[:3]
    if d == "VRB":
        return -1
    return int(d)


def report(groups: list[Wind]) -> str:
    return ", ".join(f"{direction(g)}/{strongest(g)}" for g in groups)


if __name__ == "__main__":
    print(report(["24015G25KT", "VRB03KT"]))
