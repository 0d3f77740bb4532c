# expect: ok
"""Readings of sensors: t=21.5 h=40."""
from typing import TypedDict
from nacre_types import lang

Value = lang(r"-?[0-9]+(\.[0-9]+)?")
Pair = lang(r"[a-z]=-?[0-9]+(\.[0-9]+)?")
Reading = lang(r"[a-z]=-?[0-9]+(\.[0-9]+)?( [a-z]=-?[0-9]+(\.[0-9]+)?)*")


class Sample(TypedDict):
    key: lang(r"[a-z]")
    value: Value


def sample(pair: Pair) -> Sample:
    key, value = pair.split("=")
    return {"key": key, "value": value}


def samples(reading: Reading) -> list[Sample]:
    return [sample(pair) for pair in reading.split(" ")]


def whole(value: Value) -> int:
    head = value.split(".")[0]
    return int(head)


def value_of(reading: Reading, key: str) -> Value:
    for one in samples(reading):
        if one["key"] == key:
            return one["value"]
    return "0"


def is_cold(value: Value) -> bool:
    return value.startswith("-")


def main() -> None:
    print(whole(value_of("t=21.5 h=40", "t")))


main()
