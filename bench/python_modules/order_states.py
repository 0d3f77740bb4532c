# expect: line 27, advance('D000000')
"""Order states as an Enum, codes in a dictionary."""
from enum import Enum
from typing import Literal
from nacre_types import lang

Letter = lang(r"[NPSD]")
OrderRef = lang(r"[NPSD][0-9]{6}")


class State(Enum):
    NEW = "N"
    PAID = "P"
    SHIPPED = "S"
    DONE = "D"


NEXT: dict[str, str] = {"N": "P", "P": "S", "S": "D"}
Colour = Literal["red", "amber", "green"]


def state_of(ref: OrderRef) -> State:
    return State(ref[0])


def advance(ref: OrderRef) -> OrderRef:
    return NEXT[ref[0]] + ref[1:]


def colour(ref: OrderRef) -> Colour:
    match ref[0]:
        case "N":
            return "red"
        case "P" | "S":
            return "amber"
        case _:
            return "green"


def label(ref: OrderRef) -> lang(r"[0-9]{3} [0-9]{3} (red|amber|green)"):
    return f"{ref[1:4]} {ref[4:]} {colour(ref)}"


print(advance("N000001"), label("D123456"))
