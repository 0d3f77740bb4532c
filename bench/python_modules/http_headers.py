# expect: ok
"""HTTP header fields."""
from __future__ import annotations

from typing import Iterator, Optional

from nacre_types import lang

Token = lang(r"[A-Za-z0-9-]+")
FieldValue = lang(r"[!-~]([ -~]*[!-~])?|")
HeaderLine = lang(r"[A-Za-z0-9-]+: ([!-~]([ -~]*[!-~])?)?")
Folded = lang(r"[a-z0-9-]+")


class Headers:
    def __init__(self) -> None:
        self._fields: dict[Folded, FieldValue] = {}
        self.count = 0

    def set(self, name: Token, value: FieldValue) -> None:
        self._fields[name.lower()] = value
        self.count += 1

    def get(self, name: Token) -> Optional[FieldValue]:
        return self._fields.get(name.lower())

    @property
    def names(self) -> list[Folded]:
        return sorted(self._fields)

    def lines(self) -> Iterator[HeaderLine]:
        for name, value in self._fields.items():
            yield name + ": " + value


def name_of(line: HeaderLine) -> Token:
    return line[: line.index(":")]


def value_of(line: HeaderLine) -> FieldValue:
    return line.split(": ", 1)[1]


def parse(text: str) -> Headers:
    headers = Headers()
    for line in text.splitlines():
        if isinstance(line, HeaderLine):
            headers.set(name_of(line), value_of(line))
    return headers


if __name__ == "__main__":
    found = parse("Host: example.org\nAccept: */*\n")
    print(found.names, found.get("Host"), list(found.lines()))
