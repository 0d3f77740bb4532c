# expect: ok
"""Colours: #rrggbb, channels and names."""
from typing import Final, NamedTuple

from nacre_types import lang

Hex = lang(r"#[0-9a-f]{6}")
ShortHex = lang(r"#[0-9a-f]{3}")
Channel = lang(r"[0-9a-f]{2}")

BLACK: Final = "#000000"
NAMES: dict[str, Hex] = {"black": BLACK, "white": "#ffffff", "red": "#ff0000"}


class Rgb(NamedTuple):
    red: int
    green: int
    blue: int

    def hex(self) -> Hex:
        return "#" + channel(self.red) + channel(self.green) + channel(self.blue)


def channel(value: int) -> Channel:
    value = min(max(value, 0), 255)
    return f"{value:02x}"


def parse(text: Hex) -> Rgb:
    return Rgb(int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16))


def widen(text: ShortHex) -> Hex:
    return "#" + "".join(c + c for c in text[1:])


def named(name: str) -> Hex:
    return NAMES.get(name.strip().lower(), BLACK)


def grey(level: int) -> Hex:
    return Rgb(level, level, level).hex()


print(widen("#fa0"), named(" Red "), grey(300), parse("#102030").hex())
