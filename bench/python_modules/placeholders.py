# expect: line 36, fill('{}', {})
"""Templates with {name} placeholders."""
from typing import Callable

from nacre_types import lang

Name = lang(r"[a-z]+")
Template = lang(r"([^{}]|\{[a-z]*\})*")
Plain = lang(r"[^{}]*")


def escape(text: Plain) -> Template:
    return text


def names(template: Template) -> list[str]:
    found: list[str] = []
    rest = template
    while "{" in rest:
        before, _, rest = rest.partition("{")
        name, _, rest = rest.partition("}")
        found.append(name)
    return found


def lookup(values: dict[Name, Plain], name: Name) -> Plain:
    return values.get(name, "?")


def fill(template: Template, values: dict[Name, Plain]) -> Plain:
    out = ""
    at = 0
    while at < len(template):
        if template[at] == "{":
            end = template.index("}", at)
            out += lookup(values, template[at + 1: end])
            at = end + 1
        else:
            out += template[at]
            at += 1
    return out


def apply(template: Template, transform: Callable[[str], str]) -> list[str]:
    return [transform(name) for name in names(template)]


def is_static(template: Template) -> bool:
    return not names(template)


if __name__ == "__main__":
    print(fill("Dear {name},", {"name": "Ann"}), apply("{a} {b}", str.upper))
