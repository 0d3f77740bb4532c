# expect: line 29, project_of('A-1')
"""Keys of an issue tracker: ABC-12, and commit messages that mention them."""
import re
from collections.abc import Iterator

from nacre_types import lang

Project = lang(r"[A-Z][A-Z]+")
Number = lang(r"[1-9][0-9]*")
Key = lang(r"[A-Z]+-[1-9][0-9]*")
Branch = lang(r"(feature|bugfix)/[A-Z]+-[1-9][0-9]*(-[a-z0-9]+)*")

MENTION = re.compile(r"[A-Z]+-[1-9][0-9]*")


def mentions(message: str) -> Iterator[Key]:
    for match in MENTION.finditer(message):
        yield match.group()


def slug(title: str) -> lang(r"(-[a-z0-9]+)*"):
    words = re.findall(r"[a-z0-9]+", title.lower())
    return "".join("-" + word for word in words[:6])


def project_of(key: Key) -> Project:
    project, _, _ = key.rpartition("-")
    assert project
    return project


def number_of(key: Key) -> Number:
    return key.split("-")[1]


def branch_for(key: Key, title: str, is_bug: bool = False) -> Branch:
    kind = "bugfix" if is_bug else "feature"
    return f"{kind}/{key}{slug(title)}"


def key_of(branch: Branch) -> Key:
    name = branch.split("/", 1)[1]
    first, second = name.split("-")[:2]
    return f"{first}-{second}"


def grouped(keys: list[Key]) -> dict[str, list[Key]]:
    table: dict[str, list[Key]] = {}
    for key in keys:
        table.setdefault(key[: key.index("-")], []).append(key)
    return table


print(branch_for("WEB-12", "Fix the login", True), list(mentions("WEB-12: done")))
