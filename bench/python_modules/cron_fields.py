# expect: line 30, minutes('*/5')
"""The minute field of a crontab: a star, steps, numbers and ranges."""
from nacre_types import lang

Number = lang(r"[0-5]?[0-9]")
Range = lang(r"[0-5]?[0-9]-[0-5]?[0-9]")
Field = lang(r"\*|\*/[1-9][0-9]?|[0-5]?[0-9]|[0-5]?[0-9]-[0-5]?[0-9]")


def bounds(r: Range) -> tuple[int, int]:
    low, high = r.split("-")
    return int(low), int(high)


def is_range(field: Field) -> bool:
    return "-" in field


def expand(r: Range) -> list[int]:
    low, high = bounds(r)
    return list(range(low, high + 1))


def minutes(field: Field) -> list[int]:
    if field == "*":
        return list(range(60))
    if is_range(field):
        return expand(field)
    # Steps were added to the type later.
    return [int(field)]


def label(field: Field) -> str:
    return "every minute" if field == "*" else "at " + field


if __name__ == "__main__":
    print(minutes("*"), minutes("5-9"), label("7"))
