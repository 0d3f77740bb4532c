# expect: line 57, main
"""Quantities of recipes: 2 cups, 1/2 tsp."""
from dataclasses import dataclass
from fractions import Fraction

from nacre_types import lang

Amount = lang(r"[1-9][0-9]*(/[1-9][0-9]*)?")
Unit = lang(r"cup|tsp|tbsp|g|ml")
Quantity = lang(r"[1-9][0-9]*(/[1-9][0-9]*)? (cup|tsp|tbsp|g|ml)")
Line = lang(r"[1-9][0-9]*(/[1-9][0-9]*)? (cup|tsp|tbsp|g|ml) [a-z]+( [a-z]+)*")

GRAMS: dict[Unit, int] = {"cup": 240, "tsp": 5, "tbsp": 15, "g": 1, "ml": 1}


@dataclass
class Ingredient:
    amount: Amount
    unit: Unit
    name: lang(r"[a-z]+( [a-z]+)*")

    @classmethod
    def parse(cls, line: Line) -> "Ingredient":
        amount, unit, name = line.split(" ", 2)
        return cls(amount, unit, name)

    def quantity(self) -> Quantity:
        return " ".join([self.amount, self.unit])

    def grams(self) -> Fraction:
        return value(self.amount) * GRAMS[self.unit]


def value(amount: Amount) -> Fraction:
    top, slash, bottom = amount.partition("/")
    return Fraction(int(top), int(bottom) if slash else 1)


def unit_of(quantity: Quantity) -> Unit:
    return quantity[quantity.index(" ") + 1:]


def total(lines: list[Line], unit: Unit = "g") -> Fraction:
    everything = sum(Ingredient.parse(line).grams() for line in lines)
    return everything / GRAMS[unit]


def shopping(lines: list[Line]) -> dict[str, Quantity]:
    found = {}
    for line in lines:
        item = Ingredient.parse(line)
        found[item.name] = item.quantity()
    return found


def main() -> None:
    print(shopping(["2 cups flour", "1/2 tsp salt"]), unit_of("3 g"))


if __name__ == "__main__":
    main()
