# expect: line 20, Ledger('2024').next()
"""Invoice numbers such as INV-2024-00017, kept in a ledger."""
from __future__ import annotations
import argparse
from dataclasses import dataclass, field
from nacre_types import lang

InvoiceNo = lang(r"INV-[0-9]{4}-[0-9]{5}")
Year = lang(r"[0-9]{4}")


@dataclass
class Ledger:
    year: Year
    numbers: list[InvoiceNo] = field(default_factory=list)

    def next(self) -> InvoiceNo:
        count = len(self.numbers) % 99999 + 1
        number = f"INV-{self.year}-{count:5d}"
        self.numbers.append(number)
        return number

    def last(self) -> InvoiceNo | None:
        return self.numbers[-1] if self.numbers else None


def sequence(number: InvoiceNo) -> int:
    tail = number.rsplit("-", 1)[1]
    return int(tail)


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=3)
    options = parser.parse_args(argv)
    ledger = Ledger("2024")
    for _ in range(options.count):
        print(ledger.next())
    return 0


if __name__ == "__main__":
    main([])
