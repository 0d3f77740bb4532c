# expect: line 33, Frame('0-').total()
"""Bowling frames: '7/', 'X', '35', '0-'."""
from __future__ import annotations

from functools import cached_property
from typing import Iterable

from nacre_types import lang

Throw = lang(r"[0-9X/-]")
FrameText = lang(r"X|[0-9-]/|[0-9-][0-9-]")
Sheet = lang(r"(X|[0-9-]/|[0-9-][0-9-])( (X|[0-9-]/|[0-9-][0-9-]))*")


class Frame:
    def __init__(self, text: FrameText) -> None:
        self.text = text

    @cached_property
    def is_strike(self) -> bool:
        return self.text == "X"

    @property
    def is_spare(self) -> bool:
        return self.text.endswith("/")

    def throws(self) -> list[Throw]:
        return list(self.text)

    def total(self) -> int:
        if self.is_strike or self.is_spare:
            return 10
        return sum(int(pins) for pins in self.text)

    def __repr__(self) -> str:
        return f"Frame({self.text!r})"


def frames(sheet: Sheet) -> list[Frame]:
    return [Frame(part) for part in sheet.split(" ")]


def strikes(sheet: Sheet) -> int:
    return sheet.count("X")


def best(sheets: Iterable[Sheet]) -> int:
    return max((strikes(sheet) for sheet in sheets), default=0)


print(frames("X 7/ 35"), best(["X X", "35"]))
