# expect: ok
"""Lines of a hexadecimal dump: 00000010  48 65 6c 6c 6f  |Hello|."""
from collections.abc import Iterable, Iterator

from nacre_types import lang

Offset = lang(r"[0-9a-f]{8}")
Pair = lang(r"[0-9a-f]{2}")
Line = lang(r"[0-9a-f]{8}  [0-9a-f]{2}( [0-9a-f]{2})*  \|[ -~]*\|")
Printable = lang(r"[ -~]*")

WIDTH = 16


def pair(value: int) -> Pair:
    if not 0 <= value <= 255:
        raise ValueError(f"not a byte: {value}")
    return f"{value:02x}"


def printable(values: list[int]) -> Printable:
    return "".join(chr(v) if 32 <= v < 127 else "." for v in values)


def line(offset: int, first: int, rest: list[int]) -> Line:
    if not 0 <= offset < 2**32:
        raise ValueError("the offset does not fit")
    pairs = [pair(first)] + [pair(v) for v in rest]
    return f"{offset:08x}  {' '.join(pairs)}  |{printable([first, *rest])}|"


def offset_of(text: Line) -> Offset:
    return text[:8]


def bytes_of(text: Line) -> list[int]:
    middle = text[10: text.index("  |")]
    return [int(each, 16) for each in middle.split(" ")]


def dump(values: list[int]) -> Iterator[Line]:
    for begin in range(0, len(values), WIDTH):
        chunk = values[begin: begin + WIDTH]
        if chunk:
            yield line(begin, chunk[0], chunk[1:])


def width(lines: Iterable[Line]) -> int:
    return max((len(each) for each in lines), default=0)


if __name__ == "__main__":
    for each in dump(list(b"Hello, world")):
        print(each)
