# expect: line 28, Money(0, 1).amount()
"""Amounts of money, kept as units and cents."""
from dataclasses import dataclass

from nacre_types import lang

Amount = lang(r"[0-9]+\.[0-9]{2}")
Price = lang(r"[A-Z]{3} [0-9]+\.[0-9]{2}")
Currency = lang(r"[A-Z]{3}")


@dataclass(frozen=True)
class Money:
    units: int
    cents: int
    currency: Currency = "EUR"

    def __post_init__(self) -> None:
        if self.units < 0 or not 0 <= self.cents < 100:
            raise ValueError("not an amount")

    @classmethod
    def parse(cls, text: Amount) -> "Money":
        units, cents = text.split(".")
        return cls(int(units), int(cents))

    def amount(self) -> Amount:
        return f"{self.units}.{self.cents}"

    def total(self) -> int:
        return self.units * 100 + self.cents


def whole(price: Price) -> lang(r"[0-9]+"):
    return price[4:].partition(".")[0]


def currency(price: Price) -> Currency:
    return price.split()[0]


if __name__ == "__main__":
    print(Money.parse("12.50").total(), whole("USD 3.99"), currency("USD 3.99"))
