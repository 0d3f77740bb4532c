# expect: line 41, dial('00')
"""Phone numbers as people write them."""
import string
from typing import Literal, Union

from nacre_types import lang

Digits = lang(r"[0-9]+")
International = lang(r"\+[1-9][0-9]{0,2} [0-9]+(-[0-9]+)*")
National = lang(r"0[0-9]+(-[0-9]+)*")
Dialled = lang(r"00[0-9]+|0[1-9][0-9]*")
Style = Literal["dash", "space"]
Phone = Union[International, National]

LETTERS = {"a": "2", "b": "2", "c": "2", "d": "3", "e": "3", "f": "3"}


def country_code(number: International) -> Digits:
    return number[1: number.index(" ")]


def local_part(number: International) -> lang(r"[0-9]+(-[0-9]+)*"):
    _, _, rest = number.partition(" ")
    return rest


def groups(number: National) -> list[Digits]:
    return number.split("-")


def styled(number: National, style: Style = "dash") -> str:
    separator = {"dash": "-", "space": " "}[style]
    return separator.join(groups(number))


def dial(number: Phone) -> Dialled:
    digits = "".join(c for c in number if c in string.digits)
    if number.startswith("+"):
        return "00" + digits
    assert number[0] == "0"
    return "0" + digits.lstrip("0")


def from_word(word: lang(r"[a-f]+")) -> Digits:
    return "".join(LETTERS[c] for c in word)


def is_mobile(number: International) -> bool:
    return country_code(number) == "49" and local_part(number).startswith("1")


if __name__ == "__main__":
    print(country_code("+49 30-123"), styled("030-123", "space"), from_word("cafe"))
