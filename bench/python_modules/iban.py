# expect: ok
"""International bank account numbers."""
from typing import Final, NewType

from nacre_types import lang

Compact = lang(r"[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}")
Country = lang(r"[A-Z]{2}")
Printed = lang(r"[A-Z]{2}[0-9]{2}( [A-Z0-9]{1,4})+")
Checksum = NewType("Checksum", int)

LENGTHS: Final[dict[str, int]] = {"DE": 22, "FR": 27, "NL": 18}


class BadNumber(ValueError):
    pass


def country(iban: Compact) -> Country:
    return iban[:2]


def digits_of(iban: Compact) -> lang(r"[0-9]+"):
    moved = iban[4:] + iban[:4]
    out = ""
    for letter in moved:
        if letter.isdigit():
            out += letter
        else:
            out += str(ord(letter) - ord("A") + 10)
    return out


def checksum(iban: Compact) -> Checksum:
    value = 0
    for digit in digits_of(iban):
        value = (value * 10 + int(digit)) % 97
    return Checksum(value)


def validate(text: str) -> Compact:
    stripped = text.replace(" ", "").upper()
    if not isinstance(stripped, Compact):
        raise BadNumber(text)
    if len(stripped) != LENGTHS.get(stripped[:2], len(stripped)):
        raise BadNumber(f"wrong length for {country(stripped)}")
    return stripped


def printed(iban: Compact) -> Printed:
    groups = [iban[i:i + 4] for i in range(0, len(iban), 4)]
    return " ".join(groups)


def is_valid(text: str) -> bool:
    try:
        return checksum(validate(text)) == 1
    except BadNumber:
        return False


if __name__ == "__main__":
    print(is_valid("DE89 3704 0044 0532 0130 00"), printed("DE89370400440532013000"))
