# expect: ok
"""Command line words: --name=value, -v, plain."""
import shlex
import sys
from typing import Sequence

from nacre_types import lang

Long = lang(r"--[a-z][a-z-]*(=.*)?")
Short = lang(r"-[a-zA-Z]+")
OptionName = lang(r"[a-z][a-z-]*")
Assignment = lang(r"[A-Z_]+=.*")


def long_name(word: Long) -> OptionName:
    name, _, _ = word[2:].partition("=")
    return name


def long_value(word: Long) -> str | None:
    _, equals, value = word.partition("=")
    return value if equals else None


def letters(word: Short) -> list[lang(r"[a-zA-Z]")]:
    return [letter for letter in word[1:]]


def variable(word: Assignment) -> lang(r"[A-Z_]+"):
    return word[: word.index("=")]


class Parsed:
    def __init__(self) -> None:
        self.options: dict[OptionName, str] = {}
        self.flags: set[str] = set()
        self.rest: list[str] = []

    def feed(self, words: Sequence[str]) -> None:
        for at, word in enumerate(words):
            if word == "--":
                self.rest.extend(words[at + 1:])
                return
            if isinstance(word, Long):
                self.options[long_name(word)] = long_value(word) or ""
            elif isinstance(word, Short):
                self.flags.update(letters(word))
            else:
                self.rest.append(word)


def show(words: Sequence[str]) -> str:
    return " ".join(shlex.quote(word) for word in words)


def main() -> int:
    parsed = Parsed()
    parsed.feed(sys.argv[1:])
    if not parsed.rest:
        print("nothing to do", file=sys.stderr)
        return 2
    print(show(parsed.rest), sorted(parsed.flags))
    return 0


if __name__ == "__main__":
    sys.exit(main())
