# expect: ok
"""Headings and items of a changelog."""
from __future__ import annotations

import re
from dataclasses import dataclass

from nacre_types import lang

Version = lang(r"[0-9]+\.[0-9]+\.[0-9]+")
Heading = lang(r"## [0-9]+\.[0-9]+\.[0-9]+ - [0-9]{4}-[0-9]{2}-[0-9]{2}")
Item = lang(r"- [^\n]+")
Line = lang(r"## [0-9]+\.[0-9]+\.[0-9]+ - [0-9]{4}-[0-9]{2}-[0-9]{2}|- [^\n]+|")

HEADING = re.compile(r"## (?P<version>[0-9.]+) - (?P<date>[0-9-]+)")


@dataclass(order=True)
class Release:
    version: Version
    date: lang(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
    items: list[str]

    @property
    def key(self) -> tuple[int, ...]:
        return tuple(int(part) for part in self.version.split("."))

    def heading(self) -> Heading:
        return "## %s - %s" % (self.version, self.date)


def version_of(heading: Heading) -> Version:
    match HEADING.fullmatch(heading):
        case None:
            raise AssertionError("unreachable")
        case found:
            return heading.split(" ")[1]


def text_of(item: Item) -> lang(r"[^\n]+"):
    return item.removeprefix("- ")


def read(lines: list[Line]) -> list[Release]:
    releases: list[Release] = []
    for line in lines:
        if line.startswith("## "):
            _, version, _, date = line.split(" ")
            releases.append(Release(version, date, []))
        elif line and releases:
            releases[-1].items.append(text_of(line))
    return releases


def newest(releases: list[Release]) -> Release | None:
    return max(releases, key=lambda release: release.key, default=None)


if __name__ == "__main__":
    found = read(["## 1.2.0 - 2024-05-01", "- first", "", "## 1.10.0 - 2024-06-01"])
    top = newest(found)
    print(top.heading() if top else "none", version_of("## 1.0.0 - 2024-01-01"))
