# expect: line 26, Image('0').reference()
"""References to container images."""
from dataclasses import dataclass
from typing import Optional

from nacre_types import lang

Repository = lang(r"[a-z0-9]+(/[a-z0-9]+)*")
Tag = lang(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")
Reference = lang(r"[a-z0-9]+(/[a-z0-9]+)*:[A-Za-z0-9_][A-Za-z0-9_.-]*")


@dataclass
class Image:
    repository: Repository
    tag: Optional[Tag] = None

    @property
    def name(self) -> lang(r"[a-z0-9]+"):
        return self.repository.split("/")[-1]

    def with_tag(self, tag: Tag) -> "Image":
        return Image(self.repository, tag)

    def reference(self) -> Reference:
        return f"{self.repository}:{self.tag or ''}"


def parse(reference: Reference) -> Image:
    repository, tag = reference.split(":")
    return Image(repository, tag)


def is_pinned(reference: Reference) -> bool:
    return not reference.endswith(":latest")


if __name__ == "__main__":
    print(parse("library/debian:12").name, Image("debian", "12").reference())
