# expect: ok
"""Labels of cluster objects: prefix/name=value."""
from typing import Optional, TypedDict, Union

from nacre_types import lang

Name = lang(r"[a-z0-9]([a-z0-9.-]*[a-z0-9])?")
Label = lang(r"([a-z0-9.-]+/)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?=[a-z0-9]*")
Selector = lang(r"[^,=]+=[^,=]*(,[^,=]+=[^,=]*)*")


class Parts(TypedDict):
    name: str
    value: lang(r"[a-z0-9]*")


def split_label(label: Label) -> Parts:
    left, _, value = label.partition("=")
    return {"name": left, "value": value}


def prefix(label: Label) -> Optional[lang(r"[a-z0-9.-]+")]:
    left = label.split("=")[0]
    if "/" not in left:
        return None
    return left.split("/")[0]


def terms(selector: Selector) -> list[lang(r"[^,=]+=[^,=]*")]:
    return selector.split(",")


def render(name: Name, value: Union[int, bool]) -> Label:
    if isinstance(value, bool):
        return name + "=" + ("yes" if value else "no")
    return f"{name}={abs(value)}"


def describe(label: Label) -> str:
    owner = prefix(label)
    if owner is None:
        return "local"
    return "from " + owner.upper()


if __name__ == "__main__":
    print(split_label("app=web"), describe("example.org/app=web"), render("replicas", 3))
