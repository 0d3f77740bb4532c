# expect: line 25, clock(5)
"""Durations in playlists: #EXTINF:215,Artist - Title."""
from typing import NewType, Optional
from nacre_types import lang

ExtInf = lang(r"#EXTINF:[0-9]+,[^\n]*")
Clock = lang(r"[0-9]+:[0-5][0-9]")
Track = NewType("Track", str)


def seconds(line: ExtInf) -> int:
    begin = line.index(":") + 1
    end = line.index(",", begin)
    return int(line[begin:end])


def title(line: ExtInf) -> Track:
    return Track(line.split(",", 1)[1])


def clock(n: int) -> Clock:
    if n < 0:
        raise ValueError("negative")
    minutes, rest = divmod(n, 60)
    return "%d:%d" % (minutes, rest)


def artist(line: ExtInf) -> Optional[str]:
    name, dash, _ = title(line).partition(" - ")
    return name if dash else None


def summary(lines: list[ExtInf]) -> list[str]:
    return [f"{title(line):<20} {clock(seconds(line)):>6}" for line in lines]


def shout(line: ExtInf) -> str:
    who = artist(line)
    return who.upper() if who else "UNKNOWN"


for row in summary(["#EXTINF:215,Artist - Title"]):
    print(row)
