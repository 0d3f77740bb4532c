# expect: ok
"""Number plates of cars."""
import re
from typing import Literal, NewType

from nacre_types import lang

District = lang(r"[A-Z]{1,3}")
Plate = lang(r"[A-Z]{1,3}-[A-Z]{1,2} [1-9][0-9]{0,3}E?")
Kind = Literal["electric", "other"]
OwnerId = NewType("OwnerId", int)

_PLATE = re.compile(r"([A-Z]{1,3})-([A-Z]{1,2}) ([1-9][0-9]{0,3})(E?)")


def district(plate: Plate) -> District:
    m = _PLATE.fullmatch(plate)
    assert m is not None
    return m[1]


def kind(plate: Plate) -> Kind:
    m = _PLATE.fullmatch(plate)
    assert m
    return "electric" if m.group(4) else "other"


def number(plate: Plate) -> int:
    value = int(plate.split(" ")[1].rstrip("E"))
    assert 1 <= value <= 9999
    return value


def normalise(text: str) -> Plate:
    candidate = " ".join(text.upper().split())
    if not isinstance(candidate, Plate):
        raise ValueError("no plate: " + text)
    return candidate


def owners(plates: list[Plate]) -> dict[Plate, OwnerId]:
    table: dict[Plate, OwnerId] = {}
    for i, plate in enumerate(plates):
        table[plate] = OwnerId(i + 1)
    return table


if __name__ == "__main__":
    print(district("B-XY 12E"), kind("B-XY 12E"), number("HH-A 7"), normalise("hh-a  7"))
