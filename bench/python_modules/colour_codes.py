# expect: ok
"""Terminal colour sequences."""
from enum import IntEnum

from nacre_types import lang

Code = lang(r"\x1b\[[0-9]+(;[0-9]+)*m")
Hex = lang(r"#[0-9a-f]{6}")
Parameters = lang(r"[0-9]+(;[0-9]+)*")


class Colour(IntEnum):
    RED = 31
    GREEN = 32
    BLUE = 34


RESET: Code = "\x1b[0m"


def sequence(parameters: Parameters) -> Code:
    return "\x1b[" + parameters + "m"


def parameters_of(code: Code) -> Parameters:
    return code[2:-1]


def channel(value: lang(r"[0-9a-f]{2}")) -> int:
    number = int(value, 16)
    assert 0 <= number <= 255
    return number


def rgb(colour: Hex) -> tuple[int, int, int]:
    digits = colour.lstrip("#")
    return channel(digits[0:2]), channel(digits[2:4]), channel(digits[4:6])


def foreground(colour: Hex) -> Code:
    red, green, blue = rgb(colour)
    return sequence(f"38;2;{red};{green};{blue}")


def paint(text: str, colour: Hex, bold: bool = False) -> str:
    start = foreground(colour)
    if bold:
        start = sequence("1;" + parameters_of(start))
    return start + text + RESET


def simple(text: str, colour: Colour) -> str:
    return f"\x1b[{colour.value}m{text}{RESET}"


if __name__ == "__main__":
    print(repr(paint("x", "#ff8800", bold=True)), repr(simple("y", Colour.RED)))
