# expect: line 37, [check_digit(f'{n:09d}') for n in range(200)]
"""ISBN-10: the check digit may be X."""
from nacre_types import lang

Isbn = lang(r"[0-9]{9}[0-9X]")
Body = lang(r"[0-9]{9}")
Check = lang(r"[0-9X]")


class Book:
    def __init__(self, isbn: Isbn, title: str) -> None:
        self.isbn = isbn
        self.title = title

    @property
    def body(self) -> Body:
        return self.isbn[:-1]

    @property
    def check(self) -> Check:
        return self.isbn[-1]

    def hyphenated(self) -> lang(r"[0-9]-[0-9]{4}-[0-9]{4}-[0-9X]"):
        b = self.body
        return "-".join((b[0], b[1:5], b[5:], self.check))


def weight(body: Body) -> int:
    total = 0
    for place, digit in enumerate(body):
        total += (10 - place) * int(digit)
    return total


def check_digit(body: Body) -> Check:
    rest = (11 - weight(body) % 11) % 11
    return str(rest)


def complete(body: Body) -> Isbn:
    return body + check_digit(body)


if __name__ == "__main__":
    print(Book(complete("030640615"), "Example").hyphenated())
