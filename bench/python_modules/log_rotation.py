# expect: ok
"""Names of rotated logs: app.log, app.log.1, app.log.2.gz, and dated ones."""
import datetime
import re

from nacre_types import lang

Base = lang(r"[a-z]+\.log")
Rotated = lang(r"[a-z]+\.log(\.[1-9][0-9]*(\.gz)?)?")
Dated = lang(r"[a-z]+-[0-9]{8}\.log")
Day = lang(r"[0-9]{8}")

ROTATED = re.compile(r"([a-z]+\.log)(?:\.([1-9][0-9]*)(\.gz)?)?")


def base(name: Rotated) -> Base:
    m = ROTATED.fullmatch(name)
    assert m
    return m.group(1)


def generation(name: Rotated) -> int:
    m = ROTATED.fullmatch(name)
    assert m
    number = m.group(2)
    return int(number) if number is not None else 0


def is_packed(name: Rotated) -> bool:
    return name.endswith(".gz")


def following(name: Rotated) -> Rotated:
    suffix = ".gz" if is_packed(name) else ""
    return f"{base(name)}.{generation(name) + 1}{suffix}"


def dated(name: Base, day: Day) -> Dated:
    return name.removesuffix(".log") + "-" + day + ".log"


def day_of(name: Dated) -> Day:
    begin = name.rindex("-") + 1
    return name[begin: begin + 8]


def today() -> str:
    return datetime.date.today().strftime("%Y%m%d")


def order(names: list[Rotated]) -> list[Rotated]:
    return sorted(names, key=generation, reverse=True)


def main(argv: list[str]) -> int:
    kept = [name for name in argv if isinstance(name, Rotated)]
    for name in order(kept):
        print(name, "->", following(name))
    return 0


if __name__ == "__main__":
    import sys

    sys.exit(main(sys.argv[1:]))
