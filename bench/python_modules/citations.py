# expect: line 22, page('Knuth 1974')
"""Citations: author, year, and a page that may be missing."""
import re

from nacre_types import lang

Author = lang(r"[A-Z][a-z]+")
Year = lang(r"[12][0-9]{3}")
Citation = lang(r"[A-Z][a-z]+ [12][0-9]{3}(, p\. [0-9]+)?")

_CITATION = re.compile(r"([A-Z][a-z]+) ([0-9]{4})(?:, p\. ([0-9]+))?")


def author(c: Citation) -> Author:
    return c.split(" ")[0]


def page(c: Citation) -> int:
    m = _CITATION.fullmatch(c)
    if m is None:
        return 0
    return len(m.group(3))


def year(c: Citation) -> Year:
    m = _CITATION.match(c)
    assert m is not None
    return m.group(2)


def key(c: Citation) -> lang(r"[a-z]+[0-9]{2}"):
    return author(c).lower() + year(c)[2:]


def bibliography(citations: list[Citation]) -> list[str]:
    return sorted({key(c) for c in citations})


if __name__ == "__main__":
    print(bibliography(["Knuth 1974, p. 12", "Hoare 1969, p. 3"]))
