# expect: ok
"""Cues of SubRip subtitles."""
from __future__ import annotations

import re
from dataclasses import dataclass

from nacre_types import lang

Stamp = lang(r"[0-9]{2}:[0-5][0-9]:[0-5][0-9],[0-9]{3}")
Range = lang(r"[0-9]{2}:[0-5][0-9]:[0-5][0-9],[0-9]{3} --> [0-9]{2}:[0-5][0-9]:[0-5][0-9],[0-9]{3}")

STAMP = re.compile(r"(\d\d):(\d\d):(\d\d),(\d{3})")


def millis(stamp: Stamp) -> int:
    m = STAMP.fullmatch(stamp)
    assert m is not None
    hours, minutes, seconds, rest = (int(part) for part in m.groups())
    return ((hours * 60 + minutes) * 60 + seconds) * 1000 + rest


def stamp(value: int) -> Stamp:
    value = max(0, min(value, 359_999_999))
    seconds, rest = divmod(value, 1000)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours:02d}:{minutes:02d}:{seconds:02d},{rest:03d}"


@dataclass(frozen=True)
class Cue:
    begin: Stamp
    end: Stamp
    text: str = ""

    @classmethod
    def of(cls, line: Range, text: str) -> Cue:
        begin, _, end = line.partition(" --> ")
        return cls(begin, end, text)

    def header(self) -> Range:
        return f"{self.begin} --> {self.end}"

    def shifted(self, delta: int) -> Cue:
        return Cue(stamp(millis(self.begin) + delta), stamp(millis(self.end) + delta), self.text)


def render(cues: list[Cue]) -> str:
    lines: list[str] = []
    for number, cue in enumerate(cues, 1):
        lines.append(str(number))
        lines.append(cue.header())
        lines.extend(cue.text.splitlines())
        lines.append("")
    return "\n".join(lines)


if __name__ == "__main__":
    first = Cue.of("00:00:01,000 --> 00:00:02,500", "Hello")
    print(render([first, first.shifted(1500)]))
