# expect: ok
"""Durations such as 1h30m, 45m or 2h."""
import re

from nacre_types import lang

Duration = lang(r"([1-9][0-9]?h)?([1-9][0-9]?m)?")
Clock = lang(r"[0-9]{2}:[0-9]{2}")

PATTERN = re.compile(r"(?:(?P<hours>[0-9]+)h)?(?:(?P<minutes>[0-9]+)m)?")


def to_minutes(text: Duration) -> int:
    m = PATTERN.fullmatch(text)
    assert m is not None
    hours = int(m.group("hours") or 0)
    minutes = int(m["minutes"]) if m["minutes"] else 0
    return 60 * hours + minutes


def clock(text: Duration) -> Clock:
    total = to_minutes(text)
    hours, minutes = divmod(total, 60)
    return "%02d:%02d" % (min(hours, 99), minutes)


def show(total: int) -> Duration:
    total = max(0, min(total, 99 * 60))
    out = ""
    if total >= 60:
        out += f"{total // 60}h"
    if total % 60:
        out += str(total % 60) + "m"
    return out


def longest(durations: list[Duration]) -> int:
    best = 0
    for d in durations:
        best = max(best, to_minutes(d))
    return best


if __name__ == "__main__":
    print(clock("1h30m"), show(150), longest(["5m", "2h"]))
