# expect: ok
"""Serial numbers with a check digit, and a registry of them."""
from nacre_types import lang

Body = lang(r"[0-9]{5}")
Serial = lang(r"[A-Z]{2}-[0-9]{5}-[0-9]")


def check_digit(body: Body) -> lang(r"[0-9]"):
    total = 0
    for i, c in enumerate(body):
        total += int(c) * (3 if i % 2 else 1)
    return str(total % 10)


def make(line: lang(r"[A-Z]{2}"), number: int) -> Serial:
    if number < 0 or number > 99999:
        raise ValueError("too large")
    body = str(number).rjust(5, "0")
    return "-".join([line, body, check_digit(body)])


def body_of(serial: Serial) -> Body:
    _, body, _ = serial.split("-")
    return body


def is_valid(serial: Serial) -> bool:
    return check_digit(body_of(serial)) == serial[-1]


class Registry:
    lines: list[lang(r"[A-Z]{2}")] = ["AA", "BB"]

    def __init__(self) -> None:
        self.known: list[Serial] = []

    def add(self, serial: Serial) -> bool:
        if serial in self.known or not is_valid(serial):
            return False
        self.known.append(serial)
        return True

    def last(self) -> str:
        return self.known[-1] if self.known else "none"


registry = Registry()
registry.add(make("AA", 12))
print(registry.last(), Registry.lines)
