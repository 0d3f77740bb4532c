# expect: ok
"""Locale tags: en, pt_BR, sr_Latn_RS.UTF-8."""
import os
from typing import NamedTuple, Optional

from nacre_types import lang

Language = lang(r"[a-z]{2,3}")
Territory = lang(r"[A-Z]{2}")
Script = lang(r"[A-Z][a-z]{3}")
Tag = lang(r"[a-z]{2,3}(_[A-Z][a-z]{3})?(_[A-Z]{2})?(\.[A-Za-z0-9-]+)?")
Bcp47 = lang(r"[a-z]{2,3}(-[A-Z][a-z]{3})?(-[A-Z]{2})?")


class Locale(NamedTuple):
    language: Language
    script: Optional[Script]
    territory: Optional[Territory]


def parse(tag: Tag) -> Locale:
    base = tag.split(".")[0]
    language, *rest = base.split("_")
    script: Optional[Script] = None
    territory: Optional[Territory] = None
    for part in rest:
        if len(part) == 4:
            script = part
        else:
            territory = part
    return Locale(language, script, territory)


def encoding(tag: Tag) -> str:
    return tag.split(".", 1)[1] if "." in tag else "ascii"


def to_bcp47(tag: Tag) -> Bcp47:
    return tag.partition(".")[0].replace("_", "-")


def fallbacks(tag: Tag) -> list[Tag]:
    base = tag.partition(".")[0]
    result = [base]
    while "_" in base:
        base = base.rpartition("_")[0]
        result.append(base)
    return result


def of_environment() -> Optional[Locale]:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        value = os.environ.get(name, "")
        if isinstance(value, Tag):
            return parse(value)
    return None


def main() -> None:
    for candidate in fallbacks("sr_Latn_RS.UTF-8"):
        print(candidate, to_bcp47(candidate))
    print(parse("pt_BR").territory, encoding("de_DE.UTF-8"))


if __name__ == "__main__":
    main()
