# expect: line 25, hemisphere('0.0')
"""Latitudes with a letter: 52.5N, and with a sign: -33.9."""
import re

from nacre_types import lang

Signed = lang(r"-?[0-9]{1,2}\.[0-9]")
Lettered = lang(r"[0-9]{1,2}\.[0-9][NS]")


def to_lettered(value: Signed) -> Lettered:
    if value.startswith("-"):
        return value[1:] + "S"
    return value + "N"


def to_signed(value: Lettered) -> Signed:
    number, letter = value[:-1], value[-1]
    return number if letter == "N" else "-" + number


def hemisphere(value: Signed) -> lang(r"[NS]"):
    m = re.match(r"-", value)
    # A match object has a group; None has not.
    return "S" if m.group(0) == "-" else "N"


def degrees(value: Lettered) -> int:
    return int(value[: value.index(".")])


def is_north(value: Lettered) -> bool:
    return value[-1] == "N"


if __name__ == "__main__":
    print(to_lettered("-33.9"), to_signed("52.5N"), degrees("52.5N"), is_north("52.5N"))
