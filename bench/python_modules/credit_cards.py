# expect: ok
"""Card numbers: groups, masks, the kind by its first digits."""
import re
from nacre_types import lang

Card = lang(r"[0-9]{16}")
Grouped = lang(r"[0-9]{4}( [0-9]{4}){3}")
Masked = lang(r"\*{12}[0-9]{4}")
Kind = lang(r"visa|mastercard|other")


def grouped(card: Card) -> Grouped:
    return " ".join(card[i:i + 4] for i in range(0, 16, 4))


def masked(card: Card) -> Masked:
    return "*" * 12 + card[-4:]


def compact(text: Grouped) -> Card:
    return re.sub(r"\s", "", text)


def kind(card: Card) -> Kind:
    if card[0] == "4":
        return "visa"
    if 51 <= int(card[:2]) <= 55:
        return "mastercard"
    return "other"


class Wallet:
    cards: dict[str, Card]

    def __init__(self) -> None:
        self.cards = {}

    def put(self, name: str, card: Card) -> None:
        self.cards[name] = card

    def show(self, name: str) -> Masked | None:
        card = self.cards.get(name)
        if card is None:
            return None
        return masked(card)


wallet = Wallet()
wallet.put("main", compact("4000 0000 0000 0002"))
print(wallet.show("main"), kind("5100000000000000"), grouped("4000000000000002"))
