# expect: line 32, smaller('1x1')
"""Screen modes: 1920x1080, 1280x720@60."""
import re
from typing import Optional

from nacre_types import lang

Side = lang(r"[1-9][0-9]*")
Size = lang(r"[1-9][0-9]*x[1-9][0-9]*")
Mode = lang(r"[1-9][0-9]*x[1-9][0-9]*(@[1-9][0-9]*)?")

MODE = re.compile(r"(\d+)x(\d+)(?:@(\d+))?")


def width(mode: Mode) -> Side:
    return mode.split("x")[0]


def rate(mode: Mode) -> Optional[int]:
    m = MODE.fullmatch(mode)
    if m is None or m.group(3) is None:
        return None
    return int(m.group(3))


def size(mode: Mode) -> Size:
    return mode.partition("@")[0]


def smaller(mode: Size) -> Size:
    horizontal, vertical = map(int, mode.split("x"))
    return f"{horizontal // 2}x{vertical // 2}"


def larger(mode: Size, factor: int = 2) -> Size:
    w, h = mode.split("x")
    factor = max(1, factor)
    return f"{int(w) * factor}x{int(h) * factor}"


def with_rate(mode: Mode, hertz: int) -> Mode:
    if hertz < 1:
        raise ValueError("the rate must be positive")
    return f"{size(mode)}@{hertz}"


def common(modes: list[Mode]) -> set[Size]:
    return {size(mode) for mode in modes}


if __name__ == "__main__":
    print(with_rate("1280x720", 60), rate("1280x720@75"), common(["640x480", "640x480@60"]))
