# expect: line 21, check_digit('000000000000')
"""EAN-13 bar codes."""
import itertools

from nacre_types import lang

Body = lang(r"[0-9]{12}")
Ean = lang(r"[0-9]{13}")
Digit = lang(r"[0-9]")
Isbn = lang(r"97[89][0-9]{10}")


def weighted(body: Body) -> int:
    total = 0
    for at, digit in enumerate(body):
        total += int(digit) * (3 if at % 2 else 1)
    return total


def check_digit(body: Body) -> Digit:
    return str(10 - weighted(body) % 10)


def complete(body: Body) -> Ean:
    digit = (10 - weighted(body) % 10) % 10
    return body + str(digit)


def is_valid(code: Ean) -> bool:
    return complete(code[:-1])[-1] == code[-1]


def prefix(code: Ean) -> lang(r"[0-9]{3}"):
    return code[:3]


def is_book(code: Ean) -> bool:
    return prefix(code) in ("978", "979")


def printed(code: Isbn) -> lang(r"97[89]-[0-9]{10}"):
    return code[:3] + "-" + code[3:]


def series(start: Body, count: int) -> list[Ean]:
    number = int(start)
    made: list[Ean] = []
    for step in itertools.count():
        if step >= count or number + step > 999_999_999_999:
            break
        made.append(complete(f"{number + step:012d}"))
    return made


if __name__ == "__main__":
    print(series("400638133393", 2), is_book("9783161484100"))
