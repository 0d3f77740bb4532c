# expect: line 38, period('quarter-0')
"""Names of report files: monthly-2024-03.pdf, quarter-2.pdf."""
import re
from enum import Enum
from pathlib import Path

from nacre_types import lang

Stem = lang(r"(monthly|weekly|quarter)-[0-9]+(-[0-9]{2})?")
FileName = lang(r"(monthly|weekly|quarter)-[0-9]+(-[0-9]{2})?\.(pdf|csv)")
Extension = lang(r"\.(pdf|csv)")


class Kind(Enum):
    MONTHLY = "monthly"
    WEEKLY = "weekly"
    QUARTER = "quarter"


STEM = re.compile(r"(?P<kind>[a-z]+)-(?P<year>[0-9]+)(?:-(?P<part>[0-9]{2}))?")


def stem(name: FileName) -> Stem:
    return name[: name.rindex(".")]


def extension(name: FileName) -> Extension:
    return name[name.rindex("."):]


def kind(name: Stem) -> Kind:
    return Kind(name.split("-")[0])


def period(name: Stem) -> lang(r"[0-9]{2}"):
    m = STEM.fullmatch(name)
    assert m is not None
    return m.group("part")


def year(name: Stem) -> int:
    m = STEM.fullmatch(name)
    return int(m["year"]) if m else 0


def target(folder: Path, name: FileName) -> Path:
    return folder / str(year(stem(name))) / name


def pdf_of(name: Stem) -> FileName:
    return name + ".pdf"


if __name__ == "__main__":
    print(target(Path("out"), "monthly-2024-03.pdf"), pdf_of("weekly-2024-07"), kind("quarter-2"))
