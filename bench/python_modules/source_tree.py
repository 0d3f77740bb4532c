# expect: ok
"""Where a module lies in a source tree."""
import os.path
import posixpath
from typing import Iterable, TypedDict

from nacre_types import lang

Identifier = lang(r"[a-z_][a-z0-9_]*")
Dotted = lang(r"[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)*")
SourcePath = lang(r"[a-z_][a-z0-9_]*(/[a-z_][a-z0-9_]*)*\.py")


class Entry(TypedDict):
    name: Dotted
    path: SourcePath


def to_path(module: Dotted) -> SourcePath:
    return module.replace(".", "/") + ".py"


def to_module(path: SourcePath) -> Dotted:
    stem, extension = posixpath.splitext(path)
    assert extension == ".py"
    return ".".join(stem.split("/"))


def package(module: Dotted) -> str:
    head, dot, _ = module.rpartition(".")
    return head if dot else ""


def last(module: Dotted) -> Identifier:
    return module.rsplit(".", 1)[-1]


def is_private(module: Dotted) -> bool:
    return any(part.startswith("_") for part in module.split("."))


def absolute(root: str, module: Dotted) -> str:
    return os.path.join(root, *to_path(module).split("/"))


def entries(paths: Iterable[SourcePath]) -> list[Entry]:
    return [{"name": to_module(path), "path": path} for path in paths if not is_private(to_module(path))]


def depth(module: Dotted) -> int:
    count = module.count(".")
    assert count >= 0
    return count + 1


if __name__ == "__main__":
    print(entries(["a/b.py", "a/_c.py"]), absolute("/srv", "a.b"), last("a.b.c"))
