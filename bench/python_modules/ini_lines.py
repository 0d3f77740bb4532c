# expect: line 28, option('a =')
"""Lines of an .ini file: sections, settings, comments."""
from collections.abc import Iterator
from dataclasses import dataclass
from nacre_types import lang

Section = lang(r"\[[a-z]+\]")
Setting = lang(r"[a-z_]+ *= *[^\n]*")
Name = lang(r"[a-z_]+")
SectionName = lang(r"[a-z]+")


@dataclass(frozen=True)
class Option:
    name: Name
    value: str

    def render(self) -> Setting:
        return f"{self.name} = {self.value}" if "\n" not in self.value else f"{self.name} ="


def section_name(line: Section) -> SectionName:
    return line[1:-1]


def option(line: Setting) -> Option:
    name, _, value = line.partition("=")
    return Option(name, value.strip())


def options(lines: list[Setting]) -> Iterator[Option]:
    for line in lines:
        yield option(line)


def table(lines: list[Setting]) -> dict[Name, str]:
    return {one.name: one.value for one in options(lines)}


if __name__ == "__main__":
    print(table(["port = 80", "host=example"]), section_name("[main]"))
